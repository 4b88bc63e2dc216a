"""A command carried out for another door: the same parsing, the same answer, as one line of JSON, on the graph that is served."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from kgraph.cli.answering import as_json, printed
from kgraph.cli.options import GLOBAL, parser_for
from kgraph.cli.session import Session
from kgraph.cli.table import COMMANDS
from kgraph.errors import KgraphError, NotAllowed, TryAgain
from kgraph.graph import Graph
from kgraph.web import Answered, Call, Commands, Parameter


def commands(options: argparse.Namespace) -> Commands:
    """The commands on the graph that the options of ``kgraph serve`` name."""
    served = [f"--path={options.path}"] if options.path else [f"--name={options.name}"] if options.name else []  # fmt: skip
    served += [f"--wait={options.wait}", "--json", "--quiet"]

    def run(call: Call) -> Answered:
        return _run(call, served)

    def opened() -> Graph:
        return Session(options).place.open()

    return Commands(run, parameters, summary, opened)


def _run(call: Call, served: Sequence[str]) -> Answered:
    session: Session | None = None
    name = call.command
    try:
        command = import_module(f"kgraph.cli.commands.{COMMANDS[name][0]}").COMMANDS[name]
        parser = parser_for(name, COMMANDS[name][1], command.example)
        command.configure(parser)
        words = [*served, *call.options, *_placeholders(parser)]
        options = parser.parse_intermixed_args(words)
        for key, value in call.positional.items():
            setattr(options, key, value)
        session = Session(options)
        answer = command.run(session, options)
        return Answered(answer.exit_status, printed(answer, session.around(True)))
    except KgraphError as error:
        return _refused(error, session)
    except OSError as error:
        return _refused(TryAgain(f"{error.strerror or error}", "look at the disk, and try again"), session)  # fmt: skip
    except RecursionError:
        return _refused(NotAllowed("the request is nested too deep", "send less at once"), session)


def _placeholders(parser: argparse.ArgumentParser) -> list[str]:
    """Words in the place of positional arguments: the values themselves are set afterwards, so that none can be taken for an option."""
    found: list[str] = []
    for action in parser._actions:
        if not action.option_strings and action.nargs not in ("?", "*"):
            found += ["-"] * (action.nargs if isinstance(action.nargs, int) else 1)
    return found


def _refused(error: KgraphError, session: Session | None) -> Answered:
    problem = {"code": error.code, "path": "", "message": error.message, "hint": error.hint, **error.details}  # fmt: skip
    body: dict[str, Any] = {**(session.named() if session else {}), "errors": [problem]}
    return Answered(error.exit_status, as_json(body, error.exit_status) + "\n")


def summary(name: str) -> str:
    """What a command does, in a line; '' for one that there isn't."""
    return COMMANDS[name][1] if name in COMMANDS else ""


def parameters(name: str) -> Mapping[str, Parameter]:
    """The arguments of a command by the names under which its parser keeps them."""
    if name not in COMMANDS:
        return {}
    command = import_module(f"kgraph.cli.commands.{COMMANDS[name][0]}").COMMANDS[name]
    parser = parser_for(name, COMMANDS[name][1], command.example)
    command.configure(parser)
    found = {}
    for action in parser._actions:
        option = next((one for one in action.option_strings if one.startswith("--")), "")
        if (option and option in GLOBAL and option != "--run-id") or isinstance(
            action, argparse._HelpAction
        ):
            continue
        found[action.dest] = Parameter(
            action.dest, option, _kind(action),
            isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*") or isinstance(action.nargs, int) and action.nargs > 1,
            not option and action.nargs not in ("?", "*"), tuple(map(str, action.choices or ())), action.help or "",
        )  # fmt: skip
    return found


def _kind(action: argparse.Action) -> str:
    if action.nargs == 0:
        return "flag"
    named = getattr(action.type, "__name__", "")
    return "number" if named in ("count", "number", "seconds", "int", "float") else "text"
