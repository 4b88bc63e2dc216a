"""What a call may enter besides what it is known to enter, and which names from outside it uses; told by how things are written.

The analysis of ``calls`` says only what no other run could contradict. Here a name is what its one definition or import says, whatever
happens to it later: so a call of a decorated function may enter the function itself, a function that is handed over may be called by
whoever gets it, and a method of an unknown object may be any of the few methods that are called so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kgraph.code.facts import Place
from kgraph.code.python.apply import written
from kgraph.code.python.expressions import Flow
from kgraph.code.python.names import Imports
from kgraph.code.python.scopes import Class, Function, Registry, Scope
from kgraph.code.suites import is_of_tests
from kgraph.tuples import NamedTuple

MOST_ALIKE = 5  # methods of one name; beyond that the name says nothing
_COMMON = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float, Exception) for name in dir(kind)
) | frozenset("read write close open flush seek send recv start stop run join get put post delete search match group".split())  # fmt: skip


class Meaning(NamedTuple):
    """``kind`` is f (a Function), c (a Class), m (a module's uri), ns (a folder's dotted name), x (a dotted name outside), or
    several (functions and classes, one of which was imported)."""

    kind: str
    what: Any


class Guess(NamedTuple):
    """``target`` is a Function or Class, or a dotted name for 'call-outside'."""

    caller: Scope
    target: Function | Class | str
    kind: str
    place: Place


class Written:
    """Resolves names by their definitions alone."""

    def __init__(self, registry: Registry, imports: Imports) -> None:
        self._registry = registry
        self._imports = imports
        self._bound: dict[str, dict[str, list[Any]]] = {}
        self._of_scope = {
            **{id(one.scope): one for one in registry.of_function.values()},
            **{id(one.scope): one for one in registry.of_class.values()},
        }

    def path(self, parts: list[str], scope: Scope) -> Meaning | None:
        found = self._name(parts[0], scope)
        for part in parts[1:]:
            found = self._member(found, part) if found else None
        return found

    def _name(self, name: str, scope: Scope) -> Meaning | None:
        here: Scope | None = scope
        while here is not None:
            if name in here.names and (here is scope or here.kind != "class"):
                return self._in(here, name, ())
            if here.parent is None:
                return self._in(here, name, ())
            here = here.parent
        return None

    def _in(self, scope: Scope, name: str, seen: tuple[str, ...]) -> Meaning | None:
        """What a name of a scope is, if it is bound once."""
        bindings = self._bindings(scope).get(name, [])
        if len(bindings) == 1:
            bound = bindings[0]
            if isinstance(bound, Function | Class):
                return Meaning("f" if isinstance(bound, Function) else "c", bound)
            return self._imported(bound, scope.uri, seen) if bound else None
        if bindings and all(isinstance(bound, list) for bound in bindings):
            several = [self._imported(bound, scope.uri, seen) for bound in bindings]
            inside = [one for one in several if one is not None and one.kind in ("f", "c")]
            return Meaning("several", inside) if inside else None
        if bindings or scope.parent is not None or scope.uri in seen:
            return None
        for star in scope.stars:
            kind, where = self._imports.bound(scope.uri, star[2], star[3])
            module = self._registry.modules.get(where) if kind == "m" else None
            found = self._in(module, name, (*seen, scope.uri)) if module else None
            if found:
                return found
        return None

    def _imported(self, statement: Flow, uri: str, seen: tuple[str, ...]) -> Meaning | None:
        _, _, dotted, level, member = statement
        kind, where = self._imports.bound(uri, dotted, level)
        if not kind:
            return None
        found = Meaning(kind, where)
        return self._member(found, member, (*seen, uri)) if member else found

    def _member(self, owner: Meaning, name: str, seen: tuple[str, ...] = ()) -> Meaning | None:
        if owner.kind == "x":
            return Meaning("x", f"{owner.what}.{name}")
        if owner.kind in ("m", "ns"):
            module = self._registry.modules.get(owner.what) if owner.kind == "m" else None
            found = self._in(module, name, seen) if module and owner.what not in seen else None
            inner = "" if found else self._imports.inside(owner.what, owner.kind, name)
            return found or (Meaning("m", inner) if inner else None)
        if owner.kind == "c":
            return self._of_class(owner.what, name, ())
        return None

    def _of_class(self, cls: Class, name: str, seen: tuple[int, ...]) -> Meaning | None:
        if id(cls) in seen:
            return None
        found = self._in(cls.scope, name, ())
        if found:
            return found
        for base in self.bases(cls):
            found = self._of_class(base, name, (*seen, id(cls)))
            if found:
                return found
        return None

    def bases(self, cls: Class) -> list[Class]:
        outer = cls.scope.parent or cls.scope
        paths = (written(base) for base in cls.record["bases"])
        found = (self.path(path.split("."), outer) for path in paths if path)
        return [one.what for one in found if one is not None and one.kind == "c"]

    def above(self, cls: Class) -> list[Class]:
        """All base classes of the run, as they are written."""
        found: dict[int, Class] = {}
        waiting = self.bases(cls)
        while waiting:
            base = waiting.pop()
            if id(base) not in found:
                found[id(base)] = base
                waiting += self.bases(base)
        return list(found.values())

    def _bindings(self, scope: Scope) -> dict[str, list[Any]]:
        """For each name of a scope its Functions, Classes, import statements, and None for anything else that is bound to it."""
        if scope.key not in self._bound:
            found: dict[str, list[Any]] = {}
            for statement in scope.body:
                head = statement[0]
                if head == "def":
                    function = self._registry.of_function[id(statement[1])]
                    if not (function.is_overload or function.is_setter):
                        _add(found, statement[2], function)
                elif head == "class":
                    _add(found, statement[2], self._registry.of_class[id(statement[1])])
                elif head == "import" and statement[4] != "*":
                    _add(found, statement[1], statement)
                elif head in ("=", "for", "with", "ann") and statement[1]:
                    _add(found, statement[1], None)
            if scope.function is not None:
                for name in scope.function.arguments:
                    found.setdefault(name, []).append(None)
            self._bound[scope.key] = found
        return self._bound[scope.key]


def _add(found: dict[str, list[Any]], target: Flow, what: Any) -> None:
    if target[0] == "n":
        found.setdefault(str(target[1]).partition(" ")[0], []).append(what)
    elif target[0] in ("l", "*"):
        for inner in target[1] if target[0] == "l" else [target[1]]:
            _add(found, inner, what)


def guesses(
    registry: Registry,
    imports: Imports,
    known: Mapping[tuple[str, Place], set[int]],
    below: Callable[[Class], list[Class]],
) -> Iterator[Guess]:
    """``known``: by caller's key and place the ids of the scopes that a call is known to enter. ``below``: a class's subclasses."""
    names = Written(registry, imports)
    methods: dict[str, list[Function]] = {}
    for function in registry.of_function.values():
        if function.owner is not None and not function.is_setter:
            methods.setdefault(function.record["name"], []).append(function)
    for scope in registry.scopes:
        tests = is_of_tests(scope.uri)
        for callee, arguments, place in _calls(scope.body):
            entered = known.get((scope.key, place), set())
            for guess in _of_call(
                names,
                scope,
                (callee, arguments, place),
                (methods, lambda cls: [*below(cls), *names.above(cls)]),
            ):
                if isinstance(guess.target, str):
                    yield guess
                elif id(guess.target.scope) in entered or (entered and not _is_wrapped(guess)):
                    continue
                elif tests or not is_of_tests(guess.target.scope.uri):
                    yield guess


def _is_wrapped(guess: Guess) -> bool:
    """Whether it is a function that its decorators may have put something in front of, or one that is only handed over."""
    target = guess.target
    return (
        guess.kind == "possible-call"
        and isinstance(target, Function)
        and (bool(target.record["decorators"]) and not target.is_property)
    )


def _of_call(
    names: Written,
    scope: Scope,
    call: tuple[Flow, list[Flow], Place],
    classes: tuple[dict[str, list[Function]], Callable[[Class], list[Class]]],
) -> Iterator[Guess]:
    callee, arguments, place = call
    parts = written(callee).split(".")
    meaning = names.path(parts, scope) if parts[0] else None
    if meaning is not None and meaning.kind == "x":
        yield Guess(scope, str(meaning.what), "call-outside", place)
    elif meaning is not None and meaning.kind == "several":
        for one in meaning.what:
            kind = "call" if one.kind == "f" else "instantiates"
            yield Guess(scope, one.what, f"possible-{kind}", place)
    elif meaning is not None and meaning.kind == "c":
        yield Guess(scope, meaning.what, "possible-instantiates", place)
    elif meaning is not None and meaning.kind == "f":
        yield Guess(scope, meaning.what, "possible-call", place)
    elif callee[0] == "a" and meaning is None:
        for function in _methods(str(callee[2]), parts, scope, classes):
            yield Guess(scope, function, "possible-call", place)
    for argument in arguments:
        handed = written(argument)
        given = names.path(handed.split("."), scope) if handed else None
        if given is not None and given.kind == "f" and not given.what.is_property:
            yield Guess(scope, given.what, "possible-call", place)


def _methods(
    name: str,
    parts: list[str],
    scope: Scope,
    classes: tuple[dict[str, list[Function]], Callable[[Class], list[Class]]],
) -> list[Function]:
    """The methods that a call of this name may enter: along the lines of its own class if that is before the dot, else all there are."""
    methods, below = classes
    alike = [one for one in methods.get(name, ()) if not one.is_property]
    here = scope
    while here.parent is not None and here.function is None:
        here = here.parent
    function = here.function
    if function is not None and function.owner is not None and parts == [function.receiver, name]:
        family = {id(function.owner), *map(id, below(function.owner))}
        return [one for one in alike if id(one.owner) in family][:MOST_ALIKE]
    if name in _COMMON or name.startswith("__") or len(alike) > MOST_ALIKE:
        return []
    return alike


def _calls(body: Flow) -> Iterator[tuple[Flow, list[Flow], Place]]:
    """Every call in a scope's own statements: callee, arguments, place."""
    waiting: list[Any] = [body]
    while waiting:
        here = waiting.pop()
        if not isinstance(here, list):
            continue  # records of functions and classes are scopes of their own
        if len(here) == 5 and here[0] == "c" and isinstance(here[1], list) and here[4]:
            _, callee, positional, named, place = here
            yield callee, [*positional, *(value for _, value in named)], Place(*place)
        waiting += [item for item in here if isinstance(item, list)]
