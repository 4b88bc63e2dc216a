"""Text of formats without byte positions: rows, each with a part of the file and a number in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.model import Block, Document, Json, Link, RawSpan, Section, Span
from kgraph.sources.assembly import Parts, Raw, from_pieces
from kgraph.sources.outline import Heading, outline


class Rows:
    """Collects blocks; ``part`` and ``page`` say where the next ones stand."""

    def __init__(self) -> None:
        self.part = ""
        self.page = 0
        self.length = 0
        self.links: list[Link] = []
        self.anchors: dict[str, Span] = {}
        self._texts: list[str] = []
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._pieces: list[tuple[int, RawSpan]] = []
        self._line = 1

    def add(self, kind: str, text: str, info: str = "") -> int:
        """A block and the blank line after it. Where it begins, or -1 if it is blank."""
        text = "".join(char if char in "\n\t" or char >= " " else " " for char in text).strip("\n ")
        if not text.strip():
            return -1
        start = self.length
        for line in text.split("\n"):
            self._pieces.append(
                (self.length, RawSpan(-1, -1, self._line, self._line, self.page, self.part))
            )
            self._texts.append(line + "\n")
            self.length += len(line) + 1
            self._line += 1
        if kind == "heading":
            self._headings.append(Heading(int(info), " ".join(text.split()), start, self.length))
        self._blocks.append(Block(kind, start, self.length - 1, info))
        self._texts.append("\n")
        self.length += 1
        self._line += 1
        return start

    def add_table(self, lines: Sequence[tuple[str, str]]) -> None:
        """A table of lines, each with the part of the file that it stands in."""
        start, part = self.length, self.part
        for place, line in lines:
            self.part = place
            self.add("table", line)
            self._texts.pop()  # no blank line between rows
            self._blocks.pop()
            self.length -= 1
            self._line -= 1
        self.part = part
        self._blocks.append(Block("table", start, self.length - 1))
        self._texts.append("\n")
        self.length += 1
        self._line += 1

    def document(
        self, raw: Raw, form: str, metadata: Mapping[str, Json], title: str = ""
    ) -> Document:
        text = "".join(self._texts)
        sections: tuple[Section, ...] = outline(self._headings, len(text))
        return from_pieces(
            raw,
            text,
            Parts(form, sections, self._blocks, self.links, metadata, title, self.anchors),
            self._pieces,
        )
