"""What may be said: nine node types, eleven predicates with their signatures, and the rules, all from ``ontology.toml``."""

from __future__ import annotations

from typing import Any

from kgraph.language.folding import fold
from kgraph.ontology._tables import (
    BANDS,
    EDGE_FIELDS,
    ENVELOPE_FIELDS,
    NODE_FIELDS,
    NODE_TYPES,
    PREDICATES,
    RULES,
    VALUES,
)
from kgraph.ontology.kinds import Band, Field, NodeType, Predicate, Rule, Value, Vocabulary

__all__ = [
    "BANDS", "EDGE_FIELDS", "ENVELOPE_FIELDS", "NODE_FIELDS", "NODE_TYPES", "PREDICATES", "RULES",
    "STANDARD", "VALUES", "Band", "Field", "NodeType", "Predicate", "Rule", "Value", "Vocabulary",
    "allows", "fold", "payload_schema", "prompt_section", "strict_schema",
]  # fmt: skip


STANDARD = Vocabulary(VALUES["entity_kind"], VALUES["claim_kind"], VALUES["role"])


def allows(predicate: str, subject: str, object_: str) -> bool:
    """Whether the predicate's signature lets pass an edge from a node of type ``subject`` to one of type ``object_``."""
    return (subject, object_) in PREDICATES[predicate].allowed


def payload_schema(vocabulary: Vocabulary = STANDARD) -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a payload."""
    from kgraph.ontology.schema import payload_schema as made  # most commands never print a schema

    return made(vocabulary)


def strict_schema(vocabulary: Vocabulary = STANDARD) -> dict[str, Any]:
    """The subset of it that model providers' strict modes take: inline, closed, everything required and nullable."""
    from kgraph.ontology.schema import strict_schema as made

    return made(vocabulary)


def prompt_section(vocabulary: Vocabulary = STANDARD) -> str:
    """What a language model is told of the ontology."""
    from kgraph.ontology.pages import prompt_section as made

    return made(vocabulary)
