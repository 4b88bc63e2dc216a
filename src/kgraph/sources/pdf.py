"""PDF to a Document: the text of its pages as people read it, column by column, without what every page repeats.

A place is a page and a line of the text, since the file's bytes aren't its text. Where words stand says pdfium; their order is
worked out in ``layout``.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from kgraph.model import Block, Document, Json, RawSpan, Span
from kgraph.sources.assembly import Parts, Raw, from_pieces
from kgraph.sources.layout import Paragraph, Word, continues, is_cjk, lines_of, read_page, row_of
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.outline import Heading, outline
from kgraph.sources.plain import bare_links
from kgraph.sources.running import Page, running
from kgraph.tuples import NamedTuple

_NUMBERED = re.compile(
    r"(?:(\d{1,2}(?:\.\d{1,2}){0,3})\.?|[IVX]{1,5}\.|[A-H]\.)[ \t]+([A-Z][^\n]{2,80})$"
)
_NAMED = re.compile(
    r"(?i:abstract|introduction|related work|methods?|results|discussion|conclusions?|acknowledge?ments?|references|bibliography|appendix)$"
)
_FIELDS = ("Title", "Author", "Subject", "Keywords", "CreationDate")
_SPACES = frozenset(
    (0, 9, 10, 11, 12, 13, 32, 0xA0, 0xAD, 0x200B, 0x202F, 0x3000, 0xFEFF, *range(0x2000, 0x200B))
)
_HYPHENS = (2, 0xFFFE)  # what pdfium writes for a hyphen at a line's end
_LIGATURES = {
    0xFB00 + n: text for n, text in enumerate(("ff", "fi", "fl", "ffi", "ffl", "st", "st"))
}
HEADING_SIZE = 1.12  # times the size of the running text
HEADING_WORDS = 16
Box = tuple[float, float, float, float]  # left, bottom, right, top, in the file's own units


def read(raw: Raw, limits: Limits) -> Document:
    """Raises Unreadable: encrypted, malformed, oversized, or ``no text layer`` where there are only pictures of pages."""
    try:
        file = pypdfium2.PdfDocument(raw.data)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        reason, detail = (
            ("password-protected", "it asks for a password")
            if locked
            else ("malformed", str(error))
        )
        raise Unreadable(reason, detail) from error
    try:
        pages = _pages(file, limits)
        marks = _outline_of(file)
        metadata: dict[str, Json] = {
            key: _clean(value) for key in _FIELDS if (value := file.get_metadata_value(key))
        }
    finally:
        file.close()
    if not any(page.words for page in pages):
        drawn = any(page.drawn for page in pages)
        raise Unreadable(
            "no text layer",
            "only pictures of pages, which need OCR" if drawn else "its pages are blank",
        )
    pictures = [number for number, page in enumerate(pages, 1) if page.drawn and not page.words]
    if pictures:
        metadata["pages_without_text"] = pictures
    left_out = _take_running(pages)
    if left_out:
        metadata["running_lines"] = left_out
    return _assembled(raw, pages, marks, metadata)


# -- from the file to words --------------------------------------------------------------------------------------------------------


class _Page:
    """A page's words, upright; ``turned`` are texts that stand across, such as a stamp in the margin."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.words: list[Word] = []
        self.turned: list[str] = []
        self.drawn = False  # whether anything at all is drawn on it


class _Char(NamedTuple):
    text: str
    left: float
    bottom: float
    right: float
    top: float
    quarter: int  # how often its line is turned to the left by 90 degrees
    begins: bool  # whether a space or a line's end stands before it


def _pages(file: pypdfium2.PdfDocument, limits: Limits) -> list[_Page]:
    if len(file) > limits.pages:
        raise Unreadable("oversized", f"{len(file)} pages, the limit is {limits.pages}")
    file.init_forms()
    form = file.formenv.raw if file.formenv is not None else None
    found: list[_Page] = []
    size = 0
    for number in range(len(file)):
        try:
            page = file[number]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError as error:
            raise Unreadable("malformed", f"page {number + 1}: {error}") from error
        try:
            box = page.get_bbox()
            chars = _chars(text_page, box, limits.unpacked_bytes - size)
            if form is not None:
                chars += _field_chars(page, form)
            found.append(_upright(chars, box))
            found[-1].drawn = pdfium.FPDFPage_CountObjects(page.raw) > 0
        finally:
            text_page.close()
            page.close()
        size += len(chars)
    return found


def _chars(text_page: pypdfium2.PdfTextPage, page: Box, most: int) -> list[_Char]:
    """The characters that stand on the page, at least in part."""
    handle = text_page.raw
    count = pdfium.FPDFText_CountChars(handle)
    if count > most:
        raise Unreadable("oversized", "more text than the limit allows")
    unicode_at: Callable[..., int] = pdfium.FPDFText_GetUnicode
    box_at: Callable[..., bool] = pdfium.FPDFText_GetLooseCharBox
    left, bottom, right, top = page
    box = pdfium.FS_RECTF()
    place = ctypes.byref(box)
    found: list[_Char] = []
    begins, quarter = True, 0
    for index in range(count):
        code = unicode_at(handle, index)
        if code in _SPACES or not box_at(handle, index, place):
            begins = True
            continue
        if box.left > right or box.right < left or box.bottom > top or box.top < bottom:
            continue
        if begins:
            angle = pdfium.FPDFText_GetCharAngle(handle, index)
            quarter = -round(angle / (math.pi / 2)) % 4 if angle > 0 else 0
        found.append(_Char(_char(code), box.left, box.bottom, box.right, box.top, quarter, begins))
        begins = False
    return found


def _char(code: int) -> str:
    if code in _HYPHENS:
        return "-"
    if code in _LIGATURES:
        return _LIGATURES[code]
    return "\ufffd" if code < 32 or 0xD800 <= code <= 0xDFFF or code == 127 else chr(code)


def _field_chars(page: pypdfium2.PdfPage, form: Any) -> list[_Char]:
    """What is filled into a form's fields, at the place of each: as words, since where each character stands isn't told."""
    found: list[_Char] = []
    for index in range(pdfium.FPDFPage_GetAnnotCount(page.raw)):
        annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        box = pdfium.FS_RECTF()
        if pdfium.FPDFAnnot_GetSubtype(
            annotation
        ) == pdfium.FPDF_ANNOT_WIDGET and pdfium.FPDFAnnot_GetRect(annotation, box):
            lines = [line for line in _field_text(form, annotation).splitlines() if line.strip()]
            for number, line in enumerate(lines):
                found += _spread(line, box, number, len(lines))
        pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _field_text(form: Any, annotation: Any) -> str:
    kind = pdfium.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (
        pdfium.FPDF_FORMFIELD_TEXTFIELD,
        pdfium.FPDF_FORMFIELD_COMBOBOX,
        pdfium.FPDF_FORMFIELD_LISTBOX,
    ):
        return _string_of(pdfium.FPDFAnnot_GetFormFieldValue, form, annotation)
    if kind in (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON):
        return "☒" if pdfium.FPDFAnnot_IsChecked(form, annotation) else "☐"
    return ""


def _string_of(ask: Callable[..., int], form: Any, annotation: Any) -> str:
    size = ask(form, annotation, None, 0)
    if size <= 2:
        return ""
    held = (ctypes.c_ushort * (size // 2))()
    ask(form, annotation, held, size)
    return bytes(held).decode("utf-16-le", "replace").rstrip("\0")


def _spread(line: str, box: Any, number: int, lines: int) -> Iterator[_Char]:
    """A field's line over its rectangle, a character as wide as half its line is high."""
    height = min((box.top - box.bottom) / lines, 14.0)
    top = box.top - number * height if lines > 1 else (box.top + box.bottom + height) / 2
    wide = min(0.5 * height, (box.right - box.left) / (len(line) or 1))
    begins = True
    for place, char in enumerate(line):
        if char.isspace():
            begins = True
            continue
        left = box.left + place * wide
        yield _Char(_char(ord(char)), left, top - height, left + wide, top, 0, begins)
        begins = False


def _upright(chars: Sequence[_Char], box: Box) -> _Page:
    """The page turned so that its lines run to the right; lines that stand across most others are taken apart."""
    width, height = box[2] - box[0], box[3] - box[1]
    turns = Counter(char.quarter for char in chars)
    most = turns.most_common(1)[0][0] if turns else 0
    vertical = most == 0 and _is_vertical(chars)
    quarter = 3 if vertical else most
    page = _Page(height if quarter % 2 == 0 else width)
    across: list[str] = []
    for place, char in enumerate(chars):
        if char.quarter != most:
            across.append(" " + char.text if char.begins else char.text)
            continue
        _add(page.words, _turned(char, quarter, box), char.begins, place)
    page.turned = ["".join(across).strip()] if across else []
    return page


def _is_vertical(chars: Sequence[_Char]) -> bool:
    """Whether characters of East Asia follow each other downwards rather than to the right."""
    down = along = 0
    for before, after in itertools.pairwise(chars):
        if not (is_cjk(before.text) and is_cjk(after.text)):
            continue
        size = before.top - before.bottom or 1.0
        dx = abs((after.left + after.right) - (before.left + before.right)) / 2 / size
        dy = ((before.top + before.bottom) - (after.top + after.bottom)) / 2 / size
        down += dx < 0.3 and 0.4 < dy < 1.8
        along += abs(dy) < 0.3 and 0.3 < dx < 1.8
    return down > along


def _turned(char: _Char, quarter: int, box: Box) -> Word:
    x, y = box[0], box[1]
    width, height = box[2] - x, box[3] - y
    left, bottom, right, top = char.left - x, char.bottom - y, char.right - x, char.top - y
    placed = (
        (left, height - top, right, height - bottom),
        (bottom, left, top, right),
        (width - right, bottom, width - left, top),
        (height - top, width - right, height - bottom, width - left),
    )[quarter]
    return Word(char.text, *placed, 0)


def _add(words: list[Word], char: Word, begins: bool, place: int) -> None:
    """A character to the word before it, unless a space or a wide gap parts them."""
    before = words[-1] if words and not begins else None
    if before is not None:
        size = max(before.height, char.height, 0.1)
        gap = max(char.left - before.right, before.left - char.right)
        shared = min(before.bottom, char.bottom) - max(before.top, char.top)
        if gap < 0.25 * size and shared > 0.2 * min(before.height, char.height):
            words[-1] = Word(
                before.text + char.text,
                min(before.left, char.left),
                min(before.top, char.top),
                max(before.right, char.right),
                max(before.bottom, char.bottom),
                before.order,
            )
            return
    words.append(char._replace(order=place))


def _clean(text: str) -> str:
    return " ".join(re.sub("[\x00-\x1f\x7f\ud800-\udfff]", " ", text).split())


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


# -- from words to a text ----------------------------------------------------------------------------------------------------------


def _take_running(pages: Sequence[_Page]) -> list[str]:
    """Take headers, footers and page numbers out of the pages; the different ones that were taken."""
    lines = [lines_of(page.words) for page in pages]
    rows = [[row_of(line) for line in of_page] for of_page in lines]
    taken = running([Page(page.height, found) for page, found in zip(pages, rows, strict=True)])
    texts: dict[str, None] = {}
    for page, of_page, shown, numbers in zip(pages, lines, rows, taken, strict=True):
        if numbers and len(numbers) < len(of_page):
            page.words = [
                word for index, line in enumerate(of_page) if index not in numbers for word in line
            ]
            texts |= {re.sub(r"\d+", "#", shown[index].text): None for index in numbers}
    return list(texts)[:50]


class _Placed(NamedTuple):
    page: int
    paragraph: Paragraph


def _assembled(
    raw: Raw, pages: Sequence[_Page], marks: list[tuple[int, str, int]], metadata: dict[str, Json]
) -> Document:
    body_size = _body_size(pages)
    placed = [
        _Placed(number, paragraph)
        for number, page in enumerate(pages, 1)
        for paragraph in read_page(page.words, body_size)
    ]
    writer = _Writer(_vocabulary(placed), len(pages))
    for joined in _joined(placed):
        writer.paragraph(joined, body_size)
    for number, page in enumerate(pages, 1):
        for text in page.turned:
            writer.aside(text, number)
    text, anchors = writer.text(), writer.anchors()
    headings = _headings(text, anchors, marks) or writer.headings or _guessed_headings(text)
    title = str(metadata.get("Title", "")) or (headings[0].title if headings else _first_line(text))
    parts = Parts(
        "pdf",
        outline(headings, len(text)),
        _blocks(text, headings, writer.blocks),
        list(bare_links(text)),
        metadata,
        title,
        anchors,
    )
    return from_pieces(raw, text, parts, writer.pieces)


def _body_size(pages: Sequence[_Page]) -> float:
    """The height that most of the text has."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for word in page.words:
            sizes[round(2 * word.height) / 2] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _vocabulary(placed: Sequence[_Placed]) -> frozenset[str]:
    """The words that stand whole somewhere: they tell whether a hyphen at a line's end belongs to its word."""
    return frozenset(
        word.strip(".,;:!?()[]\"'“”‘’").casefold()
        for item in placed
        for row in item.paragraph.rows
        for word in row.text.split()[: -1 if row.text.endswith("-") else None]
    )


def _joined(placed: Sequence[_Placed]) -> Iterator[list[_Placed]]:
    """Paragraphs, each with those that go on with it in the next column or on the next page. Notes wait until it is whole."""
    waiting = list(placed)
    while waiting:
        group = [waiting.pop(0)]
        notes: list[_Placed] = []
        while group[-1].paragraph.kind == "paragraph":
            at = 0
            while at < len(waiting) and at < 12 and waiting[at].paragraph.kind == "note":
                at += 1
            after = waiting[at] if at < len(waiting) else None
            if (
                after is None
                or after.paragraph.kind != "paragraph"
                or abs(after.paragraph.size - group[-1].paragraph.size) > 0.1 * after.paragraph.size
                or not continues(group[-1].paragraph.rows[-1].text, after.paragraph.rows[0].text)
            ):
                break
            notes += waiting[:at]
            group.append(after)
            del waiting[: at + 1]
        yield group
        yield from ([note] for note in notes)


class _Writer:
    """The text being written, a line for each line of the page unless a word or a script without spaces runs on."""

    def __init__(self, words: frozenset[str], pages: int) -> None:
        self.blocks: list[Block] = []
        self.pieces: list[tuple[int, RawSpan]] = []
        self.headings: list[Heading] = []
        self._words = words
        self._parts: list[str] = []
        self._length = 0
        self._line = 1
        self._pages: list[list[int]] = [[] for _ in range(pages + 1)]

    def text(self) -> str:
        return "".join(self._parts)

    def anchors(self) -> dict[str, Span]:
        found: dict[str, Span] = {}
        last = 0
        for number, places in enumerate(self._pages[1:], 1):
            found[f"p{number}"] = Span(min(places), max(places)) if places else Span(last, last)
            last = found[f"p{number}"].end
        return found

    def paragraph(self, joined: Sequence[_Placed], body_size: float) -> None:
        rows = [(item.page, row) for item in joined for row in item.paragraph.rows]
        start = self._length
        kind = joined[0].paragraph.kind
        for index, (page, row) in enumerate(rows):
            after = rows[index + 1][1].text if index + 1 < len(rows) else ""
            self._row(page, row.text, after, kind)
        end = self._length
        first = joined[0].paragraph
        written = "".join(self._parts)[start:end] if first.size > HEADING_SIZE * body_size else ""
        title = " ".join(written.split())
        if (
            title
            and any(char.isalpha() for char in title)
            and len(first.rows) <= 3
            and (len(title.split()) <= HEADING_WORDS and not title.endswith((".", ",", ";")))
        ):
            self.headings.append(Heading(_level(first.size / body_size), title, start, end + 1))
        self.blocks.append(Block("table" if kind == "table" else "paragraph", start, end))
        self._put("\n\n", 0)

    def aside(self, text: str, page: int) -> None:
        if text.strip():
            start = self._length
            self._row(page, text, "", "note")
            self.blocks.append(Block("html", start, self._length))
            self._put("\n\n", 0)

    def _row(self, page: int, text: str, after: str, kind: str) -> None:
        joint = "\n" if after else ""
        if kind != "table" and after:
            text, joint = self._jointed(text, after)
        self.pieces.append((self._length, RawSpan(-1, -1, self._line, self._line, page)))
        self._put(text + joint, page)

    def _jointed(self, text: str, after: str) -> tuple[str, str]:
        """A line and what stands between it and the next: a word broken at its end is made whole."""
        if is_cjk(text[-1]) and is_cjk(after[0]):
            return text, ""
        if not text.endswith(("-", "\u2010")) or len(text) < 2 or not text[-2].isalpha():
            return text, "\n"
        if not after[0].isalpha():
            return text, "" if after[0].isdigit() else "\n"
        head = text[:-1].split()[-1].lstrip("([\"'“‘").casefold()
        tail = after.split()[0].rstrip(".,;:!?)]\"'”’").casefold()
        if (
            not after[0].islower()
            or "-" in head
            or (f"{head}-{tail}" in self._words and head + tail not in self._words)
        ):
            return text, ""
        return text[:-1], ""

    def _put(self, text: str, page: int) -> None:
        if page:
            self._pages[page] += [self._length, self._length + len(text.rstrip("\n"))]
        self._parts.append(text)
        self._length += len(text)
        self._line += text.count("\n")


def _level(ratio: float) -> int:
    return 1 if ratio > 1.6 else 2 if ratio > 1.3 else 3


def _headings(
    text: str, anchors: dict[str, Span], marks: list[tuple[int, str, int]]
) -> list[Heading]:
    """The bookmarks that stand as lines on their pages."""
    found: list[Heading] = []
    for level, title, page in marks:
        on = anchors.get(f"p{page + 1}")
        if on is None:
            continue
        words = r"\s+".join(re.escape(word) for word in title.split())
        match = re.compile(
            rf"^[ \t]*(?:[\dIVX.]+\s+)?{words}[ \t]*$", re.MULTILINE | re.IGNORECASE
        ).search(text, on.start, on.end)
        if match and (not found or match.start() >= found[-1].body):
            found.append(Heading(level + 1, title, match.start(), min(match.end() + 1, len(text))))
    return found


def _guessed_headings(text: str) -> list[Heading]:
    """Lines that are numbered or named as papers' headings are; at least three of them."""
    found = []
    for match in re.finditer(r"[^\n]+", text):
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


def _blocks(text: str, headings: list[Heading], blocks: list[Block]) -> list[Block]:
    """The paragraphs with the headings cut out of them."""
    starts = [heading.start for heading in headings]
    found = [
        Block(
            "heading",
            heading.start,
            heading.start + len(text[heading.start : heading.body].rstrip()),
            str(heading.level),
        )
        for heading in headings
    ]
    for block in blocks:
        at = block.start
        for heading in headings[bisect_right(starts, block.start - 1) :]:
            if heading.start >= block.end:
                break
            found += _stripped(text, block, at, heading.start)
            at = heading.body
        found += _stripped(text, block, at, block.end)
    return found


def _stripped(text: str, block: Block, start: int, end: int) -> list[Block]:
    content = text[start:end]
    if not content.strip():
        return []
    lead = len(content) - len(content.lstrip())
    return [block._replace(start=start + lead, end=start + len(content.rstrip()))]


def _first_line(text: str) -> str:
    return next((" ".join(line.split())[:200] for line in text.splitlines() if line.strip()), "")
