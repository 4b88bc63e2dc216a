"""Whether what is known to stand somewhere is all that can stand there."""

from __future__ import annotations

from kgraph.code.python.evaluate import Evaluator
from kgraph.code.python.expressions import Flow
from kgraph.code.python.names import Values
from kgraph.code.python.reach import ARGUMENT
from kgraph.code.python.scopes import Class, Function, Scope, Value

_NOWHERE = [0, 0, 0, 0]
_CALLABLE = ("f", "c", "sb", "b", "i", "part", "kind")


class Certainty:
    """``live`` are the scopes that a script enters (a module that no other imports)."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._eval = evaluator
        self._store = evaluator.store
        self.recording = False  # only once everything is worked out: on the way there a name may hold less than it will
        self.live: set[str] = set()
        self.facts: set[tuple[object, ...]] = (
            set()
        )  # which arguments calls leave out, which names run through whole containers

    def is_live(self, scope: Scope) -> bool:
        return scope.key in self.live

    def is_open(self, callee: Flow, owners: Values, values: Values, scope: Scope) -> bool:
        kinds = {identity(value) for value in values if value[0] in _CALLABLE}
        live = self.is_live(scope)
        while callee[0] == "is":
            callee = callee[1]
        if callee[0] == "exact":
            doubted = any(
                self._store.is_doubted((scope.key, callee[1], number)) for number in callee[2]
            )
            return doubted or (len(kinds) > 1 and not live)
        if callee[0] == "a":
            return self._is_open_attribute(callee[2], owners, len(kinds), live)
        if callee[0] != "n":
            return (
                not live
                and len({value[0] for value in values if value[0] in ("f", "c", "b", "i")}) > 1
            )
        if self._is_open_name(callee, scope):
            return True
        if len(kinds) < 2:
            return False
        home = self._eval.home(callee[1], scope)
        keys = self._eval.keys(callee, home, scope)
        if live:
            return any(key in self._store.lates for key in keys)
        return home is not scope or self._is_argument(callee, home)

    def _is_open_attribute(self, name: str, owners: Values, count: int, live: bool) -> bool:
        if any(owner[0] in ("m", "ns") for owner in owners):
            return count > 1 and not live
        hits = [self._store.find(owner[1], name) for owner in owners if owner[0] in ("i", "c")]
        for hit in hits:
            several = (
                {identity(value) for value in hit[1] if value[0] == "f" and not value[1].is_setter}
                if hit
                else ()
            )
            if len(several) > 1 and not live:
                return True  # a method with two definitions, or one that is put in another's place
        homes = [
            home
            for owner in owners
            if owner[0] == "i"
            for home in self._store.order(owner[1])
            if home is not None
        ]
        held = [
            ("attr", id(home), name) for home in homes if self._store.get(("attr", id(home), name))
        ]
        if any(self._store.is_doubted(key) for key in held):
            return True
        return (
            count > 1 and bool(held) and (not live or any(key in self._store.lates for key in held))
        )

    def _is_argument(self, expression: Flow, home: Scope) -> bool:
        function = home.function
        return (
            function is not None
            and expression[1] in function.arguments
            and (len(expression) < 3 or ARGUMENT in expression[2])
        )

    def _is_open_name(self, expression: Flow, scope: Scope) -> bool:
        """Something that isn't known may be in it: handed in, or assigned where the argument was left out."""
        home = self._eval.home(expression[1], scope)
        if any(self._store.is_doubted(key) for key in self._eval.keys(expression, home, scope)):
            return True
        if home.function is None or not self._is_argument(expression, home) or self.is_live(home):
            return False
        if len(expression) > 2:
            return len(expression[2]) > 1
        return rebinds(home.function.record["body"], expression[1])

    def where(self, expression: Flow, place: list[int], scope: Scope) -> list[int]:
        while expression[0] in ("is", "exact"):
            expression = expression[1] if expression[0] == "is" else expression[3]
        if expression[0] == "n":
            return _NOWHERE if self._is_open_name(expression, scope) else place
        if expression[0] == "a" and expression[1][0] == "n":
            for owner in self._eval.value(expression[1], scope):
                homes = self._store.order(owner[1]) if owner[0] == "i" else ()
                if any(self._store.is_doubted(("attr", id(home), expression[2])) for home in homes):
                    return _NOWHERE
        return place

    def note_assigned(self, target: Flow, expression: Flow, values: Values, scope: Scope) -> None:
        """Remembers that something unknown was put into a name or into an attribute."""
        if target[0] == "l":
            for inner in target[1] if not values else ():
                self.note_assigned(inner, expression, values, scope)
            return
        if not self.is_doubtful(expression, values, scope):
            return
        if target[0] == "n":
            home = self._eval.home(target[1], scope)
            self._store.doubt((home.key, target[1]))
            if len(target) > 2:
                self._store.doubt((home.key, target[1], target[2]))
        if target[0] in ("a", "s") and target[4]:
            self._store.doubt((scope.key, *target[4]))
        if target[0] == "a":
            for owner in self._eval.value(target[1], scope):
                if owner[0] == "i":
                    self._store.doubt(("attr", id(owner[1]), target[2]))

    def is_doubtful(self, expression: Flow, values: Values, scope: Scope) -> bool:
        """Whether an expression may give something that isn't known."""
        head = expression[0]
        if not values or not self.recording:
            return True
        if head in ("is", "test", "exact"):
            return self.is_doubtful(
                expression[3] if head == "exact" else expression[1], values, scope
            )
        if head == "n":
            return self._is_open_name(expression, scope)
        if head == "|":
            return any(
                self.is_doubtful(part, self._eval.value(part, scope), scope)
                for part in expression[1]
            )
        if head == "c":
            callee = (
                self._eval.value(expression[1], scope) if expression[1][0] in ("n", "a") else []
            )
            return any(
                self._store.is_doubted(("return", id(value[1])))
                for value in callee
                if value[0] in ("f", "b", "sb")
            )
        return False

    def note_returned(
        self, function: Function, expression: Flow, values: Values, scope: Scope
    ) -> None:
        if self.recording and self.is_doubtful(expression, values, scope):
            self._store.doubt(("return", id(function)))

    def note_loop(self, target: Flow, containers: Values, scope: Scope) -> None:
        """Remembers that a name stands for each part of a container in turn."""
        if (
            target[0] == "n"
            and containers
            and all(
                value[0] == "l" and self._eval.size(value[1]) is not None for value in containers
            )
        ):
            self.facts.add(("each", scope.key, *target[1:]))

    def is_each(self, callee: Flow, scope: Scope) -> bool:
        if callee[0] != "n" or self._eval.home(callee[1], scope) is not scope:
            return False
        numbers = [[number] for number in callee[2]] if len(callee) > 2 else [[]]
        return all(("each", scope.key, callee[1], *number) in self.facts for number in numbers)


def identity(value: Value) -> object:
    """Definitions under one name are one thing to a map of symbols."""
    thing = value[1]
    if isinstance(thing, (Function, Class)):
        return (
            thing.scope.uri,
            thing.scope.shown if thing.scope.kind != "lambda" else thing.scope.key,
        )
    return thing


def rebinds(body: Flow, name: str) -> bool:
    return any(
        statement[0] in ("=", "for", "with", "ann")
        and statement[1]
        and statement[1][:2] == ["n", name]
        for statement in body
    )
