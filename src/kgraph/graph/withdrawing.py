"""Taking back: which assertions a selector names, what goes with them, and whether the graph may be left so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kgraph.errors import AmbiguousReference, NotAllowed, UnknownReference, UsageError
from kgraph.events import Draft, Event
from kgraph.graph.answers import Withdrawal
from kgraph.graph.engine import Engine, Writer
from kgraph.graph.references import edge_of, taken_by, transaction_of
from kgraph.graph.supports import assertion_sources
from kgraph.index.apply import batches, marks
from kgraph.index.health import NAMES, Breach, breaches
from kgraph.index.read import Reader
from kgraph.model import Problem
from kgraph.tuples import NamedTuple

UNDOABLE = ("retract", "resolve", "unresolve", "split", "distinct", "edit", "restore")

Place = tuple[int, int]  # line, position in it


class Selection(NamedTuple):
    """Live assertions by kind, whole transactions, and the transaction that took them back before when none is left."""

    nodes: set[Place]
    edges: set[Place]
    transactions: tuple[str, ...] = ()
    already: str = ""


NOTHING = Selection(set(), set())


class _Refused(Exception):
    def __init__(self, found: Sequence[Breach]) -> None:
        super().__init__()
        self.found = found


def select(reader: Reader, selector: str, reference: str) -> Selection:
    """The live assertions that ``node``, ``edge``, ``run``, ``source`` or ``tx`` names. Raises UnknownReference for what never was."""
    kinds = {
        "node": _of_node,
        "edge": _of_edge,
        "run": _of_run,
        "source": _of_source,
        "tx": _of_transaction,
    }
    if selector not in kinds:
        raise UsageError(
            f"'{selector}' names nothing that can be taken back", f"one of {', '.join(kinds)}"
        )
    return kinds[selector](reader, reference)


def _of_node(reader: Reader, reference: str) -> Selection:
    nid = one_node(reader, reference)
    found = reader.db.execute(
        "SELECT line, pos, gone FROM node_said WHERE nid=?", (nid,)
    ).fetchall()
    return _living(reader, found, "node")


def one_node(reader: Reader, reference: str, kind: str = "") -> int:
    """A node by reference, live ones first, else one whose assertions are all withdrawn."""
    narrowed, _, rest = reference.partition(":")
    for name, only in ((reference, kind), (rest, narrowed)):
        if not name:
            continue
        found = reader.look_up(name, only) or reader.look_up(name, only, dead=True)
        if len(found) > 1:
            raise AmbiguousReference(
                reference, [{"id": node.id, "type": node.type, "name": node.name} for node in found]
            )
        if found:
            return found[0].nid
    raise UnknownReference(
        f"nothing in the log is called '{reference}'", "kgraph query finds nodes by their words"
    )


def _of_edge(reader: Reader, reference: str) -> Selection:
    eid = edge_of(reader, reference)
    found = reader.db.execute(
        "SELECT line, pos, gone FROM edge_said WHERE eid=?", (eid,)
    ).fetchall()
    return _living(reader, found, "edge")


def _of_run(reader: Reader, reference: str) -> Selection:
    """What a run said, and whole what it put in the place of an earlier reading, so that the earlier one returns."""
    nodes: list[tuple[int, int, int]] = []
    edges: list[tuple[int, int, int]] = []
    for table, found in (("node_said", nodes), ("edge_said", edges)):
        for query in (
            f"SELECT s.line, s.pos, s.gone FROM line l JOIN {table} s ON s.line = l.seq WHERE l.run=? AND s.run IS NULL",
            f"SELECT s.line, s.pos, s.gone FROM {table} s WHERE s.run=?",
        ):
            found += reader.db.execute(query, (reference,)).fetchall()
    if (
        not nodes
        and not edges
        and not reader.db.execute("SELECT 1 FROM line WHERE run=? LIMIT 1", (reference,)).fetchone()
    ):
        raise UnknownReference(f"no run is called '{reference}'", "kgraph runs lists them")
    replacing, freed = _replacements(reader, reference)
    # What only a withdrawal that falls as well has taken must not return by that.
    left = [
        [(line, pos, gone - freed[line, pos]) for line, pos, gone in found]
        for found in (nodes, edges)
    ]
    one, other = _living(reader, left[0], "node"), _living(reader, left[1], "edge")
    return Selection(one.nodes, other.edges, replacing, one.already or other.already)


def _replacements(reader: Reader, run: str) -> tuple[tuple[str, ...], Counter[Place]]:
    """A run's transactions that took an earlier reading's place and still stand, and how often they withdraw each assertion.

    One that holds another run's words can't be taken whole; one that a later reading has replaced brings nothing back.
    """
    query = (
        "SELECT DISTINCT l.seq, l.id FROM line l JOIN note n ON n.line = l.seq AND n.what='withdraw' AND n.key='' "
        "WHERE l.run=? AND l.op='extract' AND l.gone<=0 ORDER BY l.seq DESC"
    )
    names: list[str] = []
    freed: Counter[Place] = Counter()
    for seq, name in reader.db.execute(query, (run,)).fetchall():
        said = [
            row for table in ("node_said", "edge_said")
            for row in reader.db.execute(f"SELECT pos, gone, coalesce(run, ?) FROM {table} WHERE line=?", (run, seq)).fetchall()
        ]  # fmt: skip
        stands = (
            any(gone - freed[seq, pos] <= 0 for pos, gone, _ in said)
            if said
            else not _read_again(reader, seq)
        )
        if stands and all(whose == run for _, _, whose in said):
            names.append(name)
            freed.update(_listed(reader, seq))
    return tuple(names), freed


def _read_again(reader: Reader, seq: int) -> bool:
    """Whether a later transaction speaks of a unit of which this one has a note."""
    query = (
        "SELECT 1 FROM note mine JOIN note n ON n.what=mine.what AND n.key=mine.key AND n.line>mine.line "
        "JOIN line l ON l.seq=n.line AND l.gone<=0 AND (l.nodes OR l.edges) WHERE mine.line=? AND mine.what='meta:unit' LIMIT 1"
    )
    return reader.db.execute(query, (seq,)).fetchone() is not None


def _listed(reader: Reader, seq: int) -> Iterator[Place]:
    """The assertions that a transaction's own withdrawals list."""
    for start, length in reader.db.execute(
        "SELECT start, length FROM note WHERE what='withdraw' AND key='' AND line=?", (seq,)
    ).fetchall():
        for name, positions in (
            reader.index.event_at(seq, start, length).get("assertions") or {}
        ).items():
            row = reader.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()
            yield from ((row[0], pos) for pos in set(positions)) if row else ()


def _of_transaction(reader: Reader, reference: str) -> Selection:
    seq, name, _ = transaction_of(reader, reference)
    if name.startswith("v1:"):
        raise NotAllowed(
            "a log of the 1.0.0 layout can't be taken back whole",
            "retract by --run, --node or --edge",
        )
    gone = reader.db.execute("SELECT gone FROM line WHERE seq=?", (seq,)).fetchone()[0]
    nodes = reader.db.execute(
        "SELECT line, pos, gone FROM node_said WHERE line=?", (seq,)
    ).fetchall()
    edges = reader.db.execute(
        "SELECT line, pos, gone FROM edge_said WHERE line=?", (seq,)
    ).fetchall()
    if gone > 0 or ((nodes or edges) and all(row[2] > 0 for row in nodes + edges)):
        return Selection(set(), set(), (), taken_by(reader, name))
    return Selection(
        _living(reader, nodes, "node").nodes, _living(reader, edges, "edge").edges, (name,)
    )


def _of_source(reader: Reader, reference: str) -> Selection:
    nid = one_node(reader, reference, "Source")
    source = reader.node(nid)
    if source.type != "Source":
        raise UnknownReference(
            f"'{reference}' is a {source.type}, not a Source", "name a Source, or use --node"
        )
    own = reader.db.execute("SELECT line, pos, gone FROM node_said WHERE nid=?", (nid,)).fetchall()
    selection = _living(reader, own, "node")
    lines = sorted({row[0] for row in own})
    for line in lines:
        for kind, pos, sources in assertion_sources(reader, line):
            if source.id not in sources:
                continue
            others = [one for one in sources if one != source.id]
            live = {
                name for name, number in reader.nids(others).items() if reader.node(number).live
            }
            if live:
                continue
            table = "node_said" if kind == "node" else "edge_said"
            row = reader.db.execute(
                f"SELECT gone FROM {table} WHERE line=? AND pos=?", (line, pos)
            ).fetchone()
            if row and row[0] <= 0:
                (selection.nodes if kind == "node" else selection.edges).add((line, pos))
    return selection


def _living(reader: Reader, found: Iterable[tuple[int, int, int]], kind: str) -> Selection:
    rows = list(found)
    alive = {(line, pos) for line, pos, gone in rows if gone <= 0}
    already = ""
    if rows and not alive:
        line = max(rows)[0]
        already = taken_by(
            reader, reader.db.execute("SELECT id FROM line WHERE seq=?", (line,)).fetchone()[0]
        )
    return Selection(
        alive if kind == "node" else set(), set() if kind == "node" else alive, (), already
    )


# -- acting ------------------------------------------------------------------------------------------------------------------------


def retract(
    engine: Engine, selector: tuple[str, str], reason: str, options: tuple[bool, str]
) -> Withdrawal:
    """Take back what ``selector`` (kind, reference) names. ``options``: (cascade, run id)."""
    cascade, run_id = options
    with engine.writing() as writer:
        selection = select(writer.reader, *selector)
        if not selection.nodes and not selection.edges and not selection.transactions:
            return Withdrawal("", [], _none(), _none(), [], (), selection.already)
        while True:
            before = _seen_before(writer.reader, selection, _returning(writer.reader, selection))
            draft = Draft("retract", [_event(writer.reader, selection)], run_id, reason=reason)
            try:
                return _try(writer, draft, selection, before)
            except _Refused as refused:
                wider = _cascaded(writer.reader, selection, refused.found) if cascade else None
                if wider is None:
                    return Withdrawal(
                        "",
                        [],
                        _none(),
                        _none(),
                        [],
                        [_problem(breach, cascade) for breach in refused.found],
                    )
                selection = wider


def restore(engine: Engine, reference: str, reason: str, run_id: str) -> Withdrawal:
    """Take a retraction, merge, split, distinction or correction back. Doing it twice does nothing."""
    with engine.writing() as writer:
        reader = writer.reader
        seq, name, op = transaction_of(reader, reference)
        if op not in UNDOABLE:
            raise NotAllowed(
                f"transaction {name[:12]} is of kind '{op}': there is nothing to take back",
                "kgraph retract --tx takes back what was written",
            )
        if reader.db.execute("SELECT gone FROM line WHERE seq=?", (seq,)).fetchone()[0] > 0:
            return Withdrawal("", [], _none(), _none(), [], (), taken_by(reader, name))
        listed = _listed_by(reader, seq)
        before = _seen_before(reader, listed)
        draft = Draft(
            "restore",
            [{"kind": "withdraw", "assertions": {}, "transactions": [name]}],
            run_id,
            reason=reason,
        )
        try:
            done = _try(writer, draft, listed, before)
        except _Refused as refused:
            return Withdrawal(
                "", [], _none(), _none(), [], [_problem(breach, False) for breach in refused.found]
            )
        return done._replace(withdrawn=[{"tx": name}])


def _listed_by(reader: Reader, seq: int) -> Selection:
    """The assertions that a transaction's withdrawals and moves list, and its own."""
    nodes, edges = set(), set()
    for start, length in reader.db.execute(
        "SELECT start, length FROM note WHERE what='withdraw' AND key='' AND line=?", (seq,)
    ).fetchall():
        event = reader.index.event_at(seq, start, length)
        for name in event.get("transactions") or ():
            row = reader.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()
            if row:
                inner = _listed_by(reader, row[0])
                nodes |= inner.nodes
                edges |= inner.edges
    nodes.update(_listed(reader, seq))
    nodes |= {
        (row[0], row[1])
        for row in reader.db.execute("SELECT line, pos FROM move WHERE by_line=?", (seq,))
    }
    edges |= set(nodes)
    nodes |= {
        (seq, row[0]) for row in reader.db.execute("SELECT pos FROM node_said WHERE line=?", (seq,))
    }
    edges |= {
        (seq, row[0]) for row in reader.db.execute("SELECT pos FROM edge_said WHERE line=?", (seq,))
    }
    return Selection(nodes, edges)


class _Before(NamedTuple):
    nodes: dict[int, bool]
    edges: dict[int, bool]
    withdrawn: list[dict[str, Any]]


def _returning(reader: Reader, selection: Selection) -> Selection:
    """What the whole transactions of a selection withdrew, and what may be seen again without them."""
    nodes: set[Place] = set()
    for name in selection.transactions:
        nodes |= _listed_by(
            reader, reader.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()[0]
        ).nodes
    return Selection(nodes - selection.nodes, nodes - selection.edges)


def _seen_before(reader: Reader, selection: Selection, beside: Selection = NOTHING) -> _Before:
    """What is seen now of everything that the withdrawal of ``selection`` could change, there and ``beside`` it."""
    nodes: dict[int, bool] = {}
    edges: dict[int, bool] = {}
    withdrawn: list[dict[str, Any]] = []
    for line, pos in sorted(selection.nodes | beside.nodes):
        row = reader.db.execute(
            "SELECT s.nid, v.live, v.id, l.id FROM node_said s JOIN node v ON v.nid=s.nid JOIN line l ON l.seq=s.line "
            "WHERE s.line=? AND s.pos=?",
            (line, pos),
        ).fetchone()
        if row:
            nodes[row[0]] = row[1] > 0
            if (line, pos) in selection.nodes:
                withdrawn.append({"tx": row[3], "pos": pos, "node": row[2]})
    for line, pos in sorted(selection.edges | beside.edges):
        row = reader.db.execute(
            "SELECT s.eid, e.visible, e.id, l.id FROM edge_said s JOIN edge e ON e.eid=s.eid JOIN line l ON l.seq=s.line "
            "WHERE s.line=? AND s.pos=?",
            (line, pos),
        ).fetchone()
        if row:
            edges[row[0]] = bool(row[1])
            if (line, pos) in selection.edges:
                withdrawn.append({"tx": row[3], "pos": pos, "edge": row[2]})
    for some in batches(sorted(nodes)):
        query = (
            f"SELECT eid, visible FROM edge WHERE src IN ({marks(some)}) OR dst IN ({marks(some)})"
        )
        edges.update((row[0], bool(row[1])) for row in reader.db.execute(query, (*some, *some)))
    return _Before(nodes, edges, withdrawn)


def _try(writer: Writer, draft: Draft, selection: Selection, before: _Before) -> Withdrawal:
    """Record a withdrawal unless it leaves a breach that wasn't there; what changed by it."""
    reader = writer.reader
    ends = _ends(reader, before.edges)
    old = {(breach.invariant, breach.nid) for breach in breaches(reader, {*before.nodes, *ends})}
    with writer.adding() as recorder:
        done = recorder.add(draft)
        new = [
            breach
            for breach in breaches(reader, {*before.nodes, *ends})
            if (breach.invariant, breach.nid) not in old
        ]
        if new:
            raise _Refused(new)
        nodes = {
            nid: row
            for some in batches(sorted(before.nodes))
            for nid, *row in reader.db.execute(
                f"SELECT nid, id, live FROM node WHERE nid IN ({marks(some)})", some
            )
        }
        edges = {
            eid: row
            for some in batches(sorted(before.edges))
            for eid, *row in reader.db.execute(
                f"SELECT eid, id, visible FROM edge WHERE eid IN ({marks(some)})", some
            )
        }
    gone = {
        "nodes": [name for nid, (name, live) in nodes.items() if before.nodes[nid] and not live],
        "edges": [name for eid, (name, seen) in edges.items() if before.edges[eid] and not seen],
    }
    back = {
        "nodes": [name for nid, (name, live) in nodes.items() if live and not before.nodes[nid]],
        "edges": [name for eid, (name, seen) in edges.items() if seen and not before.edges[eid]],
    }
    said = {row.get("node") or row.get("edge") for row in before.withdrawn}
    survives = [name for name, seen in (*nodes.values(), *edges.values()) if seen and name in said]
    return Withdrawal(done.id, before.withdrawn, gone, back, survives)


def _ends(reader: Reader, eids: Iterable[int]) -> set[int]:
    found: set[int] = set()
    for some in batches(sorted(eids)):
        for row in reader.db.execute(
            f"SELECT src, dst FROM edge WHERE eid IN ({marks(some)})", some
        ):
            found.update(row)
    return found


def _event(reader: Reader, selection: Selection) -> Event:
    """The withdrawal of a selection: whole transactions by name, and every other assertion by its place."""
    lines = {
        reader.db.execute("SELECT seq FROM line WHERE id=?", (name,)).fetchone()[0]
        for name in selection.transactions
    }
    places = {place for place in selection.nodes | selection.edges if place[0] not in lines}
    return {
        "kind": "withdraw",
        "assertions": _by_name(reader, places),
        "transactions": sorted(selection.transactions),
    }


def _by_name(reader: Reader, places: Iterable[Place]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    names: dict[int, str] = {}
    for line, pos in sorted(places):
        if line not in names:
            names[line] = reader.db.execute("SELECT id FROM line WHERE seq=?", (line,)).fetchone()[
                0
            ]
        found.setdefault(names[line], []).append(pos)
    return found


def _cascaded(reader: Reader, selection: Selection, found: Sequence[Breach]) -> Selection | None:
    """The selection with every live assertion of the nodes in breach; None when that can't help (I4)."""
    if any(breach.invariant == "I4" for breach in found):
        return None
    nodes = set(selection.nodes)
    for breach in found:
        nodes |= {
            (row[0], row[1])
            for row in reader.db.execute(
                "SELECT line, pos FROM node_said WHERE nid=? AND gone<=0", (breach.nid,)
            )
        }
    return None if nodes == selection.nodes else selection._replace(nodes=nodes)


def _problem(breach: Breach, cascade: bool) -> Problem:
    if breach.invariant == "I4":
        hint = f"retract that edge first: --edge {breach.edge}"
    else:
        hint = "name another source for it, or take it back as well with --cascade"
    message = f"'{breach.name}' would be left in breach of {breach.invariant}: {breach.detail}"
    return Problem(
        breach.invariant, "$", message, hint, NAMES[breach.invariant], breach.id, breach.detail
    )


def _none() -> dict[str, list[str]]:
    return {"nodes": [], "edges": []}
