"""The payload as JSON Schema: all that the contract's shape rules let pass, and the strict subset that model providers take."""

from __future__ import annotations

from typing import Any

from kgraph.ontology._tables import (
    EDGE_FIELDS,
    ENVELOPE_FIELDS,
    NODE_FIELDS,
    NODE_TYPES,
    PREDICATES,
    VALUES,
)
from kgraph.ontology.kinds import Field, Vocabulary

Schema = dict[str, Any]

_UNSAFE = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069"
_NAME: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": 2000,
    "pattern": f"^[^{_UNSAFE}]*[^\\s{_UNSAFE}][^{_UNSAFE}]*$",
}
_LINE: Schema = {"type": "string", "pattern": f"^[^{_UNSAFE}]*$"}
_TIME_PATTERN = "[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?"
_TIME: Schema = {"type": "string", "pattern": f"^{_TIME_PATTERN}$"}
_MOMENT: Schema = {"type": "string", "pattern": f"^{_TIME_PATTERN}(/{_TIME_PATTERN})?$"}
_SYNONYMS = (("predicate", "type"), ("source", "from"), ("target", "to"))
_WRITTEN = tuple(name for name, predicate in PREDICATES.items() if not predicate.reserved)


_STANDARD = Vocabulary(VALUES["entity_kind"], VALUES["claim_kind"], VALUES["role"])


def payload_schema(vocabulary: Vocabulary = _STANDARD) -> Schema:
    """Draft 2020-12. What it refuses the contract refuses too; the contract refuses more (ends, identity, invariants)."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kgraph payload",
        "type": "object",
        "required": [field.name for field in ENVELOPE_FIELDS if field.required],
        "properties": {
            field.name: {
                "type": "array",
                "items": {"$ref": f"#/$defs/{field.name[:-1]}"},
                "description": field.means,
            }
            if field.types == ("array",)
            else _optional(field)
            for field in ENVELOPE_FIELDS
        },
        "$defs": {"node": _node(vocabulary), "edge": _edge(vocabulary)},
    }


def strict_schema(vocabulary: Vocabulary = _STANDARD) -> Schema:
    """For providers' strict modes: one inline object, every member required and nullable, nothing open, only what a model may say.

    A member that has recommended values takes no others: a model has no reason to invent one.
    """
    own = [field for kind in NODE_TYPES.values() for field in kind.fields]
    node = _closed([*NODE_FIELDS, *own], {"type": list(NODE_TYPES)}, vocabulary)
    edge = _closed(list(EDGE_FIELDS), {"predicate": list(_WRITTEN)}, vocabulary)
    lists = {"nodes": {"type": "array", "items": node}, "edges": {"type": "array", "items": edge}}
    return {
        "type": "object",
        "properties": lists,
        "required": list(lists),
        "additionalProperties": False,
    }


def _node(vocabulary: Vocabulary) -> Schema:
    properties = {field.name: _optional(field) for field in NODE_FIELDS if not field.required}
    properties |= {
        "type": {"enum": list(NODE_TYPES)},
        "name": {**_NAME, "description": _meaning(NODE_FIELDS, "name")},
    }
    own = [
        {
            "if": {"properties": {"type": {"const": kind.name}}},
            "then": {
                "properties": {field.name: _optional(field, vocabulary) for field in kind.fields}
            },
        }
        for kind in NODE_TYPES.values()
        if kind.fields
    ]
    return {"type": "object", "required": ["type", "name"], "properties": properties, "allOf": own}


def _edge(vocabulary: Vocabulary) -> Schema:
    properties = {
        field.name: _optional(field, vocabulary) for field in EDGE_FIELDS if not field.required
    }
    properties["confidence"] |= {"minimum": 0.5, "maximum": 1}
    for name, synonym in _SYNONYMS:
        value: Schema = (
            {"enum": [*_WRITTEN, None]}
            if name == "predicate"
            else {"type": ["string", "null"], "pattern": "\\S"}
        )
        properties[name] = {**value, "description": _meaning(EDGE_FIELDS, name)}
        properties[synonym] = {**value, "description": f"the same as `{name}`"}
    either = [
        {"anyOf": [_given(name, properties), _given(synonym, properties)]}
        for name, synonym in _SYNONYMS
    ]
    return {"type": "object", "properties": properties, "allOf": either}


def _given(name: str, properties: Schema) -> Schema:
    """Present and not null."""
    return {"required": [name], "properties": {name: {"not": {"type": "null"}}}}


def _optional(field: Field, vocabulary: Vocabulary = _STANDARD) -> Schema:
    """The field, or null, which says nothing. Recommended values are examples: others are only a warning."""
    value = _value(field)
    if field.values:
        value["examples"] = list(vocabulary.names(field.values))
    if "type" in value and "pattern" not in value:
        types = value["type"] if isinstance(value["type"], list) else [value["type"]]
        return {**value, "type": [*types, "null"], "description": field.means}
    return (
        {"anyOf": [value, {"type": "null"}], "description": field.means}
        if value
        else {"description": field.means}
    )


def _value(field: Field) -> Schema:
    if field.types == ("any",):
        return {}
    if field.types == ("strings",):
        return {"type": "array", "items": _NAME}
    if field.types == ("time",):
        return _TIME
    if field.types == ("moment",):
        return _MOMENT
    if field.types == ("string",) and field.name in ("id", "run_id", "agent_id", "model"):
        return _LINE
    return {"type": list(field.types) if len(field.types) > 1 else field.types[0]}


def _closed(fields: list[Field], choices: dict[str, list[str]], vocabulary: Vocabulary) -> Schema:
    """Members of one name that several node types have become one, which may hold what any of them may."""
    properties: dict[str, Schema] = {}
    for field in fields:
        if not field.by_model:
            continue
        made = _strict(field, choices.get(field.name), vocabulary)
        before = properties.get(field.name)
        if before is not None and "enum" in before:
            merged = dict.fromkeys([*before["enum"][:-1], *made["enum"]])
            made = {
                **made,
                "enum": list(merged),
                "description": f"{before['description']}; {made['description']}",
            }
        properties[field.name] = made
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _strict(field: Field, choices: list[str] | None, vocabulary: Vocabulary) -> Schema:
    if choices is not None:
        return {"type": "string", "enum": choices, "description": field.means}
    if field.types == ("strings",):
        return {"type": ["array", "null"], "items": {"type": "string"}, "description": field.means}
    if field.values:
        names = [*vocabulary.names(field.values), None]
        return {"type": ["string", "null"], "enum": names, "description": field.means}
    plain = {"any": ["string", "number", "boolean"], "time": ["string"], "moment": ["string"]}
    types = plain.get(field.types[0], list(field.types))
    if field.required:
        return {"type": types[0], "description": field.means}
    return {"type": [*types, "null"], "description": field.means}


def _meaning(fields: tuple[Field, ...], name: str) -> str:
    return next(field.means for field in fields if field.name == name)
