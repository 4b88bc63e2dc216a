"""The graph as a payload's checks ask of it: nodes by id, by key and by name, and what they are tied to, whole batches at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

from kgraph.index import rows
from kgraph.index.adjacency import is_empty
from kgraph.index.apply import batches, marks, unpack
from kgraph.index.read import Reader
from kgraph.index.rows import NodeState
from kgraph.tuples import NamedTuple

_COLUMNS = "v.nid, v.id, v.type, v.name, v.description, v.extra, v.twin, v.live"


class SurfaceNode(NamedTuple):
    """A node as its assertions make it, merged or not. ``key_id``: the id that its identity key would make."""

    nid: int
    id: str
    state: NodeState
    key_id: str
    live: bool


class Quality(Enum):
    """What a node may have by its visible edges."""

    TIED = (
        "SELECT v.id FROM edge e JOIN node v ON v.nid = e.dst JOIN node s ON s.nid = e.src "
        "WHERE e.visible = 1 AND e.predicate = 'SUPPORTS' AND s.type = 'Source' AND v.id IN ({0}) "
        "UNION SELECT v.id FROM edge e JOIN node v ON v.nid = e.src JOIN node s ON s.nid = e.dst "
        "WHERE e.visible = 1 AND e.predicate = 'DERIVED_FROM' AND s.type = 'Source' AND v.type = 'Claim' AND v.id IN ({0})"
    )
    """A claim that a Source supports, or that is derived from one."""
    PRODUCED = (
        "SELECT v.id FROM edge e JOIN node v ON v.nid = e.dst JOIN node s ON s.nid = e.src "
        "WHERE e.visible = 1 AND e.predicate = 'PRODUCED' AND s.type = 'AgentRun' AND v.id IN ({0})"
    )
    """What an AgentRun produced."""
    MENTIONING = (
        "SELECT v.id FROM node v WHERE v.id IN ({0}) AND EXISTS "
        "(SELECT 1 FROM edge e WHERE e.src = v.nid AND e.predicate = 'MENTIONS' AND e.visible = 1)"
    )
    """What mentions anything."""
    TOUCHED = (
        "SELECT v.id FROM node v WHERE v.id IN ({0}) AND (EXISTS (SELECT 1 FROM edge e WHERE e.src = v.nid AND e.visible = 1) "
        "OR EXISTS (SELECT 1 FROM edge e WHERE e.dst = v.nid AND e.visible = 1))"
    )
    """What has an edge."""


def by_ids(reader: Reader, ids: Sequence[str]) -> list[SurfaceNode]:
    """Nodes of these ids, live or not."""
    query = f"SELECT {_COLUMNS} FROM node v WHERE v.type <> '' AND v.id IN ({{0}})"
    return [_node(row) for row in _rows(reader, query, ids)]


def by_key_ids(reader: Reader, key_ids: Sequence[str]) -> list[SurfaceNode]:
    """Live nodes whose identity key makes one of these ids."""
    wanted = set(key_ids)
    found = {}
    for column in ("id", "twin"):
        query = f"SELECT {_COLUMNS} FROM node v WHERE v.live > 0 AND v.{column} IN ({{0}})"
        for row in _rows(reader, query, key_ids):
            node = _node(row)
            if node.key_id in wanted:
                found[node.nid] = node
    return list(found.values())


def by_names(reader: Reader, folded: Sequence[str]) -> dict[str, list[SurfaceNode]]:
    """Live nodes by a folded name or other spelling."""
    keys = {rows.name_key(text): text for text in folded}
    found: dict[str, dict[int, SurfaceNode]] = {}
    query = f"SELECT n.key, {_COLUMNS} FROM name n JOIN node v ON v.nid = n.nid WHERE n.kind < 2 AND v.live > 0 AND n.key IN ({{0}})"
    for key, *row in _rows(reader, query, list(keys)):
        found.setdefault(keys[key], {})[row[0]] = _node(row)
    return {text: [held[nid] for nid in sorted(held)] for text, held in found.items()}


def having(reader: Reader, quality: Quality, ids: Sequence[str]) -> set[str]:
    """Those of some ids that have a quality."""
    return {row[0] for row in _rows(reader, quality.value, ids)}


def carried_by(reader: Reader, source: str) -> set[str]:
    """The claims that a Source supports."""
    query = (
        "SELECT c.id FROM edge e JOIN node c ON c.nid = e.dst JOIN node s ON s.nid = e.src "
        "WHERE e.visible = 1 AND e.predicate = 'SUPPORTS' AND c.type = 'Claim' AND s.id IN ({0})"
    )
    return {row[0] for row in _rows(reader, query, [source])}


def _rows(reader: Reader, query: str, keys: Sequence[str]) -> Iterable[Sequence[Any]]:
    if is_empty(reader):
        return
    times = query.count("{0}")
    for some in batches(list(keys)):
        yield from reader.db.execute(query.format(marks(some)), list(some) * times).fetchall()


def _node(row: Sequence[Any]) -> SurfaceNode:
    nid, name_id, kind, name, description, extra, twin, live = row
    state = unpack(str(kind), str(name), str(description), str(extra))
    return SurfaceNode(nid, str(name_id), state, str(twin or name_id), bool(live))
