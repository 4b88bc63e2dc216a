"""What was taken back by hand, statement by statement, and is not said by anyone since."""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.index.read import Reader
from kgraph.tuples import NamedTuple

NOTE = "retracted"  # a retraction's own note: what kind of thing it named
STATEMENTS = (
    "node",
    "edge",
    "source",
)  # a run or a transaction that is taken back may be done again


class Retracted(NamedTuple):
    """Ids of nodes and edges that a retraction in effect took back and that don't live."""

    nodes: frozenset[str] = frozenset()
    edges: frozenset[str] = frozenset()


def retracted(reader: Reader) -> Retracted:
    places: dict[int, set[int]] = {}
    query = (
        "SELECT w.line, w.start, w.length FROM note w JOIN note n ON n.line=w.line AND n.what=? AND n.key IN (?,?,?) "
        "JOIN line l ON l.seq=w.line AND l.gone<=0 WHERE w.what='withdraw' AND w.key=''"
    )
    for line, start, length in reader.db.execute(query, (f"meta:{NOTE}", *STATEMENTS)).fetchall():
        listed = reader.index.event_at(line, start, length).get("assertions") or {}
        for name, positions in listed.items():
            row = reader.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()
            if row:
                places.setdefault(row[0], set()).update(positions)
    nodes = "SELECT s.pos, n.id FROM node_said s JOIN node n ON n.nid=s.nid AND n.live<=0 WHERE s.line=?"
    edges = (
        "SELECT s.pos, e.id FROM edge_said s JOIN edge e ON e.eid=s.eid WHERE s.line=? "
        "AND NOT EXISTS (SELECT 1 FROM edge_said o WHERE o.eid=s.eid AND o.gone<=0)"
    )
    return Retracted(_ids(reader, nodes, places), _ids(reader, edges, places))


def any_at(reader: Reader, found: Retracted, place: tuple[str, int, int]) -> bool:
    """Whether one of them was asserted at a place: positions (half-open) of a transaction."""
    for table, of, key, held in (
        ("node_said", "node", "nid", found.nodes),
        ("edge_said", "edge", "eid", found.edges),
    ):
        query = f"SELECT o.id FROM {table} s JOIN {of} o ON o.{key}=s.{key} JOIN line l ON l.seq=s.line WHERE l.id=? AND s.pos>=? AND s.pos<?"
        if any(row[0] in held for row in reader.db.execute(query, place)):
            return True
    return False


def _ids(reader: Reader, query: str, places: dict[int, set[int]]) -> frozenset[str]:
    rows: Iterable[tuple[int, int, str]] = (
        (line, *row) for line in places for row in reader.db.execute(query, (line,)).fetchall()
    )
    return frozenset(name for line, pos, name in rows if pos in places[line])
