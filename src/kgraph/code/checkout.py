"""The files beside the source files: manifests, locks, build files. Read when asked for, once, and only below the source root."""

from __future__ import annotations

import hashlib
import os
import re
from typing import Any

from kgraph.parsing import json_value, toml_table

_LIMIT_BYTES = 32_000_000  # a lock file of a large monorepo has a few megabytes


def parent_folder(uri: str) -> str:
    return uri.rpartition("/")[0]


def join(folder: str, name: str) -> str:
    """``name`` seen from ``folder``, with '.' and '..' worked out; '' is the source root, a path above it starts with '..'."""
    path = os.path.normpath(f"{folder}/{name}" if folder else name or ".").replace(os.sep, "/")
    return "" if path == "." else path


class Checkout:
    """Reads by uri. What isn't there, is too large, or lies outside the root is None."""

    def __init__(self, root: str) -> None:
        self._root = os.path.realpath(root)
        self._texts: dict[str, str | None] = {}
        self._parsed: dict[str, Any] = {}
        self._listings: dict[str, frozenset[str]] = {}
        self._folders: dict[str, bool] = {}

    @property
    def root_name(self) -> str:
        return os.path.basename(self._root)

    def names(self, folder: str) -> frozenset[str]:
        """The names of what lies in a folder; empty if there is no such folder below the root."""
        if folder not in self._listings:
            found: frozenset[str] = frozenset()
            if not folder.startswith(".."):
                try:
                    found = frozenset(os.listdir(os.path.join(self._root, folder)))
                except OSError:
                    found = frozenset()  # no such folder: nothing lies in it
            self._listings[folder] = found
        return self._listings[folder]

    def is_file(self, uri: str) -> bool:
        folder, _, name = uri.rpartition("/")
        return name in self.names(folder) and os.path.isfile(os.path.join(self._root, uri))

    def is_folder(self, uri: str) -> bool:
        if uri not in self._folders:
            path = os.path.join(self._root, uri)
            self._folders[uri] = not uri.startswith("..") and os.path.isdir(path)
        return self._folders[uri]

    def seen(self) -> dict[str, str]:
        """All that was looked at, and a digest of what was found: {what: told}."""
        asked = [f"text {uri}" for uri in self._texts]
        asked += [f"names {folder}" for folder in self._listings]
        asked += [f"folder {uri}" for uri in self._folders]
        return {what: self.look(what) for what in asked}

    def look(self, what: str) -> str:
        """A digest of what is found there now, of something that ``seen`` names."""
        kind, _, uri = what.partition(" ")
        found = repr(
            self.text(uri)
            if kind == "text"
            else sorted(self.names(uri))
            if kind == "names"
            else self.is_folder(uri)
        )
        return hashlib.sha256(found.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def text(self, uri: str) -> str | None:
        if uri not in self._texts:
            self._texts[uri] = self._read(uri)
        return self._texts[uri]

    def toml(self, uri: str) -> dict[str, Any] | None:
        """A TOML file's table; None if it is absent or broken (a broken manifest tells us nothing)."""
        if uri not in self._parsed:
            text = self.text(uri)
            found = None
            if text is not None:
                try:
                    found = toml_table(text)
                except ValueError:
                    found = None
            self._parsed[uri] = found
        table: dict[str, Any] | None = self._parsed[uri]
        return table

    def json(self, uri: str) -> dict[str, Any] | None:
        """A JSON object, comments and trailing commas allowed (tsconfig); None if it is absent or broken."""
        if uri not in self._parsed:
            text = self.text(uri)
            found = None
            if text is not None:
                try:
                    found = json_value(_strict_json(text))
                except ValueError:
                    found = None
            self._parsed[uri] = found if isinstance(found, dict) else None
        table: dict[str, Any] | None = self._parsed[uri]
        return table

    def _read(self, uri: str) -> str | None:
        if uri.startswith("..") or not self.is_file(uri):
            return None
        path = os.path.realpath(os.path.join(self._root, uri))
        if os.path.commonpath([path, self._root]) != self._root:
            return None
        try:
            if os.path.getsize(path) > _LIMIT_BYTES:
                return None
            with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
                return file.read()
        except OSError:
            return None  # unreadable counts as absent: a manifest only adds to what the code says


_JSON_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def _strict_json(text: str) -> str:
    bare = _JSON_PIECE.sub(lambda found: found.group(0) if found.group(0)[0] in '",' else "", text)
    return _JSON_PIECE.sub(lambda found: "" if found.group(0) == "," else found.group(0), bare)
