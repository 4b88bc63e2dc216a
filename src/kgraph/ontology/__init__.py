"""What may be said: nine node types, eleven predicates with their signatures, and the rules, all from ``ontology.toml``."""

from __future__ import annotations

from kgraph.ontology._tables import BANDS, EDGE_FIELDS, ENVELOPE_FIELDS, NODE_FIELDS, NODE_TYPES, PREDICATES, RULES
from kgraph.ontology.fold import fold
from kgraph.ontology.kinds import Band, Field, NodeType, Predicate, Rule

__all__ = [
    "BANDS", "EDGE_FIELDS", "ENVELOPE_FIELDS", "NODE_FIELDS", "NODE_TYPES", "PREDICATES", "RULES",
    "Band", "Field", "NodeType", "Predicate", "Rule",
    "allows", "fold",
]  # fmt: skip


def allows(predicate: str, subject: str, object_: str) -> bool:
    """Whether the predicate's signature lets pass an edge from a node of type ``subject`` to one of type ``object_``."""
    return (subject, object_) in PREDICATES[predicate].allowed
