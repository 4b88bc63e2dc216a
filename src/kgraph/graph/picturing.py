"""From an index to what the views see, read lazily, in ascending order of ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kgraph.evidence import split
from kgraph.index.apply import batches, marks
from kgraph.index.read import NodeView, Reader
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple
from kgraph.views.snapshot import (
    OWN_FIELDS,
    Edge,
    EdgeAssertion,
    GraphMeta,
    Node,
    NodeAssertion,
    Snapshot,
)

BATCH = 500


class Chosen(NamedTuple):
    """The part of a graph that is wanted: numbers of nodes and edges, None for everything."""

    nodes: frozenset[int] | None = None
    edges: frozenset[int] | None = None


class _Again(Iterable[Any]):
    """An iterable that starts anew each time."""

    def __init__(self, make: Callable[[], Iterator[Any]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Any]:
        return self._make()


def snapshot(reader: Reader, meta: GraphMeta, chosen: Chosen = Chosen()) -> Snapshot:
    """A snapshot of all that lives, or of a part of it."""
    standing = _Standing(reader)
    return Snapshot(
        meta,
        _Again(lambda: _nodes(reader, standing, chosen)),
        _Again(lambda: _edges(reader, standing, chosen)),
    )


class _Standing:
    """Which Sources the claims stand on, and which Source a citation names: worked out once for the whole graph."""

    def __init__(self, reader: Reader) -> None:
        self.names: dict[str, str] = {}
        self.source_ids: dict[int, str] = {}
        for node in reader.every_node("Source"):
            self.source_ids[node.nid] = node.id
            for text in (node.name, str(node.fields.get("uri", ""))):
                if text:
                    self.names.setdefault(fold(text), node.id)
        self.of_claim: dict[int, tuple[str, ...]] = {}
        ties: dict[int, set[str]] = {}
        query = (
            "SELECT dst, src FROM edge WHERE visible=1 AND predicate='SUPPORTS' UNION ALL "
            "SELECT src, dst FROM edge WHERE visible=1 AND predicate='DERIVED_FROM'"
        )
        for claim, source in reader.db.execute(query):
            name = self.source_ids.get(source)
            if name:
                ties.setdefault(claim, set()).add(name)
        self.of_claim = {claim: tuple(sorted(names)) for claim, names in ties.items()}

    def of_edge(self, ends: tuple[int, int], source_doc: str) -> tuple[str, ...]:
        found = dict.fromkeys(self.source_ids[end] for end in ends if end in self.source_ids)
        cited = self.names.get(fold(split(source_doc).document)) if source_doc else None
        if cited:
            found.setdefault(cited)
        for end in ends:
            found.update(dict.fromkeys(self.of_claim.get(end, ())))
        return tuple(found)


def _ordered(reader: Reader, table: str, wanted: frozenset[int] | None) -> Iterator[Sequence[int]]:
    """Numbers of what lives, in ascending order of ids, in batches."""
    number, alive = ("nid", "live > 0") if table == "node" else ("eid", "visible = 1")
    last = ""
    while True:
        rows = reader.db.execute(
            f"SELECT id, {number} FROM {table} WHERE {alive} AND id > ? ORDER BY id LIMIT {BATCH}",
            (last,),
        ).fetchall()
        if not rows:
            return
        last = rows[-1][0]
        numbers = [row[1] for row in rows if wanted is None or row[1] in wanted]
        if numbers:
            yield numbers


def _nodes(reader: Reader, standing: _Standing, chosen: Chosen) -> Iterator[Node]:
    for nids in _ordered(reader, "node", chosen.nodes):
        views = reader.nodes(nids)
        said = _said(reader, "node", nids)
        degrees = _degrees(reader, nids)
        canonical = reader.ids({views[nid].canon for nid in nids})
        for nid in nids:
            view = views[nid]
            yield Node(
                view.id, view.type, view.name,
                tuple(_node_assertion(row, standing.of_claim.get(nid, ())) for row in said.get(nid, ())),
                view.aliases, view.description, _fields(view), view.attrs, str(view.fields.get("qualifier", "")),
                str(view.fields.get("valid_from", "")), str(view.fields.get("valid_to", "")),
                "" if view.canon == nid else canonical[view.canon], degrees.get(nid, 0),
            )  # fmt: skip


def _fields(view: NodeView) -> Mapping[str, Any]:
    own: dict[str, Any] = {key: view.fields[key] for key in OWN_FIELDS if key in view.fields}
    if view.inference:
        own["inference"] = True
    return own


Row = tuple[int, str, str, str, dict[str, Any], int, int, int]


def _said(reader: Reader, what: str, numbers: Sequence[int]) -> dict[int, list[Row]]:
    """Live assertions by node or edge: (number, tx, ts, run, event, line, position, first byte)."""
    found: dict[int, list[Row]] = {}
    column = "nid" if what == "node" else "eid"
    for some in batches(list(numbers)):
        query = (
            f"SELECT s.{column}, l.id, l.ts, coalesce(s.run, l.run), s.line, s.start, s.length, s.pos "
            f"FROM {what}_said s JOIN line l ON l.seq = s.line WHERE s.gone <= 0 AND s.{column} IN ({marks(some)}) ORDER BY s.line, s.pos"
        )
        for number, tx, ts, run, line, start, length, pos in reader.db.execute(
            query, some
        ).fetchall():
            found.setdefault(number, []).append(
                (
                    number,
                    tx,
                    ts,
                    run or "",
                    reader.index.event_at(line, start, length),
                    line,
                    pos,
                    start,
                )
            )
    return found


def _node_assertion(row: Row, sources: tuple[str, ...]) -> NodeAssertion:
    _, tx, ts, run, event, *_ = row
    fields = {
        key: event[wire]
        for key in OWN_FIELDS
        if (wire := "of_kind" if key == "kind" else key) in event
    }
    return NodeAssertion(
        event["name"], tx, run, ts, sources, event.get("description", ""), tuple(event.get("aliases") or ()),
        fields, event.get("attrs") or {}, event.get("valid_from", ""), event.get("valid_to", ""),
    )  # fmt: skip


def _degrees(reader: Reader, nids: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for column in ("src", "dst"):
        for some in batches(list(nids)):
            query = f"SELECT {column}, count(*) FROM edge WHERE visible=1 AND {column} IN ({marks(some)}) GROUP BY {column}"
            for nid, count in reader.db.execute(query, some):
                found[nid] = found.get(nid, 0) + count
    return found


def _edges(reader: Reader, standing: _Standing, chosen: Chosen) -> Iterator[Edge]:
    for eids in _ordered(reader, "edge", chosen.edges):
        found = _edge_rows(reader, eids)
        said = _said(reader, "edge", eids)
        ids = reader.ids({end for row in found.values() for end in row[2:4]})
        findings = _findings(reader, said)
        for eid in eids:
            name, predicate, src, dst, kind, line, start = found[eid]
            rows = sorted(
                said.get(eid, ()), key=lambda row: row[5] != line or row[7] != start
            )  # what is shown comes first
            assertions = tuple(_edge_assertion(row, standing, (src, dst), findings) for row in rows)
            yield Edge(name, predicate, ids[src], ids[dst], kind, assertions)


def _edge_rows(
    reader: Reader, eids: Sequence[int]
) -> dict[int, tuple[str, str, int, int, str, int, int]]:
    """Edges without their words: id, predicate, ends, kind, and the place of the assertion that is shown."""
    found = {}
    for some in batches(list(eids)):
        query = f"SELECT eid, id, predicate, src, dst, rel, line, start FROM edge WHERE eid IN ({marks(some)})"
        for eid, *row in reader.db.execute(query, some):
            found[eid] = tuple(row)
    return found


def _findings(
    reader: Reader, said: Mapping[int, list[Row]]
) -> dict[tuple[int, int], dict[str, Any]]:
    if reader.db.execute("SELECT 1 FROM finding LIMIT 1").fetchone() is None:
        return {}
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for rows in said.values():
        for row in rows:
            query = "SELECT by_line, start, length FROM finding WHERE line=? AND pos=? AND gone<=0 ORDER BY by_line DESC, by_pos DESC LIMIT 1"
            place = reader.db.execute(query, (row[5], row[6])).fetchone()
            if place:
                found[row[5], row[6]] = reader.index.event_at(*place)
    return found


def _edge_assertion(
    row: Row,
    standing: _Standing,
    ends: tuple[int, int],
    findings: Mapping[tuple[int, int], dict[str, Any]],
) -> EdgeAssertion:
    _, tx, ts, run, event, line, pos, _ = row
    later = findings.get((line, pos), {})
    source_doc = later.get("source_doc") or event.get("source_doc", "")
    return EdgeAssertion(
        tx, run, ts, standing.of_edge(ends, source_doc), source_doc, event.get("quote", ""), event.get("confidence"),
        later.get("evidence") or event.get("evidence") or {}, event.get("attrs") or {},
        event.get("valid_from", ""), event.get("valid_to", ""), event.get("role", ""),
    )  # fmt: skip
