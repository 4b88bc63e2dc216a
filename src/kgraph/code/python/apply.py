"""What a call does: which functions it enters, what it hands them, what comes back."""

from __future__ import annotations

from kgraph.code.python.certainty import Certainty, identity
from kgraph.code.python.evaluate import Evaluator
from kgraph.code.python.expressions import Flow
from kgraph.code.python.names import MIXED_IN, NONE, Values, unique
from kgraph.code.python.outside import Outside
from kgraph.code.python.reach import ARGUMENT
from kgraph.code.python.scopes import Class, Function, Scope, Value
from kgraph.tuples import NamedTuple

_ASKED_FOR = {"__enter__", "__exit__", "__aenter__", "__aexit__"}
_NOWHERE = [0, 0, 0, 0]  # as a place: what happens there is followed, but no edge is drawn
_MOST_CALLEES = 2  # of one call expression
MOST_LIVE = 8  # of one where all that may stand there is known


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


class Records(NamedTuple):
    """What one turn of a scope says. ``edges`` are certain; ``sites`` are judged once all receivers are known; ``open`` are calls that
    say nothing certain."""

    edges: dict[Edge, None]
    sites: dict[Site, dict[Value, None]]
    open: dict[Open, None]


class Applier(Certainty):
    """Carries out calls on sets of values. ``records`` are those of each scope's last turn; ``loaded`` are the scopes that loading the
    modules enters, ``live`` those of them that a script enters: a module that no other imports."""

    def __init__(self, evaluator: Evaluator) -> None:
        super().__init__(evaluator)
        self._outside = Outside(evaluator, self)
        self.records: dict[str, Records] = {}
        self._now = Records({}, {}, {})
        self.made: set[int] = set()  # classes of which an object is made
        self.loaded: set[str] = set()

    def begin(self, scope: Scope) -> None:
        """A turn of a scope begins: what it said before no longer counts."""
        self._now = self.records[scope.key] = Records({}, {}, {})

    def unknown(self, callee: Flow, place: list[int], scope: Scope, reason: str) -> None:
        if self.recording and place and place[0]:
            self._now.open[Open(scope.uri, _place(place), written(callee), reason)] = None

    def enter(self, scope: Scope) -> None:
        """While the modules are loaded: what one of them carries out."""
        current = self._store.current
        if self._store.late or current is None:
            return
        if scope.key not in self.loaded or (
            current.key in self.live and scope.key not in self.live
        ):
            self.loaded.add(scope.key)
            if current.key in self.live:
                self.live.add(scope.key)
            self._store.push(scope)

    def call(
        self,
        callee: Values,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        if self.is_crowded(callee, scope):
            return []
        if len(callee) > 1 and any(value[0] == "mix" for value in callee):
            place = _NOWHERE
        if any(value[0] in ("lm", "x") for value in callee):
            place = (
                _NOWHERE if any(value[0] in ("f", "b", "sb", "c") for value in callee) else place
            )
        return unique(
            [
                result
                for value in callee
                for result in self._one(value, positional, named, place, scope)
            ]
        )

    def is_crowded(self, callee: Values, scope: Scope) -> bool:
        kinds = {identity(value) for value in callee if value[0] in ("f", "c", "sb")}
        return len(kinds) > (MOST_LIVE if self.is_live(scope) else _MOST_CALLEES)

    def each(
        self,
        callee: Values,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        """Calls all of them, one after the other."""
        return unique(
            [
                result
                for value in callee
                for result in self.call([value], positional, named, place, scope)
            ]
        )

    def method(
        self, receivers: Values, name: str, arguments: list[Values], place: list[int], scope: Scope
    ) -> Values:
        found: Values = []
        if any(receiver[0] not in ("i", "p") for receiver in receivers):
            place = _NOWHERE  # it may be something else as well
        judged = self.is_live(scope) or any(
            receiver[0] == "i" and receiver[2] == "self" for receiver in receivers
        )
        if len(receivers) > 1 and not judged and self._differ(receivers, name):
            place = _NOWHERE
        for receiver in receivers:
            if receiver[0] == "i":
                hit = self._store.find(receiver[1], name)
                functions = [value for value in hit[1] if value[0] == "f"] if hit else []
                certain = (
                    receiver[2] not in ("given", "lent") or name in _ASKED_FOR
                )  # an operator takes whatever comes in
                where = place if certain else _NOWHERE
                found += self.call(
                    [("b", value[1], receiver) for value in functions], arguments, [], where, scope
                )
        return found

    def _differ(self, receivers: Values, name: str) -> bool:
        hits = [self._store.find(receiver[1], name) for receiver in receivers if receiver[0] == "i"]
        return (
            len({identity(value) for hit in hits if hit for value in hit[1] if value[0] == "f"}) > 1
        )

    def _one(
        self,
        value: Value,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        kind = value[0]
        if kind == "f":
            return self._enter(value[1], positional, named, place, scope)
        if kind == "b":
            function, receiver = value[1], value[2]
            if receiver[0] == "i":
                if self.recording and place and place[0]:
                    self._now.sites.setdefault(
                        Site(scope, function.record["name"], _place(place)), {}
                    )[value] = None
                return self._bind(function, [*_first(function, receiver), *positional], named)
            return self._enter(
                function, [*_first(function, receiver), *positional], named, place, scope
            )
        if kind == "sb":
            self.facts.add(("past an override", value[1]))
            return self._enter(
                value[1], [*_first(value[1], value[2]), *positional], named, place, scope
            )
        if kind == "c":
            return self._construct(value[1], positional, named, place, scope)
        if kind == "mix":
            for inner in MIXED_IN[value[2]]:
                self.method([value[1]], inner, positional[:1], place, scope)
            return []
        if kind == "kind":
            return self._construct_like(value[1], positional, named, place, scope)
        if kind == "ctor":
            return self._initialize(value[1], positional, named, place, scope)
        if kind == "i":
            return self.method([value], "__call__", positional, place, scope)
        if kind == "part":
            return self.call(
                [value[1]], [*(list(given) for given in value[2]), *positional], named, place, scope
            )
        if kind == "lm":
            return self._outside.container(value, positional, named, place, scope)
        if kind == "x":
            return self._outside.call(str(value[1]), positional, named, place, scope)
        return []

    # -- functions of the run --------------------------------------------------------------------------------------------------------

    def _enter(
        self,
        function: Function,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        self._record(scope, function, "call", place)
        return self._bind(function, positional, named)

    def _record(self, scope: Scope, callee: Function | Class, kind: str, place: list[int]) -> None:
        if self.recording and place and place[0]:
            self._now.edges[Edge(scope, callee, kind, _place(place))] = None

    def _bind(
        self, function: Function, positional: list[Values], named: list[tuple[str, Values]]
    ) -> Values:
        record, key = function.record, function.scope.key
        self.enter(function.scope)
        bound = dict(zip(record["positional"], positional, strict=False))
        if record["rest"]:
            slot = ("rest", id(function))
            spare = [
                [self._given(("el", slot), value) for value in values]
                for values in positional[len(record["positional"]) :]
            ]
            self._hand(function, record["rest"], [self._eval.make(slot, spare)])
        known = {*record["positional"], *record["named"]}
        for name, values in named:
            if name in known:
                bound[name] = values
            elif record["rest_named"]:
                slot = ("words", id(function))
                self._eval.hold(slot, [("k", name)], values)
                self._hand(function, record["rest_named"], [("l", slot, "d")])
        self._note(function, bound)
        for name, values in bound.items():
            given = [self._given((key, name), value) for value in values if value[0] != "p"]
            self._hand(function, name, self._eval.permitted(given, function.allowed.get(name)))
        return self._returned(function, bound)

    def _hand(self, function: Function, name: str, values: Values) -> None:
        key = function.scope.key
        self._store.put((key, name), values)
        self._store.put((key, name, ARGUMENT), values)

    def _given(self, key: tuple[object, ...], value: Value) -> Value:
        """An instance that comes in as an argument from code that somebody outside calls: others may be handed in as well."""
        if value[0] != "i" or not self._store.late or self._store.holds(key, value):
            return value
        return ("i", value[1], "given" if value[2] in ("made", "given") else "lent")

    def _note(self, function: Function, bound: dict[str, Values]) -> None:
        """What a call tells about the arguments as such."""
        key = function.scope.key
        for name, _ in function.record["defaults"]:
            if name not in bound and ("left out", id(function), name) not in self.facts:
                self.facts.add(("left out", id(function), name))
                self._hand(function, name, self._store.get(("default", id(function), name)))
            if (
                name not in bound
                and not self._store.get(("default", id(function), name))
                and function.allowed.get(name) is None
            ):
                self._store.doubt((key, name))
                self._store.doubt((key, name, ARGUMENT))
        for name, values in bound.items():
            if not values and function.allowed.get(name) is None:
                self._store.doubt((key, name))
                self._store.doubt((key, name, ARGUMENT))

    def _returned(self, function: Function, bound: dict[str, Values]) -> Values:
        if function.yields:
            return [("l", ("gen", id(function)), "g" if not function.is_manager else "m")]
        found: Values = []
        self._store.get(("returns", id(function)))
        for said in list(function.returns):
            if any(self._contradicts(function, bound, name, is_none) for name, is_none in said):
                continue
            for value in self._store.get(("return", id(function), said)):
                if value[0] == "p" and value[1] is function:
                    found += bound.get(value[2]) or self._store.get(
                        ("default", id(function), value[2])
                    )
                else:
                    found.append(value)
        return [
            *self._eval.permitted(found, function.gives),
            *self._store.get(("declared", id(function))),
        ]

    def _contradicts(
        self, function: Function, bound: dict[str, Values], name: str, is_none: bool
    ) -> bool:
        """Whether a call can't get to where an argument is None, or is not."""
        given = bound[name] if name in bound else self._store.get(("default", id(function), name))
        return bool(given) and (
            NONE not in given if is_none else all(value == NONE for value in given)
        )

    # -- objects -----------------------------------------------------------------------------------------------------------------------

    def _construct(
        self,
        cls: Class,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        self._record(scope, cls, "instantiates", place)
        for meta in self._eval.metaclasses(cls):
            hit = self._store.find(meta, "__call__")
            if hit is not None:
                given = self.call(
                    [("sb", value[1], ("c", cls)) for value in hit[1] if value[0] == "f"],
                    positional,
                    named,
                    place,
                    scope,
                )
                return given or [("i", cls, "made")]
        return self._initialize(cls, positional, named, place, scope)

    def _construct_like(
        self,
        like: Value,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        """Another object of the class of an object, which may be a subclass."""
        cls = like[1]
        for name in ("__new__", "__init__"):
            hit = self._store.find(cls, name)
            bound: Values = (
                [("b", value[1], like) for value in hit[1] if value[0] == "f"] if hit else []
            )
            self.call(bound, positional, named, place, scope)
        return [("i", cls, like[2])]

    def _initialize(
        self,
        cls: Class,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values:
        made: Value = ("i", cls, "made")
        self.made.add(id(cls))
        if self._eval.is_enum(cls):
            return [made]
        others: Values = []
        new = self._store.find(cls, "__new__")
        for value in new[1] if new else ():
            if value[0] == "f":
                given = self._enter(value[1], [[("c", cls)], *positional], named, place, scope)
                others += [item for item in given if item != NONE and item[:2] != ("i", cls)]
                if given and not any(item[0] == "i" for item in given):
                    return others  # something else altogether: then it isn't initialized
        for name, first in (("__init__", made),):
            hit = self._store.find(cls, name)
            for value in hit[1] if hit else ():
                if value[0] == "f":
                    self._enter(value[1], [[first], *positional], named, place, scope)
        if not self._store.find(cls, "__init__"):
            given = [*zip(self._eval.fields(cls), positional, strict=False), *named]
            for field, values in given:
                self._store.put(
                    ("attr", id(cls), field), self._eval.permitted(values, cls.allowed.get(field))
                )
            after = self._store.find(cls, "__post_init__")
            for value in after[1] if after else ():
                if value[0] == "f":
                    self._enter(value[1], [[made]], [], place, scope)
        return [made, *others]


def _first(function: Function, receiver: Value) -> list[Values]:
    """What stands before the written arguments of a method."""
    if function.is_static:
        return [[receiver]] if function.record["name"] == "__new__" else []
    if function.is_class and receiver[0] == "i":
        return [[("c", receiver[1]) if receiver[2] == "made" else ("kind", receiver)]]
    return [[receiver]]


def written(callee: Flow) -> str:
    """A callee as a dotted path; '' for what is none."""
    parts: list[str] = []
    while callee[0] in ("a", "is", "exact"):
        if callee[0] == "a":
            parts.append(str(callee[2]))
        callee = callee[3] if callee[0] == "exact" else callee[1]
    return (
        ".".join(reversed([*parts, str(callee[1]).partition(" ")[0]])) if callee[0] == "n" else ""
    )


def _place(place: list[int]) -> tuple[int, int, int, int]:
    return (place[0], place[1], place[2], place[3]) if place else (0, 0, 0, 0)
