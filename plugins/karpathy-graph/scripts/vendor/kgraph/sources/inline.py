"""Markdown inside a block: links, and the marks that vanish when it is rendered.

``scan`` gives both. The marks come as edits of the text, so that headings can be made plain and quotes be compared without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from unicodedata import category

from kgraph.model import Link
from kgraph.tuples import NamedTuple

_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])|(?P<break>\\(?=\r?\n|\r))|(?P<code>`+)|(?P<delim>\*+|_+|~{1,2})|(?P<wiki>!?\[\[[^\[\]|\r\n\s][^\[\]|\r\n]{0,200}(?:\|[^\[\]\r\n]{1,200})?\]\](?!\())|(?P<open>!?\[)|(?P<close>\])"
    r"|<(?P<auto>[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>"
    r"|(?P<tag></?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]{0,1000})?/?>)|(?P<comment><!--)"
    r"|(?P<bare>(?<![\w@])(?:https?://|www\.)[^\s<>\[\]`|]+)"
    r"|(?P<entity>&(?:[A-Za-z][A-Za-z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)",
    re.DOTALL,
)
_SIGN = re.compile(r"[\\`*_~!\[\]<&]")
_DESTINATION = re.compile(
    r"\(\s*(?:<(?P<angled>[^<>\r\n]*)>|(?P<plain>(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.){0,500}\)){0,2000}))"
    r"(?:\s+(?:\"(?:[^\"\\]|\\.){0,1000}\"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\)))?\s*\)",
    re.DOTALL,
)
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999})\]", re.DOTALL)
_DEFINITION = re.compile(
    r" {0,3}\[(?!\^)((?:[^\[\]\\]|\\.){1,999})\]:[ \t]*(?:\n[ \t]*)?(?:<([^<>\n]*)>|(\S+))"
    r"(?:[ \t]*\n?[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n(?:[ \t]*>)*|\Z)"
)
_NESTING = 24
_EMPHASIS = re.compile("[*_~]")
_TRAILING = "?!.,:;*_~'\"”’…"


class Edit(NamedTuple):
    """``text[start:end]`` is shown as ``shown``."""

    start: int
    end: int
    shown: str


class Inline(NamedTuple):
    edits: list[Edit]  # ascending, not overlapping
    links: list[Link]


class _Delimiter(NamedTuple):
    start: int
    size: int
    opens: bool
    closes: bool


def plain(text: str, definitions: Mapping[str, str] | None = None) -> str:
    """The text as it is shown, without its marks. Images are shown as their alternative text."""
    return apply(text, scan(text, definitions).edits)


def apply(text: str, edits: list[Edit]) -> str:
    shown, last = [], 0
    for edit in edits:
        shown += [text[last : edit.start], edit.shown]
        last = edit.end
    return "".join([*shown, text[last:]])


def label(text: str) -> str:
    """A reference label as it is compared: case folded, white space collapsed."""
    return " ".join(text.split()).casefold()


def definitions(paragraphs: Iterable[str]) -> dict[str, str]:
    """Reference definitions (``[label]: target``), which stand at the beginning of a paragraph; the first of a label counts."""
    found: dict[str, str] = {}
    for paragraph in paragraphs:
        if "]:" in paragraph:
            for match in _leading_definitions(paragraph):
                found.setdefault(label(match[1]), match[2] if match[2] is not None else match[3])
    return found


def only_definitions(paragraph: str) -> bool:
    last = 0
    for match in _leading_definitions(paragraph):
        last = match.end()
    return last > 0 and last == len(_unix(paragraph))


def _leading_definitions(paragraph: str) -> Iterator[re.Match[str]]:
    text = _unix(paragraph)
    match = _DEFINITION.match(text)
    while match is not None and match.end() > match.start():
        yield match
        match = _DEFINITION.match(text, match.end())


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def scan(text: str, known: Mapping[str, str] | None = None) -> Inline:
    """Marks and links of one block. ``known`` are the reference definitions; positions are those of ``text``."""
    return _Scanner(text, known or {}).run()


class _Scanner:
    def __init__(self, text: str, known: Mapping[str, str]) -> None:
        self._text = text
        self._known = known
        self._edits: list[Edit] = []
        self._links: list[Link] = []
        self._openers: list[
            tuple[int, int, int]
        ] = []  # start, first character inside, edits made before it
        self._delimiters: dict[str, list[_Delimiter]] = {}
        self._unclosed_comment = False
        self._code_runs: dict[int, list[int]] | None = None

    def _next(self, at: int) -> re.Match[str] | None:
        return _TOKEN.search(self._text, at)

    def _next_sign(self, at: int) -> re.Match[str] | None:
        """The same where there are no bare addresses: every token begins with a sign, and those are found faster."""
        while (sign := _SIGN.search(self._text, at)) is not None:
            match = _TOKEN.match(self._text, sign.start())
            if match is not None:
                return match
            at = sign.end()
        return None

    def run(self) -> Inline:
        text, at = self._text, 0
        step = self._next if "://" in text or "www." in text else self._next_sign
        while (match := step(at)) is not None:
            kind = match.lastgroup
            at = match.end()
            if kind == "delim":
                self._delimiter(match)
            elif kind == "code":
                at = self._code(match)
            elif kind == "open":
                self._openers.append((match.start(), match.end(), len(self._edits)))
                if len(self._openers) > _NESTING:
                    del self._openers[
                        0
                    ]  # brackets by the thousand are no links, and each level costs a copy
            elif kind == "close":
                at = self._close(match.start())
            elif kind == "comment":
                at = self._comment(match.start())
            elif kind == "bare":
                at = self._bare(match)
            else:
                self._single(kind or "", match)
        for char, delimiters in self._delimiters.items():
            self._edits += _pairs(char, delimiters)
        self._edits.sort()
        self._links.sort(key=lambda link: (link.start, link.end))
        return Inline(self._edits, self._links)

    def _single(self, kind: str, match: re.Match[str]) -> None:
        start, end = match.span()
        if kind in ("escape", "break"):
            self._edits.append(Edit(start, start + 1, ""))
        elif kind == "auto":
            target = match["auto"]
            self._edits += [Edit(start, start + 1, ""), Edit(end - 1, end, "")]
            self._links.append(
                Link(target, target if ":" in target else f"mailto:{target}", start, end)
            )
        elif kind == "wiki":
            target, mark, shown = match[0].lstrip("!")[2:-2].partition("|")
            self._links.append(Link((shown or target).strip(), target.strip(), start, end))
            inside = match.end() - 2 - len(shown if mark else target)
            self._edits += [Edit(start, inside, ""), Edit(end - 2, end, "")]
        elif kind == "tag":
            self._edits.append(
                Edit(start, end, " " if match[0][1:3].lower() in ("br", "hr") else "")
            )
        elif kind == "entity":
            from html import unescape  # a table of two thousand names, seldom needed

            self._edits.append(Edit(start, end, unescape(match[0])))

    def _code(self, match: re.Match[str]) -> int:
        """Skip a code span; without a closing run of the same length the backticks are text."""
        start, end = match.span()
        if self._code_runs is None:
            self._code_runs = {}
            for run in re.finditer("`+", self._text):
                self._code_runs.setdefault(len(run[0]), []).append(run.start())
            for starts in self._code_runs.values():
                starts.reverse()
        size = end - start
        waiting = self._code_runs.get(size, [])
        while waiting and waiting[-1] <= start:
            waiting.pop()
        if not waiting:
            return end
        close = waiting.pop()
        self._edits += [Edit(start, end, ""), Edit(close, close + size, "")]
        return close + size

    def _comment(self, start: int) -> int:
        close = self._text.find("-->", start) if not self._unclosed_comment else -1
        if close < 0:
            self._unclosed_comment = True  # none closes: don't look for each
            return start + 4
        self._edits.append(Edit(start, close + 3, ""))
        return close + 3

    def _bare(self, match: re.Match[str]) -> int:
        shown = match[0].rstrip(_TRAILING)
        while shown.endswith(")") and shown.count(")") > shown.count("("):
            shown = shown[:-1].rstrip(_TRAILING)
        start = match.start()
        if len(shown) > len("https://"):
            self._links.append(
                Link(
                    shown, shown if "://" in shown else f"http://{shown}", start, start + len(shown)
                )
            )
        return max(start + len(shown), start + 1)

    def _delimiter(self, match: re.Match[str]) -> None:
        start, end = match.span()
        before = self._text[start - 1] if start else " "
        after = self._text[end] if end < len(self._text) else " "
        left = not after.isspace() and (
            not _is_punctuation(after) or before.isspace() or _is_punctuation(before)
        )
        right = not before.isspace() and (
            not _is_punctuation(before) or after.isspace() or _is_punctuation(after)
        )
        if match[0][0] == "_":
            left, right = (
                left and (not right or _is_punctuation(before)),
                right and (not left or _is_punctuation(after)),
            )
        if left or right:
            self._delimiters.setdefault(match[0][0], []).append(
                _Delimiter(start, end - start, left, right)
            )

    def _close(self, at: int) -> int:
        """Handle ``]``: the end of a link if a destination, a known label or nothing follows."""
        if not self._openers:
            return at + 1
        start, inside, edits_before = self._openers.pop()
        found = self._target(inside, at)
        if found is None:
            return at + 1
        target, end = found
        self._links.append(Link(self._shown(inside, at, edits_before), target, start, end))
        self._edits += [Edit(start, inside, ""), Edit(at, end, "")]
        return end

    def _shown(self, inside: int, at: int, edits_before: int) -> str:
        within = [
            Edit(edit.start - inside, edit.end - inside, edit.shown)
            for edit in self._edits[edits_before:]
        ]
        shown = apply(self._text[inside:at], within)
        return (plain(shown) if len(shown) < 1000 and _EMPHASIS.search(shown) else shown).strip()

    def _target(self, inside: int, at: int) -> tuple[str, int] | None:
        text = self._text
        following = text[at + 1 : at + 2]
        if following == "(" and (match := _DESTINATION.match(text, at + 1)):
            target = match["angled"] if match["angled"] is not None else match["plain"]
            return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", target), match.end()
        if following == "[" and (match := _LABEL.match(text, at + 1)):
            named = label(match[1] or text[inside:at])
            return (self._known[named], match.end()) if named in self._known else None
        if not self._known or at - inside > 999:
            return None
        named = label(text[inside:at])
        return (self._known[named], at + 1) if named in self._known else None


def _pairs(char: str, delimiters: list[_Delimiter]) -> list[Edit]:
    """Openers matched with closers; what is matched vanishes, the rest stays as text."""
    found: list[Edit] = []
    openers: list[list[int]] = []  # start, characters left
    for delimiter in delimiters:
        start, size = delimiter.start, delimiter.size
        while delimiter.closes and size and openers:
            if char == "~" and openers[-1][1] != size:
                break
            used = min(size, openers[-1][1], 3)
            opener = openers[-1]
            opener[1] -= used
            found += [
                Edit(opener[0] + opener[1], opener[0] + opener[1] + used, ""),
                Edit(start, start + used, ""),
            ]
            start, size = start + used, size - used
            if not opener[1]:
                openers.pop()
        if delimiter.opens and size:
            openers.append([start, size])
    return found


def _is_punctuation(char: str) -> bool:
    return category(char)[0] in "PS"
