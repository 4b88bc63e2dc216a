"""What written types promise and what they admit."""

from __future__ import annotations

from kgraph.code.python.evaluate import Evaluator
from kgraph.code.python.expressions import Flow
from kgraph.code.python.names import NONE, Values, unique
from kgraph.code.python.scopes import Class, Scope

_FIRST_OF = {
    "Optional", "Annotated", "ClassVar", "Final", "Awaitable", "Coroutine", "Required", "NotRequired", "InitVar", "Union", "ReadOnly",
}  # fmt: skip
_HOLDERS = {
    "list", "List", "Sequence", "Iterable", "Iterator", "set", "Set", "FrozenSet", "frozenset", "tuple", "Tuple", "Generator", "Collection",
    "AsyncIterator", "AsyncIterable", "AsyncGenerator", "deque", "Deque", "MutableSequence", "AbstractSet", "MutableSet", "Reversible",
}  # fmt: skip
_CLOSED = {
    "list",
    "List",
    "dict",
    "Dict",
    "tuple",
    "Tuple",
    "set",
    "Set",
    "frozenset",
    "IO",
    "PathLike",
    "Literal",
}
_MAPPINGS = {
    "dict",
    "Dict",
    "Mapping",
    "MutableMapping",
    "defaultdict",
    "OrderedDict",
    "DefaultDict",
}
_NOTHING: Flow = ["x", []]  # None, or a constant


class Written:
    def __init__(self, evaluator: Evaluator) -> None:
        self._eval, self._store = evaluator, evaluator.store

    def declared(self, written: Flow, scope: Scope) -> Values:
        """The instances that a written type promises."""
        head = written[0]
        if head == "|":  # one class or nothing: of several, which one it is can't be told
            known = [item for item in written[1] if item != _NOTHING]
            found = self.declared(known[0], scope) if len(known) == 1 else []
            return [*found, NONE] if found and len(known) < len(written[1]) else found
        if head == "s":
            return self._generic(written, scope)
        if head not in ("n", "a"):
            return []
        if written[-1] == "Self" or (head == "a" and written[2] == "Self"):
            here: Scope | None = scope
            while here is not None and here.owner is None:
                here = here.parent
            return (
                [("i", here.owner, "said")] if here is not None and here.owner is not None else []
            )
        found = []
        for value in self._eval.value(written, scope):
            if value[0] == "c":
                found.append(("i", value[1], "said"))
            elif value[0] == "tv":
                found += self._store.get(("bound", value[1]))
        return unique(found)

    def allowed(self, written: Flow, scope: Scope) -> list[Class] | None:
        """The classes of the run whose instances a written type admits; None if it could be any."""
        if written == _NOTHING:
            return []
        if written[0] == "|":
            parts = [self.allowed(item, scope) for item in written[1]]
            return None if None in parts else [cls for part in parts if part for cls in part]
        if written[0] == "s":
            last = (
                written[1][1]
                if written[1][0] == "n"
                else written[1][2]
                if written[1][0] == "a"
                else ""
            )
            if last in ("Optional", "Union"):
                return self.allowed(["|", written[2]], scope)
            return (
                []
                if last in _CLOSED
                else self.allowed(written[1], scope)
                if last not in _HOLDERS | _MAPPINGS | _FIRST_OF
                else None
            )
        if written[0] not in ("n", "a"):
            return None
        values = self._eval.value(written, scope)
        classes = [value[1] for value in values if value[0] == "c"]
        if classes and len(classes) == len(values):
            return None if any(self._is_protocol(cls) for cls in classes) else classes
        return (
            []
            if values and all(value[0] == "x" and _is_plain(str(value[1])) for value in values)
            else None
        )

    def _is_protocol(self, cls: Class) -> bool:
        bases = [
            value
            for place in range(len(cls.record["bases"]))
            for value in self._store.get(("base", id(cls), place))
        ]
        return any(value[0] == "x" and str(value[1]).endswith(".Protocol") for value in bases)

    def _generic(self, written: Flow, scope: Scope) -> Values:
        _, outer, inner, _ = written
        name = outer[1] if outer[0] == "n" else outer[2] if outer[0] == "a" else ""
        if name in _FIRST_OF:
            known = [item for item in inner if item != _NOTHING]
            if name in ("Union", "Optional"):
                return self.declared(["|", known if name == "Union" else [*known, _NOTHING]], scope)
            return self.declared(known[-1 if name == "Coroutine" else 0], scope) if known else []
        if name in ("type", "Type"):
            return [("kind", value) for value in self.declared(inner[0], scope) if value[0] == "i"]
        if name in ("tuple", "Tuple") and inner and not any(item == _NOTHING for item in inner):
            return [self._eval.make(id(written), [self.declared(item, scope) for item in inner])]
        if name in _HOLDERS and inner:
            self._eval.fill(id(written), self.declared(inner[0], scope))
            return [("l", id(written), "l")]
        if name in _MAPPINGS and len(inner) == 2:
            self._eval.fill(id(written), self.declared(inner[1], scope))
            self._store.put(("keys", id(written)), self.declared(inner[0], scope))
            return [("l", id(written), "d")]
        return self.declared(outer, scope)


def _is_plain(dotted: str) -> bool:
    package, _, name = dotted.rpartition(".")
    if package in ("typing", "typing_extensions"):
        return name in ("IO", "TextIO", "BinaryIO")
    return not package.startswith("collections") and dotted not in (
        "builtins.object",
        "builtins.type",
    )
