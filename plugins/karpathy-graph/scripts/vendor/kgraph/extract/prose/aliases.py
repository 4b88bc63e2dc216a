"""Other names of a thing, where the text says that they are: an acronym and what it stands for, 'formerly', 'also known as'."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from kgraph.extract.prose.lexicon import AUXILIARIES, FUNCTION
from kgraph.extract.prose.masking import FILL, cleaned
from kgraph.extract.prose.names import is_acronym
from kgraph.extract.prose.terms import Mention
from kgraph.extract.prose.tokens import Sentence, Token

_LOOSE = " \t\r\n\x01\"'”’s."  # what may stand between a name and its bracket
_BRACKET = re.compile(r"[(（]([^()（）]{1,120})[)）]")
_KNOWN_AS = re.compile(
    r"(?:\(|,|\s)[\s\x01]*(?:(?:also|formerly|previously|originally|now|better|best|commonly|professionally|popularly|sometimes|variously|otherwise|once)\s+"
    r"(?:known|called|named|referred\s+to|written|spelled|spelt|titled|romani[sz]ed)\s*(?:as\s+)?|a\.?k\.?a\.?\s|(?:known\s+(?:professionally\s+|commonly\s+)?as|called|termed)\s"
    r"|(?:formerly|previously|n[ée]e|abbreviated(?:\s+as|\s+to)?|short\s+for|stands\s+for)\s|alias\s)[\s\x01\"“'‘]*",
    re.IGNORECASE,
)
_ALIAS_END = re.compile(
    r"[,;:()（）|\"“”]|\.(?=\s|$)|\s[–—-]\s|\s(?:is|are|was|were|or|and|until|until|from|in|by|because|since|which|who|that|to|with|for|has|had|before|after)\b",
    re.IGNORECASE,
)


class Alias(NamedTuple):
    """Two spellings of one thing. ``kind``: acronym, known-as, or called ('a process called molting': a thing of that kind). ``start``
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
        if "(" not in sentence.text and "（" not in sentence.text:
            continue
        ends = [token.end for token in sentence.tokens]
        for bracket in _BRACKET.finditer(sentence.text):
            inside = cleaned(bracket.group(1)).strip("\"“”'‘’ ")
            opens = sentence.start + bracket.start()
            upto = bisect_right(ends, opens)
            before = sentence.tokens[max(0, upto - 12) : upto]
            if not before or sentence.text[before[-1].end - sentence.start : bracket.start()].strip(_LOOSE):
                continue
            short = inside.split(",")[0].split(";")[0].split(" or ")[0].strip("\"“”'‘’ ")
            if _is_short_form(short):
                expansion = _expansion(before, short)
                if expansion:
                    found.append(Alias(cleaned(_text(sentence, expansion)), short, "acronym", expansion[0].start, expansion[-1].end))
            elif is_acronym(before[-1].text) and _fits(inside, before[-1].text):
                found.append(Alias(inside, before[-1].text, "acronym", before[-1].start, before[-1].end))
    return found


def known_as(sentence: Sentence, mentions: Sequence[Mention]) -> list[Alias]:
    """'X, formerly Y', 'X (also known as Y)', 'Y, short for X', where X is a term that stands right before."""
    found: list[Alias] = []
    for cue in _KNOWN_AS.finditer(sentence.text):
        place = sentence.start + cue.start()
        owner = _owner(sentence, mentions, place)
        if owner is None:
            continue
        rest = sentence.text[cue.end() : cue.end() + 90]
        end = _ALIAS_END.search(rest)
        other = cleaned(rest[: end.start()] if end else rest).strip("\"“”'‘’* ")
        if other.lower().startswith(("the ", "a ", "an ")):
            other = other.split(" ", 1)[1] if " " in other else ""
        words = other.split()
        general = owner.term.strength <= 1 and not cue.group().strip(" (,").lower().startswith(
            ("also", "formerly", "previously", "a.k.a", "aka")
        )
        named = bool(words) and (
            any(word[0].isupper() or word[0].isdigit() for word in words) or not any(map(str.isupper, owner.term.name))
        )
        if named and len(words) <= 6 and not any(word.lower() in AUXILIARIES for word in words) and words[0].lower() not in FUNCTION:
            found.append(Alias(owner.term.name, other, "called" if general else "known-as", owner.start, owner.end))
    return found


def _owner(sentence: Sentence, mentions: Sequence[Mention], place: int) -> Mention | None:
    """The term that ends where the cue begins, or with nothing but a bracket of other names between them."""
    for mention in reversed(mentions):
        if mention.end > place:
            continue
        between = sentence.text[mention.end - sentence.start : place - sentence.start].strip(" \t\r\n\"'”’(" + FILL)
        return mention if between in ("", ",") or _BRACKET.fullmatch(between) else None
    return None


def _is_short_form(text: str) -> bool:
    return 2 <= len(text) <= 12 and " " not in text and text[0].isalnum() and (is_acronym(text) or sum(map(str.isupper, text)) >= 2)


def _expansion(before: Sequence[Token], short: str) -> list[Token]:
    """The shortest run of words before the bracket whose letters spell the acronym, starting on its first letter."""
    letters = [letter.lower() for letter in short if letter.isalnum()]
    if letters[-1] == "s" and short[-1] == "s" and len(letters) > 2:
        letters.pop()
    longest = min(len(before), len(letters) + 4)
    for length in range(1, longest + 1):
        words = before[-length:]
        if not all(token.joined for token in words[1:]):
            break
        first = words[0].lower
        if first in FUNCTION or first[0] != letters[0] or words[0].text == short:
            continue
        if _initials_fit([token.lower for token in words], letters):
            return list(words)
    for length in range(1, min(longest, len(letters)) + 1):
        words = before[-length:]
        if words[0].lower[0] == letters[0] and words[0].lower not in FUNCTION and _spells("".join(token.lower for token in words), letters):
            return list(words) if all(token.joined for token in words[1:]) and words[0].text != short else []
    return []


def _fits(expansion: str, short: str) -> bool:
    words = [word.lower() for word in re.split(r"[\s/-]+", expansion) if word]
    letters = [letter.lower() for letter in short if letter.isalnum()]
    if short.endswith("s") and len(letters) > 2:
        letters.pop()
    if len(words) < 2 or words[0][0] != letters[0]:
        return False
    return _initials_fit(words, letters) or (len(words) <= len(letters) and _spells("".join(words), letters))


def _initials_fit(words: Sequence[str], letters: Sequence[str]) -> bool:
    """Whether the letters are the words' initials in order; small words, and parts after a hyphen, may give one or none."""
    initials = [(part[0], part in FUNCTION) for word in words for part in re.split(r"[-/&]", word) if part]
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
