"""What a name or an attribute may be, as a set of values: functions, classes, instances, modules, containers.

Values: ``("f", Function)``, ``("c", Class)``, ``("i", Class, how)`` (an instance: 'made' where that was seen, 'given' as an argument,
'lent' as an argument without having been seen made, 'self' in the class's own methods, 'said' by an annotation),
``("b", Function, receiver)``, ``("sb", …)`` (the same through super),
``("m", uri)``, ``("ns", dotted)``, ``("x", dotted)`` (external), ``("l", slot, kind)`` (a container), ``("lm", slot, method)``,
``("u", Class, receiver)`` (super), ``("p", Function, name)`` (an argument handed back), ``("k", constant)``, ``("part", value)`` (a
partial). What isn't known is no value at all.
"""

from __future__ import annotations

import builtins
from typing import Protocol

from kgraph.extract.code.python.flow import Flow
from kgraph.extract.code.python.scopes import Class, Registry, Scope, Value
from kgraph.extract.code.python.store import Store

_BUILTINS = frozenset(dir(builtins))
Values = list[Value]


class Imports(Protocol):
    """What names of other files mean; the linker's answer."""

    def bound(self, uri: str, dotted: str, level: int) -> tuple[str, str]:
        """('m', uri of a module), ('ns', dotted name of a folder), ('x', dotted name outside), or ('', '')."""

    def inside(self, package: str, kind: str, name: str) -> str:
        """The uri of the module ``name`` of a package given by ('m') uri or ('ns') dotted name; '' if there is none."""


class Calls(Protocol):
    """Who is told of calls, and who knows what they give back."""

    def call(self, callee: Values, positional: list[Values], named: list[tuple[str, Values]], place: list[int], scope: Scope) -> Values: ...

    def unknown(self, callee: Flow, place: list[int], scope: Scope, reason: str) -> None:
        """Is told of a call that says nothing certain."""

    def is_open(self, callee: Flow, owners: Values, values: Values, scope: Scope) -> bool:
        """Whether another run may find something else in the callee; ``owners`` is what stands before its dot."""

    def where(self, expression: Flow, place: list[int], scope: Scope) -> list[int]:
        """The place, or nowhere if the expression may hold something that isn't known."""

    def method(self, receivers: Values, name: str, arguments: list[Values], place: list[int], scope: Scope) -> Values:
        """Calls a special method on those of the receivers that have it."""


class Names:
    """Looks names up; ``calls`` is told of the properties that are entered on the way."""

    def __init__(self, registry: Registry, store: Store, imports: Imports) -> None:
        self.registry, self.store, self.imports = registry, store, imports
        self.calls: Calls

    def name(self, name: str, scope: Scope) -> Values:
        here: Scope | None = scope
        while here is not None:
            if here.outer.get(name) == "global":
                here = here.module
            if name in here.names and (here is scope or here.kind != "class"):
                values = self.store.get((here.key, name))
                return self.permitted(values, here.function.allowed.get(name)) if here.function is not None else values
            if here.parent is None:
                return self.module_name(here.uri, name, ())
            here = here.parent
        return []

    def module_name(self, uri: str, name: str, seen: tuple[str, ...], only_module: bool = False) -> Values:
        """A name of a module: bound in it, or come through a star import, or a builtin."""
        module = self.registry.modules.get(uri)
        if module is None or uri in seen:
            return []
        if name in module.names:
            return self.store.get((module.key, name))
        for star in module.stars:
            kind, where = self.imports.bound(uri, star[2], star[3])
            if kind == "m" and not name.startswith("_"):
                found = self.module_name(where, name, (*seen, uri), True)
                if found:
                    return found
        if not only_module and name in _BUILTINS:
            return [("x", f"builtins.{name}")]
        return []

    def imported(self, statement: Flow, uri: str) -> Values:
        _, _, dotted, level, member = statement
        kind, where = self.imports.bound(uri, dotted, level)
        if not member or not kind:
            return [(kind, where)] if kind else []
        if kind == "x":
            return [("x", f"{where}.{member}")]
        return self._member(kind, where, member)

    def _member(self, kind: str, where: str, name: str) -> Values:
        found = self.module_name(where, name, (), True) if kind == "m" else []
        if found:
            return found
        inner = self.imports.inside(where, kind, name)
        return [("m", inner)] if inner else []

    def permitted(self, values: Values, allowed: list[Class] | None) -> Values:
        """Without what a written type does not admit: an instance that gets there all the same is a path that nothing takes."""
        found: Values = []
        for value in values:
            if value[0] == "i" and allowed is not None:
                order = self.store.order(value[1])
                if any(cls in order for cls in allowed):
                    found.append(value)
            elif value[0] != "p" or allowed is None:
                found.append(value)
        return found

    # -- attributes ----------------------------------------------------------------------------------------------------------------

    def attribute(self, owners: Values, name: str, place: list[int] | None, scope: Scope) -> Values:
        found: Values = []
        for owner in owners:
            kind = owner[0]
            if kind in ("m", "ns"):
                found += self._member(kind, owner[1], name)
            elif kind == "x":
                found.append(("x", f"{owner[1]}.{name}"))
            elif kind == "c":
                found += self._of_class(owner[1], name)
            elif kind == "i":
                found += self._of_instance(owner, name, place, scope)
            elif kind == "u":
                found += self._of_super(owner, name, place, scope)
            elif kind == "l":
                found.append(("lm", owner[1], name))
            elif kind == "k":
                found.append(("x", f"builtins.{type(owner[1]).__name__}.{name}"))
        return unique(found)

    def _of_class(self, cls: Class, name: str) -> Values:
        hit = self.store.find(cls, name)
        if hit is None:
            return [("c", cls)] if name == "__class__" else []
        home, values = hit
        found: Values = []
        for value in values:
            if value[0] == "f" and value[1].is_class:
                found.append(("b", value[1], ("c", cls)))
            elif value[0] == "k" and self.is_enum(home):
                found.append(("i", home, "made"))
            else:
                found.append(value)
        return found

    def _of_instance(self, owner: Value, name: str, place: list[int] | None, scope: Scope) -> Values:
        cls = owner[1]
        if name == "__class__":
            return [("c", cls)] if owner[2] == "made" else []
        found: Values = []
        hit = self.store.find(cls, name)
        if hit is not None and any(value[0] == "f" for value in hit[1]):
            return self._bound(hit[1], owner, place, scope)  # a method that somebody replaces on single objects is still the method
        for home in self.store.order(cls):
            if home is not None:
                found += self.permitted(self.store.get(("attr", id(home), name)), home.allowed.get(name))
        if hit is not None:
            found += self._bound(hit[1], owner, place, scope)
        return found

    def _bound(self, values: Values, receiver: Value, place: list[int] | None, scope: Scope) -> Values:
        found: Values = []
        for value in values:
            function = value[1] if value[0] == "f" else None
            if function is None or function.owner is None or function.is_static:
                found.append(value)
            elif function.is_property:
                if function.is_cached:  # entered once, by whoever asks first
                    found += self.calls.call([("b", function, receiver)], [], [], [0, 0, 0, 0], scope)
                elif place is not None and not function.is_setter:
                    found += self.calls.call([("b", function, receiver)], [], [], place, scope)
            elif function.is_class:
                found.append(("b", function, ("c", receiver[1]) if receiver[0] == "i" else receiver))
            else:
                found.append(("b", function, receiver))
        return found

    def _of_super(self, owner: Value, name: str, place: list[int] | None, scope: Scope) -> Values:
        _, cls, receiver = owner
        hit = self.store.find(receiver[1], name, after=cls) if receiver[0] in ("i", "c") else None
        if hit is None:
            return []
        return [("sb", *value[1:]) if value[0] == "b" else value for value in self._bound(hit[1], receiver, place, scope)]

    def is_enum(self, cls: Class) -> bool:
        for place in range(len(cls.record["bases"])):
            for value in self.store.get(("base", id(cls), place)):
                if value[0] == "x" and str(value[1]).startswith("enum."):
                    return True
                if value[0] == "c" and value[1] is not cls and self.is_enum(value[1]):
                    return True
        return False


def unique(values: Values) -> Values:
    return list(dict.fromkeys(values)) if len(values) > 1 else values
