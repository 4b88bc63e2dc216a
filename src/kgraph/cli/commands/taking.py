"""ingest."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from kgraph.cli import terminal
from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import add_allow_secrets, add_source_roots
from kgraph.cli.session import Session
from kgraph.errors import KgraphError, UsageError
from kgraph.graph.answers import Ingestion, Receipt
from kgraph.graph.writing import inline, is_file, payload_of
from kgraph.plurals import counted

SHOWN = 20  # refused lines that a person is shown; --json has more
REHEARSED = 8_000_000  # bytes of a first payload that is tried before its graph is made; a larger one would cost twice its time

EMPTY: dict[str, Any] = {
    "nodes_added": [], "nodes_updated": [], "edges_added": [], "edges_updated": [], "invariant_violations": [], "warnings": [],
}  # fmt: skip


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "payloads",
        nargs="*",
        metavar="PAYLOAD",
        help="@file, @- for standard input, or the JSON itself",
    )
    parser.add_argument(
        "--lines",
        action="store_true",
        help="each line of the files is a payload and a transaction of its own",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would happen and write nothing"
    )
    parser.add_argument("--strict", action="store_true", help="refuse on warnings too")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="mend what models are known to get wrong, and say what was mended",
    )
    parser.add_argument("--agent", default="", metavar="ID", help="who made the payload")
    parser.add_argument(
        "--unit",
        default="",
        metavar="UNIT",
        help="the unit of context that this payload answers (kgraph units)",
    )
    add_source_roots(parser)
    add_allow_secrets(parser)


def _run(session: Session, options: argparse.Namespace) -> Answer:
    session.empty = dict(EMPTY)
    if not options.payloads:
        raise UsageError("which payload? none was given", "give @FILE, @- or the JSON itself")
    if options.unit:
        from kgraph.cli.commands.extracting import ingest_unit

        return ingest_unit(session, options)
    how = Ingestion(
        run_id=options.run_id, agent=options.agent, unit=options.unit,
        strict=options.strict, dry_run=options.dry_run, repair=options.repair,
        allow_secrets=options.allow_secrets,
    )  # fmt: skip
    if options.lines:
        return _lines(session, options, how)
    payloads = [payload_of(argument, sys.stdin.buffer) for argument in options.payloads]
    if len(payloads) == 1 and not session.place.is_there() and len(payloads[0]) <= REHEARSED:
        imagined = session.place.in_memory()
        refused = imagined.judge(payloads[0], how)
        if refused.exit_status:
            session.about(imagined)
            return _answer(refused, False)
    graph = session.graph_or_new(dry_run=options.dry_run)
    if len(payloads) == 1:
        receipt = graph.ingest(payloads[0], how)
        gc.freeze()  # what a large payload left is kept until the answer is out: looking through it for garbage only costs time
        return _answer(receipt, graph.created)
    results, worst = [], 0
    for data in payloads:
        try:
            one = _answer(graph.ingest(data, how), graph.created)
            results.append({"ok": one.exit_status == 0, **one.body})
            worst = max(worst, one.exit_status)
        except KgraphError as error:
            problem = {"code": error.code, "path": "", "message": error.message, "hint": error.hint}
            results.append({"ok": False, **EMPTY, "errors": [problem]})
            worst = max(worst, error.exit_status)
    return Answer({"created": graph.created, "results": results}, worst)


def _answer(receipt: Receipt, created: bool) -> Answer:
    return Answer({"created": created, **receipt.as_json()}, receipt.exit_status, words=_words)


def _lines(session: Session, options: argparse.Namespace, how: Ingestion) -> Answer:
    if options.dry_run:
        raise UsageError(
            "--lines can't be tried without writing", "kgraph validate checks one payload at a time"
        )
    options.payloads = [f"@{one}" if is_file(one) else one for one in options.payloads]
    for argument in options.payloads:  # before the first line is written: a file that can't be read must not leave half of a stream behind
        if argument.startswith("@") and argument != "@-":
            _opened(argument[1:]).close()
    graph = session.graph_or_new()
    counter = terminal.Counter(_bytes(options.payloads), terminal.say, sys.stderr.isatty())
    lines = _every_line(options.payloads)
    done = graph.ingest_lines(lines if session.quiet else counter.watched(lines), how)
    body = done._asdict()
    del body["worst"]
    return Answer({"created": graph.created, **body}, done.exit_status, words=_lines_words)


def _bytes(arguments: list[str]) -> int:
    """How much is to be read, 0 when standard input is among it."""
    if "@-" in arguments:
        return 0
    return sum(
        os.path.getsize(argument[1:]) if argument.startswith("@") else len(argument)
        for argument in arguments
    )


def _lines_words(body: Any) -> str:
    added = (
        f"{counted(body['nodes_added'], 'node')} and {counted(body['edges_added'], 'edge')} added"
    )
    lines = [
        f"{counted(body['lines'], 'line')}: {counted(body['transactions'], 'transaction')}, {added}"
    ]
    for key, what in (("unchanged", "said already"), ("refused_count", "refused")):
        if body.get(key):
            lines.append(f"{counted(body[key], 'line')} {what}")
    for row in body.get("refused", ())[:SHOWN]:
        lines += [
            f"  line {row.get('line', '')}: {one_line(problem['message'])}"
            for problem in row.get("errors", ())
        ]
    return "\n".join([*lines, *problem_lines(body)])


def _every_line(arguments: list[str]) -> Iterator[bytes]:
    for argument in arguments:
        if argument == "@-":
            yield from sys.stdin.buffer
        elif argument.startswith("@"):
            with _opened(argument[1:]) as handle:
                yield from handle
        else:
            yield inline(argument)


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb", buffering=1 << 20)
    except OSError as error:
        raise UsageError(f"{path} can't be read ({error.strerror})", "give @FILE or @-") from None


def _words(body: Any) -> str:
    lines = []
    if body["errors"] or body["invariant_violations"] or not body["tx"]:
        lines.append("nothing was written")
    elif body["unchanged"]:
        lines.append(
            f"unchanged: transaction {body['tx'][:12]} of run {body['run_id']} says the same"
        )
    else:
        counted = ", ".join(
            f"{len(body[key])} {key.replace('_', ' ')}"
            for key in ("nodes_added", "nodes_updated", "edges_added", "edges_updated")
        )
        lines.append(f"transaction {body['tx'][:12]} of run {body['run_id']}: {counted}")
        if body["evidence"]:
            lines.append(
                "citations: "
                + ", ".join(f"{count} {status}" for status, count in body["evidence"].items())
            )
    lines += [
        f"repaired {one_line(repair.get('path', ''))}: {one_line(repair.get('message', ''))}"
        for repair in body["repairs"]
    ]
    return "\n".join([*lines, *problem_lines(body)])


COMMANDS = {
    "ingest": Command(_configure, _run, "kgraph ingest --name incidents --run-id r1 @payload.json")
}
