"""Stamped lines: when something happened, as an instant only where date, time and zone are all stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgraph.documents.passages import Passage
from kgraph.tuples import NamedTuple

ZONES = {
    "Z": "+00:00", "UTC": "+00:00", "GMT": "+00:00", "PST": "-08:00", "PDT": "-07:00", "MST": "-07:00", "MDT": "-06:00", "CDT": "-05:00",
    "EST": "-05:00", "EDT": "-04:00", "CET": "+01:00", "CEST": "+02:00", "EET": "+02:00", "EEST": "+03:00", "JST": "+09:00",
    "KST": "+09:00",
    "AEST": "+10:00", "AEDT": "+11:00", "NZST": "+12:00", "NZDT": "+13:00",
}  # fmt: skip  # IST, CST and BST each mean several zones
MONTHS = {
    name: number
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_ZONE = r"(?P<zone>Z|UTC|GMT|P[SD]T|M[SD]T|CDT|E[SD]T|CES?T|EES?T|JST|KST|AE[SD]T|NZ[SD]T|[+-]\d{2}:?\d{2})(?![A-Za-z])"
_DATE = (
    r"(?:(?P<iso>\d{4}-\d{2}-\d{2})|(?P<month>[A-Z][a-z]{2,8})\.?\s(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?P<year>\d{4})"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th)?\s(?P<month2>[A-Z][a-z]{2,8}),?\s(?P<year2>\d{4}))"
)
_TIME = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,6})?)?(?:\s?(?P<half>[aApP])\.?[mM]\.?)?"
_STAMP = re.compile(
    rf"[\s\x01\[(*_`~]*(?:{_DATE}(?:[T,\s]|\sat\s|\s-\s){{0,3}})?(?:{_TIME})?(?:[\])\s]{{0,2}}{_ZONE})?"
)
_DATES = re.compile(_DATE)
_STATED_ZONE = re.compile(
    rf"\b[Aa]ll\s+(?:times|timestamps|dates)\s+(?:are\s+|in\s+|listed\s+|given\s+|below\s+|shown\s+|below\s+are\s+){{0,4}}\(?{_ZONE}(?P<rest>[^\n]{{0,60}})"
)


class Clock(NamedTuple):
    """What the page says once for all its stamps: their zone, and the one day they are of."""

    zone: str = ""
    day: str = ""


class Stamp(NamedTuple):
    """A time that begins a line: an ISO instant with its zone or '' where the text doesn't state all of it, and where its text ends."""

    instant: str
    end: int


def clock(passages: Iterable[Passage], title: str) -> Clock:
    """'All times in PST, on February 8th 2019', or the one date of the title where the zone is stated alone."""
    for passage in passages:
        if "ll times" not in passage.text and "ll timestamps" not in passage.text:
            continue
        found = _STATED_ZONE.search(passage.text)
        if found:
            day = _single_day(found.group("rest")) or _single_day(title)
            return Clock(_offset(found.group("zone")), day)
    return Clock()


def stamp(text: str, times: Clock) -> Stamp | None:
    """The time that a masked line begins with, if any."""
    found = _STAMP.match(text)
    if found is None or not (
        found.group("hour") or (found.group("iso") or found.group("year") or found.group("year2"))
    ):
        return None
    day = _day(found)
    if found.group("hour") is None:
        return Stamp("", found.end()) if day else None
    after = text[found.end() : found.end() + 1]
    if after.isalnum() or (after in ("%", ",") and not day):
        return None
    hour, minute, second = (
        int(found.group("hour")),
        int(found.group("minute")),
        int(found.group("second") or 0),
    )
    half = (found.group("half") or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    zone = _offset(found.group("zone")) or times.zone
    day = day or times.day
    instant = f"{day}T{hour:02}:{minute:02}:{second:02}{zone}" if day and zone else ""
    return Stamp(instant, found.end())


def iso_day(text: str) -> str:
    """The one date in a text as YYYY-MM-DD, or '' where it states none or several."""
    return _single_day(text)


def row_stamps(cells: Sequence[Passage], times: Clock) -> Stamp | None:
    """The stamp of a table row: its first cell, or its first two where one holds the date and the other the time."""
    first = stamp(cells[0].text, times) if cells else None
    if first is None or first.end < len(cells[0].text.rstrip(" \x01])*_`")):
        return None
    if not first.instant and len(cells) > 2:
        both = stamp(f"{cells[0].text.strip()} {cells[1].text.strip()}", times)
        if both is not None and both.instant:
            return both
    return first


def _single_day(text: str) -> str:
    days = {_day(found) for found in _DATES.finditer(text)} - {""}
    return days.pop() if len(days) == 1 else ""


def _day(found: re.Match[str]) -> str:
    if found.group("iso"):
        year, month, day = map(int, found.group("iso").split("-"))
    elif found.group("month"):
        year, month, day = (
            int(found.group("year")),
            MONTHS.get(found.group("month")[:3].lower(), 0),
            int(found.group("day")),
        )
    elif found.group("month2"):
        year, month, day = (
            int(found.group("year2")),
            MONTHS.get(found.group("month2")[:3].lower(), 0),
            int(found.group("day2")),
        )
    else:
        return ""
    longest = (
        31,
        29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28,
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    )
    return (
        f"{year:04}-{month:02}-{day:02}"
        if 1 <= month <= 12 and 1 <= day <= longest[month - 1] and year > 0
        else ""
    )


def _offset(zone: str | None) -> str:
    if not zone:
        return ""
    if zone in ZONES:
        return ZONES[zone]
    sign, digits = zone[0], zone[1:].replace(":", "")
    return (
        f"{sign}{digits[:2]}:{digits[2:]}" if int(digits[:2]) <= 14 and int(digits[2:]) < 60 else ""
    )
