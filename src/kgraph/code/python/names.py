"""What a name or an attribute may be, as a set of values: functions, classes, instances, modules, containers.

Values: ``("f", Function)``, ``("c", Class)``, ``("i", Class, how)`` (an instance: 'made' where that was seen, 'given' as an argument,
'lent' as an argument without having been seen made, 'self' in the class's own methods, 'said' by an annotation),
``("b", Function, receiver)``, ``("sb", …)`` (the same through super),
``("m", uri)``, ``("ns", dotted)``, ``("x", dotted)`` (external), ``("l", slot, kind)`` (a container), ``("lm", slot, method)``,
``("u", Class, receiver)`` (super), ``("p", Function, name)`` (an argument handed back), ``("k", constant)``, ``("part", value, given)`` (a
partial), ``("kind", instance)`` (its class, which may be a subclass), ``("prop", Function)`` (a property made by a call),
``("ctor", Class)`` (what makes its objects when a metaclass was asked first), ``("tv", slot)`` (a type variable),
``("mix", instance, method)`` (a method that an abstract container of the standard library has).
What isn't known is no value at all.
"""

from __future__ import annotations

import builtins
from typing import Protocol

from kgraph.code.python.expressions import Flow
from kgraph.code.python.scopes import Class, Registry, Scope, Value
from kgraph.code.python.store import Key, Store

_BUILTINS = frozenset(dir(builtins))
MIXED_IN = {  # what the abstract containers of the standard library call of the class that fills them in
    "get": ("__getitem__",), "setdefault": ("__getitem__",), "pop": ("__getitem__",), "append": ("__len__", "insert"),
    "__contains__": ("__getitem__",), "index": ("__getitem__",), "popitem": ("__iter__",), "remove": ("__delitem__",),
}  # fmt: skip
_NOWHERE = [0, 0, 0, 0]
NONE: Value = ("k", None)
Values = list[Value]


class Imports(Protocol):
    """What names of other files mean; the linker's answer."""

    def bound(self, uri: str, dotted: str, level: int) -> tuple[str, str]:
        """('m', uri of a module), ('ns', dotted name of a folder), ('x', dotted name outside), or ('', '')."""

    def inside(self, package: str, kind: str, name: str) -> str:
        """The uri of the module ``name`` of a package given by ('m') uri or ('ns') dotted name; '' if there is none."""


class Calls(Protocol):
    """Who is told of calls, and who knows what they give back."""

    def call(
        self,
        callee: Values,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values: ...

    def each(
        self,
        callee: Values,
        positional: list[Values],
        named: list[tuple[str, Values]],
        place: list[int],
        scope: Scope,
    ) -> Values: ...

    def note_loop(self, target: Flow, containers: Values, scope: Scope) -> None:
        """Is told that a name stands for each part of a container in turn."""

    def is_each(self, callee: Flow, scope: Scope) -> bool:
        """Whether all that a name holds is called, one after the other."""

    def unknown(self, callee: Flow, place: list[int], scope: Scope, reason: str) -> None:
        """Is told of a call that says nothing certain."""

    def is_crowded(self, callee: Values, scope: Scope) -> bool:
        """Whether more may be called than is given for one expression."""

    def is_open(self, callee: Flow, owners: Values, values: Values, scope: Scope) -> bool:
        """Whether another run may find something else in the callee; ``owners`` is what stands before its dot."""

    def is_live(self, scope: Scope) -> bool:
        """Whether loading the modules of the run carries the scope out, so that all that flows there is known."""

    def where(self, expression: Flow, place: list[int], scope: Scope) -> list[int]:
        """The place, or nowhere if the expression may hold something that isn't known."""

    def method(
        self, receivers: Values, name: str, arguments: list[Values], place: list[int], scope: Scope
    ) -> Values:
        """Calls a special method on those of the receivers that have it."""


class Names:
    """Looks names up; ``calls`` is told of the properties that are entered on the way."""

    def __init__(self, registry: Registry, store: Store, imports: Imports) -> None:
        self.registry, self.store, self.imports = registry, store, imports
        self.calls: Calls

    def name(self, expression: Flow, scope: Scope) -> Values:
        name = expression[1]
        here: Scope | None = scope
        while here is not None:
            if here.outer.get(name) == "global":
                here = here.module
            if name in here.names and (here is scope or here.kind != "class"):
                values = unique(
                    [
                        value
                        for key in self.keys(expression, here, scope)
                        for value in self.store.get(key)
                    ]
                )
                function = here.function
                if function is None:
                    return values
                if (
                    not values
                    and name == function.receiver
                    and function.owner is not None
                    and self.store.is_full((here.key, name))
                ):
                    return [
                        ("i", function.owner, "self")
                    ]  # too many to tell apart, but all are of its class
                return self.permitted(values, function.allowed.get(name))
            if here.parent is None:
                return self.module_name(here.uri, name, ())
            here = here.parent
        return []

    def keys(self, expression: Flow, home: Scope, scope: Scope) -> list[Key]:
        """The variables behind a name: one for each assignment that can have come last, or one for all."""
        if home is scope and len(expression) > 2:
            return [(home.key, expression[1], number) for number in expression[2]]
        return [(home.key, expression[1])]

    def home(self, name: str, scope: Scope) -> Scope:
        if scope.outer.get(name) == "global":
            return scope.module
        here: Scope | None = scope
        while here is not None and (
            name not in here.names or (here is not scope and here.kind == "class")
        ):
            here = here.parent
        return here or scope

    def module_name(
        self, uri: str, name: str, seen: tuple[str, ...], only_module: bool = False
    ) -> Values:
        """A name of a module: bound in it, or come through a star import, or a builtin."""
        module = self.registry.modules.get(uri)
        if module is None or uri in seen:
            return []
        if name in module.names:
            return self.store.get((module.key, name))
        for star in module.stars:
            kind, where = self.imports.bound(uri, star[2], star[3])
            if kind == "m" and self._is_public(where, name):
                found = self.module_name(where, name, (*seen, uri), True)
                if found:
                    return found
        if not only_module and name in _BUILTINS:
            return [("x", f"builtins.{name}")]
        return []

    def _is_public(self, uri: str, name: str) -> bool:
        """Whether a star import brings a name: what ``__all__`` lists, else what has no underscore."""
        module = self.registry.modules.get(uri)
        if module is None or "__all__" not in module.names:
            return not name.startswith("_")
        listed = [
            item[1]
            for value in self.store.get((module.key, "__all__"))
            if value[0] == "l"
            for item in self.store.get(("el", value[1]))
        ]
        return name in listed or not all(isinstance(item, str) for item in listed) or not listed

    def imported(self, statement: Flow, uri: str) -> Values:
        _, _, dotted, level, member = statement
        kind, where = self.imports.bound(uri, dotted, level)
        if not member or not kind:
            return [(kind, where)] if kind else []
        if kind == "x":
            return [("x", f"{where}.{member}")]
        return self.member(kind, where, member)

    def member(self, kind: str, where: str, name: str) -> Values:
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
            elif allowed and (value[0] in ("l", "m") or (value[0] == "k" and value != NONE)):
                continue
            elif value[0] != "p" or allowed is None:
                found.append(value)
        return found

    # -- attributes ----------------------------------------------------------------------------------------------------------------

    def attribute(self, owners: Values, name: str, place: list[int], scope: Scope) -> Values:
        """``place`` is where a property is entered; nowhere, if for some of the owners it is a plain attribute."""
        found: Values = []
        if len(owners) > 1 and any(
            owner[0] == "i" and self._is_plain(owner[1], name) for owner in owners
        ):
            place = _NOWHERE
        for owner in owners:
            kind = owner[0]
            if kind in ("m", "ns"):
                held = self.member(kind, owner[1], name)
                found += held or (
                    self._asked_module(owner[1], name, place, scope) if kind == "m" else []
                )
            elif kind == "x":
                found.append(("x", f"{owner[1]}.{name}"))
            elif kind == "c":
                found += self._of_class(owner[1], name, place, scope)
            elif kind == "i":
                found += self._of_instance(owner, name, place, scope)
            elif kind == "u":
                found += self._of_super(owner, name, place, scope)
            elif kind == "l":
                found.append(("lm", owner[1], name))
            elif kind == "kind":
                found += self._of_kind(owner[1], name, place, scope)
            elif kind == "f":
                found += self.store.get(("attr", id(owner[1]), name))
            elif kind == "k" and owner[1] is not None:
                found.append(("x", f"builtins.{type(owner[1]).__name__}.{name}"))
        return unique(found)

    def _asked_module(self, uri: str, name: str, place: list[int], scope: Scope) -> Values:
        asked = (
            []
            if name.startswith("__") or self._binds(uri, name, ())
            else self.module_name(uri, "__getattr__", (), True)
        )
        return self.calls.call(
            [value for value in asked if value[0] == "f"], [[("k", name)]], [], place, scope
        )

    def _binds(self, uri: str, name: str, seen: tuple[str, ...]) -> bool:
        """Whether a module has such a name, or may have it, even if it isn't known what it holds."""
        module = self.registry.modules.get(uri)
        if module is None or uri in seen:
            return module is None
        stars = [self.imports.bound(uri, star[2], star[3]) for star in module.stars]
        return name in module.names or any(
            kind != "m" or self._binds(where, name, (*seen, uri)) for kind, where in stars
        )

    def _of_class(self, cls: Class, name: str, place: list[int], scope: Scope) -> Values:
        found = [
            value
            for home in self.store.order(cls)
            if home is not None
            for value in self.store.get(("attr", id(home), name))
        ]
        found = (
            [value for value in found if value[0] != "i" or value[2] != "said"] if found else found
        )
        hit = self.store.find(cls, name)
        if hit is None:
            if not found and name == "__class__":
                return [("c", cls)]
            return found or self._of_metaclass(cls, name, place, scope)
        home, values = hit
        for value in values:
            if value[0] == "f" and value[1].is_class:
                found.append(("b", value[1], ("c", cls)))
            elif value[0] == "k" and self.is_enum(home):
                found.append(("i", home, "made"))
            else:
                found.append(value)
        return found

    def _of_kind(self, like: Value, name: str, place: list[int], scope: Scope) -> Values:
        found = self._of_class(like[1], name, place, scope)
        return [("b", value[1], like) if _is_virtual(value) else value for value in found]

    def _of_metaclass(self, cls: Class, name: str, place: list[int], scope: Scope) -> Values:
        hits = [hit for meta in self.metaclasses(cls) if (hit := self.store.find(meta, name))]
        return [found for hit in hits for found in self._bound(hit[1], ("c", cls), place, scope)]

    def metaclasses(self, cls: Class) -> list[Class]:
        for home in self.store.order(cls):
            values = self.store.get(("meta", id(home))) if home is not None else []
            if values:
                return [value[1] for value in values if value[0] == "c"]
        return []

    def _of_instance(self, owner: Value, name: str, place: list[int], scope: Scope) -> Values:
        cls = owner[1]
        if name == "__class__":
            return [("c", cls) if owner[2] == "made" else ("kind", owner)]
        found: Values = []
        hit = self.store.find(cls, name)
        if hit is not None and any(value[0] == "f" for value in hit[1]):
            return self._bound(
                hit[1], owner, place, scope
            )  # a method that somebody replaces on single objects is still the method
        order = self.store.order(cls)
        for home in order:
            if home is not None:
                found += self.permitted(
                    self.store.get(("attr", id(home), name)), home.allowed.get(name)
                )
        if hit is not None:
            found += self._bound(hit[1], owner, place, scope)
        if (
            not found
            and hit is None
            and name in MIXED_IN
            and self.is_below(cls, "collections.abc.", "typing.Mutable", "typing.Mapping")
        ):
            return [("mix", owner, name)]
        if found or hit is not None or None in order or name.startswith("__"):
            return found
        mixed = self._mixed_in(owner, name)
        if mixed:
            return self._bound(mixed, owner, place, scope)
        if not self._is_field(order, name) and not any(
            home is not None and home.is_dynamic for home in order
        ):
            return self.calls.method([owner], "__getattr__", [[("k", name)]], place, scope)
        return found

    def _mixed_in(self, owner: Value, name: str) -> Values:
        """A method that a class itself lacks, if all of its subclasses have the same: it is made to be mixed in."""
        if owner[2] != "self":
            return []
        hits = [self.store.find(cls, name) for cls in self.store.below(owner[1])]
        found = unique([value for hit in hits if hit is not None for value in hit[1]])
        return found if len(found) == 1 and found[0][0] == "f" else []

    def _is_plain(self, cls: Class, name: str) -> bool:
        """Whether an object of the class has it as an attribute that no function stands behind."""
        hit = self.store.find(cls, name)
        if hit is not None:
            return not any(value[0] in ("f", "prop") for value in hit[1])
        keys = [("attr", id(home), name) for home in self.store.order(cls) if home is not None]
        return any(self.store.get(key) or self.store.is_doubted(key) for key in keys)

    def _is_field(self, order: list[Class | None], name: str) -> bool:
        """Whether an object of the class has such an attribute, though nothing is known of what it holds."""
        return any(
            self.store.is_doubted(("attr", id(home), name)) or name in home.allowed
            for home in order
            if home is not None
        )

    def _bound(self, values: Values, receiver: Value, place: list[int], scope: Scope) -> Values:
        found: Values = []
        for value in values:
            function = value[1] if value[0] == "f" else None
            if value[0] == "prop":
                found += self.calls.call([("b", value[1], receiver)], [], [], place, scope)
            elif value[0] == "i":
                given = self.calls.method(
                    [value], "__get__", [[receiver], [("c", receiver[1])]], place, scope
                )
                found += given or [value]
            elif function is None or (function.owner is None and receiver[0] != "i"):
                found.append(value)
            elif function.is_static:
                found.append(("b", function, receiver) if receiver[0] == "i" else value)
            elif function.is_property:
                if function.is_cached and not self.calls.is_live(
                    scope
                ):  # entered once, by whoever asks first
                    found += self.calls.call([("b", function, receiver)], [], [], _NOWHERE, scope)
                elif not function.is_setter:
                    found += self.calls.call([("b", function, receiver)], [], [], place, scope)
            elif function.is_class:
                found.append(("b", function, receiver))
            else:
                found.append(("b", function, receiver))
        return found

    def _of_super(self, owner: Value, name: str, place: list[int], scope: Scope) -> Values:
        _, cls, receiver = owner
        seen = receiver[1] if receiver[0] == "kind" else receiver
        hit = self.store.find(seen[1], name, after=cls) if seen[0] in ("i", "c") else None
        if hit is None:
            return [("ctor", receiver[1])] if receiver[0] == "c" and name == "__call__" else []
        return [
            ("sb", *value[1:]) if value[0] == "b" else value
            for value in self._bound(hit[1], receiver, place, scope)
        ]

    def fields(self, cls: Class) -> list[str]:
        """The annotated names of a class and its bases, the bases' first."""
        return list(
            dict.fromkeys(
                name
                for home in reversed(self.store.order(cls))
                if home is not None
                for name in home.fields
            )
        )

    def is_enum(self, cls: Class) -> bool:
        return self.is_below(cls, "enum.")

    def is_below(self, cls: Class, *dotted: str) -> bool:
        """Whether one of the bases from outside begins like that."""
        for home in self.store.order(cls):
            for place in range(len(home.record["bases"]) if home is not None else 0):
                for value in self.store.get(("base", id(home), place)):
                    if value[0] == "x" and str(value[1]).startswith(dotted):
                        return True
        return False


def _is_virtual(value: Value) -> bool:
    """Whether a subclass may have another in its place, asked through ``cls``."""
    return (
        value[0] in ("f", "b")
        and value[1].owner is not None
        and (value[1].is_class or value[1].is_static)
    )


def unique(values: Values) -> Values:
    return list(dict.fromkeys(values)) if len(values) > 1 else values
