"""What waits for a person: pairs that may be one, claims that their words don't carry, contradictions, citations that no longer hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from kgraph.errors import UsageError
from kgraph.index.read import EdgeView, Reader
from kgraph.support import judge

if TYPE_CHECKING:
    from kgraph.graph import Graph

PAGE = 50
QUOTES = 2  # shown for each side of a candidate
LOOKED_AT = 20_000  # edges that are judged for one page


def queue(graph: Graph, name: str, skip: int = 0) -> dict[str, Any]:
    """One page of a queue: ``{queue, items, more}``. Raises UsageError for a queue that there isn't."""
    if name not in QUEUES:
        raise UsageError(f"there is no queue '{name}'", f"there are: {', '.join(QUEUES)}")
    found = list(islice(QUEUES[name](graph), skip, skip + PAGE + 1))
    return {"queue": name, "items": found[:PAGE], "more": len(found) > PAGE}


def _candidates(graph: Graph) -> Iterator[dict[str, Any]]:
    reader = graph.reader()
    for cluster in graph.candidates(limit=PAGE * 4)["clusters"]:
        for pair in cluster["pairs"]:
            sides = [_side(reader, pair[side], pair[f"{side}_text"]) for side in ("left", "right")]
            if all(sides):
                yield {"key": f"{pair['left']} {pair['right']}", "sides": sides, "score": pair["score"], "features": pair["features"]}  # fmt: skip


def _side(reader: Reader, name: str, text: str) -> dict[str, Any] | None:
    nid = reader.nids([name]).get(name)
    if nid is None:
        return None
    node = reader.node(nid)
    hops = [hop for hop in reader.hops(nid, limit=20) if hop.predicate != "RESOLVED_TO"]
    quotes = []
    for edge in reader.edges(hop.eid for hop in hops).values():
        other = reader.node(edge.src if edge.dst == nid else edge.dst)
        said = edge.quote or (other.name if other.type == "Claim" else "")
        if said:
            quotes.append(
                {"text": said, "source_doc": edge.source_doc or _place(reader, other.nid)}
            )
    return {"id": node.id, "type": node.type, "name": node.name, "aliases": list(node.aliases), "description": node.description,
            "kind": str(node.fields.get("kind", "")), "qualifier": str(node.fields.get("qualifier", "")), "text": text, "quotes": quotes[:QUOTES]}  # fmt: skip


def _place(reader: Reader, claim: int) -> str:
    """Where a claim is cited."""
    hops = [hop for hop in reader.hops(claim, ("SUPPORTS",), 1) if not hop.forward]
    edges = reader.edges(hop.eid for hop in hops)
    return next((edge.source_doc for edge in edges.values()), "")


def _doubtful(graph: Graph) -> Iterator[dict[str, Any]]:
    reader = graph.reader()
    for edge in islice(reader.every_edge("SUPPORTS"), LOOKED_AT):
        claim = reader.node(edge.dst)
        found = judge(claim.name, edge.quote, {}, edge.source_doc)
        if found.doubtful:
            reasons = [reason._asdict() | {"doubt": str(reason.doubt)} for reason in found.reasons]
            yield _cited(reader, edge) | {"reasons": reasons}


def _cited(reader: Reader, edge: EdgeView) -> dict[str, Any]:
    ends = reader.nodes((edge.src, edge.dst))
    source, target = ends[edge.src], ends[edge.dst]
    return {
        "key": edge.id, "edge": edge.id, "predicate": edge.predicate, "status": edge.status, "quote": edge.quote,
        "source_doc": edge.source_doc, "source": {"id": source.id, "type": source.type, "name": source.name},
        "target": {"id": target.id, "type": target.type, "name": target.name},
    }  # fmt: skip


def _contradictions(graph: Graph) -> Iterator[dict[str, Any]]:
    reader = graph.reader()
    for edge in reader.every_edge("CONTRADICTS"):
        row = _cited(reader, edge)
        row["supports"] = [
            {"edge": one.id, "quote": one.quote, "source_doc": one.source_doc}
            for one in reader.edges(hop.eid for hop in reader.hops(edge.dst, ("SUPPORTS",), 3) if not hop.forward).values()
        ]  # fmt: skip
        yield row


def _stale(graph: Graph) -> Iterator[dict[str, Any]]:
    """Citations that don't hold in the files as they are now, with the words that stand there instead."""
    reader, shelf = graph.reader(), graph.shelf()
    for row in graph.verify()["problems"]:
        eid = reader.edge_ids([row["edge"]]).get(row["edge"])
        if eid is None:
            continue
        edge = reader.edges([eid])[eid]
        uri = edge.source_doc.partition("#")[0]
        document = shelf.document(uri)
        now = ""
        lines = (edge.evidence or {}).get("lines")
        if document is not None and isinstance(lines, list) and lines:
            text = document.text.split("\n")
            now = "\n".join(text[max(0, int(lines[0]) - 2) : int(lines[-1]) + 1])
        yield _cited(reader, edge) | {"status": row["status"], "now": now[:2000]}


def _unread(graph: Graph) -> Iterator[dict[str, Any]]:
    """Units that ended otherwise than done, or lost statements on the way."""
    for unit in graph.unit_outcomes():
        if unit["outcome"] not in ("done", "empty", "skipped") or unit.get("reason"):
            yield {"key": unit["unit"], **unit}


QUEUES: dict[str, Callable[[Graph], Iterator[dict[str, Any]]]] = {
    "candidates": _candidates,
    "doubtful": _doubtful,
    "contradictions": _contradictions,
    "stale": _stale,
    "unread": _unread,
}
