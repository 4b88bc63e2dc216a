"""The surroundings of a node, a page at a time, and where to begin: so that a graph of any size is opened as it is walked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgraph.errors import UnknownReference
from kgraph.index.read import NodeView

if TYPE_CHECKING:
    from kgraph.graph import Graph

PAGE = 40
BEGIN = 24


def surroundings(graph: Graph, ref: str, skip: int = 0) -> dict[str, Any]:
    """``{node, degree, neighbours: [{node, edge, predicate, forward, status}], more}``, best evidenced first, canonical view.

    Raises UnknownReference for a node that there isn't.
    """
    reader = graph.reader()
    found = reader.look_up(ref)
    if not found:
        raise UnknownReference(f"there is no node '{ref}'", "search for it by other words")
    nid = found[0].canon
    hops = []
    for member in reader.members(nid):
        hops += [hop for hop in reader.hops(member, limit=skip + PAGE + 1) if hop.predicate != "RESOLVED_TO"]  # fmt: skip
    page = hops[skip : skip + PAGE]
    canonical = reader.canonical(hop.there for hop in page)
    nodes = reader.nodes(canonical.values())
    ids = {eid: edge.id for eid, edge in reader.edges(hop.eid for hop in page).items()}
    return {
        "node": brief(reader.node(nid)), "degree": reader.degree(nid), "more": len(hops) > skip + PAGE,
        "neighbours": [
            {"node": brief(nodes[canonical[hop.there]]), "edge": ids[hop.eid], "predicate": hop.predicate, "forward": hop.forward, "status": hop.status}
            for hop in page if canonical[hop.there] != nid
        ],
    }  # fmt: skip


def beginnings(graph: Graph) -> dict[str, Any]:
    """Where to begin: how much there is, and the best connected things: ``{by_node_type, by_edge_type, nodes}``."""
    reader = graph.reader()
    counted = reader.counters()
    best = reader.best_connected(BEGIN)
    return {
        "by_node_type": counted["type"], "by_edge_type": counted["predicate"],
        "nodes": [brief(node) | {"degree": degree} for node, degree in best],
    }  # fmt: skip


def brief(node: NodeView) -> dict[str, Any]:
    return {
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "kind": str(node.fields.get("kind", "")),
    }
