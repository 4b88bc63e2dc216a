"""Canonical JSON (sorted keys, no spaces, ASCII-escaped) and the hashes that are taken of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

from kgraph.events.hashing import hex_of

_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False
).encode

TX_HEX = 40  # the first 160 bits of a SHA-256


def canonical(value: Any) -> str:
    """The one way in which a JSON value is written. Raises ValueError for NaN and infinities."""
    return _encode(value)


def canonical_event(event: Mapping[str, Any]) -> str:
    """``canonical`` of an object most of whose members are texts and numbers, which is what events are: half the time for the same text."""
    parts = []
    for key, opening in _plan(tuple(event)):
        value = event[key]
        kind = type(value)
        parts.append(opening)
        if kind is str:
            parts.append(_quoted(value))
        elif (
            kind is float and value - value == 0.0
        ):  # neither an infinity nor NaN, which are refused below
            parts.append(repr(value))
        else:
            parts.append(_encode(value))
    return "".join(parts) + "}" if parts else "{}"


@lru_cache(maxsize=512)
def _plan(keys: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The members in order, each with what stands before its value."""
    return tuple(
        (key, f"{',' if at else '{'}{_quoted(key)}:") for at, key in enumerate(sorted(keys))
    )


def digest(value: Any) -> str:
    return hex_of(_encode(value).encode())


def line_id(parts: Sequence[bytes]) -> str:
    """The id of a line, given the pieces of its bytes without the id member."""
    return hex_of(*parts)[:TX_HEX]
