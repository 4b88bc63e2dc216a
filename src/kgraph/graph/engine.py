"""The one writer and the many readers of a graph: the log, its index, and the order in which they change."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from kgraph.errors import KgraphError, LogDamaged, NewerLog
from kgraph.events import Draft, Transaction, encode
from kgraph.index.load import TORN, read_lines
from kgraph.index.port import Astray, Change, Index
from kgraph.log import Log, Raw, Stamp
from kgraph.model import Problem
from kgraph.plurals import counted

if TYPE_CHECKING:
    from kgraph.graph.view import IndexView
    from kgraph.index.read import Reader

LOST_SHOWN = 3
MEND = (
    "bring log.jsonl back from version control (git checkout -- log.jsonl, in the graph's folder) or from another copy; where there is "
    "none, kgraph export FILE writes what is intact, and kgraph --name NEW import FILE takes it in; kgraph recover keeps the whole lines "
    "whose parents are whole"
)


Clock = Callable[[], str]  # the time as the log writes it: UTC, 2026-03-11T09:14:00.000000Z
IdSource = Callable[[], str]  # a fresh short token, by chance


class Engine:
    """A log with its index. Reading never waits; writing waits ``wait_seconds`` for other writers."""

    def __init__(
        self, log: Log, index: Index, clock: Clock, ids: IdSource, wait_seconds: float = 30.0
    ) -> None:
        self.log = log
        self.index = index
        self.clock = clock
        self.ids = ids
        self.wait_seconds = wait_seconds
        self.notices: list[str] = []  # what a person must be told, a line each
        self.written: list[str] = []  # the last transaction of each flush by this process

    def reader(self) -> Reader:
        """The graph as the last acknowledged write left it, the same for as long as the reader lives."""
        self.index.for_reading()
        if self.index.has_texts_to_forget:
            self._forget_again()
        self.index.hold_still()
        return self.index.reader()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Writer]:
        """Be the one writer. Raises Locked, LogDamaged or NewerLog before anything is changed."""
        with self.log.writing(self.wait_seconds):
            self.index.for_writing()
            self._clean_up()
            if self.index.has_texts_to_forget:
                from kgraph.graph.forgetting import finish

                self._tell_of(finish(self))
            yield self.writer()

    def _forget_again(self) -> None:
        """Take out what a record says is forgotten, where somebody can write here; a reader beside a writer sees it on the next call."""
        from kgraph.graph.forgetting import finish

        with self.log.try_writing() as held:
            if held:
                self.index.for_writing()
                if self.index.has_texts_to_forget and not any(
                    one.code != TORN for one in self.index.damage()
                ):
                    self._tell_of(finish(self))
            elif held is None:
                self.notices.append(
                    "texts that were forgotten lie in this copy of the log, and it can't be written"
                )
        self.index.for_reading()

    def _tell_of(self, count: int) -> None:
        if count:
            self.notices.append(
                f"texts that were forgotten lay in {counted(count, 'line')} of the log, from a merge or a process that died: they were taken out"
            )

    def writer(self) -> Writer:
        """What decides and records. The caller holds the writer's lock and has renewed the index: see ``writing``."""
        return Writer(self.log, self.index, self.clock, self.written)

    def _clean_up(self) -> None:
        """Set a torn end aside; refuse to write behind anything worse."""
        found = self.index.damage()
        for position, code, reason in found:
            if code == "E210":
                where = self.places([position])[position]
                raise NewerLog(
                    f"the log was continued by a later kgraph ({where}: {reason})",
                    "update kgraph to write to this graph",
                )
            if code != TORN:
                where = self.places([position])[position]
                raise LogDamaged(
                    f"the log is damaged: {where}: {reason}",
                    f"{MEND}; kgraph rebuild lists every such line",
                )
        for position, _, _ in found:
            torn = next(iter(self.log.scan(position)), None)
            if torn is not None and not torn.ended:
                self.log.set_aside(Raw(position, torn.data, False))
            self.index.forget_damage(position)

    def check_index(self) -> list[str]:
        """The index's tables that are not as the log has them; it is made again where there are any."""
        with self.log.writing(self.wait_seconds):
            self.index.for_writing()
            found = self.index.faults()
        if found:
            self.index.heal()
        return found

    def heal(self, error: BaseException) -> bool:
        """Make the index again where it is what went wrong; whether it was, so that the same is worth trying once more."""
        if isinstance(error, KgraphError) and not isinstance(error, Astray):
            return False
        if not self.index.is_at_fault(error):
            try:
                return bool(self.check_index())
            except (KgraphError, OSError, ValueError, ArithmeticError):
                return False  # what was raised first tells more
        self.index.heal()
        return True

    def damage(self) -> list[Problem]:
        """What is wrong with the log, as far as the index has seen it: damaged and later lines, a torn end, lost transactions."""
        if not self.index.is_open:
            self.index.for_reading()
        found = []
        damaged = self.index.damage()
        where = self.places(row[0] for row in damaged) if damaged else {}
        for position, code, reason in damaged:
            shown = "E209" if code == TORN else code
            found.append(
                Problem(
                    shown, f"log.jsonl:{position}", f"{where[position]}: {reason}", _remedy(code)
                )
            )
        lost = self.index.lost()
        if lost:
            names = ", ".join(name[:12] for name, _ in lost[:LOST_SHOWN]) + (
                " …" if len(lost) > LOST_SHOWN else ""
            )
            was, now = ("was", "is") if len(lost) == 1 else ("were", "are")
            said = f"{counted(len(lost), 'transaction')} that {was} known here {now} no longer in the log: {names}"
            found.append(
                Problem("E209", "log.jsonl", said,
                        "bring the log back from another copy; after switching branches this is expected, and kgraph rebuild accepts it")
            )  # fmt: skip
        return found

    def check_every_line(self) -> list[Problem]:
        """Hold every line against its id and its parents, whatever the index says."""
        headers, wrong = [], []
        for line in read_lines(self.log):
            if line.damage:
                code = line.damage.code
                wrong.append(
                    (
                        "E209" if code == TORN else code,
                        line.position,
                        line.damage.reason,
                        _remedy(code),
                    )
                )
            if line.transaction:
                headers.append((line.transaction, line.position))
        known = {transaction.id for transaction, _ in headers}
        for transaction, position in headers:
            for parent in transaction.after:
                if parent not in known:
                    reason = f"transaction {transaction.id[:12]} follows {parent}, which is not in the log"
                    wrong.append(("E209", position, reason, MEND))
        where = self.places(position for _, position, _, _ in wrong) if wrong else {}
        return [
            Problem(code, f"log.jsonl:{position}", f"{where[position]}: {reason}", hint)
            for code, position, reason, hint in wrong
        ]

    def places(self, positions: Iterable[int]) -> dict[int, str]:
        """Lines as an editor counts them, and as the index does. It costs a pass over the log: only what is damaged is worth that."""
        wanted = set(positions)
        found: dict[int, str] = {}
        for number, raw in enumerate(self.log.scan(), 1):
            if len(found) == len(wanted):
                break
            if raw.position in wanted:
                found[raw.position] = f"line {number} (at byte {raw.position})"
        return {
            position: found.get(position, f"the line at byte {position}") for position in wanted
        }


def _remedy(code: str) -> str:
    if code == "E210":
        return "update kgraph"
    return "the next write sets it aside in log.torn" if code == TORN else MEND


class Writer:
    """Decide, then record: the graph as it is, and the one way to change it."""

    def __init__(self, log: Log, index: Index, clock: Clock, written: list[str]) -> None:
        self._log = log
        self._index = index
        self._clock = clock
        self._written = written
        self.reader = index.reader()
        self._heads: Sequence[str] = index.heads
        self._last_ts = index.last_ts

    def view(self) -> IndexView:
        from kgraph.graph.view import IndexView

        return IndexView(self.reader)

    @contextlib.contextmanager
    def adding(self) -> Iterator[Recorder]:
        """A change of log and index that is whole or not there: raise anything inside, and nothing was written.

        Meaning first, then the log, then the index commits.
        """
        before = self._heads, self._last_ts
        change: Change | None = None
        try:
            with self._index.changing(self._log.next_position()) as change:
                yield Recorder(self, change)
                if change.lines:
                    change.flushed(self._append(change.lines))
        except BaseException:
            self._heads, self._last_ts = before
            raise
        finally:
            if (
                change is not None and change.is_flushed
            ):  # also when something failed afterwards: the door says what is in the log
                self._written += change.names[-1:]

    def copy(self, lines: Sequence[bytes]) -> None:
        """Lines of another graph, unchanged. They may belong anywhere among ours, so the index reads them from the log."""
        self._append(lines)
        self._index.for_writing()

    def _append(self, lines: Sequence[bytes]) -> Stamp:
        """The one place where anything is written to a log."""
        self._log.append(lines)
        return self._log.stamp()

    def record(self, draft: Draft) -> Transaction:
        """One transaction, flushed."""
        with self.adding() as recorder:
            return recorder.add(draft)

    def place(self, draft: Draft) -> tuple[Transaction, bytes]:
        """Give a draft its place behind the heads, its time and its id."""
        from kgraph.index.load import next_instant

        ts = self._clock()
        if ts <= self._last_ts:
            ts = next_instant(self._last_ts)
        transaction, line = encode(draft, self._heads, ts)
        self._heads, self._last_ts = [transaction.id], ts
        return transaction, line


class Recorder:
    """Adds drafts within one change."""

    def __init__(self, writer: Writer, change: Change) -> None:
        self._writer = writer
        self._change = change

    def add(self, draft: Draft) -> Transaction:
        transaction, line = self._writer.place(draft)
        self._change.add(transaction, line)
        return transaction
