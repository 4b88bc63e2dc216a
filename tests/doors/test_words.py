"""What a person reads: on a terminal every answer is in words, names first, with the way back."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from doors.test_cli import on_a_terminal
from kgraph.cli import changes
from kgraph.plurals import counted
from stories.incident import answer, documents, payload
from stories.incident import kgraph as command

ID = re.compile(r"[a-z]{3}_[0-9a-f]{20}")
TYPO = {
    "nodes": [
        {"type": "Source", "name": "chat.md", "uri": "chat.md"},
        {"type": "Entity", "name": "Token Valt", "description": "the store of the tokens"},
        {"type": "Claim", "name": "the Token Valt is full again"},
    ],
    "edges": [
        {
            "predicate": "SUPPORTS",
            "source": "chat.md",
            "target": "the Token Valt is full again",
            "confidence": 0.9,
        },
        {"predicate": "MENTIONS", "source": "the Token Valt is full again", "target": "Token Valt"},
    ],
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    for run, one in (("r1", payload()), ("r2", TYPO)):
        assert command(tmp_path, "ingest", "--run-id", run, json.dumps(one)).returncode == 0
    return tmp_path


def seen(project: Path, *arguments: str) -> str:
    """What a person sees of a command; never a structure, and never an id before the name that it stands for."""
    _, text = on_a_terminal(project, *arguments)
    assert not re.search(r"[{}]|: (True|False|None)\b", text), text
    for line in text.splitlines():
        found = ID.search(line)
        assert found is None or line[: found.start()].strip(" []"), line
    return text


def undone(project: Path, text: str) -> str:
    """Follow the hint that an answer ends with."""
    words = re.search(r"^undo: kgraph (restore .*--tx [0-9a-f]+)$", text, re.MULTILINE)
    assert words, text
    return seen(project, *words.group(1).split())


def test_a_retraction_names_what_went_and_how_to_bring_it_back(project: Path) -> None:
    text = seen(project, "retract", "--source", "report.md", "--reason", "a rumour")
    assert re.match(
        r"transaction [0-9a-f]{12} took 5 assertions back\nno longer in the graph:\n  report.md \(Source\) \[src_",
        text,
    )
    assert "report.md -SUPPORTS-> The Token Vault had run out of disk [edg_" in text
    assert "in the graph again:\n  report.md (Source) [src_" in undone(project, text)
    seen(project, "retract", "--source", "report.md", "--reason", "a rumour")
    assert seen(project, "retract", "--source", "report.md", "--reason", "again").startswith(
        "nothing to do: transaction "
    )


def test_a_retraction_that_is_refused_says_why_and_changes_nothing(project: Path) -> None:
    text = seen(project, "retract", "--node", "report.md", "--reason", "a rumour")
    assert text.startswith(
        "nothing was changed\ninvariant I1: 'The Token Vault had run out of disk' would be left in breach"
    )


def test_the_way_back_names_the_graph_that_was_named(project: Path) -> None:
    text = seen(project, "--name", "main", "retract", "--run", "r2", "--reason", "a rumour")
    assert re.search(r"^undo: kgraph restore --name main --tx [0-9a-f]{12}$", text, re.MULTILINE)


def test_candidates_show_both_sides_and_what_speaks_for_them(project: Path) -> None:
    text = seen(project, "candidates")
    assert text.startswith("1 pair of nodes that may be one, in 1 cluster, best first\n")
    assert (
        re.search(r"\d\.\d\d  Token Va.*: the store of .* \[ent_", text)
        and "\n        for it: names " in text
    )
    assert "kgraph resolve --canonical ID --alias ID" in text and text.count("\n") == 5
    assert seen(project, "candidates", "--type", "Task") == "no two nodes look like one\n"


def test_merges_and_their_undoing_are_told_by_name(project: Path) -> None:
    why = "the chat misspells the name of the same store"
    text = seen(
        project,
        "resolve",
        "--canonical",
        "Token Vault",
        "--alias",
        "Token Valt",
        "--rationale",
        why,
    )
    assert re.search(
        rf"merged 1 node\n  Token Valt \(Entity\) \[ent_\w+\] is Token Vault \(Entity\) \[ent_\w+\]: {why}\n",
        text,
    )
    assert "no longer in the graph:\n  Token Valt -RESOLVED_TO-> Token Vault [edg_" in undone(
        project, text
    )
    seen(
        project,
        "resolve",
        "--canonical",
        "Token Vault",
        "--alias",
        "Token Valt",
        "--rationale",
        why,
    )
    text = seen(project, "unresolve", "Token Valt")
    assert (
        re.search(r"parted Token Valt \(Entity\) \[ent_\w+\] from what it was merged into\n", text)
        and "\nundo: " in text
    )
    assert (
        seen(project, "unresolve", "Token Valt")
        == "nothing to do: 'Token Valt' is nobody's alias\n"
    )
    assert seen(project, "resolve", "--auto").startswith(("nothing was merged", "transaction "))


def test_a_distinction_and_a_split_are_told_by_name(project: Path) -> None:
    text = seen(
        project,
        "distinct",
        "Token Vault",
        "Token Valt",
        "--rationale",
        "the chat speaks of another store in the test system",
    )
    assert re.search(
        r"records that Token Vault \(Entity\) \[ent_\w+\] and Token Valt \(Entity\) \[ent_\w+\] are two\nundo: ",
        text,
    )
    again = seen(
        project,
        "distinct",
        "Token Vault",
        "Token Valt",
        "--rationale",
        "the chat speaks of another store in the test system",
    )
    assert again.startswith("nothing to do: Token Vault (Entity)") and again.endswith(
        "were judged to be two before\n"
    )
    assert (
        command(
            project,
            "ingest",
            "--run-id",
            "r3",
            json.dumps(payload("chat.md", "the Token Vault is full again")),
        ).returncode
        == 0
    )
    text = seen(project, "split", "Token Vault", "--run", "r3")
    assert (
        "the new node: Token Vault (Entity) [ent_" in text
        and "what went there: 1 assertion of it and 1 assertion of edges at it" in text
    )
    undone(project, text)


def test_runs_history_and_exports_are_told_in_lines(project: Path) -> None:
    text = seen(project, "runs")
    assert re.match(
        r"r1  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d to .*  3 nodes, 2 edges by 1 transaction\nr2  ", text
    )
    edge = answer(command(project, "show", "Token Vault"))["edges"][0]["id"]
    assert "r1  The Token Vault had run out of disk -MENTIONS-> Token Vault\n" in seen(
        project, "history", edge
    )
    assert re.search(r"  ingest    run r2  3 nodes, 2 edges\n", seen(project, "history"))
    assert re.match(
        r"written as dot:\ngraph.dot \([\d,]+ bytes\)\n$", seen(project, "export", "graph.dot")
    )
    assert command(project, "extract", "report.md").returncode == 0
    assert re.search(r"^1 unit \w+\n  report.md", seen(project, "runs", "--units"), re.MULTILINE)


def test_verify_names_the_words_that_are_no_longer_there(project: Path) -> None:
    assert seen(project, "verify") == "citations: 1 verified\n"
    (project / "report.md").write_text("# Outage\n\nNothing is known.\n", encoding="utf-8")
    text = seen(project, "verify")
    assert (
        '  stale: "The Token Vault had run out of disk." in report.md#cause (SUPPORTS) [edge:edg_'
        in text
    )
    assert text.endswith("kgraph verify --record writes what changed into the graph\n")
    assert "records 1 finding\n" in seen(project, "verify", "--record")


def test_a_citation_that_cannot_be_checked_is_told_with_the_next_step_and_fails_nothing(
    project: Path,
) -> None:
    (project / "elsewhere").mkdir()
    (project / "report.md").rename(project / "elsewhere" / "report.md")
    done = command(project, "verify")
    assert (
        done.stderr
        == b"kgraph: 1 citation was not checked: report.md can't be read here; give the folder with --source-root DIR\n"
    )
    assert done.returncode == 0 and answer(done)["evidence"] == {"unchecked": 1}
    done = command(project, "verify", "--source-root", "elsewhere")
    assert (done.returncode, done.stderr, answer(done)["evidence"]) == (0, b"", {"verified": 1})


def test_long_lists_are_cut_for_a_person_and_say_so(project: Path) -> None:
    many = [{"type": "Entity", "name": f"Thing {number}"} for number in range(changes.SHOWN + 3)]
    assert (
        command(
            project, "ingest", "--run-id", "many", json.dumps({"nodes": many, "edges": []})
        ).returncode
        == 0
    )
    text = seen(project, "retract", "--run", "many", "--reason", "too many")
    assert (
        "  and 3 more (--json lists them)\nundo: " in text
        and text.count("(Entity)") == changes.SHOWN
    )


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "node", "0 nodes"),
        (1, "node", "1 node"),
        (2, "query", "2 queries"),
        (2, "day", "2 days"),
        (3, "match", "3 matches"),
    ],
)
def test_a_count_agrees_with_its_noun(number: int, noun: str, said: str) -> None:
    assert counted(number, noun) == said


# -- refusals ----------------------------------------------------------------------------------------------------------------------

REFUSALS: list[tuple[list[str], str]] = [
    (["show", "nothing at all"], "kgraph: nothing in this graph is called"),
    (["stats", "--nam", "x"], "kgraph: unknown option --nam; did you mean --name?"),
    (
        ["ingest", '{"nodes": [{"type": "Thing", "name": "x"}], "edges": []}'],
        "kgraph: E102 at $.nodes[0].type: ",
    ),
    (
        ["ingest", '{"nodes": [{"type": "Claim", "name": "It rained"}], "edges": []}'],
        "kgraph: I1 at $.nodes[0]: ",
    ),
    (
        ["ingest", "--strict", '{"nodes": [{"type": "Entity", "name": "Lone"}], "edges": []}'],
        "kgraph: W2",
    ),
    (["ingest", '{"nodes": [], "edges": []}', "{}"], "kgraph: payload 2: E101 at $.edges: "),
    (["ingest", "--lines", "[]"], "kgraph: 1 line of 1 refused\n"),
    (
        ["retract", "--node", "report.md", "--reason", "x"],
        "kgraph: I1: 'The Token Vault had run out of disk' would",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "begin"),
    REFUSALS,
    ids=lambda one: " ".join(one) if isinstance(one, list) else None,
)
def test_a_refusal_is_one_line_on_standard_error_and_one_object_on_standard_output(
    project: Path, arguments: list[str], begin: str
) -> None:
    done = command(project, *arguments)
    assert done.returncode in (1, 2) and answer(done)["ok"] is False
    told = [
        line for line in done.stderr.decode().splitlines() if not line.startswith("kgraph: made ")
    ]
    assert len(told) == 1 and f"{told[0]}\n".startswith(begin), told


@pytest.mark.parametrize("arguments", [arguments for arguments, _ in REFUSALS[:4]], ids=" ".join)
def test_on_a_terminal_a_refusal_leaves_standard_output_empty(
    project: Path, arguments: list[str]
) -> None:
    import os
    import pty

    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "kgraph", *arguments],
        cwd=project,
        stdout=theirs,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(theirs)
    with pytest.raises(OSError):  # nothing was written before its last user left
        os.read(ours, 1)
    os.close(ours)
    assert done.returncode in (1, 2) and done.stderr


def test_several_nodes_of_one_name_are_listed_to_choose_from(project: Path) -> None:
    assert command(project, "add-node", "--type", "Task", "--name", "Token Vault").returncode == 0
    text = seen(project, "show", "Token Vault")
    assert re.search(
        r"\n  Entity Token Vault \[ent_\w+\] the store of tokens\n  Task Token Vault \[tsk_", text
    )


def test_an_unknown_option_before_the_command_word_is_no_command(project: Path) -> None:
    assert seen(project, "--nam", "t2", "stats").startswith(
        "kgraph: unknown option --nam; did you mean --name? a command's own options"
    )
    assert seen(project, "--limit", "3", "history").startswith("kgraph: unknown option --limit; ")
    assert seen(project, "histroy").startswith(
        "kgraph: there is no command 'histroy'; did you mean 'history'?"
    )


def test_help_is_a_word_as_well(project: Path) -> None:
    assert command(project, "help").stdout == command(project, "--help").stdout
    assert command(project, "help", "show").stdout == command(project, "show", "--help").stdout
    assert command(project, "help", "shwo").returncode == 2


def test_a_reader_that_has_enough_is_nothing_to_speak_of(project: Path) -> None:
    shell = f"{sys.executable} -m kgraph export - | head -c 1; echo ${{PIPESTATUS[0]}}"
    big = {
        "nodes": [
            {"type": "Entity", "name": f"Thing {number}", "description": "x" * 900}
            for number in range(400)
        ],
        "edges": [],
    }
    assert command(project, "ingest", "@-", stdin=json.dumps(big).encode()).returncode == 0
    done = subprocess.run(["bash", "-c", shell], cwd=project, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"{141\n", b"")


# -- formats by their endings ------------------------------------------------------------------------------------------------------


def test_an_export_is_of_the_format_that_its_file_is_named_for(project: Path) -> None:
    begin = {
        "g.dot": "digraph",
        "g.graphml": "<?xml",
        "g.ttl": "@prefix",
        "g.mmd": "%%",
        "g.json": "{",
        "g.JSONL": "{",
    }
    for name, first in begin.items():
        assert command(project, "export", name).stderr == b""
        assert first in (project / name).read_text(encoding="utf-8")[:200], name
    assert answer(command(project, "export", "plain"))["format"] == "json"
    assert (
        answer(command(project, "export", "g.json", "--format", "jsonld", "--force"))["format"]
        == "jsonld"
    )


def test_an_ending_that_says_something_else_than_the_format_is_told(project: Path) -> None:
    done = command(project, "export", "g.dot", "--format", "json")
    assert (
        done.stderr == b"kgraph: g.dot ends like dot, and is written as json, as --format says\n"
        and done.returncode == 0
    )
    done = command(project, "export", "g.txt")
    assert (
        done.stderr
        == b"kgraph: no format has the ending '.txt', so g.txt is written as json; --format says another\n"
    )
    done = command(project, "export", "g.csv")
    assert (
        done.returncode == 2
        and b"kgraph export --format csv FOLDER" in done.stderr
        and not (project / "g.csv").exists()
    )


def words_of(body: dict[str, Any]) -> str:
    return changes.Changes(lambda ids: {}, "").merge(body)


def test_what_a_model_judged_is_told_as_well() -> None:
    row = {"left": "a", "right": "b", "rationale": "one is a planet"}
    text = words_of(
        {"tx": "f" * 40, "merged": [], "notes": [], "left": 2, "distinct": [row], "unsure": []}
    )
    assert text.splitlines() == [
        "nothing was merged",
        "judged to be two: 1 pair",
        "  [a] and [b]: one is a planet",
        "2 pairs left to decide: kgraph candidates",
        "undo: kgraph restore --tx ffffffffffff",
    ]


# -- writing by hand, health, imports ------------------------------------------------------------------------------------------------


def test_a_node_and_an_edge_by_hand_are_told_by_name_with_the_way_back(project: Path) -> None:
    text = seen(
        project,
        "add-node",
        "--type",
        "Entity",
        "--name",
        "Checkout",
        "--description",
        "takes the orders",
        "--run-id",
        "r9",
    )
    assert re.match(r"transaction [0-9a-f]{12} of run r9: Checkout \(Entity\) \[ent_\w+\]\n", text)
    text = seen(
        project,
        "add-edge",
        "--predicate",
        "DEPENDS_ON",
        "--source",
        "Checkout",
        "--target",
        "Token Vault",
    )
    assert ": Checkout -DEPENDS_ON-> Token Vault [edg_" in text
    words = re.search(
        r"^undo: kgraph (retract --tx [0-9a-f]{12}) --reason WHY$", text, re.MULTILINE
    )
    assert words and "Checkout -DEPENDS_ON-> Token Vault [edg_" in seen(
        project, *words.group(1).split(), "--reason", "a slip"
    )
    text = seen(
        project,
        "add-edge",
        "--predicate",
        "DEPENDS_ON",
        "--source",
        "Checkout",
        "--target",
        "Nowhere",
    )
    assert text.startswith("nothing was written\nerror E105 at $.edges[0].target: ")


def test_the_state_of_a_graph_is_told_in_a_few_lines(project: Path) -> None:
    kinds = "6 nodes: 2 Claim, 2 Entity, 2 Source\n4 edges: 2 MENTIONS, 2 SUPPORTS\n"
    counts = f"{kinds}2 components, the largest of 3 nodes, 0 without an edge;"
    assert seen(project, "stats").startswith(counts)
    assert seen(project, "validate").startswith(
        f"every line of the log and every invariant holds\n{counts}"
    )
    assert seen(project, "rebuild").startswith(
        f"the index is made again, and every line of the log holds\n{counts}"
    )
    log = project / ".karpathy-graphs" / "main" / "log.jsonl"
    log.write_bytes(log.read_bytes().replace(b"the store of tokens", b"the store of nothing"))
    for word in ("validate", "rebuild"):
        text = seen(project, word)
        assert (
            "error E209 at log.jsonl:" in text
            and "invariant holds" not in text
            and "log holds" not in text
        )


def test_a_selftest_and_an_import_are_told_in_lines(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, text = on_a_terminal(project, "selftest")
    assert re.match(r"ok      versions: Python 3.*\n(ok      .*\n)+$", text)
    assert "parquet" in text and "terminal" not in text
    folder = str(project / ".karpathy-graphs" / "main")
    assert seen(project, "--name", "other", "import", folder).endswith("3 transactions came\n")
    assert (
        seen(project, "--name", "other", "import", folder)
        == "0 transactions came, 3 were here already\n"
    )


def test_what_no_longer_holds_and_what_stands_nowhere_is_said_in_words_too(project: Path) -> None:
    said = {"source_doc": "chat.md"}
    newer = {
        "nodes": [
            {"type": "Source", "name": "chat.md", "uri": "chat.md"},
            *(
                {"type": "Claim", "name": f"the sorter {words} on panel B"}
                for words in ("depends", "no longer depends")
            ),
            *({"type": "Entity", "name": name} for name in ("sorter", "panel B")),
        ],
        "edges": [
            {
                "predicate": "SUPPORTS",
                "source": "chat.md",
                "target": "the sorter depends on panel B",
            }
            | {"quote": "the sorter depends on panel B", **said},
            {
                "predicate": "MENTIONS",
                "source": "the sorter depends on panel B",
                "target": "sorter",
            },
            {
                "predicate": "MENTIONS",
                "source": "the sorter depends on panel B",
                "target": "panel B",
            },
            {
                "predicate": "SUPPORTS",
                "source": "chat.md",
                "target": "the sorter no longer depends on panel B",
            },
            {
                "predicate": "SUPERSEDES",
                "source": "the sorter no longer depends on panel B",
                "target": "the sorter depends on panel B",
            },
            {
                "predicate": "DEPENDS_ON",
                "source": "sorter",
                "target": "panel B",
                "quote": "the sorter depends on panel B",
                **said,
            },
        ],
    }
    (project / "chat.md").write_text(
        "the sorter depends on panel B\n\nthe sorter no longer depends on panel B\n"
    )
    assert command(project, "ingest", "--run-id", "r3", json.dumps(newer)).returncode == 0
    text = seen(project, "query", "sorter zork")
    assert text.startswith("not in the graph: zork\n")
    assert "• the sorter depends on panel B (superseded)\n" in text
    for arguments, walked in (
        (["query", "sorter"], "• sorter depends on panel B"),
        (["path", "sorter", "panel B"], "-DEPENDS_ON->"),
    ):
        shown = " ".join(seen(project, *arguments).split())
        outdated = "(outdated: the sorter no longer depends on panel B)"
        assert walked in shown and outdated in shown.partition(walked)[2]
