"""PDF to a Document: the text of its pages. A place is a page and a line of the text, since the file's bytes aren't its text."""

from __future__ import annotations

import re

import pypdfium2

from kgraph.model import Block, Document, Json, RawSpan, Span
from kgraph.sources.assembly import Parts, Raw, from_pieces
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.outline import Heading, outline
from kgraph.sources.plain import bare_links

_NUMBERED = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,3})\.?|[IVX]{1,5}\.|[A-H]\.)[ \t]+([A-Z][^\n]{2,80})$"
)
_NAMED = re.compile(
    r"(?i:abstract|introduction|related work|methods?|results|discussion|conclusions?|acknowledge?ments?|references|bibliography|appendix)$"
)
_FIELDS = ("Title", "Author", "Subject", "Keywords", "CreationDate")
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![ \t]*(?:\n|\Z)))*")


def read(raw: Raw, limits: Limits) -> Document:
    try:
        file = pypdfium2.PdfDocument(raw.data)
    except pypdfium2.PdfiumError as error:
        raise Unreadable(
            "encrypted" if "password" in str(error).lower() else "malformed", str(error)
        ) from error
    try:
        pages = _pages(file, limits)
        marks = _outline_of(file)
        metadata: dict[str, Json] = {
            key: _clean(value) for key in _FIELDS if (value := file.get_metadata_value(key))
        }
    finally:
        file.close()
    text = "\f".join(pages)
    anchors: dict[str, Span] = {}
    pieces: list[tuple[int, RawSpan]] = []
    at, line = 0, 1
    for number, page in enumerate(pages, 1):
        anchors[f"p{number}"] = Span(at, at + len(page))
        for row in [*page.split("\n")] if page else [""]:
            pieces.append((at, RawSpan(-1, -1, line, line, number)))
            at += len(row) + 1
            line += 1
    headings = _headings(text, pages, marks)
    blocks = _blocks(text, headings)
    title = str(metadata.get("Title", "")) or (headings[0].title if headings else _first_line(text))
    if not text.strip():
        metadata["note"] = "the file holds no text, only pictures of pages"
    return from_pieces(
        raw,
        text,
        Parts(
            "pdf",
            outline(headings, len(text)),
            blocks,
            list(bare_links(text)),
            metadata,
            title,
            anchors,
        ),
        pieces,
    )


def _pages(file: pypdfium2.PdfDocument, limits: Limits) -> list[str]:
    if len(file) > limits.pages:
        raise Unreadable("oversized", f"{len(file)} pages, the limit is {limits.pages}")
    found: list[str] = []
    size = 0
    for page in file:
        try:
            text_page = page.get_textpage()
            text = _clean(text_page.get_text_range())
            text_page.close()
        except pypdfium2.PdfiumError as error:
            raise Unreadable("malformed", f"page {len(found) + 1}: {error}") from error
        finally:
            page.close()
        size += len(text)
        if size > limits.unpacked_bytes:
            raise Unreadable("oversized", f"more than {limits.unpacked_bytes} characters of text")
        found.append(text)
    return found


def _clean(text: str) -> str:
    """Line ends as LF; a hyphen at a line's end, which the library marks with U+FFFE, as a hyphen."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufffe", "-").replace("\f", "\n")
    return re.sub("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]", "\ufffd", text)


def _outline_of(file: pypdfium2.PdfDocument) -> list[tuple[int, str, int]]:
    """The bookmarks: level from 0, title, page from 0."""
    found: list[tuple[int, str, int]] = []
    try:
        for item in file.get_toc(max_depth=8):
            title = getattr(item, "title", None) or item.get_title()
            page = item.page_index if hasattr(item, "page_index") else item.get_dest().get_index()
            if title and page is not None:
                found.append((int(item.level), " ".join(title.split()), int(page)))
    except (pypdfium2.PdfiumError, AttributeError, ValueError):
        return []  # bookmarks that lead nowhere are no reason to refuse the text
    return found


def _headings(text: str, pages: list[str], marks: list[tuple[int, str, int]]) -> list[Heading]:
    """The bookmarks that stand as lines on their pages; without any, lines that are numbered or named as papers' headings are."""
    starts = [0]
    for content in pages:
        starts.append(starts[-1] + len(content) + 1)
    found: list[Heading] = []
    for level, title, page in marks:
        if not 0 <= page < len(pages):
            continue
        words = r"\s+".join(re.escape(word) for word in title.split())
        match = re.compile(
            rf"^[ \t]*(?:[\dIVX.]+\s+)?{words}[ \t]*$", re.MULTILINE | re.IGNORECASE
        ).search(text, starts[page], starts[page + 1])
        if match and (not found or match.start() >= found[-1].body):
            found.append(Heading(level + 1, title, match.start(), min(match.end() + 1, len(text))))
    return found or _guessed_headings(text)


def _guessed_headings(text: str) -> list[Heading]:
    found = []
    for match in re.finditer(r"[^\n\f]+", text):
        line = match.group().strip()
        numbered = _NUMBERED.match(line)
        if (
            numbered and not line.endswith((".", ",", ";", ":")) and len(line.split()) <= 12
        ) or _NAMED.match(line):
            level = numbered[1].count(".") + 1 if numbered and numbered[1] else 1
            found.append(
                Heading(
                    level, " ".join(line.split()), match.start(), min(match.end() + 1, len(text))
                )
            )
    return found if len(found) >= 3 else []


def _blocks(text: str, headings: list[Heading]) -> list[Block]:
    """Paragraphs, apart at blank lines, headings and the ends of pages."""
    blocks: list[Block] = []
    at = 0
    for heading in headings:
        blocks += _paragraphs(text, at, heading.start)
        title = text[heading.start : heading.body]
        lead = len(title) - len(title.lstrip())
        blocks.append(
            Block(
                "heading",
                heading.start + lead,
                heading.start + len(title.rstrip()),
                str(heading.level),
            )
        )
        at = heading.body
    return [*blocks, *_paragraphs(text, at, len(text))]


def _paragraphs(text: str, start: int, end: int) -> list[Block]:
    found = []
    for page in re.compile(r"[^\f]+").finditer(text, start, end):
        for match in _PARAGRAPH.finditer(text, *page.span()):
            found.append(
                Block("paragraph", match.start(), match.start() + len(match.group().rstrip()))
            )
    return found


def _first_line(text: str) -> str:
    return next((" ".join(line.split())[:200] for line in text.splitlines() if line.strip()), "")
