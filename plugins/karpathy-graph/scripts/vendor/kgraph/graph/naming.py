"""What ids stand for, in words: for answers that name what they changed by its id."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.index.read import Reader


def called(reader: Reader, ids: Sequence[str]) -> dict[str, str]:
    """Nodes as ``name (Type)`` and edges as ``name -PREDICATE-> name``, whether or not they are in the graph now; an unknown id is left
    out."""
    nids = reader.nids(ids)
    views = reader.nodes(nids.values())
    found = {
        name: f"{views[nid].name} ({views[nid].type})"
        for name, nid in nids.items()
        if views[nid].name
    }
    eids = reader.edge_ids([name for name in ids if name not in nids])
    edges = reader.edges(eids.values())
    ends = reader.nodes(end for edge in edges.values() for end in (edge.src, edge.dst))
    for name, eid in eids.items():
        edge = edges[eid]
        found[name] = (
            f"{ends[edge.src].name or '?'} -{edge.predicate}-> {ends[edge.dst].name or '?'}"
        )
    return found
