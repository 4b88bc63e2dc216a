"""Ids that are made: of a node from its type and identity key, of an edge from its predicate, ends and kind. 80 bits of hash each."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from kgraph.events.hashing import sha256
from kgraph.ontology import NODE_TYPES, fold


def node_id(kind: str, key: str, qualifier: str = "") -> str:
    """A node's id from its type and identity key: ``uri:<normalised>`` for a Source that has one, else ``name:<folded>``.

    It is a readable prefix and the hash of the canonical JSON of type, key and folded qualifier (null when there is none).
    """
    folded = fold(qualifier.strip()) if qualifier else ""
    text = f"[{_quoted(kind)},{_quoted(key)},{_quoted(folded) if folded else 'null'}]"
    known = NODE_TYPES.get(kind)
    return f"{known.prefix if known else 'nod'}_{sha256(text.encode()).hexdigest()[:20]}"


def edge_id(predicate: str, ends: tuple[str, str], rel: str = "") -> str:
    text = f"[{_quoted(predicate)},{_quoted(ends[0])},{_quoted(ends[1])},{_quoted(rel) if rel else 'null'}]"
    return f"edg_{sha256(text.encode()).hexdigest()[:20]}"
