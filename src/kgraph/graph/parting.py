"""``split``: part assertions that were joined only because they shared a name, into a new node with a qualifier. ``restore`` undoes it."""

from __future__ import annotations

from typing import Any

from kgraph.errors import NotAllowed, UsageError
from kgraph.events import Draft, Event, node_id
from kgraph.graph.engine import Engine
from kgraph.graph.merging import record_checked, said
from kgraph.graph.references import edge_of, node_of
from kgraph.graph.supports import assertion_sources
from kgraph.index.lines import seq_of
from kgraph.index.read import NodeView, Reader
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

Places = dict[str, list[int]]


class SplitOptions(NamedTuple):
    """What goes to the new node: all that a run said, all that rests on a Source, or some edges. Exactly one of the three."""

    run: str = ""
    source: str = ""
    edges: tuple[str, ...] = ()
    qualifier: str = ""
    rationale: str = ""
    run_id: str = ""


def split(engine: Engine, reference: str, how: SplitOptions) -> dict[str, Any]:
    """Give some assertions of a node to a new node. Raises NotAllowed when nothing would go, or nothing would stay."""
    if sum(map(bool, (how.run, how.source, how.edges))) != 1:
        raise UsageError(
            "split takes exactly one of --run, --source and --edges", "give one of them"
        )
    if how.rationale:
        said(how.rationale)
    with engine.writing() as writer:
        reader = writer.reader
        node = node_of(reader, reference)
        if node.type in ("Source",):
            raise NotAllowed(
                "a Source can't be parted: it is one document",
                "give the other document a uri of its own",
            )
        nodes, edges = _chosen(reader, node, how)
        if not nodes and not edges:
            raise NotAllowed(
                f"nothing of '{node.name}' would go to the new node",
                "kgraph show --history lists who said what",
            )
        live = sum(1 for one in reader.node_said(node.nid) if one.live)
        if sum(map(len, nodes.values())) >= live and not how.edges:
            raise NotAllowed(
                f"nothing of '{node.name}' would stay", "there is nothing to part it from"
            )
        qualifier = how.qualifier or _made_qualifier(reader, node, how)
        new = node_id(node.type, f"name:{fold(node.name)}", qualifier)
        if new in reader.nids([new]) and reader.node(reader.nids([new])[new]).live:
            raise NotAllowed(
                f"there is a node '{node.name}' with the qualifier '{qualifier}' already ({new})",
                "give another --qualifier",
            )
        moved = {tx: sorted({*nodes.get(tx, ()), *edges.get(tx, ())}) for tx in {*nodes, *edges}}
        events: list[Event] = [
            {
                "kind": "node",
                "id": new,
                "type": node.type,
                "name": node.name,
                "qualifier": qualifier,
            },
            {"kind": "split", "old": node.id, "new": new, "assertions": moved},
            *_bindings(reader, node, new, moved),
        ]
        tx = record_checked(
            writer, Draft("split", events, how.run_id, reason=how.rationale), [node.nid]
        )
    return {
        "tx": tx,
        "node": node.id,
        "new": new,
        "qualifier": qualifier,
        "moved": {"nodes": sum(map(len, nodes.values())), "edges": sum(map(len, edges.values()))},
    }


def _made_qualifier(reader: Reader, node: NodeView, how: SplitOptions) -> str:
    if how.source:
        source = node_of(reader, how.source, "Source")
        return f"in {source.fields.get('uri') or source.name}"
    return f"of run {how.run}" if how.run else f"apart from {node.id}"


def _chosen(reader: Reader, node: NodeView, how: SplitOptions) -> tuple[Places, Places]:
    """The assertions of the node and of edges at it that go, by transaction."""
    nodes: Places = {}
    edges: Places = {}
    wanted = {edge_of(reader, name) for name in how.edges}
    source = node_of(reader, how.source, "Source").id if how.source else ""
    standing = _Standing(reader)
    for hop in reader.hops(node.nid):
        for one in reader.edge_said(hop.eid):
            if one.live and (
                hop.eid in wanted
                or (how.run and one.run_id == how.run)
                or (source and source in standing.of(one.tx, "edge", one.pos))
            ):
                edges.setdefault(one.tx, []).append(one.pos)
    for one in reader.node_said(node.nid):
        if one.live and (
            (how.run and one.run_id == how.run)
            or (source and source in standing.of(one.tx, "node", one.pos))
        ):
            nodes.setdefault(one.tx, []).append(one.pos)
    return nodes, edges


class _Standing:
    """The sources of assertions, read once for each transaction."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._held: dict[str, dict[tuple[str, int], set[str]]] = {}

    def of(self, tx: str, kind: str, pos: int) -> set[str]:
        if tx not in self._held:
            line = seq_of(self._reader, tx) or 0
            self._held[tx] = {
                (what, at): sources for what, at, sources in assertion_sources(self._reader, line)
            }
        return self._held[tx].get((kind, pos), set())


def _bindings(reader: Reader, node: NodeView, new: str, moved: Places) -> list[Event]:
    """So that the next run over a source doesn't join what was parted: its names mean the new node there. A source on which what
    stays rests as well decides nothing."""
    standing = _Standing(reader)
    going: set[str] = set()
    staying: set[str] = set()
    said = [("node", one) for one in reader.node_said(node.nid)]
    said += [("edge", one) for hop in reader.hops(node.nid) for one in reader.edge_said(hop.eid)]
    for kind, one in said:
        if one.live:
            (going if one.pos in moved.get(one.tx, ()) else staying).update(
                standing.of(one.tx, kind, one.pos)
            )
    names = sorted({fold(name) for name in (node.name, *node.aliases)})
    keys = [f"{source} {node.type} {name}" for source in sorted(going - staying) for name in names]
    return [{"kind": "meta", "what": "bind", "key": key, "node": new} for key in keys]
