"""The pages under docs/: what they tell a reader to type is typed here."""

from __future__ import annotations

import json
import pydoc
import sys
from pathlib import Path

import pytest

import kgraph
from doors.prose import ROOT, bash, checkout, fences, run_page

PAGES = sorted(
    page
    for page in (ROOT / "docs").glob("*.md")
    if any(fence.kind == "sh" for fence in fences(page))
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_the_page_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    commands = [
        fence for fence in fences(page) if fence.kind == "sh" and "not-run" not in fence.words
    ]
    assert run_page(page, checkout(tmp_path)) == len(commands)


def test_the_program_on_the_page_for_python_runs(tmp_path: Path) -> None:
    blocks = fences(ROOT / "docs" / "python.md")
    for block in blocks:
        if block.kind == "text" and block.words:
            (tmp_path / block.words[0]).write_text(block.body, "utf-8")
    program = [block.body for block in blocks if block.kind == "python"]
    assert len(program) >= 5
    (tmp_path / "program.py").write_text("\n".join(program), "utf-8")
    done = bash(f"PYTHONPATH={ROOT / 'src'} {sys.executable} program.py", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_help_shows_the_front_door() -> None:
    shown = pydoc.plain(pydoc.render_doc(kgraph))
    assert all(
        f"{name}" in shown
        for name in (
            "open(",
            "create(",
            "class Graph",
            "class Question",
            "class GroundOptions",
            "class KgraphError",
        )
    )


def test_every_decision_is_listed_and_has_a_state() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    for page in sorted(folder.glob("0*.md")):
        assert f"]({page.name})" in index
        assert "\nState: " in page.read_text("utf-8")


def test_the_reader_in_the_page_on_the_log_agrees_with_kgraph_after_writing_withdrawing_and_restoring(
    tmp_path: Path,
) -> None:
    clone = checkout(tmp_path)
    reader = next(
        fence.body
        for fence in fences(ROOT / "docs" / "log-format.md")
        if fence.words == ("read_log.py",)
    )
    (clone / "read_log.py").write_text(reader, "utf-8")
    run = "python3 plugins/karpathy-graph/scripts/kgraph.py --json --name g "
    log = ".karpathy-graphs/g/log.jsonl"

    def agree() -> dict[str, int]:
        read = bash(f"python3 read_log.py {log}", clone)
        assert read.returncode == 0, read.stderr
        stats = json.loads(bash(run + "stats", clone).stdout)["stats"]
        found: dict[str, int] = json.loads(read.stdout)
        assert (found["nodes"], found["edges"]) == (stats["nodes"], stats["edges"])
        return found

    assert (
        bash(
            f"{run} --run-id one extract examples/glossary.md\n{run} --run-id two extract examples/decisions",
            clone,
        ).returncode
        == 0
    )
    whole = agree()
    taken = bash(f"{run} retract --run two --reason 'to see what is left'", clone)
    assert agree()["nodes"] < whole["nodes"]
    assert bash(f"{run} restore --tx {json.loads(taken.stdout)['tx']}", clone).returncode == 0
    assert agree()["nodes"] == whole["nodes"]
    data = bytearray((clone / log).read_bytes())
    data[len(data) // 2] ^= 1
    (clone / log).write_bytes(data)
    assert bash(f"python3 read_log.py {log}", clone).returncode != 0
