"""What documents, models and callers hand over does nothing but stand there, and no call raises what its page doesn't name."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.errors import KgraphError
from kgraph.extract.outcomes import UnitResult
from kgraph.extract.progress import Progress
from kgraph.graph.exchanging import Target
from stages.ground_worlds import things

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "'=x", "''=x", "'plain", "plain")


def test_cells_that_begin_like_formulas_are_guarded_and_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path="g") as graph:
        assert (
            graph.ingest(things(**{name: f"{name} is a text" for name in FORMULAS})).exit_status
            == 0
        )
        graph.export("csv", Target("out"))
        graph.export("csv", Target("raw", raw=True))
    cells = [
        cell
        for row in csv.reader(io.StringIO(Path("out", "nodes.csv").read_bytes().decode(), ""))
        for cell in row
    ]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@\t\r") and cell]
    assert "=1+1" in Path("raw", "nodes.csv").read_text().split(",")
    from kgraph.cli import main

    assert main(["--path", "back", "import", "out", "--json"]) == 0
    with kgraph.open("back") as graph:
        assert {node.name for node in graph.reader().every_node()} >= set(FORMULAS)


def test_what_an_endpoint_says_does_nothing_to_a_terminal() -> None:
    shown: list[str] = []
    progress = Progress(shown.append, lambda: 0.0)
    progress.begin(1, 0)
    progress.unit(UnitResult("a\x1b[31m.md", (), "failed", "evil \x1b]0;owned\x07 \u202e\x9b2J\r"))
    assert not [char for char in "".join(shown) if not char.isprintable() and char != "\n"]


def cyclic() -> dict[str, Any]:
    held: dict[str, Any] = {"nodes": [], "edges": []}
    held["nodes"].append(held)
    return held


def deep() -> Any:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    return {"nodes": [value], "edges": []}


ODD: tuple[Any, ...] = (
    None, [], 3, "", b"", "null", {}, {1: 2}, {(1,): 2}, cyclic(), deep(), {"nodes": {1, 2}, "edges": []},
    {"nodes": [{"type": "Entity", "name": float("nan")}], "edges": []},
    {"nodes": [{"type": "Entity", "name": "\ud800", "description": "half"}], "edges": []},
    {"nodes": [None, [], 3, {"type": None}], "edges": [None, {"predicate": []}]},
    {"nodes": [{"type": "Entity", "name": "x", "attrs": {"a": object()}}], "edges": []},
)  # fmt: skip


@pytest.mark.parametrize("number", range(len(ODD)))
def test_an_odd_payload_is_answered_as_its_text_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path="g") as graph:
        for call in (graph.ingest, graph.judge, graph.add_node, graph.add_edge):
            receipt = call(ODD[number])
            assert receipt.exit_status and (receipt.errors or receipt.invariant_violations)
        assert graph.validate().errors == []


def test_half_a_character_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path="g") as graph:
        for call in (graph.show, graph.query):
            try:
                call("\ud800")
            except KgraphError:
                pass
        with pytest.raises(KgraphError):
            graph.retract(("node", "\ud800"), "x")
