"""Write, or with ``--check`` compare, everything that is made from ``ontology.toml``.

    python -m kgraph.ontology.generate [--check]

Run from a checkout. Exit status 1 with ``--check`` if something is out of date.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable

from kgraph.ontology import pages, tables

PACKAGE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(PACKAGE, "..", "..", ".."))
PAGES: tuple[tuple[str, Callable[[], str]], ...] = (
    ("docs/reference/ontology.md", pages.ontology_page),
    ("docs/reference/rules.md", pages.rules_page),
    ("plugins/karpathy-graph/references/ontology.md", pages.ontology_page),
    ("schema/payload.schema.json", pages.schema_text),
    ("schema/payload.strict.schema.json", pages.strict_schema_text),
)
TABLES = "src/kgraph/ontology/_tables.py"


def main(arguments: list[str]) -> int:
    stale = [path for path, text in generated() if _held(path) != text]
    if "--check" in arguments:
        for path in stale:
            print(f"{path} is out of date: run python -m kgraph.ontology.generate", file=sys.stderr)
        return 1 if stale else 0
    for path, text in generated():
        if path in stale:
            _write(path, text)
            print(path, flush=True)
            if (
                path == TABLES
            ):  # the pages are made from the tables as they were imported: begin again with the new ones
                os.execv(sys.executable, [sys.executable, "-m", "kgraph.ontology.generate"])
    return 0


def generated() -> list[tuple[str, str]]:
    """(path from the project's root, text) of every generated file; the tables first, since the others are made from them."""
    with open(os.path.join(PACKAGE, "ontology.toml"), "rb") as file:
        ontology = tomllib.load(file)
    return [(TABLES, tables.python_text(ontology)), *((path, make()) for path, make in PAGES)]


def _held(path: str) -> str | None:
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _write(path: str, text: str) -> None:
    place = os.path.join(ROOT, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
