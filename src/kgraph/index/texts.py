"""The texts of the sources that were read, in a full-text index of their own beside the graph's.

It is derived from the files and bound to their hashes: it may be deleted, and a file that is not as it was is not answered from.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence

from kgraph import resources
from kgraph.index import storage
from kgraph.index.apply import batches, marks
from kgraph.index.rows import search_text
from kgraph.tuples import NamedTuple

VERSION = 1


class Sentence(NamedTuple):
    """Where a sentence, row or heading stands: characters in its block's body, bytes and lines in the file (-1 where it has no bytes)."""

    start: int
    end: int
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int


class TextBlock(NamedTuple):
    """What is ranked as one: ``kind`` is paragraph, item, row, heading, code, field, quote or message; ``above`` what stands over it
    (title, headings, the words that lead in), ``body`` the file's own words."""

    kind: str
    above: str
    body: str
    sentences: tuple[Sentence, ...]


class Stamp(NamedTuple):
    """A file as it was read: its hash, and its size and time of change, by which an unchanged one is known without reading it."""

    uri: str
    sha256: str
    size: int
    mtime: int


class Hit(NamedTuple):
    """A block that has words of a question; a higher ``score`` is a better match."""

    file: Stamp
    block: TextBlock
    score: float


Unusable = (
    sqlite3.DatabaseError
)  # damaged, made again by another process meanwhile, or no room: it is derived, and made again


class TextIndex:
    """``path`` is its file. Nothing is made before something is kept, and a file that can't be used is made again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def stamps(self, uris: Sequence[str]) -> dict[str, Stamp]:
        """The files of these uris that are in it."""
        db = self._opened()
        found: dict[str, Stamp] = {}
        for some in batches(uris) if db is not None else ():
            query = f"SELECT uri, sha256, size, mtime FROM document WHERE uri IN ({marks(some)})"
            found |= {row[0]: Stamp(*row) for row in db.execute(query, some)} if db else {}
        return found

    def keep(self, texts: Iterable[tuple[Stamp, Sequence[TextBlock]]]) -> None:
        """Put files in, each in place of what was kept under its uri. Raises sqlite3.OperationalError where the disk doesn't allow it."""
        db = self._opened() or self._made()
        db.execute("BEGIN IMMEDIATE")
        try:
            for stamp, blocks in texts:
                self._take_out(db, stamp.uri)
                did = db.execute(
                    "INSERT INTO document(uri, sha256, size, mtime) VALUES (?,?,?,?)", stamp
                ).lastrowid
                first = db.execute("SELECT coalesce(max(bid), 0) + 1 FROM block").fetchone()[0]
                db.executemany(
                    "INSERT INTO block VALUES (?,?,?,?,?,?)",
                    [
                        (first + at, did, one.kind, one.above, one.body, _packed(one))
                        for at, one in enumerate(blocks)
                    ],
                )
                db.executemany(
                    "INSERT INTO words(rowid, body, above) VALUES (?,?,?)",
                    [
                        (first + at, search_text(one.body), search_text(one.above))
                        for at, one in enumerate(blocks)
                    ],
                )
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise

    def drop(self, uris: Sequence[str]) -> int:
        """Take files out so that none of their words stay in the file; how many there were."""
        db = self._opened()
        there = list(self.stamps(uris))
        if db is None or not there:
            return 0
        db.execute("BEGIN IMMEDIATE")
        for uri in there:
            self._take_out(db, uri)
        db.execute("INSERT INTO words(words) VALUES ('optimize')")
        db.execute("COMMIT")
        db.execute("VACUUM")
        with contextlib.suppress(sqlite3.OperationalError):
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return len(there)

    def remove(self) -> None:
        self.close()
        storage.remove(self._path)

    def uris(self) -> list[str]:
        db = self._opened()
        return [row[0] for row in db.execute("SELECT uri FROM document ORDER BY uri")] if db else []

    def blocks(self) -> int:
        """How many blocks there are, or a little more."""
        db = self._opened()
        return int(db.execute("SELECT coalesce(max(bid), 0) FROM block").fetchone()[0]) if db else 0

    def matching(self, word: str, limit: int) -> int:
        """In how many blocks a word stands, counted up to ``limit``. ``word`` is an expression of the full-text index."""
        db = self._opened()
        query = "SELECT count(*) FROM (SELECT rowid FROM words WHERE words MATCH ? LIMIT ?)"
        return int(db.execute(query, (word, limit)).fetchone()[0]) if db else 0

    def search(self, expression: str, uris: Sequence[str], limit: int) -> list[Hit]:
        """Blocks by BM25, best first; ``uris`` bounds them to these files where there are any."""
        db = self._opened()
        if db is None or not expression:
            return []
        query = (
            "SELECT rowid, bm25(words, 1.0, 0.6) FROM words WHERE words MATCH ? ORDER BY 2 LIMIT ?"
        )
        given: list[str | int] = [expression, limit]
        if uris:
            query = (
                "SELECT w.rowid, bm25(words, 1.0, 0.6) FROM words w JOIN block b ON b.bid = w.rowid JOIN document d ON d.did = b.did "
                f"WHERE words MATCH ? AND d.uri IN ({marks(uris)}) ORDER BY 2 LIMIT ?"
            )
            given = [expression, *uris, limit]
        score = {bid: -value for bid, value in db.execute(query, given)}
        found: dict[int, Hit] = {}
        for some in batches(list(score)):
            rows = db.execute(
                "SELECT b.bid, d.uri, d.sha256, d.size, d.mtime, b.kind, b.above, b.body, b.spans FROM block b "
                f"JOIN document d ON d.did = b.did WHERE b.bid IN ({marks(some)})",
                some,
            )
            for bid, *file, kind, above, body, spans in rows:
                block = TextBlock(kind, above, body, _unpacked(spans))
                found[bid] = Hit(Stamp(*file), block, score[bid])
        return [found[bid] for bid in score if bid in found]

    def _opened(self) -> sqlite3.Connection | None:
        if self._db is None and os.path.exists(self._path):
            db = storage.open_file(self._path)
            try:
                if db.execute("PRAGMA user_version").fetchone()[0] == VERSION:
                    self._db = db
                    db.execute("PRAGMA secure_delete=ON")
            except sqlite3.DatabaseError:
                pass
            if self._db is None:
                db.close()
        return self._db

    def _made(self) -> sqlite3.Connection:
        storage.remove(self._path)
        db = sqlite3.connect(self._path, timeout=30, isolation_level=None)
        with contextlib.suppress(sqlite3.OperationalError):
            db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=OFF")
        schema = resources.text("kgraph.index", "texts.sql")
        db.executescript(f"BEGIN; {schema} PRAGMA user_version={VERSION}; COMMIT;")
        db.execute("PRAGMA secure_delete=ON")
        self._db = db
        return db

    def _take_out(self, db: sqlite3.Connection, uri: str) -> None:
        row = db.execute("SELECT did FROM document WHERE uri=?", (uri,)).fetchone()
        if row is None:
            return
        old = db.execute("SELECT bid, body, above FROM block WHERE did=?", row).fetchall()
        db.executemany(
            "INSERT INTO words(words, rowid, body, above) VALUES ('delete',?,?,?)",
            [(bid, search_text(body), search_text(above)) for bid, body, above in old],
        )
        db.execute("DELETE FROM block WHERE did=?", row)
        db.execute("DELETE FROM document WHERE did=?", row)


def best_sentences(hits: Sequence[Hit], expression: str) -> list[list[float]]:
    """For each block how well each of its sentences matches, by BM25 among all of these; 0 for none of the words. ``expression`` may name
    the columns ``body`` and ``above``."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.execute(
        "CREATE VIRTUAL TABLE words USING fts5(body, above, content='', tokenize='porter unicode61 remove_diacritics 2')"
    )
    places: list[tuple[int, int]] = []
    texts: list[tuple[int, str]] = []
    for number, hit in enumerate(hits):
        for at, one in enumerate(hit.block.sentences):
            places.append((number, at))
            texts.append((len(places), search_text(hit.block.body[one.start : one.end])))
    db.executemany("INSERT INTO words(rowid, body, above) VALUES (?,?,'')", texts)
    scores = [[0.0] * len(hit.block.sentences) for hit in hits]
    for rowid, rank in db.execute(
        "SELECT rowid, rank FROM words WHERE words MATCH ?", (expression,)
    ):
        number, at = places[rowid - 1]
        scores[number][at] = max(1e-6, -rank)
    db.close()
    return scores


def _packed(block: TextBlock) -> str:
    return json.dumps([list(one) for one in block.sentences], separators=(",", ":"))


def _unpacked(spans: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(*one) for one in json.loads(spans))
