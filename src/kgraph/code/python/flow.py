"""What flows where in a Python file: a small language of nested lists in which only names, attributes, calls and containers are left.

Statements: ``["=", target, value]``, ``["!", value]``, ``["r", value, nones]`` (which arguments are None there, which not),
``["for", target, value, place, mark]``,
``["with", target, value, mark, place]``, ``["ann", target, annotation, value]``, ``["import", target, dotted, level, member]``,
``["def", function, target]``, ``["class", record, target]``, ``["outer", kind, names]``, ``["raise", value, place]``.
``expressions`` says what stands in them.
"""

from __future__ import annotations

import ast
from typing import Any

from kgraph.code.places import Lines
from kgraph.code.python.expressions import OPERATORS, Expressions, Flow, Knowing, Test
from kgraph.code.python.reach import Reach, bindings, number, shared_names


def flow(tree: ast.Module, lines: Lines) -> Flow:
    """The statements of the module itself; functions and classes stand inside as records."""
    return _Reader(lines, shared_names(tree)).block(tree.body)


class _Reader(Expressions):
    def block(self, body: list[ast.stmt]) -> Flow:
        """The statements of one block; what its tests say of a name ends with it."""
        before, nones = {name: list(tests) for name, tests in self.known.items()}, len(self.nones)
        found: Flow = []
        for statement in body:
            self._statement(statement, found)
        del self.nones[nones:]
        self.known.clear()
        self.known.update(before)
        return found

    def inner_block(self, body: list[ast.stmt], arguments: list[str]) -> Flow:
        """A function's or class's body: it runs at another time, so nothing is known of outer names."""
        outer, here, nones = self.known, self.reach, self.nones
        self.known, self.reach, self.nones = {}, Reach(self.shared, arguments), []
        found = self.block(body)
        self.known, self.reach, self.nones = outer, here, nones
        return found

    def _statement(self, node: ast.stmt, out: Flow) -> None:
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is not None:
            read(node, out)

    # -- ways ----------------------------------------------------------------------------------------------------------------------

    def _if(self, node: ast.If, out: Flow) -> None:
        out.append(["!", self.test(node.test)])
        then, other = self.tests(node.test, True), self.tests(node.test, False)
        before, ways = self.reach.way(), []
        nones = self.none_tests(node.test, True), self.none_tests(node.test, False)
        for tests, body, said in ((then, node.body, nones[0]), (other, node.orelse, nones[1])):
            self.reach.back_to(before)
            self.nones += said
            with Knowing(self.known, tests):
                out += self.block(body)
            del self.nones[len(self.nones) - len(said) :]
            if not _leaves(body):
                ways.append(self.reach.way())
        self.reach.join(ways)
        for left, tests in (
            (_leaves(node.body), other),
            (bool(node.orelse) and _leaves(node.orelse), then),
        ):
            if left:  # what follows runs only if the other branch was taken
                for name, test in tests:
                    self.known.setdefault(name, []).append(test)
        if _leaves(node.body):
            self.nones += nones[1]

    def _while(self, node: ast.While, out: Flow) -> None:
        self.reach.also(bindings([node.test, *node.body]))
        out.append(["!", self.test(node.test)])
        self._loop(node.body, node.orelse, self.tests(node.test, True), out)

    def _for(self, node: ast.For | ast.AsyncFor, out: Flow) -> None:
        value = self.value(node.iter)
        self.reach.also(bindings([node.target, *node.body]))
        before = self.reach.way()
        out.append(
            [
                "for",
                self.target(node.target),
                value,
                self.place(node.iter),
                "a" if isinstance(node, ast.AsyncFor) else "",
            ]
        )
        self._loop(node.body, node.orelse, [], out, before)

    _asyncfor = _for

    def _loop(
        self,
        body: list[ast.stmt],
        orelse: list[ast.stmt],
        tests: list[Test],
        out: Flow,
        before: Any = None,
    ) -> None:
        before = self.reach.way() if before is None else before
        with Knowing(self.known, tests):
            out += self.block(body)
        self.reach.join([before, self.reach.way()])
        out += self.block(orelse)

    def _try(self, node: ast.Try, out: Flow) -> None:
        before = self.reach.way()
        out += self.block(node.body)
        out += self.block(node.orelse)
        ways = [] if _leaves(node.orelse or node.body) else [self.reach.way()]
        for handler in node.handlers:
            self.reach.back_to(before)
            self.reach.also(bindings(node.body))
            self._handler(handler, out)
            if not _leaves(handler.body):
                ways.append(self.reach.way())
        if node.finalbody:
            self.reach.join([before, *ways])
            self.reach.also(bindings([*node.body, *node.handlers, *node.orelse]))
            out += self.block(node.finalbody)
        if node.finalbody and ways:
            self.reach.join(ways)
            self.reach.also(bindings(node.finalbody))
        elif not node.finalbody:
            self.reach.join(ways)

    _trystar = _try

    def _handler(self, node: ast.ExceptHandler, out: Flow) -> None:
        if node.type is not None:
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if node.name:
                target = self.bind(node.name, number(node))
                out.append(["ann", target, ["|", [self.annotation(kind) for kind in kinds]], None])
            else:
                out += [["!", self.value(kind)] for kind in kinds]
        out += self.block(node.body)

    def _with(self, node: ast.With | ast.AsyncWith, out: Flow) -> None:
        mark = "a" if isinstance(node, ast.AsyncWith) else ""
        for item in node.items:
            value = self.value(item.context_expr)
            target = self.target(item.optional_vars) if item.optional_vars else None
            out.append(["with", target, value, mark, self.place(item.context_expr)])
        before = self.reach.way()
        out += self.block(node.body)
        self.reach.join(
            [before, self.reach.way()]
        )  # a manager may swallow what was raised half-way

    _asyncwith = _with

    def _match(self, node: ast.Match, out: Flow) -> None:
        subject = self.value(node.subject)
        out.append(["!", subject])
        before, ways, last = self.reach.way(), [], False
        for case in node.cases:
            self.reach.back_to(before)
            tests: list[Test] = []
            if isinstance(node.subject, ast.Name) and (kinds := _classes(case.pattern)):
                tests = [
                    (
                        node.subject.id,
                        (
                            ["l", [self.value(kind) for kind in kinds]],
                            True,
                            self.reach.numbers(node.subject.id),
                        ),
                    )
                ]
            with Knowing(self.known, tests):
                self._pattern(case.pattern, self.value(node.subject) if tests else subject, out)
                if case.guard is not None:
                    out.append(["!", self.test(case.guard)])
                out += self.block(case.body)
            if not _leaves(case.body):
                ways.append(self.reach.way())
            last = (
                case.guard is None
                and isinstance(case.pattern, ast.MatchAs)
                and case.pattern.pattern is None
            )
        self.reach.join(ways if last else [before, *ways])

    def _pattern(self, node: ast.pattern, subject: Flow, out: Flow) -> None:
        """What a pattern binds, as assignments."""
        if isinstance(node, ast.MatchAs):
            if node.pattern is not None:
                self._pattern(node.pattern, subject, out)
            if node.name:
                out.append(["=", self.bind(node.name, number(node)), subject])
        elif isinstance(node, ast.MatchOr):
            for inner in node.patterns:
                self._pattern(inner, subject, out)
        elif isinstance(node, ast.MatchSequence):
            for at, inner in enumerate(node.patterns):
                starred = any(
                    isinstance(before, ast.MatchStar) for before in node.patterns[: at + 1]
                )
                element = (
                    ["of", subject, [0, 0, 0, 0]]
                    if starred
                    else ["s", subject, ["k", at], [0, 0, 0, 0]]
                )
                if isinstance(inner, ast.MatchStar):
                    if inner.name:
                        out.append(["=", self.bind(inner.name, number(inner)), ["l", [element]]])
                else:
                    self._pattern(inner, element, out)
        elif isinstance(node, ast.MatchMapping):
            for key, inner in zip(node.keys, node.patterns, strict=True):
                self._pattern(inner, ["s", subject, self.value(key), [0, 0, 0, 0]], out)
            if node.rest:
                out.append(["=", self.bind(node.rest, number(node)), subject])
        elif isinstance(node, ast.MatchClass):
            for inner in node.patterns:
                self._pattern(inner, ["x", []], out)
            for name, inner in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
                self._pattern(inner, ["a", subject, name, [0, 0, 0, 0]], out)

    # -- single statements ---------------------------------------------------------------------------------------------------------

    def _expr(self, node: ast.Expr, out: Flow) -> None:
        if not isinstance(node.value, ast.Constant):
            out.append(["!", self.value(node.value)])

    def _assign(self, node: ast.Assign, out: Flow) -> None:
        value = self.value(node.value)
        out += [["=", self.target(target), value] for target in node.targets]

    def _augassign(self, node: ast.AugAssign, out: Flow) -> None:
        method = OPERATORS.get(type(node.op).__name__, "")
        before: Flow
        if isinstance(node.target, ast.Name):
            before = self.name(node.target.id)
        else:
            before = self.value(node.target)
        value = ["aug", method, before, [self.value(node.value)], self.place(node)]
        out.append(["=", self.target(node.target), value])

    def _annassign(self, node: ast.AnnAssign, out: Flow) -> None:
        value = self.value(node.value) if node.value else None
        written = self.annotation(node.annotation)
        out.append(["ann", self.target(node.target), written, value])

    def _return(self, node: ast.Return, out: Flow) -> None:
        if node.value is not None:
            said = [list(test) for test in dict.fromkeys(self.nones)]
            out.append(["r", self.value(node.value), said])

    def _raise(self, node: ast.Raise, out: Flow) -> None:
        out += [
            ["raise", self.value(item), self.place(item)]
            for item in (node.exc, node.cause)
            if item is not None
        ]

    def _assert(self, node: ast.Assert, out: Flow) -> None:
        out.append(["!", self.test(node.test)])
        if node.msg is not None:
            out.append(["!", self.value(node.msg)])
        for name, test in self.tests(node.test, True):
            self.known.setdefault(name, []).append(test)

    def _delete(self, node: ast.Delete, out: Flow) -> None:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                out.append(
                    [
                        "!",
                        [
                            "op",
                            "__delitem__",
                            self.value(target.value),
                            [self.value(target.slice)],
                            self.place(target),
                        ],
                    ]
                )

    def _import(self, node: ast.Import, out: Flow) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            out.append(
                [
                    "import",
                    self.bind(alias.asname or top, number(alias)),
                    alias.name if alias.asname else top,
                    0,
                    "",
                ]
            )

    def _importfrom(self, node: ast.ImportFrom, out: Flow) -> None:
        for alias in node.names:
            if alias.name == "*":
                self.reach.forget()
                out.append(["import", ["n", "*"], node.module or "", node.level, "*"])
            else:
                target = self.bind(alias.asname or alias.name, number(alias))
                out.append(["import", target, node.module or "", node.level, alias.name])

    def _global(self, node: ast.Global | ast.Nonlocal, out: Flow) -> None:
        out.append(["outer", type(node).__name__.lower(), node.names])

    _nonlocal = _global

    def _functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, out: Flow) -> None:
        record = self.function(
            node.name, node.args, self.inner_block(node.body, _arguments(node.args)), node
        )
        out.append(["def", record, self.bind(node.name, number(node))])

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef, out: Flow) -> None:
        record = {
            "name": node.name,
            "bases": [
                self.value(base.value if isinstance(base, ast.Subscript) else base)
                for base in node.bases
            ],
            "base_places": [self.place(base) for base in node.bases],
            "named": [[word.arg or "", self.value(word.value)] for word in node.keywords],
            "decorators": [self.value(decorator) for decorator in node.decorator_list],
            "decorator_places": [self.place(decorator) for decorator in node.decorator_list],
            "body": self.inner_block(node.body, []),
        }
        out.append(["class", record, self.bind(node.name, number(node))])

    def lambda_body(self, node: ast.Lambda) -> Flow:
        outer, here = self.known, self.reach
        self.known, self.reach = {}, Reach(self.shared, _arguments(node.args))
        found = [["r", self.value(node.body), []]]
        self.known, self.reach = outer, here
        return found


def _arguments(args: ast.arguments) -> list[str]:
    every = [
        *args.posonlyargs,
        *args.args,
        *args.kwonlyargs,
        *(arg for arg in (args.vararg, args.kwarg) if arg),
    ]
    return [arg.arg for arg in every]


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _classes(pattern: ast.pattern) -> list[ast.expr]:
    """The classes of which one must be met; [] for any other pattern."""
    if isinstance(pattern, ast.MatchClass):
        return [pattern.cls]
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        return _classes(pattern.pattern)
    if isinstance(pattern, ast.MatchOr):
        parts = [_classes(inner) for inner in pattern.patterns]
        return [kind for part in parts for kind in part] if all(parts) else []
    return []
