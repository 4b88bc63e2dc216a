"""What can be asked of an index: nodes and edges as they are now, names, words, merges, and who said what."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.events import Event
from kgraph.index import rows
from kgraph.index.apply import batches, marks, unpack
from kgraph.index.rows import STATUSES
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.index.sqlite import SqliteIndex

HUB = 1000  # a degree is counted up to here
NEARBY = 4000  # indexed words that are looked at for a near miss
IDENTITY = "entity identity"  # rubric of a judgement that two nodes are one thing, or are not
ALIKE = 0.5  # the share of letter pairs from which two words are near


class NodeView(NamedTuple):
    """A node as its live assertions make it. ``nid`` is a number of this index only; ``canon`` the canonical node's, itself if none."""

    nid: int
    id: str
    type: str
    name: str
    description: str
    aliases: tuple[str, ...]
    fields: dict[str, Any]  # the keys of rows.OWN_FIELDS
    attrs: dict[str, Any]
    inference: bool
    assertions: int
    live: bool
    canon: int


class Hop(NamedTuple):
    """An edge as the adjacency knows it: cheap to get by the thousand. ``forward`` tells whether ``here`` is its source."""

    eid: int
    predicate: str
    here: int
    there: int
    forward: bool
    confidence: float | None
    status: str


class EdgeView(NamedTuple):
    """An edge with the words of its best live assertion."""

    eid: int
    id: str
    predicate: str
    src: int
    dst: int
    kind: str
    source_doc: str
    quote: str
    confidence: float | None
    status: str  # of its evidence; 'none' where there is neither quote nor anchor
    evidence: dict[str, Any] | None
    attrs: dict[str, Any]
    valid_from: str
    valid_to: str
    run_id: str
    tx: str
    ts: str
    assertions: int
    role: str = ""  # of what a MENTIONS names


class Said(NamedTuple):
    """One assertion, as it stands in the log."""

    tx: str
    pos: int
    ts: str
    run_id: str
    op: str
    event: Event
    live: bool


class Reader:
    """Questions to one index, as it was when it was opened."""

    def __init__(self, index: SqliteIndex) -> None:
        self.index = index
        self.db: sqlite3.Connection = index.db

    # -- nodes ----------------------------------------------------------------------------------------------------------------------

    def nodes(self, nids: Iterable[int]) -> dict[int, NodeView]:
        found: dict[int, NodeView] = {}
        for some in batches(list(dict.fromkeys(nids))):
            query = f"SELECT nid, id, type, name, description, extra, live, canon FROM node WHERE nid IN ({marks(some)})"
            for row in self.db.execute(query, some):
                found[row[0]] = node_view(row)
        return found

    def node(self, nid: int) -> NodeView:
        return self.nodes([nid])[nid]

    def judgements(self, nids: Iterable[int]) -> set[int]:
        """Those that judge whether two nodes are one thing: of the graph's own bookkeeping, not of the world."""
        found = set()
        for some in batches(list(dict.fromkeys(nids))):
            columns = "nid, id, type, name, description, extra, live, canon"
            rows_of = self.db.execute(
                f"SELECT {columns} FROM node WHERE type='Evaluation' AND nid IN ({marks(some)})",
                some,
            )
            found |= {row[0] for row in rows_of if node_view(row).fields.get("rubric") == IDENTITY}
        return found

    def nids(self, ids: Sequence[str]) -> dict[str, int]:
        """Live and dead nodes of these ids."""
        return {
            row[0]: row[1] for some in batches(list(ids))
            for row in self.db.execute(f"SELECT id, nid FROM node WHERE id IN ({marks(some)})", some)
        }  # fmt: skip

    def ids(self, nids: Iterable[int]) -> dict[int, str]:
        return {
            row[0]: row[1] for some in batches(list(dict.fromkeys(nids)))
            for row in self.db.execute(f"SELECT nid, id FROM node WHERE nid IN ({marks(some)})", some)
        }  # fmt: skip

    def named(self, texts: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
        """For each folded text, who answers to it: (nid, kind), kind 0 shown name, 1 other spelling, 2 uri. Live nodes only."""
        keys = {rows.name_key(text): text for text in texts}
        found: dict[str, list[tuple[int, int]]] = {text: [] for text in keys.values()}
        for some in batches(list(keys)):
            query = f"SELECT n.key, n.nid, n.kind FROM name n JOIN node v ON v.nid = n.nid WHERE n.key IN ({marks(some)}) AND v.live > 0"
            for key, nid, kind in self.db.execute(query + " ORDER BY n.nid, n.kind", some):
                found[keys[key]].append((nid, kind))
        return found

    def look_up(self, reference: str, kind: str = "", dead: bool = False) -> list[NodeView]:
        """The nodes that a reference names: by id, else exact name, folded name, alias, uri; the first step with a match decides."""
        live = "" if dead else " AND v.live > 0"
        row = self.db.execute(
            f"SELECT v.nid FROM node v WHERE v.id=? AND v.type <> ''{live}", (reference,)
        ).fetchone()
        if row:
            found = self.node(row[0])
            return [found] if not kind or found.type == kind else []
        folded = fold(reference)
        query = f"SELECT n.nid, n.kind FROM name n JOIN node v ON v.nid = n.nid WHERE n.key=? AND v.type <> ''{live}"
        hits = self.db.execute(query, (rows.name_key(folded),)).fetchall()
        views = self.nodes(hit[0] for hit in hits)
        if kind:
            views = {nid: view for nid, view in views.items() if view.type == kind}
        by_kind = [
            [views[nid] for nid, number in sorted(hits) if number == step and nid in views]
            for step in (0, 1, 2)
        ]
        exact = [view for view in by_kind[0] if view.name == reference]
        for step in (exact, by_kind[0], by_kind[1], by_kind[2]):
            if step:
                return step
        return []

    def every_node(self, kind: str = "") -> Iterator[NodeView]:
        """All live nodes, in the order in which the index met them."""
        query = (
            "SELECT nid, id, type, name, description, extra, live, canon FROM node WHERE live > 0"
        )
        cursor = self.db.execute(
            query + (" AND type=?" if kind else "") + " ORDER BY nid", (kind,) if kind else ()
        )
        return map(node_view, cursor)

    # -- edges ----------------------------------------------------------------------------------------------------------------------

    def hops(self, nid: int, predicates: Sequence[str] = (), limit: int = 0) -> list[Hop]:
        """The visible edges at a node, at most ``limit`` each way (0: all), best evidenced first where the limit cuts."""
        found = []
        chosen = f" AND predicate IN ({marks(predicates)})" if predicates else ""
        cut = f" ORDER BY status, -coalesce(confidence, 0), eid LIMIT {int(limit)}" if limit else ""
        for here, there, forward in (("src", "dst", True), ("dst", "src", False)):
            query = f"SELECT eid, predicate, {there}, confidence, status FROM edge WHERE {here}=? AND visible=1{chosen}{cut}"
            for eid, predicate, other, confidence, status in self.db.execute(
                query, (nid, *predicates)
            ):
                found.append(Hop(eid, predicate, nid, other, forward, confidence, STATUSES[status]))
        return found

    def degree(self, nid: int, limit: int = HUB) -> int:
        """How many visible edges a node has, counted up to a limit each way."""
        query = "SELECT count(*) FROM (SELECT 1 FROM edge WHERE {}=? AND visible=1 LIMIT ?)"
        return sum(
            int(self.db.execute(query.format(end), (nid, limit)).fetchone()[0])
            for end in ("src", "dst")
        )

    def inner(self, nids: Sequence[int]) -> int:
        """How many visible edges have both ends among some nodes."""
        if len(nids) < 2:
            return 0
        query = "SELECT count(*) FROM edge WHERE src=? AND visible=1 AND dst IN ({})"
        return sum(
            int(self.db.execute(query.format(marks(some)), (nid, *some)).fetchone()[0])
            for some in batches(list(nids))
            for nid in nids
        )

    def best_connected(self, limit: int, kind: str = "Entity") -> list[tuple[NodeView, int]]:
        """The nodes of a type that most edges end at, with their number. A pass over all edges."""
        query = "SELECT dst, count(*) AS n FROM edge WHERE visible=1 AND predicate <> 'RESOLVED_TO' GROUP BY dst ORDER BY n DESC, dst LIMIT ?"
        found = self.db.execute(query, (limit * 20,)).fetchall()
        views = self.nodes(row[0] for row in found)
        chosen = [(views[nid], n) for nid, n in found if views[nid].type == kind]
        return (chosen or [(views[nid], n) for nid, n in found])[:limit]

    def degrees(self, nids: Sequence[int], limit: int) -> dict[int, int]:
        """``degree`` of many nodes at once: {nid: edges, counted up to ``limit`` each way}."""
        counted = " + ".join(
            f"(SELECT count(*) FROM (SELECT 1 FROM edge WHERE {end} = n.nid AND visible = 1 LIMIT {int(limit)}))"
            for end in ("src", "dst")
        )
        return {
            row[0]: row[1] for some in batches(list(nids))
            for row in self.db.execute(f"SELECT n.nid, {counted} FROM node n WHERE n.nid IN ({marks(some)})", some)
        }  # fmt: skip

    def edges(self, eids: Iterable[int]) -> dict[int, EdgeView]:
        """Edges with their words, visible or not."""
        found: dict[int, EdgeView] = {}
        for some in batches(list(dict.fromkeys(eids))):
            query = (
                "SELECT e.eid, e.id, e.predicate, e.src, e.dst, e.rel, e.live, e.confidence, e.status, e.line, e.start, e.length, "
                f"l.id, l.ts, l.run FROM edge e LEFT JOIN line l ON l.seq = e.line WHERE e.eid IN ({marks(some)})"
            )
            for row in self.db.execute(query, some).fetchall():
                found[row[0]] = self._edge_view(row)
        return found

    def edge_ids(self, ids: Sequence[str]) -> dict[str, int]:
        return {
            row[0]: row[1] for some in batches(list(ids))
            for row in self.db.execute(f"SELECT id, eid FROM edge WHERE id IN ({marks(some)})", some)
        }  # fmt: skip

    def every_edge(self, predicate: str = "") -> Iterator[EdgeView]:
        """All visible edges with their words, in the order in which the index met them."""
        last = 0
        while True:
            query = (
                "SELECT eid FROM edge WHERE visible=1 AND eid > ?"
                + (" AND predicate=?" if predicate else "")
                + " ORDER BY eid LIMIT 1000"
            )
            eids = [
                row[0]
                for row in self.db.execute(query, (last, predicate) if predicate else (last,))
            ]
            if not eids:
                return
            views = self.edges(eids)
            yield from (views[eid] for eid in eids)
            last = eids[-1]

    def _edge_view(self, row: Sequence[Any]) -> EdgeView:
        (
            eid,
            name,
            predicate,
            src,
            dst,
            rel,
            live,
            confidence,
            status,
            line,
            start,
            length,
            tx,
            ts,
            run,
        ) = row
        event = self.index.event_at(line, start, length) if length else {}
        evidence = event.get("evidence")
        source_doc = event.get("source_doc", "")
        later = self._finding(line, start) if length else None
        if later is not None:
            evidence = later.get("evidence") or evidence
            source_doc = later.get("source_doc") or source_doc
        return EdgeView(
            eid, name, predicate, src, dst, rel, source_doc, event.get("quote", ""), confidence, STATUSES[status], evidence,
            event.get("attrs") or {}, event.get("valid_from", ""), event.get("valid_to", ""), event.get("run_id") or run or "", tx or "",
            ts or "", live, event.get("role", ""),
        )  # fmt: skip

    def _finding(self, line: int, start: int) -> Event | None:
        query = (
            "SELECT f.by_line, f.start, f.length FROM finding f JOIN edge_said s ON s.line = f.line AND s.pos = f.pos "
            "WHERE f.line=? AND s.start=? AND f.gone<=0 ORDER BY f.by_line DESC, f.by_pos DESC LIMIT 1"
        )
        found = self.db.execute(query, (line, start)).fetchone()
        return self.index.event_at(*found) if found else None

    # -- merges ---------------------------------------------------------------------------------------------------------------------

    def canonical(self, nids: Iterable[int]) -> dict[int, int]:
        """Each node's canonical one."""
        return {
            row[0]: row[1] or row[0] for some in batches(list(dict.fromkeys(nids)))
            for row in self.db.execute(f"SELECT nid, canon FROM node WHERE nid IN ({marks(some)})", some)
        }  # fmt: skip

    def members(self, nid: int) -> list[int]:
        """The live nodes that were merged into a canonical one, itself first."""
        return [
            nid,
            *(
                row[0]
                for row in self.db.execute(
                    "SELECT nid FROM node WHERE canon=? AND live > 0 ORDER BY nid", (nid,)
                )
            ),
        ]

    # -- words ----------------------------------------------------------------------------------------------------------------------

    def search(self, match: str, limit: int) -> list[tuple[int, float]]:
        """Nodes for a full-text expression, best first: (nid, score); greater is better. Names weigh most, descriptions least."""
        query = "SELECT rowid, -bm25(words, 4.0, 3.0, 1.0) AS score FROM words WHERE words MATCH ? ORDER BY score DESC, rowid LIMIT ?"
        return list(self.db.execute(query, (match, limit)))

    def matches(self, match: str, limit: int) -> list[int]:
        """Nodes for a full-text expression in the order of the index, the first ``limit`` of them: cheap however common the words are."""
        return [
            row[0]
            for row in self.db.execute(
                "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?", (match, limit)
            )
        ]

    def near_words(self, word: str, limit: int) -> list[str]:
        """Indexed words (their stems) that begin like a word and share half of its letter pairs, best first. Bounded at any size."""
        self.db.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)"
        )
        pairs = _letter_pairs(word)
        found: dict[str, float] = {}
        for letters in (
            2,
            1,
        ):  # a slip in the second letter is looked for only when nothing else is near
            start = word[:letters]
            query = "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?"
            for (term,) in self.db.execute(query, (start, start + "\U0010ffff", NEARBY)):
                likeness = (
                    len(pairs & _letter_pairs(term)) * 2 / (len(pairs) + len(_letter_pairs(term)))
                )
                if likeness >= ALIKE:
                    found[term] = likeness
            if found:
                break
        return sorted(found, key=lambda term: (-found[term], term))[:limit]

    # -- who said what --------------------------------------------------------------------------------------------------------------

    def node_said(self, nid: int) -> list[Said]:
        query = (
            "SELECT l.id, s.pos, l.ts, coalesce(s.run, l.run), l.op, s.line, s.start, s.length, s.gone FROM node_said s "
            "JOIN line l ON l.seq = s.line WHERE s.nid=? ORDER BY s.line, s.pos"
        )
        return [self._said(row) for row in self.db.execute(query, (nid,)).fetchall()]

    def edge_said(self, eid: int) -> list[Said]:
        query = (
            "SELECT l.id, s.pos, l.ts, coalesce(s.run, l.run), l.op, s.line, s.start, s.length, s.gone FROM edge_said s "
            "JOIN line l ON l.seq = s.line WHERE s.eid=? ORDER BY s.line, s.pos"
        )
        return [self._said(row) for row in self.db.execute(query, (eid,)).fetchall()]

    def _said(self, row: Sequence[Any]) -> Said:
        tx, pos, ts, run, op, line, start, length, gone = row
        return Said(tx, pos, ts, run or "", op, self.index.event_at(line, start, length), gone <= 0)

    def notes(self, what: str, key: str | None = None) -> list[tuple[str, Event]]:
        """What isn't a statement, oldest first: (transaction, event), of transactions that were not taken back."""
        query = "SELECT l.id, n.line, n.start, n.length FROM note n JOIN line l ON l.seq = n.line WHERE n.what=? AND l.gone <= 0"
        chosen: tuple[Any, ...] = (f"meta:{what}",) if key is None else (f"meta:{what}", key)
        found = self.db.execute(
            query + ("" if key is None else " AND n.key=?") + " ORDER BY n.line, n.pos", chosen
        ).fetchall()
        return [(tx, self.index.event_at(line, start, length)) for tx, line, start, length in found]

    def replaces(self) -> bool:
        """Whether anything in the graph has taken the place of anything else."""
        query = "SELECT 1 FROM counter WHERE what='predicate' AND key IN ('SUPERSEDES', 'REVISES') AND n > 0 LIMIT 1"
        return self.db.execute(query).fetchone() is not None

    def counters(self) -> dict[str, dict[str, int]]:
        """Live nodes by type and visible edges by predicate: {'type': {...}, 'predicate': {...}}."""
        found: dict[str, dict[str, int]] = {"type": {}, "predicate": {}}
        for what, key, n in self.db.execute(
            "SELECT what, key, n FROM counter WHERE n > 0 ORDER BY what, key"
        ):
            found.setdefault(what, {})[key] = n
        return found


def node_view(row: Sequence[Any]) -> NodeView:
    nid, name, kind, shown, description, extra, live, canon = row
    state = unpack(kind, shown, description, extra)
    return NodeView(
        nid, name, kind, shown, description, state.aliases, state.fields, state.attrs, state.inference, state.sayings if live else 0,
        live > 0, canon or nid,
    )  # fmt: skip


def _letter_pairs(word: str) -> set[str]:
    """Pairs of neighbouring letters, with the word's beginning and end."""
    framed = f"^{word}$"
    return {framed[at : at + 2] for at in range(len(framed) - 1)}
