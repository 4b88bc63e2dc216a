"""The parts of code in a graph and what ties them: modules, classes, functions and the edges between them, each with its places."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgraph.code.suites import is_of_tests
from kgraph.index.read import NodeView, Reader
from kgraph.index.relations import Relation, relations, sayings
from kgraph.tuples import NamedTuple

POSSIBLE = "possible-"  # before the kind of an edge that may hold and may not
CALLS = frozenset(("call", "instantiates", "call-outside"))
INHERITS = frozenset(("inherits", "implements"))
MODULES = frozenset(("module", "package", "project", "script"))
OUTSIDE = frozenset(("external", "external-symbol"))


class Part(NamedTuple):
    """A module, class, function … ``path`` is the file that defines it, '' for what lies outside of the sources."""

    nid: int
    id: str
    name: str
    kind: str
    path: str
    decorated: bool = False
    exported: bool = False

    @property
    def last(self) -> str:
        """The name as it is written where it is used."""
        return re.split(r"[./:#\\]+", self.name.rstrip("/"))[-1]

    @property
    def is_test(self) -> bool:
        return is_of_tests(self.path)


class Place(NamedTuple):
    """Lines count from 1. ``quote`` is the file's own text there."""

    uri: str
    line: int
    quote: str


NOWHERE = Place("", 0, "")


class Parts:
    """Reads parts and ties of one graph; what was read is kept for the length of one question."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._known: dict[int, Part | None] = {}
        self._homes: dict[int, Place] = {}

    def get(self, nids: Iterable[int]) -> dict[int, Part]:
        """The parts of code among some nodes."""
        asked = list(dict.fromkeys(nids))
        new = [nid for nid in asked if nid not in self._known]
        self._known |= dict.fromkeys(new)
        self._known |= {nid: part_of(view) for nid, view in self.reader.nodes(new).items()}
        return {nid: part for nid in asked if (part := self._known[nid]) is not None}

    def ties(
        self, nids: Iterable[int], forward: bool, kinds: frozenset[str] | None = None
    ) -> list[Relation]:
        """What some parts depend on, or what depends on them. ``kinds`` are those of certain edges; the possible ones come along."""
        found = relations(self.reader, "DEPENDS_ON", nids, forward)
        return [tie for tie in found if kinds is None or plain(tie.kind) in kinds]

    def inside(self, nids: Iterable[int]) -> list[int]:
        """Some parts and everything that they hold, however deep."""
        found = dict.fromkeys(nids)
        edge = list(found)
        while edge:
            below = relations(self.reader, "PARENT_OF", edge, True)
            edge = [tie.target for tie in below if tie.target not in found]
            found |= dict.fromkeys(edge)
        return list(found)

    def places(self, eids: Iterable[int]) -> dict[int, list[Place]]:
        """Where each edge is said, in the order of files and lines."""
        found = {}
        for eid, events in sayings(self.reader, eids).items():
            places = (place_of(event) for event in events)
            found[eid] = sorted({place for place in places if place.uri})
        return found

    def homes(self, parts: Iterable[Part]) -> dict[int, Place]:
        """Where each part is defined: the line that says so, or the beginning of its file."""
        wanted = list(parts)
        new = [part.nid for part in wanted if part.nid not in self._homes]
        holders = relations(self.reader, "PARENT_OF", new, False)
        said = self.places(tie.eid for tie in holders)
        for part in wanted:
            self._homes.setdefault(part.nid, Place(part.path, 1 if part.path else 0, ""))
        for tie in holders:
            own = [place for place in said.get(tie.eid, ()) if place.uri]
            if own:
                self._homes[tie.target] = own[0]
        return {part.nid: self._homes[part.nid] for part in wanted}

    def module_at(self, uri: str) -> list[int]:
        """The modules that a file is."""
        sources = [view.nid for view in self.reader.look_up(uri, "Source")]
        stated = relations(self.reader, "MENTIONS", sources, True)
        return [
            nid
            for nid, part in self.get(tie.target for tie in stated).items()
            if part.kind in MODULES and part.path in (uri, "")
        ]


def plain(kind: str) -> str:
    """The kind of an edge without its certainty."""
    return kind.removeprefix(POSSIBLE)


def part_of(view: NodeView) -> Part | None:
    """A node as a part of code; None for anything else."""
    kind = view.attrs.get("kind")
    if view.type != "Entity" or not isinstance(kind, str):
        return None
    path = view.attrs.get("path")
    return Part(
        view.nid,
        view.id,
        view.name,
        kind,
        path if isinstance(path, str) else "",
        bool(view.attrs.get("decorated")),
        bool(view.attrs.get("exported")),
    )


def place_of(event: dict[str, object]) -> Place:
    """Where an assertion stands: what was found of its citation, else what it says itself."""
    cited = str(event.get("source_doc") or "")
    uri, _, anchor = cited.partition("#")
    line = re.match(r"L(\d+)", anchor)
    return Place(uri, int(line.group(1)) if line else 0, str(event.get("quote") or ""))
