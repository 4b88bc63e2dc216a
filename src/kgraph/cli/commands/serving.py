"""serve, mcp, completions."""

from __future__ import annotations

import argparse

from kgraph.cli.answering import Answer
from kgraph.cli.commands import Command
from kgraph.cli.options import add_source_roots, count
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


def _configure_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=count, default=0, metavar="N", help="the port (any free one)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", metavar="HOST", help="the address to listen on (127.0.0.1)"
    )
    parser.add_argument(
        "--allow-write", action="store_true", help="let the page decide, correct and upload"
    )
    parser.add_argument(
        "--allow-remote",
        action="store_true",
        help="for --host: an address that other machines reach",
    )
    parser.add_argument(
        "--no-token",
        action="store_true",
        help="let every program of this machine read; not with --allow-write",
    )
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    add_source_roots(parser)


def _serve(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.cli.dispatch import commands
    from kgraph.web.serving import Door, serve

    def shown(address: str) -> None:
        print(address, flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(address)

    door = Door(options.host, options.port, options.allow_remote, not options.no_token)
    serve(commands(options), door, options.allow_write, session.say, shown)
    return Answer({}, text="", as_text=True)


COMMANDS = {
    "serve": Command(_configure_serve, _serve, "kgraph serve --name incidents --open"),
    "mcp": Command(_configure_mcp, _mcp, "kgraph mcp --name incidents"),
    "completions": Command(_configure_completions, _completions, "kgraph completions bash"),
}
