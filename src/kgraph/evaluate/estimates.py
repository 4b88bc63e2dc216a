"""Values with 95 % intervals. Pure and repeatable: the bootstrap draws from a generator seeded with a constant."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from kgraph.tuples import NamedTuple

Z = 1.959964  # two-sided 95 % of a normal distribution
RESAMPLES = 500
SEED = 20_240_917

Item = TypeVar("Item")


class Estimate(NamedTuple):
    """A value, the interval that 95 % of such samples would put it in, and the number of items that it rests on."""

    value: float
    low: float
    high: float
    n: int


def proportion(hits: int, n: int) -> Estimate:
    """``hits`` of ``n``, with Wilson's interval, which stays sensible at 0, at 1 and for few items."""
    if n == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    share = hits / n
    centre = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half), n)


def mean(values: Sequence[float]) -> Estimate:
    """The mean of one value an item, with a bootstrap interval over the items."""
    return bootstrap(values, lambda some: sum(some) / len(some))


def bootstrap(items: Sequence[Item], figure: Callable[[Sequence[Item]], float]) -> Estimate:
    """Any figure of a list of items: its value on all, and the middle 95 % of its values on resamples."""
    if not items:
        return Estimate(0.0, 0.0, 1.0, 0)
    chance = random.Random(SEED)
    drawn = sorted(figure(chance.choices(items, k=len(items))) for _ in range(RESAMPLES))
    low, high = drawn[round(0.025 * (RESAMPLES - 1))], drawn[round(0.975 * (RESAMPLES - 1))]
    return Estimate(figure(items), low, high, len(items))


def f1(precision: float, recall: float) -> float:
    """The harmonic mean, 0 when both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
