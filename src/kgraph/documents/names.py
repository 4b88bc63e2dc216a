"""Proper names and acronyms, by their capitals: only where the language keeps capitals for names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kgraph.documents.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    CALENDAR,
    COMMON_NOUNS,
    DEMONYMS,
    FUNCTION,
    GENERAL,
    HEADS,
    NOUN_TOO,
    ORDINARY_CAPITALS,
    PAST,
    VERB_FORMS,
)
from kgraph.documents.marking import marked_name
from kgraph.documents.masking import FILL, cleaned
from kgraph.documents.tokens import Sentence, Token
from kgraph.language.inflection import singular
from kgraph.tuples import NamedTuple

_CONNECTORS = frozenset(
    "of the de la le du des van von der den ter bin ibn al el del della di da dos do y und zu".split()
)
_INTERJECTIONS = frozenset(
    "yeah yep ok okay afaict afaik fyi btw lol hmm hi hey hello thanks thank please also note nb cc".split()
)
_ROMAN = re.compile(r"[IVXLC]+$")
_SERIES = frozenset(
    "PEP RFC KEP ADR ISO IEEE CVE CWE BIP EIP ERC JEP JSR GEP STD BCP FIPS NIST ANSI DIN ECMA ITU XEP SEP MEP NEP DEP".split()
)
_MIXED = re.compile(r"[a-z]+[A-Z]|[A-Z][a-z]+[A-Z]|[A-Z]{2,}[a-z]")
_HANDLE = re.compile(r"@[A-Za-z][\w-]{1,38}$")


_SMALL = FUNCTION | _CONNECTORS
_UNITS = frozenset("KB MB GB TB PB KiB MiB GiB TiB MHz GHz".split())
_DETERMINERS = frozenset(
    "the a an its their his her all this that these those every each no".split()
)
_LEGAL_FORMS = frozenset(
    "inc ltd llc corp co gmbh plc jr sr".split()
)  # parts of the name before them, behind a comma
_OPENERS = frozenset(
    "earlier afterwards afterward anyway nonetheless sooner tonight meantime whenever midway halfway".split()
)
_NOUNS_IN_LY = frozenset(
    "family assembly supply reply fly ally rally monopoly italy july butterfly jelly".split()
)
# What a name ends in that is a body or an office, so that an 'and' within may be its own: 'Safety and Security Engineer'.
_BODIES = frozenset(
    """engineer engineering department committee office ministry act institute association corporation administration commission agency
    council centre center division bureau foundation society museum officer analyst group board authority union directorate secretary
    conformance""".split()
)


class Name(NamedTuple):
    """A proper name in the text, and whether its first word's capital may be only that of a sentence."""

    start: int
    end: int
    text: str
    doubtful: bool
    acts: bool = True  # whether the sentence treats a doubtful one as a noun that stands for itself
    uncertain: bool = (
        False  # whether its first word may be a verb or an adjective that only opens the sentence
    )


def lowercase_words(sentences: Sequence[Sentence]) -> Counter[str]:
    """How often each word is written wholly in lower case."""
    return Counter(
        token.text for sentence in sentences for token in sentence.tokens if token.text.islower()
    )


def names(sentences: Sequence[Sentence], lowercase: Counter[str]) -> list[Name]:
    """The proper names of the sentences, in order. A capital that only opens a sentence counts if the rest of the text bears it out."""
    found: list[Name] = []
    for sentence in sentences:
        if not _shouts(sentence):
            found += _names_of(sentence, lowercase)
    found = _settled(found)
    capitals = Counter(name.text for name in found if not name.doubtful)
    found = [name for name in found if not _is_ordinary(name.text, capitals[name.text], lowercase)]
    certain = {name.text for name in found if not name.doubtful}
    heads = {name.text.split()[0] for name in found if not name.doubtful}
    return [
        name
        for name in found
        if not name.doubtful
        or name.text in certain
        or name.text in heads
        or (name.acts and _bears_out(name, lowercase))
    ]


def _settled(found: list[Name]) -> list[Name]:
    """The names with those of uncertain beginning settled, where the text has them elsewhere: whole, or without the first word."""
    if not any(name.uncertain for name in found):
        return found
    known = {name.text for name in found if not name.uncertain and not name.doubtful}
    settled: list[Name] = []
    for name in found:
        first, _, rest = name.text.partition(" ")
        if name.uncertain and name.text in known:
            settled.append(name._replace(uncertain=False))
        elif name.uncertain and rest in known:
            settled.append(
                name._replace(start=name.start + len(first) + 1, text=rest, uncertain=False)
            )
        else:
            settled.append(name)
    return settled


def is_acronym(word: str) -> bool:
    """Two to ten characters, capitals with or without digits and a plural s: API, K8S, VOCs, S3."""
    core = word[:-1] if word.endswith("s") and len(word) > 2 else word
    bare = core.replace(".", "").replace("-", "").replace("/", "").replace("&", "")
    return (
        2 <= len(bare) <= 10
        and bare.isalnum()
        and bare == bare.upper()
        and sum(map(str.isalpha, bare)) >= 2
        and not _ROMAN.match(bare)
    )


def is_name_word(word: str) -> bool:
    """Whether the spelling alone says that this is a name: inner capitals, an acronym, a handle."""
    if word.isalpha() and (word.islower() or word[1:].islower()):
        return False
    return (
        bool(_MIXED.match(word))
        or (is_acronym(word) and word.lower() not in ORDINARY_CAPITALS)
        or bool(_HANDLE.match(word))
    )


def _names_of(sentence: Sentence, lowercase: Counter[str]) -> Iterator[Name]:
    tokens = sentence.tokens
    at = 0
    while at < len(tokens):
        text = tokens[at].text
        if (text.islower() and text[0] != "@") or not _may_begin(tokens[at]):
            at += 1
            continue
        end = _run_end(tokens, at)
        while (
            end < len(tokens)
            and sentence.text[
                tokens[end - 1].end - sentence.start : tokens[end].start - sentence.start
            ]
            == " & "
        ):
            if not _may_begin(tokens[end]):
                break
            end = _run_end(tokens, end)  # 'Johnson & Johnson'
        begin = at
        at = end
        opens = begin == 0 or _follows_break(sentence, tokens[begin])
        uncertain = False
        if opens and end - begin > 1:
            opening = _opening(tokens, begin, end, lowercase)
            uncertain = opening == "uncertain"
            if opening == "apart":
                begin, opens = begin + 1, False
        while begin < end and (tokens[begin].lower in _SMALL or tokens[begin].text in _UNITS):
            begin, opens = begin + 1, False
        while begin < end and tokens[end - 1].lower in _CONNECTORS:
            end -= 1
        if begin >= end or _is_cut(sentence, tokens[end - 1].end):
            continue
        if begin == end - 1 and _goes_on(tokens, begin):
            at = end = end + 1
        words = [token.text for token in tokens[begin:end]]
        if not _is_name(words):
            continue
        marked = marked_name(sentence, tokens[begin].start, tokens[end - 1])
        if marked is not None:
            if marked.text:
                yield Name(
                    marked.start, tokens[end - 1].end, f"{marked.text} {' '.join(words)}", False
                )
            continue
        doubtful = opens and end - begin == 1 and not is_name_word(words[0])
        if doubtful and _plainly_common(tokens, begin, lowercase):
            continue
        place = tokens[begin].start, tokens[end - 1].end
        text = cleaned(sentence.text[place[0] - sentence.start : place[1] - sentence.start])
        yield Name(*place, text, doubtful, not doubtful or _acts(sentence, begin), uncertain)


def _is_cut(sentence: Sentence, end: int) -> bool:
    """Whether markup parts the word from letters that belong to it, as an accent does in TeX."""
    if sentence.text[end - sentence.start : end - sentence.start + 1] != FILL:
        return False
    following = sentence.text[end - sentence.start : end - sentence.start + 8].lstrip(FILL)
    return following[:1].isalpha()


def _acts(sentence: Sentence, at: int) -> bool:
    """Whether the word owns something or a verb follows it, as only a noun does: 'Redis was', 'Kafka stores the', 'Ada's'."""
    token = sentence.tokens[at]
    if sentence.text[token.end - sentence.start : token.end - sentence.start + 2] in ("'s", "’s"):
        return True
    if at + 1 >= len(sentence.tokens) or not sentence.tokens[at + 1].joined:
        return False
    following = sentence.tokens[at + 1].lower
    if (
        following in AUXILIARIES
        or following in PAST
        or (
            following in VERB_FORMS
            and following.endswith(("s", "ed"))
            and following not in NOUN_TOO
        )
    ):
        return True
    if following == "and" and at + 3 < len(sentence.tokens):  # 'Alpha and Beta depend'
        partner, verb = sentence.tokens[at + 2], sentence.tokens[at + 3].lower
        acts = verb in AUXILIARIES or (verb in VERB_FORMS and verb not in NOUN_TOO)
        return acts and partner.text[0].isupper() and partner.lower not in FUNCTION
    then = sentence.tokens[at + 2].lower if at + 2 < len(sentence.tokens) else ""
    return following.endswith(("s", "ed")) and len(following) > 3 and then in _DETERMINERS


def _may_begin(token: Token) -> bool:
    return (token.text[0].isupper() or is_name_word(token.text)) and token.lower not in CALENDAR


def _run_end(tokens: Sequence[Token], at: int) -> int:
    """Where the run of capitalised words that begins at ``at`` ends; connectors count only between two of them."""
    end = at + 1
    if tokens[at].text[0] == "@" or tokens[at].lower in _INTERJECTIONS:
        return end
    look = end
    while look < len(tokens) and look - at < 9 and tokens[look].joined:
        token = tokens[look]
        if token.lower in CALENDAR:
            break
        if (
            token.text == "I"
            and look == end
            and (
                look + 1 == len(tokens)
                or not tokens[look + 1].joined
                or tokens[look + 1].lower in ("of", "and")
            )
        ):
            end = look + 1
            break
        if (
            token.text[0].isupper()
            and (token.lower not in FUNCTION or token.lower in _CONNECTORS)
            and token.lower not in _INTERJECTIONS
        ):
            end = look = look + 1
        elif token.text[0].isdigit() and look == end and tokens[look - 1].text in _SERIES:
            end = look + 1
            break
        elif (
            token.lower in _CONNECTORS
            and look - end < 2
            and not (token.lower == "the" and look == end and tokens[at].lower in FUNCTION)
        ):
            look += 1
        else:
            break
    return _past_and(tokens, at, end)


def _past_and(tokens: Sequence[Token], at: int, end: int) -> int:
    """The end of a name whose own 'and' parts two attributes of one body: 'PyPI Safety and Security Engineer'."""
    if (
        end + 1 >= len(tokens)
        or tokens[end].lower != "and"
        or not tokens[end].joined
        or not tokens[end + 1].joined
    ):
        return end
    last = tokens[end - 1]
    if (
        is_name_word(last.text)
        or last.lower in _BODIES
        or last.lower in ORDINARY_CAPITALS
        or end - at > 4
    ):
        return end
    further = end + 1
    while (
        further < len(tokens)
        and further - end < 5
        and tokens[further].joined
        and tokens[further].text[0].isupper()
    ):
        further += 1
    long_enough = further - end > 2
    return (
        further
        if long_enough
        and tokens[further - 1].lower in _BODIES
        and not is_name_word(tokens[end + 1].text)
        else end
    )


def _is_name(words: list[str]) -> bool:
    if len(words) == 1:
        word = words[0]
        low = word.lower()
        if (
            len(word) < 2
            or word in _SERIES
            or low in _LEGAL_FORMS
            or low in FUNCTION
            or low in ORDINARY_CAPITALS
            or low in DEMONYMS
            or _ROMAN.match(word)
        ):
            return False
        return not word[0].isdigit() and (is_name_word(word) or not word.isupper())
    return not all(
        word.lower() in FUNCTION or word.lower() in DEMONYMS or word.lower() in ORDINARY_CAPITALS
        for word in words
    )


def _opening(tokens: Sequence[Token], begin: int, end: int, lowercase: Counter[str]) -> str:
    """Whether the capitalised word that opens a sentence belongs to the capitalised words after it: 'whole', 'apart' or 'uncertain'."""
    first = tokens[begin]
    low = first.lower
    if is_name_word(first.text):
        return "whole"
    if low in FUNCTION or low in AUXILIARIES or low in _INTERJECTIONS or low in _OPENERS:
        return "apart"
    if low.endswith("ly") and low not in _NOUNS_IN_LY:
        return "apart"
    if low not in VERB_FORMS and not low.endswith("ing"):
        return "uncertain" if low in ADJECTIVES and low not in DEMONYMS else "whole"
    last = singular(tokens[end - 1].lower)
    if last not in HEADS and last not in GENERAL and not lowercase[last]:
        return (
            "whole" if low in NOUN_TOO and low.endswith("ing") else "apart"
        )  # 'Restarting Redis', 'Use Kafka'
    following = tokens[end].lower if end < len(tokens) and tokens[end].joined else ""
    alone = (
        end - begin == 2 and last == tokens[end - 1].lower
    )  # a singular without an article takes no object's place
    acts = following in AUXILIARIES or (following in VERB_FORMS and following.endswith("s"))
    return "whole" if alone and acts else "uncertain"


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether an acronym is the first word of a longer name, of which the head is an ordinary noun: 'the API gateway'."""
    if at == 0 or at + 1 >= len(tokens) or not tokens[at].joined or not is_acronym(tokens[at].text):
        return False
    if tokens[at - 1].lower not in _DETERMINERS:
        return False
    head = tokens[at + 1]
    if not head.joined or not head.text.islower() or singular(head.lower) not in HEADS:
        return False
    if at + 2 >= len(tokens) or not tokens[at + 2].joined:
        return True
    following = tokens[at + 2].lower
    return (
        following in FUNCTION
        or following in AUXILIARIES
        or (following in VERB_FORMS and singular(following) not in HEADS)
    )


def _plainly_common(tokens: Sequence[Token], at: int, lowercase: Counter[str]) -> bool:
    """A capital at the start of a sentence, on a word that is no name: known in lower case, a verb, or a plural."""
    low = tokens[at].lower
    if singular(low) != low and not lowercase[low] and _is_singular(tokens, at):
        return (
            low in COMMON_NOUNS or low in VERB_FORMS
        )  # 'Postgres stores the orders': a plural takes no such verb
    if (
        lowercase[low]
        or singular(low) in GENERAL
        or low in COMMON_NOUNS
        or low in VERB_FORMS
        or low in NOUN_TOO
        or low.endswith(
            ("ing", "ly", "ed", "tion", "ment", "ness", "ity", "ance", "ence", "ship", "ism")
        )
    ):
        return True
    return singular(low) != low or lowercase[low + "s"] > 0


def _is_singular(tokens: Sequence[Token], at: int) -> bool:
    """Whether the verb after the word stands in the third person singular."""
    if at + 1 >= len(tokens) or not tokens[at + 1].joined:
        return False
    following = tokens[at + 1].lower
    if following in ("is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"):
        return True
    if following not in VERB_FORMS or not following.endswith("s"):
        return False
    then = tokens[at + 2].lower if at + 2 < len(tokens) else ""
    return following not in NOUN_TOO or then in _DETERMINERS


def _bears_out(name: Name, lowercase: Counter[str]) -> bool:
    """Nothing else in the text has this word: a singular without an article that opens a sentence is a name."""
    return (
        len(name.text) > 2
        and not lowercase[name.text.lower()]
        and not lowercase[singular(name.text.lower())]
    )


def _is_ordinary(word: str, capitals: int, lowercase: Counter[str]) -> bool:
    """A word that the text writes in lower case as well, more often or as only ordinary words are."""
    low = word.lower()
    if word == low or " " in word or not lowercase[low]:
        return False
    return (
        lowercase[low] > capitals
        or low in VERB_FORMS
        or low in GENERAL
        or low.endswith(("ing", "ed", "ly", "al", "ous"))
    )


def _follows_break(sentence: Sentence, token: Token) -> bool:
    """Whether a colon, bracket, dash or quotation mark stands before the word, after which ordinary words are capitalised too."""
    lead = sentence.text[: token.start - sentence.start]
    before = lead.rstrip(" \t\r\n\x01>")
    if lead.rstrip(" \t").endswith(">"):
        return True  # who says it in a chat
    if sentence.passage.kind == "quote" and "\n" in lead[len(before) :]:
        return True  # a new line of a chat
    return before[-1:] in ":(–—-\"“‘'*•|[]" if before else True


def _shouts(sentence: Sentence) -> bool:
    """Words all in capitals, or each with one, as in headings: there capitals mark nothing."""
    words = [token.text for token in sentence.tokens if token.text[0].isalpha()]
    if len(words) < 4:
        return False
    capitals = sum(word[0].isupper() for word in words)
    if sentence.text.endswith(".") and any(
        word in VERB_FORMS or word in AUXILIARIES for word in words[1:]
    ):
        return False  # 'North America Billing Service calls Alpha Server.'
    return sum(word.isupper() for word in words) > 0.7 * len(words) or (
        len(words) > 5 and capitals > 0.85 * len(words)
    )
