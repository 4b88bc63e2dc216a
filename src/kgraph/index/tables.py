"""The graph as tables that people may query: views with documented columns over the index, read-only, bounded in time.

Merged nodes are shown as their canonical one, edges between canonical nodes; what was withdrawn is not shown.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from typing import Any

from kgraph.errors import UsageError
from kgraph.index.read import Reader
from kgraph.index.rows import STATUSES
from kgraph.tuples import NamedTuple

STEPS = 20_000  # of SQLite's machine between two looks at the clock


READING = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE, sqlite3.SQLITE_FUNCTION)


class Table(NamedTuple):
    """``columns``: name → what it holds."""

    about: str
    columns: dict[str, str]
    select: str


class Rows(NamedTuple):
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    truncated: bool  # there are more than were asked for


_FIELD = "CASE WHEN json_type(n.extra) = 'array' THEN json_extract(n.extra, '$[2].{0}') END"
_CANON = "CASE WHEN {0}.canon IS NULL THEN {0}.nid ELSE {0}.canon END"
_MEMBERS = "(SELECT n.nid UNION ALL SELECT m.nid FROM node m WHERE m.canon = n.nid AND m.live > 0)"
_FROM_SOURCES = (
    "(SELECT COUNT(DISTINCT s.nid) FROM edge e JOIN node s ON s.nid = CASE WHEN e.predicate = 'SUPPORTS' THEN e.src ELSE e.dst END "
    f"WHERE e.visible = 1 AND s.type = 'Source' AND ((e.predicate = 'SUPPORTS' AND e.dst IN {_MEMBERS}) "
    f"OR (e.predicate = 'DERIVED_FROM' AND e.src IN {_MEMBERS})))"
)


def _entered(predicate: str) -> str:
    return f"(SELECT COUNT(*) FROM edge e WHERE e.visible = 1 AND e.predicate = '{predicate}' AND e.dst IN {_MEMBERS})"


_NODE = {
    "id": "its id",
    "type": "Entity, Claim, Source …",
    "name": "what it is called; a Claim's is its sentence",
    "description": "",
    "aliases": "other spellings, a JSON list",
    "kind": "what kind of thing or statement it is",
    "event_time": "when what it tells of happened",
    "valid_from": "since when it is true of the world",
    "valid_to": "until when, not included",
    "uri": "a Source's file or address",
    "qualifier": "what makes it another node than its namesake",
    "inference": "1 for a Claim that was reasoned, not read",
}
_NODE_SELECT = (
    "n.id AS id, n.type AS type, n.name AS name, n.description AS description, "
    "CASE WHEN json_type(n.extra) = 'array' THEN json_extract(n.extra, '$[1]') ELSE '[]' END AS aliases, "
    + ", ".join(
        f"{_FIELD.format(key)} AS {key}"
        for key in ("kind", "event_time", "valid_from", "valid_to", "uri", "qualifier")
    )
    + ", CASE WHEN json_type(n.extra) = 'array' AND json_extract(n.extra, '$[4]') THEN 1 ELSE 0 END AS inference"
)
_SHOWN = "n.live > 0 AND n.canon IS NULL"
_EDGES = (
    f"edge e JOIN node a0 ON a0.nid = e.src JOIN node a ON a.nid = {_CANON.format('a0')} "
    f"JOIN node b0 ON b0.nid = e.dst JOIN node b ON b.nid = {_CANON.format('b0')} JOIN line l ON l.seq = e.line "
    "WHERE e.visible = 1 AND e.predicate <> 'RESOLVED_TO'"
)

TABLES: dict[str, Table] = {
    "nodes": Table(
        "everything that the graph has a name for", _NODE, f"SELECT {_NODE_SELECT} FROM node n WHERE {_SHOWN}"
    ),
    "claims": Table(
        "statements, with what speaks for and against them",
        {
            **{key: what for key, what in _NODE.items() if key not in ("type", "uri")},
            "sources": "how many Sources support it",
            "contradicted": "how many statements contradict it",
            "superseded": "how many newer statements replace it",
        },
        f"SELECT {_NODE_SELECT}, {_FROM_SOURCES} AS sources, {_entered('CONTRADICTS')} AS contradicted, "
        f"{_entered('SUPERSEDES')} AS superseded FROM node n WHERE n.type = 'Claim' AND {_SHOWN}",
    ),
    "edges": Table(
        "relations between two nodes, each with its best evidence",
        {
            "id": "its id", "predicate": "MENTIONS, SUPPORTS, DEPENDS_ON …",
            "source": "the name of the node where it begins", "source_type": "", "source_id": "",
            "target": "the name of the node where it ends", "target_type": "", "target_id": "",
            "kind": "what tells it from another edge of the predicate", "role": "the part that what a MENTIONS names plays",
            "confidence": "0 to 1", "status": "of its evidence: verified, moved, located, unchecked, none, ambiguous, missing, stale",
            "source_doc": "where it stands: uri#anchor", "quote": "the words", "run": "who wrote it", "at": "when it was written",
        },
        "SELECT e.id AS id, e.predicate AS predicate, a.name AS source, a.type AS source_type, a.id AS source_id, b.name AS target, "
        "b.type AS target_type, b.id AS target_id, e.rel AS kind, said(e.line, e.start, e.length, 'role') AS role, "
        "e.confidence AS confidence, status_name(e.status) AS status, said(e.line, e.start, e.length, 'source_doc') AS source_doc, "
        f"said(e.line, e.start, e.length, 'quote') AS quote, l.run AS run, l.ts AS at FROM {_EDGES}",
    ),
    "sources": Table(
        "files and addresses that were read",
        {"id": "its id", "name": "", "uri": "", "statements": "how many relations begin or end there"},
        f"SELECT n.id AS id, n.name AS name, {_FIELD.format('uri')} AS uri, (SELECT COUNT(*) FROM edge e WHERE e.visible = 1 AND "
        f"(e.src = n.nid OR e.dst = n.nid)) AS statements FROM node n WHERE n.type = 'Source' AND {_SHOWN}",
    ),
    "transactions": Table(
        "the lines of the log that count",
        {"tx": "its id", "at": "when", "op": "what was done", "run": "", "agent": "", "unit": "", "reason": "",
         "nodes": "assertions of nodes in it", "edges": "assertions of edges in it"},
        "SELECT id AS tx, ts AS at, op AS op, run AS run, agent AS agent, unit AS unit, reason AS reason, nodes AS nodes, edges AS edges "
        "FROM line WHERE gone <= 0",
    ),
}  # fmt: skip


class _Guard:
    """SQLite asks it before each access: reading the views, and what they read (a join or a count names no
    column); functions; nothing else."""

    def __init__(self) -> None:
        self.trusted = False

    def __call__(self, action: int, first: Any, second: Any, database: Any, view: Any) -> int:
        del database
        if self.trusted or action in READING:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_READ and (first in TABLES or view in TABLES or not second):
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY


def select(
    reader: Reader, sql: str, values: Sequence[Any] = (), limit: int = 0, seconds: float = 30.0
) -> Rows:
    """The rows of one SELECT over ``TABLES``; ``limit`` 0 for all. Raises UsageError for anything else than reading them, and for a
    query that takes longer than ``seconds``."""
    db = reader.db
    guard = _Guard()
    _offer(reader, db, guard)
    late = time.monotonic() + seconds
    db.set_progress_handler(lambda: int(time.monotonic() > late), STEPS)
    db.set_authorizer(guard)
    try:
        cursor = db.execute(sql, values)
        if cursor.description is None:
            raise UsageError(
                "that is no query", "write a SELECT; kgraph sql --schema shows the tables"
            )
        rows = cursor.fetchmany(limit + 1) if limit else cursor.fetchall()
        columns = tuple(column[0] for column in cursor.description)
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise _refusal(error, seconds) from None
    finally:
        db.set_authorizer(None)
        db.set_progress_handler(None, 0)
    return Rows(columns, rows[:limit] if limit else rows, bool(limit) and len(rows) > limit)


def _refusal(error: Exception, seconds: float) -> UsageError:
    said = str(error)
    if said == "interrupted":
        return UsageError(
            f"the query took longer than {seconds:g} seconds", "narrow it, or give more --seconds"
        )
    if "not authorized" in said or "prohibited" in said or "one statement" in said:
        return UsageError(
            f"only one SELECT over the documented tables is allowed ({said})",
            "kgraph sql --schema shows them",
        )
    return UsageError(f"SQLite: {said}", "kgraph sql --schema shows the tables and their columns")


def _offer(reader: Reader, db: sqlite3.Connection, guard: _Guard) -> None:
    """Make the views, as temporary ones of this connection, and the functions that they use."""
    events: dict[tuple[int, int], dict[str, Any]] = {}

    def said(line: int, start: int, length: int, key: str) -> Any:
        if not length:
            return None
        if (line, start) not in events:
            events.clear()  # one row's columns are asked for together
            guard.trusted = True  # the look-up of a line is ours, not the query's
            try:
                events[line, start] = reader.index.event_at(line, start, length)
            finally:
                guard.trusted = False
        value = events[line, start].get(key)
        return json.dumps(value) if isinstance(value, dict | list) else value

    db.create_function("said", 4, said)
    db.create_function("status_name", 1, lambda number: STATUSES[number], deterministic=True)
    for name, table in TABLES.items():
        db.execute(f"CREATE TEMP VIEW IF NOT EXISTS {name} AS {table.select}")
