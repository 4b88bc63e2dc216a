"""``ground`` as it is used: evidence that is required, moments of the world and of the log, verdicts that are written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import main
from kgraph.errors import UsageError
from kgraph.graph import Graph
from kgraph.retrieve.ground import GroundOptions, ground
from stages.ground_worlds import engine_of, guessed, open_world, said, things, tie

REPORT = "# Parts\n\nVendor X supplied Component Z. The valve failed.\n"


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    (tmp_path / "parts.md").write_text(REPORT, "utf-8")
    graph = kgraph.create(path=str(tmp_path / "g"), source_root=str(tmp_path))
    payload = said("Vendor X supplied Component Z", "parts.md", ["Vendor X", "Component Z"])
    payload["nodes"] += things(Vendor_X="a supplier", Component_Z="a valve")["nodes"]
    payload["nodes"][0]["uri"] = "parts.md"
    payload["edges"][0] |= {
        "source_doc": "parts.md#parts",
        "quote": "Vendor X supplied Component Z.",
    }
    assert not graph.ingest(payload).errors
    return graph


def test_a_quote_that_stands_in_its_file_is_verified_and_named(graph: Graph) -> None:
    verdict = graph.ground(GroundOptions("Vendor X supplied Component Z", require="verified"))
    assert verdict.decision == "approve"
    assert [(one.status, one.quote) for one in verdict.support] == [
        ("verified", "Vendor X supplied Component Z.")
    ]


def test_a_citation_that_nobody_checked_is_too_weak_where_verified_is_required() -> None:
    reader = open_world("supply")
    assert (
        ground(reader, GroundOptions("Vendor X supplied Component Z")).support[0].status
        == "unchecked"
    )
    verdict = ground(reader, GroundOptions("Vendor X supplied Component Z", require="verified"))
    assert verdict.decision == "revise"
    assert verdict.required_evidence


def test_a_quote_that_is_not_in_its_file_carries_nothing(graph: Graph) -> None:
    payload = said("The valve was replaced", "parts.md")
    payload["nodes"][0]["uri"] = "parts.md"
    payload["edges"][0] |= {"source_doc": "parts.md#parts", "quote": "The valve was replaced."}
    graph.ingest(payload)
    verdict = graph.ground(GroundOptions("The valve was replaced"))
    assert (verdict.decision, verdict.support) == ("revise", ())
    assert "missing" in verdict.reason


def test_a_chain_rests_on_its_weakest_link() -> None:
    verdict = ground(open_world("calls"), GroundOptions("Checkout depends on Disk Array"))
    assert len(verdict.support) == 1
    assert len(verdict.support[0].edges) == 3
    assert verdict.support[0].status == "unchecked"


@pytest.mark.parametrize(
    ("claim", "at", "wanted"),
    [
        ("Alice owns Billing", "2024-06-01", "approve"),
        ("Alice owns Billing", "2025-01-01", "revise"),
        ("Alice owns Billing", "2023-12-31T23:59:59Z", "revise"),
        ("Alice owns Billing", "", "approve"),
        ("Bob owns Billing", "2025-01-01", "approve"),
        ("Bob owns Billing", "2024-12-31", "revise"),
        ("Alice does not own Billing", "2024-06-01", "reject"),
        ("Alice does not own Billing", "2026-06-01", "revise"),
    ],
)
def test_a_claim_counts_for_the_time_in_which_it_held(claim: str, at: str, wanted: str) -> None:
    assert ground(open_world("changed"), GroundOptions(claim, at=at)).decision == wanted


def test_what_came_later_does_not_stand_against_what_held_before() -> None:
    payloads = [
        said("The limit is 100 requests", "a.md", valid_from="2020-01-01"),
        said("The limit is 250 requests", "b.md", valid_from="2024-01-01"),
        tie("SUPERSEDES", "The limit is 250 requests", "The limit is 100 requests"),
    ]
    reader = engine_of(payloads).reader()
    assert (
        ground(reader, GroundOptions("The limit is 100 requests", at="2022-01-01")).decision
        == "approve"
    )
    assert (
        ground(reader, GroundOptions("The limit is 100 requests", at="2024-06-01")).decision
        == "reject"
    )
    assert ground(reader, GroundOptions("The limit is 100 requests")).decision == "reject"


def test_a_guess_that_is_said_to_replace_a_claim_is_shown_and_is_for_whoever_asks_to_weigh() -> (
    None
):
    payloads = [
        said("The limit is 100 requests", "a.md"),
        guessed("The limit was lifted"),
        tie("SUPERSEDES", "The limit was lifted", "The limit is 100 requests"),
    ]
    verdict = ground(engine_of(payloads).reader(), GroundOptions("The limit is 100 requests"))
    assert verdict.decision == "revise"
    assert "The limit was lifted (SUPERSEDES, not evidenced)" in verdict.contradictions[0]


def test_a_claim_that_was_set_back_in_force_stands_again() -> None:
    payloads = [
        said("The limit is 100 requests", "a.md"),
        said("The limit is 250 requests", "b.md"),
        tie("SUPERSEDES", "The limit is 250 requests", "The limit is 100 requests"),
        said(
            "The limit is one hundred requests.",
            "c.md",
            aliases=["The limit is 100 requests again"],
        ),
    ]
    reader = engine_of(payloads).reader()
    assert ground(reader, GroundOptions("The limit is 100 requests")).decision == "reject"


def test_both_sides_are_shown_with_their_sources() -> None:
    verdict = ground(open_world("conflict"), GroundOptions("Vendor X supplied Component Z"))
    assert verdict.decision == "reject"
    assert [one.source_doc for one in verdict.support] == ["inventory.md#L1"]
    assert len(verdict.contradictions) == 1
    assert "audit.md" in verdict.contradictions[0]
    assert "[edge:" in verdict.contradictions[0]


def test_a_name_that_two_things_bear_lists_them() -> None:
    verdict = ground(open_world("people"), GroundOptions("J. Silva wrote the first program"))
    assert verdict.decision == "revise"
    assert [(one.mention, one.id, len(one.candidates)) for one in verdict.entities] == [
        ("J. Silva", "", 2)
    ]


def test_an_unknown_name_is_named_with_what_comes_near_it() -> None:
    verdict = ground(open_world("supply"), GroundOptions("Vendor Q supplied Component Z"))
    assert "Vendor Q" in verdict.reason
    assert any("Vendor Q" in text for text in verdict.required_evidence)
    unknown = next(one for one in verdict.entities if one.mention == "Vendor Q")
    assert unknown.id == ""
    assert {"Vendor X", "Vendor W"} <= {node.name for node in unknown.candidates}


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        (("Vendor X", "supplied", "Component Z"), "approve"),
        (("VX", "has supplied", "Component Z"), "approve"),
        (("Component Z", "was supplied by", "Vendor X"), "approve"),
        (("Component Z", "supplied", "Vendor X"), "revise"),
        (("Vendor X", "did not supply", "Component Z"), "reject"),
        (("Vendor X", "is connected to", "Component Z"), "approve"),
        (("Incident Y", "lasted", "47 minutes"), "approve"),
        (("Incident Y", "lasted", "48 minutes"), "revise"),
        (("Nobody Known", "supplied", "Component Z"), "revise"),
    ],
)
def test_a_claim_may_be_given_in_parts(parts: tuple[str, str, str], wanted: str) -> None:
    verdict = ground(open_world("supply"), GroundOptions("", *parts))
    assert verdict.decision == wanted, verdict.reason


def test_merged_things_are_one_in_a_claim(graph: Graph) -> None:
    from kgraph.graph.merging import MergeOptions

    graph.ingest(things(Ixtal="the supplier of valves in the north"))
    assert graph.ground(GroundOptions("Ixtal supplied Component Z")).decision == "revise"
    ids = [graph.show(name)["node"]["id"] for name in ("Vendor X", "Ixtal")]
    graph.resolve(
        ids[0],
        [ids[1]],
        MergeOptions("the annual report says that Vendor X trades as Ixtal in the north"),
    )
    assert graph.ground(GroundOptions("Ixtal supplied Component Z")).decision == "approve"


@pytest.mark.parametrize("inquiry", [GroundOptions(), GroundOptions("x", "y", "z", "w"), GroundOptions("", "y", "z"), GroundOptions("x is y", require="sworn"),
                                     GroundOptions("x is y", at="soon")])  # fmt: skip
def test_what_can_not_be_judged_is_refused(inquiry: GroundOptions) -> None:
    with pytest.raises(UsageError):
        ground(open_world("supply"), inquiry)


def call(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, object]]:
    status = main(arguments)
    return status, json.loads(capsys.readouterr().out)


def test_check_turns_the_verdict_into_an_exit_status(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ["--path", graph.path, "--json"]
    assert call([*path, "ground", "Vendor X supplied Component Z", "--check"], capsys)[0] == 0
    status, body = call([*path, "ground", "Component Z supplied Vendor X", "--check"], capsys)
    assert (status, body["ok"], body["decision"]) == (1, False, "revise")
    assert call([*path, "ground", "Component Z supplied Vendor X"], capsys)[0] == 0
    assert call([*path, "ground", "Component Z supplied Vendor X", "--at", "soon"], capsys)[0] == 2


def test_the_answer_has_the_members_that_it_promises(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    _, body = call(
        ["--path", graph.path, "--json", "ground", "Vendor X supplied Component Z"], capsys
    )
    assert list(body) == [
        "ok", "graph", "path", "decision", "claim", "reason", "support", "contradictions", "required_evidence", "entities",
    ]  # fmt: skip
    assert body["support"] == [
        {"edges": [body["support"][0]["edges"][0]], "evidence": ["verified"], "support": "stated", "quote": "Vendor X supplied Component Z.",  # type: ignore[index]
         "source_doc": "parts.md#parts"}
    ]  # fmt: skip


def test_a_recorded_verdict_is_an_evaluation_of_the_claim(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "--path",
        graph.path,
        "--json",
        "--run-id",
        "judge",
        "ground",
        "Vendor X supplied Component Z",
        "--record",
    ]
    status, body = call(arguments, capsys)
    assert (status, body["run_id"]) == (0, "judge")
    shown = kgraph.open(graph.path).show(str(body["evaluation"]))
    assert (shown["node"]["type"], shown["node"]["rubric"], shown["node"]["result"]) == (
        "Evaluation",
        "grounding",
        "approve",
    )
    assert [edge["predicate"] for edge in shown["edges"]] == ["EVALUATES"]
    again = kgraph.open(graph.path).ground(GroundOptions("Vendor X supplied Component Z"))
    assert len(again.support) == 1, "a verdict is no source"


def test_a_recorded_verdict_on_what_nobody_knows_stands_alone(graph: Graph) -> None:
    receipt = graph.record_verdict(graph.ground(GroundOptions("Nobody\u202e knows\nthis")))
    assert not receipt.errors
    assert receipt.tx


def test_grounding_as_of_an_earlier_time_sees_what_stood_then(graph: Graph) -> None:
    before = graph.history()[0]["tx"]
    graph.retract(("source", "parts.md"), "the file was a draft", cascade=True)
    assert graph.ground(GroundOptions("Vendor X supplied Component Z")).decision == "revise"
    assert (
        graph.ground(GroundOptions("Vendor X supplied Component Z"), before).decision == "approve"
    )
