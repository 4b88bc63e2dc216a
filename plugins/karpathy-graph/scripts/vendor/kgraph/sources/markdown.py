"""Markdown (CommonMark with GitHub's tables, anchors and links) to a Document."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgraph.model import Block, Document, Json, Link, Section, Span
from kgraph.sources import front_matter, inline
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.blocks import Leaf, scan_blocks
from kgraph.sources.encoding import decode
from kgraph.sources.limits import Limits
from kgraph.sources.outline import Heading, outline

_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_UNDERLINE = re.compile(r"[ \t>]*(?:\r\n?|\n)[ \t>]*(?:=+|-+)[ \t]*$")
_NAMED = re.compile(
    r"<[A-Za-z][\w-]*\s[^<>]*?\b(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE
)
_HTML_HEADING = re.compile(r"<h([1-6])\b[^<>]*>(.*?)</h\1\s*>", re.IGNORECASE | re.DOTALL)


def read(raw: Raw, limits: Limits) -> Document:
    decoded = decode(raw.data)
    return from_text(raw, decoded, parse(decoded.text))


def parse(text: str) -> Parts:
    """Sections, blocks, links and metadata of a Markdown text."""
    metadata: dict[str, Json] = {}
    blocks: list[Block] = []
    start = 0
    if found := front_matter.find(text):
        content, start, mark = found
        metadata = front_matter.parse(text[content:start].rstrip().rstrip(".-+"), mark)
        blocks.append(Block("front-matter", 0, start))
    leaves = scan_blocks(text, start)
    known = definitions_of(text, leaves)
    headings = [heading for leaf in leaves for heading in _headings(text, leaf, known)]
    sections = outline(headings, len(text))
    links: list[Link] = []
    for leaf in leaves:
        blocks.append(_block(text, leaf))
        if blocks[-1].kind not in ("code", "definition"):
            found_links = inline.scan(text[leaf.start : leaf.end], known).links
            links += [
                link._replace(start=link.start + leaf.start, end=link.end + leaf.start)
                for link in found_links
            ]
    title = metadata.get("title")
    anchors = _named_anchors(text, leaves, sections)
    return Parts(
        "markdown",
        sections,
        blocks,
        links,
        metadata,
        title if isinstance(title, str) else "",
        anchors,
    )


def definitions_of(text: str, blocks: Iterable[Leaf] | Iterable[Block]) -> dict[str, str]:
    """The reference definitions of a text, by label."""
    if "]:" not in text:
        return {}
    written = (
        text[block.start : block.end]
        for block in blocks
        if block.kind in ("paragraph", "item", "quote", "definition")
    )
    return inline.definitions(written)


def _block(text: str, leaf: Leaf) -> Block:
    kind = leaf.kind
    if (
        kind == "paragraph"
        and text[leaf.start] == "["
        and inline.only_definitions(text[leaf.start : leaf.end])
    ):
        kind = "definition"
    return Block(kind, leaf.start, leaf.end, leaf.info)


def _headings(text: str, leaf: Leaf, known: dict[str, str]) -> list[Heading]:
    written = text[leaf.start : leaf.end]
    if leaf.kind == "html":
        return (
            [_html_heading(text, leaf, match) for match in _HTML_HEADING.finditer(written)]
            if "<h" in written.lower()
            else []
        )
    if leaf.kind != "heading":
        return []
    if written.startswith("#" * int(leaf.info)) and not _UNDERLINE.search(written):
        written = _CLOSING_HASHES.sub("", written.lstrip("#")).strip(" \t")
    else:
        written = re.sub(r"^[-+*]\s+|^\d{1,9}[.)]\s+", "", _UNDERLINE.sub("", written)).strip()
    return [_heading(leaf, int(leaf.info), written, known)]


def _heading(leaf: Leaf, level: int, written: str, known: dict[str, str]) -> Heading:
    shown = inline.plain(written, known)
    anchored = inline.plain(re.sub(r"!\[[^\]]*\](?:\([^()]*\)|\[[^\]]*\])", "", written), known)
    return Heading(
        level,
        " ".join(shown.split()),
        leaf.line,
        leaf.body,
        slugged=re.sub(r"[ \t]*[\r\n]+[ \t]*", " ", anchored),
    )


def _html_heading(text: str, leaf: Leaf, match: re.Match[str]) -> Heading:
    start = leaf.start + match.start()
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    shown = " ".join(inline.plain(match[2]).split())
    return Heading(
        int(match[1]), shown, max(line, leaf.line), leaf.start + match.end(), slugged=shown
    )


def _named_anchors(text: str, leaves: list[Leaf], sections: tuple[Section, ...]) -> dict[str, Span]:
    """Anchors that the text sets by hand (``<a id="x">``): from there to the end of the section that it stands in or heads."""
    found: dict[str, Span] = {}
    taken = {section.anchor for section in sections}
    for leaf in leaves:
        if leaf.kind == "code" or "<" not in text[leaf.start : leaf.end]:
            continue
        for match in _NAMED.finditer(text, leaf.start, leaf.end):
            if match[1] not in taken and match[1] not in found:
                found[match[1]] = Span(match.start(), _section_end(sections, leaf, len(text)))
    return found


def _section_end(sections: tuple[Section, ...], leaf: Leaf, length: int) -> int:
    """Where the section ends that begins right after the leaf, or else the innermost that holds it."""
    end = length
    for section in sections:
        if leaf.line <= section.start and section.start - leaf.body <= 2:
            return section.end
        if section.start > leaf.body + 2:
            break
        if section.start <= leaf.start < section.end:
            end = section.end
    return end
