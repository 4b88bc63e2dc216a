"""Who calls whom in JavaScript and TypeScript, where names alone say so: local functions, imports through any chain of re-exports,
``this`` within a class and its bases, and constants that hold a new object."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kgraph.extract.code.facts import FileFacts, Import, Place
from kgraph.tuples import NamedTuple

Found = tuple[str, str]  # uri, symbol ('' for the module itself)


class SymbolEdge(NamedTuple):
    caller: str
    uri: str
    callee: str
    kind: str
    place: Place


class _File:
    def __init__(self, facts: FileFacts) -> None:
        body = facts.body or {"exports": [], "calls": [], "made": [], "extends": [], "bindings": []}
        self.kinds = {symbol.name: symbol.kind for symbol in reversed(facts.symbols)}
        self.exports: dict[str, str] = dict(body["exports"])
        self.calls, self.extends = body["calls"], {name: (base, Place(*place)) for name, base, place in body["extends"]}
        self.made = {(scope, name): callee for scope, name, callee in body["made"]}
        self.bindings = {(scope, name) for scope, name in body["bindings"]}
        self.imports: dict[str, tuple[Import, str]] = {}
        self.again: list[Import] = []
        for found in facts.imports:
            if found.form == "export":
                self.again.append(found)
            else:
                self.imports |= {here: (found, there) for there, here in found.names}


class CallsByName:
    def __init__(self, files: Mapping[str, FileFacts], resolved: Callable[[Import, str], str]) -> None:
        self._files = {uri: _File(facts) for uri, facts in files.items()}
        self._resolved = resolved
        self._overridden: set[tuple[str, str, str]] = set()  # (uri, class, method) that some class below has anew
        for uri, file in self._files.items():
            for name in file.extends:
                methods = [symbol.rpartition(".")[2] for symbol in file.kinds if symbol.rpartition(".")[0] == name]
                for above in self._above(uri, name)[1:]:
                    self._overridden |= {(*above, method) for method in methods}

    def edges(self, uri: str) -> list[SymbolEdge]:
        """Sorted; only what is certain."""
        file = self._files[uri]
        found: set[SymbolEdge] = set()
        for scope, callee, new, place in file.calls:
            target = self._callee(uri, scope, callee)
            if target is None:
                continue
            kind = self._files[target[0]].kinds.get(target[1])
            if kind == "class" and new:
                found.add(SymbolEdge(scope, *target, "instantiates", Place(*place)))
                made = self._member(*target, "constructor")
                target = made if made is not None else ("", "")
            if target[1] and self._files[target[0]].kinds.get(target[1]) == "function":
                found.add(SymbolEdge(scope, *target, "call", Place(*place)))
        for name, (base, where) in file.extends.items():
            above = self._callee(uri, name.rpartition(".")[0], base)
            if above is not None and self._files[above[0]].kinds.get(above[1]) == "class":
                found.add(SymbolEdge(name, *above, "inherits", where))
        return sorted(found)

    def _callee(self, uri: str, scope: str, callee: str) -> Found | None:
        head, *rest = callee.split(".")
        if head == "this":
            owner = self._class_around(uri, scope)
            return self._member(uri, owner, rest[0], False) if owner and len(rest) == 1 else None
        target = self._name(uri, scope, head)
        for part in rest:
            if target is None:
                return None
            target = self._member(*target, part) if target[1] else self._export(target[0], part, ())
        return target

    def _name(self, uri: str, scope: str, name: str) -> Found | None:
        """What a plain name means where it is used; None if it is bound to something that is not known."""
        file = self._files[uri]
        here = scope
        while True:
            qualified = f"{here}.{name}" if here else name
            if (here, name) in file.made:
                kind = self._callee(uri, here, file.made[here, name])
                return kind if kind is not None and self._files[kind[0]].kinds.get(kind[1]) == "class" else None
            if qualified in file.kinds and file.kinds.get(here) != "class":
                return uri, qualified
            if (here, name) in file.bindings:
                return None
            if not here:
                break
            here = here.rpartition(".")[0]
        if name not in file.imports:
            return None
        found, there = file.imports[name]
        target = self._resolved(found, uri)
        if target not in self._files:
            return None
        return (target, "") if there == "*" else self._export(target, there, ())

    def _export(self, uri: str, name: str, seen: tuple[str, ...]) -> Found | None:
        """What a module exports under a name, through re-exports to any depth."""
        file = self._files.get(uri)
        if file is None or uri in seen:
            return None
        if name in file.exports:
            local = file.exports[name]
            if local in file.kinds:
                return uri, local
            return self._name(uri, "", local) if local in file.imports else None
        stars = []
        for found in file.again:
            for there, here in found.names:
                if here == name:
                    target = self._resolved(found, uri)
                    return ((target, "") if target in self._files else None) if there == "*" else self._export(target, there, (*seen, uri))
                if there == "*" and not here and name != "default":
                    stars.append(found)
        hits = {hit for found in stars if (hit := self._export(self._resolved(found, uri), name, (*seen, uri))) is not None}
        return hits.pop() if len(hits) == 1 else None

    def _member(self, uri: str, owner: str, name: str, exact: bool = True) -> Found | None:
        """A method of a class or of the first class above that has it; not one that a class below may have replaced, unless exact."""
        for place, above in self._above(uri, owner):
            if f"{above}.{name}" in self._files[place].kinds:
                replaced = not exact and ((uri, owner, name) in self._overridden or (place, above, name) in self._overridden)
                return None if replaced else (place, f"{above}.{name}")
        return None

    def _above(self, uri: str, owner: str) -> list[Found]:
        chain: list[Found] = []
        here: Found | None = (uri, owner)
        while here is not None and here not in chain:
            chain.append(here)
            base = self._files[here[0]].extends.get(here[1])
            here = self._callee(here[0], here[1].rpartition(".")[0], base[0]) if base is not None else None
        return chain

    def _class_around(self, uri: str, scope: str) -> str:
        kinds = self._files[uri].kinds
        while scope and kinds.get(scope) != "class":
            scope = scope.rpartition(".")[0]
        return scope
