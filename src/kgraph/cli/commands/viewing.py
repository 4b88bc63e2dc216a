"""render, export."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.session import Session


def _configure_render(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="lay the page out with the standard library, whatever is installed")


def _render(session: Session, options: argparse.Namespace) -> Answer:
    return Answer({"files": session.graph().render(options.plain)}, words=_render_words)


def _render_words(body: Any) -> str:
    return "\n".join(f"{row['path']} ({row['size_bytes']:,} bytes)" for row in body["files"].values())


COMMANDS = {"render": Command(_configure_render, _render, "kgraph render --name incidents")}
