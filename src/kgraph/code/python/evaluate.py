"""What an expression may be: ``names`` for what is named, ``containers`` for what holds others, and the rest here."""

from __future__ import annotations

from kgraph.code.python.containers import Containers
from kgraph.code.python.expressions import Flow
from kgraph.code.python.names import NONE, Values, unique
from kgraph.code.python.scopes import Class, Scope, Value

_NOWHERE = [0, 0, 0, 0]
_MAY_BE_NONE = {"__eq__", "__ne__", "__bool__"}  # operators that None answers as well


class Evaluator(Containers):
    def value(self, expression: Flow, scope: Scope) -> Values:
        head = expression[0]
        if head == "n":
            return self.name(expression, scope)
        if head == "a":
            return self.attribute(
                self.value(expression[1], scope), expression[2], expression[3], scope
            )
        if head == "k":
            return [("k", expression[1])]
        if head == "c":
            return self._call(expression, scope)
        found: Values = getattr(self, "_" + _NAMES[head])(expression, scope)
        return found

    # -- assignments ---------------------------------------------------------------------------------------------------------------

    def assign(self, target: Flow, values: Values, scope: Scope) -> None:
        head = target[0]
        if head == "n":
            self.put_name(target, values, scope)
        elif head == "a":
            self._put_path(target, values, scope)
            owners = self.value(target[1], scope)
            plain = len(owners) > 1 and any(
                owner[0] != "i" or not self.setters(owner, target[2]) for owner in owners
            )
            for owner in owners:
                self.set_attribute(
                    owner, target[2], values, _NOWHERE if plain else target[3], scope
                )
        elif head == "l":
            for inner, part in zip(target[1], self.unpack(target, values, scope), strict=True):
                self.assign(inner[1] if inner[0] == "*" else inner, part, scope)
        elif head == "s":
            self._put_path(target, values, scope)
            owners, keys = self.value(target[1], scope), self.value(target[2], scope)
            for value in owners:
                if value[0] == "l":
                    self.hold(value[1], keys, values)
            where = self.calls.where(target[1], target[3], scope)
            self.calls.method(
                [value for value in owners if value != NONE],
                "__setitem__",
                [keys, values],
                where,
                scope,
            )

    def _put_path(self, target: Flow, values: Values, scope: Scope) -> None:
        if target[4]:
            self.store.put((scope.key, *target[4]), values)

    def _exactly(self, expression: Flow, scope: Scope) -> Values:
        """What was last assigned there, unless something stands between that changes it (a property, say)."""
        _, path, numbers, inner = expression
        last = unique(
            [value for number in numbers for value in self.store.get((scope.key, path, number))]
        )
        anything = self.value(inner, scope)
        return last if last and all(value in anything for value in last) else anything

    def put_name(self, target: Flow, values: Values, scope: Scope) -> None:
        home = self.home(target[1], scope)
        self.store.put((home.key, target[1]), values)
        if home is scope and len(target) > 2:
            self.store.put((home.key, target[1], target[2]), values)

    def set_attribute(
        self, owner: Value, name: str, values: Values, place: list[int], scope: Scope
    ) -> None:
        kind = owner[0]
        if kind == "i":
            setters = self.setters(owner, name)
            if setters:
                self.calls.call(setters, [values], [], place, scope)
            else:
                self.store.put(("attr", id(owner[1]), name), values)
        elif kind == "c" and name in owner[1].scope.names:
            self.store.put((owner[1].scope.key, name), values)
        elif kind in ("c", "f"):
            self.store.put(("attr", id(owner[1]), name), values)
        elif (
            kind == "m"
            and owner[1] in self.registry.modules
            and name in self.registry.modules[owner[1]].names
        ):
            self.store.put((self.registry.modules[owner[1]].key, name), values)

    def setters(self, owner: Value, name: str) -> Values:
        hit = self.store.find(owner[1], name)
        return (
            [("b", value[1], owner) for value in hit[1] if value[0] == "f" and value[1].is_setter]
            if hit
            else []
        )

    # -- calls ---------------------------------------------------------------------------------------------------------------------

    def _call(self, expression: Flow, scope: Scope) -> Values:
        _, callee, positional, named, place = expression
        if callee[0] == "exact" and not self.value(callee, scope):
            callee = callee[3]
        if callee[0] == "n" and callee[1] == "super" and len(positional) in (0, 2):
            return self._super(positional, scope)
        arguments = self._arguments(positional, place, scope)
        words = self._words(named, scope)
        owners = (
            [value for value in self.value(callee[1], scope) if value != NONE]
            if callee[0] == "a"
            else []
        )
        values = (
            self.attribute(owners, callee[2], callee[3], scope)
            if callee[0] == "a"
            else self.value(callee, scope)
        )
        values = [value for value in values if value != NONE]
        if not values:
            where = (
                "the object before the dot"
                if callee[0] == "a"
                else "this name"
                if callee[0] in ("n", "is")
                else "this expression"
            )
            self.calls.unknown(callee, place, scope, f"call: what {where} may be is not known")
        elif self.calls.is_open(callee, owners, values, scope):
            self.calls.unknown(
                callee, place, scope, "call: several may stand here, or some that are not known"
            )
            place = _NOWHERE
        elif callee[0] == "n" and callee[1] == "globals" and values == [("x", "builtins.globals")]:
            return self._globals(scope)
        if self.calls.is_each(callee, scope):
            return self.calls.each(values, arguments, words, place, scope)
        if scope.key in self.store.tired:
            self.calls.unknown(
                callee, place, scope, "call: more flows through this function than was worked out"
            )
        elif self.calls.is_crowded(values, scope):
            self.calls.unknown(
                callee, place, scope, "call: more may stand here than can be told apart"
            )
        return self.calls.call(values, arguments, words, place, scope)

    def _arguments(self, positional: list[Flow], place: list[int], scope: Scope) -> list[Values]:
        found: list[Values] = []
        for item in positional:
            if item[0] != "*":
                found.append(self.value(item, scope))
                continue
            inner = self.value(item[1], scope)
            parts = self.parts(inner[0]) if len(inner) == 1 else None
            found += parts if parts is not None else [self.elements(inner, place, scope)]
        return found

    def _words(self, named: list[Flow], scope: Scope) -> list[tuple[str, Values]]:
        found: list[tuple[str, Values]] = []
        for word, written in named:
            values = self.value(written, scope)
            if word:
                found.append((word, values))
                continue
            for value in values:
                for key in self.store.get(("keys", value[1])) if value[0] == "l" else ():
                    if key[0] == "k" and isinstance(key[1], str):
                        found.append((key[1], self.store.get(("key", value[1], key[1]))))
        return found

    def _globals(self, scope: Scope) -> Values:
        module = scope.module
        slot = ("globals", module.key)
        for name in module.names:
            self.store.put(("key", slot, name), self.store.get((module.key, name)))
        return [("l", slot, "d")]

    def _super(self, positional: list[Flow], scope: Scope) -> Values:
        if positional:
            classes = [value[1] for value in self.value(positional[0], scope) if value[0] == "c"]
            receivers = self.value(positional[1], scope)
            return [
                ("u", cls, receiver)
                for cls in classes
                for receiver in receivers
                if receiver[0] in ("i", "c", "kind")
            ]
        here: Scope | None = scope
        while here is not None and not (here.function is not None and here.owner is not None):
            here = here.parent
        if (
            here is None
            or here.function is None
            or here.owner is None
            or not here.function.record["positional"]
        ):
            return []
        owner = here.owner
        receivers = self.name(["n", here.function.record["positional"][0]], here)
        return [
            ("u", owner, receiver) for receiver in receivers if receiver[0] in ("i", "c", "kind")
        ]

    def _operator(self, expression: Flow, scope: Scope) -> Values:
        _, method, left, others, place = expression
        receivers = self.value(left, scope)
        arguments = [self.value(item, scope) for item in others]
        if not method:
            return []
        receivers = [value for value in receivers if value != NONE or method in _MAY_BE_NONE]
        found = self.calls.method(
            receivers, method, arguments, self.calls.where(left, place, scope), scope
        )
        if (
            receivers
            and arguments
            and all(value[0] == "k" and value[1] is not None for value in receivers)
        ):
            reflected = f"__r{method[2:]}"
            found += self.calls.method(
                arguments[0],
                reflected,
                [receivers],
                self.calls.where(others[0], place, scope),
                scope,
            )
        lists = (
            [value for value in receivers if value[0] == "l"]
            if method in ("__add__", "__or__", "__mul__")
            else []
        )
        return found + self._joined(lists, arguments, expression, method)

    def _joined(
        self, lists: Values, arguments: list[Values], expression: Flow, method: str
    ) -> Values:
        """Two containers become one."""
        if not lists or method == "__mul__" or not arguments:
            return lists
        others = [value for value in arguments[0] if value[0] == "l"]
        slot = id(expression)
        if method == "__add__" and len(lists) == len(others) == 1:
            left, right = self.parts(lists[0]), self.parts(others[0])
            if left is not None and right is not None:
                return [self.make(slot, [*left, *right])]
        self.pour(slot, [*lists, *others])
        return [("l", slot, lists[0][2])]

    def _in_place(self, expression: Flow, scope: Scope) -> Values:
        _, method, left, others, place = expression
        receivers = self.value(left, scope)
        in_place = f"__i{method[2:]}" if method else ""
        asked = [
            value
            for value in receivers
            if value[0] == "i" and in_place and self.store.find(value[1], in_place)
        ]
        lists = [
            value for value in receivers if value[0] == "l" and method in ("__add__", "__or__")
        ]
        for value in lists:
            self.pour(value[1], self.value(others[0], scope))
        found: Values = list(lists)
        if asked:
            arguments = [self.value(item, scope) for item in others]
            found += self.calls.method(
                receivers, in_place, arguments, self.calls.where(left, place, scope), scope
            )
        if len(asked) + len(lists) < len(receivers) or not receivers:
            found += self._operator(
                ["op", method, left, others, _NOWHERE if asked or lists else place], scope
            )
        return unique(found)

    def _test(self, expression: Flow, scope: Scope) -> Values:
        _, inner, place = expression
        values = self.value(inner, scope)
        self.truth(values, inner, place, scope)
        return values

    def truth(self, values: Values, expression: Flow, place: list[int], scope: Scope) -> None:
        """A test asks ``__bool__``, or else ``__len__``."""
        where = self.calls.where(expression, place, scope)
        instances = [value for value in values if value[0] == "i"]
        if len(instances) != len(values):
            where = _NOWHERE
        for name in ("__bool__", "__len__"):
            asked = [value for value in instances if self.store.find(value[1], name)]
            self.calls.method(
                asked, name, [], where if len(asked) == len(instances) else _NOWHERE, scope
            )
            instances = [value for value in instances if value not in asked]

    def _formatted(self, expression: Flow, scope: Scope) -> Values:
        _, inner, how, place = expression
        self.text_of(self.value(inner, scope), how, self.calls.where(inner, place, scope), scope)
        return []

    def text_of(self, values: Values, how: str, place: list[int], scope: Scope) -> None:
        """``format``, ``str`` and ``repr`` fall back on the next of them."""
        order = ["__format__", "__str__", "__repr__"]
        waiting = values
        for name in order[order.index(how) :]:
            asked = [
                value for value in waiting if value[0] == "i" and self.store.find(value[1], name)
            ]
            certain = len(asked) == len(waiting)
            self.calls.method(asked, name, [], place if certain else _NOWHERE, scope)
            waiting = [value for value in waiting if value not in asked]

    # -- the rest ------------------------------------------------------------------------------------------------------------------

    def _narrowed(self, expression: Flow, scope: Scope) -> Values:
        """Without the instances that a test on the way here has ruled out."""
        values = self.value(expression[1], scope)
        for kinds, outcome in expression[2]:
            classes = [
                value[1]
                for kind in kinds[1]
                for value in self.value(kind, scope)
                if value[0] == "c"
            ]
            outside = len(classes) < len(kinds[1])  # some of the types are not of the run
            values = [value for value in values if self._passes(value, classes, outside, outcome)]
        return values

    def _passes(self, value: Value, classes: list[Class], outside: bool, outcome: bool) -> bool:
        if value[0] != "i":
            return outside or not outcome
        order = self.store.order(value[1])
        fits = any(cls in order for cls in classes)
        if value[2] in ("made", "given") or fits:
            return fits == outcome or (outcome and outside and None in order)
        return (
            not outcome
        )  # only declared: it may be of a subclass, but then it is not certain either

    def _either(self, expression: Flow, scope: Scope) -> Values:
        for test in expression[2] if len(expression) > 2 else ():
            self.value(test, scope)
        return unique([value for item in expression[1] for value in self.value(item, scope)])

    def _worked_out(self, expression: Flow, scope: Scope) -> Values:
        for item in expression[1]:
            self.value(item, scope)
        return []

    def _lambda(self, expression: Flow, scope: Scope) -> Values:
        function = self.registry.of_function[id(expression[1])]
        for name, written in function.record["defaults"]:
            self.store.put(("default", id(function), name), self.value(written, scope))
        return [("f", function)]

    def _walrus(self, expression: Flow, scope: Scope) -> Values:
        values = self.value(expression[2], scope)
        self.assign(expression[1], values, scope)
        return values

    def _element(self, expression: Flow, scope: Scope) -> Values:
        return self.elements(self.value(expression[1], scope), expression[2], scope)

    def _yielded(self, expression: Flow, scope: Scope) -> Values:
        values = self.value(expression[1], scope)
        if scope.function is None:
            return []
        slot = ("gen", id(scope.function))
        self.store.put(("el", slot), values)
        return self.store.get(("sent", slot)) if expression[2] else []

    def _comprehension(self, expression: Flow, scope: Scope) -> Values:
        for part in expression[1]:
            if part[0] == "for":
                place = self.calls.where(part[2], part[3], scope)
                containers = self.value(part[2], scope)
                self.assign(part[1], self.elements(containers, place, scope, part[4]), scope)
                self.calls.note_loop(part[1], containers, scope)
            else:
                self.value(part[1], scope)
        inner = expression[2]
        if inner[0] == "l":  # one element stands for all: no index tells them apart
            self.fill(id(inner), self.value(inner[1][0], scope))
            return [("l", id(inner), "l")]
        return self.value(inner, scope)

    def _starred(self, expression: Flow, scope: Scope) -> Values:
        return self.value(expression[1], scope) if expression[1] else []


_NAMES = {
    "|": "either", "is": "narrowed", "x": "worked_out", "f": "lambda", ":=": "walrus", "of": "element", "slice": "worked_out",
    "yield": "yielded", "op": "operator", "aug": "in_place", "fmt": "formatted", "comp": "comprehension", "l": "list", "d": "dict",
    "s": "subscript", "*": "starred", "exact": "exactly", "test": "test",
}  # fmt: skip
