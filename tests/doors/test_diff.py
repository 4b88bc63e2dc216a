"""``kgraph diff``: what came, went, changed, was cited elsewhere, and which claims nothing carries any more."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.cli import main
from kgraph.views.difference import difference
from kgraph.views.snapshot import Edge, EdgeAssertion, GraphMeta, Node, NodeAssertion, Snapshot

VAULT = "# Vault\n\nThe Token Vault ran out of disk. Checkout reads the Token Vault for every payment.\n"


@pytest.fixture
def graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vault.md").write_text(VAULT)
    assert main(["--name", "t", "--run-id", "first", "--quiet", "extract", "docs"]) == 0
    capsys.readouterr()
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["--name", "t", "--json", *words])
    return status, json.loads(capsys.readouterr().out)


def head(capsys: pytest.CaptureFixture[str]) -> str:
    return str(typed(capsys, "history")[1]["transactions"][0]["tx"])


def said(rows: list[dict[str, Any]], kind: str = "Claim") -> list[str]:
    return [row["says"] for row in rows if row["kind"] == kind]


def test_a_sentence_that_was_added_and_one_that_went_are_named_with_their_place(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = head(capsys)
    (graph / "docs" / "vault.md").write_text(
        VAULT.replace("Checkout reads", "The Ferry Desk reads")
    )
    assert main(["--name", "t", "--quiet", "extract", "docs"]) == 0
    capsys.readouterr()
    status, answer = typed(capsys, "diff", before)
    assert (status, answer["before"], answer["after"]) == (0, before, "now")
    assert said(answer["added"]) == ["The Ferry Desk reads the Token Vault for every payment."]
    assert said(answer["gone"]) == ["Checkout reads the Token Vault for every payment."]
    tie = next(row for row in answer["added"] if row["kind"] == "SUPPORTS")
    assert tie["sources"][0].startswith("docs/vault.md#")
    assert typed(capsys, "diff", "now", "now")[1]["counts"] == dict.fromkeys(answer["counts"], 0)


def test_a_claim_that_no_source_carries_any_more_fails_the_check(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = head(capsys)
    (graph / "docs" / "vault.md").write_text("# Vault\n\nNothing of the kind.\n")
    assert main(["--name", "t", "--quiet", "verify", "--record"]) == 1
    capsys.readouterr()
    status, answer = typed(capsys, "diff", before, "--check")
    assert (status, answer["ok"]) == (1, False)
    assert {row["why"] for row in answer["lost_support"]} == {"stale"}
    assert all(row["before"][0].startswith("docs/vault.md") for row in answer["lost_support"])
    assert typed(capsys, "diff", before)[0] == 0
    assert typed(capsys, "diff", "now", before, "--check")[0] == 0


def test_two_runs_are_compared_by_what_each_said(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(capsys, "--run-id", "second", "add-node", "--type", "Entity", "--name", "Quorum", "--description", "a vote")  # fmt: skip
    _, answer = typed(capsys, "diff", "run:first", "run:second")
    assert said(answer["added"], "Entity") == ["Quorum"]
    assert "Checkout" in said(answer["gone"], "Entity")
    status, answer = typed(capsys, "diff", "run:third")
    assert (status, answer["errors"][0]["code"]) == (2, "E201")


def test_another_graph_and_a_git_revision_are_sides_too(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = graph / ".karpathy-graphs" / "t"
    shutil.copytree(here, graph / "copy")
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "-f", str(here / "log.jsonl")], [*who, "commit", "-qm", "graph"]):  # fmt: skip
        subprocess.run(["git", *words], check=True, cwd=graph, capture_output=True)
    typed(capsys, "add-node", "--type", "Entity", "--name", "Quorum", "--description", "a vote")
    for side in ("path:copy", "git:HEAD"):
        assert said(typed(capsys, "diff", side)[1]["added"], "Entity") == ["Quorum"]
    for side in ("git:nowhere", "git:--output=x", "path:nowhere", "path:", "nonsense"):
        status, answer = typed(capsys, "diff", side)
        assert (status, answer["ok"], bool(answer["errors"][0]["hint"])) == (2, False, True)
    assert not (graph / "x").exists()


def test_people_read_it_as_a_list_and_pull_requests_as_markdown(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = head(capsys)
    typed(capsys, "add-node", "--type", "Entity", "--name", "a](http://evil) **bold**", "--description", "x y z")  # fmt: skip
    for form, begins in (("table", f"{before} → now"), ("markdown", f"### {before} → now")):
        assert main(["--name", "t", "diff", before, "--format", form]) == 0
        printed = capsys.readouterr().out
        assert printed.startswith(begins)
        assert ("**bold**" in printed) is (form == "table")


NODES = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(["one", "two"]))


def _snapshot(nodes: dict[str, str], edges: set[tuple[str, str]]) -> Snapshot:
    rows = tuple(Node(id, "Entity", id, (NodeAssertion(id),), description=text) for id, text in sorted(nodes.items()))  # fmt: skip
    ties = tuple(
        Edge(f"{one}-{other}", "DEPENDS_ON", one, other, "", (EdgeAssertion(),))
        for one, other in sorted(edges)
        if one in nodes and other in nodes
    )
    return Snapshot(GraphMeta("x"), rows, ties)


PAIRS = st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")))


@settings(max_examples=60)
@given(NODES, NODES, PAIRS, PAIRS)
def test_a_difference_turned_round_swaps_what_came_and_went(
    first: dict[str, str], second: dict[str, str], ties: set[tuple[str, str]], others: set[tuple[str, str]]
) -> None:  # fmt: skip
    before, after = _snapshot(first, ties), _snapshot(second, others)
    there, back = difference(before, after), difference(after, before)
    assert [one.id for one in there.added] == [one.id for one in back.gone]
    assert [one.id for one in there.gone] == [one.id for one in back.added]
    assert {one.statement.id for one in there.changed} == {
        key for key in first.keys() & second.keys() if first[key] != second[key]
    }
    assert difference(before, before).nothing
