"""A story of two things that were judged not to be one: the judgement keeps them apart, and ties them together nowhere."""

from __future__ import annotations

import os

import pytest

import kgraph
from kgraph.graph import Graph
from kgraph.retrieve.paths import PathOptions
from kgraph.retrieve.question import Question

WHY = "they are two ferries in the maker's list"


@pytest.fixture
def graph(tmp_path: os.PathLike[str]) -> Graph:
    made = kgraph.create(path=os.path.join(tmp_path, "g"))
    made.ingest(
        {
            "nodes": [
                {"type": "Source", "name": "a.md"},
                *({"type": "Entity", "name": name} for name in ("Heron", "Osprey", "firmware 2.1")),
            ],
            "edges": [
                {
                    "predicate": "DEPENDS_ON",
                    "source": "Osprey",
                    "target": "firmware 2.1",
                    "source_doc": "a.md",
                }
            ],
        }
    )
    made.distinct(("Heron", "Osprey"), WHY)
    return made


def test_no_route_leads_through_the_judgement(graph: Graph) -> None:
    assert graph.path_between("Heron", "firmware 2.1", PathOptions(max_depth=8))["found"] is False
    assert graph.path_between("Osprey", "firmware 2.1")["found"] is True
    (judgement,) = graph.query(Question("", types=("Evaluation",))).body["nodes"]
    assert graph.path_between("Heron", judgement["id"])["found"] is True, "it may be an end"


def test_a_question_for_one_doesn_t_bring_the_other_by_way_of_it(graph: Graph) -> None:
    body = graph.query(Question("Heron", hops=3)).body
    assert [node["name"] for node in body["nodes"]] == ["Heron"]
    listed = graph.query(Question("", types=("Evaluation",))).body["nodes"]
    assert [node["result"] for node in listed] == ["distinct"], (
        "it is there for whoever asks for it"
    )


def test_what_is_no_kind_of_thing_to_take_back_is_refused_in_words(graph: Graph) -> None:
    with pytest.raises(kgraph.KgraphError, match="names nothing that can be taken back"):
        graph.retract(("bogus", "x"), "a try")
