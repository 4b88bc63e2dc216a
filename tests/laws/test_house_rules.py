"""The rules of ARCHITECTURE.md and CONTRIBUTING.md that a machine can hold."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*(ROOT / "src" / "kgraph").rglob("*.py"), *(ROOT / "tools").rglob("*.py")])
WORDS_FOR_ANYTHING = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "manager",
    "handler",
    "processor",
    "misc",
}


def test_no_module_is_named_after_nothing() -> None:
    named = [_name(path) for path in FILES if WORDS_FOR_ANYTHING & set(path.stem.split("_"))]
    assert named == []


def test_everything_is_caught_in_two_places_only() -> None:
    """The last line of a door, and the line of a run that keeps a fault in one document from costing the others."""
    found = [place.split(":")[0] for path in FILES for place in _catch_alls(path)]
    assert sorted(found) == ["src/kgraph/cli/door.py", "src/kgraph/extract/run.py"]


def test_no_function_hands_on_arguments_that_it_does_not_name() -> None:
    found = []
    for path in FILES:
        for function in _functions(path):
            rest = function.args.kwarg
            if rest is not None and not _wraps(function) and _hands_on(function, rest.arg):
                found.append(f"{_name(path)}:{function.lineno} {function.name}")
    assert found == []


def test_every_public_module_says_what_it_is_for() -> None:
    silent = [
        _name(path)
        for path in FILES
        if path.read_text("utf-8").strip() and not ast.get_docstring(_tree(path))
    ]
    assert silent == []


def test_only_the_index_asks_its_database() -> None:
    found = [
        _name(path)
        for path in FILES
        if "/index/" not in path.as_posix()
        and re.search(r"import sqlite3|\w\.db\b|\w\._db\b", path.read_text("utf-8"))
    ]
    assert found == []


def test_one_line_appends_to_the_log() -> None:
    found = [
        _name(path)
        for path in FILES
        if "/log/" not in path.as_posix() and "/testing/" not in path.as_posix()
        for _ in re.findall(r"\b_?log\.append\(", path.read_text("utf-8"))
    ]
    assert found == ["src/kgraph/graph/engine.py"]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [
        node
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _catch_alls(path: Path) -> Iterator[str]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {part.id for part in caught if isinstance(part, ast.Name)}
            passes_on = (
                isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
            )  # it only tidies up on the way
            if not passes_on and (node.type is None or names & {"Exception", "BaseException"}):
                yield f"{_name(path)}:{node.lineno}"


def _wraps(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it stands for another function, whose signature it has by functools.wraps."""
    return any("functools.wraps" in ast.unparse(one) for one in function.decorator_list)


def _hands_on(function: ast.FunctionDef | ast.AsyncFunctionDef, rest: str) -> bool:
    return any(
        keyword.arg is None and isinstance(keyword.value, ast.Name) and keyword.value.id == rest
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
    )
