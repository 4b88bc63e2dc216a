"""Does the quote entail the claim? A model or an agent says so, one Evaluation each, beside the judge that needs neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.cli import main
from kgraph.errors import NotAllowed, UsageError
from kgraph.graph import Graph
from kgraph.graph.weighing import RUBRIC, Weighing, read_verdict
from kgraph.model import Reply, Usage
from kgraph.models import Request
from kgraph.models.prices import Price

TEXT = "# Parts\n\nVendor X supplied Component Z. The valve is made of brass.\n"
TRUE, WRONG = "Vendor X supplied Component Z", "The valve is made of steel"


class Judge:
    """A model outside: says what it is told to, and counts."""

    name = "fake/judge"

    def __init__(self, *verdicts: str) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[dict[str, Any]] = []

    def complete(self, request: Request) -> Reply:
        self.asked.append(json.loads(request.prompt))
        verdict = self.verdicts.pop(0) if self.verdicts else "entails"
        text = json.dumps({"verdict": verdict, "reason": "because"})
        return Reply(text, "end", Usage(100, 10), model=self.name)

    def close(self) -> None: ...


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    (tmp_path / "parts.md").write_text(TEXT, "utf-8")
    graph = kgraph.create(path=str(tmp_path / "g"), source_root=str(tmp_path))
    nodes: list[dict[str, Any]] = [{"type": "Source", "name": "parts.md", "uri": "parts.md"}]
    edges: list[dict[str, Any]] = []
    for claim, quote in ((TRUE, f"{TRUE}."), (WRONG, "The valve is made of brass.")):
        nodes.append({"type": "Claim", "name": claim})
        edges.append(
            {
                "predicate": "SUPPORTS",
                "source": "parts.md",
                "target": claim,
                "quote": quote,
                "confidence": 0.9,
            }
        )
    assert not graph.ingest({"nodes": nodes, "edges": edges}).errors
    return graph


def test_without_a_model_only_the_judge_that_needs_none_speaks(graph: Graph) -> None:
    found = graph.verify_support()
    assert found["support"] == {"doubtful": 1, "stated": 1}
    assert [row["claim"] for row in found["doubtful"]] == [WRONG]
    assert "verdicts" not in found


def test_a_judgement_is_an_evaluation_with_its_rubric_and_is_shown_beside_the_other(
    graph: Graph,
) -> None:
    judge = Judge("contradicts", "entails")
    found = graph.verify_support(judge)
    assert found["verdicts"] == {"entails": 1, "contradicts": 1, "says nothing": 0, "unclear": 0}
    assert [one["claim"] for one in judge.asked] == [WRONG, TRUE]
    support = next(
        edge["support"] for edge in graph.show(WRONG)["edges"] if edge["predicate"] == "SUPPORTS"
    )
    assert support["level"] == "doubtful"
    assert (support["judged"]["result"], support["judged"]["judge"]) == (
        "contradicts",
        "fake/judge",
    )
    evaluations = list(graph.reader().every_node("Evaluation"))
    assert {node.fields["rubric"] for node in evaluations} == {RUBRIC}


def test_what_was_judged_in_the_same_words_is_not_asked_again(graph: Graph) -> None:
    graph.verify_support(Judge(), Weighing(most=1))
    rest = Judge()
    found = graph.verify_support(rest)
    assert (found["judged_before"], len(rest.asked)) == (1, 1)
    assert graph.verify_support(again := Judge())["todo"] == 0 and not again.asked


def test_a_reply_without_a_verdict_is_unclear_and_written_nowhere(graph: Graph) -> None:
    found = graph.verify_support(Judge("maybe", "maybe"))
    assert found["verdicts"]["unclear"] == 2
    assert not list(graph.reader().every_node("Evaluation"))
    assert read_verdict("It entails it.") == ("", "the reply holds no verdict")


def test_the_price_is_told_before_and_the_cap_is_kept(graph: Graph) -> None:
    price = Price(1000.0, 1000.0)
    told = graph.verify_support(judge := Judge(), Weighing(price=price, dry_run=True))
    assert told["estimate"]["calls"] == 2 and told["estimate"]["cost"] > 0 and not judge.asked
    with pytest.raises(NotAllowed):
        graph.verify_support(judge, Weighing(price=price, max_cost=0.0001))
    with pytest.raises(UsageError):
        graph.verify_support(judge, Weighing(max_cost=1.0))
    assert not judge.asked
    one = told["estimate"]["cost"] / 2
    stopped = graph.verify_support(judge, Weighing(price=price, max_cost=one * 1.1))
    assert len(judge.asked) == 1 and stopped["left"] == 1 and "cap" in stopped["stopped"]


def test_an_agent_judges_by_units_and_hands_over_by_ingest(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--path", graph.path, "--json"]
    assert main([*place, "units", "--support"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["todo"], body["rubric"]) == (2, RUBRIC)
    unit = next(one for one in body["units"] if one["claim"] == WRONG)
    unit["payload"]["nodes"][0] |= {"result": "contradicts", "description": "it is brass"}
    assert main([*place, "ingest", json.dumps(unit["payload"])]) == 0
    capsys.readouterr()
    assert main([*place, "verify", "--support"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert (after["judged_before"], after["todo"]) == (1, 1)


def test_a_model_without_support_is_refused(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--path", graph.path, "--json", "verify", "--model", "openai/x"]) == 2
    assert "--support" in capsys.readouterr().out
