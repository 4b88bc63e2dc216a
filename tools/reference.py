"""The page of all commands and options, made from the parsers themselves: what it says is what the command line takes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib import import_module

from kgraph.cli.options import parser_for
from kgraph.cli.table import COMMANDS

PAGE = "plugins/karpathy-graph/references/cli.md"
HEAD = """# Commands

Made from the command line by `tools/generate.py`: don't edit it.

When its output is piped, or with `--json`, a command prints one JSON object whose first key is `ok`. What is text by nature comes as
text when piped and, with `--json`, in the member `text`: `prompt`, `schema --prompt`, `query --format context|triples`; `export` to `-`
and `completions` are always text. A refusal is said in one line on standard error as well, and on a terminal only there. The `path` of
a problem leads into a payload (`$.edges[3].quote`) or to a line of the log; it is empty when the call itself is meant.
REF is an id, a name, an alias or a Source's uri; `Type:name` narrows it.

| exit status | means |
|---|---|
| 0 | done |
| 1 | the answer is no: refused for invariants only, findings, units left unfinished |
| 2 | the request can't be carried out: anything in `errors`, options, references |
| 3 | a bug: the message says where the details are |
| 4 | try again: lock, network, disk full |
| 130 | interrupted |
| 141 | the reader of the answer went away, as `head` does when it has enough |

`verify` exits 1 when a citation is missing or stale. One that could not be checked, because its file can't be read here, is a warning on
standard error and no failure; `--source-root DIR` says where the file lies.
"""


def pages() -> list[tuple[str, str]]:
    """(path from the project's root, text) of each generated page."""
    shared = _options(parser_for("COMMAND", "", ""))
    names = {string for option in shared for string in option.option_strings}
    overview = [
        "| command | does |",
        "|---|---|",
        *(f"| [`{name}`](#{name}) | {_cell(does)} |" for name, (_, does) in COMMANDS.items()),
    ]
    parts = [
        HEAD,
        "\n".join(overview),
        "## Options of every command\n\nBefore or after the command word.",
        _table("option", shared),
    ]
    parts += [_section(name, names) for name in COMMANDS]
    return [(PAGE, "\n\n".join(part.strip("\n") for part in parts) + "\n")]


def _section(name: str, shared: set[str]) -> str:
    module, does = COMMANDS[name]
    command = import_module(f"kgraph.cli.commands.{module}").COMMANDS[name]
    parser = parser_for(name, does, command.example)
    command.configure(parser)
    taken = [action for action in parser._actions if not action.option_strings]
    own = [option for option in _options(parser) if not shared & set(option.option_strings)]
    parts = [f"## {name}", f"{does[0].upper()}{does[1:]}."]
    parts += [_table("argument", taken)] if taken else []
    parts += [_table("option", own)] if own else []
    parts += [f"```text\n{command.example}\n```"] if command.example else []
    return "\n\n".join(parts)


def _options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [
        action
        for action in parser._actions
        if action.option_strings and action.help != argparse.SUPPRESS and action.dest != "help"
    ]


def _table(what: str, actions: Sequence[argparse.Action]) -> str:
    return "\n".join([f"| {what} | does |", "|---|---|", *_rows(actions)])


def _rows(actions: Sequence[argparse.Action]) -> Iterator[str]:
    for action in actions:
        value = "" if action.nargs == 0 else _value(action)
        names = ", ".join(action.option_strings)
        yield f"| `{_cell(' '.join(part for part in (names, value) if part))}` | {_cell(action.help or '')} |"


def _value(action: argparse.Action) -> str:
    if action.choices is not None:
        return "{" + ",".join(str(choice) for choice in action.choices) + "}"
    meta = action.metavar or action.dest.upper()
    return " ".join(meta) if isinstance(meta, tuple) else meta


def _cell(text: str) -> str:
    return " ".join(text.replace("%%", "%").split()).replace("|", "\\|")
