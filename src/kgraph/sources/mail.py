"""E-mail: single messages and mailboxes. Headers are metadata, each message is a section and an anchor, its text is that of its body."""

from __future__ import annotations

import binascii
import re
from bisect import bisect_left
from collections.abc import Sequence
from email import message_from_bytes, policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from typing import Any

from kgraph.model import Block, Document, Json, RawSpan, Span
from kgraph.sources.assembly import Parts, Raw, from_pieces
from kgraph.sources.encoding import Decoded, decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.html import Page
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.lines import split, stretch
from kgraph.sources.outline import Heading, outline
from kgraph.sources.plain import bare_links
from kgraph.tuples import NamedTuple

_FROM = re.compile(rb"^From [^\r\n]*\d{4}[^\r\n]*\r?\n", re.MULTILINE)
_SHOWN = ("From", "To", "Cc", "Date")
_KEPT = (
    "Subject",
    "From",
    "To",
    "Cc",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "List-Id",
)


_LONGEST_HEADER = 2000  # characters that the standard library takes apart by its grammar
_LONGEST_DECODED = (
    20_000  # beyond it encoded words stay as they are: decoding them costs the square
)
_MISSES = 50  # parts that stand nowhere as they were read: what follows is no longer looked for


class _Bounded(policy.EmailPolicy):
    """The grammar of headers costs a thousand times what a header's text does, and more for what is written to hurt: a header that
    nobody writes by hand is read plainly."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        if len(value) <= _LONGEST_HEADER or not isinstance(value, str):
            return super().header_fetch_parse(name, value)
        if name.lower().startswith("content-"):  # media types, file names: nothing that is shown
            return super().header_fetch_parse(name, value[:_LONGEST_HEADER])
        value = "".join(value.splitlines())
        try:
            return (
                str(make_header(decode_header(value)))
                if "=?" in value and len(value) <= _LONGEST_DECODED
                else value
            )
        except (HeaderParseError, LookupError, ValueError):
            return value


_BOUNDED = _Bounded()


class _Body(NamedTuple):
    """A text part: decoded, and where its encoded form stands in the file; ``lines``: each line of it and its own place, where that is
    known."""

    text: str
    start: int
    end: int
    lines: tuple[tuple[str, int, int], ...] = ()


def read(raw: Raw, limits: Limits) -> Document:
    spans = _messages(raw.data) if _FROM.match(raw.data) else [(0, len(raw.data))]
    box = _Box(raw.data)
    if len(spans) > limits.members:
        raise Unreadable(
            "oversized", f"{len(spans)} messages in one mailbox, the limit is {limits.members}"
        )
    for start, end in spans:
        box.add(start, end)
    metadata = box.metadata if len(spans) == 1 else {"messages": len(spans)}
    sections = outline(box.headings, box.length)
    parts = Parts(
        "mail" if len(spans) == 1 else "mbox",
        sections,
        box.blocks,
        list(bare_links(box.text())),
        metadata,
        "",
        box.anchors,
    )
    return from_pieces(raw, box.text(), parts, box.pieces)


def _messages(data: bytes) -> list[tuple[int, int]]:
    """Each message of a mailbox, without its ``From`` line, which follows a blank line or begins the file."""
    marks = [
        match
        for match in _FROM.finditer(data)
        if match.start() == 0 or data.endswith((b"\n\n", b"\r\n\r\n"), 0, match.start())
    ]
    ends = [*(mark.start() for mark in marks[1:]), len(data)]
    return [(mark.end(), end) for mark, end in zip(marks, ends, strict=True)]


class _Box:
    def __init__(self, data: bytes) -> None:
        self.pieces: list[tuple[int, RawSpan]] = []
        self.blocks: list[Block] = []
        self.headings: list[Heading] = []
        self.anchors: dict[str, Span] = {}
        self.metadata: dict[str, Json] = {}
        self.length = 0
        self._data = data
        self._parts: list[str] = []
        self._breaks = [match.start() for match in re.finditer(b"\n", data)]

    def text(self) -> str:
        return "".join(self._parts)

    def add(self, start: int, end: int) -> None:
        message = message_from_bytes(self._data[start:end], policy=_BOUNDED)
        first = self.length
        subject = " ".join(_header(message, "Subject").split()) or "(no subject)"
        head_end = start + _head_length(self._data[start:end])
        self._put(f"{subject}\n", start, head_end)
        self.headings.append(Heading(1, subject, first, self.length))
        self.blocks.append(Block("heading", first, self.length - 1, "1"))
        fields = [f"{name}: {_header(message, name)}" for name in _SHOWN if _header(message, name)]
        shown_from = self.length
        self._put("\n".join(fields) + "\n\n", start, head_end)
        if fields:
            self.blocks.append(Block("front-matter", shown_from, self.length - 2))
        self.metadata = {name: _header(message, name) for name in _KEPT if _header(message, name)}
        names = [part.get_filename() for part in message.walk() if part.get_filename()]
        if names:
            self.metadata["attachments"] = names
        for body in self._bodies(message, head_end, end):
            self._body(body)
        identity = _header(message, "Message-ID").strip("<>") or str(len(self.headings))
        self.anchors.setdefault(f"msg-{identity}", Span(first, self.length))

    def _bodies(self, message: Message, head_end: int, end: int) -> Sequence[_Body]:
        """The plain text parts, or else the HTML ones."""
        found: dict[str, list[_Body]] = {"text/plain": [], "text/html": []}
        at, misses = head_end, 0
        for part in message.walk():
            kind = part.get_content_type()
            if part.is_multipart() or part.get_filename() or kind not in found:
                continue
            written = _as_written(part)
            sought = written and misses < _MISSES
            place = self._data.find(written, at, end) if sought else -1
            misses += place < 0
            span = (place, place + len(written)) if place >= 0 else (head_end, end)
            at = span[1] if place >= 0 else at
            payload = part.get_payload(decode=True)
            decoded = _decoded(
                payload if isinstance(payload, bytes) else written, part.get_content_charset() or ""
            )
            text = decoded.text if kind == "text/plain" else _page_text(decoded)
            lines: tuple[tuple[str, int, int], ...] = ()
            if kind == "text/plain" and place >= 0:
                coded = _header(part, "Content-Transfer-Encoding").lower() == "quoted-printable"
                lines = _lines_of(self._data, span, decoded.encoding, coded)
            if "".join(line for line, _, _ in lines) != text:
                lines = ()
            found[kind].append(_Body(text, *span, lines))
        return found["text/plain"] or found["text/html"]

    def _body(self, body: _Body) -> None:
        first, lines = self.length, split(body.text)
        for text, start, end in body.lines or ((body.text, body.start, body.end),):
            self._put(text, start, end)
        at = 0
        while at < len(lines):
            if lines[at].blank:
                at += 1
                continue
            quoted, end = lines[at].text.startswith(">"), at + 1
            while (
                end < len(lines)
                and not lines[end].blank
                and lines[end].text.startswith(">") == quoted
            ):
                end += 1
            start, stop = stretch(lines, at, end)
            self.blocks.append(
                Block("quote" if quoted else "paragraph", first + start, first + stop)
            )
            at = end
        self._put("\n\n", body.end, body.end)

    def _put(self, shown: str, start: int, end: int) -> None:
        if shown:
            first_line = self._line(start)
            self.pieces.append(
                (self.length, RawSpan(start, end, first_line, self._line(max(end - 1, start))))
            )
            self._parts.append(shown)
            self.length += len(shown)

    def _line(self, byte: int) -> int:
        return bisect_left(self._breaks, byte) + 1


def _header(message: Message, name: str) -> str:
    try:
        value = str(message.get(name, ""))
    except (
        ValueError,
        IndexError,
        AttributeError,
        TypeError,
    ):  # the parser of the standard library fails on some malformed addresses
        return ""
    return re.sub("[\ud800-\udfff]", "\ufffd", value).strip()


def _as_written(part: Message) -> bytes:
    """A part's content as it stands in the file, still encoded for the way."""
    coded = _header(part, "Content-Transfer-Encoding").lower() in (
        "quoted-printable",
        "base64",
        "x-uuencode",
        "uuencode",
    )
    payload = part.get_payload() if coded else part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else str(payload or "").encode("ascii", "replace")


def _lines_of(
    data: bytes, span: tuple[int, int], encoding: str, coded: bool
) -> tuple[tuple[str, int, int], ...]:
    """The lines of a part with the bytes of each; in quoted-printable a line goes on over soft breaks."""
    found: list[tuple[str, int, int]] = []
    start = at = span[0]
    while at < span[1]:
        break_ = data.find(b"\n", at, span[1])
        at = break_ + 1 if break_ >= 0 else span[1]
        written = data[start:at]
        if coded and written.rstrip(b"\r\n\t ").endswith(b"=") and at < span[1]:
            continue
        plain = binascii.a2b_qp(written) if coded else written
        try:
            found.append((plain.decode(encoding), start, at))
        except (UnicodeError, LookupError):
            return ()
        start = at
    return tuple(found)


def _head_length(data: bytes) -> int:
    found = re.search(rb"\r?\n\r?\n", data)
    return found.end() if found else len(data)


def _decoded(payload: bytes, charset: str) -> Decoded:
    try:
        return Decoded(payload.decode(charset), charset) if charset else decode(payload)
    except (LookupError, UnicodeError):
        return decode(payload)


def _page_text(decoded: Decoded) -> str:
    page = Page(Gatherer(Decoded(re.sub("[\ud800-\udfff]", "\ufffd", decoded.text), "utf-8")))
    page.run()
    return page.gathered.text()
