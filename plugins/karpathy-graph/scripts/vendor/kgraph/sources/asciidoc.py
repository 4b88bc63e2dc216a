"""AsciiDoc to a Document: header attributes, titles, delimited blocks, lists, tables and links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.model import Block, Document, Json, Link, Span
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.encoding import decode
from kgraph.sources.limits import Limits
from kgraph.sources.lines import split, stretch
from kgraph.sources.outline import Heading, outline

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$")
_ATTRIBUTE = re.compile(r":!?([\w-]+)!?:(?:[ \t]+(.*))?$")
_FENCE = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```\S*|[|,:!]===)[ \t]*$")
_ITEM = re.compile(
    r"[ \t]*(?:\*{1,6}|-|\.{1,6}|\d+\.|[a-z]\.|<\d+>)[ \t]+\S|\S.*?:{2,4}(?:[ \t]|$)"
)
_BLOCK_LINE = re.compile(r"\[\[?[^\]]*\]\]?[ \t]*$|\.[^\s.].*$")
_ANCHOR = re.compile(r"\[\[([\w:.-]+)(?:,[^\]]*)?\]\]|\[#([\w:.-]+)[^\]]*\]")
_CODE_FENCES = ("-", ".", "+", "`")
_LINK = re.compile(
    r"(?:link|xref|mailto):(?P<macro>[^\s\[\]]+)\[(?P<shown>[^\]]*)\]|(?P<url>(?<![\w@])https?://[^\s\[\]<>`|\"]+)(?:\[(?P<text>[^\]]*)\])?"
    r"|<<(?P<ref>[^<>,]+)(?:,\s*(?P<label>[^<>]+))?>>|image::?(?P<image>[^\s\[\]]+)\[(?P<alt>[^\]]*)\]"
)
_MARKS = re.compile(r"(?<!\w)([*_`+#]{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)")


def read(raw: Raw, limits: Limits) -> Document:
    decoded = decode(raw.data)
    return from_text(raw, decoded, parse(decoded.text))


def parse(text: str) -> Parts:
    return _Reader(text).run()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = split(text)
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._metadata: dict[str, Json] = {}
        self._labels: dict[str, int] = {}
        self._style = ""  # of the attribute line above: source, quote, NOTE …

    def run(self) -> Parts:
        at = 0
        while at < len(self._lines):
            at = self._construct(at)
        sections = outline(self._headings, len(self._text))
        ends = [(section.start, section.end) for section in sections]
        anchors = {
            name: Span(start, self._end(start, ends)) for name, start in self._labels.items()
        }
        taken = {section.anchor for section in sections}
        anchors = {name: span for name, span in anchors.items() if name not in taken}
        return Parts(
            "asciidoc", sections, self._blocks, list(self._links()), self._metadata, anchors=anchors
        )

    def _end(self, start: int, ends: list[tuple[int, int]]) -> int:
        following = next((end for first, end in ends if 0 <= first - start < 200), 0)
        return following or next(
            (end for first, end in reversed(ends) if first <= start < end), len(self._text)
        )

    def _construct(self, at: int) -> int:
        line = self._lines[at]
        if line.blank:
            self._style = ""
            return at + 1
        if title := _TITLE.match(line.text):
            return self._title(at, title)
        if (found := _ATTRIBUTE.match(line.text)) and not line.indent:
            self._metadata.setdefault(found[1], (found[2] or "").strip())
            return self._take("front-matter", at, at + 1)
        if _FENCE.match(line.text):
            return self._delimited(at)
        if line.text.startswith("//"):
            return self._take("comment", at, at + 1)
        if _BLOCK_LINE.match(line.text):
            return self._block_line(at)
        if _ITEM.match(line.text):
            return self._take("item", at, self._run(at, items=True), "1")
        if line.indent and (at == 0 or self._lines[at - 1].blank):
            return self._take("code", at, self._run(at, items=False))
        return self._take(
            "quote" if self._style == "quote" else "paragraph", at, self._run(at, items=False)
        )

    def _title(self, at: int, title: re.Match[str]) -> int:
        start = self._lines[at].start
        anchor = ""
        for name, where in self._labels.items():
            anchor = (
                name
                if where >= start - 200
                and not self._text[where:start].count("\n\n")
                and self._is_label_line(where, start)
                else anchor
            )
        self._headings.append(
            Heading(len(title[1]), plain(title[2]), start, self._lines[at].next, anchor)
        )
        return self._take("heading", at, at + 1, str(len(title[1])))

    def _is_label_line(self, where: int, start: int) -> bool:
        between = self._text[where:start].strip()
        return bool(_ANCHOR.fullmatch(between))

    def _block_line(self, at: int) -> int:
        text = self._lines[at].text
        for match in _ANCHOR.finditer(text):
            self._labels.setdefault(match[1] or match[2], self._lines[at].start)
        if text.startswith("["):
            self._style = re.split(r"[,\]#.%]", text[1:])[0].strip()
            return self._take("directive", at, at + 1, self._style)
        return self._take("paragraph", at, at + 1, "caption")

    def _delimited(self, at: int) -> int:
        mark = self._lines[at].text.rstrip()
        closing = "```" if mark.startswith("```") else mark
        end = at + 1
        while end < len(self._lines) and self._lines[end].text.rstrip() != closing:
            end += 1
        after = min(end + 1, len(self._lines))
        if mark.endswith("==="[: len(mark)]) and mark[0] in "|,:!":
            return self._take("table", at, after)
        if mark[0] == "/":
            return self._take("comment", at, after)
        if (mark != "--" and mark[0] in _CODE_FENCES) or self._style in (
            "source",
            "listing",
            "literal",
        ):
            return self._take("code", at, after, mark[3:] if mark.startswith("```") else "")
        if mark[0] == "_":
            return self._take("quote", at, after)
        return at + 1  # an open, example or sidebar block: its content is read as any other

    def _run(self, at: int, *, items: bool) -> int:
        """Where the paragraph or item at ``at`` ends."""
        end = at + 1
        while end < len(self._lines):
            line = self._lines[end]
            if (
                line.blank
                or line.text.strip() == "+"
                or _FENCE.match(line.text)
                or (items and _ITEM.match(line.text))
            ):
                break
            end += 1
        return end

    def _take(self, kind: str, first: int, last: int, info: str = "") -> int:
        start, end = stretch(self._lines, first, last)
        if end > start:
            self._blocks.append(Block(kind, start, end, info))
        if kind not in ("directive", "comment") and info != "caption":
            self._style = ""
        return last

    def _links(self) -> Iterator[Link]:
        for block in self._blocks:
            if block.kind in ("code", "comment"):
                continue
            for match in _LINK.finditer(self._text, block.start, block.end):
                target = match["macro"] or match["image"] or match["url"] or f"#{match['ref']}"
                end = match.end()
                if match["url"] and match["text"] is None:
                    target = target.rstrip(".,;:!?)*_")
                    end = match.start() + len(target)
                shown = (
                    match["shown"]
                    or match["text"]
                    or match["label"]
                    or match["alt"]
                    or match["ref"]
                    or target
                )
                yield Link(plain(shown.rstrip("^")), target, match.start(), end)


def plain(text: str) -> str:
    """A title without its inline marks."""
    text = _LINK.sub(
        lambda match: match["shown"] or match["text"] or match["label"] or match["url"] or "", text
    )
    return " ".join(_MARKS.sub(r"\2", text).split())
