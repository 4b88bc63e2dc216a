"""What a file says again though a person took it back: it is held back when the file is read, unless that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kgraph.events import Event
from kgraph.graph.writing import Prepared
from kgraph.index.retracted import Retracted

# Types that stand on what is said of them: without an edge that carries them they are not to be written.
CARRIED = frozenset(("Claim", "Artifact", "Evaluation", "Metric"))


def without_retracted(
    prepared: Prepared, gone: Retracted, lives: Callable[[str], bool]
) -> tuple[Prepared, tuple[str, ...]]:
    """What is left of a payload that was judged, and in words what was held back. ``lives``: whether the graph has a node now."""
    nodes = {event["id"]: event for event in prepared.events if event["kind"] == "node"}
    edges = [event for event in prepared.events if event["kind"] == "edge"]
    held = set(gone.nodes)
    while True:
        kept = [
            event for event in edges if event["id"] not in gone.edges and not held & {*_ends(event)}
        ]
        if len(kept) == len(edges) and not held & nodes.keys():
            return prepared, ()
        staying = {event["id"] for event in kept}
        carried = {end for event in kept for end in _ends(event)}
        ends = {end for event in edges if event["id"] not in staying for end in _ends(event)}
        lost = {
            end
            for end in (ends & nodes.keys()) - held - carried
            if nodes[end]["type"] in CARRIED and not lives(end)
        }
        if not lost:
            break
        held |= lost
    stays = [
        event["id"] in staying if event["kind"] == "edge" else event["id"] not in held
        for event in prepared.events
    ]
    left = prepared._replace(
        events=[event for event, kept_ in zip(prepared.events, stays, strict=True) if kept_],
        texts=[text for text, kept_ in zip(prepared.texts, stays, strict=True) if kept_],
    )
    away = [event for event, kept_ in zip(prepared.events, stays, strict=True) if not kept_]
    return left, _words(away, nodes)


def _words(events: Sequence[Event], nodes: dict[str, Event]) -> tuple[str, ...]:
    """Nodes by type and name; an edge is named only where both its ends stay."""
    gone = {event["id"] for event in events if event["kind"] == "node"}
    told = [f"{event['type']} {event['name']}" for event in events if event["kind"] == "node"]
    for event in events:
        if event["kind"] == "edge" and not gone & {*_ends(event)}:
            start, end = (nodes[end]["name"] if end in nodes else end for end in _ends(event))
            told.append(f"{event['predicate']} {start} → {end}")
    return tuple(told)


def _ends(event: Event) -> tuple[str, str]:
    return event["source"], event["target"]
