"""What is known of former runs: one note for each unit, one for each document, kept in the log beside what they asserted.

A unit's note stands in the transaction that holds the unit's assertions, and says at which positions they are. So replacing a unit
needs no search: withdraw these positions of that transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.extract.outcomes import FINISHED, UnitResult
from kgraph.model import Json
from kgraph.tuples import NamedTuple

UNIT = "unit"
DOCUMENT = "document"


class Note(NamedTuple):
    """A meta event of ours and the transaction that holds it."""

    tx: str
    event: Mapping[str, Json]


class Place(NamedTuple):
    """Assertions: positions ``first`` to ``end`` (half-open) of a transaction."""

    tx: str
    first: int
    end: int


class UnitEntry(NamedTuple):
    """What became of a unit last time. ``maker`` is extractor and model, since another one would say other things.

    ``places`` are all that notes of it name, not only the last: two runs at once may both have written, and some may be withdrawn.
    """

    unit: str
    sources: tuple[str, ...]
    sha256: str
    outcome: str
    maker: str
    places: tuple[Place, ...]
    parts: tuple[str, ...]  # the units that it was split into

    @property
    def finished(self) -> bool:
        return self.outcome in FINISHED or bool(self.parts)


class DocumentEntry(NamedTuple):
    """A file that was extracted: its Source in the graph, its hash when all its units were finished ('' before), and those units."""

    uri: str
    name: str
    source_id: str
    title: str
    sha256: str
    units: tuple[str, ...]
    asserted: Place | None  # of the Source alone, made before its units
    gone: bool


class Made(NamedTuple):
    """What a unit's note says of its making, beside the result."""

    sha256: str
    maker: str
    prompt_version: str = ""
    prompt_sha256: str = ""
    parts: tuple[str, ...] = ()


def unit_event(result: UnitResult, made: Made) -> dict[str, Json]:
    """The note of a unit, without its place: the writer adds ``asserted`` when it knows the positions."""
    event: dict[str, Json] = {
        "kind": "meta",
        "what": UNIT,
        "key": result.unit,
        "sources": list(result.sources),
        "sha256": made.sha256,
        "outcome": result.outcome,
        "maker": made.maker,
        "nodes": result.nodes,
        "edges": result.edges,
        "tokens": list(result.usage[:2]),
        "cost": result.cost,
    }
    optional: dict[str, Json] = {
        "detail": result.detail,
        "unsupported": result.unsupported,
        "sentences": result.notes.get("sentences"),
        "claims": result.notes.get("claims"),
        "prompt_version": made.prompt_version,
        "prompt_sha256": made.prompt_sha256,
        "parts": list(made.parts),
    }
    return event | {key: value for key, value in optional.items() if value}


def gone_event(entry: UnitEntry) -> dict[str, Json]:
    """A unit that is no more: its text went, or its document did."""
    return {
        "kind": "meta",
        "what": UNIT,
        "key": entry.unit,
        "sources": list(entry.sources),
        "outcome": "gone",
        "maker": entry.maker,
    }


def moved_event(entry: UnitEntry, name: str, source: str, sha256: str) -> dict[str, Json]:
    """The note of a unit whose file has another name now: its words stand where they stood."""
    before = entry.sources[0]
    return {
        "kind": "meta",
        "what": UNIT,
        "key": name,
        "sources": [source],
        "sha256": sha256,
        "outcome": entry.outcome,
        "maker": entry.maker,
        "parts": [source + part.removeprefix(before) for part in entry.parts],
        "places": [list(place) for place in entry.places],
    }


def document_event(entry: DocumentEntry) -> dict[str, Json]:
    event: dict[str, Json] = {
        "kind": "meta",
        "what": DOCUMENT,
        "key": entry.uri,
        "name": entry.name,
        "source_id": entry.source_id,
        "sha256": entry.sha256,
        "units": list(entry.units),
    }
    if entry.title:
        event["title"] = entry.title
    if entry.gone:
        event["gone"] = True
    if entry.asserted is not None:
        event["source_at"] = list(entry.asserted)
    return event


def unit_entries(notes: Sequence[Note]) -> dict[str, UnitEntry]:
    """The last word on each unit, of notes given oldest first. Units that are gone are left out.

    An attempt that came to nothing is no word on a unit that was done: what was read before still stands for the text that it was read in.
    """
    found: dict[str, UnitEntry] = {}
    for tx, event in notes:
        unit = str(event.get("key", ""))
        if event.get("outcome") == "gone":
            found.pop(unit, None)
            continue
        place = _place(tx, event.get("asserted"))
        former = found.get(unit)
        places = former.places if former is not None else ()
        places += tuple(Place(*one) for one in event.get("places") or () if len(one) == 3)
        entry = UnitEntry(
            unit,
            tuple(map(str, event.get("sources") or ())),
            str(event.get("sha256", "")),
            str(event.get("outcome", "")),
            str(event.get("maker", "")),
            (*places, place) if place is not None else places,
            tuple(map(str, event.get("parts") or ())),
        )
        found[unit] = (
            former._replace(places=entry.places)
            if former is not None and former.finished and not entry.finished
            else entry
        )
    return found


def document_entries(notes: Sequence[Note]) -> dict[str, DocumentEntry]:
    """The last word on each document, gone ones included."""
    found: dict[str, DocumentEntry] = {}
    for tx, event in notes:
        uri = str(event.get("key", ""))
        place = _place(tx, event.get("asserted"))
        kept = event.get("source_at")
        if place is None and isinstance(kept, list) and len(kept) == 3:
            place = Place(str(kept[0]), int(kept[1]), int(kept[2]))
        found[uri] = DocumentEntry(
            uri,
            str(event.get("name", "")),
            str(event.get("source_id", "")),
            str(event.get("title", "")),
            str(event.get("sha256", "")),
            tuple(map(str, event.get("units") or ())),
            place,
            event.get("gone") is True,
        )
    return found


def _place(tx: str, asserted: Json) -> Place | None:
    if not (
        isinstance(asserted, list)
        and len(asserted) == 2
        and all(isinstance(number, int) for number in asserted)
    ):
        return None
    return Place(tx, asserted[0], asserted[1]) if asserted[0] < asserted[1] else None


def withdrawal(places: Sequence[Place]) -> dict[str, list[int]]:
    """What a withdraw event lists. Assertions, never whole transactions: one may hold a withdrawal that must stay in effect."""
    listed: dict[str, set[int]] = {}
    for place in places:
        listed.setdefault(place.tx, set()).update(range(place.first, place.end))
    return {tx: sorted(positions) for tx, positions in sorted(listed.items())}
