"""Canonical JSON (sorted keys, no spaces, ASCII-escaped) and the hashes that are taken of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False, check_circular=False).encode

TX_HEX = 40  # the first 160 bits of a SHA-256


def canonical(value: Any) -> str:
    """The one way in which a JSON value is written. Raises ValueError for NaN and infinities."""
    return _encode(value)


def digest(value: Any) -> str:
    return hashlib.sha256(_encode(value).encode()).hexdigest()


def line_id(parts: Sequence[bytes]) -> str:
    """The id of a line, given the pieces of its bytes without the id member."""
    hasher = hashlib.sha256()
    for part in parts:
        hasher.update(part)
    return hasher.hexdigest()[:TX_HEX]
