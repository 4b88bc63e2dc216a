"""A story of a sentence that no longer holds, and of the relation that was read in it."""

from __future__ import annotations

import os
from typing import Any

import pytest

import kgraph
from kgraph.graph import Graph
from kgraph.retrieve.ground import GroundOptions
from kgraph.retrieve.paths import PathOptions
from kgraph.retrieve.printing import count_tokens
from kgraph.retrieve.query import query
from kgraph.retrieve.question import Asked, Question

RUNBOOK = "# Power\n\nPanel B is supplied by the north transformer. The sorter is fed by Panel B.\n"
CHAT = "panel B is on the south transformer since the works, not north\npanel B needs the north transformer for its heating\n"
OLD, NEW = "Panel B is supplied by the north transformer", "Panel B is on the south transformer"


def told(
    names: tuple[str, str], claim: str, cited: dict[str, Any], depends: dict[str, Any]
) -> dict[str, Any]:
    """A claim about two things, and the direct relation that the same words state."""
    return {
        "nodes": [
            {"type": "Source", "name": cited["source"], "uri": cited["source"]},
            {"type": "Claim", "name": claim},
            *({"type": "Entity", "name": name} for name in names),
        ],
        "edges": [
            {"predicate": "SUPPORTS", "target": claim, **cited},
            *({"predicate": "MENTIONS", "source": claim, "target": name} for name in names),
            {**cited, "predicate": "DEPENDS_ON", "source_doc": cited["source"], "source": names[0], "target": names[1], **depends},
        ],
    }  # fmt: skip


@pytest.fixture
def graph(tmp_path: os.PathLike[str]) -> Graph:
    for name, text in (("runbook.md", RUNBOOK), ("chat.txt", CHAT)):
        with open(os.path.join(tmp_path, name), "w", encoding="utf-8") as file:
            file.write(text)
    made = kgraph.create(path=os.path.join(tmp_path, ".karpathy-graphs", "sorter"))
    north = {"source": "runbook.md", "quote": "Panel B is supplied by the north transformer."}
    feed = {"source": "runbook.md", "quote": "The sorter is fed by Panel B."}
    south = {"source": "chat.txt", "quote": "panel B is on the south transformer since the works"}
    for payload in (
        told(("Panel B", "north transformer"), OLD, north, {}),
        told(("sorter", "Panel B"), "The sorter is fed by Panel B", feed, {}),
        told(("Panel B", "south transformer"), NEW, south, {"valid_from": "2026-04-10"}),
    ):
        assert not made.ingest(payload).errors
    return made


def replaced(graph: Graph) -> Graph:
    claims = {"nodes": [], "edges": [{"predicate": "SUPERSEDES", "source": NEW, "target": OLD}]}
    assert not graph.ingest(claims).errors
    return graph


def test_a_relation_is_carried_as_long_as_its_words_stand(graph: Graph) -> None:
    assert (
        graph.ground(GroundOptions("Panel B depends on the north transformer")).decision
        == "approve"
    )
    assert (
        graph.ground(GroundOptions("The sorter depends on the north transformer")).decision
        == "approve"
    )


def test_a_relation_falls_with_the_claim_whose_words_it_was_read_in(graph: Graph) -> None:
    verdict = replaced(graph).ground(GroundOptions("Panel B depends on the north transformer"))
    assert verdict.decision == "reject"
    assert NEW in verdict.reason and "chat.txt" in verdict.reason
    assert any(one.startswith(f"{NEW} (SUPERSEDES)") for one in verdict.contradictions)
    assert (
        graph.ground(GroundOptions("Panel B depends on the south transformer")).decision
        == "approve"
    )


def test_a_chain_that_needs_it_lacks_a_link(graph: Graph) -> None:
    verdict = replaced(graph).ground(GroundOptions("The sorter depends on the north transformer"))
    assert verdict.decision == "revise"
    assert NEW in verdict.reason
    assert (
        graph.ground(GroundOptions("The sorter depends on the south transformer")).decision
        == "approve"
    )


def test_another_relation_of_the_same_things_from_other_words_stands(graph: Graph) -> None:
    other = {
        "source": "chat.txt",
        "quote": "panel B needs the north transformer for its heating",
    }
    assert not graph.ingest(
        told(
            ("Panel B", "north transformer"),
            "Panel B needs it for its heating",
            other,
            {"kind": "heating"},
        )
    ).errors
    assert (
        replaced(graph).ground(GroundOptions("Panel B depends on the north transformer")).decision
        == "approve"
    )


def test_a_relation_counts_only_while_it_was_true_of_the_world(graph: Graph) -> None:
    question = "Panel B depends on the south transformer"
    assert graph.ground(GroundOptions(question, at="2026-04-20")).decision == "approve"
    assert graph.ground(GroundOptions(question, at="2026-04-01")).decision == "revise"


def test_paths_and_answers_mark_it(graph: Graph) -> None:
    route = replaced(graph).path_between("Panel B", "north transformer", PathOptions())
    assert [step.get("outdated_by") for step in route["route"]] == [NEW]
    page = query(graph.reader(), Question("Panel B", max_tokens=3000), Asked("context"))
    lines = [line for line in (page.text or "").splitlines() if "-DEPENDS_ON->" in line]
    assert [line.endswith("[outdated]") for line in lines] == [
        "north" in line.split("[edge")[0] for line in lines
    ]
    assert count_tokens(page.text or "") <= 3000
    edges = query(graph.reader(), Question("Panel B", max_tokens=5000), Asked()).body["edges"]
    assert [edge["quote"][:35] for edge in edges if edge.get("outdated_by") == NEW] == [
        "Panel B is supplied by the north tr"
    ]


def test_the_nearest_claim_is_said_to_be_replaced(graph: Graph) -> None:
    verdict = replaced(graph).ground(GroundOptions("Panel B is supplied by the east transformer"))
    assert verdict.decision == "revise"
    assert f"'{NEW}' has replaced it" in verdict.reason


def test_what_stands_against_it_comes_with_the_edge_that_says_so_and_the_one_that_carries_it(
    graph: Graph,
) -> None:
    (told_against,) = replaced(graph).ground(GroundOptions(OLD)).contradictions
    reader = graph.reader()
    ids = [part.split("]")[0] for part in told_against.split("[edge:")[1:]]
    kinds = [reader.edges([reader.edge_ids([one])[one]]).popitem()[1].predicate for one in ids]
    assert kinds == ["SUPERSEDES", "SUPPORTS"]
    day = graph.history()[0]["ts"][:10]
    assert told_against.endswith(
        f'chat.txt written {day} "panel B is on the south transformer since the works"'
    )
