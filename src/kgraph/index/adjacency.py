"""Nodes and edges by the thousand, without their words: who touches whom, what is in the graph, what kind it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kgraph.index.apply import batches, marks
from kgraph.index.read import Hop, Reader
from kgraph.index.rows import STATUSES
from kgraph.tuples import NamedTuple


class Seen(NamedTuple):
    """A node or edge and whether it is in the graph now."""

    id: str
    is_seen: bool


class Neighbour(NamedTuple):
    """A node beside one: ``here`` and ``there`` are the ends of the edge between them."""

    here: int
    there: int
    type: str
    id: str


class Tie(NamedTuple):
    """A Source that supports a claim, and the edge that says so."""

    claim: int
    source: str
    eid: int


class Bare(NamedTuple):
    """An edge without its words; ``line`` and ``start`` are the place of the assertion that is shown."""

    id: str
    predicate: str
    src: int
    dst: int
    kind: str
    line: int
    start: int


_hop = tuple.__new__  # without the constructor's step: some thousands are made for one answer


def is_empty(reader: Reader, table: str = "node") -> bool:
    """Whether the graph never had a node ('node') or an edge ('edge')."""
    return reader.db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() is None


def has_merges(reader: Reader) -> bool:
    """Whether any node was merged into another."""
    return (
        reader.db.execute("SELECT 1 FROM node WHERE canon IS NOT NULL LIMIT 1").fetchone()
        is not None
    )


def merged_count(reader: Reader) -> int:
    """How many live nodes were merged into another."""
    query = "SELECT count(*) FROM node WHERE canon IS NOT NULL AND live > 0"
    return int(reader.db.execute(query).fetchone()[0])


def last_nid(reader: Reader) -> int:
    """The greatest number of a node, 0 in an empty graph."""
    return int(reader.db.execute("SELECT coalesce(max(nid), 0) FROM node").fetchone()[0])


def live_ids(reader: Reader, table: str, ids: Sequence[str]) -> set[str]:
    """Those of some ids that a live node ('node') or edge ('edge') bears."""
    if is_empty(reader, table):
        return set()
    return {
        row[0] for some in batches(list(ids))
        for row in reader.db.execute(f"SELECT id FROM {table} WHERE live > 0 AND id IN ({marks(some)})", some)
    }  # fmt: skip


def nodes_seen(reader: Reader, nids: Iterable[int]) -> dict[int, Seen]:
    return _seen(reader, "SELECT nid, id, live > 0 FROM node WHERE nid IN ({})", nids)


def edges_seen(reader: Reader, eids: Iterable[int]) -> dict[int, Seen]:
    return _seen(reader, "SELECT eid, id, visible FROM edge WHERE eid IN ({})", eids)


def _seen(reader: Reader, query: str, numbers: Iterable[int]) -> dict[int, Seen]:
    return {
        row[0]: Seen(row[1], bool(row[2])) for some in batches(sorted(numbers))
        for row in reader.db.execute(query.format(marks(some)), some)
    }  # fmt: skip


def edges_at(reader: Reader, nids: Iterable[int]) -> dict[int, bool]:
    """Every edge at some nodes, in the graph or not: {eid: whether it is}."""
    found: dict[int, bool] = {}
    for some in batches(sorted(nids)):
        query = (
            f"SELECT eid, visible FROM edge WHERE src IN ({marks(some)}) OR dst IN ({marks(some)})"
        )
        found.update((eid, bool(seen)) for eid, seen in reader.db.execute(query, (*some, *some)))
    return found


def ends(reader: Reader, eids: Iterable[int]) -> set[int]:
    """The nodes at some edges."""
    return {
        nid for some in batches(sorted(eids))
        for row in reader.db.execute(f"SELECT src, dst FROM edge WHERE eid IN ({marks(some)})", some)
        for nid in row
    }  # fmt: skip


def types(reader: Reader, nids: Sequence[int]) -> dict[int, str]:
    return {
        row[0]: row[1] for some in batches(list(nids))
        for row in reader.db.execute(f"SELECT nid, type FROM node WHERE nid IN ({marks(some)})", some)
    }  # fmt: skip


def hops_one_way(
    reader: Reader,
    nid: int,
    forward: bool,
    limit: int,
    wanted: Sequence[str] = (),
    unwanted: Sequence[str] = (),
) -> list[Hop]:
    """Visible edges that leave (``forward``) or enter a node, the first ``limit`` in the order of the index: sorting the edges of a hub
    would cost more than all the rest. ``wanted``: predicates, none for all."""
    here, there = ("src", "dst") if forward else ("dst", "src")
    chosen = f" AND predicate IN ({marks(wanted)})" if wanted else ""
    chosen += f" AND predicate NOT IN ({marks(unwanted)})" if unwanted else ""
    query = f"SELECT eid, predicate, {there}, confidence, status FROM edge WHERE {here}=? AND visible=1{chosen} LIMIT ?"
    rows = reader.db.execute(query, (nid, *wanted, *unwanted, limit)).fetchall()
    return [
        _hop(Hop, (eid, predicate, nid, other, forward, confidence, STATUSES[status]))
        for eid, predicate, other, confidence, status in rows
    ]


def pairs(
    reader: Reader, predicate: str, nids: Iterable[int] | None = None, forward: bool = True
) -> list[tuple[int, int]]:
    """(source, target) of the visible edges of a predicate, or of those that leave (``forward``) or enter some nodes."""
    query = "SELECT src, dst FROM edge WHERE visible=1 AND predicate=?"
    if nids is None:
        return reader.db.execute(query, (predicate,)).fetchall()
    end = "src" if forward else "dst"
    return [
        row for some in batches(list(nids))
        for row in reader.db.execute(f"{query} AND {end} IN ({marks(some)})", (predicate, *some))
    ]  # fmt: skip


def neighbours(reader: Reader, nids: Iterable[int]) -> Iterator[Neighbour]:
    """Everything that shares a visible edge with some nodes, merges and judgements left out."""
    for some in batches(list(nids)):
        for here, there in (("src", "dst"), ("dst", "src")):
            query = (
                f"SELECT e.{here}, e.{there}, v.type, v.id FROM edge e JOIN node v ON v.nid = e.{there} "
                f"WHERE e.visible = 1 AND e.predicate NOT IN ('RESOLVED_TO', 'EVALUATES') AND e.{here} IN ({marks(some)})"
            )
            yield from (Neighbour(*row) for row in reader.db.execute(query, some).fetchall())


def supports(reader: Reader, claims: Iterable[int]) -> Iterator[Tie]:
    """The Sources that support some claims."""
    for some in batches(list(claims)):
        query = (
            "SELECT e.dst, v.id, e.eid FROM edge e JOIN node v ON v.nid = e.src "
            f"WHERE e.visible = 1 AND e.predicate = 'SUPPORTS' AND v.type = 'Source' AND e.dst IN ({marks(some)})"
        )
        yield from (Tie(*row) for row in reader.db.execute(query, some).fetchall())


def parted(reader: Reader) -> set[frozenset[str]]:
    """Pairs of ids of which a split that holds made two."""
    query = "SELECT DISTINCT old, new FROM move WHERE gone <= 0"
    return {frozenset(pair) for pair in reader.db.execute(query)}


def evaluated(reader: Reader) -> dict[int, list[str]]:
    """What each live Evaluation evaluates, by its number: ids."""
    query = (
        "SELECT v.nid, d.id FROM node v JOIN edge e ON e.src = v.nid AND e.visible = 1 AND e.predicate = 'EVALUATES' "
        "JOIN node d ON d.nid = e.dst WHERE v.type = 'Evaluation' AND v.live > 0 ORDER BY v.nid"
    )
    found: dict[int, list[str]] = {}
    for nid, name in reader.db.execute(query):
        found.setdefault(nid, []).append(name)
    return found


def alone(reader: Reader, limit: int) -> list[str]:
    """Names of live nodes without an edge, the first ``limit``."""
    query = (
        "SELECT name FROM node WHERE live > 0 AND NOT EXISTS (SELECT 1 FROM edge WHERE visible = 1 AND src = nid) "
        "AND NOT EXISTS (SELECT 1 FROM edge WHERE visible = 1 AND dst = nid) ORDER BY nid LIMIT ?"
    )
    return [row[0] for row in reader.db.execute(query, (limit,))]


def ordered(reader: Reader, table: str, size: int) -> Iterator[list[int]]:
    """Numbers of the nodes ('node') or edges ('edge') that are in the graph, in ascending order of ids, ``size`` at a time."""
    number, alive = ("nid", "live > 0") if table == "node" else ("eid", "visible = 1")
    query = f"SELECT id, {number} FROM {table} WHERE {alive} AND id > ? ORDER BY id LIMIT ?"
    last = ""
    while rows := reader.db.execute(query, (last, size)).fetchall():
        last = rows[-1][0]
        yield [row[1] for row in rows]


def degrees(reader: Reader, nids: Sequence[int]) -> dict[int, int]:
    """How many visible edges each node has, however many; nodes without one are left out."""
    found: dict[int, int] = {}
    for column in ("src", "dst"):
        for some in batches(list(nids)):
            query = f"SELECT {column}, count(*) FROM edge WHERE visible=1 AND {column} IN ({marks(some)}) GROUP BY {column}"
            for nid, number in reader.db.execute(query, some):
                found[nid] = found.get(nid, 0) + number
    return found


def bare_edges(reader: Reader, eids: Sequence[int]) -> dict[int, Bare]:
    """Edges without their words."""
    return {
        row[0]: Bare(*row[1:]) for some in batches(list(eids))
        for row in reader.db.execute(f"SELECT eid, id, predicate, src, dst, rel, line, start FROM edge WHERE eid IN ({marks(some)})", some)
    }  # fmt: skip
