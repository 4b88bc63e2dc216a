"""What the log holds: six kinds of events in transactions, one canonical line each, and the upcasting of the 1.0.0 layout."""

from kgraph.events.canonical import canonical, digest
from kgraph.events.identity import edge_id, node_id
from kgraph.events.line import (
    BadLine,
    Draft,
    Event,
    NewerLine,
    Transaction,
    decode,
    encode,
    id_holds,
)

__all__ = [
    "BadLine", "Draft", "Event", "NewerLine", "Transaction",
    "canonical", "decode", "digest", "edge_id", "encode", "id_holds", "node_id",
]  # fmt: skip
