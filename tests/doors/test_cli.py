"""Transcripts of whole commands: what is printed where, and with which exit status."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kgraph.cli import main
from kgraph.cli.table import COMMANDS
from stories.incident import ROOT, answer, documents, payload
from stories.incident import kgraph as command

FORGED = "x\nkgraph: error E999: FORGED\r\u2028FORGED\u0085FORGED\x1b[2JFORGED\u202eFORGED"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    return tmp_path


class Said:
    """One command in this process: exit status, answer, diagnostics."""

    def __init__(self, capture: pytest.CaptureFixture[bytes], arguments: tuple[str, ...]) -> None:
        self.status = main(list(arguments))
        self.out, self.err = capture.readouterr()

    @property
    def body(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        assert next(iter(value)) == "ok" and value["ok"] == (self.status == 0)
        assert self.out.count(b"\n") == 1 and self.out.endswith(b"\n")
        return value

    @property
    def codes(self) -> list[str]:
        return [
            problem["code"]
            for field in ("errors", "invariant_violations", "warnings")
            for problem in self.body.get(field, [])
        ]


@pytest.fixture
def say(project: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> Any:
    return lambda *arguments: Said(capsysbinary, arguments)


def on_a_terminal(project: Path, *arguments: str) -> tuple[int, str]:
    """A command whose output is a terminal: exit status and what a person sees."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kgraph", *arguments],
        cwd=project,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the terminal is gone with its last user
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    return process.wait(), seen.decode("utf-8").replace("\r\n", "\n")


# -- a working day -----------------------------------------------------------------------------------------------------------------


def test_a_graph_from_its_making_to_its_mending(say: Any) -> None:
    made = say("init", "--name", "Outage", "--objective", "why checkouts failed")
    assert (made.status, made.body["objective"], made.err) == (0, "why checkouts failed", b"")
    taken = say("--name", "outage", "ingest", "--run-id", "r1", json.dumps(payload()))
    body = taken.body
    assert list(body)[:7] == ["ok", "graph", "path", "created", "run_id", "tx", "unchanged"]
    assert (
        body["created"],
        len(body["nodes_added"]),
        len(body["edges_added"]),
        body["evidence"],
    ) == (False, 3, 2, {"verified": 1})
    assert body["ids"]["nodes"] == body["nodes_added"] and body["stats"]["nodes"] == 3
    again = say("ingest", "--run-id", "r1", json.dumps(payload())).body
    assert (again["tx"], again["unchanged"], again["nodes_added"]) == (body["tx"], True, [])
    shown = say("show", "token vault").body
    assert (shown["node"]["name"], len(shown["edges"])) == ("Token Vault", 1)
    refused = say("retract", "--node", "report.md", "--reason", "a rumour")
    assert (refused.status, refused.codes) == (1, ["I1"])
    gone = say("retract", "--source", "report.md", "--reason", "a rumour").body
    assert len(gone["gone"]["nodes"]) == 3
    assert say("stats").body["stats"]["nodes"] == 0
    nothing = say("retract", "--source", "report.md", "--reason", "again")
    assert (nothing.status, nothing.body["tx"], nothing.body["already"]) == (0, "", gone["tx"])
    assert len(say("restore", "--tx", gone["tx"][:8]).body["back"]["nodes"]) == 3
    assert say("validate").body["errors"] == []
    assert say("verify").body["evidence"] == {"verified": 1}
    assert [row["op"] for row in say("history").body["transactions"]] == [
        "restore",
        "retract",
        "ingest",
        "init",
    ]
    assert [row["run_id"] for row in say("runs").body["runs"]] == ["r1"]
    assert [row["name"] for row in say("list").body["graphs"]] == ["Outage"]
    assert say("rebuild").status == 0
    assert {row["ok"] for row in say("selftest").body["checks"]} == {True}


def test_a_node_and_an_edge_by_hand(say: Any) -> None:
    first = say("add-node", "--type", "Source", "--name", "report.md", "--uri", "report.md")
    assert (first.status, first.body["created"]) == (0, True)
    assert b"made the graph 'main'" in first.err
    claim = say(
        "add-node",
        "--type",
        "Claim",
        "--name",
        "The Token Vault had run out of disk",
        "--supported-by",
        "report.md",
        "--confidence",
        "0.9",
        "--quote",
        "The Token Vault had run out of disk.",
        "--attr",
        "severity=2",
        "--attr",
        "team=storage",
    )
    assert claim.body["evidence"] == {"verified": 1}
    assert say("show", claim.body["node"]).body["node"]["attrs"] == {
        "severity": 2,
        "team": "storage",
    }
    say(
        "add-node",
        "--type",
        "Entity",
        "--name",
        "Token Vault",
        "--description",
        "the store of tokens",
        "--alias",
        "TV",
    )
    edge = say(
        "add-edge",
        "--predicate",
        "MENTIONS",
        "--source",
        "Claim:The Token Vault had run out of disk",
        "--target",
        "TV",
    )
    assert say("show", edge.body["edge"]).body["edge"]["predicate"] == "MENTIONS"
    assert say("add-node", "--type", "Claim", "--name", "It is haunted").codes == ["I1"]
    assert say("add-node", "--type", "Ghost", "--name", "Boo").codes == ["E102"]
    assert say(
        "add-edge", "--predicate", "MENTIONS", "--source", "nobody", "--target", "TV"
    ).codes == ["E105"]


def test_a_stream_says_which_lines_were_refused_and_takes_the_rest(say: Any, project: Path) -> None:
    lines = [
        json.dumps(payload()),
        "no json",
        "",
        json.dumps({"nodes": [{"type": "Claim", "name": "Unsourced"}], "edges": []}),
        json.dumps(payload("chat.md", "The Token Vault is full again")),
    ]
    (project / "stream").write_text("\n".join(lines), encoding="utf-8")
    done = say("ingest", "--run-id", "r1", "--lines", "@stream")
    body = done.body
    assert (done.status, body["transactions"], body["refused_count"], body["nodes_added"]) == (
        2,
        2,
        2,
        5,
    )
    assert [(row["line"], row["errors"][0]["code"]) for row in body["refused"]] == [
        (2, "E101"),
        (4, "I1"),
    ]


def test_a_stream_of_several_files_is_not_begun_when_one_of_them_is_missing(
    say: Any, project: Path
) -> None:
    (project / "stream").write_text(json.dumps(payload()), encoding="utf-8")
    assert say("ingest", "--lines", "@stream", "@missing").codes == ["E201"]
    assert not (project / ".karpathy-graphs").exists()


def test_several_payloads_have_an_answer_each_and_the_worst_status(say: Any) -> None:
    done = say(
        "ingest",
        "--run-id",
        "r1",
        json.dumps(payload()),
        json.dumps({"nodes": [{"type": "Claim", "name": "Unsourced"}], "edges": []}),
    )
    assert (done.status, [row["ok"] for row in done.body["results"]]) == (1, [True, False])
    assert say("ingest", json.dumps(payload()), "{").status == 2


@pytest.mark.parametrize("when", ["before", "after", "around"])
def test_global_options_stand_before_or_after_the_command_word(say: Any, when: str) -> None:
    words = ["--run-id", "r9", "--wait", "1", "--quiet", "--json"]
    arguments = {
        "before": ["--name", "G", *words, "ingest", json.dumps(payload())],
        "after": ["ingest", json.dumps(payload()), *words, "--name=G"],
        "around": [
            "--name=G",
            "--quiet",
            "ingest",
            "--json",
            json.dumps(payload()),
            "--run-id=r9",
            "--wait=1",
        ],
    }[when]
    done = say(*arguments)
    assert (done.body["graph"], done.body["run_id"], done.err) == ("G", "r9", b"")


# -- mistakes ----------------------------------------------------------------------------------------------------------------------

MISTAKES: list[tuple[list[str], str]] = [
    (["--json"], "E201"),
    (["frobnicate"], "E201"),
    (["--name"], "E201"),
    (["stats", "--no-such-option"], "E201"),
    (["stats", "--name", ""], "E201"),
    (["stats", "--path", " "], "E201"),
    (["stats", "--name", "a", "--path", "b"], "E201"),
    (["stats", "--name", "..."], "E201"),
    (["stats", "--wait", "soon"], "E201"),
    (["stats", "--wait", "-1"], "E201"),
    (["stats", "--wait", "nan"], "E201"),
    (["stats"], "E203"),
    (["show"], "E201"),
    (["show", "x", "y"], "E201"),
    (["ingest"], "E201"),
    (["ingest", "@nowhere.json"], "E201"),
    (["ingest", "{"], "E101"),
    (["ingest", "--lines", "--dry-run", "{}"], "E201"),
    (["init", "--budget", "[]"], "E201"),
    (["init", "--budget", "{"], "E201"),
    (["retract", "--node", "a", "--run", "b", "--reason", "x"], "E201"),
    (["retract", "--reason", "x"], "E201"),
    (["restore"], "E201"),
    (["add-node", "--type", "Entity"], "E201"),
    (["add-node", "--type", "Entity", "--name", "x", "--attr", "novalue"], "E201"),
    (["add-node", "--type", "Entity", "--name", "x", "--confidence", "high"], "E201"),
    (["history", "--limit", "-3"], "E201"),
    (["export"], "E201"),
    (["export", "--format", "word", "-"], "E201"),
    (["import"], "E201"),
    (["schema", "--prompt", "--rules"], "E201"),
]


@pytest.mark.parametrize(
    ("arguments", "code"), MISTAKES, ids=lambda one: " ".join(one) if isinstance(one, list) else one
)
def test_a_mistake_is_one_object_with_a_code_and_a_line_for_a_person(
    say: Any, arguments: list[str], code: str
) -> None:
    done = say(*arguments)
    assert (done.status, done.codes[0]) == (2, code)
    assert done.body["errors"][0]["message"]
    assert done.body["errors"][0]["path"].startswith("$") == (code == "E101"), (
        "a path leads into a payload, and into nothing else"
    )
    said = [
        line for line in done.err.splitlines() if not line.startswith(b"kgraph: made the graph ")
    ]
    assert len(said) == 1 and said[0].startswith(b"kgraph: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["query", "x\udcff"],
        ["show", "x\udcff"],
        ["ground", "x\udcff is on"],
        ["path", "x\udcff", "y"],
        ["extract", "x\udcff.md"],
    ],
    ids=lambda one: str(one[0]),
)
def test_bytes_that_are_no_characters_are_refused(say: Any, arguments: list[str]) -> None:
    assert say("init").status == 0
    done = say(*arguments)
    assert (done.status, done.codes) == (2, ["E201"])
    assert "UTF-8" in done.body["errors"][0]["message"]


def test_mistakes_and_refusals_make_no_graph(say: Any, project: Path) -> None:
    for arguments, code in MISTAKES:
        if code != "E101":
            say(*arguments)
    assert not (project / ".karpathy-graphs").exists()


def test_references_that_name_nothing_or_too_much_say_so(say: Any) -> None:
    say("ingest", json.dumps(payload()))
    say("add-node", "--type", "Task", "--name", "Token Vault")
    assert say("show", "no such thing").codes == ["E204"]
    several = say("show", "Token Vault")
    assert several.codes == ["E205"]
    assert {row["type"] for row in several.body["errors"][0]["candidates"]} == {"Entity", "Task"}
    assert say("show", "Task:Token Vault").status == 0
    assert say("validate", "--has", "ffffffff").status == 2
    assert say("restore", "--tx", "ffff").codes == ["E204"]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself_with_an_example(say: Any, name: str) -> None:
    for arguments in ([name, "--help"], ["--help", name], [name, "-h", "--name", "x"]):
        done = say(*arguments)
        text = done.out.decode()
        assert (done.status, done.err) == (0, b"")
        assert text.startswith(f"usage: kgraph {name}") and "example:" in text and "--json" in text


def test_the_overview_lists_every_command(say: Any) -> None:
    text = say("--help").out.decode()
    assert all(f"\n  {name} " in text for name in COMMANDS)
    assert say("--version").out.decode().startswith("kgraph ")
    assert say("stats", "--version").status == 0


# -- streams -----------------------------------------------------------------------------------------------------------------------


def test_a_person_is_answered_in_words_and_a_program_in_json(project: Path) -> None:
    assert command(project, "ingest", "--run-id", "r1", json.dumps(payload())).returncode == 0
    status, seen = on_a_terminal(project, "show", "Token Vault")
    assert status == 0 and seen.startswith("Entity Token Vault\n")
    assert "-MENTIONS-> Token Vault" in seen
    status, seen = on_a_terminal(project, "show", "nothing")
    assert (status, seen.count("\n")) == (2, 1) and seen.startswith(
        "kgraph: nothing in this graph is called 'nothing'"
    )
    status, seen = on_a_terminal(project, "show", "nothing", "--json")
    assert json.loads(seen.splitlines()[0])["errors"][0]["code"] == "E204"
    status, seen = on_a_terminal(project, "stats", "--json")
    assert json.loads(seen)["stats"]["nodes"] == 3


def _forge(project: Path) -> None:
    """A log as only another program could write it: every text in it tries to begin a line of its own."""

    def old(event: str, **members: Any) -> str:
        return (
            json.dumps({"event": event, "run_id": FORGED, "ts": "2026-07-01T00:00:00Z", **members})
            + "\n"
        )

    nodes = [
        {
            "id": f"id{number}{FORGED}",
            "type": kind,
            "name": f"{kind} {FORGED}",
            "description": FORGED,
            "aliases": [f"alias {FORGED}"],
            "attrs": {FORGED: {FORGED: [FORGED]}},
        }
        for number, kind in enumerate(("Entity", "Claim", "Source"))
    ]
    edges = [
        {
            "id": f"e{FORGED}",
            "predicate": "SUPPORTS",
            "source": nodes[2]["id"],
            "target": nodes[1]["id"],
            "quote": FORGED,
            "source_doc": FORGED,
            "confidence": 0.9,
        },
        {
            "id": f"f{FORGED}",
            "predicate": "MENTIONS",
            "source": nodes[1]["id"],
            "target": nodes[0]["id"],
            "confidence": 0.9,
        },
    ]
    (project / "g").mkdir()
    text = "".join(old("upsert_node", node=node) for node in nodes) + "".join(
        old("add_edge", edge=edge) for edge in edges
    )
    (project / "g" / "log.jsonl").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", f"id0{FORGED}"],
        ["show", f"e{FORGED}"],
        ["show", FORGED],
        ["history"],
        ["history", f"id0{FORGED}"],
        ["runs"],
        ["validate"],
        ["stats"],
        ["verify"],
        ["query", "entity claim source"],
        ["query", "entity claim", "--format", "context"],
        ["query", "entity claim", "--format", "triples"],
        ["path", f"id0{FORGED}", f"id2{FORGED}"],
        ["candidates"],
        ["list"],
        ["retract", "--node", FORGED, "--reason", FORGED],
        ["ground", f"{FORGED} is so"],
        [
            "ingest",
            json.dumps(
                {
                    "nodes": [{"type": FORGED, "name": FORGED, FORGED: FORGED}],
                    "edges": [{FORGED: 1}],
                }
            ),
        ],
        ["restore", "--tx", FORGED],
        [FORGED],
        ["add-node", "--type", "Entity", "--name", FORGED, "--run-id", FORGED],
        ["add-edge", "--predicate", FORGED, "--source", FORGED, "--target", FORGED],
    ],
    ids=lambda one: " ".join(word for word in one if FORGED not in word)[:40],
)
def test_no_text_can_forge_a_line_of_output(project: Path, arguments: list[str]) -> None:
    _forge(project)
    _, seen = on_a_terminal(project, "--path", "g", *arguments)
    forged = [
        line for line in seen.splitlines() if line.startswith(("FORGED", "kgraph: error E999"))
    ]
    assert forged == [] and not set(seen) & set("\x1b\u2028\u0085\u202e")
    piped = command(project, "--path", "g", *arguments)
    text = piped.stdout.decode("utf-8")
    if "--format" not in arguments:
        assert isinstance(json.loads(text), dict) and text.count("\n") == 1
    assert [
        line
        for line in (text + piped.stderr.decode("utf-8")).splitlines()
        if line.startswith(("FORGED", "kgraph: error E999"))
    ] == []
    assert not set(text) & set("\x1b\u2028\u0085\u202e")


@pytest.mark.parametrize(
    "arguments",
    [["stats"], ["show", "nothing"], ["--help"], ["stats", "--help"], ["history"], ["export", "-"]],
    ids=" ".join,
)
@pytest.mark.parametrize("fate", ["reader gone", "disk full"])
def test_an_answer_that_nobody_can_read_is_no_success(
    project: Path, arguments: list[str], fate: str
) -> None:
    assert command(project, "ingest", json.dumps(payload())).returncode == 0
    if fate == "reader gone":
        reads, writes = os.pipe()
        os.close(reads)
    else:
        writes = os.open("/dev/full", os.O_WRONLY)
    done = subprocess.run(
        [sys.executable, "-m", "kgraph", *arguments],
        cwd=project,
        stdout=writes,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    os.close(writes)
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    if fate == "reader gone":  # it has what it wanted: the same as for any program in a pipe
        assert done.returncode == 141 and b"could not be printed" not in done.stderr
        assert done.stderr == b"" or "nothing" in arguments, "a refusal is said all the same"
    else:
        assert done.returncode == 4 and b"could not be printed" in done.stderr


def test_a_write_whose_answer_cannot_be_printed_says_that_it_is_in_the_log(project: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kgraph", "ingest", json.dumps(payload())],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            timeout=60,
        )
    tx = answer(command(project, "history", "--limit", "1"))["transactions"][0]["tx"]
    assert done.returncode == 4 and f"transaction {tx} is in the log".encode() in done.stderr


def test_closed_streams_do_not_flow_into_each_other(project: Path) -> None:
    shell = 'exec "$0" -m kgraph "$@"'
    environ = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    for closed, arguments in ((">&-", ["init"]), ("2>&-", ["stats"]), (">&- 2>&-", ["stats"])):
        done = subprocess.run(
            ["sh", "-c", f"{shell} {closed}", sys.executable, *arguments],
            cwd=project,
            capture_output=True,
            check=False,
            env=environ,
            timeout=60,
        )
        assert done.returncode == 0, done
        if closed == "2>&-":
            assert answer(done)["stats"]["nodes"] == 0


def test_an_interrupt_ends_with_130_and_leaves_a_whole_graph(project: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kgraph", "ingest", "--lines", "@-"],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(payload()).encode() + b"\n")
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not (project / ".karpathy-graphs" / "main" / "log.jsonl").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted" in told and b"Traceback" not in told
    assert answer(command(project, "validate"))["stats"]["nodes"] in (0, 3)
