"""A score against an earlier one: which figures moved, whether by more than chance, and which items changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgraph.evaluate.score import DIGITS, HIGHER, NEITHER, Score
from kgraph.tuples import NamedTuple

BETTER, WORSE, SAME = "better", "worse", "same"


class Moved(NamedTuple):
    """``beyond_chance``: the two 95 % intervals don't overlap."""

    metric: str
    before: float
    after: float
    verdict: str
    beyond_chance: bool


class Changed(NamedTuple):
    """An item whose value is another one; ``before`` is None for a new item."""

    key: str
    before: float | None
    after: float
    detail: str


class Comparison(NamedTuple):
    """``gone``: keys of items that only the earlier score has."""

    moved: tuple[Moved, ...]
    changed: tuple[Changed, ...]
    gone: tuple[str, ...]

    @property
    def worse(self) -> bool:
        return any(one.verdict == WORSE for one in self.moved)

    def as_json(self) -> dict[str, Any]:
        """``{moved: [{metric, before, after, verdict, beyond_chance}], changed: [{key, before, after, detail}], gone: [key]}``."""
        return {
            "moved": [one._asdict() for one in self.moved],
            "changed": [one._asdict() for one in self.changed],
            "gone": list(self.gone),
        }


def compare(score: Score, earlier: Mapping[str, Any]) -> Comparison:
    """``earlier`` is what ``Score.as_json`` gave. Figures that only one of them has are left out."""
    before = {row["name"]: row for row in earlier.get("metrics") or ()}
    moved = []
    for row in score.as_json()["metrics"]:
        old = before.get(row["name"])
        if old is None:
            continue
        gain = round(row["value"] - old["value"], DIGITS)
        better = gain > 0 if row["better"] == HIGHER else gain < 0
        apart = row["low"] > old["high"] or old["low"] > row["high"]
        verdict = SAME if gain == 0 or row["better"] == NEITHER else BETTER if better else WORSE
        moved.append(Moved(row["name"], old["value"], row["value"], verdict, apart))
    items = {row["key"]: row["value"] for row in earlier.get("items") or ()}
    changed = [
        Changed(item.key, items.get(item.key), round(item.value, DIGITS), item.detail)
        for item in score.items
        if items.get(item.key) != round(item.value, DIGITS)
    ]
    gone = tuple(key for key in items if key not in {item.key for item in score.items})
    return Comparison(tuple(moved), tuple(changed), gone)
