"""The JSON Schema and the contract agree: whatever the schema refuses, the contract refuses too."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from kgraph.contract import MemoryView, admit
from kgraph.ontology import payload_schema, strict_schema
from laws.test_contract import PAYLOADS

VALIDATOR = jsonschema.Draft202012Validator(payload_schema())


def test_both_schemas_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(payload_schema())
    jsonschema.Draft202012Validator.check_schema(strict_schema())


@settings(max_examples=100, deadline=None)
@given(PAYLOADS)
def test_what_the_schema_refuses_the_contract_refuses_too(payload: dict[str, Any]) -> None:
    text = json.dumps(payload)
    admission = admit(text, MemoryView())
    if not VALIDATOR.is_valid(json.loads(text)):
        assert admission.errors, next(iter(VALIDATOR.iter_errors(payload)))


NODE = {"type": "Entity", "name": "a"}


@pytest.mark.parametrize(
    "payload",
    [
        {"nodes": []},
        {"nodes": [{"type": "Person", "name": "a"}], "edges": []},
        {"nodes": [{"type": "Entity"}], "edges": []},
        {"nodes": [{"type": "Entity", "name": " "}], "edges": []},
        {"nodes": [{"type": "Entity", "name": "a\nb"}], "edges": []},
        {"nodes": [{**NODE, "id": ["x"]}], "edges": []},
        {"nodes": [{**NODE, "aliases": "x"}], "edges": []},
        {"nodes": [{**NODE, "valid_from": "soon"}], "edges": []},
        {"nodes": [{"type": "Claim", "name": "a", "inference": 1}], "edges": []},
        {"nodes": [], "edges": [{"predicate": "FROBS", "source": "a", "target": "b"}]},
        {"nodes": [], "edges": [{"predicate": "RESOLVED_TO", "source": "a", "target": "b"}]},
        {"nodes": [], "edges": [{"predicate": "SUPPORTS", "source": "a"}]},
        {"nodes": [], "edges": [{"predicate": "SUPPORTS", "source": "a", "target": None}]},
        {
            "nodes": [],
            "edges": [{"predicate": "SUPPORTS", "source": "a", "target": "b", "confidence": 0.4}],
        },
    ],
)
def test_the_schema_alone_refuses_what_has_the_wrong_shape(payload: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid(payload)


@pytest.mark.parametrize(
    "payload",
    [
        {"nodes": [], "edges": []},
        {"nodes": [{**NODE, "region": "EU", "inference": "x", "description": None}], "edges": []},
        {"nodes": [], "edges": [{"type": "SUPPORTS", "from": "a", "to": "b", "predicate": None}]},
        {
            "nodes": [{"type": "Evaluation", "name": "e", "rubric": "r", "result": [1]}],
            "edges": [],
            "usage": {"x": 1},
        },
    ],
)
def test_the_schema_lets_pass_what_the_contract_reads(payload: dict[str, Any]) -> None:
    assert VALIDATOR.is_valid(payload)
