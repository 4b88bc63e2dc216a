"""The 1.0.0 layout: one event a line, without ids or links. Such a beginning of a log is read as one transaction.

Its id is ``v1:`` and the SHA-256 of its bytes, so that the first new line is linked to the old ones as they were.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from kgraph.events.hashing import hex_of
from kgraph.events.line import BadLine, Event, Transaction, is_whole

OLD_KINDS = ("upsert_node", "add_edge", "retract_edge", "retract_node")
OWN_FIELDS = ("inference", "uri", "sha256", "version", "rubric", "result")
NEWLINE = b"\n"
EPOCH = "1970-01-01T00:00:00.000000Z"


def is_old(data: bytes) -> bool:
    """Whether a line has the 1.0.0 shape."""
    if b'"event"' not in data:
        return False
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("event") in OLD_KINDS


def upcast(lines: Sequence[bytes]) -> Transaction:
    """One transaction that means what these lines meant. ``lines`` are without line ends. Raises BadLine with the line's number."""
    name = f"v1:{hex_of(*(line + NEWLINE for line in lines))}"
    events: list[Event] = []
    places: dict[tuple[str, str], list[int]] = {}
    offsets: list[tuple[int, int]] = []
    latest, at = "", 0
    for number, data in enumerate(lines, 1):
        offsets.append((at, len(data)))
        at += len(data) + 1
        value = json.loads(data)
        latest = max(latest, str(value.get("ts") or ""))
        event = _event(value, number)
        if event is None:
            what = "node" if value["event"] == "retract_node" else "edge"
            body = value.get(what)
            target = (
                value.get("id")
                or value.get(f"{what}_id")
                or (body.get("id") if isinstance(body, dict) else "")
            )
            taken = places.pop((what, str(target)), [])
            event = {"kind": "withdraw", "assertions": {name: taken}, "transactions": []}
        else:
            places.setdefault((event["kind"], event["id"]), []).append(len(events))
        events.append(event)
    return Transaction(
        name, (), instant(latest), "import", "", "", "", "", {"layout": "1.0.0"}, events, 1, offsets
    )


def event_of(data: bytes) -> Event:
    """The assertion on one line of the 1.0.0 layout."""
    event = _event(json.loads(data), 1)
    if event is None:
        raise BadLine("it asserts nothing")
    return event


def instant(text: str) -> str:
    """An old time stamp in today's form, so that later lines come after it."""
    import datetime

    try:
        moment = datetime.datetime.fromisoformat(text)
    except ValueError:
        return EPOCH
    moment = moment.replace(tzinfo=moment.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _event(value: dict[str, Any], number: int) -> Event | None:
    if value["event"] in ("retract_edge", "retract_node"):
        return None
    what = "node" if value["event"] == "upsert_node" else "edge"
    body = value.get(what)
    if not isinstance(body, dict):
        raise BadLine(f"line {number} holds no {what}")
    run = str(body.get("run_id") or value.get("run_id") or "")
    event: Event = {"kind": what}
    for key, given in body.items():
        if given in (None, "", [], {}) or key == "run_id":
            continue
        event[key] = given
    given = event.pop("attrs", {})
    attrs = dict(given) if isinstance(given, dict) else {"attrs": given}
    if what == "node":
        for key in OWN_FIELDS:
            if key in attrs:
                event[key] = attrs.pop(key)
    else:
        event.pop("kind", None)
        event["kind"] = "edge"
    for key in ("created_at", "updated_at", "source_docs"):
        if key in event:
            attrs[key] = event.pop(key)
    if attrs:
        event["attrs"] = attrs
    if run:
        event["run_id"] = run
    needed = ("id", "type", "name") if what == "node" else ("id", "predicate", "source", "target")
    missing = [key for key in needed if not isinstance(event.get(key), str)]
    if missing:
        raise BadLine(f"line {number}: its {what} has no {missing[0]}")
    if not is_whole(event):
        raise BadLine(f"line {number}: its {what} has a member of another type")
    return event
