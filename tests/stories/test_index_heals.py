"""The index is derived: whatever becomes of its file, the answer is the log's, and what was done is said in one line."""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import main
from kgraph.index.storage import is_usable, open_file
from stages.ground_worlds import said, things

WORLD = [
    things(Vault="a store", Valve="a part", **{f"Thing{i}": f"thing {i}" for i in range(60)}),
    said("the vault ran out of disk", "one.md", ["Vault"]),
    said("the valve froze", "two.md", ["Valve"]),
]
ASKED = (
    ["show", "Vault"],
    ["query", "vault disk"],
    ["stats"],
    ["path", "Vault", "Valve"],
    ["history"],
    ["export", "-", "--format", "json"],
    ["validate"],
)


@pytest.fixture
def graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path="g") as made:
        for payload in WORLD:
            assert made.ingest(payload).exit_status == 0
    db = sqlite3.connect("g/index.sqlite")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    db.close()
    return tmp_path / "g"


def put(path: Path, data: bytes) -> None:
    """Another file in the index's place, with nothing beside it."""
    for name in ("index.sqlite-wal", "index.sqlite-shm"):
        (path.parent / name).unlink(missing_ok=True)
    path.write_bytes(data)


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["--path", "g", *arguments, "--json"])
    found = capsys.readouterr()
    return status, re.sub(r'"rendered":"[^"]*"', "", found.out), found.err


@pytest.mark.parametrize("table", ["node", "edge_said", "counter", "words", "name", "line"])
def test_a_missing_table_is_made_again(
    graph: Path, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    right = [answered(capsys, *asked)[:2] for asked in ASKED]
    for asked, expected in zip(ASKED, right, strict=True):
        db = sqlite3.connect(graph / "index.sqlite")
        db.execute(f"DROP TABLE {table}")
        db.close()
        status, out, err = answered(capsys, *asked)
        assert (status, out) == expected
        assert err.count("made again from the log") == 1


def test_zeroed_pages_and_flipped_bits_never_end_in_a_fault(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (graph / "index.sqlite").read_bytes()
    right = [answered(capsys, *asked)[:2] for asked in ASKED]
    chance = random.Random(7)
    for page in range(len(whole) // 4096):
        broken = bytearray(whole)
        broken[page * 4096 : (page + 1) * 4096] = bytes(4096)
        put(graph / "index.sqlite", bytes(broken))
        at = chance.randrange(len(ASKED))
        status, _, err = answered(capsys, *ASKED[at])
        assert status == right[at][0], (page, ASKED[at], err)
        assert answered(capsys, "validate", "--index")[0] == 0
        assert [answered(capsys, *asked)[:2] for asked in ASKED[at : at + 1]] == [right[at]]
    for _ in range(60):
        broken = bytearray(whole)
        for _ in range(3):
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        put(graph / "index.sqlite", bytes(broken))
        at = chance.randrange(len(ASKED))
        status, _, err = answered(capsys, *ASKED[at])
        assert status != 3, (ASKED[at], err)


def test_a_silent_flip_is_found_when_the_index_is_held_against_the_log(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = answered(capsys, "show", "Vault")[1]
    assert json.loads(answered(capsys, "validate", "--index")[1])["index"]["faults"] == []
    path = graph / "index.sqlite"
    put(path, path.read_bytes().replace(b"Vault", b"Vaulu"))
    status, out, err = answered(capsys, "validate", "--index")
    assert status == 0 and json.loads(out)["index"]["made_again"]
    assert "made again from the log" in err
    assert answered(capsys, "show", "Vault")[1] == right


def test_a_write_over_a_damaged_index_is_done_once(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = graph / "index.sqlite"
    whole = path.read_bytes()
    for page in range(1, len(whole) // 4096, 3):
        put(path, whole[: page * 4096] + bytes(4096) + whole[(page + 1) * 4096 :])
        lines = (graph / "log.jsonl").read_bytes().count(b"\n")
        payload = json.dumps(things(**{f"New{page}": "one more"}))
        status, _, err = answered(capsys, "ingest", payload)
        assert status == 0, err
        assert (graph / "log.jsonl").read_bytes().count(b"\n") == lines + 1
    assert answered(capsys, "validate", "--index")[0] == 0


def test_python_heals_too(graph: Path) -> None:
    with kgraph.open("g") as opened:
        right = opened.stats()
        db = sqlite3.connect(graph / "index.sqlite")
        db.execute("DROP TABLE counter")
        db.close()
        assert opened.stats() == right
    with kgraph.open("g") as opened:
        assert opened.stats() == right and opened.check_index() == []


def test_a_whole_index_is_usable_and_one_without_an_index_isnt(graph: Path) -> None:
    db = open_file(str(graph / "index.sqlite"))
    assert is_usable(db)
    db.execute("DROP INDEX edge_in")
    assert not is_usable(db)
    db.close()


def test_an_empty_log_is_an_empty_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first writer died between making the file and writing to it."""
    monkeypatch.chdir(tmp_path)
    for command in (["init"], ["stats"], ["ingest", json.dumps(WORLD[0])]):
        folder = tmp_path / command[0]
        folder.mkdir()
        (folder / "log.jsonl").touch()
        (folder / "log.lock").touch()
        assert main(["--path", str(folder), *command, "--json"]) == 0, capsys.readouterr().err
        capsys.readouterr()
        assert main(["--path", str(folder), "validate", "--json"]) == 0
        capsys.readouterr()
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "log.jsonl").touch()
    (kept / "notes.txt").touch()  # somebody's files
    assert main(["--path", str(kept), "init", "--json"]) == 2
    stats = tmp_path / "init"
    (stats / "log.jsonl").write_bytes(b"")  # what was written is gone: that is a loss
    assert main(["--path", str(stats), "stats", "--json"]) == 2


def test_what_killed_commands_left_is_swept_by_the_next_write(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone, mine = graph / "vectors.bin.4194999.new", graph / f"manifest.json.{os.getpid()}.tmp"
    fresh, old = graph / ".kgraph-a1.tmp", graph / ".kgraph-b2.tmp"
    for path in (gone, mine, fresh, old):
        path.touch()
    os.utime(old, (0, 0))
    assert answered(capsys, "ingest", json.dumps(things(New="one more")))[0] == 0
    assert [path.exists() for path in (gone, mine, fresh, old)] == [False, True, True, False]


def test_conflict_markers_are_told_with_their_cure(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = graph / "log.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(
        b"".join(
            [*lines[:2], b"<<<<<<< HEAD\n", b"=======\n", lines[2], b">>>>>>> other\n", *lines[3:]]
        )
    )
    status, out, _ = answered(capsys, "ingest", json.dumps(things(New="one more")))
    assert status == 2 and "conflict marker" in out
    log.write_bytes(b"".join(lines))
    assert answered(capsys, "validate")[0] == 0
