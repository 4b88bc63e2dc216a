"""What ids stand for, in words: for answers that name what they changed by its id."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.index.read import Reader

SUPPORTS = 50  # supports of a statement that are looked at for the best


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


def places(reader: Reader, ids: Sequence[str]) -> dict[str, tuple[str, str]]:
    """(words, ``file:line``) of edges, and of Claims by their best support. Without lines the place is the citation's own anchor."""
    nids = reader.nids(ids)
    wanted = dict(reader.edge_ids([name for name in ids if name not in nids]))
    for name, nid in nids.items():
        support = reader.hops(nid, ("SUPPORTS",), SUPPORTS)
        entering = [hop for hop in support if not hop.forward]
        if entering:
            wanted[name] = min(entering, key=lambda hop: (hop.status, hop.eid)).eid
    edges = reader.edges(wanted.values())
    found = {}
    for name, eid in wanted.items():
        edge = edges[eid]
        lines = (edge.evidence or {}).get("lines")
        place = edge.source_doc
        if place and isinstance(lines, list) and len(lines) == 2:
            first, last = lines
            uri = place.partition("#")[0]
            uri = (
                uri.rpartition(":")[0] if uri.rpartition(":")[2].replace("-", "").isdigit() else uri
            )
            place = f"{uri}:{first}" + (f"-{last}" if last != first else "")
        if edge.quote or place:
            found[name] = (edge.quote, place)
    return found
