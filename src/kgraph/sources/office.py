"""DOCX and PPTX to Documents, from the XML inside. Places are parts of the file and lines of its text; slides are pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from kgraph.model import Document, Json, Link, Span
from kgraph.sources.archives import Archive, attribute, local
from kgraph.sources.assembly import Raw
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.rows import Rows
from kgraph.tuples import NamedTuple

_FIELDS = {
    "title": "title",
    "creator": "author",
    "subject": "subject",
    "keywords": "keywords",
    "created": "created",
    "modified": "modified",
}
_SKIPPED = frozenset(
    ("del", "delText", "instrText", "moveFrom", "Fallback", "rPr", "pPr", "proofErr")
)


class _Shown(NamedTuple):
    """A paragraph's text, and its links as (start, end, target) within it."""

    text: str
    links: list[tuple[int, int, str]]


def read_docx(raw: Raw, limits: Limits) -> Document:
    archive = Archive(raw.data, limits)
    document = archive.xml("word/document.xml")
    levels = _heading_levels(archive.find("word/styles.xml"))
    rows = Rows()
    rows.part = "word/document.xml"
    targets = _targets(archive, "word/_rels/document.xml.rels")
    body = next((child for child in document if local(child) == "body"), document)
    for element in _unwrapped(body):
        _word_block(rows, element, levels, targets)
    for part, title in (
        ("word/footnotes.xml", "Footnotes"),
        ("word/endnotes.xml", "Endnotes"),
        ("word/comments.xml", "Comments"),
    ):
        _notes(rows, archive, part, title)
    metadata = _properties(archive)
    return rows.document(raw, "docx", metadata, str(metadata.get("title", "")))


def read_pptx(raw: Raw, limits: Limits) -> Document:
    archive = Archive(raw.data, limits)
    slides = _slides(archive)
    if not slides and "ppt/presentation.xml" not in archive.names:
        raise Unreadable("malformed", "no presentation in it")
    rows = Rows()
    for number, name in enumerate(slides[: limits.pages], 1):
        rows.part, rows.page = name, number
        start = rows.length
        targets = _targets(
            archive, f"{posixpath.dirname(name)}/_rels/{posixpath.basename(name)}.rels"
        )
        _slide(rows, archive.xml(name), number)
        for target in targets.values():
            notes = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            if "/notesSlide" in notes and (found := archive.find(notes)) is not None:
                rows.part = notes
                _notes_of_slide(rows, found)
        rows.anchors[f"p{number}"] = Span(start, rows.length)
    metadata = _properties(archive)
    return rows.document(raw, "pptx", metadata, str(metadata.get("title", "")))


# -- words -------------------------------------------------------------------------------------------------------------------------


def _word_block(
    rows: Rows, element: Element, levels: dict[str, int], targets: dict[str, str]
) -> None:
    if local(element) == "tbl":
        rows.add("table", "\n".join(_table_rows(element)))
    elif local(element) == "p":
        shown = _shown(element, targets)
        properties = next((child for child in element if local(child) == "pPr"), None)
        style = _value_of(properties, "pStyle")
        level = levels.get(style, 0)
        if level:
            start = rows.add("heading", shown.text, str(level))
        elif properties is not None and (
            _child(properties, "numPr") is not None or style.lower().startswith("list")
        ):
            start = rows.add("item", shown.text, "1")
        else:
            start = rows.add("quote" if "quote" in style.lower() else "paragraph", shown.text)
        lead = len(shown.text) - len(shown.text.lstrip("\n "))
        if start >= 0:
            for first, last, target in shown.links:
                words = shown.text[first:last]
                if words.strip() and first >= lead and start + last - lead < rows.length:
                    rows.links.append(
                        Link(
                            " ".join(words.split()),
                            target,
                            start + first - lead,
                            start + last - lead,
                        )
                    )
        for box in _boxes(element):
            for child in _unwrapped(box):
                _word_block(rows, child, levels, targets)


def _boxes(element: Element) -> Iterator[Element]:
    """The text boxes that hang on a paragraph. What older programs are given in their place says the same once more."""
    for child in element:
        if local(child) == "txbxContent":
            yield child
        elif local(child) != "Fallback":
            yield from _boxes(child)


def _table_rows(table: Element) -> Iterator[str]:
    for row in _unwrapped(table):
        if local(row) == "tr":
            cells = [child for child in _unwrapped(row) if local(child) == "tc"]
            yield " | ".join(
                " ".join(
                    _shown(part, {}).text for part in cell.iter() if local(part) == "p"
                ).strip()
                for cell in cells
            )


def _shown(paragraph: Element, targets: dict[str, str]) -> _Shown:
    parts: list[str] = []
    links: list[tuple[int, int, str]] = []

    def length() -> int:
        return sum(map(len, parts))

    waiting: list[tuple[Element, int, str]] = [(paragraph, 0, "")]
    while waiting:
        element, state, target = waiting.pop()
        name = local(element)
        if state:  # a link's content is behind
            links.append((state - 1, length(), target))
            continue
        if name == "t":
            parts.append(element.text or "")
        elif name in ("tab", "br", "cr", "noBreakHyphen"):
            parts.append({"tab": "\t", "noBreakHyphen": "-"}.get(name, "\n"))
        elif name not in _SKIPPED:
            if name == "hyperlink" and (
                url := targets.get(attribute(element, "id")) or attribute(element, "anchor")
            ):
                waiting.append(
                    (element, length() + 1, url if attribute(element, "id") else f"#{url}")
                )
            waiting += [(child, 0, "") for child in reversed(list(element)) if local(child) != "p"]
    return _Shown("".join(parts), links)


def _heading_levels(styles: Element | None) -> dict[str, int]:
    """Style ids that are headings. Ids are translated, the names behind them aren't."""
    found = {f"Heading{level}": level for level in range(1, 10)} | {"Title": 1}
    for style in styles if styles is not None else ():
        name = _value_of(style, "name").lower()
        match = re.fullmatch(r"heading (\d)", name)
        if match:
            found[attribute(style, "styleId")] = int(match[1])
        elif name == "title":
            found[attribute(style, "styleId")] = 1
    return found


def _notes(rows: Rows, archive: Archive, part: str, title: str) -> None:
    root = archive.find(part)
    texts = (
        []
        if root is None
        else [
            "\n".join(_shown(p, {}).text for p in note.iter() if local(p) == "p").strip()
            for note in root
        ]
    )
    if any(texts):
        rows.part = part
        rows.add("heading", title, "1")
        for text in texts:
            rows.add("paragraph", text)


# -- slides ------------------------------------------------------------------------------------------------------------------------


def _slides(archive: Archive) -> list[str]:
    """The slides in the presentation's own order, or else by number."""
    targets = _targets(archive, "ppt/_rels/presentation.xml.rels")
    presentation = archive.find("ppt/presentation.xml")
    ordered = (
        [
            targets.get(attribute(item, "id"), "")
            for item in presentation.iter()
            if local(item) == "sldId"
        ]
        if presentation is not None
        else []
    )
    # 'id' is the slide's number and also its relation's name: the one that is a relation counts
    if presentation is not None and not any(ordered):
        relations = [
            list(item.attrib.values()) for item in presentation.iter() if local(item) == "sldId"
        ]
        ordered = [
            next((targets[value] for value in values if value in targets), "")
            for values in relations
        ]
    names = [posixpath.normpath(posixpath.join("ppt", target)) for target in ordered if target]
    known = [name for name in names if name in archive.names]
    numbered = [name for name in archive.names if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)]
    return known or sorted(numbered, key=lambda name: int(re.sub(r"\D", "", name)))


def _slide(rows: Rows, root: Element, number: int) -> None:
    """Each shape's paragraphs; the title's, or the slide's number, as a heading."""
    shapes = [element for element in root.iter() if local(element) in ("sp", "graphicFrame", "pic")]
    titles = [shape for shape in shapes if _placeholder(shape) in ("title", "ctrTitle")]
    title = " ".join(
        _paragraph(p) for shape in titles for p in shape.iter() if local(p) == "p"
    ).strip()
    rows.add("heading", title or f"Slide {number}", "1")
    for shape in shapes:
        if shape in titles or _placeholder(shape) in ("sldNum", "dt", "ftr"):
            continue
        if local(shape) == "graphicFrame":
            cells = [
                [
                    " ".join(_paragraph(p) for p in cell.iter() if local(p) == "p")
                    for cell in row
                    if local(cell) == "tc"
                ]
                for row in shape.iter()
                if local(row) == "tr"
            ]
            rows.add("table", "\n".join(" | ".join(row) for row in cells))
        elif local(shape) == "pic":
            described = next(
                (attribute(part, "descr") for part in shape.iter() if local(part) == "cNvPr"), ""
            )
            rows.add("paragraph", described)
        else:
            for paragraph in (part for part in shape.iter() if local(part) == "p"):
                rows.add(
                    "item" if _placeholder(shape) in ("body", "obj") else "paragraph",
                    _paragraph(paragraph),
                    "",
                )


def _notes_of_slide(rows: Rows, root: Element) -> None:
    for shape in (
        element
        for element in root.iter()
        if local(element) == "sp" and _placeholder(element) == "body"
    ):
        rows.add(
            "quote", "\n".join(_paragraph(part) for part in shape.iter() if local(part) == "p")
        )


def _paragraph(paragraph: Element) -> str:
    return "".join(
        (part.text or "") if local(part) == "t" else "\n"
        for part in paragraph.iter()
        if local(part) in ("t", "br")
    )


def _placeholder(shape: Element) -> str:
    return next(
        (attribute(part, "type") or "obj" for part in shape.iter() if local(part) == "ph"), ""
    )


# -- both --------------------------------------------------------------------------------------------------------------------------


def _targets(archive: Archive, name: str) -> dict[str, str]:
    root = archive.find(name)
    return (
        {} if root is None else {attribute(item, "Id"): attribute(item, "Target") for item in root}
    )


def _properties(archive: Archive) -> dict[str, Json]:
    root = archive.find("docProps/core.xml")
    fields = (
        []
        if root is None
        else [(_FIELDS.get(local(item)), (item.text or "").strip()) for item in root]
    )
    return {name: value for name, value in fields if name and value}


def _unwrapped(parent: Element) -> Iterator[Element]:
    """The children, with content controls and tracked insertions opened up."""
    for child in parent:
        if local(child) in ("sdt", "sdtContent", "ins", "smartTag", "customXml"):
            yield from _unwrapped(child)
        else:
            yield child


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if local(child) == name), None)


def _value_of(element: Element | None, name: str) -> str:
    found = None if element is None else _child(element, name)
    return "" if found is None else attribute(found, "val")
