"""The index in SQLite: a projection that knows which log it has read, how far, and what was wrong with it.

It is careless with durability (only the log is flushed) and careful about trust: it is used as it is only when the log's stamp is the one
it saw last; otherwise every line that it knows is held against the log, and it catches up or is made again.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence

from kgraph.events import Event, Transaction, legacy
from kgraph.events.canonical import canonical
from kgraph.events.forgetting import records_in
from kgraph.index import load, storage
from kgraph.index.apply import Extent, Tables, apply
from kgraph.index.load import TORN, Damage, Header
from kgraph.index.port import Astray, Lost
from kgraph.index.read import Reader
from kgraph.log import Log, Raw, Stamp

REBUILT = "the index was damaged and has been made again from the log; nothing was lost"


class SqliteIndex:
    """An index over one log. ``path`` is its file, or ``:memory:``. Use ``for_reading`` or ``for_writing`` before anything else."""

    def __init__(self, log: Log, path: str) -> None:
        self.log = log
        self.path = path
        self.db = storage.nothing()
        self._told = ""  # what a person should know of the index: that it had to be made again
        self._places: dict[int, tuple[int, bool]] = {}
        self._waiting: dict[
            int, bytes
        ] = {}  # lines that are being added and may not be in the log yet

    # -- opening --------------------------------------------------------------------------------------------------------------------

    def for_reading(self) -> None:
        """Be as new as the last acknowledged write. Never waits: while another process writes, its last finished state is read."""
        if self._connect() and self._fresh():
            return
        with self.log.try_writing() as held:
            if held:
                try:
                    self._renew()
                    return
                except (
                    sqlite3.OperationalError,
                    OSError,
                ):  # no room or no right to write the file: what is asked is answered all the same
                    pass
        if held is False and self._usable() and self._behind_a_writer():
            return
        self._in_memory()

    def for_writing(self) -> None:
        """Be exactly as new as the log. The caller holds the writer's lock. Raises TryAgain where the disk is full."""
        try:
            if os.path.exists(self.path) and not os.access(self.path, os.W_OK):
                storage.remove(self.path)
            self._renew()
        except sqlite3.OperationalError as error:
            raise storage.refusal(error, self.path, "nothing was added to the log") from error

    def _renew(self) -> None:
        try:
            if not self._connect():
                self._create()
            self.db.execute(storage.ROOM_TO_WRITE)
            if not self._fresh():
                self._catch_up()
        except sqlite3.DatabaseError as error:
            if not storage.is_broken(error):
                raise
            self._told = REBUILT
            self._create()
            self._catch_up()

    def close(self) -> None:
        self.db.close()
        self.log.close()

    def _connect(self) -> bool:
        """Open the file if it is a usable index; whether it is."""
        if self.path == ":memory:":
            return self._usable()
        self._places.clear()  # another process may have made the index again, with other numbers for the lines
        if not os.path.exists(self.path):
            return False
        try:
            self.db = storage.open_file(self.path)
            if self._usable():
                return True
            broken = storage.is_of_this_version(self.db)
        except sqlite3.DatabaseError:
            self.db, broken = storage.nothing(), True
        self._told = REBUILT if broken else ""
        return False

    @property
    def told(self) -> str:
        return self._told

    def is_at_fault(self, error: BaseException) -> bool:
        return storage.is_broken(error)

    def faults(self) -> list[str]:
        """What in the index is not as the log has it. The caller holds the writer's lock. It costs as much as making the index."""
        from kgraph.index import soundness

        fresh = SqliteIndex(self.log, ":memory:")
        try:
            fresh._create()
            fresh._fill(lambda header: True)
            return soundness.faults(self.db, fresh.db)
        finally:
            fresh.db.close()

    def heal(self) -> None:
        """Make the index again from the log and nothing else; in memory where the file can't be written, or somebody else is writing."""
        self._told = REBUILT
        with contextlib.suppress(sqlite3.Error):
            self.db.close()
        with self.log.try_writing() as held:
            if held:
                with contextlib.suppress(sqlite3.OperationalError, OSError):
                    self._create()
                    self._fill(lambda header: True)
                    return
        self.path = ":memory:"
        self._create()
        self._fill(lambda header: True)

    def hold_still(self) -> None:
        """Let what is read from now on be one state, whatever others write meanwhile. Only where readers don't hinder a writer."""
        if (
            self.path != ":memory:"
            and self.db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
            and not self.db.in_transaction
        ):
            self.db.execute("BEGIN")
            self.db.execute("SELECT 1 FROM meta LIMIT 1").fetchone()

    @property
    def is_open(self) -> bool:
        return self._usable()

    def _usable(self) -> bool:
        return storage.is_usable(self.db)

    def _create(self) -> None:
        """Make the tables, in place of any that are there."""
        self._places.clear()
        self.db.close()
        self.db = storage.create(self.path)

    def _in_memory(self) -> None:
        old = self._known_ids()
        self.path = ":memory:"
        self._create()
        self._fill(lambda header: True)
        self._note_lost(old)

    def only(self, accept: Callable[[list[Header]], set[str]]) -> SqliteIndex:
        """An index in memory over some of the lines: those whose ids ``accept`` picks from all headers."""
        part = SqliteIndex(self.log, ":memory:")
        part._create()
        headers = [
            _header(found.transaction, found)
            for found in load.read_lines(self.log)
            if found.transaction
        ]
        chosen = accept(headers)
        part._fill(lambda header: header.id in chosen)
        part.db.execute("DELETE FROM damage")
        return part

    # -- freshness ------------------------------------------------------------------------------------------------------------------

    def get(self, key: str, otherwise: str = "") -> str:
        row = self.db.execute("SELECT value FROM meta WHERE key=?", (key,)).fetchone()
        return str(row[0]) if row else otherwise

    def _set(self, **values: str) -> None:
        self.db.executemany("INSERT OR REPLACE INTO meta VALUES (?,?)", values.items())

    def _fresh(self) -> bool:
        return self.get("mark") == self.log.stamp().mark and self.get("boot") == storage.boot()

    def _behind_a_writer(self) -> bool:
        """Whether the log only grew since we looked, so that what is here is a state that was acknowledged."""
        last = self.db.execute(
            "SELECT id, position, length FROM line ORDER BY position DESC LIMIT 1"
        ).fetchone()
        grown = self.log.stamp().end >= int(self.get("end", "0")) and bool(self.get("mark"))
        return grown and (
            last is None or load.line_holds(self.log, Header(last[0], (), "", last[1], last[2]))
        )

    def _catch_up(self) -> None:
        stamp = self.log.stamp()
        if (
            self.get("boot") not in ("", storage.boot())
            and self.db.execute("PRAGMA quick_check").fetchone()[0] != "ok"
        ):
            raise sqlite3.DatabaseError("malformed after a restart of the machine")
        end = int(self.get("end", "0"))
        if stamp.end < end or not self._prefix_holds(end) or not self._add_from(end, stamp):
            self.make_again()

    def _prefix_holds(self, end: int) -> bool:
        """Whether every line that is known still lies where it lay, with nothing changed or put between."""
        at = 0
        places = self.db.execute(
            "SELECT position, length, id FROM line UNION ALL SELECT position, -1, '' FROM damage ORDER BY 1"
        ).fetchall()
        for position, length, name in places:
            if length < 0:
                return False  # a log with damage is looked at anew whenever it changes
            header = Header(name, (), "", position, length)
            if position < at or position > at + 1 or not load.line_holds(self.log, header):
                return False
            at = position + length
        return at <= end <= at + 1

    def _add_from(self, end: int, stamp: Stamp) -> bool:
        """Read on from where we were; False when what comes does not simply follow."""
        self.db.execute("BEGIN IMMEDIATE")
        done = self._read_on(end)
        if done:
            self._finish(stamp)
            self.db.execute("COMMIT")
        else:
            self.db.execute("ROLLBACK")
            self._places.clear()
        return done

    def _read_on(self, end: int) -> bool:
        tables = self.tables()
        last = (self.get("last_ts"), self.get("last_id"))
        heads = set(json.loads(self.get("heads", "[]")))
        for found in load.read_lines(self.log, end):
            transaction = found.transaction
            if found.damage:
                self._damage(found.damage)
            if found.damage is None or found.damage.code != TORN:
                end = found.position + found.length + (1 if found.ended else 0)
            if transaction is None:
                continue
            if self._is_about_forgetting(transaction):
                return False
            if self._seq(transaction.id):
                continue
            if (transaction.ts, transaction.id) <= last or not all(
                self._seq(parent) for parent in transaction.after
            ):
                return False
            apply(tables, transaction, Extent(found.position, found.length))
            last = (transaction.ts, transaction.id)
            heads = (heads - set(transaction.after)) | {transaction.id}
        self._set(end=str(end), last_ts=last[0], last_id=last[1], heads=canonical(sorted(heads)))
        return True

    def make_again(self) -> None:
        """Read the whole log again, whatever is here. The caller holds the writer's lock."""
        old = self._known_ids()
        self._create()
        self._fill(lambda header: True)
        self._note_lost(old)

    def _fill(self, accept: Callable[[Header], bool]) -> None:
        """Read the whole log, in two passes: first the order, then the meaning."""
        stamp = self.log.stamp()
        self.db.execute("BEGIN IMMEDIATE")
        headers, end = [], 0
        seals = load.Seals()
        for found in load.read_lines(self.log):
            if found.damage:
                self._damage(found.damage)
            if found.damage is None or found.damage.code != TORN:
                end = found.position + found.length + (1 if found.ended else 0)
            if found.transaction:
                headers.append(_header(found.transaction, found))
                seals.add(found.transaction, found.position)
        for damage in seals.broken():
            self._damage(damage)
        headers = seals.in_place_of_whole(headers)
        known = {header.id for header in headers}
        for damage in load.missing_parents(headers, known.__contains__):
            self._damage(damage)
        order = [header for header in load.in_order(headers) if accept(header)]
        tables = self.tables()
        heads: set[str] = set()
        last = ("", "")
        for header in order:
            transaction = self._transaction_at(header)
            apply(tables, transaction, Extent(header.position, header.length))
            heads = (heads - set(header.after)) | {header.id}
            last = max(last, (header.ts, header.id))
        self._set(end=str(end), last_ts=last[0], last_id=last[1], heads=canonical(sorted(heads)))
        self._set(to_forget="1" if seals.to_forget() else "", forgets="1" if seals.any else "")
        self._finish(stamp)
        self.db.execute("COMMIT")

    @property
    def has_texts_to_forget(self) -> bool:
        return bool(self.get("to_forget"))

    def _is_about_forgetting(self, transaction: Transaction) -> bool:
        """Whether a line that comes later bears on what is forgotten: the whole log is looked at anew then."""
        return (
            bool(transaction.forgotten)
            or any(True for _ in records_in(transaction.events))
            or (bool(self.get("forgets")) and bool(self._seq(transaction.id)))
        )

    def _transaction_at(self, header: Header) -> Transaction:
        for found in load.read_lines(_OneLine(self.log, header), header.position):
            if found.transaction:
                return found.transaction
        raise sqlite3.DatabaseError(f"the log changed while it was read, at {header.position}")

    def _finish(self, stamp: Stamp) -> None:
        self._set(mark=stamp.mark, boot=storage.boot())

    def _damage(self, damage: Damage) -> None:
        self.db.execute("INSERT OR REPLACE INTO damage VALUES (?,?,?)", damage)

    def _known_ids(self) -> list[tuple[str, str]]:
        try:
            return list(self.db.execute("SELECT id, ts FROM line UNION SELECT id, ts FROM lost"))
        except sqlite3.DatabaseError:
            return []

    def _note_lost(self, old: Sequence[tuple[str, str]]) -> None:
        """Remember what was known once and is no longer there, unless this is another log altogether."""
        gone = [row for row in old if not self._seq(row[0])]
        if len(gone) < len(old) or not self._count("line"):
            self.db.executemany("INSERT OR IGNORE INTO lost VALUES (?,?)", gone)

    def _count(self, table: str) -> int:
        return int(self.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def _seq(self, name: str) -> int:
        row = self.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()
        return int(row[0]) if row else 0

    # -- adding ---------------------------------------------------------------------------------------------------------------------

    def tables(self) -> Tables:
        return Tables(self.db, self.event_at)

    @property
    def heads(self) -> list[str]:
        return list(json.loads(self.get("heads", "[]")))

    @property
    def last_ts(self) -> str:
        return self.get("last_ts")

    def reader(self) -> Reader:
        return Reader(self)

    @contextlib.contextmanager
    def changing(self, position: int) -> Iterator[Adding]:
        """A change that is whole or not there. ``position`` is where the log's next line will lie.

        The caller holds the writer's lock, and appends the lines to the log before it leaves. When anything fails before the log is
        flushed, neither has changed; when the process dies after it, the index is behind and catches up.
        """
        self.db.execute("BEGIN IMMEDIATE")
        adding = Adding(self.tables(), self._waiting, position)
        try:
            yield adding
            if adding.stamp is not None:
                last = adding.last
                self._set(
                    end=str(adding.stamp.end),
                    last_ts=last[0],
                    last_id=last[1],
                    heads=canonical([last[1]]),
                )
                if adding.forgets:
                    self._set(to_forget="1", forgets="1")
                self._finish(adding.stamp)
            self.db.execute("COMMIT")
        except BaseException as error:
            self._places.clear()
            with contextlib.suppress(
                sqlite3.OperationalError
            ):  # SQLite has rolled back by itself when the disk is full
                self.db.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise storage.refusal(error, self.path, _fate(adding)) from error
            raise
        finally:
            self._waiting.clear()

    def event_at(self, line: int, start: int, length: int) -> Event:
        """An assertion's own words, from the log. Raises LogDamaged where they are no longer there."""
        waiting = self._waiting.get(line)
        if waiting is not None:
            pending: Event = json.loads(waiting[start : start + length])
            return pending
        place = self._places.get(line)
        if place is None:
            position, name = self.db.execute(
                "SELECT position, id FROM line WHERE seq=?", (line,)
            ).fetchone()
            place = self._places[line] = (position, name.startswith("v1:"))
        data = self.log.read(place[0], start, length)
        try:
            event: Event = (
                legacy.event_of(data)
                if place[1]
                else json.loads(data.decode("utf-8", "surrogatepass"))
            )
        except ValueError:
            raise Astray(
                f"the log changed under its index, near byte {place[0] + start}",
                "kgraph rebuild says which lines are damaged",
            ) from None
        return event

    def damage(self) -> list[Damage]:
        """What was found wrong with the log, by position."""
        return [
            Damage(*row)
            for row in self.db.execute(
                "SELECT position, code, reason FROM damage ORDER BY position"
            )
        ]

    def forget_damage(self, position: int) -> None:
        """What was wrong at a position is mended."""
        self.db.execute("DELETE FROM damage WHERE position=?", (position,))

    def lost(self) -> list[Lost]:
        """Transactions that were known once and are gone, oldest first."""
        return [Lost(*row) for row in self.db.execute("SELECT id, ts FROM lost ORDER BY ts, id")]

    def accept_losses(self) -> None:
        """Forget what was lost: the log as it is now is the truth."""
        self.db.execute("DELETE FROM lost")


class Adding:
    """Transactions on their way into the log and this index."""

    def __init__(self, tables: Tables, waiting: dict[int, bytes], position: int) -> None:
        self.lines: list[bytes] = []
        self.names: list[str] = []
        self.stamp: Stamp | None = None
        self.last = ("", "")
        self.forgets = False  # whether one of them says that texts are forgotten
        self._tables = tables
        self._waiting = waiting
        self._position = position

    def add(self, transaction: Transaction, line: bytes) -> None:
        self._waiting[self._tables.next_seq] = line
        apply(self._tables, transaction, Extent(self._position, len(line)))
        self.lines.append(line)
        self.names.append(transaction.id)
        self._position += len(line) + 1
        self.last = (transaction.ts, transaction.id)
        self.forgets = self.forgets or any(True for _ in records_in(transaction.events))

    def flushed(self, stamp: Stamp) -> None:
        """Its lines lie in the log, whose stamp is now this one."""
        self.stamp = stamp

    @property
    def is_flushed(self) -> bool:
        return self.stamp is not None


class _OneLine:
    """A log of which only one line (or the 1.0.0 beginning) is looked at."""

    def __init__(self, log: Log, header: Header) -> None:
        self._log, self._header = log, header

    def scan(self, position: int = 0) -> Iterator[Raw]:
        data = self._log.read(self._header.position, 0, self._header.length)
        if self._header.id.startswith("v1:"):
            at = 0
            for line in data.split(b"\n"):
                yield Raw(at, line)
                at += len(line) + 1
        else:
            yield Raw(self._header.position, data)


def _header(transaction: Transaction, found: load.Found) -> Header:
    return Header(transaction.id, transaction.after, transaction.ts, found.position, found.length)


def _fate(adding: Adding) -> str:
    """What became of the lines when the index could not be written."""
    if not adding.is_flushed:
        return "nothing was added to the log"
    return f"but the log has transaction {adding.names[-1]}, and the next command brings the index up to date"
