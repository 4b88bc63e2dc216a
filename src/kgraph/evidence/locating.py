"""Citations held against the document: quote to span, with one status each (in this order: located, missing, verified, moved …)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kgraph.evidence.anchors import Anchors, anchor_range, is_line_anchor
from kgraph.evidence.folding import MARKED, Folded, fold_quote, occurrences, of_document
from kgraph.evidence.places import split
from kgraph.model import Citation, Document, Evidence, Problem, Span
from kgraph.sources import raw_span
from kgraph.tuples import NamedTuple

UNCHECKED = Evidence("unchecked")


def locate(
    document: Document, citations: Sequence[Citation], within: Span | None = None
) -> list[Evidence]:
    """The evidence for each citation of one document, in their order. Equal quotes without an anchor are paired with their places.

    ``within``: the stretch of the document that may be quoted, for a unit that was shown no more.
    """
    return _Locator(document, within).all(citations)


def check_again(
    evidence: Evidence, document: Document | None, citation: Citation | None = None
) -> str:
    """The status of stored evidence against the file as it is now: the old one if the file is the same, ``stale`` if what was found
    is gone, ``moved`` if the words stand elsewhere, ``unchecked`` if the file can't be read. What was missing has no words of the file,
    so it stays missing unless ``citation`` gives the quote that was looked for.
    """
    if document is None or evidence.status == "unchecked":
        return "unchecked"
    if evidence.sha256 == document.sha256:
        return evidence.status
    if evidence.status == "missing":
        return locate(document, [citation])[0].status if citation is not None else "missing"
    now = locate(document, [Citation(evidence.quote, evidence.source_doc)])[0].status
    if now == "missing":
        return "stale"
    return "moved" if now == "moved" else evidence.status


def problems(
    document: Document | None,
    citations: Sequence[Citation],
    found: Sequence[Evidence],
    paths: Sequence[str],
) -> list[Problem]:
    """The warnings that evidence gives rise to: W301, W302, W303. ``paths`` are the JSON paths of the edges."""
    warnings: list[Problem] = []
    for citation, evidence, path in zip(citations, found, paths, strict=True):
        anchor = split(citation.source_doc).anchor
        if document is None:
            if citation.quote.strip() or anchor:
                message = f"the source '{split(citation.source_doc).document}' can't be read here, so the citation is unchecked"
                warnings.append(
                    Problem("W303", path, message, "give its folder with --source-root")
                )
            continue
        if evidence.status == "missing" and citation.quote.strip():
            message = f"the quote is not in {document.uri}: {_short(citation.quote)}"
            warnings.append(
                Problem(
                    "W301", f"{path}.quote", message, "quote the source's own words, all of them"
                )
            )
        if anchor and anchor_range(document, anchor) is None:
            hint = (
                f"it is in #{split(evidence.source_doc).anchor}"
                if evidence.status == "moved"
                else "use a heading's slug or L<line>"
            )
            warnings.append(
                Problem(
                    "W302", f"{path}.source_doc", f"{document.uri} has no anchor '{anchor}'", hint
                )
            )
    return warnings


class _Wanted(NamedTuple):
    number: int
    anchor: str
    range: Span | None


class _Quote(NamedTuple):
    written: str
    folded: str  # without marks


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
        groups: dict[str, tuple[_Quote, list[_Wanted]]] = {}  # quotes that fold alike are equal
        # a quote without an anchor is paired with the places that the others leave, so then all are folded
        times = Counter(citations)  # equal ones are paired with their places in order
        all_anchored = self._within is None and all("#" in one.source_doc for one in citations)
        for number, citation in enumerate(citations):
            anchor = split(citation.source_doc).anchor
            wanted = _Wanted(
                number, anchor, anchor_range(self._document, anchor) if anchor else None
            )
            if not citation.quote.strip():
                found[number] = self._without_quote(wanted)
            elif (
                all_anchored
                and times[citation] == 1
                and (place := self._plainly(citation.quote, wanted)) is not None
            ):
                found[number] = self._evidence(
                    "verified", place, anchor, _Quote(citation.quote, citation.quote)
                )
            else:
                folded = fold_quote(citation.quote, marked=self._marked)
                groups.setdefault(folded or citation.quote, (_Quote(citation.quote, folded), []))[
                    1
                ].append(wanted)
        for quote, wanted_ones in groups.values():
            self._group(quote, wanted_ones, found)
        return [found[number] for number in range(len(citations))]

    def _plainly(self, quote: str, wanted: _Wanted) -> Span | None:
        """The first place within the anchor's range where the quote stands letter by letter, marks whole: folding would find it too."""
        if wanted.range is None or quote != quote.strip() or not any(map(str.isalnum, quote)):
            return None
        if self._marked and (quote.count("*") % 2 or quote.count("`") % 2):
            return None
        text = self._document.text
        at = text.find(quote, wanted.range.start, wanted.range.end)
        if at < 0:
            return None
        before, after = text[max(0, at - 1) : at], text[at + len(quote) : at + len(quote) + 1]
        whole = before == after or not any(mark and mark in "*_`" for mark in (before, after))
        return Span(at, at + len(quote)) if whole else None

    def _without_quote(self, wanted: _Wanted) -> Evidence:
        if not wanted.anchor:
            return Evidence("unchecked", self._document.uri)
        if wanted.range is None:
            return self._missing(wanted)
        span = raw_span(self._document, wanted.range)
        return Evidence(
            "located", f"{self._document.uri}#{wanted.anchor}", "", self._document.sha256, span
        )

    def _missing(self, wanted: _Wanted) -> Evidence:
        source_doc = (
            f"{self._document.uri}#{wanted.anchor}" if wanted.anchor else self._document.uri
        )
        return Evidence("missing", source_doc, "", self._document.sha256)

    def _group(self, quote: _Quote, wanted_ones: list[_Wanted], found: dict[int, Evidence]) -> None:
        """Equal quotes: those with an anchor first, then those without one share what places are left."""
        places = self._places(quote)
        taken: dict[Span, list[Span]] = {}
        free: list[_Wanted] = []
        for wanted in wanted_ones:
            inside = (
                self._places(quote, wanted.range) if places and wanted.range is not None else []
            )
            if not places:
                found[wanted.number] = self._missing(wanted)
            elif inside:
                used = taken.setdefault(wanted.range or Span(0, 0), [])
                place = inside[min(len(used), len(inside) - 1)]
                used.append(place)
                found[wanted.number] = self._evidence("verified", place, wanted.anchor, quote)
            elif wanted.anchor:
                place = _nearest(places, wanted.range)
                anchor = self._anchors.best(place, lines=is_line_anchor(wanted.anchor))
                found[wanted.number] = self._evidence("moved", place, anchor, quote)
            else:
                free.append(wanted)
        used_ones = {place for used in taken.values() for place in used}
        left = [place for place in places if place not in used_ones]
        for number, wanted in enumerate(free):
            status, place = _paired(number, len(free), places, left)
            found[wanted.number] = self._evidence(status, place, self._anchors.best(place), quote)

    def _places(self, quote: _Quote, within: Span | None = None) -> list[Span]:
        """Where the quote stands: without its marks, or else with its marks, or else as it is, since a slice may cut a mark in two."""
        if not any(char.isalnum() for char in quote.written):
            return []  # signs alone are found everywhere and say nothing
        if self._within is not None:
            wide = within or self._within
            within = Span(max(wide.start, self._within.start), min(wide.end, self._within.end))
            if within.start >= within.end:
                return []
        if self._unmarked is None:
            self._unmarked = of_document(self._document)
        places = self._unmarked.places(quote.folded, within)
        if not places and self._marked:
            if self._as_written is None:
                self._as_written = Folded(self._document.text)
            places = self._as_written.places(fold_quote(quote.written, marked=False), within)
        if places or (quote.written.isascii() and "--" not in quote.written):
            return places
        return self._as_it_is(quote.written.strip(), within or Span(0, len(self._document.text)))

    def _as_it_is(self, quote: str, within: Span) -> list[Span]:
        found = occurrences(self._document.text, quote, within.start, within.end, 1000)
        return [Span(at, at + len(quote)) for at in found]

    def _evidence(self, status: str, place: Span, anchor: str, quote: _Quote) -> Evidence:
        span = self._balanced(place, quote.folded)
        words = self._document.text[span.start : span.end]
        return Evidence(
            status,
            f"{self._document.uri}#{anchor}",
            words,
            self._document.sha256,
            raw_span(self._document, span),
        )

    def _balanced(self, place: Span, folded: str) -> Span:
        """The place with the marks at its ends that belong to it: ``**X**`` rather than ``**X``."""
        if self._unmarked is None or (wide := self._unmarked.widened(place)) == place:
            return place
        for span in (place, Span(place.start, wide.end), Span(wide.start, place.end), wide):
            if fold_quote(self._document.text[span.start : span.end], marked=True) == folded:
                return span
        return place


def _paired(number: int, wanted: int, places: list[Span], left: list[Span]) -> tuple[str, Span]:
    """The place of the ``number``-th of ``wanted`` equal quotes without an anchor; ``left`` are the places that no anchor claims."""
    if len(places) in (1, wanted):
        return "verified", places[min(number, len(places) - 1)]
    if len(left) == wanted:
        return "verified", left[number]
    return "ambiguous", places[0]


def _nearest(places: list[Span], range_: Span | None) -> Span:
    return (
        places[0]
        if range_ is None
        else min(places, key=lambda place: abs(place.start - range_.start))
    )


def _short(quote: str) -> str:
    collapsed = " ".join(quote.split())
    return f"'{collapsed}'" if len(collapsed) <= 80 else f"'{collapsed[:77]}…'"
