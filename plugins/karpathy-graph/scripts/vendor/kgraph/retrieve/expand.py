"""From seeds to a neighbourhood: score spreads over edges, better evidenced ones first, and a hub passes little on.

This is a few rounds of personalised PageRank pushed forward from the seeds, bounded in hops and in the number of nodes looked at, so
that a node which several seeds lead to rises above one that only one does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from kgraph.index.read import Hop, Reader
from kgraph.retrieve.seeds import Seed

PREDICATE_WEIGHT = {
    "MENTIONS": 0.8, "SUPPORTS": 0.9, "CONTRADICTS": 1.0, "DERIVED_FROM": 0.7, "PRODUCED": 0.7, "EVALUATES": 0.7, "REVISES": 0.8,
    "SUPERSEDES": 0.9, "DEPENDS_ON": 0.9, "PARENT_OF": 0.6, "RESOLVED_TO": 0.0,
}  # fmt: skip
STATUS_WEIGHT = {
    "verified": 1.0, "moved": 0.95, "located": 0.9, "unchecked": 0.8, "none": 0.75, "ambiguous": 0.6, "missing": 0.3, "stale": 0.3,
}  # fmt: skip
PASSED_ON = 0.6
WIDEST = 120  # nodes that pass something on, a round
FANOUT = 100  # edges of one node that are looked at, each way
MOST_NODES = 1000


class Wanted(NamedTuple):
    """Which edges may be walked and shown."""

    predicates: tuple[str, ...] = ()
    min_confidence: float = 0.0
    hops: int = 2


class Reached(NamedTuple):
    """Scores by canonical node, the edges of those that passed something on, and whether a bound cut the expansion short."""

    scores: dict[int, float]
    hops: dict[int, list[Hop]]
    bounded: bool


class Canonical:
    """The canonical view of what is read: which node stands for which, asked for in batches and kept."""

    def __init__(self, reader: Reader, surface: bool) -> None:
        self._reader = reader
        self._surface = surface
        self._of: dict[int, int] = {}
        self._merged = not surface and reader.db.execute("SELECT 1 FROM node WHERE canon IS NOT NULL LIMIT 1").fetchone() is not None

    def of(self, nids: Sequence[int]) -> list[int]:
        if not self._merged:
            return list(nids)
        unknown = [nid for nid in nids if nid not in self._of]
        if unknown:
            self._of.update(self._reader.canonical(unknown))
        return [self._of.get(nid, nid) for nid in nids]

    def one(self, nid: int) -> int:
        return self.of([nid])[0]

    def members(self, nid: int) -> list[int]:
        return self._reader.members(nid) if self._merged else [nid]


def hop_weight(hop: Hop) -> float:
    confidence = 1.0 if hop.confidence is None else hop.confidence
    return PREDICATE_WEIGHT.get(hop.predicate, 0.5) * STATUS_WEIGHT[hop.status] * (0.5 + 0.5 * confidence)


def hops_of(reader: Reader, view: Canonical, nid: int, wanted: Wanted) -> list[Hop]:
    """The edges of a canonical node that may be walked, merges left out."""
    predicates = wanted.predicates
    found = [hop for member in view.members(nid) for hop in reader.hops(member, predicates, FANOUT)]
    return [
        hop for hop in found
        if hop.predicate != "RESOLVED_TO" and (not wanted.min_confidence or (hop.confidence is not None and hop.confidence >= wanted.min_confidence))
    ]  # fmt: skip


def expand(reader: Reader, view: Canonical, seeds: Sequence[Seed], wanted: Wanted) -> Reached:
    """Spread the seeds' scores over at most ``hops`` rounds."""
    mass: dict[int, float] = {}
    for seed in seeds:
        nid = view.one(seed.nid)
        mass[nid] = max(mass.get(nid, 0.0), seed.score)
    scores = dict(mass)
    seen: dict[int, list[Hop]] = {}
    bounded = False
    for _ in range(wanted.hops):
        widest = sorted(mass.items(), key=lambda item: (-item[1], item[0]))
        bounded = bounded or len(widest) > WIDEST
        spread: dict[int, float] = {}
        for nid, amount in widest[:WIDEST]:
            hops = seen[nid] = seen.get(nid) or hops_of(reader, view, nid, wanted)
            if not hops:
                continue
            bounded = bounded or len(hops) >= FANOUT
            ends = view.of([hop.there for hop in hops])
            damping = PASSED_ON / math.sqrt(max(1.0, len(hops) if len(hops) < FANOUT else reader.degree(nid)))
            for hop, there in zip(hops, ends, strict=True):
                if there != nid:
                    spread[there] = spread.get(there, 0.0) + amount * damping * hop_weight(hop)
        for nid, amount in spread.items():
            if nid not in scores and len(scores) >= MOST_NODES:
                bounded = True
                continue
            scores[nid] = scores.get(nid, 0.0) + amount
        mass = {nid: amount for nid, amount in spread.items() if nid in scores}
    return Reached(scores, seen, bounded)
