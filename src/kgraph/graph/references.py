"""What a person calls a thing, and what it is: nodes, edges and transactions by id, name, alias, uri or prefix."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kgraph.errors import AmbiguousReference, UnknownReference
from kgraph.index.assertions import withdrawals
from kgraph.index.lines import Line, beginning_with, line
from kgraph.index.read import NodeView, Reader
from kgraph.ontology import NODE_TYPES, fold

SHOWN = 10
NEAR = 50  # nodes that are looked at for a name that was probably meant


def node_of(reader: Reader, reference: str, kind: str = "") -> NodeView:
    """The one live node that a reference names: an id, else a name (exact, then folded), an alias, a Source's uri; ``Type:name`` narrows.

    Raises UnknownReference, or AmbiguousReference with the candidates.
    """
    found = reader.look_up(reference, kind)
    narrowed, colon, rest = reference.partition(":")
    if not found and colon and narrowed in NODE_TYPES:
        found = reader.look_up(rest, narrowed)
    if not found:
        near = _near(reader, reference)
        raise UnknownReference(
            f"nothing in this graph is called '{reference}'"
            + (f"; did you mean '{near}'?" if near else ""),
            f"kgraph query {reference!r} finds nodes by their words",
        )
    if len(found) > 1:
        raise AmbiguousReference(reference, [candidate(node) for node in found[:SHOWN]])
    return found[0]


def _near(reader: Reader, reference: str) -> str:
    """The name of a live node that is spelt nearly so, or ''. Looks at a bounded number of nodes at any size."""
    from kgraph.contract.nearness import nearest
    from kgraph.index.apply import batches

    words = fold(reference).split()[:4]
    terms = [
        term.replace('"', "") for word in words for term in (word, *reader.near_words(word, 3))
    ]
    match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms) if term)
    if not match:
        return ""
    nids = [nid for nid, _ in reader.search(match, NEAR)]
    names = {
        name
        for some in batches(nids)
        for view in reader.nodes(some).values()
        if view.live
        for name in (view.name, *view.aliases)
    }
    return nearest(reference, names)


def addressed(reader: Reader, edge: Mapping[str, Any], own: Collection[Any] = ()) -> dict[str, Any]:
    """An edge whose ends are references, with ids where a reference names one node. What names none or several stays for the payload's
    own look-up, which knows the predicate. ``own``: what the payload itself calls its nodes."""
    found = dict(edge)
    for key in ("source", "target", "from", "to"):
        end = found.get(key)
        if not isinstance(end, str) or end in own:
            continue
        narrowed, colon, rest = end.partition(":")
        views = reader.look_up(end) or (
            reader.look_up(rest, narrowed) if colon and narrowed in NODE_TYPES else []
        )
        if len(views) == 1:
            found[key] = views[0].id
    return found


def candidate(node: NodeView) -> dict[str, str]:
    """A node among others: enough to choose by."""
    return {
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "description": node.description[:200],
    }


def edge_of(reader: Reader, reference: str) -> int:
    """An edge's number by its id, live or not."""
    found = reader.edge_ids([reference])
    if not found:
        raise UnknownReference(f"no edge has the id '{reference}'", "query and show print edge ids")
    return found[reference]


def transaction_of(reader: Reader, reference: str) -> Line:
    """A transaction by its id or a unique prefix of it."""
    found = line(reader, reference)
    if found:
        return found
    beginning = beginning_with(reader, reference, SHOWN + 1)
    if not beginning:
        raise UnknownReference(
            f"no transaction has the id '{reference}'", "kgraph history lists them"
        )
    if len(beginning) > 1:
        raise AmbiguousReference(
            reference, [{"id": one.id, "op": one.op} for one in beginning[:SHOWN]]
        )
    return beginning[0]


def taken_by(reader: Reader, name: str) -> str:
    """The transaction that took a transaction, or assertions of it, back."""
    for tx, event in withdrawals(reader):
        if name in (event.get("assertions") or {}) or name in (event.get("transactions") or ()):
            return tx
    return ""
