"""The tools that read: each is one call of the graph's, and says which of its lists may be long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgraph.errors import UsageError
from kgraph.graph.answers import Ingestion
from kgraph.mcp.paging import Budget, Json, mark_of, paged, text_of
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.mcp.asked import (
        AskCode,
        AskGround,
        AskList,
        AskPath,
        AskQuery,
        AskShow,
        AskStats,
        AskValidate,
    )
    from kgraph.mcp.session import Session

PROBLEMS = ("errors", "invariant_violations", "warnings")


class Reply(NamedTuple):
    """``refused``: nothing came of the call, and the agent must not take it for done. ``text``: read instead of the JSON."""

    body: Json
    refused: bool = False
    text: str | None = None


def query(session: Session, asked: AskQuery) -> Reply:
    from kgraph.retrieve.question import Asked, Question

    question = Question(
        asked.text, asked.hops, asked.max_nodes, asked.max_tokens, tuple(asked.types), tuple(asked.edge_types), asked.source,
        asked.run, asked.since, asked.until, asked.at, asked.min_confidence, asked.surface, asked.cursor,
        asked.passages,
    )  # fmt: skip
    with session.open(asked.graph) as graph:
        printed = Asked(
            asked.format, "", lambda body, text: text or text_of(of_graph(graph, dict(body)))
        )
        answer = graph.query(question, printed, asked.as_of)
        body, text = answer.body, answer.text
        if text is None and body["truncated"] and not body.get("nodes") and not body.get("edges"):
            raise UsageError(
                f"not one node of the answer fits {asked.max_tokens} tokens", "give more max_tokens"
            )
        body = {"seeds": [], "nodes": [], "edges": [], "sources": []} | body
        if text is not None:
            body["text"] = text
        return Reply(of_graph(graph, body), text=text)


def path(session: Session, asked: AskPath) -> Reply:
    from kgraph.retrieve.paths import PathOptions

    walk = PathOptions(
        asked.k,
        asked.max_depth,
        tuple(asked.edge_types),
        asked.directed,
        asked.min_confidence,
        asked.at,
    )
    with session.open(asked.graph) as graph:
        body = graph.path_between(asked.start, asked.end, walk, asked.as_of)
        return Reply(_cut("path", graph, asked, (body, ("alternatives",))))


CODE = ("certain", "possible", "tests", "entry_points", "of", "changed_files", "unmapped_files")


def code(session: Session, asked: AskCode) -> Reply:
    with session.open(asked.graph) as graph:
        found = graph.code(
            asked.question,
            *asked.refs,
            limit=0,
            depth=asked.depth,
            diff=asked.diff or None,
            as_of=asked.as_of,
        )
        body = {key: value for key, value in found.items() if key not in ("truncated", "cursor")}
        return Reply(_cut("code", graph, asked, (body, CODE)))


def ground(session: Session, asked: AskGround) -> Reply:
    from kgraph.retrieve.ground import GroundOptions, as_json

    inquiry = GroundOptions(
        asked.claim, asked.subject, asked.predicate_words, asked.object, asked.at, asked.require
    )
    with session.open(asked.graph) as graph:
        body = as_json(graph.ground(inquiry, asked.as_of))
        return Reply(
            _cut(
                "ground",
                graph,
                asked,
                (body, ("contradictions", "support", "required_evidence", "entities")),
            )
        )


SHOWN = (
    "node.descriptions", "node.aliases", "edges", "edge.said", "node.members", "node.runs", "node.inferred_by", "history",
)  # fmt: skip


def show(session: Session, asked: AskShow) -> Reply:
    with session.open(asked.graph) as graph:
        body = graph.show(asked.ref, asked.history, asked.surface, asked.as_of, asked.at)
        return Reply(_cut("show", graph, asked, (body, SHOWN)))


def stats(session: Session, asked: AskStats) -> Reply:
    with session.open(asked.graph) as graph:
        body = paged(
            of_graph(graph, {"stats": graph.stats(asked.as_of)}), (), Budget(asked.max_tokens)
        )
        return Reply(
            {
                key: value
                for key, value in body.items()
                if key not in ("truncated", "left_out", "cursor")
            }
        )


def list_graphs(session: Session, asked: AskList) -> Reply:
    rows = session.graphs()
    mark = mark_of("list_graphs", (), [f"{row['path']} {row['updated_at']}" for row in rows])
    return Reply(
        paged(
            {"ok": True, "graphs": rows}, ("graphs",), Budget(asked.max_tokens, asked.cursor, mark)
        )
    )


def validate(session: Session, asked: AskValidate) -> Reply:
    if asked.payload is None:
        with session.open(asked.graph) as graph:
            found = graph.validate(asked.has)
            return Reply(
                _cut(
                    "validate",
                    graph,
                    asked,
                    ({**found.as_json(), "ok": not found.exit_status}, PROBLEMS),
                )
            )
    if asked.has:
        raise UsageError(
            "a payload is checked before it is written, `has` asks what was", "give one of them"
        )
    with session.dry(asked.graph) as graph:
        receipt = graph.judge(
            asked.payload, Ingestion(strict=asked.strict, repair=asked.repair, dry_run=True)
        )
        said = receipt.as_json()
        kept = {key: said[key] for key in (*PROBLEMS, "repairs", "dropped", "evidence", "stats")}
        return Reply(
            _cut(
                "validate",
                graph,
                asked,
                ({**kept, "ok": not receipt.exit_status}, (*PROBLEMS, "repairs")),
            )
        )


def of_graph(graph: Graph, body: Mapping[str, Any]) -> Json:
    """An answer with the members that each begins with, and with what is wrong with the log."""
    found: Json = {"ok": True, "graph": graph.name, "path": graph.path, **body}
    damage = [problem.as_json() for problem in graph.damage()]
    known = {problem["code"] for problem in found.get("errors") or ()}
    if damage and not known & {"E209", "E210"}:
        found["warnings"] = [*damage, *(found.get("warnings") or ())]
    return found


def _cut(
    tool: str, graph: Graph, asked: Any, said: tuple[Mapping[str, Any], tuple[str, ...]]
) -> Json:
    """The page that is asked for, of a body with these lists."""
    body, lists = said
    mark = mark_of(tool, asked._replace(cursor="", max_tokens=0), graph.engine.reader().index.heads)
    return paged(of_graph(graph, body), lists, Budget(asked.max_tokens, asked.cursor, mark))
