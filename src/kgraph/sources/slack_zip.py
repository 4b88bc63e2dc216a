"""A Slack export as it is downloaded: a zip with a folder for each channel and a file for each of its days."""

from __future__ import annotations

import re

from kgraph.model import Block, Document, RawSpan, Span
from kgraph.sources.archives import Archive
from kgraph.sources.assembly import Parts, Raw, from_pieces
from kgraph.sources.encoding import decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.json_text import parse
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.messages import Log, slack_messages, slack_names
from kgraph.sources.outline import Heading, outline
from kgraph.sources.plain import bare_links

_DAY = re.compile(r"([^/]+)/(\d{4}-\d{2}-\d{2})\.json$")


def read(raw: Raw, limits: Limits) -> Document:
    archive = Archive(raw.data, limits)
    days = sorted(
        (match[1], match[2], name) for name in archive.names if (match := _DAY.search(name))
    )
    if not days:
        raise Unreadable("archive", "a zip file that is no Slack export is not looked into")
    users = next((name for name in archive.names if name.rsplit("/", 1)[-1] == "users.json"), "")
    names = slack_names(parse(decode(archive.read(users)).text)) if users else {}
    export = _Export(names)
    for channel, _, name in days:
        export.day(channel, name, archive.read(name))
    return export.document(raw)


class _Export:
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names
        self._texts: list[str] = []
        self._length = 0
        self._pieces: list[tuple[int, RawSpan]] = []
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._anchors: dict[str, Span] = {}
        self._participants: set[str] = set()

    def day(self, channel: str, name: str, data: bytes) -> None:
        """One file. Its messages' bytes are those of the member, not of the zip, so only its name and lines are kept."""
        if not self._headings or self._headings[-1].title != channel:
            start = self._length
            self._add(f"{channel}\n\n", RawSpan(-1, -1, 1, 1, 0, name))
            self._headings.append(Heading(1, channel, start, self._length))
            self._blocks.append(Block("heading", start, start + len(channel), "1"))
        decoded = decode(data)
        gathered = Gatherer(decoded)
        log = Log(gathered, self._names, True)
        log.add(slack_messages(parse(decoded.text)))
        first, day = self._length, gathered.document(Raw(data, name), Parts("slack"))
        self._pieces += [
            (first + at, span._replace(start_byte=-1, end_byte=-1, part=name))
            for at, span in day.pieces
        ]
        self._texts.append(day.text)
        self._length += len(day.text)
        self._blocks += [
            block._replace(start=block.start + first, end=block.end + first) for block in log.blocks
        ]
        for anchor, span in log.anchors.items():
            self._anchors.setdefault(anchor, Span(span.start + first, span.end + first))
        self._participants |= log.participants

    def document(self, raw: Raw) -> Document:
        text = "".join(self._texts)
        metadata = {
            "participants": sorted(self._participants),
            "channels": [heading.title for heading in self._headings],
        }
        sections = outline(self._headings, self._length)
        parts = Parts(
            "slack",
            sections,
            self._blocks,
            list(bare_links(text)),
            metadata,
            raw.name,
            self._anchors,
        )
        return from_pieces(raw, text, parts, self._pieces)

    def _add(self, shown: str, span: RawSpan) -> None:
        self._pieces.append((self._length, span))
        self._texts.append(shown)
        self._length += len(shown)
