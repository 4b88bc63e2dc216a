"""What an extractor sees of a unit, its size and its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from kgraph.model import Document, Span, Unit

# The unit kind of a format; all others are documents.
_KINDS = dict.fromkeys(("slack", "discord", "whatsapp", "irc", "chat", "mail", "mbox"), "thread")
_KINDS |= {"timeline": "timeline", "latex": "paper"}


def tokens(text: str) -> int:
    """An estimate: a token is three bytes of UTF-8, rounded up. It is an upper bound for common tokenizers and prose."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)


def text_of(unit: Unit) -> str:
    """The text that the extractor is shown: the unit's spans, or all of every document, a blank line between."""
    if unit.spans:
        return "\n\n".join(unit.documents[0].text[span.start : span.end] for span in unit.spans)
    return "\n\n".join(document.text for document in unit.documents)


def make(document: Document, identity: str, kind: str, spans: Sequence[Span], path: tuple[str, ...]) -> Unit:
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
    if document.format in _KINDS:
        return _KINDS[document.format]
    return str(document.metadata.get("kind")) if document.metadata.get("kind") in ("timeline", "paper", "thread") else "document"


def _add(seen: hashlib._Hash, field: str) -> None:
    raw = field.encode("utf-8", "surrogatepass")
    seen.update(b"%d:" % len(raw))
    seen.update(raw)
