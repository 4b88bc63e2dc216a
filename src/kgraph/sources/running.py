"""What a printed page repeats: headers, footers and page numbers. They are no part of the text that runs from page to page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from statistics import median

from kgraph.sources.layout import Row
from kgraph.tuples import NamedTuple

OUTER_ROWS = 3  # how many lines from the page's edges may be running ones
_NUMBER = re.compile(r"\d+")
_PAGE = re.compile(
    r"(?:page|seite|p\.?|pág(?:ina)?\.?|стр\.?|第)?\s*[-–—|\[(]*\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|\])]*"
    r"(?:\s*(?:of|/|von|de|sur)\s*\d{1,4})?\s*(?:页|頁|ページ)?",
    re.IGNORECASE,
)


class Page(NamedTuple):
    """A page's lines from top to bottom."""

    height: float
    rows: Sequence[Row]


class _Seen(NamedTuple):
    page: int
    row: int
    key: str
    text: str
    at: float  # from the edge
    edge: str
    depth: int  # 0: the outermost
    apart: bool  # more space to the text than its lines have
    size: float


def running(pages: Sequence[Page]) -> list[set[int]]:
    """For each page the numbers of the lines that are running ones.

    A line counts as one if the same words (but for numbers) stand at the same height of several pages' edges, if it holds a number that
    grows with the pages, or if it is nothing but a page number that stands apart.
    """
    seen = [line for number, page in enumerate(pages) for line in _outer(number, page)]
    found: list[set[int]] = [set() for _ in pages]
    groups: dict[tuple[str, int], list[_Seen]] = {}
    for line in seen:
        groups.setdefault((line.edge, round(line.at / 4)), []).append(line)
    for edge, bucket in list(groups):
        near = [*groups[edge, bucket], *groups.get((edge, bucket + 1), [])]
        for line in _repeated(near, len(pages)):
            found[line.page].add(line.row)
    for line in seen:
        if line.apart and _PAGE.fullmatch(line.text.strip()):
            found[line.page].add(line.row)
    apart: dict[tuple[int, str], set[int]] = {}
    for line in seen:
        if line.apart:
            apart.setdefault((line.page, line.edge), set()).add(line.row)
    return [
        _block(lines, range(len(page.rows)), apart.get((number, "top"), set()))
        | _block(lines, range(len(page.rows) - 1, -1, -1), apart.get((number, "bottom"), set()))
        for number, (lines, page) in enumerate(zip(found, pages, strict=True))
    ]


def _outer(number: int, page: Page) -> list[_Seen]:
    rows = page.rows
    if not rows:
        return []
    distances = [b.bottom - a.bottom for a, b in itertools.pairwise(rows)]
    usual = median(distances) if distances else 0.0
    found = []
    for depth, index in enumerate(range(min(OUTER_ROWS, len(rows)))):
        gap = rows[index + 1].bottom - rows[index].bottom if index + 1 < len(rows) else 1e9
        found.append(
            _line(number, index, rows[index], rows[index].bottom, "top", depth, gap > 1.3 * usual)
        )
    for depth, index in enumerate(range(len(rows) - 1, max(len(rows) - 1 - OUTER_ROWS, -1), -1)):
        gap = rows[index].bottom - rows[index - 1].bottom if index else 1e9
        at = page.height - rows[index].bottom
        found.append(_line(number, index, rows[index], at, "bottom", depth, gap > 1.3 * usual))
    return found


def _line(page: int, row: int, line: Row, at: float, edge: str, depth: int, apart: bool) -> _Seen:
    key = _NUMBER.sub("#", " ".join(line.text.split()).casefold())
    return _Seen(page, row, key, line.text, at, edge, depth, apart, line.size)


def _repeated(near: Sequence[_Seen], pages: int) -> list[_Seen]:
    """Of lines at one height of the page, those that are there again and again."""
    by_key: dict[str, list[_Seen]] = {}
    for line in near:
        by_key.setdefault(line.key, []).append(line)
    found: list[_Seen] = []
    for lines in by_key.values():
        on = len({line.page for line in lines})
        if on >= 3 or (on >= 2 and pages <= 8 and all(line.apart for line in lines)):
            found += lines
    numbered = [line for line in near if line.apart and _NUMBER.search(line.text)]
    offsets: dict[int, list[_Seen]] = {}
    for line in numbered:
        tokens = line.text.split()
        for token in {tokens[0], tokens[-1]}:
            if token.isdigit():
                offsets.setdefault(int(token) - line.page, []).append(line)
    for lines in offsets.values():
        if len({line.page for line in lines}) >= 3:
            found += lines
    return found


def _block(lines: set[int], inwards: range, apart: set[int]) -> set[int]:
    """The running lines from the page's edge inwards, as far as the space that parts them from the text."""
    taken: list[int] = []
    for index in inwards:
        if index not in lines:
            break
        taken.append(index)
    while taken and taken[-1] not in apart:
        taken.pop()
    return set(taken)
