"""A text as it is judged: segments between its marks and conjunctions, and in each the units that say something.

A unit is the name of a thing, or a word that isn't of a closed class. Numbers and dates are kept apart from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from kgraph.language.inflection import agent_of, bases
from kgraph.language.lists import NUMBERS
from kgraph.language.scripts import is_unspaced
from kgraph.support import words as lists
from kgraph.support.quantities import DAYS, MONTH, UNIT, in_base_unit, is_date, is_number, number
from kgraph.support.tokens import Word, joined, tokens
from kgraph.tuples import NamedTuple

Names = Mapping[str, frozenset[int]]

_BREAK = re.compile(
    r"(?:[,;:!?](?=\s|$)|\.(?=\s+[^\sa-zäöü]|$)|[。、！？；，：\n|()\[\]]|\s[-–—]+\s)+"
)
_SENTENCE = re.compile(r"(?:[;!?](?=\s|$)|\.(?=\s+[^\sa-zäöü]|\s*$)|[。！？；]|\n\s*\n)+")
_OPENERS = frozenset(
    "and but because while although though which who that so if when after before since unless whereas yet "
    "und aber weil während obwohl wenn falls nachdem bevor sondern dass daß".split()
)
_PART = re.compile(r"[^\W\d_]+")


_GERMAN_DAYS = "montag dienstag mittwoch donnerstag freitag samstag sonntag".split()
_WEEKDAYS = {
    **{form: day for day in DAYS for form in (day, f"{day}s")},
    **dict(zip(_GERMAN_DAYS, "monday tuesday wednesday thursday friday saturday sunday".split(), strict=True)),
}  # fmt: skip
_MONTHS = MONTH | {
    "januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "okt": 10, "dezember": 12, "dez": 12,
}  # fmt: skip
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}


class Unit(NamedTuple):
    """``at``: its place among the words of the text."""

    word: Word
    at: int

    @property
    def is_name(self) -> bool:
        return bool(self.word.ids) or is_name_like(self.word)


class Segment(NamedTuple):
    """``opener``: the conjunction that it begins with, '' for none. ``sentence``: the number of its sentence."""

    words: tuple[Word, ...]
    units: tuple[Unit, ...]
    opener: str
    sentence: int


class Quantity(NamedTuple):
    """``values``: what the number may mean (1.500 is two things to two peoples), in the base of its unit; ``bare``: without its unit.

    ``bound``: min, max, above …
    """

    values: frozenset[Decimal]
    bare: frozenset[Decimal]
    unit: str
    bound: str
    raw: str
    loose: bool = (
        False  # its bound is of the kind that is left out with good reason: 'within', 'over'
    )


class Reading(NamedTuple):
    """A text with all that is compared. ``dates``: (part, value) such as ('month', '3')."""

    text: str
    segments: tuple[Segment, ...]
    quantities: tuple[Quantity, ...]
    dates: frozenset[tuple[str, str]]
    dense: bool

    @property
    def words(self) -> list[Word]:
        return [word for segment in self.segments for word in segment.words]

    @property
    def units(self) -> list[Unit]:
        return [unit for segment in self.segments for unit in segment.units]


def read(text: str, names: Names) -> Reading:
    """A statement or a quote in the form in which the two are compared."""
    segments: list[Segment] = []
    quantities: list[Quantity] = []
    dates: set[tuple[str, str]] = set()
    language = language_of(text)
    names = {**names, **{name.rstrip("."): ids for name, ids in names.items() if name[-1:] == "."}}
    at = 0
    for place, sentence in enumerate(_SENTENCE.split(text)):
        for piece in _BREAK.split(sentence):
            if not piece.strip():
                continue
            for opener, some in _clauses(
                _named(joined(tokens(piece, apart=True), names)[0], language)
            ):
                rest = _quantified(some, quantities, dates)
                units = tuple(
                    Unit(word, at + nth)
                    for nth, word in enumerate(some)
                    if nth in rest and _says(word, language)
                )
                segments.append(Segment(tuple(some), units, opener, place))
                at += len(some)
    dense = sum(is_unspaced(char) for char in text) * 4 > sum(char.isalnum() for char in text)
    return Reading(text, tuple(segments), tuple(quantities), frozenset(dates), dense)


def language_of(text: str) -> str:
    """'en' or 'de' by the words that only grammar needs; '' where neither shows, 'xx' where others than theirs prevail."""
    said = [word.casefold() for word in _PART.findall(text)]
    counts = {name: sum(word in some for word in said) for name, some in lists.FUNCTION.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


def _clauses(words: Sequence[Word]) -> list[tuple[str, list[Word]]]:
    """A piece cut before its conjunctions; one between two single things ('A and B') cuts nothing that matters."""
    found: list[tuple[str, list[Word]]] = []
    opener: str = ""
    some: list[Word] = []
    for place, word in enumerate(words):
        if not word.ids and word.text in _OPENERS and (some or not found):
            following = words[place + 1] if place + 1 < len(words) else None
            if word.text in ("and", "und") and (following is None or following.ids or not some):
                some.append(word)
                continue
            if some:
                found.append((opener, some))
            opener, some = word.text, [word]
            continue
        some.append(word)
    if some:
        found.append((opener, some))
    return found


def _named(words: Sequence[Word], language: str) -> list[Word]:
    """Names that nobody told as one word each: words with capitals in a row, and a word with the letter or number behind it."""
    found: list[Word] = []
    for word in words:
        last = found[-1] if found else None
        if last is not None and not last.ids and _goes_on(last, word, language):
            found[-1] = Word(f"{last.text} {word.text}", f"{last.raw} {word.raw}", word.ids)
        else:
            found.append(word)
    return found


def _goes_on(last: Word, word: Word, language: str) -> bool:
    function = lists.FUNCTION["de" if language == "de" else "en"]
    dated = any(one in _MONTHS or one in _WEEKDAYS for one in (last.text, word.text))
    if word.ids:
        return (
            last.raw[:1].isupper()
            and not dated
            and last.text not in function
            and last.raw.isalpha()
            and not last.raw.isupper()
        )
    if dated or last.text in function or not last.raw[:1].isalpha():
        return False
    letter = len(word.raw) == 1 and word.raw.isalpha() and word.raw.isupper() and word.raw != "I"
    capital = word.raw[:1].isupper() and word.raw[:1].isalpha() and word.text not in function
    return letter or (last.raw[:1].isupper() and capital and word.text not in UNIT.values())


def _says(word: Word, language: str) -> bool:
    if word.ids:
        return True
    if not any(char.isalpha() for char in word.text) or is_unspaced(word.text[:1]):
        return False
    function = lists.FUNCTION["de" if language == "de" else "en"]
    if word.text in function:
        return word.raw.isupper() and len(word.raw) > 1  # IT, US, WHO
    return word.text not in UNIT.values()


def is_name_like(word: Word) -> bool:
    return any(part[:1].isupper() for part in word.raw.split()) or any(
        char.isdigit() for char in word.raw
    )


def _quantified(
    words: Sequence[Word], quantities: list[Quantity], dates: set[tuple[str, str]]
) -> set[int]:
    """Put numbers and dates where they belong; the places of the other words."""
    rest: set[int] = set()
    place = 0
    while place < len(words):
        word = words[place]
        if word.ids:
            rest.add(place)
        elif parts := _date_parts(words, place):
            dates |= parts
        elif is_number(word.text):
            following = words[place + 1] if place + 1 < len(words) else None
            unit = _unit(following)
            quantities.append(_quantity(words, place, unit or _shared_unit(words, place)))
            place += bool(unit)
        else:
            rest.add(place)
        place += 1
    return rest


def _date_parts(words: Sequence[Word], place: int) -> set[tuple[str, str]]:
    word = words[place]
    text = word.text
    before = words[place - 1].text if place else ""
    after = words[place + 1] if place + 1 < len(words) else None
    if is_date(text):
        return {("year", text[:4]), ("month", str(int(text[5:7]))), ("day", str(int(text[8:])))}
    if re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", text):
        hour, _, minute = text.partition(":")
        return {("time", f"{int(hour)}:{minute[:2]}")}
    if text in _WEEKDAYS:
        return {("weekday", _WEEKDAYS[text])}
    if text in _MONTHS and word.raw[:1].isupper():
        return {("month", str(_MONTHS[text]))}
    if text in _ORDINALS and not before.isdigit():
        return {("ordinal", _ORDINALS[text])}
    if re.fullmatch(r"q[1-4]", text):
        return {("quarter", text)}
    if re.fullmatch(r"(1[5-9]|20|21)\d{2}", text):
        counted = after is not None and (after.text in UNIT.values() or after.text.endswith("s"))
        return set() if counted else {("year", text)}
    day = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", text)
    if day and 1 <= int(day[1]) <= 31:
        near = [before, after.text if after is not None else ""]
        if after is not None and after.text == "of" and place + 2 < len(words):
            near.append(words[place + 2].text)
        if any(one in _MONTHS for one in near):
            return {("day", str(int(day[1])))}
    return set()


def _shared_unit(words: Sequence[Word], place: int) -> str:
    """The unit that a number shares with the next one: 'from 11 to 7 minutes'."""
    behind = words[place + 1 : place + 4]
    shares = len(behind) == 3 and behind[0].text in ("to", "and", "or", "-", "bis", "und", "auf")
    return _unit(behind[2]) if shares and is_number(behind[1].text) else ""


def _as_written(word: Word) -> str:
    """A number's figures, as they stand before its unit: 'two' is 2."""
    folded = word.raw.casefold()
    return number(folded) if is_number(folded) else NUMBERS.get(folded, word.text)


def _unit(word: Word | None) -> str:
    """The unit that a word behind a number is, as it is written and not as it is counted; '' for none."""
    if word is None or word.ids or word.text not in UNIT.values():
        return ""
    return UNIT.get(word.raw) or UNIT.get(word.raw.casefold()) or word.text


def _quantity(words: Sequence[Word], place: int, unit: str) -> Quantity:
    word = words[place]
    bare = meanings(word.text if not unit and is_number(word.text) else _as_written(word))
    values = frozenset(in_base_unit(value, unit)[0] for value in bare)
    base = in_base_unit(Decimal(1), unit)[1]
    before = " ".join(one.text for one in words[max(0, place - 4) : place])
    bound = next(
        (kind for phrase, kind in lists.BOUNDS.items() if before.endswith(phrase) and
         (len(before) == len(phrase) or not before[-len(phrase) - 1].isalnum())),
        "",
    )  # fmt: skip
    if bound in ("above", "below") and any(
        one.text in _NOT for one in words[:place] if not one.ids
    ):
        bound = {"above": "max", "below": "min"}[bound]  # 'not more than'
    loose = before.endswith(("within", "over", "under", "above", "below"))
    return Quantity(values, bare, base, bound, f"{word.raw} {unit}".strip(), loose)


_NOT = frozenset(("not", "nt", "no", "never", "cannot", "nicht", "kein", "keine"))


def meanings(token: str) -> frozenset[Decimal]:
    """What a number's figures may stand for: a comma or a point parts thousands only before three figures, else it begins a fraction."""
    plain = re.sub(r"(st|nd|rd|th)$", "", token)
    found = {_decimal(plain.replace(",", ".") if plain.count(",") == 1 else plain)}
    if _GROUPED.fullmatch(plain):
        found.add(_decimal(re.sub(r"[.,](?=\d{3}(?:\D|$))", "", plain).replace(",", ".")))
        if plain.count(",") > 1 or plain.count(".") > 1:
            found = {_decimal(plain.replace(",", "").replace(".", ""))}
    return frozenset(value for value in found if value is not None)


_GROUPED = re.compile(r"-?\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?")


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text).normalize()
    except InvalidOperation:
        return None


@lru_cache(maxsize=50_000)
def alike(one: str, other: str) -> bool:
    """Whether two folded words speak of one thing: forms of one word, or words of one stem."""
    if one == other or bases(one) & bases(other):
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < 4:
        return False
    if agent_of(one, other) or agent_of(other, one):
        return True
    shared = 0
    while shared < len(short) and short[shared] == long[shared]:
        shared += 1
    if shared == len(short):
        return True
    if shared >= 4 and shared >= 0.6 * len(long):
        return True
    return len(short) >= 5 and long.endswith(short) and len(long) - len(short) >= 3
