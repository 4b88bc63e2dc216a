"""A short tale for each kind of event: what it says, and that the log alone says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.errors import NotAllowed, UsageError
from kgraph.graph import Graph, Ingestion
from kgraph.graph.merging import MergeOptions
from kgraph.graph.parting import SplitOptions
from stories.incident import documents, lines_of, payload


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    return kgraph.create(path=str(tmp_path / "g"))


def kinds(graph: Graph) -> list[list[str]]:
    """The kinds of events in each line of the log."""
    return [
        [event["kind"] for event in json.loads(line)["events"]]
        for line in lines_of(Path(graph.path))
    ]


def told_again(graph: Graph, ref: str) -> dict[str, Any]:
    """What the log alone says of a node: the index is thrown away first."""
    graph.rebuild()
    return graph.show(ref)


def test_a_node_is_what_all_its_assertions_say_together(graph: Graph) -> None:
    graph.ingest(payload(attrs={"tier": 1}), Ingestion(run_id="r1"))
    graph.ingest(
        payload("chat.md", name="token vault", aliases=["TV"], attrs={"tier": 2}),
        Ingestion(run_id="r2"),
    )
    node = told_again(graph, "TV")["node"]
    assert node["name"] == "Token Vault"
    assert set(node["aliases"]) == {"token vault", "TV"}
    assert (node["assertions"], node["attrs"], node["runs"]) == (2, {"tier": 2}, ["r1", "r2"])
    assert [row["value"] for row in node["attributes_said"]["tier"]] == [1, 2]


def test_an_edge_shows_the_best_evidenced_of_its_assertions(graph: Graph) -> None:
    missing = payload()
    missing["edges"][0] |= {"quote": "words that stand nowhere in it", "confidence": 0.99}
    graph.ingest(missing, Ingestion(run_id="r1"))
    graph.ingest(payload(), Ingestion(run_id="r2"))
    graph.rebuild()
    (support,) = [
        edge
        for edge in graph.show("Claim:The Token Vault had run out of disk")["edges"]
        if edge["predicate"] == "SUPPORTS"
    ]
    assert (
        support["evidence"]["status"],
        support["confidence"],
        support["run_id"],
        support["assertions"],
    ) == ("verified", 0.9, "r2", 2)
    assert support["source_doc"] == "report.md#cause"


def test_a_withdrawal_takes_back_one_run_and_leaves_what_others_said(graph: Graph) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    graph.ingest(payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2"))
    taken = graph.retract(("run", "r1"), "wrong file")
    assert kinds(graph)[-1] == ["withdraw", "meta"]
    graph.rebuild()
    assert graph.stats()["by_node_type"] == {"Claim": 1, "Entity": 1, "Source": 1}
    again = graph.ingest(payload(), Ingestion(run_id="r1"))
    assert again.tx and not again.unchanged, "what is said again after a withdrawal lives"
    back = graph.restore(taken.tx)
    assert kinds(graph)[-1] == ["withdraw"] and back.tx
    assert told_again(graph, "Token Vault")["node"]["assertions"] == 3


def test_a_split_parts_namesakes_and_a_source_keeps_its_own(graph: Graph) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    graph.ingest(payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2"))
    done = graph.split(
        "Token Vault",
        SplitOptions(
            source="chat.md",
            qualifier="the chat's",
            rationale="the chat speaks of a night club of that name",
        ),
    )
    assert "split" in kinds(graph)[-1]
    graph.rebuild()
    old, new = graph.show(done["node"])["node"], graph.show(done["new"])["node"]
    assert (old["runs"], new["qualifier"]) == (["r1"], "the chat's")
    assert "r2" in new["runs"]
    chat = payload("chat.md", "The Token Vault has a queue at the door")
    bound = graph.ingest(chat, Ingestion(run_id="r3"))
    assert bound.ids["nodes"][1] == done["new"], (
        "the next reading of that source goes where the split sent it"
    )
    assert [problem.code for problem in bound.warnings if problem.code == "W211"] == ["W211"]
    graph.restore(done["tx"])
    assert "r2" in told_again(graph, done["node"])["node"]["runs"]


def test_a_run_that_is_split_off_takes_its_source_along_and_adds_one_node(graph: Graph) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    graph.ingest(payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2"))
    before = graph.stats()["nodes"]
    done = graph.split("Token Vault", SplitOptions(run="r2"))
    assert graph.stats()["nodes"] == before + 1
    assert not graph.candidates("Entity")["clusters"], "what was parted is not proposed again"
    with pytest.raises(NotAllowed, match="two things"):
        graph.resolve(
            done["node"], [done["new"]], MergeOptions("both are the vault in which tokens are kept")
        )
    bound = graph.ingest(
        payload("chat.md", "The Token Vault has a queue at the door"), Ingestion(run_id="r3")
    )
    assert bound.ids["nodes"][1] == done["new"]
    both = graph.ingest(payload("report.md", "The Token Vault is empty"), Ingestion(run_id="r4"))
    assert both.ids["nodes"][1] == done["node"]


@pytest.mark.parametrize("confidence", [-1.0, 0.49, 1.01, float("nan")])
def test_a_merge_that_is_surer_than_sure_or_a_mere_guess_is_refused(
    graph: Graph, confidence: float
) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    graph.ingest(
        payload("chat.md", "The Token Vault is full again", name="TV", id="tv"),
        Ingestion(run_id="r2"),
    )
    with pytest.raises(UsageError, match="confidence"):
        graph.resolve(
            "Token Vault",
            ["tv"],
            MergeOptions("the chat calls the vault by its letters", confidence, force=True),
        )


def test_a_merge_that_something_speaks_against_needs_a_word(graph: Graph) -> None:
    said = "steps the voltage down for the hall"
    nodes = [
        {"type": "Entity", "name": f"{side} transformer", "description": said}
        for side in ("north", "south")
    ]
    graph.ingest({"nodes": nodes, "edges": []}, Ingestion(run_id="r1"))
    why = "both step the voltage of the hall down"
    with pytest.raises(NotAllowed, match="'north' and 'south' exclude each other"):
        graph.resolve("north transformer", ["south transformer"], MergeOptions(why))
    assert graph.resolve(
        "north transformer", ["south transformer"], MergeOptions(why, force=True)
    ).tx


def test_an_alias_is_shown_as_what_it_was_merged_into_and_alone_on_the_surface(
    graph: Graph,
) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    chat = payload("chat.md", "The TV is full again", name="TV")
    chat["edges"][1]["target"] = "TV"
    graph.ingest(chat, Ingestion(run_id="r2"))
    graph.resolve(
        "Token Vault", ["TV"], MergeOptions("the chat calls the vault by its letters", force=True)
    )
    shown = graph.show("TV")
    assert (shown["node"]["name"], shown["asked"]["name"]) == ("Token Vault", "TV")
    assert "TV" in shown["node"]["aliases"]
    assert (shown["edges_shown"], shown["edges_total"]) == (3, 3), (
        "a merge is one edge, seen from both of its ends"
    )
    assert {edge["target_name"] for edge in shown["edges"]} == {"Token Vault", "TV"}
    alone = graph.show("TV", surface=True)
    assert alone["node"]["name"] == "TV" and "asked" not in alone
    assert "asked" not in graph.show("Token Vault")


def test_evidence_is_found_again_when_a_source_has_changed(graph: Graph, tmp_path: Path) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    assert graph.verify()["evidence"] == {"verified": 1}
    (tmp_path / "report.md").write_text("# Outage\n\nAll of it was rewritten.\n", encoding="utf-8")
    found = graph.verify(record=True)
    assert found["recorded"] == 1
    assert kinds(graph)[-1] == ["evidence"]
    graph.rebuild()
    assert set(graph.stats()["evidence"]) <= {"stale", "missing"}
    graph.retract(("tx", found["tx"]), "the file was put back")
    graph.rebuild()
    assert graph.stats()["evidence"] == {"verified": 1}, "a finding that is taken back is forgotten"


def test_what_a_graph_is_for_stands_in_the_log_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    kgraph.create(path=str(folder), objective="why checkouts failed").close()
    assert json.loads(lines_of(folder)[0])["events"][0]["kind"] == "meta"
    (folder / "manifest.json").unlink()
    assert kgraph.open(path=str(folder)).manifest.objective == "why checkouts failed"
    assert (
        json.loads((folder / "manifest.json").read_text("utf-8"))["objective"]
        == "why checkouts failed"
    )


def test_the_graph_is_shown_as_it_was_then(graph: Graph) -> None:
    first = graph.ingest(payload(), Ingestion(run_id="r1"))
    graph.ingest(payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2"))
    graph.retract(("run", "r1"), "wrong file")
    assert graph.stats(as_of=first.tx)["nodes"] == 3
    assert graph.stats(as_of=first.tx[:10])["nodes"] == 3
    assert graph.stats(as_of="2001-01-01")["nodes"] == 0
    assert graph.stats(as_of="2999-01-01T00:00:00Z") == graph.stats()
    assert graph.show("Token Vault", as_of=first.tx)["node"]["runs"] == ["r1"]
    with pytest.raises(kgraph.errors.UsageError):
        graph.stats(as_of="2026-13-77")
    with pytest.raises(kgraph.errors.UnknownReference):
        graph.stats(as_of="ffff")


def test_a_retraction_that_is_only_tried_says_what_the_real_one_does_and_writes_nothing(
    graph: Graph,
) -> None:
    graph.ingest(payload(), Ingestion(run_id="r1"))
    heads = list(graph.reader().index.heads)
    tried = graph.retract(("node", "Token Vault"), "", cascade=True, dry_run=True)
    assert (tried.tx, list(graph.reader().index.heads)) == ("", heads)
    done = graph.retract(("node", "Token Vault"), "it never was", cascade=True)
    assert done.tx and done._replace(tx="") == tried
