"""A graph's own kinds and roles: in its log, its schema, its prompt and its checks, and gone when they are taken out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.errors import UnknownReference, UsageError
from kgraph.extract.prompt import current
from kgraph.graph import Graph
from kgraph.ontology import strict_schema
from kgraph.ontology.profiles import READY, profile_of, ready

HARBOUR: dict[str, Any] = {
    "name": "harbour",
    "description": "Boats and berths",
    "entity_kind": [{"name": "boat", "description": "what floats", "examples": ["Heron"], "naming": "MV *"}],
    "claim_kind": [{"name": "mooring", "description": "where a boat lies"}],
    "role": [{"name": "moored", "description": "the boat that lies there", "of": ["mooring"], "to": ["boat"]}],
}  # fmt: skip


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return kgraph.create(path=str(tmp_path / "graph"))


def warned(graph: Graph, boat: str, kind: str = "boat") -> list[str]:
    receipt = graph.judge(
        {
            "nodes": [
                {"type": "Claim", "name": f"{boat} lies at berth 7", "kind": "mooring", "inference": True},
                {"type": "Entity", "name": boat, "kind": kind, "description": "a small ferry of the line"},
            ],
            "edges": [
                {"predicate": "MENTIONS", "source": f"{boat} lies at berth 7", "target": boat, "role": "moored"}
            ],
        }
    )  # fmt: skip
    return [problem.path for problem in receipt.warnings if problem.code == "W220"]


def test_a_profile_is_known_to_checks_schema_and_prompt_until_it_is_taken_out(graph: Graph) -> None:
    assert warned(graph, "MV Heron") == ["$.edges[0].role", "$.nodes[0].kind", "$.nodes[1].kind"]
    assert graph.add_profile(HARBOUR).tx
    assert graph.add_profile(HARBOUR).unchanged
    assert warned(graph, "MV Heron") == []
    known = graph.vocabulary()
    kinds = strict_schema(known)["properties"]["nodes"]["items"]["properties"]["kind"]["enum"]
    assert {"boat", "mooring"} <= set(kinds)
    assert "- boat: what floats" in current(known).instructions
    assert current(known).sha256 != current().sha256
    graph.rebuild()
    assert warned(graph, "MV Heron") == []
    graph.remove_profile("harbour")
    assert len(warned(graph, "MV Heron")) == 3
    with pytest.raises(UnknownReference):
        graph.remove_profile("harbour")


def test_a_profile_says_how_things_are_called_and_who_may_play_a_part(graph: Graph) -> None:
    graph.add_profile(HARBOUR)
    assert warned(graph, "Heron") == ["$.nodes[1].name"]
    assert warned(graph, "MV Heron", "place") == ["$.edges[0].target"]


@pytest.mark.parametrize("name", READY)
def test_the_ready_made_profiles_are_well_made(graph: Graph, name: str) -> None:
    profile = profile_of(ready(name))
    assert profile.name == name and profile.description
    graph.add_profile(ready(name))
    assert {value.name for value in profile.claim_kind} <= set(
        graph.vocabulary().names("claim_kind")
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "'name'"),
        ({"node_type": []}, "'node_type'"),
        ({"role": {"name": "x"}}, r"\[\[role\]\]"),
        ({"role": [{"name": "x", "description": "y", "predicate": "OWNS"}]}, "'predicate'"),
        ({"claim_kind": [{"name": "a", "description": "b"}] * 2}, "twice"),
        ({"entity_kind": [{"name": "a", "description": "b", "naming": "*a*b*c*d*e"}]}, "four"),
    ],
)
def test_a_profile_that_is_not_well_made_is_refused_in_words(
    graph: Graph, change: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        graph.add_profile(HARBOUR | change)
