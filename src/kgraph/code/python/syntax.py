"""A Python file on its own: its docstring, imports and symbols, by ``ast``."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator

from kgraph.code.facts import Broken, FileFacts, Import, Place, Symbol
from kgraph.code.places import Lines

_BLOCKS = (ast.stmt, ast.ExceptHandler, ast.match_case)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parse(text: str, level: str) -> FileFacts:
    """The facts of one file. A file that is not Python has no facts but the line at which reading stopped."""
    lines = Lines(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError as error:
        return FileFacts(
            "python",
            broken=(Broken(error.lineno or 1, f"syntax error: {error.msg}"),),
            lines=len(lines),
        )
    except (
        ValueError,
        RecursionError,
        MemoryError,
    ) as error:  # null bytes; nesting beyond the parser's stack
        said = str(error) or "nested too deep"
        return FileFacts("python", broken=(Broken(1, f"not parsed: {said}"),), lines=len(lines))
    reader = _Reader(lines)
    reader.block(tree.body, "", "import")
    body = None
    if level == "symbol":
        from kgraph.code.python.flow import flow

        body = flow(tree, lines)
    return FileFacts(
        "python",
        doc=ast.get_docstring(tree) or "",
        imports=tuple(reader.imports),
        symbols=tuple(reader.symbols),
        lines=len(lines),
        body=body,
    )


class _Reader:
    """Walks statements only (imports and definitions are statements), which is several times faster than walking every node."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._dynamic = _importers(lines.text)
        self.imports: list[Import] = []
        self.symbols: list[Symbol] = []

    def block(self, body: Iterable[ast.stmt], scope: str, kind: str) -> None:
        for statement in body:
            if isinstance(statement, ast.Import):
                place = self._place(statement)
                for alias in statement.names:
                    self.imports.append(
                        Import(
                            place, alias.name, (("", alias.asname or ""),), kind, "import", scope
                        )
                    )
            elif isinstance(statement, ast.ImportFrom):
                names = tuple((alias.name, alias.asname or alias.name) for alias in statement.names)
                target = "." * statement.level + (statement.module or "")
                self.imports.append(
                    Import(self._place(statement), target, names, kind, "from", scope)
                )
            elif isinstance(statement, _FUNCTIONS):
                name = self._symbol(statement, "function", scope)
                self.block(
                    statement.body,
                    name,
                    "import-type" if kind == "import-type" else "import-deferred",
                )
            elif isinstance(statement, ast.ClassDef):
                self.block(statement.body, self._symbol(statement, "class", scope), kind)
            elif isinstance(statement, ast.If):
                then, other = _branches(statement.test, kind)
                self.block(statement.body, scope, then)
                self.block(statement.orelse, scope, other)
            else:
                for inner in _inner_blocks(statement):
                    self.block(inner, scope, kind)
            if self._dynamic and not isinstance(
                statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
            ):
                self._by_call(statement, scope, kind)

    def _by_call(self, statement: ast.stmt, scope: str, kind: str) -> None:
        """``importlib.import_module("literal")`` and ``__import__("literal")``: they run when the expression does, so they are deferred."""
        for node in _own_expressions(statement):
            if (
                isinstance(node, ast.Call)
                and dotted(node.func) in self._dynamic
                and (target := _called_for(node))
            ):
                held = kind if kind == "import-type" else "import-deferred"
                self.imports.append(
                    Import(self._place(node), target, (("", ""),), held, "import", scope)
                )

    def _symbol(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, kind: str, scope: str
    ) -> str:
        name = f"{scope}.{node.name}" if scope else node.name
        bases: list[tuple[str, Place]] = []
        if isinstance(node, ast.ClassDef):
            bases = [
                (written, self._place(base)) for base in node.bases if (written := dotted(base))
            ]
        self.symbols.append(
            Symbol(name, kind, self._place(node), ast.get_docstring(node) or "", tuple(bases))
        )
        return name

    def _place(self, node: ast.stmt | ast.expr) -> Place:
        return self._lines.place(
            node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
        )


def _importers(text: str) -> frozenset[str]:
    """How the file may write a call that imports; nothing for the many files that never do."""
    names = (
        {"importlib.import_module", "import_module"}
        if "import_module" in text and "importlib" in text
        else set()
    )
    return frozenset(names | ({"__import__"} if "__import__" in text else set()))


def _called_for(call: ast.Call) -> str:
    """The module that a call imports, as an import statement would write it; '' where the call doesn't say it itself."""
    given = [*call.args, *(word.value for word in call.keywords if word.arg in ("name", "package"))]
    name = given[0].value if given and isinstance(given[0], ast.Constant) else None
    if not isinstance(name, str) or not name:
        return ""
    if not name.startswith(".") or len(given) < 2:
        return "" if name.startswith(".") else name
    package = given[1]
    if isinstance(package, ast.Name) and package.id == "__package__":
        return name
    if not isinstance(package, ast.Constant) or not isinstance(package.value, str):
        return ""
    rest = name.lstrip(".")
    parts = package.value.split(".")
    kept = parts[: len(parts) - (len(name) - len(rest) - 1)]
    return ".".join([*kept, rest]) if kept and rest else ""


def _own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """All nodes of a statement's own expressions, without those of the statements inside it."""
    waiting = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, _BLOCKS)]
    while waiting:
        here = waiting.pop(0)
        yield here
        waiting += [node for node in ast.iter_child_nodes(here) if not isinstance(node, _BLOCKS)]


def dotted(node: ast.expr) -> str:
    """'a.b.c' for a plain dotted path, '' for anything else; a subscript (``Generic[T]``) counts as what it subscripts."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            return ".".join(reversed(parts))
        else:
            return ""


def _branches(test: ast.expr, kind: str) -> tuple[str, str]:
    """The import kinds of a condition's two branches: what only a type checker runs is 'import-type'."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        other, then = _branches(test.operand, kind)
        return then, other
    if dotted(test).rpartition(".")[2] == "TYPE_CHECKING":
        return "import-type", kind
    return kind, kind


def _inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statement lists inside a compound statement that opens no scope of its own."""
    for field in ("body", "orelse", "finalbody"):
        inner = getattr(statement, field, None)
        if inner:
            yield inner
    for field in ("handlers", "cases"):
        for branch in getattr(statement, field, ()):
            yield branch.body
