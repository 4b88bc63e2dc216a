"""What a single field may hold (E101), for nodes, edges and the envelope alike."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from kgraph.contract.decode import kind_of
from kgraph.contract.findings import Findings
from kgraph.contract.paths import member
from kgraph.ontology import EDGE_FIELDS, ENVELOPE_FIELDS, NODE_FIELDS, NODE_TYPES

MAX_NAME = 2000

# kinds of field, by the words of the ontology file
KINDS_OF_NODE = {
    type_: {field.name: "/".join(field.types) for field in (*NODE_FIELDS, *kind.fields)}
    for type_, kind in NODE_TYPES.items()
}
KINDS_OF_EDGE = {field.name: "/".join(field.types) for field in EDGE_FIELDS}
KINDS_OF_ENVELOPE = {field.name: "/".join(field.types) for field in ENVELOPE_FIELDS}
_EDGE_KEYS = tuple(KINDS_OF_EDGE)
_NODE_KEYS = tuple(dict.fromkeys(key for kinds in KINDS_OF_NODE.values() for key in kinds))
# the own fields of every type: null in one of another type says nothing, since providers' strict modes write every field
OWN_FIELDS = frozenset(field.name for kind in NODE_TYPES.values() for field in kind.fields)
# printed on lines of their own, so no character of theirs may end a line or turn its direction
ONE_LINE = frozenset(("id", "run_id", "agent_id", "model", "role"))
# the event's own ``kind`` says what event it is: what a payload calls the kind of a node or an edge has another name on the line
WIRE = {"node": "of_kind", "edge": "rel"}

_UNSAFE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
_INVISIBLE = r"[\s\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]*\Z"
_TIME = r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?)?\Z"
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def name_fault(name: str) -> str:
    """What is wrong with a name or alias, or ''."""
    if _pattern(_INVISIBLE).match(name):
        return "is blank"
    if len(name) > MAX_NAME:
        return f"has {len(name):,} characters, more than {MAX_NAME:,}"
    return line_fault(name)


def line_fault(text: str) -> str:
    """What would break a line of output, or ''."""
    unsafe = _pattern(_UNSAFE).search(text)
    return (
        f"holds the character U+{ord(unsafe[0]):04X}, which could forge a line of output"
        if unsafe
        else ""
    )


def field_fault(kind: str, key: str, value: Any) -> str:
    """Why ``value`` (not None) can't stand in a field of that kind, or ''."""
    if kind == "string":
        if not isinstance(value, str):
            return f"must be text, not {kind_of(value)}"
        return line_fault(value) if key in ONE_LINE else ""
    if kind == "time":
        return (
            f"must be text, not {kind_of(value)}"
            if not isinstance(value, str)
            else _time_fault(value)
        )
    if kind == "moment":
        return (
            f"must be text, not {kind_of(value)}"
            if not isinstance(value, str)
            else _moment_fault(value)
        )
    if kind == "boolean":
        return "" if isinstance(value, bool) else f"must be true or false, not {kind_of(value)}"
    if kind == "object":
        return "" if isinstance(value, dict) else f"must be an object, not {kind_of(value)}"
    if kind == "string/number":
        good = isinstance(value, (str, int, float)) and not isinstance(value, bool)
        return "" if good else f"must be text or a number, not {kind_of(value)}"
    return ""


def field_hint(kind: str) -> str:
    """How to put right what ``field_fault`` found, or ''."""
    return (
        "write the date only (2026-03-11), or an instant with Z or +hh:mm (2026-03-11T09:12:00Z)"
        + (", or an interval of two (A/B)" if kind == "moment" else "")
        if kind in ("time", "moment")
        else ""
    )


def aliases_are_sound(path: str, value: Any, findings: Findings) -> bool:
    """Whether ``aliases`` is a list of names; what isn't is reported."""
    if not isinstance(value, list):
        findings.error("E101", path, f"`aliases` must be a list of texts, not {kind_of(value)}")
        return False
    sound = True
    for number, alias in enumerate(value):
        fault = (
            name_fault(alias) if isinstance(alias, str) else f"must be text, not {kind_of(alias)}"
        )
        if fault:
            findings.error("E101", f"{path}[{number}]", f"the alias {fault}")
            sound = False
    return sound


def merge_attrs(
    path: str, event: dict[str, Any], unknown: dict[str, Any], findings: Findings
) -> None:
    """Keep keys that the contract doesn't know in ``attrs``, and name each (W214). A key that ``attrs`` has otherwise gets a number."""
    attrs = dict(event.get("attrs", {}))
    for key, value in unknown.items():
        near = findings.nearest(key, _EDGE_KEYS if event["kind"] == "edge" else _NODE_KEYS)
        kept, number = key, 1
        while kept in attrs and not _same(attrs[kept], value):
            number += 1
            kept = f"{key}_{number}"
        attrs[kept] = value
        hint = "put it into `attrs`" + (f"; or did you mean `{near}`?" if near else "")
        findings.warn(
            "W214",
            member(path, key),
            f"unknown key {key!r}, kept in `attrs`" + ("" if kept == key else f" as {kept!r}"),
            hint,
        )
    event["attrs"] = attrs


def interval_fault(start: Any, end: Any) -> str:
    """Why [start, end) holds no moment, or ''. A date is its first moment in UTC."""
    if (
        not (isinstance(start, str) and isinstance(end, str))
        or _time_fault(start)
        or _time_fault(end)
    ):
        return ""
    return f"ends at {end}, not after it begins ({start})" if _moment(end) <= _moment(start) else ""


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    """Compiled when first used: compiling costs more than the start of a command that needs none."""
    return re.compile(expression)


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def _moment_fault(text: str) -> str:
    """A date or instant, or two of them as an interval."""
    start, mark, end = text.partition("/")
    if not mark:
        return _time_fault(text)
    fault = _time_fault(start) or _time_fault(end)
    if not fault and _moment(end) < _moment(start):
        fault = f"is an interval that ends before it begins: {text[:60]!r}"
    return fault


def _time_fault(text: str) -> str:
    found = _pattern(_TIME).match(text)
    if not found:
        return f"is no ISO 8601 date or instant: {text[:40]!r}"
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not (
        1 <= month <= 12
        and 1 <= day <= _DAYS[month - 1]
        and (month != 2 or day < 29 or leap)
        and year
    ):
        return f"is no day of the calendar: {text[:40]!r}"
    if hour > 23 or minute > 59 or second > 60:
        return f"is no time of day: {text[:40]!r}"
    if found[4] and not found[8]:
        return f"is an instant without a zone: {text[:40]!r}"
    return ""


def _moment(text: str) -> float:
    """Seconds since the first day of year 0 (proleptic Gregorian), for a text without fault."""
    found = _pattern(_TIME).match(text)
    if found is None:
        return 0.0
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    years = year - (month < 3)
    days = (
        365 * years
        + years // 4
        - years // 100
        + years // 400
        + (153 * ((month + 9) % 12) + 2) // 5
        + day
    )
    zone = found[8] or "Z"
    offset = (
        0
        if zone == "Z"
        else (int(zone[1:3]) * 60 + int(zone[4:6])) * (-60 if zone[0] == "-" else 60)
    )
    return days * 86400 + hour * 3600 + minute * 60 + second + float(found[7] or 0) - offset
