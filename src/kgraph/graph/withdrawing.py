"""Taking back: which assertions a selector names, what goes with them, and whether the graph may be left so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kgraph.errors import AmbiguousReference, NotAllowed, UnknownReference, UsageError
from kgraph.events import Draft, Event
from kgraph.graph.answers import Withdrawal
from kgraph.graph.engine import Engine, Writer
from kgraph.graph.references import edge_of, taken_by, transaction_of
from kgraph.graph.supports import assertion_sources
from kgraph.index import adjacency, lines
from kgraph.index import assertions as said
from kgraph.index.assertions import Assertion, Kind, Place
from kgraph.index.health import NAMES, Breach, breaches
from kgraph.index.read import Reader
from kgraph.index.retracted import NOTE
from kgraph.model import Problem
from kgraph.tuples import NamedTuple

UNDOABLE = ("retract", "resolve", "unresolve", "split", "distinct", "edit", "restore")


class Selector(NamedTuple):
    """What is to be taken back: ``kind`` is node, edge, run, source or tx; ``reference`` names one."""

    kind: str
    reference: str


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


class _Previewed(Exception):
    """Ends a change before it is written, with what it would have done."""

    def __init__(self, found: Withdrawal) -> None:
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
    return _living(reader, said.of(reader, "node", nid), "node")


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
    return _living(reader, said.of(reader, "edge", eid), "edge")


def _of_run(reader: Reader, reference: str) -> Selection:
    """What a run said, and whole what it put in the place of an earlier reading, so that the earlier one returns."""
    nodes, edges = (said.of_run(reader, kind, reference) for kind in said.KINDS)
    if not nodes and not edges and not lines.has_run(reader, reference):
        raise UnknownReference(f"no run is called '{reference}'", "kgraph runs lists them")
    replacing, freed = _replacements(reader, reference)
    # What only a withdrawal that falls as well has taken must not return by that.
    nodes, edges = (
        [each._replace(gone=each.gone - freed[each.place]) for each in found]
        for found in (nodes, edges)
    )
    of_nodes, of_edges = _living(reader, nodes, "node"), _living(reader, edges, "edge")
    return Selection(
        of_nodes.nodes, of_edges.edges, replacing, of_nodes.already or of_edges.already
    )


def _replacements(reader: Reader, run: str) -> tuple[tuple[str, ...], Counter[Place]]:
    """A run's transactions that took an earlier reading's place and still stand, and how often they withdraw each assertion.

    One that holds another run's words can't be taken whole; one that a later reading has replaced brings nothing back.
    """
    names: list[str] = []
    freed: Counter[Place] = Counter()
    for seq, name in said.replacing(reader, run):
        held = said.runs_in(reader, seq, run)
        stands = (
            any(each.gone - freed[each.place] <= 0 for each, _ in held)
            if held
            else not said.is_read_again(reader, seq)
        )
        if stands and all(whose == run for _, whose in held):
            names.append(name)
            freed.update(_listed(reader, seq))
    return tuple(names), freed


def _listed(reader: Reader, seq: int) -> Iterator[Place]:
    """The assertions that a transaction's own withdrawals list."""
    for event in said.withdrawals_in(reader, seq):
        for name, positions in (event.get("assertions") or {}).items():
            line = lines.seq_of(reader, name)
            if line is not None:
                yield from (Place(line, pos) for pos in set(positions))


def _of_transaction(reader: Reader, reference: str) -> Selection:
    line = transaction_of(reader, reference)
    if line.is_legacy:
        raise NotAllowed(
            "a log of the 1.0.0 layout can't be taken back whole",
            "retract by --run, --node or --edge",
        )
    nodes, edges = (said.of_line(reader, kind, line.seq) for kind in said.KINDS)
    if line.gone > 0 or ((nodes or edges) and all(each.gone > 0 for each in nodes + edges)):
        return Selection(set(), set(), (), taken_by(reader, line.id))
    return Selection(
        _living(reader, nodes, "node").nodes, _living(reader, edges, "edge").edges, (line.id,)
    )


def _of_source(reader: Reader, reference: str) -> Selection:
    nid = one_node(reader, reference, "Source")
    source = reader.node(nid)
    if source.type != "Source":
        raise UnknownReference(
            f"'{reference}' is a {source.type}, not a Source", "name a Source, or use --node"
        )
    own = said.of(reader, "node", nid)
    selection = _living(reader, own, "node")
    for line in sorted({each.line for each in own}):
        for kind, pos, sources in assertion_sources(reader, line):
            if source.id not in sources:
                continue
            others = [one for one in sources if one != source.id]
            live = {
                name for name, number in reader.nids(others).items() if reader.node(number).live
            }
            if live:
                continue
            place = Place(line, pos)
            if said.stands(reader, kind, place):
                (selection.nodes if kind == "node" else selection.edges).add(place)
    return selection


def _living(reader: Reader, found: Sequence[Assertion], kind: Kind) -> Selection:
    alive = {each.place for each in found if each.gone <= 0}
    already = ""
    if found and not alive:
        already = taken_by(reader, lines.line_at(reader, max(found).line).id)
    return Selection(
        alive if kind == "node" else set(), set() if kind == "node" else alive, (), already
    )


# -- acting ------------------------------------------------------------------------------------------------------------------------


class RetractOptions(NamedTuple):
    """``cascade``: take back as well what would be left in breach of an invariant. ``dry_run``: only say what would go."""

    cascade: bool = False
    run_id: str = ""
    dry_run: bool = False


def retract(engine: Engine, selector: Selector, reason: str, options: RetractOptions) -> Withdrawal:
    """Take back what ``selector`` names."""
    cascade, run_id, dry_run = options
    with engine.writing() as writer:
        selection = select(writer.reader, *selector)
        if not selection.nodes and not selection.edges and not selection.transactions:
            return Withdrawal("", [], _none(), _none(), [], (), selection.already)
        while True:
            before = _seen_before(writer.reader, selection, _returning(writer.reader, selection))
            note = {"kind": "meta", "what": NOTE, "key": selector[0]}
            events = [_event(writer.reader, selection), note]
            draft = Draft("retract", events, run_id, reason=reason)
            try:
                return _try(writer, draft, selection, before, dry_run)
            except _Previewed as previewed:
                return previewed.found
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
        line = transaction_of(reader, reference)
        if line.op not in UNDOABLE:
            raise NotAllowed(
                f"transaction {line.id[:12]} is of kind '{line.op}': there is nothing to take back",
                "kgraph retract --tx takes back what was written",
            )
        if line.gone > 0:
            return Withdrawal("", [], _none(), _none(), [], (), taken_by(reader, line.id))
        listed = _listed_by(reader, line.seq)
        before = _seen_before(reader, listed)
        draft = Draft(
            "restore",
            [{"kind": "withdraw", "assertions": {}, "transactions": [line.id]}],
            run_id,
            reason=reason,
        )
        try:
            done = _try(writer, draft, listed, before)
        except _Refused as refused:
            return Withdrawal(
                "", [], _none(), _none(), [], [_problem(breach, False) for breach in refused.found]
            )
        return done._replace(withdrawn=[{"tx": line.id}])


def _listed_by(reader: Reader, seq: int) -> Selection:
    """The assertions that a transaction's withdrawals and moves list, and its own."""
    nodes: set[Place] = set()
    edges: set[Place] = set()
    for event in said.withdrawals_in(reader, seq):
        for name in event.get("transactions") or ():
            line = lines.seq_of(reader, name)
            if line is not None:
                inner = _listed_by(reader, line)
                nodes |= inner.nodes
                edges |= inner.edges
    nodes.update(_listed(reader, seq))
    nodes |= said.moved_by(reader, seq)
    edges |= nodes
    nodes |= {each.place for each in said.of_line(reader, "node", seq)}
    edges |= {each.place for each in said.of_line(reader, "edge", seq)}
    return Selection(nodes, edges)


Seen = Mapping[int, tuple[str, bool]]  # (id, whether it is seen) by number


class _Before(NamedTuple):
    nodes: dict[int, bool]
    edges: dict[int, bool]
    withdrawn: list[dict[str, Any]]


def _returning(reader: Reader, selection: Selection) -> Selection:
    """What the whole transactions of a selection withdrew, and what may be seen again without them."""
    nodes: set[Place] = set()
    for name in selection.transactions:
        nodes |= _listed_by(reader, lines.seq_of(reader, name) or 0).nodes
    return Selection(nodes - selection.nodes, nodes - selection.edges)


def _seen_before(reader: Reader, selection: Selection, beside: Selection = NOTHING) -> _Before:
    """What is seen now of everything that the withdrawal of ``selection`` could change, there and ``beside`` it."""
    nodes: dict[int, bool] = {}
    edges: dict[int, bool] = {}
    withdrawn: list[dict[str, Any]] = []
    for kind in said.KINDS:
        seen, chosen, others = (
            (nodes, selection.nodes, beside.nodes)
            if kind == "node"
            else (edges, selection.edges, beside.edges)
        )
        for place in sorted(chosen | others):
            owner = said.owner(reader, kind, place)
            if owner is None:
                continue
            seen[owner.number] = owner.is_seen
            if place in chosen:
                withdrawn.append({"tx": owner.tx, "pos": place.pos, kind: owner.id})
    edges.update(adjacency.edges_at(reader, nodes))
    return _Before(nodes, edges, withdrawn)


def _try(
    writer: Writer, draft: Draft, selection: Selection, before: _Before, dry_run: bool = False
) -> Withdrawal:
    """Record a withdrawal unless it leaves a breach that wasn't there; what changed by it. Raises _Previewed for a dry run."""
    reader = writer.reader
    ends = adjacency.ends(reader, before.edges)
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
        nodes = adjacency.nodes_seen(reader, before.nodes)
        edges = adjacency.edges_seen(reader, before.edges)
        found = _changes(done.id, before, nodes, edges)
        if dry_run:
            raise _Previewed(found._replace(tx=""))
    return found


def _changes(tx: str, before: _Before, nodes: Seen, edges: Seen) -> Withdrawal:
    """What is no longer seen, what is seen again, and what was listed and is seen all the same."""
    gone = {
        "nodes": [name for nid, (name, live) in nodes.items() if before.nodes[nid] and not live],
        "edges": [name for eid, (name, seen) in edges.items() if before.edges[eid] and not seen],
    }
    back = {
        "nodes": [name for nid, (name, live) in nodes.items() if live and not before.nodes[nid]],
        "edges": [name for eid, (name, seen) in edges.items() if seen and not before.edges[eid]],
    }
    listed = {row.get("node") or row.get("edge") for row in before.withdrawn}
    survives = [
        name for name, seen in (*nodes.values(), *edges.values()) if seen and name in listed
    ]
    return Withdrawal(tx, before.withdrawn, gone, back, survives)


def _event(reader: Reader, selection: Selection) -> Event:
    """The withdrawal of a selection: whole transactions by name, and every other assertion by its place."""
    whole = {lines.seq_of(reader, name) for name in selection.transactions}
    places = {place for place in selection.nodes | selection.edges if place.line not in whole}
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
            names[line] = lines.line_at(reader, line).id
        found.setdefault(names[line], []).append(pos)
    return found


def _cascaded(reader: Reader, selection: Selection, found: Sequence[Breach]) -> Selection | None:
    """The selection with every live assertion of the nodes in breach; None when that can't help (I4)."""
    if any(breach.invariant == "I4" for breach in found):
        return None
    nodes = set(selection.nodes)
    for breach in found:
        nodes |= {each.place for each in said.of(reader, "node", breach.nid) if each.gone <= 0}
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
