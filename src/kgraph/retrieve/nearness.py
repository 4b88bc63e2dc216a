"""Seeds by meaning: what lies near a text among vectors, fused with what shares its words.

The two orders are fused by reciprocal rank, since a likeness and a count of words can't be added. What is near passes on as little as a
node that shares words: a name tells more than either.
"""

from __future__ import annotations

from typing import Any, Protocol

from kgraph.index.read import Reader
from kgraph.retrieve.seeds import Heard, Seed
from kgraph.tuples import NamedTuple

SEEDS = 20  # that are taken from what is near
RANKS = 60  # a rank counts 1 / (RANKS + rank)
MASS = 0.002  # of the nearest, beside a name's 1


class Near(NamedTuple):
    """``hits``: (nid, likeness from 0 to 1), nearest first. ``told``: what isn't as it should be (missing, stale …)."""

    hits: list[tuple[int, float]]
    told: dict[str, Any]


class Nearness(Protocol):
    """What answers for the meaning of a text. ``mark`` changes when the vectors do: a cursor belongs to them."""

    @property
    def mark(self) -> str: ...

    def near(self, reader: Reader, text: str) -> Near: ...


def fuse(heard: Heard, near: Near) -> Heard:
    """The seeds of both, those first that both have; as they were where nothing is near."""
    if not near.hits:
        return heard
    by_words = {seed.nid: seed for seed in reversed(heard.seeds)}
    scores: dict[int, float] = {}
    for order in (
        list(dict.fromkeys(seed.nid for seed in heard.seeds)),
        [nid for nid, _ in near.hits[:SEEDS]],
    ):
        for rank, nid in enumerate(order):
            scores[nid] = scores.get(nid, 0.0) + RANKS / (RANKS + rank) / 2
    masses = {
        nid: MASS * RANKS / (RANKS + rank) * likeness**4
        for rank, (nid, likeness) in enumerate(near.hits[:SEEDS])
    }
    seeds = []
    for nid, score in scores.items():
        seed = by_words.get(nid) or Seed(nid, 0.0, "vector", "", 0.0)
        seeds.append(seed._replace(score=score, mass=seed.mass + masses.get(nid, 0.0)))
    seeds.sort(key=lambda seed: (-seed.score, seed.nid))
    return heard._replace(seeds=seeds)
