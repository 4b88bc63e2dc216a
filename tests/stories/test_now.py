"""What held once is not what holds: answers are about the present, and about the files as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.cli import main
from kgraph.graph import Graph
from kgraph.retrieve.ground import GroundOptions
from kgraph.retrieve.paths import PathOptions
from kgraph.retrieve.question import Asked, Question
from stages.ground_worlds import guessed, said, things, tie

PAST, PRESENT = "Alice owns Billing", "Bob owns Billing"


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    graph = kgraph.create(path=str(tmp_path / "g"), source_root=str(tmp_path))
    for payload in (
        things(Alice="an engineer", Bob="an engineer", Billing="a service", Cleo="an engineer"),
        said(
            PAST, "teams.md", ["Alice", "Billing"], valid_from="2016-03-01", valid_to="2020-06-15"
        ),
        said(PRESENT, "teams.md", ["Bob", "Billing"], valid_from="2020-06-15"),
        said("Cleo owns Billing", "plan.md", ["Cleo", "Billing"], valid_from="2199-01-01"),
    ):
        assert not graph.ingest(payload).errors
    return graph


@pytest.mark.parametrize(
    ("claim", "at", "wanted"),
    [
        (PAST, "", "revise"), (PRESENT, "", "approve"), ("Cleo owns Billing", "", "revise"),
        (PAST, "2016", "approve"), (PAST, "2015", "revise"), (PAST, "2020-06", "approve"),
        (PRESENT, "2020-06", "approve"), (PAST, "2020-07", "revise"), (PRESENT, "2020-05", "revise"),
        (PAST, "2020-06-14", "approve"), (PAST, "2020-06-15", "revise"),
        (PAST, "2020-06-14T23:59:59Z", "approve"), ("Cleo owns Billing", "2199", "approve"),
    ],
)  # fmt: skip
def test_a_claim_is_approved_of_the_time_in_which_it_holds(
    graph: Graph, claim: str, at: str, wanted: str
) -> None:
    assert graph.ground(GroundOptions(claim, at=at)).decision == wanted


def test_what_ended_says_until_when_and_what_begins_says_from_when(graph: Graph) -> None:
    assert "held until 2020-06-15" in graph.ground(PAST).reason
    assert "holds from 2199-01-01" in graph.ground("Cleo owns Billing").reason


def test_what_ended_is_marked_in_every_answer(graph: Graph) -> None:
    nodes = {node["name"]: node for node in graph.query("Billing").body["nodes"]}
    assert nodes[PAST]["held"] == "held until 2020-06-15"
    assert nodes["Cleo owns Billing"]["held"] == "holds from 2199-01-01"
    assert "held" not in nodes[PRESENT]
    text = graph.query(Question("Billing"), Asked("context")).text or ""
    assert "[Claim, held until 2020-06-15]" in text and "[Claim, since 2020-06-15]" in text
    assert graph.show(PAST)["node"]["held"] == "held until 2020-06-15"
    steps = graph.path_between("Alice", "Billing")["route"]
    assert [step["held"] for step in steps] == ["held until 2020-06-15"] * 2


def test_path_and_show_look_at_another_time(graph: Graph) -> None:
    assert graph.path_between("Alice", "Billing", PathOptions(at="2016"))["found"]
    assert not graph.path_between("Alice", "Billing", PathOptions(at="2021"))["found"]
    claims = {edge["source_name"] for edge in graph.show("Billing", at="2020-06")["edges"]}
    assert claims == {PAST, PRESENT}


@pytest.mark.parametrize(
    "command", [["path", "Alice", "Billing"], ["show", "Billing"], ["ground", PAST], ["query", "x"]]
)
def test_a_time_that_is_none_is_refused_by_every_command(
    graph: Graph, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--path", graph.path, "--json", *command, "--at", "2016-13"]) == 2
    assert json.loads(capsys.readouterr().out)["errors"][0]["code"] == "E201"


def test_two_tenures_of_one_claim_keep_their_own_intervals(tmp_path: Path) -> None:
    graph = kgraph.create(path=str(tmp_path / "g"), source_root=str(tmp_path))
    claim = "Alice leads Billing"
    graph.ingest(things(Alice="an engineer", Billing="a team"))
    first = said(
        claim, "a.md", ["Alice", "Billing"], valid_from="2016-01-01", valid_to="2018-01-01"
    )
    second = said(
        claim, "b.md", ["Alice", "Billing"], valid_from="2021-01-01", valid_to="2023-01-01"
    )
    assert not graph.ingest(first).errors and not graph.ingest(second).errors
    wanted = {"2017": "approve", "2019": "revise", "2022": "approve", "2024": "revise"}
    found = {at: graph.ground(GroundOptions(claim, at=at)) for at in wanted}
    assert {at: verdict.decision for at, verdict in found.items()} == wanted
    assert [one.source_doc for one in found["2017"].support] == ["a.md#L1"]
    assert [one.source_doc for one in found["2022"].support] == ["b.md#L1"]
    assert "held until 2023-01-01" in graph.ground(claim).reason
    tenures = graph.show(claim)["node"]["tenures"]
    assert [(one["valid_from"], one["valid_to"]) for one in tenures] == [
        ("2016-01-01", "2018-01-01"), ("2021-01-01", "2023-01-01"),
    ]  # fmt: skip


# -- the files as they are --------------------------------------------------------------------------------------------------------------


def cited(claim: str, quote: str, about: list[str]) -> dict[str, Any]:
    payload = said(claim, "parts.md", about)
    payload["nodes"][0]["uri"] = "parts.md"
    payload["edges"][0] |= {"source_doc": "parts.md#parts", "quote": quote}
    return payload


@pytest.fixture
def parts(tmp_path: Path) -> Graph:
    (tmp_path / "parts.md").write_text("# Parts\n\nVendor X supplied Component Z.\n", "utf-8")
    graph = kgraph.create(path=str(tmp_path / "g"), source_root=str(tmp_path))
    graph.ingest(things(Vendor_X="a supplier", Component_Z="a valve"))
    claim = "Vendor X supplied Component Z"
    assert not graph.ingest(cited(claim, f"{claim}.", ["Vendor X", "Component Z"])).errors
    return graph


def test_words_that_were_changed_since_carry_nothing(parts: Graph, tmp_path: Path) -> None:
    assert parts.ground("Vendor X supplied Component Z").support[0].status == "verified"
    (tmp_path / "parts.md").write_text("# Parts\n\nVendor W supplied Component Z.\n", "utf-8")
    verdict = parts.ground("Vendor X supplied Component Z")
    assert (verdict.decision, verdict.support) == ("revise", ())
    assert "stale" in verdict.reason


def test_words_that_only_moved_still_stand(parts: Graph, tmp_path: Path) -> None:
    (tmp_path / "parts.md").write_text(
        "# Parts\n\nNew: a preface.\n\nVendor X supplied Component Z.\n", "utf-8"
    )
    assert parts.ground("Vendor X supplied Component Z").decision == "approve"


def test_a_file_that_is_gone_is_no_longer_verified(parts: Graph, tmp_path: Path) -> None:
    (tmp_path / "parts.md").unlink()
    verdict = parts.ground(GroundOptions("Vendor X supplied Component Z", require="verified"))
    assert verdict.decision == "revise"
    assert parts.ground("Vendor X supplied Component Z").support[0].status == "unchecked"


def test_a_quote_that_says_something_else_approves_nothing(parts: Graph) -> None:
    receipt = parts.ingest(
        cited("Component Z is made of steel", "Vendor X supplied Component Z.", ["Component Z"])
    )
    assert [problem.code for problem in receipt.warnings if problem.code == "W216"] == ["W216"]
    verdict = parts.ground("Component Z is made of steel")
    assert verdict.decision == "revise"
    assert "doesn't carry it" in verdict.reason
    edges = parts.show("Component Z is made of steel")["edges"]
    support = next(edge["support"] for edge in edges if edge["predicate"] == "SUPPORTS")
    assert support["level"] == "doubtful" and support["reasons"][0]["text"]
    text = parts.query(Question("steel"), Asked("context")).text or ""
    assert "[doubtful: " in text


def test_a_contradiction_that_nobody_sourced_is_still_no_bare_approval(parts: Graph) -> None:
    claim = "Vendor X supplied Component Z"
    parts.ingest(guessed("Vendor W made the valve", ["Component Z"]))
    parts.ingest(tie("CONTRADICTS", "Vendor W made the valve", claim))
    verdict = parts.ground(claim)
    assert verdict.decision == "revise"
    assert any("Vendor W made the valve" in one for one in verdict.contradictions)
    assert verdict.required_evidence
