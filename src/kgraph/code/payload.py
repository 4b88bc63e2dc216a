"""From what is known of a unit to its payload (spec 1.3). Quotes are slices of the file; nothing here is worded anew."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgraph.code.facts import CodeEntity, Place
from kgraph.code.places import Lines
from kgraph.contract.identity import key_id
from kgraph.model import Json
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

_FIRST_WORDS = re.compile(r"[^\s\ufeff](?:[^\r\n]{0,198}[^\s])?")

_WORD = re.compile(r"\w")


class FileText(NamedTuple):
    """A file of the unit as it is now."""

    uri: str
    sha256: str
    text: str


class Payload:
    """Collects nodes and edges. A node that is stated twice keeps its fullest form; every edge that cites is kept."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[str, str, str], dict[str, Json]] = {}
        self._edges: dict[tuple[Json, ...], dict[str, Json]] = {}

    def source(self, file: FileText, attrs: dict[str, Json]) -> str:
        name = file.uri.rpartition("/")[2]
        node = {"type": "Source", "name": name, "uri": file.uri, "sha256": file.sha256}
        return self._put("Source", file.uri, "", node | ({"attrs": attrs} if attrs else {}))

    def entity(self, entity: CodeEntity) -> str:
        node: dict[str, Json] = {"type": "Entity", "name": entity.name}
        if entity.qualifier:
            node["qualifier"] = entity.qualifier
        if entity.description:
            node["description"] = entity.description
        node["attrs"] = {"kind": entity.kind} | {
            key: True if value == "true" else value for key, value in entity.attrs
        }
        return self._put("Entity", entity.name, entity.qualifier, node)

    def node(self, kind: str, name: str, **fields: Json) -> str:
        given = {key: value for key, value in fields.items() if value not in ("", None)}
        return self._put(
            kind, name, str(fields.get("qualifier", "")), {"type": kind, "name": name} | given
        )

    def edge(
        self,
        predicate: str,
        source: str,
        target: str,
        cited: tuple[FileText, Place] | None = None,
        **fields: Json,
    ) -> None:
        """``source`` and ``target`` are what ``source()``, ``entity()`` and ``node()`` gave."""
        edge: dict[str, Json] = {
            "predicate": predicate,
            "source": source,
            "target": target,
        } | fields
        if cited is not None:
            edge |= citation(*cited)
        self._edges.setdefault(
            (
                predicate,
                source,
                target,
                edge.get("kind"),
                edge.get("source_doc"),
                edge.get("quote"),
            ),
            edge,
        )

    def as_json(self) -> dict[str, Json]:
        """Ends are names where a name is enough, and ids where two nodes of the payload share one."""
        names = _ends(self._nodes)
        edges = [
            edge | {"source": names[edge["source"]], "target": names[edge["target"]]}
            for edge in self._edges.values()
        ]
        return {"nodes": list(self._nodes.values()), "edges": edges}

    def _put(self, kind: str, name: str, qualifier: str, node: dict[str, Json]) -> str:
        key = (kind, name, qualifier)
        known = self._nodes.setdefault(key, node)
        if known is not node:
            self._nodes[key] = known | {
                field: value
                for field, value in node.items()
                if field != "attrs" and field not in known
            }
            if "attrs" in known or "attrs" in node:
                self._nodes[key]["attrs"] = node.get("attrs", {}) | known.get("attrs", {})
        return "\0".join(key)


def citation(file: FileText, place: Place) -> dict[str, str]:
    return {
        "source_doc": f"{file.uri}#{anchor(place)}",
        "quote": file.text[place.start : place.end],
    }


def head_of(file: FileText) -> tuple[FileText, Place] | None:
    """What a file as such is cited by: its first line with a word in it, or the beginning of one that is very long.

    None for a file without words: there is nothing to point at. A line of marks alone ('/**') could be found anywhere.
    """
    found = next(
        (line for line in _FIRST_WORDS.finditer(file.text) if _WORD.search(line.group())), None
    )
    return (file, Lines(file.text).range(*found.span())) if found else None


def anchor(place: Place) -> str:
    return f"L{place.line}" if place.line == place.end_line else f"L{place.line}-L{place.end_line}"


def _ends(nodes: dict[tuple[str, str, str], dict[str, Json]]) -> dict[str, str]:
    """What an edge writes for each node; a node that shares its folded name with another gets an ``id``."""
    shared = _shared(fold(node["name"]) for node in nodes.values())
    found = {}
    for key, node in nodes.items():
        if fold(node["name"]) in shared:
            node["id"] = key_id(
                node["type"], node["name"], node.get("uri", ""), node.get("qualifier", "")
            )
        found["\0".join(key)] = str(node.get("id", node["name"]))
    return found


def _shared(names: Iterable[str]) -> set[str]:
    seen: set[str] = set()
    twice: set[str] = set()
    for name in names:
        (twice if name in seen else seen).add(name)
    return twice
