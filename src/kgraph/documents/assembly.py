"""A payload put together: the Source first, each thing once, no edge to a name that nothing bears."""

from __future__ import annotations

import re

from kgraph.documents.terms import Term
from kgraph.language.folding import fold_hyphens
from kgraph.model import Json

_WORD = re.compile(r"[^\W_]+")


class Payload:
    """Nodes and edges in the order in which they were first said; saying one again adds nothing."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Json]] = []
        self.edges: list[dict[str, Json]] = []
        self._nodes: dict[tuple[str, str], dict[str, Json]] = {}
        self._edges: set[tuple[str, str, str]] = set()

    def node(self, type: str, name: str, **fields: Json) -> dict[str, Json]:
        """The node of this type and name; ``fields`` that are empty are left out, and an earlier value stays."""
        key = (type, name)
        node = self._nodes.get(key)
        if node is None:
            node = {"type": type, "name": name}
            self._nodes[key] = node
            self.nodes.append(node)
        for field, value in fields.items():
            if value not in ("", None, [], {}):
                node.setdefault(field, value)
        return node

    def has(self, type: str, name: str) -> bool:
        return (type, name) in self._nodes

    def edge(self, predicate: str, source: str, target: str, **fields: Json) -> None:
        key = (predicate, source, target)
        if source == target or key in self._edges:
            return
        self._edges.add(key)
        edge: dict[str, Json] = {"predicate": predicate, "source": source, "target": target}
        edge.update((field, value) for field, value in fields.items() if value not in ("", None))
        self.edges.append(edge)

    def entity(self, term: Term) -> str:
        """The name of the Entity for a term, which is made if need be."""
        name = term.name
        aliases = sorted(surface for surface in term.surfaces if surface != name)
        attrs = {"link": term.target} if "://" in term.target else {}
        self.node(
            "Entity",
            name,
            description=term.description,
            aliases=aliases,
            qualifier=term.qualifier,
            kind=entity_kind(term),
            attrs=attrs,
        )
        return name

    def as_json(self) -> dict[str, Json]:
        return {"nodes": self.nodes, "edges": self.edges}


_ORGANIZATION = re.compile(
    r"(?:^|\s)(?:Inc|Ltd|LLC|Corp|Corporation|GmbH|AG|S\.A|Foundation|University|Institute|Company|Bank)\.?$"
)
_BY_MARK = {"version": "version", "reference": "document", "person": "person"}


def entity_kind(term: Term) -> str:
    """What kind of thing a term is, where its mark or the form of its name says so; '' otherwise."""
    if term.sort:
        return term.sort
    for mark, kind in _BY_MARK.items():
        if mark in term.kinds:
            return kind
    name = term.name
    if _ORGANIZATION.search(name):
        return "organization"
    if name.endswith((" Team", " team")):
        return "team"
    if name.startswith("--"):
        return "setting"
    return ""


def same_words(name: str) -> str:
    """The key under which two claims say the same: letters and digits only."""
    return " ".join(_WORD.findall(fold_hyphens(name)))
