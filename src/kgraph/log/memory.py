"""A log in memory: for tests, and to open lines that lie in no file of ours (``--as-of``, imports)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence

from kgraph.errors import Locked
from kgraph.log.port import Raw, Stamp


class MemoryLog:
    def __init__(self, lines: Sequence[bytes] = ()) -> None:
        self.lines = list(lines)
        self.torn: list[bytes] = []
        self._held = False

    def stamp(self) -> Stamp:
        return Stamp(len(self.lines), f"{len(self.lines)}:{id(self.lines)}")

    def scan(self, position: int = 0) -> Iterator[Raw]:
        for at in range(position, len(self.lines)):
            yield Raw(at, self.lines[at])

    def read(self, position: int, start: int, length: int) -> bytes:
        return self.lines[position][start : start + length]

    def next_position(self) -> int:
        return len(self.lines)

    def append(self, lines: Sequence[bytes]) -> list[int]:
        first = len(self.lines)
        self.lines.extend(lines)
        return list(range(first, len(self.lines)))

    def rewrite(self, lines: Iterable[bytes]) -> None:
        self.lines = list(lines)

    def set_aside(self, torn: Raw) -> str:
        self.torn.append(torn.data)
        del self.lines[torn.position :]
        return "memory"

    @contextlib.contextmanager
    def writing(self, wait_seconds: float) -> Iterator[None]:
        with self.try_writing() as held:
            if not held:
                raise Locked(
                    "this log is being written to",
                    "finish the write that is under way",
                    holder="this process",
                )
            yield

    @contextlib.contextmanager
    def try_writing(self) -> Iterator[bool | None]:
        if self._held:
            yield False
            return
        self._held = True
        try:
            yield True
        finally:
            self._held = False

    def close(self) -> None:
        """There is nothing to close."""
