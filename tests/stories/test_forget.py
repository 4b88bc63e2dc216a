"""What is forgotten is nowhere in the graph's folder any more, and the history can be checked all the same."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import main
from kgraph.errors import UnknownReference
from kgraph.graph import Graph
from kgraph.log.jsonl import JsonlLog
from stages.ground_worlds import said, things

SECRET = "Ann Zebrowski"
WORLD = [
    things(Vault="a store", Valve="a part", **{SECRET: "an engineer of the plant"}),
    said("the vault ran out of disk", "one.md", ["Vault"]),
    said(f"{SECRET} forgot to close the valve", "two.md", ["Valve", SECRET]),
]


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Graph]:
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path="g") as made:
        for payload in WORLD:
            assert made.ingest(payload).exit_status == 0
        made.render()
        yield made


def places(text: str, folder: str = "g") -> list[str]:
    return [
        str(path)
        for path in Path(folder).rglob("*")
        if path.is_file() and text.lower().encode() in path.read_bytes().lower()
    ]


def is_green(folder: str = "g") -> None:
    with kgraph.open(folder) as opened:
        checked = opened.validate()
        assert not checked.errors and not checked.invariant_violations, checked
        assert opened.rebuild().errors == [] and opened.check_index() == []
    read = subprocess.run(
        [sys.executable, "-c", reader_on_the_page(), f"{folder}/log.jsonl"], capture_output=True
    )
    assert read.returncode == 0, read.stderr
    assert json.loads(read.stdout)["transactions"] > 0


def reader_on_the_page() -> str:
    page = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text()
    return page.split("```python read_log.py\n")[1].split("```")[0]


def test_a_node_is_forgotten_with_all_that_names_it(graph: Graph) -> None:
    assert places(SECRET)
    found = graph.forget(("node", SECRET), "a wish")
    assert found["tx"] and found["texts"] and places(SECRET) == []
    assert places("an engineer of the plant") == []
    with pytest.raises(UnknownReference):
        graph.show(SECRET)
    assert graph.show("Vault") and graph.show("Valve")
    is_green()
    with kgraph.open("g") as opened:
        last = opened.history()[0]
    assert last["op"] == "forget" and last["reason"] == "a wish"


def test_a_source_is_forgotten_and_what_others_say_stays(graph: Graph) -> None:
    graph.forget(("source", "two.md"), "a wish")
    assert places("forgot to close") == [] and places("two.md") == []
    assert graph.show("Valve") and "ran out of disk" in json.dumps(graph.query("disk").body)
    is_green()


def test_a_transaction_is_forgotten_though_it_was_taken_back_before(graph: Graph) -> None:
    tx = graph.history()[0]["id"] if "id" in graph.history()[0] else graph.history()[0]["tx"]
    graph.retract(("tx", tx), "wrong")
    graph.forget(("tx", tx), "a wish")
    assert places("forgot to close") == []
    assert graph.show(SECRET)  # another transaction said so
    is_green()
    assert graph.forget(("tx", tx), "again")["tx"] == ""


def test_a_merge_with_a_copy_doesnt_bring_it_back(
    graph: Graph, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree("g", "copy")
    with kgraph.open("copy") as copy:
        assert copy.ingest(said("the pump is new", "three.md", ["Vault"])).exit_status == 0
    graph.forget(("node", SECRET), "a wish")
    graph.close()
    # a union of lines, as git makes it
    ours, theirs = (Path(one, "log.jsonl").read_bytes() for one in ("g", "copy"))
    lines = dict.fromkeys([*theirs.splitlines(), *ours.splitlines()])
    Path("g", "log.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    assert places(SECRET)
    assert main(["--path", "g", "show", "Vault", "--json"]) == 0
    assert "were taken out" in capsys.readouterr().err
    assert places(SECRET) == []
    is_green()
    with kgraph.open("g") as merged:
        assert "the pump is new" in json.dumps(merged.query("pump").body)
    # kgraph import, in both directions
    assert main(["--path", "g", "import", "copy", "--json"]) == 0, capsys.readouterr()
    assert places(SECRET) == []
    assert main(["--path", "copy", "import", "g", "--json"]) == 0, capsys.readouterr()
    assert main(["--path", "copy", "stats", "--json"]) == 0
    assert places(SECRET, "copy") == []
    is_green("copy")


@pytest.mark.parametrize(
    ("selector", "reference"),
    [("node", SECRET), ("node", f"Claim:{SECRET} went home"), ("source", "gone.md")],
)
def test_citations_are_checked_as_before_after_forgetting(
    graph: Graph, capsys: pytest.CaptureFixture[str], selector: str, reference: str
) -> None:
    for name, quote in (("kept.md", "the pump is new"), ("gone.md", f"{SECRET} went home")):
        Path(name).write_text(f"# A page\n\n{quote}\n")
        payload = said(quote, name, ["Vault"])
        payload["nodes"][0]["uri"] = name
        payload["edges"][0] |= {"quote": quote, "source_doc": f"{name}#L3"}
        assert graph.ingest(payload).exit_status == 0
    assert graph.verify()["evidence"]["verified"] == 2
    graph.forget((selector, reference), "a wish")
    graph.close()
    Path("gone.md").write_text("# A page\n\nNothing of that.\n")
    assert main(["--path", "g", "verify", "--record", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["evidence"]["verified"] == 1 and found["problems"] == []
    assert found["recorded"] == 0
    # what was withdrawn is cited no more; what only named a forgotten node stays, without its words
    assert found["evidence"].get("forgotten", 0) == (1 if reference == SECRET else 0)
    is_green()


def test_what_the_graph_is_for_is_forgotten_too(graph: Graph, tmp_path: Path) -> None:
    objective = f"why {SECRET} forgot the valve"
    with kgraph.create(path="h", objective=objective) as made:
        assert made.ingest(WORLD[0]).exit_status == 0
        assert places(SECRET, "h")
        made.forget(("node", SECRET), "a wish")
        made.render()
    assert places(SECRET, "h") == []
    is_green("h")
    with kgraph.open("h") as opened:
        assert opened.manifest.objective.startswith("[forgotten ")


def test_an_objective_written_by_hand_is_forgotten_though_the_process_died(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path("g", "manifest.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | {"objective": f"what {SECRET} did"}))

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        dying.setattr(JsonlLog, "rewrite", killed)
        with pytest.raises(Killed):
            graph.forget(("node", SECRET), "a wish")
    graph.close()
    assert main(["--path", "g", "stats", "--json"]) == 0
    assert places(SECRET) == []
    is_green()


class Killed(BaseException):
    pass


@pytest.mark.parametrize("moment", ["append", "rewrite", "remove", "again"])
def test_it_is_not_begun_or_finished_by_the_next_command(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    from kgraph.graph import forgetting
    from kgraph.index.sqlite import SqliteIndex

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as dying:
        if moment == "append":
            graph.retract(("node", SECRET), "first")
            dying.setattr(JsonlLog, "append", killed)
        elif moment == "rewrite":
            dying.setattr(JsonlLog, "rewrite", killed)
        elif moment == "remove":
            dying.setattr(forgetting, "_remove_derived", killed)
        else:
            dying.setattr(SqliteIndex, "make_again", killed)
        with pytest.raises(Killed):
            graph.forget(("node", SECRET), "a wish")
    graph.close()
    assert main(["--path", "g", "stats", "--json"]) == 0
    assert bool(places(SECRET)) == (moment == "append")
    is_green()


def test_a_line_without_texts_that_no_record_names_is_damage(graph: Graph) -> None:
    graph.forget(("node", SECRET), "a wish")
    graph.close()
    path = Path("g", "log.jsonl")
    whole = path.read_bytes()
    kept = [line for line in whole.splitlines() if b'"op":"forget"' not in line]
    path.write_bytes(b"\n".join(kept) + b"\n")
    with kgraph.open("g") as opened:
        assert any("no record" in problem.message for problem in opened.validate().errors)
    path.write_bytes(whole.replace(b"[forgotten ", b"[Forgotten ", 1))
    with kgraph.open("g") as opened:
        assert opened.validate().errors
    path.write_bytes(whole)
    is_green()


def test_two_branches_that_forget_different_texts_of_one_line_agree(graph: Graph) -> None:
    shutil.copytree("g", "copy")
    graph.forget(("node", SECRET), "a wish")
    graph.close()
    with kgraph.open("copy") as copy:
        copy.forget(("source", "two.md"), "another")
    ours, theirs = (Path(one, "log.jsonl").read_bytes() for one in ("g", "copy"))
    lines = dict.fromkeys([*theirs.splitlines(), *ours.splitlines()])
    Path("g", "log.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    with kgraph.open("g") as opened:
        opened.stats()
    assert places(SECRET) == places("forgot to close") == []
    is_green()
