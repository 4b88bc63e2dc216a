"""Who calls whom in the Python files of a run: all scopes are worked through until nothing new is learnt."""

from __future__ import annotations

from collections.abc import Mapping

from kgraph.extract.code.facts import FileFacts, Place
from kgraph.extract.code.python.apply import Applier, Edge, Open, Site, rebinds
from kgraph.extract.code.python.evaluate import Evaluator
from kgraph.extract.code.python.flow import Flow
from kgraph.extract.code.python.names import Imports, Values
from kgraph.extract.code.python.scopes import Class, Function, Registry, Scope
from kgraph.extract.code.python.store import Store

_FIRST_OF = {"Optional", "Annotated", "ClassVar", "Final", "Awaitable", "Coroutine", "Required", "NotRequired", "InitVar", "Union"}
_HOLDERS = {
    "list", "List", "Sequence", "Iterable", "Iterator", "set", "Set", "FrozenSet", "frozenset", "tuple", "Tuple", "Generator", "Collection",
    "AsyncIterator", "AsyncIterable", "AsyncGenerator", "deque", "Deque", "MutableSequence", "AbstractSet",
}  # fmt: skip
_MOST_TARGETS = 2  # of a method call whose receivers were all seen being made; more is a crossroads
_CLOSED = {"list", "List", "dict", "Dict", "tuple", "Tuple", "set", "Set", "frozenset", "IO", "PathLike", "Literal"}
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict", "DefaultDict"}


class CallGraph:
    """Worked out at once, by ``CallGraph(files, imports)``; then ``edges(uri)`` is a look-up."""

    def __init__(self, files: Mapping[str, FileFacts], imports: Imports) -> None:
        self._registry = Registry([], {}, {}, {})
        self._store = Store()
        self._eval = Evaluator(self._registry, self._store, imports)
        self._apply = self._eval.calls = Applier(self._eval)
        for uri, facts in files.items():
            if facts.body is not None:
                self._registry.add(uri, facts.body)
        self._subclasses: dict[int, list[Class]] = {}
        self._undecided: dict[str, Scope] | None = {}  # scopes with a decorator of the run whose result is not known yet
        self._solve()
        self._by_uri: dict[str, list[tuple[str, str, str, str, Place]]] = {}
        self._open: dict[str, list[Open]] = {}
        self._collect()

    def open(self, uri: str) -> list[Open]:
        """The calls of a file of which it can't be told what they enter, in the order of the text."""
        return self._open.get(uri, [])

    def edges(self, uri: str) -> list[tuple[str, str, str, str, Place]]:
        """(symbol of this file or '' for the module, uri of the other file, its symbol, kind, place), sorted."""
        return self._by_uri.get(uri, [])

    # -- working it out ----------------------------------------------------------------------------------------------------------------

    def _solve(self) -> None:
        for kinds in (("module", "class"), ("function", "lambda")):
            for scope in self._registry.scopes:
                if scope.kind in kinds:
                    self._store.push(scope)
        self._settle()
        waiting = dict(self._undecided or {})
        self._undecided = None  # what a decorator gives back is not known: then it is what it was given
        for scope in waiting.values():
            self._store.push(scope)
        self._settle()
        self._apply.recording = True
        for scope in self._registry.scopes:
            self._store.current = scope
            self._work_through(scope)
        self._store.current = None

    def _settle(self) -> None:
        while (scope := self._store.pop()) is not None:
            self._work_through(scope)

    def _work_through(self, scope: Scope) -> None:
        if scope.function is not None:
            self._own_arguments(scope.function)
        for statement in scope.body:
            self._statement(statement, scope)

    def _own_arguments(self, function: Function) -> None:
        """What a function's arguments hold whoever calls it: its class or an instance of it, defaults, declared types."""
        scope, record, owner = function.scope, function.record, function.owner
        outside = scope.parent or scope
        if owner is not None and not function.is_static and record["positional"]:
            cls_argument = function.is_class or record["name"] == "__new__"
            self._store.put((scope.key, record["positional"][0]), [("c", owner) if cls_argument else ("i", owner, "self")])
        elif owner is not None and record["name"] == "__new__" and record["positional"]:
            self._store.put((scope.key, record["positional"][0]), [("c", owner)])
        for name, value in record["defaults"]:
            values = self._eval.value(value, outside)
            self._store.put(("default", id(function), name), values)
            if ("left out", id(function), name) in self._apply.facts:
                self._store.put((scope.key, name), values)
        for name, written in record["annotations"]:
            function.allowed[name] = self._allowed(written, scope)
            self._store.put((scope.key, name), self._declared(written, scope))
        if record["returns"]:
            function.gives = self._allowed(record["returns"], scope)
            self._store.put(("declared", id(function)), self._declared(record["returns"], scope))

    def _statement(self, statement: Flow, scope: Scope) -> None:
        head = statement[0]
        if head == "!":
            self._eval.value(statement[1], scope)
        elif head == "=":
            values = self._eval.value(statement[2], scope)
            self._eval.assign(statement[1], values, scope)
            self._apply.note_assigned(statement[1], statement[2], values, scope)
        elif head == "r" and scope.function is not None:
            self._return(statement[1], scope, scope.function)
        elif head == "import":
            if statement[4] != "*":
                self._eval.assign(["n", statement[1]], self._eval.imported(statement, scope.uri), scope)
        elif head == "def":
            self._define(statement[1], scope)
        elif head == "class":
            self._class(statement[1], scope)
        elif head == "for":
            place = self._apply.where(statement[2], statement[3], scope)
            self._eval.assign(statement[1], self._eval.elements(self._eval.value(statement[2], scope), place, scope), scope)
        elif head == "with":
            self._with(statement, scope)
        elif head == "ann":
            self._annotated(statement, scope)

    def _return(self, value: Flow, scope: Scope, function: Function) -> None:
        record = function.record
        if value[0] == "n" and value[1] in (*record["positional"], *record["named"]) and not rebinds(record["body"], value[1]):
            self._store.put(("return", id(function)), [("p", function, value[1])])
        else:
            self._store.put(("return", id(function)), self._eval.value(value, scope))

    def _annotated(self, statement: Flow, scope: Scope) -> None:
        _, target, written, value = statement
        declared = self._declared(written, scope)
        values = self._eval.value(value, scope) if value else []
        if scope.kind == "class" and scope.owner is not None and target[0] == "n":
            scope.owner.allowed[target[1]] = self._allowed(written, scope)
            self._store.put(("attr", id(scope.owner), target[1]), declared)
            self._eval.assign(target, values, scope)
        else:
            kept = self._eval.permitted(values, self._allowed(written, scope))
            self._eval.assign(target, [*kept, *declared], scope)

    def _with(self, statement: Flow, scope: Scope) -> None:
        _, target, value, mark, place = statement
        managers = self._eval.value(value, scope)
        instances = [item for item in managers if item[0] == "i"]
        entered = self._apply.method(instances, f"__{mark}enter__", [], place, scope)
        self._apply.method(instances, f"__{mark}exit__", [], place, scope)
        for item in managers:
            if item[0] == "l" and item[2] == "m":
                entered += self._store.get(("el", item[1]))
        if target:
            self._eval.assign(target, entered, scope)

    def _define(self, record: dict[str, object], scope: Scope) -> None:
        function = self._registry.of_function[id(record)]
        if function.is_overload:
            return
        values: Values = [("f", function)]
        decorators = list(zip(function.record["decorators"], function.record["decorator_places"], strict=True))
        for decorator, place in reversed(decorators):
            if not (function.is_property or function.is_static or function.is_class):
                named = self._eval.value(decorator, scope)
                results = self._apply.call(named, [values], [], place, scope)
                if len({value[1] for value in named if value[0] in ("f", "b", "c", "i")}) > 1:
                    results = []  # two definitions of the decorator: which of them counts can't be told
                ours = any(value[0] in ("f", "b", "c", "i") for value in named)
                if not results and ours and self._undecided is not None:
                    self._undecided[scope.key] = scope
                    return
                if not results and ours:
                    return  # what a decorator of the run gives back is not known: then neither is what the name means
                values = values if not results or any(value in results for value in values) else results
        self._store.put((scope.key, function.record["name"]), values)

    def _class(self, record: dict[str, object], scope: Scope) -> None:
        cls = self._registry.of_class[id(record)]
        for place, base in enumerate(cls.record["bases"]):
            self._store.put(("base", id(cls), place), self._eval.value(base, scope))
        values: Values = [("c", cls)]
        for decorator in reversed(cls.record["decorators"]):  # what decorates a class hands the class back
            self._apply.call(self._eval.value(decorator, scope), [values], [], [0, 0, 0, 0], scope)
        self._store.put((scope.key, cls.record["name"]), values)

    # -- declared types ----------------------------------------------------------------------------------------------------------------

    def _declared(self, written: Flow, scope: Scope) -> Values:
        """The instances that a written type promises."""
        head = written[0]
        if head == "|":  # one class or nothing: of several, which one it is can't be told
            known = [item for item in written[1] if item != ["x", []]]
            return self._declared(known[0], scope) if len(known) == 1 else []
        if head == "s":
            return self._generic(written, scope)
        if head not in ("n", "a"):
            return []
        if written[-1] == "Self" or (head == "a" and written[2] == "Self"):
            here: Scope | None = scope
            while here is not None and here.owner is None:
                here = here.parent
            return [("i", here.owner, "said")] if here is not None and here.owner is not None else []
        return [("i", value[1], "said") for value in self._eval.value(written, scope) if value[0] == "c"]

    def _allowed(self, written: Flow, scope: Scope) -> list[Class] | None:
        """The classes of the run whose instances a written type admits; None if it could be any."""
        if written == ["x", []]:  # None, or a constant
            return []
        if written[0] == "|":
            parts = [self._allowed(item, scope) for item in written[1]]
            return None if None in parts else [cls for part in parts if part for cls in part]
        if written[0] == "s":
            last = written[1][-1] if written[1][0] == "n" else written[1][2] if written[1][0] == "a" else ""
            if last in ("Optional", "Union"):
                return self._allowed(["|", written[2]], scope)
            return [] if last in _CLOSED else self._allowed(written[1], scope) if last not in _HOLDERS | _MAPPINGS | _FIRST_OF else None
        if written[0] not in ("n", "a"):
            return None
        values = self._eval.value(written, scope)
        classes = [value[1] for value in values if value[0] == "c"]
        if classes and len(classes) == len(values):
            return None if any(self._is_protocol(cls) for cls in classes) else classes
        return [] if values and all(value[0] == "x" and _is_plain(str(value[1])) for value in values) else None

    def _is_protocol(self, cls: Class) -> bool:
        bases = [value for place in range(len(cls.record["bases"])) for value in self._store.get(("base", id(cls), place))]
        return any(value[0] == "x" and str(value[1]).endswith(".Protocol") for value in bases)

    def _generic(self, written: Flow, scope: Scope) -> Values:
        _, outer, inner, _ = written
        name = outer[1] if outer[0] == "n" else outer[2] if outer[0] == "a" else ""
        if name in _FIRST_OF:
            known = [item for item in inner if item != ["x", []]]
            if name == "Union":
                return self._declared(["|", known], scope)
            return self._declared(known[-1 if name == "Coroutine" else 0], scope) if known else []
        if name in ("type", "Type"):
            return [("c", value[1]) for value in self._declared(inner[0], scope) if value[0] == "i"]
        if name in _HOLDERS and inner:
            self._store.put(("el", id(written)), self._declared(inner[0], scope))
            return [("l", id(written), "l")]
        if name in _MAPPINGS and len(inner) == 2:
            self._store.put(("el", id(written)), self._declared(inner[1], scope))
            self._store.put(("dyn", id(written)), self._store.get(("el", id(written))))
            return [("l", id(written), "d")]
        return self._declared(outer, scope)

    # -- the answer ----------------------------------------------------------------------------------------------------------------------

    def _collect(self) -> None:
        self._find_subclasses()
        found: dict[str, set[tuple[str, str, str, str, Place]]] = {}
        for edge in [*self._apply.edges, *(edge for site in self._apply.sites for edge in self._certain(site))]:
            callee = edge.callee.scope
            row = (edge.caller.shown, callee.uri, callee.shown, edge.kind, Place(*edge.place))
            found.setdefault(edge.caller.uri, set()).add(row)
        for cls in self._registry.of_class.values():
            for place, written in enumerate(cls.record["base_places"]):
                values = [value[1] for value in self._store.get(("base", id(cls), place)) if value[0] == "c"]
                for base in values:
                    row = (cls.scope.name, base.scope.uri, base.scope.name, "inherits", Place(*written))
                    found.setdefault(cls.scope.uri, set()).add(row)
        self._by_uri = {uri: sorted(rows) for uri, rows in found.items()}
        for call in sorted(self._apply.open):
            self._open.setdefault(call.uri, []).append(call)

    def _find_subclasses(self) -> None:
        for cls in self._registry.of_class.values():
            for base in self._store.order(cls)[1:]:
                if base is not None:
                    self._subclasses.setdefault(id(base), []).append(cls)

    def _certain(self, site: Site) -> list[Edge]:
        """What a method call enters: everything that was seen being made there, or what all that may stand there agree on."""
        found: dict[Function, None] = {}
        receivers = self._apply.sites[site]
        made = {function: None for _, function, (_, _, how) in receivers if how in ("made", "given")}
        found |= made
        open_ended = any(how == "given" for _, _, (_, _, how) in receivers)
        for _, function, (_, cls, how) in receivers:
            if how in ("said", "lent") or (how == "self" and not made):
                open_ended = True
                found |= dict.fromkeys(self._possible(self._selves(cls, site.caller, how), site.name, function))
        found = {function: None for function in found if not function.is_abstract}
        if len(found) > (1 if open_ended else _MOST_TARGETS):
            self._apply.open[Open(site.caller.uri, site.place, site.name, "call: several methods may stand here")] = None
            return []
        return [Edge(site.caller, function, "call", site.place) for function in found]

    def _selves(self, cls: Class, caller: Scope, how: str) -> list[Class]:
        """The class and those of its subclasses that may stand there: ``self`` is of none that replaces the very method."""
        below = self._subclasses.get(id(cls), [])
        method = caller.function
        if how != "self" or method is None or method.owner is not cls or ("past an override", method) in self._apply.facts:
            return [cls, *below]
        return [cls, *(kind for kind in below if method in self._methods(kind, method.record["name"]))]

    def _possible(self, kinds: list[Class], name: str, own: Function) -> list[Function]:
        """The methods of that name among some classes."""
        found = {function: None for kind in kinds for function in self._methods(kind, name) if not function.is_setter}
        return list(found) or [own]

    def _methods(self, cls: Class, name: str) -> list[Function]:
        hit = self._store.find(cls, name)
        return [value[1] for value in hit[1] if value[0] == "f"] if hit else []


def _is_plain(dotted: str) -> bool:
    package, _, name = dotted.rpartition(".")
    if package in ("typing", "typing_extensions"):
        return name in ("IO", "TextIO", "BinaryIO")
    return not package.startswith("collections") and dotted not in ("builtins.object", "builtins.type")
