"""A story of names that mean two things: what speaks against a join keeps them apart, and a warning says so."""

from __future__ import annotations

import os
from typing import Any

import pytest

import kgraph
from kgraph.graph import Graph
from kgraph.graph.parting import SplitOptions

PLANET = "the planet closest to the sun"
BROKER = "message broker used by the payments team"


@pytest.fixture
def graph(tmp_path: os.PathLike[str]) -> Graph:
    return kgraph.create(path=os.path.join(tmp_path, "g"))


def said(uri: str, other: str = "", **fields: Any) -> dict[str, Any]:
    """A payload in which one claim of a source names Mercury, and perhaps another thing."""
    claim = f"In {uri} Mercury is spoken of"
    nodes = [
        {"type": "Source", "name": uri, "uri": uri},
        {"type": "Claim", "name": claim},
        {"type": "Entity", "name": "Mercury", **fields},
        *([{"type": "Entity", "name": other}] if other else []),
    ]
    edges = [{"predicate": "SUPPORTS", "source": uri, "target": claim}]
    edges += [
        {"predicate": "MENTIONS", "source": claim, "target": name}
        for name in ("Mercury", other)
        if name
    ]
    edges += [{"predicate": "DEPENDS_ON", "source": "Mercury", "target": other}] if other else []
    return {"nodes": nodes, "edges": edges}


def codes(receipt: Any) -> list[str]:
    return [problem.code for problem in receipt.warnings if problem.code == "W211"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"description": PLANET}, {"description": BROKER}),
        ({"kind": "place"}, {"kind": "component"}),
        ({"kind": "place", "description": PLANET}, {"kind": "component"}),
        ({"attrs": {"orcid": "0000-0001-2345-6789"}}, {"attrs": {"orcid": "0000-0002-2345-6789"}}),
    ],
)
def test_what_speaks_against_it_keeps_a_name_of_a_second_source_apart(
    graph: Graph, first: dict[str, Any], second: dict[str, Any]
) -> None:
    one = graph.ingest(said("sky.md", **first)).ids["nodes"][2]
    receipt = graph.ingest(said("queues.md", "Payments", **second))
    other = receipt.ids["nodes"][2]
    assert one != other and codes(receipt) == ["W211"]
    assert graph.show(other)["node"]["qualifier"]
    again = graph.ingest(said("queues.md", "Payments", **second))
    assert again.ids["nodes"][2] == other, "the same source means the same thing"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"description": BROKER}, {}),
        ({}, {"description": BROKER}),
        ({"kind": "component"}, {"description": BROKER}),
        ({"description": BROKER}, {"description": "the broker of the payments"}),
    ],
)
def test_what_says_nothing_against_it_joins(
    graph: Graph, first: dict[str, Any], second: dict[str, Any]
) -> None:
    one = graph.ingest(said("a.md", **first)).ids["nodes"][2]
    receipt = graph.ingest(said("b.md", **second))
    assert receipt.ids["nodes"][2] == one and not codes(receipt)


def test_a_neighbour_in_common_outweighs_other_words(graph: Graph) -> None:
    one = graph.ingest(said("a.md", "Payments", description=BROKER)).ids["nodes"][2]
    other = said("b.md", "Payments", description="delivers every event exactly once")
    assert graph.ingest(other).ids["nodes"][2] == one


def test_a_mention_goes_to_the_nearest_half_and_where_nothing_tells_it_is_asked_for(
    graph: Graph,
) -> None:
    planet = graph.ingest(said("sky.md", "Sun", description=PLANET)).ids["nodes"][2]
    broker = graph.ingest(said("queues.md", "Payments", description=BROKER)).ids["nodes"][2]
    third = graph.ingest(said("ops.md", "Payments"))
    assert third.ids["nodes"][2] == broker and not codes(third)
    assert graph.ingest(said("orbits.md", description="the innermost planet of the sun")).ids["nodes"][2] == planet  # fmt: skip
    unsure = graph.ingest(said("note.md", "Lisbon"))
    assert codes(unsure) == ["W211"], "it is written, and asked for"


def test_after_a_split_a_third_source_goes_to_the_half_that_it_speaks_of(graph: Graph) -> None:
    graph.ingest(said("sky.md", "Sun"))
    graph.ingest(said("queues.md", "Payments"))
    done = graph.split("Mercury", SplitOptions(source="queues.md", qualifier="the broker"))
    assert graph.ingest(said("ops.md", "Payments")).ids["nodes"][2] == done["new"]
    assert graph.ingest(said("orbits.md", "Sun")).ids["nodes"][2] == done["node"]


def test_a_qualifier_of_the_payload_decides(graph: Graph) -> None:
    one = graph.ingest(said("a.md", qualifier="Berlin office")).ids["nodes"][2]
    two = graph.ingest(said("b.md", qualifier="Lisbon office")).ids["nodes"][2]
    assert one != two
    assert not graph.resolve_auto("balanced").merged
