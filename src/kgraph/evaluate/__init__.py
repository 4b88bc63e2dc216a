"""How good a graph is: gold files, metrics with intervals and trivial baselines, and what changed against an earlier score."""

from __future__ import annotations

from kgraph.evaluate.score import ItemScore, Metric, Score

__all__ = ["ItemScore", "Metric", "Score"]
