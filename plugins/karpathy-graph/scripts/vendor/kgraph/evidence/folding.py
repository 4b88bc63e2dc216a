"""Texts made alike for matching, and matching alone: each folded text knows the way back to the characters that it came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from unicodedata import category, combining, is_normalized, normalize

from kgraph.evidence.radicals import RADICALS
from kgraph.model import Block, Document, Span

if TYPE_CHECKING:  # the readers of Markdown are loaded when a text is folded
    from kgraph.sources import inline

# Formats in which ``*`` and ``_`` are emphasis; in code they are operators.
MARKED = frozenset(
    [
        "markdown",
        "text",
        "rst",
        "asciidoc",
        "notebook",
        "mail",
        "mbox",
        "slack",
        "discord",
        "whatsapp",
        "irc",
        "chat",
    ]
)
_AS_QUOTE = dict.fromkeys("‘’‚‛′´ʼ", "'") | dict.fromkeys("“”„‟«»″", '"') | {"‹": "'", "›": "'"}
_AS_DASH = dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
_ZERO_WIDTH = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\ufeff\ufe0e\ufe0f\u061c"
_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_TABLE = str.maketrans(
    _AS_QUOTE | _AS_DASH | RADICALS | dict.fromkeys(_SPACES, " ")
)  # all of them character for character
_WIDE_SIGNS = frozenset("！，．：；？、。（）")
_VANISHING = re.compile(f"[{_ZERO_WIDTH}]")
_CHANGED = re.compile(
    r"(?P<space> {2,}| (?=[\u2e80-\u9fff\uf900-\ufaff\uff01-\uff0f\uff1a-\uff20]))|(?P<wide>[^\x00-\x7f]+)"
    r"|(?P<dash>(?<=[^\W_])---?(?=[^\W_])|(?:(?<= )|\A)---?(?= |\Z))"
)
_WORD = re.compile(r"\w+")
_INDEX_AFTER = 100  # quotes asked for
_MARKS = re.compile(r"[*_`\[\\<&~]")
_QUOTE_PREFIX = re.compile(r"(?:\r\n?|\n)[ \t]*(?:>[ \t]?)+")


class _Stage:
    """One rewriting of a text, as runs: those kept stand character by character, those changed only as a whole."""

    def __init__(self, source_length: int) -> None:
        self._source_length = source_length
        self._parts: list[str] = []
        self._length = 0
        self._at: list[int] = []
        self._source: list[int] = []
        self._source_end: list[int] = []
        self._kept: list[bool] = []

    def keep(self, shown: str, start: int) -> None:
        """Characters that stand for as many of the source from ``start`` on, one by one."""
        if not shown:
            return
        end = start + len(shown)
        if self._kept and self._kept[-1] and self._source_end[-1] == start:
            self._source_end[-1] = end
        else:
            self._run(start, end, True)
        self._add(shown)

    def change(self, shown: str, start: int, end: int) -> None:
        """Characters that stand, as a whole, for those of the source."""
        if shown:
            self._run(start, end, False)
            self._add(shown)

    def text(self) -> str:
        return "".join(self._parts)

    def origin(self, start: int, end: int) -> Span | None:
        """The source of a stretch that isn't empty; None if it begins or ends inside what can't be parted."""
        first, last = bisect_right(self._at, start) - 1, bisect_right(self._at, end - 1) - 1
        if not self._kept[first] and start != self._at[first]:
            return None
        following = self._at[last + 1] if last + 1 < len(self._at) else self._length
        if not self._kept[last] and end != following:
            return None
        source_start = self._source[first] + (start - self._at[first] if self._kept[first] else 0)
        source_end = (
            self._source[last] + end - self._at[last]
            if self._kept[last]
            else self._source_end[last]
        )
        return Span(source_start, source_end)

    def position(self, char: int) -> int:
        """The first place of the text that comes from ``char`` of the source or from after it."""
        run = bisect_right(self._source, char) - 1
        if run < 0:
            return 0
        if char >= self._source_end[run]:
            return self._at[run + 1] if run + 1 < len(self._at) else self._length
        return self._at[run] + (char - self._source[run] if self._kept[run] else 0)

    def margin(self, start: int, end: int) -> tuple[int, int]:
        """A span of the source widened over what vanished right before and after it."""
        first, last = bisect_right(self._source, start) - 1, bisect_right(self._source, end - 1) - 1
        left = self._source_end[first - 1] if first > 0 else 0
        right = self._source[last + 1] if last + 1 < len(self._source) else self._source_length
        return left if start == self._source[first] else start, right if end == self._source_end[
            last
        ] else end

    def _run(self, start: int, end: int, kept: bool) -> None:
        self._at.append(self._length)
        self._source.append(start)
        self._source_end.append(end)
        self._kept.append(kept)

    def _add(self, shown: str) -> None:
        self._parts.append(shown)
        self._length += len(shown)


class Folded:
    """A folded text. ``places`` finds a folded quote in it, as spans of the source."""

    def __init__(self, text: str, edits: Iterable[inline.Edit] = ()) -> None:
        self._stages: list[_Stage] = []
        listed = list(edits)
        if listed:
            unmarked = _without(text, listed)
            self._stages.append(unmarked)
            text = unmarked.text()
        folded = _alike(text)
        self._stages.append(folded)
        self.text = folded.text()
        self._asked = 0
        self._words: dict[str, list[int]] | None = None

    def places(self, quote: str, within: Span | None = None, limit: int = 1000) -> list[Span]:
        """Where a folded quote stands, ascending, apart, at most ``limit``. Places at the borders of words, if there are any, are
        the only ones.
        """
        start, stop = self._range(within)
        whole: list[Span] = []
        parts: list[Span] = []
        for at in self._occurrences(quote, start, stop, limit):
            found = self._origin(at, at + len(quote))
            if found is not None and (
                within is None or (within.start <= found.start and found.end <= within.end)
            ):
                (whole if _at_borders(self.text, at, at + len(quote)) else parts).append(found)
        return whole or parts

    def _occurrences(self, quote: str, start: int, stop: int, limit: int) -> Iterator[int]:
        """As ``occurrences``; after many quotes an index of words is worth its making, and spares reading the text for each."""
        self._asked += 1
        inner = list(_WORD.finditer(quote))[1:-1] if self._asked > _INDEX_AFTER else []
        if not inner:
            yield from occurrences(self.text, quote, start, stop, limit)
            return
        if self._words is None:
            self._words = _word_index(self.text)
        rarest = min(inner, key=lambda word: len((self._words or {}).get(word[0], ())))
        last = start
        for place in self._words.get(rarest[0], ()):
            at = place - rarest.start()
            if last <= at <= stop - len(quote) and limit and self.text.startswith(quote, at):
                yield at
                last, limit = at + len(quote), limit - 1

    def widened(self, span: Span) -> Span:
        """The span with the marks right before and after it."""
        return Span(*self._stages[0].margin(*span)) if len(self._stages) > 1 else span

    def _range(self, within: Span | None) -> tuple[int, int]:
        if within is None:
            return 0, len(self.text)
        start, stop = within
        for stage in self._stages:
            start, stop = stage.position(start), stage.position(stop)
        return start, stop

    def _origin(self, start: int, end: int) -> Span | None:
        found: Span | None = Span(start, end)
        for stage in reversed(self._stages):
            found = stage.origin(*found) if found is not None else None
        return found


def of_document(document: Document) -> Folded:
    """A document's text without the marks of its format."""
    return Folded(document.text, _document_edits(document) if document.format in MARKED else ())


def fold_quote(quote: str, *, marked: bool) -> str:
    """A quote as it is looked for; ``marked``: Markdown marks vanish."""
    marks = marked and (_MARKS.search(quote) is not None or ">" in quote)
    if not marks and quote.isascii() and "--" not in quote:
        return " ".join(quote.split())  # by far the most
    edits = _block_edits(quote, {}, True) if marks else ()
    return Folded(quote, edits).text.strip()


def _document_edits(document: Document) -> Iterator[inline.Edit]:
    from kgraph.sources import inline, markdown

    text = document.text
    known = markdown.definitions_of(text, document.blocks) if document.format == "markdown" else {}
    for block in document.blocks or (Block("paragraph", 0, len(text)),):
        if block.kind in ("code", "front-matter"):
            continue
        quoted = block.kind == "quote"
        if not quoted and not _MARKS.search(text, block.start, block.end):
            continue
        for edit in _block_edits(text[block.start : block.end], known, quoted):
            yield inline.Edit(edit.start + block.start, edit.end + block.start, edit.shown)


def _block_edits(text: str, known: dict[str, str], quoted: bool) -> list[inline.Edit]:
    from kgraph.sources import inline

    edits = inline.scan(text, known).edits
    if quoted and ">" in text:
        edits += [
            inline.Edit(match.start(), match.end(), "\n") for match in _QUOTE_PREFIX.finditer(text)
        ]
        edits.sort()
    return edits


def _without(text: str, edits: list[inline.Edit]) -> _Stage:
    stage, last = _Stage(len(text)), 0
    for edit in edits:
        if edit.start < last:
            continue  # inside what has vanished already
        stage.keep(text[last : edit.start], last)
        stage.change(edit.shown, edit.start, edit.end)
        last = edit.end
    stage.keep(text[last:], last)
    return stage


def _alike(text: str) -> _Stage:
    """White space, compatibility forms, quotes and dashes folded."""
    stage, last = _Stage(len(text)), 0
    text = text.translate(_TABLE)
    for match in _CHANGED.finditer(text):
        start, end = match.span()
        if match.lastgroup == "wide" and combining(text[start]) and start > last:
            start -= 1  # the letter below the first mark
        stage.keep(text[last:start], last)
        if match.lastgroup == "space":
            if not _between_ideographs(text, start, end):
                stage.change(" ", start, end) if end - start > 1 else stage.keep(" ", start)
        elif match.lastgroup == "dash":
            stage.change("-", start, end)
        else:
            _fold_wide(stage, text[start:end], start)
        last = end
    stage.keep(text[last:], last)
    return stage


def _fold_wide(stage: _Stage, run: str, start: int) -> None:
    if not _VANISHING.search(run) and is_normalized("NFKC", run):
        stage.keep(run, start)
        return
    at = 0
    while at < len(run):
        end = at + 1
        while end < len(run) and _joins(run[end]):
            end += 1
        cluster = _VANISHING.sub("", run[at:end])
        folded = normalize("NFKC", cluster).translate(_TABLE)
        if folded == run[at:end]:
            stage.keep(folded, start + at)
        else:
            stage.change(folded, start + at, start + end)
        at = end


def _joins(char: str) -> bool:
    """Whether a character may melt with the one before: marks, medial and final jamo, half-width voicing."""
    return category(char)[0] == "M" or "\u1160" <= char <= "\u11ff" or char in "\uff9e\uff9f"


def _between_ideographs(text: str, start: int, end: int) -> bool:
    """White space between ideographs is a line's end in the source, and says nothing."""
    return (
        start > 0
        and end < len(text)
        and _is_ideographic(text[start - 1])
        and _is_ideographic(text[end])
    )


def _is_ideographic(char: str) -> bool:
    return (
        "\u2e80" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or char in _WIDE_SIGNS
        or "\U00020000" <= char <= "\U0003ffff"
    )


def _word_index(text: str) -> dict[str, list[int]]:
    index: dict[str, list[int]] = {}
    for word in _WORD.finditer(text):
        index.setdefault(word[0], []).append(word.start())
    return index


def occurrences(text: str, quote: str, start: int, stop: int, limit: int) -> Iterator[int]:
    """Where a quote begins in ``text[start:stop]``, ascending, not overlapping."""
    at = text.find(quote, start, stop) if quote else -1
    while at >= 0 and limit:
        yield at
        limit -= 1
        at = text.find(quote, at + len(quote), stop)


def _at_borders(text: str, start: int, end: int) -> bool:
    return _is_border(text, start) and _is_border(text, end)


def _is_border(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    return (
        not (before.isalnum() and after.isalnum())
        or _is_ideographic(before)
        or _is_ideographic(after)
    )
