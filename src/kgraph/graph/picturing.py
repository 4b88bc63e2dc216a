"""From an index to what the views see, read lazily, in ascending order of ids."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kgraph.evidence import split
from kgraph.index.adjacency import Bare, bare_edges, ordered, pairs
from kgraph.index.adjacency import degrees as degrees_of
from kgraph.index.assertions import Live, Place, live_of
from kgraph.index.assertions import findings as findings_of
from kgraph.index.read import NodeView, Reader
from kgraph.ontology import fold
from kgraph.retrieve.carrying import Carrying
from kgraph.retrieve.times import mark, spans_of_node
from kgraph.support.wording import in_words
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


def snapshot(
    reader: Reader, meta: GraphMeta, chosen: Chosen = Chosen(), judged: bool = False
) -> Snapshot:
    """A snapshot of all that lives, or of a part of it. ``judged``: with how well words carry what they are cited for."""
    standing = _Standing(reader)
    return Snapshot(
        meta,
        _Again(lambda: _nodes(reader, standing, chosen, meta.rendered)),
        _Again(
            lambda: (
                _judged(reader, standing, chosen) if judged else _edges(reader, standing, chosen)
            )
        ),
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
        supported = ((claim, source) for source, claim in pairs(reader, "SUPPORTS"))
        for claim, source in itertools.chain(supported, pairs(reader, "DERIVED_FROM")):
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
    for numbers in ordered(reader, table, BATCH):
        chosen = [number for number in numbers if wanted is None or number in wanted]
        if chosen:
            yield chosen


def _nodes(reader: Reader, standing: _Standing, chosen: Chosen, now: str) -> Iterator[Node]:
    for nids in _ordered(reader, "node", chosen.nodes):
        views = reader.nodes(nids)
        said = live_of(reader, "node", nids)
        degrees = degrees_of(reader, nids)
        canonical = reader.ids({views[nid].canon for nid in nids})
        for nid in nids:
            view = views[nid]
            yield Node(
                view.id, view.type, view.name,
                tuple(_node_assertion(one, standing.of_claim.get(nid, ())) for one in said.get(nid, ())),
                view.aliases, view.description, _fields(view), view.attrs, str(view.fields.get("qualifier", "")),
                str(view.fields.get("valid_from", "")), str(view.fields.get("valid_to", "")),
                "" if view.canon == nid else canonical[view.canon], degrees.get(nid, 0), mark(spans_of_node(reader, view), now),
            )  # fmt: skip


def _fields(view: NodeView) -> Mapping[str, Any]:
    own: dict[str, Any] = {key: view.fields[key] for key in OWN_FIELDS if key in view.fields}
    if view.inference:
        own["inference"] = True
    return own


def _node_assertion(said: Live, sources: tuple[str, ...]) -> NodeAssertion:
    tx, ts, run, event, *_ = said
    fields = {
        key: event[wire]
        for key in OWN_FIELDS
        if (wire := "of_kind" if key == "kind" else key) in event
    }
    return NodeAssertion(
        event["name"], tx, run, ts, sources, event.get("description", ""), tuple(event.get("aliases") or ()),
        fields, event.get("attrs") or {}, event.get("valid_from", ""), event.get("valid_to", ""),
    )  # fmt: skip


def _edges(reader: Reader, standing: _Standing, chosen: Chosen) -> Iterator[Edge]:
    for eids in _ordered(reader, "edge", chosen.edges):
        found = bare_edges(reader, eids)
        said = live_of(reader, "edge", eids)
        ids = reader.ids({end for edge in found.values() for end in (edge.src, edge.dst)})
        looked_at = findings_of(
            reader, [Place(one.line, one.pos) for some in said.values() for one in some]
        )
        for eid in eids:
            edge = found[eid]
            shown_first = sorted(
                said.get(eid, ()), key=lambda one: one.line != edge.line or one.start != edge.start
            )
            assertions = tuple(
                _edge_assertion(one, standing, edge, looked_at) for one in shown_first
            )
            yield Edge(edge.id, edge.predicate, ids[edge.src], ids[edge.dst], edge.kind, assertions)


def _judged(reader: Reader, standing: _Standing, chosen: Chosen) -> Iterator[Edge]:
    """The edges, the shown assertion of each with how well its words carry it."""
    carrying = Carrying(reader)
    for some in batched(_edges(reader, standing, chosen), BATCH):
        worded = [edge.id for edge in some if edge.shown.quote]
        views = reader.edges(reader.edge_ids(worded).values()) if worded else {}
        found = {views[eid].id: support for eid, support in carrying.of_all(views.values()).items()}
        carrying.forget()
        for edge in some:
            support = found.get(edge.id)
            if support is None:
                yield edge
                continue
            first = edge.shown._replace(support=support.level.value, doubt=in_words(support))
            yield edge._replace(assertions=(first, *edge.assertions[1:]))


def batched(some: Iterable[Edge], size: int) -> Iterator[list[Edge]]:
    edges = iter(some)
    while batch := list(itertools.islice(edges, size)):
        yield batch


def _edge_assertion(
    said: Live, standing: _Standing, edge: Bare, findings: Mapping[Place, dict[str, Any]]
) -> EdgeAssertion:
    tx, ts, run, event, line, pos, _ = said
    later = findings.get(Place(line, pos), {})
    source_doc = later.get("source_doc") or event.get("source_doc", "")
    return EdgeAssertion(
        tx, run, ts, standing.of_edge((edge.src, edge.dst), source_doc), source_doc, event.get("quote", ""), event.get("confidence"),
        later.get("evidence") or event.get("evidence") or {}, event.get("attrs") or {},
        event.get("valid_from", ""), event.get("valid_to", ""), event.get("role", ""),
    )  # fmt: skip
