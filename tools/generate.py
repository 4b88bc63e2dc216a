"""Write again, or with ``--check`` compare, everything in the project that is made from its code: ``python tools/generate.py [--check]``."""

from __future__ import annotations

import os
import subprocess
import sys

import archive
import manifests
import reference
import reference_agents
import reference_mcp
import selfmap

ROOT = archive.ROOT


def main(arguments: list[str]) -> int:
    check = "--check" in arguments
    status = subprocess.call(
        [sys.executable, "-m", "kgraph.ontology.generate", *arguments], cwd=ROOT
    )
    for path, text in [
        *manifests.pages(),
        *reference.pages(),
        *reference_mcp.pages(),
        *reference_agents.pages(),
        *selfmap.pages(ROOT),
    ]:
        status |= _compare(path, text) if check else _write(path, text)
    return status


def _compare(path: str, text: str) -> int:
    if _held(path) == text:
        return 0
    print(f"{path} is out of date: run python tools/generate.py", file=sys.stderr)
    return 1


def _write(path: str, text: str) -> int:
    if _held(path) != text:
        place = os.path.join(ROOT, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        print(path)
    return 0


def _held(path: str) -> str | None:
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
