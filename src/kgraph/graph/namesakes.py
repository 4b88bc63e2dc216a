"""One name, two things: whether a mention from another source means the node that has the name, or needs one of its own.

A false join is worse than a duplicate: it is silent, and a duplicate is found by ``candidates``. So where kind, identifiers or context
speak against it, the mention gets a node with a qualifier, and W211 says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.contract.words import content_words
from kgraph.index import surface
from kgraph.index.read import NodeView, Reader
from kgraph.language.lists import stop_words
from kgraph.model import Problem
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

_SAYS = 3  # content words, from which on a description says which thing is meant
_ONE_THING = ("orcid", "doi", "isbn", "email", "mail")  # attributes of which one thing has one


class Mention(NamedTuple):
    """A node of a payload without id and qualifier. ``beside``: the folded names of the payload's other nodes; ``uri``: its first Source;
    ``sources``: ids of those of its Sources that the graph has."""

    number: int
    node: Mapping[str, Any]
    beside: frozenset[str]
    uri: str
    sources: frozenset[str] = frozenset()


class Known(NamedTuple):
    """A node that has the name, ids of its Sources, and the folded names of its neighbours."""

    view: NodeView
    sources: frozenset[str]
    beside: frozenset[str]

    @property
    def kind(self) -> str:
        return str(self.view.fields.get("kind") or "")

    @property
    def qualifier(self) -> str:
        return str(self.view.fields.get("qualifier") or "")


class Placed(NamedTuple):
    """Where a mention goes: ``id`` of a node, or a ``qualifier`` for one of its own; neither where its name is enough."""

    id: str = ""
    qualifier: str = ""
    warning: str = ""


def placed(reader: Reader, payload: dict[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The payload with each mention of a namesake tied to the node that it means, and W211 for those that were kept apart or guessed."""
    if not isinstance(payload.get("nodes"), list):
        return payload, []  # the contract says what is wrong with it
    mentions = _mentions(payload)
    held = (
        surface.by_names(reader, sorted({fold(one.node["name"]) for one in mentions}))
        if mentions
        else {}
    )
    changed = list(payload["nodes"])
    warnings: list[Problem] = []
    sources: frozenset[str] | None = None
    for one in mentions:
        folded, kind = fold(one.node["name"]), one.node["type"]
        same = [
            found.id
            for found in held.get(folded, ())
            if found.live and found.state.type == kind and fold(found.state.name) == folded
        ]
        if not same:
            continue
        if len(same) == 1 and not _may_be_another(one.node):
            continue
        sources = _source_ids(reader, payload) if sources is None else sources
        place = place_of(one._replace(sources=sources), [_known(reader, id_) for id_ in same])
        if place.id and len(same) > 1:
            changed[one.number] = {**one.node, "id": place.id}
        elif place.qualifier:
            changed[one.number] = {**one.node, "qualifier": place.qualifier}
        if place.warning:
            hint = "give a qualifier or an id; kgraph resolve joins two that are one, kgraph split parts one that is two"
            warnings.append(Problem("W211", f"$.nodes[{one.number}]", place.warning, hint))
    return (
        {**payload, "nodes": changed} if warnings or changed != payload.get("nodes") else payload
    ), warnings


def place_of(mention: Mention, known: Sequence[Known]) -> Placed:
    """Which of the nodes of its name a mention means. Pure."""
    home = [one for one in known if one.sources & mention.sources]
    if len(home) == 1:
        return Placed(home[0].view.id)
    fits = [(_nearness(mention, one), one) for one in known if not opposed(mention, one)]
    name = mention.node["name"]
    if not fits:
        why = opposed(mention, known[0])
        qualifier = str(mention.node.get("kind") or "") if why == "kind" else ""
        qualifier = qualifier or f"in {mention.uri}"
        return Placed(
            qualifier=qualifier,
            warning=f"{name!r} is another thing here than before (its {why} differs: {_told(mention.node)}; before: "
            f"{_told({'description': known[0].view.description, 'kind': known[0].kind})}), so it became a node with the qualifier {qualifier!r}",
        )
    fits.sort(key=lambda found: (-found[0], found[1].qualifier != "", found[1].view.nid))
    best = fits[0][1]
    tied = len(fits) > 1 and fits[0][0] == fits[1][0]
    warning = ""
    if tied:
        others = ", ".join(f"{one.view.id} [{one.qualifier}]" for _, one in fits[1:4])
        warning = f"several things are called {name!r}, and nothing tells which is meant: it went to {best.view.id}, not {others}"
    return Placed(best.view.id, warning=warning)


def opposed(mention: Mention, known: Known) -> str:
    """What speaks against a mention's meaning a node: kind, an identifier, or context; '' if nothing does."""
    kind = str(mention.node.get("kind") or "")
    if kind and known.kind and fold(kind) != fold(known.kind):
        return "kind"
    attrs = mention.node.get("attrs")
    for key in _ONE_THING:
        here = attrs.get(key) if isinstance(attrs, dict) else None
        there = known.view.attrs.get(key)
        if here and there and isinstance(here, str) and fold(here) != fold(str(there)):
            return key
    texts = [str(mention.node.get("description") or ""), known.view.description]
    if not all(stop_words() & set(text.lower().split()) for text in texts):
        return ""  # notes, or another language than the one whose words are known here: of those nothing can be said
    here_words, there_words = map(content_words, texts)
    clear = min(len(here_words), len(there_words)) >= _SAYS and here_words.isdisjoint(there_words)
    return "context" if clear and not mention.beside & known.beside else ""


def _nearness(mention: Mention, known: Known) -> int:
    words = content_words(str(mention.node.get("description") or ""))
    alike = len(words & content_words(known.view.description))
    kind = str(mention.node.get("kind") or "")
    return (
        alike
        + 2 * len(mention.beside & known.beside)
        + (bool(kind) and fold(kind) == fold(known.kind))
    )


def _told(node: Mapping[str, Any]) -> str:
    kind = f"{node['kind']}, " if node.get("kind") else ""
    return kind + repr(str(node.get("description") or ""))


def _may_be_another(node: Mapping[str, Any]) -> bool:
    """Whether it says anything that could speak against one node of its name."""
    return bool(node.get("description") or node.get("kind") or node.get("attrs"))


def _known(reader: Reader, name: str) -> Known:
    from kgraph.graph.comparing import (
        record_of,
    )  # most payloads have no namesake, and need no resolution

    view = reader.node(reader.nids([name])[name])
    record = record_of(reader, view)
    near = reader.nodes(reader.nids(sorted(record.neighbours)).values()).values()
    return Known(view, record.sources, frozenset(fold(one.name) for one in near))


def _source_ids(reader: Reader, payload: Mapping[str, Any]) -> frozenset[str]:
    names = [
        one.get("uri") or one.get("name")
        for one in payload["nodes"]
        if isinstance(one, dict) and one.get("type") == "Source"
    ]
    found = (reader.look_up(name, "Source") for name in names if isinstance(name, str) and name)
    return frozenset(one.id for some in found for one in some[:1])


def _mentions(payload: dict[str, Any]) -> list[Mention]:
    """The Entities and the like that a payload with Sources names without id or qualifier. Claims are told apart by their words."""
    nodes = payload.get("nodes")
    named = [
        (number, one)
        for number, one in enumerate(nodes if isinstance(nodes, list) else ())
        if isinstance(one, dict)
        and isinstance(one.get("name"), str)
        and isinstance(one.get("type"), str)
        and one["name"].strip()
    ]
    uris = tuple(str(one.get("uri") or one["name"]) for _, one in named if one["type"] == "Source")
    if not uris:
        return []
    names = frozenset(
        fold(one["name"]) for _, one in named if one["type"] not in ("Source", "Claim")
    )
    count: dict[tuple[str, str], int] = {}
    for _, one in named:
        key = (one["type"], fold(one["name"]))
        count[key] = count.get(key, 0) + 1
    return [
        Mention(number, one, names - {fold(one["name"])}, uris[0])
        for number, one in named
        if one["type"] == "Entity"
        and not one.get("id")
        and not one.get("qualifier")
        and count[(one["type"], fold(one["name"]))] == 1
    ]
