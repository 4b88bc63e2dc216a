"""A document into units: whole if it fits the budget, else along its headings, else between its blocks, else inside a block."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kgraph.model import Block, Document, Section, Span, Unit
from kgraph.tuples import NamedTuple
from kgraph.units.contents import BYTES_PER_TOKEN, kind_of, make, tokens

BUDGET_TOKENS = 6000
LEAST_TOKENS = 32  # what is smaller isn't halved inside a block
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?][\"'”’)\]]*\s+|[。！？]")
_WORD = re.compile(r"\s+|[,;}\]]")


class _Piece(NamedTuple):
    """A stretch that stays together. ``anchor`` is '' before the first heading; ``part`` counts the pieces of one body from 1."""

    span: Span
    anchor: str
    path: tuple[str, ...]
    size: int
    part: int = 1
    parent: tuple[str, ...] = ()


def cut(document: Document, budget_tokens: int = BUDGET_TOKENS) -> list[Unit]:
    """The units of a document, in its order; together they cover its text once.

    Neighbouring sections below one heading share a unit while they fit. A section that doesn't fit is cut at its own headings, and a
    body without any between blocks. A block that alone exceeds the budget is parted at ends of lines, else of sentences, else of words.
    """
    kind = kind_of(document)
    if tokens(document.text) <= budget_tokens:
        return [make(document, document.uri, kind, (), ())]
    document = with_small_blocks(document, budget_tokens)
    pieces = list(_pieces(document, _Tree(document.sections), None, budget_tokens))
    part = "section" if kind == "document" else kind
    return [_unit(document, part, group) for group in _grouped(pieces, budget_tokens)]


def halve(unit: Unit) -> list[Unit]:
    """A unit in smaller ones, for a reply that was cut off by its length; the unit itself, alone, if it can't be split further."""
    if len(unit.documents) != 1:
        return [
            unit_ for document in unit.documents for unit_ in cut(document, tokens(document.text))
        ]
    document = unit.documents[0]
    spans = unit.spans or (Span(0, len(document.text)),)
    start, end = spans[0].start, spans[-1].end
    half = tokens(document.text[start:end]) // 2 + 1
    if half > LEAST_TOKENS:
        document = with_small_blocks(document, half)
    cuts = [place for place in _cuts(document, Span(start, end)) if start < place < end]
    if not cuts:
        return [unit]
    middle = (start + end) // 2
    place = min(cuts, key=lambda cut_: abs(cut_ - middle))
    base = unit.id if "#" in unit.id else f"{unit.id}#"
    kind = "section" if unit.kind == "document" else unit.kind
    halves = (("a", Span(start, place)), ("b", Span(place, end)))
    return [
        make(document, f"{base}~{name}", kind, (span,), unit.heading_path) for name, span in halves
    ]


def _unit(document: Document, kind: str, group: Sequence[_Piece]) -> Unit:
    first = group[0]
    identity = f"{document.uri}#{first.anchor}" if first.anchor else document.uri
    if first.part > 1:
        identity += f"~{first.part}" if first.anchor else f"#~{first.part}"
    path = (
        first.path
        if all(piece.path[: len(first.path)] == first.path for piece in group)
        else first.parent
    )
    return make(document, identity, kind, (Span(first.span.start, group[-1].span.end),), path)


def _grouped(pieces: Sequence[_Piece], budget_tokens: int) -> Iterator[list[_Piece]]:
    """Neighbours below the same heading together, as many as fit."""
    group: list[_Piece] = []
    size = 0
    for piece in pieces:
        if group and (size + piece.size > budget_tokens or not _belong(group[0], piece)):
            yield group
            group, size = [], 0
        group.append(piece)
        size += piece.size
    if group:
        yield group


def _belong(first: _Piece, piece: _Piece) -> bool:
    """Siblings, or a heading's introduction and its first sections."""
    return first.parent == piece.parent or (first.path == piece.parent and first.part == 1)


class _Tree:
    """Which sections stand directly in which."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._children: dict[Section | None, list[Section]] = {}
        open_ones: list[Section] = []
        for section in sections:
            while open_ones and section.start >= open_ones[-1].end:
                open_ones.pop()
            self._children.setdefault(open_ones[-1] if open_ones else None, []).append(section)
            open_ones.append(section)

    def within(self, section: Section | None) -> list[Section]:
        return self._children.get(section, [])


def _pieces(
    document: Document, tree: _Tree, section: Section | None, budget_tokens: int
) -> Iterator[_Piece]:
    """A section, whole if it fits, else its introduction and its subsections. ``None`` is the document."""
    start, end = (section.start, section.end) if section else (0, len(document.text))
    path = section.path if section else ()
    anchor = section.anchor if section else ""
    size = tokens(document.text[start:end])
    if section is not None and size <= budget_tokens:
        yield _Piece(Span(start, end), anchor, path, size, 1, path[:-1])
        return
    children = tree.within(section)
    own = Span(start, children[0].start if children else end)
    if document.text[own.start : own.end].strip():
        yield from _parts(document, own, anchor, path, budget_tokens)
    elif own.end > own.start:
        yield _Piece(own, anchor, path, 0, 1, path[:-1])
    for child in children:
        yield from _pieces(document, tree, child, budget_tokens)


def _parts(
    document: Document, own: Span, anchor: str, path: tuple[str, ...], budget_tokens: int
) -> Iterator[_Piece]:
    """A body without headings, cut between its blocks as late as the budget allows."""
    start, number = own.start, 1
    places = [
        place
        for before, end in pairwise([start, *_cuts(document, own), own.end])
        for place in _within(document, Span(before, end), budget_tokens)
    ]
    last = start
    for place in places:
        if tokens(document.text[start:place]) > budget_tokens and last > start:
            yield _Piece(
                Span(start, last),
                anchor,
                path,
                tokens(document.text[start:last]),
                number,
                path[:-1],
            )
            start, number = last, number + 1
        last = place
    yield _Piece(
        Span(start, own.end),
        anchor,
        path,
        tokens(document.text[start : own.end]),
        number,
        path[:-1],
    )


def _within(document: Document, span: Span, budget_tokens: int) -> Iterator[int]:
    """The end of a stretch, and before it, if it exceeds the budget, where it has to be parted: after a heading, else in a block."""
    if tokens(document.text[span.start : span.end]) > budget_tokens:
        starts = [span.start, *_cuts(document, span, after_headings=True), span.end]
        for start, end in pairwise(starts):
            yield from breaks(document.text, Span(start, end), budget_tokens)
            if end < span.end:
                yield end
    yield span.end


def with_small_blocks(document: Document, budget_tokens: int) -> Document:
    """The document with each block that exceeds the budget as several, so that it can be cut between them."""
    blocks: list[Block] = []
    for block in document.blocks:
        places = [
            block.start,
            *breaks(document.text, Span(block.start, block.end), budget_tokens),
            block.end,
        ]
        blocks += [
            block._replace(start=start, end=end) for start, end in pairwise(places) if start < end
        ]
    return document._replace(blocks=tuple(blocks))


def breaks(text: str, span: Span, budget_tokens: int) -> list[int]:
    """Where a stretch that exceeds the budget is parted: none if it doesn't. Later parts begin at what follows the last line's end that
    fits, or the last sentence's, or the last word's, or wherever the budget ends."""
    found: list[int] = []
    start = span.start
    most = BYTES_PER_TOKEN * budget_tokens
    while True:
        window = text[start : min(span.end, start + most)]
        encoded = window.encode("utf-8", "surrogatepass")
        if len(encoded) <= most and start + len(window) == span.end:
            return found
        fits = len(encoded[:most].decode("utf-8", "ignore")) if len(encoded) > most else len(window)
        start += _good_end(window[: max(fits, 1)])
        found.append(start)


def _good_end(window: str) -> int:
    """How much of a window is taken: to the end of its last whole line, sentence or word, if that is most of it."""
    least = len(window) // 2
    for pattern in (_LINE, _SENTENCE, _WORD):
        last = 0
        for match in pattern.finditer(window, least):
            last = match.end()
        if last:
            return last
    return len(window)


def _cuts(document: Document, span: Span, after_headings: bool = False) -> list[int]:
    """Where a body may be cut: at the line on which a block begins, but not right after a heading, unless it must."""
    blocks = document.blocks
    found: list[int] = []
    first = bisect_right(blocks, span.start, key=lambda block: block.start)
    covered = max((block.end for block in blocks[max(first - 1, 0) : first]), default=0)
    for index in range(first, len(blocks)):
        block = blocks[index]
        if block.start >= span.end:
            break
        place = max(_line_start(document, block), covered)
        if (
            place > span.start
            and block.start >= covered
            and (after_headings or index == 0 or blocks[index - 1].kind != "heading")
        ):
            found.append(place)
        covered = max(covered, block.end)
    return found


def _line_start(document: Document, block: Block) -> int:
    return (
        document.lines[bisect_right(document.lines, block.start) - 1]
        if document.lines
        else block.start
    )
