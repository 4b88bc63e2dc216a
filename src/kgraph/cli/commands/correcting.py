"""edit, rename."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import UsageError

FIELDS = (
    ("description", "TEXT", "what tells it from another of the same name"),
    ("kind", "KIND", "what kind of thing an Entity, of statement a Claim is"),
    ("event-time", "T", "when what a Claim tells of happened: date, instant or A/B"),
    ("valid-from", "TIME", "since when it is true of the world"),
    ("valid-to", "TIME", "until when (not included)"),
    ("rubric", "TEXT", "what an Evaluation judges against"),
    ("result", "TEXT", "an Evaluation's outcome"),
)


def _configure_edit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the node: an id, a name, an alias, a uri")
    for name, metavar, what in FIELDS:
        parser.add_argument(f"--{name}", default=None, metavar=metavar, help=what)
    parser.add_argument(
        "--alias", action="append", default=[], metavar="TEXT", help="one more spelling"
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="why; kept in the history")


def _edit(session: Session, options: argparse.Namespace) -> Answer:
    given = {
        name.replace("-", "_"): getattr(options, name.replace("-", "_")) for name, _, _ in FIELDS
    }
    changes = {key: value for key, value in given.items() if value is not None}
    return _carried_out(session, options, changes, tuple(options.alias))


def _configure_rename(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ref", metavar="REF", help="the node: an id, a name, an alias, a uri")
    parser.add_argument("to", metavar="NEW_NAME", help="what it is to be called")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why; kept in the history")


def _rename(session: Session, options: argparse.Namespace) -> Answer:
    if not options.to.strip():
        raise UsageError("the new name is empty", "kgraph rename REF NEW_NAME")
    return _carried_out(session, options, {"name": options.to}, ())


def _carried_out(
    session: Session, options: argparse.Namespace, changes: dict[str, Any], aliases: tuple[str, ...]
) -> Answer:
    from kgraph.graph.correcting import EditOptions

    how = EditOptions(options.reason, options.run_id, aliases)
    return Answer(session.graph().edit(options.ref, changes, how)._asdict(), words=_words)


def _words(body: Any) -> str:
    if body["unchanged"]:
        return "unchanged: it stood so already"
    lines = [
        f"{key}: {one_line(str(body['before'][key]) or 'nothing')} → {one_line(str(value))}"
        for key, value in body["after"].items()
    ]
    lines.append(f"undo: kgraph restore --tx {body['tx'][:12]}")
    return "\n".join(lines)


COMMANDS = {
    "edit": Command(
        _configure_edit,
        _edit,
        'kgraph edit "Harbour Desk" --description "screen of the operations room"',
    ),
    "rename": Command(
        _configure_rename, _rename, 'kgraph rename "Harbour Desk" "Operations Screen"'
    ),
}
