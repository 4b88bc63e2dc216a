"""The file that an index lies in: opening, making and removing it, and what SQLite's refusals mean to a caller."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sqlite3

from kgraph import resources
from kgraph.errors import KgraphError, NotAllowed, TryAgain

SCHEMA_VERSION = 2
ROOM_TO_WRITE = (
    "PRAGMA cache_size=-65536"  # 64 MiB: a large payload is not written to the disk twice
)


# What SQLite says of a file whose pages are not what they should be, beside SQLITE_CORRUPT itself.
_BROKEN = ("malformed", "no such table", "no such column", "Could not decode", "disk I/O error")


def version() -> str:
    """The version of SQLite."""
    return sqlite3.sqlite_version


def full_text_missing() -> str:
    """Why there is no full-text search here; '' where there is."""
    try:
        nothing().execute("CREATE VIRTUAL TABLE t USING fts5(x)")
    except sqlite3.OperationalError as error:
        return str(error)
    return ""


def nothing() -> sqlite3.Connection:
    """A database without tables: what an index is before it is opened."""
    return sqlite3.connect(":memory:", isolation_level=None)


def open_file(path: str) -> sqlite3.Connection:
    """Raises sqlite3.DatabaseError where the file is no database."""
    if os.access(os.path.dirname(path) or ".", os.W_OK) and os.access(path, os.W_OK):
        db = sqlite3.connect(path, timeout=30, isolation_level=None)
    else:  # what can't be written can't change either
        db = sqlite3.connect(f"file:{_quoted(path)}?immutable=1", uri=True, isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")
    return db


def create(path: str) -> sqlite3.Connection:
    """A new index with empty tables, in memory or in place of the file that is there."""
    if path != ":memory:":
        remove(path)
    db = sqlite3.connect(path, timeout=30, isolation_level=None)
    with contextlib.suppress(
        sqlite3.OperationalError
    ):  # a file system without shared memory keeps the rollback journal
        db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=OFF")
    db.executescript(f"BEGIN; {_schema()} PRAGMA user_version={SCHEMA_VERSION}; COMMIT;")
    return db


def remove(path: str) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path + suffix)


def is_usable(db: sqlite3.Connection) -> bool:
    """Whether it has the tables of this version, all of them."""
    try:
        if db.execute("PRAGMA user_version").fetchone()[0] != SCHEMA_VERSION:
            return False
        there = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    except sqlite3.DatabaseError:
        return False
    return there >= _names()


def is_of_this_version(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION)


@functools.cache
def _names() -> frozenset[str]:
    """Every table and index that the schema makes."""
    return frozenset(re.findall(r"^CREATE (?:VIRTUAL )?(?:TABLE|INDEX) (\w+)", _schema(), re.M))


def is_broken(error: BaseException) -> bool:
    """Whether the file itself is at fault, so that making it again helps."""
    if not isinstance(error, sqlite3.DatabaseError) or isinstance(error, sqlite3.ProgrammingError):
        return False
    said = str(error)
    return not isinstance(error, sqlite3.OperationalError) or any(sign in said for sign in _BROKEN)


def refusal(error: sqlite3.OperationalError, path: str, fate: str) -> KgraphError:
    """What a failure to write the index means to a caller. ``fate``: what became of the log."""
    said = f"the index {path} could not be written ({error}); {fate}"
    if "readonly" in str(error):
        return NotAllowed(said, "check who owns the graph's folder")
    return TryAgain(
        said, "free some space on the disk, or wait for who uses the file, and try again"
    )


def boot() -> str:
    """This run of the machine: an index that was not flushed is looked at again after a restart."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as handle:
            return handle.read().strip()
    except OSError:
        return "unknown"


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _schema() -> str:
    return resources.text("kgraph.index", "schema.sql")
