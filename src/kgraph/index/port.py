"""The port of an index: what the engine asks of it. ``sqlite`` is one; another database can be put in its place.

An index is derived from a log and never writes to it. Its SQL, and that of everything that asks it, stands in this package: questions go
through ``Reader`` and the functions beside it, which send plain SQL through ``db.execute(text, values)``. What only SQLite has (full text,
the journal's mode) stands in ``sqlite``, ``storage`` and the word searches of ``read``.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

from kgraph.errors import LogDamaged
from kgraph.events import Event, Transaction
from kgraph.index.load import Damage, Header
from kgraph.log import Log, Stamp
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.index.read import Reader


class Lost(NamedTuple):
    """A transaction that was known here once and is no longer in the log."""

    id: str
    ts: str


class Astray(LogDamaged):
    """The index leads to a place in the log where there is something else: one of the two is at fault."""


class Change(Protocol):
    """Transactions on their way into an index. It commits when its context is left, and only if nothing was raised inside."""

    lines: list[bytes]
    names: list[str]

    @property
    def is_flushed(self) -> bool: ...

    def add(self, transaction: Transaction, line: bytes) -> None:
        """Take a transaction in, as if its line lay in the log already: it can be read back at once."""
        ...

    def flushed(self, stamp: Stamp) -> None:
        """Its lines lie in the log, whose stamp is now this one."""
        ...


class Index(Protocol):
    """What every index keeps to; ``kgraph.testing.index_contract`` is the suite."""

    log: Log

    def for_reading(self) -> None:
        """Be as new as the last acknowledged write. Never waits for a writer."""
        ...

    def for_writing(self) -> None:
        """Be exactly as new as the log. The caller holds the writer's lock. Raises TryAgain where the disk is full."""
        ...

    def hold_still(self) -> None:
        """Let what is read from now on be one state, whatever others write meanwhile."""
        ...

    def reader(self) -> Reader:
        """Questions to the index as it is."""
        ...

    def changing(self, position: int) -> AbstractContextManager[Change]:
        """A change of the index that is whole or not there. ``position`` is where the log's next line will lie."""
        ...

    def event_at(self, line: int, start: int, length: int) -> Event:
        """An assertion's own words, from the log. Raises LogDamaged where they are no longer there."""
        ...

    def only(self, accept: Callable[[list[Header]], set[str]]) -> Index:
        """An index over some of the log's lines: those whose ids ``accept`` picks from all headers."""
        ...

    def make_again(self) -> None:
        """Read the whole log again, whatever is here. The caller holds the writer's lock."""
        ...

    @property
    def told(self) -> str:
        """What a person should know of the index: that it was damaged and has been made again; else ''."""
        ...

    def is_at_fault(self, error: BaseException) -> bool:
        """Whether an error says that the index's own store is broken, so that ``heal`` helps."""
        ...

    def faults(self) -> list[str]:
        """What in the index is not as the log has it. The caller holds the writer's lock. It costs as much as making the index."""
        ...

    def heal(self) -> None:
        """Make the index again from the log and nothing else."""
        ...

    @property
    def has_texts_to_forget(self) -> bool:
        """Whether texts that a record says are forgotten still lie in the log: a merge brought them back, or the process died."""
        ...

    def damage(self) -> list[Damage]:
        """What was found wrong with the log, by position."""
        ...

    def forget_damage(self, position: int) -> None:
        """What was wrong at a position is mended."""
        ...

    def lost(self) -> list[Lost]:
        """Transactions that were known once and are gone, oldest first."""
        ...

    def accept_losses(self) -> None:
        """Forget what was lost: the log as it is now is the truth."""
        ...

    @property
    def is_open(self) -> bool: ...

    @property
    def heads(self) -> list[str]:
        """The transactions that no other names as its parent."""
        ...

    @property
    def last_ts(self) -> str:
        """The time of the latest transaction; '' where there is none."""
        ...

    def close(self) -> None: ...
