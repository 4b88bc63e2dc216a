"""Whether an index says what its log says: every table held against one that was made of the log just now.

Nothing cheaper finds a bit that flipped in the middle of a text: SQLite keeps no checksums, and a sum of our own would have to be kept up
with every write. What is cheap is looked at whenever an index is opened (``storage.is_usable``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from kgraph.events.hashing import hex_of

# Derived from the log alone, and numbered in the order of its lines. What else is there tells of the file itself.
TABLES = (
    "line",
    "parent",
    "node",
    "name",
    "edge",
    "node_said",
    "edge_said",
    "finding",
    "move",
    "note",
    "counter",
)


def faults(db: sqlite3.Connection, fresh: sqlite3.Connection) -> list[str]:
    """The tables of ``db`` that are not as in ``fresh``; 'the file' where SQLite itself finds it broken."""
    try:
        said = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if said != "ok":
            return ["the file"]
        found = [table for table in TABLES if _sum(db, table) != _sum(fresh, table)]
        return found + (["words"] if _words(db) != _words(fresh) else [])
    except sqlite3.DatabaseError:
        return ["the file"]


def _sum(db: sqlite3.Connection, table: str) -> str:
    db.text_factory = bytes  # a flipped bit may leave no UTF-8
    try:
        columns = len(db.execute(f"SELECT * FROM {table} LIMIT 0").description)
        order = ", ".join(str(at + 1) for at in range(columns))
        return _of(db.execute(f"SELECT * FROM {table} ORDER BY {order}"))
    finally:
        db.text_factory = str


def _words(db: sqlite3.Connection) -> str:
    """Which words the full-text index has, and in how many names and texts."""
    db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)"
    )
    try:
        return _of(db.execute("SELECT term, doc, cnt FROM temp.vocabulary ORDER BY term"))
    finally:
        db.execute("DROP TABLE temp.vocabulary")


def _of(rows: Iterator[tuple[object, ...]]) -> str:
    total = ""
    for row in rows:
        total = hex_of(f"{total}{row!r}".encode())
    return total
