"""How a unit ends. Exactly one of ten, or ``pending`` while it has not been begun."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from kgraph.model import Json, Reply, Usage
from kgraph.tuples import NamedTuple

Outcome = Literal[
    "done",
    "empty",
    "refused",
    "truncated",
    "hollow",
    "invalid",
    "unsupported",
    "failed",
    "skipped",
    "over-budget",
    "pending",
]
FINISHED: frozenset[Outcome] = frozenset(
    ("done", "empty", "skipped")
)  # a re-run leaves these alone, and the exit status is 0


class UnitResult(NamedTuple):
    """One line of the answer. ``cost`` is in US dollars, None where no price is known. ``unsupported`` counts dropped claims and edges."""

    unit: str
    sources: tuple[str, ...]
    outcome: Outcome
    detail: str = ""
    nodes: int = 0
    edges: int = 0
    usage: Usage = Usage()
    cost: float | None = 0.0
    unsupported: int = 0
    notes: Mapping[str, Json] = {}

    def as_json(self) -> dict[str, Json]:
        line: dict[str, Json] = {
            "unit": self.unit,
            "source": self.sources[0] if self.sources else "",
            "outcome": self.outcome,
            "detail": self.detail,
            "nodes": self.nodes,
            "edges": self.edges,
            "tokens": self.usage.input_tokens + self.usage.output_tokens,
            "cost": self.cost,
        }
        if self.unsupported:
            line["unsupported"] = self.unsupported
        return {**line, **self.notes}


_DECLINES = re.compile(
    r"(?ix)\b(?: i \s* (?:'|\u2019) ? m \s+ (?:sorry|unable|not \s+ able) | i \s+ am \s+ (?:sorry|unable|not \s+ able)"
    r" | i \s+ (?:can \s* (?:not|'t|\u2019t) | won (?:'|\u2019) t | will \s+ not | must \s+ decline | have \s+ to \s+ decline)"
    r" | sorry | as \s+ an \s+ ai | against \s+ (?:my|our) \s+ (?:guidelines|policy|policies) | unable \s+ to \s+ (?:help|assist|comply))\b"
)
_NOTHING = re.compile(
    r"(?i)\b(?:nothing (?:here|to extract|to report|was found|found)|no (?:claims?|statements?|facts?|entities|content|information)\b)"
)
_SENTENCE = re.compile(r"\w[^\n.!?。！？]{15,}[.!?。！？](?:\s|$|[\"')\]])|[^\s。！？]{6,}[。！？]")


def declined(reply: Reply, unit_text: str) -> Outcome | None:
    """What a reply without any object in it comes to, where its words say so: refused, empty, or None for neither."""
    if reply.stop in ("refusal", "filter"):
        return "refused"
    if "{" in reply.text:
        return None
    if _NOTHING.search(reply.text) and not _DECLINES.search(reply.text):
        return "refused" if has_sentences(unit_text) else "empty"
    return "refused" if _DECLINES.search(reply.text) else None


def has_sentences(text: str) -> bool:
    return _SENTENCE.search(text) is not None


def exit_status(results: list[UnitResult]) -> int:
    return 0 if all(result.outcome in FINISHED for result in results) else 1
