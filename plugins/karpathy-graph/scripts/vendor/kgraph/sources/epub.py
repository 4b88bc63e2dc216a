"""EPUB to a Document: the pages of its spine, one after the other. Places are the pages' files and lines of the text."""

from __future__ import annotations

import posixpath
from xml.etree.ElementTree import Element

from kgraph.model import Document, Json, Link, Span
from kgraph.sources.archives import Archive, attribute, local
from kgraph.sources.assembly import Raw
from kgraph.sources.encoding import decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.html import Page
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.rows import Rows


def read(raw: Raw, limits: Limits) -> Document:
    archive = Archive(raw.data, limits)
    container = archive.xml("META-INF/container.xml")
    package = next(
        (attribute(item, "full-path") for item in container.iter() if local(item) == "rootfile"), ""
    )
    if not package:
        raise Unreadable("malformed", "no package in its container")
    root = archive.xml(package)
    rows = Rows()
    for name in _spine(root, posixpath.dirname(package)):
        if name in archive.names:
            _page(rows, archive, name)
    metadata = _metadata(root)
    return rows.document(raw, "epub", metadata, str(metadata.get("title", "")))


def _page(rows: Rows, archive: Archive, name: str) -> None:
    page = Page(Gatherer(decode(archive.read(name))))
    page.run()
    text, parts = page.gathered.text(), page.parts("html")
    rows.part = name
    first = rows.length
    for block in parts.blocks:
        start = rows.add(block.kind, text[block.start : block.end], block.info)
        shift = start - block.start
        for link in parts.links:
            if (
                start >= 0
                and block.start <= link.start
                and link.end <= block.end
                and link.end + shift <= rows.length
            ):
                rows.links.append(
                    Link(link.text, link.target, link.start + shift, link.end + shift)
                )
    rows.anchors.setdefault(posixpath.basename(name), Span(first, rows.length))


def _spine(root: Element, folder: str) -> list[str]:
    """The pages in reading order; a path that would lead out of the archive names nothing in it."""
    files = {
        attribute(item, "id"): attribute(item, "href")
        for item in root.iter()
        if local(item) == "item"
    }
    wanted = [
        files.get(attribute(item, "idref"), "") for item in root.iter() if local(item) == "itemref"
    ]
    return [posixpath.normpath(posixpath.join(folder, href)) for href in wanted if href]


def _metadata(root: Element) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for item in root.iter():
        if (
            local(item) in ("title", "creator", "language", "publisher", "date", "subject")
            and (item.text or "").strip()
        ):
            found.setdefault(
                {"creator": "author"}.get(local(item), local(item)), (item.text or "").strip()
            )
    return found
