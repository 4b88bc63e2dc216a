"""Small programs with the calls that they make: a table in plain text, and a way to see that the table is true by running them.

In ``python_calls/*.txt`` a case begins with ``=== what it shows``; ``--- file`` begins another file than ``m.py``; ``>>>`` holds the calls, as
``caller>callee``. In a case of one file all names but ``m`` itself are names inside it. A lambda is part of what it is written in.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from types import CodeType, FrameType
from typing import NamedTuple

_FOLDER = os.path.join(os.path.dirname(__file__), "python_calls")
Calls = frozenset[tuple[str, str]]


class Case(NamedTuple):
    name: str
    files: dict[str, str]
    calls: Calls


def cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for listed in sorted(os.listdir(_FOLDER)):
        with open(os.path.join(_FOLDER, listed), encoding="utf-8") as file:
            for part in ("\n" + file.read()).split("\n=== ")[1:]:
                case = _case(part)
                name = f"{listed.removesuffix('.txt')}: {case.name}"
                if name in found:
                    raise ValueError(f"two cases are called {name!r}")
                found[name] = case._replace(name=name)
    return found


def _case(part: str) -> Case:
    name, _, rest = part.partition("\n")
    text, mark, written = rest.rstrip("\n").rpartition("\n>>>")
    if not mark:
        raise ValueError(f"{name}: no line of calls")
    first, *others = text.split("\n--- ")
    files = {"m.py": first + "\n"}
    for other in others:
        path, _, body = other.partition("\n")
        files[path] = body + "\n"
    pairs = [tuple(pair.split(">")) for pair in written.split()]
    return Case(
        name,
        files,
        frozenset((_full(one, not others), _full(other, not others)) for one, other in pairs),
    )


def _full(name: str, alone: bool) -> str:
    return f"m.{name}" if alone and name != "m" else name


def observed(folder: str) -> Calls:
    """The calls that happen when ``m`` below ``folder`` is imported. What makes a generator or coroutine is not among them, nor what
    is entered by the interpreter's own hand in another thread."""
    modules = {_module(path, folder) for path in _sources(folder)}
    for name in modules:
        sys.modules.pop(name, None)
    names: dict[tuple[str, CodeType], str] = {}  # equal code may stand in two files
    calls: set[tuple[str, str]] = set()

    def name(code: CodeType) -> str:
        key = code.co_filename, code
        if key not in names:
            names[key] = _name(code, folder)
        return names[key]

    def watch(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        lazy = code.co_flags & (
            inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR | inspect.CO_COROUTINE
        )
        if (
            event != "call"
            or not name(code)
            or code.co_name.startswith("<")
            or not code.co_flags & inspect.CO_OPTIMIZED
            or lazy
        ):
            return
        above = frame.f_back
        while above is not None and not name(above.f_code):
            above = above.f_back
        if above is not None:
            calls.add((name(above.f_code), name(code)))

    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    sys.setprofile(watch)
    try:
        importlib.import_module("m")
    finally:
        sys.setprofile(None)
        sys.path.remove(folder)
        for module in modules:
            sys.modules.pop(module, None)
    return frozenset(calls)


def lazy(folder: str) -> set[str]:
    """The generators and coroutines of a case, by full name: who drives them isn't always who called them."""
    found: set[str] = set()
    for path in _sources(folder):
        with open(path, encoding="utf-8") as file:
            waiting = [compile(file.read(), path, "exec")]
        while waiting:
            code = waiting.pop()
            waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
            if code.co_flags & (
                inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR | inspect.CO_COROUTINE
            ):
                found.add(_name(code, folder))
    return found


def _sources(folder: str) -> list[str]:
    return sorted(
        os.path.join(here, name)
        for here, _, listed in os.walk(folder)
        for name in listed
        if name.endswith(".py")
    )


def _module(path: str, folder: str) -> str:
    return os.path.relpath(path, folder)[:-3].replace(os.sep, ".").removesuffix(".__init__")


def _name(code: CodeType, folder: str) -> str:
    if not code.co_filename.startswith(folder + os.sep):
        return ""
    parts = [
        part
        for part in code.co_qualname.replace(".<locals>", "").split(".")
        if not part.startswith("<")
    ]
    return ".".join([_module(code.co_filename, folder), *parts])
