"""Other formats: a graph written out, whole or around a question, and files of other formats taken in."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kgraph.errors import NotAllowed, UsageError
from kgraph.events import Draft, Event, edge_id
from kgraph.graph.picturing import Chosen, snapshot
from kgraph.graph.viewing import About, meta
from kgraph.index.health import breaches
from kgraph.ontology import NODE_TYPES, PREDICATES, fold
from kgraph.plurals import counted
from kgraph.tuples import NamedTuple
from kgraph.views.exchange.foreign import Foreign
from kgraph.views.exchange.formats import FOLDERS, export, read
from kgraph.views.files import Written, write
from kgraph.views.snapshot import Edge, EdgeAssertion, Node, NodeAssertion, Snapshot

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.graph.pushing import Pushed, Server
    from kgraph.index.read import Reader
    from kgraph.retrieve.question import Question


def chunks_of(
    graph: Graph, form: str, question: Question | None = None
) -> Iterable[str] | Iterable[bytes]:
    """A one-file format in pieces, for standard output. Raises UsageError for one of several files."""
    if form in FOLDERS:
        raise UsageError(
            f"{form} is several files and can't go to standard output",
            "name a folder with --output",
        )
    return next(iter(export(_snapshot(graph, question), form))).chunks


class Target(NamedTuple):
    """A file or folder to write to. ``force``: also over what kgraph didn't write. ``raw``: CSV cells that a spreadsheet would take for
    formulas stay as they are."""

    path: str
    force: bool = False
    raw: bool = False


def write_out(
    graph: Graph, form: str, target: Target, question: Question | None = None
) -> list[Written]:
    """Write a format to a file or folder: the files that were written."""
    files = export(_snapshot(graph, question), form, target.raw)
    return [
        write(
            os.path.join(target.path, one.name) if one.name else target.path,
            one.chunks,
            target.force,
        )
        for one in files
    ]


def push(graph: Graph, server: Server, question: Question | None = None) -> Pushed:
    """Merge the graph, or what a question reaches, into a running database."""
    from kgraph.graph import pushing

    query, close = pushing.connected(server.kind, server.url, server.database, os.environ)
    try:
        return pushing.push(_snapshot(graph, question), query)
    finally:
        close()


def _snapshot(graph: Graph, question: Question | None) -> Snapshot:
    reader = graph.reader()
    head = meta(reader, About(graph.manifest, graph.path, graph.source_root), graph.engine.clock())
    if question is None:
        return snapshot(reader, head)
    from kgraph.retrieve.finding import find

    question.check()
    found = find(reader, question)
    nodes = {ranked.nid for ranked in found.nodes[: question.max_nodes]}
    edges = reader.edges(
        one.hop.eid for one in found.relations if one.source in nodes and one.target in nodes
    )
    ends = {end for edge in edges.values() for end in (edge.src, edge.dst)}
    return snapshot(reader, head, Chosen(frozenset(nodes | ends), frozenset(edges)))


# -- taking in ---------------------------------------------------------------------------------------------------------------------


def import_file(graph: Graph, path: str, form: str, run_id: str) -> tuple[dict[str, Any], int]:
    """A file or folder in one of the import formats: (answer, exit status)."""
    if not os.path.exists(path):
        raise UsageError(f"there is no {path}", "give a graph's folder, its log.jsonl, or a file")
    found = read(path, form)
    if isinstance(found, Foreign):
        from kgraph.graph.answers import Ingestion

        receipt = graph.ingest(found.payload, Ingestion(run_id=run_id, op="import"))
        return {
            **receipt.as_json(),
            **_written([receipt.tx] if receipt.tx else []),
            "notes": list(found.notes),
        }, receipt.exit_status
    return _import_snapshot(graph, found, run_id), 0


def _import_snapshot(graph: Graph, found: Snapshot, run_id: str) -> dict[str, Any]:
    """Every assertion of an exported graph, as one transaction. Raises NotAllowed for what no log of ours could hold."""
    nodes, edges = list(found.nodes), list(found.edges)
    _refuse_impossible(nodes, edges)
    events: list[Event] = [
        _node_event(node, said)
        for node in nodes
        for said in node.assertions or (NodeAssertion(node.name),)
    ]
    events += [
        _edge_event(edge, said) for edge in edges for said in edge.assertions or (EdgeAssertion(),)
    ]
    with graph.engine.writing() as writer:
        reader = writer.reader
        _refuse_clashes(reader, nodes)
        with writer.adding() as recorder:
            done = recorder.add(
                Draft(
                    "import",
                    events,
                    run_id,
                    reason=f"graph {found.meta.name}" if found.meta.name else "",
                )
            )
            nids = reader.nids([node.id for node in nodes])
            broken = breaches(reader, nids.values())
            if broken:
                first = broken[0]
                example = f"'{first.name}' ({first.invariant}: {first.detail})"
                raise NotAllowed(
                    f"{counted(len(broken), 'node')} would break an invariant, for instance {example}",
                    "mend the file",
                )
    return {**_written([done.id]), "nodes": len(nodes), "edges": len(edges)}


def _written(added: list[str]) -> dict[str, Any]:
    return {"transactions": len(added), "added": added}


def _refuse_impossible(nodes: list[Node], edges: list[Edge]) -> None:
    kinds = {node.id: node.type for node in nodes}
    if len(kinds) != len(nodes):
        raise NotAllowed("the file gives one id to several nodes", "give each node its own id")
    for node in nodes:
        if node.type not in NODE_TYPES:
            raise NotAllowed(
                f"'{node.name}' has the unknown type '{node.type}'",
                "kgraph schema --ontology lists the types",
            )
    for edge in edges:
        if edge.predicate not in PREDICATES:
            raise NotAllowed(
                f"the edge {edge.id} has the unknown predicate '{edge.predicate}'",
                "kgraph schema --ontology lists the predicates",
            )
        missing = [end for end in (edge.source, edge.target) if end not in kinds]
        if missing:
            raise NotAllowed(
                f"the edge {edge.id} ends at {missing[0]}, which is not in the file",
                "export the whole graph, or both ends",
            )
        if (kinds[edge.source], kinds[edge.target]) not in PREDICATES[
            edge.predicate
        ].allowed or edge.source == edge.target:
            raise NotAllowed(
                f"{edge.predicate} can't run from {kinds[edge.source]} to {kinds[edge.target]} (edge {edge.id})",
                "mend the file",
            )


def _refuse_clashes(reader: Reader, nodes: list[Node]) -> None:
    nids = reader.nids([node.id for node in nodes])
    views = reader.nodes(nids.values())
    for node in nodes:
        held = views.get(nids.get(node.id, -1))
        if held is None or not held.type:
            continue
        ours = {fold(text) for text in (held.name, *held.aliases)}
        if held.type != node.type or not ours & {fold(text) for text in (node.name, *node.aliases)}:
            raise NotAllowed(
                f"the id {node.id} stands for '{held.name}' here and for '{node.name}' in the file",
                "rename it in the file",
            )


def _node_event(node: Node, said: NodeAssertion) -> Event:
    event: Event = {
        "kind": "node",
        "id": node.id,
        "type": node.type,
        "name": said.name or node.name,
    }
    given = {
        "description": said.description, "aliases": list(said.aliases), "qualifier": node.qualifier, "valid_from": said.valid_from,
        "valid_to": said.valid_to, "attrs": dict(said.attrs), "run_id": said.run_id,
        **{"of_kind" if key == "kind" else key: value for key, value in said.fields.items()},
    }  # fmt: skip
    return event | {key: value for key, value in given.items() if value not in ("", [], {}, None)}


def _edge_event(edge: Edge, said: EdgeAssertion) -> Event:
    name = edge.id or edge_id(edge.predicate, (edge.source, edge.target), edge.kind)
    event: Event = {
        "kind": "edge",
        "id": name,
        "predicate": edge.predicate,
        "source": edge.source,
        "target": edge.target,
    }
    given: dict[str, Any] = {
        "rel": edge.kind, "source_doc": said.source_doc, "quote": said.quote, "confidence": said.confidence,
        "evidence": dict(said.evidence), "attrs": dict(said.attrs), "run_id": said.run_id,
        "valid_from": said.valid_from, "valid_to": said.valid_to, "role": said.role,
    }  # fmt: skip
    return event | {key: value for key, value in given.items() if value not in ("", {}, None)}
