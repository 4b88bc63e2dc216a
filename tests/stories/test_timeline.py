"""What happened when: of the graph, of a thing, in a report."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgraph
from kgraph.graph import Graph


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    made = kgraph.create(path=str(tmp_path / "graph"))
    rows = [
        ("The disk was replaced", "2026-03-11T12:00:00+01:00", "resolution"),
        ("The vault filled up", "2026-03-11T09:12:00Z/2026-03-11T10:40:00Z", "cause"),
        ("Nothing is known of the lock", "", ""),
        ("We chose a larger disk", "2026-03-12", "decision"),
    ]
    nodes: list[dict[str, object]] = [
        {"type": "Source", "name": "log.md"},
        {"type": "Entity", "name": "Vault"},
    ]
    edges: list[dict[str, object]] = []
    for name, time, kind in rows:
        given = {"event_time": time, "kind": kind}
        nodes.append({"type": "Claim", "name": name, **{k: v for k, v in given.items() if v}})
        edges.append(
            {"predicate": "SUPPORTS", "source": "log.md", "target": name, "source_doc": "log.md#L1"}
        )
    edges.append(
        {
            "predicate": "MENTIONS",
            "source": "The vault filled up",
            "target": "Vault",
            "role": "subject",
        }
    )
    assert not made.ingest({"nodes": nodes, "edges": edges}).errors
    return made


def test_claims_with_a_time_come_in_the_order_of_the_world(graph: Graph) -> None:
    names = [row["name"] for row in graph.timeline()]
    assert names == ["The vault filled up", "The disk was replaced", "We chose a larger disk"]
    assert graph.timeline()[0]["source_doc"] == "log.md#L1"


def test_a_timeline_is_bounded_by_thing_source_kind_and_period(graph: Graph) -> None:
    assert [row["name"] for row in graph.timeline("Vault")] == ["The vault filled up"]
    assert len(graph.timeline("log.md")) == 3
    assert [row["name"] for row in graph.timeline(kind="decision")] == ["We chose a larger disk"]
    assert [row["name"] for row in graph.timeline(period=("2026-03-12", ""))] == [
        "We chose a larger disk"
    ]


def test_the_report_tells_timeline_decisions_and_causes(graph: Graph) -> None:
    graph.render()
    report = Path(graph.path, "REPORT.md").read_text(encoding="utf-8")
    assert "## Timeline" in report and "2026-03-12: We chose a larger disk" in report
    assert "The vault filled up" in report.split("## Causes")[1]
    assert "We chose a larger disk" in report.split("## Decisions")[1].split("##")[0]
