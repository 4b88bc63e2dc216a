"""The texts beside a graph: kept when a source is read, left out when it changed, was retracted or is forgotten."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from kgraph.index.read import Reader
from kgraph.index.texts import Stamp, TextBlock, TextIndex, Unusable
from kgraph.model import Document
from kgraph.passages.finding import Found, Wanted, find

if TYPE_CHECKING:
    from kgraph.graph.citing import SourceCache

FILE = "passages.sqlite"
HASHED_AT_ONCE = 1 << 20


class GraphTexts:
    """``folder`` is the graph's; ``roots`` are the folders that the uris of sources count from, the first that has one counts."""

    def __init__(self, folder: str, roots: Sequence[str]) -> None:
        self._index = TextIndex(os.path.join(folder, FILE))
        self._roots = tuple(roots)

    def close(self) -> None:
        self._index.close()

    @property
    def exists(self) -> bool:
        return bool(self._index.uris())

    def keep(self, documents: Iterable[Document]) -> None:
        """Have these texts in the index as they are. What can't be written is made up for by the next extraction: it is derived."""
        wanted = {document.uri: document for document in documents}
        if not wanted:
            return
        try:
            held = self._index.stamps(list(wanted))
            fresh: list[tuple[Stamp, list[TextBlock]]] = []
            for uri, document in wanted.items():
                stamp = self._stamp(uri, document.sha256)
                if stamp is not None and held.get(uri) != stamp:
                    from kgraph.passages.cutting import (
                        cut,
                    )  # a document that is held already needs none of it

                    fresh.append((stamp, cut(document)))
            if fresh:
                self._index.keep(fresh)
        except Unusable:
            self._index.close()

    def fill(self, uris: Iterable[str], shelf: SourceCache) -> None:
        """Read those files that aren't in the index as they are now: after the index was lost, or where another part read them."""
        wanted = list(dict.fromkeys(uris))
        held = self._index.stamps(wanted)
        missing = [
            document
            for uri in wanted
            if uri not in held or not self._unchanged(held[uri])
            for document in [shelf.document(uri)]
            if document is not None
        ]
        self.keep(missing)

    def make_again(self, sources: Iterable[tuple[str, str]], shelf: SourceCache) -> None:
        """From the files as they are: (uri, the hash that it was read with, '' where none is known). A file that changed stays out."""
        self._index.remove()
        for uri, sha256 in sources:
            document = shelf.document(uri)
            if document is not None and sha256 in ("", document.sha256):
                self.keep([document])

    def drop(self, uris: Sequence[str]) -> int:
        """Forget these files' words for good; how many files that were."""
        return self._index.drop(uris)

    def asked_by(self, reader: Reader) -> Asked:
        return Asked(self, reader)

    def find(self, wanted: Wanted, reader: Reader) -> Found:
        def known(uris: Collection[str]) -> Collection[str]:
            return {
                uri
                for uri in uris
                if any(node.fields.get("uri") == uri for node in reader.look_up(uri, "Source"))
            }

        try:
            return find(self._index, wanted, self._unchanged, known)
        except Unusable:
            self._index.close()
            return Found(())

    def _path(self, uri: str) -> str:
        return next(
            (
                path
                for path in (os.path.join(root, uri) for root in self._roots)
                if os.path.isfile(path)
            ),
            "",
        )

    def _stamp(self, uri: str, sha256: str) -> Stamp | None:
        try:
            state = os.stat(self._path(uri))
        except OSError:
            return None
        return Stamp(uri, sha256, state.st_size, state.st_mtime_ns)

    def _unchanged(self, stamp: Stamp) -> bool:
        """By size and time of change where both are as they were, else by the hash."""
        path = self._path(stamp.uri)
        try:
            state = os.stat(path)
            if (state.st_size, state.st_mtime_ns) == (stamp.size, stamp.mtime):
                return True
            return state.st_size == stamp.size and _hash_of(path) == stamp.sha256
        except OSError:
            return False


class Asked:
    """``passages.Texts`` for one state of a graph."""

    def __init__(self, texts: GraphTexts, reader: Reader) -> None:
        self._texts = texts
        self._reader = reader

    def passages(self, wanted: Wanted) -> Found:
        return self._texts.find(wanted, self._reader)


def _hash_of(path: str) -> str:
    import hashlib

    digest = hashlib.sha256()
    with open(path, "rb") as handle:
        while piece := handle.read(HASHED_AT_ONCE):
            digest.update(piece)
    return digest.hexdigest()
