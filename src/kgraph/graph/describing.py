"""What kgraph says of its own rules: schema, prompt, ontology, rule codes. All of it comes from the ontology's one file."""

from __future__ import annotations

from typing import Any

from kgraph.ontology import (
    EDGE_FIELDS,
    NODE_FIELDS,
    NODE_TYPES,
    PREDICATES,
    RULES,
    STANDARD,
    Vocabulary,
)


def schema(strict: bool = False, known: Vocabulary = STANDARD) -> dict[str, Any]:
    """The payload's JSON Schema, or the subset of it that model providers accept."""
    from kgraph.ontology.schema import payload_schema, strict_schema

    return strict_schema(known) if strict else payload_schema(known)


def prompt(known: Vocabulary = STANDARD) -> str:
    """What an extractor is told, as text."""
    from kgraph.extract.prompt import instructions

    return instructions(known).rstrip("\n") + "\n"


def ontology() -> dict[str, Any]:
    """Node types with their fields, predicates with their signatures."""
    return {
        "node_types": [
            {"name": one.name, "is": one.is_, "is_not": one.is_not, "fields": [field.name for field in one.fields]}
            for one in NODE_TYPES.values()
        ],
        "node_fields": [field.name for field in NODE_FIELDS],
        "predicates": [
            {"name": one.name, "subjects": list(one.subjects), "objects": list(one.objects), "same_type": one.same_type, "means": one.means,
             "reserved": one.reserved}
            for one in PREDICATES.values()
        ],
        "edge_fields": [field.name for field in EDGE_FIELDS],
    }  # fmt: skip


def rules() -> list[dict[str, str]]:
    """Every rule: code, name, family, breach, hint."""
    return [
        {
            "code": rule.code,
            "name": rule.name,
            "family": rule.family,
            "breach": rule.breach,
            "hint": rule.hint,
        }
        for rule in RULES.values()
    ]
