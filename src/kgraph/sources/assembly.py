"""What every reader ends with: the parts it found, as a Document."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from kgraph.model import Block, Document, Json, Link, RawSpan, Section, Span
from kgraph.sources.encoding import Decoded
from kgraph.sources.outline import first_title
from kgraph.sources.positions import checkpoints, line_starts
from kgraph.tuples import NamedTuple


class Raw(NamedTuple):
    """A file as it was found. ``path`` is only for a reader that needs a neighbour (a chat export's list of users)."""

    data: bytes
    uri: str
    path: str = ""

    @property
    def name(self) -> str:
        return self.uri.rsplit("/", 1)[-1]


class Parts(NamedTuple):
    """What a reader found in the text."""

    format: str
    sections: tuple[Section, ...] = ()
    blocks: Sequence[Block] = ()
    links: Sequence[Link] = ()
    metadata: Mapping[str, Json] = {}
    title: str = ""
    anchors: Mapping[str, Span] = {}


def from_text(raw: Raw, decoded: Decoded, parts: Parts) -> Document:
    """A Document whose bytes are its text. Damaged bytes get pieces, so that what stands after them keeps its place."""
    pieces = _around_damage(decoded) if decoded.damaged else ()
    offsets = () if pieces else checkpoints(decoded.text, decoded.encoding, decoded.bom)
    made = from_pieces(raw, decoded.text, parts, pieces)
    metadata = (
        {**parts.metadata, "damaged_bytes": len(decoded.damaged)}
        if decoded.damaged
        else parts.metadata
    )
    return made._replace(encoding=decoded.encoding, offsets=offsets, metadata=metadata)


def from_pieces(
    raw: Raw, text: str, parts: Parts, pieces: Sequence[tuple[int, RawSpan]]
) -> Document:
    """A Document whose text was taken out of its bytes piece by piece."""
    return Document(
        uri=raw.uri,
        name=raw.name,
        format=parts.format,
        text=text,
        sections=parts.sections,
        blocks=tuple(sorted(parts.blocks, key=lambda block: (block.start, block.end))),
        links=tuple(sorted(parts.links, key=lambda link: (link.start, link.end))),
        metadata=parts.metadata,
        sha256=hashlib.sha256(raw.data).hexdigest(),
        encoding="utf-8",
        title=parts.title or first_title(parts.sections),
        anchors=parts.anchors,
        pieces=tuple(pieces),
        lines=line_starts(text),
    )


def _around_damage(decoded: Decoded) -> tuple[tuple[int, RawSpan], ...]:
    pieces: list[tuple[int, RawSpan]] = []
    byte, char, line = decoded.bom, 0, 1
    for bad in (*decoded.damaged, len(decoded.text)):
        run = decoded.text[char:bad]
        size, breaks = len(run.encode("utf-8")), len(line_starts(run + ".")) - 1
        if run:
            pieces.append((char, RawSpan(byte, byte + size, line, line + breaks)))
        byte, line = byte + size, line + breaks
        if bad < len(decoded.text):
            pieces.append((bad, RawSpan(byte, byte + 1, line, line)))
        byte, char = byte + 1, bad + 1
    return tuple(pieces)
