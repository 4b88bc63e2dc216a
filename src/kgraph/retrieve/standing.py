"""How a Claim stands: the Sources that carry it, what is said against it, and what took its place."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.index.read import EdgeView, Hop, NodeView, Reader
from kgraph.index.rows import STATUS_RANK
from kgraph.retrieve.carrying import Carrying
from kgraph.retrieve.times import Period, Span, any_holds, holds, mark, spans_of_edge, spans_of_node
from kgraph.support import Support
from kgraph.tuples import NamedTuple

MOST_TIES = 200  # edges of one claim that are looked at, best evidenced first
MOST_STEPS = 50  # replacements of replacements
WORTHLESS = ("missing", "stale", "ambiguous")


class Tie(NamedTuple):
    """A Source that carries a claim. ``outdated``: another Source replaces that Source. ``status``: verified, moved, located or unchecked
    (also for a tie without a citation), as the file is now. ``support``: whether the quoted words carry the claim."""

    edge: EdgeView
    source: NodeView
    outdated: bool
    status: str
    support: Support

    @property
    def sound(self) -> bool:
        """Whether it may carry a verdict."""
        return not self.outdated and not self.support.doubtful

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
    unusable: tuple[tuple[EdgeView, str], ...]  # ties whose words can't be found, with their status
    against: tuple[Opposing, ...]
    replaced: tuple[Opposing, ...]
    denies: frozenset[int]  # claims that this one contradicts
    valid: bool
    held: str = ""  # 'held until …' where it isn't valid at the time asked for

    @property
    def rank(self) -> int:
        """How well it is evidenced, smaller is better; worse than anything without a usable tie."""
        return min(
            (STATUS_RANK[tie.status] for tie in self.ties if tie.sound), default=len(STATUS_RANK)
        )


Status = Callable[[EdgeView], str]  # how a citation stands, as the file is now


def _recorded(edge: EdgeView) -> str:
    return edge.status


class ClaimEvaluator:
    """Judges claims of one graph, each once. ``at``: the time of the world that counts, None for any; ``status``: how a citation stands
    now, as it was recorded where that isn't looked at."""

    def __init__(
        self, reader: Reader, at: Period | None = None, status: Status | None = None
    ) -> None:
        self.reader = reader
        self.at = at
        self.carrying = Carrying(reader)
        self._status = status or _recorded
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
        tenures = self._tenures(claim)
        ties, unusable = self._ties(members, tenures)
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
        valid = any_holds(tenures, self.at)
        return Standing(
            claim,
            tuple(ties),
            tuple(unusable),
            _ordered(against),
            _ordered(replaced),
            frozenset(denies),
            valid,
            "" if valid or self.at is None else mark(tenures, self.at.start),
        )

    def holds(self, edge: EdgeView) -> bool:
        """Whether an edge was true of the world at the moment that is asked for."""
        return self.at is None or any_holds(spans_of_edge(self.reader, edge), self.at)

    def _node_holds(self, node: NodeView) -> bool:
        return self.at is None or any_holds(self._tenures(node), self.at)

    def _tenures(self, node: NodeView) -> list[Span]:
        """When a node holds: its own intervals and those of what was merged into it."""
        members = self.reader.members(node.canon)
        views = self.reader.nodes(members).values() if len(members) > 1 else (node,)
        return [span for view in views for span in spans_of_node(self.reader, view)]

    def _of_its_tenure(self, edge: EdgeView, tenures: list[Span]) -> bool:
        """Whether a tie speaks of a tenure that counts: whoever said it told the tenure in the same breath, or none."""
        own = [span for span in tenures if span.tx == edge.tx]
        return self.at is None or not own or any(holds(span, self.at) for span in own)

    def _ties(
        self, members: list[int], tenures: list[Span] | None = None
    ) -> tuple[list[Tie], list[tuple[EdgeView, str]]]:
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
            if tenures and not self._of_its_tenure(edge, tenures):
                continue
            status = self.status(edge)
            if status in WORTHLESS:
                unusable.append((edge, status))
            else:
                support = self.carrying.of(edge)
                ties.append(Tie(edge, source, self._outdated(source), status, support))
        ties.sort(
            key=lambda tie: (
                not tie.sound,
                STATUS_RANK[tie.status],
                -(tie.edge.confidence or 0.0),
                tie.edge.id,
            )
        )
        return ties, unusable

    def status(self, edge: EdgeView) -> str:
        """How an edge's citation stands; one without a citation is unchecked."""
        status = self._status(edge)
        return "unchecked" if status == "none" else status

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
                status = self.status(edge)
                place = edge.source_doc or (node.name if node.type == "Source" else "")
                found.append(
                    Opposing(edge, node, "" if status in WORTHLESS else status, edge, place)
                )
        return found

    def _by_claim(self, edge: EdgeView, claim: NodeView) -> Opposing:
        """A claim weighs as much as the best Source that carries it, and nothing without one."""
        ties, _ = self._ties(self.reader.members(claim.canon))
        ties = [tie for tie in ties if tie.sound]
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
