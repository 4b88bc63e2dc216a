"""Bytes → an admissible payload, or all its problems. Deciding only: nothing here writes, and nothing reads a file."""

from __future__ import annotations

from kgraph.contract.check import admit, check
from kgraph.contract.decode import decode
from kgraph.contract.identity import edge_id, key_id, normalise_uri
from kgraph.contract.memory import MemoryView
from kgraph.contract.repair import Repaired, repair
from kgraph.contract.view import Admission, Held, Options, View

__all__ = [
    "Admission", "Held", "MemoryView", "Options", "Repaired", "View",
    "admit", "check", "decode", "edge_id", "key_id", "normalise_uri", "repair",
]  # fmt: skip
