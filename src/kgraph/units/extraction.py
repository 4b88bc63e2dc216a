"""What an offline extractor is told and what it gives back."""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.model import Json
from kgraph.tuples import NamedTuple


class KnownSource(NamedTuple):
    """A Source that this run has asserted. ``id`` is the graph's, or empty where an edge may name it by its name alone."""

    uri: str
    name: str
    id: str = ""
    title: str = ""


class KnownSources:
    """The Sources that a link of this run may end at, found by address, by name or by ending of the address."""

    def __init__(self, sources: Iterable[KnownSource] = ()) -> None:
        self.sources = tuple(sources)
        self._by_uri: dict[str, KnownSource] = {}
        self._by_name: dict[str, list[KnownSource]] = {}
        for source in self.sources:
            self._by_uri.setdefault(_plain(source.uri), source)
            self._by_name.setdefault(source.name.casefold(), []).append(source)

    def at(self, uri: str) -> KnownSource | None:
        """The Source with this path from the source root."""
        return self._by_uri.get(_plain(uri))

    def named(self, name: str) -> list[KnownSource]:
        """All Sources with this base name, in the order given, letter case ignored."""
        return self._by_name.get(name.casefold(), [])

    def end(self, source: KnownSource) -> str:
        """What an edge writes to end at ``source``: its id where it has one, else its name if that is its alone, else nothing."""
        if source.id:
            return source.id
        return source.name if len(self.named(source.name)) == 1 else ""


class Coverage(NamedTuple):
    """How much of a unit an offline extractor could say something about. ``reason`` is empty where every sentence
    became a claim. ``sentences`` are those that a claim could be made of: planned work is not among them."""

    language: str  # two letters, or 'und'
    sentences: int
    claims: int
    entities: int
    reason: str = ""


class Extraction(NamedTuple):
    """A payload as page 1 has it, and what its maker says of its own reach."""

    payload: dict[str, Json]
    coverage: Coverage


def _plain(uri: str) -> str:
    return uri[2:] if uri.startswith("./") else uri
