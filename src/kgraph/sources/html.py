"""HTML to a Document: what a reader of the page sees, with the place of each stretch in the file.

The standard parser is used since it says where everything stands; lxml knows lines only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from html.parser import HTMLParser

from kgraph.model import Block, Document, Json, Link, Span
from kgraph.sources.assembly import Parts, Raw
from kgraph.sources.encoding import decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.limits import Limits
from kgraph.sources.outline import Heading, outline, slug

_HIDDEN = frozenset(
    (
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "math",
        "iframe",
        "object",
        "head",
        "select",
        "textarea",
        "button",
    )
)
_FURNITURE = frozenset(("nav", "footer", "aside", "menu"))
_VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    )
)
_BLOCKS = frozenset(
    (
        *(
            "address",
            "article",
            "aside",
            "blockquote",
            "body",
            "caption",
            "center",
            "dd",
            "details",
            "dialog",
            "div",
            "dl",
            "dt",
            "fieldset",
        ),
        *(
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "html",
            "legend",
            "li",
            "main",
        ),
        *(
            "menu",
            "nav",
            "ol",
            "p",
            "pre",
            "section",
            "summary",
            "table",
            "tbody",
            "tfoot",
            "thead",
            "tr",
            "ul",
            "channel",
            "item",
            "entry",
        ),
        *(
            "title",
            "description",
            "summary",
            "content",
            "content:encoded",
            "pubdate",
            "published",
            "updated",
            "author",
            "guid",
            "link",
            "feed",
        ),
    )
)
_HEADING = re.compile("h[1-6]")
_NO_TAG = (
    "\x00"  # stands for '<' where it begins no tag; no text has it, a file that holds it is binary
)
_SPACE = re.compile(r"\s+")


def read(raw: Raw, limits: Limits) -> Document:
    decoded = decode(raw.data)
    page = Page(Gatherer(decoded), xml=raw.name.lower().endswith((".xml", ".rss", ".atom")))
    page.run()
    return page.gathered.document(
        raw, page.parts("feed" if raw.name.lower().endswith((".xml", ".rss", ".atom")) else "html")
    )


class _Stack:
    """The open elements, and how many of each name: pages nest by the thousand."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._hiding: list[bool] = []
        self._counts: dict[str, int] = {}

    @property
    def top(self) -> str:
        return self._names[-1] if self._names else ""

    def push(self, name: str, hides: bool) -> None:
        self._names.append(name)
        self._hiding.append(hides)
        self._counts[name] = self._counts.get(name, 0) + 1

    def pop(self) -> bool:
        """Close the innermost element; whether it hid what stood in it."""
        self._counts[self._names.pop()] -= 1
        return self._hiding.pop()

    def __contains__(self, name: str) -> bool:
        return self._counts.get(name, 0) > 0


class Page(HTMLParser):
    """One page, or a stretch of one, being gathered. ``xml``: a feed, whose elements all are blocks and whose CDATA is HTML."""

    def __init__(self, gathered: Gatherer, *, xml: bool = False) -> None:
        super().__init__(convert_charrefs=False)
        self.gathered = gathered
        self._xml = xml
        self._lines = _newlines(gathered.raw)
        self._base = 0
        self._unclosed: set[str] = (
            set()
        )  # beginnings of comments and sections that nothing closes any more
        self._open = _Stack()
        self._hidden = 0
        self._block = 0  # where the text of the present block begins
        self._kind = ""
        self._pending_space: tuple[int, int] | None = None
        self._blocks: list[Block] = []
        self._headings: list[Heading] = []
        self._heading_id = ""
        self._links: list[Link] = []
        self._link: tuple[str, int] | None = None
        self._ids: dict[str, int] = {}
        self._images: list[
            tuple[str, str, int, int]
        ] = []  # words, file, and where the element stands and how long it is
        self._title: list[str] = []
        self._metadata: dict[str, Json] = {}

    def run(self) -> None:
        self._take_in(self.gathered.raw)
        self.close()
        self._end_block()

    def _take_in(self, text: str) -> None:
        """Feed the parser, which tries every '<' anew where nothing closes it: behind the last '>' there are no tags."""
        last = text.rfind(">") + 1
        self.feed(text[:last])
        self.feed(text[last:].replace("<", _NO_TAG))

    def parse_comment(self, i: int, report: bool = True) -> int:
        """As inherited, but an end that isn't there is looked for once."""
        end = -1 if "<!--" in self._unclosed else super().parse_comment(i, report)
        return self._remembered("<!--", end)

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """As inherited, but an end that isn't there is looked for once, and a section of no known kind is text."""
        kind = self.rawdata[i : i + 7].lower()
        try:
            end = -1 if kind in self._unclosed else super().parse_marked_section(i, report)
        except AssertionError:
            return -1
        return self._remembered(kind, end)

    def _remembered(self, kind: str, end: int) -> int:
        if end < 0:
            self._unclosed.add(kind)
        return end

    def parts(self, form: str) -> Parts:
        sections = outline(self._headings, self.gathered.length)
        anchors: dict[str, Span] = {}
        taken = {section.anchor for section in sections}
        for section in sections:
            by_title = slug(section.title)
            if by_title and by_title not in taken:
                anchors.setdefault(by_title, Span(section.start, section.end))
        for name, start in self._ids.items():
            if name not in taken:
                holding = [section for section in sections if section.start <= start < section.end]
                anchors.setdefault(
                    name,
                    Span(
                        min(start, self.gathered.length),
                        holding[-1].end if holding else self.gathered.length,
                    ),
                )
        title = " ".join("".join(self._title).split())
        return Parts(form, sections, self._blocks, self._links, self._metadata, title, anchors)

    # -- what the parser calls -----------------------------------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._meta(tag, given)
        if tag not in _VOID or (self._xml and tag == "link"):
            hides = self._hides(tag) or _is_hidden(given)
            self._open.push(tag, hides)
            self._hidden += hides
        if self._hidden:
            return
        if self._is_block(tag):
            self._end_block()
            self._kind = self._kind_of(tag)
            self._heading_id = ""
        elif tag == "br":
            self._break()
        elif (
            tag in ("td", "th")
            and self.gathered.length > self._block
            and not self.gathered.ends_with("\n")
        ):
            self._pending_space = None
            self.gathered.put(" | ", self._at(), self._at())
        if tag == "img" and given.get("alt", "").strip():
            self._images.append(
                (
                    " ".join(given["alt"].split()),
                    given.get("src", ""),
                    self._at(),
                    len(self.get_starttag_text() or ""),
                )
            )
        if tag == "a" and "href" in given:
            self._link = (given["href"], self.gathered.length)
        name = given.get("id") or (given.get("name", "") if tag == "a" else "")
        if name:
            self._ids.setdefault(name, self.gathered.length)
            if _HEADING.fullmatch(self._kind) and not self._heading_id:
                self._heading_id = name

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._link is not None and not self._hidden:
            target, start = self._link
            start = min(max(start, self._block), self.gathered.length)
            shown = self.gathered.since(start)
            lead = len(shown) - len(shown.lstrip())
            if shown.strip():
                self._links.append(
                    Link(" ".join(shown.split()), target, start + lead, start + len(shown.rstrip()))
                )
            self._link = None
        if tag not in self._open:
            return
        while self._open.top != tag:  # what was never closed ends here
            self._hidden -= self._open.pop()
        if not self._hidden and self._is_block(tag):
            if tag == "tr":
                self._break()
            else:
                self._end_block()
        self._hidden -= self._open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID or (self._xml and tag == "link"):
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        if (
            "title" in self._open
            and not self._xml
            and "svg" not in self._open
            and "body" not in self._open
        ):
            self._title.append(data.replace(_NO_TAG, "<"))
        if not self._hidden:
            self._text(self._at(), data)

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name};")

    def unknown_decl(self, data: str) -> None:
        """CDATA of a feed: its content is a page of its own."""
        if not self._xml or not data.startswith("CDATA["):
            return
        start = self._at() + len("<![CDATA[")
        if "<" in data:
            inner = Page(self.gathered)
            inner._lines, inner._base = [0], start
            inner._block = self.gathered.length
            inner._shifted(data[len("CDATA[") :])
            self._blocks += inner._blocks
            self._links += inner._links
            self._block = self.gathered.length
        else:
            self._text(start, data[len("CDATA[") :])

    # -- blocks --------------------------------------------------------------------------------------------------------------------

    def _shifted(self, content: str) -> None:
        self._lines = _newlines(content)
        self._take_in(content)
        self.close()
        self._end_block()

    def _at(self) -> int:
        line, column = self.getpos()
        return self._base + self._lines[line - 1] + column

    def _hides(self, tag: str) -> bool:
        return tag in _HIDDEN or (tag == "title" and not self._xml)

    def _is_block(self, tag: str) -> bool:
        return tag in _BLOCKS or (self._xml and tag != "a")

    def _kind_of(self, tag: str) -> str:
        if _HEADING.fullmatch(tag):
            return tag
        if self._xml and tag == "title":
            return "h2" if "item" in self._open or "entry" in self._open else "h1"
        return {
            "pre": "code",
            "li": "item",
            "dt": "item",
            "dd": "item",
            "blockquote": "quote",
            "table": "table",
        }.get(tag, "")

    def _block_kind(self) -> str:
        if self._kind in ("code", "item") or _HEADING.fullmatch(self._kind):
            return self._kind
        for tag, kind in (
            ("table", "table"),
            ("pre", "code"),
            ("blockquote", "quote"),
            ("li", "item"),
        ):
            if tag in self._open:
                return kind
        return "html" if any(tag in self._open for tag in _FURNITURE) else "paragraph"

    def _end_block(self) -> None:
        """Close the present block, if it holds text, and open another. A table's cells stay in one."""
        self._pending_space = None
        if (
            "table" in self._open
            and self._open.top != "table"
            and self.gathered.length > self._block
        ):
            self._break()
            return
        if self.gathered.length > self._block:
            text = self.gathered.since(self._block)
            end = self._block + len(text.rstrip())
            kind = self._block_kind()
            if _HEADING.fullmatch(kind):
                title = " ".join(text.split())
                self._headings.append(
                    Heading(
                        int(kind[1]), title, self._block, self.gathered.length, self._heading_id
                    )
                )
                self._blocks.append(Block("heading", self._block, end, kind[1]))
            else:
                self._blocks.append(Block(kind, self._block, end, "1" if kind == "item" else ""))
            self.gathered.put("\n\n", self._at(), self._at())
        self._tell_images()
        self._block = self.gathered.length
        self._kind = ""

    def _break(self) -> None:
        self._pending_space = None
        if self.gathered.length > self._block and not self.gathered.ends_with("\n"):
            self.gathered.put("\n", self._at(), self._at())

    # -- text ----------------------------------------------------------------------------------------------------------------------

    def _text(self, start: int, data: str) -> None:
        if "pre" in self._open:
            lead = (
                len(data) - len(data.lstrip("\r\n")) if self.gathered.length == self._block else 0
            )
            self.gathered.keep(start + lead, start + len(data))
            return
        last = 0
        for match in _SPACE.finditer(data):
            self._word(start + last, start + match.start())
            if self._pending_space is None:
                self._pending_space = (start + match.start(), start + match.end())
            last = match.end()
        self._word(start + last, start + len(data))

    def _word(self, start: int, end: int) -> None:
        if end > start:
            self._space()
            self.gathered.keep(start, end)

    def _space(self) -> None:
        """White space counts between words only."""
        if self._pending_space is not None:
            start, end = self._pending_space
            if self.gathered.length > self._block and not self.gathered.ends_with("\n"):
                if end - start == 1 and self.gathered.raw[start] == " ":
                    self.gathered.keep(start, end)
                else:
                    self.gathered.put(" ", start, end)
            self._pending_space = None

    def _reference(self, written: str) -> None:
        shown = unescape(written)
        if "title" in self._open and not self._xml:
            self._title.append(shown)
        if self._hidden:
            return
        start = self._at()
        following = self.gathered.raw[start + len(written) - 1 : start + len(written)]
        end = start + len(written) - (0 if following == ";" else 1)
        self._space()
        self.gathered.put(shown, start, end)

    def _tell_images(self) -> None:
        """What images show stands apart, after the block that they are in: it is no part of its sentences."""
        images, self._images = self._images, []
        for words, file, at, length in images:
            start = self.gathered.length
            self.gathered.put(words, at, at + length)
            self._blocks.append(Block("html", start, self.gathered.length))
            if file:
                self._links.append(Link(words, file, start, self.gathered.length))
            self.gathered.put("\n\n", at + length, at + length)

    def _meta(self, tag: str, given: Mapping[str, str]) -> None:
        if tag == "html" and given.get("lang"):
            self._metadata.setdefault("lang", given["lang"])
        name = given.get("name") or given.get("property")
        if tag == "meta" and name and given.get("content"):
            self._metadata.setdefault(name, given["content"])


def _is_hidden(given: Mapping[str, str]) -> bool:
    style = "".join(given.get("style", "").lower().split())
    return (
        "hidden" in given
        or given.get("aria-hidden", "").lower() == "true"
        or "display:none" in style
        or "visibility:hidden" in style
    )


def _newlines(text: str) -> list[int]:
    """Where the parser's lines begin: it counts LF only."""
    found = [0]
    at = text.find("\n")
    while at >= 0:
        found.append(at + 1)
        at = text.find("\n", at + 1)
    return found
