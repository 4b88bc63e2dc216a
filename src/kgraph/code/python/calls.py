"""Who calls whom in the Python files of a run: all scopes are worked through until nothing new is learnt.

First what loading the modules carries out: their own statements, the functions that these enter, and so on. What a script enters that
way (a module that no other imports) is "live": all that flows there is known, so every target is given, up to a bound. Then the rest,
which somebody outside may call with anything: there only what no other caller could change is an edge.
"""

from __future__ import annotations

from collections.abc import Mapping

from kgraph.code.facts import FileFacts, Place
from kgraph.code.python.apply import Applier, Edge, Open
from kgraph.code.python.evaluate import Evaluator
from kgraph.code.python.expressions import Flow
from kgraph.code.python.judge import Judge
from kgraph.code.python.names import NONE, Imports, Values
from kgraph.code.python.possible import guesses
from kgraph.code.python.reach import ARGUMENT
from kgraph.code.python.scopes import Function, Registry, Scope
from kgraph.code.python.store import Store
from kgraph.code.python.written import Written
from kgraph.code.suites import is_of_tests

_NOWHERE = [0, 0, 0, 0]
Row = tuple[str, str, str, str, Place]


class CallGraph:
    """Worked out at once, by ``CallGraph(files, imports)``; then ``edges(uri)`` is a look-up."""

    def __init__(self, files: Mapping[str, FileFacts], imports: Imports) -> None:
        self._registry = Registry([], {}, {}, {})
        self._store = Store()
        self._eval = Evaluator(self._registry, self._store, imports)
        self._apply = self._eval.calls = Applier(self._eval)
        self._written = Written(self._eval)
        for uri, facts in files.items():
            if facts.body is not None:
                self._registry.add(uri, facts.body)
        self._undecided: (
            dict[str, Scope] | None
        ) = {}  # scopes with a decorator of the run whose result is not known yet
        self._owned: set[str] = set()  # functions of which it isn't known who calls them on what
        self._solve()
        self._by_uri: dict[str, list[Row]] = {}
        self._open: dict[str, list[Open]] = {}
        self._outside: dict[str, set[tuple[str, str, Place]]] = {}
        self._collect()

    def open(self, uri: str) -> list[Open]:
        """The calls of a file of which it can't be told what they enter, in the order of the text."""
        return self._open.get(uri, [])

    def edges(self, uri: str) -> list[Row]:
        """(symbol of this file or '' for the module, uri of the other file, its symbol, kind, place), sorted."""
        return self._by_uri.get(uri, [])

    def outside(self, uri: str) -> list[tuple[str, str, Place]]:
        """(symbol of this file, dotted name of what it calls outside of the sources, place), sorted."""
        return sorted(self._outside.get(uri, ()))

    # -- working it out ----------------------------------------------------------------------------------------------------------------

    def _solve(self) -> None:
        imported = self._imported()
        for uri, scope in self._registry.modules.items():
            self._store.push(scope)
            if uri not in imported and not uri.endswith(("__init__.py", "__init__.pyi")):
                self._apply.live.add(scope.key)
        self._settle()
        for scope in self._release():
            self._store.push(scope)
        self._settle()
        self._store.late, self._undecided = True, {}
        for scope in self._registry.scopes:
            function = scope.function
            if function is not None and (
                scope.key not in self._apply.loaded or not self._knows_receiver(function)
            ):
                self._owned.add(scope.key)
            if scope.key in self._owned or (
                scope.kind == "class" and scope.key not in self._apply.loaded
            ):
                self._store.push(scope)
        self._settle()
        for scope in self._release():
            self._store.push(scope)
        self._settle()
        self._apply.recording = True
        self._store.begin_doubting()  # only now, since on the way much was not known yet
        for scope in self._registry.scopes:
            self._store.push(scope)
        self._settle()

    def _imported(self) -> set[str]:
        """The modules that others import."""
        found = set()
        for scope in self._registry.scopes:
            for statement in scope.body:
                if statement[0] == "import":
                    kind, where = self._eval.imports.bound(scope.uri, statement[2], statement[3])
                    inner = (
                        self._eval.imports.inside(where, kind, statement[4])
                        if kind in ("m", "ns") and statement[4]
                        else ""
                    )
                    found |= ({where} if kind == "m" else set()) | {inner}
        return found

    def _release(self) -> list[Scope]:
        """What a decorator gives back is not known even now: then it is what it was given."""
        waiting = list((self._undecided or {}).values())
        self._undecided = None
        return waiting

    def _knows_receiver(self, function: Function) -> bool:
        return not function.receiver or bool(
            self._store.get((function.scope.key, function.receiver))
        )

    def _settle(self) -> None:
        while (scope := self._store.pop()) is not None:
            self._work_through(scope)
        self._store.current = None

    def _work_through(self, scope: Scope) -> None:
        self._apply.begin(scope)
        if scope.function is not None:
            self._own_arguments(scope.function)
        for statement in scope.body:
            self._statement(statement, scope)

    def _own_arguments(self, function: Function) -> None:
        """What a function's arguments hold whoever calls it: its class or an instance of it, defaults, declared types."""
        scope, record, owner = function.scope, function.record, function.owner
        outside = scope.parent or scope
        if owner is not None and record["positional"] and scope.key in self._owned:
            first = record["positional"][0]
            if function.is_class or record["name"] == "__new__":
                self._put_argument(function, first, [("kind", ("i", owner, "self"))])
            elif not function.is_static:
                self._put_argument(function, first, [("i", owner, "self")])
        for name, value in record["defaults"]:
            values = self._eval.value(value, outside)
            self._store.put(("default", id(function), name), values)
            if ("left out", id(function), name) in self._apply.facts:
                self._put_argument(function, name, values)
        for name, written in record["annotations"]:
            function.allowed[name] = self._written.allowed(written, scope)
            self._put_argument(function, name, self._written.declared(written, scope))
        for name, written in record["spare"]:
            slot = ("rest" if name == record["rest"] else "words", id(function))
            self._eval.fill(slot, self._written.declared(written, scope))
            self._put_argument(
                function, name, [("l", slot, "l" if name == record["rest"] else "d")]
            )
        if record["returns"]:
            function.gives = self._written.allowed(record["returns"], scope)
            self._store.put(
                ("declared", id(function)), self._written.declared(record["returns"], scope)
            )

    def _put_argument(self, function: Function, name: str, values: Values) -> None:
        self._store.put((function.scope.key, name), values)
        self._store.put((function.scope.key, name, ARGUMENT), values)

    # -- statements ----------------------------------------------------------------------------------------------------------------

    def _statement(self, statement: Flow, scope: Scope) -> None:
        head = statement[0]
        if head == "!":
            self._eval.value(statement[1], scope)
        elif head == "=":
            self._assign(statement, scope)
        elif head == "r":
            self._return(statement, scope)
        elif head == "import":
            if statement[4] != "*":
                self._eval.assign(statement[1], self._eval.imported(statement, scope.uri), scope)
        elif head == "def":
            self._define(statement, scope)
        elif head == "class":
            self._class(statement, scope)
        elif head == "for":
            self._for(statement, scope)
        elif head == "with":
            self._with(statement, scope)
        elif head == "ann":
            self._annotated(statement, scope)
        elif head == "raise":
            raised = self._eval.value(statement[1], scope)
            self._apply.call(
                [value for value in raised if value[0] == "c"], [], [], statement[2], scope
            )

    def _assign(self, statement: Flow, scope: Scope) -> None:
        _, target, written = statement
        values = self._eval.value(written, scope)
        self._eval.assign(target, values, scope)
        self._apply.note_assigned(target, written, values, scope)

    def _for(self, statement: Flow, scope: Scope) -> None:
        _, target, written, place, mark = statement
        containers = self._eval.value(written, scope)
        values = self._eval.elements(
            containers, self._apply.where(written, place, scope), scope, mark
        )
        if target[0] == "l" and len(values) > 1:
            for value in values:
                self._eval.assign(target, [value], scope)
        else:
            self._eval.assign(target, values, scope)
        self._apply.note_assigned(target, ["x", []], values, scope)
        self._apply.note_loop(target, containers, scope)

    def _return(self, statement: Flow, scope: Scope) -> None:
        function, value = scope.function, statement[1]
        if function is None:
            return
        said = tuple((name, is_none) for name, is_none in statement[2])
        if said not in function.returns:
            function.returns.add(said)
            self._store.put(("returns", id(function)), [("said", said)])
        key = ("return", id(function), said)
        if value[0] == "n" and value[1] in function.arguments and value[2:] == [[ARGUMENT]]:
            self._store.put(key, [("p", function, value[1])])
        else:
            values = self._eval.value(value, scope)
            self._store.put(key, values)
            self._apply.note_returned(function, value, values, scope)

    def _annotated(self, statement: Flow, scope: Scope) -> None:
        _, target, written, value = statement
        declared = self._written.declared(written, scope)
        values = self._eval.value(value, scope) if value else []
        if scope.kind == "class" and scope.owner is not None and target[0] == "n":
            scope.owner.allowed[target[1]] = self._written.allowed(written, scope)
            self._store.put(("attr", id(scope.owner), target[1]), declared)
            self._eval.assign(target, values, scope)
        else:
            kept = self._eval.permitted(values, self._written.allowed(written, scope))
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
            elif item[0] == "x":
                entered.append(item)
        if target:
            self._eval.assign(target, entered, scope)

    # -- definitions ---------------------------------------------------------------------------------------------------------------

    def _define(self, statement: Flow, scope: Scope) -> None:
        _, record, target = statement
        function = self._registry.of_function[id(record)]
        if function.is_overload:
            return
        values: Values = [("f", function)]
        plain = function.is_property or (
            (function.is_static or function.is_class) and not function.is_hook
        )
        for decorator, place in reversed(
            list(zip(record["decorators"], record["decorator_places"], strict=True))
        ):
            if plain:
                self._eval.value(decorator, scope)
                continue
            found = self._decorated(decorator, values, place, scope)
            if found is None:
                return
            values = found
        self._eval.put_name(target, values, scope)

    def _decorated(
        self, decorator: Flow, values: Values, place: list[int], scope: Scope
    ) -> Values | None:
        """What a decorator makes of a function; None if that is not known (yet)."""
        named = [value for value in self._eval.value(decorator, scope) if value != NONE]
        results = self._apply.call(named, [values], [], place, scope)
        if len({value[1] for value in named if value[0] in ("f", "b", "c", "i", "part")}) > 1:
            results = []  # two definitions of the decorator: which of them counts can't be told
        ours = any(value[0] in ("f", "b", "c", "i", "part") for value in named)
        if not results and (ours or not named) and self._undecided is not None:
            self._undecided[scope.key] = scope
            return None
        if not results and ours:
            return None
        return values if not results or any(value in results for value in values) else results

    def _class(self, statement: Flow, scope: Scope) -> None:
        _, record, target = statement
        cls = self._registry.of_class[id(record)]
        self._apply.enter(cls.scope)
        for place, base in enumerate(record["bases"]):
            values = self._eval.value(base, scope)
            self._store.add_below(cls, [value[1] for value in values if value[0] == "c"])
            self._store.put(("base", id(cls), place), values)
        for word, written in record["named"]:
            if word == "metaclass":
                self._store.put(("meta", id(cls)), self._eval.value(written, scope))
        order = self._store.order(cls)
        hit = self._store.find(cls, "__init_subclass__", after=cls) if len(order) > 1 else None
        if hit is not None:
            hooks: Values = [("sb", value[1], ("c", cls)) for value in hit[1] if value[0] == "f"]
            self._apply.call(hooks, [], [], record["base_places"][0], scope)
        defined: Values = [("c", cls)]
        for decorator, where in reversed(
            list(zip(record["decorators"], record["decorator_places"], strict=True))
        ):
            self._apply.call(
                self._eval.value(decorator, scope), [defined], [], where, scope
            )  # it hands the class back
        self._eval.put_name(target, defined, scope)

    # -- the answer ----------------------------------------------------------------------------------------------------------------------

    def _collect(self) -> None:
        judge = Judge(self._registry.of_class.values(), self._store, self._apply)
        certain: dict[Edge, None] = {}
        for records in self._apply.records.values():
            certain |= records.edges
            for site, receivers in records.sites.items():
                certain |= dict.fromkeys(judge.certain(site, receivers))
        found: dict[str, set[Row]] = {}
        known: dict[tuple[str, Place], set[int]] = {}
        for edge in [*certain, *judge.possible]:
            if edge.callee.scope.kind == "lambda":
                continue  # part of what it is written in, which is not what is entered
            known.setdefault((edge.caller.key, Place(*edge.place)), set()).add(
                id(edge.callee.scope)
            )
            _put(found, edge.caller, edge.callee.scope, edge.kind, Place(*edge.place))
        for guess in guesses(self._registry, self._eval.imports, known, judge.below):
            if isinstance(guess.target, str):
                row = (guess.caller.shown, guess.target, guess.place)
                self._outside.setdefault(guess.caller.uri, set()).add(row)
            else:
                _put(found, guess.caller, guess.target.scope, guess.kind, guess.place)
        for cls in self._registry.of_class.values():
            for place, written in enumerate(cls.record["base_places"]):
                for value in self._store.get(("base", id(cls), place)):
                    if value[0] == "c":
                        _put(found, cls.scope, value[1].scope, "inherits", Place(*written))
        self._by_uri = {uri: sorted(rows) for uri, rows in found.items()}
        told = {call for records in self._apply.records.values() for call in records.open}
        for call in sorted(told | set(judge.open)):
            self._open.setdefault(call.uri, []).append(call)


def _put(found: dict[str, set[Row]], caller: Scope, callee: Scope, kind: str, place: Place) -> None:
    """Adds an edge; one from the code to its tests is never certain."""
    if kind != "inherits" and is_of_tests(callee.uri) and not is_of_tests(caller.uri):
        kind = f"possible-{kind.removeprefix('possible-')}"
    row = (caller.shown, callee.uri, callee.shown, kind, place)
    found.setdefault(caller.uri, set()).add(row)
