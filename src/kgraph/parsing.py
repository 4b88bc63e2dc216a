"""JSON and TOML that others wrote, read so that one kind of error says all that can be wrong with it."""

from __future__ import annotations

import json
from typing import Any

DEEPEST = 200  # levels; nobody writes more, and what follows such a value level by level runs out of stack
TOO_DEEP = "nested too deep to be read"


def json_value(text: str | bytes) -> Any:
    """What a JSON text holds. Raises ValueError for one that is broken, and for one that is nested too deep."""
    try:
        return _held(json.loads(text))
    except RecursionError:
        raise ValueError(TOO_DEEP) from None


def toml_table(text: str) -> dict[str, Any]:
    """What a TOML text holds. Raises ValueError for one that is broken, nested too deep, or that states a number too long."""
    import tomllib

    try:
        found: dict[str, Any] = _held(tomllib.loads(text))
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    return found


def _held(value: Any) -> Any:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return value
    raise ValueError(TOO_DEEP)
