"""The graph as the contract's checks see it: surface nodes, live ties, whole batches at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from kgraph.contract.view import Held
from kgraph.index import rows
from kgraph.index.apply import batches, marks, unpack
from kgraph.index.read import Reader

COLUMNS = "v.nid, v.id, v.type, v.name, v.description, v.extra, v.twin, v.live"

TIED = (
    "SELECT v.id FROM edge e JOIN node v ON v.nid = e.dst JOIN node s ON s.nid = e.src "
    "WHERE e.visible = 1 AND e.predicate = 'SUPPORTS' AND s.type = 'Source' AND v.id IN ({0}) "
    "UNION SELECT v.id FROM edge e JOIN node v ON v.nid = e.src JOIN node s ON s.nid = e.dst "
    "WHERE e.visible = 1 AND e.predicate = 'DERIVED_FROM' AND s.type = 'Source' AND v.type = 'Claim' AND v.id IN ({0})"
)
PRODUCED = (
    "SELECT v.id FROM edge e JOIN node v ON v.nid = e.dst JOIN node s ON s.nid = e.src "
    "WHERE e.visible = 1 AND e.predicate = 'PRODUCED' AND s.type = 'AgentRun' AND v.id IN ({0})"
)
MENTIONING = (
    "SELECT v.id FROM node v WHERE v.id IN ({0}) AND EXISTS "
    "(SELECT 1 FROM edge e WHERE e.src = v.nid AND e.predicate = 'MENTIONS' AND e.visible = 1)"
)
CARRIED = (
    "SELECT c.id FROM edge e JOIN node c ON c.nid = e.dst JOIN node s ON s.nid = e.src "
    "WHERE e.visible = 1 AND e.predicate = 'SUPPORTS' AND c.type = 'Claim' AND s.id IN ({0})"
)
TOUCHED = (
    "SELECT v.id FROM node v WHERE v.id IN ({0}) AND (EXISTS (SELECT 1 FROM edge e WHERE e.src = v.nid AND e.visible = 1) "
    "OR EXISTS (SELECT 1 FROM edge e WHERE e.dst = v.nid AND e.visible = 1))"
)


class IndexView:
    """Answers from an index. An index without nodes is never asked."""

    def __init__(self, reader: Reader) -> None:
        self._db: sqlite3.Connection = reader.db
        self._empty = self._db.execute("SELECT 1 FROM node LIMIT 1").fetchone() is None

    def by_ids(self, ids: Sequence[str]) -> dict[str, Held]:
        return {
            row[1]: _held(row)
            for row in self._rows(
                f"SELECT {COLUMNS} FROM node v WHERE v.type <> '' AND v.id IN ({{0}})", ids
            )
        }

    def by_key_ids(self, key_ids: Sequence[str]) -> dict[str, list[Held]]:
        found: dict[str, list[Held]] = {}
        query = f"SELECT {COLUMNS} FROM node v WHERE v.live > 0 AND v.{{column}} IN ({{{{0}}}})"
        for column in ("id", "twin"):
            for row in self._rows(query.format(column=column), key_ids):
                held = _held(row)
                if held.key_id in (row[1], row[6]):
                    found.setdefault(held.key_id, []).append(held)
        wanted = set(key_ids)
        return {key: held for key, held in found.items() if key in wanted}

    def by_names(self, folded: Sequence[str]) -> dict[str, list[Held]]:
        keys = {rows.name_key(text): text for text in folded}
        found: dict[str, dict[int, Held]] = {}
        query = f"SELECT n.key, {COLUMNS} FROM name n JOIN node v ON v.nid = n.nid WHERE n.kind < 2 AND v.live > 0 AND n.key IN ({{0}})"
        for key, *row in self._rows(query, list(keys)):
            found.setdefault(keys[key], {})[row[0]] = _held(row)
        return {text: [held[nid] for nid in sorted(held)] for text, held in found.items()}

    def tied_claims(self, ids: Sequence[str]) -> set[str]:
        return {row[0] for row in self._rows(TIED, ids)}

    def produced(self, ids: Sequence[str]) -> set[str]:
        return {row[0] for row in self._rows(PRODUCED, ids)}

    def mentioning(self, ids: Sequence[str]) -> set[str]:
        return {row[0] for row in self._rows(MENTIONING, ids)}

    def carried_by(self, source: str) -> set[str]:
        return {row[0] for row in self._rows(CARRIED, [source])}

    def has_edges(self, ids: Sequence[str]) -> set[str]:
        return {row[0] for row in self._rows(TOUCHED, ids)}

    def _rows(self, query: str, keys: Sequence[str]) -> list[Sequence[Any]]:
        if self._empty:
            return []
        times = query.count("{0}")
        return [
            row
            for some in batches(list(keys))
            for row in self._db.execute(query.format(marks(some)), list(some) * times)
        ]


def _held(row: Sequence[Any]) -> Held:
    _, name_id, kind, name, description, extra, twin, live = row
    state = unpack(str(kind), str(name), str(description), str(extra))
    fields = state.fields
    return Held(
        str(name_id), state.type, state.name, state.aliases, state.description,
        str(fields.get("uri", "")), str(fields.get("qualifier", "")),
        bool(live), str(twin or name_id), fields.get("version"), str(fields.get("rubric", "")), state.inference, 0,
    )  # fmt: skip
