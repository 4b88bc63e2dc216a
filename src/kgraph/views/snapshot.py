"""The graph as the views see it: plain records, filled from the index by the engine and from files by the imports.

``Snapshot.nodes`` and ``Snapshot.edges`` are read several times, so each ``iter()`` of them must start anew; they may be backed by
a cursor, and no view holds a record longer than it needs it. Both come in ascending order of id, which makes every view the same
for the same graph. Live things only: what is withdrawn isn't in a snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgraph.model import Json, Problem
from kgraph.tuples import NamedTuple

OWN_FIELDS = ("uri", "sha256", "version", "rubric", "result", "inference", "kind", "event_time")


class NodeAssertion(NamedTuple):
    """One live saying of a node: by which run, when, resting on which Sources (ids)."""

    name: str
    tx: str = ""
    run_id: str = ""
    ts: str = ""
    sources: tuple[str, ...] = ()
    description: str = ""
    aliases: tuple[str, ...] = ()
    fields: Mapping[str, Json] = {}
    attrs: Mapping[str, Json] = {}
    valid_from: str = ""
    valid_to: str = ""


class EdgeAssertion(NamedTuple):
    """One live saying of an edge. ``evidence`` is ``model.Evidence.as_json()`` (status, sha256, bytes, lines, page, text) or empty."""

    tx: str = ""
    run_id: str = ""
    ts: str = ""
    sources: tuple[str, ...] = ()
    source_doc: str = ""
    quote: str = ""
    confidence: float | None = None
    evidence: Mapping[str, Json] = {}
    attrs: Mapping[str, Json] = {}
    valid_from: str = ""
    valid_to: str = ""
    role: str = ""
    support: str = ""  # how well the words carry it: stated, plausible, doubtful, unjudged; '' where it isn't told
    doubt: str = ""  # what tells against it, in words
    held: str = ""  # 'held until …' where it doesn't hold any more

    @property
    def status(self) -> str:
        """The evidence's status; 'unchecked' for a citation that nobody held against its source, '' where nothing is cited."""
        found = self.evidence.get("status")
        if isinstance(found, str) and found:
            return found
        return "unchecked" if self.quote or self.source_doc else ""


class Said(NamedTuple):
    """A description and who gave it."""

    text: str
    run_id: str
    source: str  # id of the first Source it rests on, or ''
    ts: str


class Node(NamedTuple):
    """A live node. ``fields`` are its type's own (``OWN_FIELDS``), ``attrs`` anything else that somebody said, whatever it is called.

    ``canonical`` is the id of the node at the end of its merges, '' if it stands for itself. ``assertions`` run from the
    earliest to the latest and are never empty.
    """

    id: str
    type: str
    name: str
    assertions: tuple[NodeAssertion, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""
    fields: Mapping[str, Json] = {}
    attrs: Mapping[str, Json] = {}
    qualifier: str = ""
    valid_from: str = ""
    valid_to: str = ""
    canonical: str = ""
    degree: int = 0
    held: str = ""  # 'held until …' or 'holds from …' where it doesn't hold now

    @property
    def inferred(self) -> bool:
        """Whether no source states it."""
        return self.fields.get("inference") is True

    @property
    def descriptions(self) -> tuple[Said, ...]:
        """Every different description, the shown one first, each with its first speaker."""
        found: dict[str, Said] = {}
        for said in self.assertions:
            if said.description and said.description not in found:
                found[said.description] = Said(
                    said.description, said.run_id, said.sources[0] if said.sources else "", said.ts
                )
        if self.description and self.description not in found:
            found[self.description] = Said(self.description, "", "", "")
        return tuple(sorted(found.values(), key=lambda said: said.text != self.description))


class Edge(NamedTuple):
    """A visible edge. ``assertions`` are never empty; the first is the best evidenced, and what is shown."""

    id: str
    predicate: str
    source: str
    target: str
    kind: str = ""
    assertions: tuple[EdgeAssertion, ...] = ()

    @property
    def shown(self) -> EdgeAssertion:
        return self.assertions[0] if self.assertions else EdgeAssertion()


class Run(NamedTuple):
    """What one run left in the graph. ``losses`` counts what it didn't bring home, by kind (dropped, refused, unread …)."""

    run_id: str
    first: str = ""
    last: str = ""
    transactions: int = 0
    nodes: int = 0
    edges: int = 0
    agent: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0  # US dollars
    losses: Mapping[str, int] = {}


class UnitOutcome(NamedTuple):
    """The last word on one unit. ``outcome`` is 'done', or why not: refused, unsupported, unread, failed, truncated …"""

    unit: str
    outcome: str
    reason: str = ""
    run_id: str = ""
    ts: str = ""
    sentences: int = 0  # that a claim could have been made of, where the extractor counts them
    claims: int = 0  # that were made of them

    @property
    def gave_little(self) -> bool:
        """Whether it ended otherwise than done, or its reader says that less than half of it was understood, or doesn't say how much."""
        return self.outcome != "done" or (
            bool(self.reason) and not 0 < self.sentences <= 2 * self.claims
        )

    @property
    def passed_over(self) -> int:
        """How many sentences became no claim."""
        return max(0, self.sentences - self.claims)


class GraphMeta(NamedTuple):
    """What is known of the graph as a whole. Times are ISO 8601 instants."""

    name: str
    objective: str = ""
    created: str = ""
    rendered: str = ""  # the clock comes in from outside
    heads: tuple[str, ...] = ()
    source_root: str = ""  # the way from the graph's folder to the root of the sources, with '/', e.g. '../..'; '' if unknown
    runs: tuple[Run, ...] = ()
    units: tuple[UnitOutcome, ...] = ()
    violations: tuple[Problem, ...] = ()
    previous: Mapping[str, Json] | None = None  # Figures.as_json() of the last render
    version: str = ""  # of kgraph


class Snapshot(NamedTuple):
    meta: GraphMeta
    nodes: Iterable[Node]
    edges: Iterable[Edge]
