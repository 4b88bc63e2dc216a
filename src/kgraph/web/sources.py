"""A source as text with the words that edges cite marked in it, and whether the file is still the one that was read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kgraph.errors import UnknownReference
from kgraph.index.read import EdgeView, NodeView, Reader
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.model import Document

WINDOW = 400  # lines that are shown at once
MOST_EDGES = 2000  # citations of one source that are looked at
LONGEST_LINE = 20_000


class Mark(NamedTuple):
    """A half-open range of characters of a document that an edge cites."""

    start: int
    end: int
    edge: str


def source_page(graph: Graph, uri: str, edge: str, line: int) -> dict[str, Any]:
    """A window of a source's lines with marks: around an edge's quote, else from a line on.

    ``{uri, name, format, lines: [{number, parts: [{text, edges}]}], first, last, total, changed, cites: [{edge, says, status, line}]}``.
    Raises UnknownReference for a source that isn't in the graph or can't be read here.
    """
    reader = graph.reader()
    found = reader.look_up(uri, "Source")
    if not found:
        raise UnknownReference(f"there is no source '{uri}'", "kgraph list nodes --type Source lists them")  # fmt: skip
    called = str(found[0].fields.get("uri") or found[0].name)
    document = graph.shelf().document(called)
    if document is None:
        raise UnknownReference(f"the source '{called}' can't be read here", "start kgraph serve where its files are, or give --source-root")  # fmt: skip
    edges = list(_citing(reader, found[0], called))
    marks = [mark for one in edges for mark in _marks(document, one)]
    chosen = next((mark for mark in marks if mark.edge == edge), None)
    starts = _line_starts(document.text)
    at = _line_of(starts, chosen.start) if chosen else max(1, line)
    first = max(1, min(at - WINDOW // 4, len(starts) - WINDOW + 1)) if chosen else min(at, len(starts))  # fmt: skip
    last = min(len(starts), first + WINDOW - 1)
    shas = {str((one.evidence or {}).get("sha256", "")) for one in edges} - {""}
    return {
        "uri": called, "name": found[0].name, "format": document.format, "first": first, "last": last, "total": len(starts),
        "changed": bool(shas) and document.sha256 not in shas, "at": at,
        "lines": [
            {"number": number, "parts": _parts(document.text, starts, number, marks)}
            for number in range(first, last + 1)
        ],
        "cites": [
            {"edge": one.id, "says": _says(reader, one), "predicate": one.predicate, "status": one.status,
             "line": next((_line_of(starts, mark.start) for mark in marks if mark.edge == one.id), 0)}
            for one in edges
        ],
    }  # fmt: skip


def _citing(reader: Reader, source: NodeView, uri: str) -> Iterator[EdgeView]:
    """The visible edges at a Source, those that cite its file."""
    hops = reader.hops(source.nid, limit=MOST_EDGES)
    for edge in reader.edges(hop.eid for hop in hops).values():
        if (edge.quote or edge.evidence) and edge.source_doc.partition("#")[0] in ("", uri):
            yield edge


def _says(reader: Reader, edge: EdgeView) -> str:
    ends = reader.nodes((edge.src, edge.dst))
    source, target = ends[edge.src], ends[edge.dst]
    return (
        target.name if source.type == "Source" else f"{source.name} {edge.predicate} {target.name}"
    )


def _marks(document: Document, edge: EdgeView) -> list[Mark]:
    """Where the words of a citation stand: of equal places the one in the lines that the evidence names."""
    words = str((edge.evidence or {}).get("text") or edge.quote)
    if not words:
        return []
    places: list[int] = []
    at = document.text.find(words)
    while at >= 0 and len(places) < MOST_EDGES:
        places.append(at)
        at = document.text.find(words, at + 1)
    if not places:
        return []
    lines = (edge.evidence or {}).get("lines")
    if isinstance(lines, list) and lines and len(places) > 1:
        places.sort(key=lambda place: abs(document.text.count("\n", 0, place) + 1 - int(lines[0])))
    return [Mark(places[0], places[0] + len(words), edge.id)]


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    if len(starts) > 1 and starts[-1] == len(text):
        starts.pop()
    return starts


def _line_of(starts: list[int], place: int) -> int:
    from bisect import bisect_right

    return bisect_right(starts, place)


def _parts(text: str, starts: list[int], number: int, marks: list[Mark]) -> list[dict[str, Any]]:
    """A line cut where marks begin and end."""
    begin = starts[number - 1]
    end = starts[number] - 1 if number < len(starts) else len(text.rstrip("\n"))
    end = min(max(begin, end), begin + LONGEST_LINE)
    here = [mark for mark in marks if mark.start < end and mark.end > begin]
    cuts = sorted(
        {begin, end, *(min(max(place, begin), end) for mark in here for place in mark[:2])}
    )
    return [
        {"text": text[left:right].rstrip("\r"), "edges": [mark.edge for mark in here if mark.start <= left and right <= mark.end]}
        for left, right in itertools.pairwise(cuts)
    ] or [{"text": "", "edges": []}]  # fmt: skip
