"""Outlook's messages (.msg) and rich text, through the libraries that know their containers. Places are lines of the text."""

from __future__ import annotations

import io
import re

from kgraph.model import Document, Json, Span
from kgraph.sources.assembly import Raw
from kgraph.sources.encoding import decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.html import Page
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.rows import Rows

_TITLE = re.compile(rb"\{\\title\s+([^{}\\]{1,300})\}")


def read_msg(raw: Raw, limits: Limits) -> Document:
    import oxmsg

    try:
        message = oxmsg.Message.load(io.BytesIO(raw.data))
        subject = " ".join((message.subject or "").split()) or "(no subject)"
        to = ", ".join(
            f"{one.name} <{one.email_address}>"
            if one.name and one.name != one.email_address
            else one.email_address or one.name or ""
            for one in message.recipients
        )
        fields = {
            "Subject": subject,
            "From": message.sender or "",
            "To": to,
            "Date": str(message.sent_date or ""),
        }
        identity = str((message.message_headers or {}).get("Message-ID", "")).strip("<>")
        attached = [one.file_name or "(no name)" for one in message.attachments]
        body = message.body or _shown(message.html_body)
    except (
        ValueError,
        KeyError,
        OSError,
        IndexError,
        AttributeError,
        TypeError,
        StopIteration,
    ) as error:
        raise Unreadable("malformed", f"no Outlook message: {error}") from error
    rows = Rows()
    rows.add("heading", subject, "1")
    shown = [f"{name}: {value}" for name, value in fields.items() if value and name != "Subject"]
    rows.add("front-matter", "\n".join(shown))
    for paragraph in re.split(r"\n\s*\n", body.replace("\r\n", "\n").replace("\r", "\n")):
        rows.add("quote" if paragraph.lstrip().startswith(">") else "paragraph", paragraph)
    rows.anchors[f"msg-{identity or 1}"] = Span(0, rows.length)
    metadata: dict[str, Json] = {name: value for name, value in fields.items() if value}
    if attached:
        metadata["attachments"] = attached
    return rows.document(raw, "mail", metadata, subject)


def _shown(page: str | bytes | None) -> str:
    if not page:
        return ""
    reader = Page(Gatherer(decode(page if isinstance(page, bytes) else page.encode())))
    reader.run()
    return reader.gathered.text()


def read_rtf(raw: Raw, limits: Limits) -> Document:
    from striprtf.striprtf import rtf_to_text

    try:
        text = rtf_to_text(raw.data.decode("latin-1"), errors="replace")
    except (ValueError, LookupError, IndexError, TypeError, UnicodeError) as error:
        raise Unreadable("malformed", f"no rich text: {error}") from error
    rows = Rows()
    for paragraph in text.replace("\r\n", "\n").split("\n"):
        cells = [cell.strip() for cell in paragraph.split("|")] if paragraph.count("|") > 1 else []
        rows.add(
            "table" if cells else "paragraph", " | ".join(cells).strip(" |") if cells else paragraph
        )
    title = _TITLE.search(raw.data[:20_000])
    metadata: dict[str, Json] = {"title": decode(title[1]).text.strip()} if title else {}
    return rows.document(raw, "rtf", metadata, str(metadata.get("title", "")))
