"""Completions, asked for in the shells themselves: what is typed, then a tab, and what the command line then holds."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from doors.prose import ROOT
from kgraph.cli.completions import SCRIPTS, grammar
from kgraph.cli.table import COMMANDS
from kgraph.ontology import NODE_TYPES

PATIENCE_SECONDS = 20.0
READY = "READY:now"
# what a shell runs to begin with; its `kgraph` prints what it was given, so that the completed line can be read
STARTS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set bell-style none'; source ./script",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D; source ./script; zstyle ':completion:*' menu no",
    ),
}
TYPED = [  # (typed and completed, what the shell makes of it)
    ("kgraph comple", "completions"),
    ("kgraph --name har", "--name harbour"),
    ("kgraph --name harbour queu", "--name harbour queu"),
    ("kgraph --name harbour candi", "--name harbour candidates"),
    ("kgraph query --min-c", "query --min-confidence"),
    ("kgraph query --type Cl", "query --type Claim"),
    ("kgraph --quiet export --format graphm", "--quiet export --format graphml"),
    ("kgraph export x --format=graphm", "export x --format=graphml"),
    ("kgraph completions fi", "completions fish"),
    ("kgraph extract not", "extract notes.md"),
    ("kgraph ingest @not", "ingest @notes.md"),
    ("kgraph init --source-root shel", "init --source-root shelf"),
    ("kgraph show --objec", "show --objec"),
    ("kgraph add-node --type Sour", "add-node --type Source"),
    ("kgraph add-node --name har", "add-node --name har"),
    ("kgraph add-node --name=har", "add-node --name=har"),
    ("kgraph add-edge --name har", "add-edge --name harbour"),
    ("kgraph --name har", "--name harbour"),
]


def needs(shell: str) -> None:
    if shutil.which(shell) is None:
        if os.environ.get("CI"):
            pytest.fail(f"{shell} is not installed, and its completions can't go untested here")
        pytest.skip(f"needs {shell}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working folder with a graph, a document and a folder to complete."""
    (tmp_path / ".karpathy-graphs" / "harbour").mkdir(parents=True)
    (tmp_path / ".karpathy-graphs" / "harbour" / "log.jsonl").write_text("")
    (tmp_path / ".karpathy-graphs" / "harbour-without-log").mkdir()
    (tmp_path / "notes.md").write_text("A note.\n")
    (tmp_path / "shelf").mkdir()
    return tmp_path


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, shell: str, folder: Path) -> None:
        command, start = STARTS[shell]
        (folder / "script").write_text(SCRIPTS[shell](grammar()), "utf-8")
        (folder / "start").write_text(
            f"{start}\nkgraph() {{ printf 'GIVEN:%s:END\\n' \"$*\"; }}\nprintf 'READY:%s\\n' now\n",
            "utf-8",
        )
        self._ours, theirs = pty.openpty()
        kept = {
            "PATH": os.environ["PATH"],
            "TERM": "dumb",
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
        }
        self._shell = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=kept,
            start_new_session=True,
        )
        os.close(theirs)
        self._seen = ""
        self.type("source ./start\n")
        self.until(READY)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def until(self, mark: str) -> str:
        """What the shell showed before ``mark``."""
        while mark not in self._seen:
            if not select.select([self._ours], [], [], PATIENCE_SECONDS)[0]:
                pytest.fail(f"{mark!r} never came: {self._seen[-400:]!r}")
            self._seen += os.read(self._ours, 4096).decode("utf-8", "replace")
        before, _, self._seen = self._seen.partition(mark)
        return before

    def completed(self, typed: str) -> str:
        self.type(f"{typed}\t\n")
        self.until("GIVEN:")
        return self.until(":END")

    def close(self) -> None:
        self._shell.kill()
        self._shell.wait()
        os.close(self._ours)


@pytest.mark.parametrize("shell", STARTS)
def test_a_tab_completes_what_the_command_line_takes(shell: str, folder: Path) -> None:
    needs(shell)
    terminal = Terminal(shell, folder)
    try:
        assert {typed: terminal.completed(typed).strip(" /") for typed, _ in TYPED} == dict(TYPED)
    finally:
        terminal.close()


def fish_offers(line: str, folder: Path) -> list[str]:
    (folder / "script").write_text(SCRIPTS["fish"](grammar()), "utf-8")
    command = ["fish", "--no-config", "-c", "source ./script; complete -C $argv[1]", line]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [row.partition("\t")[0] for row in done.stdout.splitlines()]


def test_fish_offers_what_the_command_line_takes(folder: Path) -> None:
    needs("fish")
    assert fish_offers("kgraph ", folder) == sorted(COMMANDS)
    assert fish_offers("kgraph comple", folder) == ["completions"]
    assert fish_offers("kgraph --name ", folder) == ["harbour"]
    assert fish_offers("kgraph add-node --name ", folder) == []
    assert fish_offers("kgraph add-node --name=har", folder) == []
    assert fish_offers("kgraph add-node --nam", folder) == ["--name"]
    assert fish_offers("kgraph add-edge --name ", folder) == ["harbour"]
    assert fish_offers("kgraph --name har", folder) == ["harbour"]
    assert fish_offers("kgraph --name harbour candi", folder) == ["candidates"]
    assert fish_offers("kgraph --name harbour candidates candi", folder) == []
    assert fish_offers("kgraph query --min-c", folder) == ["--min-confidence"]
    assert fish_offers("kgraph show --min-c", folder) == []
    assert sorted(fish_offers("kgraph query --type ", folder)) == sorted(NODE_TYPES)
    assert fish_offers("kgraph export --format=graphm", folder) == ["--format=graphml"]
    assert fish_offers("kgraph completions fi", folder) == ["fish"]
    assert fish_offers("kgraph extract not", folder) == ["notes.md"]
    assert fish_offers("kgraph ingest @not", folder) == ["@notes.md"]
    assert fish_offers("kgraph init --source-root shel", folder) == ["shelf/"]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_script_names_every_command_and_every_option_that_the_parsers_take(shell: str) -> None:
    text = SCRIPTS[shell](grammar())
    before = "-l " if shell == "fish" else "--"
    options = [
        (command, name)
        for command in grammar().commands
        for option in command.options
        for name in option.names
    ]
    assert len(options) > 80
    assert [command.name for command in grammar().commands if command.name not in text] == []
    assert [
        (command.name, name)
        for command, name in options
        if name.startswith("--") and before + name[2:] not in text
    ] == []


@pytest.mark.parametrize("shell", SCRIPTS)
def test_completions_prints_the_script_and_nothing_else(shell: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kgraph", "completions", shell]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", SCRIPTS[shell](grammar()))
