"""The ontology and all that is made from it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kgraph import ontology
from kgraph.contract import MemoryView, admit
from kgraph.ontology import NODE_TYPES, PREDICATES, RULES, fold
from kgraph.ontology.generate import generated, main

TYPES = "Entity Claim Source Artifact AgentRun Evaluation Task Commit Metric".split()
ANY = set(TYPES)
SAME = {(name, name) for name in TYPES}
EVIDENCE = {"Source", "Claim", "Artifact", "Evaluation"}
SIGNATURES: dict[str, set[tuple[str, str]]] = {
    "MENTIONS": {(a, b) for a in EVIDENCE | {"Task", "Commit"} for b in ANY - {"Source", "Claim"}},
    "SUPPORTS": {(a, "Claim") for a in EVIDENCE},
    "CONTRADICTS": {(a, "Claim") for a in EVIDENCE},
    "DERIVED_FROM": {(a, b) for a in ANY for b in ANY},
    "PRODUCED": {
        ("AgentRun", b) for b in ("Artifact", "Claim", "Evaluation", "Commit", "Metric", "Task")
    },
    "EVALUATES": {("Evaluation", b) for b in ANY},
    "REVISES": SAME,
    "SUPERSEDES": SAME,
    "DEPENDS_ON": {(a, b) for a in ANY for b in ANY},
    "PARENT_OF": SAME,
    "RESOLVED_TO": SAME,
}


def test_there_are_nine_types_and_eleven_predicates_with_their_signatures() -> None:
    assert list(NODE_TYPES) == TYPES
    assert {name: set(predicate.allowed) for name, predicate in PREDICATES.items()} == SIGNATURES
    assert ontology.allows("SUPPORTS", "Source", "Claim") and not ontology.allows(
        "SUPPORTS", "Claim", "Source"
    )
    assert [name for name, predicate in PREDICATES.items() if predicate.evidence] == [
        "MENTIONS",
        "SUPPORTS",
        "CONTRADICTS",
        "DERIVED_FROM",
        "DEPENDS_ON",
    ]
    assert [kind.prefix for kind in NODE_TYPES.values()] == [
        "ent",
        "clm",
        "src",
        "art",
        "run",
        "evl",
        "tsk",
        "cmt",
        "met",
    ]


def test_every_rule_has_a_code_of_its_own_and_words() -> None:
    families = {"error": "E1", "command": "E2", "invariant": "I", "warning": "W"}
    assert all(code == rule.code for code, rule in RULES.items())
    assert all(code.startswith(families[rule.family]) for code, rule in RULES.items())
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    assert all(rule.name and rule.breach and rule.hint for rule in RULES.values())


def test_generated_files_are_up_to_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().err


def test_a_changed_page_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kgraph.ontology.generate._held", lambda path: "an old text")
    assert main(["--check"]) == 1
    assert capsys.readouterr().err.count("out of date") == len(generated())


def test_the_pages_and_the_prompt_name_every_type_predicate_and_rule() -> None:
    pages = dict(generated())
    for name in (*NODE_TYPES, *PREDICATES):
        assert f"`{name}`" in pages["docs/reference/ontology.md"]
    for code in RULES:
        assert f"| {code} |" in pages["docs/reference/rules.md"]
    prompt = ontology.prompt_section()
    for name, predicate in PREDICATES.items():
        assert (f"- {name}:" in prompt) is not predicate.reserved
    for kind in NODE_TYPES.values():
        assert f"- {kind.name}: {kind.is_}. Not {kind.is_not}." in prompt
    assert "sha256" not in prompt and "run_id" not in prompt


def closed(schema: dict[str, Any]) -> bool:
    """Whether a schema keeps to what strict modes take."""
    allowed = {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "enum",
        "description",
    }
    if set(schema) - allowed:
        return False
    if "object" in schema["type"] or schema["type"] == "object":
        inner = list(schema["properties"].values())
        if schema["additionalProperties"] is not False or schema["required"] != list(
            schema["properties"]
        ):
            return False
        return all(closed(item) for item in inner)
    return closed(schema["items"]) if "items" in schema else True


def test_the_strict_schema_is_inline_closed_and_requires_everything() -> None:
    schema = ontology.strict_schema()
    assert schema["type"] == "object" and closed(schema)
    node, edge = (schema["properties"][name]["items"] for name in ("nodes", "edges"))
    for item, needed in ((node, {"type", "name"}), (edge, {"predicate", "source", "target"})):
        for name, value in item["properties"].items():
            assert ("null" in value["type"]) is (name not in needed)
    assert "RESOLVED_TO" not in edge["properties"]["predicate"]["enum"]


def test_a_reply_that_fills_the_strict_schema_with_nulls_is_accepted() -> None:
    schema = ontology.strict_schema()
    node, edge = (
        dict.fromkeys(schema["properties"][name]["items"]["properties"])
        for name in ("nodes", "edges")
    )
    alpha, beta = (
        {**node, "type": "Entity", "name": name, "description": "told in the notes"}
        for name in ("Alpha", "Beta")
    )
    tie = {**edge, "predicate": "DEPENDS_ON", "source": "Alpha", "target": "Beta"}
    admission = admit(json.dumps({"nodes": [alpha, beta], "edges": [tie]}), MemoryView())
    assert (admission.errors, admission.violations) == ([], [])
    assert [problem.code for problem in admission.warnings] == ["W217"]
    assert set(admission.nodes[0]) == {"kind", "id", "type", "name", "description"}


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Vendor  X\t", "vendor x"),
        ("Caf\u00e9", "caf\u00e9"),
        ("Cafe\u0301", "caf\u00e9"),
        ("\uff22\uff25\uff34\uff21", "beta"),
        ("Stra\u00dfe", "strasse"),
        ("日本\u3000語", "日本 語"),
        ("\u2003", "\u2003"),
        ("  ", "  "),
        ("", ""),
    ],
)
def test_names_fold(text: str, folded: str) -> None:
    assert fold(text) == folded
