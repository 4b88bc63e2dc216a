"""What ``stats`` and the report count: one pass over the nodes, one over the edges, and what moved since the last render."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

from kgraph.model import Json
from kgraph.tuples import NamedTuple
from kgraph.views.snapshot import Edge, GraphMeta, Node, Snapshot

TIES = ("SUPPORTS", "DERIVED_FROM")
SUCCESSION = ("SUPERSEDES", "REVISES")


class Movement(NamedTuple):
    """A figure that moved since the last render, and what that usually means."""

    figure: str
    before: float
    now: float
    meaning: str
    alarm: bool


class Figures(NamedTuple):
    """Counts of the live graph. ``claims_by_support`` maps a number of distinct Sources to a number of Claims."""

    nodes: int
    edges: int
    density: float  # edges per node
    components: int
    largest_component: int
    isolated_nodes: int
    by_node_type: dict[str, int]
    by_edge_type: dict[str, int]
    surface_forms: int
    canonical_entities: int
    compression: float  # surface forms per canonical entity, merged kinds only
    merges: int
    merges_by_run: dict[str, int]
    evidence: dict[str, int]  # assertions of edges by status of their citation
    support: dict[str, int]  # edges with words by how well these carry them
    uncited: int  # edges from a Source to a Claim without quote or anchor
    claims_by_support: dict[int, int]
    inferences: int
    contradictions_open: int
    contradictions_settled: int
    superseded: int
    distinct_pairs: int  # merges declined
    units: dict[str, int]
    runs: int
    cost: float
    losses: dict[str, int]
    violations: int
    trends: tuple[Movement, ...]

    def as_json(self) -> dict[str, Json]:
        found: dict[str, Json] = dict(self._asdict())
        found["claims_by_support"] = {
            str(count): claims for count, claims in self.claims_by_support.items()
        }
        found["trends"] = [movement._asdict() for movement in self.trends]
        return found


def figures(snapshot: Snapshot) -> Figures:
    """Count a snapshot. Linear in nodes and edges; about 200 bytes a node are held meanwhile."""
    census = _Census()
    census.take_nodes(snapshot.nodes)
    census.take_edges(snapshot.edges)
    counted = census.figures(snapshot.meta)
    return counted._replace(trends=movements(snapshot.meta.previous, counted))


class _Census:
    """The running counts. Nodes are numbered as they come; ends of edges that name no node are counted nowhere."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.by_node_type: Counter[str] = Counter()
        self.by_edge_type: Counter[str] = Counter()
        self.merged: Counter[str] = Counter()  # canonical id → forms merged into it
        self.inference: set[int] = set()
        self.claims: dict[int, set[int]] = {}
        self.sources: set[int] = set()
        self.evidence: Counter[str] = Counter()
        self.support: Counter[str] = Counter()
        self.merges_by_run: Counter[str] = Counter()
        self.against: list[tuple[int, int]] = []
        self.replaced: set[int] = set()
        self.distinct = 0
        self.uncited = 0
        self.edges = 0
        self.parent = array("q")
        self.degree = array("q")

    def take_nodes(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            number = self.number.setdefault(node.id, len(self.number))
            self.by_node_type[node.type] += 1
            if node.canonical:
                self.merged[node.canonical] += 1
            if node.type == "Claim":
                self.claims[number] = set()
                if node.inferred:
                    self.inference.add(number)
            elif node.type == "Source":
                self.sources.add(number)
            elif is_distinct_verdict(node):
                self.distinct += 1
        self.parent = array("q", range(len(self.number)))
        self.degree = array("q", bytes(8 * len(self.number)))

    def take_edges(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            source, target = self.number.get(edge.source), self.number.get(edge.target)
            if source is None or target is None:
                continue
            self.edges += 1
            self.by_edge_type[edge.predicate] += 1
            self.degree[source] += 1
            self.degree[target] += 1
            self._join(source, target)
            self._take_statements(edge, source, target)

    def _take_statements(self, edge: Edge, source: int, target: int) -> None:
        self.evidence.update(said.status for said in edge.assertions if said.status)
        if edge.shown.support:
            self.support[edge.shown.support] += 1
        if edge.predicate == "SUPPORTS" and source in self.sources and target in self.claims:
            self.claims[target].add(source)
            if not edge.shown.status:
                self.uncited += 1
        elif edge.predicate == "DERIVED_FROM" and source in self.claims and target in self.sources:
            self.claims[source].add(target)
        elif edge.predicate == "CONTRADICTS":
            self.against.append((source, target))
        elif edge.predicate in SUCCESSION:
            self.replaced.add(target)
        elif edge.predicate == "RESOLVED_TO":
            self.merges_by_run[edge.shown.run_id] += 1

    def _root(self, number: int) -> int:
        parent = self.parent
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    def _join(self, one: int, other: int) -> None:
        one, other = self._root(one), self._root(other)
        if one != other:
            self.parent[max(one, other)] = min(one, other)

    def figures(self, meta: GraphMeta) -> Figures:
        nodes = len(self.number)
        components = Counter(self._root(number) for number in range(nodes))
        guesses = {
            number for number in self.inference if not self.claims[number]
        }  # what speaks against one settles it
        settled = sum(
            1
            for source, target in self.against
            if target in self.replaced or source in self.replaced or target in guesses
        )
        forms = sum(self.merged.values())
        clusters = len([canonical for canonical in self.merged if canonical in self.number])
        losses: Counter[str] = Counter()
        for run in meta.runs:
            losses.update(run.losses)
        return Figures(
            nodes=nodes,
            edges=self.edges,
            density=round(self.edges / nodes, 4) if nodes else 0.0,
            components=len(components),
            largest_component=max(components.values(), default=0),
            isolated_nodes=sum(1 for degree in self.degree if degree == 0),
            by_node_type=by_size(self.by_node_type),
            by_edge_type=by_size(self.by_edge_type),
            surface_forms=nodes,
            canonical_entities=nodes - forms,
            compression=round((forms + clusters) / clusters, 4) if clusters else 1.0,
            merges=self.by_edge_type["RESOLVED_TO"],
            merges_by_run=by_size(self.merges_by_run),
            evidence=by_size(self.evidence),
            support=by_size(self.support),
            uncited=self.uncited,
            claims_by_support=dict(
                sorted(Counter(len(sources) for sources in self.claims.values()).items())
            ),
            inferences=len(self.inference),
            contradictions_open=len(self.against) - settled,
            contradictions_settled=settled,
            superseded=len(self.replaced),
            distinct_pairs=self.distinct,
            units=by_size(Counter(unit.outcome for unit in meta.units)),
            runs=len(meta.runs),
            cost=round(sum(run.cost for run in meta.runs), 6),
            losses=by_size(losses),
            violations=len(meta.violations),
            trends=(),
        )


def is_distinct_verdict(node: Node) -> bool:
    """Whether a node is the record that two nodes were looked at and not merged (spec 4.2)."""
    return (
        node.type == "Evaluation"
        and node.fields.get("rubric") == "entity identity"
        and node.fields.get("result") == "distinct"
    )


def by_size(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(
        sorted(
            ((name, count) for name, count in counts.items() if count),
            key=lambda pair: (-pair[1], pair[0]),
        )
    )


class _Trend(NamedTuple):
    figure: str
    ratio: float  # now / before that is worth a word, above 1 upwards, below 1 downwards
    least: float  # a smaller difference than this says nothing
    meaning: str


# What each movement usually means; the ratios are where a reviewer should look, not laws.
_TRENDS = (
    _Trend(
        "isolated_nodes",
        1.5,
        3,
        "a run named things without saying anything of them; look at what the last run added",
    ),
    _Trend(
        "components",
        0.5,
        2,
        "parts that were apart are now joined: right after a merge of hubs, often a false merge",
    ),
    _Trend(
        "components",
        1.5,
        3,
        "what was added doesn't touch what was known: names that didn't resolve, or a new subject",
    ),
    _Trend(
        "density",
        0.8,
        0.1,
        "nodes grew faster than relations: extraction lists things and relates them less",
    ),
    _Trend("compression", 1.25, 0.2, "many more forms were merged into few: sample the merges"),
    _Trend("nodes", 0.9, 3, "nodes were withdrawn or merged away; the history says by whom"),
    _Trend(
        "contradictions_open",
        1.0001,
        1,
        "new statements stand against old ones: decide, supersede or keep both",
    ),
    _Trend("violations", 1.0001, 1, "the graph breaks more of its own rules than before"),
)
_ALARMS = ("isolated_nodes", "components", "density", "violations")


def movements(previous: Mapping[str, Json] | None, now: Figures) -> tuple[Movement, ...]:
    """What moved far enough since the last render to be worth a word. Figures that the last render didn't have are left out."""
    if previous is None:
        return ()
    found = []
    current = now.as_json()
    for trend in _TRENDS:
        before = previous.get(trend.figure)
        if isinstance(before, bool) or not isinstance(before, (int, float)):
            continue
        value = current[trend.figure]
        far = value >= before * trend.ratio if trend.ratio > 1 else value <= before * trend.ratio
        if far and abs(value - before) >= trend.least:
            found.append(
                Movement(trend.figure, before, value, trend.meaning, trend.figure in _ALARMS)
            )
    return tuple(found)
