"""A question to the graph and its answer, before anything is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from kgraph.errors import UsageError
from kgraph.events.canonical import canonical
from kgraph.events.hashing import hex_of
from kgraph.index.read import EdgeView, Hop, NodeView
from kgraph.retrieve.times import moment, period
from kgraph.support import Support
from kgraph.tuples import NamedTuple

LARGEST_HOPS = 8
MOST_WORDS = 2000  # of a question: some pages; each is looked up
MOST_CHARACTERS = 20_000


def check_length(text: str, what: str) -> None:
    """Raise UsageError for more words than a question may have. Nothing is cut: an answer to a part would pass for one to the whole."""
    words = len(text.split())
    if words > MOST_WORDS or len(text) > MOST_CHARACTERS:
        raise UsageError(
            f"{what} has {words:,} words and {len(text):,} characters, more than {MOST_WORDS:,} and {MOST_CHARACTERS:,}",
            "ask a shorter one, or several; kgraph extract reads whole documents",
        )


class Question(NamedTuple):
    """What is asked, what may be shown, and how much. ``at`` is a moment of the world, ``since``/``until`` of the log."""

    text: str
    hops: int = 2
    max_nodes: int = 60
    max_tokens: int = 2000
    types: tuple[str, ...] = ()
    edge_types: tuple[str, ...] = ()
    source: str = ""
    run: str = ""
    since: str = ""
    until: str = ""
    at: str = ""
    min_confidence: float = 0.0
    surface: bool = False
    cursor: str = ""
    passages: bool = True  # whether texts of sources may stand beside what the graph states

    def check(self) -> None:
        """Raise UsageError for bounds that make no sense."""
        check_length(self.text, "the question")
        if self.max_nodes < 1:
            raise UsageError("--max-nodes must be at least 1", "the default is 60")
        if self.max_tokens < 50:
            raise UsageError("--max-tokens must be at least 50", "the default is 2000")
        if not 0 <= self.hops <= LARGEST_HOPS:
            raise UsageError(f"--hops must be between 0 and {LARGEST_HOPS}", "the default is 2")
        if not 0.0 <= self.min_confidence <= 1.0:
            raise UsageError(
                "--min-confidence must be between 0 and 1",
                "confidences below 0.5 are never written",
            )
        period(self.at)
        for option, text in (("--since", self.since), ("--until", self.until)):
            moment(text, option)

    @property
    def takes_passages(self) -> bool:
        """Whether texts can answer it: what is asked of nodes, runs or times can only be answered by statements."""
        bound = self.types or self.edge_types or self.run or self.since or self.until or self.at
        return self.passages and bool(self.text.strip()) and not bound and not self.min_confidence

    @property
    def filtered(self) -> bool:
        """Whether the words of every relation must be read to know if it may be shown."""
        return bool(self.source or self.run or self.since or self.until or self.at)


def plain(body: Mapping[str, Any], text: str | None) -> str:
    """What is printed where no door adds anything: the text, or the body as JSON."""
    return text if text is not None else json.dumps(body, ensure_ascii=False)


class Asked(NamedTuple):
    """How an answer is to be printed: json, context or triples; the tokenizer, '' for the estimate; what a door makes of a body and its text.

    A body with the member ``bare`` is to be printed without it and without anything added.
    """

    format: str = "json"
    tokenizer: str = ""
    printed: Callable[[Mapping[str, Any], str | None], str] = plain


class Shown(NamedTuple):
    """A node of an answer: its canonical view, its score, and the names of what was merged into it."""

    node: NodeView
    score: float
    spellings: tuple[str, ...] = ()
    superseded: bool = False
    held: str = ""  # its dates in words: 'held until …', 'since …'
    past: bool = False  # it doesn't hold now


class Relation(NamedTuple):
    """An edge of an answer between two canonical nodes, and the surface forms that it was written with."""

    edge: EdgeView
    source: int
    target: int
    score: float
    held: str = ""  # its dates in words: 'held until …', 'since …'
    past: bool = False  # it doesn't hold now
    support: Support | None = None  # how well its words carry it, where it has words
    outdated_by: str = ""  # the claim that has replaced the words in which it was read
    written_as: tuple[
        str, ...
    ] = ()  # ids of the nodes that it was written with, where they were merged into others


class Among(NamedTuple):
    """A relation before its words are read."""

    hop: Hop
    source: int
    target: int
    score: float


class Ranked(NamedTuple):
    """A node of an answer before it is read."""

    nid: int
    score: float


class Found(NamedTuple):
    """Everything that a question reaches, in the order in which it is shown."""

    nodes: list[Ranked]
    relations: list[Among]
    seeds: list[tuple[int, float, str]]
    sources: list[tuple[NodeView, float]]  # that the answer rests on, best first
    bounded: bool
    told: Mapping[str, Any] = {}  # what isn't as it should be with the vectors that were asked
    unknown: tuple[str, ...] = ()  # words of the question that stand nowhere in the graph
    code: Mapping[str, Any] = {}  # which command answers it in full, of a question about code


def fingerprint(question: Question, heads: list[str]) -> str:
    """What a cursor belongs to: the same question to the same graph."""
    asked = question._replace(cursor="", max_nodes=0, max_tokens=0)
    return hex_of(canonical([list(asked), sorted(heads)]).encode())[:6]


def make_cursor(question: Question, heads: list[str], place: tuple[int, int]) -> str:
    return f"{fingerprint(question, heads)}.{place[0]}.{place[1]}"


def read_cursor(question: Question, heads: list[str]) -> tuple[int, int]:
    """The (nodes, relations) that earlier pages showed. Raises UsageError for a cursor of another question or an older graph."""
    if not question.cursor:
        return 0, 0
    mark, _, rest = question.cursor.partition(".")
    first, _, second = rest.partition(".")
    if mark != fingerprint(question, heads) or not first.isdecimal() or not second.isdecimal():
        raise UsageError(
            "the cursor belongs to another question, or the graph has changed since",
            "ask again without --cursor",
        )
    return int(first), int(second)
