"""A line of the log: one transaction, its bytes and back.

The bytes are canonical JSON, so a line's id is the hash of the line with the ``"id":"…",`` member cut out of it. That text can't stand
anywhere else in the line, since nothing can quote a hash of itself; so a line is checked by cutting and hashing, never by writing it
again, and a changed escape or a changed space is found like any other change.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.events.canonical import TX_HEX, canonical, canonical_event, line_id
from kgraph.events.forgetting import left_holds
from kgraph.tuples import NamedTuple

VERSION = 2
_SEALED = re.compile(rb'"forgotten":"([0-9a-f]{40})",')
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
    forgotten: str = ""  # the hash of what is left of a line that texts were taken out of


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
    texts = draft.texts or [canonical_event(event) for event in draft.events]
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
    """Whether these bytes are the line of that id, or what was left of it when texts were forgotten."""
    member = b'"id":"%b",' % name.encode("utf-8", "replace")
    at = data.rfind(member)
    if at >= 0 and line_id((data[:at], data[at + len(member) :])) == name:
        return True
    sealed = _SEALED.search(data, max(0, at - TX_HEX - 20), at) if at >= 0 else None
    return sealed is not None and left_holds(data, name, sealed[1].decode())


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
        raise BadLine(
            "its line ends are CR LF; the log's are LF"
            if data.endswith(b"}\r")
            else "its id does not match its content"
        )
    understood = _understood(value)
    newer = _newer(value.get("v"), understood)
    understood = understood._replace(offsets=_offsets(value, understood.events, data))
    if newer:
        raise NewerLine(newer, understood)
    return understood


def _understood(value: dict[str, Any]) -> Transaction:
    """What can be understood; of a line of a later version nothing but its place. Raises BadLine where a member is not what it must be."""
    version, meta = value.get("v"), value.get("meta")
    later = isinstance(version, int) and version > VERSION
    after = _texts(value.get("after"))
    events = _objects(value.get("events"))
    op, run_id, agent, unit, reason, ts = (
        _text(value.get(key)) for key in ("op", "run_id", "agent", "unit", "reason", "ts")
    )
    if not later:
        if (
            version != VERSION
            or after is None
            or events is None
            or None in (op, run_id, agent, unit, reason)
            or not is_instant(ts or "")
        ):
            raise BadLine("its members are not those of a transaction")
        for at, event in enumerate(events):
            if not is_whole(event):
                raise BadLine(f"its event {at} lacks a member, or has one of another type")
    return Transaction(
        str(value["id"]),
        tuple(after or ()),
        ts or "",
        op or "",
        run_id or "",
        agent or "",
        unit or "",
        reason or "",
        meta if isinstance(meta, dict) else {},
        [] if later else events or [],
        forgotten=str(value.get("forgotten") or ""),
    )


def _newer(version: Any, understood: Transaction) -> str:
    """Why a line can only be from a later kgraph; '' when it isn't."""
    if isinstance(version, int) and version > VERSION:
        return f"it has version {version}, this kgraph reads up to {VERSION}"
    kinds = {
        str(event.get("kind"))
        for event in understood.events
        if event.get("kind") not in KINDS and event.get("optional") is not True
    }
    return f"it holds events of an unknown kind: {', '.join(sorted(kinds))}" if kinds else ""


def _text(value: Any) -> str | None:
    return "" if value is None else value if isinstance(value, str) else None


def _texts(value: Any) -> list[str] | None:
    return value if isinstance(value, list) and all(isinstance(one, str) for one in value) else None


def _objects(value: Any) -> list[Event] | None:
    return (
        value if isinstance(value, list) and all(isinstance(one, dict) for one in value) else None
    )


INSTANT = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z"
)
NEEDED = {
    "node": (("id", str), ("type", str), ("name", str)),
    "edge": (("id", str), ("predicate", str), ("source", str), ("target", str)),
    "withdraw": (("assertions", dict), ("transactions", list)),
    "split": (("old", str), ("new", str), ("assertions", dict)),
    "evidence": (("tx", str), ("pos", int), ("evidence", dict)),
    "meta": (),
}
OPTIONAL = (
    ("aliases", list), ("attrs", dict), ("confidence", int | float), ("description", str), ("evidence", dict), ("quote", str), ("rel", str),
    ("run_id", str), ("source_doc", str), ("of_kind", str), ("role", str), ("event_time", str),
)  # fmt: skip


def is_instant(text: str) -> bool:
    return INSTANT.fullmatch(text) is not None


def is_whole(event: Event) -> bool:
    """Whether an event of a known kind has what its meaning needs, so that no index stumbles over it."""
    kind = event.get("kind")
    if kind not in NEEDED:
        return True
    if not all(isinstance(event.get(key), kinds) for key, kinds in NEEDED[kind]):
        return False
    if kind in ("node", "edge"):
        return all(
            isinstance(event[key], kinds) for key, kinds in OPTIONAL if key in event
        ) and _all_texts(event.get("aliases", []))
    places = event.get("assertions", {}).values()
    return _all_texts(event.get("transactions", [])) and all(
        isinstance(some, list) and all(isinstance(at, int) for at in some) for some in places
    )


def _all_texts(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _offsets(value: dict[str, Any], events: Sequence[Event], data: bytes) -> list[tuple[int, int]]:
    """Where each event's bytes lie in the line. Raises BadLine where it is not in canonical form, since then nothing can be found in it."""
    if not events:
        return []
    try:
        before = "".join(
            f"{canonical(key)}:{canonical(value[key])}," for key in sorted(value) if key < "events"
        )
        behind = "".join(
            f",{canonical(key)}:{canonical(value[key])}" for key in sorted(value) if key > "events"
        )
        texts = [canonical(event) for event in events]
    except (ValueError, RecursionError):
        raise BadLine("it is not in canonical form") from None
    head = f'{{{before}"events":['
    if f"{head}{','.join(texts)}]{behind}}}".encode() != data:
        raise BadLine("it is not in canonical form")
    offsets = []
    at = len(head)
    for text in texts:
        offsets.append((at, len(text)))
        at += len(text) + 1
    return offsets
