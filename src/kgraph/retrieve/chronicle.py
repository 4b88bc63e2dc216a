"""What happened when: claims that have an event time, of the whole graph or of one thing or source, in the order of the world."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from kgraph.index.read import NodeView, Reader
from kgraph.tuples import NamedTuple

MOST = 2000  # edges of the thing asked for that are looked at


class Span(NamedTuple):
    """Bounds on the event time, each a date or an instant as ``question.moment`` writes it, '' for none."""

    since: str = ""
    until: str = ""
    kind: str = ""


class Entry(NamedTuple):
    """A claim with its time as it was said, and where it is said. ``at`` sorts: the beginning in UTC."""

    at: str
    time: str
    claim: NodeView
    source_doc: str
    quote: str


def chronicle(reader: Reader, of: NodeView | None, span: Span) -> list[Entry]:
    """The entries in order. ``of``: only claims that mention this thing, or that this Source supports; None for all."""
    claims = reader.every_node("Claim") if of is None else _claims_of(reader, of)
    timed: dict[int, tuple[str, NodeView]] = {}
    for claim in claims:
        time = str(claim.fields.get("event_time", ""))
        at = beginning(time)
        if at and _wanted(at, claim, span):
            timed[claim.canon] = (at, claim)
    order = sorted(timed.values(), key=lambda one: (one[0], one[1].nid))
    return [_entry(reader, at, claim) for at, claim in order]


def beginning(time: str) -> str:
    """The first moment of a date, an instant or an interval, in UTC, in a form that sorts; '' for what is none."""
    first = time.partition("/")[0]
    try:
        value = datetime.datetime.fromisoformat(first)
        value = value.replace(tzinfo=value.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        return ""
    return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def entry_json(one: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {"time": one.time, "id": one.claim.id, "name": one.claim.name}
    optional = {
        "kind": one.claim.fields.get("kind", ""),
        "source_doc": one.source_doc,
        "quote": one.quote,
    }
    return found | {key: value for key, value in optional.items() if value}


def _claims_of(reader: Reader, of: NodeView) -> Iterable[NodeView]:
    predicates = ("SUPPORTS",) if of.type == "Source" else ("MENTIONS",)
    nids = {
        hop.there
        for member in reader.members(of.nid)
        for hop in reader.hops(member, predicates, MOST)
    }
    if of.type == "Claim":
        nids.add(of.nid)
    return [node for node in reader.nodes(nids).values() if node.type == "Claim" and node.live]


def _wanted(at: str, claim: NodeView, span: Span) -> bool:
    if span.kind and claim.fields.get("kind") != span.kind:
        return False
    return (not span.since or at >= span.since) and (not span.until or at < span.until)


def _entry(reader: Reader, at: str, claim: NodeView) -> Entry:
    ties = [hop for hop in reader.hops(claim.nid, ("SUPPORTS",), 1) if not hop.forward]
    edge = reader.edges([ties[0].eid])[ties[0].eid] if ties else None
    return Entry(
        at,
        str(claim.fields["event_time"]),
        claim,
        edge.source_doc if edge else "",
        edge.quote if edge else "",
    )
