"""The frozen nouns that parts hand to each other. NamedTuples, since ``dataclasses`` costs more than a whole command's start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.tuples import NamedTuple

Json = Any  # a value that came from, or goes to, JSON


class Problem(NamedTuple):
    """One breach of a rule. ``path`` is a JSON path into the payload (``$.edges[3].confidence``), ``$`` for the whole of it or of the
    graph, a line of the log (``log.jsonl:2287``), and empty where a call is meant and no payload."""

    code: str
    path: str
    message: str
    hint: str = ""
    invariant: str = ""
    node: str = ""
    detail: str = ""

    def as_json(self) -> dict[str, str]:
        found = {"code": self.code, "path": self.path, "message": self.message, "hint": self.hint}
        if self.invariant:
            found |= {"invariant": self.invariant, "node": self.node, "detail": self.detail}
        return found


# -- text and where it stands ------------------------------------------------------------------------------------------------------


class Span(NamedTuple):
    """A half-open range of characters of ``Document.text``."""

    start: int
    end: int


class RawSpan(NamedTuple):
    """Where a text stands in the file itself. Bytes are half-open offsets from 0; lines and pages count from 1, both inclusive.

    ``start_byte`` is -1 where the format has no byte positions (PDF, DOCX): then ``page`` or ``part`` says where it is.
    """

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    page: int = 0
    part: str = ""


class Section(NamedTuple):
    """A heading and what it governs: ``start`` is the heading's first character, ``end`` the next heading of its level or a higher one.

    ``body`` is where the text after the heading begins, ``path`` the titles from the root down to this one.
    """

    anchor: str
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    body: int
    end: int


class Block(NamedTuple):
    """A piece of a document that must not be cut: paragraph, item, table, code, quote, html, heading, front-matter, row, message."""

    kind: str
    start: int
    end: int
    info: str = ""  # a fence's language, a message's id, a heading's level


class Link(NamedTuple):
    """A link or image that the document itself makes: shown text, target as written, and where it stands."""

    text: str
    target: str
    start: int
    end: int


class Document(NamedTuple):
    """A file as text exactly as decoded (line ends kept), with the way back to its bytes (``sources.raw_span``)."""

    uri: str  # path from the source root, with '/'
    name: str  # base name
    format: str  # markdown, text, python, rst, html, pdf …
    text: str
    sections: tuple[Section, ...]
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]
    metadata: Mapping[str, Json]  # front matter, or the header fields of a PEP, a mail …
    sha256: str  # of the raw bytes
    encoding: str
    title: str = ""
    anchors: Mapping[str, Span] = {}  # further anchors: msg-<id>, p3 …
    pieces: tuple[
        tuple[int, RawSpan], ...
    ] = ()  # formats whose bytes aren't the text: (first character, its raw span), ascending
    lines: Sequence[
        int
    ] = ()  # first character of each line (LF, CRLF and lone CR end one); empty: not worked out yet
    offsets: Sequence[
        int
    ] = ()  # byte offset of every 1,024th character, where the bytes are the text


class Unit(NamedTuple):
    """What one pass of an extractor is given: part of one document, or a module or package of code."""

    id: str  # stable: 'uri', 'uri#anchor'
    kind: str  # document, section, package, module, timeline, thread, paper, notes
    documents: tuple[Document, ...]
    spans: tuple[Span, ...]  # of documents[0]; empty: all of every document
    heading_path: tuple[str, ...]
    sha256: str  # of what the extractor sees
    note: str = ""  # what can't be helped: one paragraph that alone exceeds the budget


class Citation(NamedTuple):
    """What an edge says of its place: the quote as given, and ``name#anchor``, ``uri#anchor``, ``path:12`` or ``path:12-20``."""

    quote: str
    source_doc: str


class Evidence(NamedTuple):
    """What became of a citation when it was held against the source (spec 3.4)."""

    status: str  # verified, moved, located, ambiguous, missing, stale, unchecked
    source_doc: str = ""  # corrected: uri#anchor
    quote: str = ""  # the file's own words
    sha256: str = ""  # of the file's bytes
    span: RawSpan | None = None

    def as_json(self) -> dict[str, Json]:
        found: dict[str, Json] = {"status": self.status}
        if self.sha256:
            found["sha256"] = self.sha256
        if self.span is not None:
            found["bytes"] = [self.span.start_byte, self.span.end_byte]
            found["lines"] = [self.span.start_line, self.span.end_line]
            if self.span.page:
                found["page"] = self.span.page
            if self.span.part:
                found["part"] = self.span.part
        if self.quote:
            found["text"] = self.quote
        return found


# -- what a language model, an agent or the offline extractor gives back -----------------------------------------------------------


class Usage(NamedTuple):
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0  # US dollars


class Reply(NamedTuple):
    """An extractor's answer for one unit, before it is parsed. ``stop``: end, length, refusal, filter."""

    text: str
    stop: str = "end"
    usage: Usage = Usage()
    model: str = ""
    thinking_only: bool = False


class Unresolved(NamedTuple):
    """Something that the code extractor saw and couldn't tie to anything: reported, never invented."""

    uri: str
    line: int
    name: str
    reason: str
