"""A quote is held against its source when it comes in, whichever predicate carries it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgraph.compose import Place
from kgraph.graph.answers import Ingestion


@pytest.mark.parametrize(
    "predicate", ["REVISES", "SUPERSEDES", "PARENT_OF", "DEPENDS_ON", "DERIVED_FROM"]
)
@pytest.mark.parametrize(
    ("quote", "status"),
    [("Plan B replaces plan A", "verified"), ("Plan C replaces plan A", "missing")],
)
def test_a_quote_is_checked_on_arrival(
    predicate: str, quote: str, status: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plans.md").write_text("# Plans\n\nPlan B replaces plan A.\n", encoding="utf-8")
    graph = Place("t").create()
    nodes = [
        {"type": "Source", "name": "plans.md", "uri": "plans.md"},
        {"type": "Entity", "name": "A"},
        {"type": "Entity", "name": "B"},
    ]
    edge = {
        "predicate": predicate,
        "source": "B",
        "target": "A",
        "source_doc": "plans.md#plans",
        "quote": quote,
        "confidence": 0.9,
    }
    graph.ingest({"nodes": nodes, "edges": [edge]}, Ingestion())
    assert [found.status for found in graph.reader().every_edge()] == [status]
    graph.close()


def test_a_source_named_without_its_uri_is_read_where_the_graph_knows_it_lies(
    tmp_path: Path,
) -> None:
    (tmp_path / "note.md").write_text("# Note\n\nThe pump failed.\n", "utf-8")
    first = {"nodes": [{"type": "Source", "name": "note.md", "uri": "note.md"}], "edges": []}
    second = {
        "nodes": [
            {"type": "Source", "name": "note.md"},
            {"type": "Claim", "name": "The pump failed"},
        ],
        "edges": [
            {
                "predicate": "SUPPORTS",
                "source": "note.md",
                "target": "The pump failed",
                "quote": "The pump failed.",
            }
        ],
    }
    with Place(path=str(tmp_path / "graph"), working=str(tmp_path)).create() as graph:
        graph.ingest(first)
        assert dict(graph.ingest(second).evidence) == {"verified": 1}
