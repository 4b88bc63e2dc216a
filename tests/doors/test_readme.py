"""README: a newcomer types what stands there, and it works."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from doors.prose import ROOT, bash, checkout, fences, run_page

README = ROOT / "README.md"
FOLDERS = ("*.md", "docs/**/*.md", "plugins/karpathy-graph/**/*.md", "examples/**/*.md")
PAGES = sorted(path for pattern in FOLDERS for path in ROOT.glob(pattern))


def first_command() -> str:
    return next(fence.body.strip() for fence in fences(README) if fence.kind == "sh")


def test_the_first_screen_holds_two_commands_each_on_one_line() -> None:
    screen = "".join(README.read_text("utf-8").splitlines(keepends=True)[:40])
    commands = [fence.body.strip() for fence in fences(README)[:3:2]]  # between them a question
    assert all(command in screen and "\n" not in command for command in commands)
    assert commands[0].startswith(
        "python3 plugins/karpathy-graph/scripts/kgraph.py extract examples"
    )
    assert commands[1].startswith("python3 -m venv") and commands[1].endswith("pytest")


def test_the_first_command_needs_nothing_installed_and_leaves_a_page_and_a_graph_with_every_citation_verified(
    tmp_path: Path,
) -> None:
    clone = checkout(tmp_path)
    done = bash(first_command().replace("python3 ", "python3 -I -S "), clone)
    assert done.returncode == 0, done.stdout + done.stderr
    graph = clone / ".karpathy-graphs" / "demo"
    assert {path.name for path in graph.iterdir()} >= {
        "log.jsonl",
        "manifest.json",
        "graph.html",
        "REPORT.md",
        "graph.json",
        "graph.mmd",
    }
    run = "python3 plugins/karpathy-graph/scripts/kgraph.py --json --name demo "
    verified = json.loads(bash(run + "verify", clone).stdout)
    assert verified["ok"] is True
    assert set(verified["evidence"]) == {"verified"} and verified["evidence"]["verified"] > 20
    validated = json.loads(bash(run + "validate", clone).stdout)
    assert (validated["ok"], validated["invariant_violations"], validated["errors"]) == (
        True,
        [],
        [],
    )


def test_every_command_in_the_readme_works_in_the_order_in_which_it_stands(tmp_path: Path) -> None:
    assert run_page(README, checkout(tmp_path)) >= 2


def test_the_python_in_the_readme_runs(tmp_path: Path) -> None:
    clone = checkout(tmp_path)
    assert bash(first_command(), clone).returncode == 0
    for number, fence in enumerate(fence for fence in fences(README) if fence.kind == "python"):
        (clone / f"example{number}.py").write_text(fence.body, "utf-8")
        done = bash(f"PYTHONPATH='{ROOT / 'src'}' python3 example{number}.py", clone)
        assert done.returncode == 0 and done.stdout.strip(), done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_to_a_file_of_the_project_leads_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    targets = [
        target.split("#")[0]
        for target in re.findall(r"\]\(([^)\s]+)\)", text)
        if "://" not in target
    ]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []


def test_the_test_command_is_the_one_that_ci_runs() -> None:
    assert "grep -m1 '^python3 -m venv ' README.md" in (ROOT / ".ci" / "run").read_text("utf-8")
