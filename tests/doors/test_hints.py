"""What a message tells a reader to type is something that the command line takes."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from doors.prose import ROOT
from kgraph.cli.options import parser_for
from kgraph.cli.table import COMMANDS

SOURCES = sorted((ROOT / "src" / "kgraph").rglob("*.py"))
HINT = re.compile(
    rf"kgraph ({'|'.join(sorted(COMMANDS, key=len, reverse=True))})\b(.*?)(?=kgraph |[;\n]|$)"
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OPERAND = re.compile(
    r"^ +(?:\"|'|@|[A-Z]{2,})"
)  # a quoted text, a file, or a word in capitals that stands for something


def parser_of(command: str) -> argparse.ArgumentParser:
    module, does = COMMANDS[command]
    found = import_module(f"kgraph.cli.commands.{module}").COMMANDS[command]
    parser = parser_for(command, does, found.example)
    found.configure(parser)
    return parser


def hints() -> Iterator[tuple[str, str, str]]:
    """(place, command, what follows it) for each mention of a command in a text of the package."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for match in HINT.finditer(node.value):
                    yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}", match[1], match[2]


def test_a_hint_names_options_that_its_command_has_and_operands_that_it_takes() -> None:
    wrong, seen = [], 0
    for place, command, rest in hints():
        parser = parser_of(command)
        seen += 1
        known = {string for action in parser._actions for string in action.option_strings}
        takes_operands = any(not action.option_strings for action in parser._actions)
        wrong += [
            f"{place}: kgraph {command} has no {option}"
            for option in OPTION.findall(rest)
            if option not in known
        ]
        wrong += [
            f"{place}: kgraph {command} takes no operand"
            for _ in OPERAND.findall(rest)
            if not takes_operands
        ]
    assert wrong == []
    assert seen > 20


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_example_in_a_commands_help_is_one_that_its_parser_takes(command: str) -> None:
    import shlex

    from kgraph.cli.options import split_command

    found = import_module(f"kgraph.cli.commands.{COMMANDS[command][0]}").COMMANDS[command]
    assert found.example, "every command shows one"
    word, rest = split_command(shlex.split(found.example)[1:])
    assert word == command
    parser_of(command).parse_intermixed_args(rest)


def test_every_page_that_shows_a_file_of_the_package_shows_one_that_is_there() -> None:
    pages = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md"]
    named = {
        match
        for page in pages
        for match in re.findall(
            r"`((?:src/kgraph|tests|tools|docs)/[\w./-]+)`", page.read_text("utf-8")
        )
    }
    assert {path for path in named if not Path(ROOT / path).exists()} == set()
