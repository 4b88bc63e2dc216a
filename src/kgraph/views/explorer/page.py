"""``graph.html``: the explorer's bundle and one graph's data in a single file that opens from disk and asks nothing of any network."""

from __future__ import annotations

import base64
import hashlib
import heapq
import html
from collections.abc import Iterator

from kgraph import resources
from kgraph.model import Json
from kgraph.tuples import NamedTuple
from kgraph.views.explorer.columns import columns
from kgraph.views.explorer.communities import communities
from kgraph.views.explorer.layout import layout
from kgraph.views.explorer.network import network
from kgraph.views.findings import READ
from kgraph.views.records import as_line
from kgraph.views.snapshot import Edge, GraphMeta, Node, Snapshot

MOST_NODES = 100_000
EXAMPLES = 20  # of what isn't in the graph; what is, the page finds by itself
OVERVIEW_NODES = 20_000  # above this the page opens on communities


class Picture(NamedTuple):
    """What is drawn of a snapshot, and how much is left out."""

    nodes: list[Node]
    edges: list[Edge]
    nodes_left_out: int
    edges_left_out: int


def graph_html(
    snapshot: Snapshot, plain: bool = False, most_nodes: int = MOST_NODES
) -> Iterator[str]:
    """The page in pieces. ``plain`` leaves installed graph libraries aside; which were used is said in the page."""
    drawn = picture(snapshot, most_nodes)
    number = {node.id: position for position, node in enumerate(drawn.nodes)}
    stands = {node.id: number[node.canonical] for node in drawn.nodes if node.canonical in number}
    ends = [
        (stands.get(edge.source, number[edge.source]), stands.get(edge.target, number[edge.target]))
        for edge in drawn.edges
    ]
    ties = [(one, other) for one, other in ends if one != other]
    # a merged form has lost its edges to the node that stands for it: one tie keeps it beside that node
    ties += [
        (number[merged], canonical)
        for merged, canonical in stands.items()
        if number[merged] != canonical
    ]
    graph = network(len(drawn.nodes), [one for one, _ in ties], [other for _, other in ties])
    groups = communities(graph, plain)
    places = layout(graph, groups, plain)
    packed = columns(drawn.nodes, drawn.edges, groups, places)
    meta = snapshot.meta
    head: dict[str, Json] = packed.head | {
        "name": meta.name,
        "objective": meta.objective,
        "rendered": meta.rendered,
        "sourceRoot": meta.source_root,
        "overview": len(drawn.nodes) > OVERVIEW_NODES,
        "leftOut": [drawn.nodes_left_out, drawn.edges_left_out],
        "rules": {
            "count": len(meta.violations),
            "examples": [problem.message for problem in meta.violations[:EXAMPLES]],
        },
        "unread": gave_little(meta),
        "unitsRecorded": bool(meta.units),
        "layout": places.method,
        "method": groups.method,
        "version": meta.version,
    }
    yield from _page(meta.name, head, [(block.id, block.text) for block in packed.blocks])


def gave_little(meta: GraphMeta) -> list[Json]:
    """Units that gave nothing or little, by what became of them: the unread first, those that gave little last. Where none did, those of
    which anything was passed over, so that nobody is told that every word was read."""
    by_outcome: dict[str, list[Json]] = {}
    listed = [unit for unit in meta.units if unit.gave_little] or [
        unit for unit in meta.units if unit.reason
    ]
    for unit in sorted(listed, key=lambda one: -one.passed_over):
        by_outcome.setdefault(unit.outcome, []).append(
            f"{unit.unit}: {unit.reason}" if unit.reason else unit.unit
        )
    order = sorted(by_outcome.items(), key=lambda one: (one[0] in READ, one[0] == "done", one[0]))
    return [
        {"outcome": outcome, "count": len(units), "examples": units[:EXAMPLES]}
        for outcome, units in order
    ]


def picture(snapshot: Snapshot, most_nodes: int) -> Picture:
    """The ``most_nodes`` best connected nodes, in order of id, and the edges among them."""
    count = 0

    def counted() -> Iterator[Node]:
        nonlocal count
        for node in snapshot.nodes:
            count += 1
            yield node

    nodes = heapq.nsmallest(most_nodes, counted(), key=lambda node: (-node.degree, node.id))
    nodes.sort(key=lambda node: node.id)
    shown = {node.id for node in nodes}
    edges: list[Edge] = []
    left_out = 0
    for edge in snapshot.edges:
        if edge.source in shown and edge.target in shown:
            edges.append(edge)
        else:
            left_out += 1
    edges.sort(key=lambda edge: edge.id)
    return Picture(nodes, edges, count - len(nodes), left_out)


def _page(name: str, head: dict[str, Json], blocks: list[tuple[str, str]]) -> Iterator[str]:
    script, style, template = _asset("explorer.js"), _asset("explorer.css"), _asset("explorer.html")
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    before, _, after = template.partition("<!--data-->")
    for mark, text in (
        ("<!--title-->", html.escape(name)),
        ("<!--policy-->", html.escape(policy)),
        ("/*style*/", style),
    ):
        before = before.replace(mark, text)
    yield before
    yield f'<script type="application/json" id="k-head">{_inert(as_line(head))}</script>\n'
    for identifier, text in blocks:
        yield f'<script type="text/plain" id="k-{identifier}">{text}</script>\n'
    yield after.replace("/*script*/", script)


def _inert(text: str) -> str:
    """JSON that can't close or open anything in HTML."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode(
        "ascii"
    )


def _asset(name: str) -> str:
    return resources.text("kgraph.views", f"assets/{name}")
