"""A graph that is kept current: at each commit and merge, and whenever files change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kgraph.cli import main
from kgraph.cli.commands.keeping import follow


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    Path("src").mkdir()
    Path("src/a.py").write_text("import json\n")
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    main(["--name", "t", "--json", *words])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def git(*words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
        check=True,
        capture_output=True,
    )


def test_a_commit_brings_the_graph_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q")
    typed(capsys, "extract", "src")
    hook = Path(".git/hooks/post-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho mine > mine.txt\n")
    hook.chmod(0o755)
    assert len(typed(capsys, "hook", "install", "src")["installed"]) == 2
    typed(capsys, "hook", "install", "src")
    assert hook.read_text().count("keep ") == 1, "installing again changes nothing"
    Path("src/b.py").write_text("import csv\n")
    git("add", "src")
    git("commit", "-qm", "more")
    assert Path("mine.txt").read_text() == "mine\n"
    assert typed(capsys, "show", "src.b")["ok"] or typed(capsys, "show", "b")["ok"]
    Path("src/b.py").unlink()
    git("commit", "-qam", "less")
    assert typed(capsys, "show", "b")["errors"][0]["code"] == "E204"
    assert len(typed(capsys, "hook", "remove")["removed"]) == 2
    assert hook.read_text() == "#!/bin/sh\necho mine > mine.txt\n"
    assert not Path(".git/hooks/post-merge").exists()


def test_a_hook_that_is_no_shell_script_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    git("init", "-q")
    typed(capsys, "extract", "src")
    hook = Path(".git/hooks/post-commit")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/usr/bin/env python3\nprint(1)\n")
    assert typed(capsys, "hook", "install")["errors"][0]["code"] == "E207"
    assert hook.read_text().endswith("print(1)\n")


def test_without_a_repository_there_is_nothing_to_hook_into(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    typed(capsys, "extract", "src")
    assert typed(capsys, "hook", "install")["errors"][0]["code"] == "E201"


def test_every_batch_of_changes_is_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    class Nothing:
        units = ()
        held_back = ""

    said: list[str] = []
    runs = follow([set(), {"a"}, {"b", "c"}, set()], Nothing, said.append)  # type: ignore[arg-type]
    assert runs == 3 and len(said) == 3


def test_what_changes_while_it_is_watched_is_in_the_graph(tmp_path: Path) -> None:
    pytest.importorskip("watchfiles")
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "kgraph", "--name", "t", "watch", "src", "--debounce", "0.1"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        while "read" not in process.stderr.readline():
            pass
        Path("src/b.py").write_text("import csv\n")
        told = process.stderr.readline()
        process.terminate()
        process.communicate(timeout=60)
    assert told == "kgraph: 1 unit read\n"
