"""trust."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import NotAllowed


def _configure_trust(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--show", action="store_true", help="say what it asks for, confirm nothing")


def _trust(session: Session, options: argparse.Namespace) -> Answer:
    graph = session.graph()
    asked = graph.asks_for()
    if not options.show:
        for ask in asked:
            if not graph.trust.confirm(ask.what, ask.value):
                raise NotAllowed(
                    f"{graph.trust.path} can't be written, so nothing was confirmed",
                    "XDG_CONFIG_HOME names a folder of yours for it",
                )
    rows = [
        {"what": ask.what, "value": ask.value, "confirmed": graph.trust.confirmed(*ask)}
        for ask in asked
    ]
    return Answer({"asks": rows, "file": graph.trust.path}, words=_words)


def _words(body: Any) -> str:
    if not body["asks"]:
        return "this graph's folder asks for nothing that needs to be confirmed"
    return "\n".join(
        f"{row['what']}: {one_line(row['value'])} ({'confirmed' if row['confirmed'] else 'not confirmed'})"
        for row in body["asks"]
    )


COMMANDS = {"trust": Command(_configure_trust, _trust, "kgraph trust --name incidents --show")}
