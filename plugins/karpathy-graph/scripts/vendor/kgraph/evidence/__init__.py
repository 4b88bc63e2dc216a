"""Quotes and anchors held against the source: what stands where, and what is no longer so."""

from kgraph.evidence.access import Access
from kgraph.evidence.anchors import Place, anchor_range, split
from kgraph.evidence.locating import UNCHECKED, check_again, locate, problems

__all__ = ["UNCHECKED", "Access", "Place", "anchor_range", "check_again", "locate", "problems", "split"]
