"""JSON paths into a payload: how they are written, and their order."""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as _quoted

from kgraph.model import Problem


def member(path: str, key: str) -> str:
    """The path of a member: ``$.nodes[3].name``, or ``$["odd key"]``."""
    return f"{path}.{key}" if key.isidentifier() and key.isascii() else f"{path}[{_quoted(key)}]"


def in_order(problems: list[Problem]) -> list[Problem]:
    """Sorted by path, list positions by their number, then by code."""
    return sorted(problems, key=_rank) if len(problems) > 1 else problems


def _rank(problem: Problem) -> tuple[list[tuple[int, str]], str]:
    steps = problem.path.replace("[", ".").replace("]", "").split(".")
    return [
        (int(step), "") if step.isascii() and step.isdigit() and len(step) < 10 else (-1, step)
        for step in steps
    ], problem.code
