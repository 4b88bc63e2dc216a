"""Bytes → an admissible payload, or all its problems. Deciding only: nothing here writes, and nothing reads a file.

``contract.repair`` is the step before, for what a language model sent; it is loaded by those who need it.
"""

from __future__ import annotations

from kgraph.contract.check import admit, check
from kgraph.contract.decode import decode
from kgraph.contract.identity import edge_id, key_id, normalise_uri
from kgraph.contract.memory import MemoryView
from kgraph.contract.view import Admission, Held, Options, View

__all__ = [
    "Admission",
    "Held",
    "MemoryView",
    "Options",
    "View",
    "admit",
    "check",
    "decode",
    "edge_id",
    "key_id",
    "normalise_uri",
]
