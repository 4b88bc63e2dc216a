"""Markup taken out of the way without moving a character.

Terms and sentences are found in a *masked* text: as long as the source, with every character of markup, of an address or of a comment
replaced by ``FILL``. So a place in it is a place in the source, and what is cut out there is verbatim. Every pattern is bounded, or its
classes exclude its own delimiters, so that no input takes more than linear time.
"""

from __future__ import annotations

import re

from kgraph.tuples import NamedTuple

FILL = "\x01"
_HELD = "\x02"  # the inside of a code span while the other markup is read


class Mark(NamedTuple):
    """Something that the author set apart: code, strong, emphasis, link, role, quoted. Places are those of the source's text."""

    kind: str
    start: int
    end: int
    text: str
    target: str = ""


_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)(\s?\S(?:[^`]|`(?!`)){0,200}?)(?<!`)\1(?!`)")
_ROLE = re.compile(r":([a-z][a-z:+.-]{0,30}):`([^`]{1,200})`")
_RST_LINK = re.compile(r"`([^`<>]{1,200}?)\s*<([^<>`\s]{1,500})>`__?")
_RST_NAMED = re.compile(r"`([^`<>]{1,200})`__?")
_IMAGE = re.compile(
    r"!\[[^\[\]]{0,300}\](?:\([^()\s]{0,800}(?:\s[^()]{0,200})?\)|\[[^\[\]]{0,100}\])?"
)
_LINK = re.compile(
    r"\[([^\[\]]{1,300})\]\(\s{0,3}<?((?:[^()\s<>]|\([^()\s]{0,100}\)){0,800})>?(?:\s{1,3}(?:\"[^\"]{0,200}\"|'[^']{0,200}'))?\s{0,3}\)"
)
_ATTRIBUTES = re.compile(r"\{[:.#][^{}\n]{0,100}\}")
_REFERENCE = re.compile(r"\[([^\[\]]{1,200})\]\[([^\[\]]{0,100})\]")
_ADDRESS = re.compile(
    r"<?\b(?:https?|ftp|file|mailto|git|ssh)://[^\s<>\"'`\x01]{1,1000}>?|<[\w.+-]{1,60}@[\w.-]{1,100}>"
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}>")
_STRONG = re.compile(
    r"\*\*(?=[^\s*])([^*]{1,200}?)(?<=[^\s*])\*\*|(?<!\w)__(?=[^\s_])([^_]{1,200}?)(?<=[^\s_])__(?!\w)"
)
_EMPHASIS = re.compile(
    r"(?<![\w*\\])\*(?=[^\s*])([^*\n]{1,120}?)(?<=[^\s*])\*(?![\w*])|(?<![\w\\])_(?=[^\s_])([^_\n]{1,120}?)(?<=[^\s_])_(?!\w)"
)
_QUOTED = re.compile(
    r"[“„«]\s?([^“”„«»\n]{2,80}?)\s?[”“»]|(?<![\d\"])\"\s?([^\"\n]{2,80}?)\s?\"(?!\w)"
)
_FOOTNOTE = re.compile(r"\[(?:\^[\w-]{1,30}|#?[\w-]{0,20})\]_?(?![\w(\[])")
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{2,5});")
_TEX_COMMAND = re.compile(
    r"\\(?:(?:[cC]|eq|auto|page|name|v)?ref|label|[cC]ite[a-z]{0,12}|index|begin|end|input|include|usepackage|bibliography(?:style)?|url|newcommand"
    r"|renewcommand|def|indexdef|indexsee|symlabel)\*?(?:\[[^\[\]]{0,100}\]){0,2}\{[^{}]{0,200}\}(?:\{[^{}]{0,200}\})?"
    r"|\\(emph|textbf|textit|defi?n?e?|texttt)\{([^{}]{1,200})\}|\\(?:[A-Za-z]{1,30}\*?(?:\[[^\[\]]{0,100}\])?|[^A-Za-z])|[{}~]"
    r"|``|''"
)
_TEX_MATH = re.compile(r"\$[^$]{1,300}\$")


def mask(text: str, start: int, end: int, format: str) -> tuple[str, list[Mark]]:
    """The masked text of ``text[start:end]``, as long as that is, and the marks in it in order of place."""
    work = text[start:end]
    marks: list[Mark] = []
    held: list[tuple[int, int]] = []
    plain = _Pass(start, marks)

    if "<!--" in work:
        work = _without_comments(work)
    if format == "latex":
        return _mask_tex(work, plain)
    if "`" in work:
        if format == "rst":
            work = _ROLE.sub(plain.role, work)
            work = _RST_LINK.sub(plain.link, work)

        def code(found: re.Match[str]) -> str:
            ticks, inside = found.group(1), found.group(2)
            if format == "rst" and len(ticks) == 1:
                return found.group(0)
            at = found.start(2)
            held.append((at, at + len(inside)))
            marks.append(Mark("code", start + at, start + at + len(inside), inside.strip()))
            return FILL * len(ticks) + _HELD * len(inside) + FILL * len(ticks)

        work = _CODE.sub(code, work)
        if format == "rst":
            work = _RST_NAMED.sub(plain.named, work)
    if "[" in work:
        work = _IMAGE.sub(_filled, work)
        work = _LINK.sub(plain.link, work)
        work = _REFERENCE.sub(plain.link, work)
        work = _FOOTNOTE.sub(_filled_footnote, work)
    if "{" in work:
        work = _ATTRIBUTES.sub(_filled, work)
    if "://" in work or "@" in work:
        work = _ADDRESS.sub(_filled, work)
    if "<" in work:
        work = _TAG.sub(_filled, work)
    if "*" in work or "_" in work:
        work = _STRONG.sub(plain.strong, work)
        work = _EMPHASIS.sub(plain.emphasis, work)
    if '"' in work or "“" in work or "«" in work or "„" in work:
        for found in _QUOTED.finditer(work):
            group = 1 if found.group(1) else 2
            marks.append(
                Mark(
                    "quoted",
                    start + found.start(group),
                    start + found.end(group),
                    found.group(group),
                )
            )
    if "&" in work:
        work = _ENTITY.sub(_filled, work)
    if held:
        work = _restored(work, text[start:end], held)
        marks = [_with_code(mark, text) for mark in marks]
    return work, sorted(marks, key=lambda mark: (mark.start, -mark.end))


def cleaned(masked: str) -> str:
    """A piece of masked text as a reader sees it: no fillers, white space collapsed."""
    return " ".join(masked.replace(FILL, "").split())


class _Pass:
    """What each kind of markup leaves behind: its words in their place, its delimiters filled."""

    def __init__(self, base: int, marks: list[Mark]) -> None:
        self.base = base
        self.marks = marks

    def _keep(self, kind: str, found: re.Match[str], group: int, target: str = "") -> str:
        start, end = found.span(group)
        self.marks.append(
            Mark(kind, self.base + start, self.base + end, cleaned(found.group(group)), target)
        )
        whole = found.group(0)
        before, after = start - found.start(), found.end() - end
        return FILL * before + whole[before : len(whole) - after] + FILL * after

    def role(self, found: re.Match[str]) -> str:
        return self._keep("role", found, 2, found.group(1))

    def link(self, found: re.Match[str]) -> str:
        return self._keep("link", found, 1, found.group(2))

    def named(self, found: re.Match[str]) -> str:
        return self._keep("emphasis", found, 1)

    def strong(self, found: re.Match[str]) -> str:
        return self._keep("strong", found, 1 if found.group(1) else 2)

    def emphasis(self, found: re.Match[str]) -> str:
        return self._keep("emphasis", found, 1 if found.group(1) else 2)


def _filled(found: re.Match[str]) -> str:
    return FILL * (found.end() - found.start())


def _filled_footnote(found: re.Match[str]) -> str:
    inside = found.group(0)
    plain = inside.endswith("_") or inside[1:2] in "^#" or inside[1:-1].isdigit()
    return FILL * len(inside) if plain else FILL + inside[1:-1] + FILL


def _without_comments(work: str) -> str:
    pieces, at = [], 0
    while (begin := work.find("<!--", at)) >= 0:
        close = work.find("-->", begin + 4)
        if close < 0:
            break
        pieces += [work[at:begin], FILL * (close + 3 - begin)]
        at = close + 3
    pieces.append(work[at:])
    return "".join(pieces)


def _restored(work: str, source: str, held: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for begin, end in sorted(held):
        pieces += [work[at:begin], source[begin:end]]
        at = end
    pieces.append(work[at:])
    return "".join(pieces)


def _with_code(mark: Mark, text: str) -> Mark:
    if _HELD in mark.text:
        return mark._replace(text=" ".join(text[mark.start : mark.end].replace("`", "").split()))
    return mark


def _mask_tex(work: str, plain: _Pass) -> tuple[str, list[Mark]]:
    def command(found: re.Match[str]) -> str:
        if found.group(1):
            return plain._keep("code" if found.group(1) == "texttt" else "strong", found, 2)
        return _filled(found)

    work = _TEX_MATH.sub(_filled, work)
    work = _TEX_COMMAND.sub(command, work)
    return work, sorted(plain.marks, key=lambda mark: (mark.start, -mark.end))
