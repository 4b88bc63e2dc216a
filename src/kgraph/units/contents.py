"""What an extractor sees of a unit, its size and its hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from kgraph.model import Document, Span, Unit

# The unit kind of a format; all others are documents.
_KINDS = dict.fromkeys(("slack", "discord", "whatsapp", "irc", "chat", "mail", "mbox"), "thread")
_KINDS |= {"timeline": "timeline", "latex": "paper"}
_PAPER_FORMATS = frozenset(("pdf", "html", "docx", "latex"))
_PAPER_PARTS = ("abstract", {"references", "bibliography", "literature"})
BYTES_PER_TOKEN = 3
_ROWS = frozenset(("item", "row", "table", "paragraph"))
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_STAMP = re.compile(
    rf"\W{{0,6}}(?:\d{{4}}-\d\d(?:-\d\d)?\b|\d{{1,2}}[:h]\d\d\b|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|(?:{_MONTHS})\w*\.? \d{{1,2}}\b"
    rf"|\d{{1,2}}\.? (?:{_MONTHS})\w*\b)",
    re.IGNORECASE,
)


def tokens(text: str) -> int:
    """An estimate: a token is three bytes of UTF-8, rounded up. It is an upper bound for common tokenizers and prose."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def text_of(unit: Unit) -> str:
    """The text that the extractor is shown: the unit's spans, or all of every document, a blank line between."""
    if unit.spans:
        return "\n\n".join(unit.documents[0].text[span.start : span.end] for span in unit.spans)
    return "\n\n".join(document.text for document in unit.documents)


def make(
    document: Document, identity: str, kind: str, spans: Sequence[Span], path: tuple[str, ...]
) -> Unit:
    """A unit of one document; ``spans`` are empty for all of it."""
    unit = Unit(identity, kind, (document,), tuple(spans), path, "")
    return unit._replace(sha256=digest(unit))


def note_folder(uri: str, documents: Sequence[Document]) -> Unit:
    """The small notes of one folder as one unit: ``uri`` is the folder's."""
    unit = Unit(uri, "notes", tuple(documents), (), (), "")
    return unit._replace(sha256=digest(unit))


def digest(unit: Unit) -> str:
    """SHA-256 of what the extractor sees: titles, heading path and text, each with its length, and where the text comes from."""
    seen = hashlib.sha256()
    for document in unit.documents:
        for field in (document.uri, document.format, document.title):
            _add(seen, field)
    for title in unit.heading_path:
        _add(seen, title)
    if unit.spans:
        for span in unit.spans:
            _add(seen, unit.documents[0].text[span.start : span.end])
    else:
        for document in unit.documents:
            _add(seen, document.text)
    return seen.hexdigest()


def kind_of(document: Document) -> str:
    """The kind of a document's units: thread, timeline, paper or document."""
    if document.format in _KINDS:
        return _KINDS[document.format]
    if (
        document.format in _PAPER_FORMATS
        and _PAPER_PARTS[0] in _bare_titles(document)
        and _PAPER_PARTS[1] & _bare_titles(document)
    ):
        return "paper"
    return "timeline" if _is_timeline(document) else "document"


def _bare_titles(document: Document) -> set[str]:
    return {section.title.lstrip("0123456789. ").casefold() for section in document.sections}


def _is_timeline(document: Document) -> bool:
    """Most rows of its lists and tables, and most of its text, are lines that begin with a time."""
    rows = [
        line
        for block in document.blocks
        if block.kind in _ROWS
        for line in document.text[block.start : block.end].splitlines()
    ]
    stamped = sum(_STAMP.match(line) is not None for line in rows)
    return stamped >= 5 and stamped >= 0.6 * sum(
        1 for line in rows if any(char.isalnum() for char in line)
    )


def _add(seen: hashlib._Hash, field: str) -> None:
    raw = field.encode("utf-8", "surrogatepass")
    seen.update(b"%d:" % len(raw))
    seen.update(raw)
