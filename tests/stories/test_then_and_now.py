"""A story of two clocks: what the graph said at some moment (``as_of``), and what was true of the world then (``at``)."""

from __future__ import annotations

import os

import pytest

import kgraph
from kgraph.graph import Graph
from kgraph.graph.merging import MergeOptions
from kgraph.retrieve.paths import PathOptions
from kgraph.retrieve.question import Question

WHY = "both are named as the ferry office in the harbour register"


def said(graph: Graph, claim: str, things: list[str], words: dict[str, str]) -> str:
    """One claim of the register that mentions some things: its transaction."""
    nodes = [{"type": "Source", "name": "register.md"}, {"type": "Claim", "name": claim}]
    nodes += [{"type": "Entity", "name": thing} for thing in things]
    edges = [{"predicate": "SUPPORTS", "source": "register.md", "target": claim, **words}]
    edges += [
        {"predicate": "MENTIONS", "source": claim, "target": thing, **words} for thing in things
    ]
    return graph.ingest({"nodes": nodes, "edges": edges}).tx


@pytest.fixture
def told(tmp_path: os.PathLike[str]) -> tuple[Graph, dict[str, str]]:
    """A ferry that changes its owner; the office has two names, which are merged; then the first owner's claim is taken back."""
    graph = kgraph.create(path=os.path.join(tmp_path, "harbour"))
    moments = {
        "first": said(
            graph,
            "Ada ran the Heron until spring",
            ["Ada", "Heron"],
            {"valid_from": "2024-01-01", "valid_to": "2025-04-01"},
        ),
        "second": said(
            graph, "Bo runs the Heron since spring", ["Bo", "Heron"], {"valid_from": "2025-04-01"}
        ),
        "office": said(graph, "Bo rents the Ferry Office", ["Bo", "Ferry Office"], {}),
        "other": said(graph, "the Harbour Office sells tickets", ["Harbour Office"], {}),
    }
    moments["merged"] = graph.resolve(
        "Ferry Office", ["Harbour Office"], MergeOptions(WHY, force=True)
    ).tx
    moments["withdrawn"] = graph.retract(("tx", moments["first"]), "the register was misread").tx
    return graph, moments


def names(graph: Graph, question: Question, as_of: str = "") -> set[str]:
    body = graph.query(question, as_of=as_of).body
    return {node["name"] for node in body["nodes"] if node["type"] == "Entity"}


def test_a_query_answers_with_what_its_moment_knew(told: tuple[Graph, dict[str, str]]) -> None:
    graph, moments = told
    assert names(graph, Question("Heron")) == {"Heron", "Bo"}
    assert names(graph, Question("Heron"), moments["first"]) == {"Heron", "Ada"}
    assert names(graph, Question("Heron", hops=2), moments["second"]) == {"Heron", "Ada", "Bo"}
    assert names(graph, Question("Heron"), moments["withdrawn"]) == names(graph, Question("Heron"))


def test_a_merge_is_seen_from_when_it_was_made(told: tuple[Graph, dict[str, str]]) -> None:
    graph, moments = told
    assert names(graph, Question("tickets")) >= {"Ferry Office"}
    assert names(graph, Question("tickets"), moments["other"]) == {"Harbour Office"}


def test_a_path_is_the_one_of_its_moment(told: tuple[Graph, dict[str, str]]) -> None:
    graph, moments = told
    assert graph.path_between("Ada", "Heron", PathOptions(), moments["merged"])["found"]
    assert (
        graph.path_between("Bo", "Harbour Office", PathOptions(), moments["other"])["found"]
        is False
    )
    assert graph.path_between("Bo", "Harbour Office", PathOptions())["found"]


def test_the_two_clocks_are_not_mixed(told: tuple[Graph, dict[str, str]]) -> None:
    graph, moments = told
    assert names(graph, Question("Heron", hops=2, at="2024-06-01"), moments["merged"]) >= {"Ada"}
    assert "Ada" not in names(graph, Question("Heron", at="2026-01-01"), moments["merged"])
    assert "Ada" not in names(graph, Question("Heron", at="2024-06-01")), (
        "withdrawn, whatever was true of the world"
    )
    assert "Bo" not in names(graph, Question("Heron", hops=2, at="2024-06-01"), moments["second"])
