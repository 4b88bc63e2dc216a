"""The Sources that an answer rests on, best first."""

from __future__ import annotations

from typing import Any

from kgraph.retrieve.question import Found

SECOND = 0.5  # what a source's next best claim adds, again and again halved


def rank_sources(found: Found) -> list[dict[str, Any]]:
    """Each Source that was reached, by its own score and those of the claims and nodes that stand on it."""
    scores = {shown.node.nid: shown.score for shown in found.nodes}
    nodes = {shown.node.nid: shown.node for shown in found.nodes}
    resting: dict[int, list[float]] = {nid: [] for nid, node in nodes.items() if node.type == "Source"}
    for one in found.relations:
        for source, other in ((one.source, one.target), (one.target, one.source)):
            if source in resting and nodes[other].type != "Source":
                resting[source].append(scores[other])
    rows = []
    for nid, amounts in resting.items():
        total, share = scores[nid], 1.0
        for amount in sorted(amounts, reverse=True)[:8]:
            total += share * amount
            share *= SECOND
        node = nodes[nid]
        rows.append((total, nid, {"nid": nid, "id": node.id, "name": node.name, "uri": node.fields.get("uri", ""), "score": round(total, 4)}))
    rows.sort(key=lambda row: (-row[0], row[1]))
    return [row for _, _, row in rows]
