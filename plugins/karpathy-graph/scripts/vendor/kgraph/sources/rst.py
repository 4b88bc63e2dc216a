"""reStructuredText to a Document: header fields, underlined titles, directives, literal blocks, lists, tables and links."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.model import Block, Document, Json, Link, Span
from kgraph.sources.assembly import Parts, Raw, from_text
from kgraph.sources.encoding import decode
from kgraph.sources.limits import Limits
from kgraph.sources.lines import split, stretch
from kgraph.sources.outline import Heading, outline

_HEADER = re.compile(r"([A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*):(?:[ \t]+(.*))?$")
_FIELD = re.compile(r":([^:\s`][^:`]{0,60}):(?:[ \t]+(.*))?$")
_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*$")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]+|$)")
_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([\w.:+-]*[\w+-])[ \t]?::(?:[ \t]+(.*))?$")
_TARGET = re.compile(r"\.\.[ \t]+_(`[^`]+`|(?:\\:|[^:`])+):(?:[ \t]+(.*))?$")
_ITEM = re.compile(r"(?:[-*+•‣]|\(?(?:\d{1,4}|#|[A-Za-z]|[ivxlcIVXLC]{1,6})[.)])[ \t]+\S")
_SIMPLE_TABLE = re.compile(r"=+(?:[ \t]+=+)+[ \t]*$")
_GRID_TABLE = re.compile(r"\+(?:[-=]+\+)+[ \t]*$")
_CODE = frozenset(
    [
        "code",
        "code-block",
        "sourcecode",
        "literalinclude",
        "parsed-literal",
        "highlight",
        "math",
        "raw",
        "doctest",
        "testcode",
        "productionlist",
        "prompt",
    ]
)
_TABLES = frozenset(("table", "list-table", "csv-table"))
_SILENT = frozenset(
    [
        "image",
        "figure",
        "include",
        "toctree",
        "contents",
        "index",
        "meta",
        "sectnum",
        "default-role",
        "role",
        "highlight",
        "module",
        "currentmodule",
    ]
)
_LINK = re.compile(
    r"(?P<literal>``.+?``)|:(?P<role>[\w:.+-]+):`(?P<value>[^`]+)`|`(?P<text>[^`<]*?)\s*<(?P<url>[^`<>]+)>`__?|`(?P<phrase>[^`]+)`__?"
    r"|(?<![\w@`])(?P<bare>https?://[^\s<>`\"|]+)|(?<![\w:`/.])(?P<word>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)__?(?![\w`])",
    re.DOTALL,
)


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
        self._styles: list[
            str
        ] = []  # underlines in the order in which they first appear: their levels
        self._metadata: dict[str, Json] = {}
        self._targets: dict[str, str] = {}
        self._labels: dict[str, int] = {}  # explicit anchors and where they stand

    def run(self) -> Parts:
        at = self._header()
        while at < len(self._lines):
            at = self._construct(at)
        sections = outline(self._headings, len(self._text))
        anchors = {}
        for name, start in self._labels.items():
            holding = [
                section
                for section in sections
                if section.start <= start < section.end or 0 <= section.start - start < 200
            ]
            after = next((section for section in holding if section.start >= start), None)
            end = after.end if after else holding[-1].end if holding else len(self._text)
            if all(section.anchor != name for section in sections):
                anchors[name] = Span(start, end)
        title = self._metadata.get("Title") or self._metadata.get("title")
        return Parts(
            "rst",
            sections,
            self._blocks,
            self._links(),
            self._metadata,
            title if isinstance(title, str) else "",
            anchors,
        )

    # -- metadata ------------------------------------------------------------------------------------------------------------------

    def _header(self) -> int:
        """Mail-like fields at the very top, as PEPs have them."""
        at = 0
        while at < len(self._lines) and self._lines[at].blank:
            at += 1
        first = at
        if (
            at < len(self._lines)
            and _HEADER.match(self._lines[at].text)
            and not self._is_underline(at + 1)
        ):
            at = self._fields(at, _HEADER)
            if at - first >= 2 or len(self._metadata) >= 2:
                self._blocks.append(Block("front-matter", *stretch(self._lines, first, at)))
                return at
            self._metadata.clear()
        return first

    def _fields(self, at: int, pattern: re.Pattern[str]) -> int:
        """A run of fields; deeper lines continue a value."""
        while at < len(self._lines) and (match := pattern.match(self._lines[at].text)):
            values = [(match[2] or "").strip()]
            at += 1
            while at < len(self._lines) and not self._lines[at].blank and self._lines[at].indent:
                values.append(self._lines[at].text.strip())
                at += 1
            self._metadata.setdefault(match[1], " ".join(value for value in values if value))
        return at

    # -- constructs ----------------------------------------------------------------------------------------------------------------

    def _construct(self, at: int) -> int:
        line = self._lines[at]
        if line.blank:
            return at + 1
        if line.indent:
            return self._indented(at)
        if (after := self._title(at)) > at:
            return after
        if _EXPLICIT.match(line.text):
            return self._explicit(at)
        if _GRID_TABLE.match(line.text) or _SIMPLE_TABLE.match(line.text):
            return self._table(at)
        if _FIELD.match(line.text):
            return self._field_list(at)
        if line.text.startswith(">>> "):
            return self._take("code", at, self._paragraph_end(at))
        if _ITEM.match(line.text):
            return self._item(at)
        return self._paragraph(at)

    def _title(self, at: int) -> int:
        """A title with its rule below, or above and below. The line after it, or ``at`` if there is none."""
        line = self._lines[at]
        if (
            _RULE.match(line.text)
            and at + 2 < len(self._lines)
            and self._lines[at + 2].text.rstrip() == line.text.rstrip()
        ):
            shown = self._lines[at + 1].text
            if (
                shown.strip()
                and len(shown.rstrip()) <= len(line.text.rstrip())
                and not _RULE.match(shown)
            ):
                return self._heading(line.text[0] * 2, shown, at, at + 3)
        if self._is_underlined(at):
            return self._heading(self._lines[at + 1].text[0], line.text, at, at + 2)
        if _RULE.match(line.text):
            return at + 1  # a transition
        return at

    def _is_underlined(self, at: int) -> bool:
        """Whether a rule about as long as the line stands below it."""
        text = self._lines[at].text.rstrip()
        if (
            not text
            or _RULE.match(text)
            or self._lines[at].indent
            or not self._is_underline(at + 1)
        ):
            return False
        return len(self._lines[at + 1].text.rstrip()) >= (
            min(len(text), 4) if len(text) <= 4 else len(text) * 2 // 3
        )

    def _is_underline(self, at: int) -> bool:
        return at < len(self._lines) and _RULE.match(self._lines[at].text) is not None

    def _heading(self, style: str, shown: str, at: int, after: int) -> int:
        if style not in self._styles:
            self._styles.append(style)
        level = self._styles.index(style) + 1
        start = self._lines[at].start
        self._headings.append(
            Heading(level, plain(shown.strip()), start, self._lines[after - 1].next)
        )
        self._blocks.append(Block("heading", start, self._lines[after - 1].end, str(level)))
        return after

    def _explicit(self, at: int) -> int:
        """A directive, a target, a footnote or a comment, each with its indented body."""
        line = self._lines[at]
        end = self._body_end(at)
        if target := _TARGET.match(line.text):
            name, value = target[1].strip("`").replace("\\:", ":"), (target[2] or "").strip()
            if value:
                self._targets.setdefault(_folded(name), value)
            else:
                self._labels.setdefault(name, line.start)
            return self._take("definition", at, end)
        directive = _DIRECTIVE.match(line.text)
        if directive is None:
            footnote = re.match(r"\.\.[ \t]+\[[^\]]+\][ \t]+\S", line.text)
            return self._take("paragraph" if footnote else "comment", at, end)
        name = directive[1].lower()
        if name in _CODE or name in _TABLES:
            return self._take(
                "code" if name in _CODE else "table", at, end, (directive[2] or "").strip()
            )
        if name in _SILENT:
            return self._take("directive", at, end, name)
        self._take(
            "directive"
            if end == at + 1 and not directive[2]
            else "paragraph"
            if directive[2]
            else "directive",
            at,
            at + 1,
            name,
        )
        inner = at + 1
        while inner < end and _FIELD.match(self._lines[inner].text.strip()):
            inner += 1  # options
        return self._body(inner, end)

    def _body(self, at: int, end: int) -> int:
        """The paragraphs of a directive's body."""
        while at < end:
            if self._lines[at].blank:
                at += 1
                continue
            last = at
            while last < end and not self._lines[last].blank:
                last += 1
            self._take(
                "item" if _ITEM.match(self._lines[at].text.strip()) else "paragraph", at, last
            )
            at = last
        return end

    def _body_end(self, at: int) -> int:
        """Where the indented body of the construct at ``at`` ends."""
        end = after = at + 1
        while after < len(self._lines) and (self._lines[after].blank or self._lines[after].indent):
            after += 1
            if not self._lines[after - 1].blank:
                end = after
        return end

    def _table(self, at: int) -> int:
        end = at
        if _GRID_TABLE.match(self._lines[at].text):
            while end < len(self._lines) and self._lines[end].text[:1] in ("+", "|"):
                end += 1
            return self._take("table", at, end)
        rules = 0
        while end < len(self._lines):
            if _SIMPLE_TABLE.match(self._lines[end].text):
                rules += 1
                if rules > 1 and (end + 1 >= len(self._lines) or self._lines[end + 1].blank):
                    return self._take("table", at, end + 1)
            end += 1
        return self._paragraph(at)  # never closed

    def _field_list(self, at: int) -> int:
        """Fields at the top, before any text, are metadata; others are items."""
        if not any(
            block.kind not in ("heading", "comment", "definition", "front-matter")
            for block in self._blocks
        ):
            end = self._fields(at, _FIELD)
            return self._take("front-matter", at, end)
        return self._take("item", at, self._body_end(at), "1")

    def _item(self, at: int) -> int:
        end = at + 1
        while (
            end < len(self._lines)
            and not self._lines[end].blank
            and (self._lines[end].indent or not _ITEM.match(self._lines[end].text))
        ):
            end += 1
        self._take("item", at, end, "1")
        return self._literal(at, end)

    def _paragraph(self, at: int) -> int:
        end = self._paragraph_end(at)
        if self._lines[end - 1].text.strip() != "::" or end > at + 1:
            self._take("paragraph", at, end)
        return self._literal(at, end)

    def _literal(self, at: int, end: int) -> int:
        """After ``::`` what is deeper than the paragraph is code."""
        if not self._lines[end - 1].text.rstrip().endswith("::"):
            return end
        indent, last, after = self._lines[at].indent, end, end
        while after < len(self._lines) and (
            self._lines[after].blank or self._lines[after].indent > indent
        ):
            after += 1
            if not self._lines[after - 1].blank:
                last = after
        return self._take("code", end, last) if last > end else end

    def _indented(self, at: int) -> int:
        """Text set in: a quote, the rest of an item, or a deeper list."""
        if _ITEM.match(self._lines[at].text.strip()):
            indent, end = self._lines[at].indent, at + 1
            while (
                end < len(self._lines)
                and not self._lines[end].blank
                and self._lines[end].indent > indent
            ):
                end += 1
            self._take("item", at, end, "2")
            return self._literal(at, end)
        end = at + 1
        while end < len(self._lines) and not self._lines[end].blank and self._lines[end].indent:
            end += 1
        if self._lines[at].text.strip().startswith(">>> "):
            return self._take("code", at, end)
        held = (
            bool(self._blocks)
            and self._blocks[-1].kind in ("item", "paragraph", "code")
            and self._in_list()
        )
        self._take("paragraph" if held else "quote", at, end)
        return self._literal(at, end)

    def _in_list(self) -> bool:
        return (
            next(
                (
                    block.kind
                    for block in reversed(self._blocks)
                    if block.kind in ("item", "heading", "quote")
                ),
                "",
            )
            == "item"
        )

    def _paragraph_end(self, at: int) -> int:
        end = at + 1
        while end < len(self._lines) and not self._lines[end].blank:
            if self._is_underlined(end):
                break
            end += 1
        return end

    def _take(self, kind: str, first: int, last: int, info: str = "") -> int:
        start, end = stretch(self._lines, first, last)
        if end > start:
            self._blocks.append(Block(kind, start, end, info))
        return last

    # -- links ---------------------------------------------------------------------------------------------------------------------

    def _links(self) -> list[Link]:
        found: list[Link] = []
        for block in self._blocks:
            if block.kind not in ("code", "comment", "definition"):
                found += self._links_in(block.start, block.end)
        return found

    def _links_in(self, start: int, end: int) -> Iterator[Link]:
        for match in _LINK.finditer(self._text, start, end):
            if match["role"] is not None:
                yield from _role(match)
            elif match["url"] is not None:
                url = match["url"].strip()
                target = self._targets.get(_folded(url[:-1]), url) if url.endswith("_") else url
                yield Link(
                    " ".join((match["text"] or url).split()), target, match.start(), match.end()
                )
            elif match["bare"] is not None:
                shown = match["bare"].rstrip(".,;:!?)*_'\"")
                yield Link(shown, shown, match.start(), match.start() + len(shown))
            elif (name := match["phrase"] or match["word"]) is not None and (
                target := self._targets.get(_folded(name))
            ):
                yield Link(" ".join(name.split()), target, match.start(), match.end())


def plain(text: str) -> str:
    """A title without its inline marks."""
    text = re.sub(
        r":[\w:.+-]+:`([^`<]+?)(?:\s*<[^>]+>)?`|`([^`<]+?)\s*<[^`<>]+>`__?|`+([^`]+)`+_{0,2}",
        lambda m: m[1] or m[2] or m[3],
        text,
    )
    text = re.sub(r"(?<!\w)(\*{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2", text)
    return " ".join(re.sub(r"\\(.)", r"\1", text).split())


def _role(match: re.Match[str]) -> Iterator[Link]:
    """The roles that lead to a document."""
    role, value = match["role"].rsplit(":", 1)[-1], match["value"]
    explicit = re.fullmatch(r"(.*?)\s*<([^<>]+)>", value, re.DOTALL)
    shown, target = (explicit[1], explicit[2]) if explicit else (value, value)
    number, mark, fragment = target.partition("#")
    if role == "pep" and number.isdigit():
        yield Link(
            shown if explicit else f"PEP {number}",
            f"pep-{int(number):04}.rst{mark}{fragment}",
            match.start(),
            match.end(),
        )
    elif role == "rfc" and number.isdigit():
        yield Link(
            shown if explicit else f"RFC {number}",
            f"rfc{number}.txt{mark}{fragment}",
            match.start(),
            match.end(),
        )
    elif role in ("doc", "download"):
        yield Link(
            shown, target if role == "download" else f"{target}.rst", match.start(), match.end()
        )
    elif role == "ref":
        yield Link(shown, f"#{target}", match.start(), match.end())


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
