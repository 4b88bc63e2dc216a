"""``stats --support`` tells both figures, and the report marks what no longer holds."""

from __future__ import annotations

from pathlib import Path

import pytest

import kgraph
from kgraph.graph import Graph


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Graph:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.md").write_text(
        "# Notes\n\nAda led the Harbour Office.\n\nLatency fell to 78 ms.\n"
    )
    made = kgraph.create(path=str(tmp_path / "g"))
    quotes = ("Ada led the Harbour Office.", "Latency fell to 78 ms.")
    claims = ({"name": quotes[0], "valid_to": "2020-01-01"}, {"name": "Latency fell to 95 ms."})
    made.ingest(
        {
            "nodes": [{"type": "Source", "name": "notes.md", "uri": "notes.md"}, *({"type": "Claim", **claim} for claim in claims)],
            "edges": [
                {"predicate": "SUPPORTS", "source": "notes.md", "target": claim["name"], "quote": quote, "confidence": 0.9}
                for claim, quote in zip(claims, quotes, strict=True)
            ],
        }
    )  # fmt: skip
    return made


def test_a_quote_that_stands_there_and_one_that_carries_its_claim_are_two_figures(
    graph: Graph,
) -> None:
    stats = graph.stats(support=True)
    assert stats["evidence"] == {"verified": 2}
    assert stats["support"] == {"doubtful": 1, "stated": 1}
    assert "support" not in graph.stats()


def test_the_report_says_what_no_longer_holds_and_since_when(graph: Graph) -> None:
    report = "".join(graph.report())
    _, _, ended = report.partition("### No longer holds")
    assert "Ada led the Harbour Office" in ended.split("\n## ")[0]
    assert "held until 2020" in ended
