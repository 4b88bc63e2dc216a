"""The one writer and the many readers of a graph: the log, its index, and the order in which they change."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from kgraph.errors import LogDamaged, NewerLog
from kgraph.events import Draft, Transaction, encode
from kgraph.index.load import TORN, read_lines
from kgraph.index.read import Reader
from kgraph.index.sqlite import Adding, SqliteIndex
from kgraph.log import Log, Raw
from kgraph.model import Problem
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph.view import IndexView

LOST_SHOWN = 3


class Instruments(NamedTuple):
    """What comes from outside: the clock (UTC, ``2026-03-11T09:14:00.000000Z``) and chance (a fresh short token)."""

    now: Callable[[], str]
    token: Callable[[], str]


class Engine:
    """A log with its index. Reading never waits; writing waits ``wait_seconds`` for other writers."""

    def __init__(self, log: Log, index: SqliteIndex, instruments: Instruments, wait_seconds: float = 30.0) -> None:
        self.log = log
        self.index = index
        self.instruments = instruments
        self.wait_seconds = wait_seconds
        self.written: list[str] = []  # the last transaction of each flush by this process

    def reader(self) -> Reader:
        """The graph as the last acknowledged write left it, the same for as long as the reader lives."""
        self.index.for_reading()
        self.index.hold_still()
        return Reader(self.index)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Writer]:
        """Be the one writer. Raises Locked, LogDamaged or NewerLog before anything is changed."""
        with self.log.writing(self.wait_seconds):
            self.index.for_writing()
            self._clean_up()
            yield Writer(self.index, self.instruments, self.written)

    def _clean_up(self) -> None:
        """Set a torn end aside; refuse to write behind anything worse."""
        found = self.index.db.execute("SELECT position, code, reason FROM damage ORDER BY position").fetchall()
        for position, code, reason in found:
            if code == "E210":
                raise NewerLog(
                    f"the log was continued by a later kgraph (line at byte {position}: {reason})", "update kgraph to write to this graph"
                )
            if code != TORN:
                raise LogDamaged(f"the log is damaged at byte {position}: {reason}", "kgraph rebuild lists every damaged line")
        for position, _, _ in found:
            torn = next(iter(self.log.scan(position)), None)
            if torn is not None and not torn.ended:
                self.log.set_aside(Raw(position, torn.data, False))
            self.index.db.execute("DELETE FROM damage WHERE position=?", (position,))

    def damage(self) -> list[Problem]:
        """What is wrong with the log, as far as the index has seen it: damaged and later lines, a torn end, lost transactions."""
        if not self.index.is_open:
            self.index.for_reading()
        found = []
        for position, code, reason in self.index.db.execute("SELECT position, code, reason FROM damage ORDER BY position"):
            shown = "E209" if code == TORN else code
            hint = "the next write sets it aside in log.torn" if code == TORN else "kgraph rebuild lists every damaged line"
            found.append(Problem(shown, f"log.jsonl:{position}", f"line at byte {position}: {reason}", hint))
        lost = self.index.db.execute("SELECT id, ts FROM lost ORDER BY ts, id").fetchall()
        if lost:
            names = ", ".join(name[:12] for name, _ in lost[:LOST_SHOWN]) + (" …" if len(lost) > LOST_SHOWN else "")
            found.append(
                Problem("E209", "log.jsonl", f"{len(lost)} transactions that were known here are no longer in the log: {names}",
                        "bring the log back from another copy; after switching branches this is expected, and kgraph rebuild accepts it")
            )  # fmt: skip
        return found

    def check_every_line(self) -> list[Problem]:
        """Hold every line against its id and its parents, whatever the index says."""
        headers, found = [], []
        for line in read_lines(self.log):
            if line.damage:
                code = "E209" if line.damage.code == TORN else line.damage.code
                found.append(Problem(code, f"log.jsonl:{line.position}", f"line at byte {line.position}: {line.damage.reason}"))
            if line.transaction:
                headers.append((line.transaction, line.position))
        known = {transaction.id for transaction, _ in headers}
        for transaction, position in headers:
            for parent in transaction.after:
                if parent not in known:
                    reason = f"transaction {transaction.id[:12]} follows {parent}, which is not in the log"
                    found.append(Problem("E209", f"log.jsonl:{position}", reason))
        return found


class Writer:
    """Decide, then record: the graph as it is, and the one way to change it."""

    def __init__(self, index: SqliteIndex, instruments: Instruments, written: list[str]) -> None:
        self.index = index
        self._written = written
        self.reader = Reader(index)
        self._instruments = instruments
        self._heads: Sequence[str] = index.heads
        self._last_ts = index.get("last_ts")

    def view(self) -> IndexView:
        from kgraph.graph.view import IndexView

        return IndexView(self.reader)

    @contextlib.contextmanager
    def adding(self) -> Iterator[Recorder]:
        """A change of log and index that is whole or not there: raise anything inside, and nothing was written."""
        before = self._heads, self._last_ts
        adding: Adding | None = None
        try:
            with self.index.adding() as adding:
                yield Recorder(self, adding)
        except BaseException:
            self._heads, self._last_ts = before
            raise
        finally:
            if adding is not None and adding.flushed:  # also when something failed afterwards: the door says what is in the log
                self._written += adding.names[-1:]

    def record(self, draft: Draft) -> Transaction:
        """One transaction, flushed."""
        with self.adding() as recorder:
            return recorder.add(draft)

    def place(self, draft: Draft) -> tuple[Transaction, bytes]:
        """Give a draft its place behind the heads, its time and its id."""
        from kgraph.index.load import next_instant

        ts = self._instruments.now()
        if ts <= self._last_ts:
            ts = next_instant(self._last_ts)
        transaction, line = encode(draft, self._heads, ts)
        self._heads, self._last_ts = [transaction.id], ts
        return transaction, line


class Recorder:
    """Adds drafts within one change."""

    def __init__(self, writer: Writer, adding: Adding) -> None:
        self._writer = writer
        self._adding = adding

    def add(self, draft: Draft) -> Transaction:
        transaction, line = self._writer.place(draft)
        self._adding.add(transaction, line)
        return transaction
