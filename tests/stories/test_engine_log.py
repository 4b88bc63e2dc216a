"""What may happen to a log between two commands, and what the next one makes of it."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.errors import LogDamaged, NewerLog, UnknownReference
from kgraph.events.canonical import canonical, line_id
from kgraph.graph import Graph, Ingestion
from stories.incident import documents, lines_of, payload

CLAIMS = (
    "The Token Vault had run out of disk",
    "The Token Vault is full again",
    "Checkout could not reach the Token Vault",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A graph of four lines: its beginning and three documents."""
    documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    with kgraph.create(path=str(tmp_path / "g")) as graph:
        for number, claim in enumerate(CLAIMS):
            graph.ingest(payload("report.md", claim), Ingestion(run_id=f"r{number}"))
    return tmp_path / "g"


def opened(folder: Path) -> Graph:
    return kgraph.open(path=str(folder))


def ids(folder: Path) -> list[str]:
    return [json.loads(line)["id"] for line in lines_of(folder)]


def forget_index(folder: Path) -> None:
    for path in folder.glob("index.sqlite*"):
        path.unlink()


def problems(found: Any) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in found.errors]


def forged(line: bytes, **members: Any) -> bytes:
    """A line with other members and a good id, as another program could write it."""
    value = {**json.loads(line), **members}
    del value["id"]
    return (canonical({**value, "id": line_id([canonical(value).encode()])}) + "\n").encode()


# -- changed and missing lines -----------------------------------------------------------------------------------------------------


def test_any_changed_byte_is_found_and_located_with_and_without_the_index(folder: Path) -> None:
    whole = (folder / "log.jsonl").read_bytes()
    starts = [0]
    for line in lines_of(folder):
        starts.append(starts[-1] + len(line))
    choose = random.Random(7)
    ends = [start - 1 for start in starts[1:]]
    places = sorted({*ends, *starts[:-1], *(choose.randrange(len(whole)) for _ in range(60))})
    with opened(folder) as graph:
        for at in places:
            changed = bytearray(whole)
            changed[at] ^= choose.choice([1, 2, 4, 8, 16, 32, 64, 128])
            (folder / "log.jsonl").write_bytes(changed)
            line = max(start for start in starts if start <= at)
            lines = {f"log.jsonl:{line}", f"log.jsonl:{at + 1}"}
            found = graph.validate()
            assert found.exit_status == 2 and lines & {problem.path for problem in found.errors}, (
                at,
                found.errors,
            )
            again = graph.engine.check_every_line()
            assert lines & {problem.path for problem in again}, (at, again)
            (folder / "log.jsonl").write_bytes(whole)
        assert graph.validate().errors == []


def test_a_changed_byte_is_found_although_the_file_bears_its_old_time(folder: Path) -> None:
    path = folder / "log.jsonl"
    found = path.stat()
    data = bytearray(path.read_bytes())
    data[len(lines_of(folder)[0]) - 1] = ord(" ")  # only the line end
    with open(path, "r+b") as handle:
        handle.write(data)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    with opened(folder) as graph:
        assert problems(graph.validate()) == [("E209", "log.jsonl:0")]


@pytest.mark.parametrize("dropped", [0, 1, 2])
def test_a_dropped_line_is_found_at_the_line_that_follows_it(folder: Path, dropped: int) -> None:
    lines = lines_of(folder)
    (folder / "log.jsonl").write_bytes(b"".join(lines[:dropped] + lines[dropped + 1 :]))
    at = sum(map(len, lines[:dropped]))
    with opened(folder) as graph:
        assert ("E209", f"log.jsonl:{at}") in problems(graph.validate())
        assert graph.stats()["transactions"] == 3, "the lines that hold are read"
        with pytest.raises(LogDamaged):
            graph.ingest(payload(), Ingestion(run_id="r9"))
        assert problems(graph.rebuild())[0] == ("E209", f"log.jsonl:{at}")
    forget_index(folder)
    with opened(folder) as graph:
        assert ("E209", f"log.jsonl:{at}") in problems(graph.validate())


def test_a_lost_tail_is_missed_by_the_index_and_by_whoever_holds_a_receipt(folder: Path) -> None:
    last = ids(folder)[-1]
    (folder / "log.jsonl").write_bytes(b"".join(lines_of(folder)[:-1]))
    with opened(folder) as graph:
        (problem,) = graph.validate().errors
        assert problem.code == "E209" and last[:12] in problem.message
        told = graph.rebuild()
        assert told.exit_status == 2 and last[:12] in told.errors[0].message
        assert graph.rebuild().exit_status == 0, "told once, then accepted"
        assert graph.validate(has=last).exit_status == 2
        assert graph.validate(has=ids(folder)[-1][:12]).exit_status == 0


def test_a_log_with_foreign_line_ends_is_damaged_and_says_so(folder: Path) -> None:
    path = folder / "log.jsonl"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with opened(folder) as graph:
        found = graph.validate()
        assert len(found.errors) >= 4 and "CR LF" in found.errors[0].message
        with pytest.raises(LogDamaged, match="CR LF"):
            graph.ingest(payload(), Ingestion(run_id="r9"))
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    with opened(folder) as graph:
        assert (graph.validate().errors, graph.stats()["transactions"]) == ([], 4)


def test_a_byte_order_mark_is_damage_of_the_first_line_only(folder: Path) -> None:
    path = folder / "log.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with opened(folder) as graph:
        assert problems(graph.validate())[0] == ("E209", "log.jsonl:0")
        assert graph.stats()["transactions"] == 3


@pytest.mark.parametrize(
    "members",
    [
        {"ts": "yesterday"},
        {"after": "x"},
        {"events": [{"kind": "node"}]},
        {"events": [{"kind": "edge", "id": 7}]},
        {"v": "2"},
        {"run_id": 5},
        {"events": [{"kind": "withdraw", "assertions": {"a": "b"}, "transactions": []}]},
        {"events": [{"kind": "evidence", "tx": "x"}]},
        {"events": [{"kind": "node", "id": "a", "type": "Entity", "name": "A", "aliases": [1]}]},
    ],
    ids=str,
)
def test_a_line_with_a_good_id_and_wrong_members_is_damage_and_no_fault(
    folder: Path, members: dict[str, Any]
) -> None:
    with open(folder / "log.jsonl", "ab") as handle:
        handle.write(forged(lines_of(folder)[-1], **members))
    with opened(folder) as graph:
        assert [problem.code for problem in graph.validate().errors] == ["E209"]
        assert graph.stats()["transactions"] == 4


def test_a_line_that_is_not_in_canonical_form_is_damage(folder: Path) -> None:
    text = json.dumps(
        {key: value for key, value in json.loads(lines_of(folder)[-1]).items() if key != "id"}
    )
    name = line_id([text.encode()])
    with open(folder / "log.jsonl", "ab") as handle:
        handle.write(f'{{"id":"{name}",{text[1:]}\n'.encode())
    with opened(folder) as graph:
        assert "canonical" in graph.validate().errors[0].message


@pytest.mark.parametrize(
    "members",
    [{"v": 3, "new": True}, {"events": [{"kind": "forecast", "of": "x"}]}],
    ids=["version", "kind"],
)
def test_a_later_kgraphs_line_is_warned_of_and_not_written_behind(
    folder: Path, members: dict[str, Any]
) -> None:
    with open(folder / "log.jsonl", "ab") as handle:
        handle.write(forged(lines_of(folder)[-1], after=[ids(folder)[-1]], **members))
    with opened(folder) as graph:
        assert graph.show("Token Vault")["node"]["assertions"] == 3
        assert [problem.code for problem in graph.damage()] == ["E210"]
        with pytest.raises(NewerLog):
            graph.ingest(payload(), Ingestion(run_id="r9"))


def test_an_unknown_event_that_is_optional_is_no_hindrance(folder: Path) -> None:
    with open(folder / "log.jsonl", "ab") as handle:
        handle.write(
            forged(
                lines_of(folder)[-1],
                after=[ids(folder)[-1]],
                events=[{"kind": "forecast", "optional": True}],
            )
        )
    with opened(folder) as graph:
        assert graph.damage() == []
        assert graph.ingest(payload(), Ingestion(run_id="r9")).tx


# -- torn ends ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "left",
    [b'{"after":["', b"\0" * 100, b"{", b"}"],
    ids=["half a line", "zeros", "a brace", "an end"],
)
def test_a_torn_end_is_reported_until_a_writer_sets_it_aside(folder: Path, left: bytes) -> None:
    whole = (folder / "log.jsonl").read_bytes()
    (folder / "log.jsonl").write_bytes(whole + left)
    for _ in range(2):
        with opened(folder) as graph:
            assert graph.stats()["transactions"] == 4
            assert [problem.path for problem in graph.damage()] == [f"log.jsonl:{len(whole)}"]
    with opened(folder) as graph:
        assert graph.ingest(payload(claim=CLAIMS[0]), Ingestion(run_id="r9")).tx
    assert (folder / "log.torn").read_bytes() == left + b"\n"
    assert lines_of(folder)[:4] == whole.splitlines(keepends=True)
    with opened(folder) as graph:
        assert (graph.validate().errors, graph.stats()["transactions"]) == ([], 5)


def test_a_whole_last_line_without_its_end_counts_and_is_written_behind(folder: Path) -> None:
    whole = (folder / "log.jsonl").read_bytes()
    (folder / "log.jsonl").write_bytes(whole[:-1])
    with opened(folder) as graph:
        assert (graph.validate().errors, graph.stats()["transactions"]) == ([], 4)
        graph.ingest(payload(claim=CLAIMS[0]), Ingestion(run_id="r9"))
    assert (folder / "log.jsonl").read_bytes().startswith(whole)
    assert not (folder / "log.torn").exists()


# -- indexes -----------------------------------------------------------------------------------------------------------------------


def _garbage(folder: Path) -> None:
    (folder / "index.sqlite").write_bytes(b"no database" * 500)


def _later_schema(folder: Path) -> None:
    forget_index(folder)
    with sqlite3.connect(folder / "index.sqlite") as db:
        db.execute("PRAGMA user_version=99")
        db.execute("CREATE TABLE node (something TEXT)")


def _of_another_log(folder: Path) -> None:
    with kgraph.create(path=str(folder.parent / "other")) as graph:
        graph.ingest(payload("chat.md", CLAIMS[1]), Ingestion(run_id="elsewhere"))
    forget_index(folder)
    shutil.copy(folder.parent / "other" / "index.sqlite", folder / "index.sqlite")


def _half(folder: Path) -> None:
    data = (folder / "index.sqlite").read_bytes()
    (folder / "index.sqlite").write_bytes(data[: len(data) // 2])


@pytest.mark.parametrize(
    "befalls",
    [forget_index, _garbage, _later_schema, _of_another_log, _half],
    ids=lambda one: one.__name__.strip("_"),
)
@pytest.mark.parametrize("then", ["read", "write"])
def test_an_index_that_is_lost_or_foreign_is_made_again(
    folder: Path, befalls: Any, then: str
) -> None:
    with opened(folder) as graph:
        before = graph.show("Token Vault")
    befalls(folder)
    with opened(folder) as graph:
        if then == "write":
            assert graph.ingest(payload(claim=CLAIMS[0]), Ingestion(run_id="r0")).unchanged
        assert graph.show("Token Vault") == before
        assert graph.validate().errors == []


def test_a_log_put_back_from_a_copy_is_read_anew(folder: Path) -> None:
    copy = (folder / "log.jsonl").read_bytes()
    with opened(folder) as graph:
        late = graph.ingest(payload("chat.md", CLAIMS[1]), Ingestion(run_id="late"))
        (folder / "copy").write_bytes(copy)
        (folder / "copy").replace(folder / "log.jsonl")
        assert graph.stats()["transactions"] == 4
        assert late.tx[:12] in graph.damage()[0].message
        with pytest.raises(UnknownReference):
            graph.show("chat.md")


# -- branches ----------------------------------------------------------------------------------------------------------------------


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [
            "git",
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "commit.gpgsign=false",
            *arguments,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull},
    )
    return done.stdout


@pytest.mark.parametrize("autocrlf", ["false", "true"])
def test_git_merges_two_branches_of_a_graph_by_itself(folder: Path, autocrlf: str) -> None:
    project = folder.parent
    git(project, "init", "-q", "-b", "main")
    git(project, "config", "core.autocrlf", autocrlf)
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "base")
    assert sorted(git(project, "ls-files", "g").split()) == [
        "g/.gitattributes",
        "g/.gitignore",
        "g/log.jsonl",
        "g/manifest.json",
    ]
    git(project, "checkout", "-q", "-b", "side")
    with opened(folder) as graph:
        graph.ingest(
            payload("chat.md", "ana: the Token Vault is full again"), Ingestion(run_id="side")
        )
    git(project, "commit", "-q", "-a", "-m", "side")
    git(project, "checkout", "-q", "main")
    with opened(folder) as graph:
        assert "E209" in {problem.code for problem in graph.damage()}, (
            "the index knew more: told, since it could be a loss"
        )
        graph.rebuild()
        graph.retract(("run", "r0"), "wrong")
        heads = {graph.engine.index.heads[0]}
    git(project, "commit", "-q", "-a", "-m", "main")
    git(project, "merge", "-q", "side", "-m", "both")
    with opened(folder) as graph:
        assert graph.validate().errors == []
        assert {row["run_id"] for row in graph.runs()} >= {"side", "r1", "r2"}
        assert graph.show("Token Vault")["node"]["assertions"] == 3
        two = graph.engine.index.heads
        assert len(two) == 2 and heads < set(two)
        graph.ingest(payload(claim=CLAIMS[2]), Ingestion(run_id="after"))
        assert json.loads(lines_of(folder)[-1])["after"] == two, "the next write joins the branches"
        assert len(graph.engine.index.heads) == 1


def test_a_graph_that_is_open_sees_what_a_merge_brought(folder: Path) -> None:
    other = folder.parent / "other"
    shutil.copytree(folder, other)
    with opened(other) as graph:
        graph.ingest(payload("chat.md", CLAIMS[1]), Ingestion(run_id="side"))
    with opened(folder) as graph:
        assert graph.stats()["transactions"] == 4
        ours = graph.ingest(payload("report.md", CLAIMS[0]), Ingestion(run_id="ours"))
        union = dict.fromkeys(lines_of(other) + lines_of(folder))
        (folder / "merged").write_bytes(b"".join(union))
        (folder / "merged").replace(folder / "log.jsonl")
        assert graph.stats()["transactions"] == 6
        assert graph.show("chat.md")["node"]["runs"] == ["side"]
        (seen,) = [
            said
            for said in graph.show("report.md", history=True)["history"]
            if said["tx"] == ours.tx
        ]
        assert seen["event"]["name"] == "report.md", "its words are read from where they now lie"


# -- the 1.0.0 layout --------------------------------------------------------------------------------------------------------------


def old(event: str, **members: Any) -> str:
    return (
        json.dumps({"event": event, "run_id": "old", "ts": "2026-07-01T00:00:00Z", **members})
        + "\n"
    )


def old_node(name: str, kind: str = "Entity", **members: Any) -> str:
    body = {
        "id": f"old_{name.lower()}",
        "type": kind,
        "name": name,
        "description": f"{name} of old",
        "aliases": [],
        "source_docs": [],
        "run_id": "old",
        "created_at": "2026-07-01T00:00:00Z",
        "attrs": {},
        **members,
    }
    return old("upsert_node", node=body)


def old_edge(name: str, source: str, target: str, predicate: str = "DEPENDS_ON") -> str:
    return old(
        "add_edge",
        edge={
            "id": name,
            "predicate": predicate,
            "source": source,
            "target": target,
            "confidence": 0.8,
            "attrs": {},
        },
    )


def old_log(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "log.jsonl").write_text(text, encoding="utf-8")
    return folder


OLD = (
    old_node("Alpha")
    + old_node("Beta", attrs={"tier": 1})
    + old_node("Gamma")
    + old_edge("e1", "old_alpha", "old_beta")
    + old_edge("e2", "old_beta", "old_gamma")
    + old("retract_edge", edge_id="e2")
    + old("retract_node", node_id="old_gamma")
)


def test_a_graph_of_the_first_layout_opens_and_is_continued_in_the_new_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = old_log(tmp_path / "g", OLD)
    with opened(folder) as graph:
        assert graph.stats()["by_node_type"] == {"Entity": 2}
        assert graph.show("Alpha")["edges"][0]["id"] == "e1"
        assert graph.show("Beta")["node"]["attrs"]["tier"] == 1
        written = graph.add_node({"type": "Entity", "name": "Delta", "description": "a new one"})
        new = lines_of(folder)[-1]
        assert (folder / "log.jsonl").read_text("utf-8").startswith(OLD)
        (parent,) = json.loads(new)["after"]
        assert parent.startswith("v1:")
        assert graph.retract(("edge", "e1"), "no longer so").tx
        graph.rebuild()
        assert (graph.validate().errors, graph.stats()["edges"]) == ([], 0)
        assert graph.show("Delta", as_of=written.tx)["node"]["name"] == "Delta"
    changed = (folder / "log.jsonl").read_bytes().replace(b"Alpha of old", b"Alpha of odd")
    (folder / "log.jsonl").write_bytes(changed)
    with opened(folder) as graph:
        assert graph.validate().exit_status == 2


@pytest.mark.parametrize(
    "bad",
    [
        old_node("Zeta")[:40] + "\n",
        old("upsert_node", node="text"),
        old("add_edge", edge={"id": "e"}),
        old("retract_node"),
        old("retract_edge", edge=3),
        old_node("Zeta", attrs=[1]),
        old_node("Zeta", aliases="A"),
        old_node("Zeta", aliases=[1]),
        old_node("Zeta", description=7),
        old("upsert_node", node={"id": 1, "type": "Entity", "name": "x"}),
        '{"event": "upsert_node"}\n',
        '{"event": []}\n',
        old_node("Zeta").replace("2026-07-01", "soon"),
        old_node("Zeta", confidence=[]),
    ],
)
def test_an_old_log_is_read_or_refused_and_never_stumbled_over(tmp_path: Path, bad: str) -> None:
    folder = old_log(tmp_path / "g", OLD + bad)
    with opened(folder) as graph:
        found = graph.validate()
        assert {problem.code for problem in found.errors} <= {"E209"}
        if found.errors:
            with pytest.raises(LogDamaged):
                graph.add_node({"type": "Entity", "name": "Delta"})
        else:
            assert graph.add_node({"type": "Entity", "name": "Delta"}).tx


def test_a_torn_end_of_an_old_log_is_set_aside_too(tmp_path: Path) -> None:
    folder = old_log(tmp_path / "g", OLD + old_node("Zeta")[:60])
    with opened(folder) as graph:
        assert graph.stats()["nodes"] == 2
        assert graph.add_node({"type": "Entity", "name": "Delta"}).tx
    assert (folder / "log.torn").exists()
    with opened(folder) as graph:
        assert (graph.validate().errors, graph.stats()["nodes"]) == ([], 3)
