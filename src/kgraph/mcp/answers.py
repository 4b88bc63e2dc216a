"""What each tool answers. A tool's output schema is made from these, and every answer is held against it before it is sent."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import (
    TypedDict,
)  # the standard library's tells pydantic too little before Python 3.12


class Problem(TypedDict):
    code: str
    path: str
    message: str
    hint: str


class Answer(TypedDict):
    """``warnings``: among others what is wrong with the log; the answer is from what is intact."""

    ok: bool
    warnings: NotRequired[list[Problem]]
    shortened: NotRequired[bool]  # long texts were cut to fit max_tokens


class OfGraph(Answer):
    graph: str
    path: str


class Cut(OfGraph):
    """``left_out``: how much of each list is on no page so far; ``cursor`` goes on there."""

    truncated: bool
    left_out: dict[str, int]
    cursor: str


class Node(TypedDict):
    id: str
    type: str
    name: str
    description: NotRequired[str]
    aliases: NotRequired[list[str]]
    inference: NotRequired[bool]
    superseded: NotRequired[bool]
    slim: NotRequired[bool]  # without its texts, which didn't fit; show has them
    attrs: NotRequired[dict[str, Any]]
    score: NotRequired[float]


class Edge(TypedDict):
    id: str
    predicate: str
    source: str
    target: str
    kind: NotRequired[str]
    source_doc: NotRequired[str]
    quote: NotRequired[str]
    status: NotRequired[str]
    confidence: NotRequired[float]
    score: NotRequired[float]


class Seed(TypedDict):
    id: str
    score: float
    why: str


class Passage(TypedDict):
    """Words of a source, in the sources and not stated in the graph: verbatim, with where they stand."""

    quote: str
    source_doc: str
    uri: str
    lines: list[int]
    kind: str
    score: float
    bytes: NotRequired[list[int]]


class QueryAnswer(Cut):
    """Nodes and relations, the best first. ``text`` holds them instead when another format than json is asked for.

    ``code``: the question is one about code; the tool code answers it in full, with every place.
    """

    code: NotRequired[dict[str, Any]]
    passages: NotRequired[list[Passage]]
    changed_sources: NotRequired[list[str]]  # not quoted: they aren't as they were read

    seeds: list[Seed]
    nodes: list[Node]
    edges: list[Edge]
    sources: list[dict[str, Any]]
    carried: NotRequired[list[Node]]  # nodes of earlier pages that these edges need
    vectors: NotRequired[
        dict[str, Any]
    ]  # what isn't as it should be with the graph's vectors: missing, stale, unused …
    bounded: NotRequired[bool]  # the search stopped at its bound: left_out says at least so much
    text: NotRequired[str]
    tokens: int


class Step(TypedDict):
    edge: str
    predicate: str
    to: str
    from_name: str
    to_name: str
    forward: bool
    arrow: str


class Citation(TypedDict):
    edge: str
    source_doc: NotRequired[str | None]
    quote: NotRequired[str | None]
    status: NotRequired[str | None]


class PathAnswer(Cut):
    """``exhausted`` false: the search stopped at its bound, so a route may exist all the same."""

    found: bool
    hops: int | None
    max_depth: int
    route: list[Step]
    citations: list[Citation]
    weakest: Citation | None
    alternatives: list[dict[str, Any]]
    exhausted: bool
    frontier: NotRequired[dict[str, list[Node]]]


class Support(TypedDict):
    edges: list[str]
    evidence: list[str]
    quote: str
    source_doc: str


class Mention(TypedDict):
    mention: str
    id: str
    candidates: list[Node]


class GroundAnswer(Cut):
    decision: Literal["approve", "revise", "reject"]
    claim: str
    reason: str
    support: list[Support]
    contradictions: list[Any]
    required_evidence: list[str]
    entities: list[Mention]
    passages: NotRequired[list[Passage]]  # near to it in the sources, where no statement carries it


class ShowAnswer(Cut):
    """A ``node`` with its ``edges``, or an ``edge``."""

    node: NotRequired[dict[str, Any]]
    edges: NotRequired[list[Edge]]
    edges_shown: NotRequired[int]
    edges_total: NotRequired[int]
    edge: NotRequired[dict[str, Any]]
    history: NotRequired[list[dict[str, Any]]]


class CodePart(TypedDict):
    id: str
    name: str
    kind: str
    uri: NotRequired[str]
    line: NotRequired[int]


class CodeRow(TypedDict):
    """A place that answers. ``depth``: steps from what was asked; ``via``: the part in between."""

    name: str
    kind: str
    relation: str
    uri: NotRequired[str]
    line: NotRequired[int]
    quote: NotRequired[str]
    depth: NotRequired[int]
    via: NotRequired[str]


class CodeAnswer(Cut):
    """``certain``: what the code says; ``possible``: what may be, like a method that a subclass replaces. impact: ``tests`` to run, the
    nearest first, and public ``entry_points``; path: ``hops``."""

    question: str
    of: list[CodePart]
    certain: list[CodeRow]
    possible: list[CodeRow]
    counts: dict[str, int]
    note: NotRequired[str]
    tests: NotRequired[list[str]]
    entry_points: NotRequired[list[str]]
    changed_files: NotRequired[list[str]]
    unmapped_files: NotRequired[list[str]]
    found: NotRequired[bool]
    hops: NotRequired[int]
    by: NotRequired[str]


class StatsAnswer(OfGraph):
    stats: dict[str, Any]


class GraphRow(TypedDict):
    name: str
    path: str
    nodes: int
    edges: int
    updated_at: str
    problem: NotRequired[str]


class ListAnswer(Answer):
    graphs: list[GraphRow]
    truncated: bool
    left_out: dict[str, int]
    cursor: str


class ValidateAnswer(Cut):
    """``ok`` is false when anything was found that is worse than a warning."""

    errors: list[Problem]
    invariant_violations: list[Problem]
    stats: dict[str, Any]
    repairs: NotRequired[list[dict[str, Any]]]
    dropped: NotRequired[int]
    evidence: NotRequired[dict[str, int]]


class Written(OfGraph):
    """A write answers once: what does not fit is counted in ``left_out``, and ``history`` or ``show`` tell the rest."""

    truncated: bool
    left_out: dict[str, int]


class IngestAnswer(Written):
    """``tx`` is the receipt. Where anything is refused nothing is written, and the call is an error.

    With a ``unit``, ``units`` says what became of it, and ``dropped`` lists what was left out of what was written, and why.
    """

    run_id: str
    errors: list[Problem]
    repairs: list[dict[str, Any]]
    units: NotRequired[list[dict[str, Any]]]
    created: NotRequired[bool]
    tx: NotRequired[str]
    unchanged: NotRequired[bool]
    nodes_added: NotRequired[list[str]]
    nodes_updated: NotRequired[list[str]]
    edges_added: NotRequired[list[str]]
    edges_updated: NotRequired[list[str]]
    ids: NotRequired[dict[str, list[str]]]
    invariant_violations: NotRequired[list[Problem]]
    dropped: NotRequired[int | list[dict[str, Any]]]
    evidence: NotRequired[dict[str, int]]
    stats: NotRequired[dict[str, Any]]


class ResolveAnswer(Written):
    tx: str
    merged: list[dict[str, Any]]
    notes: list[str]
    left: NotRequired[int]
    distinct: NotRequired[list[dict[str, Any]]]
    unsure: NotRequired[list[dict[str, Any]]]


class RetractAnswer(Written):
    """Undone by `kgraph restore --tx TX`. ``already``: the transaction that had done it before."""

    tx: str
    withdrawn: list[dict[str, Any]]
    gone: dict[str, list[str]]
    back: dict[str, list[str]]
    survives: list[str]
    invariant_violations: list[Problem]
    already: NotRequired[str]
