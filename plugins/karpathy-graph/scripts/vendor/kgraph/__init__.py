"""kgraph: a typed knowledge graph in which every statement can be traced to the bytes it came from."""

from __future__ import annotations

from kgraph.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from kgraph.compose import create, open
    from kgraph.graph import Graph

__all__ = ["Graph", "__version__", "create", "open"]


def __getattr__(name: str) -> object:
    """Load the front door when it is used, so that ``import kgraph`` costs nothing."""
    if name in ("open", "create"):
        from kgraph import compose

        return getattr(compose, name)
    if name == "Graph":
        from kgraph.graph import Graph

        return Graph
    raise AttributeError(f"module 'kgraph' has no attribute {name!r}")
