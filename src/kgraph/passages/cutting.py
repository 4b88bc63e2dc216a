"""A document as blocks for search: every sentence, table row, heading, field and run of code, with its bytes and lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from kgraph.index.texts import Sentence, TextBlock
from kgraph.language.sentences import split_marked
from kgraph.model import Block, Document, Section, Span
from kgraph.sources.positions import checkpoints, line_starts, raw_span

LONGEST = 900  # characters of a block; a longer one is cut between its sentences
CODE_LINES = 12
ABOVE = 300  # characters of what stands over a block

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_RULE_ROW = re.compile(r"[\s|:+=-]*$")
_BLANK = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n)){2,}")
_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,300}>")
_WORD = re.compile(r"\w")
_CODE_FORMATS = frozenset(("python", "code", "javascript", "typescript", "go", "rust", "java"))


def cut(document: Document) -> list[TextBlock]:
    """Blocks in the order of the text. Nothing that holds a letter or a digit is left out."""
    if not document.pieces:
        document = document._replace(
            lines=document.lines or line_starts(document.text),
            offsets=document.offsets or checkpoints(document.text, document.encoding, 0),
        )
    return list(_blocks(document))


def _blocks(document: Document) -> Iterator[TextBlock]:
    text = document.text
    over = _Over(document)
    lead = ""  # words that lead in the items, rows or code below them
    for block in _whole(document):
        start, end = _trimmed(text, block.start, block.end)
        if start >= end:
            continue
        above = over.at(start, start if block.kind == "heading" else end)
        if block.kind in ("table", "row"):
            yield from _rows(document, Span(start, end), _join(above, lead))
        elif block.kind == "code":
            yield from _lines(document, Span(start, end), "code", _join(above, lead))
        elif block.kind in ("front-matter", "metadata"):
            yield from _lines(document, Span(start, end), "field", above)
        elif block.kind == "heading":
            yield _block(document, "heading", above, [(start, end)])
        else:
            item = block.kind == "item"
            yield from _prose(
                document, Span(start, end), block.kind, _join(above, lead if item else "")
            )
            if not item:
                lead = text[max(start, end - 200) : end] if text[start:end].endswith(":") else ""


def _whole(document: Document) -> Iterator[Block]:
    """The document's own blocks, and what no block covers as paragraphs."""
    kind = "code" if document.format in _CODE_FORMATS else "paragraph"
    at = 0
    for block in document.blocks:
        if block.start > at:
            yield from _loose(document.text, at, block.start, kind)
        if block.end > at:
            yield block._replace(start=max(at, block.start))
            at = block.end
    yield from _loose(document.text, at, len(document.text), kind)


def _loose(text: str, start: int, end: int, kind: str) -> Iterator[Block]:
    at = start
    for found in _BLANK.finditer(text, start, end):
        if found.start() > at and _WORD.search(text, at, found.start()):
            yield Block(kind, at, found.start())
        at = found.end()
    if at < end and _WORD.search(text, at, end):
        yield Block(kind, at, end)


def _rows(document: Document, span: Span, above: str) -> Iterator[TextBlock]:
    """Each row with the table's first row over it, which names the columns."""
    head = ""
    for start, end in _line_spans(document.text, span):
        if _RULE_ROW.match(document.text, start, end):
            continue
        yield _block(document, "row", _join(above, head), [(start, end)])
        head = head or document.text[start:end]


def _lines(document: Document, span: Span, kind: str, above: str) -> Iterator[TextBlock]:
    lines = [
        (start, end)
        for start, end in _line_spans(document.text, span)
        if _WORD.search(document.text, start, end)
    ]
    for at in range(0, len(lines), CODE_LINES):
        yield _block(document, kind, above, lines[at : at + CODE_LINES])


def _prose(document: Document, span: Span, kind: str, above: str) -> Iterator[TextBlock]:
    text = document.text[span.start : span.end]
    plain = _TAG.sub(lambda tag: " " * len(tag[0]), text) if kind == "html" else text
    some: list[tuple[int, int]] = []
    for start, end in split_marked(plain):
        if not _WORD.search(text, start, end):
            continue
        if some and span.start + end - some[0][0] > LONGEST:
            yield _block(document, kind, above, some)
            some = []
        some.append((span.start + start, span.start + end))
    if some:
        yield _block(document, kind, above, some)


def _block(document: Document, kind: str, above: str, spans: list[tuple[int, int]]) -> TextBlock:
    first, last = spans[0][0], spans[-1][1]
    sentences = []
    for start, end in spans:
        raw = raw_span(document, Span(start, end))
        sentences.append(
            Sentence(
                start - first,
                end - first,
                raw.start_byte,
                raw.end_byte,
                raw.start_line,
                raw.end_line,
            )
        )
    return TextBlock(kind, above, document.text[first:last], tuple(sentences))


def _line_spans(text: str, span: Span) -> Iterator[tuple[int, int]]:
    at = span.start
    while at < span.end:
        line = _LINE.match(text, at, span.end)
        if line is None or line.end() == at:
            return
        start, end = _trimmed(text, at, line.end())
        if start < end:
            yield start, end
        at = line.end()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _join(*parts: str) -> str:
    return " › ".join(part for part in parts if part)[-ABOVE:]


class _Over:
    """The title and the headings over a place."""

    def __init__(self, document: Document) -> None:
        self._title = document.title or document.name
        self._sections: list[Section] = sorted(
            document.sections, key=lambda section: (section.start, section.level)
        )
        self._starts = [section.start for section in self._sections]

    def at(self, place: int, body: int) -> str:
        number = bisect_right(self._starts, place if body > place else place - 1) - 1
        if number < 0:
            return self._title
        return _join(*dict.fromkeys((self._title, *self._sections[number].path)))
