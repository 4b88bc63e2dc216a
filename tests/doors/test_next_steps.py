"""What goes wrong says what is the matter and what to do next; what fails leaves nothing behind."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from doors.test_cli import on_a_terminal
from kgraph.errors import NotAllowed
from kgraph.extract.outcomes import UnitResult
from kgraph.extract.progress import Progress
from kgraph.views.files import write
from stories.incident import answer, documents, lines_of, payload
from stories.incident import kgraph as command


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    return tmp_path


@pytest.fixture
def graph(project: Path) -> Path:
    """A graph of two transactions and their retraction."""
    for run in ("r1", "r2"):
        assert (
            command(
                project,
                "ingest",
                "--run-id",
                run,
                json.dumps(payload(claim=f"The Token Vault {run}")),
            ).returncode
            == 0
        )
    return project / ".karpathy-graphs" / "main"


# -- a damaged log -----------------------------------------------------------------------------------------------------------------


def test_a_damaged_line_is_named_as_an_editor_counts_it_with_what_to_do(
    project: Path, graph: Path
) -> None:
    lines = lines_of(graph)
    lines[1] = lines[1].replace(b"Token Vault r1", b"Token Vault rX")
    (graph / "log.jsonl").write_bytes(b"".join(lines))
    at = f"line 2 (at byte {len(lines[0])})"
    for arguments, status in (
        (["stats"], 0),
        (["rebuild"], 2),
        (["validate"], 2),
        (["ingest", json.dumps(payload())], 2),
    ):
        done = command(project, *arguments)
        said = done.stderr.decode()
        assert done.returncode == status and at in said, arguments
        assert "git checkout -- log.jsonl" in said and "kgraph --name NEW import FILE" in said, (
            arguments
        )
    errors = answer(command(project, "rebuild"))["errors"]
    assert errors[0]["path"] == f"log.jsonl:{len(lines[0])}" and errors[0]["message"].startswith(at)
    assert all("git checkout -- log.jsonl" in error["hint"] for error in errors)


def test_what_is_intact_of_a_damaged_log_moves_to_a_new_graph(project: Path, graph: Path) -> None:
    lines = lines_of(graph)
    lines[2] = b"{broken\n"
    (graph / "log.jsonl").write_bytes(b"".join(lines))
    assert command(project, "export", "all.json").returncode == 0
    assert command(project, "--name", "new", "import", "all.json").returncode == 0
    assert (
        answer(command(project, "--name", "new", "show", "The Token Vault r1"))["node"]["name"]
        == "The Token Vault r1"
    )
    assert command(project, "--name", "new", "validate").returncode == 0


def test_lost_transactions_are_counted_in_good_english(project: Path, graph: Path) -> None:
    assert command(project, "stats").returncode == 0
    (graph / "log.jsonl").write_bytes(b"".join(lines_of(graph)[:-1]))
    assert (
        b"1 transaction that was known here is no longer in the log: "
        in command(project, "stats").stderr
    )


# -- which graph -------------------------------------------------------------------------------------------------------------------


def test_a_copied_graph_says_that_it_still_bears_the_old_name(project: Path, graph: Path) -> None:
    shutil.copytree(graph, graph.parent / "own")
    done = command(project, "--name", "own", "stats")
    said = done.stderr.decode()
    assert (
        done.returncode == 2
        and "holds the graph 'main': its manifest.json gives that name, and the folder has another"
        in said
    )
    assert command(project, "--path", str(graph.parent / "own"), "stats").returncode == 0
    manifest = json.loads((graph.parent / "own" / "manifest.json").read_text(encoding="utf-8"))
    assert 'write "own" as the name into its manifest.json' in said
    (graph.parent / "own" / "manifest.json").write_text(
        json.dumps(manifest | {"name": "own"}), encoding="utf-8"
    )
    assert answer(command(project, "--name", "own", "stats"))["graph"] == "own"


def test_two_names_of_one_folder_are_still_told_apart(project: Path) -> None:
    assert command(project, "--name", "a b", "init").returncode == 0
    assert (
        b"the names 'a-b' and 'a b' make the same folder"
        in command(project, "--name", "a-b", "stats").stderr
    )


def test_a_name_that_looks_like_a_path_is_no_path_and_that_is_said(project: Path) -> None:
    done = command(project, "--name", "../evil", "init")
    assert done.returncode == 0 and b"; a name is no path (--path DIR takes one)\n" in done.stderr
    assert (project / ".karpathy-graphs" / "evil").is_dir() and not (project / "evil").exists()


# -- nothing is left behind --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["extract", "units"])
def test_nothing_to_read_makes_no_graph(project: Path, word: str) -> None:
    (project / "empty").mkdir()
    done = command(project, word, "empty")
    assert (
        done.returncode == 0
        and answer(done)["units"] == []
        and b"made the graph" not in done.stderr
    )
    assert not (project / ".karpathy-graphs").exists()
    assert (
        command(project, word, "report.md").returncode == 0
        and (project / ".karpathy-graphs" / "main").is_dir()
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("odd.bin", "what is this"),
        ("log.jsonl", '{"after":[],broken\n'),
        ("gap.jsonl", ""),
        (
            "bad.json",
            '{"kgraph": "graph", "nodes": [{"id": "a", "type": "Thing", "name": "x"}], "edges": []}',
        ),
        (
            "alone.json",
            '{"kgraph": "graph", "nodes": [{"id": "a", "type": "Claim", "name": "It rained"}], "edges": []}',
        ),
        (
            "memory.json",
            '{"entities": [], "relations": [{"from": "a", "to": "b", "relationType": "knows"}]}',
        ),
    ],
)
def test_an_import_that_fails_makes_no_graph(
    project: Path, name: str, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (project / name).write_text(text, encoding="utf-8")
    if name == "gap.jsonl":
        other = tmp_path_factory.mktemp("other")
        assert command(other, "ingest", json.dumps(payload())).returncode == 0
        (project / name).write_bytes(b"".join(lines_of(other / ".karpathy-graphs" / "main")[1:]))
    done = command(project, "import", name)
    assert done.returncode in (1, 2) and done.stderr and answer(done)["ok"] is False
    assert not (project / ".karpathy-graphs").exists()


# -- references --------------------------------------------------------------------------------------------------------------------


def test_what_was_retracted_says_so_with_its_transaction_and_the_way_back(
    project: Path, graph: Path
) -> None:
    edge = answer(command(project, "show", "The Token Vault r1"))["edges"][0]["id"]
    tx = answer(command(project, "retract", "--run", "r1", "--reason", "a rumour"))["tx"]
    for reference, what in (
        ("The Token Vault r1", "Claim 'The Token Vault r1'"),
        (edge, f"the edge '{edge}'"),
    ):
        done = command(project, "show", reference)
        said = done.stderr.decode()
        pattern = rf"{re.escape(what)} was retracted by transaction {tx[:12]} at \d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ \(a rumour\); kgraph restore"
        assert done.returncode == 2 and re.search(pattern, said), said
    assert command(project, "restore", "--tx", tx[:12]).returncode == 0
    assert command(project, "show", edge).returncode == 0


def test_an_edge_by_hand_whose_end_is_missing_points_at_add_node(
    project: Path, graph: Path
) -> None:
    done = command(
        project,
        "add-edge",
        "--predicate",
        "DEPENDS_ON",
        "--source",
        "Token Vault",
        "--target",
        "Nowhere",
    )
    hint = answer(done)["errors"][0]["hint"]
    assert "kgraph add-node" in hint and "payload" not in hint


def test_a_question_without_an_answer_names_the_next_step(project: Path, graph: Path) -> None:
    _, text = on_a_terminal(project, "query", "zebra")
    assert (
        text.startswith("nothing in the graph matches; try other words") and "kgraph stats" in text
    )


def test_a_folder_in_which_nothing_may_be_written_is_named_itself(tmp_path: Path) -> None:
    folder = tmp_path
    if os.geteuid() == 0:  # may write everywhere but into the system's own picture of itself
        folder = Path("/sys")
        if not folder.is_dir():
            pytest.skip("needs a folder in which even root can't write")
    else:
        folder.chmod(0o500)
    with pytest.raises(NotAllowed) as refused:
        write(str(folder / "REPORT.md"), ["# Report\n"])
    assert (
        refused.value.message.startswith(f"REPORT.md can't be written to {folder} (")
        and ".tmp" not in refused.value.message
    )


# -- progress ----------------------------------------------------------------------------------------------------------------------


def progress(units: int, columns: int | None) -> list[str]:
    """All that is written by a run that takes ten seconds for each unit."""
    wrote: list[str] = []
    clock = iter(range(0, 1000, 10))
    shown = Progress(
        wrote.append, lambda: float(next(clock)), None if columns is None else lambda: columns
    )
    shown.begin(units, 1)
    for number in range(units):
        shown.unit(UnitResult(f"u{number}", (), "done"))
    shown.end()
    return wrote


def test_counts_of_one_are_singular_and_no_time_that_is_none_is_left() -> None:
    assert progress(1, None) == ["1 unit is unchanged and skipped\n", "1 of 1 unit\n"]
    assert progress(2, None)[1:] == [
        "1 of 2 units · 0.1 a second · about 10 s left\n",
        "2 of 2 units\n",
    ]


@pytest.mark.parametrize("columns", [24, 60, 200])
def test_the_line_that_is_rewritten_never_wraps_and_leaves_nothing_behind(columns: int) -> None:
    wrote = progress(3, columns)[1:]
    assert all(len(piece.strip("\r")) < columns for piece in wrote)
    screen = ""
    for piece in wrote:
        for part in piece.split("\r"):
            screen = part + screen[len(part) :]
    assert screen.strip() == ""


# -- what was read in part ---------------------------------------------------------------------------------------------------------


def test_a_broken_file_is_named_with_the_line_where_it_breaks(project: Path) -> None:
    (project / "cart.py").write_text("x = 1\ndef total(:\n    pass\n", encoding="utf-8")
    (project / "data.json").write_text('{"a": 1,\n "b": }\n', encoding="utf-8")
    (project / "whole.json").write_text('{"a": 1}\n', encoding="utf-8")
    _, text = on_a_terminal(project, "extract", "cart.py", "data.json", "whole.json")
    assert (
        "read in part, or with little to say:\n  cart.py: cart.py:2: syntax error: invalid syntax\n"
        in text
    )
    assert "  data.json: data.json:2: not JSON: Expecting value at column 7\n" in text
    assert "  whole.json: no sentences" in text


def test_names_that_could_not_be_tied_are_listed_later_without_reading_again(project: Path) -> None:
    (project / "cart.py").write_text(
        "def total(items):\n    return items.find('x')\n", encoding="utf-8"
    )
    (project / "shop.py").write_text(
        "def sell(goods):\n    return goods.pack()\n", encoding="utf-8"
    )
    done = answer(command(project, "extract", ".", "--code-level", "symbol"))
    assert done["unresolved_count"] == 2
    listed = answer(command(project, "runs", "--unresolved"))["unresolved"]
    assert listed == sorted(done["unresolved"], key=lambda row: row["uri"])
    assert (
        answer(command(project, "extract", ".", "--code-level", "symbol"))["unresolved_count"] == 0
    )
    assert answer(command(project, "runs", "--unresolved"))["unresolved"] == listed, (
        "what was not read again stays"
    )
    (project / "shop.py").write_text("def sell(goods):\n    return 1\n", encoding="utf-8")
    assert command(project, "extract", ".", "--code-level", "symbol").returncode == 0
    _, text = on_a_terminal(project, "runs", "--unresolved")
    assert (
        "\n1 name in code could not be tied to anything\n  cart.py:2 " in text
        and "shop.py" not in text
    )


def test_a_verdict_on_the_whole_run_has_no_place_in_a_payload(project: Path) -> None:
    for number in range(4):
        (project / f"page{number}.md").write_text(
            f"# P{number}\n\nThe **Vault{number}** uses the **Disk{number}**.\n", encoding="utf-8"
        )
    assert command(project, "extract", ".").returncode == 0
    for number in range(4):
        (project / f"page{number}.md").unlink()
    done = command(project, "extract", ".", "--prune")
    assert done.returncode == 2 and answer(done)["errors"][0]["path"] == ""
    assert re.search(
        rb"kgraph: E207: this run would take \d+ of \d+ nodes and edges out of the graph",
        done.stderr,
    )


def test_a_first_payload_that_is_refused_makes_no_graph(project: Path) -> None:
    refused = command(
        project,
        "--name",
        "new",
        "ingest",
        '{"nodes": [{"type": "Person", "name": "Ada"}], "edges": []}',
    )
    told = answer(refused)
    assert (refused.returncode, told["graph"], told["created"], told["errors"][0]["code"]) == (
        2,
        "new",
        False,
        "E102",
    )
    assert not (project / ".karpathy-graphs").exists()
    assert (
        answer(command(project, "--name", "new", "ingest", json.dumps(payload())))["created"]
        is True
    )
