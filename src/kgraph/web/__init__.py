"""The door for browsers: a graph served on this machine, read, reviewed and corrected. Needs the extra ``serve``.

What the page asks for goes through the same commands as the command line's, so an answer under ``/api/v1`` is the command's own JSON.
The command line hands in how a command is carried out, so this package knows no command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from kgraph.errors import MissingExtra
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph


class Answered(NamedTuple):
    """What a command answered: its exit status, and the line of JSON that it prints when it is piped."""

    exit_status: int
    text: str


class Parameter(NamedTuple):
    """An argument of a command. ``option`` is '' for a positional one; ``kind`` is text, number or flag."""

    name: str
    option: str
    kind: str
    many: bool
    required: bool
    choices: tuple[str, ...]
    help: str


class Call(NamedTuple):
    """A command to carry out. ``options`` are whole words (``--hops=3``); ``positional`` values are never looked at for options."""

    command: str
    options: Sequence[str]
    positional: Mapping[str, str | Sequence[str]]


class Commands(NamedTuple):
    """How commands are carried out on the served graph, and what they take."""

    run: Callable[[Call], Answered]
    parameters: Callable[[str], Mapping[str, Parameter]]
    summary: Callable[[str], str]
    open: Callable[[], Graph]


class Wanted(NamedTuple):
    """How to serve: whether the page may write, and the token that a browser must bring ('' for none)."""

    allow_write: bool = False
    token: str = ""


def require_server() -> None:
    """Raise MissingExtra where Starlette or uvicorn isn't installed."""
    from importlib.util import find_spec

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise MissingExtra("kgraph serve", "serve")
