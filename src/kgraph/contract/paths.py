"""JSON paths into a payload: how they are written, and their order."""

from __future__ import annotations

import re
from json.encoder import encode_basestring_ascii as _quoted

from kgraph.model import Problem

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_STEP = re.compile(r"\[([0-9]+)\]|([^.\[]+)")


def member(path: str, key: str) -> str:
    """The path of a member: ``$.nodes[3].name``, or ``$["odd key"]``."""
    return f"{path}.{key}" if _PLAIN.match(key) else f"{path}[{_quoted(key)}]"


def in_order(problems: list[Problem]) -> list[Problem]:
    """Sorted by path, list positions by their number, then by code."""
    return sorted(problems, key=_rank)


def _rank(problem: Problem) -> tuple[list[tuple[int, str]], str]:
    steps = [(int(position), "") if position else (-1, name) for position, name in _STEP.findall(problem.path)]
    return steps, problem.code
