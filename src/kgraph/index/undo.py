"""Withdrawals, findings, splits and notes: what changes which assertions live, and the states that follow from it.

Nothing here depends on the order in which withdrawals arrive: an assertion lives while no effective withdrawal lists it, and a
withdrawal is effective while none lists its transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.events import Event, edge_id
from kgraph.index import rows
from kgraph.index.apply import EdgeRow, Extent, NodeRow, Said, Tables, batches, ends_of, marks
from kgraph.index.rows import STATUS_RANK, NodeState, Place, Rank
from kgraph.tuples import NamedTuple


class Touched(NamedTuple):
    """Nodes and edges whose state has to be worked out again."""

    nodes: set[int]
    edges: set[int]


def apply_others(tables: Tables, seq: int, said: Sequence[Said]) -> None:
    touched = Touched(set(), set())
    for pos, event, (start, length) in said:
        kind = event["kind"]
        if kind == "withdraw":
            tables.db.execute(
                "INSERT INTO note VALUES ('withdraw','',?,?,?,?)", (seq, pos, start, length)
            )
            _withdraw(tables, event, 1, touched)
        elif kind == "evidence":
            _find(tables, Place(seq, pos), Extent(start, length), event, touched)
        elif kind == "split":
            _split(tables, Place(seq, pos), event, touched)
        elif kind == "meta":
            named = (f"meta:{event.get('what', '')}", str(event.get("key", "")))
            tables.db.execute(
                "INSERT INTO note VALUES (?,?,?,?,?,?)", (*named, seq, pos, start, length)
            )
    work_out_again(tables, touched)


def _withdraw(tables: Tables, event: Event, by: int, touched: Touched) -> None:
    """A withdrawal takes effect (by = 1) or loses it (by = -1)."""
    for name, positions in sorted((event.get("assertions") or {}).items()):
        line = _seq_of(tables, name)
        if line is None:
            continue
        for some in batches(sorted(set(positions))):
            for table, column, seen in (
                ("node_said", "nid", touched.nodes),
                ("edge_said", "eid", touched.edges),
            ):
                where = f"line = ? AND pos IN ({marks(some)})"
                seen.update(
                    row[0]
                    for row in tables.db.execute(
                        f"SELECT {column} FROM {table} WHERE {where}", (line, *some)
                    )
                )
                tables.db.execute(
                    f"UPDATE {table} SET gone = gone + ? WHERE {where}", (by, line, *some)
                )
    for name in sorted(set(event.get("transactions") or ())):
        line = _seq_of(tables, name)
        if line is not None:
            _withdraw_line(tables, line, by, touched)


def _withdraw_line(tables: Tables, line: int, by: int, touched: Touched) -> None:
    before = tables.db.execute("SELECT gone, others FROM line WHERE seq=?", (line,)).fetchone()
    tables.db.execute("UPDATE line SET gone = gone + ? WHERE seq=?", (by, line))
    for table, column, seen in (
        ("node_said", "nid", touched.nodes),
        ("edge_said", "eid", touched.edges),
    ):
        seen.update(
            row[0]
            for row in tables.db.execute(f"SELECT {column} FROM {table} WHERE line=?", (line,))
        )
        tables.db.execute(f"UPDATE {table} SET gone = gone + ? WHERE line=?", (by, line))
    if not before[1] or (before[0] > 0) == (before[0] + by > 0):
        return
    # The transaction's own withdrawals, findings and splits lose their effect, or get it back.
    for table in ("finding", "move"):
        places = tables.db.execute(
            f"SELECT line, pos FROM {table} WHERE by_line=?", (line,)
        ).fetchall()
        tables.db.execute(f"UPDATE {table} SET gone = gone + ? WHERE by_line=?", (by, line))
        for at, pos in places:
            if table == "move":
                _retarget(tables, Place(at, pos), touched)
            touched.edges.update(
                row[0]
                for row in tables.db.execute(
                    "SELECT eid FROM edge_said WHERE line=? AND pos=?", (at, pos)
                )
            )
    for event in _withdrawals_of(tables, line):
        _withdraw(tables, event, -by, touched)


def _withdrawals_of(tables: Tables, line: int) -> list[Event]:
    found: list[Event] = []
    for start, length in tables.db.execute(
        "SELECT start, length FROM note WHERE what='withdraw' AND key='' AND line=?", (line,)
    ):
        found.append(tables.words_of(line, start, length))
    return found


def _seq_of(tables: Tables, name: str) -> int | None:
    row = tables.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()
    return int(row[0]) if row else None


def _find(tables: Tables, by: Place, where: Extent, event: Event, touched: Touched) -> None:
    line = _seq_of(tables, str(event.get("tx", "")))
    if line is None:
        return
    status = STATUS_RANK.get(
        (event.get("evidence") or {}).get("status", ""), STATUS_RANK["unchecked"]
    )
    pos = int(event.get("pos", -1))
    tables.db.execute(
        "INSERT OR REPLACE INTO finding VALUES (?,?,?,?,?,?,?,0)",
        (line, pos, *by, status, *where),
    )
    touched.edges.update(
        row[0]
        for row in tables.db.execute(
            "SELECT eid FROM edge_said WHERE line=? AND pos=?", (line, pos)
        )
    )


def _split(tables: Tables, by: Place, event: Event, touched: Touched) -> None:
    for name, positions in sorted((event.get("assertions") or {}).items()):
        line = _seq_of(tables, name)
        if line is None:
            continue
        for pos in sorted(set(positions)):
            tables.db.execute(
                "INSERT OR REPLACE INTO move VALUES (?,?,?,?,?,?,0)",
                (line, pos, *by, event["old"], event["new"]),
            )
            _retarget(tables, Place(line, pos), touched)


def _retarget(tables: Tables, place: Place, touched: Touched) -> None:
    """Give an assertion to the node or edge that it belongs to, after the splits that are in effect."""
    moves = dict(
        tables.db.execute(
            "SELECT old, new FROM move WHERE line=? AND pos=? AND gone<=0 ORDER BY by_line, by_pos",
            place,
        ).fetchall()
    )
    row = tables.db.execute(
        "SELECT nid, start, length FROM node_said WHERE line=? AND pos=?", place
    ).fetchone()
    if row:
        event = tables.words_of(place.line, row[1], row[2])
        wanted = _moved(event["id"], moves)
        nid = ends_of(tables, [wanted])[0][wanted]
        touched.nodes.update((row[0], nid))
        tables.db.execute("UPDATE node_said SET nid=? WHERE line=? AND pos=?", (nid, *place))
        return
    row = tables.db.execute(
        "SELECT eid, start, length FROM edge_said WHERE line=? AND pos=?", place
    ).fetchone()
    if row:
        event = tables.words_of(place.line, row[1], row[2])
        eid = _edge_between(
            tables, event, (_moved(event["source"], moves), _moved(event["target"], moves))
        )
        touched.edges.update((row[0], eid))
        tables.db.execute("UPDATE edge_said SET eid=? WHERE line=? AND pos=?", (eid, *place))


def _moved(name: str, moves: dict[str, str]) -> str:
    return moves.get(name, name)


def _edge_between(tables: Tables, event: Event, ends: tuple[str, str]) -> int:
    unmoved = ends == (event["source"], event["target"])
    name = event["id"] if unmoved else edge_id(event["predicate"], ends, event.get("rel") or "")
    for row in tables.edges("id", [name]):
        return row.eid
    nids, _ = ends_of(tables, list(dict.fromkeys(ends)))
    eid, tables.next_eid = tables.next_eid, tables.next_eid + 1
    tables.insert_edges(
        [
            EdgeRow(
                eid,
                name,
                event["predicate"],
                nids[ends[0]],
                nids[ends[1]],
                event.get("rel") or "",
                0,
                0,
                None,
                0,
                0,
                0,
                0,
            )
        ]
    )
    return eid


def work_out_again(tables: Tables, touched: Touched) -> None:
    """States from the assertions that live now. Nodes first, since an edge is seen only while its ends live."""
    for old in tables.nodes_by_nid(touched.nodes):
        _refold_node(tables, old)
    for edge in tables.edges("eid", touched.edges):
        _refold_edge(tables, edge)


def _refold_node(tables: Tables, old: NodeRow) -> None:
    places = tables.db.execute(
        "SELECT line, start, length, gone FROM node_said WHERE nid=? ORDER BY line, pos", (old.nid,)
    ).fetchall()
    alive = [place for place in places if place[3] <= 0]
    state = rows.fold_node(
        tables.words_of(line, start, length) for line, start, length, _ in alive or places
    )
    tables.update_node(old, state or NodeState("", old.id, (), "", {}, {}, False, 0), len(alive))


def _refold_edge(tables: Tables, old: EdgeRow) -> None:
    best: Rank | None = None
    where = (0, 0)
    live = 0
    found = tables.db.execute(
        "SELECT line, pos, confidence, status, start, length, gone FROM edge_said WHERE eid=?",
        (old.eid,),
    ).fetchall()
    for any_live in (True, False):  # an edge that doesn't live shows the best of what was said
        for line, pos, confidence, status, start, length, gone in found:
            if any_live and gone > 0:
                continue
            live += 1 if any_live else 0
            latest = tables.db.execute(
                "SELECT status FROM finding WHERE line=? AND pos=? AND gone<=0 ORDER BY by_line DESC, by_pos DESC LIMIT 1",
                (line, pos),
            ).fetchone()
            candidate = Rank(latest[0] if latest else status, confidence, line, pos)
            if best is None or rows.better(candidate, best):
                best, where = candidate, (start, length)
        if best is not None:
            break
    if best is None:
        tables.update_edge(old, old._replace(live=0, visible=0))
        return
    ends = tables.db.execute(
        "SELECT count(*) FROM node WHERE nid IN (?,?) AND live > 0", (old.src, old.dst)
    ).fetchone()[0]
    visible = 1 if live and ends == (1 if old.src == old.dst else 2) else 0
    new = old._replace(
        live=live,
        visible=visible,
        confidence=best.confidence,
        status=best.status,
        line=best.line,
        start=where[0],
        length=where[1],
    )
    tables.update_edge(old, new)


def follow_merges(tables: Tables) -> None:
    """Each node's canonical one, for every cluster in which a merge came or went.

    A node with several canonical ones (two branches that merged it differently) follows the edge with the smallest id; in a cycle
    the node with the smallest id is the canonical one. So the answer is the same in any order.
    """
    waiting, cluster = set(tables.moved), set()
    tables.moved.clear()
    out: dict[int, tuple[str, int]] = {}
    while waiting:
        some = sorted(waiting)[:200]
        waiting.difference_update(some)
        cluster.update(some)
        query = (
            "SELECT id, src, dst FROM edge WHERE predicate='RESOLVED_TO' AND visible=1 "
            f"AND (src IN ({marks(some)}) OR dst IN ({marks(some)}))"
        )
        for name, src, dst in tables.db.execute(query, (*some, *some)):
            if src not in out or name < out[src][0]:
                out[src] = (name, dst)
            waiting.update({src, dst} - cluster)
    ids = {row.nid: row.id for row in tables.nodes_by_nid(cluster)}
    for nid in cluster:
        trail = [nid]
        while trail[-1] in out and out[trail[-1]][1] not in trail:
            trail.append(out[trail[-1]][1])
        root = trail[-1]
        if root in out:  # a cycle
            root = min(trail[trail.index(out[root][1]) :], key=lambda member: ids[member])
        tables.db.execute(
            "UPDATE node SET canon=? WHERE nid=?", (None if root == nid else root, nid)
        )
