"""JSON files by what they hold: notebooks, conversations, timelines; anything else is data, kept as text."""

from __future__ import annotations

from kgraph.model import Block, Document, Json
from kgraph.sources import markdown
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.encoding import Decoded, decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.json_text import NOTHING, Value, gather, parse
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.messages import (
    chat_in,
    conversations_in,
    read_conversations,
    read_json_chat,
)

_WHEN = ("timestamp", "time", "ts", "at", "when", "date", "datetime", "created_at", "start")
_WHAT = (
    "event",
    "description",
    "message",
    "text",
    "summary",
    "title",
    "action",
    "note",
    "what",
    "details",
)
_WHO = ("author", "user", "actor", "who", "by", "agent", "system", "service", "source")
_LISTS = ("timeline", "events", "entries", "log_entries", "updates", "items")


def read(raw: Raw, limits: Limits) -> Document:
    decoded = decode(raw.data)
    try:
        value = parse(decoded.text)
    except Unreadable:
        if raw.name.endswith(".ipynb"):
            raise
        return _as_text(raw, decoded)
    if value.get("cells").items() and value.get("nbformat").content is not None:
        return _notebook(raw, decoded, value)
    if conversations := conversations_in(value):
        return read_conversations(raw, decoded, conversations)
    if (chat := chat_in(value)) is not None:
        return read_json_chat(raw, decoded, value, chat)
    if rows := _timeline_rows(value):
        return _timeline(raw, decoded, value, rows)
    return _as_text(raw, decoded)


def _as_text(raw: Raw, decoded: Decoded) -> Document:
    """Data without a form that is known: one block of code, whether or not it is JSON."""
    bare = decoded.text.strip()
    start = decoded.text.index(bare) if bare else 0
    blocks = [Block("code", start, start + len(bare), "json")] if bare else []
    return from_text(raw, decoded, Parts("json", (), blocks))


def _notebook(raw: Raw, decoded: Decoded, value: Value) -> Document:
    """Markdown cells as they are, code cells as fenced code; outputs are left out."""
    gathered = Gatherer(decoded)
    kernel = value.get("metadata").get("kernelspec", "language_info")
    language = kernel.get("language", "name").text()
    for cell in value.get("cells").items():
        source = cell.get("source")
        lines = source.items() or ([source] if source is not NOTHING else [])
        if not lines:
            continue
        code = cell.get("cell_type").text() != "markdown"
        fence = "`" * 4
        if code:
            gathered.put(f"{fence}{language}\n", source.start, source.start)
        for line in lines:
            gather(gathered, line)
        gathered.put(f"\n{fence}\n\n" if code else "\n\n", source.end, source.end)
    parts = markdown.parse(gathered.text())
    metadata: dict[str, Json] = (
        {**parts.metadata, "language": language} if language else dict(parts.metadata)
    )
    return gathered.document(raw, parts._replace(format="notebook", metadata=metadata))


def _timeline_rows(value: Value) -> list[Value]:
    """The stamped entries of a timeline: a list, or a list in an object's member of a telling name."""
    rows = value.items() or next(
        (found for name in _LISTS if (found := value.get(name).items())), []
    )
    if not rows:
        incident = value.get("incident")
        rows = _timeline_rows(incident) if incident is not NOTHING else []
    stamped = [
        row
        for row in rows
        if isinstance(row.content, dict)
        and row.get(*_WHEN) is not NOTHING
        and row.get(*_WHAT) is not NOTHING
    ]
    return rows if rows and len(stamped) == len(rows) else []


def _timeline(raw: Raw, decoded: Decoded, value: Value, rows: list[Value]) -> Document:
    gathered = Gatherer(decoded)
    blocks = []
    for number, row in enumerate(rows, 1):
        start, when, who, what = gathered.length, row.get(*_WHEN), row.get(*_WHO), row.get(*_WHAT)
        gather(gathered, when)
        gathered.put(" ", when.end, when.end)
        if who.text():
            gather(gathered, who)
            gathered.put(": ", who.end, who.end)
        gather(gathered, what)
        blocks.append(Block("row", start, gathered.length, str(number)))
        gathered.put("\n", row.end, row.end)
    scalars: dict[str, Json] = {}
    if isinstance(value.content, dict):
        scalars = {
            name: member.content
            for name, member in value.content.items()
            if isinstance(member.content, (str, int, float))
        }
    title = str(scalars.get("title") or scalars.get("name") or "")
    return gathered.document(raw, Parts("timeline", (), blocks, (), scalars, title))
