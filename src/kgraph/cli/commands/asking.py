"""show, history, runs, stats."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kgraph.cli import health
from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import count
from kgraph.cli.session import Session
from kgraph.plurals import counted

SHOWN = 20  # units of an outcome that a person is shown; --json has them all


def _configure_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref", metavar="REF", help="an id, a name, an alias, a Source's uri; Type:name narrows"
    )
    parser.add_argument("--history", action="store_true", help="with all that was ever said of it")
    parser.add_argument(
        "--surface",
        action="store_true",
        help="the node as it was written, without what was merged into it",
    )
    parser.add_argument(
        "--at",
        default="",
        metavar="TIME",
        help="only edges that held then: 2016, 2020-06, a date or an instant",
    )
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")


def _show(session: Session, options: argparse.Namespace) -> Answer:
    return Answer(
        session.graph().show(
            options.ref, options.history, options.surface, options.as_of, options.at
        ),
        words=partial(_show_words, options.ids),
        prose=True,
    )


def _show_words(ids: bool, body: Any) -> str:
    if "edge" in body:
        return _edge_line(ids, body["edge"])
    node = body["node"]
    lines = [
        f"{one_line(node['type'])} {one_line(node['name'])}"
        + (f"  [{one_line(node['id'])}]" if ids else "")
    ]
    if "asked" in body:
        lines.append(
            f"  {one_line(body['asked']['name'])} was merged into it; --surface shows that form alone"
        )
    if node["aliases"]:
        lines.append("  also: " + ", ".join(one_line(alias) for alias in node["aliases"]))
    lines += [
        f"  {one_line(row['text'])}  (run {one_line(', '.join(row['runs']))})"
        for row in node["descriptions"]
    ]
    for key in (
        "kind", "event_time", "uri", "qualifier", "version", "rubric", "result", "valid_from", "valid_to", "held",
    ):  # fmt: skip
        if node.get(key):
            lines.append(f"  {key}: {one_line(str(node[key]))}")
    if node.get("inference"):
        lines.append("  an inference: no source states it")
    lines += [f"  {one_line(key)}: {one_line(str(value))}" for key, value in node["attrs"].items()]
    lines += ["", *(_edge_line(ids, edge) for edge in body["edges"])]
    return "\n".join(lines)


def _edge_line(ids: bool, edge: Any) -> str:
    ends = f"{one_line(edge['source_name'])} -{one_line(edge['predicate'])}-> {one_line(edge['target_name'])}"
    line = ends + (f"  [edge:{one_line(edge['id'])}]" if ids else "")
    if edge.get("source_doc"):
        line += f" {one_line(edge['source_doc'])}"
    if edge.get("held"):
        line += f" ({one_line(edge['held'])})"
    if edge.get("quote"):
        line += f'\n    "{one_line(edge["quote"])}" ({(edge.get("evidence") or {}).get("status", "unchecked")}{_support(edge)})'
    return line


def _support(edge: Any) -> str:
    """How well the words carry it, with the first doubt."""
    support = edge.get("support")
    if not support:
        return ""
    doubt = f": {support['reasons'][0]['text']}" if support.get("reasons") else ""
    return f", {support['level']}{one_line(doubt)}"


def _configure_history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref",
        nargs="?",
        default="",
        metavar="REF",
        help="a node or an edge; without it, the whole log",
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=100,
        metavar="N",
        help="at most so many, newest first (100; 0 for all)",
    )


def _history(session: Session, options: argparse.Namespace) -> Answer:
    graph = session.graph()
    found = graph.history(options.ref, options.limit)
    return Answer({"transactions": found}, words=partial(_history_words, graph.called))


def _history_words(called: Callable[[list[str]], Mapping[str, str]], body: Any) -> str:
    lines = []
    names = called(
        [
            row["event"]["id"]
            for row in body["transactions"]
            if row.get("event", {}).get("kind") == "edge"
        ]
    )
    for row in body["transactions"]:
        mark = " (withdrawn)" if row.get("withdrawn") else ""
        reason = f"  {one_line(row['reason'])}" if row.get("reason") else ""
        run = f"  run {one_line(row['run_id'])}" if row["run_id"] else ""
        lines.append(
            f"{row['tx'][:12]}  {_moment(row['ts'])}  {one_line(row['op']):<8}{run}{_said(row, names)}{reason}{mark}"
        )
    return "\n".join([*(lines or ["nothing yet"]), *problem_lines(body)])


def _said(row: Any, names: Mapping[str, str]) -> str:
    """What a transaction holds, or what one assertion says."""
    if "event" not in row:
        held = [counted(row[key], key[:-1]) for key in ("nodes", "edges") if row[key]]
        return f"  {', '.join(held)}" if held else ""
    event = row["event"]
    what = event.get("name") or names.get(str(event.get("id"))) or event.get("predicate") or ""
    return f"  {one_line(str(what))}" + (
        f' "{one_line(event["quote"])}"' if event.get("quote") else ""
    )


def _moment(ts: str) -> str:
    return ts[:19].replace("T", " ")


def _configure_runs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--units", action="store_true", help="with the outcome of each unit")
    parser.add_argument(
        "--unresolved",
        action="store_true",
        help="with the names in code that could not be tied to anything",
    )


def _runs(session: Session, options: argparse.Namespace) -> Answer:
    graph = session.graph()
    body: dict[str, Any] = {"runs": graph.runs()}
    if options.units:
        body["units"] = graph.unit_outcomes()
    if options.unresolved:
        body["unresolved"] = graph.unresolved()
    return Answer(body, words=_runs_words)


def _runs_words(body: Any) -> str:
    lines = []
    for row in body["runs"]:
        held = f"{counted(row['nodes'], 'node')}, {counted(row['edges'], 'edge')} by {counted(row['transactions'], 'transaction')}"
        cost = f", ${row['cost']:.4f}" if row["cost"] else ""
        lines.append(
            f"{one_line(row['run_id'])}  {_moment(row['first'])} to {_moment(row['last'])}  {held}{cost}"
        )
    outcomes: dict[str, list[Any]] = {}
    for unit in body.get("units", ()):
        outcomes.setdefault(unit["outcome"], []).append(unit)
    for outcome, units in sorted(outcomes.items()):
        lines.append(f"{counted(len(units), 'unit')} {one_line(outcome)}")
        lines += [
            f"  {one_line(unit['unit'])}"
            + (f": {one_line(unit['reason'])}" if unit["reason"] else "")
            for unit in units[:SHOWN]
        ]
        lines += (
            [f"  and {len(units) - SHOWN} more (--json lists them)"] if len(units) > SHOWN else []
        )
    if "unresolved" in body:
        names = body["unresolved"]
        lines.append(f"{counted(len(names), 'name')} in code could not be tied to anything")
        lines += [
            f"  {one_line(row['uri'])}:{row['line']} {one_line(row['name'])}: {one_line(row['reason'])}"
            for row in names
        ]
    if body["runs"]:
        lines.append("taking one back: kgraph retract --run RUN --reason WHY")
    return "\n".join([*(lines or ["no run has written yet"]), *problem_lines(body)])


def _configure_stats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")
    parser.add_argument(
        "--support", action="store_true", help="judge every citation too: do the words carry it?"
    )


def _stats(session: Session, options: argparse.Namespace) -> Answer:
    return Answer(
        {"stats": session.graph().stats(options.as_of, options.support)}, words=health.stats
    )


COMMANDS = {
    "show": Command(_configure_show, _show, 'kgraph show --name incidents "Payment Gateway"'),
    "history": Command(_configure_history, _history, "kgraph history --name incidents --limit 20"),
    "runs": Command(_configure_runs, _runs, "kgraph runs --name incidents --units"),
    "stats": Command(_configure_stats, _stats, "kgraph stats --name incidents"),
}
