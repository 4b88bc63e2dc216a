"""The plain definition of what a log means: slow, short, and written without a look at the index. Laws hold the index against it."""

from __future__ import annotations

import heapq
import json
from collections.abc import Sequence
from typing import Any

Line = dict[str, Any]
STATUSES = ("verified", "moved", "located", "unchecked", "none", "ambiguous", "missing", "stale")


def graph_of(lines: Sequence[bytes]) -> dict[str, Any]:
    """Everything that can be asked of a graph: live nodes, visible edges, canonical nodes."""
    transactions = _in_order([json.loads(line) for line in dict.fromkeys(lines)])
    by_id = {line["id"]: line for line in transactions}
    place = {line["id"]: number for number, line in enumerate(transactions)}
    effective: dict[str, bool] = {}
    for line in reversed(transactions):  # only a later line can list an earlier one
        effective[line["id"]] = not any(
            effective.get(other["id"]) and any(line["id"] in (event.get("transactions") or ()) for event in other["events"])
            for other in transactions if place[other["id"]] > place[line["id"]]
        )  # fmt: skip
    withdrawn, moves, findings = set(), {}, {}
    for line in transactions:
        if not effective[line["id"]]:
            continue
        for event in line["events"]:
            if event["kind"] == "withdraw":
                withdrawn |= {
                    (name, pos)
                    for name, positions in event["assertions"].items()
                    for pos in positions
                }
            if event["kind"] == "split":
                for name, positions in event["assertions"].items():
                    for pos in positions:
                        moves.setdefault((name, pos), {})[event["old"]] = event["new"]
            if event["kind"] == "evidence":
                findings[event["tx"], event["pos"]] = event
    nodes: dict[str, list[dict[str, Any]]] = {}
    edges: dict[tuple[str, str, str, str], list[tuple[Any, ...]]] = {}
    for line in transactions:
        for pos, event in enumerate(line["events"]):
            key = (line["id"], pos)
            if not effective[line["id"]] or key in withdrawn:
                continue
            moved = moves.get(key, {})
            if event["kind"] == "node":
                nodes.setdefault(moved.get(event["id"], event["id"]), []).append(event)
            if event["kind"] == "edge":
                ends = (
                    moved.get(event["source"], event["source"]),
                    moved.get(event["target"], event["target"]),
                )
                status = findings[key]["evidence"]["status"] if key in findings else _status(event)
                rank = (
                    STATUSES.index(status),
                    -(event.get("confidence") or 0.0),
                    place[line["id"]],
                    pos,
                )
                edges.setdefault((event["predicate"], *ends, event.get("rel", "")), []).append(
                    (rank, status, event)
                )
    shown_nodes = {name: _node(said) for name, said in nodes.items()}
    shown_edges = {
        edge: _edge(said) for edge, said in edges.items() if edge[1] in shown_nodes and edge[2] in shown_nodes
    }  # fmt: skip
    return {
        "nodes": shown_nodes,
        "edges": shown_edges,
        "canonical": _canonical(shown_nodes, shown_edges),
        "lines": set(by_id),
    }


def _in_order(lines: list[Line]) -> list[Line]:
    by_id = {line["id"]: line for line in lines}
    waiting = {
        name: {parent for parent in line["after"] if parent in by_id}
        for name, line in by_id.items()
    }
    ready = [(line["ts"], name) for name, line in by_id.items() if not waiting[name]]
    heapq.heapify(ready)
    order = []
    while ready:
        _, name = heapq.heappop(ready)
        order.append(by_id[name])
        for other, parents in waiting.items():
            if name in parents:
                parents.discard(name)
                if not parents:
                    heapq.heappush(ready, (by_id[other]["ts"], other))
    return order


def _node(said: list[dict[str, Any]]) -> dict[str, Any]:
    name = said[0]["name"]
    spellings = [
        text
        for event in said
        for text in (event["name"], *event.get("aliases", []))
        if text != name
    ]
    attrs: dict[str, Any] = {}
    for event in said:
        attrs.update(event.get("attrs") or {})
    longest = ""
    for event in said:
        longest = (
            event["description"] if len(event.get("description", "")) > len(longest) else longest
        )
    return {
        "type": said[0]["type"], "name": name, "aliases": set(spellings), "description": longest, "attrs": attrs, "assertions": len(said),
        "inference": any(event.get("inference") is True for event in said),
    }  # fmt: skip


def _status(event: dict[str, Any]) -> str:
    if event.get("evidence"):
        return str(event["evidence"]["status"])
    return "unchecked" if event.get("quote") or event.get("source_doc") else "none"


def _edge(said: list[tuple[Any, ...]]) -> dict[str, Any]:
    _, status, event = min(said, key=lambda one: one[0])
    return {
        "status": status,
        "confidence": event.get("confidence"),
        "quote": event.get("quote", ""),
        "assertions": len(said),
    }


def _canonical(
    nodes: dict[str, Any], edges: dict[tuple[str, str, str, str], Any]
) -> dict[str, str]:
    out: dict[str, str] = {}
    for predicate, source, target, _ in sorted(edges):
        if predicate == "RESOLVED_TO":
            assert source not in out, (
                "the operations of these laws give a node one canonical at most"
            )
            out[source] = target
    found = {}
    for name in nodes:
        root = name
        while root in out:
            root = out[root]
        found[name] = root
    return found


def picture(reader: Any) -> dict[str, Any]:
    """The same of an index, in the same shape."""
    nodes, canonical, names = {}, {}, {}
    for node in reader.every_node():
        names[node.nid] = node.id
        nodes[node.id] = {
            "type": node.type, "name": node.name, "aliases": set(node.aliases), "description": node.description, "attrs": node.attrs,
            "assertions": node.assertions, "inference": node.inference,
        }  # fmt: skip
        canonical[node.id] = node.canon
    edges = {
        (edge.predicate, names[edge.src], names[edge.dst], edge.kind): {
            "status": edge.status, "confidence": edge.confidence, "quote": edge.quote, "assertions": edge.assertions,
        }
        for edge in reader.every_edge()
    }  # fmt: skip
    lines = {row[0] for row in reader.db.execute("SELECT id FROM line")}
    return {
        "nodes": nodes,
        "edges": edges,
        "canonical": {name: names[nid] for name, nid in canonical.items()},
        "lines": lines,
    }
