"""``kgraph eval`` as it is typed: gold in, figures beside baselines out, and an exit status that a build can rely on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgraph.cli import main

VAULT = """# Vault outage

The Token Vault ran out of disk on 11 March 2026. Checkout reads the Token Vault for every payment.

## Who

The Harbour Office runs Checkout.
"""
FERRY = "# Ferry\n\nThe **Ferry Desk** sells berths. The Ferry Desk reads the Berth Store.\n"


@pytest.fixture
def graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vault.md").write_text(VAULT)
    (tmp_path / "docs" / "ferry.md").write_text(FERRY)
    assert main(["--name", "t", "--quiet", "extract", "docs"]) == 0
    capsys.readouterr()
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["--name", "t", "--json", *words])
    return status, json.loads(capsys.readouterr().out)


def gold(folder: Path, name: str, *items: dict[str, Any]) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(item) + "\n" for item in items))
    return str(path)


def figures(answer: dict[str, Any]) -> dict[str, float]:
    return {metric["name"]: metric["value"] for metric in answer["metrics"]}


def test_retrieval_is_scored_beside_bm25_over_the_same_files(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = gold(
        graph, "q.jsonl",
        {"question": "Why did the Token Vault fail?", "sources": ["docs/vault.md"], "answers": ["out of disk"]},
        {"question": "Who sells berths?", "sources": ["docs/ferry.md"]},
    )  # fmt: skip
    status, answer = typed(capsys, "eval", "retrieval", "--gold", questions)
    assert (status, answer["ok"], answer["stage"]) == (0, True, "retrieval")
    recall = next(metric for metric in answer["metrics"] if metric["name"] == "recall@2")
    assert (recall["value"], recall["n"], recall["baselines"]) == (1.0, 2, {"BM25": 1.0})
    assert recall["low"] <= recall["value"] <= recall["high"]
    assert all(metric["misleads"] for metric in answer["metrics"])
    assert [item["value"] for item in answer["items"]] == [1.0, 1.0]


def test_a_source_that_the_graph_does_not_hold_counts_as_missed_and_is_named(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = gold(graph, "q.jsonl", {"question": "What of the Token Vault?", "sources": ["docs/gone.md"]})  # fmt: skip
    _, answer = typed(capsys, "eval", "retrieval", "--gold", questions)
    assert figures(answer)["recall@8"] == 0.0
    assert "docs/gone.md" in answer["notes"][0]


def test_baselines_over_texts_say_which_files_they_could_not_read(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (graph / "docs" / "ferry.md").unlink()
    questions = gold(graph, "q.jsonl", {"question": "Token Vault", "sources": ["docs/vault.md"]})
    _, answer = typed(capsys, "eval", "retrieval", "--gold", questions)
    assert any("docs/ferry.md" in note for note in answer["notes"])


def test_grounding_counts_a_false_approval_and_shows_the_rivals(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = gold(
        graph, "g.jsonl",
        {"claim": "Checkout reads the Token Vault for every payment.", "decision": "approve", "sources": ["docs/vault.md"]},
        {"claim": "Checkout never reads the Token Vault for every payment.", "decision": "reject", "kind": "negation"},
        {"claim": "Checkout reads the Token Vault for every payment.", "id": "planted", "decision": "reject"},
    )  # fmt: skip
    _, answer = typed(capsys, "eval", "grounding", "--gold", claims)
    found = figures(answer)
    assert (found["approved"], found["cited path validity"]) == (1.0, 1.0)
    assert found["false approvals"] == 0.5  # the planted line calls a true statement false
    assert found["accuracy: negation"] == 1.0
    false = next(metric for metric in answer["metrics"] if metric["name"] == "false approvals")
    assert false["baselines"]["always revise"] == 0.0
    assert false["better"] == "lower"
    assert next(item for item in answer["items"] if item["key"] == "planted")["value"] == 0.0


def test_extraction_is_scored_by_entities_facts_and_quotes(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = gold(
        graph, "e.jsonl",
        {"source": "docs/vault.md", "entities": ["Token Vault", "Checkout", "Quorum Witness"], "complete": False,
         "facts": ["Checkout reads the Token Vault for every payment."]},
    )  # fmt: skip
    _, answer = typed(capsys, "eval", "extraction", "--gold", known)
    found = figures(answer)
    assert found["entity recall"] == pytest.approx(2 / 3, abs=1e-3)
    assert (found["facts covered"], found["evidence precision"]) == (1.0, 1.0)
    assert "entity precision" not in found
    assert "quorum witness" in answer["items"][0]["detail"]


def test_resolution_is_scored_before_and_after_a_merge_and_the_merge_shows_in_the_comparison(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, description in (("TV", "the vault of tokens"), ("Tele Vision", "a set that shows films")):  # fmt: skip
        typed(capsys, "add-node", "--type", "Entity", "--name", name, "--description", description)
    same = gold(
        graph, "r.jsonl",
        {"node": "Token Vault", "entity": "vault"}, {"node": "TV", "entity": "vault"}, {"node": "Tele Vision", "entity": "set"},
        {"node": "nothing of the name", "entity": "x"},
    )  # fmt: skip
    _, before = typed(capsys, "eval", "resolution", "--gold", same)
    assert (figures(before)["pairwise recall"], before["notes"] != []) == (0.0, True)
    (graph / "before.json").write_text(json.dumps(before))
    rationale = "the incident report writes the vault's name in letters"
    assert main(["--name", "t", "resolve", "--canonical", "Token Vault", "--alias", "TV", "--rationale", rationale, "--force"]) == 0  # fmt: skip
    capsys.readouterr()
    status, after = typed(capsys, "eval", "resolution", "--gold", same, "--against", "before.json", "--check")  # fmt: skip
    assert (status, figures(after)["pairwise recall"], figures(after)["pairwise precision"]) == (0, 1.0, 1.0)  # fmt: skip
    moved = {one["metric"]: one["verdict"] for one in after["against"]["moved"]}
    assert moved["pairwise f1"] == "better"
    assert {one["key"] for one in after["against"]["changed"]} == {"Token Vault", "TV"}


def test_a_figure_below_its_bound_or_worse_than_before_fails_a_build(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = gold(graph, "q.jsonl", {"question": "Who sells berths?", "sources": ["docs/ferry.md"]})  # fmt: skip
    _, good = typed(capsys, "eval", "retrieval", "--gold", questions)
    (graph / "good.json").write_text(json.dumps(good))
    wrong = gold(graph, "w.jsonl", {"question": "Who sells berths?", "sources": ["docs/vault.md"]})
    status, answer = typed(capsys, "eval", "retrieval", "--gold", wrong, "--fail-under", "recall@5=0.9", "--max-tokens", "300")  # fmt: skip
    assert (status, answer["ok"]) == ((1, False) if figures(answer)["recall@5"] < 0.9 else (0, True))  # fmt: skip
    (graph / "docs" / "ferry.md").write_text("# Nothing\n")
    assert main(["--name", "t", "--quiet", "retract", "--source", "docs/ferry.md", "--reason", "gone", "--cascade"]) == 0  # fmt: skip
    capsys.readouterr()
    status, answer = typed(capsys, "eval", "retrieval", "--gold", questions, "--against", "good.json", "--check")  # fmt: skip
    assert (status, answer["ok"]) == (1, False)
    assert any("recall" in line for line in answer["failed"])


def test_what_reviewers_decided_becomes_gold_and_what_a_policy_merged_does_not(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("TV", "Tele Vision"):
        typed(
            capsys, "add-node", "--type", "Entity", "--name", name, "--description", f"{name} it is"
        )
    why = "the incident report writes the vault's name in letters"
    assert (
        typed(
            capsys,
            "resolve",
            "--canonical",
            "Token Vault",
            "--alias",
            "TV",
            "--rationale",
            why,
            "--force",
        )[0]
        == 0
    )
    assert (
        typed(
            capsys,
            "distinct",
            "Token Vault",
            "Tele Vision",
            "--rationale",
            "a store of tokens and a set that shows films",
        )[0]
        == 0
    )
    assert typed(capsys, "eval", "collect", "r.jsonl")[1]["items"] == 3
    _, answer = typed(capsys, "eval", "resolution", "--gold", "r.jsonl")
    found = figures(answer)
    assert (found["pairwise precision"], found["pairwise recall"]) == (1.0, 1.0)
    assert answer["about"] == {"mentions": 3, "entities": 2}


def test_support_judges_claims_beside_their_quotes(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "init", "support", "s.jsonl", "--json"]) == 0
    capsys.readouterr()
    _, answer = typed(capsys, "eval", "support", "--gold", "s.jsonl")
    found = figures(answer)
    assert (found["unsupported passed"], found["unsupported doubted"]) == (0.0, 1.0)
    assert (found["stated"], found["supported doubted"]) == (1.0, 0.0)
    passed = next(metric for metric in answer["metrics"] if metric["name"] == "unsupported passed")
    assert passed["baselines"] == {"always entails": 1.0, "word overlap": 0.0}


def test_structure_needs_no_gold(graph: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, answer = typed(capsys, "eval", "structure")
    assert (status, figures(answer)["violations"]) == (0, 0.0)
    status, answer = typed(capsys, "eval", "structure", "--gold", "x")
    assert (status, answer["errors"][0]["code"]) == (2, "E201")


def test_a_template_is_written_once_and_its_schema_printed(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(capsys, "eval", "init", "grounding", "g.jsonl")[1]["items"] > 5
    status, answer = typed(capsys, "eval", "init", "grounding", "g.jsonl")
    assert (status, "--overwrite" in answer["errors"][0]["hint"]) == (2, True)
    assert typed(capsys, "eval", "schema", "grounding")[1]["schema"]["required"] == ["claim", "decision"]  # fmt: skip
    assert typed(capsys, "eval", "schema", "nonsense")[0] == 2


def test_a_public_benchmark_becomes_documents_and_gold_that_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = [{"title": "Heron", "text": "The Heron was built by Ida Moe."}, {"title": "Eel", "text": "The Eel was built by Bo Lie."}]  # fmt: skip
    asked = [{"id": "1", "question": "Who built the Heron?", "gold_titles": ["Heron"], "answer": "Ida Moe"}]  # fmt: skip
    (tmp_path / "corpus.json").write_text(json.dumps(corpus))
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    status, answer = typed(capsys, "eval", "convert", "multihop", "corpus.json", "asked.json", "--out", "set")  # fmt: skip
    assert (status, answer["documents"], answer["gold"]) == (0, 2, {"retrieval": 1, "answer": 1})
    assert main(["--name", "t", "--quiet", "init", "--source-root", "set"]) == 0
    assert main(["--name", "t", "--quiet", "extract", "set/corpus"]) == 0
    capsys.readouterr()
    _, scored = typed(capsys, "eval", "retrieval", "--gold", "set/retrieval.gold.jsonl")
    assert figures(scored)["recall@2"] == 1.0


def test_the_table_is_for_people_and_markdown_for_a_pull_request(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for form, begins in (("table", "metric"), ("markdown", "### structure")):
        assert main(["--name", "t", "eval", "structure", "--format", form]) == 0
        assert capsys.readouterr().out.startswith(begins)
