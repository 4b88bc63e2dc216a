"""What lists, tuples, dictionaries and generators hold: under each known key, under any key, and in the order in which it was written."""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.code.python.expressions import Flow
from kgraph.code.python.names import NONE, Names, Values, unique
from kgraph.code.python.scopes import Scope, Value

_NOWHERE = [0, 0, 0, 0]
_MOST_PARTS = 64  # of one container that are told apart by their index


class Containers(Names):
    """A container is a slot: ("el", slot) is all that it holds, ("key", slot, key) what stands under a key, ("dyn", slot) what may stand
    under any, ("keys", slot) its keys, ("size", slot) how many it has in order."""

    def elements(
        self, containers: Values, place: list[int], scope: Scope, mark: str = ""
    ) -> Values:
        """What iterating gives; an instance is asked with ``__iter__`` and ``__next__``. ``mark`` is 'a' for async iteration."""
        found: Values = []
        containers = [value for value in containers if value != NONE]
        for value in containers:
            if value[0] == "l":
                found += self.store.get(("keys" if value[2] == "d" else "el", value[1]))
        instances = [value for value in containers if value[0] == "i"]
        if instances:
            iterators = self.calls.method(containers, f"__{mark}iter__", [], place, scope)
            found += [
                item
                for value in iterators
                if value[0] == "l"
                for item in self.store.get(("el", value[1]))
            ]
            found += self.calls.method(
                [value for value in iterators if value[0] == "i"],
                f"__{mark}next__",
                [],
                place,
                scope,
            )
            if not iterators:
                found += self.calls.method(instances, "__getitem__", [], place, scope)
            found += [held for value in instances for held in self._fields(value)]
        found += [
            ("i", value[1], "made")
            for value in containers
            if value[0] == "c" and self.is_enum(value[1])
        ]
        return unique(found)

    def _fields(self, value: Value) -> Values:
        """The parts of a named tuple."""
        cls = value[1]
        if not cls.fields or not self.is_below(cls, "typing.NamedTuple"):
            return []
        return [held for field in cls.fields for held in self.store.get(("attr", id(cls), field))]

    def make(self, slot: object, values: Iterable[Values], kind: str = "l") -> Value:
        count = 0
        for index, held in enumerate(values):
            count = index + 1
            self.store.put(("el", slot), held)
            if index < _MOST_PARTS:
                self.store.put(("key", slot, index), held)
            if not held:
                self.store.doubt(("el", slot))
        self.store.put(("size", slot), [("k", count)])
        return ("l", slot, kind)

    def size(self, slot: object) -> int | None:
        """How many parts a container has, if that is certain."""
        sizes = self.store.get(("size", slot))
        return int(sizes[0][1]) if len(sizes) == 1 and 0 <= sizes[0][1] <= _MOST_PARTS else None

    def parts(self, value: Value) -> list[Values] | None:
        """The parts in order, if they can be told apart."""
        if value[0] == "i":
            fields = value[1].fields if self._fields(value) else []
            return [self.store.get(("attr", id(value[1]), field)) for field in fields] or None
        size = self.size(value[1]) if value[0] == "l" else None
        return (
            None
            if size is None
            else [self.store.get(("key", value[1], index)) for index in range(size)]
        )

    def fill(self, slot: object, held: Values) -> None:
        """Something that may stand under any key."""
        self.store.put(("el", slot), held)
        self.store.put(("dyn", slot), held)
        self.store.put(("size", slot), [("k", -1)])
        if not held:
            self.store.doubt(("dyn", slot))

    def pour(self, slot: object, containers: Values) -> None:
        """All that other containers hold, under their keys where these are words, else under any."""
        for value in containers:
            if value[0] == "l":
                held = self.store.get(("keys", value[1])) if value[2] == "d" else []
                keys = [key for key in held if key[0] == "k" and key[1] is not None]
                for key in keys:
                    self.hold(slot, [key], self.store.get(("key", value[1], key[1])))
                if not keys or self.store.get(("dyn", value[1])):
                    self.store.put(("keys", slot), held)
                    self.fill(slot, self.store.get(("el", value[1])))
            else:
                self.fill(slot, [])
        if not containers:
            self.fill(slot, [])

    def hold(self, slot: object, keys: Values, held: Values) -> None:
        self.store.put(("el", slot), held)
        self.store.put(("keys", slot), keys)
        constants = [key[1] for key in keys if key[0] == "k"]
        for constant in constants:
            self.store.put(("key", slot, constant), held)
        if not constants:
            self.fill(slot, held)

    def at(self, value: Value, keys: Values, scope: Scope) -> Values:
        """What stands under one of some keys."""
        slot = value[1]
        constants = [key[1] for key in keys if key[0] == "k"]
        if (
            not constants
        ):  # any one of them: certain only if there is one, or if no other run can ask for another
            held = self.store.get(("el", slot))
            return held if len(held) == 1 or self.calls.is_live(scope) else []
        found: Values = []
        for constant in constants:
            size = self.size(slot) if isinstance(constant, int) and constant < 0 else None
            here = self.store.get(("key", slot, constant if size is None else constant + size))
            anywhere = self.store.get(("dyn", slot))
            certain = here and (
                value[2] == "l" or not anywhere
            )  # what is added to a list comes behind what it had
            found += here if certain else [*here, *anywhere]
        found = unique(found)
        return found if len(constants) == 1 or len(found) == 1 or self.calls.is_live(scope) else []

    def cut(self, value: Value, expression: Flow) -> Value:
        """A slice; the same container where it can't be told what is in it."""
        parts = self.parts(value) if value[0] == "l" and expression[2] else None
        if parts is None or not expression[2]:
            return value
        return self.make(
            ("slice", id(expression), value[1]), parts[slice(*expression[2])], value[2]
        )

    # -- literals ------------------------------------------------------------------------------------------------------------------

    def value(self, expression: Flow, scope: Scope) -> Values:
        raise NotImplementedError

    def _list(self, expression: Flow, scope: Scope) -> Values:
        slot = id(expression)
        held: list[Values] | None = []
        for item in expression[1]:
            if item[0] != "*":
                value = self.value(item, scope)
                if held is not None:
                    held.append(value)
                else:
                    self.fill(slot, value)
                continue
            inner = self.value(item[1], scope)
            parts = self.parts(inner[0]) if len(inner) == 1 else None
            if parts is not None and held is not None:
                held += parts
                continue
            for value in held or ():
                self.fill(slot, value)
            held = None
            self.fill(slot, self.elements(inner, _NOWHERE, scope))
        return [("l", slot, "l") if held is None else self.make(slot, held)]

    def _dict(self, expression: Flow, scope: Scope) -> Values:
        slot = id(expression)
        for key, value in expression[1]:
            held = self.value(value, scope)
            if key[0] == "*":
                self.pour(slot, held)
            else:
                self.hold(slot, self.value(key, scope), held)
        return [("l", slot, "d")]

    def _subscript(self, expression: Flow, scope: Scope) -> Values:
        _, owner, key, place = expression
        owners, keys = self.value(owner, scope), self.value(key, scope)
        found: Values = []
        for value in owners:
            if value[0] == "c":
                hit = self.store.find(value[1], "__class_getitem__")
                bound = [("b", item[1], value) for item in hit[1] if item[0] == "f"] if hit else []
                found += self.calls.call([*bound], [keys], [], place, scope) or [value]
            elif value[0] == "l":
                found += (
                    [self.cut(value, key)] if key[0] == "slice" else self.at(value, keys, scope)
                )
            elif value[0] == "i":
                parts = self.parts(value)
                indices = (
                    [item[1] for item in keys if item[0] == "k" and isinstance(item[1], int)]
                    if parts
                    else []
                )
                found += [
                    held
                    for index in indices
                    if parts and -len(parts) <= index < len(parts)
                    for held in parts[index]
                ]
        where = self.calls.where(owner, place, scope)
        rest = [value for value in owners if value[0] != "c" and value != NONE]
        return unique(found + self.calls.method(rest, "__getitem__", [keys], where, scope))

    # -- unpacking -----------------------------------------------------------------------------------------------------------------

    def unpack(self, target: Flow, values: Values, scope: Scope) -> list[Values]:
        """What each of the targets gets; a starred one gets a list."""
        targets, place = target[1], target[2]
        starred = next((index for index, inner in enumerate(targets) if inner[0] == "*"), None)
        found: list[Values] = [[] for _ in targets]
        unsure = []
        for value in values:
            parts = self.parts(value)
            if parts is None or (
                len(parts) < len(targets) - 1 if starred is not None else len(parts) != len(targets)
            ):
                unsure.append(value)
                continue
            if starred is not None:
                after = len(targets) - starred - 1
                middle = self.make(
                    ("star", id(targets), value[1]), parts[starred : len(parts) - after]
                )
                parts = [*parts[:starred], [middle], *parts[len(parts) - after :]]
            for index, part in enumerate(parts):
                found[index] += part
        if unsure:
            keyed = [value for value in unsure if value[0] == "l" and value[2] == "l"]
            held = self.elements([value for value in unsure if value[0] in "li"], place, scope)
            for index in range(len(targets)):
                if index == starred:
                    slot = ("star", id(targets), "")
                    self.fill(slot, held)
                    found[index].append(("l", slot, "l"))
                    continue
                known = keyed if starred is None or index < starred else []
                found[index] += [
                    item for value in known for item in self.at(value, [("k", index)], scope)
                ] or held
        return [unique(part) for part in found]
