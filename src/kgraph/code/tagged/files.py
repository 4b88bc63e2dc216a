"""Which file of the run an import means that is written as a path."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable

from kgraph.code.checkout import join, parent_folder
from kgraph.code.tagged.rules import Imports

_LITERAL_END = re.compile(r"[\"')}]*(?P<rest>/[^$\"'`(){}]+)[\"']?$")


class Files:
    """The files of one family by path and by every end of their paths."""

    def __init__(self, uris: Iterable[str]) -> None:
        self._uris = frozenset(uris)
        self._by_name: dict[str, list[str]] = {}
        for uri in sorted(self._uris):
            self._by_name.setdefault(uri.rpartition("/")[2], []).append(uri)

    def find(self, written: str, uri: str, how: Imports, near: bool = True) -> list[str]:
        """The files that an import may mean, one if it is clear. ``near``: it is looked for beside the importing file first."""
        folder = parent_folder(uri)
        path = written.replace(how.dots, "/") if how.dots else written
        for candidate in self._candidates(path, how):
            if near:
                here = join(folder, candidate)
                if here in self._uris and here != uri:
                    return [here]
        for candidate in self._candidates(path, how):
            found = self._from_roots(candidate, folder, how)
            if found:
                return found
        return []

    def _candidates(self, path: str, how: Imports) -> list[str]:
        ends = [f"{path}{ending}" for ending in how.endings]
        return [*dict.fromkeys([*ends, *(f"{path}/{name}" for name in how.mains)])]

    def _from_roots(self, path: str, folder: str, how: Imports) -> list[str]:
        """From a root of the language, the nearest one; else from any folder, the nearest one."""
        clean = posixpath.normpath(path).lstrip("/")
        if clean.startswith(".."):
            return []
        alike = [
            uri
            for uri in self._by_name.get(clean.rpartition("/")[2], ())
            if uri == clean or uri.endswith("/" + clean)
        ]
        if len(alike) < 2:
            return alike
        rooted = [
            uri
            for uri in alike
            if parent_folder(uri[: -len(clean)] + "x").rpartition("/")[2] in ("", *how.roots)
        ]
        alike = rooted or alike
        shared = {
            uri: len(posixpath.commonpath([uri[: -len(clean)].rstrip("/") or ".", folder or "."]))
            if folder
            else 0
            for uri in alike
        }
        best = max(shared.values())
        nearest = [uri for uri in alike if shared[uri] == best]
        shortest = min(len(uri) for uri in nearest)
        return [uri for uri in nearest if len(uri) == shortest]


def literal(written: str) -> str:
    """What is sure of a path that is put together: '$(dirname "$0")/lib/a.sh' gives 'lib/a.sh'; '' where nothing is."""
    plain = written.strip("\"'")
    if not re.search(r"[$`]|__\w+__", plain):
        return plain
    found = _LITERAL_END.search(written)
    return found["rest"].lstrip("/") if found else ""
