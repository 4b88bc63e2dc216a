"""How two nodes are connected: shortest provenance routes, best supported first among equals.

The search walks from both ends at once, the cheaper side first, over canonical nodes. It is bounded by the edges that it looks at and
says so when it gives up. A Source, or a judgement that two things are not one, may be an end of a route and never a step in it;
CONTRADICTS is walked only when it is asked for, and no route leads through a claim that two things are unrelated.
"""

from __future__ import annotations

from typing import Any

from kgraph.errors import UsageError
from kgraph.index.adjacency import hops_one_way, types
from kgraph.index.read import EdgeView, Hop, NodeView, Reader
from kgraph.index.rows import STATUS_RANK, STATUSES
from kgraph.retrieve.expand import Canonical, sure_enough
from kgraph.retrieve.times import any_holds, mark, period, spans_of_edge, spans_of_node
from kgraph.support.relations import parts
from kgraph.tuples import NamedTuple

MOST_EDGES = 8_000  # looked at in one search
AT_ONE_NODE = 3_000  # of them at one node, each way
HUB = 2_000  # edges of a node that are looked at before the other side is
SAMPLED = 50  # nodes of a level by which its cost is judged
FRONTIER = 8  # of what an end does reach, shown when there is no route
ASKED = 400


class PathOptions(NamedTuple):
    """How far and over what a route may go."""

    k: int = 3
    max_depth: int = 6
    edge_types: tuple[str, ...] = ()
    directed: bool = False
    min_confidence: float = 0.0
    at: str = ""  # only what held then: 2016, 2020-06, a date or an instant

    def check(self) -> None:
        period(self.at)
        if self.k < 1:
            raise UsageError("--k must be at least 1", "the default is 3")
        if not 1 <= self.max_depth <= 20:
            raise UsageError("--max-depth must be between 1 and 20", "the default is 6")


class Side(NamedTuple):
    """One end's search: for each node met the hops that lead to it from the level before, and the levels."""

    forward: bool
    steps: dict[int, list[Hop]]
    levels: list[list[int]]


class _Search:
    """Level by level from both ends. Every hop seen that lies on a shortest route is kept, so that the best of them can be chosen."""

    def __init__(self, reader: Reader, walk: PathOptions, ends: tuple[int, int]) -> None:
        self.reader = reader
        self.walk = walk
        self.view = Canonical(reader, False)
        self.ends = ends
        self.at = period(walk.at)
        self.left = MOST_EDGES
        self.gave_up = False
        self.sides = (
            Side(True, {ends[0]: []}, [[ends[0]]]),
            Side(False, {ends[1]: []}, [[ends[1]]]),
        )
        self._ends_only: dict[int, bool] = dict.fromkeys(ends, False)

    def run(self) -> int:
        """The length of the shortest route, or -1."""
        one, other = self.sides
        while one.levels[-1] and other.levels[-1]:
            length = len(one.levels) + len(other.levels) - 2
            if length >= self.walk.max_depth or self.left <= 0:
                self.gave_up = self.gave_up or self._open()
                break
            side, opposite = self._cheaper()
            fresh = self._level(side)
            side.levels.append(fresh)
            met = [nid for nid in fresh if nid in opposite.steps]
            self._learn_ends(met)
            if any(not self._ends_only[nid] for nid in met):
                return length + 1
        self.gave_up = self.gave_up or self.left <= 0
        return -1

    def _open(self) -> bool:
        """Whether a bound stops the search while both ends could be followed further."""
        for side in self.sides:
            self._learn_ends(side.levels[-1])
        return all(any(not self._ends_only[nid] for nid in side.levels[-1]) for side in self.sides)

    def _cheaper(self) -> tuple[Side, Side]:
        costs = [self._cost(side.levels[-1]) for side in self.sides]
        return (
            (self.sides[0], self.sides[1])
            if costs[0] <= costs[1]
            else (self.sides[1], self.sides[0])
        )

    def _cost(self, level: list[int]) -> int:
        """How many edges leave a level, judged by its first nodes."""
        some = level[:SAMPLED]
        return (
            sum(min(self.reader.degree(nid, HUB), HUB) for nid in some)
            * len(level)
            // max(1, len(some))
        )

    def _level(self, side: Side) -> list[int]:
        """One hop further from everything that was met last; Sources are no steps and aren't opened."""
        fresh: dict[int, list[Hop]] = {}
        self._learn_ends(side.levels[-1])
        for nid in side.levels[-1]:
            if self._ends_only[nid]:
                continue
            if self.left <= 0:
                self.gave_up = True
                break
            for hop in self._hops(nid, side):
                if hop.there not in side.steps:
                    fresh.setdefault(hop.there, []).append(hop)
        side.steps.update(fresh)
        return sorted(fresh)

    def _hops(self, nid: int, side: Side) -> list[Hop]:
        """The edges of a canonical node that may be walked, at most a bound each way; ends canonical."""
        found: list[Hop] = []
        wanted = self.walk.edge_types
        unwanted = () if wanted else ("RESOLVED_TO", "CONTRADICTS")
        for member in self.view.members(nid):
            for forward in (True, False):
                if self.walk.directed and forward != side.forward:
                    continue
                limit = max(1, min(self.left, AT_ONE_NODE))
                hops = hops_one_way(self.reader, member, forward, limit, wanted, unwanted)
                self.left -= len(hops)
                self.gave_up = self.gave_up or len(hops) == limit
                found += [hop._replace(here=nid) for hop in hops]
        if self.at is not None:
            found = self._held(found)
        if self.walk.min_confidence:
            found = [hop for hop in found if sure_enough(hop, self.walk.min_confidence)]
        ends = self.view.of([hop.there for hop in found])
        if ends != [hop.there for hop in found]:
            found = [hop._replace(there=there) for hop, there in zip(found, ends, strict=True)]
        return [hop for hop in found if hop.there != nid and hop.predicate != "RESOLVED_TO"]

    def _held(self, hops: list[Hop]) -> list[Hop]:
        """Those whose edge and whose other end held at the time asked for."""
        views = self.reader.edges(hop.eid for hop in hops)
        nodes = self.reader.nodes(hop.there for hop in hops)
        return [
            hop
            for hop in hops
            if any_holds(spans_of_edge(self.reader, views[hop.eid]), self.at)
            and any_holds(spans_of_node(self.reader, nodes[hop.there]), self.at)
        ]

    def _learn_ends(self, nids: list[int]) -> None:
        unknown = [nid for nid in nids if nid not in self._ends_only]
        kinds = types(self.reader, unknown)
        judged = self.reader.judgements(nid for nid, kind in kinds.items() if kind == "Evaluation")
        claims = self.reader.nodes(nid for nid, kind in kinds.items() if kind == "Claim")
        parting = {nid for nid, claim in claims.items() if parts(claim.name)}
        self._ends_only.update(
            (nid, kind == "Source" or nid in judged or nid in parting)
            for nid, kind in kinds.items()
        )

    # -- from hops to routes --------------------------------------------------------------------------------------------------------

    def routes(self) -> list[list[Hop]]:
        """The best supported shortest routes, each from the first end to the second."""
        one, other = self.sides
        met = [
            nid for nid in one.steps if nid in other.steps and not self._ends_only.get(nid, False)
        ]
        shortest = len(one.levels) + len(other.levels) - 2
        found: list[tuple[float, list[Hop]]] = []
        for nid in met:
            for head in self._trails(one, nid):
                for tail in self._trails(other, nid):
                    route = [*reversed(head), *(_turned(hop) for hop in tail)]
                    if len(route) == shortest:
                        found.append((sum(weakness(hop) for hop in route), route))
        unique = {tuple(hop.eid for hop in route): (weak, route) for weak, route in found}
        best = sorted(unique.values(), key=lambda item: (item[0], [hop.eid for hop in item[1]]))
        return [route for _, route in best[: self.walk.k]]

    def _trails(self, side: Side, nid: int) -> list[list[Hop]]:
        """The best ways back from a node to its side's end, at most a few more than are wanted."""
        if not side.steps[nid]:
            return [[]]
        trails: list[tuple[float, list[Hop]]] = []
        for hop in sorted(side.steps[nid], key=lambda hop: (weakness(hop), hop.eid))[
            : self.walk.k * 4
        ]:
            for rest in self._trails(side, hop.here):
                trails.append((weakness(hop) + sum(map(weakness, rest)), [hop, *rest]))
        trails.sort(key=lambda item: (item[0], [hop.eid for hop in item[1]]))
        return [trail for _, trail in trails[: self.walk.k * 2]]


def _turned(hop: Hop) -> Hop:
    return hop._replace(here=hop.there, there=hop.here, forward=not hop.forward)


def weakness(hop: Hop) -> float:
    """How little a link is supported: 0 is best."""
    return STATUS_RANK[hop.status] / len(STATUSES) + (
        1.0 - (hop.confidence if hop.confidence is not None else 0.9)
    )


def path(
    reader: Reader, ends: tuple[NodeView, NodeView], walk: PathOptions, now: str = ""
) -> dict[str, Any]:
    """Routes between two nodes, or what each end does reach: found, hops, route, citations, weakest, alternatives, exhausted.

    ``now``: steps that don't hold any more are marked (``held``), and routes without them come first.
    """
    walk.check()
    start, end = ends[0].canon, ends[1].canon
    named = {"from": _brief(ends[0]), "to": _brief(ends[1]), "max_depth": walk.max_depth}
    if start == end:
        return {
            "found": True,
            "hops": 0,
            **named,
            "route": [],
            "citations": [],
            "weakest": None,
            "alternatives": [],
            "exhausted": True,
        }
    search = _Search(reader, walk, (start, end))
    length = search.run()
    if length < 0:
        return {
            "found": False, "hops": None, **named, "route": [], "citations": [], "weakest": None, "alternatives": [],
            "exhausted": not search.gave_up, "frontier": {"from": _frontier(search, 0), "to": _frontier(search, 1)},
        }  # fmt: skip
    routes = [_described(reader, route, now) for route in search.routes()]
    routes.sort(key=lambda one: any("held" in step for step in one["route"]))
    best = routes[0]
    return {
        "found": True,
        "hops": length,
        **named,
        **best,
        "alternatives": routes[1:],
        "exhausted": not search.gave_up,
    }


def _brief(node: NodeView) -> dict[str, str]:
    return {"id": node.id, "type": node.type, "name": node.name}


def _frontier(search: _Search, side: int) -> list[dict[str, Any]]:
    """What an end does reach, farthest first and things before claims and Sources, so that the missing link can be named."""
    levels = search.sides[side].levels
    found: list[dict[str, Any]] = []
    for hops in range(len(levels) - 1, 0, -1):
        nodes = search.reader.nodes(levels[hops][:ASKED]).values()
        for node in sorted(nodes, key=lambda node: (node.type in ("Claim", "Source"), node.nid)):
            if len(found) < FRONTIER:
                found.append({**_brief(node), "hops": hops})
    return found


def _described(reader: Reader, route: list[Hop], now: str) -> dict[str, Any]:
    views = reader.edges(hop.eid for hop in route)
    nodes = reader.nodes(nid for hop in route for nid in (hop.here, hop.there))
    passed = _outdated(reader, views) if reader.replaces() else {}
    steps: list[dict[str, Any]] = []
    citations = []
    for hop in route:
        edge = views[hop.eid]
        arrow = f"-{edge.predicate}->" if hop.forward else f"<-{edge.predicate}-"
        here, there = nodes[hop.here], nodes[hop.there]
        steps.append(
            {"edge": edge.id, "predicate": edge.predicate, "from": here.id, "from_name": here.name, "to": there.id, "to_name": there.name,
             "forward": hop.forward, "arrow": arrow, "confidence": edge.confidence}
        )  # fmt: skip
        if hop.eid in passed:
            steps[-1]["outdated_by"] = passed[hop.eid]
        if held := mark(spans_of_edge(reader, edge), now) or next(
            (text for end in (here, there) if (text := mark(spans_of_node(reader, end), now))), ""
        ):
            steps[-1]["held"] = held
        citations.append(_citation(reader, edge, nodes))
        if hop.eid in passed:
            citations[-1]["outdated_by"] = passed[hop.eid]
    worst = max(
        range(len(route)),
        key=lambda at: (
            "outdated_by" in steps[at] or "held" in steps[at],
            STATUS_RANK[citations[at]["status"]],
            weakness(route[at]),
        ),
    )
    return {"route": steps, "citations": citations, "weakest": citations[worst]}


def _outdated(reader: Reader, views: dict[int, EdgeView]) -> dict[int, str]:
    from kgraph.retrieve.outdated import outdated
    from kgraph.retrieve.standing import ClaimEvaluator

    return {
        eid: one.by.node.name
        for eid, one in outdated(ClaimEvaluator(reader), views.values()).items()
    }


def _citation(reader: Reader, edge: EdgeView, nodes: dict[int, NodeView]) -> dict[str, Any]:
    """Where an edge stands written; without a citation of its own, where the Claim at its end does."""
    if edge.source_doc or edge.quote:
        return {
            "edge": edge.id,
            "source_doc": edge.source_doc,
            "quote": edge.quote,
            "status": edge.status,
        }
    for nid in (edge.src, edge.dst):
        node = nodes.get(nid)
        if node is None or node.type != "Claim":
            continue
        ties = [hop for hop in reader.hops(nid, ("SUPPORTS",), ASKED) if not hop.forward]
        for hop in sorted(ties, key=lambda hop: (weakness(hop), hop.eid))[:1]:
            tie = reader.edges([hop.eid])[hop.eid]
            return {
                "edge": edge.id,
                "source_doc": tie.source_doc,
                "quote": tie.quote,
                "status": tie.status,
                "through": tie.id,
            }
    return {"edge": edge.id, "source_doc": "", "quote": "", "status": "none"}
