"""The parts of a unit that are prose, with where they stand. Code, front matter, tables of contents, licences and badges are not."""

from __future__ import annotations

import re
from bisect import bisect_right

from kgraph.documents.lexicon import BOILERPLATE_HEADINGS
from kgraph.documents.masking import Mark, mask
from kgraph.model import Block, Document, Section, Span
from kgraph.tuples import NamedTuple

_LINE_END = re.compile(r"\r\n|\r|\n")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•‣◦·–]|\(?\d{1,4}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_BLANK = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n)){2,}")
_RULE_ROW = re.compile(r"[\s|:+=-]*$")
_BOILERPLATE = (
    "permission is hereby granted",
    "licensed under",
    "licenced under",
    "all rights reserved",
    "copyright (c)",
    "copyright ©",
    "copyright 19",
    "copyright 20",
    "©",
    'provided "as is',
    "provided “as is",
    "spdx-licen",
    "all notable changes",
    "keep a changelog",
    "semantic versioning",
    "placed in the public domain",
    "cc0-1.0",
    "cc0 1.0",
    "edit this page",
    "back to top",
    "table of contents",
    "last modified",
    "last updated",
    "this file is auto",
    "this file is generated",
    "this file was auto",
    "this file was generated",
    "this page was last",
    "click here",
    "subscribe to",
    "all content is available",
    "creative commons",
    "do not edit",
    "local variables:",
    "coding: utf",
    "sentence-end-double",
)
_FENCE = re.compile(r"[ \t>]*(?:```|~~~)[^`\n]*")
# 'ada [4:09 PM]', 'Ada Lovelace  16:09': the line above what somebody said in a chat that is quoted
_SPEAKER = re.compile(
    r"[ \t>]*@?[\w.-]{1,40}(?: [\w.-]{1,40}){0,2}\s{1,3}\[?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?\]?[ \t:]*"
)
# 'Owner: Ada Lovelace': where a paragraph has several such lines, each stands for itself
_LABEL = re.compile(
    r"^[ \t]{0,8}(?:\*\*|__)?[A-Z][\w -]{0,30}(?:\*\*|__)?:(?:\*\*|__)?[ \t]+\S", re.MULTILINE
)
_DIRECTIVE = re.compile(r"\.\. ")


class Passage(NamedTuple):
    """A run of prose that sentences don't cross. ``text`` is masked; ``start`` is where it begins in the document."""

    kind: str  # paragraph, item, cell, quote
    start: int
    end: int
    text: str
    marks: tuple[Mark, ...]
    section: Section | None
    row: int = -1  # cells of one table row share a number
    column: int = 0


class Layout:
    """Where things stand in a document: the section of a place, and its anchor."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._sections = sorted(
            document.sections, key=lambda section: (section.start, section.level)
        )
        self._section_starts = [section.start for section in self._sections]
        self._anchors = sorted(
            (span.start, span.end, anchor) for anchor, span in document.anchors.items()
        )
        self._anchor_starts = [start for start, _, _ in self._anchors]
        self._lines: list[int] = []

    def section(self, place: int) -> Section | None:
        """The deepest section that holds this character."""
        at = bisect_right(self._section_starts, place) - 1
        return self._sections[at] if at >= 0 and place < self._sections[at].end else None

    def line(self, place: int) -> int:
        """The line of a character, from 1; CRLF, CR and LF each end one."""
        if not self._lines:
            self._lines = [found.end() for found in _LINE_END.finditer(self.document.text)] or [
                len(self.document.text) + 1
            ]
        return bisect_right(self._lines, place) + 1

    def cite(self, place: int, end: int) -> str:
        """``uri#anchor`` for these characters: the message or page they stand in, their section, or their lines."""
        at = bisect_right(self._anchor_starts, place) - 1
        if at >= 0 and end <= self._anchors[at][1]:
            return f"{self.document.uri}#{self._anchors[at][2]}"
        section = self.section(place)
        if section is not None and section.anchor and end <= section.end:
            return f"{self.document.uri}#{section.anchor}"
        first, last = self.line(place), self.line(max(place, end - 1))
        return f"{self.document.uri}#L{first}" + (f"-L{last}" if last > first else "")


def passages(document: Document, spans: tuple[Span, ...], layout: Layout) -> list[Passage]:
    """The prose of these spans (all of the document if there are none), in order."""
    found: list[Passage] = []
    rows = 0
    for block in document.blocks or _paragraphs(document.text):
        if spans and not any(span.start <= block.start < span.end for span in spans):
            continue
        if block.kind in ("heading", "front-matter", "html", "metadata") or (
            block.kind == "code" and not _is_open_fence(document, block)
        ):
            continue
        section = layout.section(block.start)
        if section is not None and _is_scaffolding(section):
            continue
        if block.kind in ("table", "row"):
            rows += (
                3 if block.kind == "table" else 0
            )  # so that a table's first row isn't next to the last one of another
            for start, end in _lines(document.text, block.start, block.end):
                rows += 1
                found += _cells(document, Span(start, end), section, rows)
            continue
        kind = block.kind if block.kind in ("item", "quote") else "paragraph"
        for start, end, piece in _pieces(document.text, block, kind):
            passage = _passage(document, piece, Span(start, end), section)
            if passage is not None:
                found.append(passage)
    return found


def _passage(document: Document, kind: str, span: Span, section: Section | None) -> Passage | None:
    start, end = span
    text = document.text
    while end > start and text[end - 1].isspace():
        end -= 1
    raw = text[start:end]
    if not raw or _DIRECTIVE.match(raw) or _is_boilerplate(raw[:600].lower()):
        return None
    masked, marks = mask(text, start, end, document.format)
    return Passage(kind, start, end, masked, tuple(marks), section)


def _is_boilerplate(lowered: str) -> bool:
    return any(words in lowered for words in _BOILERPLATE)


def _pieces(text: str, block: Block, kind: str) -> list[tuple[int, int, str]]:
    """A block cut where a list item begins, since some readers hand over a list as one block."""
    pieces: list[tuple[int, int, str]] = []
    start, current = block.start, kind
    if block.kind == "code":  # a fence never closed: its first line is the fence
        start = next((end + 1 for _, end in _lines(text, block.start, block.end)), block.start)
    fenced = False
    labelled = kind == "paragraph" and len(_LABEL.findall(text, block.start, block.end)) > 1
    for line_start, line_end in _lines(text, start, block.end):
        if _FENCE.match(text, line_start, line_end) is not None and block.kind != "code":
            if not fenced:
                pieces.append((start, line_start, current))
            fenced = not fenced
            start, current = line_end, kind
            continue
        if fenced:
            start = line_end
            continue
        if kind == "quote" and (speaker := _SPEAKER.match(text, line_start, line_end)) is not None:
            pieces.append((start, line_start, current))
            start = speaker.end()
            continue
        if labelled and line_start > start and _LABEL.match(text, line_start, line_end) is not None:
            pieces.append((start, line_start, current))
            start = line_start
            continue
        item = _ITEM.match(text, line_start, line_end)
        if item is None or item.end() >= line_end:
            continue
        if line_start > start:
            pieces.append((start, line_start, current))
        start, current = item.end(), "item"
    if not fenced:
        pieces.append((start, block.end, current))
    return pieces


def _cells(document: Document, line: Span, section: Section | None, row: int) -> list[Passage]:
    text = document.text
    if _RULE_ROW.match(text, line.start, line.end):
        return []
    cells: list[Passage] = []
    at = line.start
    for column in range(64):
        bar = at
        while (
            (bar := text.find("|", bar, line.end)) >= 0
            and bar > line.start
            and text[bar - 1] == "\\"
        ):
            bar += 1
        end = line.end if bar < 0 else bar
        start = at
        while start < end and text[start].isspace():
            start += 1
        passage = _passage(document, "cell", Span(start, end), section) if start < end else None
        if passage is not None:
            cells.append(passage._replace(row=row, column=column))
        if bar < 0:
            break
        at = bar + 1
    return cells


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    for found in _LINE_END.finditer(text, start, end):
        lines.append((start, found.start()))
        start = found.end()
    if start < end:
        lines.append((start, end))
    return lines


def _paragraphs(text: str) -> list[Block]:
    """Blocks of a text that its reader gave none: what blank lines part."""
    blocks: list[Block] = []
    at = 0
    for found in _BLANK.finditer(text):
        if found.start() > at:
            blocks.append(Block("paragraph", at, found.start()))
        at = found.end()
    if at < len(text):
        blocks.append(Block("paragraph", at, len(text)))
    return blocks


def _is_open_fence(document: Document, block: Block) -> bool:
    """A text that begins with a fence which nothing closes, and whose first line is words: a slip of the pen, not code."""
    first = document.text[block.start : block.start + 200].splitlines()[:1]
    words = first[0].lstrip("`~ ").split() if first else []
    closed = document.text[block.start : block.end].rstrip().endswith(("```", "~~~"))
    return (
        len(words) > 1
        and not closed
        and block.end >= len(document.text.rstrip())
        and not document.text[: block.start].strip()
    )


def _is_scaffolding(section: Section) -> bool:
    return any(
        title.strip(" :#").casefold() in BOILERPLATE_HEADINGS
        or title.casefold().startswith("table of contents")
        for title in section.path[-1:]
    )
