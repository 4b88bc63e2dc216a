"""How much there is: the counters that every write keeps."""

from __future__ import annotations

from typing import Any

from kgraph.index.read import Reader


def counts(reader: Reader) -> dict[str, Any]:
    """Live nodes and visible edges, in all and by type. Costs the same at any size."""
    found = reader.counters()
    return {
        "nodes": sum(found["type"].values()), "edges": sum(found["predicate"].values()),
        "by_node_type": found["type"], "by_edge_type": found["predicate"],
    }  # fmt: skip
