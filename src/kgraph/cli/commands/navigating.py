"""code: the questions that people ask of code."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.options import count
from kgraph.cli.session import Session
from kgraph.code.navigate import QUESTIONS
from kgraph.plurals import counted


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    width = max(map(len, QUESTIONS))
    listed = "\n".join(f"  {name:<{width}}  {one.summary}" for name, one in QUESTIONS.items())
    parser.description = f"{parser.description}\n\nquestions:\n{listed}"
    parser.add_argument(
        "question", choices=list(QUESTIONS), metavar="QUESTION", help="one of the questions above"
    )
    parser.add_argument(
        "refs", nargs="*", metavar="REF",
        help="a dotted name or the end of one (Cart.total), a file, file:line, an id",
    )  # fmt: skip
    parser.add_argument(
        "--diff", nargs="?", const="HEAD", default=None, metavar="GITREV",
        help="impact: of what differs from this revision (HEAD)",
    )  # fmt: skip
    parser.add_argument(
        "--depth",
        type=count,
        default=0,
        metavar="N",
        help="impact, tests, path: at most so many steps (0: to the end)",
    )
    parser.add_argument(
        "--limit",
        type=count,
        default=100,
        metavar="N",
        help="at most so many rows (100; 0 for all)",
    )
    parser.add_argument(
        "--cursor", default="", metavar="CURSOR", help="go on where an earlier answer was cut"
    )
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")


def _code(session: Session, options: argparse.Namespace) -> Answer:
    found = session.graph().code(
        options.question, *options.refs, limit=options.limit, cursor=options.cursor, depth=options.depth, diff=options.diff,
        as_of=options.as_of,
    )  # fmt: skip
    return Answer(found, words=_words)


def _words(body: Any) -> str:
    lines = [one_line(f"{body['question']} of {_called(part)}") for part in body["of"]]
    for name in ("note", "hops", "by"):
        if body.get(name):
            lines.append(
                one_line(f"{name}: {body[name]}") if name != "note" else one_line(str(body[name]))
            )
    for name, title in (
        ("tests", "tests to run, the nearest first"),
        ("entry_points", "public entry points"),
        ("unmapped_files", "changed, but not in the graph"),
    ):
        if body.get(name):
            lines.append(f"{title}:")
            lines += [f"  {one_line(one)}" for one in body[name]]
    for name in ("certain", "possible"):
        number = body["counts"][name]
        if number:
            lines.append(f"{name} ({counted(number, 'place')}):")
            lines += [_line(row) for row in body[name]]
    if not sum(body["counts"].values()) and not body.get("note"):
        lines.append("nothing")
    if body["cursor"]:
        lines.append(f"there is more; --cursor {body['cursor']} goes on")
    return "\n".join(lines)


def _called(part: Any) -> str:
    return f"{part['kind']} {part['name']}" + (
        f"  {part['uri']}:{part['line']}" if "uri" in part else ""
    )


def _line(row: Any) -> str:
    where = f"{row['uri']}:{row['line']}" if "uri" in row else "-"
    steps = f" [{row['depth']}]" if row.get("depth") else ""
    via = f" via {row['via']}" if row.get("via") else ""
    quote = f"  {row['quote']}" if row.get("quote") else ""
    return "  " + one_line(f"{where}{steps} {row['relation']} {row['name']}{via}{quote}")[:300]


COMMANDS = {
    "code": Command(_configure, _code, "kgraph code callers Cart.total"),
}
