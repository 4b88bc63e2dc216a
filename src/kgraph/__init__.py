"""kgraph: typed knowledge graphs in which every statement can be traced to the bytes it came from."""

__version__ = "2.0.0.dev0"
