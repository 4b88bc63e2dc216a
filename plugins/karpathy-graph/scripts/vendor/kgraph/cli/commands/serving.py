"""mcp, completions."""

from __future__ import annotations

import argparse

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.session import Session
from kgraph.errors import UsageError

SHELLS = ("bash", "zsh", "fish")


def _configure_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-write", action="store_true", help="offer ingest, resolve and retract as well"
    )
    parser.add_argument(
        "--http",
        default="",
        metavar="HOST:PORT",
        help="streamable HTTP there instead of standard input and output",
    )
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="for --http: an address that other machines reach, with a token",
    )


def _mcp(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.mcp import Wanted
    from kgraph.mcp.serving import address_of, serve_http, serve_stdio

    wanted = Wanted(
        options.name or "",
        options.path or "",
        wait_seconds=options.wait,
        allow_write=options.allow_write,
    )
    if options.http:
        serve_http(wanted, address_of(options.http, options.allow_remote), session.say)
    elif options.allow_remote:
        raise UsageError(
            "--allow-remote is about an address, and none is given", "give --http HOST:PORT as well"
        )
    else:
        serve_stdio(wanted)
    return Answer({}, text="", as_text=True)


def _configure_completions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "shell", choices=SHELLS, help="the shell that is to complete commands, options and values"
    )


def _completions(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.cli.completions import SCRIPTS, grammar

    del session
    return Answer({}, text=SCRIPTS[options.shell](grammar()), as_text=True)


COMMANDS = {
    "mcp": Command(_configure_mcp, _mcp, "kgraph mcp --name incidents"),
    "completions": Command(_configure_completions, _completions, "kgraph completions bash"),
}
