"""Which files evidence may be looked up in: those below the source root or a further root, symbolic links resolved first."""

from __future__ import annotations

import os
import re

from kgraph.model import Document
from kgraph.sources import Limits, Unreadable, on_disk, read
from kgraph.sources.limits import DEFAULT

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


class Access:
    """Resolves a Source's uri to a file that may be opened. Nothing outside the roots ever is, whatever a payload names."""

    def __init__(
        self,
        source_root: str | os.PathLike[str],
        further_roots: tuple[str, ...] = (),
        limits: Limits = DEFAULT,
    ) -> None:
        self._given = [os.path.abspath(root) for root in (os.fspath(source_root), *further_roots)]
        self._real = [os.path.realpath(root) for root in self._given]
        self._limits = limits

    def path_of(self, uri: str) -> str | None:
        """The real path of a uri's file, or None if there is none that may be opened. Relative to each root in turn."""
        place = uri.removeprefix("file://") if uri.startswith("file:///") else uri
        if not place or "\0" in place or (_SCHEME.match(place) and not os.path.isabs(place)):
            return None
        for root in self._given:
            real = os.path.realpath(on_disk(root, place))
            if self._is_inside(real) and os.path.isfile(real):
                return real
        return None

    def document(self, uri: str) -> Document:
        """The document of a uri. Raises Unreadable: ``outside`` if no file that may be opened has it, else as ``sources.read``."""
        path = self.path_of(uri)
        if path is None:
            raise Unreadable(
                "outside", f"'{uri}' is no file below the source root or a --source-root"
            )
        return read(path, uri, limits=self._limits)

    def _is_inside(self, real: str) -> bool:
        return any(real.startswith(root.rstrip(os.sep) + os.sep) for root in self._real)
