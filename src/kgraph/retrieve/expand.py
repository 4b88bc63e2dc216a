"""From seeds to a neighbourhood: a personalised PageRank that leans towards what the question asks.

Mass walks from the seeds over edges, better evidenced ones first; at each node it is divided, so that a hub passes little on to each
neighbour, and claims that share the question's words get more of it. What several seeds lead to rises. The walk is bounded in hops, in
nodes and in edges looked at, and says when a bound cut it short.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.index.adjacency import has_merges, hops_one_way, types
from kgraph.index.read import Hop, Reader
from kgraph.retrieve.seeds import Seed
from kgraph.tuples import NamedTuple

PREDICATE_WEIGHT = {
    "MENTIONS": 0.8, "SUPPORTS": 0.9, "CONTRADICTS": 1.0, "DERIVED_FROM": 0.7, "PRODUCED": 0.7, "EVALUATES": 0.7, "REVISES": 0.8,
    "SUPERSEDES": 0.9, "DEPENDS_ON": 0.9, "PARENT_OF": 0.6, "RESOLVED_TO": 0.0,
}  # fmt: skip
STATUS_WEIGHT = {
    "verified": 1.0, "moved": 0.95, "located": 0.9, "unchecked": 0.8, "none": 0.75, "ambiguous": 0.6, "missing": 0.3, "stale": 0.3,
}  # fmt: skip
ROUNDS = 8  # of the walk; more change nothing that is shown
WIDEST = 150  # nodes that are opened, a hop
FANOUT = 100  # edges of one node that are looked at, each way
MOST_NODES = 1000
TO_SOURCE = 0.2  # of a claim's mass goes to its Sources, the rest to what it speaks of
UNASKED = 0.1  # weight of a claim that shares no word with the question
LEANED = 10.0  # weight of a relation that the question asks for


class Wanted(NamedTuple):
    """Which edges may be walked and shown, and how far. ``beyond``: further hops that are walked to rank Sources by.

    ``asked``: for a thing that is named, the relations (predicate, forward) that the question wants to know of it.
    """

    predicates: tuple[str, ...] = ()
    min_confidence: float = 0.0
    hops: int = 2
    beyond: int = 1
    asked: Mapping[int, tuple[str, bool]] = {}


class Reached(NamedTuple):
    """``scores`` by canonical node, ``distance`` in hops from the nearest seed, ``hops`` of the nodes that were opened, their ``kinds``."""

    scores: dict[int, float]
    distance: dict[int, int]
    hops: dict[int, list[Hop]]
    kinds: dict[int, str]
    bounded: bool


class Canonical:
    """The canonical view of what is read: which node stands for which, asked for in batches and kept."""

    def __init__(self, reader: Reader, surface: bool) -> None:
        self._reader = reader
        self._of: dict[int, int] = {}
        self.merged = not surface and has_merges(reader)

    def of(self, nids: Sequence[int]) -> list[int]:
        if not self.merged:
            return list(nids)
        unknown = [nid for nid in nids if nid not in self._of]
        if unknown:
            self._of.update(self._reader.canonical(unknown))
        return [self._of.get(nid, nid) for nid in nids]

    def one(self, nid: int) -> int:
        return self.of([nid])[0]

    def members(self, nid: int) -> list[int]:
        return self._reader.members(nid) if self.merged else [nid]


def hop_weight(hop: Hop) -> float:
    sure = 1.0 if hop.confidence is None else 0.5 + 0.5 * hop.confidence
    return PREDICATE_WEIGHT[hop.predicate] * STATUS_WEIGHT[hop.status] * sure


def sure_enough(hop: Hop, least: float) -> bool:
    """An edge that states no confidence isn't known to be unsure."""
    return not least or hop.confidence is None or hop.confidence >= least


class Expansion:
    """Opens nodes and walks over what it has opened."""

    def __init__(
        self, reader: Reader, view: Canonical, wanted: Wanted, relevance: dict[int, float]
    ) -> None:
        self._reader = reader
        self._view = view
        self._wanted = wanted
        self._relevance = relevance
        self._hops: dict[int, list[Hop]] = {}
        self._kinds: dict[int, str] = {}
        self._parts: dict[int, list[tuple[int, float]]] = {}
        self._bounded = False

    def run(self, seeds: Sequence[Seed]) -> Reached:
        """Open the best nodes hop by hop, then walk until the scores settle."""
        mass: dict[int, float] = {}
        for seed in seeds:
            nid = self._view.one(seed.nid)
            mass[nid] = mass.get(nid, 0.0) + seed.mass
        distance = dict.fromkeys(mass, 0)
        self._learn_kinds(list(mass))
        scores = dict(mass)
        for hop in range(self._wanted.hops + self._wanted.beyond):
            closed = [nid for nid in distance if distance[nid] == hop and nid not in self._hops]
            closed.sort(key=lambda nid: (-scores.get(nid, 0.0), nid))
            inside = hop < self._wanted.hops
            self._bounded = self._bounded or (inside and len(closed) > WIDEST)
            for nid in closed[:WIDEST]:
                self._open(nid, distance, hop + 1)
            fresh = [nid for nid in distance if nid not in self._kinds]
            self._learn_kinds(fresh)
            self._drop_judgements(fresh, distance)
            scores = self._walk(mass, hop + 1)
        scores = self._walk(mass, ROUNDS) if self._hops else scores
        for nid in distance:
            scores.setdefault(nid, 0.0)
        return Reached(scores, distance, self._hops, self._kinds, self._bounded)

    def _open(self, nid: int, distance: dict[int, int], there: int) -> None:
        kept = []
        for hop in self.hops_of(nid):
            if hop.there not in distance:
                if len(distance) >= MOST_NODES * (1 if there <= self._wanted.hops else 3):
                    self._bounded = self._bounded or there <= self._wanted.hops
                    continue
                distance[hop.there] = there
            kept.append(hop)
        self._hops[nid] = kept

    def hops_of(self, nid: int) -> list[Hop]:
        """The edges of a canonical node that may be walked, merges left out, ends canonical."""
        wanted = self._wanted
        found: list[Hop] = []
        for member in self._view.members(nid):
            found += self._some_hops(member, wanted.predicates)
        if not self._view.merged:
            least = wanted.min_confidence
            return [
                hop
                for hop in found
                if hop.there != nid
                and hop.predicate != "RESOLVED_TO"
                and (not least or sure_enough(hop, least))
            ]
        ends = self._view.of([hop.there for hop in found])
        return [
            hop._replace(here=nid, there=there) for hop, there in zip(found, ends, strict=True)
            if there != nid and hop.predicate != "RESOLVED_TO"
            and sure_enough(hop, wanted.min_confidence)
        ]  # fmt: skip

    def _some_hops(self, nid: int, predicates: Sequence[str]) -> list[Hop]:
        """At most a bound each way, in the order of the index: sorting the edges of a hub would cost more than all the rest."""
        found: list[Hop] = []
        for forward in (True, False):
            hops = hops_one_way(self._reader, nid, forward, FANOUT, predicates)
            self._bounded = self._bounded or len(hops) == FANOUT
            found += hops
        return found

    def _learn_kinds(self, nids: Sequence[int]) -> None:
        self._kinds.update(types(self._reader, nids))

    def _drop_judgements(self, fresh: Sequence[int], distance: dict[int, int]) -> None:
        """A judgement that two things are not one ties them together no more than it makes them one."""
        judged = self._reader.judgements(
            nid for nid in fresh if self._kinds.get(nid) == "Evaluation"
        )
        if judged:
            for nid in judged:
                del distance[nid]
            self._hops = {
                nid: [hop for hop in hops if hop.there not in judged]
                for nid, hops in self._hops.items()
            }

    def _walk(self, mass: dict[int, float], rounds: int) -> dict[int, float]:
        scores = dict(mass)
        for nid, hops in self._hops.items():
            if nid not in self._parts:
                self._parts[nid] = self._shares(nid, hops)
        for _ in range(rounds):
            spread: dict[int, float] = {}
            for nid, amount in mass.items():
                for there, share in self._parts.get(nid, ()):
                    spread[there] = spread.get(there, 0.0) + amount * share
            for nid, amount in spread.items():
                scores[nid] = scores.get(nid, 0.0) + amount
            mass = {nid: amount for nid, amount in spread.items() if amount > 1e-9}
        return scores

    def _shares(self, nid: int, hops: list[Hop]) -> list[tuple[int, float]]:
        """What part of its mass a node passes to each neighbour: it adds up to what the edges are worth, at most one."""
        if not hops:
            return []
        weights = [self._weight(hop) for hop in hops]
        split = (
            self._kinds.get(nid) == "Claim"
            and len({self._kinds.get(hop.there) == "Source" for hop in hops}) > 1
        )
        parts = {True: TO_SOURCE, False: 1 - TO_SOURCE} if split else {True: 1.0, False: 1.0}
        sums = {True: 0.0, False: 0.0}
        for hop, weight in zip(hops, weights, strict=True):
            sums[split and self._kinds.get(hop.there) == "Source"] += weight
        return [
            (hop.there, weight / sums[side] * parts[side]) for hop, weight in zip(hops, weights, strict=True)
            for side in [split and self._kinds.get(hop.there) == "Source"]
        ]  # fmt: skip

    def _weight(self, hop: Hop) -> float:
        asked = (
            UNASKED + self._relevance.get(hop.there, 0.0)
            if self._kinds.get(hop.there) == "Claim"
            else 1.0
        )
        leans = self._wanted.asked and self._wanted.asked.get(hop.here) == (
            hop.predicate,
            hop.forward,
        )
        return hop_weight(hop) * asked * (LEANED if leans else 1.0)
