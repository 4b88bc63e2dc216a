"""What scoring a stage gives: figures that never stand alone, and one line for each item of gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgraph.evaluate.estimates import Estimate
from kgraph.tuples import NamedTuple

DIGITS = 4
HIGHER, LOWER, NEITHER = "higher", "lower", "neither"  # which way a figure improves


class Metric(NamedTuple):
    """``misleads`` says when the figure looks better than the graph is. ``baselines`` are trivial rivals on the same items, and
    recorded figures of other systems where the gold carries them. ``better`` says which way it improves: higher, lower or neither."""

    name: str
    estimate: Estimate
    misleads: str
    baselines: Mapping[str, float] = {}
    better: str = HIGHER


class ItemScore(NamedTuple):
    """One item of gold: a stable key, its share of what was right (0 to 1), and what was found."""

    key: str
    value: float
    detail: str = ""


class Score(NamedTuple):
    """``notes`` say what could not be measured, and why. ``about`` holds what was measured on: counts, settings."""

    stage: str
    metrics: tuple[Metric, ...]
    items: tuple[ItemScore, ...] = ()
    notes: tuple[str, ...] = ()
    about: Mapping[str, Any] = {}

    def metric(self, name: str) -> Metric | None:
        return next((metric for metric in self.metrics if metric.name == name), None)

    def as_json(self) -> dict[str, Any]:
        """``{stage, metrics: [{name, value, low, high, n, better, baselines, misleads}], items: [{key, value, detail}], notes, about}``."""
        return {
            "stage": self.stage,
            "metrics": [_metric_json(metric) for metric in self.metrics],
            "items": [
                {"key": item.key, "value": round(item.value, DIGITS), "detail": item.detail}
                for item in self.items
            ],
            "notes": list(self.notes),
            "about": dict(self.about),
        }


def _metric_json(metric: Metric) -> dict[str, Any]:
    estimate = metric.estimate
    return {
        "name": metric.name,
        "value": round(estimate.value, DIGITS),
        "low": round(estimate.low, DIGITS),
        "high": round(estimate.high, DIGITS),
        "n": estimate.n,
        "better": metric.better,
        "baselines": {name: round(value, DIGITS) for name, value in metric.baselines.items()},
        "misleads": metric.misleads,
    }
