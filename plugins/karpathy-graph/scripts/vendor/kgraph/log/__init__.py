"""Where lines are kept: a port, a file, and memory."""

from kgraph.log.port import Log, Raw, Stamp

__all__ = ["Log", "Raw", "Stamp"]
