"""``graph.mmd``: the best connected part of the graph as a Mermaid flowchart, small enough for every viewer, saying what it leaves out."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator

from kgraph.tuples import NamedTuple
from kgraph.views.snapshot import Edge, Node, Snapshot

MOST_NODES = 120  # a graph that has no more is drawn whole
READABLE = 60  # of a larger one
FAN = 8  # neighbours that one box brings along: a hub's hundreds would be all of the picture
MOST_EDGES = 500  # Mermaid's own limit, over which it draws nothing
LABEL_CHARS = 60

# Shapes as the explorer draws them, as near as Mermaid has them.
_SHAPES = {
    "Entity": ("(", ")"),
    "Claim": ("{{", "}}"),
    "Source": ("[", "]"),
    "Artifact": ("[[", "]]"),
    "AgentRun": ("[/", "\\]"),
    "Evaluation": (">", "]"),
    "Task": ("[\\", "/]"),
    "Commit": ("((", "))"),
    "Metric": ("[(", ")]"),
}
_UNSAFE = re.compile(r"[^\w .,:/+=%()\u00a0-\u2027\u202f-\u2065\u206a-\U0010ffff-]", re.ASCII)


class _Part(NamedTuple):
    nodes: list[Node]
    edges: list[Edge]
    all_nodes: int
    all_edges: int
    stands_for: dict[str, str]  # merged node → the node that stands for it


def mermaid(snapshot: Snapshot, whole: bool = False, described: bool = False) -> Iterator[str]:
    """A flowchart in lines. Merged forms are drawn as the node they were merged into. ``whole`` lifts the bounds (for ``export``).

    What all boxes or all arrows share is said once, at the top, and not in each. ``described`` puts a box's description into it.
    """
    part = _part(snapshot, whole)
    kinds, predicates = (
        {_kind(node) for node in part.nodes},
        {edge.predicate for edge in part.edges},
    )
    yield f"%% kgraph: {_comment(snapshot.meta.name)}\n"
    left_out = part.all_nodes - len(part.nodes)
    if left_out or len(part.edges) < part.all_edges:
        yield (
            f"%% a connected part: {len(part.nodes)} of {part.all_nodes} nodes and {len(part.edges)} of {part.all_edges} edges: "
            "see graph.html for all\n"
        )
    if len(kinds) == 1 and len(part.nodes) > 1:
        yield f"%% every box: {_comment(*kinds)}\n"
    if len(predicates) == 1 and len(part.edges) > 1:
        yield f"%% every arrow: {_comment(*predicates)}\n"
    yield "flowchart LR\n"
    key = {node.id: f"n{number}" for number, node in enumerate(part.nodes)}
    for node in part.nodes:
        left, right = _SHAPES.get(node.type, ("[", "]"))
        below = [_kind(node)] if len(kinds) > 1 or len(part.nodes) == 1 else []
        below += [node.description] if described and node.description else []
        yield f'    {key[node.id]}{left}"{"<br/>".join(_short(text) for text in (node.name, *below))}"{right}\n'
    contradictions = []
    for number, edge in enumerate(part.edges):
        source, target = (key[part.stands_for.get(end, end)] for end in (edge.source, edge.target))
        arrow = "-.->" if edge.predicate in ("CONTRADICTS", "RESOLVED_TO") else "-->"
        said = (
            f'|"{escape(edge.predicate)}"|' if len(predicates) > 1 or len(part.edges) == 1 else ""
        )
        yield f"    {source} {arrow}{said} {target}\n"
        if edge.predicate == "CONTRADICTS":
            contradictions.append(str(number))
    if contradictions:
        yield f"    linkStyle {','.join(contradictions)} stroke:#b3261e,stroke-width:2px\n"
    inferred = [key[node.id] for node in part.nodes if node.inferred]
    if inferred:
        yield "    classDef inference stroke-dasharray: 4 3\n"
        yield f"    class {','.join(inferred)} inference\n"


def _part(snapshot: Snapshot, whole: bool) -> _Part:
    stands_for: dict[str, str] = {}
    count = 0
    kept: list[Node] = []

    def standing() -> Iterator[Node]:
        nonlocal count
        for node in snapshot.nodes:
            if node.canonical:
                stands_for[node.id] = node.canonical
                continue
            count += 1
            yield node

    all_nodes = list(standing())
    kept = (
        all_nodes if whole or count <= MOST_NODES else _connected(snapshot, all_nodes, stands_for)
    )
    shown = {node.id for node in kept}
    edges: list[Edge] = []
    all_edges = 0
    for edge in snapshot.edges:
        if edge.predicate == "RESOLVED_TO" and edge.source in stands_for:
            continue
        all_edges += 1
        ends = (stands_for.get(edge.source, edge.source), stands_for.get(edge.target, edge.target))
        if ends[0] in shown and ends[1] in shown and (whole or len(edges) < MOST_EDGES):
            edges.append(edge)
    return _Part(sorted(kept, key=lambda node: node.id), edges, count, all_edges, stands_for)


def _connected(snapshot: Snapshot, nodes: list[Node], stands_for: dict[str, str]) -> list[Node]:
    """A readable part whose boxes hang together: from the best connected thing outward, the best connected neighbours first."""
    by_id = {node.id: node for node in nodes}
    neighbours: dict[str, list[str]] = {}
    for edge in snapshot.edges:
        ends = [stands_for.get(end, end) for end in (edge.source, edge.target)]
        for one, other in (ends, reversed(ends)):
            neighbours.setdefault(one, []).append(other)

    def rank(one: str) -> tuple[bool, int, str]:
        return (
            by_id[one].type == "Source",
            -by_id[one].degree,
            one,
        )  # a file ties what only stands in it

    kept: dict[str, None] = {}
    for start in sorted(neighbours.keys() & by_id.keys(), key=rank):
        if len(kept) >= READABLE:
            break
        waiting = [(rank(start), start)] if start not in kept else []
        while waiting and len(kept) < READABLE:
            _, one = heapq.heappop(waiting)
            if one in kept:
                continue
            kept[one] = None
            near = {other for other in neighbours[one] if other in by_id and other not in kept}
            for other in heapq.nsmallest(FAN, near, key=rank):
                heapq.heappush(waiting, (rank(other), other))
    return [by_id[one] for one in kept]


def _kind(node: Node) -> str:
    """What sort of thing it is: for an Entity that says so itself (module, service, person …) in its own word."""
    kind = node.attrs.get("kind")
    return kind if node.type == "Entity" and isinstance(kind, str) and kind else node.type


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return escape(plain if len(plain) <= LABEL_CHARS else plain[: LABEL_CHARS - 1] + "…")


def escape(text: str) -> str:
    """Text inside a quoted Mermaid label: all that Mermaid or the page around it could take for syntax becomes an entity code."""
    return _UNSAFE.sub(lambda found: " " if ord(found[0]) < 32 else f"#{ord(found[0])};", text)


def _comment(text: str) -> str:
    return " ".join(_UNSAFE.sub(" ", text).split())
