"""What is known of a source file after reading it alone, and what becomes of it once all files are known.

Facts hold places (line and character range), never text, so that ten thousand of them fit into memory; the words are sliced out of
the file when a payload is made. Everything here is plain tuples, so facts travel between processes and through a JSON cache.
"""

from __future__ import annotations

from typing import Any

from kgraph.tuples import NamedTuple


class SourceFile(NamedTuple):
    """A file that the walk found: ``uri`` is its path from the source root with '/', ``path`` where to open it."""

    uri: str
    path: str


class CodeOptions(NamedTuple):
    """``level`` is 'module' or 'symbol'; ``jobs`` 0 means one process a core; ``cache_folder`` '' keeps nothing between runs."""

    level: str = "module"
    jobs: int = 0
    cache_folder: str = ""


class Place(NamedTuple):
    """Lines count from 1, both inclusive; characters are half-open offsets into the decoded text."""

    line: int
    end_line: int
    start: int
    end: int


class Import(NamedTuple):
    """One import statement. ``target`` is as written ('..pkg.mod', './cart.js', 'crate::a'); ``names`` are (name there, name here).

    ``form`` is the language's own word (import, from, export, require, dynamic, use, mod …); ``scope`` the qualified name of the
    function or class that holds it, '' at the top of the file.
    """

    place: Place
    target: str
    names: tuple[tuple[str, str], ...]
    kind: str  # import, import-type, import-deferred
    form: str
    scope: str = ""


class Symbol(NamedTuple):
    """A function, class or method. ``name`` is qualified inside the file ('Cart.total'); ``bases`` are written expressions."""

    name: str
    kind: str  # function, class
    place: Place
    doc: str = ""
    bases: tuple[tuple[str, Place], ...] = ()


class Call(NamedTuple):
    """A call whose callee is a plain dotted path, for languages without a deeper analysis. ``scope`` is the calling symbol."""

    place: Place
    callee: str
    scope: str


class Broken(NamedTuple):
    """A part of a file that could not be read, with the line at which reading stopped."""

    line: int
    reason: str


class FileFacts(NamedTuple):
    """One file on its own. ``body`` is the language's private matter: plain JSON that its linker understands."""

    language: str
    module: str = ""  # the name that the file gives itself (Go package, Java package), '' where the path decides
    doc: str = ""  # the module's own words: docstring or leading comment
    imports: tuple[Import, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    calls: tuple[Call, ...] = ()
    broken: tuple[Broken, ...] = ()
    generated: bool = False
    lines: int = 0
    body: Any = None


class CodeEntity(NamedTuple):
    """An Entity in the making. ``name`` and ``qualifier`` are its identity; ``attrs`` are pairs, sorted by key."""

    name: str
    kind: str  # package, module, class, function, external, service
    qualifier: str = ""
    description: str = ""
    attrs: tuple[tuple[str, str], ...] = ()


class Dependency(NamedTuple):
    """A DEPENDS_ON edge in the making, cited at ``place`` in the file that states it."""

    source: CodeEntity
    target: CodeEntity
    kind: str
    place: Place


class Loose(NamedTuple):
    """Something that a file names and that could not be tied to anything."""

    line: int
    name: str
    reason: str


class Links(NamedTuple):
    """What a file depends on, once all files are known."""

    dependencies: tuple[Dependency, ...] = ()
    loose: tuple[Loose, ...] = ()
    outside: int = 0  # calls of things that are plainly no part of the sources: counted, not listed
