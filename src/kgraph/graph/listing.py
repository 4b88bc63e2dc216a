"""The graphs under a root, with their sizes."""

from __future__ import annotations

import os
from typing import Any

from kgraph.errors import KgraphError
from kgraph.graph import folder


def graphs(root: str) -> list[dict[str, Any]]:
    """Each graph: name, path, nodes, edges, time of the last line. One that can't be read is listed with its problem."""
    from kgraph.compose import Place

    found = []
    for path in folder.graphs_under(root):
        row: dict[str, Any] = {"name": os.path.basename(path), "path": path, "nodes": 0, "edges": 0, "updated_at": ""}
        try:
            with Place(path=path).open() as graph:
                reader = graph.engine.reader()
                counts = reader.counters()
                row |= {"name": graph.name, "nodes": sum(counts["type"].values()), "edges": sum(counts["predicate"].values())}
                row["updated_at"] = graph.engine.index.get("last_ts")
                problems = graph.damage()
                if problems:
                    row["problem"] = problems[0].message
        except KgraphError as error:
            row["problem"] = error.message
        found.append(row)
    return found
