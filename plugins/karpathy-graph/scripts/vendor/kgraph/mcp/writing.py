"""The tools that write, there with ``--allow-write`` only. What is refused is an error of the call, and nothing of it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgraph.errors import UsageError
from kgraph.graph.answers import Ingestion
from kgraph.mcp.paging import Budget, Json, paged
from kgraph.mcp.reading import PROBLEMS, Reply, of_graph

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.mcp.asked import AskIngest, AskResolve, AskRetract
    from kgraph.mcp.session import Session

SELECTORS = ("node", "edge", "run", "source", "tx")
TAKEN_IN = (
    *PROBLEMS, "repairs", "nodes_added", "edges_added", "nodes_updated", "edges_updated", "ids.nodes", "ids.edges",
)  # fmt: skip
TAKEN_BACK = (
    "invariant_violations",
    "gone.nodes",
    "gone.edges",
    "survives",
    "back.nodes",
    "back.edges",
    "withdrawn",
)


def ingest(session: Session, asked: AskIngest) -> Reply:
    if asked.unit:
        return _hand_in(session, asked)
    how = Ingestion(
        run_id=asked.run_id,
        agent=asked.agent,
        strict=asked.strict,
        repair=asked.repair,
        dry_run=asked.dry_run,
    )
    with (
        session.dry(asked.graph) if asked.dry_run else session.open_or_create(asked.graph) as graph
    ):
        receipt = graph.ingest(asked.payload, how)
        body = {**receipt.as_json(), "ok": not receipt.exit_status, "created": graph.created}
        return Reply(
            _once(graph, asked.max_tokens, (body, TAKEN_IN)), refused=bool(receipt.exit_status)
        )


def _hand_in(session: Session, asked: AskIngest) -> Reply:
    """A payload for one unit of context, judged like a model's reply."""
    from kgraph.compose import hand_in

    if asked.repair or asked.agent:
        raise UsageError(
            "with `unit`, ingest takes no repair or agent", "leave them out, or leave out the unit"
        )
    with session.open(asked.graph) as graph:
        session.hold_below_root(graph, asked.unit)
        run_id = graph.run_id(asked.run_id)
        how = Ingestion(run_id=run_id, dry_run=asked.dry_run, strict=asked.strict)
        done = hand_in(graph, asked.unit, json.dumps(asked.payload, ensure_ascii=False), how)
        body = {"run_id": run_id, **done.as_json(), "ok": not done.exit_status}
        return Reply(
            _once(graph, asked.max_tokens, (body, (*PROBLEMS, "dropped", "repairs"))),
            refused=bool(done.exit_status),
        )


def resolve(session: Session, asked: AskResolve) -> Reply:
    from kgraph.graph.merging import MergeOptions

    if asked.auto == bool(asked.canonical or asked.aliases):
        raise UsageError("resolve takes canonical and aliases, or auto", "give one of the two")
    if not asked.auto and not (asked.canonical and asked.aliases):
        raise UsageError(
            "resolve needs the canonical node and at least one alias", "give canonical and aliases"
        )
    with session.open(asked.graph) as graph:
        if asked.auto:
            merged = graph.resolve_auto(asked.policy, asked.run_id)
        else:
            how = MergeOptions(
                asked.rationale, asked.confidence, asked.force, asked.override, asked.run_id
            )
            merged = graph.resolve(asked.canonical, asked.aliases, how)
        return Reply(
            _once(
                graph,
                asked.max_tokens,
                (merged.as_json(), ("merged", "notes", "distinct", "unsure")),
            )
        )


def retract(session: Session, asked: AskRetract) -> Reply:
    given = [(name, value) for name in SELECTORS if (value := getattr(asked, name))]
    if len(given) != 1:
        raise UsageError(
            f"retract takes exactly one of {', '.join(SELECTORS)}; {len(given)} were given",
            "give one, or retract twice",
        )
    with session.open(asked.graph) as graph:
        done = graph.retract(given[0], asked.reason, asked.cascade, asked.run_id)
        body = {**done.as_json(), "ok": not done.exit_status}
        return Reply(
            _once(graph, asked.max_tokens, (body, TAKEN_BACK)), refused=bool(done.exit_status)
        )


def _once(graph: Graph, max_tokens: int, said: tuple[Mapping[str, Any], tuple[str, ...]]) -> Json:
    """The answer without a cursor: asking for a second page would write again."""
    body, lists = said
    found = paged(of_graph(graph, body), lists, Budget(max_tokens))
    del found["cursor"]
    return found
