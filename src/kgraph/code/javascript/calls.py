"""Who calls whom in JavaScript and TypeScript: imports through any chain of re-exports, classes, objects that are written out, and
values whose making or declared class is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kgraph.code.facts import FileFacts, Import, Place
from kgraph.code.flow import OUTSIDE, SEVERAL, UNTYPED, Expr, Flow, Value, unknown
from kgraph.code.kept import Kept

_ONE = frozenset("find findLast at pop shift get".split())
_SAME = frozenset(
    "filter slice reverse sort concat splice toSorted toReversed values entries finally catch add set keys with fill copyWithin".split()
)
# What arrays, strings, maps, promises, functions, elements and emitters have.
_BUILT_IN = frozenset(
    "map forEach reduce reduceRight some every includes indexOf lastIndexOf join push unshift flat flatMap findIndex findLastIndex "
    "toString toJSON valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString constructor charAt charCodeAt codePointAt "
    "endsWith startsWith match matchAll normalize padEnd padStart repeat replace replaceAll search split substring substr toLowerCase "
    "toUpperCase trim trimEnd trimStart test exec has delete clear size then call apply bind next return throw emit on off once "
    "addEventListener removeEventListener dispatchEvent appendChild removeChild insertBefore setAttribute getAttribute removeAttribute "
    "querySelector querySelectorAll log error warn info debug write end pipe close open send json text toFixed getTime abort".split()
)
_NO_EXPORT = unknown("no such export", ours=True)
_KEPT_EXPORTS = 20_000
_NOWHERE = Place(0, 0, 0, 0)


class JavaScriptFlow(Flow):
    everywhere = _ONE | _SAME | _BUILT_IN

    def __init__(
        self, files: Mapping[str, FileFacts], resolved: Callable[[Import, str], str | None]
    ) -> None:
        """``resolved`` gives the file of the run that an import means, '' for something outside, None for what is not there."""
        super().__init__(files)
        self._resolved = resolved
        self._looking: set[tuple[str, str]] = set()
        self._export: Kept[tuple[str, str], Value] = Kept(
            lambda key: self._looked(*key), _KEPT_EXPORTS
        )
        self._below = self.below()

    # -- names -----------------------------------------------------------------------------------------------------------------------

    def outer(self, uri: str, name: str, at: int) -> Value:
        if name == "this":
            return UNTYPED
        if name == "exports" and self.body(uri).more.get("exports"):
            return Value("module", uri)
        for found in self._files[uri].imports:
            for there, here in found.names if found.form != "export" else ():
                if here == name:
                    return self._imported(found, there, uri)
        return OUTSIDE  # nothing of the file binds it: a global

    def _imported(self, found: Import, there: str, uri: str) -> Value:
        target = self._resolved(found, uri)
        if not target:
            return OUTSIDE  # what leads nowhere is listed as an import
        return self._whole(target) if there in ("*", "=") else self.exported(target, there)

    def _whole(self, uri: str) -> Value:
        """What a module is to who takes all of it: what it sets ``module.exports`` to, or its exports."""
        more = self.body(uri).more
        return (
            self.value(more["exports"]["="], uri)
            if more and "=" in more["exports"]
            else Value("module", uri)
        )

    def exported(self, uri: str, name: str) -> Value:
        """What a module exports under a name, through re-exports to any depth."""
        if (uri, name) in self._looking or uri not in self._files:
            return _NO_EXPORT
        return self._export((uri, name)) if not self._looking else self._looked(uri, name)

    def _looked(self, uri: str, name: str) -> Value:
        self._looking.add((uri, name))
        try:
            return self._exported(uri, name)
        finally:
            self._looking.discard((uri, name))

    def _exported(self, uri: str, name: str) -> Value:
        exports = self.body(uri).more.get("exports", {})
        if name in exports:
            return self.value(exports[name], uri)
        stars = []
        for found in self._files[uri].imports:
            for there, here in found.names if found.form == "export" else ():
                if here == name:
                    return self._imported(found, there, uri)
                if there == "*" and not here and name != "default":
                    stars.append(found)
        if "=" in exports:
            whole = self._whole(uri)
            return whole if name == "default" else self.member(whole, name)
        hits: dict[Value, None] = {}
        outside = False
        for found in stars:
            target = self._resolved(found, uri)
            outside = outside or target == ""
            hit = self.exported(target, name) if target else _NO_EXPORT
            if hit != _NO_EXPORT:
                hits[hit] = None
        if len(hits) == 1:
            return next(iter(hits))
        if not hits and any(found.form == "require" for found in self._files[uri].imports):
            return unknown("the module may export it as it runs")
        return (
            OUTSIDE
            if outside and not hits
            else _NO_EXPORT
            if not hits
            else unknown("exported by several modules", ours=True)
        )

    def inside(self, module: Value, name: str) -> Value:
        return self.exported(module.uri, name)

    def special(self, expr: Expr, uri: str) -> Value:
        operator = expr[0]
        if operator == "T":
            return self._type(uri, expr[1], expr[2])
        if operator == "v":
            return self.value(expr[1], uri)
        if operator == "make":
            return self.value(expr[1], uri)
        if operator == "req":
            target = self._resolved(Import(_NOWHERE, expr[1], (), "import", expr[2]), uri)
            if not target:
                return OUTSIDE  # what leads nowhere is listed as an import
            return (
                Value("holder", inner=(Value("module", target),))
                if expr[2] == "dynamic"
                else self._whole(target)
            )
        if operator == "await":
            value = self.value(expr[1], uri)
            return value.inner[0] if value.kind == "holder" else value
        if operator == "obj":
            return Value("made", uri, expr[1])
        if operator == "list":
            return Value("holder", inner=(UNTYPED,))
        if operator in ("super", "base"):
            return self._above(uri, expr[1], operator == "base")
        return UNTYPED

    def _type(self, uri: str, name: str, at: int) -> Value:
        if any(start <= at < end for start, end, *_ in self.body(uri).names.get(f"T:{name}", ())):
            return unknown("its type is no class")
        found = self.named(uri, name, at)
        return found if found.kind in ("type", "outside") else unknown("its type is no class")

    def made(self, found: Value) -> Value:
        return found if found.kind in ("made", "module", "local") else super().made(found)

    def _above(self, uri: str, at: int, constructor: bool) -> Value:
        this = self.named(uri, "this", at)
        if this.kind not in ("object", "type"):
            return this
        bases = list(self.bases(Value("type", this.uri, this.name)))
        if not bases or bases[0].kind != "type":
            return bases[0] if bases else OUTSIDE
        if constructor:
            return self._constructor(bases[0]) or OUTSIDE
        return (
            bases[0]
            if this.kind == "type"
            else Value("object", bases[0].uri, bases[0].name, exact=True)
        )

    # -- members ---------------------------------------------------------------------------------------------------------------------

    def _value(self, expr: Expr, uri: str) -> Value:
        if (
            expr[0] == "." and expr[1] and expr[1][0] == "n"
        ):  # what was put on a function or class: 'f.helper = function …'
            put = self.body(uri).more.get("props", {}).get(expr[1][1], {}).get(expr[2])
            if put and not self._is_local(uri, expr[1][1], expr[1][2]):
                return self.value(put, uri)
        if expr[0] == "new":
            maker = self.value(expr[1], uri)
            if (
                maker.kind == "function"
                and f"{maker.name}.prototype" in self.body(maker.uri).more["props"]
            ):
                return Value("object", maker.uri, maker.name)
            return self.made(maker)._replace(exact=maker.kind == "type")
        return super()._value(expr, uri)

    def _is_local(self, uri: str, name: str, at: int) -> bool:
        return any(0 < start <= at < end for start, end, *_ in self.body(uri).names.get(name, ()))

    def member(self, of: Value, name: str, given: int = -1) -> Value:
        if of.kind == "made":
            return self._of_object(of, name)
        if of.kind == "function":
            if name in ("call", "apply", "bind"):
                return of if name != "bind" else Value("implicit", inner=(of,))
            return unknown("a member of a function")
        if of.kind == "local":
            return UNTYPED
        return super().member(of, name, given)

    def _of_object(self, of: Value, name: str) -> Value:
        more = self.body(of.uri).more
        fields, is_open = more["objects"].get(of.name, [{}, True])
        if name in more["set"]:
            return unknown("set again later", ours=True)
        if name in fields:
            return self.value(fields[name], of.uri)
        return (
            unknown("the object may hold it from elsewhere")
            if is_open
            else unknown(f"the object shows no {name}", ours=True)
        )

    def _member(self, of: Value, name: str, given: int) -> Value:
        found = super()._member(of, name, given)
        if found.kind == "function":
            owner, _, plain = found.name.rpartition(".")
            if plain in self.about(Value("type", found.uri, owner)).get("getters", ()):
                return self.result(found)
        return found

    def method(self, owner: Value, name: str, given: int) -> Value | None:
        if (
            self.kind(owner.uri, owner.name) == "function"
        ):  # a function that makes objects, and what its prototype has
            put = self.body(owner.uri).more["props"].get(f"{owner.name}.prototype", {}).get(name)
            return self.value(put, owner.uri) if put else None
        if (
            name in self.about(owner).get("abstract", ())
            and self.kind(owner.uri, f"{owner.name}.{name}") != "function"
        ):
            anew = self._anew(owner, name)
            return Value("function", *anew.pop()) if len(anew) == 1 else SEVERAL
        return super().method(owner, name, given)

    def chosen(self, receiver: Value, found: Value, given: int) -> Value:
        if receiver.kind == "type" or receiver.exact or found.name.endswith(".constructor"):
            return found
        return (
            SEVERAL
            if self._anew(receiver, found.name.rpartition(".")[2]) - {(found.uri, found.name)}
            else found
        )

    def _anew(self, owner: Value, name: str) -> set[tuple[str, str]]:
        """The methods of that name that classes below define."""
        found: set[tuple[str, str]] = set()
        queue, seen = [(owner.uri, owner.name)], set()
        while queue:
            here = queue.pop()
            if here in seen:
                continue
            seen.add(here)
            for uri, symbol in self._below.get(here, ()):
                queue.append((uri, symbol))
                about = self.body(uri).types[symbol]
                if self.kind(uri, f"{symbol}.{name}") == "function" or name in about["fields"]:
                    found.add((uri, f"{symbol}.{name}"))
        return found

    def held(self, holder: Value, name: str) -> Value:
        if name in _ONE:
            return Value("implicit", inner=holder.inner)
        return Value("implicit", inner=(holder if name in _SAME else UNTYPED,))

    def result(self, callee: Value) -> Value:
        if callee.kind == "local":
            return UNTYPED
        return super().result(callee)

    # -- classes ---------------------------------------------------------------------------------------------------------------------

    def entered(self, value: Value, expr: Expr) -> list[tuple[str, Value]]:
        if expr[0] != "make":
            return []
        constructor = self._constructor(value)
        return [
            ("instantiates", value),
            *([("call", constructor)] if constructor is not None else []),
        ]

    def _constructor(self, owner: Value) -> Value | None:
        """The constructor that runs: the class's own, or that of the first class above that has one."""
        for above in self.lineage(owner):
            if above.kind != "type":
                return None
            if self.kind(above.uri, f"{above.name}.constructor") == "function":
                return Value("function", above.uri, f"{above.name}.constructor")
        return None
