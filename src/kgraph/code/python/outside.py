"""What is known of calls to builtins, to the standard library and to methods of containers: what they call, and what they give back."""

from __future__ import annotations

from typing import Protocol

from kgraph.code.python.evaluate import Evaluator
from kgraph.code.python.names import NONE, Values, unique
from kgraph.code.python.scopes import Scope, Value

Words = list[tuple[str, Values]]

_CALLS_FIRST = {
    "builtins.map", "builtins.filter", "functools.reduce", "itertools.starmap", "itertools.takewhile", "itertools.dropwhile",
}  # fmt: skip
_CALLS_KEY = {
    "builtins.sorted",
    "builtins.min",
    "builtins.max",
    "itertools.groupby",
    "heapq.nlargest",
    "heapq.nsmallest",
}
_SAME_ELEMENTS = {
    "builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.iter", "builtins.reversed", "builtins.sorted",
    "builtins.filter", "collections.deque", "itertools.chain", "itertools.islice", "itertools.cycle", "itertools.chain.from_iterable",
    "itertools.takewhile", "itertools.dropwhile",
}  # fmt: skip
_SAME_ORDER = {"builtins.list", "builtins.tuple", "builtins.iter", "collections.deque"}
_ONE_OF = {"builtins.next", "builtins.max", "builtins.min", "random.choice"}
_HANDS_BACK = {
    "functools.update_wrapper", "builtins.staticmethod", "copy.copy", "copy.deepcopy", "functools.cmp_to_key", "asyncio.run",
    "asyncio.create_task", "asyncio.ensure_future", "weakref.proxy", "functools.singledispatch", "functools.total_ordering",
}  # fmt: skip
_WRAPS = {"functools.lru_cache", "functools.cache", "functools.wraps"}
_FIELDS = {"dataclasses.field", "attr.ib", "attr.field", "attrs.field", "pydantic.Field"}
_MAPPINGS = {"builtins.dict", "collections.OrderedDict"}
_VARIABLES = {"typing.TypeVar", "typing_extensions.TypeVar"}
_STACKS = {"contextlib.ExitStack", "contextlib.AsyncExitStack"}
_SPECIAL = {
    f"builtins.{name}": f"__{method or name}__"
    for name, method in (
        *(
            (name, "")
            for name in (
                "len",
                "iter",
                "next",
                "hash",
                "int",
                "float",
                "abs",
                "reversed",
                "bytes",
                "round",
                "complex",
                "index",
            )
        ),
        *(
            (name, "iter")
            for name in (
                "list",
                "tuple",
                "set",
                "sorted",
                "sum",
                "any",
                "all",
                "enumerate",
                "frozenset",
            )
        ),
    )
}
_ASKS_LENGTH = {"builtins.list", "builtins.tuple", "builtins.sorted"}  # how much room to make
_TEXT = {
    "builtins.str": "__str__",
    "builtins.repr": "__repr__",
    "builtins.format": "__format__",
    "builtins.print": "__str__",
}
_ADDS = {"append", "add", "appendleft", "insert", "put", "push", "put_nowait"}
_TAKES = {"pop", "popleft", "get", "get_nowait", "popitem"}
_MOVES = {
    "insert",
    "appendleft",
    "reverse",
    "sort",
    "extendleft",
    "rotate",
}  # an index means something else afterwards


class Calls(Protocol):
    def call(
        self, callee: Values, positional: list[Values], named: Words, place: list[int], scope: Scope
    ) -> Values: ...

    def method(
        self, receivers: Values, name: str, arguments: list[Values], place: list[int], scope: Scope
    ) -> Values: ...


class Outside:
    def __init__(self, evaluator: Evaluator, calls: Calls) -> None:
        self._eval, self._store, self._calls = evaluator, evaluator.store, calls

    # -- containers ----------------------------------------------------------------------------------------------------------------

    def container(
        self, value: Value, positional: list[Values], named: Words, place: list[int], scope: Scope
    ) -> Values:
        _, slot, name = value
        first = positional[0] if positional else []
        if name in _MOVES:
            self._eval.fill(slot, self._store.get(("el", slot)))
        if name == "sort":
            for _, key in named[:1]:
                self._calls.call(key, [self._store.get(("el", slot))], [], place, scope)
        elif name in _ADDS:
            self._eval.fill(slot, positional[-1] if positional else [])
        elif name in ("extend", "extendleft", "update"):
            for asked in ("__iter__", "__len__") if name == "extend" else ():
                self._calls.method(first, asked, [], place, scope)
            self._eval.pour(slot, first) if positional else None
            for word, values in named:
                self._eval.hold(slot, [("k", word)], values)
        elif name == "send":
            self._store.put(("sent", slot), first)
        elif name == "setdefault" and positional:
            self._eval.hold(slot, first, positional[-1] if len(positional) > 1 else [NONE])
        return self._out_of(slot, name, positional, scope)

    def _out_of(self, slot: object, name: str, positional: list[Values], scope: Scope) -> Values:
        if name in ("get", "pop", "setdefault") and positional:
            found = self._eval.at(("l", slot, "d"), positional[0], scope)
            known = any(
                key[0] == "k" and self._store.get(("key", slot, key[1])) for key in positional[0]
            )
            return [*found, *(positional[1] if len(positional) > 1 and not known else [])]
        if name in _TAKES or name == "send" or name == "__next__":
            return self._store.get(("el", slot))
        if name == "values":
            self._store.put(("el", ("values", slot)), self._store.get(("el", slot)))
            return [("l", ("values", slot), "l")]
        if name == "copy":
            return [("l", slot, "d" if self._store.get(("keys", slot)) else "l")]
        if name == "items":
            keys = self._store.get(("keys", slot))
            pairs = (
                [self._pair(slot, key, keys) for key in keys if key[0] == "k"]
                if len(keys) < 16
                else []
            )
            if not pairs or self._store.get(("dyn", slot)):
                pairs.append(self._eval.make(("pair", slot), [keys, self._store.get(("el", slot))]))
            self._store.put(("el", ("items", slot)), pairs)
            return [("l", ("items", slot), "l")]
        return []

    def _pair(self, slot: object, key: Value, keys: Values) -> Value:
        del keys
        return self._eval.make(
            ("pair", slot, key[1]), [[key], self._store.get(("key", slot, key[1]))]
        )

    # -- functions -----------------------------------------------------------------------------------------------------------------

    def call(
        self, name: str, positional: list[Values], named: Words, place: list[int], scope: Scope
    ) -> Values:
        self._looks(name, positional, named, place, scope)
        first = positional[0] if positional else []
        if name in _CALLS_FIRST and positional:
            held = [self._eval.elements(values, place, scope) for values in positional[1:]]
            results = self._calls.call(
                first,
                [held[0], held[0]] if name == "functools.reduce" and held else held,
                [],
                place,
                scope,
            )
            if name not in ("builtins.filter", "itertools.takewhile", "itertools.dropwhile"):
                return (
                    [self._of(("map",), results, place, scope)]
                    if name != "functools.reduce"
                    else results
                )
        if name in _SAME_ELEMENTS:
            return [self._same(name, positional, place, scope)]
        if name in _ONE_OF:
            return self._one_of(name, positional, place, scope)
        if name == "builtins.enumerate":
            rows = [
                self._row(("enum", at), [[("k", at)], part], place, scope)
                for at, part in enumerate(self._parts(first, place, scope))
            ]
            return [self._of(("pairs",), rows, place, scope)]
        if name == "builtins.zip":
            columns = [self._parts(values, place, scope) for values in positional]
            count = min((len(column) for column in columns), default=0)
            joined = [
                self._row(("row", at), [column[at] for column in columns], place, scope)
                for at in range(count)
            ]
            return [self._of(("rows",), joined, place, scope)]
        if name in _MAPPINGS or name == "collections.defaultdict":
            return [self._mapping(name, positional, named, place, scope)]
        return self._objects(name, positional, named, place, scope)

    def _objects(
        self, name: str, positional: list[Values], named: Words, place: list[int], scope: Scope
    ) -> Values:
        first = positional[0] if positional else []
        words = dict(named)
        if name in ("builtins.getattr", "builtins.setattr") and len(positional) > 1:
            names = [
                value[1] for value in positional[1] if value[0] == "k" and isinstance(value[1], str)
            ]
            if name == "builtins.setattr":
                for owner in first if len(positional) > 2 else ():
                    for word in names:
                        self._eval.set_attribute(owner, word, positional[2], place, scope)
                return []
            found = [
                found for word in names for found in self._eval.attribute(first, word, place, scope)
            ]
            return [*found, *(positional[2] if len(positional) > 2 else [])]
        if name == "builtins.type" and len(positional) == 1:
            return [
                ("c", value[1]) if value[2] == "made" else ("kind", value)
                for value in first
                if value[0] == "i"
            ]
        if name in ("functools.partial", "functools.partialmethod"):
            given = tuple(tuple(values) for values in positional[1:])
            return [("part", value, given) for value in first if value[0] in ("f", "b", "c")]
        if name == "builtins.property":
            return [("prop", value[1]) for value in first if value[0] == "f"]
        if name in _VARIABLES:
            slot = (scope.uri, tuple(place))
            self._store.put(
                ("bound", slot),
                [("i", value[1], "said") for value in words.get("bound", ()) if value[0] == "c"],
            )
            return [("tv", slot)]
        if name == "builtins.object.__new__":
            return [
                ("i", value[1], "made") if value[0] == "c" else value[1]
                for value in first
                if value[0] in ("c", "kind")
            ]
        if name == "typing.cast":
            return positional[1] if len(positional) > 1 else []
        if name in _FIELDS:
            made = words.get("default_factory", words.get("factory"))
            return (
                self._calls.call(made, [], [], [0, 0, 0, 0], scope)
                if made
                else words.get("default", first)
            )
        if name in ("importlib.import_module", "builtins.__import__") and len(positional) == 1:
            targets = [
                self._eval.imports.bound(scope.uri, value[1], 0)
                for value in first
                if value[0] == "k" and isinstance(value[1], str)
            ]
            return [(kind, where) for kind, where in targets if kind]
        if name in _STACKS:
            return [("x", f"{name}()")]
        if name.startswith("contextlib.") and name.endswith(
            ("().enter_context", "().enter_async_context")
        ):
            mark = "a" if "async" in name else ""
            entered = self._calls.method(first, f"__{mark}enter__", [], place, scope)
            self._calls.method(first, f"__{mark}exit__", [], place, scope)
            yielding = [value for value in first if value[0] == "l" and value[2] == "m"]
            return [
                *entered,
                *(held for value in yielding for held in self._store.get(("el", value[1]))),
            ]
        if name in _WRAPS and (
            name == "functools.wraps" or not any(value[0] in "fbc" for value in first)
        ):
            return [("x", "functools.wraps()")]
        return first if name in _HANDS_BACK or name in _WRAPS or name == "functools.wraps()" else []

    def _looks(
        self, name: str, positional: list[Values], named: Words, place: list[int], scope: Scope
    ) -> None:
        """The methods that a builtin asks of its arguments."""
        first = positional[0] if positional else []
        key = next((values for word, values in named if word == "key"), [])
        if name in _CALLS_KEY and key:
            held = (
                self._eval.elements(first, [0, 0, 0, 0], scope)
                if len(positional) == 1
                else [v for values in positional for v in values]
            )
            self._calls.call(key, [held], [], place, scope)
        if name in _SPECIAL and first:
            self._calls.method(first, _SPECIAL[name], [], place, scope)
            if name in _ASKS_LENGTH:
                self._calls.method(first, "__len__", [], place, scope)
        elif name in _TEXT:
            for values in positional:
                self._eval.text_of(values, _TEXT[name], place, scope)
        elif name == "builtins.bool":
            self._eval.truth(first, ["k", None], place, scope)

    def _one_of(
        self, name: str, positional: list[Values], place: list[int], scope: Scope
    ) -> Values:
        first = positional[0] if positional else []
        if name == "builtins.next":
            given = self._calls.method(first, "__next__", [], place, scope)
            held = self._eval.elements([value for value in first if value[0] == "l"], place, scope)
            return unique([*given, *held, *(positional[1] if len(positional) > 1 else [])])
        if len(positional) > 1:
            return unique([value for values in positional for value in values])
        return self._eval.elements(first, place, scope)

    # -- what comes back -----------------------------------------------------------------------------------------------------------

    def _of(self, kind: tuple[str, ...], held: Values, place: list[int], scope: Scope) -> Value:
        """A container of which each part may be any of these."""
        slot = (*kind, tuple(place), scope.uri)
        self._store.put(("el", slot), held)
        self._store.put(("dyn", slot), held)
        return ("l", slot, "l")

    def _row(
        self, kind: tuple[object, ...], parts: list[Values], place: list[int], scope: Scope
    ) -> Value:
        return self._eval.make((*kind, tuple(place), scope.uri), parts)

    def _parts(self, values: Values, place: list[int], scope: Scope) -> list[Values]:
        """The parts in order, or all in one where they can't be told apart."""
        parts = self._eval.parts(values[0]) if len(values) == 1 else None
        return parts if parts else [self._eval.elements(values, place, scope)]

    def _same(self, name: str, positional: list[Values], place: list[int], scope: Scope) -> Value:
        """The same elements in a container of its own."""
        slot = ("same", tuple(place), scope.uri)
        sources = positional if name == "itertools.chain" else positional[-1:]
        if name in _SAME_ORDER and len(sources) == 1 and len(sources[0]) == 1:
            parts = self._eval.parts(sources[0][0]) if sources[0][0][0] == "l" else None
            if parts is not None:
                return self._eval.make(slot, parts)
        quiet = [0, 0, 0, 0]  # the builtin's own question for ``__iter__`` has its place already
        for values in sources:
            held = self._eval.elements(
                values,
                place if f"builtins.{name}" not in _SPECIAL and name not in _SPECIAL else quiet,
                scope,
            )
            if name == "itertools.chain.from_iterable":
                held = self._eval.elements(held, quiet, scope)
            self._eval.fill(slot, held)
        return ("l", slot, "l")

    def _mapping(
        self, name: str, positional: list[Values], named: Words, place: list[int], scope: Scope
    ) -> Value:
        slot = ("dict", tuple(place), scope.uri)
        sources = positional
        if name == "collections.defaultdict" and positional:
            self._eval.fill(slot, self._calls.call(positional[0], [], [], place, scope))
            sources = positional[1:]
        for values in sources[:1]:
            for value in values:
                if value[0] == "l" and value[2] == "d":
                    self._eval.pour(slot, [value])
                elif value[0] == "l":
                    for pair in self._store.get(("el", value[1])):
                        if pair[0] == "l":
                            held = [self._store.get(("key", pair[1], at)) for at in (0, 1)]
                            self._eval.hold(slot, held[0], held[1])
        for word, values in named:
            self._eval.hold(slot, [("k", word)], values)
        return ("l", slot, "d")
