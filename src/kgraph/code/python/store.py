"""What each variable may hold, who has read it, and the order of base classes. Values only ever grow, so working it out ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from kgraph.code.python.scopes import Class, Scope, Value

_MOST_VALUES = 24  # beyond that a variable is a crossroads of the whole program, and what it holds says nothing certain
_MOST_TURNS = (
    60  # for one scope: a guard against growth without end, far above what real code needs
)
_HARMLESS = (
    "typing.",
    "typing_extensions.",
    "abc.",
    "enum.",
    "builtins.object",
    "collections.abc.",
)

Key = tuple[Any, ...]


class Store:
    """``late`` is set once what runs when the modules are loaded is worked out: what is put from then on comes from code that somebody
    outside may or may not call. ``tired`` are scopes that were given up before nothing new came out of them."""

    def __init__(self) -> None:
        self._values: dict[Key, dict[Value, None]] = {}
        self._readers: dict[Key, dict[str, Scope]] = {}
        self._queue: deque[Scope] = deque()
        self._queued: set[str] = set()
        self._turns: dict[str, int] = {}
        self._below: dict[int, dict[int, Class]] = {}
        self._orders: dict[int, list[Class | None]] = {}
        self._homes: dict[tuple[int, str, int], Class | None] = {}
        self.current: Scope | None = None
        self.late = False
        self.lates: set[Key] = set()
        self.tired: set[str] = set()
        self._doubts: set[Key] = set()
        self._doubting = False

    # -- turns ---------------------------------------------------------------------------------------------------------------------

    def push(self, scope: Scope) -> None:
        if scope.key in self._queued:
            return
        if self._turns.get(scope.key, 0) >= _MOST_TURNS:
            self.tired.add(scope.key)
            return
        self._queued.add(scope.key)
        self._queue.append(scope)

    def pop(self) -> Scope | None:
        if not self._queue:
            return None
        scope = self._queue.popleft()
        self._queued.discard(scope.key)
        self._turns[scope.key] = self._turns.get(scope.key, 0) + 1
        self.current = scope
        return scope

    # -- variables -----------------------------------------------------------------------------------------------------------------

    def get(self, key: Key) -> list[Value]:
        self._read(key)
        known = self._values.get(key)
        return list(known) if known is not None and len(known) < _MOST_VALUES else []

    def _read(self, key: Key) -> None:
        if self.current is not None:
            readers = self._readers.get(key)
            if readers is None:
                readers = self._readers[key] = {}
            readers[self.current.key] = self.current

    def holds(self, key: Key, value: Value) -> bool:
        return value in self._values.get(key, ())

    def is_full(self, key: Key) -> bool:
        return len(self._values.get(key, ())) >= _MOST_VALUES

    def put(self, key: Key, values: Sequence[Value]) -> None:
        if not values:
            return
        known = self._values.get(key)
        if known is None:
            known = self._values[key] = {}
        before = len(known)
        for value in values:
            if len(known) < _MOST_VALUES:
                known[value] = None
        if len(known) != before:
            if self.late:
                self.lates.add(key)
            if key[0] == "base":
                self._orders.clear()
                self._homes.clear()
                for reader in self._readers.get(("order",), {}).values():
                    self.push(reader)
            for reader in self._readers.get(key, {}).values():
                self.push(reader)

    def begin_doubting(self) -> None:
        self._doubting = True
        self._turns.clear()

    def doubt(self, key: Key) -> None:
        """Something that isn't known was put there as well."""
        if self._doubting and key not in self._doubts:
            self._doubts.add(key)
            for reader in self._readers.get(key, {}).values():
                self.push(reader)

    def is_doubted(self, key: Key) -> bool:
        self._read(key)
        return key in self._doubts

    # -- classes -------------------------------------------------------------------------------------------------------------------

    def add_below(self, cls: Class, bases: Iterable[Class]) -> None:
        for base in bases:
            self._below.setdefault(id(base), {})[id(cls)] = cls

    def below(self, cls: Class) -> list[Class]:
        """The subclasses of a class, direct and other."""
        found: dict[int, Class] = {}
        waiting = [cls]
        while waiting:
            for key, inner in self._below.get(id(waiting.pop()), {}).items():
                if key not in found and inner is not cls:
                    found[key] = inner
                    waiting.append(inner)
        return list(found.values())

    def bases(self, cls: Class) -> list[Class | None]:
        """The bases of a class; None for one that could override anything because it isn't part of the sources."""
        found: list[Class | None] = []
        for place in range(len(cls.record["bases"])):
            values = self.get(("base", id(cls), place))
            classes = [value[1] for value in values if value[0] == "c"]
            if len(classes) == 1:
                found.append(classes[0])
            elif not any(
                value[0] == "x" and str(value[1]).startswith(_HARMLESS) for value in values
            ):
                found.append(None)
        return found

    def order(self, cls: Class) -> list[Class | None]:
        """The method resolution order (C3), with None where an unknown class stands; depth first where C3 has no answer."""
        if self.current is not None:
            self._readers.setdefault(("order",), {})[self.current.key] = self.current
        found = self._orders.get(id(cls))
        if found is None:
            found = self._orders[id(cls)] = self._order(cls, ())
        return found

    def _order(self, cls: Class, above: tuple[int, ...]) -> list[Class | None]:
        if id(cls) in above:
            return []
        bases = self.bases(cls)
        rows: list[list[Class | None]] = [
            self._order(base, (*above, id(cls))) if base else [None] for base in bases
        ]
        merged = _merge([*rows, list(bases)])
        return [cls, *merged]

    def find(
        self, cls: Class, name: str, after: Class | None = None
    ) -> tuple[Class, list[Value]] | None:
        """The class in whose body a name is found first, and what it is there; None if nothing certain can be said."""
        key = (id(cls), name, id(after) if after else 0)
        order = self.order(cls)
        if key not in self._homes:
            self._homes[key] = _home(order, name, after)
        home = self._homes[key]
        return (home, self.get((home.scope.key, name))) if home else None


def _home(order: list[Class | None], name: str, after: Class | None) -> Class | None:
    started = after is None
    for candidate in order:
        if not started:
            started = candidate is after
        elif candidate is None:
            return None
        elif name in candidate.scope.names:
            return candidate
    return None


def _merge(rows: list[list[Class | None]]) -> list[Class | None]:
    found: list[Class | None] = []
    rows = [row for row in rows if row]
    while rows:
        for row in rows:
            head = row[0]
            if head is None or not any(head in other[1:] for other in rows):
                break
        else:
            head = rows[0][0]
        found.append(head)
        rows = [
            rest
            for row in rows
            if (
                rest := [item for item in row if item is not head]
                if head is not None
                else row[row[0] is None :]
            )
        ]
    return found
