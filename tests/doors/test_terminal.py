"""On a terminal: the answer first, with its words and file:line, in the terminal's width, coloured where that is wanted."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kgraph
from kgraph.cli import terminal

SENTENCE = "The Night Train leaves the Harbour Station at 22:40 on every day of the week but Sunday, as it has since the year in which the line was opened"
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "train.md").write_text(f"# Train\n\n{SENTENCE}.\n")
    nodes = [
        {"type": "Source", "name": "train.md", "uri": "train.md"},
        {"type": "Entity", "name": "Night Train", "description": "the sleeper of 22:40"},
        {"type": "Claim", "name": SENTENCE},
    ]
    edges = [
        {"predicate": "SUPPORTS", "source": "train.md", "target": SENTENCE, "quote": SENTENCE},
        {"predicate": "MENTIONS", "source": SENTENCE, "target": "Night Train"},
    ]
    with kgraph.create(
        str(tmp_path / ".karpathy-graphs" / "g"), source_root=str(tmp_path)
    ) as graph:
        assert graph.ingest({"nodes": nodes, "edges": edges}).exit_status == 0
    return tmp_path


def typed(project: Path, *arguments: str, **environment: str) -> str:
    """What a terminal of 80 columns shows of a command."""
    parent, child = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "PAGER", "COLUMNS", "LINES")}  # fmt: skip
    done = subprocess.Popen(
        [sys.executable, "-m", "kgraph", *arguments],
        cwd=project,
        env=clean | {"TERM": "xterm"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=child,
        stderr=subprocess.DEVNULL,
    )
    os.close(child)
    read = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:
            break
        if not part:
            break
        read += part
    done.wait()
    os.close(parent)
    return read.decode().replace("\r\n", "\n")


def test_a_question_is_answered_first_with_the_place_as_file_and_line(project: Path) -> None:
    shown = typed(project, "query", "when does the Night Train leave", NO_COLOR="1")
    assert shown.startswith("• The Night Train leaves")
    assert "train.md:3\n" in shown
    assert "[clm_" not in shown and "\x1b" not in shown and "\\" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_ids_are_shown_when_they_are_asked_for(project: Path) -> None:
    assert "[clm_" in typed(project, "query", "Night Train", "--ids", NO_COLOR="1")
    assert "[ent_" not in typed(project, "show", "Night Train", NO_COLOR="1")
    assert "[ent_" in typed(project, "--ids", "show", "Night Train", NO_COLOR="1")


def test_colour_follows_the_terminal_and_the_two_variables(project: Path) -> None:
    pytest.importorskip("rich")
    plain = typed(project, "query", "Night Train", NO_COLOR="1")
    coloured = typed(project, "query", "Night Train")
    assert "\x1b[" in coloured and ANSI.sub("", coloured) == plain
    assert "\x1b[" in typed(project, "query", "Night Train", TERM="dumb", FORCE_COLOR="1")
    assert "\x1b[" not in typed(project, "query", "Night Train", TERM="dumb")


def test_a_long_answer_goes_through_the_readers_pager_and_none_is_assumed(project: Path) -> None:
    assert not terminal.paged("line\n" * 500, {})
    assert not terminal.paged("line\n", {"PAGER": "cat"})


def test_a_stream_of_lines_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(100_000))
    monkeypatch.setattr(terminal.time, "monotonic", lambda: float(next(now)))
    said: list[str] = []
    counter = terminal.Counter(64 * 100 * 10, said.append, tty=False)
    assert len(list(counter.watched(iter([b"x" * 10] * 64 * 10)))) == 640
    assert re.search(r"\d+ lines · \d+ a second · about .* left", said[0]), said


def test_wrapping_breaks_no_path_and_hangs_under_its_text() -> None:
    path = "a/" * 60 + "file.md:3"
    assert path in terminal.fitted(f"    {path}", 40)
    wrapped = terminal.fitted("• " + "word " * 30, 40).splitlines()
    assert all(line.startswith("    ") for line in wrapped[1:]) and max(map(len, wrapped)) <= 40
