"""Texts taken out of a line for good, so that what is left can still be checked.

A line that texts were taken out of keeps its ``id``, which lines behind it name, and gets a member ``forgotten``: the hash of what is left.
A line of its own in the log, with an event ``meta`` / ``forgotten``, says which texts went from which line, when and why, and what that
hash is; without it such a line is damage. In each text's place stands a hash of it with a salt that nobody keeps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kgraph.events.canonical import canonical, line_id
from kgraph.tuples import NamedTuple

WHAT = "forgotten"  # the record's ``what``
SIGN = "[forgotten "

Step = str | int


class Taken(NamedTuple):
    """One text of a line: where it stood (members and places in lists), and what stands there now."""

    path: tuple[Step, ...]
    instead: str


class Forgotten(NamedTuple):
    """What a record says of one line. ``digest`` is the hash of what is left."""

    tx: str
    digest: str
    taken: tuple[Taken, ...]


def is_forgotten(text: str) -> bool:
    """Whether this stands for a text that was forgotten."""
    return text.startswith(SIGN)


def stand_in(text: str, salt: bytes) -> str:
    """What stands for a text that was forgotten."""
    digest = hashlib.sha256(salt + text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{SIGN}{digest[:20]}]"


def without(data: bytes, taken: Sequence[Taken]) -> tuple[bytes, str]:
    """The line without these texts, and the hash of what is left. A place that isn't there any more is passed over."""
    value = json.loads(data)
    for path, instead in taken:
        _put(value, path, instead)
    return _sealed(value)


def _sealed(value: dict[str, Any]) -> tuple[bytes, str]:
    name = value.pop("id")
    value.pop("forgotten", None)
    digest = line_id((canonical(value).encode(),))
    return canonical({**value, "forgotten": digest, "id": name}).encode(), digest


def _put(value: Any, path: Sequence[Step], instead: str) -> None:
    for step in path[:-1]:
        value = _at(value, step)
    last = path[-1]
    if isinstance(_at(value, last), str):
        value[last] = instead
    elif isinstance(_at(value, last), dict):
        value[last] = {"forgotten": instead}


def _at(value: Any, step: Step) -> Any:
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return value[step]
    return None


def left_holds(data: bytes, name: str, digest: str) -> bool:
    """Whether these bytes are what was left of the line of that id when ``digest`` was made."""
    members = b'"forgotten":"%b","id":"%b",' % (digest.encode(), name.encode("utf-8", "replace"))
    at = data.rfind(members)
    return at >= 0 and line_id((data[:at], data[at + len(members) :])) == digest


def record(lines: Sequence[Forgotten], reason: str) -> dict[str, Any]:
    """The event that says what was forgotten."""
    held = {
        line.tx: {
            "digest": line.digest,
            "taken": [[*taken.path, taken.instead] for taken in line.taken],
        }
        for line in lines
    }
    return {"kind": "meta", "what": WHAT, "key": "", "lines": held, "reason": reason}


def records_in(events: Sequence[Mapping[str, Any]]) -> Iterator[Forgotten]:
    """What the records among these events say; nothing of one that isn't whole."""
    for event in events:
        if event.get("kind") != "meta" or event.get("what") != WHAT:
            continue
        lines = event.get("lines")
        if not isinstance(lines, dict):
            continue
        for tx, told in lines.items():
            taken = told.get("taken") if isinstance(told, dict) else None
            if isinstance(taken, list) and isinstance(told.get("digest"), str):
                yield Forgotten(
                    tx,
                    told["digest"],
                    tuple(
                        Taken(tuple(one[:-1]), one[-1])
                        for one in taken
                        if isinstance(one, list) and len(one) > 1 and isinstance(one[-1], str)
                    ),
                )
