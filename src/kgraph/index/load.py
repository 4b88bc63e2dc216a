"""From the lines of a log to an index: reading them, finding what is wrong with them, and putting them in their order of meaning.

The order is topological by ``after``, ties by time stamp and id. Time stamps grow along ``after``, so for lines that a kgraph wrote this
is simply the order by (ts, id), which is nearly always the order in the file: then one pass is enough.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from kgraph.events import BadLine, NewerLine, Transaction, decode, id_holds
from kgraph.events.forgetting import records_in
from kgraph.events.hashing import hex_of
from kgraph.events.legacy import is_old, upcast
from kgraph.log import Log, Raw
from kgraph.tuples import NamedTuple


class Scanned(Protocol):
    """What lines can be read from: a log, or one line of it."""

    def scan(self, position: int = 0) -> Iterator[Raw]: ...


class Damage(NamedTuple):
    """Something wrong with a line. ``code`` E209 damaged, E210 written by a later kgraph, E208 a torn end that waits for a writer."""

    position: int
    code: str
    reason: str


class Header(NamedTuple):
    """What is needed to put a line in its place."""

    id: str
    after: tuple[str, ...]
    ts: str
    position: int
    length: int


class Found(NamedTuple):
    """One line, understood: a transaction and its place, or what is wrong; both for a line of a later kgraph."""

    transaction: Transaction | None
    position: int
    length: int
    damage: Damage | None
    ended: bool = True


TORN = "E208"
_MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
CONFLICT = (
    "a conflict marker of a merge: delete the lines that begin with <<<<<<<, ||||||| , ======= and >>>>>>>, and keep all others; "
    "`log.jsonl merge=union` in .gitattributes spares it"
)


class Seals:
    """Which lines had texts taken out, and what the records in the log say of them. Lines are told in the order of the file."""

    def __init__(self) -> None:
        self._recorded: dict[
            str, set[str]
        ] = {}  # transaction: the hashes of what may be left of it
        self._left: dict[str, list[tuple[int, str]]] = {}  # its lines without texts: place, hash
        self._whole: set[str] = set()

    @property
    def any(self) -> bool:
        return bool(self._recorded)

    def add(self, transaction: Transaction, position: int) -> None:
        for one in records_in(transaction.events):
            self._recorded.setdefault(one.tx, set()).add(one.digest)
        if transaction.forgotten:
            place = (position, transaction.forgotten)
            self._left.setdefault(transaction.id, []).append(place)
        else:
            self._whole.add(transaction.id)

    def broken(self) -> Iterator[Damage]:
        """Lines that were changed under the pretence of forgetting."""
        for tx, places in self._left.items():
            for position, digest in places:
                if digest not in self._recorded.get(tx, ()):
                    reason = f"texts were taken out of transaction {tx[:12]}, and no record in the log says so"
                    yield Damage(position, "E209", reason)

    def to_forget(self) -> bool:
        """Whether a text that a record says is forgotten is still there."""
        return any(tx in self._whole for tx in self._recorded)

    def in_place_of_whole(self, headers: list[Header]) -> list[Header]:
        """Without those lines that stand beside what was left of them."""
        if not self._left:
            return headers
        left = {position for places in self._left.values() for position, _ in places}
        return [one for one in headers if one.id not in self._left or one.position in left]


def read_lines(log: Scanned, position: int = 0) -> Iterator[Found]:
    """Every line from a position on. A beginning in the 1.0.0 layout comes as one transaction."""
    lines = log.scan(position)
    if position == 0:
        old: list[Raw] = []
        for raw in lines:
            if is_old(raw.data):
                old.append(raw)
                continue
            if old:
                yield _old_lines(old)
                old = []
            yield from _one(raw)
            break
        if old:
            yield _old_lines(old)
    for raw in lines:
        yield from _one(raw)


def _old_lines(old: list[Raw]) -> Found:
    length = old[-1].position + len(old[-1].data) - old[0].position
    try:
        return Found(
            upcast([raw.data for raw in old]), old[0].position, length, None, old[-1].ended
        )
    except BadLine as error:
        return Found(
            None,
            old[0].position,
            length,
            Damage(old[0].position, "E209", f"a log of the 1.0.0 layout: {error}"),
        )


def _one(raw: Raw) -> Iterator[Found]:
    if not raw.data:
        return
    where = raw.position, len(raw.data)
    try:
        yield Found(decode(raw.data), *where, None, raw.ended)
    except NewerLine as newer:
        yield Found(newer.transaction, *where, Damage(raw.position, "E210", str(newer)), raw.ended)
    except BadLine as error:
        if not raw.ended:
            yield Found(
                None,
                *where,
                Damage(
                    raw.position, TORN, "an unfinished last line, left by a write that was cut off"
                ),
                False,
            )
        else:
            reason = CONFLICT if raw.data.startswith(_MARKERS) else str(error)
            yield Found(None, *where, Damage(raw.position, "E209", reason))


def next_instant(ts: str) -> str:
    """One microsecond later."""
    import datetime

    moment = datetime.datetime.strptime(ts, "%Y-%m-%dT%H:%M:%S.%fZ") + datetime.timedelta(
        microseconds=1
    )
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def in_order(headers: Iterable[Header]) -> list[Header]:
    """The order of meaning, the same for any order in the file. A parent that isn't there is left out of account."""
    by_id: dict[str, Header] = {}
    for header in headers:
        by_id.setdefault(header.id, header)
    waiting = {
        name: len({parent for parent in header.after if parent in by_id})
        for name, header in by_id.items()
    }
    children: dict[str, list[str]] = {}
    for header in by_id.values():
        for parent in set(header.after):
            children.setdefault(parent, []).append(header.id)
    ready = [(by_id[name].ts, name) for name, count in waiting.items() if not count]
    heapq.heapify(ready)
    order: list[Header] = []
    while ready:
        ts, name = heapq.heappop(ready)
        order.append(by_id[name])
        for child in children.get(name, ()):
            waiting[child] -= 1
            if not waiting[child]:
                heapq.heappush(ready, (max(by_id[child].ts, ts), child))
    return order


def ancestors(headers: Iterable[Header], start: Iterable[str]) -> set[str]:
    """The transactions that these ones stand on, themselves included."""
    after = {header.id: header.after for header in headers}
    waiting, seen = list(start), set()
    while waiting:
        name = waiting.pop()
        if name in after and name not in seen:
            seen.add(name)
            waiting.extend(after[name])
    return seen


def missing_parents(headers: Iterable[Header], known: Callable[[str], bool]) -> Iterator[Damage]:
    for header in headers:
        for parent in header.after:
            if not known(parent):
                yield Damage(
                    header.position,
                    "E209",
                    f"transaction {header.id[:12]} follows {parent[:12]}, which is not in the log",
                )


def line_holds(log: Log, header: Header) -> bool:
    """Whether the bytes at a place are still the line of that id, with a line end behind it or nothing."""
    data = log.read(header.position, 0, header.length + 1)
    line, end = data[: header.length], data[header.length :]
    if end not in (b"", b"\n"):
        return False
    if header.id.startswith("v1:"):
        line += b"\n"
        return header.id == f"v1:{hex_of(line)}"
    return id_holds(line, header.id)
