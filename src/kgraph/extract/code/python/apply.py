"""What a call does: which functions it enters, what it hands them, what comes back."""

from __future__ import annotations

from kgraph.extract.code.python.evaluate import Evaluator
from kgraph.extract.code.python.flow import Flow
from kgraph.extract.code.python.names import Values
from kgraph.extract.code.python.scopes import Class, Function, Scope, Value
from kgraph.tuples import NamedTuple

_CALLS_FIRST = {
    "builtins.map", "builtins.filter", "functools.reduce", "itertools.starmap", "itertools.takewhile", "itertools.dropwhile",
}  # fmt: skip
_CALLS_KEY = {"builtins.sorted", "builtins.min", "builtins.max", "itertools.groupby", "heapq.nlargest", "heapq.nsmallest"}
_SAME_ELEMENTS = {
    "builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset", "builtins.iter", "builtins.reversed", "builtins.sorted",
    "builtins.filter",
    "collections.deque", "itertools.chain", "itertools.islice", "itertools.cycle",
}  # fmt: skip
_HANDS_BACK = {"functools.update_wrapper", "builtins.staticmethod", "copy.copy", "copy.deepcopy"}
_WRAPS = {"functools.lru_cache", "functools.cache", "functools.wraps"}
_SPECIAL = {
    f"builtins.{name}": f"__{method or name}__"
    for name, method in (
        *(
            (name, "")
            for name in ("len", "iter", "next", "str", "repr", "hash", "bool", "int", "float", "abs", "reversed", "bytes", "format")
        ),
        *((name, "iter") for name in ("list", "tuple", "set", "sorted", "sum", "any", "all", "enumerate", "max", "min")),
        ("print", "str"),
    )
}


_ASKED_FOR = {"__enter__", "__exit__", "__aenter__", "__aexit__"}
_NOWHERE = [0, 0, 0, 0]  # as a place: what happens there is followed, but no edge is drawn
_MOST_CALLEES = 2  # of one call expression


class Edge(NamedTuple):
    """``callee`` is a Function, or a Class for 'instantiates'."""

    caller: Scope
    callee: Function | Class
    kind: str
    place: tuple[int, int, int, int]


class Site(NamedTuple):
    """A place where a method is called by name. ``name`` is the method's."""

    caller: Scope
    name: str
    place: tuple[int, int, int, int]


class Open(NamedTuple):
    """A call of which it can't be told what it enters. ``written`` is the callee as a dotted path, '' for another expression."""

    uri: str
    place: tuple[int, int, int, int]
    written: str
    reason: str


class Applier:
    """Carries out calls on sets of values. ``edges`` are certain; ``sites`` are judged once all receivers are known; ``open`` are calls
    that say nothing certain."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._eval = evaluator
        self._store = evaluator.store
        self.recording = False  # only once everything is worked out: on the way there a name may hold less than it will
        self.edges: dict[Edge, None] = {}
        self.sites: dict[Site, dict[Value, None]] = {}
        self.made: dict[int, Class] = {}
        self.open: dict[Open, None] = {}
        self.facts: set[tuple[object, ...]] = set()  # which arguments calls leave out, which are handed in by code inside functions

    def unknown(self, callee: Flow, place: list[int], scope: Scope, reason: str) -> None:
        if self.recording and place and place[0]:
            self.open[Open(scope.uri, _place(place), written(callee), reason)] = None

    def call(self, callee: Values, positional: list[Values], named: list[tuple[str, Values]], place: list[int], scope: Scope) -> Values:
        if is_crossroads(callee):
            return []
        if any(value[0] in ("lm", "x") for value in callee):
            place = _NOWHERE if any(value[0] in ("f", "b", "sb", "c") for value in callee) else place
        found: dict[Value, None] = {}
        for value in callee:
            for result in self._one(value, positional, named, place, scope):
                found[result] = None
        return list(found)

    def method(self, receivers: Values, name: str, arguments: list[Values], place: list[int], scope: Scope) -> Values:
        found: Values = []
        if any(receiver[0] not in ("i", "p") for receiver in receivers):
            place = _NOWHERE  # it may be something else as well
        for receiver in receivers:
            if receiver[0] == "i":
                hit = self._store.find(receiver[1], name)
                functions = [value for value in hit[1] if value[0] == "f"] if hit else []
                certain = receiver[2] not in ("given", "lent") or name in _ASKED_FOR  # an operator takes whatever comes in
                where = place if certain else _NOWHERE
                found += self.call([("b", value[1], receiver) for value in functions], arguments, [], where, scope)
        return found

    def _one(self, value: Value, positional: list[Values], named: list[tuple[str, Values]], place: list[int], scope: Scope) -> Values:
        kind = value[0]
        if kind in ("f", "sb") and value[1].owner is not None:
            self.facts.add(("past an override", value[1]))
        if kind == "f":
            return self._enter(value[1], positional, named, place, scope)
        if kind == "b":
            function, receiver = value[1], value[2]
            if receiver[0] == "i":
                if self.recording and place and place[0]:
                    self.sites.setdefault(Site(scope, function.record["name"], _place(place)), {})[value] = None
                return self._bind(function, [[receiver], *positional], named)
            return self._enter(function, [[receiver], *positional], named, place, scope)
        if kind == "sb":
            return self._enter(value[1], [[value[2]], *positional], named, place, scope)
        if kind == "c":
            return self._construct(value[1], positional, named, place, scope)
        if kind == "i":
            return self.method([value], "__call__", positional, place, scope)
        if kind == "part":
            inner = value[1]
            function = inner[1] if inner[0] in ("f", "b") else None
            if function is None:
                return self._one(inner, [], [], place, scope)
            self._record(scope, function, "call", place)
            return self._returned(function, {})
        if kind == "lm":
            return self._container_method(value, positional, named)
        if kind == "x":
            return self._external(str(value[1]), positional, named, place, scope)
        return []

    # -- functions of the run --------------------------------------------------------------------------------------------------------

    def _enter(
        self, function: Function, positional: list[Values], named: list[tuple[str, Values]], place: list[int], scope: Scope
    ) -> Values:
        self._record(scope, function, "call", place)
        return self._bind(function, positional, named)

    def _record(self, scope: Scope, callee: Function | Class, kind: str, place: list[int]) -> None:
        if self.recording and place and place[0]:
            self.edges[Edge(scope, callee, kind, _place(place))] = None

    def _bind(self, function: Function, positional: list[Values], named: list[tuple[str, Values]]) -> Values:
        record, key = function.record, function.scope.key
        bound: dict[str, Values] = {}
        for name, values in zip(record["positional"], positional, strict=False):
            bound[name] = values
        if record["rest"]:
            spare = positional[len(record["positional"]) :]
            slot = ("rest", id(function))
            self._store.put((key, record["rest"]), [self._eval.make(slot, [[_given(value) for value in values] for values in spare])])
        known = {*record["positional"], *record["named"]}
        for name, values in named:
            if name in known:
                bound[name] = values
            elif record["rest_named"]:
                slot = ("words", id(function))
                self._store.put(("key", slot, name), values)
                self._store.put(("el", slot), values)
                self._store.put((key, record["rest_named"]), [("l", slot, "d")])
        self._note(function, bound)
        for name, values in bound.items():
            self._store.put(
                (key, name), self._eval.permitted([_given(value) for value in values if value[0] != "p"], function.allowed.get(name))
            )
        return self._returned(function, bound)

    def _note(self, function: Function, bound: dict[str, Values]) -> None:
        """What a call tells about the arguments as such."""
        key = function.scope.key
        for name, _ in function.record["defaults"]:
            if name not in bound and ("left out", id(function), name) not in self.facts:
                self.facts.add(("left out", id(function), name))
                self._store.put((key, name), self._store.get(("default", id(function), name)))
        at_top = self._store.current is None or self._store.current.kind == "module"
        for name, values in bound.items():
            if not at_top:
                self.facts.add(("inside", key, name))
            if not values and function.allowed.get(name) is None:
                self.facts.add(("unknown", key, name))

    def is_open(self, callee: Flow, owners: Values, values: Values, scope: Scope) -> bool:
        kinds = {value[1] for value in values if value[0] in ("f", "c", "sb", "b", "i", "part")}
        while callee[0] == "is":
            callee = callee[1]
        if callee[0] == "a":
            if any(owner[0] in ("m", "ns") for owner in owners):
                return len(kinds) > 1
            hits = [self._store.find(owner[1], callee[2]) for owner in owners if owner[0] in ("i", "c")]
            if any(hit and sum(value[0] == "f" and not value[1].is_setter for value in hit[1]) > 1 for hit in hits):
                return True  # a method with two definitions, or one that is put in another's place
            homes = [home for owner in owners if owner[0] == "i" for home in self._store.order(owner[1]) if home is not None]
            held = [("attr", id(home), callee[2]) for home in homes if self._store.get(("attr", id(home), callee[2]))]
            return bool(held) and (len(kinds) > 1 or any(("unknown", *key) in self.facts for key in held))
        if callee[0] != "n":
            return len({value[0] for value in values if value[0] in ("f", "c", "b", "i")}) > 1
        home = self._eval.home(callee[1], scope)
        if self._is_open_name(callee[1], home):
            return True
        return len(kinds) > 1 and (home is not scope or ("inside", home.key, callee[1]) in self.facts)

    def _is_open_name(self, name: str, home: Scope) -> bool:
        """Something that isn't known may be in it: handed in, or assigned where the argument was left out."""
        if ("unknown", home.key, name) in self.facts:
            return True
        if home.function is None:
            return False
        record = home.function.record
        return name in (*record["positional"], *record["named"]) and rebinds(record["body"], name)

    def where(self, expression: Flow, place: list[int], scope: Scope) -> list[int]:
        if expression[0] == "n":
            return _NOWHERE if self._is_open_name(expression[1], self._eval.home(expression[1], scope)) else place
        if expression[0] == "a" and expression[1][0] == "n":
            for owner in self._eval.value(expression[1], scope):
                homes = self._store.order(owner[1]) if owner[0] == "i" else ()
                if any(("unknown", "attr", id(home), expression[2]) in self.facts for home in homes):
                    return _NOWHERE
        return place

    def note_assigned(self, target: Flow, expression: Flow, values: Values, scope: Scope) -> None:
        """Remembers that something unknown was put into a name or into an attribute."""
        name = expression[1] if expression[0] == "n" else ""
        if not (self._is_open_name(name, self._eval.home(name, scope)) if name else not values and expression != ["k", None]):
            return
        if target[0] == "n":
            self.facts.add(("unknown", self._eval.home(target[1], scope).key, target[1]))
        elif target[0] == "a":
            for owner in self._eval.value(target[1], scope):
                if owner[0] == "i":
                    self.facts.add(("unknown", "attr", id(owner[1]), target[2]))

    def _returned(self, function: Function, bound: dict[str, Values]) -> Values:
        if function.yields:
            return [("l", ("gen", id(function)), "g" if not function.is_manager else "m")]
        found: Values = []
        for value in self._store.get(("return", id(function))):
            if value[0] == "p" and value[1] is function:
                found += bound.get(value[2]) or self._store.get(("default", id(function), value[2]))
            else:
                found.append(value)
        return [*self._eval.permitted(found, function.gives), *self._store.get(("declared", id(function)))]

    def _construct(self, cls: Class, positional: list[Values], named: list[tuple[str, Values]], place: list[int], scope: Scope) -> Values:
        self.made[id(cls)] = cls
        self._record(scope, cls, "instantiates", place)
        made: Value = ("i", cls, "made")
        if self._eval.is_enum(cls):
            return [made]
        for name, first in (("__new__", ("c", cls)), ("__init__", made)):
            hit = self._store.find(cls, name)
            for value in hit[1] if hit else ():
                if value[0] == "f":
                    self._enter(value[1], [[first], *positional], named, place, scope)
        if not self._store.find(cls, "__init__"):
            given = [*zip(cls.fields, positional, strict=False), *named]
            for field, values in given:
                self._store.put(("attr", id(cls), field), self._eval.permitted(values, cls.allowed.get(field)))
            after = self._store.find(cls, "__post_init__")
            for value in after[1] if after else ():
                if value[0] == "f":
                    self._enter(value[1], [[made]], [], place, scope)
        return [made]

    # -- what is not of the run ------------------------------------------------------------------------------------------------------

    def _container_method(self, value: Value, positional: list[Values], named: list[tuple[str, Values]]) -> Values:
        _, slot, name = value
        del named
        if name in ("append", "add", "appendleft", "insert", "setdefault", "put", "push"):
            self._store.put(("el", slot), positional[-1] if positional else [])
            self._store.put(("dyn", slot), positional[-1] if positional else [])
        elif name in ("extend", "update", "extendleft"):
            for inner in positional[0] if positional else ():
                if inner[0] == "l":
                    self._store.put(("el", slot), self._store.get(("el", inner[1])))
                    self._store.put(("dyn", slot), self._store.get(("el", inner[1])))
        if name in ("get", "pop", "setdefault") and positional:
            return [*self._eval.at(slot, positional[0]), *(positional[1] if len(positional) > 1 else [])]
        if name in ("pop", "popleft", "get", "get_nowait", "send"):
            return self._store.get(("el", slot))
        if name in ("values", "copy"):
            self._store.put(("el", ("values", slot)), self._store.get(("el", slot)))
            return [("l", ("values", slot), "l")] if name == "values" else [("l", slot, "d")]
        if name == "items":
            pair = self._eval.make(("pair", slot), [self._store.get(("keys", slot)), self._store.get(("el", slot))])
            return [self._eval.make(("items", slot), [[pair]])]
        return []

    def _external(self, name: str, positional: list[Values], named: list[tuple[str, Values]], place: list[int], scope: Scope) -> Values:
        first = positional[0] if positional else []
        key = next((values for word, values in named if word == "key"), [])
        if name in _CALLS_FIRST and positional:
            held = [self._eval.elements(values, place, scope) for values in positional[1:]]
            results = self.call(first, [held[0], held[0]] if name == "functools.reduce" and held else held, [], place, scope)
            return [self._eval.make(("map", tuple(place), scope.uri), [results])] if name == "builtins.map" else results
        if name in _CALLS_KEY and key:
            self.call(key, [self._eval.elements(first, place, scope)], [], place, scope)
        special = _SPECIAL.get(name)
        if special and first:
            instances = [value for value in first if value[0] == "i"]
            given = self.method(first, special, [], place, scope)
            if special == "__str__" and not any(self._store.find(value[1], "__str__") for value in instances):
                self.method(first, "__repr__", [], place, scope)
            if special == "__next__":
                return [*given, *self._eval.elements([value for value in first if value[0] == "l"], place, scope)]
            if name == "builtins.iter" and given:
                return given
        if name in _SAME_ELEMENTS:
            held = [self._eval.elements([value for value in values if value[0] == "l"], place, scope) for values in positional[-1:]]
            slot = ("same", tuple(place), scope.uri)
            self._fill(slot, held)
            return [("l", slot, "l")]
        if name == "builtins.enumerate":
            pair = self._eval.make(("enum", tuple(place), scope.uri), [[], self._eval.elements(first, place, scope)])
            return [self._eval.make(("pairs", tuple(place), scope.uri), [[pair]])]
        if name == "builtins.zip":
            row = self._eval.make(("row", tuple(place), scope.uri), [self._eval.elements(values, place, scope) for values in positional])
            return [self._eval.make(("rows", tuple(place), scope.uri), [[row]])]
        if name == "builtins.getattr" and len(positional) > 1:
            names = [value[1] for value in positional[1] if value[0] == "k" and isinstance(value[1], str)]
            return [found for word in names for found in self._eval.attribute(first, word, place, scope)]
        if name == "builtins.type" and len(positional) == 1:
            return [("c", value[1]) for value in first if value[0] == "i" and value[2] == "made"]
        if name == "functools.partial":
            return [("part", value) for value in first if value[0] in "fbc"]
        if name == "typing.cast":
            return positional[1] if len(positional) > 1 else []
        if name in _WRAPS and (name == "functools.wraps" or not any(value[0] in "fbc" for value in first)):
            return [("x", "functools.wraps()")]
        return first if name in _HANDS_BACK or name in _WRAPS or name == "functools.wraps()" else []

    def _fill(self, slot: object, held: list[Values]) -> None:
        for values in held:
            self._store.put(("el", slot), values)
            self._store.put(("dyn", slot), values)


def written(callee: Flow) -> str:
    """A callee as a dotted path; '' for what is none."""
    parts: list[str] = []
    while callee[0] in ("a", "is"):
        if callee[0] == "a":
            parts.append(str(callee[2]))
        callee = callee[1]
    return ".".join(reversed([*parts, str(callee[1])])) if callee[0] == "n" else ""


def rebinds(body: Flow, name: str) -> bool:
    return any(statement[0] in ("=", "for", "with", "ann") and statement[1] == ["n", name] for statement in body)


def is_crossroads(callee: Values) -> bool:
    """Whether more may stand there than can be told apart."""
    return len({value[1] for value in callee if value[0] in ("f", "c", "sb")}) > _MOST_CALLEES


def _given(value: Value) -> Value:
    """An instance that came in as an argument: others may be handed in as well."""
    return ("i", value[1], "given" if value[2] in ("made", "given") else "lent") if value[0] == "i" else value


def _place(place: list[int]) -> tuple[int, int, int, int]:
    return (place[0], place[1], place[2], place[3]) if place else (0, 0, 0, 0)
