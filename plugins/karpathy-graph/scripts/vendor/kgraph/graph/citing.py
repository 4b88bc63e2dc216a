"""Hold the citations of admitted edges against their sources, and write what was found into the edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kgraph.contract.identity import normalise_uri
from kgraph.evidence import Access, locate, problems, split
from kgraph.index.read import Reader
from kgraph.model import Citation, Document, Evidence, Problem
from kgraph.ontology import PREDICATES, fold
from kgraph.sources import Unreadable

Event = dict[str, Any]


class Cited(NamedTuple):
    """An edge with a citation: its place in the payload, itself, and the uri of the Source that it cites ("" where none is known)."""

    number: int
    event: Event
    uri: str


class Findings(NamedTuple):
    """What became of the citations: by status, the warnings, and the positions of the edges whose words changed."""

    counts: dict[str, int]
    warnings: list[Problem]
    changed: list[int]


class Shelf:
    """Documents by uri, read once: those that are given, else files below the source roots."""

    def __init__(self, access: Access, root: str, given: Mapping[str, Document] | None = None) -> None:
        self._access = access
        self.root = root
        self._held: dict[str, Document | None] = dict(given or {})

    def document(self, uri: str) -> Document | None:
        if uri not in self._held:
            try:
                self._held[uri] = self._access.document(uri) if uri else None
            except Unreadable:
                self._held[uri] = None
        return self._held[uri]

    def text(self, uri: str) -> str | None:
        document = self.document(uri)
        return document.text if document else None


def hold_against_sources(reader: Reader, nodes: Sequence[Event], edges: Sequence[Event], shelf: Shelf) -> Findings:
    """Check every citation. Edges get ``evidence`` and, where it was found elsewhere or nowhere given, their ``source_doc`` corrected."""
    cited = _cited(reader, (nodes, edges), shelf.root)
    by_uri: dict[str, list[Cited]] = {}
    for one in cited:
        by_uri.setdefault(one.uri, []).append(one)
    counts: dict[str, int] = {}
    warnings: list[Problem] = []
    changed: list[int] = []
    for uri, some in by_uri.items():
        document = shelf.document(uri)
        citations = [Citation(one.event.get("quote") or "", one.event.get("source_doc") or "") for one in some]
        found = locate(document, citations) if document else [Evidence("unchecked")] * len(some)
        warnings += problems(document, citations, found, [f"$.edges[{one.number}]" for one in some])
        for one, evidence in zip(some, found, strict=True):
            counts[evidence.status] = counts.get(evidence.status, 0) + 1
            if evidence.status == "unchecked" and document is None:
                continue
            one.event["evidence"] = evidence.as_json()
            if evidence.source_doc:
                one.event["source_doc"] = evidence.source_doc
            changed.append(one.number)
    return Findings(dict(sorted(counts.items())), warnings, changed)


def _cited(reader: Reader, payload: tuple[Sequence[Event], Sequence[Event]], root: str) -> list[Cited]:
    nodes, edges = payload
    carrying = [
        (number, event) for number, event in enumerate(edges)
        if (event.get("quote") or event.get("source_doc")) and PREDICATES[event["predicate"]].evidence
    ]  # fmt: skip
    if not carrying:
        return []
    uris = {node["id"]: str(node.get("uri") or "") for node in nodes if node["type"] == "Source"}
    named: dict[str, set[str]] = {}
    for node in nodes:
        if node["type"] == "Source":
            for text in (node["name"], node.get("uri") or ""):
                named.setdefault(fold(text), set()).add(node["id"])
    written = {split(event.get("source_doc") or "").document for _, event in carrying} - {""}
    asked = {fold(text) for one in written for text in (one, normalise_uri(one, root))} - named.keys()
    for text, hits in reader.named(asked).items():
        for view in reader.nodes(nid for nid, _ in hits).values():
            if view.type == "Source":
                named.setdefault(text, set()).add(view.id)
                uris[view.id] = str(view.fields.get("uri", ""))
    found = []
    for number, event in carrying:
        ends = {end for end in (event["source"], event["target"]) if end in uris}
        place = split(event.get("source_doc") or "").document
        called = named.get(fold(place), set()) | named.get(fold(normalise_uri(place, root)), set())
        meant = called & ends or called if place else ends
        known = sorted({uris[name] for name in meant})
        found.append(Cited(number, event, known[0] if len(known) == 1 else ""))
    return found
