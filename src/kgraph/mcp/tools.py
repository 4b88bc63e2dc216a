"""The tools by name: what each is asked, what it answers, and what an agent is told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kgraph.mcp import answers, asked, reading, writing
from kgraph.mcp.reading import Reply
from kgraph.mcp.session import Session
from kgraph.tuples import NamedTuple


class Tool(NamedTuple):
    """``asks``: a NamedTuple whose fields are the arguments; ``answers``: a TypedDict. ``destroys``: it takes something away."""

    name: str
    title: str
    does: str
    asks: Any
    answers: Any
    call: Callable[[Session, Any], Reply]
    writes: bool = False
    destroys: bool = False


READING = (
    Tool(
        "query", "Query the graph",
        "What the graph says of a text: nodes and relations, ranked, cited with quote and place, cut to max_tokens. "
        "Begin here. An answer with `truncated` goes on with its `cursor`.",
        asked.AskQuery, answers.QueryAnswer, reading.query,
    ),
    Tool(
        "path", "Connect two nodes",
        "How two nodes are connected: the shortest route with a citation for each step, and alternatives.",
        asked.AskPath, answers.PathAnswer, reading.path,
    ),
    Tool(
        "code", "Ask of code",
        "Who calls, imports, inherits or tests a part of code, where it is defined and used, what a change of it reaches, what nothing "
        "uses: every place with file and line, what is certain apart from what is possible.",
        asked.AskCode, answers.CodeAnswer, reading.code,
    ),
    Tool(
        "ground", "Check a claim",
        "Whether the graph supports a claim: approve, revise or reject, with the quotes for and against it and what would be needed. "
        "Use it before you state something as a fact. No model is asked.",
        asked.AskGround, answers.GroundAnswer, reading.ground,
    ),
    Tool(
        "show", "Show a node or an edge",
        "One node or edge as it is now: descriptions, aliases, attributes, who said it, and its edges with their quotes.",
        asked.AskShow, answers.ShowAnswer, reading.show,
    ),
    Tool("stats", "Count", "Counts and health of the graph.", asked.AskStats, answers.StatsAnswer, reading.stats),
    Tool(
        "list_graphs", "List graphs", "The graphs that this server can open, by name.",
        asked.AskList, answers.ListAnswer, reading.list_graphs,
    ),
    Tool(
        "validate", "Validate",
        "The graph's invariants and its log; or, with a payload, what ingest would say of it. Nothing is written.",
        asked.AskValidate, answers.ValidateAnswer, reading.validate,
    ),
)  # fmt: skip

WRITING = (
    Tool(
        "ingest", "Take a payload in",
        "Write one payload, whole or not at all: every citation is held against its source first. The same payload of the same run again "
        "changes nothing. The graph is made where it isn't there.",
        asked.AskIngest, answers.IngestAnswer, writing.ingest, True,
    ),
    Tool(
        "resolve", "Merge aliases",
        "Merge nodes that are one thing, reversibly: by hand with a rationale, or what a policy can decide.",
        asked.AskResolve, answers.ResolveAnswer, writing.resolve, True,
    ),
    Tool(
        "retract", "Take back",
        "Take back what a run, a source, a transaction, a node or an edge asserted. Others' assertions stay; `kgraph restore` undoes it.",
        asked.AskRetract, answers.RetractAnswer, writing.retract, True, True,
    ),
)  # fmt: skip


def tools(allow_write: bool) -> tuple[Tool, ...]:
    return READING + WRITING if allow_write else READING
