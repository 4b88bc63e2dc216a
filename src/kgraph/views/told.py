"""What the graph tells by kind: what happened when, what was decided, what caused what; for the report."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from kgraph.tuples import NamedTuple
from kgraph.views.snapshot import Node, Snapshot

MOST = 25  # lines of each section


class Told(NamedTuple):
    """Claims of each section, in their order, with where each is said; ``left`` counts those that found no room."""

    timeline: tuple[Node, ...]
    decisions: tuple[Node, ...]
    causes: tuple[Node, ...]
    places: dict[str, str]
    left: tuple[int, int, int]


def told(snapshot: Snapshot) -> Told:
    """One pass over the nodes and, where there is anything to tell, one over the edges."""
    timed: list[tuple[str, str, Node]] = []
    decisions: list[tuple[int, str, Node]] = []
    causes: list[tuple[int, str, Node]] = []
    counts = [0, 0, 0]
    for node in snapshot.nodes:
        if node.type != "Claim" or node.canonical:
            continue
        kind = node.fields.get("kind")
        time = node.fields.get("event_time")
        if isinstance(time, str) and time:
            counts[0] += 1
            timed.append((time, node.id, node))
        if kind in ("decision", "rejected option"):
            counts[1] += 1
            decisions.append((kind != "decision", node.id, node))
        elif kind == "cause":
            counts[2] += 1
            causes.append((-len(node.assertions), node.id, node))
    latest = sorted(heapq.nlargest(MOST, timed, key=lambda one: one[:2]), key=lambda one: one[:2])
    chosen = [heapq.nsmallest(MOST, some, key=lambda one: one[:2]) for some in (decisions, causes)]
    shown = {one[2].id for one in latest} | {one[2].id for some in chosen for one in some}
    places: dict[str, str] = {}
    for edge in snapshot.edges if shown else ():
        if edge.predicate == "SUPPORTS" and edge.target in shown and edge.shown.source_doc:
            places.setdefault(edge.target, edge.shown.source_doc)
    left = [counts[0] - len(latest), *(counts[at] - len(chosen[at - 1]) for at in (1, 2))]
    return Told(
        tuple(one[2] for one in latest),
        tuple(one[2] for one in chosen[0]),
        tuple(one[2] for one in chosen[1]),
        places,
        (left[0], left[1], left[2]),
    )


def titled(found: Told) -> Iterator[tuple[str, tuple[Node, ...], int]]:
    """The sections that have something to tell: title, claims, how many more there are."""
    for number, (title, claims) in enumerate(
        (
            ("Timeline", found.timeline),
            ("Decisions", found.decisions),
            ("Causes", found.causes),
        )
    ):
        if claims:
            yield title, claims, found.left[number]
