"""Forms of one English word: 'supplies', 'supplied' and 'supply'. What the tables and endings don't know stays a word of its own."""

from __future__ import annotations

from functools import cache, lru_cache

from kgraph.language import lists
from kgraph.tuples import NamedTuple

_VOWELS = frozenset("aeiouy")


class _Irregular(NamedTuple):
    """``past``: pasts and participles that differ from the base; ``finite``: pasts that are no participle either ('froze')."""

    base_of: dict[str, str]
    past: frozenset[str]
    participles: frozenset[str]
    finite: frozenset[str]


@cache
def _irregular() -> _Irregular:
    """The table of irregular verbs: base, past, participle."""
    rows = [
        line.split() for line in lists.sections("kgraph.language", "data/verbs.txt")["irregular"]
    ]
    return _Irregular(
        {form: row[0] for row in rows for form in row[1:]},
        frozenset(form for row in rows for form in row[1:] if form != row[0]),
        frozenset(form for row in rows for form in row[1:]),
        frozenset(row[1] for row in rows if row[1] not in (row[0], row[2])),
    )


@cache
def irregular_pasts() -> frozenset[str]:
    """Pasts and participles of irregular verbs that differ from their base: 'froze', 'written'."""
    return _irregular().past


@cache
def verb_forms() -> frozenset[str]:
    """Every form of the common verbs."""
    bases = lists.words("data/verbs.txt", "verbs")
    return frozenset(form for base in bases for form in inflect(base)) | irregular_pasts()


@cache
def nouns_too() -> frozenset[str]:
    """Forms of verbs that are nouns just as often."""
    return lists.words("data/verbs.txt", "nouns_too")


@cache
def finite_forms() -> frozenset[str]:
    """Forms of verbs that can hardly be anything but the verb of a sentence: auxiliaries, 'froze', 'depends'."""
    thirds = {inflect(base)[1] for base in lists.words("data/verbs.txt", "verbs")}
    sure = lists.words("data/verbs.txt", "verbs_first")
    return lists.auxiliaries() | (thirds - nouns_too()) | sure | _irregular().finite


def inflect(base: str) -> tuple[str, ...]:
    """The regular forms of a verb: base, third person, past, participle."""
    if base.endswith("e"):
        stem = base[:-1]
        return base, base + "s", base + "d", stem + "ing"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base, base[:-1] + "ies", base[:-1] + "ied", base + "ing"
    third = base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    doubled = (
        base + base[-1]
        if len(base) < 8
        and base[-1] in "bdgmnprtlk"
        and base[-2] in "aeiou"
        and base[-3:-2] not in "aeiou"
        else base
    )
    return base, third, base + "ed", base + "ing", doubled + "ed", doubled + "ing"


@lru_cache(maxsize=20_000)
def bases(word: str) -> frozenset[str]:
    """What a word may be a form of, itself included, in lower case."""
    found = {word, _irregular().base_of.get(word, word)}
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
        found |= _without_ending(word[:-2])
    elif word.endswith("ing") and len(word) > 5:
        found |= _without_ending(word[:-3])
    return frozenset(found)


def _without_ending(stem: str) -> set[str]:
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


def singular(noun: str) -> str:
    """The singular of a lower-case noun, as near as endings tell."""
    if (
        len(noun) < 4
        or not noun.endswith("s")
        or noun.endswith(("ss", "us", "is", "ics", "ous", "news"))
    ):
        return noun
    if noun.endswith("ies"):
        return noun[:-3] + "y" if len(noun) > 4 else noun[:-1]
    if noun.endswith(("ches", "shes", "sses", "xes", "zes")):
        return noun[:-2]
    if noun in _FROM_F:
        return noun[:-3] + "f"
    return noun[:-1]


_FROM_F = frozenset("leaves halves wolves selves calves shelves loaves thieves".split())
_STEM_ENDINGS = (
    ("ings", 4), ("ing", 4), ("ies", 3), ("ed", 4), ("es", 4), ("s", 4), ("y", 4), ("e", 4),
)  # fmt: skip


def stem(word: str) -> str:
    """A key that the commonest forms of a word share; short words stay as they are."""
    if not word.isascii() or len(word) < 5:
        return word
    for ending, least in _STEM_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            kept = word.removesuffix(ending)
            return kept.removesuffix("e") if len(kept) > 4 else kept
    return word


def same_word(one: str, other: str) -> bool:
    """Whether two words are forms of one word, and tell the same: an action under way isn't one that is done."""
    if one == other:
        return True
    if one.endswith("ing") != other.endswith("ing") and (is_past(one) or is_past(other)):
        return False
    return bool(bases(one) & bases(other))


def is_past(word: str) -> bool:
    """Whether a word is a past or a participle: 'froze', 'crashed'."""
    return word in irregular_pasts() or (
        word.endswith("ed") and len(word) > 3 and len(bases(word)) > 1
    )


def is_participle(word: str) -> bool:
    """Whether a word may stand behind 'was' or 'has': supplied, written, run."""
    return (
        word in _irregular().participles
        or word.endswith(("ed", "en", "wn"))
        or word in ("been", "done")
    )


def outlived(asked: str, known: str) -> bool:
    """Whether the question speaks of a lasting state as of now and what is known as of then."""
    return (
        is_past(known)
        and not is_past(asked)
        and bool(bases(asked) & lists.words("data/verbs.txt", "stative"))
    )


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
