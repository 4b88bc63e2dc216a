"""Forms of one word: 'supplies', 'supplied' and 'supply'. Small on purpose: what it does not know stays a word of its own."""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiouy")

# Base, past, participle. Forms that are spelt like other common words are left out where the two would be taken for each other.
_IRREGULAR = (
    "arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became become|begin began begun|bend bent bent|"
    "bind bound bound|bite bit bitten|blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built|"
    "burn burnt burnt|buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost cost|cut cut cut|deal dealt dealt|"
    "dig dug dug|draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|"
    "find found found|fly flew flown|forbid forbade forbidden|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|"
    "go went gone|grow grew grown|hang hung hung|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|"
    "keep kept kept|know knew known|lead led led|leave left left|lend lent lent|let let let|lose lost lost|make made made|"
    "mean meant meant|"
    "meet met met|pay paid paid|put put put|quit quit quit|read read read|rebuild rebuilt rebuilt|ride rode ridden|ring rang rung|"
    "rise rose risen|run ran run|"
    "say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|"
    "shoot shot shot|show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|"
    "speak spoke spoken|spend spent spent|spin spun spun|split split split|spread spread spread|stand stood stood|steal stole stolen|"
    "stick stuck stuck|strike struck struck|swear swore sworn|swim swam swum|take took taken|teach taught taught|tear tore torn|"
    "tell told told|think thought thought|throw threw thrown|understand understood understood|undergo underwent undergone|"
    "overtake overtook overtaken|overwrite overwrote overwritten|rewrite rewrote rewritten|oversee oversaw overseen|win won won|"
    "withdraw withdrew withdrawn|write wrote written|undo undid undone"
)
_ROWS = [row.split() for row in _IRREGULAR.split("|")]
_BASE_OF = {form: row[0] for row in _ROWS for form in row[1:]}
_PAST = {form for row in _ROWS for form in row[1:] if form != row[0]}
_PARTICIPLES = {row[2] for row in _ROWS} | {row[1] for row in _ROWS}

# Verbs of a lasting state: what held then need not hold now. An event that happened has happened.
STATIVE = frozenset(
    "own have hold lead manage run use live work employ host belong maintain head chair serve operate contain control require need depend "
    "support include know like love want believe consist govern rule administer power store keep rely represent reside stand cost".split()
)


@lru_cache(maxsize=20_000)
def bases(word: str) -> frozenset[str]:
    """What a word may be a form of, itself included, in lower case."""
    found = {word}
    if word in _BASE_OF:
        found.add(_BASE_OF[word])
    if not word.isalpha() or len(word) < 4:
        return frozenset(found)
    if word.endswith("ies") and len(word) > 4:
        found.add(word[:-3] + "y")
    elif word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        found |= {word[:-2], word[:-1]}
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        found.add(word[:-1])
    elif word.endswith("ied") and len(word) > 4:
        found.add(word[:-3] + "y")
    elif word.endswith("ed"):
        found |= _without(word[:-2])
    elif word.endswith("ing") and len(word) > 5:
        found |= _without(word[:-3])
    return frozenset(found)


def _without(stem: str) -> set[str]:
    """What a stem without its ending may be: 'plann' plan, 'plan' plane only, since 'plan' would double its last letter."""
    if not any(char in _VOWELS for char in stem) or len(stem) < 2:
        return set()
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
        return {stem, stem[:-1]}
    short = (
        len(stem) >= 3
        and stem[-1] not in "aeiouwxy"
        and stem[-2] in _VOWELS
        and sum(char in _VOWELS for char in stem) == 1
    )
    return {stem + "e"} if short else {stem, stem + "e"}


def same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one word, and tell the same: an action under way isn't one that is done."""
    if one == other:
        return True
    if one.endswith("ing") != other.endswith("ing") and (is_past(one) or is_past(other)):
        return False
    return bool(bases(one) & bases(other))


def is_past(word: str) -> bool:
    return word in _PAST or (word.endswith("ed") and len(word) > 3 and len(bases(word)) > 1)


def is_participle(word: str) -> bool:
    """Whether a word may stand behind 'was' or 'has': supplied, written, run."""
    return word in _PARTICIPLES or word.endswith(("ed", "en", "wn")) or word in ("been", "done")


def outlived(asked: str, known: str) -> bool:
    """Whether the question speaks of a lasting state as of now and what is known as of then."""
    return is_past(known) and not is_past(asked) and bool(bases(asked) & STATIVE)


def agent_of(noun: str, verb: str) -> bool:
    """Whether a noun names who does what a verb says: 'supplier' and 'supplied'."""
    for ending in ("er", "or"):
        if noun.endswith(ending) and len(noun) > 4:
            stem = noun[: -len(ending)]
            candidates = {stem, stem + "e"}
            if stem.endswith("i"):
                candidates.add(stem[:-1] + "y")
            if len(stem) > 3 and stem[-1] == stem[-2]:
                candidates.add(stem[:-1])
            return bool(candidates & bases(verb))
    return False
