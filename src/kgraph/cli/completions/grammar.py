"""What can be typed behind ``kgraph``, read off the commands' own parsers."""

from __future__ import annotations

import argparse
from importlib import import_module

from kgraph.cli.options import VALUED, parser_for
from kgraph.cli.table import COMMANDS
from kgraph.ontology import NODE_TYPES, PREDICATES, VALUES
from kgraph.tuples import NamedTuple

FILES, FOLDERS, PAYLOADS, GRAPHS, ANYTHING = "files", "folders", "payloads", "graphs", "anything"
BY_METAVAR = {
    "PATH": FILES,
    "FILE": FILES,
    "FILE_OR_FOLDER": FILES,
    "DIR": FOLDERS,
    "PAYLOAD": PAYLOADS,
}
NAMES_A_NODE = "add-node"  # behind this word, --name is the node's own name and no graph's
WORDS_BY_METAVAR = {
    "TYPE": tuple(NODE_TYPES),
    "PREDICATE": tuple(PREDICATES),
    "KIND": tuple(value.name for key in ("entity_kind", "claim_kind") for value in VALUES[key]),
    "ROLE": tuple(value.name for value in VALUES["role"]),
}


class Value(NamedTuple):
    """What may stand there: one of ``words``, or something of a ``kind``."""

    kind: str = ANYTHING
    words: tuple[str, ...] = ()


class Option(NamedTuple):
    """``value`` is None for a flag."""

    names: tuple[str, ...]
    does: str
    value: Value | None


class Command(NamedTuple):
    """``argument``: what stands behind the command word; None when nothing may."""

    name: str
    does: str
    options: tuple[Option, ...]
    argument: Value | None


class Grammar(NamedTuple):
    """``shared``: the options that stand before and behind every command word."""

    shared: tuple[Option, ...]
    commands: tuple[Command, ...]

    @property
    def valued(self) -> tuple[str, ...]:
        """The options before a command word that take the next word."""
        return VALUED


def grammar() -> Grammar:
    """The command line as it is."""
    shared = _options(parser_for("COMMAND", "", ""))
    return Grammar(
        shared,
        tuple(
            _command(name, {string for option in shared for string in option.names})
            for name in COMMANDS
        ),
    )


def _command(name: str, shared: set[str]) -> Command:
    module, does = COMMANDS[name]
    command = import_module(f"kgraph.cli.commands.{module}").COMMANDS[name]
    parser = parser_for(name, does, command.example)
    command.configure(parser)
    own = tuple(option for option in _options(parser) if not shared & set(option.names))
    arguments = [_value(action) for action in parser._actions if not action.option_strings]
    return Command(name, does, own, arguments[0] if arguments else None)


def _options(parser: argparse.ArgumentParser) -> tuple[Option, ...]:
    return tuple(
        Option(
            tuple(action.option_strings),
            (action.help or "").replace("%%", "%"),
            None if action.nargs == 0 else _value(action),
        )
        for action in parser._actions
        if action.option_strings and action.help != argparse.SUPPRESS
    )


def _value(action: argparse.Action) -> Value:
    meta = action.metavar if isinstance(action.metavar, str) else ""
    if action.choices is not None:
        return Value(words=tuple(str(choice) for choice in action.choices if choice != ""))
    if "--name" in action.option_strings:
        return Value(GRAPHS)
    return Value(BY_METAVAR.get(meta, ANYTHING), WORDS_BY_METAVAR.get(meta, ()))
