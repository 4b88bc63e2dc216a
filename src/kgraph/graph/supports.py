"""The sources of an assertion: what it stands on in its own transaction."""

from __future__ import annotations

from collections.abc import Iterator

from kgraph.events import Event, Transaction, decode
from kgraph.index.assertions import Kind
from kgraph.index.lines import line_at
from kgraph.index.read import Reader
from kgraph.ontology import fold


def assertion_sources(reader: Reader, line: int) -> Iterator[tuple[Kind, int, set[str]]]:
    """For each assertion of a transaction: ('node' or 'edge', position, ids of its Sources)."""
    found = line_at(reader, line)
    if found.is_legacy:
        return iter(())
    return sources_in(decode(reader.index.log.read(found.position, 0, found.length)))


def sources_in(transaction: Transaction) -> Iterator[tuple[Kind, int, set[str]]]:
    """Pure: an edge stands on the Source at its end or in its ``source_doc``; a Claim on the Sources it is tied to; any other node on
    those of the Claims and Sources that touch it; else on all Sources of the transaction. A Source stands on itself."""
    types = {
        event["id"]: event["type"] for event in transaction.events if event.get("kind") == "node"
    }
    called: dict[str, str] = {}
    for event in transaction.events:
        if event.get("kind") == "node" and event["type"] == "Source":
            for text in (event["name"], event.get("uri") or ""):
                if text:
                    called.setdefault(fold(text), event["id"])
    edges = [
        (pos, event) for pos, event in enumerate(transaction.events) if event.get("kind") == "edge"
    ]
    of_edge: dict[int, set[str]] = {}
    of_claim: dict[str, set[str]] = {}
    for pos, event in edges:
        ends = (event["source"], event["target"])
        cited = called.get(fold(cited_source(event.get("source_doc") or "")))
        of_edge[pos] = {end for end in ends if types.get(end) == "Source"} | (
            {cited} if cited else set()
        )
        claim = _tied(event, types)
        if claim:
            of_claim.setdefault(claim, set()).update(of_edge[pos])
    touching: dict[str, set[str]] = {}
    for _, event in edges:
        for one, other in ((event["source"], event["target"]), (event["target"], event["source"])):
            if types.get(other) == "Source":
                touching.setdefault(one, set()).add(other)
            elif types.get(other) == "Claim":
                touching.setdefault(one, set()).update(of_claim.get(other, set()))
    everything = {name for name, kind in types.items() if kind == "Source"}
    for pos, event in enumerate(transaction.events):
        if event.get("kind") == "edge":
            yield "edge", pos, of_edge[pos] or everything
        elif event.get("kind") == "node":
            name, kind = event["id"], event["type"]
            if kind == "Source":
                yield "node", pos, {name}
            else:
                yield (
                    "node",
                    pos,
                    (of_claim.get(name) if kind == "Claim" else touching.get(name)) or everything,
                )


def _tied(event: Event, types: dict[str, str]) -> str:
    if event["predicate"] == "SUPPORTS" and types.get(event["source"]) == "Source":
        return str(event["target"])
    if (
        event["predicate"] == "DERIVED_FROM"
        and types.get(event["source"]) == "Claim"
        and types.get(event["target"]) == "Source"
    ):
        return str(event["source"])
    return ""


def cited_source(source_doc: str) -> str:
    """The name or uri in ``name#anchor``, ``uri#anchor``, ``path:12`` or ``path:12-20``."""
    path, mark, _ = source_doc.partition("#")
    if mark:
        return path
    head, colon, tail = source_doc.rpartition(":")
    if colon and head and tail.replace("-", "", 1).isdigit():
        return head
    return source_doc
