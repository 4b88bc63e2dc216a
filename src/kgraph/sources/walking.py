"""Which files below the given paths are read, and why the others aren't."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from unicodedata import normalize

from kgraph.sources import ignoring
from kgraph.sources.content import is_container
from kgraph.sources.encoding import HEAD_BYTES, decode, is_binary
from kgraph.sources.formats import BY_EXTENSION, UNSUPPORTED, without_text
from kgraph.sources.limits import DEFAULT, Unreadable
from kgraph.sources.recognising import is_catalog, is_generated, is_minified
from kgraph.tuples import NamedTuple

IGNORE_FILES = (".gitignore", ".kgraphignore")


class Rules(NamedTuple):
    """``file_bytes``: what is larger is skipped. ``excluded``: folders never entered, as real paths (the graphs' own)."""

    file_bytes: int = DEFAULT.file_bytes
    generated: bool = False  # read minified and generated files as well
    excluded: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()  # patterns of the caller, as of an ignore file in the root


DEFAULT_RULES = Rules()


class File(NamedTuple):
    """``uri`` is the path from the root with '/', or an absolute path outside of it. ``named``: given by the caller itself, and then read
    although ``note`` says by which rule it would have been skipped.
    """

    path: str
    uri: str
    named: bool = False
    note: str = ""


class Walk(NamedTuple):
    """Files in a fixed order. ``skipped``: the others, and the folders not entered, by reason."""

    files: tuple[File, ...]
    skipped: Mapping[str, tuple[str, ...]]


def walk(
    paths: Iterable[str | os.PathLike[str]],
    root: str | os.PathLike[str],
    rules: Rules = DEFAULT_RULES,
) -> Walk:
    """All that is to be read below ``paths``. Symbolic links inside them are counted and not followed, so none leads out or round.

    Raises Unreadable("absent") for a path that doesn't exist.
    """
    walker = _Walker(os.path.realpath(root), rules)
    for given in paths:
        walker.add(os.fspath(given))
    return walker.result()


class _Walker:
    def __init__(self, root: str, rules: Rules) -> None:
        self._root = root
        self._rules = rules
        self._files: dict[str, File] = {}
        self._paths: dict[str, str] = {}
        self._entered: set[str] = set()
        self._skipped: dict[str, list[str]] = {}

    def add(self, given: str) -> None:
        path = os.path.realpath(given)
        if not os.path.lexists(path):
            raise Unreadable("absent", given)
        ignores = self._above(path)
        if os.path.isdir(path):
            self._folder(path, ignores)
            return
        note = (
            "ignored"
            if ignoring.ignored(path.strip("/"), False, ignores)
            else self._reason(path) or ""
        )
        self._paths[self._uri(path)] = path
        self._files[path] = File(path, self._uri(path), True, note)

    def result(self) -> Walk:
        files = tuple(sorted(self._files.values(), key=lambda file: file.uri))
        return Walk(
            files, {reason: tuple(self._skipped[reason]) for reason in sorted(self._skipped)}
        )

    # -- folders -------------------------------------------------------------------------------------------------------------------

    def _folder(self, path: str, ignores: tuple[ignoring.IgnoreFile, ...]) -> None:
        waiting = [(path, ignores)]
        while waiting:
            folder, above = waiting.pop()
            if folder in self._entered:
                continue
            self._entered.add(folder)
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError:
                self._skip("unreadable", folder)
                continue
            here = self._with_own(folder, above, {entry.name for entry in entries})
            for entry in entries:
                if self._entry(entry, here):
                    waiting.append((entry.path, here))

    def _entry(self, entry: os.DirEntry[str], ignores: tuple[ignoring.IgnoreFile, ...]) -> bool:
        """Take a file, or count it. Whether the entry is a folder to enter."""
        if entry.is_symlink():
            self._skip("symlink", entry.path)
            return False
        folder = entry.is_dir(follow_symlinks=False)
        reason = _folder_reason(entry, self._rules) if folder else ""
        if not reason and ignoring.ignored(entry.path.strip("/"), folder, ignores):
            reason = "ignored"
        if not reason and not folder and entry.path not in self._files:
            reason = "ignore-file" if entry.name in IGNORE_FILES else self._reason(entry.path)
        if reason:
            self._skip(reason, entry.path)
            return False
        if not folder:
            self._take(entry.path)
        return folder

    def _take(self, path: str) -> None:
        """A file to read. Two names that are one once their accents are composed would be one Source."""
        uri = self._uri(path)
        if self._paths.setdefault(uri, path) != path:
            self._skip("same-name", path)
        else:
            self._files.setdefault(path, File(path, uri))

    def _above(self, path: str) -> tuple[ignoring.IgnoreFile, ...]:
        """The ignore files of the folders above a given path: down from its repository, or else from the root that holds it."""
        chain = []
        folder = os.path.dirname(path)
        while True:
            chain.append(folder)
            parent = os.path.dirname(folder)
            if os.path.lexists(os.path.join(folder, ".git")) or folder in (self._root, parent):
                break
            folder = parent
        inside = os.path.lexists(os.path.join(chain[-1], ".git")) or chain[-1] == self._root
        own = ignoring.parse("\n".join(self._rules.ignore), self._root.strip("/"))
        found: tuple[ignoring.IgnoreFile, ...] = (own,) if own.patterns else ()
        for folder in reversed(chain if inside else []):
            found = self._with_own(folder, found, None)
        return found

    def _with_own(
        self, folder: str, above: tuple[ignoring.IgnoreFile, ...], names: set[str] | None
    ) -> tuple[ignoring.IgnoreFile, ...]:
        """The ignore files above and those of a folder itself. ``names`` are its entries, if they were listed already."""
        found = above
        if names is None or ".git" in names:
            exclude = _text(os.path.join(folder, ".git", "info", "exclude"))
            found = (*found, ignoring.parse(exclude, folder.strip("/"))) if exclude else found
        for name in IGNORE_FILES:
            if names is None or name in names:
                written = _text(os.path.join(folder, name))
                found = (*found, ignoring.parse(written, folder.strip("/"))) if written else found
        return found

    # -- files ---------------------------------------------------------------------------------------------------------------------

    def _reason(self, path: str) -> str:
        """Why a file isn't read, or ''."""
        if not is_utf8(self._uri(path)):
            return "name"
        try:
            state = os.stat(path, follow_symlinks=False)
            if not stat.S_ISREG(state.st_mode):
                return "special"
            if state.st_size > self._rules.file_bytes:
                return "oversized"
            with open(path, "rb") as file:
                head = file.read(HEAD_BYTES)
        except OSError:
            return "unreadable"
        name = os.path.basename(path)
        extension = os.path.splitext(name)[1].lower()
        if no_text := without_text(extension, is_binary(head)):
            return no_text
        form = BY_EXTENSION.get(extension)
        if is_binary(head) and (form is None or not form.binary):
            read = is_container(head) or extension in UNSUPPORTED
            return "" if read else "binary"
        if self._rules.generated:
            return ""
        if is_catalog(name, head):
            return "translation"
        if is_minified(name, head):
            return "minified"
        return "generated" if is_generated(name, head) else ""

    def _uri(self, path: str) -> str:
        relative = os.path.relpath(path, self._root)
        return as_uri(path if relative.startswith("..") else relative)

    def _skip(self, reason: str, path: str) -> None:
        self._skipped.setdefault(reason, []).append(
            self._uri(path).encode("utf-8", "backslashreplace").decode()
        )


def as_uri(path: str) -> str:
    """A path as a Source has it: with '/', and with accents composed, since some file systems take them apart."""
    return normalize("NFC", path.replace(os.sep, "/"))


def on_disk(root: str, uri: str) -> str:
    """The path of a uri below a root as the disk spells it, composed or taken apart. It need not exist."""
    path = os.path.join(root, uri)
    if uri.isascii() or os.path.lexists(path):
        return path
    here = "/" if os.path.isabs(uri) else root
    for part in uri.strip("/").split("/"):
        there = os.path.join(here, part)
        if not os.path.lexists(there) and os.path.isdir(here):
            there = next(
                (
                    os.path.join(here, name)
                    for name in os.listdir(here)
                    if normalize("NFC", name) == part
                ),
                there,
            )
        here = there
    return here


def is_utf8(name: str) -> bool:
    """Whether a path is made of characters: what a file system keeps may be any bytes, and those can be no uri."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def _folder_reason(entry: os.DirEntry[str], rules: Rules) -> str:
    if entry.name == ".git":
        return "git"
    if entry.name in ("node_modules", "bower_components", "jspm_packages"):
        return "node_modules"
    if entry.name in (".obsidian", ".trash", ".logseq"):
        return "settings"
    if entry.name in ("__pycache__", ".hg", ".svn") or os.path.lexists(
        os.path.join(entry.path, "CACHEDIR.TAG")
    ):
        return "cache"
    if os.path.lexists(os.path.join(entry.path, "pyvenv.cfg")) or os.path.lexists(
        os.path.join(entry.path, "conda-meta")
    ):
        return "virtual-environment"
    if os.path.isfile(os.path.join(entry.path, ".git")):
        return "worktree"
    return "excluded" if os.path.realpath(entry.path) in rules.excluded else ""


def _text(path: str) -> str:
    """An ignore file's text; '' if it isn't there or is no regular file."""
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return ""
        with open(path, "rb") as file:
            return decode(file.read(1_000_000)).text
    except OSError:
        return ""
