"""``jsonl``: the head on the first line, then one node or edge a line, for tools that read by line."""

from __future__ import annotations

from collections.abc import Iterator

from kgraph.views.records import as_line, edge_as_json, meta_as_json, node_as_json
from kgraph.views.snapshot import Snapshot


def jsonl(snapshot: Snapshot) -> Iterator[str]:
    yield as_line({"kgraph": "graph", "format": 1, "graph": meta_as_json(snapshot.meta)}) + "\n"
    for node in snapshot.nodes:
        yield as_line({"node": node_as_json(node)}) + "\n"
    for edge in snapshot.edges:
        yield as_line({"edge": edge_as_json(edge)}) + "\n"
