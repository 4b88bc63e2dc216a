"""The scopes, functions and classes of all files, before anything is known of what flows between them."""

from __future__ import annotations

from typing import Any

from kgraph.code.python.expressions import Flow
from kgraph.tuples import NamedTuple

Value = tuple[Any, ...]
_PROPERTIES = {
    "property",
    "cached_property",
    "abstractproperty",
    "hybrid_property",
    "setter",
    "getter",
    "deleter",
    "memoized_property",
    "lazyproperty",
}


_SETS_ANY = {"setattr", "__setattr__", "__dict__", "vars"}


class Scope:
    """A module, class body, function or lambda. ``name`` is qualified inside the file, '' for the module; ``key`` is unique in the run."""

    def __init__(self, uri: str, name: str, kind: str, parent: Scope | None, body: Flow) -> None:
        self.uri, self.name, self.kind, self.parent, self.body = uri, name, kind, parent, body
        self.key = f"{uri}:{name}" if parent is None else f"{uri}:{name}@{id(body)}"
        self.names: set[str] = set()  # bound here
        self.outer: dict[str, str] = {}  # declared global or nonlocal
        self.stars: list[Flow] = []
        self.function: Function | None = None
        self.owner: Class | None = None  # the class whose body this is, or whose method

    @property
    def module(self) -> Scope:
        return self if self.parent is None else self.parent.module

    @property
    def shown(self) -> str:
        """The name of the symbol to which what happens here is ascribed: a lambda's is that of the scope in which it is written."""
        if self.kind == "lambda" and self.parent is not None:
            return self.parent.shown
        return self.name


class Function:
    """``record`` is what ``flow`` read."""

    def __init__(self, scope: Scope, record: dict[str, Any], owner: Class | None) -> None:
        self.scope, self.record, self.owner = scope, record, owner
        marks = {_last_name(decorator) for decorator in record["decorators"]}
        self.is_hook = owner is not None and record["name"] in (
            "__new__",
            "__init_subclass__",
            "__class_getitem__",
        )
        self.is_static = "staticmethod" in marks or (
            record["name"] == "__new__" and owner is not None
        )
        self.is_class = "classmethod" in marks or (
            owner is not None and record["name"] in ("__init_subclass__", "__class_getitem__")
        )
        self.is_property = bool(marks & _PROPERTIES)
        self.is_cached = "cached_property" in marks
        self.is_setter = bool(marks & {"setter", "deleter"})
        self.is_overload = "overload" in marks
        self.is_abstract = bool(record["abstract"]) or "abstractmethod" in marks
        self.is_manager = bool(marks & {"contextmanager", "asynccontextmanager"})
        self.allowed: dict[
            str, list[Class] | None
        ] = {}  # by argument: whose instances its written type admits, None for any
        self.gives: list[Class] | None = None  # the same of what it returns
        self.yields = False
        self.returns: set[tuple[tuple[str, bool], ...]] = (
            set()
        )  # of each return: which arguments are None there, which not
        self.arguments = {*record["positional"], *record["named"]}
        self.receiver = (
            record["positional"][0]
            if owner is not None and not self.is_static and record["positional"]
            else ""
        )


class Class:
    def __init__(self, scope: Scope, record: dict[str, Any]) -> None:
        self.scope, self.record = scope, record
        self.allowed: dict[str, list[Class] | None] = {}  # by field
        self.fields: list[
            str
        ] = []  # annotated names of the body, in order: a data class's arguments
        self.marks = {_last_name(decorator) for decorator in record["decorators"]}
        self.is_dynamic = _mentions(
            record["body"], _SETS_ANY
        )  # attributes may be set that nobody can see


class Registry(NamedTuple):
    scopes: list[Scope]
    modules: dict[str, Scope]
    of_function: dict[int, Function]  # by id of the record
    of_class: dict[int, Class]

    def add(self, uri: str, body: Flow) -> None:
        """Registers a file."""
        self.modules[uri] = self._scope(Scope(uri, "", "module", None, body))

    def _scope(self, scope: Scope) -> Scope:
        self.scopes.append(scope)
        for statement in scope.body:
            self._statement(statement, scope)
        return scope

    def _statement(self, statement: Flow, scope: Scope) -> None:
        head = statement[0]
        if head == "def":
            self._bind(statement[2], scope)
            self._function(statement[1], scope, "function")
        elif head == "class":
            record = statement[1]
            self._bind(statement[2], scope)
            inner = Scope(
                scope.uri, _qualified(scope, record["name"]), "class", scope, record["body"]
            )
            inner.owner = self.of_class[id(record)] = Class(inner, record)
            self._scope(inner)
            self._expressions([*record["bases"], *record["named"], *record["decorators"]], scope)
        elif head == "import":
            if statement[4] == "*":
                scope.stars.append(statement)
            else:
                self._bind(statement[1], scope)
        elif head == "outer":
            scope.outer |= dict.fromkeys(statement[2], statement[1])
            scope.names -= set(statement[2])
        else:
            if head in ("=", "for", "with", "ann") and statement[1]:
                self._bind(statement[1], scope)
            if (
                head == "ann"
                and scope.kind == "class"
                and statement[1][0] == "n"
                and scope.owner is not None
            ):
                scope.owner.fields.append(statement[1][1])
            self._expressions(statement[1:], scope)

    def _bind(self, target: Flow, scope: Scope) -> None:
        if target[0] == "n":
            if scope.outer.get(target[1]) == "global":
                scope.module.names.add(target[1])
            elif target[1] not in scope.outer:
                scope.names.add(target[1])
        elif target[0] == "l":
            for inner in target[1]:
                self._bind(inner, scope)
        elif target[0] == "*":
            self._bind(target[1], scope)

    def _expressions(self, items: list[Any], scope: Scope) -> None:
        """Registers the lambdas inside expressions and the names that comprehensions and walrus operators bind."""
        for item in items:
            if not isinstance(item, list) or not item:
                continue
            if item[0] == "f" and isinstance(item[1], dict):
                self._function(item[1], scope, "lambda")
            elif item[0] == "yield" and scope.function is not None:
                scope.function.yields = True
            elif item[0] in (":=", "for") and isinstance(item[1], list):
                self._bind(item[1], scope)
            self._expressions(item, scope)

    def _function(self, record: dict[str, Any], scope: Scope, kind: str) -> None:
        inner = Scope(scope.uri, _qualified(scope, record["name"]), kind, scope, record["body"])
        inner.owner = scope.owner if scope.kind == "class" else None
        function = Function(inner, record, inner.owner)
        inner.function = self.of_function[id(record)] = function
        inner.names |= (
            set(record["positional"])
            | set(record["named"])
            | ({record["rest"], record["rest_named"]} - {""})
        )
        self._scope(inner)
        self._expressions(
            [*record["decorators"], *(value for _, value in record["defaults"])], scope
        )


def _qualified(scope: Scope, name: str) -> str:
    return f"{scope.name}.{name}" if scope.name else name


def _last_name(expression: Flow) -> str:
    if expression[0] == "c":
        expression = expression[1]
    return str(
        expression[2] if expression[0] == "a" else expression[1] if expression[0] == "n" else ""
    )


def _mentions(body: Any, names: set[str]) -> bool:
    """Whether one of some names stands anywhere inside."""
    waiting = [body]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            waiting += here.values()
        elif isinstance(here, list):
            if len(here) > 1 and here[0] == "n" and isinstance(here[1], str) and here[1] in names:
                return True
            if len(here) > 2 and here[0] == "a" and isinstance(here[2], str) and here[2] in names:
                return True
            waiting += [item for item in here if isinstance(item, (list, dict))]
    return False
