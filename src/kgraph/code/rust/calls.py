"""Who calls whom in Rust: paths through modules and ``use``, methods by the type of a value, a trait's own where nothing replaces it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from kgraph.code.facts import FileFacts, Import, Place
from kgraph.code.flow import (
    OUTSIDE,
    SEVERAL,
    UNTYPED,
    Answer,
    Expr,
    Flow,
    SymbolEdge,
    Value,
    unknown,
)

_ITSELF = frozenset(
    "clone as_ref borrow deref drop eq ne cmp hash fmt to_string into from downgrade".split()
)  # of a shared pointer
_SAME = frozenset(
    "iter iter_mut into_iter as_ref as_mut as_deref as_deref_mut lock read write cloned copied filter rev take skip next get get_mut "
    "first last first_mut last_mut pop pop_front pop_back front back values values_mut into_values ok chain peekable peek drain or "
    "or_else step_by entry nth min_by_key max_by_key min_by max_by find collect clone by_ref replace remove insert try_lock".split()
)
_ONE = frozenset(
    "unwrap expect unwrap_or unwrap_or_default unwrap_or_else borrow borrow_mut into_inner or_insert or_insert_with".split()
)
_PRELUDE = frozenset(
    "Some None Ok Err Box Vec String Option Result drop ToString ToOwned Into From Iterator IntoIterator Default Clone Copy Send Sync "
    "Sized Drop Fn FnMut FnOnce Eq PartialEq Ord PartialOrd AsRef AsMut Extend Debug Hash TryFrom TryInto str bool char u8 u16 u32 u64 "
    "u128 usize i8 i16 i32 i64 i128 isize f32 f64 FromIterator DoubleEndedIterator ExactSizeIterator".split()
)
Spot = tuple[str, str]  # uri, symbol


class Tree(Protocol):
    """What the linker knows of crates and modules. A module is its crate's root file and the path below it."""

    def module(self, uri: str) -> tuple[str, tuple[str, ...]]: ...

    def file(self, root: str, path: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The file that holds a module, and the inline modules inside it."""

    def known(self, root: str, path: tuple[str, ...]) -> bool: ...

    def crate(self, name: str, uri: str) -> str | None:
        """The root file of a crate of the checkout; '' for one outside; None if Cargo.toml names none."""


class RustFlow(Flow):
    separator = "::"
    everywhere = (
        _SAME
        | _ONE
        | _ITSELF
        | frozenset(
            "map len is_empty push extend is_some is_none ok_or map_err and_then contains".split()
        )
    )

    def __init__(self, files: Mapping[str, FileFacts], tree: Tree) -> None:
        super().__init__(files)
        self._tree = tree
        self._looking: set[tuple[str, tuple[str, ...], str]] = set()
        self._methods: dict[
            Spot, dict[str, dict[Spot, bool]]
        ] = {}  # type → name → method, whether it is a trait's
        self._traits: dict[Spot, dict[Spot, None]] = {}
        self._types: dict[Spot, dict[Spot, None]] = {}  # trait → types
        self._on_outside: set[str] = (
            set()
        )  # methods that the sources give to types from outside, or to all types
        self._inherits: dict[str, list[SymbolEdge]] = {}
        for uri in files:
            for written, trait, methods, place, _ in self.body(uri).more.get("impls", ()):
                self._implement(
                    uri,
                    self.value(written, uri),
                    self.value(trait, uri) if trait else None,
                    methods,
                    place,
                )

    def _implement(
        self, uri: str, of: Value, trait: Value | None, methods: list[list[str]], place: list[int]
    ) -> None:
        if of.kind == "type" and self.about(of)["kind"] == "alias":
            of = self.made(of)
        if of.kind not in ("type", "object"):
            self._on_outside |= {name for name, _ in methods}
            return
        spot = (of.uri, of.name)
        for name, symbol in methods:
            self._methods.setdefault(spot, {}).setdefault(name, {})[uri, symbol] = trait is not None
        if trait is not None and trait.kind == "type":
            self._traits.setdefault(spot, {})[trait.uri, trait.name] = None
            self._types.setdefault((trait.uri, trait.name), {})[spot] = None
            edge = SymbolEdge(of.name, trait.uri, trait.name, "inherits", Place(*place), of.uri)
            self._inherits.setdefault(uri, []).append(edge)

    def answer(self, uri: str) -> Answer:
        said = super().answer(uri)
        return said._replace(
            edges=tuple(dict.fromkeys((*said.edges, *self._inherits.get(uri, ()))))
        )

    def _decoded(self, uri: str) -> Any:
        packed = self._files[uri].body["flow"] if "flow" in (self._files[uri].body or {}) else ""
        return self.reading(json.loads(packed) if packed else [{}, [], {}, {}, {}])

    # -- paths -----------------------------------------------------------------------------------------------------------------------

    def special(self, expr: Expr, uri: str) -> Value:
        if expr[0] == "p":
            return self._path(expr[1], uri, expr[2])
        inner = expr[1]
        if expr[0] == "ptr":
            return Value("pointer", inner=(self.instance(inner, uri),))
        if expr[0] == "rowof":
            return Value("row", inner=tuple(self.value(part, uri) for part in inner))
        return Value(
            "holder" if expr[0] == "ofelements" else "pointer", inner=(self.value(inner, uri),)
        )

    def made(self, found: Value) -> Value:
        return found if found.kind == "pointer" else super().made(found)

    def _path(self, parts: list[str], uri: str, at: int) -> Value:
        bound = self._binding(uri, parts[0], at)
        if bound is not None:
            found = (
                self.value(bound[2], uri)
                if parts[0] == "Self" or (bound[2] and len(parts) > 1)
                else self.bound(bound, uri)
            )
            if parts == ["Self"] and found.kind == "object":
                return found
            return self._along(found, parts[1:])
        root, path = self._tree.module(uri)
        return self._from(root, (*path, *self._inside(uri, at)), parts, uri)

    def _binding(self, uri: str, name: str, at: int) -> list[Any] | None:
        around = [
            binding
            for binding in self.body(uri).names.get(name, ())
            if binding[0] <= at < binding[1]
        ]
        return max(around, key=lambda binding: int(binding[0]), default=None)

    def _inside(self, uri: str, at: int) -> tuple[str, ...]:
        """The inline modules around a place."""
        return tuple(
            name for start, end, name in self.body(uri).more.get("inline", ()) if start <= at < end
        )

    def _from(self, root: str, path: tuple[str, ...], parts: list[str], uri: str) -> Value:
        """A path as it is read in a module."""
        rest = list(parts)
        if rest[0] in ("crate", "self", "super", "$crate"):
            start = () if rest[0] in ("crate", "$crate") else path
            while rest and rest[0] in ("crate", "self", "super", "$crate"):
                if rest[0] == "super":
                    start = start[:-1]
                rest = rest[1:]
            return self._along(_module(root, start), rest)
        found = self._item(root, path, rest[0], len(rest) > 1)
        if found is not None:
            return self._along(found, rest[1:])
        crate = self._tree.crate(rest[0], uri)
        if crate:
            return self._along(_module(crate, ()), rest[1:])
        if crate == "" or rest[0] in _PRELUDE:
            return OUTSIDE
        return OUTSIDE if self._globs_outside(root, path) else unknown("no such name in the module")

    def _globs_outside(self, root: str, path: tuple[str, ...]) -> bool:
        """Whether a module takes all names of something outside: those that nothing here explains come from there."""
        uri, inside = self._tree.file(root, path)
        for one in self._files[uri].imports:
            if one.target.endswith("::*") and tuple(filter(None, one.scope.split("::"))) == inside:
                first = one.target.partition("::")[0]
                if first not in ("crate", "self", "super") and self._tree.crate(first, uri) == "":
                    return True
        return False

    def _along(self, found: Value, rest: list[str]) -> Value:
        for place, name in enumerate(rest):
            if found.kind == "module":
                root, path = _parts(found)
                item = self._item(root, path, name, place + 1 < len(rest))
                found = item if item is not None else unknown("no such name in the module")
            elif found.kind in ("type", "object"):
                if name in self.about(found).get("variants", ()):
                    found = Value("type", found.uri, found.name)
                    continue
                found = self.member(Value("type", found.uri, found.name), name)
        return found

    def _item(self, root: str, path: tuple[str, ...], name: str, more: bool) -> Value | None:
        """What a module calls by a name: its items, its modules, what it uses, what its globs bring."""
        if (root, path, name) in self._looking:  # a circle of globs
            return None
        self._looking.add((root, path, name))
        try:
            return self._item_of(root, path, name, more)
        finally:
            self._looking.discard((root, path, name))

    def _item_of(self, root: str, path: tuple[str, ...], name: str, more: bool) -> Value | None:
        uri, inside = self._tree.file(root, path)
        symbol = "::".join((*inside, name))
        own = self.symbol(uri, symbol)
        if own is not None and not (more and own.kind == "function"):
            return own
        if self._tree.known(root, (*path, name)):
            return _module(root, (*path, name))
        held = self.body(uri).more["globals"].get(symbol) if self.body(uri).more else None
        if held is not None:
            return self.bound([0, 0, *held], uri)
        uses = [
            one
            for one in self._files[uri].imports
            if one.form in ("use", "extern")
            and tuple(filter(None, one.scope.split("::"))) == inside
        ]
        for one in uses:
            if one.kind == "import" and one.names[0][1] == name and one.target != name:
                return self._used(root, path, one, uri)
        for one in uses:
            if one.kind == "import" and one.target.endswith("*"):
                found = self._globbed(root, path, one, name, uri)
                if found is not None:
                    return found
        return None

    def _used(self, root: str, path: tuple[str, ...], one: Import, uri: str) -> Value:
        parts = one.target.split("::")
        if (
            parts[0] == one.names[0][1]
        ):  # 'use serde::…' under its own name: a crate, or a module beside
            crate = self._tree.crate(parts[0], uri)
            if crate is not None:
                return self._along(_module(crate, ()), parts[1:]) if crate else OUTSIDE
        return self._from(root, path, parts, uri)

    def _globbed(
        self, root: str, path: tuple[str, ...], one: Import, name: str, uri: str
    ) -> Value | None:
        parts = one.target.split("::")[:-1]
        found = self._from(root, path, parts, uri) if parts else None
        if found is not None and found.kind == "type":
            return found if name in self.about(found).get("variants", ()) else None
        return (
            self._item(*_parts(found), name, False)
            if found is not None and found.kind == "module"
            else None
        )

    # -- methods ---------------------------------------------------------------------------------------------------------------------

    def member(self, of: Value, name: str, given: int = -1) -> Value:
        if of.kind == "pointer":
            return (
                Value("implicit", inner=(of if name == "clone" else OUTSIDE,))
                if name in _ITSELF
                else self.member(of.inner[0], name)
            )
        if of.kind in ("outside", "holder") and name in self._on_outside:
            return unknown("a trait of the sources may stand here")
        return super().member(of, name, given)

    def method(self, owner: Value, name: str, given: int) -> Value | None:
        spot = (owner.uri, owner.name)
        if self.about(owner)["kind"] == "trait":
            return self._of_trait(owner, name)
        found = self._methods.get(spot, {}).get(name, {})
        own = [method for method, of_trait in found.items() if not of_trait] or list(found)
        if len(own) == 1:
            return Value("function", *own[0])
        if own:
            return unknown("several traits give it")
        given_by = [
            (uri, f"{trait}::{name}")
            for uri, trait in self._above(spot)
            if self.kind(uri, f"{trait}::{name}") == "function"
        ]
        if len(given_by) > 1:
            return unknown("several traits give it")
        return Value("function", *given_by[0]) if given_by else None

    def _above(self, spot: Spot) -> list[Spot]:
        return list(self._traits.get(spot, {}))

    def _of_trait(self, trait: Value, name: str) -> Value | None:
        """What a value shows of which only a trait is known: its default if no type replaces it, the only type's if it has none."""
        symbol = f"{trait.name}::{name}"
        if symbol not in self.body(trait.uri).functions:
            return None
        own = self.kind(trait.uri, symbol) == "function"
        anew = {
            method
            for spot in self._types.get((trait.uri, trait.name), {})
            for method in self._methods.get(spot, {}).get(name, {})
        }
        if own:
            return Value("function", trait.uri, symbol) if not anew else SEVERAL
        return (
            Value("function", *anew.pop())
            if len(anew) == 1 and len(self._types[trait.uri, trait.name]) == 1
            else SEVERAL
        )

    def absent(self, of: Value, name: str) -> Value:
        if name in ("clone", "to_owned", "default"):  # derived, and written nowhere
            return Value("implicit", inner=(self.made(of) if of.kind == "type" else of,))
        return unknown(f"the type shows no {name}")  # much is derived

    def held(self, holder: Value, name: str) -> Value:
        if name == "enumerate":
            return Value(
                "implicit",
                inner=(Value("holder", inner=(Value("row", inner=(OUTSIDE, *holder.inner)),)),),
            )
        if name in _ONE:
            return Value("implicit", inner=holder.inner)
        return Value("implicit", inner=(holder if name in _SAME else UNTYPED,))

    def element(self, holder: Value) -> Value:
        return (
            self.element(holder.inner[0]) if holder.kind == "pointer" else super().element(holder)
        )


def _module(root: str, path: tuple[str, ...]) -> Value:
    return Value("module", root, "::".join(path))


def _parts(module: Value) -> tuple[str, tuple[str, ...]]:
    return module.uri, tuple(module.name.split("::")) if module.name else ()
