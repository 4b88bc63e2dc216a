"""What an agent hands in for a unit: what the answer says, what is left out, and how it is tried beforehand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kgraph.cli import main

OPENS, SHUTS = "The North Gate opens the North Lock", "The North Gate shuts at dusk"


@pytest.fixture(autouse=True)
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    (tmp_path / "docs").mkdir()
    Path("docs/north.md").write_text(f"# North\n\n{OPENS}. {SHUTS}.\n")
    Path("docs/south.md").write_text("# South\n\nThe South Gate has no lock.\n")
    typed(capsys, "units", "docs")
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any], str]:
    status = main(["--name", "t", "--json", *words])
    said = capsys.readouterr()
    return status, json.loads(said.out), said.err


def support(claim: str, quote: str, confidence: float = 0.95) -> dict[str, Any]:
    return {
        "predicate": "SUPPORTS",
        "source": "north.md",
        "target": claim,
        "quote": quote,
        "confidence": confidence,
    }


def payload(*edges: dict[str, Any]) -> str:
    names = dict.fromkeys(edge["target"] for edge in edges if edge["predicate"] == "SUPPORTS")
    claims = [{"type": "Claim", "name": name} for name in names]
    nodes = [
        {"type": "Source", "name": "north.md", "uri": "docs/north.md"},
        {
            "type": "Entity",
            "name": "North Gate",
            "description": "what opens the lock on the northern side",
        },
        *claims,
    ]
    mentions = [
        {"predicate": "MENTIONS", "source": claim["name"], "target": "North Gate"}
        for claim in claims
    ]
    return json.dumps({"nodes": nodes, "edges": [*edges, *mentions]})


GOOD = payload(support(OPENS, f"{OPENS}."))
INVENTED, LATER = "The North Gate sinks", "The North Gate stays shut"
LOSSY = payload(
    support(OPENS, f"{OPENS}."),
    support(INVENTED, "it sinks in a storm", 0.8),
    {
        "predicate": "SUPERSEDES",
        "source": OPENS,
        "target": LATER,
        "quote": OPENS,
        "confidence": 0.9,
    },
)


def hand(
    capsys: pytest.CaptureFixture[str], text: str, *options: str
) -> tuple[int, dict[str, Any], str]:
    return typed(capsys, "--run-id", "r1", "ingest", "--unit", "docs/north.md", text, *options)


def test_an_answer_has_its_receipt_its_evidence_and_its_warnings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, answer, told = hand(capsys, GOOD)
    assert (status, answer["ok"], answer["run_id"], answer["evidence"], answer["dropped"]) == (
        0,
        True,
        "r1",
        {"verified": 1},
        [],
    )
    assert (
        len(answer["tx"]) == 40
        and not answer["unchanged"]
        and answer["invariant_violations"] == answer["errors"] == []
        and told == ""
    )
    alone = payload(support(OPENS, f"{OPENS}.")).replace('"edges"', '"more": 1, "edges"')
    assert "W214" in [warning["code"] for warning in hand(capsys, alone)[1]["warnings"]]


def test_the_same_again_in_the_same_run_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    first = hand(capsys, GOOD)[1]
    status, again, _ = hand(capsys, GOOD)
    assert (status, again["unchanged"], again["tx"], again["evidence"]) == (
        0,
        True,
        first["tx"],
        first["evidence"],
    )
    other = hand(capsys, payload(support(OPENS, f"{OPENS}."), support(SHUTS, f"{SHUTS}.")))[1]
    assert not other["unchanged"] and other["tx"] != first["tx"]
    by_another = typed(capsys, "--run-id", "r2", "ingest", "--unit", "docs/north.md", GOOD)[1]
    assert not by_another["unchanged"] and by_another["tx"] not in ("", first["tx"], other["tx"])


def test_what_was_taken_back_is_written_again(capsys: pytest.CaptureFixture[str]) -> None:
    hand(capsys, GOOD)
    assert typed(capsys, "retract", "--run", "r1", "--reason", "to see")[0] == 0
    assert not hand(capsys, GOOD)[1]["unchanged"]
    assert typed(capsys, "show", OPENS)[0] == 0


def test_nothing_is_left_out_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    status, answer, told = hand(capsys, LOSSY)
    assert status == 0 and answer["units"][0]["outcome"] == "done"
    assert [(loss["path"], loss["code"]) for loss in answer["dropped"]] == [
        ("$.edges[2]", "unknown-endpoint"), ("$.nodes[3]", "W301"), ("$.edges[1].quote", "W301"), ("$.edges[4]", "W301"),
    ]  # fmt: skip
    assert all(loss["reason"] and loss["hint"] for loss in answer["dropped"])
    assert (
        answer["dropped"][0]["item"]["target"] == LATER
        and answer["dropped"][1]["item"]["name"] == INVENTED
    )
    assert (
        "4 of the nodes and edges were left out" in told
        and "$.edges[2]" in told
        and "add-edge" in told
    )


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        LOSSY,
        payload(support(INVENTED, "it sinks")),
        '{"nodes": [{"type": "Thing"}], "edges": []}',
    ],
)
def test_a_dry_run_says_what_the_hand_over_will_say_and_writes_nothing(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    hand(capsys, payload(support(SHUTS, f"{SHUTS}.")))
    before = typed(capsys, "history")[1]["transactions"]
    tried = hand(capsys, text, "--dry-run")
    assert (tried[1]["tx"], typed(capsys, "history")[1]["transactions"]) == ("", before)
    done = hand(capsys, text)
    assert tried[0] == done[0] and tried[1] == {**done[1], "tx": ""}
    assert tried[2].replace("would be left", "were left") == done[2]


def test_a_breach_of_an_invariant_is_told_apart_from_errors(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bare = json.dumps({"nodes": [{"type": "Claim", "name": OPENS}], "edges": []})
    status, answer, _ = hand(capsys, bare)
    assert (
        status,
        answer["errors"],
        [one["code"] for one in answer["invariant_violations"]],
        answer["tx"],
    ) == (1, [], ["I1"], "")


def test_strict_refuses_where_something_would_be_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, answer, told = hand(capsys, LOSSY, "--strict")
    assert (status, answer["tx"], answer["units"][0]["outcome"], len(answer["dropped"])) == (
        2,
        "",
        "invalid",
        4,
    ) and "would be" in told
    assert typed(capsys, "show", OPENS)[0] == 2
    assert hand(capsys, GOOD, "--strict")[0] == 0


def test_a_unit_on_whose_words_others_stand_keeps_them_when_it_falls_silent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hand(capsys, payload(support(OPENS, f"{OPENS}."), support(SHUTS, f"{SHUTS}.")))
    typed(capsys, "add-edge", "--predicate", "SUPERSEDES", "--source", SHUTS, "--target", OPENS)
    silent = json.dumps(
        {"nodes": [{"type": "Source", "name": "north.md", "uri": "docs/north.md"}], "edges": []}
    )
    for options in (("--dry-run",), ()):
        status, answer, told = hand(capsys, silent, *options)
        assert (status, answer["units"][0]["outcome"], answer["errors"]) == (1, "invalid", [])
        breach = answer["invariant_violations"][0]
        assert (
            (breach["code"], breach["path"]) == ("I1", "$")
            and "SUPERSEDES" in breach["hint"]
            and "I1" in told
        )
    assert typed(capsys, "show", OPENS)[0] == 0
    held = re.search(r"--tx (\w+)", breach["hint"])
    assert (
        held
        and typed(capsys, "retract", "--tx", held[1], "--reason", "it holds old claims")[0] == 0
    )
    assert hand(capsys, silent)[0] == 0 and typed(capsys, "show", OPENS)[0] == 2


def test_what_a_document_denies_is_written_as_a_denial_and_a_denied_claim(
    capsys: pytest.CaptureFixture[str],
) -> None:
    denied = "The South Gate has a lock"
    nodes = [
        {"type": "Source", "name": "south.md", "uri": "docs/south.md"},
        {"type": "Claim", "name": "The South Gate has no lock"},
        {"type": "Claim", "name": denied, "inference": True},
    ]
    said = {"quote": "The South Gate has no lock.", "confidence": 0.95}
    supports = {"predicate": "SUPPORTS", "source": "south.md", "target": nodes[1]["name"], **said}
    denies = {"predicate": "CONTRADICTS", "source": nodes[1]["name"], "target": denied, **said}
    status, answer, _ = typed(
        capsys,
        "ingest",
        "--unit",
        "docs/south.md",
        json.dumps({"nodes": nodes, "edges": [supports, denies]}),
    )
    assert (status, answer["dropped"], answer["evidence"]) == (0, [], {"verified": 2})
    nodes[2].pop("inference")
    status, answer, _ = typed(
        capsys,
        "ingest",
        "--unit",
        "docs/south.md",
        json.dumps({"nodes": nodes, "edges": [supports, denies]}),
    )
    assert status == 1 and [
        (one["code"], "denies" in one["hint"]) for one in answer["invariant_violations"]
    ] == [("I1", True)]


def test_small_slips_are_answered_with_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    status, answer, _ = typed(capsys, "ingest", "extraction.json")
    assert status == 2 and "extraction.json can't be read" in answer["errors"][0]["message"]
    for member, text in (("nodes", GOOD.replace('"Claim",', '"Claim", "valid_from": "2026-04-17T09:12",')),
                         ("edges", GOOD.replace('"confidence"', '"valid_from": "2026-04-17T09:12", "confidence"'))):  # fmt: skip
        problem = typed(capsys, "ingest", text)[1]["errors"][0]
        assert (
            problem["path"].startswith(f"$.{member}")
            and "date only" in problem["hint"]
            and "+hh:mm" in problem["hint"]
        )
    typed(
        capsys,
        "add-node",
        "--type",
        "Entity",
        "--node-name",
        "Left Gate",
        "--description",
        "the gate that nobody speaks of",
    )
    assert (
        "1 node has no edge: 'Left Gate'" in typed(capsys, "validate")[1]["warnings"][0]["message"]
    )


FULL = payload(support(OPENS, f"{OPENS}."), support(SHUTS, f"{SHUTS}."))


def states(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    return {unit["unit"]: unit["state"] for unit in typed(capsys, "units", "docs")[1]["units"]}


def test_an_offline_run_takes_nothing_of_what_an_agent_read_away_unless_it_may(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hand(capsys, FULL)
    with Path("docs/north.md").open("a") as file:
        file.write("\nThe keeper sleeps.\n")
    for more in ((), ("--refresh",)):
        status, answer, told = typed(capsys, "--run-id", "r2", "extract", "docs", *more)
        ends = {unit["unit"]: (unit["outcome"], unit["detail"]) for unit in answer["units"]}
        assert (status, answer["ok"], ends["docs/north.md"][0], ends["docs/south.md"][0]) == (
            1,
            False,
            "pending",
            "done",
        )
        assert all(
            "--allow-shrink" in words and "kgraph units" in words
            for words in (ends["docs/north.md"][1], told)
        )
        assert [typed(capsys, "show", claim)[0] for claim in (OPENS, SHUTS)] == [0, 0]
        assert states(capsys)["docs/north.md"] == "changed"
    assert typed(capsys, "--run-id", "r3", "extract", "docs", "--allow-shrink")[0] == 0
    assert states(capsys)["docs/north.md"] == "new" and typed(capsys, "validate")[0] == 0


def test_a_unit_that_is_cut_anew_keeps_what_an_agent_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hand(capsys, FULL)
    text = Path("docs/north.md").read_text()
    Path("docs/north.md").write_text(
        text + "".join(f"\n## Part {number}\n\n{'Word ' * 40}.\n" for number in range(8))
    )
    status, answer, _ = typed(capsys, "--run-id", "r2", "extract", "docs", "--unit-tokens", "120")
    assert status == 1 and len(answer["units"]) > 3
    assert [typed(capsys, "show", claim)[0] for claim in (OPENS, SHUTS)] == [0, 0]


def test_a_refused_hand_over_leaves_a_done_unit_done(capsys: pytest.CaptureFixture[str]) -> None:
    hand(capsys, FULL)
    foreign = json.dumps(
        {"nodes": [{"type": "Source", "name": "south.md", "uri": "docs/south.md"}], "edges": []}
    )
    for refused in (
        foreign,
        "no object at all",
        json.dumps({"nodes": [{"type": "Claim", "name": OPENS}], "edges": []}),
    ):
        assert hand(capsys, refused)[1]["units"][0]["outcome"] == "invalid"
        assert states(capsys)["docs/north.md"] == "unchanged"
    assert typed(capsys, "extract", "docs")[0] == 0
    assert [typed(capsys, "show", claim)[0] for claim in (OPENS, SHUTS)] == [0, 0]


def exported(capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    assert typed(capsys, "export", "held.json", "--force")[0] == 0
    graph = json.loads(Path("held.json").read_text())
    return {kind: sorted(one["id"] for one in graph[kind]) for kind in ("nodes", "edges")}


def test_taking_a_run_back_brings_back_what_it_replaced_and_nothing_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hand(capsys, payload(support(OPENS, f"{OPENS}.")))
    typed(
        capsys,
        "add-node",
        "--type",
        "Entity",
        "--node-name",
        "Left Gate",
        "--description",
        "the gate that nobody speaks of",
    )
    before = exported(capsys)
    for said in (FULL, payload(support(SHUTS, f"{SHUTS}."))):
        assert typed(capsys, "--run-id", "r2", "ingest", "--unit", "docs/north.md", said)[0] == 0
    after = exported(capsys)
    status, taken, _ = typed(capsys, "retract", "--run", "r2", "--reason", "to see")
    assert status == 0 and exported(capsys) == before
    assert set(taken["back"]["nodes"]) == set(before["nodes"]) - set(after["nodes"]) != set()
    assert set(taken["back"]["edges"]) == set(before["edges"]) - set(after["edges"]) != set()
    assert set(taken["gone"]["nodes"]) == set(after["nodes"]) - set(before["nodes"]) != set()
    assert typed(capsys, "retract", "--run", "r2", "--reason", "again")[1]["tx"] == ""
    assert states(capsys)["docs/north.md"] == "unchanged" and exported(capsys) == before
    assert typed(capsys, "restore", "--tx", taken["tx"])[0] == 0 and exported(capsys) == after


def test_taking_a_silent_run_back_brings_back_what_it_silenced(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hand(capsys, FULL)
    before = exported(capsys)
    silent = json.dumps(
        {"nodes": [{"type": "Source", "name": "north.md", "uri": "docs/north.md"}], "edges": []}
    )
    assert typed(capsys, "--run-id", "r2", "ingest", "--unit", "docs/north.md", silent)[0] == 0
    assert typed(capsys, "show", OPENS)[0] == 2
    first = typed(capsys, "retract", "--run", "r2", "--reason", "to see")[1]
    assert exported(capsys) == before and set(first["back"]["nodes"]) == set(before["nodes"])
    assert typed(capsys, "restore", "--tx", first["tx"])[0] == 0
    assert (
        typed(
            capsys,
            "--run-id",
            "r3",
            "ingest",
            "--unit",
            "docs/north.md",
            payload(support(SHUTS, f"{SHUTS}.")),
        )[0]
        == 0
    )
    now = exported(capsys)
    typed(capsys, "retract", "--run", "r2", "--reason", "read again since")
    assert exported(capsys) == now
    typed(capsys, "retract", "--run", "r1", "--reason", "replaced long ago")
    assert exported(capsys) == now
