"""What flows where in a Python file: a small language of nested lists in which only names, attributes, calls and containers are left.

Statements: ``["=", target, value]``, ``["!", value]``, ``["r", value]``, ``["for", target, value, place]``,
``["with", target, value, mark, place]``, ``["ann", target, annotation, value]``, ``["import", name, dotted, level, member]``,
``["def", function]``, ``["class", record]``, ``["outer", kind, names]``.

Expressions: ``["n", name]``, ``["a", value, name, place]``, ``["c", callee, positional, named, place]``, ``["k", constant]``,
``["l", values]``, ``["d", pairs]``, ``["|", values]`` (one of them), ``["x", values]`` (worked out, result unknown),
``["s", value, key, place]``, ``["slice", values]``, ``["f", function]``, ``["yield", value]``, ``["of", value, place]`` (an element),
``["is", value, tests]`` (narrowed), ``["*", value]``, ``[":=", target, value]``, ``["comp", loops, value]``,
``["op", method, value, values, place]``.
"""

from __future__ import annotations

import ast
from typing import Any

from kgraph.extract.code.places import Lines

Flow = list[Any]

_OPERATORS = {
    "Add": "__add__", "Sub": "__sub__", "Mult": "__mul__", "Div": "__truediv__", "FloorDiv": "__floordiv__", "Mod": "__mod__",
    "Pow": "__pow__", "BitOr": "__or__", "BitAnd": "__and__", "BitXor": "__xor__", "LShift": "__lshift__", "RShift": "__rshift__",
    "MatMult": "__matmul__", "Eq": "__eq__", "NotEq": "__ne__", "Lt": "__lt__", "LtE": "__le__", "Gt": "__gt__", "GtE": "__ge__",
    "USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__",
}  # fmt: skip


def flow(tree: ast.Module, lines: Lines) -> Flow:
    """The statements of the module itself; functions and classes stand inside as records."""
    return _Reader(lines).block(tree.body)


class _Reader:
    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._known: dict[str, list[tuple[Flow, bool]]] = {}  # name → what tests say of it at this point

    def block(self, body: list[ast.stmt]) -> Flow:
        """The statements of one block; what its tests say of a name ends with it."""
        before = {name: list(tests) for name, tests in self._known.items()}
        found: Flow = []
        for statement in body:
            self._statement(statement, found)
        self._known.clear()
        self._known.update(before)
        return found

    def inner_block(self, body: list[ast.stmt]) -> Flow:
        """A function's or class's body: it runs at another time, so nothing is known of outer names."""
        before, self._known = self._known, {}
        found = self.block(body)
        self._known = before
        return found

    # -- statements ----------------------------------------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt, out: Flow) -> None:
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is not None:
            read(node, out)
            return
        for field, value in ast.iter_fields(node):
            del field
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, ast.expr):
                    out.append(["!", self.value(item)])
                elif isinstance(item, ast.stmt):
                    self._statement(item, out)
                elif isinstance(item, ast.ExceptHandler):
                    self._handler(item, out)
                elif isinstance(item, ast.match_case):
                    out += self.block(item.body)

    def _handler(self, node: ast.ExceptHandler, out: Flow) -> None:
        if node.type is not None and node.name:
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            out.append(["ann", ["n", node.name], ["|", [self.annotation(kind) for kind in kinds]], None])
        out += self.block(node.body)

    def _if(self, node: ast.If, out: Flow) -> None:
        out.append(["!", self.value(node.test)])
        then, other = self._tests(node.test, True), self._tests(node.test, False)
        for tests, body in ((then, node.body), (other, node.orelse)):
            with _Knowing(self._known, tests):
                out += self.block(body)
        for left, tests in ((_leaves(node.body), other), (bool(node.orelse) and _leaves(node.orelse), then)):
            if left:  # what follows runs only if the other branch was taken
                for name, test in tests:
                    self._known.setdefault(name, []).append(test)

    def _tests(self, test: ast.expr, outcome: bool) -> list[tuple[str, tuple[Flow, bool]]]:
        """What is known of plain names when a test came out true or false: ``isinstance`` and its negations and joints."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._tests(test.operand, not outcome)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if outcome else ast.Or):
            return [found for part in test.values for found in self._tests(part, outcome)]
        if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2):
            return []
        subject, kinds = test.args
        if not isinstance(subject, ast.Name):
            return []
        written = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        return [(subject.id, (["l", [self.value(kind) for kind in written]], outcome))]

    def _expr(self, node: ast.Expr, out: Flow) -> None:
        if not isinstance(node.value, ast.Constant):
            out.append(["!", self.value(node.value)])

    def _assign(self, node: ast.Assign, out: Flow) -> None:
        value = self.value(node.value)
        out += [["=", self.target(target), value] for target in node.targets]
        for name in [part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)]:
            self._known.pop(name, None)

    def _augassign(self, node: ast.AugAssign, out: Flow) -> None:
        method = _OPERATORS.get(type(node.op).__name__, "")
        out.append(["!", ["op", method, self.value(node.target), [self.value(node.value)], self._place(node)]])

    def _annassign(self, node: ast.AnnAssign, out: Flow) -> None:
        out.append(["ann", self.target(node.target), self.annotation(node.annotation), self.value(node.value) if node.value else None])

    def _return(self, node: ast.Return, out: Flow) -> None:
        if node.value is not None:
            out.append(["r", self.value(node.value)])

    def _for(self, node: ast.For | ast.AsyncFor, out: Flow) -> None:
        out.append(["for", self.target(node.target), self.value(node.iter), self._place(node.iter)])
        out += self.block([*node.body, *node.orelse])

    _asyncfor = _for

    def _with(self, node: ast.With | ast.AsyncWith, out: Flow) -> None:
        mark = "a" if isinstance(node, ast.AsyncWith) else ""
        for item in node.items:
            target = self.target(item.optional_vars) if item.optional_vars else None
            out.append(["with", target, self.value(item.context_expr), mark, self._place(item.context_expr)])
        out += self.block(node.body)

    _asyncwith = _with

    def _import(self, node: ast.Import, out: Flow) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            out.append(["import", alias.asname or top, alias.name if alias.asname else top, 0, ""])

    def _importfrom(self, node: ast.ImportFrom, out: Flow) -> None:
        for alias in node.names:
            out.append(["import", alias.asname or alias.name, node.module or "", node.level, alias.name])

    def _global(self, node: ast.Global | ast.Nonlocal, out: Flow) -> None:
        out.append(["outer", type(node).__name__.lower(), node.names])

    _nonlocal = _global

    def _functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, out: Flow) -> None:
        out.append(["def", self._function(node.name, node.args, self.inner_block(node.body), node)])

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef, out: Flow) -> None:
        record = {
            "name": node.name,
            "bases": [self.value(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases],
            "base_places": [self._place(base) for base in node.bases],
            "named": [[word.arg or "", self.value(word.value)] for word in node.keywords],
            "decorators": [self.value(decorator) for decorator in node.decorator_list],
            "body": self.inner_block(node.body),
        }
        out.append(["class", record])

    def _function(self, name: str, args: ast.arguments, body: Flow, node: Any) -> dict[str, Any]:
        positional = [*args.posonlyargs, *args.args]
        defaults = [[arg.arg, self.value(value)] for arg, value in zip(reversed(positional), reversed(args.defaults), strict=False)]
        defaults += [[arg.arg, self.value(value)] for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value]
        every = [*positional, *args.kwonlyargs]
        return {
            "name": name,
            "positional": [arg.arg for arg in positional],
            "named": [arg.arg for arg in args.kwonlyargs],
            "rest": args.vararg.arg if args.vararg else "",
            "rest_named": args.kwarg.arg if args.kwarg else "",
            "defaults": defaults,
            "annotations": [[arg.arg, self.annotation(arg.annotation)] for arg in every if arg.annotation],
            "returns": self.annotation(node.returns) if getattr(node, "returns", None) else None,
            "decorators": [self.value(decorator) for decorator in getattr(node, "decorator_list", ())],
            "decorator_places": [self._place(decorator) for decorator in getattr(node, "decorator_list", ())],
            "abstract": not isinstance(node, ast.Lambda) and _is_abstract(node.body),
            "body": body,
        }

    # -- expressions ---------------------------------------------------------------------------------------------------------------

    def target(self, node: ast.expr) -> Flow:
        if isinstance(node, ast.Name):
            return ["n", node.id]
        if isinstance(node, ast.Attribute):
            return ["a", self.value(node.value), node.attr, None]
        if isinstance(node, ast.Subscript):
            return ["s", self.value(node.value), self.value(node.slice), self._place(node)]
        if isinstance(node, ast.Starred):
            return ["*", self.target(node.value)]
        if isinstance(node, (ast.Tuple, ast.List)):
            return ["l", [self.target(item) for item in node.elts]]
        return ["x", []]

    def value(self, node: ast.expr) -> Flow:
        if isinstance(node, ast.Name):
            tests = self._known.get(node.id)
            return ["is", ["n", node.id], [list(test) for test in tests]] if tests else ["n", node.id]
        if isinstance(node, ast.Constant):
            return ["k", node.value if isinstance(node.value, (str, int)) else None]
        if isinstance(node, ast.Attribute):
            return ["a", self.value(node.value), node.attr, self._place(node)]
        if isinstance(node, ast.Call):
            positional = [self.value(arg) for arg in node.args]
            return [
                "c",
                self.value(node.func),
                positional,
                [[word.arg or "", self.value(word.value)] for word in node.keywords],
                self._place(node),
            ]
        read = getattr(self, f"_value_{type(node).__name__.lower()}", None)
        if read is not None:
            found: Flow = read(node)
            return found
        return ["x", [self.value(item) for item in ast.iter_child_nodes(node) if isinstance(item, ast.expr)]]

    def _value_list(self, node: ast.List | ast.Tuple | ast.Set) -> Flow:
        return ["l", [self.value(item) for item in node.elts]]

    _value_tuple = _value_set = _value_list

    def _value_dict(self, node: ast.Dict) -> Flow:
        return [
            "d",
            [[self.value(key) if key else ["*", []], self.value(value)] for key, value in zip(node.keys, node.values, strict=True)],
        ]

    def _value_ifexp(self, node: ast.IfExp) -> Flow:
        test = self.value(node.test)
        with _Knowing(self._known, self._tests(node.test, True)):
            then = self.value(node.body)
        with _Knowing(self._known, self._tests(node.test, False)):
            other = self.value(node.orelse)
        return ["|", [then, other], [test]]

    def _value_boolop(self, node: ast.BoolOp) -> Flow:
        first = self.value(node.values[0])
        with _Knowing(self._known, self._tests(node.values[0], isinstance(node.op, ast.And))):
            rest = [self.value(item) for item in node.values[1:]]
        return ["|", [first, *rest]]

    def _value_namedexpr(self, node: ast.NamedExpr) -> Flow:
        return [":=", self.target(node.target), self.value(node.value)]

    def _value_subscript(self, node: ast.Subscript) -> Flow:
        return ["s", self.value(node.value), self.value(node.slice), self._place(node)]

    def _value_slice(self, node: ast.Slice) -> Flow:
        return ["slice", [self.value(part) for part in (node.lower, node.upper, node.step) if part]]

    def _value_starred(self, node: ast.Starred) -> Flow:
        return ["*", self.value(node.value)]

    def _value_await(self, node: ast.Await) -> Flow:
        return self.value(node.value)

    def _value_lambda(self, node: ast.Lambda) -> Flow:
        return ["f", self._function("<lambda>", node.args, [["r", self.value(node.body)]], node)]

    def _value_yield(self, node: ast.Yield) -> Flow:
        return ["yield", self.value(node.value)] if node.value else ["x", []]

    def _value_yieldfrom(self, node: ast.YieldFrom) -> Flow:
        return ["yield", ["of", self.value(node.value), self._place(node)]]

    def _value_binop(self, node: ast.BinOp) -> Flow:
        return ["op", _OPERATORS.get(type(node.op).__name__, ""), self.value(node.left), [self.value(node.right)], self._place(node)]

    def _value_unaryop(self, node: ast.UnaryOp) -> Flow:
        return ["op", _OPERATORS.get(type(node.op).__name__, ""), self.value(node.operand), [], self._place(node)]

    def _value_compare(self, node: ast.Compare) -> Flow:
        method = _OPERATORS.get(type(node.ops[0]).__name__, "")
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return ["op", "__contains__", self.value(node.comparators[0]), [self.value(node.left)], self._place(node)]
        return ["op", method, self.value(node.left), [self.value(item) for item in node.comparators], self._place(node)]

    def _value_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Flow:
        return ["comp", self._generators(node.generators), ["l", [self.value(node.elt)]]]

    _value_setcomp = _value_generatorexp = _value_listcomp

    def _value_dictcomp(self, node: ast.DictComp) -> Flow:
        return ["comp", self._generators(node.generators), ["d", [[self.value(node.key), self.value(node.value)]]]]

    def _generators(self, generators: list[ast.comprehension]) -> Flow:
        found: Flow = []
        for part in generators:
            found.append(["for", self.target(part.target), self.value(part.iter), self._place(part.iter)])
            found += [["!", self.value(test)] for test in part.ifs]
        return found

    def annotation(self, node: ast.expr | None) -> Flow:
        """A written type; a quoted one is read as what it quotes."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                return self.annotation(ast.parse(node.value.strip(), mode="eval").body)
            except (SyntaxError, ValueError):
                return ["x", []]
        if isinstance(node, ast.Name):
            return ["n", node.id]
        if isinstance(node, ast.Attribute):
            return ["a", self.annotation(node.value), node.attr, None]
        if isinstance(node, ast.BinOp):
            return ["|", [self.annotation(node.left), self.annotation(node.right)]]
        if isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return ["s", self.annotation(node.value), [self.annotation(item) for item in inner], None]
        return ["x", []]

    def _place(self, node: Any) -> list[int]:
        if not hasattr(node, "lineno"):
            return [0, 0, 0, 0]
        return list(self._lines.place(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset))


class _Knowing:
    """Adds what tests say for as long as a branch is read."""

    def __init__(self, known: dict[str, list[tuple[Flow, bool]]], tests: list[tuple[str, tuple[Flow, bool]]]) -> None:
        self._known, self._tests = known, tests
        self._before: dict[str, list[tuple[Flow, bool]]] = {}

    def __enter__(self) -> None:
        self._before = {name: list(tests) for name, tests in self._known.items()}
        for name, test in self._tests:
            self._known.setdefault(name, []).append(test)

    def __exit__(self, *failure: object) -> None:
        self._known.clear()
        self._known.update(self._before)


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _is_abstract(body: list[ast.stmt]) -> bool:
    """Whether a body only says that somebody else has to write it: a docstring at most, then '...' or raising NotImplementedError."""
    found = False
    for statement in body:
        if isinstance(statement, ast.Raise):
            raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
            found = isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            found = statement.value.value is ...
        else:
            return False
    return found
