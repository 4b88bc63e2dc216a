"""From a character of a Document's text to its line, and to the bytes of the file."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from kgraph.model import Document, RawSpan, Span

STEP = 1024  # characters between two checkpoints
_LINE_END = re.compile(r"\r\n?|\n")


def line_starts(text: str) -> tuple[int, ...]:
    """The first character of each line. LF, CRLF and lone CR end one; a line end at the very end opens no further line."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    if len(starts) > 1 and starts[-1] == len(text):
        starts.pop()
    return tuple(starts)


def checkpoints(text: str, encoding: str, first_byte: int) -> Sequence[int]:
    """The byte offset of every ``STEP``-th character."""
    if text.isascii() and not encoding.startswith(("utf-16", "utf-32")):
        return range(first_byte, first_byte + len(text) + 1, STEP)
    found = [first_byte]
    for start in range(0, len(text) - STEP + 1, STEP):
        found.append(found[-1] + len(text[start : start + STEP].encode(encoding)))
    return tuple(found)


def line_of(document: Document, char: int) -> int:
    """The line of the raw file, from 1, on which a character stands; in formats without lines of their own, that of the text."""
    if document.pieces:
        char = min(max(char, 0), len(document.text))
        return raw_span(document, Span(char, char)).start_line
    return bisect_right(_lines(document), max(char, 0))


def line_span(document: Document, first: int, last: int) -> Span | None:
    """The characters of the lines ``first`` to ``last``, both inclusive, or None if the file has no such lines."""
    if document.pieces:
        return _piece_lines(document, first, last)
    lines = _lines(document)
    if not 1 <= first <= last <= len(lines):
        return None
    return Span(lines[first - 1], lines[last] if last < len(lines) else len(document.text))


def raw_span(document: Document, span: Span) -> RawSpan:
    """Where the characters of a span stand in the file. An empty span is a place between two characters."""
    if not 0 <= span.start <= span.end <= len(document.text):
        raise ValueError(
            f"span {span.start}-{span.end} is outside a text of {len(document.text)} characters"
        )
    if document.pieces:
        return _from_pieces(document, span)
    lines = _lines(document)
    return RawSpan(
        _byte(document, span.start),
        _byte(document, span.end),
        bisect_right(lines, span.start),
        bisect_right(lines, max(span.end - 1, span.start)),
    )


def _lines(document: Document) -> Sequence[int]:
    return document.lines or line_starts(document.text)


def _byte(document: Document, char: int) -> int:
    offsets = document.offsets or checkpoints(document.text, document.encoding, 0)
    step = min(char // STEP, len(offsets) - 1)
    if isinstance(offsets, range):
        return offsets.start + char
    return offsets[step] + len(document.text[step * STEP : char].encode(document.encoding))


# -- formats whose bytes are not the text -------------------------------------------------------------------------------------------


def _piece_at(document: Document, char: int) -> int:
    """Of pieces that begin at the same character the last counts, as the others are empty."""
    return max(bisect_right(document.pieces, char, key=lambda piece: piece[0]) - 1, 0)


def _from_pieces(document: Document, span: Span) -> RawSpan:
    first = _piece_at(document, span.start)
    last = _piece_at(document, max(span.end - 1, span.start))
    left, right = document.pieces[first][1], document.pieces[last][1]
    start_byte, start_line = left.start_byte, left.start_line
    end_byte, end_line = right.end_byte, right.end_line
    if left.part != right.part:  # no byte range covers two parts of an archive
        return left._replace(end_line=left.end_line)
    if _is_verbatim(document, first):
        before = document.text[document.pieces[first][0] : span.start]
        start_byte += len(before.encode(document.encoding))
        start_line += len(_LINE_END.findall(before))
    if _is_verbatim(document, last):
        before = document.text[document.pieces[last][0] : span.end]
        end_byte = right.start_byte + len(before.encode(document.encoding))
        end_line = right.start_line + len(_LINE_END.findall(before[:-1]))
    if start_byte > end_byte:  # the text has another order than the file: cover both ends
        start_byte, end_byte = min(right.start_byte, start_byte), max(left.end_byte, end_byte)
        start_line, end_line = min(right.start_line, start_line), max(left.end_line, end_line)
    return RawSpan(
        start_byte, end_byte, start_line, max(end_line, start_line), left.page, left.part
    )


def _is_verbatim(document: Document, index: int) -> bool:
    """Whether the raw bytes of a piece are its text encoded, so that places inside it can be told."""
    start, raw = document.pieces[index]
    if raw.start_byte < 0:
        return False
    end = document.pieces[index + 1][0] if index + 1 < len(document.pieces) else len(document.text)
    try:
        return raw.end_byte - raw.start_byte == len(
            document.text[start:end].encode(document.encoding)
        )
    except UnicodeEncodeError:
        return False  # it stands for an escape, as the file's encoding doesn't have it


def _piece_lines(document: Document, first: int, last: int) -> Span | None:
    """The pieces that touch the raw lines asked for."""
    if not 1 <= first <= last:
        return None
    touched = [
        index
        for index, (_, raw) in enumerate(document.pieces)
        if raw.start_line <= last and raw.end_line >= first and not raw.part
    ]
    if not touched:
        return None
    end = (
        document.pieces[touched[-1] + 1][0]
        if touched[-1] + 1 < len(document.pieces)
        else len(document.text)
    )
    return Span(document.pieces[touched[0]][0], end)
