"""Vectors: made, kept up as the graph changes, asked for what words don't find, and no trouble where they can't be used."""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import kgraph
from kgraph.errors import KgraphError, NotAllowed, UsageError
from kgraph.graph import Graph
from kgraph.graph.embedding import Embedding
from kgraph.index import vectors
from kgraph.models.embedding import Embedder
from kgraph.models.failures import Unreachable
from kgraph.retrieve.question import Question
from stages.ground_worlds import said, things

pytest.importorskip("numpy")

WORLD = [
    things(Vault="a store", Valve="a part"),
    said("the vault ran out of disk", "one.md", ["Vault"]),
    said("the valve froze", "two.md", ["Valve"]),
]


class Meaning:
    """An embedder that knows three meanings, each by its words."""

    def __init__(self, name: str = "fake/meaning", more: int = 0, fails_after: int = 10**9) -> None:
        self.name = name
        self.asked: list[str] = []
        self._more = more
        self._left = fails_after

    def embed(self, texts: Sequence[str]) -> list[array[float]]:
        self._left -= 1
        if self._left < 0:
            raise Unreachable("nobody there")
        self.asked += texts
        meanings = (("vault", "disk", "space"), ("valve", "froze", "ice"), ("harbour",))
        rows = (
            [0.1 + sum(word in text.lower() for word in words) for words in meanings]
            for text in texts
        )
        return [array("f", row + [1.0] * self._more) for row in rows]

    def close(self) -> None:
        return None


class World:
    """A graph in a folder, opened with the embedder that is given."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "g")
        self.model = Meaning()
        with kgraph.create(path=self.path) as graph:
            for payload in WORLD:
                assert graph.ingest(payload).exit_status == 0

    def open(self) -> Graph:
        found = kgraph.open(self.path)
        return Graph(found.path, found.manifest, found.engine, (), self.embedder)

    def embedder(self, name: str, base_url: str) -> Embedder:
        return self.model

    def ask(self, text: str = "no space left", by_words: bool = False) -> dict[str, object]:
        with self.open() as graph:
            return graph.query(Question(text), by_words=by_words).body


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def seeds(body: dict[str, object]) -> list[tuple[str, str]]:
    names = {row["id"]: row["name"] for row in body["nodes"]}  # type: ignore[attr-defined]
    return [(names[row["id"]], row["why"]) for row in body["seeds"]]  # type: ignore[attr-defined]


def test_what_no_word_finds_is_found_by_its_meaning(world: World) -> None:
    assert world.ask()["nodes"] == []
    with world.open() as graph:
        graph.embed()
    found = world.ask()
    assert ("the vault ran out of disk", "vector") in seeds(found)[:3]
    assert "vectors" not in found
    assert world.ask(by_words=True)["nodes"] == []


def test_a_name_stays_before_what_is_only_near(world: World) -> None:
    with world.open() as graph:
        graph.embed()
    assert seeds(world.ask("Valve"))[0] == ("Valve", "name")


def test_only_texts_that_changed_are_embedded_again(world: World) -> None:
    with world.open() as graph:
        first = graph.embed()
        assert (first["embedded"], first["kept"], first["dimension"]) == (first["nodes"], 0, 3)
        world.model.asked.clear()
        graph.ingest(said("the harbour froze", "three.md"))
        again = graph.embed()
        assert sorted(world.model.asked) == ["the harbour froze", "three.md"]
        assert (again["embedded"], again["kept"]) == (2, first["nodes"])
        graph.retract(("source", "three.md"), "it was a mistake")
        assert graph.embed()["dropped"] == 2


def test_the_answer_says_what_was_written_since(world: World) -> None:
    with world.open() as graph:
        graph.embed()
        graph.ingest(said("the harbour froze", "three.md"))
    assert world.ask()["vectors"] == {"model": "fake/meaning", "written_since": 2}


def test_a_vector_of_a_text_that_has_changed_is_not_used_and_counted(world: World) -> None:
    with world.open() as graph:
        graph.embed()
        graph.add_node(
            {
                "type": "Entity",
                "name": "Vault",
                "description": "a much longer description of the store",
            }
        )
    found = world.ask()
    assert "Vault" not in [name for name, why in seeds(found) if why == "vector"]
    assert found["vectors"] == {"model": "fake/meaning", "written_since": 1, "stale": 1}


def test_a_node_that_was_taken_back_is_not_found_by_its_vector(world: World) -> None:
    with world.open() as graph:
        graph.embed()
        graph.retract(("source", "one.md"), "it was a mistake")
    assert "the vault ran out of disk" not in [name for name, _ in seeds(world.ask())]


def test_an_earlier_state_is_asked_by_the_vectors_that_fit_it(world: World) -> None:
    with world.open() as graph:
        before = graph.history(limit=1)[0]["tx"]
        graph.ingest(said("the harbour froze", "three.md"))
        graph.embed()
        body = graph.query(Question("harbour"), as_of=before).body
    assert "the harbour froze" not in [row["name"] for row in body["nodes"]]
    assert body["vectors"] == {"model": "fake/meaning", "of_another_state": True}


def test_another_model_is_refused_until_all_is_made_anew(world: World) -> None:
    with world.open() as graph:
        graph.embed(Embedding("fake/meaning"))
        with pytest.raises(NotAllowed) as refusal:
            graph.embed(Embedding("fake/other"))
        assert "--rebuild" in refusal.value.hint
        world.model = Meaning("fake/other")
        with pytest.raises(NotAllowed, match="made by fake/meaning"):
            graph.query(Question("ice"))
        assert graph.embed(Embedding("fake/other", anew=True))["kept"] == 0
        assert graph.query(Question("ice")).body["nodes"]


def test_a_model_that_gives_longer_vectors_than_it_did_is_refused(world: World) -> None:
    with world.open() as graph:
        graph.embed()
        world.model = Meaning(more=1)
        with pytest.raises(NotAllowed, match="gives 4 now"):
            graph.query(Question("ice"))
        graph.ingest(said("the harbour froze", "three.md"))
        with pytest.raises(NotAllowed):
            graph.embed()


def test_what_was_made_before_a_failure_is_kept(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.model = Meaning(fails_after=1)
    with world.open() as graph:
        many = {
            "nodes": [
                {"type": "Entity", "name": f"thing {number}", "description": "one of many"}
                for number in range(400)
            ],
            "edges": [],
        }
        assert graph.ingest(many).exit_status == 0
        with pytest.raises(Unreachable) as failure:
            graph.embed()
        assert "256 of 406 nodes have vectors now" in failure.value.hint
        world.model = Meaning()
        assert graph.query(Question("disk")).body["vectors"] == {
            "model": "fake/meaning",
            "missing": 150,
        }
        assert graph.embed()["kept"] == 256


def test_a_failure_with_nothing_made_leaves_no_file(world: World) -> None:
    world.model = Meaning(fails_after=0)
    with world.open() as graph, pytest.raises(Unreachable):
        graph.embed()
    assert not [name for name in os.listdir(world.path) if name.startswith("vectors")]


def test_the_file_may_be_deleted(world: World) -> None:
    with world.open() as graph:
        file = graph.embed()["file"]
    os.unlink(file)
    assert world.ask()["nodes"] == []


@pytest.mark.parametrize("cut", [0, 5, 40, 100, -3])
def test_a_file_that_is_not_whole_is_refused_with_advice(world: World, cut: int) -> None:
    with world.open() as graph:
        file = Path(graph.embed()["file"])
    file.write_bytes(file.read_bytes()[:cut])
    with pytest.raises(NotAllowed) as refusal:
        world.ask()
    assert "kgraph embed" in refusal.value.hint


def test_without_the_extra_nothing_changes_but_that_it_is_said(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = world.ask("the valve")
    with world.open() as graph:
        graph.embed()
    monkeypatch.setitem(sys.modules, "numpy", None)
    found = world.ask("the valve")
    assert found.pop("vectors") == {
        "unused": "the extra 'embed' is not installed (pip install 'karpathy-graph[embed]')"
    }
    assert {key: found[key] for key in ("seeds", "nodes", "edges", "sources", "cursor")} == {
        key: plain[key] for key in ("seeds", "nodes", "edges", "sources", "cursor")
    }


def test_a_cursor_does_not_outlive_the_vectors_it_was_made_with(world: World) -> None:
    with world.open() as graph:
        graph.embed()
        cursor = str(graph.query(Question("vault disk", max_nodes=1)).body["cursor"])
        assert graph.query(Question("vault disk", max_nodes=1, cursor=cursor)).body["nodes"]
        os.unlink(os.path.join(world.path, "vectors.bin"))
        with pytest.raises(UsageError, match="another question"):
            graph.query(Question("vault disk", max_nodes=1, cursor=cursor))


def test_vectors_of_a_graph_without_nodes_find_nothing(tmp_path: Path) -> None:
    world = World(tmp_path)
    with world.open() as graph:
        for source in ("one.md", "two.md"):
            graph.retract(("source", source), "all of it")
        for name in ("Vault", "Valve"):
            graph.retract(("node", name), "all of it")
        assert graph.embed()["nodes"] == 0
    assert world.ask("vault")["nodes"] == []


def test_what_is_stored_has_length_one(world: World) -> None:
    with world.open() as graph:
        found = vectors.read(str(graph.embed()["file"]))
    assert found is not None and all(abs(float(row @ row) - 1) < 1e-5 for row in found.rows)


def test_a_provider_is_asked_at_the_address_that_was_given_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("httpx")
    from kgraph.testing.fake_providers import FakeProvider, embedded

    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with FakeProvider("openai", embedded) as fake, kgraph.open(world.path) as graph:
        made = graph.embed(Embedding("openai/small", fake.base_url))
        assert made["model"] == "openai/small" and made["embedded"] == made["nodes"]
        before = len(fake.asked)
        graph.query(Question("no space left"))
        assert [asked.body["input"] for asked in fake.asked[before:]] == [["no space left"]]
        graph.query(Question("no space left"), by_words=True)
        assert len(fake.asked) == before + 1
    with kgraph.open(world.path) as graph, pytest.raises(KgraphError) as refusal:
        graph.embed(Embedding("anthropic/any", anew=True))
    assert "local/wordllama" in refusal.value.hint


def many(number: int, about: str = "one of many") -> dict[str, object]:
    return {
        "nodes": [
            {"type": "Entity", "name": f"thing {at}", "description": about} for at in range(number)
        ],
        "edges": [],
    }


def test_a_failure_takes_no_vector_from_what_was_not_reached(tmp_path: Path) -> None:
    world = World(tmp_path)
    with world.open() as graph:
        assert graph.ingest(many(700)).exit_status == 0
        graph.embed()
        assert graph.ingest(many(300, "one of many, told anew at some length")).exit_status == 0
        world.model = Meaning(fails_after=1)
        with pytest.raises(Unreachable):
            graph.embed()
        found = vectors.read(os.path.join(world.path, "vectors.bin"))
        assert found is not None and len(found.ids) == 706 - found.stamp.missing
        world.model = Meaning()
        again = graph.embed()
    assert (
        0 < again["embedded"] == found.stamp.missing < 60
        and again["kept"] == len(found.ids)
        and again["dropped"] == 0
    )


def test_vectors_of_another_length_leave_the_file_as_it_was(world: World) -> None:
    with world.open() as graph:
        file = Path(graph.embed()["file"])
        before = file.read_bytes()
        world.model = Meaning(more=1)
        graph.ingest(said("the harbour froze", "three.md"))
        with pytest.raises(NotAllowed):
            graph.embed()
    assert file.read_bytes() == before


def test_a_failure_with_nothing_new_leaves_the_file_as_it_was(world: World) -> None:
    with world.open() as graph:
        file = Path(graph.embed()["file"])
        before = file.read_bytes()
        world.model = Meaning(fails_after=0)
        graph.ingest(said("the harbour froze", "three.md"))
        with pytest.raises(Unreachable):
            graph.embed()
    assert file.read_bytes() == before


def test_what_a_process_that_was_ended_left_goes_when_it_is_old(world: World) -> None:
    old, young = (Path(world.path, f"vectors.bin.{number}.new") for number in (1, 2))
    for left in (old, young):
        left.write_bytes(b"half")
    os.utime(old, (1e9, 1e9))
    with world.open() as graph:
        graph.embed()
    assert (old.exists(), young.exists()) == (False, True)


def _head_points_nowhere(whole: bytes) -> bytes:
    return whole[:8] + b"\xff" * 8 + whole[16:]


def _no_end(whole: bytes) -> bytes:
    return whole[: int.from_bytes(whole[8:16], "little")] + b"[" * 200_000


def _a_number_for_a_model(whole: bytes) -> bytes:
    return whole.replace(b'"fake/meaning"', b"5")


def _numbers_for_ids(whole: bytes) -> bytes:
    at = int.from_bytes(whole[8:16], "little")
    told = json.loads(whole[at:])
    return whole[:at] + json.dumps({**told, "ids": [1] * len(told["ids"])}).encode()


@pytest.mark.parametrize(
    "garbled", [_head_points_nowhere, _no_end, _a_number_for_a_model, _numbers_for_ids]
)
def test_a_garbled_file_is_refused_with_advice(
    world: World, garbled: Callable[[bytes], bytes]
) -> None:
    with world.open() as graph:
        file = Path(graph.embed()["file"])
    file.write_bytes(garbled(file.read_bytes()))
    with pytest.raises(NotAllowed) as refusal:
        world.ask()
    assert "kgraph embed" in refusal.value.hint


def test_a_folder_in_the_place_of_the_file_is_refused(world: World) -> None:
    os.mkdir(os.path.join(world.path, "vectors.bin"))
    with pytest.raises(NotAllowed, match="no whole file"):
        world.ask()
