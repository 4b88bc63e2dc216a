"""Resolution: which surface forms are one entity. Likeness finds candidates, evidence decides, and what decided is written down.

Pure functions over plain records: nothing here reads or writes a graph.
"""

from __future__ import annotations

from kgraph.resolve.adjudication import Judgement, Side, adjudicate
from kgraph.resolve.candidates import Comparison, candidates
from kgraph.resolve.clusters import canonical, plan_merges
from kgraph.resolve.policies import confidence, decide, policy
from kgraph.resolve.rationale import check_rationale
from kgraph.resolve.records import (
    Cluster,
    Decision,
    Features,
    Merge,
    Options,
    Pair,
    PolicyName,
    Record,
)

__all__ = [
    "Cluster",
    "Comparison",
    "Decision",
    "Features",
    "Judgement",
    "Merge",
    "Options",
    "Pair",
    "PolicyName",
    "Record",
    "Side",
    "adjudicate",
    "candidates",
    "canonical",
    "check_rationale",
    "confidence",
    "decide",
    "plan_merges",
    "policy",
]
