"""What a call enters, in languages whose values have a type that is written or follows from how they were made.

A parser leaves, for each file, which names are bound where and to what (``Body``); here these are followed: through variables, fields,
results of functions, containers and base types. A value that is not known for certain is ``unknown`` with the reason, and a call of it
is no edge. What a language does differently (modules, overriding, what a name means that no binding explains) it says by overriding.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kgraph.code.facts import CodeEntity, Dependency, FileFacts, Loose, Place
from kgraph.code.kept import Kept
from kgraph.tuples import NamedTuple

# An expression is JSON: ["n", name, at] a name where it stands, [".", of, name] a member, ["()", of] what a call gives, ["t", type] and
# ["new", type] a value of a type (a subtype perhaps, or just that), ["[]", of] an element, ["l", of] a container of, ["row", [of]] a
# tuple, ["ret", place, of] one of it, ["s", symbol] a symbol of the file, ["local"] a function inside a function, ["x"] something outside
# the sources, null what is not known.
Expr = Any
_DEEPEST = (
    40  # steps from a call to what it enters: a guard against values that are defined by themselves
)
_KEPT_BODIES = 256  # decoded at a time: a run over many files holds the others as text


class Value(NamedTuple):
    """``kind``: module (``uri`` is its key), type, object (``name`` is its type), function, holder (of ``inner``), row, implicit (a
    function that gives ``inner`` and is written nowhere), outside, unknown (``name`` says why). ``exact``: of that very type and no
    subtype; of something unknown: that it belongs to the sources."""

    kind: str
    uri: str = ""
    name: str = ""
    exact: bool = False
    inner: tuple[Value, ...] = ()


class SymbolEdge(NamedTuple):
    caller: str
    uri: str
    callee: str
    kind: str  # call, instantiates, inherits
    place: Place
    home: str = ""  # the file of the caller, '' for the one that says so


class Answer(NamedTuple):
    """``outside`` counts the calls of things that are plainly no part of the sources."""

    edges: tuple[SymbolEdge, ...] = ()
    loose: tuple[Loose, ...] = ()
    outside: int = 0


OUTSIDE = Value("outside")
SEVERAL = Value("unknown", name="call: several methods may stand here", exact=True)
UNTYPED = Value("unknown", name="call: the type of the value is not known")


def unknown(reason: str, ours: bool = False) -> Value:
    """``ours``: whatever it is, it belongs to the sources."""
    return Value("unknown", name=f"call: {reason}", exact=ours)


class Body:
    """What a parser collects of one file; ``packed`` is what facts carry."""

    def __init__(self) -> None:
        self.names: dict[
            str, list[list[Any]]
        ] = {}  # name → [start, end, type, value], bytes in which the binding holds
        self.calls: list[list[Any]] = []  # [calling symbol, expression, place]
        self.types: dict[
            str, dict[str, Any]
        ] = {}  # symbol → kind, bases [[expression, place]], fields {name: [type, value]}, under
        self.functions: dict[
            str, list[Any]
        ] = {}  # symbol → one [result, words, parameters] for each definition
        self.more: dict[str, Any] = {}  # the language's own

    def bind(
        self, name: str, scope: tuple[int, int], declared: Expr = None, value: Expr = None
    ) -> None:
        if name and name != "_":
            self.names.setdefault(name, []).append([*scope, declared, value])

    def type(self, symbol: str, kind: str) -> dict[str, Any]:
        return self.types.setdefault(symbol, {"kind": kind, "bases": [], "fields": {}})

    def packed(self) -> str:
        return json.dumps(
            [self.names, self.calls, self.types, self.functions, self.more], separators=(",", ":")
        )


class _Read(NamedTuple):
    names: dict[str, list[list[Any]]]
    calls: list[list[Any]]
    types: dict[str, dict[str, Any]]
    functions: dict[str, list[Any]]
    more: dict[str, Any]


class Flow:
    """All files of one language. Subclasses say what names mean."""

    separator = "."
    everywhere: frozenset[str] = (
        frozenset()
    )  # members of so many things that the name alone says nothing
    depth_first = True  # base types: the first base's bases before the second base

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self.body = Kept(self._decoded, _KEPT_BODIES)
        self._kinds = Kept(self._kinds_of, _KEPT_BODIES)
        self._depth = 0
        self._names = {
            symbol.name.rpartition(self.separator)[2]
            for facts in files.values()
            for symbol in facts.symbols
        }

    def below(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """For each type (uri, symbol) of the sources those that name it as a base."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for uri in self._files:
            for symbol, about in self.body(uri).types.items():
                for one in [self.value(base, uri) for base, _ in about["bases"]]:
                    if one.kind == "type":
                        found.setdefault((one.uri, one.name), []).append((uri, symbol))
        return found

    # -- what a language says --------------------------------------------------------------------------------------------------------

    def outer(self, uri: str, name: str, at: int) -> Value:
        """What a name means that no binding around it explains."""
        del uri, name, at
        return UNTYPED

    def inside(self, module: Value, name: str) -> Value:
        """A member of a module."""
        del module, name
        return UNTYPED

    def method(self, owner: Value, name: str, given: int) -> Value | None:
        """The method that a type itself defines; ``given`` is the number of arguments, -1 where it doesn't matter."""
        del given
        symbol = f"{owner.name}{self.separator}{name}"
        return (
            Value("function", owner.uri, symbol)
            if self.kind(owner.uri, symbol) == "function"
            else None
        )

    def chosen(self, receiver: Value, found: Value, given: int) -> Value:
        """The method that runs when ``found`` is what the receiver's type shows: another may stand in its place."""
        del receiver, given
        return found

    def lacks(self, outside: Value, name: str) -> bool:
        """Whether a type from outside is known not to have a member of that name."""
        del outside, name
        return False

    def held(self, holder: Value, name: str) -> Value:
        """A member of a container: what calling it gives."""
        del holder, name
        return Value("implicit", inner=(UNTYPED,))

    def special(self, expr: Expr, uri: str) -> Value:
        """Expressions that only one language has."""
        del expr, uri
        return UNTYPED

    def entered(self, value: Value, expr: Expr) -> list[tuple[str, Value]]:
        """(kind of edge, symbol) for a call of a type."""
        del value, expr
        return []

    # -- the answer --------------------------------------------------------------------------------------------------------------------

    def answer(self, uri: str) -> Answer:
        edges: dict[SymbolEdge, None] = {}
        loose: list[Loose] = []
        outside = 0
        for scope, expr, where in self.body(uri).calls:
            place, value = Place(*where), self.value(expr, uri)
            if value.kind == "function":
                edges[SymbolEdge(scope, value.uri, value.name, "call", place)] = None
            elif value.kind == "type":
                for kind, target in self.entered(value, expr):
                    edges[SymbolEdge(scope, target.uri, target.name, kind, place)] = None
            elif value.kind == "unknown" and (value.exact or self._may_be_ours(expr)):
                loose.append(Loose(place.line, written(expr)[:200], value.name))
            elif value.kind not in ("object", "local"):
                outside += 1
        for symbol, about in self.body(uri).types.items():
            for base, where in about["bases"]:
                above = self.value(base, uri)
                if above.kind == "type":
                    edges[SymbolEdge(symbol, above.uri, above.name, "inherits", Place(*where))] = (
                        None
                    )
                elif above.kind == "unknown":
                    loose.append(
                        Loose(where[0], written(base)[:200], above.name.replace("call:", "base:"))
                    )
        return Answer(tuple(sorted(edges)), tuple(loose), outside)

    def _may_be_ours(self, expr: Expr) -> bool:
        """A name that no symbol of the sources bears is that of something outside, whatever the value before it."""
        name = expr[2] if expr and expr[0] == "." else ""
        return not name or (name in self._names and name not in self.everywhere)

    # -- files -------------------------------------------------------------------------------------------------------------------------

    def _decoded(self, uri: str) -> _Read:
        return self.reading(json.loads(self._files[uri].body or "[{},[],{},{},{}]"))

    def reading(self, body: list[Any]) -> _Read:
        return _Read(*body)

    def _kinds_of(self, uri: str) -> dict[str, str]:
        return {symbol.name: symbol.kind for symbol in reversed(self._files[uri].symbols)}

    def kind(self, uri: str, symbol: str) -> str:
        """function, class, or '' for no symbol of the file."""
        return self._kinds(uri).get(symbol, "")

    def about(self, found: Value) -> dict[str, Any]:
        return self.body(found.uri).types.get(found.name) or {"kind": "", "bases": [], "fields": {}}

    def symbol(self, uri: str, name: str) -> Value | None:
        kind = self.kind(uri, name)
        return Value("type" if kind == "class" else "function", uri, name) if kind else None

    # -- values ------------------------------------------------------------------------------------------------------------------------

    def value(self, expr: Expr, uri: str) -> Value:
        if not expr:
            return UNTYPED
        if self._depth > _DEEPEST:
            return unknown("defined by itself")
        self._depth += 1
        try:
            return self._value(expr, uri)
        finally:
            self._depth -= 1

    def _value(self, expr: Expr, uri: str) -> Value:
        operator = expr[0]
        if operator == "n":
            return self.named(uri, expr[1], expr[2])
        if operator == ".":
            return self.member(self.value(expr[1], uri), expr[2], expr[3] if len(expr) > 3 else -1)
        if operator == "()":
            return self.result(self.value(expr[1], uri))
        if operator in ("t", "new"):
            return self.instance(expr[1], uri)._replace(exact=operator == "new")
        if operator == "[]":
            return self.element(self.value(expr[1], uri))
        if operator == "ret":
            return self.part(self.value(expr[2], uri), expr[1])
        if operator == "s":
            return self.symbol(uri, expr[1]) or UNTYPED
        if operator == "x":
            return OUTSIDE
        if (
            operator == "local"
        ):  # a function inside a function: what it calls is the outer one's already
            return Value("local")
        if operator in ("l", "row"):
            return self.instance(expr, uri)
        return self.special(expr, uri)

    def instance(self, declared: Expr, uri: str) -> Value:
        """A value of a written type."""
        if declared and declared[0] == "l":
            return Value("holder", inner=(self.instance(declared[1], uri),))
        if declared and declared[0] == "row":
            return Value("row", inner=tuple(self.instance(part, uri) for part in declared[1]))
        return self.made(self.value(declared, uri))

    def made(self, found: Value) -> Value:
        """A value of a type; what an alias stands for."""
        if found.kind != "type":
            return (
                found
                if found.kind in ("outside", "unknown", "holder", "row", "object")
                else UNTYPED
            )
        about = self.about(found)
        if about["kind"] == "alias":
            return self.value(["t", about["under"]], found.uri)
        return Value("object", found.uri, found.name)

    def named(self, uri: str, name: str, at: int) -> Value:
        best = None
        for binding in self.body(uri).names.get(name, ()):
            if binding[0] <= at < binding[1] and (best is None or binding[0] >= best[0]):
                best = binding
        if best is None:
            return self.outer(uri, name, at)
        return self.bound(best, uri)

    def bound(self, binding: list[Any], uri: str) -> Value:
        _, _, declared, value = binding
        if declared:
            return self.instance(declared, uri)
        return self.value(value, uri) if value else unknown(_UNSTATED)

    def result(self, callee: Value) -> Value:
        if callee.kind == "type":
            return self.made(callee)
        if callee.kind == "implicit":
            return callee.inner[0]
        if callee.kind != "function":
            return callee if callee.kind in ("outside", "unknown") else UNTYPED
        definitions = self.body(callee.uri).functions.get(callee.name) or []
        given = {json.dumps(definition[0]) for definition in definitions}
        if len(given) != 1:
            return unknown("what the called function gives is not known")
        found = definitions[0][0]
        return (
            self.instance(found, callee.uri)
            if found
            else unknown("what the called function gives is not known")
        )

    def part(self, row: Value, place: int) -> Value:
        """One of a tuple's values."""
        if row.kind == "row" and place < len(row.inner):
            return row.inner[place]
        return row if row.kind == "outside" else UNTYPED

    def element(self, holder: Value) -> Value:
        if holder.kind == "holder":
            return holder.inner[0]
        if holder.kind == "object":
            under = self.about(holder).get("under")
            if under and under[0] == "l":
                return self.instance(under[1], holder.uri)
        return holder if holder.kind in ("outside", "unknown") else UNTYPED

    # -- members -----------------------------------------------------------------------------------------------------------------------

    def member(self, of: Value, name: str, given: int = -1) -> Value:
        if of.kind in ("outside", "unknown"):
            return of._replace(exact=False)
        if of.kind == "module":
            return self.inside(of, name)
        if of.kind == "holder":
            return self.held(of, name)
        if of.kind in ("object", "type"):
            return self._member(of, name, given)
        return unknown("a member of a function")

    def _member(self, of: Value, name: str, given: int) -> Value:
        past: Value | None = None  # a base that is not known, and may define the name as well
        for above in self.lineage(Value("type", of.uri, of.name)):
            if above.kind != "type":
                past = past or (None if self.lacks(above, name) else above)
                continue
            found = self.method(above, name, given)
            if found is not None:
                if past is not None:
                    return _PAST
                return self.chosen(of, found, given) if found.kind == "function" else found
            field = self.about(above)["fields"].get(name)
            if field is not None:
                return self.bound([0, 0, *field], above.uri) if past is None else _PAST
        return past if past is not None else self.absent(of, name)

    def absent(self, of: Value, name: str) -> Value:
        del of
        return unknown(f"the type shows no {name}", ours=True)

    def lineage(self, found: Value) -> list[Value]:
        """A type and those above it, nearest first; where one is not known stands why."""
        rows: list[Value] = []
        queue = [found]
        while queue:
            here = queue.pop(0)
            if here.kind == "object":
                here = Value("type", here.uri, here.name)
            if here in rows:
                continue
            rows.append(here)
            if here.kind == "type":
                above = self.bases(here)
                queue = [*above, *queue] if self.depth_first else [*queue, *above]
        return rows

    def bases(self, found: Value) -> Iterable[Value]:
        return [self.value(base, found.uri) for base, _ in self.about(found)["bases"]]


_PAST = unknown("a base outside the sources may define it as well")
_UNSTATED = "a name is bound to something whose type is not stated"


def drawn(
    answer: Answer, here: CodeEntity, symbols: Callable[[str], Mapping[str, CodeEntity]], uri: str
) -> list[Dependency]:
    """The edges between entities; what stands outside of any symbol is the module's own."""
    found = []
    for edge in answer.edges:
        caller, callee = (
            symbols(edge.home or uri).get(edge.caller, here),
            symbols(edge.uri).get(edge.callee),
        )
        if callee is not None and caller != callee:
            found.append(Dependency(caller, callee, edge.kind, edge.place))
    return found


def written(expr: Expr) -> str:
    """An expression as one would write it."""
    if not expr:
        return "(expression)"
    if expr[0] in ("n", "m", "s", "T", "ctor"):
        return str(expr[1])
    if expr[0] == "p":
        return "::".join(expr[1])
    if expr[0] in ("this", "super"):
        return str(expr[0])
    if expr[0] == ".":
        return f"{written(expr[1])}.{expr[2]}"
    if expr[0] == "()":
        return f"{written(expr[1])}()"
    if expr[0] in ("new", "make", "t", "g"):
        return f"{'new ' if expr[0] in ('new', 'make') else ''}{written(expr[1])}"
    if expr[0] == "[]":
        return f"{written(expr[1])}[]"
    if expr[0] == "ret":
        return written(expr[2])
    return "(expression)"
