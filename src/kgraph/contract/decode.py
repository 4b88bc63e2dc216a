"""Bytes → one JSON object, or everything that keeps them from being one (E101)."""

from __future__ import annotations

import gc
import json
from typing import Any

from kgraph.model import Problem
from kgraph.ontology import RULES

MAX_DEPTH = 64


def decode(data: bytes | str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The object that ``data`` (UTF-8 JSON, a byte-order mark is tolerated) holds, and the problems found in it.

    With problems the object is only the best reading, good for finding more of them and never for writing; it is None where the text
    is no JSON object at all.
    """
    text, problems = as_text(data)
    if text is None:
        return None, problems
    collecting = gc.isenabled()
    gc.disable()  # nothing in a tree of JSON is garbage, and looking for it costs more than the parsing
    try:
        value, problems = _parse(text)
    finally:
        if collecting:
            gc.enable()
    if not isinstance(value, dict):
        if not problems:
            problems = [
                Problem(
                    "E101",
                    "$",
                    f"not an object but {kind_of(value)}",
                    "a payload is one object with `nodes` and `edges`",
                )
            ]
        return None, problems
    return value, problems


def as_text(data: bytes | str) -> tuple[str | None, list[Problem]]:
    """The text without its byte-order mark, or None and the reason."""
    if isinstance(data, str):
        text = data
    else:
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError as error:
            message = f"not UTF-8: {error.reason} at byte {error.start}"
            return None, [Problem("E101", "$", message, "a payload is JSON in UTF-8")]
    return text.removeprefix("\ufeff"), []


def kind_of(value: Any) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "a number"


def _parse(text: str) -> tuple[Any, list[Problem]]:
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return _parse_carefully(text)
    if _deeper(value, MAX_DEPTH) or _lone_surrogate(text):
        return _parse_carefully(text)
    return value, []


def _parse_carefully(text: str) -> tuple[Any, list[Problem]]:
    from kgraph.contract.reader import read  # most texts are sound and never need it

    reading = read(text)
    rest = text[reading.end :].strip(" \t\n\r")[:20]
    if reading.broken:
        return None, [*reading.problems, _syntax(text, reading.end, reading.broken)]
    if rest:
        return None, [
            *reading.problems,
            _syntax(text, reading.end, f"more text after the value ({rest!r})"),
        ]
    return reading.value, reading.problems


def _syntax(text: str, offset: int, what: str) -> Problem:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return Problem(
        "E101", "$", f"not JSON: {what} at line {line} column {column}", RULES["E101"].hint
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _finite(digits: str) -> float:
    found = float(digits)
    if found - found != 0:
        raise ValueError("too large for a number")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_finite, parse_constant=_no_constant
)


def _deeper(value: Any, depth: int) -> bool:
    """Whether containers are nested more than ``depth`` deep. Level by level, since a recursion could overflow."""
    level: list[Any] = [value] if isinstance(value, (dict, list)) else []
    for _ in range(depth):
        below: list[Any] = []
        for item in level:
            for inner in item.values() if item.__class__ is dict else item:
                if inner.__class__ is dict or inner.__class__ is list:
                    below.append(inner)
        if not below:
            return False
        level = below
    return True


def _lone_surrogate(text: str) -> bool:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return True
    if "\\u" not in text or "\\ud" not in text and "\\uD" not in text:
        return False
    from kgraph.contract.reader import has_lone_escape

    return has_lone_escape(text)
