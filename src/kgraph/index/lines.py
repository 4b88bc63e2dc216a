"""Transactions as the index knows them: when, by whom, of what kind, and whether they were taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgraph.index.apply import batches, marks
from kgraph.index.load import Header
from kgraph.index.read import Reader
from kgraph.tuples import NamedTuple


class Line(NamedTuple):
    """A transaction. ``seq`` is its number in this index only; ``gone`` counts the withdrawals of all of it that hold."""

    seq: int
    id: str
    position: int
    length: int
    ts: str
    op: str
    run: str
    agent: str
    unit: str
    reason: str
    nodes: int
    edges: int
    gone: int

    @property
    def is_legacy(self) -> bool:
        """Whether it is a whole log of the 1.0.0 layout."""
        return self.id.startswith("v1:")


class RunRow(NamedTuple):
    """What a run wrote: first and last transaction by time, how many, and what of it lives."""

    run: str
    first: str
    last: str
    transactions: int
    nodes: int
    edges: int


_COLUMNS = "seq, id, position, length, ts, op, run, agent, unit, reason, nodes, edges, gone"


def line(reader: Reader, tx: str) -> Line | None:
    """A transaction by its whole id."""
    row = reader.db.execute(f"SELECT {_COLUMNS} FROM line WHERE id=?", (tx,)).fetchone()
    return Line(*row) if row else None


def seq_of(reader: Reader, tx: str) -> int | None:
    """The number of a transaction; None where there is none of this id."""
    row = reader.db.execute("SELECT seq FROM line WHERE id=?", (tx,)).fetchone()
    return int(row[0]) if row else None


def line_at(reader: Reader, seq: int) -> Line:
    """A transaction by its number, which the index has given out."""
    return Line(*reader.db.execute(f"SELECT {_COLUMNS} FROM line WHERE seq=?", (seq,)).fetchone())


def beginning_with(reader: Reader, prefix: str, limit: int) -> list[Line]:
    """The transactions whose ids begin so, the first ``limit`` of them."""
    if not prefix:
        return []
    end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
    query = f"SELECT {_COLUMNS} FROM line WHERE id >= ? AND id < ? LIMIT ?"
    return [Line(*row) for row in reader.db.execute(query, (prefix, end, limit))]


def newest(reader: Reader, limit: int = 0) -> Iterator[Line]:
    """All transactions (0), or the latest ``limit``; newest first."""
    query = f"SELECT {_COLUMNS} FROM line ORDER BY seq DESC" + (" LIMIT ?" if limit else "")
    return (Line(*row) for row in reader.db.execute(query, (limit,) if limit else ()))


def count(reader: Reader) -> int:
    return int(reader.db.execute("SELECT count(*) FROM line").fetchone()[0])


def last_seq(reader: Reader) -> int:
    """The number of the latest transaction, 0 in an empty graph."""
    return int(reader.db.execute("SELECT coalesce(max(seq), 0) FROM line").fetchone()[0])


def last_seq_of(reader: Reader, names: Sequence[str]) -> int:
    """The greatest number of some transactions, 0 where none is known."""
    return max(
        (
            int(row[0]) for some in batches(list(names))
            for row in reader.db.execute(f"SELECT seq FROM line WHERE id IN ({marks(some)})", some)
        ),
        default=0,
    )  # fmt: skip


def headers(reader: Reader) -> list[Header]:
    """Where every line lies in the log, in that order; without parents and times."""
    query = "SELECT id, position, length FROM line ORDER BY position"
    return [Header(name, (), "", at, length) for name, at, length in reader.db.execute(query)]


def payloads_beginning(reader: Reader, prefix: str) -> list[str]:
    """What stands in the place of a payload's digest, where it begins so."""
    query = "SELECT payload FROM line WHERE payload LIKE ?"
    return [row[0] for row in reader.db.execute(query, (f"{prefix}%",))]


def whole_twin(reader: Reader, digest: str, run: str) -> str:
    """The latest transaction of a run with this payload of which nothing was taken back; '' for none."""
    query = (
        "SELECT l.id FROM line l WHERE l.payload=? AND l.run=? AND l.gone<=0 "
        "AND NOT EXISTS (SELECT 1 FROM node_said s WHERE s.line=l.seq AND s.gone>0) "
        "AND NOT EXISTS (SELECT 1 FROM edge_said s WHERE s.line=l.seq AND s.gone>0) ORDER BY l.seq DESC LIMIT 1"
    )
    row = reader.db.execute(query, (digest, run)).fetchone()
    return str(row[0]) if row else ""


# -- runs --------------------------------------------------------------------------------------------------------------------------


def has_run(reader: Reader, run: str) -> bool:
    """Whether any transaction is of this run."""
    return (
        reader.db.execute("SELECT 1 FROM line WHERE run=? LIMIT 1", (run,)).fetchone() is not None
    )


def agent_of(reader: Reader, run: str) -> str:
    """Who made a run, as its transactions say; '' where they don't."""
    query = "SELECT agent FROM line WHERE run=? AND agent <> '' LIMIT 1"
    row = reader.db.execute(query, (run,)).fetchone()
    return str(row[0]) if row else ""


def runs(reader: Reader) -> dict[str, RunRow]:
    """Every run by its id, in the order in which they began; runs that only imported or merged lines name come last."""
    query = (
        "SELECT l.run, min(l.ts), max(l.ts), count(*), "
        "(SELECT count(DISTINCT s.nid) FROM line m JOIN node_said s ON s.line = m.seq "
        "WHERE m.run = l.run AND s.run IS NULL AND s.gone <= 0 AND s.implied = 0), "
        "(SELECT count(DISTINCT s.eid) FROM line m JOIN edge_said s ON s.line = m.seq "
        "WHERE m.run = l.run AND s.run IS NULL AND s.gone <= 0) "
        "FROM line l WHERE l.run <> '' GROUP BY l.run ORDER BY min(l.seq)"
    )
    found = {row[0]: RunRow(*row) for row in reader.db.execute(query).fetchall()}
    for table, key in (("node_said", "nodes"), ("edge_said", "edges")):
        own = (
            f"SELECT s.run, min(l.ts), max(l.ts), count(DISTINCT s.line), count(*) FROM {table} s JOIN line l ON l.seq = s.line "
            "WHERE s.run IS NOT NULL AND s.gone <= 0 GROUP BY s.run"
        )
        for run, first, last, transactions, number in reader.db.execute(own).fetchall():
            entry = found.get(run) or RunRow(run, first, last, transactions, 0, 0)
            found[run] = entry._replace(**{key: getattr(entry, key) + number})
    return found
