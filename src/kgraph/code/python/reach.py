"""Which assignments can have given a name its value at one place of a scope.

An assignment is known by a number made of its line and column. A name that is read without such numbers may hold whatever the scope's
assignments put into it: one that another function shares by ``global`` or ``nonlocal``, one of an outer scope, one that a star import
may have replaced.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Numbers = tuple[int, ...]
Way = tuple[dict[str, "Numbers | None"], dict[str, "Numbers"]]
ARGUMENT = 0  # the number of what a call handed in
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def number(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0)) * 4096 + int(getattr(node, "col_offset", 0)) + 1


class Reach:
    """One scope while its statements are read in order. A path (``x.a``, ``x['k']``) is known for as long as nothing else can have
    changed it: any call ends that."""

    def __init__(self, shared: frozenset[str], arguments: Iterable[str] = ()) -> None:
        self._shared = shared
        self._now: dict[str, Numbers | None] = {
            name: (ARGUMENT,) for name in arguments if name not in shared
        }
        self._paths: dict[str, Numbers] = {}

    def numbers(self, name: str) -> Numbers | None:
        return self._now.get(name)

    def bind(self, name: str, at: int) -> None:
        if name not in self._shared:
            self._now[name] = (at,)
        if self._paths:
            self._paths = {
                path: known
                for path, known in self._paths.items()
                if not path.startswith((f"{name}.", f"{name}["))
            }

    def also(self, found: Iterable[tuple[str, int]]) -> None:
        """Some of these may have happened, and what else stands beside them."""
        self._paths = {}
        for name, at in found:
            if name not in self._shared:
                before = self._now.get(name, ())
                self._now[name] = (
                    None if before is None else before if at in before else (*before, at)
                )

    def forget(self) -> None:
        """From here on any name may have been replaced."""
        self._now = dict.fromkeys(self._now)

    def way(self) -> Way:
        """What is known here, to go on from later."""
        return dict(self._now), dict(self._paths)

    def back_to(self, way: Way) -> None:
        self._now, self._paths = dict(way[0]), dict(way[1])

    def join(self, ways: list[Way]) -> None:
        """Several ways lead here; with none, what follows can't be reached and is read as before."""
        if not ways:
            return
        joined, paths = dict(ways[0][0]), dict(ways[0][1])
        for names, others in ways[1:]:
            for name, numbers in names.items():
                known = joined.get(name, ())
                if numbers is None or known is None:
                    joined[name] = None
                elif numbers != known:
                    joined[name] = (*known, *(at for at in numbers if at not in known))
            paths = {
                path: tuple(dict.fromkeys((*known, *others[path])))
                for path, known in paths.items()
                if path in others
            }
        self._now, self._paths = joined, paths

    # -- paths -------------------------------------------------------------------------------------------------------------------------

    def path(self, path: str) -> Numbers | None:
        return self._paths.get(path)

    def bind_path(self, base: str, last: str, at: int) -> None:
        """``last`` is '.a' or "['k']"; '' for a key that is not known."""
        self._paths = {
            path: known
            for path, known in self._paths.items()
            if not ((path.endswith(last) if last else path.endswith("]")) or path == base + last)
        }
        if last and base not in self._shared:
            self._paths[base + last] = (at,)

    def cut(self) -> None:
        """Something ran that may have changed any of them."""
        if self._paths:
            self._paths = {}


def shared_names(tree: ast.Module) -> frozenset[str]:
    """What some function of the file declares global or nonlocal."""
    return frozenset(
        name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Global, ast.Nonlocal))
        for name in node.names
    )


def bindings(nodes: Iterable[ast.AST]) -> list[tuple[str, int]]:
    """The names that statements bind in their own scope, each with the number of where."""
    found: list[tuple[str, int]] = []
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        found += bound(node)
        if not isinstance(node, _SCOPES) and not (
            isinstance(node, ast.expr) and not _may_bind(node)
        ):
            waiting += ast.iter_child_nodes(node)
    return found


def _may_bind(node: ast.expr) -> bool:
    """Whether there may be a target inside: a walrus hides anywhere but in a lambda."""
    return not isinstance(node, (ast.Lambda, ast.Constant, ast.Attribute))


def bound(node: ast.AST) -> Iterator[tuple[str, int]]:
    """What a node itself binds."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            yield node.id, number(node)
    elif isinstance(node, _SCOPES):
        yield node.name, number(node)
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0], number(node)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name, number(node)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest, number(node)
