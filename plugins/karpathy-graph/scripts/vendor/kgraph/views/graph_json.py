"""``graph.json`` and ``export --format json``: one object, one record a line, so that it can be read as a whole, by line, or by grep."""

from __future__ import annotations

from collections.abc import Iterator

from kgraph.views.figures import Figures
from kgraph.views.records import as_line, edge_as_json, meta_as_json, node_as_json
from kgraph.views.snapshot import Snapshot

FORMAT = 1


def graph_json(snapshot: Snapshot, figures: Figures | None = None) -> Iterator[str]:
    """The graph with all its live assertions, in pieces. ``figures`` go into the head, where the next render finds them."""
    yield f'{{\n"kgraph": "graph",\n"format": {FORMAT},\n'
    yield f'"graph": {as_line(meta_as_json(snapshot.meta))},\n'
    if figures is not None:
        yield f'"figures": {as_line(figures.as_json())},\n'
    yield '"nodes": ['
    separator = "\n"
    for node in snapshot.nodes:
        yield separator + as_line(node_as_json(node))
        separator = ",\n"
    yield '\n],\n"edges": ['
    separator = "\n"
    for edge in snapshot.edges:
        yield separator + as_line(edge_as_json(edge))
        separator = ",\n"
    yield "\n]\n}\n"
