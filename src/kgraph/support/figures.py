"""Numbers, units, bounds and dates of a statement, each looked for in the quote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from kgraph.language.inflection import bases
from kgraph.support import words as lists
from kgraph.support.levels import Doubt, Reason
from kgraph.support.reading import Quantity, Reading, read

_COUNTED: dict[str, Iterable[str]] = {
    "0": ("no", "none", "zero", "without", "never", "kein", "keine"), "1": ("a", "an", "one", "single", "once", "only", "ein", "eine", "einen", "the"),
    "2": ("both", "twice", "double", "doubled", "doubles", "pair", "couple", "beide", "two-fold", "verdoppelt", "zwei"),
    "3": ("thrice", "triple", "tripled", "drei"), "4": ("quadrupled", "vier"), "0.5": ("half", "halved", "hälfte", "halbiert"),
    "50": ("half", "halved", "hälfte"), "12": ("dozen", "dutzend", "zwölf"), "25": ("quarter",), "5": ("fünf",), "6": ("sechs",), "7": ("sieben",),
    "8": ("acht",), "9": ("neun",), "10": ("zehn",),
}  # fmt: skip
_ITEM = r"\w+(?: \w+){0,2}"
_LIST = re.compile(rf"(?:{_ITEM}, )*{_ITEM},? (?:and|und) {_ITEM}")
_KIN = {"min": "up", "above": "up", "max": "down", "below": "down", "near": "near", "": ""}


def figure_doubts(mine: Reading, theirs: Reading, place: str) -> list[Reason]:
    """What the statement counts or dates otherwise. ``place``: where the quote stands; a date in it dates the quote."""
    doubts = []
    free = list(theirs.quantities)
    for one in mine.quantities:
        if met := next((other for other in free if _equal(one, other, mine)), None):
            free.remove(met)
            if doubt := _bound_doubt(one, met, mine):
                doubts.append(doubt)
        elif not _in_words(one, theirs) and not _stands_in(one, place):
            rival = next(
                (other for other in free if other.unit == one.unit), next(iter(free), None)
            )
            doubts.append(Reason(Doubt.NUMBER, one.raw, rival.raw if rival else ""))
    return doubts + _date_doubts(mine, theirs, place)


def figures_met(mine: Reading, theirs: Reading) -> bool:
    """Whether the statement has numbers, and the quote all of them."""
    return bool(mine.quantities) and all(
        any(one.values & other.values and one.unit == other.unit for other in theirs.quantities)
        for one in mine.quantities
    )


def _equal(one: Quantity, other: Quantity, mine: Reading) -> bool:
    if one.unit and other.unit and one.unit != other.unit:
        return False
    if one.values & other.values or (not (one.unit and other.unit) and one.bare & other.bare):
        return True
    rounded = any(word.text in lists.APPROXIMATE for word in mine.words)
    if not rounded and one.bound not in ("above", "below"):
        return False
    return any(_rounds(said, exact, one.bound) for said in one.values for exact in other.values)


def _rounds(said: Decimal, exact: Decimal, bound: str) -> bool:
    if bound == "above":
        return said < exact < said * 2
    if bound == "below":
        return said / 2 < exact < said
    return bool(exact) and abs(said - exact) <= abs(exact) * Decimal("0.1")


def _bound_doubt(one: Quantity, other: Quantity, mine: Reading) -> Reason | None:
    """'at most 4 GB' is neither 'at least 4 GB' nor '4 GB'."""
    if not other.bound or _KIN[one.bound] == _KIN[other.bound]:
        return None
    words = {form for word in mine.words for form in bases(word.text)}
    if not one.bound and (words & lists.LIMITS or other.loose):
        return None
    doubt = Doubt.NUMBER if one.bound else Doubt.HEDGE
    return Reason(doubt, f"{one.bound} {one.raw}".strip(), f"{other.bound} {other.raw}")


def _in_words(one: Quantity, theirs: Reading) -> bool:
    words = {word.text for word in theirs.words}
    for value in one.values | one.bare:
        if words & set(_COUNTED.get(f"{value:f}", ())):
            return True
        if 2 <= value <= 9 and value == value.to_integral_value() and _listed(theirs) == int(value):
            return True
    return False


def _listed(theirs: Reading) -> int:
    """How many things the quote counts up: 'Ada, Bob and Cleo' are three."""
    found = _LIST.search(theirs.text)
    if not found:
        return 0
    return found[0].count(",") + 2 - (", and " in found[0] or ", und " in found[0])


def _stands_in(one: Quantity, place: str) -> bool:
    wanted = one.raw.split()[0].lstrip("0")
    return bool(place) and any(figure.lstrip("0") == wanted for figure in re.findall(r"\d+", place))


def _date_doubts(mine: Reading, theirs: Reading, place: str) -> list[Reason]:
    doubts = []
    dated = _date_in(place) if place else frozenset()
    for part, value in sorted(mine.dates):
        if (part, value) in theirs.dates:
            continue
        rivals = [other for kind, other in theirs.dates if kind == part]
        if not rivals and ((part, value) in dated or _figure_in(part, value, theirs)):
            continue
        if not rivals and (
            part == "ordinal" or (part in ("weekday", "quarter", "year") and theirs.dates)
        ):
            continue  # another way to name the day, which a calendar would tell
        doubts.append(
            Reason(Doubt.NUMBER, f"{part} {value}", f"{part} {rivals[0]}" if rivals else "")
        )
    return doubts


def _date_in(place: str) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set(read(place.replace("-", " - "), {}).dates)
    for year, month, day in re.findall(r"(\d{4})[-_./]?(\d{2})[-_./]?(\d{2})", place):
        found |= {("year", year), ("month", str(int(month))), ("day", str(int(day)))}
    for year, month in re.findall(r"((?:19|20)\d{2})[-_](\d{2})(?!\d)", place):
        found |= {("year", year), ("month", str(int(month)))}
    found |= {("year", year) for year in re.findall(r"(?<!\d)((?:19|20)\d{2})(?!\d)", place)}
    return frozenset(found)


def _figure_in(part: str, value: str, theirs: Reading) -> bool:
    """A bare year or day that the quote has as a number of another look."""
    return part in ("year", "day") and any(
        Decimal(value) in one.bare and not one.unit for one in theirs.quantities
    )
