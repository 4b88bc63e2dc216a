"""Who said what: assertions by node, edge, run, transaction and place, what was withdrawn, and notes beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from kgraph.events import Event
from kgraph.index.apply import batches, marks
from kgraph.index.read import Reader
from kgraph.index.rows import Place as Place
from kgraph.tuples import NamedTuple

Kind = Literal["node", "edge"]
KINDS: tuple[Kind, Kind] = ("node", "edge")


class Assertion(NamedTuple):
    """``gone`` counts the withdrawals that list it and hold."""

    line: int
    pos: int
    gone: int

    @property
    def place(self) -> Place:
        return Place(self.line, self.pos)


class Stretch(NamedTuple):
    """Assertions of one transaction: positions ``first`` to ``last``, the last excluded."""

    tx: str
    first: int
    last: int


class Owned(NamedTuple):
    """A node or edge that an assertion speaks of. ``is_seen``: it is in the graph now."""

    number: int
    is_seen: bool
    id: str
    tx: str


class Live(NamedTuple):
    """A live assertion with its words. ``start``: their first byte in the line."""

    tx: str
    ts: str
    run: str
    event: Event
    line: int
    pos: int
    start: int


def _table(kind: Kind) -> str:
    return "node_said" if kind == "node" else "edge_said"


def _number(kind: Kind) -> str:
    return "nid" if kind == "node" else "eid"


# -- by what they speak of ---------------------------------------------------------------------------------------------------------


def of(reader: Reader, kind: Kind, number: int) -> list[Assertion]:
    """All assertions of a node or edge."""
    query = f"SELECT line, pos, gone FROM {_table(kind)} WHERE {_number(kind)}=?"
    return [Assertion(*row) for row in reader.db.execute(query, (number,))]


def owner(reader: Reader, kind: Kind, place: Place) -> Owned | None:
    """The node or edge that an assertion speaks of."""
    query = (
        "SELECT s.nid, v.live > 0, v.id, l.id FROM node_said s JOIN node v ON v.nid=s.nid JOIN line l ON l.seq=s.line "
        if kind == "node"
        else "SELECT s.eid, e.visible, e.id, l.id FROM edge_said s JOIN edge e ON e.eid=s.eid JOIN line l ON l.seq=s.line "
    )
    row = reader.db.execute(query + "WHERE s.line=? AND s.pos=?", place).fetchone()
    return Owned(row[0], bool(row[1]), row[2], row[3]) if row else None


def live_of(reader: Reader, kind: Kind, numbers: Sequence[int]) -> dict[int, list[Live]]:
    """The live assertions of many nodes or edges, in the order of the log."""
    column = _number(kind)
    found: dict[int, list[Live]] = {}
    for some in batches(list(numbers)):
        query = (
            f"SELECT s.{column}, l.id, l.ts, coalesce(s.run, l.run), s.line, s.start, s.length, s.pos "
            f"FROM {_table(kind)} s JOIN line l ON l.seq = s.line WHERE s.gone <= 0 AND s.{column} IN ({marks(some)}) ORDER BY s.line, s.pos"
        )
        rows = reader.db.execute(query, some).fetchall()
        for number, tx, ts, run, line, start, length, pos in rows:
            event = reader.index.event_at(line, start, length)
            found.setdefault(number, []).append(Live(tx, ts, run or "", event, line, pos, start))
    return found


def nodes_said_since(reader: Reader, seq: int) -> int:
    """How many nodes transactions after one speak of."""
    query = "SELECT count(DISTINCT nid) FROM node_said WHERE line > ?"
    return int(reader.db.execute(query, (seq,)).fetchone()[0])


def holder(reader: Reader, nid: int) -> tuple[str, str, str, str] | None:
    """What holds a node last: (transaction, its op, its run, predicate and id of an edge that it says of the node)."""
    query = (
        "SELECT l.id, l.op, coalesce(n.run, l.run), (SELECT e.predicate || ' ' || e.id FROM edge_said s JOIN edge e ON e.eid=s.eid "
        "WHERE s.line=n.line AND s.gone<=0 AND (e.src=n.nid OR e.dst=n.nid) LIMIT 1) "
        "FROM node_said n JOIN line l ON l.seq=n.line WHERE n.nid=? AND n.gone<=0 ORDER BY n.line DESC LIMIT 1"
    )
    row = reader.db.execute(query, (nid,)).fetchone()
    return (row[0], row[1], row[2] or "", row[3] or "") if row else None


# -- by who said them --------------------------------------------------------------------------------------------------------------


def of_line(reader: Reader, kind: Kind, seq: int) -> list[Assertion]:
    """The assertions of a transaction."""
    query = f"SELECT line, pos, gone FROM {_table(kind)} WHERE line=?"
    return [Assertion(*row) for row in reader.db.execute(query, (seq,))]


def of_run(reader: Reader, kind: Kind, run: str) -> list[Assertion]:
    """The assertions of a run, in its own transactions and where another bears its words."""
    table = _table(kind)
    return [
        Assertion(*row)
        for query in (
            f"SELECT s.line, s.pos, s.gone FROM line l JOIN {table} s ON s.line = l.seq WHERE l.run=? AND s.run IS NULL",
            f"SELECT s.line, s.pos, s.gone FROM {table} s WHERE s.run=?",
        )
        for row in reader.db.execute(query, (run,))
    ]


def runs_in(reader: Reader, seq: int, run: str) -> list[tuple[Assertion, str]]:
    """The assertions of a transaction of ``run``, each with the run whose words it bears."""
    return [
        (Assertion(*row[:3]), row[3])
        for kind in KINDS
        for row in reader.db.execute(
            f"SELECT line, pos, gone, coalesce(run, ?) FROM {_table(kind)} WHERE line=?", (run, seq)
        )
    ]


def stands(reader: Reader, kind: Kind, place: Place) -> bool:
    """Whether there is such an assertion, and it was not withdrawn."""
    query = f"SELECT 1 FROM {_table(kind)} WHERE line=? AND pos=? AND gone<=0"
    return reader.db.execute(query, place).fetchone() is not None


def any_lives(reader: Reader, stretch: Stretch) -> bool:
    """Whether any assertion of a stretch was not withdrawn."""
    return any(
        reader.db.execute(
            f"SELECT 1 FROM {_table(kind)} s JOIN line l ON l.seq=s.line WHERE l.id=? AND s.pos>=? AND s.pos<? AND s.gone<=0 LIMIT 1",
            stretch,
        ).fetchone()
        for kind in KINDS
    )


def live_in(
    reader: Reader, stretch: Stretch, kinds: Sequence[Kind] = KINDS
) -> list[tuple[int, Event]]:
    """What still stands of a stretch, by position: (position, event)."""
    rows: list[tuple[int, int, int, int]] = []
    for kind in kinds:
        query = (
            f"SELECT s.pos, s.line, s.start, s.length FROM {_table(kind)} s JOIN line l ON l.seq=s.line "
            "WHERE l.id=? AND s.pos>=? AND s.pos<? AND s.gone<=0"
        )
        rows += reader.db.execute(query, stretch).fetchall()
    return [
        (pos, reader.index.event_at(line, start, length))
        for pos, line, start, length in sorted(rows)
    ]


def touched_by(reader: Reader, stretch: Stretch) -> set[int]:
    """The nodes that assertions of a stretch speak of, or whose edges they speak of."""
    where = "JOIN line l ON l.seq=s.line WHERE l.id=? AND s.pos>=? AND s.pos<?"
    found = {row[0] for row in reader.db.execute(f"SELECT s.nid FROM node_said s {where}", stretch)}
    query = f"SELECT e.src, e.dst FROM edge_said s JOIN edge e ON e.eid=s.eid {where}"
    for ends in reader.db.execute(query, stretch):
        found.update(ends)
    return found


# -- withdrawals and notes ---------------------------------------------------------------------------------------------------------


def withdrawals_in(reader: Reader, seq: int) -> list[Event]:
    """The withdrawals that a transaction holds."""
    query = "SELECT start, length FROM note WHERE what='withdraw' AND key='' AND line=?"
    return [
        reader.index.event_at(seq, start, length)
        for start, length in reader.db.execute(query, (seq,)).fetchall()
    ]


def withdrawals(reader: Reader) -> Iterator[tuple[str, Event]]:
    """Every withdrawal that holds, newest first: (transaction, event)."""
    query = (
        "SELECT l.id, n.line, n.start, n.length FROM note n JOIN line l ON l.seq=n.line "
        "WHERE n.what='withdraw' AND n.key='' AND l.gone<=0 ORDER BY n.line DESC"
    )
    for tx, line, start, length in reader.db.execute(query).fetchall():
        yield tx, reader.index.event_at(line, start, length) if length else {}


def replacing(reader: Reader, run: str) -> list[tuple[int, str]]:
    """A run's extractions that withdraw an earlier reading and were not taken back, newest first: (number, transaction)."""
    query = (
        "SELECT DISTINCT l.seq, l.id FROM line l JOIN note n ON n.line = l.seq AND n.what='withdraw' AND n.key='' "
        "WHERE l.run=? AND l.op='extract' AND l.gone<=0 ORDER BY l.seq DESC"
    )
    return reader.db.execute(query, (run,)).fetchall()


def is_read_again(reader: Reader, seq: int) -> bool:
    """Whether a later transaction speaks of a unit of which this one has a note."""
    query = (
        "SELECT 1 FROM note mine JOIN note n ON n.what=mine.what AND n.key=mine.key AND n.line>mine.line "
        "JOIN line l ON l.seq=n.line AND l.gone<=0 AND (l.nodes OR l.edges) WHERE mine.line=? AND mine.what='meta:unit' LIMIT 1"
    )
    return reader.db.execute(query, (seq,)).fetchone() is not None


def moved_by(reader: Reader, seq: int) -> set[Place]:
    """The assertions that a transaction's splits give to another node."""
    query = "SELECT line, pos FROM move WHERE by_line=?"
    return {Place(*row) for row in reader.db.execute(query, (seq,))}


def has_notes(reader: Reader, what: str) -> bool:
    """Whether there is any note of this sort."""
    query = "SELECT 1 FROM note WHERE what=? LIMIT 1"
    return reader.db.execute(query, (f"meta:{what}",)).fetchone() is not None


def notes_between(reader: Reader, what: str, first: str, last: str) -> list[tuple[str, Event]]:
    """Notes whose keys lie between two, both included, of transactions that were not taken back: (transaction, event)."""
    query = (
        "SELECT l.id, n.line, n.start, n.length FROM note n JOIN line l ON l.seq = n.line "
        "WHERE n.what=? AND n.key BETWEEN ? AND ? AND l.gone <= 0 ORDER BY n.line, n.pos"
    )
    rows = reader.db.execute(query, (f"meta:{what}", first, last)).fetchall()
    return [(tx, reader.index.event_at(line, start, length)) for tx, line, start, length in rows]


def findings(reader: Reader, places: Sequence[Place]) -> dict[Place, Event]:
    """The latest word on citations that were looked at again."""
    if reader.db.execute("SELECT 1 FROM finding LIMIT 1").fetchone() is None:
        return {}
    query = "SELECT by_line, start, length FROM finding WHERE line=? AND pos=? AND gone<=0 ORDER BY by_line DESC, by_pos DESC LIMIT 1"
    found = {}
    for place in places:
        row = reader.db.execute(query, place).fetchone()
        if row:
            found[place] = reader.index.event_at(*row)
    return found
