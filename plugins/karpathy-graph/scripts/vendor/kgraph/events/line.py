"""A line of the log: one transaction, its bytes and back.

The bytes are canonical JSON, so a line's id is the hash of the line with the ``"id":"…",`` member cut out of it. That text can't stand
anywhere else in the line, since nothing can quote a hash of itself; so a line is checked by cutting and hashing, never by writing it
again, and a changed escape or a changed space is found like any other change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kgraph.events.canonical import TX_HEX, canonical, line_id

VERSION = 2
KINDS = ("node", "edge", "withdraw", "split", "evidence", "meta")

Event = dict[str, Any]


class Transaction(NamedTuple):
    """What becomes true together. ``ts`` is an instant in UTC with microseconds: ``2026-03-11T09:14:00.000000Z``."""

    id: str
    after: tuple[str, ...]
    ts: str
    op: str
    run_id: str
    agent: str
    unit: str
    reason: str
    meta: Mapping[str, Any]
    events: Sequence[Event]
    version: int = VERSION
    offsets: Sequence[tuple[int, int]] = ()  # of each event in the line: first byte, length


class Draft(NamedTuple):
    """A transaction that has not been given its place in the log yet."""

    op: str
    events: Sequence[Event]
    run_id: str = ""
    agent: str = ""
    unit: str = ""
    reason: str = ""
    meta: Mapping[str, Any] = {}
    texts: Sequence[str] = ()  # the events' canonical forms, where they were made already


class BadLine(ValueError):
    """Bytes that are no whole line, and why."""


class NewerLine(ValueError):
    """A whole line that a later kgraph wrote. ``transaction`` is what of it can be understood."""

    def __init__(self, reason: str, transaction: Transaction) -> None:
        super().__init__(reason)
        self.transaction = transaction


def encode(draft: Draft, after: Sequence[str], ts: str) -> tuple[Transaction, bytes]:
    """The transaction and its line, without a line end."""
    head = f'{{"after":{canonical(sorted(after))},"agent":{canonical(draft.agent)},"events":['
    texts = draft.texts or [canonical(event) for event in draft.events]
    offsets: list[tuple[int, int]] = []
    at = len(head)
    for text in texts:
        offsets.append((at, len(text)))
        at += len(text) + 1
    rest = (
        f'"meta":{canonical(draft.meta)},"op":{canonical(draft.op)},"reason":{canonical(draft.reason)},'
        f'"run_id":{canonical(draft.run_id)},"ts":{canonical(ts)},"unit":{canonical(draft.unit)},"v":{VERSION}}}'
    )
    before = f"{head}{','.join(texts)}],".encode()
    behind = rest.encode()
    name = line_id((before, behind))
    transaction = Transaction(
        name, tuple(sorted(after)), ts, draft.op, draft.run_id, draft.agent, draft.unit, draft.reason, draft.meta, draft.events,
        VERSION, offsets,
    )  # fmt: skip
    return transaction, b'%b"id":"%b",%b' % (before, name.encode(), behind)


def id_holds(data: bytes, name: str) -> bool:
    """Whether these bytes are the line of that id."""
    member = b'"id":"%b",' % name.encode("utf-8", "replace")
    at = data.rfind(member)
    return at >= 0 and line_id((data[:at], data[at + len(member) :])) == name


def decode(data: bytes) -> Transaction:
    """The transaction of a line. Raises BadLine for anything that is not a whole line, NewerLine for one that says more than we know."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadLine(f"it is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise BadLine("it is not an object")
    name = value.get("id")
    if not isinstance(name, str) or len(name) != TX_HEX or not id_holds(data, name):
        raise BadLine("its id does not match its content")
    return _understand(value)


def _understand(value: dict[str, Any]) -> Transaction:
    version, meta = value.get("v"), value.get("meta")
    newer = isinstance(version, int) and version > VERSION
    after = _texts(value.get("after"))
    events = _objects(value.get("events"))
    op, run_id, agent, unit, reason, ts = (_text(value.get(key)) for key in ("op", "run_id", "agent", "unit", "reason", "ts"))
    if not newer and (after is None or events is None or None in (op, run_id, agent, unit, reason, ts)):
        raise BadLine("its members are not those of a transaction")
    known = Transaction(
        str(value["id"]),
        tuple(after or ()),
        ts or "",
        op or "",
        run_id or "",
        agent or "",
        unit or "",
        reason or "",
        meta if isinstance(meta, dict) else {},
        [] if newer else events or [],
    )
    if newer:
        raise NewerLine(f"it has version {version}, this kgraph reads up to {VERSION}", known)
    unknown = sorted({str(event.get("kind")) for event in known.events if event.get("kind") not in KINDS and event.get("optional") is not True})
    if unknown:
        raise NewerLine(f"it holds events of an unknown kind: {', '.join(unknown)}", known)
    return known


def _text(value: Any) -> str | None:
    return "" if value is None else value if isinstance(value, str) else None


def _texts(value: Any) -> list[str] | None:
    return value if isinstance(value, list) and all(isinstance(one, str) for one in value) else None


def _objects(value: Any) -> list[Event] | None:
    return value if isinstance(value, list) and all(isinstance(one, dict) for one in value) else None


def event_offsets(transaction: Transaction) -> Sequence[tuple[int, int]]:
    """Where each event's bytes lie in the line: known from writing, or worked out from the canonical form."""
    if transaction.offsets or not transaction.events:
        return transaction.offsets
    at = len(f'{{"after":{canonical(list(transaction.after))},"agent":{canonical(transaction.agent)},"events":[')
    offsets = []
    for event in transaction.events:
        length = len(canonical(event))
        offsets.append((at, length))
        at += length + 1
    return offsets
