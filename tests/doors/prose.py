"""Pages as transcripts: the commands in a Markdown page are run in the order in which they stand.

A fence ``sh`` is run by bash and has to succeed; ``sh exit=1`` has to end with that status; ``sh not-run`` is for what a test can't
do (make an environment, start a server). A fence ``json NAME`` or ``text NAME`` is written to the file NAME before the next
command. All other fences are only read. Each fence has a shell of its own; a function that the page defines for ``kgraph`` is
known in all that follow.
"""

from __future__ import annotations

import atexit
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ROOT / "plugins" / "karpathy-graph"
SHOWN = 1500  # characters of each output that a failure quotes
DEFINITION = re.compile(r"^(?:KG=.*\n)?kgraph\(\) \{.*\}$", re.M)
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```$", re.M | re.S
)


class Fence(NamedTuple):
    kind: str
    words: tuple[str, ...]  # what stands behind the kind
    body: str
    line: int


def fences(page: Path) -> list[Fence]:
    text = page.read_text("utf-8")
    found = []
    for match in FENCE.finditer(text):
        kind, *words = match["info"].split() or [""]
        indent = len(match["indent"])
        body = "".join(line[indent:] for line in match["body"].splitlines(keepends=True))
        found.append(Fence(kind, tuple(words), body, text.count("\n", 0, match.start()) + 1))
    return found


def run_page(page: Path, folder: Path, replacements: dict[str, str] | None = None) -> int:
    """Run the page in ``folder``. Answers how many fences were run; a failure tells the page's line, the script and what it said."""
    ran = 0
    definition = DEFINITION.search(page.read_text("utf-8"))
    prelude = definition[0] + "\n" if definition else ""
    for fence in fences(page):
        body = fence.body
        for placeholder, value in (replacements or {}).items():
            body = body.replace(placeholder, value)
        if fence.kind in ("json", "text") and fence.words:
            target = folder / fence.words[0]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(body, "utf-8")
        elif fence.kind == "sh" and "not-run" not in fence.words:
            wanted = next((int(word[5:]) for word in fence.words if word.startswith("exit=")), 0)
            done = bash(prelude + body, folder)
            said = f"{done.stdout[-SHOWN:]}\n{done.stderr[-SHOWN:]}"
            assert done.returncode == wanted, (
                f"{page}:{fence.line} gave {done.returncode}\n{body}\n{said}"
            )
            ran += 1
    return ran


def bash(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("KGRAPH", "CLAUDE_PLUGIN", "PYTHON"))
    }
    python = folder / ".bin"
    python.mkdir(exist_ok=True)
    if not (
        python / "python3"
    ).exists():  # the Python that runs the tests, whatever stands first on the path
        (python / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', "utf-8")
        (python / "python3").chmod(0o755)
    environment["XDG_CACHE_HOME"] = cache()
    environment["PATH"] = os.pathsep.join(
        [str(python), os.path.dirname(sys.executable), environment["PATH"]]
    )
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@functools.cache
def cache() -> str:
    """Where launchers unpack the engine of this run of the tests, and no other."""
    folder = tempfile.mkdtemp(prefix="kgraph-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def checkout(folder: Path) -> Path:
    """The parts of the project that its pages name, copied into ``folder`` as a fresh clone has them, with a current engine."""
    for name in ("examples", "plugins"):
        shutil.copytree(
            ROOT / name,
            folder / name,
            ignore=shutil.ignore_patterns("__pycache__", "engine.zip"),
            dirs_exist_ok=True,
        )
    build_engine(folder / "plugins" / "karpathy-graph")
    return folder


def build_engine(plugin: Path) -> Path:
    """The archive of the engine as it is now, where the launcher of the plugin in this folder looks for it."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from archive import build
    finally:
        sys.path.remove(str(ROOT / "tools"))
    target = plugin / "scripts" / "engine.zip"
    build(str(ROOT / "src"), str(target))
    return target
