"""Plain text, and source code read as text: paragraphs, and titles where a line of signs underlines them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.model import Block, Document, Link
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.encoding import decode
from kgraph.sources.limits import Limits
from kgraph.sources.outline import Heading, outline

_PARAGRAPH = re.compile(r"[^\s](?:[^\r\n]|(?:\r\n?|\n)(?![ \t\f\v]*(?:\r|\n|\Z)))*")
_CODE_BLOCK = re.compile(r"\S(?:[^\r\n]|(?:\r\n?|\n)(?!\s*(?:\r\n?|\n)\S)(?!\s*\Z))*")
_STAMPED = re.compile(r"(?:[^\r\n]*(?:\r\n?|\n)){0,5}?[^\w\r\n]{0,3}(?:\d|<|---)")
_URL = re.compile(r"(?<![\w@])https?://[^\s<>\"'`|\[\]{}]+")
_UNDERLINED = re.compile(r"^([^\r\n]*\S)[ \t]*(?:\r\n?|\n)(={3,}|-{3,}|~{3,})[ \t]*(?=\r|\n|\Z)")


def read(raw: Raw, limits: Limits) -> Document:
    """Plain text, or the chat log that it turns out to be."""
    decoded = decode(raw.data)
    if raw.name.lower().endswith((".txt", ".log")) and _STAMPED.match(decoded.text):
        from kgraph.sources import messages  # seldom needed

        form = messages.log_format(decoded.text)
        if form:
            return (
                messages.read_whatsapp(raw, decoded)
                if form == "whatsapp"
                else messages.read_irc(raw, decoded)
            )
    return from_text(raw, decoded, parse(decoded.text))


def read_code(raw: Raw, limits: Limits) -> Document:
    """Source code as text: a block for each top-level stretch without a blank line before an unindented one."""
    decoded = decode(raw.data)
    blocks = [
        Block("code", match.start(), match.end()) for match in _CODE_BLOCK.finditer(decoded.text)
    ]
    kind = "python" if raw.name.endswith((".py", ".pyi")) else "code"
    return from_text(raw, decoded, Parts(kind, (), blocks, tuple(bare_links(decoded.text))))


def parse(text: str) -> Parts:
    blocks: list[Block] = []
    headings: list[Heading] = []
    for match in _PARAGRAPH.finditer(text):
        start, end = match.start(), len(match.group().rstrip()) + match.start()
        title = _title(text, start, end)
        if title is None:
            blocks.append(Block("paragraph", start, end))
            continue
        heading, body = title
        headings.append(heading)
        blocks.append(Block("heading", start, body, str(heading.level)))
        if text[body:end].strip():
            rest = body + len(text[body:end]) - len(text[body:end].lstrip())
            blocks.append(Block("paragraph", rest, end))
    return Parts("text", outline(headings, len(text)), blocks, tuple(bare_links(text)))


def bare_links(text: str) -> Iterator[Link]:
    for match in _URL.finditer(text):
        shown = match.group().rstrip(".,;:!?)*_")
        yield Link(shown, shown, match.start(), match.start() + len(shown))


def _title(text: str, start: int, end: int) -> tuple[Heading, int] | None:
    """A paragraph's first line is a title if signs about as long as it stand below it."""
    found = _UNDERLINED.match(text[start : min(end, start + 400)])
    if found is None or abs(len(found[1]) - len(found[2])) > max(2, len(found[1]) // 8):
        return None
    level = {"=": 1, "-": 2, "~": 3}[found[2][0]]
    return Heading(
        level, " ".join(found[1].split()), start, start + found.end()
    ), start + found.end()
