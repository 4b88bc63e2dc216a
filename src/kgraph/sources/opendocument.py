"""OpenDocument texts, spreadsheets and presentations, from the XML inside. Places are parts of the file and lines of its text."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from kgraph.model import Document, Json, Link, Span
from kgraph.sources.archives import Archive, attribute, local
from kgraph.sources.assembly import Raw
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.rows import Rows

_SKIPPED = frozenset(
    (
        "tracked-changes",
        "sequence-decls",
        "forms",
        "shapes",
        "ruby-text",
        "note-citation",
        "bookmark",
    )
)
_META = {"title": "title", "creator": "author", "subject": "subject", "keyword": "keywords", "creation-date": "created", "date": "modified"}  # fmt: skip
MOST_REPEATED = 1_000  # cells or rows that a file may say stand there again


def read(raw: Raw, limits: Limits) -> Document:
    archive = Archive(raw.data, limits)
    manifest = archive.find("META-INF/manifest.xml")
    if manifest is not None and any(local(item) == "encryption-data" for item in manifest.iter()):
        raise Unreadable("password-protected", "open it, save it without a password, and read that")
    content = archive.xml("content.xml")
    body = next((item for item in content.iter() if local(item) == "body"), None)
    kind = next(iter(body), None) if body is not None else None
    if kind is None:
        raise Unreadable("malformed", "no content in it")
    reader = _Reader(local(kind) == "spreadsheet")
    form = {"text": "odt", "spreadsheet": "ods", "presentation": "odp"}.get(local(kind), "odt")
    reader.blocks(kind)
    metadata: dict[str, Json] = {}
    meta = archive.find("meta.xml")
    for item in meta.iter() if meta is not None else ():
        if (name := _META.get(local(item))) and (item.text or "").strip():
            metadata.setdefault(name, (item.text or "").strip())
    return reader.rows.document(raw, form, metadata, str(metadata.get("title", "")))


class _Reader:
    def __init__(self, sheets: bool) -> None:
        self._sheets = sheets
        self.rows = Rows()
        self.rows.part = "content.xml"
        self._later: list[Element] = []  # notes and boxes met inside a paragraph, read after it
        self._links: list[tuple[int, int, str]] = []

    def blocks(self, parent: Element, item: bool = False) -> None:
        for element in parent:
            name = local(element)
            if name in _SKIPPED:
                continue
            if name == "h":
                self._paragraph(element, "heading", attribute(element, "outline-level") or "1")
            elif name == "p":
                self._paragraph(element, "item" if item else "paragraph", "1" if item else "")
            elif name == "table":
                self._table(element)
            elif name == "page":
                self._slide(element)
            elif name == "list":
                for entry in element:
                    self.blocks(entry, item=True)
            elif name == "notes":
                self._aside(element)
            else:
                self.blocks(element, item)

    def _paragraph(self, element: Element, kind: str, info: str) -> None:
        self._links = []
        text = "".join(self._words(element, [0]))
        start = self.rows.add(kind, text, info)
        lead = len(text) - len(text.lstrip("\n "))
        for first, last, target in self._links if start >= 0 else ():
            shown = text[first:last]
            if shown.strip() and first >= lead and start + last - lead < self.rows.length:
                self.rows.links.append(
                    Link(" ".join(shown.split()), target, start + first - lead, start + last - lead)
                )
        later, self._later = self._later, []
        for aside in later:
            self.blocks(aside)

    def _words(self, element: Element, length: list[int]) -> Iterator[str]:
        """The text of a paragraph; what stands beside it is kept for later."""

        def say(text: str | None) -> Iterator[str]:
            if text:
                length[0] += len(text)
                yield text

        yield from say(_collapsed(element.text))
        for child in element:
            name = local(child)
            if name in ("note", "annotation", "text-box", "table"):
                self._later.append(_body_of(child))
            elif name == "s":
                yield from say(" " * min(int(attribute(child, "c") or 1), 100))
            elif name in ("tab", "line-break"):
                yield from say("\t" if name == "tab" else "\n")
            elif name not in _SKIPPED:
                start = length[0]
                yield from self._words(child, length)
                target = attribute(child, "href") if name == "a" else ""
                if target:
                    self._links.append((start, length[0], target))
            yield from say(_collapsed(child.tail))

    def _table(self, element: Element) -> None:
        lines = [(part, line) for part, line in self._lines(element) if line.strip(" |")]
        if self._sheets and attribute(element, "name"):
            self.rows.add("heading", attribute(element, "name"), "1")
        if lines:
            self.rows.add_table(lines)

    def _lines(self, table: Element) -> Iterator[tuple[str, str]]:
        number = 0
        for row in _rows_of(table):
            cells: list[str] = []
            for cell in row:
                if local(cell) not in ("table-cell", "covered-table-cell"):
                    continue
                text = " ".join(
                    " ".join("".join(_all_words(part)).split())
                    for part in cell
                    if local(part) != "annotation"
                ).strip()
                again = min(int(attribute(cell, "number-columns-repeated") or 1), MOST_REPEATED)
                cells += [text] * (again if text else min(again, 50))
            again = min(int(attribute(row, "number-rows-repeated") or 1), MOST_REPEATED)
            line = " | ".join(cells).rstrip(" |")
            for _ in range(again if line else 1):
                number += 1
                yield f"{attribute(table, 'name')}!{number}", line

    def _slide(self, page: Element) -> None:
        frames = [frame for frame in page if local(frame) in ("frame", "custom-shape", "g")]
        titles = [frame for frame in frames if attribute(frame, "class") == "title"]
        title = " ".join(" ".join("".join(_all_words(frame)).split()) for frame in titles).strip()
        self.rows.page += 1
        start = self.rows.length
        self.rows.add("heading", title or attribute(page, "name") or f"Slide {self.rows.page}", "1")
        for child in page:
            if child not in titles and local(child) != "notes":
                self.blocks(child)
        for notes in (child for child in page if local(child) == "notes"):
            self._aside(notes)
        self.rows.anchors[f"p{self.rows.page}"] = Span(start, self.rows.length)

    def _aside(self, notes: Element) -> None:
        for frame in notes:
            if attribute(frame, "class") in ("notes", ""):
                text = "\n".join(
                    "".join(_all_words(part)) for part in frame.iter() if local(part) == "p"
                )
                self.rows.add("quote", text)


def _body_of(element: Element) -> Element:
    return next((child for child in element if local(child) == "note-body"), element)


def _rows_of(table: Element) -> Iterator[Element]:
    for child in table:
        if local(child) == "table-row":
            yield child
        elif local(child) in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows_of(child)


def _all_words(element: Element) -> Iterator[str]:
    if local(element) in _SKIPPED:
        return
    if local(element) in ("s", "tab", "line-break", "p", "h"):
        yield " "
    yield element.text or ""
    for child in element:
        yield from _all_words(child)
        yield child.tail or ""


def _collapsed(text: str | None) -> str:
    """White space as the format means it: breaks and runs are one space."""
    if not text:
        return ""
    words = " ".join(text.split())
    lead = " " if text[0].isspace() else ""
    return lead + words + (" " if words and text[-1].isspace() else "")
