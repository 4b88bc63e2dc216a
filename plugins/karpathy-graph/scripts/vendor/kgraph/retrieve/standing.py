"""How a Claim stands: the Sources that carry it, what is said against it, and what took its place."""

from __future__ import annotations

from typing import Any

from kgraph.index.read import EdgeView, Hop, NodeView, Reader
from kgraph.index.rows import STATUS_RANK
from kgraph.retrieve.question import holds_at
from kgraph.tuples import NamedTuple

MOST_TIES = 200  # edges of one claim that are looked at, best evidenced first
MOST_STEPS = 50  # replacements of replacements
WORTHLESS = ("missing", "stale", "ambiguous")


class Tie(NamedTuple):
    """A Source that carries a claim. ``outdated``: another Source replaces that Source."""

    edge: EdgeView
    source: NodeView
    outdated: bool

    @property
    def status(self) -> str:
        """verified, moved, located or unchecked; a tie without a citation is unchecked."""
        return "unchecked" if self.edge.status == "none" else self.edge.status

    @property
    def place(self) -> str:
        return self.edge.source_doc or str(self.source.fields.get("uri") or self.source.name)


class Opposing(NamedTuple):
    """Something that stands against a claim: the edge that says so and how well that is evidenced ('' if it isn't).

    ``cited`` is the edge whose words count, ``place`` where they stand.
    """

    edge: EdgeView
    node: NodeView
    status: str
    cited: EdgeView
    place: str = ""

    @property
    def where(self) -> str:
        return self.place or self.status


class Standing(NamedTuple):
    """A claim with what carries it and what stands against it, as of one moment of the world."""

    claim: NodeView
    ties: tuple[Tie, ...]  # usable ones, best first
    unusable: tuple[EdgeView, ...]  # ties whose words can't be found
    against: tuple[Opposing, ...]
    replaced: tuple[Opposing, ...]
    denies: frozenset[int]  # claims that this one contradicts
    valid: bool

    @property
    def rank(self) -> int:
        """How well it is evidenced, smaller is better; worse than anything without a usable tie."""
        return min((STATUS_RANK[tie.status] for tie in self.ties), default=len(STATUS_RANK))


class ClaimEvaluator:
    """Judges claims of one graph, each once. ``at``: a moment of the world, '' for any."""

    def __init__(self, reader: Reader, at: str = "") -> None:
        self.reader = reader
        self.at = at
        self._known: dict[int, Standing] = {}

    def of(self, nid: int) -> Standing:
        """The standing of a claim and of all that was merged with it."""
        canon = self.reader.canonical([nid]).get(nid, nid)
        if canon not in self._known:
            self._known[canon] = self._judged(canon)
        return self._known[canon]

    def _judged(self, canon: int) -> Standing:
        claim = self.reader.node(canon)
        members = self.reader.members(canon)
        ties, unusable = self._ties(members)
        against, replaced, denies = [], [], set()
        for member in members:
            hops = self.reader.hops(member, ("CONTRADICTS", "SUPERSEDES", "REVISES"), MOST_TIES)
            against += self._opposing(
                [hop for hop in hops if hop.predicate == "CONTRADICTS" and not hop.forward]
            )
            denies |= set(
                self.reader.canonical(
                    hop.there for hop in hops if hop.predicate == "CONTRADICTS" and hop.forward
                ).values()
            )
            heads = self._heads(
                [hop for hop in hops if hop.predicate != "CONTRADICTS" and not hop.forward],
                set(members),
            )
            replaced += [one for one in heads if one.status]
            against += [
                one for one in heads if not one.status
            ]  # said to replace it and not evidenced: shown, and worth no more
        valid = self._node_holds(claim)
        return Standing(
            claim,
            tuple(ties),
            tuple(unusable),
            _ordered(against),
            _ordered(replaced),
            frozenset(denies),
            valid,
        )

    def holds(self, edge: EdgeView) -> bool:
        """Whether an edge was true of the world at the moment that is asked for."""
        return self._holds(edge.valid_from, edge.valid_to)

    def _node_holds(self, node: NodeView) -> bool:
        return self._holds(node.fields.get("valid_from"), node.fields.get("valid_to"))

    def _holds(self, start: Any, end: Any) -> bool:
        return not self.at or holds_at(start, end, self.at)

    def _ties(self, members: list[int]) -> tuple[list[Tie], list[EdgeView]]:
        hops: list[Hop] = []
        for member in members:
            for hop in self.reader.hops(member, ("SUPPORTS", "DERIVED_FROM"), MOST_TIES):
                if hop.forward == (hop.predicate == "DERIVED_FROM"):
                    hops.append(hop)
        ends = self.reader.nodes(hop.there for hop in hops)
        views = self.reader.edges(hop.eid for hop in hops)
        ties, unusable = [], []
        for hop in hops:
            source, edge = ends[hop.there], views[hop.eid]
            if source.type != "Source" or not source.live or not self.holds(edge):
                continue
            if edge.status in WORTHLESS:
                unusable.append(edge)
            else:
                ties.append(Tie(edge, source, self._outdated(source)))
        ties.sort(
            key=lambda tie: (
                tie.outdated,
                STATUS_RANK[tie.status],
                -(tie.edge.confidence or 0.0),
                tie.edge.id,
            )
        )
        return ties, unusable

    def _outdated(self, source: NodeView) -> bool:
        return any(
            not hop.forward for hop in self.reader.hops(source.nid, ("SUPERSEDES", "REVISES"), 1)
        )

    def _opposing(self, hops: list[Hop]) -> list[Opposing]:
        ends = self.reader.nodes(hop.there for hop in hops)
        views = self.reader.edges(hop.eid for hop in hops)
        found = []
        for hop in hops:
            node, edge = ends[hop.there], views[hop.eid]
            if not self.holds(edge) or not self._node_holds(node):
                continue
            if node.type == "Claim":
                found.append(self._by_claim(edge, node))
            else:
                status = "unchecked" if edge.status == "none" else edge.status
                place = edge.source_doc or (node.name if node.type == "Source" else "")
                found.append(
                    Opposing(edge, node, "" if status in WORTHLESS else status, edge, place)
                )
        return found

    def _by_claim(self, edge: EdgeView, claim: NodeView) -> Opposing:
        """A claim weighs as much as the best Source that carries it, and nothing without one."""
        ties, _ = self._ties(self.reader.members(claim.canon))
        ties = [tie for tie in ties if not tie.outdated]
        if not ties:
            return Opposing(edge, claim, "", edge, edge.source_doc)
        return Opposing(edge, claim, ties[0].status, ties[0].edge, ties[0].place)

    def _heads(self, hops: list[Hop], members: set[int]) -> list[Opposing]:
        """What stands at the end of each chain of replacements; a chain that comes back to the claim itself ends there."""
        found: list[Opposing] = []
        seen = set(members)
        waiting = list(hops)
        while waiting and len(seen) < MOST_STEPS:
            hop = waiting.pop()
            if hop.there in seen:
                continue
            seen.add(hop.there)
            node = self.reader.node(hop.there)
            if not self._node_holds(node):
                continue
            newer = [
                one
                for one in self.reader.hops(hop.there, ("SUPERSEDES", "REVISES"), MOST_TIES)
                if not one.forward
            ]
            if any(one.there in members for one in newer):
                continue
            waiting += newer
            found.append(self._by_claim(self.reader.edges([hop.eid])[hop.eid], node))
        return found


def _ordered(found: list[Opposing]) -> tuple[Opposing, ...]:
    """Best evidenced first, then the latest word."""
    unique = {one.edge.eid: one for one in found}.values()
    latest = sorted(unique, key=lambda one: (one.cited.ts, one.edge.id), reverse=True)
    return tuple(sorted(latest, key=lambda one: STATUS_RANK.get(one.status, len(STATUS_RANK))))
