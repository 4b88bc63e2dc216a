"""Options: the global ones before and after the command word, and parsers that refuse in our own words."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from kgraph.cli.table import COMMANDS, GROUPS
from kgraph.errors import UsageError
from kgraph.parsing import json_value

VALUED = ("--name", "--path", "--run-id", "--wait")
FLAGS = ("--json", "--quiet", "--version", "-V", "--help", "-h", "-q", "--ids")
GLOBAL = (*VALUED, *FLAGS)


class Help(argparse.RawDescriptionHelpFormatter):
    """Of a fixed width: asking the terminal for its own would load archive readers at every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=110)


class Parser(argparse.ArgumentParser):
    """Raises UsageError instead of printing and leaving."""

    def error(self, message: str) -> NoReturn:
        unknown = message.removeprefix("unrecognized arguments: ").split(" ")[0].partition("=")[0]
        if unknown != message.split(" ")[0] and unknown.startswith("-"):
            message = f"unknown option {unknown}{self._nearest(unknown)}"
        raise UsageError(
            message,
            f"kgraph {self.prog.removeprefix('kgraph').strip()} --help shows the options".replace(
                "  ", " "
            ),
        )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """A choice that isn't one, with the one that was probably meant."""
        if action.choices is None or value in action.choices:
            return
        from kgraph.contract.nearness import nearest

        known = [str(choice) for choice in action.choices if choice]
        near = nearest(str(value), known)
        meant = f"; did you mean '{near}'?" if near else ""
        listed = ", ".join(known)
        raise argparse.ArgumentError(action, f"there is no '{value}'{meant} (one of {listed})")

    def _nearest(self, unknown: str) -> str:
        from kgraph.contract.nearness import nearest

        found = nearest(
            unknown, [name for name in self._option_string_actions if name.startswith("--")]
        )
        return f"; did you mean {found}?" if found else ""


def command_at(arguments: Sequence[str]) -> int:
    """Where the command word stands; the length of the arguments when there is none."""
    at = 0
    while at < len(arguments) and (arguments[at].startswith("-") and arguments[at] != "-"):
        at += 2 if arguments[at] in VALUED else 1
    return min(at, len(arguments))


def unknown_before(arguments: Sequence[str]) -> str:
    """The first option before the command word that isn't a global one; '' when there is none."""
    words = iter(arguments[: command_at(arguments)])
    for word in words:
        if word in VALUED:
            next(words, "")
        elif word.partition("=")[0] not in GLOBAL:
            return word.partition("=")[0]
    return ""


def split_command(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The command word and everything else, in order. '' when there is none."""
    at = command_at(arguments)
    if at == len(arguments):
        return "", list(arguments)
    word, behind = arguments[at], arguments[at + 1 :]
    if word == "add-node":  # there, a --name behind the command word is the node's
        behind = [
            "--node-name" + one[6:] if one == "--name" or one.startswith("--name=") else one
            for one in behind
        ]
    return word, [*arguments[:at], *behind]


def wants_json(arguments: Sequence[str]) -> bool:
    return "--json" in arguments


def parser_for(command: str, description: str, example: str) -> Parser:
    """A parser with the global options in it."""
    parser = Parser(
        prog=f"kgraph {command}", description=description, allow_abbrev=False, formatter_class=Help,
        epilog=f"example:\n  {example}" if example else None,
    )  # fmt: skip
    group = parser.add_argument_group("global options (before or after the command word)")
    group.add_argument(
        "--name",
        type=some,
        default=None,
        metavar="NAME",
        help="the graph in .karpathy-graphs/<name>/, here or in a folder above (KGRAPH_NAME)",
    )
    group.add_argument(
        "--path",
        type=some,
        default=None,
        metavar="DIR",
        help="the graph in this folder, used exactly as given (KGRAPH_PATH)",
    )
    group.add_argument(
        "--run-id", default="", metavar="ID", help="the run that this call belongs to"
    )
    group.add_argument(
        "--json",
        action="store_true",
        help="one JSON object on standard output (as when it is piped)",
    )
    group.add_argument(
        "--quiet", "-q", action="store_true", help="nothing but problems on standard error"
    )
    group.add_argument(
        "--ids", action="store_true", help="on a terminal: show the ids of nodes and edges too"
    )
    group.add_argument(
        "--wait",
        type=seconds,
        default=30.0,
        metavar="SECONDS",
        help="how long to wait for another writer (30)",
    )
    group.add_argument("--version", "-V", action="store_true", help="print the version and exit")
    return parser


def some(text: str) -> str:
    """A text that isn't empty: a variable that was never set must not mean another graph."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty")
    return text


def seconds(text: str) -> float:
    value = number(text)
    if value < 0:
        raise argparse.ArgumentTypeError("it can't be negative")
    return value


def number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number")
    return value


def count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of at least 0")
    return int(text)


def json_object(text: str) -> dict[str, Any]:

    try:
        value = json_value(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"it is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("it is not a JSON object")
    return value


def overview(version: str) -> str:
    """What ``kgraph`` alone and ``kgraph --help`` print: the commands by what one wants to do."""
    width = max(map(len, COMMANDS))
    lines = [
        f"kgraph {version}: a typed knowledge graph in which every statement can be traced to the bytes it came from",
        "",
        "usage: kgraph [--name NAME | --path DIR] [--run-id ID] [--json] [--quiet] [--wait SECONDS] COMMAND …",
    ]
    grouped = {name for names in GROUPS.values() for name in names}
    rest = tuple(name for name in COMMANDS if name not in grouped)
    for heading, commands in {**GROUPS, **({"more": rest} if rest else {})}.items():
        lines += [
            "",
            f"{heading}:",
            *(f"  {name:<{width}}  {COMMANDS[name][1]}" for name in commands),
        ]
    lines += [
        "",
        "Without --name the graph is the one in KGRAPH_NAME, in kgraph.toml, or the only one there is.",
        "kgraph help COMMAND, or kgraph COMMAND --help, shows a command's options and an example.",
    ]
    return "\n".join(lines)


def add_allow_secrets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-secrets",
        action="store_true",
        help="take texts that look like keys, tokens or passwords",
    )


def add_source_roots(parser: argparse.ArgumentParser) -> None:
    """Where quotes may be looked up besides the graph's own source root."""
    parser.add_argument(
        "--source-root", dest="source_roots", action="append", default=[], metavar="DIR",
        help="a further folder in which sources may be read",
    )  # fmt: skip
