"""The table of languages: which endings each has, how a file is parsed, and what ties its files together.

Another language is one file (or folder) with ``parse(text, level)`` and a linker, and one row here. Modules named in the table are
imported when a file of theirs is met, so a run over Python never loads a grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from kgraph.code.checkout import Checkout
from kgraph.code.facts import CodeEntity, FileFacts, Links
from kgraph.errors import MissingExtra
from kgraph.tuples import NamedTuple


class UnitShape(NamedTuple):
    """What one pass covers: a module with its file, or a package with all of its files. ``uris[0]`` stands for the whole."""

    id: str
    kind: str  # module, package
    name: str
    uris: tuple[str, ...]


class Linker(Protocol):
    """All files of one language in a run."""

    def units(self) -> list[UnitShape]:
        """Every file belongs to exactly one unit."""

    def entity(self, uri: str) -> CodeEntity:
        """The module or package that a file belongs to."""

    def ancestors(self, uri: str) -> list[CodeEntity]:
        """The file's own entity and what contains it, innermost first, up to one that another unit describes."""

    def links(self, uri: str) -> Links:
        """What the file depends on, and what could not be tied."""

    def symbols(self, uri: str) -> Mapping[str, CodeEntity]:
        """The file's symbols by their name inside the file, and perhaps those of the files beside it; empty at module level."""


class Parse(Protocol):
    def __call__(self, text: str, level: str) -> FileFacts: ...


class MakeLinker(Protocol):
    def __call__(
        self, files: Mapping[str, FileFacts], checkout: Checkout, level: str
    ) -> Linker: ...


class Language(NamedTuple):
    """``parser`` and ``linker`` are 'module:name' below this package; ``family`` joins languages that import each other."""

    name: str
    family: str
    endings: tuple[str, ...]
    parser: str
    linker: str
    extra: str = ""
    names: tuple[str, ...] = ()  # files that are known by their whole name
    folder: str = ""  # of a language that is data (``kgraph.code.tagged``)


_PROJECT_FILES = (
    "package.json", "pyproject.toml", "setup.cfg", ".importlinter", ".coveragerc", "pytest.ini", "tox.ini", "CODEOWNERS",
    ".size-limit.json", ".eslintrc.json", ".nycrc.json",
    "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts",
    "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile",
)  # fmt: skip
_JS_LINKER = "javascript.link:JavaScriptLinker"
LANGUAGES = (
    Language(
        "python", "python", (".py", ".pyi"), "python.syntax:parse", "python.link:PythonLinker"
    ),
    Language(
        "javascript",
        "javascript",
        (".js", ".jsx", ".mjs", ".cjs"),
        "javascript.syntax:parse_javascript",
        _JS_LINKER,
        "code",
    ),
    Language(
        "typescript",
        "javascript",
        (".ts", ".mts", ".cts"),
        "javascript.syntax:parse_typescript",
        _JS_LINKER,
        "code",
    ),
    Language("tsx", "javascript", (".tsx",), "javascript.syntax:parse_tsx", _JS_LINKER, "code"),
    Language(
        "vue",
        "javascript",
        (".vue", ".svelte"),
        "javascript.syntax:parse_blocks",
        _JS_LINKER,
        "code",
    ),
    Language("go", "go", (".go",), "go.syntax:parse", "go.link:GoLinker", "code"),
    Language("rust", "rust", (".rs",), "rust.syntax:parse", "rust.link:RustLinker", "code"),
    Language("java", "java", (".java",), "java.syntax:parse", "java.link:JavaLinker", "code"),
    Language(
        "project", "project", (), "project:parse", "project:ProjectLinker", "", _PROJECT_FILES
    ),
)
_PROSE = frozenset(
    (
        ".md",
        ".txt",
        ".rst",
        ".html",
        ".json",
        ".csv",
        ".tsv",
        ".pdf",
        ".docx",
        ".org",
        ".adoc",
        ".xml",
    )
)  # met often, and no code
_BY_NAME = {name: language for language in LANGUAGES for name in language.names}
_BY_ENDING = {ending: language for language in LANGUAGES for ending in language.endings}


def language_of(uri: str) -> Language | None:
    """By the file's name or ending; None for what is not source code in a language of the tables."""
    ending = "." + uri.rpartition(".")[2].lower()
    found = _BY_NAME.get(uri.rpartition("/")[2]) or _BY_ENDING.get(ending)
    return found if found is not None or ending in _PROSE else _tagged_language(uri)


def unmapped(uri: str) -> str:
    """The name of the language of a file that no table here can map; '' for all other files."""
    from kgraph.code.tagged.rules import UNMAPPED

    ending = "." + uri.rpartition(".")[2].lower()
    return UNMAPPED.get(ending, "") if language_of(uri) is None else ""


def _tagged_language(uri: str) -> Language | None:
    from kgraph.code.tagged.rules import rules_of

    found = rules_of(uri)
    if found is None:
        return None
    extra = "code" if found.grammar else ""
    return Language(
        found.name, found.family, found.endings, "", "", extra, found.names, found.folder
    )


def parser(language: Language) -> Parse:
    """Raises MissingExtra if the language's grammar is not installed."""
    if not language.folder:
        found: Parse = _load(language, language.parser)
        return found
    from kgraph.code.tagged.rules import rules

    how = rules(language.folder)
    if how.reader:
        if how.grammar:
            _import(language, how.grammar)
        return partial(_import(language, how.reader), how)
    _import(language, how.grammar.partition(":")[0])
    return partial(_import(language, "kgraph.code.tagged.syntax:parse"), how)


def linker(language: Language) -> MakeLinker:
    place = "kgraph.code.tagged.link:TaggedLinker"
    found: MakeLinker = (
        _import(language, place) if language.folder else _load(language, language.linker)
    )
    return found


def _load(language: Language, place: str) -> Any:
    return _import(language, f"kgraph.code.{place}")


def _import(language: Language, place: str) -> Any:
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name) if name else import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tree_sitter"):
            raise MissingExtra(
                f"reading {language.name[:1].upper()}{language.name[1:]} code", language.extra
            ) from error
        raise
