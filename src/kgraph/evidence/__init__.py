"""Quotes and anchors held against the source: what stands where, and what is no longer so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgraph.evidence.places import Place, split

if TYPE_CHECKING:
    from kgraph.evidence.access import Access
    from kgraph.evidence.anchors import anchor_range
    from kgraph.evidence.locating import UNCHECKED, check_again, locate, problems

__all__ = [
    "UNCHECKED",
    "Access",
    "Place",
    "anchor_range",
    "check_again",
    "locate",
    "problems",
    "split",
]
_HOMES = {
    "Access": "access", "anchor_range": "anchors",
    "UNCHECKED": "locating", "check_again": "locating", "locate": "locating", "problems": "locating",
}  # fmt: skip


def __getattr__(name: str) -> object:
    """The readers come with what looks into documents: whoever only takes a citation apart doesn't load them."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kgraph.evidence' has no attribute {name!r}")
    return getattr(__import__(f"kgraph.evidence.{home}", fromlist=[name]), name)
