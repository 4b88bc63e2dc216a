"""The door for agents that speak the Model Context Protocol. Only ``kgraph mcp`` comes in here; the SDK is the extra 'mcp'."""

from __future__ import annotations

from kgraph.errors import MissingExtra
from kgraph.tuples import NamedTuple


class Wanted(NamedTuple):
    """Which graph a server is started for, and what it may do. ``name`` and ``path`` as on the command line; '' for neither."""

    name: str = ""
    path: str = ""
    working: str = (
        ""  # the folder from which names and relative paths count; '' for the current one
    )
    wait_seconds: float = 30.0
    allow_write: bool = False


def require_sdk() -> None:
    """Raise MissingExtra where the SDK, or one that is new enough, isn't installed."""
    try:
        import mcp.server.mcpserver
    except ModuleNotFoundError:
        raise MissingExtra("kgraph mcp", "mcp") from None
    del mcp
