"""Hooks of a git repository that bring a graph up to date after a commit and after a merge. What else a hook does stays in it."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Sequence

from kgraph.errors import NotAllowed, UsageError

HOOKS = ("post-commit", "post-merge")


def install(root: str, graph: str, paths: Sequence[str]) -> list[str]:
    """Put this graph's lines into each hook, in the place of older ones; the hooks' paths.

    Raises UsageError where there is no repository, NotAllowed for a hook that is no shell script.
    """
    command = [
        sys.executable,
        "-m",
        "kgraph",
        "--path",
        os.path.abspath(graph),
        "--quiet",
        "extract",
        "--prune",
        *paths,
    ]
    begin, end = _marks(graph)
    lines = f"{begin}\n{shlex.join(command)} > /dev/null || true\n{end}\n"
    found = []
    for path in _paths(root):
        text = _script(path)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(_without(text, graph).rstrip("\n") + "\n" + lines)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        found.append(path)
    return found


def remove(root: str, graph: str) -> list[str]:
    """Take this graph's lines out of the hooks; the paths of those that had them. A hook that has nothing else goes."""
    found = []
    for path in _paths(root):
        text = _script(path)
        rest = _without(text, graph)
        if rest == text:
            continue
        found.append(path)
        if rest.strip() in ("", "#!/bin/sh"):
            os.unlink(path)
        else:
            with open(path, "w", encoding="utf-8", newline="\n") as file:
                file.write(rest)
    return found


def _paths(root: str) -> list[str]:
    command = ["git", "-C", root, "rev-parse", "--path-format=absolute", "--git-path", "hooks"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise UsageError(
            f"git could not be asked where its hooks are: {error}", "install git"
        ) from None
    folder = done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")
    if done.returncode or not folder:
        raise UsageError(
            f"'{root}' is in no git repository",
            "make one with git init, or give the graph another source root",
        )
    os.makedirs(folder, exist_ok=True)
    return [os.path.join(folder, name) for name in HOOKS]


def _script(path: str) -> str:
    """A hook as it is, a bare script where there is none."""
    if not os.path.exists(path):
        return "#!/bin/sh\n"
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        text = file.read()
    if text.strip() and not re.match(r"#!.*\b(?:ba|da|z|k)?sh\b", text):
        raise NotAllowed(
            f"{path} is there and no shell script", "call 'kgraph extract' from it yourself"
        )
    return text


def _marks(graph: str) -> tuple[str, str]:
    name = os.path.abspath(graph)
    return f"# kgraph: keep {name} current", f"# kgraph: end of {name}"


def _without(text: str, graph: str) -> str:
    begin, end = map(re.escape, _marks(graph))
    return re.sub(rf"(?ms)^{begin}$.*?^{end}$\n?", "", text)
