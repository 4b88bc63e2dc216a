"""Citations held against the document: quote to span, with one status each (in this order: located, missing, verified, moved …)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kgraph.evidence.anchors import Anchors, anchor_range, is_line_anchor, split
from kgraph.evidence.folding import MARKED, Folded, fold_quote, occurrences, of_document
from kgraph.model import Citation, Document, Evidence, Problem, Span
from kgraph.sources import raw_span

UNCHECKED = Evidence("unchecked")


def locate(document: Document, citations: Sequence[Citation], within: Span | None = None) -> list[Evidence]:
    """The evidence for each citation of one document, in their order. Equal quotes without an anchor are paired with their places.

    ``within``: the stretch of the document that may be quoted, for a unit that was shown no more.
    """
    return _Locator(document, within).all(citations)


def check_again(evidence: Evidence, document: Document | None) -> str:
    """The status of stored evidence against the file as it is now: the old one if the file is the same, ``stale`` if what was found
    is gone, ``moved`` if the words stand elsewhere, ``unchecked`` if the file can't be read.
    """
    if document is None or evidence.status == "unchecked":
        return "unchecked"
    if evidence.sha256 == document.sha256:
        return evidence.status
    now = locate(document, [Citation(evidence.quote, evidence.source_doc)])[0].status
    if now == "missing" and evidence.status != "missing":
        return "stale"
    return evidence.status if now in ("verified", "ambiguous") and evidence.status != "missing" else now


def problems(document: Document | None, citations: Sequence[Citation], found: Sequence[Evidence], paths: Sequence[str]) -> list[Problem]:
    """The warnings that evidence gives rise to: W301, W302, W303. ``paths`` are the JSON paths of the edges."""
    warnings: list[Problem] = []
    for citation, evidence, path in zip(citations, found, paths, strict=True):
        anchor = split(citation.source_doc).anchor
        if document is None:
            if citation.quote.strip() or anchor:
                message = f"the source '{split(citation.source_doc).document}' can't be read here, so the citation is unchecked"
                warnings.append(Problem("W303", path, message, "give its folder with --source-root"))
            continue
        if evidence.status == "missing" and citation.quote.strip():
            message = f"the quote is not in {document.uri}: {_short(citation.quote)}"
            warnings.append(Problem("W301", f"{path}.quote", message, "quote the source's own words, all of them"))
        if anchor and anchor_range(document, anchor) is None:
            hint = f"it is in #{split(evidence.source_doc).anchor}" if evidence.status == "moved" else "use a heading's slug or L<line>"
            warnings.append(Problem("W302", f"{path}.source_doc", f"{document.uri} has no anchor '{anchor}'", hint))
    return warnings


class _Wanted(NamedTuple):
    number: int
    anchor: str
    range: Span | None


class _Locator:
    def __init__(self, document: Document, within: Span | None) -> None:
        self._document = document
        self._within = within
        self._marked = document.format in MARKED
        self._unmarked: Folded | None = None
        self._as_written: Folded | None = None
        self._anchors = Anchors(document)

    def all(self, citations: Sequence[Citation]) -> list[Evidence]:
        found: dict[int, Evidence] = {}
        groups: dict[str, list[_Wanted]] = {}
        for index, citation in enumerate(citations):
            anchor = split(citation.source_doc).anchor
            wanted = _Wanted(index, anchor, anchor_range(self._document, anchor) if anchor else None)
            if not citation.quote.strip():
                found[index] = self._without_quote(wanted)
            else:
                groups.setdefault(citation.quote, []).append(wanted)
        for quote, wanted_ones in self._merged(groups).items():
            self._group(quote, wanted_ones, found)
        return [found[index] for index in range(len(citations))]

    def _without_quote(self, wanted: _Wanted) -> Evidence:
        if not wanted.anchor:
            return Evidence("unchecked", self._document.uri)
        if wanted.range is None:
            return Evidence("missing", f"{self._document.uri}#{wanted.anchor}", "", self._document.sha256)
        span = raw_span(self._document, wanted.range)
        return Evidence("located", f"{self._document.uri}#{wanted.anchor}", "", self._document.sha256, span)

    def _merged(self, groups: dict[str, list[_Wanted]]) -> dict[str, list[_Wanted]]:
        """Quotes that fold alike are equal."""
        firsts: dict[str, str] = {}
        merged: dict[str, list[_Wanted]] = {}
        for quote, wanted in groups.items():
            first = firsts.setdefault(fold_quote(quote, marked=self._marked) or quote, quote)
            merged.setdefault(first, []).extend(wanted)
        return {quote: sorted(wanted) for quote, wanted in merged.items()}

    def _group(self, quote: str, wanted_ones: list[_Wanted], found: dict[int, Evidence]) -> None:
        """Equal quotes: those whose anchor holds the quote first, then those without one, then those that stand elsewhere."""
        places = self._places(quote)
        if not places:
            for wanted in wanted_ones:
                source_doc = f"{self._document.uri}#{wanted.anchor}" if wanted.anchor else self._document.uri
                found[wanted.number] = Evidence("missing", source_doc, "", self._document.sha256)
            return
        taken: dict[Span, list[Span]] = {}
        free: list[_Wanted] = []
        for wanted in wanted_ones:
            inside = self._places(quote, wanted.range) if wanted.range is not None else []
            if inside:
                used = taken.setdefault(wanted.range or Span(0, 0), [])
                place = inside[min(len(used), len(inside) - 1)]
                used.append(place)
                found[wanted.number] = self._evidence("verified", place, wanted.anchor)
            elif wanted.anchor:
                place = _nearest(places, wanted.range)
                anchor = self._anchors.best(place, lines=is_line_anchor(wanted.anchor))
                found[wanted.number] = self._evidence("moved", place, anchor)
            else:
                free.append(wanted)
        self._pair(free, places, {place for used in taken.values() for place in used}, found)

    def _pair(self, free: list[_Wanted], places: list[Span], used: set[Span], found: dict[int, Evidence]) -> None:
        left = [place for place in places if place not in used]
        for number, wanted in enumerate(free):
            if len(places) == 1 or len(places) == len(free):
                status, place = "verified", places[min(number, len(places) - 1)]
            elif len(left) == len(free):
                status, place = "verified", left[number]
            else:
                status, place = "ambiguous", places[0]
            found[wanted.number] = self._evidence(status, place, self._anchors.best(place))

    def _places(self, quote: str, within: Span | None = None) -> list[Span]:
        """Where the quote stands: without its marks, or else with its marks, or else as it is, since a slice may cut a mark in two."""
        if not any(char.isalnum() for char in quote):
            return []  # signs alone are found everywhere and say nothing
        if self._within is not None:
            wide = within or self._within
            within = Span(max(wide.start, self._within.start), min(wide.end, self._within.end))
            if within.start >= within.end:
                return []
        if self._unmarked is None:
            self._unmarked = of_document(self._document)
        places = self._unmarked.places(fold_quote(quote, marked=self._marked), within)
        if not places and self._marked:
            if self._as_written is None:
                self._as_written = Folded(self._document.text)
            places = self._as_written.places(fold_quote(quote, marked=False), within)
        return places or self._as_it_is(quote.strip(), within or Span(0, len(self._document.text)))

    def _as_it_is(self, quote: str, within: Span) -> list[Span]:
        found = occurrences(self._document.text, quote, within.start, within.end, 1000)
        return [Span(at, at + len(quote)) for at in found]

    def _evidence(self, status: str, place: Span, anchor: str) -> Evidence:
        words = self._document.text[place.start : place.end]
        return Evidence(status, f"{self._document.uri}#{anchor}", words, self._document.sha256, raw_span(self._document, place))


def _nearest(places: list[Span], range_: Span | None) -> Span:
    return places[0] if range_ is None else min(places, key=lambda place: abs(place.start - range_.start))


def _short(quote: str) -> str:
    collapsed = " ".join(quote.split())
    return f"'{collapsed}'" if len(collapsed) <= 80 else f"'{collapsed[:77]}…'"
