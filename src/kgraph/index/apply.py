"""Bring an index one transaction further: assertions in, states and counters up to date.

Everything is done in batches, so that a payload of a hundred thousand nodes costs a few statements a thousand and a small one a few in
all. What an event means is in ``rows``; how withdrawals and splits change what lives is in ``undo``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from kgraph.events import Event, Transaction
from kgraph.index import rows
from kgraph.index.rows import NodeState, Rank
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

BATCH = 400


class Extent(NamedTuple):
    """A stretch of bytes: of a line in the log, or of an assertion in its line."""

    start: int
    length: int


class Said(NamedTuple):
    """An assertion at its position in a line."""

    pos: int
    event: Event
    where: Extent


class NodeRow(NamedTuple):
    nid: int
    id: str
    state: NodeState
    live: int


class EdgeRow(NamedTuple):
    eid: int
    id: str
    predicate: str
    src: int
    dst: int
    rel: str
    live: int
    visible: int
    confidence: float | None
    status: int
    line: int
    start: int
    length: int


NODE_COLUMNS = "nid, id, type, name, description, extra, live"
EDGE_COLUMNS = (
    "eid, id, predicate, src, dst, rel, live, visible, confidence, status, line, start, length"
)


def pack(state: NodeState) -> str:
    """What a node's row keeps beside its columns."""
    if not (state.aliases or state.fields or state.attrs or state.inference):
        return f"{state.sayings}"
    return json.dumps(
        [state.sayings, state.aliases, state.fields, state.attrs, state.inference],
        ensure_ascii=False,
        separators=(",", ":"),
    )


def unpack(kind: str, name: str, description: str, extra: str) -> NodeState:
    value = json.loads(extra)
    if isinstance(value, int):
        return NodeState(kind, name, (), description, {}, {}, False, value)
    count, aliases, fields, attrs, inference = value
    return NodeState(kind, name, tuple(aliases), description, fields, attrs, inference, count)


def node_row(row: Sequence[Any]) -> NodeRow:
    nid, name_id, kind, name, description, extra, live = row
    return NodeRow(nid, name_id, unpack(kind, name, description, extra), live)


def batches(items: Sequence[Any], size: int = BATCH) -> Iterator[Sequence[Any]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]


def marks(items: Sequence[Any]) -> str:
    return ",".join("?" * len(items))


class Tables:
    """The statements that keep node, edge, name, full-text and counter rows together."""

    def __init__(self, db: sqlite3.Connection, words_of: Callable[[int, int, int], Event]) -> None:
        self.db = db
        self.words_of = words_of  # (line, first byte, length) -> the event there
        self.counts: dict[tuple[str, str], int] = {}
        self.moved: set[int] = set()  # nodes whose merges changed
        self.next_nid = self._next("node", "nid")
        self.next_eid = self._next("edge", "eid")
        self.next_seq = self._next("line", "seq")

    def _next(self, table: str, column: str) -> int:
        return int(
            self.db.execute(f"SELECT coalesce(max({column}), 0) + 1 FROM {table}").fetchone()[0]
        )

    def count(self, what: str, key: str, by: int) -> None:
        self.counts[what, key] = self.counts.get((what, key), 0) + by

    def nodes(self, ids: Sequence[str]) -> dict[str, NodeRow]:
        found = {}
        for some in batches(ids):
            for row in self.db.execute(
                f"SELECT {NODE_COLUMNS} FROM node WHERE id IN ({marks(some)})", some
            ):
                found[row[1]] = node_row(row)
        return found

    def nodes_by_nid(self, nids: Iterable[int]) -> list[NodeRow]:
        wanted = sorted(nids)
        return [
            node_row(row) for some in batches(wanted)
            for row in self.db.execute(f"SELECT {NODE_COLUMNS} FROM node WHERE nid IN ({marks(some)})", some)
        ]  # fmt: skip

    def edges(self, column: str, values: Iterable[Any]) -> list[EdgeRow]:
        wanted = sorted(values)
        return [
            EdgeRow(*row) for some in batches(wanted)
            for row in self.db.execute(f"SELECT {EDGE_COLUMNS} FROM edge WHERE {column} IN ({marks(some)})", some)
        ]  # fmt: skip

    # -- nodes ----------------------------------------------------------------------------------------------------------------------

    def insert_nodes(self, fresh: Sequence[tuple[int, str, NodeState, int]]) -> None:
        """New nodes: (nid, id, state, live assertions)."""
        node_rows, name_rows, texts = [], [], []
        types: dict[str, int] = {}
        for nid, name_id, state, live in fresh:
            folded = fold(state.name)
            twin = rows.identity_id(state, folded) if state.type else None
            other = None if twin == name_id else twin
            node_rows.append(
                (nid, name_id, state.type, state.name, state.description, pack(state), other, live)
            )
            name_rows.extend([(key, nid, kind) for key, kind in rows.name_rows(state, folded)])
            if live:
                texts.append((nid, state))
                types[state.type] = types.get(state.type, 0) + 1
        self.db.executemany("INSERT INTO node VALUES (?,?,?,?,?,?,?,?,NULL)", node_rows)
        self.db.executemany("INSERT OR IGNORE INTO name VALUES (?,?,?)", name_rows)
        self._index_texts(texts)
        for kind, count in types.items():
            self.count("type", kind, count)

    def update_node(self, old: NodeRow, state: NodeState, live: int) -> None:
        """A node's new state. ``live`` 0 keeps the row, so that its id and names stay known."""
        twin = rows.identity_id(state) if state.type else None
        self.db.execute(
            "UPDATE node SET type=?, name=?, description=?, extra=?, twin=?, live=? WHERE nid=?",
            (
                state.type,
                state.name,
                state.description,
                pack(state),
                None if twin == old.id else twin,
                live,
                old.nid,
            ),
        )
        before, after = set(rows.name_rows(old.state)), set(rows.name_rows(state))
        if before != after:
            self.db.executemany(
                "DELETE FROM name WHERE key=? AND nid=? AND kind=?",
                [(key, old.nid, kind) for key, kind in before - after],
            )
            self.db.executemany(
                "INSERT OR IGNORE INTO name VALUES (?,?,?)",
                [(key, old.nid, kind) for key, kind in after - before],
            )
        if old.live and (not live or _text(old.state) != _text(state)):
            self._forget_texts([(old.nid, old.state)])
        if live and (not old.live or _text(old.state) != _text(state)):
            self._index_texts([(old.nid, state)])
        if bool(old.live) != bool(live) or old.state.type != state.type:
            if old.live:
                self.count("type", old.state.type, -1)
            if live:
                self.count("type", state.type, 1)
        if bool(old.live) != bool(live):
            self._show_edges_of(old.nid)

    def _show_edges_of(self, nid: int) -> None:
        """A node came or went: its edges are seen or hidden with it."""
        query = (
            "SELECT e.eid, e.predicate, e.src, e.dst, e.visible, e.live > 0 AND s.live > 0 AND d.live > 0 FROM edge e "
            "JOIN node s ON s.nid = e.src JOIN node d ON d.nid = e.dst WHERE e.src = ?1 OR e.dst = ?1"
        )
        for eid, predicate, src, dst, visible, now in self.db.execute(query, (nid,)).fetchall():
            if visible != now:
                self.db.execute("UPDATE edge SET visible=? WHERE eid=?", (now, eid))
                self._seen(predicate, src, dst, 1 if now else -1)

    def _seen(self, predicate: str, src: int, dst: int, by: int) -> None:
        self.count("predicate", predicate, by)
        if predicate == "RESOLVED_TO":
            self.moved.update((src, dst))

    def _index_texts(self, texts: Sequence[tuple[int, NodeState]]) -> None:
        self.db.executemany(
            "INSERT INTO words(rowid, name, aliases, description) VALUES (?,?,?,?)",
            [(nid, *_words(state)) for nid, state in texts],
        )

    def _forget_texts(self, texts: Sequence[tuple[int, NodeState]]) -> None:
        self.db.executemany(
            "INSERT INTO words(words, rowid, name, aliases, description) VALUES ('delete',?,?,?,?)",
            [(nid, *_words(state)) for nid, state in texts],
        )

    # -- edges ----------------------------------------------------------------------------------------------------------------------

    def insert_edges(self, fresh: Sequence[EdgeRow]) -> None:
        self.db.executemany("INSERT INTO edge VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", fresh)
        for row in fresh:
            if row.visible:
                self._seen(row.predicate, row.src, row.dst, 1)

    def update_edge(self, old: EdgeRow, new: EdgeRow) -> None:
        self.db.execute(
            "UPDATE edge SET live=?, visible=?, confidence=?, status=?, line=?, start=?, length=? WHERE eid=?",
            (
                new.live,
                new.visible,
                new.confidence,
                new.status,
                new.line,
                new.start,
                new.length,
                old.eid,
            ),
        )
        if bool(old.visible) != bool(new.visible):
            self._seen(new.predicate, new.src, new.dst, 1 if new.visible else -1)

    def flush_counts(self) -> None:
        for (what, key), by in self.counts.items():
            if by:
                self.db.execute(
                    "INSERT INTO counter VALUES (?,?,?) ON CONFLICT(what, key) DO UPDATE SET n = n + excluded.n",
                    (what, key, by),
                )
        self.counts.clear()


def _text(state: NodeState) -> tuple[str, tuple[str, ...], str]:
    return state.name, state.aliases, state.description


def _words(state: NodeState) -> tuple[str, str, str]:
    return (
        rows.search_text(state.name),
        rows.search_text(" \u2028 ".join(state.aliases)) if state.aliases else "",
        rows.search_text(state.description) if state.description else "",
    )


def assert_nodes(tables: Tables, seq: int, said: Sequence[Said]) -> dict[str, int]:
    """Node assertions of one transaction: (position, event, (first byte, length)). The numbers of all these nodes, which live now."""
    ids = {event["id"] for _, event, _ in said}
    known = tables.nodes(sorted(ids)) if tables.next_nid > 1 else {}
    states: dict[str, NodeState | None] = {
        name: row.state if row.live else None for name, row in known.items()
    }
    nids: dict[str, int] = {name: row.nid for name, row in known.items()}
    counts: dict[str, int] = {name: row.live for name, row in known.items()}
    next_nid = tables.next_nid
    fresh: list[str] = []
    said_rows = []
    absorb = rows.absorb
    for pos, event, (start, length) in said:
        name = event["id"]
        nid = nids.get(name)
        if nid is None:
            nid = nids[name] = next_nid
            next_nid += 1
            fresh.append(name)
            states[name] = absorb(None, event)
            counts[name] = 1
        else:
            states[name] = absorb(states[name], event)
            counts[name] += 1
        said_rows.append(
            (seq, pos, nid, 1 if "implied" in event else 0, event.get("run_id"), start, length)
        )
    tables.next_nid = next_nid
    tables.db.executemany("INSERT INTO node_said VALUES (?,?,?,?,?,?,?,0)", said_rows)
    tables.insert_nodes(
        [
            (nids[name], name, state, counts[name])
            for name in fresh
            if (state := states[name]) is not None
        ]
    )
    for name, row in known.items():
        state = states[name]
        if state is not None:
            tables.update_node(row, state, counts[name])
    return nids


def assert_edges(tables: Tables, seq: int, said: Sequence[Said], alive: dict[str, int]) -> None:
    """Edge assertions of one transaction. ``alive``: the numbers of nodes that are known to live."""
    ends = {
        end for _, event, _ in said for end in (event["source"], event["target"])
    } - alive.keys()
    others, dead = ends_of(tables, sorted(ends)) if ends else ({}, set())
    nids = {**alive, **others} if others else alive
    known = (
        {row.id: row for row in tables.edges("id", {event["id"] for _, event, _ in said})}
        if tables.next_eid > 1
        else {}
    )
    now: dict[str, EdgeRow] = dict(known)
    said_rows = []
    for pos, event, (start, length) in said:
        name = event["id"]
        confidence, status = event.get("confidence"), rows.status_of(event)
        row = now.get(name)
        if row is None:
            src, dst = nids[event["source"]], nids[event["target"]]
            visible = 0 if dead and (src in dead or dst in dead) else 1
            row = now[name] = EdgeRow(
                tables.next_eid, name, event["predicate"], src, dst, event.get("rel") or "", 1, visible, confidence, status,
                seq, start, length,
            )  # fmt: skip
            tables.next_eid += 1
        else:
            now[name] = row = _said_again(
                row, Rank(status, confidence, seq, pos), Extent(start, length), dead
            )
        said_rows.append(
            (seq, pos, row.eid, event.get("run_id"), confidence, status, start, length)
        )
    tables.db.executemany("INSERT INTO edge_said VALUES (?,?,?,?,?,?,?,?,0)", said_rows)
    tables.insert_edges(
        [row for name, row in now.items() if name not in known] if known else list(now.values())
    )
    for name, old in known.items():
        tables.update_edge(old, now[name])


def _said_again(row: EdgeRow, said: Rank, where: Extent, dead: set[int]) -> EdgeRow:
    """An edge after one more assertion, which is shown if it is better evidenced than the one that was."""
    shown = not row.live or rows.better(said, Rank(row.status, row.confidence, row.line, -1))
    row = row._replace(live=row.live + 1, visible=0 if row.src in dead or row.dst in dead else 1)
    if shown:
        row = row._replace(
            status=said.status,
            confidence=said.confidence,
            line=said.line,
            start=where.start,
            length=where.length,
        )
    return row


def ends_of(tables: Tables, ids: Sequence[str]) -> tuple[dict[str, int], set[int]]:
    """The numbers of an edge's ends, and which of them don't live. An end that was never asserted gets a row that doesn't live."""
    nids: dict[str, int] = {}
    dead: set[int] = set()
    for some in batches(ids):
        for nid, name, live in tables.db.execute(
            f"SELECT nid, id, live FROM node WHERE id IN ({marks(some)})", some
        ):
            nids[name] = nid
            if not live:
                dead.add(nid)
    for name in ids:
        if name not in nids:
            nids[name] = tables.next_nid
            tables.next_nid += 1
            dead.add(nids[name])
            tables.insert_nodes(
                [(nids[name], name, NodeState("", name, (), "", {}, {}, False, 0), 0)]
            )
    return nids, dead


def apply(tables: Tables, transaction: Transaction, extent: Extent) -> int:
    """Add one transaction that lies there in the log; its number in the index. The caller commits."""
    from kgraph.index import undo

    seq = tables.next_seq
    tables.next_seq += 1
    nodes: list[Said] = []
    edges: list[Said] = []
    others: list[Said] = []
    for pos, (event, where) in enumerate(zip(transaction.events, transaction.offsets, strict=True)):
        kind = event.get("kind")
        (nodes if kind == "node" else edges if kind == "edge" else others).append(
            Said(pos, event, Extent(*where))
        )
    tables.db.execute(
        "INSERT INTO line VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,0)",
        (seq, transaction.id, extent.start, extent.length, transaction.ts, transaction.op, transaction.run_id, transaction.agent, transaction.unit,
         transaction.reason, len(nodes), len(edges), len(others), str(transaction.meta.get("payload") or "")),
    )  # fmt: skip
    tables.db.executemany(
        "INSERT OR IGNORE INTO parent VALUES (?,?)",
        [(transaction.id, parent) for parent in transaction.after],
    )
    alive = assert_nodes(tables, seq, nodes) if nodes else {}
    if edges:
        assert_edges(tables, seq, edges, alive)
    if others:
        undo.apply_others(tables, seq, others)
    if tables.moved:
        undo.follow_merges(tables)
    tables.flush_counts()
    return seq
