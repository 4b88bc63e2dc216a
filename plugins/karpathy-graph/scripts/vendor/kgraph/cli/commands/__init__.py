"""One file for each kind of command; ``cli.table`` says which is where."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kgraph.cli.answering import Answer
from kgraph.cli.session import Session
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    import argparse


class Command(NamedTuple):
    """How a command is parsed and carried out. ``example`` is shown by its help."""

    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Session, argparse.Namespace], Answer]
    example: str
