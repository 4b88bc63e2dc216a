"""retract, restore."""

from __future__ import annotations

import argparse

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import UsageError

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


def _retract(session: Session, options: argparse.Namespace) -> Answer:
    given = [
        (name, getattr(options, name)) for name in SELECTORS if getattr(options, name) is not None
    ]
    if len(given) != 1:
        raise UsageError(
            f"retract takes exactly one of {', '.join('--' + name for name in SELECTORS)}; {len(given)} were given",
            "give one, or retract twice",
        )
    done = session.graph().retract(given[0], options.reason, options.cascade, options.run_id)
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


COMMANDS = {
    "retract": Command(
        _configure_retract,
        _retract,
        'kgraph retract --name incidents --run r1 --reason "wrong file"',
    ),
    "restore": Command(_configure_restore, _restore, "kgraph restore --name incidents --tx 3f2a"),
}
