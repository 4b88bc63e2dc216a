"""``canvas``: a JSON Canvas 1.0, for Obsidian and others: each node a card, each edge an arrow with its predicate."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from kgraph.views.snapshot import Snapshot

WIDTH, HEIGHT, GAP = 260, 100, 120
COLOURS = {"Claim": "5", "Source": "4", "Metric": "3", "Evaluation": "6"}  # presets of the format


def canvas(snapshot: Snapshot) -> Iterator[str]:
    """Cards lie on rings around the best connected one, neighbours before strangers, so that arrows are short."""
    stands = {node.id: node.canonical or node.id for node in snapshot.nodes}
    places = _places(snapshot, stands)
    cards = [
        {
            "id": node.id, "type": "text", "x": places[node.id][0], "y": places[node.id][1], "width": WIDTH, "height": HEIGHT,
            "text": f"**{node.type}**\n{node.name}", **({"color": COLOURS[node.type]} if node.type in COLOURS else {}),
        }
        for node in snapshot.nodes
        if not node.canonical
    ]  # fmt: skip
    arrows = [
        {"id": edge.id, "fromNode": stands[edge.source], "toNode": stands[edge.target], "label": edge.predicate}
        for edge in snapshot.edges
        if edge.predicate != "RESOLVED_TO"
    ]  # fmt: skip
    yield (
        json.dumps({"kgraph": "canvas", "nodes": cards, "edges": arrows}, ensure_ascii=False) + "\n"
    )


def _places(snapshot: Snapshot, stands: dict[str, str]) -> dict[str, tuple[int, int]]:
    neighbours: dict[str, list[str]] = {
        node.id: [] for node in snapshot.nodes if not node.canonical
    }
    for edge in snapshot.edges:
        ends = (stands[edge.source], stands[edge.target])
        if ends[0] != ends[1]:
            neighbours[ends[0]].append(ends[1])
            neighbours[ends[1]].append(ends[0])
    order: dict[str, None] = {}
    for start in sorted(neighbours, key=lambda one: (-len(neighbours[one]), one)):
        waiting = [start] if start not in order else []
        for one in waiting:
            if one not in order:
                order[one] = None
                waiting += [other for other in neighbours[one] if other not in order]
    found = {}
    ring, place, room = 0, 0, 1
    for one in order:
        angle = 2 * math.pi * place / room
        reach = ring * (WIDTH + GAP)
        found[one] = (round(reach * math.cos(angle)), round(reach * math.sin(angle)))
        place += 1
        if place == room:
            ring, place = ring + 1, 0
            room = max(1, int(2 * math.pi * ring * (WIDTH + GAP) / (WIDTH + GAP)))
    return found
