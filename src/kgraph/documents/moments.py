"""When something happened, as a text says it: a date, an instant with its zone, or an interval, counted from the document's own day and zone.

Nothing is guessed: a time of day without a zone gives its day alone, a day without a year needs the document's own date.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from kgraph.documents.timelines import MONTHS, ZONES
from kgraph.tuples import NamedTuple

_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"
_DATE = (
    r"(?:(?P<iso>\d{4}-\d{2}-\d{2})|(?P<slash>\d{4}/\d{1,2}/\d{1,2})"
    rf"|(?P<month>{_MONTH})\s(?:the\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?:,?\s(?P<year>\d{{4}}))?"
    rf"|(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month2>{_MONTH})(?![a-z])(?:,?\s(?P<year2>\d{{4}}))?)"
)
_ZONE = (
    r"(?P<zone>Z|UTC|GMT|P[SD]T|M[SD]T|CDT|E[SD]T|CES?T|EES?T|JST|KST|AE[SD]T|NZ[SD]T"
    r"|[PMCE]T|(?:US )?(?:Pacific|Mountain|Central|Eastern)(?: (?:Standard|Daylight))? Time"
    r"|(?:(?<=\s)|(?<=:\d\d:\d\d))[+-]\d{2}:?\d{2})(?![A-Za-z:\d])"
)
_TIME = r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:\.\d{1,9})?)?(?![\d:])(?:\s?(?P<half>[aApP])\.?[mM]\.?(?![a-z]))?"
_WHOLE_HOUR = r"(?P<hour3>1[0-2]|[1-9])\s?(?P<half3>[aApP])\.?[mM]\.?(?![A-Za-z])"
_ZONED = re.compile(rf"\s?\(?{_ZONE}")
_FOUND = re.compile(
    rf"(?<![\w.:/])(?<![A-Za-z]-)(?:{_DATE}|(?:{_TIME}|{_WHOLE_HOUR}))|(?<![A-Za-z]){_ZONE}"
)
_INSTANT = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})[T ](?P<time>\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?\s?(?P<zone>Z|UTC|[+-]\d{2}:?\d{2})?"
)
_RANGE = re.compile(
    r"(?:\b(?:to|until|till|through|and)|[-–—])\s*(?:(?:about|around|approximately|roughly|on|\()\s*){0,2}$",
    re.IGNORECASE,
)
_OTHER_ZONE = re.compile(r"\s?\(?[A-Z]{2,5}\b")  # one that means several, or none of ours
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_QUICK = re.compile(r"\d")
_MONTH_OF_YEAR = re.compile(
    rf"\b(?:[Ii]n|[Dd]uring|[Ss]ince|of)\s(?:early |late |mid-)?(?P<month>{_MONTH}),?\s(?P<year>\d{{4}})\b"
)


class Calendar(NamedTuple):
    """What the document says once for all its times: ``day`` (YYYY-MM-DD) and ``zone`` (+hh:mm), '' where it says none."""

    day: str = ""
    zone: str = ""


class _Part(NamedTuple):
    kind: str  # day, time, zone
    value: str
    start: int
    end: int
    foreign: bool = (
        False  # a time with a zone that isn't known: the document's own must not stand in for it
    )


LONGEST = 4000  # characters of a sentence in which a time is looked for: what is longer speaks of no one moment


def event_time(text: str, calendar: Calendar) -> tuple[str, str]:
    """(the time that a sentence speaks of, or '' ; the day that it stated itself, or '').

    Two moments that are joined ('from … to …', '14:50–18:13') are an interval; of several others the first counts.
    """
    if len(text) > LONGEST or not _QUICK.search(text):
        return "", ""
    parts = _parts(text, calendar)
    days = [part for part in parts if part.kind == "day"]
    times = [part for part in parts if part.kind == "time"]
    zones = [part for part in parts if part.kind == "zone"]
    stated = days[0].value if days else ""
    if not times and not days:
        month = _MONTH_OF_YEAR.search(text)
        return (_month(month), "") if month is not None else ("", "")
    if not times:
        if len(days) >= 2 and _joined(text, days[0], days[1]) and days[0].value < days[1].value:
            return f"{days[0].value}/{days[1].value}", stated
        return stated, stated
    first = _instant(times[0], days, zones, calendar)
    if len(first) <= 10:
        return first, stated
    for before, after in itertools.pairwise(times):
        if _joined(_without(text, days, zones), before, after):
            begin, end = (
                _instant(before, days, zones, calendar),
                _instant(after, days, zones, calendar),
            )
            if len(begin) > 10 and begin < end and begin[19:] == end[19:]:
                return f"{begin}/{end}", stated
            break
    return first, stated


def day_in(text: str) -> str:
    """The one whole date of a text, or '' where it has none or several."""
    days = {part.value for part in _parts(text, Calendar()) if part.kind == "day"}
    return days.pop() if len(days) == 1 else ""


def zone_in(texts: Iterable[str]) -> str:
    """The one zone that some texts speak of, or ''."""
    zones = {
        part.value for text in texts for part in _parts(text, Calendar()) if part.kind == "zone"
    }
    return zones.pop() if len(zones) == 1 else ""


def _parts(text: str, calendar: Calendar) -> list[_Part]:
    found: list[_Part] = []
    text = text[:LONGEST]
    for one in _INSTANT.finditer(text):
        day = _iso(one["day"])
        if day:
            found.append(_Part("day", day, one.start(), one.end("day")))
            time = one["time"] if len(one["time"]) == 8 else one["time"] + ":00"
            found.append(_Part("time", time, one.start("time"), one.end("time")))
            if one["zone"]:
                found.append(_Part("zone", one["zone"], one.start("zone"), one.end()))
    taken = [(part.start, part.end) for part in found]
    for match in _FOUND.finditer(text):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        part = _part(match, calendar)
        if part is not None:
            found.append(part)
    zoned = [part for part in found if part.kind != "zone" or _follows_time(part, found)]
    return sorted(zoned, key=lambda part: part.start)


def _follows_time(zone: _Part, parts: list[_Part]) -> bool:
    return any(part.kind == "time" and 0 <= zone.start - part.end <= 3 for part in parts)


def _part(match: re.Match[str], calendar: Calendar) -> _Part | None:
    start, end = match.span()
    if match["zone"]:
        return _Part("zone", match["zone"], start, end)
    if match["hour"] or match["hour3"]:
        hour = int(match["hour"] or match["hour3"])
        half = (match["half"] or match["half3"] or "").lower()
        bare = not half and len(match["hour"] or "") < 2
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        elif half:
            return None
        if bare and _ZONED.match(match.string, end) is None:
            return None  # '3:45' alone may be a ratio, a verse, a score
        foreign = (
            _OTHER_ZONE.match(match.string, end) is not None
            and _ZONED.match(match.string, end) is None
        )
        return _Part(
            "time",
            f"{hour:02}:{match['minute'] or '00'}:{match['second'] or '00'}",
            start,
            end,
            foreign,
        )
    day = _day(match, calendar)
    return _Part("day", day, start, end) if day else None


def _day(match: re.Match[str], calendar: Calendar) -> str:
    if match["iso"]:
        return _iso(match["iso"])
    if match["slash"]:
        year, month, day = match["slash"].split("/")
        return _iso(f"{year}-{int(month):02}-{int(day):02}")
    name = match["month"] or match["month2"]
    year = match["year"] or match["year2"] or calendar.day[:4]
    if not year:
        return ""
    day = match["day"] or match["day2"]
    return _iso(f"{int(year):04}-{MONTHS[name[:3].lower()]:02}-{int(day):02}")


def _month(found: re.Match[str]) -> str:
    """A month as the interval from its first day to the first of the next."""
    year, month = int(found["year"]), MONTHS[found["month"][:3].lower()]
    after = (year + 1, 1) if month == 12 else (year, month + 1)
    return f"{year:04}-{month:02}-01/{after[0]:04}-{after[1]:02}-01"


def _iso(text: str) -> str:
    year, month, day = map(int, text.split("-"))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    sound = (
        1 <= month <= 12 and 1 <= day <= _LENGTHS[month - 1] and (month != 2 or day < 29 or leap)
    )
    return text if sound and year > 0 else ""


def _instant(time: _Part, days: list[_Part], zones: list[_Part], calendar: Calendar) -> str:
    """The instant, its day alone where no zone is stated, or '' without a day. The nearest day counts, and the zone that follows."""
    day = min(days, key=lambda part: abs(part.start - time.start)).value if days else calendar.day
    if not day:
        return ""
    zone = next((part.value for part in zones if part.start >= time.end), "")
    zone = zone or (zones[-1].value if zones else "" if time.foreign else calendar.zone)
    offset = _offset(zone, day) if zone else ""
    return f"{day}T{time.value}{offset}" if offset else day


def _without(text: str, days: list[_Part], zones: list[_Part]) -> str:
    """The text with its days and zones blanked: only words that join are left between two times."""
    for part in (*days, *zones):
        text = text[: part.start] + " " * (part.end - part.start) + text[part.end :]
    return text


def _joined(text: str, before: _Part, after: _Part) -> bool:
    """Whether only a word of a range stands between, and what belongs to either (a zone, a day)."""
    between = text[before.end : after.start]
    return len(between) <= 40 and "." not in between and _RANGE.search(between) is not None


_UNITED_STATES = {"P": -8, "M": -7, "C": -6, "E": -5}


def _is_summer(day: str) -> bool:
    """Between the second Sunday of March and the first of November."""
    import datetime

    year = int(day[:4])
    march, november = datetime.date(year, 3, 8), datetime.date(year, 11, 1)
    begins = march + datetime.timedelta((6 - march.weekday()) % 7)
    ends = november + datetime.timedelta((6 - november.weekday()) % 7)
    return begins <= datetime.date.fromisoformat(day) < ends


def _offset(zone: str, day: str) -> str:
    """The offset that a zone has on a day; 'Pacific Time' and 'PT' go by the rule of the United States since 2007."""
    if zone in ZONES:
        return ZONES[zone]
    hours = _UNITED_STATES.get(zone.removeprefix("US ")[0]) if zone[0] not in "+-" else None
    if hours is not None:
        if "Standard" not in zone and ("Daylight" in zone or _is_summer(day)):
            hours += 1
        return f"-{-hours:02}:00"
    if zone[0] not in "+-":
        return ""
    digits = zone[1:].replace(":", "")
    return (
        f"{zone[0]}{digits[:2]}:{digits[2:]}"
        if int(digits[:2]) <= 14 and int(digits[2:]) < 60
        else ""
    )
