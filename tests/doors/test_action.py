"""The composite action: its steps are run here as a runner would run them, on a graph in a repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from doors.prose import ROOT
from kgraph.cli import main

ACTION = ROOT / ".github" / "actions" / "check-graph" / "action.yml"


def steps() -> dict[str, str]:
    """Each step's script. The file is simple enough to be cut at its own marks."""
    found = {}
    for part in ACTION.read_text("utf-8").split("    - name: ")[1:]:
        head, _, body = part.partition("      run: |\n")
        found[head.split("\n")[0]] = re.sub(r"^ {8}", "", body, flags=re.M)
    return found


@pytest.fixture
def repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "vault.md").write_text(
        "# Vault\n\nThe Token Vault ran out of disk. Checkout reads the Token Vault.\n"
    )
    assert main(["--path", "graph", "--quiet", "extract", "docs"]) == 0
    capsys.readouterr()
    (tmp_path / "gold.jsonl").write_text(
        '{"claim": "Checkout reads the Token Vault.", "decision": "approve"}\n'
    )
    who = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-qb", "main"], ["add", "-A"], [*who, "commit", "-qm", "graph"]):
        subprocess.run(["git", *words], check=True, capture_output=True)
    return tmp_path


def run(repository: Path, name: str, **inputs: str) -> tuple[int, str]:
    environment = {
        **os.environ, "GRAPH": "graph", "GOLD": "", "BASELINE": "", "BASE": "main", **inputs,
        "GITHUB_STEP_SUMMARY": str(repository / "summary.md"),
        "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]),
    }  # fmt: skip
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", steps()[name]], env=environment, capture_output=True, text=True, check=False)  # fmt: skip
    summary = repository / "summary.md"
    return done.returncode, summary.read_text("utf-8") if summary.exists() else done.stderr


def test_the_action_passes_a_graph_that_is_as_it_was(repository: Path) -> None:
    assert list(steps()) == ["Verify every citation", "Score against gold", "Compare with the base branch"]  # fmt: skip
    assert run(repository, "Verify every citation")[0] == 0
    assert run(repository, "Score against gold", GOLD="gold.jsonl")[0] == 0
    status, summary = run(repository, "Compare with the base branch")
    assert status == 0
    assert "'verified'" in summary and "### grounding" in summary and "no difference" in summary


def test_the_action_fails_a_graph_whose_source_no_longer_says_it(repository: Path) -> None:
    before = subprocess.run([sys.executable, "-m", "kgraph", "--path", "graph", "--json", "eval", "grounding", "--gold", "gold.jsonl"], capture_output=True, text=True, check=True)  # fmt: skip
    (repository / "before.json").write_text(before.stdout)
    assert json.loads(before.stdout)["ok"]
    (repository / "docs" / "vault.md").write_text("# Vault\n\nNothing.\n")
    assert run(repository, "Verify every citation")[0] == 1
    main(["--path", "graph", "--quiet", "verify", "--record"])
    status, summary = run(repository, "Compare with the base branch")
    assert (status, "lost its support" in summary) == (1, True)
    status, summary = run(repository, "Score against gold", GOLD="gold.jsonl", BASELINE="before.json")  # fmt: skip
    assert (status, "worse" in summary) == (1, True)
