"""What an expression may be: ``names`` for what is named, and the rest here."""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.extract.code.python.flow import Flow
from kgraph.extract.code.python.names import Names, Values, unique
from kgraph.extract.code.python.scopes import Class, Scope, Value


class Evaluator(Names):
    def value(self, expression: Flow, scope: Scope) -> Values:
        head = expression[0]
        if head == "n":
            return self.name(expression[1], scope)
        if head == "a":
            return self.attribute(self.value(expression[1], scope), expression[2], expression[3], scope)
        if head == "k":
            return [("k", expression[1])] if expression[1] is not None else []
        if head == "c":
            return self._call(expression, scope)
        found: Values = getattr(self, "_" + _NAMES[head])(expression, scope)
        return found

    # -- containers ----------------------------------------------------------------------------------------------------------------

    def elements(self, containers: Values, place: list[int], scope: Scope) -> Values:
        """What iterating gives; an instance is asked with ``__iter__`` and ``__next__``."""
        found: Values = []
        for value in containers:
            if value[0] == "l":
                found += self.store.get(("keys" if value[2] == "d" else "el", value[1]))
        instances = [value for value in containers if value[0] in ("i", "c")]
        if instances:
            iterators = self.calls.method(containers, "__iter__", [], place, scope)
            found += [item for value in iterators if value[0] == "l" for item in self.store.get(("el", value[1]))]
            found += self.calls.method([value for value in iterators if value[0] == "i"], "__next__", [], place, scope)
            if not iterators:
                found += self.calls.method(instances, "__getitem__", [], place, scope)
        return unique(found)

    def make(self, slot: object, values: Iterable[Values], kind: str = "l") -> Value:
        for index, held in enumerate(values):
            self.store.put(("el", slot), held)
            self.store.put(("key", slot, index), held)
        return ("l", slot, kind)

    def _list(self, expression: Flow, scope: Scope) -> Values:
        held = []
        slot = id(expression)
        for item in expression[1]:
            if item[0] == "*":
                self.store.put(("el", slot), self.elements(self.value(item[1], scope), [0, 0, 0, 0], scope))
                self.store.put(("dyn", slot), self.store.get(("el", slot)))
            else:
                held.append(self.value(item, scope))
        return [self.make(slot, held)]

    def _dict(self, expression: Flow, scope: Scope) -> Values:
        slot = id(expression)
        for key, value in expression[1]:
            held = self.value(value, scope)
            if key[0] == "*":
                for inner in held:
                    if inner[0] == "l":
                        self.store.put(("el", slot), self.store.get(("el", inner[1])))
                        self.store.put(("dyn", slot), self.store.get(("el", inner[1])))
                continue
            self._hold(slot, self.value(key, scope), held)
        return [("l", slot, "d")]

    def _hold(self, slot: object, keys: Values, held: Values) -> None:
        self.store.put(("el", slot), held)
        self.store.put(("keys", slot), keys)
        constants = [key[1] for key in keys if key[0] == "k"]
        for constant in constants:
            self.store.put(("key", slot, constant), held)
        if not constants:
            self.store.put(("dyn", slot), held)

    def _subscript(self, expression: Flow, scope: Scope) -> Values:
        _, owner, key, place = expression
        owners, keys = self.value(owner, scope), self.value(key, scope)
        found: Values = [value for value in owners if value[0] == "c"]
        for value in owners:
            if value[0] == "l":
                found += [value] if key[0] == "slice" else self.at(value[1], keys)
        place = self.calls.where(owner, place, scope)
        return unique(found + self.calls.method([value for value in owners if value[0] != "c"], "__getitem__", [keys], place, scope))

    def at(self, slot: object, keys: Values) -> Values:
        constants = [key[1] for key in keys if key[0] == "k"]
        if not constants:  # any one of them: certain only if there is one
            held = self.store.get(("el", slot))
            return held if len(held) == 1 else []
        return [value for constant in constants for value in self.store.get(("key", slot, constant))] + self.store.get(("dyn", slot))

    def assign(self, target: Flow, values: Values, scope: Scope) -> None:
        head = target[0]
        if head == "n":
            self.store.put((self.home(target[1], scope).key, target[1]), values)
        elif head == "a":
            for owner in self.value(target[1], scope):
                self._set_attribute(owner, target[2], values, scope)
        elif head == "l":
            for index, inner in enumerate(target[1]):
                parts = [item for value in values if value[0] == "l" for item in self.at(value[1], [("k", index)])]
                if not parts or inner[0] == "*":
                    parts = self.elements([value for value in values if value[0] in "li"], [0, 0, 0, 0], scope)
                if inner[0] == "*":
                    self.assign(inner[1], [self.make(id(inner), [parts])], scope)
                else:
                    self.assign(inner, parts, scope)
        elif head == "s":
            owners, keys = self.value(target[1], scope), self.value(target[2], scope)
            for value in owners:
                if value[0] == "l":
                    self._hold(value[1], keys, values)
            self.calls.method(owners, "__setitem__", [keys, values], target[3], scope)

    def _set_attribute(self, owner: Value, name: str, values: Values, scope: Scope) -> None:
        if owner[0] == "i":
            self.store.put(("attr", id(owner[1]), name), values)
        elif owner[0] == "c" and name in owner[1].scope.names:
            self.store.put((owner[1].scope.key, name), values)
        elif owner[0] == "c":
            self.store.put(("attr", id(owner[1]), name), values)
        elif owner[0] == "m" and owner[1] in self.registry.modules and name in self.registry.modules[owner[1]].names:
            self.store.put((self.registry.modules[owner[1]].key, name), values)
        del scope

    def home(self, name: str, scope: Scope) -> Scope:
        mark = scope.outer.get(name)
        if mark == "global":
            return scope.module
        here: Scope | None = scope
        while here is not None and (name not in here.names or (here is not scope and here.kind == "class")):
            here = here.parent
        return here or scope

    # -- the rest ------------------------------------------------------------------------------------------------------------------

    def _call(self, expression: Flow, scope: Scope) -> Values:
        _, callee, positional, named, place = expression
        if callee[0] == "n" and callee[1] == "super" and not positional:
            return self._super(scope)
        arguments = []
        for item in positional:
            if item[0] == "*":
                arguments.append(self.elements(self.value(item[1], scope), place, scope))
            else:
                arguments.append(self.value(item, scope))
        words = [(word, self.value(value, scope)) for word, value in named]
        owners = self.value(callee[1], scope) if callee[0] == "a" else []
        values = self.attribute(owners, callee[2], callee[3], scope) if callee[0] == "a" else self.value(callee, scope)
        if not values:
            where = "the object before the dot" if callee[0] == "a" else "this name" if callee[0] in ("n", "is") else "this expression"
            self.calls.unknown(callee, place, scope, f"call: what {where} may be is not known")
        elif self.calls.is_open(callee, owners, values, scope):
            self.calls.unknown(callee, place, scope, "call: several may stand here, or some that are not known")
            place = [0, 0, 0, 0]
        return self.calls.call(values, arguments, words, place, scope)

    def _super(self, scope: Scope) -> Values:
        here: Scope | None = scope
        while here is not None and not (here.function is not None and here.owner is not None):
            here = here.parent
        if here is None or here.function is None or here.owner is None or not here.function.record["positional"]:
            return []
        receivers = self.store.get((here.key, here.function.record["positional"][0]))
        return [("u", here.owner, receiver) for receiver in receivers if receiver[0] in ("i", "c")]

    def _narrowed(self, expression: Flow, scope: Scope) -> Values:
        """Without the instances that a test on the way here has ruled out."""
        values = self.value(expression[1], scope)
        for kinds, outcome in expression[2]:
            classes = [value[1] for kind in kinds[1] for value in self.value(kind, scope) if value[0] == "c"]
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
        return not outcome  # only declared: it may be of a subclass, but then it is not certain either

    def _either(self, expression: Flow, scope: Scope) -> Values:
        for test in expression[2] if len(expression) > 2 else ():
            self.value(test, scope)
        return unique([value for item in expression[1] for value in self.value(item, scope)])

    def _worked_out(self, expression: Flow, scope: Scope) -> Values:
        for item in expression[1]:
            self.value(item, scope)
        return []

    def _lambda(self, expression: Flow, scope: Scope) -> Values:
        del scope
        return [("f", self.registry.of_function[id(expression[1])])]

    def _walrus(self, expression: Flow, scope: Scope) -> Values:
        values = self.value(expression[2], scope)
        self.assign(expression[1], values, scope)
        return values

    def _element(self, expression: Flow, scope: Scope) -> Values:
        return self.elements(self.value(expression[1], scope), expression[2], scope)

    def _yielded(self, expression: Flow, scope: Scope) -> Values:
        values = self.value(expression[1], scope)
        if scope.function is not None:
            self.store.put(("el", ("gen", id(scope.function))), values)
        return []

    def _operator(self, expression: Flow, scope: Scope) -> Values:
        _, method, left, others, place = expression
        receivers = self.value(left, scope)
        arguments = [self.value(item, scope) for item in others]
        if not method:
            return []
        found = self.calls.method(receivers, method, arguments, self.calls.where(left, place, scope), scope)
        return found + [value for value in receivers if value[0] == "l" and method in ("__add__", "__or__")]

    def _comprehension(self, expression: Flow, scope: Scope) -> Values:
        for part in expression[1]:
            if part[0] == "for":
                place = self.calls.where(part[2], part[3], scope)
                self.assign(part[1], self.elements(self.value(part[2], scope), place, scope), scope)
            else:
                self.value(part[1], scope)
        inner = expression[2]
        if inner[0] == "l":  # one element stands for all: no index tells them apart
            self.store.put(("el", id(inner)), self.value(inner[1][0], scope))
            self.store.put(("dyn", id(inner)), self.store.get(("el", id(inner))))
            return [("l", id(inner), "l")]
        return self.value(inner, scope)

    def _starred(self, expression: Flow, scope: Scope) -> Values:
        return self.value(expression[1], scope) if expression[1] else []


_NAMES = {
    "|": "either", "is": "narrowed", "x": "worked_out", "f": "lambda", ":=": "walrus", "of": "element", "slice": "worked_out",
    "yield": "yielded", "op": "operator", "comp": "comprehension", "l": "list", "d": "dict", "s": "subscript", "*": "starred",
}  # fmt: skip
