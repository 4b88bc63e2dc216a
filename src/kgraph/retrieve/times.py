"""When statements hold, and how that is said. A statement holds in half-open intervals; several tenures keep their own.

A period is what is asked for: an instant (now), or a day, a month, a year, in any part of which something may have held.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgraph.errors import UsageError
from kgraph.index.read import EdgeView, NodeView, Reader, Said
from kgraph.tuples import NamedTuple

_YEAR, _MONTH, _DAY = (
    re.compile(r"\d{4}"),
    re.compile(r"(\d{4})-(\d{2})"),
    re.compile(r"\d{4}-\d{2}-\d{2}"),
)


class Period(NamedTuple):
    """From ``start`` to before ``end``, as ``moment`` writes them; an instant where both are the same."""

    start: str
    end: str


class Span(NamedTuple):
    """An interval as it was written, either end '' for open; ``tx`` is the transaction that said so."""

    start: str
    end: str
    tx: str = ""


def moment(text: str, option: str = "--at") -> str:
    """A date or instant in a form that sorts; '' for none; without a zone it is UTC. Raises UsageError for anything else."""
    import datetime

    if not text:
        return ""
    try:
        value = datetime.datetime.fromisoformat(text)
        value = value.replace(tzinfo=value.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            f"'{text}' is no date or instant ({option})", "write 2026-03-11 or 2026-03-11T09:14:00Z"
        ) from None
    return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def period(text: str, now: str = "") -> Period | None:
    """What ``--at`` asks for; ``now`` (an instant, '' for any time) where nothing is asked. Raises UsageError for what is no time."""
    import datetime

    if not text:
        return Period(moment(now), moment(now)) if now else None
    try:
        if _YEAR.fullmatch(text):
            year = int(text)
            return Period(moment(f"{year:04d}-01-01"), moment(f"{year + 1:04d}-01-01"))
        if month := _MONTH.fullmatch(text):
            year, number = int(month[1]), int(month[2])
            following = f"{year + number // 12:04d}-{number % 12 + 1:02d}-01"
            return Period(moment(f"{text}-01"), moment(following))
        if _DAY.fullmatch(text):
            day = datetime.date.fromisoformat(text)
            return Period(moment(text), moment((day + datetime.timedelta(days=1)).isoformat()))
        at = moment(text)
        return Period(at, at)
    except (UsageError, ValueError, OverflowError):
        raise UsageError(
            f"'{text}' is no time (--at)", "write 2026, 2026-03, 2026-03-11 or 2026-03-11T09:14:00Z"
        ) from None


def holds(span: Span, at: Period | None) -> bool:
    """Whether an interval and a period share a moment. An old log may hold a bound that is no date: it holds at no moment."""
    if at is None:
        return True
    try:
        start, end = moment(span.start), moment(span.end)
    except UsageError:
        return False
    begun = not start or start < at.end or start <= at.start
    return begun and (not end or at.start < end)


def any_holds(spans: Sequence[Span], at: Period | None) -> bool:
    """Whether one of the tenures does; what has no interval always holds."""
    return not spans or any(holds(span, at) for span in spans)


def spans_of_node(reader: Reader, node: NodeView) -> list[Span]:
    """The tenures of a node, each as one assertion has it; none for what always holds."""
    fields = node.fields
    own = Span(str(fields.get("valid_from") or ""), str(fields.get("valid_to") or ""))
    if not (own.start or own.end):
        return []
    if node.assertions < 2:
        return [own]
    return _spans(reader.node_said(node.nid)) or [own]


def spans_of_edge(reader: Reader, edge: EdgeView) -> list[Span]:
    """The tenures of an edge, each as one assertion has it."""
    own = Span(edge.valid_from, edge.valid_to, edge.tx)
    if edge.assertions < 2:
        return [own] if own.start or own.end else []
    found = _spans(reader.edge_said(edge.eid))
    return found or ([own] if own.start or own.end else [])


def _spans(said: Iterable[Said]) -> list[Span]:
    found = [
        Span(str(one.event.get("valid_from") or ""), str(one.event.get("valid_to") or ""), one.tx)
        for one in said
        if one.live
    ]
    return [span for span in found if span.start or span.end]


def mark(spans: Sequence[Span], now: str) -> str:
    """How a statement stands to the present where it doesn't hold now: 'held until 2020-01-01', 'holds from 2027-01-01'; else ''."""
    at = period("", now)
    if at is None or any_holds(spans, at):
        return ""
    ended = [span.end for span in spans if span.end and not _after(span, at)]
    if ended:
        return f"held until {_shown(max(ended))}"
    begins = [span.start for span in spans if span.start]
    return f"holds from {_shown(min(begins))}" if begins else "held at no time that can be told"


def _after(span: Span, at: Period) -> bool:
    try:
        return bool(span.start) and moment(span.start) > at.start
    except UsageError:
        return False


def told(spans: Sequence[Span], now: str) -> str:
    """The dates of a statement for people: the mark of one that doesn't hold now, else 'since …', 'until …'; '' without dates."""
    passed = mark(spans, now)
    if passed or not spans:
        return passed
    at = period("", now)
    span = next((span for span in spans if holds(span, at)), spans[0])
    since = f"since {_shown(span.start)}" if span.start else ""
    until = f"until {_shown(span.end)}" if span.end else ""
    return " ".join(part for part in (since, until) if part)


def _shown(text: str) -> str:
    """A date as it was written; of an instant what tells it from its day."""
    return text[:10] if text[10:].startswith(("T00:00:00Z", "T00:00:00.000000Z")) else text
