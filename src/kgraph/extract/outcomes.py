"""How a unit ends. Exactly one of ten, or ``pending`` while it has not been begun."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from kgraph.model import Json, Problem, Reply, Usage
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
    warnings: tuple[Problem, ...] = ()  # of what was written
    held: tuple[str, ...] = ()  # what was retracted by hand and is not taken again, in words

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
        if self.held:
            line["held_back"] = list(self.held)
        if self.warnings:
            line["warnings"] = [problem.as_json() for problem in self.warnings]
        return {**line, **self.notes}


# What a model won't do, and why: these words are about helping, not about the text.
_UNWILLING = re.compile(
    r"(?i)\b(?:(?:can(?:not|'t|\u2019t| not)|won['\u2019]t|will not|unable to|not able to|not comfortable|must decline|have to decline|refuse to|decline to)"
    r"\s+(?:\w+\s+){0,2}?(?:help|assist|comply|fulfil\w*|do (?:that|this|so)|continue|engage|participate|process (?:that|this)|provide (?:that|this))"
    r"|polic(?:y|ies)\b|guidelines|harmful|unsafe|copyright\w*|illegal|inappropriate|against my)\b"
)
_DECLINES = re.compile(
    r"(?i)\b(?:i\s?['\u2019]m (?:sorry|unable|not able)|i am (?:sorry|unable|not able)|i (?:cannot|can['\u2019]t|can not|won['\u2019]t|will not|must decline)"
    r"|sorry|as an ai)\b"
)
# A negation and, in the same sentence, what a graph is made of: however it is put, it says that there is nothing to take.
_NEGATION = r"(?:no|not|nothing|none|never|zero|empty|without|lacks?|cannot|unable|neither|(?:could|ca|do|does|did|can|is|are|was|were)n['\u2019]t|0)"
_SUBSTANCE = (
    r"(?:entit\w+|claims?|facts?|relation(?:ship)?s?|nodes?|edges?|graph|triples?|statements?|knowledge|information|content|substance|assertions?"
    r"|concepts?|extract\w*|report(?:ed|able)?|here|there|anything|named|mention\w*|relevant|identif\w+|found|find)"
)
_NOTHING = re.compile(
    rf"(?i)\b{_NEGATION}\b[^.!?\n]{{0,80}}?\b{_SUBSTANCE}\b|\b{_SUBSTANCE}\b[^.!?\n]{{0,60}}?\b{_NEGATION}\b"
)


def declined(reply: Reply) -> Outcome | None:
    """What a reply without any object in it comes to, where its words say so: refused, empty, or None for neither.

    A model that says there is nothing to take has read the text: that is ``empty``, though it may say so in a refusal's field.
    """
    if reply.stop == "filter":
        return "refused"
    if reply.stop != "refusal" and "{" in reply.text:
        return None
    if _UNWILLING.search(reply.text):
        return "refused"
    if _NOTHING.search(reply.text):
        return "empty"
    return "refused" if reply.stop == "refusal" or _DECLINES.search(reply.text) else None


def exit_status(results: list[UnitResult]) -> int:
    return 0 if all(result.outcome in FINISHED for result in results) else 1
