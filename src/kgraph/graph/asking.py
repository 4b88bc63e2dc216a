"""Looking things up: one node or edge with all that is known of it, the history of the log, and the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.errors import UnknownReference
from kgraph.graph.references import edge_of, node_of, taken_by
from kgraph.graph.weighing import judgements
from kgraph.index import lines
from kgraph.index.adjacency import edges_seen
from kgraph.index.lines import line, newest
from kgraph.index.read import EdgeView, NodeView, Reader, Said
from kgraph.ontology import NODE_TYPES
from kgraph.retrieve.carrying import Carrying
from kgraph.retrieve.times import (
    Span,
    any_holds,
    mark,
    period,
    spans_of_edge,
    spans_of_node,
)
from kgraph.support import Support
from kgraph.support.wording import as_json
from kgraph.tuples import NamedTuple

SHOWN_EDGES = 200


class Showing(NamedTuple):
    """How something is to be shown: with its history, as it was written instead of merged, ``at`` a time of the world; ``now``: what
    ended before is marked."""

    history: bool = False
    surface: bool = False
    at: str = ""
    now: str = ""


def show(reader: Reader, reference: str, options: Showing) -> dict[str, Any]:
    """A node or an edge as it is. An alias is shown as the canonical node that it was merged into, with ``asked`` for the surface form
    that the reference names."""
    history, surface = options.history, options.surface
    at = period(options.at)
    if reference.startswith("edg_") or reader.edge_ids([reference]):
        return _show_edge(reader, reference, options)
    asked = _living(reader, reference)
    node = asked if surface or asked.canon == asked.nid else reader.node(asked.canon)
    members = [node.nid] if surface else reader.members(node.nid)
    found: dict[str, Any] = {
        "node": node_json(reader, node, members) | _tenure(spans_of_node(reader, node), options.now)
    }
    if node.nid != asked.nid:
        found["asked"] = {"id": asked.id, "name": asked.name}
    hops = [hop for member in members for hop in reader.hops(member, limit=SHOWN_EDGES)]
    total = sum(reader.degree(member) for member in members) - reader.inner(members)
    views = reader.edges(hop.eid for hop in hops[: 2 * SHOWN_EDGES])
    names = reader.nodes(end for edge in views.values() for end in (edge.src, edge.dst))
    spans = {eid: spans_of_edge(reader, edge) for eid, edge in views.items()}
    if at is not None:
        views = {
            eid: edge for eid, edge in views.items()
            if any_holds(spans[eid], at)
            and all(any_holds(spans_of_node(reader, names[end]), at) for end in (edge.src, edge.dst) if end not in members)
        }  # fmt: skip
    carried = Carrying(reader).of_all(views.values())
    judged = judgements(reader, [edge for edge in views.values() if edge.quote])
    found["edges"] = [
        edge_json(edge, names)
        | _tenure(spans[edge.eid], options.now)
        | _support(edge, carried[edge.eid], judged)
        for edge in sorted(views.values(), key=lambda edge: (edge.predicate, edge.eid))
    ]
    found["edges_shown"], found["edges_total"] = len(views), total
    if history:
        found["history"] = [
            said_json(said) for member in members for said in reader.node_said(member)
        ]
    return found


def _living(reader: Reader, reference: str) -> NodeView:
    """The node that a reference names. Raises UnknownReference, which says so where it was taken back."""
    try:
        return node_of(reader, reference)
    except UnknownReference:
        dead = [node for node in reader.look_up(reference, dead=True) if not node.live]
        if len(dead) != 1:
            raise
    raise gone(
        reader, f"{dead[0].type} '{dead[0].name}'", reader.node_said(dead[0].nid), dead[0].id
    )


def gone(reader: Reader, what: str, said: Sequence[Said], name: str) -> UnknownReference:
    """That something is not in the graph now: who took it back, when and why."""
    taker = taken_by(reader, said[-1].tx) if said else ""
    by = line(reader, taker) if taker else None
    if by is None:
        return UnknownReference(
            f"{what} is not in the graph now", f"kgraph history {name} tells what became of it"
        )
    why = f" ({by.reason})" if by.reason else ""
    did = "retracted" if by.op == "retract" else f"taken back by a {by.op}"
    return UnknownReference(
        f"{what} was {did} by transaction {taker[:12]} at {by.ts[:19]}Z{why}",
        f"kgraph restore --tx {taker[:12]} takes that back",
    )


def _support(
    edge: EdgeView, support: Support, judged: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """How well an edge's words carry it, for edges that have words, and beside it what a model or a person has judged."""
    if not edge.quote:
        return {}
    told = as_json(support)
    return {"support": told | ({"judged": judged[edge.id]} if edge.id in judged else {})}


def _tenure(spans: Sequence[Span], now: str) -> dict[str, Any]:
    """What doesn't hold now, marked, and the intervals where there are several."""
    found: dict[str, Any] = {}
    if held := mark(spans, now):
        found["held"] = held
    if len(spans) > 1:
        found["tenures"] = [
            {"valid_from": span.start, "valid_to": span.end, "tx": span.tx} for span in spans
        ]
    return found


def _show_edge(reader: Reader, reference: str, options: Showing) -> dict[str, Any]:
    history = options.history
    eid = edge_of(reader, reference)
    edge = reader.edges([eid])[eid]
    if not edges_seen(reader, [eid])[eid].is_seen and not history:
        raise gone(reader, f"the edge '{reference}'", reader.edge_said(eid), reference)
    names = reader.nodes((edge.src, edge.dst))
    said = reader.edge_said(eid)
    found: dict[str, Any] = {
        "edge": edge_json(edge, names)
        | _tenure(spans_of_edge(reader, edge), options.now)
        | _support(edge, Carrying(reader).of(edge), judgements(reader, [edge]))
        | {"said": [said_json(one) for one in said if one.live]}
    }
    if history:
        found["history"] = [said_json(one) for one in said]
    return found


def node_json(reader: Reader, node: NodeView, members: Sequence[int]) -> dict[str, Any]:
    """A node with everything that its live assertions say, and who said it."""
    said = [one for member in members for one in reader.node_said(member) if one.live]
    views = reader.nodes(members)
    spellings: dict[str, None] = {}
    for view in views.values():
        spellings.update(dict.fromkeys((view.name, *view.aliases)))
    spellings.pop(node.name, None)
    descriptions: dict[str, dict[str, Any]] = {}
    for one in said:
        text = one.event.get("description")
        if text:
            row = descriptions.setdefault(text, {"text": text, "runs": [], "tx": one.tx})
            if one.run_id not in row["runs"]:
                row["runs"].append(one.run_id)
    fields = dict(node.fields)
    if node.type == "Claim":
        fields["inference"] = node.inference
    return {
        "id": node.id, "type": node.type, "name": node.name, "description": node.description, "aliases": list(spellings),
        "descriptions": list(descriptions.values()), **fields, "attrs": node.attrs, "attributes_said": _attributes(said),
        "canonical": reader.node(node.canon).id, "members": [view.id for view in views.values() if view.nid != node.nid],
        "assertions": sum(view.assertions for view in views.values()), "runs": sorted({one.run_id for one in said} - {""}),
        "inferred_by": sorted({one.run_id for one in said if one.event.get("inference") is True}),
    }  # fmt: skip


def _attributes(said: Sequence[Said]) -> dict[str, list[dict[str, Any]]]:
    """Attributes to which different values were given: all of them, the latest last."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in said:
        kind = {"kind": one.event["of_kind"]} if "of_kind" in one.event else {}
        for key, value in {**kind, **(one.event.get("attrs") or {})}.items():
            rows = found.setdefault(key, [])
            if not rows or rows[-1]["value"] != value:
                rows.append({"value": value, "run_id": one.run_id, "tx": one.tx})
    return {key: rows for key, rows in found.items() if len(rows) > 1}


def edge_json(edge: EdgeView, names: dict[int, NodeView]) -> dict[str, Any]:
    """An edge with its ends by id and name, and its best citation."""
    source, target = names[edge.src], names[edge.dst]
    found: dict[str, Any] = {
        "id": edge.id, "predicate": edge.predicate, "source": source.id, "target": target.id, "source_name": source.name,
        "target_name": target.name, "source_type": source.type, "target_type": target.type,
    }  # fmt: skip
    optional = {
        "kind": edge.kind, "role": edge.role, "source_doc": edge.source_doc, "quote": edge.quote, "confidence": edge.confidence, "evidence": edge.evidence,
        "valid_from": edge.valid_from, "valid_to": edge.valid_to, "attrs": edge.attrs,
    }  # fmt: skip
    found |= {key: value for key, value in optional.items() if value not in (None, "", {})}
    return found | {"run_id": edge.run_id, "tx": edge.tx, "assertions": edge.assertions}


def said_json(said: Said) -> dict[str, Any]:
    return {
        "tx": said.tx,
        "pos": said.pos,
        "ts": said.ts,
        "run_id": said.run_id,
        "op": said.op,
        "live": said.live,
        "event": said.event,
    }


def history(reader: Reader, reference: str, limit: int) -> list[dict[str, Any]]:
    """Transactions, newest first; with a reference those that spoke of that node or edge, withdrawn ones marked."""
    if reference:
        return _history_of(reader, reference, limit)
    return [
        {
            "tx": one.id, "ts": one.ts, "op": one.op, "run_id": one.run, "agent": one.agent, "unit": one.unit, "reason": one.reason,
            "nodes": one.nodes, "edges": one.edges, "withdrawn": one.gone > 0,
        }
        for one in newest(reader, limit)
    ]  # fmt: skip


def _history_of(reader: Reader, reference: str, limit: int) -> list[dict[str, Any]]:
    edges = reader.edge_ids([reference])
    if edges:
        said = reader.edge_said(edges[reference])
    else:
        found = reader.look_up(reference) or reader.look_up(reference, dead=True)
        narrowed, colon, rest = reference.partition(":")
        if not found and colon and narrowed in NODE_TYPES:
            found = reader.look_up(rest, narrowed) or reader.look_up(rest, narrowed, dead=True)
        node = found[0] if len(found) == 1 else node_of(reader, reference)
        said = reader.node_said(node.nid)
    rows = [said_json(one) | {"withdrawn": not one.live} for one in reversed(said)]
    return rows[:limit] if limit else rows


def runs(reader: Reader) -> list[dict[str, Any]]:
    """Every run: first and last transaction, how many, what of it lives, what it cost."""
    found = {
        run: {
            "run_id": run, "first": row.first, "last": row.last, "transactions": row.transactions, "nodes": row.nodes, "edges": row.edges,
            "cost": 0.0,
        }
        for run, row in lines.runs(reader).items()
    }  # fmt: skip
    for _, event in reader.notes("cost"):
        row = found.get(str(event.get("run_id") or event.get("key") or ""))
        if row and isinstance(event.get("cost"), int | float):
            row["cost"] += event["cost"]
    return list(found.values())
