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
        "What the graph says about a text: ranked, cited, cut to max_tokens. Begin here.",
        asked.AskQuery, answers.QueryAnswer, reading.query,
    ),
    Tool(
        "path", "Connect two nodes",
        "How two nodes are connected, with a citation for each step.",
        asked.AskPath, answers.PathAnswer, reading.path,
    ),
    Tool(
        "code", "Ask of code",
        "Every place in code that answers a question about a part of it, with file and line; what is certain apart from what is possible.",
        asked.AskCode, answers.CodeAnswer, reading.code,
    ),
    Tool(
        "ground", "Check a claim",
        "Whether the graph supports a claim: approve, revise or reject, with quotes for and against. Use it before you state a fact.",
        asked.AskGround, answers.GroundAnswer, reading.ground,
    ),
    Tool(
        "show", "Show a node or an edge",
        "One node or edge: what is said of it, by whom, and its edges with their quotes.",
        asked.AskShow, answers.ShowAnswer, reading.show,
    ),
    Tool("stats", "Count", "Counts and health of the graph.", asked.AskStats, answers.StatsAnswer, reading.stats),
    Tool(
        "list_graphs", "List graphs", "The graphs that this server can open, by name.",
        asked.AskList, answers.ListAnswer, reading.list_graphs,
    ),
    Tool(
        "validate", "Validate",
        "Check the graph, or a payload without writing it.",
        asked.AskValidate, answers.ValidateAnswer, reading.validate,
    ),
)  # fmt: skip

WRITING = (
    Tool(
        "ingest", "Ingest a payload",
        "Write one payload atomically, every citation checked against its source. Repeating it changes nothing.",
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
