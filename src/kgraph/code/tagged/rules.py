"""What ``language.toml`` says of a language, and the table of all of them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from kgraph import resources
from kgraph.tuples import NamedTuple

FOLDERS = ("bash", "c", "compose", "cpp", "csharp", "dockerfile", "kotlin", "lua", "php", "proto", "ruby", "scala", "sql", "swift", "terraform")  # fmt: skip
UNMAPPED = {
    ".zig": "Zig", ".nim": "Nim", ".dart": "Dart", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang", ".hrl": "Erlang", ".hs": "Haskell",
    ".lhs": "Haskell", ".pl": "Perl", ".pm": "Perl", ".r": "R", ".jl": "Julia", ".ml": "OCaml", ".mli": "OCaml", ".fs": "F#", ".fsx": "F#",
    ".m": "Objective-C", ".mm": "Objective-C", ".clj": "Clojure", ".cljs": "Clojure", ".cljc": "Clojure", ".groovy": "Groovy",
    ".vb": "Visual Basic", ".pas": "Pascal", ".f": "Fortran", ".f90": "Fortran", ".f95": "Fortran", ".cob": "COBOL", ".cbl": "COBOL",
    ".adb": "Ada", ".ads": "Ada", ".lisp": "Lisp", ".el": "Emacs Lisp", ".scm": "Scheme", ".rkt": "Racket", ".d": "D", ".cr": "Crystal",
    ".sol": "Solidity", ".coffee": "CoffeeScript", ".asm": "Assembly", ".s": "Assembly", ".v": "Verilog", ".sv": "SystemVerilog",
    ".vhd": "VHDL", ".vhdl": "VHDL", ".ps1": "PowerShell", ".psm1": "PowerShell", ".tcl": "Tcl", ".awk": "AWK", ".cu": "CUDA",
    ".gleam": "Gleam", ".hx": "Haxe", ".purs": "PureScript", ".elm": "Elm", ".res": "ReScript", ".move": "Move", ".bicep": "Bicep",
}  # fmt: skip


class Imports(NamedTuple):
    """How an import finds its file.

    ``by``: 'path' (a file's path, with ``endings`` put behind it, seen from the importing file, from ``roots``, else from any folder
    if one file alone fits), 'name' (of a namespace or of what is declared in one), 'folder' (a folder's path), or 'module' (the name
    of a folder below one of ``roots``). ``dots``: what parts a path that is written with dots. ``mains``: the file that stands for a
    folder. ``outside``: how much of a name tells what lies outside: 'whole', 'first' part, or 'package' (all before the first capital).
    ``strict``: what isn't found is missing, not outside. ``system``: names that are the language's own.
    """

    by: str = "path"
    endings: tuple[str, ...] = ("",)
    roots: tuple[str, ...] = ()
    mains: tuple[str, ...] = ()
    dots: str = ""
    outside: str = "first"
    strict: bool = False
    relative: bool = False  # a name may be meant from within the namespace that imports it
    system: tuple[str, ...] = ()
    registry: str = ""  # qualifier of what lies outside


class Rules(NamedTuple):
    """One language. ``visible``: what a plain name may mean beyond its own file: what is imported ('imports'), also by what is imported
    ('includes'), what stands in the same folder ('folder') or namespace ('namespace'), or anything ('global')."""

    name: str
    folder: str
    family: str
    grammar: str
    endings: tuple[str, ...]
    names: tuple[str, ...] = ()
    visible: str = "imports"
    linked: bool = (
        False  # functions that no import shows are found by their name, if one alone bears it
    )
    selves: tuple[str, ...] = ("self", "this")
    declared: bool = False  # names are those that the code declares, not those of files
    fold: bool = False  # upper and lower case are one
    reader: str = ""  # 'module:function' instead of a grammar
    instead: tuple[str, str] = (
        "",
        "",
    )  # (pattern, other folder): files that are written in the other language
    imports: Imports = Imports()


@cache
def rules(folder: str) -> Rules:
    import tomllib

    import kgraph.code.tagged as package

    data: dict[str, Any] = tomllib.loads(
        resources.text(package.__name__, f"{folder}/language.toml")
    )
    imports = _fields(data.pop("imports", {}))
    return Rules(
        **{
            "family": folder,
            "grammar": "",
            **_fields(data),
            "folder": folder,
            "imports": Imports(**imports),
        }
    )


def _fields(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


@cache
def query(folder: str) -> str:
    import kgraph.code.tagged as package

    return resources.text(package.__name__, f"{folder}/tags.scm")


@cache
def by_ending() -> dict[str, Rules]:
    return {ending: found for found in map(rules, FOLDERS) for ending in found.endings}


@cache
def by_name() -> dict[str, Rules]:
    return {name: found for found in map(rules, FOLDERS) for name in found.names}


def rules_of(uri: str) -> Rules | None:
    """By the whole name of a file, its beginning up to the first dot (Dockerfile.web), or its ending."""
    name = uri.rpartition("/")[2]
    found = by_name().get(name) or by_ending().get(
        "." + name.rpartition(".")[2].lower() if "." in name else ""
    )
    if found is None and re.fullmatch(r"(?:Dockerfile|Containerfile)[.-][\w.-]+", name):
        found = by_name().get("Dockerfile")
    return found
