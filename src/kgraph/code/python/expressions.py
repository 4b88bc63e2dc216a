"""Expressions of the language that ``flow`` speaks.

``["n", name]`` or ``["n", name, numbers]`` (of the assignments that reach it; as a target, ``["n", name, number]``),
``["a", value, name, place]``, ``["c", callee, positional, named, place]``, ``["k", constant]``,
``["l", values]`` (a list or tuple), ``["d", pairs]``, ``["|", values]`` (one of them), ``["x", values]`` (worked out, result unknown),
``["s", value, key, place]``, ``["slice", values, bounds]``, ``["f", function]``, ``["yield", value, held]``, ``["of", value, place]``
(an element), ``["is", value, tests]`` (narrowed), ``["exact", path, numbers, value]`` (last assigned to that very path),
``["*", value]``, ``[":=", target, value]``, ``["comp", loops, value]``,
``["test", value, place]`` (is it true?), ``["op", method, value, values, place]``, ``["aug", …]`` (the same, in place first),
``["fmt", value, how, place]``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from kgraph.code.places import Lines
from kgraph.code.python.reach import ARGUMENT, Numbers, Reach, number

Flow = list[Any]
Said = tuple[
    Flow, bool, Numbers | None
]  # the classes of which one stands there, whether or not, and what reached the name when it was said
Test = tuple[str, Said]

OPERATORS = {
    "Add": "__add__", "Sub": "__sub__", "Mult": "__mul__", "Div": "__truediv__", "FloorDiv": "__floordiv__", "Mod": "__mod__",
    "Pow": "__pow__", "BitOr": "__or__", "BitAnd": "__and__", "BitXor": "__xor__", "LShift": "__lshift__", "RShift": "__rshift__",
    "MatMult": "__matmul__", "Eq": "__eq__", "NotEq": "__ne__", "Lt": "__lt__", "LtE": "__le__", "Gt": "__gt__", "GtE": "__ge__",
    "USub": "__neg__", "UAdd": "__pos__", "Invert": "__invert__",
}  # fmt: skip


_LONG = 32  # parts of a literal


class Expressions:
    def __init__(self, lines: Lines, shared: frozenset[str]) -> None:
        self._lines = lines
        self.shared = shared
        self.reach = Reach(shared)
        self.known: dict[str, list[Said]] = {}  # name → what tests say of it at this point
        self.nones: list[
            tuple[str, bool]
        ] = []  # arguments of which a test has said that they are None, or not
        self._stands: list[int] = []  # the place of what stands in a quoted expression
        self._inner: dict[
            str, str
        ] = {}  # the names of comprehensions around this point, each under a name of its own

    def bind(self, name: str, at: int) -> Flow:
        """An assignment to a name, as a target."""
        self.reach.bind(name, at)
        return ["n", name, at]

    def name(self, name: str) -> Flow:
        if name in self._inner:
            return ["n", self._inner[name]]
        numbers = self.reach.numbers(name)
        return ["n", name, list(numbers)] if numbers else ["n", name]

    def target(self, node: ast.expr) -> Flow:
        if isinstance(node, ast.Name):
            return (
                ["n", self._inner[node.id]]
                if node.id in self._inner
                else self.bind(node.id, number(node))
            )
        if isinstance(node, ast.Attribute):
            return ["a", self.value(node.value), node.attr, self.place(node), self._bind_path(node)]
        if isinstance(node, ast.Subscript):
            return [
                "s",
                self.value(node.value),
                self.value(node.slice),
                self.place(node),
                self._bind_path(node),
            ]
        if isinstance(node, ast.Starred):
            return ["*", self.target(node.value)]
        if isinstance(node, (ast.Tuple, ast.List)):
            return ["l", [self.target(item) for item in node.elts], self.place(node)]
        return ["x", []]

    def _bind_path(self, node: ast.Attribute | ast.Subscript) -> Flow | None:
        base, last = _path(node)
        self.reach.bind_path(base, last, number(node))
        return [base + last, number(node)] if base and last and base not in self._inner else None

    def _exact(self, node: ast.Attribute | ast.Subscript, found: Flow) -> Flow:
        """The same, with the assignments to this very path that reach it."""
        base, last = _path(node)
        numbers = (
            self.reach.path(base + last) if base and last and base not in self._inner else None
        )
        return ["exact", base + last, list(numbers), found] if numbers else found

    def value(self, node: ast.expr) -> Flow:
        if isinstance(node, ast.Name):
            found, reached = self.name(node.id), self.reach.numbers(node.id)
            said = self.known.get(node.id, ()) if node.id not in self._inner else ()
            tests = [[kinds, outcome] for kinds, outcome, then in said if then == reached]
            return ["is", found, tests] if tests else found
        if isinstance(node, ast.Constant):
            return (
                ["k", node.value]
                if node.value is None or isinstance(node.value, (str, int))
                else ["x", []]
            )
        if isinstance(node, ast.Attribute):
            return self._exact(node, ["a", self.value(node.value), node.attr, self.place(node)])
        if isinstance(node, ast.Call):
            inner = _evaluated(node)
            if inner is not None:
                return self._quoted(inner, node)
            callee, positional = self.value(node.func), [self.value(arg) for arg in node.args]
            words = [[word.arg or "", self.value(word.value)] for word in node.keywords]
            self.reach.cut()
            return ["c", callee, positional, words, self.place(node)]
        read = getattr(self, f"_value_{type(node).__name__.lower()}", None)
        if read is not None:
            found_value: Flow = read(node)
            return found_value
        return [
            "x",
            [self.value(item) for item in ast.iter_child_nodes(node) if isinstance(item, ast.expr)],
        ]

    def _quoted(self, inner: ast.expr, node: ast.Call) -> Flow:
        """What ``eval`` is given as a constant; all of it stands where the call does."""
        before, self._stands = self._stands, self._stands or self.place(node)
        found = self.value(inner)
        self._stands = before
        return found

    # -- containers ----------------------------------------------------------------------------------------------------------------

    def _value_list(self, node: ast.List | ast.Tuple | ast.Set) -> Flow:
        if len(node.elts) > _LONG and all(_is_data(item) for item in node.elts):
            return [
                "l",
                [["*", ["x", []]]],
            ]  # a table of numbers and words: nothing in it can be called
        return ["l", [self.value(item) for item in node.elts]]

    _value_tuple = _value_set = _value_list

    def _value_dict(self, node: ast.Dict) -> Flow:
        return [
            "d",
            [
                [self.value(key) if key else ["*", []], self.value(value)]
                for key, value in zip(node.keys, node.values, strict=True)
            ],
        ]

    def _value_subscript(self, node: ast.Subscript) -> Flow:
        return self._exact(
            node, ["s", self.value(node.value), self.value(node.slice), self.place(node)]
        )

    def _value_slice(self, node: ast.Slice) -> Flow:
        bounds = [
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, int) else None
            for part in (node.lower, node.upper)
        ]
        plain = (
            all(part is None or isinstance(part, ast.Constant) for part in (node.lower, node.upper))
            and node.step is None
        )
        return [
            "slice",
            [self.value(part) for part in (node.lower, node.upper, node.step) if part],
            bounds if plain else [],
        ]

    def _value_starred(self, node: ast.Starred) -> Flow:
        return ["*", self.value(node.value)]

    def _value_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Flow:
        before = dict(self._inner)
        loops = self._generators(node.generators)
        found = ["comp", loops, ["l", [self.value(node.elt)]]]
        self._inner = before
        return found

    _value_setcomp = _value_generatorexp = _value_listcomp

    def _value_dictcomp(self, node: ast.DictComp) -> Flow:
        before = dict(self._inner)
        loops = self._generators(node.generators)
        found = ["comp", loops, ["d", [[self.value(node.key), self.value(node.value)]]]]
        self._inner = before
        return found

    def _generators(self, generators: list[ast.comprehension]) -> Flow:
        found: Flow = []
        for part in generators:
            value = self.value(part.iter)
            for node in ast.walk(part.target):
                if isinstance(node, ast.Name):
                    self._inner = {**self._inner, node.id: f"{node.id} {number(node)}"}
            found.append(
                [
                    "for",
                    self.target(part.target),
                    value,
                    self.place(part.iter),
                    "a" if part.is_async else "",
                ]
            )
            found += [["!", self.test(test)] for test in part.ifs]
        return found

    # -- choices -------------------------------------------------------------------------------------------------------------------

    def _value_ifexp(self, node: ast.IfExp) -> Flow:
        test = self.test(node.test)
        with Knowing(self.known, self.tests(node.test, True)):
            then = self.value(node.body)
        with Knowing(self.known, self.tests(node.test, False)):
            other = self.value(node.orelse)
        return ["|", [then, other], [test]]

    def _value_boolop(self, node: ast.BoolOp) -> Flow:
        return self._joint(node, self.value)

    def _joint(self, node: ast.BoolOp, last: Callable[[ast.expr], Flow]) -> Flow:
        """All parts but the last are tested; how the last is read is for the caller to say."""
        found = [self.test(node.values[0])]
        with Knowing(self.known, self.tests(node.values[0], isinstance(node.op, ast.And))):
            found += [self.test(item) for item in node.values[1:-1]]
            found.append(last(node.values[-1]))
        return ["|", found]

    def test(self, node: ast.expr) -> Flow:
        """An expression of which only the truth is asked."""
        if isinstance(node, ast.BoolOp):
            return self._joint(node, self.test)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.test(node.operand)
        if isinstance(node, (ast.Compare, ast.Constant)):
            return self.value(node)
        return ["test", self.value(node), self.place(node)]

    def _value_namedexpr(self, node: ast.NamedExpr) -> Flow:
        value = self.value(node.value)
        before = self.reach.numbers(node.target.id)
        target = self.target(node.target)
        if before:
            self.reach.also(
                (node.target.id, at) for at in before
            )  # it may stand where it isn't reached
        return [":=", target, value]

    def tests(self, test: ast.expr, outcome: bool) -> list[Test]:
        """What is known of plain names when a test came out true or false: ``isinstance`` and its negations and joints."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.tests(test.operand, not outcome)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if outcome else ast.Or):
            return [found for part in test.values for found in self.tests(part, outcome)]
        if not (
            isinstance(test, ast.Call)
            and isinstance(test.func, ast.Name)
            and test.func.id == "isinstance"
            and len(test.args) == 2
        ):
            return []
        subject, kinds = test.args
        if not isinstance(subject, ast.Name):
            return []
        written = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        return [
            (
                subject.id,
                (
                    ["l", [self.value(kind) for kind in written]],
                    outcome,
                    self.reach.numbers(subject.id),
                ),
            )
        ]

    def none_tests(self, test: ast.expr, outcome: bool) -> list[tuple[str, bool]]:
        """What is known of untouched arguments when a test came out true or false: whether they are None."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.none_tests(test.operand, not outcome)
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if outcome else ast.Or):
            return [found for part in test.values for found in self.none_tests(part, outcome)]
        if isinstance(test, ast.Name) and outcome:
            return [(test.id, False)] if self.reach.numbers(test.id) == (ARGUMENT,) else []
        if not (
            isinstance(test, ast.Compare)
            and isinstance(test.left, ast.Name)
            and isinstance(test.ops[0], (ast.Is, ast.IsNot))
        ):
            return []
        other = test.comparators[0]
        if (
            not isinstance(other, ast.Constant)
            or other.value is not None
            or self.reach.numbers(test.left.id) != (ARGUMENT,)
        ):
            return []
        return [(test.left.id, isinstance(test.ops[0], ast.Is) == outcome)]

    # -- the rest ------------------------------------------------------------------------------------------------------------------

    def _value_await(self, node: ast.Await) -> Flow:
        found = self.value(node.value)
        self.reach.cut()
        return found

    def _value_lambda(self, node: ast.Lambda) -> Flow:
        return ["f", self.function("<lambda>", node.args, self.lambda_body(node), node)]

    def lambda_body(self, node: ast.Lambda) -> Flow:
        raise NotImplementedError

    def _value_yield(self, node: ast.Yield) -> Flow:
        found = self.value(node.value) if node.value else ["x", []]
        self.reach.cut()
        return ["yield", found, True]

    def _value_yieldfrom(self, node: ast.YieldFrom) -> Flow:
        found = ["of", self.value(node.value), self.place(node)]
        self.reach.cut()
        return ["yield", found, False]

    def _value_binop(self, node: ast.BinOp) -> Flow:
        return [
            "op",
            OPERATORS.get(type(node.op).__name__, ""),
            self.value(node.left),
            [self.value(node.right)],
            self.place(node),
        ]

    def _value_unaryop(self, node: ast.UnaryOp) -> Flow:
        if (
            isinstance(node.op, ast.USub)
            and isinstance(node.operand, ast.Constant)
            and isinstance(node.operand.value, int)
        ):
            return ["k", -node.operand.value]
        if isinstance(node.op, ast.Not):
            return ["x", [["test", self.value(node.operand), self.place(node)]]]
        return [
            "op",
            OPERATORS.get(type(node.op).__name__, ""),
            self.value(node.operand),
            [],
            self.place(node),
        ]

    def _value_compare(self, node: ast.Compare) -> Flow:
        method = OPERATORS.get(type(node.ops[0]).__name__, "")
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            return [
                "op",
                "__contains__",
                self.value(node.comparators[0]),
                [self.value(node.left)],
                self.place(node),
            ]
        return [
            "op",
            method,
            self.value(node.left),
            [self.value(item) for item in node.comparators],
            self.place(node),
        ]

    def _value_formattedvalue(self, node: ast.FormattedValue) -> Flow:
        how = {115: "__str__", 114: "__repr__", 97: "__repr__"}.get(node.conversion, "__format__")
        found = ["fmt", self.value(node.value), how, self.place(node.value)]
        return (
            ["x", [found, self.value(node.format_spec)]] if node.format_spec is not None else found
        )

    def function(self, name: str, args: ast.arguments, body: Flow, node: Any) -> dict[str, Any]:
        positional = [*args.posonlyargs, *args.args]
        defaults = [
            [arg.arg, self.value(value)]
            for arg, value in zip(reversed(positional), reversed(args.defaults), strict=False)
        ]
        defaults += [
            [arg.arg, self.value(value)]
            for arg, value in zip(args.kwonlyargs, args.kw_defaults, strict=True)
            if value
        ]
        every = [*positional, *args.kwonlyargs]
        spare = [
            [arg.arg, self.annotation(arg.annotation)]
            for arg in (args.vararg, args.kwarg)
            if arg and arg.annotation
        ]
        return {
            "name": name,
            "positional": [arg.arg for arg in positional],
            "named": [arg.arg for arg in args.kwonlyargs],
            "rest": args.vararg.arg if args.vararg else "",
            "rest_named": args.kwarg.arg if args.kwarg else "",
            "defaults": defaults,
            "annotations": [
                [arg.arg, self.annotation(arg.annotation)] for arg in every if arg.annotation
            ],
            "spare": spare,
            "returns": self.annotation(node.returns) if getattr(node, "returns", None) else None,
            "decorators": [
                self.value(decorator) for decorator in getattr(node, "decorator_list", ())
            ],
            "decorator_places": [
                self.place(decorator) for decorator in getattr(node, "decorator_list", ())
            ],
            "abstract": not isinstance(node, ast.Lambda) and _is_abstract(node.body),
            "body": body,
        }

    def annotation(self, node: ast.expr | None) -> Flow:
        """A written type; a quoted one is read as what it quotes."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                return self.annotation(ast.parse(node.value.strip(), mode="eval").body)
            except (SyntaxError, ValueError, MemoryError):
                return ["x", []]
        if isinstance(node, ast.Name):
            return ["n", node.id]
        if isinstance(node, ast.Attribute):
            return ["a", self.annotation(node.value), node.attr, None]
        if isinstance(node, ast.BinOp):
            return ["|", [self.annotation(node.left), self.annotation(node.right)]]
        if isinstance(node, ast.List):  # a callable's arguments
            return ["l", [self.annotation(item) for item in node.elts]]
        if isinstance(node, ast.Subscript):
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return [
                "s",
                self.annotation(node.value),
                [self.annotation(item) for item in inner],
                None,
            ]
        return ["x", []]

    def place(self, node: Any) -> list[int]:
        if self._stands or not hasattr(node, "lineno"):
            return list(self._stands) or [0, 0, 0, 0]
        return list(
            self._lines.place(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        )


class Knowing:
    """Adds what tests say for as long as a branch is read."""

    def __init__(self, known: dict[str, list[Said]], tests: list[Test]) -> None:
        self._known, self._tests = known, tests
        self._before: dict[str, list[Said]] = {}

    def __enter__(self) -> None:
        self._before = {name: list(tests) for name, tests in self._known.items()}
        for name, test in self._tests:
            self._known.setdefault(name, []).append(test)

    def __exit__(self, *failure: object) -> None:
        self._known.clear()
        self._known.update(self._before)


def _path(node: ast.Attribute | ast.Subscript) -> tuple[str, str]:
    """('x', '.a') or ('x', "['k']"); '' for a base that is no plain name, and for a key that is no constant."""
    base = node.value.id if isinstance(node.value, ast.Name) else ""
    if isinstance(node, ast.Attribute):
        return base, f".{node.attr}"
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return base, f"[{key!r}]" if isinstance(key, (str, int)) else ""


def _evaluated(node: ast.Call) -> ast.expr | None:
    """The expression that ``eval("…")`` evaluates, if the call says it itself."""
    if (
        not isinstance(node.func, ast.Name)
        or node.func.id != "eval"
        or len(node.args) != 1
        or node.keywords
    ):
        return None
    written = node.args[0].value if isinstance(node.args[0], ast.Constant) else None
    if not isinstance(written, str):
        return None
    try:
        return ast.parse(written.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError):
        return None


def _is_data(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.Tuple) and all(_is_data(item) for item in node.elts)
    )


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
