"""The stretch of a document that an anchor covers."""

from __future__ import annotations

import re
from bisect import bisect_right

from kgraph.evidence.places import line_anchor
from kgraph.model import Document, Span
from kgraph.sources import line_of, line_span, slug

_LINES = re.compile(r"L(\d{1,9})(?:C\d+)?(?:-L?(\d{1,9})(?:C\d+)?)?$", re.IGNORECASE)
_FINE = re.compile(r"msg-|p\d+$")  # anchors finer than a section


def anchor_range(document: Document, anchor: str) -> Span | None:
    """The stretch that an anchor covers, or None if the document has no such anchor. A heading's title is taken for its slug."""
    lines = _LINES.match(anchor)
    if lines:
        return line_span(document, int(lines[1]), int(lines[2] or lines[1]))
    written = _unquoted(anchor).removeprefix("user-content-")
    for name in (written, slug(written.strip())) if written else ():
        for section in document.sections:
            if section.anchor == name:
                return Span(section.start, section.end)
        if name in document.anchors:
            return document.anchors[name]
    return None


def is_line_anchor(anchor: str) -> bool:
    return _LINES.match(anchor) is not None


class Anchors:
    """Finds, for a span, the anchor that names its place best: a message or page, else the innermost heading, else lines."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._section_starts = [section.start for section in document.sections]
        fine = sorted(
            (span.start, span.end, name)
            for name, span in document.anchors.items()
            if _FINE.match(name)
        )
        self._fine = fine
        self._fine_starts = [start for start, _, _ in fine]

    def best(self, span: Span, *, lines: bool = False) -> str:
        return (
            self.lines(span)
            if lines
            else self._message_or_page(span) or self._heading(span) or self.lines(span)
        )

    def lines(self, span: Span) -> str:
        first = line_of(self._document, span.start)
        return line_anchor(
            first, max(line_of(self._document, max(span.end - 1, span.start)), first)
        )

    def _heading(self, span: Span) -> str:
        for index in range(bisect_right(self._section_starts, span.start) - 1, -1, -1):
            section = self._document.sections[index]
            if span.end <= section.end:
                return section.anchor
            if section.level <= 1 and section.end <= span.start:
                return ""
        return ""

    def _message_or_page(self, span: Span) -> str:
        index = bisect_right(self._fine_starts, span.start) - 1
        if index >= 0 and span.end <= self._fine[index][1]:
            return self._fine[index][2]
        return ""


def _unquoted(anchor: str) -> str:
    """Percent escapes undone, where they are UTF-8."""
    if "%" not in anchor:
        return anchor
    raw = re.sub(
        rb"%([0-9a-fA-F]{2})",
        lambda match: bytes([int(match[1], 16)]),
        anchor.encode("utf-8", "surrogatepass"),
    )
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return anchor
