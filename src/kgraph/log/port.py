"""The port of a log: an append-only sequence of lines, with one writer at a time.

A *position* names a line: a byte offset in a file, a row number elsewhere. Positions only grow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from kgraph.tuples import NamedTuple


class Raw(NamedTuple):
    """A line as it lies in the log, without its line end. ``ended`` is false for a last line that has none."""

    position: int
    data: bytes
    ended: bool = True


class Stamp(NamedTuple):
    """Changes whenever the log does: the position behind the last line, and whatever else tells one state from another."""

    end: int
    mark: str


class Log(Protocol):
    """What every log keeps to; ``kgraph.testing.log_contract`` is the suite."""

    def stamp(self) -> Stamp: ...

    def scan(self, position: int = 0) -> Iterator[Raw]:
        """The lines from a position on, in the order in which they lie."""
        ...

    def read(self, position: int, start: int, length: int) -> bytes:
        """A piece of the line at a position."""
        ...

    def next_position(self) -> int:
        """Where the next appended line will lie. Asked by the writer only."""
        ...

    def append(self, lines: Sequence[bytes]) -> list[int]:
        """Write lines and flush them to the disk; their positions. All are there or none is acknowledged."""
        ...

    def rewrite(self, lines: Iterable[bytes]) -> None:
        """Put these lines in the place of all that are there, whole or not at all: for texts that are forgotten, and nothing else."""
        ...

    def set_aside(self, torn: Raw) -> str:
        """Move a torn last line out of the log; where it was put."""
        ...

    def writing(self, wait_seconds: float) -> AbstractContextManager[None]:
        """Be the one writer. Raises ``errors.Locked`` after the wait, naming the holder."""
        ...

    def try_writing(self) -> AbstractContextManager[bool | None]:
        """Be the one writer if that is possible at once: True, False while another is, None where nobody can write."""
        ...

    def close(self) -> None:
        """Let go of what reading held open. A later read opens it again."""
        ...
