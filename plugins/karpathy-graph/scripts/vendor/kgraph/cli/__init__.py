"""The command line: parse, one call, show."""

from kgraph.cli.door import main

__all__ = ["main"]
