"""retract, restore."""

from __future__ import annotations

import argparse
from typing import Any

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.plurals import counted

SELECTORS = ("node", "edge", "run", "source", "tx")


def _configure_retract(parser: argparse.ArgumentParser) -> None:
    for name, what in zip(SELECTORS, ("REF", "ID", "RUN", "REF", "ID"), strict=True):
        parser.add_argument(
            f"--{name}",
            default=None,
            metavar=what,
            help=f"take back this {name}'s assertions"
            if name != "tx"
            else "take back a transaction",
        )
    parser.add_argument(
        "--reason", default="", metavar="TEXT", help="why; it is kept in the history"
    )
    parser.add_argument(
        "--cascade",
        action="store_true",
        help="take back as well what would be left in breach of an invariant",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would go; nothing is written"
    )


def _retract(session: Session, options: argparse.Namespace) -> Answer:
    given = [
        (name, getattr(options, name)) for name in SELECTORS if getattr(options, name) is not None
    ]
    if len(given) != 1:
        raise UsageError(
            f"retract takes exactly one of {', '.join('--' + name for name in SELECTORS)}; {len(given)} were given",
            "give one, or retract twice",
        )
    done = session.graph().retract(
        given[0], options.reason, options.cascade, options.run_id, options.dry_run
    )
    if options.dry_run:
        session.say("nothing was written (--dry-run)")
    return Answer(done.as_json(), done.exit_status, words=session.changes().withdrawal)


def _configure_restore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tx",
        required=True,
        metavar="ID",
        help="the retraction, merge, split or distinction to take back",
    )
    parser.add_argument(
        "--reason", default="", metavar="TEXT", help="why; it is kept in the history"
    )


def _restore(session: Session, options: argparse.Namespace) -> Answer:
    done = session.graph().restore(options.tx, options.reason, options.run_id)
    return Answer(done.as_json(), done.exit_status, words=session.changes().withdrawal)


def _configure_forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--node", default=None, metavar="REF", help="a node, and whatever quotes its names"
    )
    parser.add_argument(
        "--source", default=None, metavar="REF", help="a source, and what stands on it alone"
    )
    parser.add_argument("--tx", default=None, metavar="ID", help="what a transaction says")
    parser.add_argument(
        "--reason", required=True, metavar="TEXT", help="why; it is kept in the history"
    )


def _forget(session: Session, options: argparse.Namespace) -> Answer:
    given = [
        (name, getattr(options, name))
        for name in ("node", "source", "tx")
        if getattr(options, name) is not None
    ]
    if len(given) != 1:
        raise UsageError("forget takes exactly one of --node, --source, --tx", "give one")
    return Answer(
        session.graph().forget(given[0], options.reason, options.run_id), words=_forget_words
    )


def _forget_words(body: Any) -> str:
    if not body["tx"]:
        return "nothing of it is in the log any more"
    removed = f"; removed as well: {', '.join(body['removed'])}" if body["removed"] else ""
    return (
        f"{counted(body['texts'], 'text')} taken out of {counted(body['lines'], 'line')} of the log{removed}\n"
        "version control, backups and other copies still have what they had"
    )


COMMANDS = {
    "forget": Command(
        _configure_forget,
        _forget,
        'kgraph forget --name incidents --source notes/ann.md --reason "her wish"',
    ),
    "retract": Command(
        _configure_retract,
        _retract,
        'kgraph retract --name incidents --run r1 --reason "wrong file"',
    ),
    "restore": Command(_configure_restore, _restore, "kgraph restore --name incidents --tx 3f2a"),
}
