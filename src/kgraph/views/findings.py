"""What a reviewer should look at first: the graph's weak places, worst first, each with examples and the command that goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kgraph.tuples import NamedTuple
from kgraph.views.figures import SUCCESSION, Figures
from kgraph.views.snapshot import Edge, Node, Snapshot

EXAMPLES = 5
BEST = 10
ASIDE = (
    "Claim",
    "AgentRun",
    "Commit",
    "Evaluation",
)  # what a graph says and who worked on it, not what it is about
HIGH_COMPRESSION = 3.0
LARGE_CLUSTER = 8
READ = ("done", "empty")  # outcomes of units that were read to their end, whatever was in them
WEAK = ("missing", "stale", "ambiguous")

_WORDS_OF_STATUS = {
    "missing": "the quoted words are not in the source",
    "stale": "the source changed after it was read",
    "ambiguous": "the quoted words stand in several places",
    "unchecked": "nobody held the citation against its source",
    "doubtful": "the words stand there and don't carry what they are cited for",
}


class Place(NamedTuple):
    """An example: an edge with the names of its ends, or a node (then ``target`` is empty)."""

    id: str
    source: str
    predicate: str = ""
    target: str = ""
    quote: str = ""
    source_doc: str = ""


class Finding(NamedTuple):
    title: str
    why: str
    times: int
    places: tuple[Place, ...]
    command: str


class Review(NamedTuple):
    """All that the report shows beside the figures."""

    findings: tuple[Finding, ...]
    contradictions: tuple[Place, ...]  # open ones, EXAMPLES × 4 at most
    replaced: tuple[
        Place, ...
    ]  # what no longer holds (the target) and what took its place, EXAMPLES × 4 at most
    ended: tuple[Node, ...]  # what is outside its validity now, EXAMPLES × 4 at most
    ended_count: int
    about: tuple[
        Node, ...
    ]  # the best connected things, BEST at most; claims and records of work are not what a graph is about
    sources: tuple[Node, ...]  # the Sources that most comes from, BEST at most
    largest_clusters: tuple[
        tuple[str, int], ...
    ]  # name of the canonical node, forms merged into it


class _Seen:
    """What the passes over nodes and edges pick out. Only examples are held, so a million edges cost no memory."""

    def __init__(self) -> None:
        self.edges: dict[str, list[Edge]] = {}
        self.counts: Counter[str] = Counter()
        self.replaced: set[str] = set()
        self.sourced: set[str] = set()
        self.names: dict[str, str] = {}
        self.ended: list[Node] = []

    def note(self, kind: str, edge: Edge, most: int = EXAMPLES) -> None:
        self.counts[kind] += 1
        kept = self.edges.setdefault(kind, [])
        if len(kept) < most:
            kept.append(edge)

    def place(self, edge: Edge) -> Place:
        shown = edge.shown
        ends = (self.names.get(edge.source, edge.source), self.names.get(edge.target, edge.target))
        return Place(edge.id, ends[0], edge.predicate, ends[1], shown.quote, shown.source_doc)


def review(snapshot: Snapshot, figures: Figures) -> Review:
    """Three passes: edges for the weak ones, edges again for contradictions still open, nodes for the names that are needed."""
    seen = _Seen()
    merged: Counter[str] = Counter()
    guesses = (
        {node.id for node in snapshot.nodes if node.inferred}
        if figures.inferences and figures.contradictions_open
        else set()
    )
    for edge in snapshot.edges:
        if edge.predicate == "SUPPORTS":
            guesses.discard(edge.target)
        if edge.predicate in SUCCESSION:
            seen.replaced.add(edge.target)
            seen.note("replaced", edge, EXAMPLES * 4)
        for status in {said.status for said in edge.assertions}:
            if status in _WORDS_OF_STATUS and edge.shown.status == status:
                seen.note(status, edge)
        if edge.shown.support == "doubtful":
            seen.note("doubtful", edge)
        if edge.predicate == "RESOLVED_TO":
            merged[edge.target] += 1
    if figures.contradictions_open:
        for edge in snapshot.edges:
            open_still = (
                edge.source not in seen.replaced
                and edge.target not in seen.replaced
                and edge.target not in guesses
            )
            if edge.predicate == "CONTRADICTS" and open_still:
                seen.note("contradiction", edge, EXAMPLES * 4)
    clusters = merged.most_common(EXAMPLES)
    isolated, about, sources = _nodes(
        snapshot.nodes, seen, {canonical for canonical, _ in clusters}
    )
    contradictions = tuple(seen.place(edge) for edge in seen.edges.get("contradiction", ()))
    replaced = tuple(seen.place(edge) for edge in seen.edges.get("replaced", ()))
    named = tuple((seen.names.get(canonical, canonical), forms) for canonical, forms in clusters)
    return Review(
        tuple(_findings(snapshot, figures, seen, isolated)),
        contradictions,
        replaced,
        tuple(seen.ended),
        seen.counts["ended"],
        about,
        sources,
        named,
    )


def _nodes(
    nodes: Iterable[Node], seen: _Seen, also: set[str]
) -> tuple[list[Place], tuple[Node, ...], tuple[Node, ...]]:
    """Fetch the names that examples need, a few isolated nodes, the best connected things and Sources."""
    needed = set(also)
    for kept in seen.edges.values():
        for edge in kept:
            needed.update((edge.source, edge.target))
    isolated: list[Place] = []
    about, sources = _Best(), _Best()
    for node in nodes:
        if node.id in needed:
            seen.names[node.id] = node.name
        if node.held:
            seen.counts["ended"] += 1
            if len(seen.ended) < EXAMPLES * 4:
                seen.ended.append(node)
        if node.degree == 0 and len(isolated) < EXAMPLES:
            isolated.append(Place(node.id, node.name))
        if node.type == "Source":
            sources.take(node)
        elif node.type not in ASIDE and not node.canonical:
            about.take(node)
    return isolated, tuple(about.nodes), tuple(sources.nodes)


class _Best:
    """The BEST nodes of highest degree that were taken, best first."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def take(self, node: Node) -> None:
        if node.degree and (len(self.nodes) < BEST or node.degree > self.nodes[-1].degree):
            self.nodes = sorted([*self.nodes, node], key=lambda one: (-one.degree, one.id))[:BEST]


def _findings(
    snapshot: Snapshot, figures: Figures, seen: _Seen, isolated: list[Place]
) -> Iterable[Finding]:
    meta = snapshot.meta
    if meta.violations:
        places = tuple(
            Place(problem.node or problem.path, problem.message)
            for problem in meta.violations[:EXAMPLES]
        )
        broken = "a statement without a source, or a record without its author"
        yield Finding(
            "The graph breaks its own rules",
            broken,
            len(meta.violations),
            places,
            "kgraph validate",
        )
    if figures.contradictions_open:
        places = tuple(seen.place(edge) for edge in seen.edges.get("contradiction", ())[:EXAMPLES])
        yield Finding(
            "Contradictions are open",
            "sources disagree and nothing says which holds",
            figures.contradictions_open,
            places,
            'kgraph add-edge --predicate SUPERSEDES --source "NEWER CLAIM" --target "OLDER CLAIM"',
        )
    for status in WEAK:
        if seen.counts[status]:
            yield _citations(status, seen)
    if seen.counts["doubtful"]:
        yield _doubtful(seen)
    lost = [unit for unit in meta.units if unit.outcome not in READ]
    if lost:
        places = tuple(
            Place("", f"{unit.unit}: {unit.outcome}" + (f", {unit.reason}" if unit.reason else ""))
            for unit in lost[:EXAMPLES]
        )
        yield Finding(
            "Parts of the context were not read",
            "what stands in them is missing here",
            len(lost),
            places,
            "kgraph runs --units",
        )
    if figures.compression > HIGH_COMPRESSION:
        yield Finding(
            "Many forms were merged into few",
            f"{figures.compression:g} surface forms to a canonical node",
            figures.merges,
            (),
            "kgraph query '' --type Entity",
        )
    for movement in figures.trends:
        if movement.alarm:
            words = movement.figure.replace("_", " ")
            yield Finding(
                f"{words.capitalize()} moved from {movement.before:g} to {movement.now:g}",
                movement.meaning,
                1,
                (),
                "kgraph runs",
            )
    if seen.counts["unchecked"]:
        yield _citations("unchecked", seen)
    if figures.uncited:
        yield Finding(
            "Support without a citation",
            "a source is named, but no words and no place in it",
            figures.uncited,
            (),
            "kgraph verify",
        )
    if figures.isolated_nodes:
        yield Finding(
            "Nodes without any edge",
            "something was named and nothing was said of it",
            figures.isolated_nodes,
            tuple(isolated),
            "kgraph validate",
        )


def _doubtful(seen: _Seen) -> Finding:
    places = tuple(seen.place(edge) for edge in seen.edges["doubtful"])
    return Finding(
        "Doubtful support",
        _WORDS_OF_STATUS["doubtful"],
        seen.counts["doubtful"],
        places,
        "kgraph show EDGE",
    )


def _citations(status: str, seen: _Seen) -> Finding:
    places = tuple(seen.place(edge) for edge in seen.edges[status])
    return Finding(
        f"Citations are {status}",
        _WORDS_OF_STATUS[status],
        seen.counts[status],
        places,
        "kgraph verify",
    )
