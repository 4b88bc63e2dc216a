"""timeline."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.options import count
from kgraph.cli.session import Session
from kgraph.plurals import counted


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ref",
        nargs="?",
        default="",
        metavar="REF",
        help="only of this thing or Source: id, name, alias or uri",
    )
    parser.add_argument("--kind", default="", metavar="KIND", help="only claims of this kind")
    parser.add_argument("--since", default="", metavar="TIME", help="only what happened since")
    parser.add_argument("--until", default="", metavar="TIME", help="only what happened before")
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")
    parser.add_argument(
        "--limit", type=count, default=200, metavar="N", help="at most so many entries (200)"
    )


def _timeline(session: Session, options: argparse.Namespace) -> Answer:
    entries = session.graph().timeline(
        options.ref, (options.since, options.until), options.kind, options.as_of
    )
    shown = entries[: options.limit]
    body = {"timeline": shown, "total": len(entries), "left_out": len(entries) - len(shown)}
    return Answer(body, words=_words)


def _words(body: Any) -> str:
    lines = []
    for row in body["timeline"]:
        kind = f" ({one_line(row['kind'])})" if row.get("kind") else ""
        place = f"  {one_line(row['source_doc'])}" if row.get("source_doc") else ""
        lines.append(f"{one_line(row['time'])}  {one_line(row['name'])}{kind}{place}")
    if body["left_out"]:
        lines.append(f"{counted(body['left_out'], 'later entry')} left out; --limit shows more")
    return "\n".join(lines) or "no claim has an event time; add-node --event-time states one"


COMMANDS = {
    "timeline": Command(_configure, _timeline, 'kgraph timeline "Token Vault" --since 2026-03-01'),
}
