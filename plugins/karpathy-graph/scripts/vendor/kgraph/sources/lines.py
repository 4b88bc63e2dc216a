"""A text as lines that know where they stand, for the readers of line-wise formats."""

from __future__ import annotations

import re

from kgraph.tuples import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


class Line(NamedTuple):
    """``end`` is without the line's break, ``next`` where the next line begins."""

    text: str
    start: int
    end: int
    next: int

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip(" \t"))

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def split(text: str) -> list[Line]:
    found = []
    for match in _LINE.finditer(text):
        if match.start() == match.end():
            break
        content = match.group().rstrip("\r\n")
        found.append(Line(content, match.start(), match.start() + len(content), match.end()))
    return found


def stretch(lines: list[Line], first: int, last: int) -> tuple[int, int]:
    """The characters of the lines from ``first`` up to ``last`` (not included), without blanks around them."""
    while last > first and lines[last - 1].blank:
        last -= 1
    while first < last and lines[first].blank:
        first += 1
    if first >= last:
        return 0, 0
    return lines[first].start + lines[first].indent, lines[last - 1].start + len(
        lines[last - 1].text.rstrip()
    )
