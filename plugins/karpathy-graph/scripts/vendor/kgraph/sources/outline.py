"""Headings to a section tree, with the anchors that GitHub gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from unicodedata import category

from kgraph.model import Section
from kgraph.tuples import NamedTuple

_KEPT = frozenset({"Nd", "Nl", "Pc"})
_ASCII_DROPPED = re.compile(r"[^\w\- ]")


class Heading(NamedTuple):
    """``start``: where its line begins; ``body``: where the text after it does. ``anchor`` is the document's own, if it names one,
    ``slugged`` what the anchor is made of, where that isn't the title.
    """

    level: int
    title: str
    start: int
    body: int
    anchor: str = ""
    slugged: str = ""


class Slugs:
    """Numbers the slugs of one document: the second ``cause`` is ``cause-1``."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, title: str) -> str:
        return self.unique(slug(title) or "section")

    def unique(self, base: str) -> str:
        anchor = base
        while anchor in self._seen:
            self._seen[base] += 1
            anchor = f"{base}-{self._seen[base]}"
        self._seen[anchor] = 0
        return anchor


def slug(title: str) -> str:
    """The anchor of a heading's plain text: lower case, letters, marks, digits, ``_`` and ``-`` kept, spaces as ``-``."""
    lowered = title.lower()
    if lowered.isascii():
        return _ASCII_DROPPED.sub("", lowered).replace(" ", "-")
    return "".join(_slugged(char) for char in lowered)


def _slugged(char: str) -> str:
    if char == " ":
        return "-"
    kind = category(char)
    return char if char == "-" or kind[0] in "LM" or kind in _KEPT else ""


def outline(headings: Sequence[Heading], length: int) -> tuple[Section, ...]:
    """A section for each heading; it ends where the next heading of its level or a higher one begins."""
    slugs = Slugs()
    for heading in headings:
        if heading.anchor:
            slugs.unique(heading.anchor)
    ends = _ends(headings, length)
    above: list[Heading] = []
    sections = []
    for heading, end in zip(headings, ends, strict=True):
        while above and above[-1].level >= heading.level:
            above.pop()
        path = (*(parent.title for parent in above), heading.title)
        above.append(heading)
        anchor = heading.anchor or slugs.next(heading.slugged or heading.title)
        sections.append(
            Section(anchor, heading.title, heading.level, path, heading.start, heading.body, end)
        )
    return tuple(sections)


def _ends(headings: Sequence[Heading], length: int) -> list[int]:
    ends = [length] * len(headings)
    open_ones: list[int] = []
    for index, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.start
        open_ones.append(index)
    return ends


def first_title(sections: Iterable[Section]) -> str:
    """The title of the first heading of the highest level."""
    listed = list(sections)
    top = min((section.level for section in listed), default=0)
    return next((section.title for section in listed if section.level == top), "")
