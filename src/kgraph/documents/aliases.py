"""Other names of a thing, where the text says that they are: an acronym and what it stands for, 'formerly', 'also known as'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from kgraph.documents.lexicon import AUXILIARIES, FUNCTION, ORDINARY_CAPITALS
from kgraph.documents.masking import FILL, cleaned
from kgraph.documents.names import is_acronym
from kgraph.documents.terms import Mention, Term
from kgraph.documents.tokens import Sentence, Token
from kgraph.tuples import NamedTuple

_LOOSE = " \t\r\n\x01\"'”’s."  # what may stand between a name and its bracket
_BRACKET = re.compile(r"[(（]([^()（）]{1,120})[)）]")
_KNOWN_AS = re.compile(
    r"(?:\(|[,;]|\s|^)[\s\x01]*(?:(?:also|formerly|previously|originally|now|better|best|commonly|professionally|popularly|sometimes|variously|otherwise|once)\s+"
    r"(?:known|called|named|referred\s+to|written|spelled|spelt|titled|romani[sz]ed)\s*(?:as\s+)?|[af]\.?k\.?a\.?\s|(?:known\s+(?:professionally\s+|commonly\s+)?as|called|termed)\s"
    r"|(?:formerly|previously|n[ée]e|abbreviated(?:\s+as|\s+to)?|short\s+for|stands\s+for)\s|alias\s)[\s\x01\"“'‘]*",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(
    r"[\W\x01]*(?:also|formerly|previously|originally|otherwise)\b", re.IGNORECASE
)
_FORMER = re.compile(r"formerly|previously|originally|f\.?k\.?a|n[ée]e\b", re.IGNORECASE)
_DEFINES = re.compile(r"[\s\x01]*(?:\([^()]{0,80}\)[\s\x01]*)?(?::|：|[–—]|-{1,2}\s)")
_IS_SAID = re.compile(r"[\s\x01]*(?:is|are|was|were)\s")
_SUBJECT_LEAD = re.compile(r"[\W\x01]*(?:the|a|an)?[\W\x01]*$", re.IGNORECASE)
_BOTH = re.compile(r"([^()]{2,100}?)\s*\(([^()]{2,100})\)$")
_ALIAS_END = re.compile(
    r"[,;:()（）|\"“”]|\.(?=\s|$)|\s[–—-]\s|\s(?:is|are|was|were|or|and|until|until|from|in|by|because|since|which|who|that|to|with|for|has|had|before|after)\b",
    re.IGNORECASE,
)


class Alias(NamedTuple):
    """Two spellings of one thing. ``kind``: acronym, known-as, former, or called ('a process called molting': one of that kind). ``start``
    and ``end`` are the place of the name that stands first."""

    name: str
    other: str
    kind: str
    start: int
    end: int


def acronyms(sentences: Sequence[Sentence]) -> list[Alias]:
    """'Payment Gateway (PGW)' and 'PGW (Payment Gateway)': both ways, where the letters fit the words."""
    found: list[Alias] = []
    for sentence in sentences:
        found += _beside_commas(sentence)
        if "(" not in sentence.text and "（" not in sentence.text:
            continue
        ends = [token.end for token in sentence.tokens]
        for bracket in _BRACKET.finditer(sentence.text):
            inside = cleaned(bracket.group(1)).strip("\"“”'‘’ ")
            opens = sentence.start + bracket.start()
            upto = bisect_right(ends, opens)
            before = sentence.tokens[max(0, upto - 12) : upto]
            if not before or sentence.text[before[-1].end - sentence.start : bracket.start()].strip(
                _LOOSE
            ):
                continue
            short = inside.split(",")[0].split(";")[0].split(" or ")[0].strip("\"“”'‘’ ")
            if _is_short_form(short) and short.lower() not in ORDINARY_CAPITALS:
                expansion = _expansion(sentence, before, short)
                if expansion:
                    found.append(
                        Alias(
                            cleaned(_text(sentence, expansion)),
                            short,
                            "acronym",
                            expansion[0].start,
                            expansion[-1].end,
                        )
                    )
            elif (
                is_acronym(before[-1].text)
                and before[-1].lower not in ORDINARY_CAPITALS
                and _fits(inside, before[-1].text)
            ):
                found.append(
                    Alias(inside, before[-1].text, "acronym", before[-1].start, before[-1].end)
                )
    return found


def both_names(text: str) -> tuple[str, str] | None:
    """A name that carries its own other name: 'Payment Gateway (PGW)' or 'PGW (Payment Gateway)', as the expansion and the acronym."""
    found = _BOTH.match(text)
    if found is None:
        return None
    outer, inner = found.group(1).strip(), found.group(2).strip()
    if _is_short_form(inner) and _fits(outer, inner):
        return outer, inner
    return (inner, outer) if _is_short_form(outer) and _fits(inner, outer) else None


def _beside_commas(sentence: Sentence) -> list[Alias]:
    """'time to live, TTL' and 'TTL, time to live': every word gives its letter, and a comma alone parts the two."""
    found: list[Alias] = []
    if "," not in sentence.text:
        return found
    tokens = sentence.tokens
    for at, token in enumerate(tokens):
        if (
            not token.text.isupper()
            or len(token.text) < 3
            or not is_acronym(token.text)
            or token.lower in ORDINARY_CAPITALS
        ):
            continue
        letters = len(token.text)
        if at and _gap(sentence, tokens[at - 1], token) == ",":
            words = _expansion(sentence, tokens[max(0, at - letters - 2) : at], token.text)
            if (
                len(words) >= letters
                and all(word.joined for word in words[1:])
                and _initials_fit([word.lower for word in words], list(token.lower))
            ):
                found.append(
                    Alias(
                        cleaned(_text(sentence, words)),
                        token.text,
                        "acronym",
                        words[0].start,
                        words[-1].end,
                    )
                )
        elif at + letters < len(tokens) and _gap(sentence, token, tokens[at + 1]) == ",":
            words = list(tokens[at + 1 : at + 1 + letters])
            if all(word.joined for word in words[1:]) and _initials_fit(
                [word.lower for word in words], list(token.lower)
            ):
                found.append(
                    Alias(
                        cleaned(_text(sentence, words)),
                        token.text,
                        "acronym",
                        words[0].start,
                        words[-1].end,
                    )
                )
    return found


def _gap(sentence: Sentence, before: Token, after: Token) -> str:
    return sentence.text[before.end - sentence.start : after.start - sentence.start].strip(
        " \t\r\n" + FILL
    )


def defined_by(sentence: Sentence, mentions: Sequence[Mention]) -> Term | None:
    """The term that a sentence sets out to define, by a colon or dash after it, as in a glossary; None where it doesn't."""
    if (
        not mentions
        or _SUBJECT_LEAD.match(sentence.text, 0, mentions[0].start - sentence.start) is None
    ):
        return None
    return (
        mentions[0].term
        if _DEFINES.match(sentence.text, mentions[0].end - sentence.start)
        else None
    )


def known_as(
    sentence: Sentence, mentions: Sequence[Mention], defined: Term | None = None
) -> list[Alias]:
    """'X, formerly Y', 'X (also known as Y)', 'Y, short for X', where X is a term that stands right before, or the one that the passage
    has ``defined``: '**X**: a store for keys; formerly called Y'."""
    found: list[Alias] = []
    for cue in _KNOWN_AS.finditer(sentence.text):
        place = sentence.start + cue.start()
        owner = _owner(sentence, mentions, place, _OTHERWISE.match(cue.group()) is not None)
        rest = sentence.text[cue.end() : cue.end() + 90]
        end = _ALIAS_END.search(rest)
        term = (
            owner.term if owner is not None else _of_the_whole(sentence, mentions, defined, place)
        )
        if term is None and cue.start() == 0 and end is not None and rest[end.start()] == ",":
            term = _named_at(mentions, sentence.start + cue.end() + end.end())
        if term is None:
            continue
        other = cleaned(rest[: end.start()] if end else rest).strip("\"“”'‘’* ")
        if other.lower().startswith(("the ", "a ", "an ")):
            other = other.split(" ", 1)[1] if " " in other else ""
        words = other.split()
        general = term.strength <= 1 and not cue.group().strip(" (,").lower().startswith(
            ("also", "formerly", "previously", "a.k.a", "aka")
        )
        named = bool(words) and (
            any(word[0].isupper() or word[0].isdigit() for word in words)
            or any(
                mention.start == sentence.start + cue.end() and "code" in mention.term.kinds
                for mention in mentions
            )
            or not any(map(str.isupper, term.name))
        )
        if (
            named
            and len(words) <= 6
            and not any(word.lower() in AUXILIARIES for word in words)
            and words[0].lower() not in FUNCTION
        ):
            found.append(
                Alias(
                    term.name,
                    other,
                    "called"
                    if general
                    else "former"
                    if _FORMER.search(cue.group())
                    else "known-as",
                    place,
                    sentence.start + cue.end(),
                )
            )
    return found


def _of_the_whole(
    sentence: Sentence, mentions: Sequence[Mention], defined: Term | None, place: int
) -> Term | None:
    """Whose other name it is that follows a whole explanation: the defined term's, or past a semicolon the sentence's subject's."""
    at = place - sentence.start
    lead = sentence.text[: at + (sentence.text[at] in ",;(")].rstrip(" \t\r\n" + FILL)
    if not lead or (defined is not None and lead[-1:] in ",;("):
        return defined
    if (
        lead[-1:] != ";"
        or not mentions
        or _SUBJECT_LEAD.match(sentence.text, 0, mentions[0].start - sentence.start) is None
    ):
        return None
    return (
        mentions[0].term
        if _IS_SAID.match(sentence.text, mentions[0].end - sentence.start)
        else None
    )


def _named_at(mentions: Sequence[Mention], place: int) -> Term | None:
    """'Formerly known as Y, X …': the term that follows, an article aside."""
    return next((mention.term for mention in mentions if 0 <= mention.start - place <= 6), None)


_NO_MORE = frozenset(("", ",", ";"))
_COPULAS = frozenset(("is", "was", "are", "were"))


def _owner(
    sentence: Sentence, mentions: Sequence[Mention], place: int, otherwise: bool
) -> Mention | None:
    """The term that ends where the cue begins, or with nothing but a bracket of other names between them. Where the cue says that it is
    another name (``otherwise``), 'is' and 'was' may stand between: 'X was formerly known as Y', but not 'maps are called functions'."""
    for mention in reversed(mentions):
        if mention.end > place:
            continue
        between = sentence.text[mention.end - sentence.start : place - sentence.start].strip(
            " \t\r\n\"'”’(" + FILL
        )
        return (
            mention
            if between in _NO_MORE
            or (otherwise and between in _COPULAS)
            or _BRACKET.fullmatch(between)
            else None
        )
    return None


def _is_short_form(text: str) -> bool:
    return (
        2 <= len(text) <= 12
        and " " not in text
        and text[0].isalnum()
        and (is_acronym(text) or sum(map(str.isupper, text)) >= 2)
    )


def _expansion(sentence: Sentence, before: Sequence[Token], short: str) -> list[Token]:
    """The shortest run of words before the bracket whose letters spell the acronym, starting on its first letter.

    Commas may stand in a run of capitalised words ('Message Authentication, Reporting, and Conformance')."""
    letters = [letter.lower() for letter in short if letter.isalnum()]
    if letters[-1] == "s" and short[-1] == "s" and len(letters) > 2:
        letters.pop()
    longest = min(len(before), len(letters) + 4)
    for length in range(1, longest + 1):
        words = before[-length:]
        if length > 1 and not words[1].joined and not _listed(sentence, words):
            break
        first = words[0].lower
        if first in FUNCTION or first[0] != letters[0] or words[0].text == short:
            continue
        if _initials_fit([token.lower for token in words], letters):
            return list(words)
    for length in range(1, min(longest, len(letters)) + 1):
        words = before[-length:]
        if (
            words[0].lower[0] == letters[0]
            and words[0].lower not in FUNCTION
            and _spells("".join(token.lower for token in words), letters)
        ):
            return (
                list(words)
                if all(token.joined for token in words[1:]) and words[0].text != short
                else []
            )
    return []


def _listed(sentence: Sentence, words: Sequence[Token]) -> bool:
    return _gap(sentence, words[0], words[1]) in (",", "&") and all(
        word.text[0].isupper() or word.lower in FUNCTION for word in words
    )


def _fits(expansion: str, short: str) -> bool:
    words = [word.lower() for word in re.split(r"[\s/-]+", expansion) if word]
    letters = [letter.lower() for letter in short if letter.isalnum()]
    if short.endswith("s") and len(letters) > 2:
        letters.pop()
    if len(words) < 2 or words[0][0] != letters[0]:
        return False
    return _initials_fit(words, letters) or (
        len(words) <= len(letters) and _spells("".join(words), letters)
    )


def _initials_fit(words: Sequence[str], letters: Sequence[str]) -> bool:
    """Whether the letters are the words' initials in order; small words, and parts after a hyphen, may give one or none."""
    initials = [
        (part[0], part in FUNCTION) for word in words for part in re.split(r"[-/&]", word) if part
    ]
    at = 0
    for initial, optional in initials:
        if at < len(letters) and initial == letters[at]:
            at += 1
        elif not optional:
            return False
    return at == len(letters)


def _spells(joined: str, letters: Sequence[str]) -> bool:
    """Payment Gateway, PGW: each letter stands somewhere in order."""
    at = 0
    for letter in letters:
        at = joined.find(letter, at) + 1
        if at == 0:
            return False
    return True


def _text(sentence: Sentence, words: Sequence[Token]) -> str:
    return sentence.text[words[0].start - sentence.start : words[-1].end - sentence.start]
