"""kgraph: a typed knowledge graph in which every statement can be traced to the bytes it came from.

``kgraph.open`` and ``kgraph.create`` give a ``Graph``, whose methods are what the command line calls:

    with kgraph.open(".karpathy-graphs/demo") as graph:
        print(graph.query("Why were berths sold twice?").body["nodes"])
        print(graph.ground("The Freight Desk reads the store directly").decision)

What a call wants beyond a text is one of the nouns here: ``Question`` and ``Asked`` (query), ``GroundOptions`` (ground), ``PathOptions`` (path_between),
``Ingestion`` (ingest), ``MergeOptions`` (resolve), ``SplitOptions`` (split). What it refuses is a ``KgraphError``. docs/python.md shows each.
"""

from __future__ import annotations

from kgraph.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kgraph.compose import create, open
    from kgraph.errors import KgraphError
    from kgraph.graph import Graph, Ingestion
    from kgraph.graph.merging import MergeOptions
    from kgraph.graph.parting import SplitOptions
    from kgraph.retrieve.ground import GroundOptions
    from kgraph.retrieve.paths import PathOptions
    from kgraph.retrieve.question import Asked, Question

__all__ = [
    "Asked",
    "Graph",
    "GroundOptions",
    "Ingestion",
    "KgraphError",
    "MergeOptions",
    "PathOptions",
    "Question",
    "SplitOptions",
    "__version__",
    "create",
    "open",
]  # fmt: skip
_HOMES = {
    "open": "kgraph.compose", "create": "kgraph.compose", "Graph": "kgraph.graph", "Ingestion": "kgraph.graph",
    "KgraphError": "kgraph.errors",
    "MergeOptions": "kgraph.graph.merging", "SplitOptions": "kgraph.graph.parting", "GroundOptions": "kgraph.retrieve.ground",
    "PathOptions": "kgraph.retrieve.paths", "Question": "kgraph.retrieve.question", "Asked": "kgraph.retrieve.question",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """Load a part when it is used, so that ``import kgraph`` costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kgraph' has no attribute {name!r}")
    return getattr(__import__(home, fromlist=[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
