"""What was read can be found, also where it became no statement: quoted, with its place, and gone as soon as its source is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import kgraph
from kgraph.extract.request import RunRequest
from kgraph.extract.run import Tools
from kgraph.graph import Graph
from kgraph.models.secrets import Mask
from kgraph.retrieve.question import Asked, Question

NOTES = """# Harbour notes

The tide was high when the gauge stopped. Did nobody look at the quagmire behind the shed?

## Berths

| berth | boat | depth |
|---|---|---|
| 7 | Heron | 4.2 m |

- see [the log. Of it](log.md) for zebrawood
"""


class _Silent:
    def begin(self, units: int, unchanged: int) -> None: ...
    def unit(self, result: object) -> None: ...

    def draining(self, calls: int) -> None: ...
    def end(self) -> None: ...


def extract(graph: Graph, *paths: Path) -> None:
    tools = Tools(_Silent(), lambda: False, Mask(()))  # type: ignore[arg-type]
    graph.extract(RunRequest(tuple(map(str, paths)), graph.run_id()), tools)


@pytest.fixture
def harbour(tmp_path: Path) -> tuple[Graph, Path]:
    notes = tmp_path / "notes.md"
    notes.write_text(NOTES)
    graph = kgraph.create(
        path=os.path.join(tmp_path, "graphs", "harbour"), source_root=str(tmp_path)
    )
    extract(graph, notes)
    return graph, notes


def quotes(graph: Graph, text: str, **how: object) -> list[str]:
    body = graph.query(Question(text)._replace(**how)).body
    return [one["quote"] for one in body.get("passages", [])]


def test_a_word_that_stands_in_a_file_is_found_with_its_bytes_and_lines(
    harbour: tuple[Graph, Path],
) -> None:
    graph, notes = harbour
    data = notes.read_bytes()
    for word in ("quagmire", "tide", "Heron", "Berths", "zebrawood"):
        body = graph.query(word).body
        told = [one["name"] for one in body["nodes"]] + [
            one["quote"] for one in body.get("passages", [])
        ]
        assert any(word in text for text in told), word
        for one in body.get("passages", []):
            start, end = one["bytes"]
            first = one["lines"][0]
            assert data[start:end].decode() == one["quote"]
            assert one["quote"].splitlines()[0] in NOTES.splitlines()[first - 1]
            assert one["source_doc"].startswith(f"notes.md:{first}")


def test_an_answer_says_what_is_only_text_and_keeps_to_its_budget(
    harbour: tuple[Graph, Path],
) -> None:
    graph, _ = harbour
    answer = graph.query(Question("quagmire", max_tokens=200), Asked("context"))
    assert "## In the sources, not in the graph" in str(answer.text)
    assert "(notes.md:3" in str(answer.text)
    assert len(str(answer.text).encode()) <= 600
    assert quotes(graph, "quagmire", passages=False) == []
    assert "zebrawood" in quotes(graph, "zebrawood")[0]  # not cut inside its link
    assert "[the log. Of it](log.md)" in quotes(graph, "zebrawood")[0]


def test_a_changed_file_is_not_quoted_and_named(harbour: tuple[Graph, Path]) -> None:
    graph, notes = harbour
    notes.write_text(NOTES.replace("quagmire", "morass"))
    body = graph.query("quagmire").body
    assert "passages" not in body
    assert body["changed_sources"] == ["notes.md"]
    extract(graph, notes)
    assert quotes(graph, "quagmire") == []
    assert "morass" in quotes(graph, "morass")[0]


def test_a_retracted_source_is_not_quoted_until_it_is_restored(harbour: tuple[Graph, Path]) -> None:
    graph, _ = harbour
    tx = graph.retract(("source", "notes.md"), "the wrong harbour").tx
    assert quotes(graph, "quagmire") == []
    graph.restore(tx)
    assert quotes(graph, "quagmire") != []


def test_the_passages_may_be_deleted_and_come_back(harbour: tuple[Graph, Path]) -> None:
    graph, notes = harbour
    for mend in (lambda: extract(graph, notes), graph.rebuild):
        graph.close()
        for name in os.listdir(graph.path):
            if name.startswith("passages.sqlite"):
                os.unlink(os.path.join(graph.path, name))
        assert quotes(graph, "quagmire") == []
        mend()
        assert quotes(graph, "quagmire") != []


def test_what_a_payload_cites_is_read_and_can_be_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("The mast broke. Did the cook sing about turnips?\n")
    graph = kgraph.create(path=str(tmp_path / "graphs" / "g"), source_root=str(tmp_path))
    graph.ingest(
        {
            "nodes": [{"type": "Source", "name": "a.md", "uri": "a.md"}, {"type": "Claim", "name": "The mast broke"}],
            "edges": [
                {
                    "predicate": "SUPPORTS", "source": "a.md", "target": "The mast broke",
                    "quote": "The mast broke.", "confidence": 0.95,
                }
            ],
        }
    )  # fmt: skip
    assert any("turnips" in quote for quote in quotes(graph, "turnips"))
    verdict = graph.ground("The cook sings about turnips")
    assert verdict.decision == "revise"
    assert any("turnips" in one.quote for one in verdict.passages)


def test_words_of_a_dropped_file_stay_nowhere_in_the_index(harbour: tuple[Graph, Path]) -> None:
    graph, _ = harbour
    assert graph.texts.drop(["notes.md"]) == 1
    graph.close()
    held = b"".join(
        Path(graph.path, name).read_bytes()
        for name in os.listdir(graph.path)
        if name.startswith("passages")
    )
    assert b"quagmire" not in held
