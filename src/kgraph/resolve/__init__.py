"""Resolution: which surface forms are one entity. Likeness finds candidates, evidence decides, and what decided is written down.

Pure functions over plain records: nothing here reads or writes a graph.
"""

from __future__ import annotations

from kgraph.resolve.adjudication import Judgement, Side, adjudicate
from kgraph.resolve.candidates import Comparison, candidates
from kgraph.resolve.clusters import canonical, plan_merges
from kgraph.resolve.policies import against_by_hand, decide, policy, policy_name
from kgraph.resolve.rationale import check_rationale
from kgraph.resolve.records import (
    Cluster,
    Decision,
    Features,
    Likeness,
    Merge,
    Objection,
    Options,
    Pair,
    PolicyName,
    Reason,
    Record,
    Signal,
)
from kgraph.resolve.weights import probability

__all__ = [
    "Cluster",
    "Comparison",
    "Decision",
    "Features",
    "Judgement",
    "Likeness",
    "Merge",
    "Objection",
    "Options",
    "Pair",
    "PolicyName",
    "Reason",
    "Record",
    "Side",
    "Signal",
    "adjudicate",
    "against_by_hand",
    "candidates",
    "canonical",
    "check_rationale",
    "decide",
    "plan_merges",
    "policy",
    "policy_name",
    "probability",
]
