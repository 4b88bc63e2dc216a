"""Hold the citations of admitted edges against their sources, and write what was found into the edges."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.contract.identity import normalise_uri
from kgraph.graph.supports import cited_source
from kgraph.index.read import Reader
from kgraph.model import Citation, Document, Problem
from kgraph.ontology import PREDICATES, fold
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.evidence import Access

Event = dict[str, Any]
_NONE: set[str] = set()


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


class SourceCache:
    """Documents by uri, read once: those that are given, else files below the source roots."""

    def __init__(
        self, root: str, roots: tuple[str, ...] = (), given: Mapping[str, Document] | None = None
    ) -> None:
        self.root = root
        self._roots = roots
        self._access: Access | None = None
        self._held: dict[str, Document | None] = dict(given or {})
        self._hashes: dict[str, str] = {}

    @property
    def read(self) -> list[Document]:
        """Every document that was read."""
        return [document for document in self._held.values() if document is not None]

    def document(self, uri: str) -> Document | None:
        if uri not in self._held:
            self._held[uri] = self._read(uri) if uri and self._may_exist(uri) else None
        return self._held[uri]

    def _may_exist(self, uri: str) -> bool:
        """Whether it is worth loading the readers: whether anything at all lies there."""
        place = uri.removeprefix("file://")
        if not place.isascii():
            return True  # the disk may spell it otherwise
        return "\0" not in place and any(
            os.path.lexists(os.path.join(root, place)) for root in (self.root, *self._roots)
        )

    def _read(self, uri: str) -> Document | None:
        from kgraph.evidence import Access
        from kgraph.sources import Unreadable

        self._access = self._access or Access(self.root, self._roots)
        try:
            return self._access.document(uri)
        except Unreadable:
            return None

    def sha256(self, uri: str) -> str:
        """The hash of a uri's file as it is now, without reading it as a document; '' if it can't be read here."""
        if uri in self._held:
            held = self._held[uri]
            return held.sha256 if held is not None else ""
        if uri not in self._hashes:
            self._hashes[uri] = self._hash(uri) if uri and self._may_exist(uri) else ""
        return self._hashes[uri]

    def _hash(self, uri: str) -> str:
        import hashlib

        from kgraph.evidence import Access

        self._access = self._access or Access(self.root, self._roots)
        path = self._access.path_of(uri)
        if path is None:
            return ""
        try:
            with open(path, "rb") as handle:
                return hashlib.file_digest(handle, "sha256").hexdigest()
        except OSError:
            return ""

    def text(self, uri: str) -> str | None:
        document = self.document(uri)
        return document.text if document else None


def hold_against_sources(
    reader: Reader, nodes: Sequence[Event], edges: Sequence[Event], shelf: SourceCache
) -> Findings:
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
        if document is None:
            counts["unchecked"] = counts.get("unchecked", 0) + len(some)
            warnings.append(_unread(uri, some))
            continue
        from kgraph.evidence import locate, problems

        citations = [
            Citation(one.event.get("quote") or "", one.event.get("source_doc") or "")
            for one in some
        ]
        found = locate(document, citations)
        warnings += problems(document, citations, found, [f"$.edges[{one.number}]" for one in some])
        for one, evidence in zip(some, found, strict=True):
            counts[evidence.status] = counts.get(evidence.status, 0) + 1
            one.event["evidence"] = evidence.as_json()
            if evidence.source_doc:
                one.event["source_doc"] = evidence.source_doc
            changed.append(one.number)
    return Findings(dict(sorted(counts.items())), warnings, changed)


def _unread(uri: str, some: Sequence[Cited]) -> Problem:
    """One warning for a source that can't be read here, however often it is cited."""
    first = some[0]
    called = uri or cited_source(first.event.get("source_doc") or "") or "of this edge"
    many = "the citation is" if len(some) == 1 else f"{len(some)} citations are"
    message = f"the source '{called}' can't be read here, so {many} unchecked"
    return Problem(
        "W303", f"$.edges[{first.number}]", message, "give its folder with --source-root"
    )


def _cited(
    reader: Reader, payload: tuple[Sequence[Event], Sequence[Event]], root: str
) -> list[Cited]:
    nodes, edges = payload
    carrying = [
        (number, event) for number, event in enumerate(edges)
        if event.get("quote") or (event.get("source_doc") and PREDICATES[event["predicate"]].evidence)
    ]  # fmt: skip
    if not carrying:
        return []
    uris: dict[str, str] = {}
    named: dict[str, set[str]] = {}
    for node in nodes:
        if node["type"] == "Source":
            uri = str(node.get("uri") or "")
            uris[node["id"]] = uri
            for text in (node["name"], uri) if uri else (node["name"],):
                named.setdefault(fold(text), set()).add(node["id"])
    bare = [name for name, uri in uris.items() if not uri]
    for view in (
        reader.nodes(reader.nids(bare).values()).values() if bare else ()
    ):  # the graph may know what the payload leaves out
        uris[view.id] = str(view.fields.get("uri", ""))
        named.setdefault(fold(uris[view.id]), set()).add(view.id)
    places = {
        text: cited_source(text)
        for text in {event.get("source_doc") or "" for _, event in carrying}
    }
    keys = {
        place: (fold(place), fold(normalise_uri(place, root)))
        for place in set(places.values())
        if place
    }
    _find_sources(
        reader, {key for pair in keys.values() for key in pair} - named.keys(), named, uris
    )
    called = {
        place: named.get(one, _NONE) | named.get(other, _NONE)
        for place, (one, other) in keys.items()
    }
    found = []
    for number, event in carrying:
        place = places[event.get("source_doc") or ""]
        meant = (
            called[place]
            if place
            else {end for end in (event["source"], event["target"]) if end in uris}
        )
        if len(meant) > 1 and place:
            meant = meant & {event["source"], event["target"]} or meant
        known = {uris[name] for name in meant}
        found.append(Cited(number, event, known.pop() if len(known) == 1 else ""))
    return found


def _find_sources(
    reader: Reader, asked: set[str], named: dict[str, set[str]], uris: dict[str, str]
) -> None:
    """Add the graph's Sources of these folded names to those of the payload: ids by name, uris by id."""
    for text, hits in reader.named(asked).items():
        for view in reader.nodes(nid for nid, _ in hits).values():
            if view.type == "Source":
                named.setdefault(text, set()).add(view.id)
                uris[view.id] = str(view.fields.get("uri", ""))
