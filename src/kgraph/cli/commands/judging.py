"""validate, verify, schema, rebuild, recover, selftest."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Any

from kgraph.cli import health
from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import add_allow_secrets, add_source_roots, count, number
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.graph.answers import Ingestion
from kgraph.graph.writing import payload_of
from kgraph.ontology import STANDARD
from kgraph.plurals import counted

SHOWN = 20  # citations that a person is shown; --json has them all
SOURCES = 3  # sources that a line names


def _configure_validate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "payload", nargs="?", metavar="PAYLOAD", help="@file, @- or JSON: check it, write nothing"
    )
    parser.add_argument(
        "--has", default="", metavar="TX", help="a transaction that must be in the log (a receipt)"
    )
    parser.add_argument(
        "--index", action="store_true", help="hold the index against the log, row by row, first"
    )
    parser.add_argument(
        "--strict", action="store_true", help="warnings of a payload count as errors"
    )
    parser.add_argument(
        "--repair", action="store_true", help="mend the payload first, as ingest --repair would"
    )
    add_source_roots(parser)
    add_allow_secrets(parser)


def _validate(session: Session, options: argparse.Namespace) -> Answer:
    if options.payload is None:
        faults = session.graph().check_index() if options.index else []
        found = session.graph().validate(options.has)
        body = found.as_json()
        if options.index:
            body["index"] = {"faults": faults, "made_again": bool(faults)}
        return Answer(body, found.exit_status, words=health.validated)
    data = payload_of(options.payload, sys.stdin.buffer)
    how = Ingestion(
        run_id=options.run_id,
        strict=options.strict,
        repair=options.repair,
        dry_run=True,
        allow_secrets=options.allow_secrets,
    )
    receipt = session.graph().judge(data, how)
    body = receipt.as_json()
    kept = {
        key: body[key]
        for key in (
            "invariant_violations",
            "errors",
            "warnings",
            "repairs",
            "dropped",
            "evidence",
            "stats",
        )
    }
    return Answer(kept, receipt.exit_status)


def _configure_verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record", action="store_true", help="write what changed as one transaction"
    )
    parser.add_argument(
        "--support", action="store_true", help="judge whether the quotes carry their claims, instead of whether they stand there"
    )  # fmt: skip
    parser.add_argument(
        "--model", default="", metavar="PROVIDER/NAME", help="with --support: a language model that judges; each judgement is recorded"
    )  # fmt: skip
    parser.add_argument(
        "--base-url", default="", metavar="URL", help="another address of the model"
    )
    parser.add_argument(
        "--limit", type=count, default=0, metavar="N", help="judge so many at most (0: all)"
    )
    parser.add_argument(
        "--max-cost", type=number, default=None, metavar="USD", help="stop before it could cost more"
    )  # fmt: skip
    parser.add_argument(
        "--price", default="", metavar="IN,OUT", help="US dollars per million tokens, for a model whose price isn't known"
    )  # fmt: skip
    parser.add_argument(
        "--dry-run", action="store_true", help="with --model: only say what it would cost"
    )
    add_source_roots(parser)


def _verify_support(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.compose import judging_model
    from kgraph.graph.weighing import Weighing
    from kgraph.models.prices import price_of

    price = price_of(options.model, options.price) if options.model else None
    how = Weighing(options.limit, options.max_cost, price, options.dry_run, options.run_id)
    model = judging_model(options.model, options.base_url) if options.model else None
    try:
        found = session.graph().verify_support(model, how)
    finally:
        if model is not None:
            model.close()
    verdicts = found.get("verdicts", {})
    bad = (
        verdicts.get("contradicts") or found.get("stopped") or (not verdicts and found["doubtful"])
    )
    return Answer(found, 1 if bad else 0, words=_support_words)


def _support_words(body: Mapping[str, Any]) -> str:
    levels = ", ".join(f"{number} {level}" for level, number in body["support"].items())
    lines = [f"support: {levels}" if levels else "nothing is left to judge"]
    for row in body["doubtful"][:SHOWN]:
        lines.append(one_line(f"  doubtful: {row['claim']}: {row['doubt']} [edge:{row['edge']}]"))
    if len(body["doubtful"]) > SHOWN:
        lines.append(f"  and {len(body['doubtful']) - SHOWN} more (--json lists them)")
    if "estimate" in body:
        cost = body["estimate"]["cost"]
        price = f", about ${cost:.4f}" if cost is not None else ""
        lines.append(
            f"{counted(body['estimate']['calls'], 'call')}, {counted(body['estimate']['input_tokens'], 'token')}{price}"
        )
    if "verdicts" in body:
        lines.append(
            ", ".join(f"{number} {verdict}" for verdict, number in body["verdicts"].items())
        )
        if body["stopped"]:
            lines.append(
                one_line(
                    f"stopped: {body['stopped']}; {body['left']} left, the same command goes on"
                )
            )
    return "\n".join(lines)


def _verify(session: Session, options: argparse.Namespace) -> Answer:
    if options.support:
        return _verify_support(session, options)
    for flag, given in (
        ("--model", options.model),
        ("--dry-run", options.dry_run),
        ("--max-cost", options.max_cost),
    ):
        if given:
            raise UsageError(
                f"{flag} goes with --support", "kgraph verify --support --model PROVIDER/NAME"
            )
    found = session.graph().verify(options.record, options.run_id)
    if found["evidence"].get("unchecked") and found["unread"]:
        session.say(_unchecked(found))
    bad = any(found["evidence"].get(status) for status in ("missing", "stale"))
    return Answer(found, 1 if bad else 0, words=_verify_words)


def _unchecked(found: Mapping[str, Any]) -> str:
    """What could not be checked. It is a warning: nothing is known to be wrong, so the exit status stays what the rest makes it."""
    shown = ", ".join(one_line(uri) for uri in found["unread"][:SOURCES])
    more = f" and {len(found['unread']) - SOURCES} more" if len(found["unread"]) > SOURCES else ""
    count = found["evidence"]["unchecked"]
    was = "was" if count == 1 else "were"
    return f"{counted(count, 'citation')} {was} not checked: {shown}{more} can't be read here; give the folder with --source-root DIR"


def _verify_words(body: Mapping[str, Any]) -> str:
    counts = ", ".join(f"{number} {status}" for status, number in body["evidence"].items())
    lines = [f"citations: {counts}" if counts else "nothing is cited"]
    for row in body["problems"][:SHOWN]:
        said = f'"{one_line(row["quote"])}"' if row["quote"] else "the place"
        place = one_line(row["source_doc"]) or "its source"
        lines.append(
            f"  {row['status']}: {said} in {place} ({one_line(row['predicate'])}) [edge:{one_line(row['edge'])}]"
        )
    if len(body["problems"]) > SHOWN:
        lines.append(f"  and {len(body['problems']) - SHOWN} more (--json lists them)")
    if body.get("tx"):
        lines.append(
            f"transaction {body['tx'][:12]} records {counted(body['recorded'], 'finding')}"
        )
    elif body["problems"]:
        lines.append("kgraph verify --record writes what changed into the graph")
    return "\n".join([*lines, *problem_lines(body)])


def _configure_schema(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--strict", action="store_true", help="the subset that model providers accept"
    )
    group.add_argument(
        "--prompt", action="store_true", help="the prompt that an extractor is given"
    )
    group.add_argument("--ontology", action="store_true", help="node types and predicates")
    group.add_argument("--rules", action="store_true", help="every rule with its code")


def _schema(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph import describing

    known = session.graph().vocabulary() if session.place.is_there() else STANDARD
    if options.prompt:
        return Answer({}, text=describing.prompt(known), as_text=True)
    if options.ontology:
        return Answer(describing.ontology())
    if options.rules:
        return Answer({"rules": describing.rules()})
    return Answer({"schema": describing.schema(options.strict, known)})


def _configure_rebuild(parser: argparse.ArgumentParser) -> None:
    del parser


def _rebuild(session: Session, options: argparse.Namespace) -> Answer:
    found = session.graph().rebuild()
    return Answer(found.as_json(), found.exit_status, words=health.rebuilt)


def _configure_recover(parser: argparse.ArgumentParser) -> None:
    del parser


def _recover(session: Session, options: argparse.Namespace) -> Answer:
    found = session.graph().recover()
    return Answer(found, 1 if found["left_out"] else 0, words=_recover_words)


def _recover_words(body: Mapping[str, Any]) -> str:
    if not body["left_out"]:
        return f"every one of {counted(body['lines'], 'line')} is whole; nothing was changed"
    rows = [
        one_line(f"  at byte {row['position']} {row['tx'][:12]}: {row['reason']}")
        for row in body["left_out"][:SHOWN]
    ]
    more = len(body["left_out"]) - SHOWN
    whole = sum(1 for row in body["left_out"] if row["tx"])
    back = (
        f"{counted(whole, 'line')} of these {'has' if whole == 1 else 'have'} lost no more than what went before. To bring back what was "
        "written there: copy log.damaged to an empty folder as log.jsonl, kgraph --path FOLDER export FILE, then kgraph import FILE here"
    )
    return "\n".join(
        [
            f"{counted(body['lines'], 'line')} stay; left out, and kept in {one_line(body['aside'])}:",
            *rows,
            *([f"  and {more} more (--json lists them)"] if more > 0 else []),
            *([back] if whole else []),
        ]
    )


def _configure_selftest(parser: argparse.ArgumentParser) -> None:
    del parser


def _selftest(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.compose import Place
    from kgraph.graph.selftest import selftest

    checks = selftest(
        lambda folder: Place(path=os.path.join(folder, "graph"), working=folder).create()
    )
    return Answer(
        {"checks": checks}, 0 if all(check["ok"] for check in checks) else 1, words=health.checks
    )


COMMANDS = {
    "validate": Command(_configure_validate, _validate, "kgraph validate --name incidents"),
    "verify": Command(_configure_verify, _verify, "kgraph verify --name incidents"),
    "schema": Command(_configure_schema, _schema, "kgraph schema --rules"),
    "rebuild": Command(_configure_rebuild, _rebuild, "kgraph rebuild --name incidents"),
    "recover": Command(_configure_recover, _recover, "kgraph recover --name incidents"),
    "selftest": Command(_configure_selftest, _selftest, "kgraph selftest"),
}
