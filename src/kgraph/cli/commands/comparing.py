"""diff."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from kgraph.cli.answering import Answer, safe
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.compose import open as open_graph


def _configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "before",
        metavar="BEFORE",
        help="the earlier side: a transaction, an instant, run:ID, git:REVISION, or path:DIR for another graph",
    )
    parser.add_argument(
        "after", nargs="?", default="now", metavar="AFTER", help="the later side (now)"
    )
    parser.add_argument("--check", action="store_true", help="exit 1 if a claim lost its support")
    parser.add_argument(
        "--format", choices=("json", "table", "markdown"), default="json", help="how to print it"
    )


def _diff(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.views.difference import in_words

    found = session.graph().diff(options.before, options.after, open_graph)
    title = f"{options.before} → {options.after}"
    status = 1 if options.check and found.lost_support else 0
    body = {"before": options.before, "after": options.after, **found.as_json()}

    def words(_: Mapping[str, Any]) -> str:
        return in_words(found, title)

    if options.format == "json":
        return Answer(body, status, words=words)
    text = in_words(found, title, options.format == "markdown") + "\n"
    return Answer(body, status, text=safe(text), words=words)


COMMANDS = {"diff": Command(_configure, _diff, "kgraph diff git:main --format markdown --check")}
