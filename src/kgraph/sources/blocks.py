"""The block structure of Markdown: which lines are headings, code, tables, items and paragraphs.

The scan follows CommonMark's own: each line first continues the open containers (quotes, list items), then opens new ones, and what is
left of it belongs to a leaf. Columns count tabs as stops of four.
"""

from __future__ import annotations

import re

from kgraph.tuples import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_ATX = re.compile(r"(#{1,6})(?:[ \t]+|$)")
_SETEXT = re.compile(r"(=+|-+)[ \t]*$")
_FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
_MARKER = re.compile(r"([-+*]|(\d{1,9})[.)])(?=[ \t]|$)")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_INTERESTING = frozenset("#`~<>-+*_=|:0123456789\t ")
_RAW_TAGS = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav "
    "noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul"
)
_HTML = (  # how a block of HTML begins, how it ends (None: at a blank line), whether it may follow a paragraph's line
    (
        re.compile(r"<(?:script|pre|style|textarea)(?:\s|>|$)", re.I),
        re.compile(r"</(?:script|pre|style|textarea)>", re.I),
        True,
    ),
    (re.compile(r"<!--"), re.compile(r"-->"), True),
    (re.compile(r"<\?"), re.compile(r"\?>"), True),
    (re.compile(r"<![A-Za-z]"), re.compile(r">"), True),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>"), True),
    (re.compile(rf"</?(?:{_RAW_TAGS.replace(' ', '|')})(?:\s|/?>|$)", re.I), None, True),
    (
        re.compile(
            r"(?:<[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)\s*$"
        ),
        None,
        False,
    ),
)


class Leaf(NamedTuple):
    """``start`` is the first character of the content, ``line`` where its line begins, ``end`` the last line's end without its break,
    ``body`` where the next line begins. ``info``: heading level, fence language, item depth.
    """

    kind: str
    line: int
    start: int
    end: int
    body: int
    info: str = ""


class _Row(NamedTuple):
    """What is left of a line when its containers are taken off: content at ``at``, ``indent`` columns in."""

    line: int
    at: int
    indent: int
    end: int
    body: int


class _Container(NamedTuple):
    kind: str  # quote, item
    indent: int  # columns that an item's content stands in


def scan_blocks(text: str, start: int = 0) -> list[Leaf]:
    """The leaves of a Markdown text from ``start`` on, ascending and apart."""
    return _Blocks(text).run(start)


class _Blocks:
    def __init__(self, text: str) -> None:
        self._text = text
        self._leaves: list[Leaf] = []
        self._containers: list[_Container] = []
        self._kind = ""  # of the open leaf: paragraph, fence, indented, html, table or none
        self._first = (0, 0)  # its line and start
        self._end = self._body = 0
        self._info = ""
        self._depth = 0  # containers that it stands in
        self._closing: tuple[str, int] = ("", 0)  # a fence's character and length
        self._html_end: re.Pattern[str] | None = None
        self._last_line = 0  # content of a paragraph's last line
        self._line_count = 0
        self._fresh_item = False  # the innermost item has no leaf yet

    def run(self, start: int) -> list[Leaf]:
        for match in _LINE.finditer(self._text, start):
            if match.end() == match.start():
                break
            content = match.group().rstrip("\r\n")
            self._line(match.start(), match.start() + len(content), match.end())
        self._close()
        return self._leaves

    # -- one line ------------------------------------------------------------------------------------------------------------------

    def _line(self, line: int, end: int, body: int) -> None:
        text = self._text
        if (
            not self._containers
            and self._kind == "paragraph"
            and line < end
            and text[line] not in _INTERESTING
        ):
            self._extend(line, end, body)  # the common case: a further line of a paragraph
            return
        cursor = _Cursor(text, line, end)
        matched = self._continue_containers(cursor)
        if matched < self._depth and self._kind in ("fence", "indented", "html", "table"):
            self._close()
        if self._kind in ("fence", "html") and self._continue_raw(cursor, end, body):
            return
        at, indent = cursor.peek()
        if at == end:
            self._blank(matched)
            return
        opened = self._open_containers(cursor, matched, line)
        at, indent = cursor.peek()
        if at == end:
            if opened:
                self._close()
            return
        lazy = matched < len(self._containers) and not opened
        self._leaf(_Row(line, at, indent, end, body), matched if lazy else -1)

    def _continue_containers(self, cursor: _Cursor) -> int:
        matched = 0
        for container in self._containers:
            at, indent = cursor.peek()
            if container.kind == "quote":
                if indent > 3 or at == cursor.end or self._text[at] != ">":
                    break
                cursor.skip_marker(at, 1)
            elif at == cursor.end or indent >= container.indent:
                cursor.advance(min(indent, container.indent))
            else:
                break
            matched += 1
        return matched

    def _blank(self, matched: int) -> None:
        if self._kind in ("paragraph", "table") or (
            self._kind == "html" and self._html_end is None
        ):
            self._close()
        for index, container in enumerate(self._containers):
            if container.kind == "quote" and index >= matched:
                self._drop(index)
                break

    def _open_containers(self, cursor: _Cursor, matched: int, line: int) -> bool:
        opened = False
        while True:
            at, indent = cursor.peek()
            if at == cursor.end or indent > 3:
                return opened
            rest = self._text[at : cursor.end]
            if rest[0] == ">":
                self._enter(matched, _Container("quote", 0))
                cursor.skip_marker(at, 1)
            elif (
                (found := _MARKER.match(rest))
                and not _BREAK.match(rest)
                and self._may_begin_item(found, rest, matched, opened)
            ):
                width = cursor.column_of(at) - cursor.column + len(found[1])
                cursor.skip_marker(at, len(found[1]), keep_space=True)
                after, gap = cursor.peek()
                padding = 1 if gap > 4 or after == cursor.end or gap == 0 else gap
                cursor.advance(min(padding, gap))
                self._enter(matched, _Container("item", width + padding))
                self._first = (line, at)
                self._fresh_item = True
            else:
                return opened
            matched += 1
            opened = True

    def _may_begin_item(self, found: re.Match[str], rest: str, matched: int, opened: bool) -> bool:
        """Inside a paragraph only a filled item, numbered 1 if at all, begins a list; in a list any does."""
        in_list = matched < len(self._containers) and self._containers[matched].kind == "item"
        if self._kind != "paragraph" or opened or in_list or matched < self._depth:
            return True
        return bool(rest[found.end() :].strip()) and found[2] in (None, "1")

    def _enter(self, matched: int, container: _Container) -> None:
        self._close()
        self._drop(matched)
        self._containers.append(container)
        self._fresh_item = False

    def _drop(self, keep: int) -> None:
        if keep < len(self._containers):
            if self._depth > keep:
                self._close()
            del self._containers[keep:]
            self._fresh_item = False

    # -- leaves --------------------------------------------------------------------------------------------------------------------

    def _continue_raw(self, cursor: _Cursor, end: int, body: int) -> bool:
        """A further line of a fence or of HTML. Whether the line was used up."""
        at, indent = cursor.peek()
        if self._kind == "fence":
            char, size = self._closing
            rest = self._text[at:end].rstrip(" \t")
            self._end, self._body = end, body
            if indent <= 3 and len(rest) >= size and rest == char * len(rest):
                self._close()
            return True
        if self._html_end is None and at == end:
            self._close()
            return True
        self._end, self._body = end, body
        if self._html_end is not None and self._html_end.search(self._text, at, end):
            self._close()
        return True

    def _leaf(self, row: _Row, keep: int) -> None:
        """Give the rest of a line to a leaf. ``keep`` is how many containers the line continued, if not all of them, else -1."""
        rest = self._text[row.at : row.end]
        paragraph, lazy = self._kind == "paragraph", keep >= 0
        if row.indent > 3:
            if paragraph:
                self._extend(row.at, row.end, row.body)
            else:
                self._indented(row, keep)
            return
        if self._kind == "indented":
            self._close()
        if paragraph and not lazy and rest[0] in "=-" and _SETEXT.match(rest):
            self._setext(rest[0], row)
        elif paragraph and not lazy and self._begins_table(rest):
            self._table(row)
        elif self._kind == "table" and not lazy and not self._interrupts(rest):
            self._end, self._body = row.end, row.body
        elif paragraph and not self._interrupts(rest):
            self._extend(row.at, row.end, row.body)
        else:
            self._close()
            if lazy:
                self._drop(keep)
            self._begin(row, rest)

    def _begin(self, row: _Row, rest: str) -> None:
        if found := _ATX.match(rest):
            self._leaves.append(
                Leaf("heading", row.line, row.at, row.end, row.body, str(len(found[1])))
            )
            self._fresh_item = False
        elif found := _FENCE.match(rest):
            fence = found[1] or found[3]
            self._start("fence", row, (found[2] or found[4] or "").strip())
            self._closing = (fence[0], len(fence))
        elif _BREAK.match(rest):
            self._fresh_item = False
        elif html := next((form for form in _HTML if rest[0] == "<" and form[0].match(rest)), None):
            self._start("html", row)
            self._html_end = html[1]
            if html[1] is not None and html[1].search(rest, 4 if rest.startswith("<!--") else 1):
                self._close()
        else:
            self._start("paragraph", row)
            self._last_line, self._line_count = row.at, 1

    def _start(self, kind: str, row: _Row, info: str = "") -> None:
        if not self._fresh_item or self._first[0] != row.line:
            self._first = (row.line, row.at)
        self._kind, self._end, self._body, self._info = kind, row.end, row.body, info
        self._depth = len(self._containers)

    def _indented(self, row: _Row, keep: int) -> None:
        if self._kind == "indented" and keep < 0:
            self._end, self._body = row.end, row.body
            return
        self._close()
        if keep >= 0:
            self._drop(keep)
        self._start("indented", row)

    def _extend(self, at: int, end: int, body: int) -> None:
        self._end, self._body, self._last_line = end, body, at
        self._line_count += 1

    def _interrupts(self, rest: str) -> bool:
        """Whether the line ends a paragraph by beginning something else."""
        if rest[0] not in "#`~<*_-":
            return False
        return bool(
            _ATX.match(rest)
            or _FENCE.match(rest)
            or _BREAK.match(rest)
            or any(form[2] and form[0].match(rest) for form in _HTML)
        )

    def _setext(self, char: str, row: _Row) -> None:
        line, start = self._first
        self._leaves.append(
            Leaf("heading", line, start, row.end, row.body, "1" if char == "=" else "2")
        )
        self._kind, self._fresh_item = "", False

    def _begins_table(self, rest: str) -> bool:
        """GFM: a rule whose cells are as many as those of the line before."""
        if "-" not in rest or rest[0] not in "|:-" or not _TABLE_RULE.match(rest):
            return False
        head = self._text[self._last_line : self._end]
        return "|" in head + rest and cells(head) == cells(rest)

    def _table(self, row: _Row) -> None:
        head, head_line = self._last_line, self._first[0]
        if self._line_count > 1:  # the lines before the head are a paragraph of their own
            before = self._text[:head].rstrip("\r\n \t>")
            head_line = max(self._text.rfind("\n", 0, head), self._text.rfind("\r", 0, head)) + 1
            self._end, self._body = len(before), head_line
            self._close()
            self._first = (head_line, head)
        self._fresh_item = False
        self._kind, self._end, self._body, self._info = "table", row.end, row.body, ""
        self._depth = len(self._containers)

    def _close(self) -> None:
        """End the open leaf and note it."""
        if not self._kind:
            return
        names = {"fence": "code", "indented": "code"}
        kind, info = names.get(self._kind, self._kind), self._info
        if kind == "paragraph":
            if self._fresh_item:
                kind, info = (
                    "item",
                    str(
                        sum(
                            container.kind == "item"
                            for container in self._containers[: self._depth]
                        )
                    ),
                )
            elif any(container.kind == "quote" for container in self._containers[: self._depth]):
                kind = "quote"
        line, start = self._first
        self._leaves.append(Leaf(kind, line, start, self._end, self._body, info))
        self._kind, self._fresh_item = "", False


class _Cursor:
    """A place in a line, in characters and in columns; a tab may be half used up."""

    def __init__(self, text: str, at: int, end: int) -> None:
        self._text = text
        self.at = at
        self.end = end
        self.column = 0
        self._pending = 0  # columns left of a tab that was entered
        self._ink = -1  # the next character that isn't a blank, and its column: looked for once, however deep the nesting
        self._ink_column = 0

    def peek(self) -> tuple[int, int]:
        """The next character that isn't a blank, and how many columns lie before it."""
        if self.at > self._ink:
            at, column = self.at, self.column + self._pending
            while at < self.end and self._text[at] in " \t":
                column += 1 if self._text[at] == " " else 4 - column % 4
                at += 1
            self._ink, self._ink_column = at, column
        return self._ink, self._ink_column - self.column

    def column_of(self, at: int) -> int:
        return self.column + self.peek()[1] if at != self.at else self.column

    def advance(self, columns: int) -> None:
        while columns > 0:
            if self._pending:
                used = min(columns, self._pending)
                self._pending -= used
                self.column += used
                columns -= used
            elif self.at < self.end and self._text[self.at] in " \t":
                self._pending = 1 if self._text[self.at] == " " else 4 - self.column % 4
                self.at += 1
            else:
                return

    def skip_marker(self, at: int, size: int, *, keep_space: bool = False) -> None:
        """Go past a marker at ``at`` and, unless it is kept, one column of blank after it."""
        self.column += self.peek()[1] + size
        self.at, self._pending = at + size, 0
        if not keep_space:
            self.advance(1)


def cells(row: str) -> int:
    """How many cells a table's row has."""
    bare = row.strip().replace("\\|", "")
    return bare.removeprefix("|").removesuffix("|").count("|") + 1
