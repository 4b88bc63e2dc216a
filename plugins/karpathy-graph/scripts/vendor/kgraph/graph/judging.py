"""A verdict of ``ground`` as a payload: an Evaluation of the claims that say what was asked, or of the things that it speaks of."""

from __future__ import annotations

from typing import Any

from kgraph.retrieve.verdict import Verdict

RUBRIC = "grounding"
LONGEST_NAME = 2000
_PREFIX = "grounding: "


def verdict_payload(verdict: Verdict) -> dict[str, Any]:
    """One Evaluation with its edges. The same statement judged again is the same Evaluation, with its latest result shown."""
    claim = "".join(char if char.isprintable() else " " for char in verdict.claim)
    name = f"{_PREFIX}{' '.join(claim.split())}"[:LONGEST_NAME]
    node: dict[str, Any] = {
        "type": "Evaluation", "name": name, "rubric": RUBRIC, "result": verdict.decision, "description": verdict.reason,
        "attrs": {"support": [edge for one in verdict.support for edge in one.edges], "required_evidence": list(verdict.required_evidence)},
    }  # fmt: skip
    if verdict.about:
        edges = [{"predicate": "EVALUATES", "source": name, "target": one} for one in verdict.about]
    else:
        edges = [
            {"predicate": "MENTIONS", "source": name, "target": id}
            for id in dict.fromkeys(one.id for one in verdict.entities)
            if id
        ]
    return {"nodes": [node], "edges": edges}
