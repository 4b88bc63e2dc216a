"""From the positions that a parser gives (line and byte column) to characters of the decoded text."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, pairwise

from kgraph.code.facts import Place

_LINE_END = re.compile(r"\r\n|\n|\r")


class Lines:
    """The lines of one text. Only CR, LF and CRLF end a line: form feeds and U+2028 do not, as for the parsers."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        self._ascii = text.isascii()

    def __len__(self) -> int:
        return len(self._starts)

    def offset(self, line: int, byte_column: int) -> int:
        """The character at a line counted from 1 and a column counted in UTF-8 bytes from 0."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + byte_column
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        row = self.text[start:end]
        if row.isascii():
            return start + byte_column
        return start + len(
            row.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "surrogatepass")
        )

    def place(self, line: int, byte_column: int, end_line: int, end_byte_column: int) -> Place:
        return Place(
            line, end_line, self.offset(line, byte_column), self.offset(end_line, end_byte_column)
        )

    def range(self, start: int, end: int) -> Place:
        """The place of a half-open range of characters."""
        return Place(
            bisect_right(self._starts, start),
            bisect_right(self._starts, max(end - 1, start)),
            start,
            end,
        )


class Bytes:
    """The same for parsers that count the bytes of the UTF-8 text from its beginning."""

    def __init__(self, text: str) -> None:
        self.data = text.encode("utf-8", "surrogatepass")
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
        self._ascii = len(self.data) == len(text)
        self._byte_starts = self._starts
        if not self._ascii:
            rows = [
                text[start:end].encode("utf-8", "surrogatepass")
                for start, end in pairwise([*self._starts, len(text)])
            ]
            self._byte_starts = [0, *accumulate(map(len, rows))][:-1]

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, byte: int) -> int:
        return bisect_right(self._byte_starts, byte)

    def offset(self, byte: int) -> int:
        if self._ascii:
            return byte
        row = self.line(byte) - 1
        return self._starts[row] + len(
            self.data[self._byte_starts[row] : byte].decode("utf-8", "surrogatepass")
        )

    def place(self, start_byte: int, end_byte: int) -> Place:
        """``end_byte`` is exclusive; a text that ends with its line belongs to that line."""
        return Place(
            self.line(start_byte),
            self.line(max(end_byte - 1, start_byte)),
            self.offset(start_byte),
            self.offset(end_byte),
        )


def first_sentence(words: str) -> str:
    """The first sentence of a comment or docstring, white space collapsed; nothing is added to it."""
    paragraph = re.split(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)", words.strip(), maxsplit=1)[0]
    flat = " ".join(paragraph.split())
    found = re.match(r".*?[.!?](?=\s+[^a-z\s])", flat)
    return found.group(0) if found else flat
