"""Where a graph lies, who may write there, and what happens when that is not as it should be."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.compose import Place
from kgraph.errors import Exists, Locked, LogDamaged, NoGraph, NotAllowed, TryAgain, UsageError
from kgraph.graph import Graph, Ingestion, folder, joining
from stories.incident import ROOT, answer, documents, lines_of, payload
from stories.incident import kgraph as command

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, PR_CAPBSET_DROP = 1, 2, 24


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    return tmp_path


def made(path: Path, run: str = "r1") -> Path:
    with kgraph.create(path=str(path)) as graph:
        graph.ingest(payload(), Ingestion(run_id=run))
    return path


def opened(path: Path) -> Graph:
    return kgraph.open(path=str(path))


# -- names and places --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Incidents", "incidents"),
        ("a/b\\c", "a-b-c"),
        ("../../etc/passwd", "etc-passwd"),
        ("..", ""),
        ("...", ""),
        ("", ""),
        ("--", ""),
        ("日本 語", "日本-語"),
        ("Ünïcode Größe", "ünïcode-größe"),
        ("U\u0308ber", "über"),
        ("a  b!!c", "a-b-c"),
        (".hidden.", "hidden"),
        ("v1.2_x", "v1.2_x"),
        ("-a-", "a"),
        ("x" * 200, "x" * 80),
        ("語" * 40, "語" * 26),
        ("x" * 79 + ".y", "x" * 79),
        ("\u202eevil", "evil"),
        ("a\nb\0c", "a-b-c"),
        ("🚀", ""),
    ],
)
def test_a_name_becomes_a_folder_name_of_letters_and_digits(name: str, slug: str) -> None:
    if not slug:
        with pytest.raises(UsageError):
            folder.slug(name)
    else:
        assert folder.slug(name) == slug
        assert folder.slug(folder.slug(name)) == slug
        assert len(slug.encode()) <= 80


def test_a_name_with_slashes_stays_below_the_root(project: Path) -> None:
    with Place("../../outside").create() as graph:
        assert Path(graph.path) == project / ".karpathy-graphs" / "outside"
    assert {path.name for path in project.iterdir()} == {"report.md", "chat.md", ".karpathy-graphs"}


def test_two_names_with_one_folder_are_told_apart(project: Path) -> None:
    Place("Foo Bar").create().close()
    with Place("foo bar").open() as graph:
        assert graph.name == "Foo Bar"
    for other in ("foo-bar", "Foo/Bar"):
        with pytest.raises(Exists):
            Place(other).open()
        with pytest.raises(Exists):
            Place(other).create()
    (project / ".karpathy-graphs" / "foo-bar" / "manifest.json").unlink()
    with pytest.raises(Exists):
        Place("foo-bar").open()


def test_without_a_name_the_only_graph_is_meant_else_main(project: Path) -> None:
    with pytest.raises(NoGraph):
        Place().open()
    Place("Only One").create().close()
    with Place().open() as graph:
        assert graph.name == "Only One"
    Place("second").create().close()
    with pytest.raises(NoGraph):
        Place().open()
    with Place().open_or_create() as graph:
        assert (graph.name, graph.created) == ("main", True)


def test_the_root_can_be_moved(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGRAPH_ROOT", "elsewhere/graphs")
    Place("g").create().close()
    assert (project / "elsewhere" / "graphs" / "g" / "log.jsonl").exists()
    monkeypatch.setenv("KGRAPH_ROOT", str(project / "absolute"))
    with Place("g").create() as graph:
        assert Path(graph.source_root) == project
    assert (project / "absolute" / "g" / "log.jsonl").exists()


@pytest.mark.parametrize(
    "path",
    [
        "plain",
        "with space/and more",
        "./dotted/../g",
        "Ünïcode-日本",
        "a.graph",
        "#strange?name%20",
        "UPPER",
    ],
)
def test_a_path_is_used_exactly_as_given(project: Path, path: str) -> None:
    with Place(path=path).create() as graph:
        graph.ingest(payload(), Ingestion(run_id="r1"))
        assert (graph.path, Path(graph.source_root)) == (path, project)
    assert (project / path / "log.jsonl").exists()
    with Place(path=path).open() as graph:
        assert graph.verify()["evidence"] == {"verified": 1}
        assert graph.stats()["nodes"] == 3
    assert not (project / ".karpathy-graphs").exists()


def test_a_graph_and_its_sources_can_be_moved_together(project: Path) -> None:
    before, after = project / "before", project / "after"
    before.mkdir()
    documents(before)
    with Place("g", working=str(before)).create() as graph:
        graph.ingest(payload(), Ingestion(run_id="r1"))
    before.rename(after)
    with Place("g", working=str(after)).open() as graph:
        assert graph.verify()["evidence"] == {"verified": 1}
        assert graph.damage() == []


def test_a_graph_behind_a_symbolic_link_is_one_graph_by_either_way(project: Path) -> None:
    real = project / "deep" / "down" / "real"
    real.mkdir(parents=True)
    (project / "link").symlink_to(real, target_is_directory=True)
    with Place(path="link").create() as graph:
        graph.ingest(payload(), Ingestion(run_id="r1"))
    for way in ("link", "link/", "deep/down/real"):
        with Place(path=way).open() as graph:
            assert Path(graph.source_root) == project
            assert graph.verify()["evidence"] == {"verified": 1}


# -- making ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "foreign",
    ["notes.txt", "manifest.json", "cache/x", "graph.html", "REPORT.md", "log.jsonl", "replies/y"],
)
def test_init_leaves_a_folder_with_someones_files_alone(project: Path, foreign: str) -> None:
    path = project / "g" / foreign
    path.parent.mkdir(parents=True)
    path.write_text('{"name": "a web page", "icons": []}', encoding="utf-8")
    with pytest.raises(Exists):
        kgraph.create(path="g")
    assert path.read_text("utf-8") == '{"name": "a web page", "icons": []}'
    assert [one.name for one in (project / "g").iterdir()] == [foreign.split("/")[0]]


def test_init_keeps_what_someone_wrote_for_git(project: Path) -> None:
    (project / "g").mkdir()
    (project / "g" / ".gitignore").write_text("*.swp", encoding="utf-8")
    made(project / "g")
    ignored = (project / "g" / ".gitignore").read_text("utf-8").splitlines()
    assert ignored[0] == "*.swp" and "index.sqlite*" in ignored


def test_init_refuses_a_graph_and_a_file(project: Path) -> None:
    made(project / "g")
    (project / "file").write_text("x", encoding="utf-8")
    for path in ("g", "file"):
        with pytest.raises(Exists):
            kgraph.create(path=path)


def test_a_manifest_that_is_lost_or_broken_is_made_again_and_the_broken_one_kept(
    project: Path,
) -> None:
    with Place("Big Outage").create("why", {"max_cost": 2}) as graph:
        path = Path(graph.path)
    said = json.loads((path / "manifest.json").read_text("utf-8"))
    for broken in (None, "<<<<<<< HEAD\n{}", "[]"):
        (path / "manifest.json").unlink() if broken is None else (
            path / "manifest.json"
        ).write_text(broken, encoding="utf-8")
        with Place("big outage").open() as graph:
            assert (graph.name, graph.manifest.objective, graph.manifest.budget) == (
                "Big Outage",
                "why",
                {"max_cost": 2},
            )
        assert json.loads((path / "manifest.json").read_text("utf-8")) == said
    assert (path / "manifest.json.old").read_text("utf-8") == "[]"


def test_an_imported_log_does_not_rename_the_graph(project: Path) -> None:
    for name in ("First", "Second"):
        with Place(name).create(f"objective of {name}"):
            pass
    for one, other in (("First", "Second"), ("Second", "First")):
        with Place(one).open() as graph:
            joining.import_graph(graph, str(project / ".karpathy-graphs" / other.lower()))
            path = Path(graph.path)
        (path / "manifest.json").unlink()
        with Place(one).open() as graph:
            assert (graph.name, graph.manifest.objective) == (one, f"objective of {one}")


def test_a_beginning_that_was_cut_off_does_not_block_the_folder(project: Path) -> None:
    (project / "g").mkdir()
    for name in ("log.lock", "index.sqlite"):
        (project / "g" / name).touch()
    assert made(project / "g")
    with opened(project / "g") as graph:
        assert graph.stats()["nodes"] == 3


def test_a_dry_run_makes_nothing(project: Path) -> None:
    with Place("g").in_memory() as graph:
        judged = graph.judge(payload(), Ingestion(run_id="r1"))
        assert (judged.exit_status, len(judged.nodes_added), judged.evidence) == (
            0,
            3,
            {"verified": 1},
        )
    done = answer(command(project, "ingest", "--name", "g", "--dry-run", json.dumps(payload())))
    assert (done["created"], done["tx"], len(done["nodes_added"])) == (False, "", 3)
    assert (
        command(project, "add-node", "--dry-run", "--type", "Entity", "--name", "X").returncode == 0
    )
    assert not (project / ".karpathy-graphs").exists()


# -- rights ------------------------------------------------------------------------------------------------------------------------


def bound_by_rights() -> None:
    """Make the modes of files count for the superuser as well: Linux lets it give the right to ignore them up for good."""
    if os.getuid() == 0:
        for right in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, right, 0, 0, 0) == 0


def bound(project: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command, by someone who can't do what the modes of files forbid."""
    return subprocess.run(
        [sys.executable, "-m", "kgraph", *arguments],
        cwd=project,
        capture_output=True,
        check=False,
        timeout=60,
        preexec_fn=bound_by_rights,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )


def lock_away(path: Path, mode: int) -> None:
    for one in path.iterdir():
        one.chmod(mode & 0o666)
    path.chmod(mode)


@pytest.mark.parametrize("index", ["as new as the log", "behind the log", "absent"])
def test_a_folder_that_cannot_be_written_is_read_whole_and_never_stale(
    project: Path, index: str
) -> None:
    graph = made(project / "g")
    if index == "absent":
        (graph / "index.sqlite").unlink()
    if index == "behind the log":
        shutil.copytree(graph, project / "other")
        with opened(project / "other") as other:
            other.ingest(
                payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2")
            )
        shutil.copy(project / "other" / "log.jsonl", graph / "log.jsonl")
    lock_away(graph, 0o555)
    try:
        seen = bound(project, "--path", "g", "stats")
        assert answer(seen)["stats"]["transactions"] == len(lines_of(graph)), seen.stderr
        assert answer(bound(project, "--path", "g", "query", "token vault"))["nodes"]
        refused = bound(project, "--path", "g", "add-node", "--type", "Entity", "--name", "X")
        assert (refused.returncode, answer(refused)["errors"][0]["code"]) == (2, "E207")
    finally:
        lock_away(graph, 0o755)


def test_a_graph_that_cannot_be_read_is_not_taken_for_none(project: Path) -> None:
    graph = made(project / "g")
    lock_away(graph, 0o000)
    try:
        for arguments in (["stats"], ["init"], ["add-node", "--type", "Entity", "--name", "X"]):
            refused = bound(project, "--path", "g", *arguments)
            assert (refused.returncode, answer(refused)["errors"][0]["code"]) == (2, "E207"), (
                refused
            )
    finally:
        lock_away(graph, 0o755)


# -- locks, crashes and full disks -------------------------------------------------------------------------------------------------


def test_a_writer_that_waits_too_long_is_told_who_writes_and_readers_never_wait(
    project: Path,
) -> None:
    made(project / "g")
    with opened(project / "g") as graph, graph.engine.writing():
        began = time.monotonic()
        refused = command(
            project, "--path", "g", "--wait", "0.2", "add-node", "--type", "Entity", "--name", "X"
        )
        (problem,) = answer(refused)["errors"]
        assert (refused.returncode, problem["code"]) == (4, "E208")
        assert (
            f"process {os.getpid()}" in problem["holder"]
            and problem["holder"] in problem["message"]
        )
        assert (
            answer(command(project, "--path", "g", "--wait", "600", "stats"))["stats"]["nodes"] == 3
        )
        assert time.monotonic() - began < 300
        with opened(project / "g") as other, pytest.raises(Locked):
            other.engine.wait_seconds = 0.0
            other.ingest(payload(), Ingestion(run_id="r2"))


def test_a_process_that_died_holding_the_lock_blocks_nobody(project: Path) -> None:
    made(project / "g")
    script = "import os, sys, kgraph\ng = kgraph.open(path='g')\nwith g.engine.writing():\n    os.kill(os.getpid(), 9)\n"
    died = subprocess.run(
        [sys.executable, "-c", script],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
        timeout=60,
    )
    assert died.returncode == -9
    assert (
        command(
            project, "--path", "g", "--wait", "0", "add-node", "--type", "Entity", "--name", "X"
        ).returncode
        == 0
    )


@pytest.mark.parametrize("where", ["before", "after"])
def test_killed_around_the_flush_a_write_is_there_whole_or_not_at_all(
    project: Path, where: str
) -> None:
    """Between the log's flush and the index's commit, and just before it."""
    made(project / "g")
    script = f"""
import os, json, kgraph
from kgraph.graph import Ingestion
from kgraph.log.jsonl import JsonlLog
append = JsonlLog.append
def dying(self, lines):
    if {where == "after"}:
        append(self, lines)
    os.kill(os.getpid(), 9)
JsonlLog.append = dying
said = json.loads({json.dumps(json.dumps(payload("chat.md", "The Token Vault is full again")))})
kgraph.open(path="g").ingest(said, Ingestion(run_id="r2"))
"""
    died = subprocess.run(
        [sys.executable, "-c", script],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
        timeout=60,
    )
    assert died.returncode == -9
    with opened(project / "g") as graph:
        assert graph.stats()["nodes"] == (5 if where == "after" else 3)
        assert graph.validate().errors == []
        again = graph.ingest(
            payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2")
        )
        assert again.unchanged == (where == "after")
        before = graph.show("Token Vault")
        graph.rebuild()
        assert graph.show("Token Vault") == before


def no_room(size: int) -> Any:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize("room", [0, 1, 300])
def test_where_there_is_no_room_nothing_is_half_written(project: Path, room: int) -> None:
    made(project / "g")
    before = (project / "g" / "log.jsonl").read_bytes()
    size = (
        max((project / "g" / name).stat().st_size for name in os.listdir(project / "g"))
        if room
        else 0
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "kgraph",
            "--path",
            "g",
            "--run-id",
            "r2",
            "ingest",
            json.dumps(payload("chat.md", "The Token Vault is full again")),
        ],
        cwd=project,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        preexec_fn=no_room(size + room),
        timeout=60,
    )
    after = (project / "g" / "log.jsonl").read_bytes()
    body = answer(done)
    if done.returncode == 0:
        assert json.loads(after.splitlines()[-1])["id"] == body["tx"]
    else:
        assert done.returncode == 4, body
        written = json.loads(after.splitlines()[-1])["id"]
        assert after == before or written in body["errors"][0]["message"], (
            "what became of it is said"
        )
    with opened(project / "g") as graph:
        assert graph.validate().errors == []
        assert graph.ingest(
            payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2")
        ).tx


def test_when_only_the_index_cannot_be_written_the_answer_says_what_the_log_holds(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(project / "g")
    with opened(project / "g") as graph:
        graph.reader()
        append = graph.engine.log.append

        hard = resource.getrlimit(resource.RLIMIT_FSIZE)

        def then_full(lines: Any) -> list[int]:
            done = append(lines)
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard[1]))
            return done

        monkeypatch.setattr(graph.engine.log, "append", then_full)
        try:
            with pytest.raises(TryAgain) as refused:
                graph.ingest(
                    payload("chat.md", "The Token Vault is full again"), Ingestion(run_id="r2")
                )
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, hard)
        written = json.loads(lines_of(project / "g")[-1])["id"]
        assert written in refused.value.message
        assert graph.engine.written == [written]
    with opened(project / "g") as graph:
        assert graph.stats()["nodes"] == 5


# -- importing ---------------------------------------------------------------------------------------------------------------------


def bring(graph: Graph, what: Path, prefix: str = "") -> dict[str, Any]:
    return joining.import_graph(graph, str(what), joining.ImportOptions(prefix=prefix)).body


def test_an_import_adds_the_lines_that_are_lacking_unchanged_and_only_once(project: Path) -> None:
    ours, theirs = made(project / "ours"), made(project / "theirs", "r2")
    with opened(ours) as graph:
        done = bring(graph, theirs)
        assert done["transactions"] == len(done["added"]) == 2
        assert set(lines_of(theirs)) < set(lines_of(ours))
        assert bring(graph, theirs)["transactions"] == 0
        assert bring(graph, ours)["transactions"] == 0
        assert bring(graph, theirs / "log.jsonl")["transactions"] == 0
        assert graph.show("Token Vault")["node"]["runs"] == ["r1", "r2"]
        assert graph.validate().errors == []


def test_ids_that_stand_for_two_things_stop_an_import_unless_they_are_renamed(
    project: Path,
) -> None:
    ours, theirs = project / "ours", project / "theirs"
    for path, name in ((ours, "Token Vault"), (theirs, "Night Club")):
        with kgraph.create(path=str(path)) as graph:
            graph.add_node(
                {"type": "Entity", "name": name, "id": "vault", "description": f"the {name}"}
            )
            graph.add_node(
                {"type": "Entity", "name": "Shared", "id": "shared", "description": "in both"}
            )
            graph.add_edge({"predicate": "DEPENDS_ON", "source": "vault", "target": "shared"})
    before = (ours / "log.jsonl").read_bytes()
    with opened(ours) as graph:
        with pytest.raises(NotAllowed) as refused:
            bring(graph, theirs)
        assert refused.value.details["ids"] == ["vault"]
        assert (ours / "log.jsonl").read_bytes() == before
        done = bring(graph, theirs, "club-")
        assert done["renamed"] == {"vault": "club-vault"}
        assert graph.show("Night Club")["node"]["id"] == "club-vault"
        assert {edge["source"] for edge in graph.show("shared")["edges"]} == {"vault", "club-vault"}
        assert (
            graph.show("Shared")["node"]["assertions"] == graph.show("shared")["node"]["assertions"]
        )
        assert bring(graph, theirs, "club-")["transactions"] == 0, "twice does nothing"
        graph.rebuild()
        assert graph.validate().errors == []


def test_a_log_with_a_hole_is_not_imported(project: Path) -> None:
    ours, theirs = made(project / "ours"), made(project / "theirs", "r2")
    for keep, broken in ((slice(1, None), "follows"), (slice(None), "damaged")):
        lines = lines_of(theirs)[keep]
        lines[-1] = lines[-1] if broken == "follows" else lines[-1].replace(b"Vault", b"Fault")
        (project / "broken.jsonl").write_bytes(b"".join(lines))
        with opened(ours) as graph:
            with pytest.raises(LogDamaged, match=broken):
                bring(graph, project / "broken.jsonl")
            assert graph.validate().errors == []


def test_the_torn_end_of_another_log_is_left_there(project: Path) -> None:
    ours, theirs = made(project / "ours"), made(project / "theirs", "r2")
    with open(theirs / "log.jsonl", "ab") as handle:
        handle.write(b'{"after":[')
    with opened(ours) as graph:
        assert bring(graph, theirs / "log.jsonl")["transactions"] == 2
        assert graph.validate().errors == []


def test_importing_what_is_not_there_makes_no_graph(project: Path) -> None:
    refused = command(project, "import", "nowhere")
    assert (refused.returncode, answer(refused)["errors"][0]["code"]) == (2, "E201")
    assert not (project / ".karpathy-graphs").exists()


@pytest.mark.parametrize("left", [None, b""], ids=["gone", "empty"])
@pytest.mark.parametrize("index", [True, False], ids=["with its index", "without its index"])
def test_a_graph_whose_log_is_gone_is_refused_and_not_taken_for_an_empty_one(
    project: Path, left: bytes | None, index: bool
) -> None:
    folder = made(project / "g")
    (folder / "log.jsonl").unlink()
    if left is not None:
        (folder / "log.jsonl").write_bytes(left)
    if not index:
        (folder / "index.sqlite").unlink()
    with pytest.raises(LogDamaged, match=r"log\.jsonl is (gone|empty)"):
        kgraph.open(str(folder))
    done = command(
        project, "--path", str(folder), "add-node", "--type", "Entity", "--node-name", "X"
    )
    told = answer(done)
    assert (
        done.returncode == 2
        and told["errors"][0]["code"] == "E209"
        and "another copy" in told["errors"][0]["hint"]
    )
    assert (folder / "log.jsonl").exists() is (left is not None), "nothing was begun in its place"
