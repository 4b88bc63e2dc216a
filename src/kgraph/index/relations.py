"""Relations of one predicate read in bulk, with every place that says so: for answers that have to be complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kgraph.index.apply import batches, marks
from kgraph.index.read import NodeView, Reader, node_view
from kgraph.tuples import NamedTuple


class Relation(NamedTuple):
    """A visible edge. ``kind`` is what the edge itself says of its sort ('call', 'import' …)."""

    eid: int
    source: int
    target: int
    kind: str


def relations(reader: Reader, predicate: str, nids: Iterable[int], forward: bool) -> list[Relation]:
    """All visible edges of a predicate that leave (``forward``) or enter some nodes."""
    end = "src" if forward else "dst"
    found = []
    for some in batches(list(dict.fromkeys(nids))):
        query = (
            f"SELECT eid, src, dst, rel FROM edge WHERE {end} IN ({marks(some)}) AND visible=1 "
            "AND predicate=? ORDER BY eid"
        )
        found += [Relation(*row) for row in reader.db.execute(query, (*some, predicate))]
    return found


def sayings(reader: Reader, eids: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    """What each edge's live assertions say, as they stand in the log."""
    found: dict[int, list[dict[str, Any]]] = {}
    for some in batches(list(dict.fromkeys(eids))):
        query = (
            f"SELECT eid, line, start, length FROM edge_said WHERE eid IN ({marks(some)}) AND gone<=0 "
            "ORDER BY eid, line, pos"
        )
        for eid, line, start, length in reader.db.execute(query, some).fetchall():
            found.setdefault(eid, []).append(reader.index.event_at(line, start, length))
    return found


def with_word(reader: Reader, phrase: Sequence[str], limit: int) -> list[NodeView]:
    """The live nodes in whose names these words follow each other, the first ``limit`` in the order of the index."""
    quoted = " ".join(word.replace('"', " ") for word in phrase)
    query = (
        "SELECT v.nid, v.id, v.type, v.name, v.description, v.extra, v.live, v.canon FROM words "
        "JOIN node v ON v.nid = words.rowid WHERE words MATCH ? AND v.live > 0 ORDER BY v.nid LIMIT ?"
    )
    return [node_view(row) for row in reader.db.execute(query, (f'name: "{quoted}"', limit))]


def untouched(reader: Reader, kind: str, predicate: str) -> list[NodeView]:
    """The live nodes of a type that no visible edge of a predicate enters."""
    query = (
        "SELECT nid, id, type, name, description, extra, live, canon FROM node v WHERE type=? AND live > 0 "
        "AND NOT EXISTS (SELECT 1 FROM edge WHERE dst=v.nid AND visible=1 AND predicate=?) ORDER BY nid"
    )
    return [node_view(row) for row in reader.db.execute(query, (kind, predicate))]
