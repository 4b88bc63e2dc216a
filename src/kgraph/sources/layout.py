"""Words that stand somewhere on a page, in the order in which people read them. Pure geometry: no file and no library.

Coordinates run right and down from the page's upper left corner, in points. A page whose text runs from top to bottom is turned before,
so that its columns are rows here.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from statistics import median

from kgraph.tuples import NamedTuple

# Fractions of a line's height, measured on the PDFs that benchmarks/pdf_words.py reads.
GUTTER = 0.55  # the least width of the space between two columns
GUTTER_LINES = 3  # the fewest lines on both sides of it
STRETCHES = 24  # of the empty stretches of a page, how many of the tallest are looked at
CELL_GAP = 1.1  # the least space between two cells of a table
APART = 2.5  # the least space that parts two things on a line which is no row of a table
INDENT = 0.5  # a paragraph's first line
PARAGRAPH_GAP = 1.45  # from line to line, as a multiple of the usual distance
SIZE_CHANGE = 0.13
_BULLET = re.compile(
    r"(?:[•·▪◦‣●○■□–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,3}\])\s", re.IGNORECASE
)
_ENDED = re.compile(r"[.!?:;…。！？：][\"'”’»)\]]*$")
# Scripts without spaces between words. Korean has them.
_CJK = re.compile(r"[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]")


class Word(NamedTuple):
    """``order``: its place in the file's own order, which right-to-left lines keep."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    order: int

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Row(NamedTuple):
    """Words on one line of one column. ``cells`` are its texts where wide spaces part them, at least one, ``starts`` where each begins.

    ``widest`` is the widest space between two of its words, as a multiple of its height.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    cells: tuple[str, ...]
    starts: tuple[float, ...]
    widest: float


class Paragraph(NamedTuple):
    """``kind``: paragraph, table or note (small print at the end of a column). ``size`` is the usual height of its words."""

    kind: str
    rows: tuple[Row, ...]
    size: float

    @property
    def text(self) -> str:
        return "\n".join(row.text for row in self.rows)


def rows_of(words: Sequence[Word]) -> list[Row]:
    return [row_of(line) for line in lines_of(words)]


def lines_of(words: Sequence[Word]) -> list[list[Word]]:
    """Words gathered into lines by how far they overlap vertically, from top to bottom."""
    gathered: list[list[Word]] = []
    bands: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda one: (one.top + one.bottom, one.left)):
        best, most = -1, 0.5
        for index in range(len(bands) - 1, max(len(bands) - 6, -1), -1):
            top, bottom = bands[index]
            shared = min(bottom, word.bottom) - max(top, word.top)
            share = shared / (min(word.height, bottom - top) or 1.0)
            if share > most and not _covers(gathered[index], word):
                best, most = index, share
        if best < 0:
            gathered.append([word])
            bands.append((word.top, word.bottom))
        else:
            gathered[best].append(word)
            if word.height > bands[best][1] - bands[best][0] and len(gathered[best]) < 3:
                bands[best] = (word.top, word.bottom)
    return gathered


def _covers(line: Sequence[Word], word: Word) -> bool:
    """Whether something of the line stands where the word does: then they are two lines that nearly touch."""
    middle, most = (word.left + word.right) / 2, 0.3 * word.height
    return any(one.left + most < middle < one.right - most for one in line)


def read_page(words: Sequence[Word], body_size: float) -> list[Paragraph]:
    """The paragraphs of a page in reading order: columns one after the other, what spans them where it stands."""
    found: list[Paragraph] = []
    for region in _regions(list(words), 0):
        found += _paragraphs(region, body_size)
    return found


def is_cjk(char: str) -> bool:
    return _CJK.match(char) is not None


def continues(before: str, after: str) -> bool:
    """Whether a text that ends with ``before`` at a column's end goes on with ``after`` in the next."""
    if not before or not after or _ENDED.search(before):
        return False
    if before.endswith(("-", "\u00ad")):
        return after[:1].islower()
    return after[:1].islower() or (
        is_cjk(before[-1]) and is_cjk(after[0]) and after[0] not in "「『（〈《【■●○・"
    )


# -- columns -----------------------------------------------------------------------------------------------------------------------


class _Gutter(NamedTuple):
    left: float
    right: float
    top: float
    bottom: float


def _regions(words: list[Word], depth: int) -> list[list[Word]]:
    """The page cut along the spaces between columns, until each part has one column."""
    if len(words) < 2 * GUTTER_LINES or depth > 12:
        return [words] if words else []
    gutter = _gutter(words)
    if gutter is None:
        return [words]
    above, below, left, right = [], [], [], []
    middle_x = (gutter.left + gutter.right) / 2
    for word in words:
        middle = (word.top + word.bottom) / 2
        if middle < gutter.top:
            above.append(word)
        elif middle > gutter.bottom:
            below.append(word)
        elif (word.left + word.right) / 2 < middle_x:
            left.append(word)
        else:
            right.append(word)
    columns = (right, left) if _runs_leftwards(words) else (left, right)
    return [region for part in (above, *columns, below) for region in _regions(part, depth + 1)]


def _gutter(words: Sequence[Word]) -> _Gutter | None:
    """The tallest empty stretch between two columns of running text, if there is one."""
    size = median(word.height for word in words)
    stretches = [
        stretch
        for place in _candidates(words, size)
        for stretch in _free_stretches(words, place, GUTTER * size, size)
    ]
    stretches.sort(key=lambda one: one.top - one.bottom)
    for stretch in stretches[:STRETCHES]:
        if _parts_columns(words, stretch, size):
            return stretch
    return None


def _candidates(words: Sequence[Word], size: float) -> list[float]:
    """Places just right of where many words end and left of where others begin."""
    lefts = sorted(word.left for word in words)
    counted: dict[int, int] = {}
    for word in words:
        counted[round(word.left / (size / 2))] = counted.get(round(word.left / (size / 2)), 0) + 1
    low, high = lefts[0], lefts[-1]
    places = []
    for bucket, number in counted.items():
        if number < GUTTER_LINES:
            continue
        start = lefts[bisect_left(lefts, (bucket - 0.5) * size / 2)]
        if low + 2 * size < start <= high:
            places.append(start)
    return places


def _free_stretches(
    words: Sequence[Word], place: float, width: float, size: float
) -> Iterable[_Gutter]:
    """The vertical stretches in which nothing stands within ``width`` left of ``place``."""
    blocked = sorted(
        (word.top, word.bottom)
        for word in words
        if word.left < place - 0.1 and word.right > place - width
    )
    top = min(word.top for word in words) - 1.0
    for start, end in (*blocked, (max(word.bottom for word in words) + 1.0, 0.0)):
        if start - top > 2 * size:
            yield _Gutter(place - width, place, top, start)
        top = max(top, end)


def _parts_columns(words: Sequence[Word], gutter: _Gutter, size: float) -> bool:
    """Whether there is running text on both sides; a table's cells are short, and stand beside each other."""
    inside = [word for word in words if gutter.top < (word.top + word.bottom) / 2 < gutter.bottom]
    sides = (
        [word for word in inside if word.right <= gutter.left + 0.2],
        [word for word in inside if word.left >= gutter.right - 0.2],
    )
    if min(map(len, sides)) < 2 * GUTTER_LINES:
        return False
    lines = [rows_of(side) for side in sides]
    if min(map(len, lines)) < GUTTER_LINES:
        return False
    runs = [_is_running(rows) for rows in lines]
    if all(runs) or not any(runs):
        return all(runs)
    few, many = sorted(lines, key=len)
    middles = sorted((row.top + row.bottom) / 2 for row in many)
    beside = 0
    for row in few:
        at = bisect_left(middles, (row.top + row.bottom) / 2 - 0.25 * size)
        beside += at < len(middles) and middles[at] < (row.top + row.bottom) / 2 + 0.25 * size
    return beside < 0.6 * len(few)


def _is_running(rows: Sequence[Row]) -> bool:
    """Lines with several words each, that fill their column or are long."""
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    filled = median((row.right - row.left) / (right - left or 1.0) for row in rows)
    words = sum(len(row.text.split()) + len(_CJK.findall(row.text)) / 3 for row in rows) / len(rows)
    return words >= (2.7 if filled >= 0.6 else 4.0)


# -- lines -------------------------------------------------------------------------------------------------------------------------


def row_of(words: list[Word]) -> Row:
    leftwards = _runs_leftwards(words)
    words = sorted(words, key=(lambda word: word.order) if leftwards else (lambda word: word.left))
    size = median(word.height for word in words)
    cells: list[str] = []
    starts = [words[0].left]
    widest = 0.0
    text = words[0].text
    cell = text
    for before, word in itertools.pairwise(words):
        gap = max(word.left - before.right, before.left - word.right)
        joint = _joint(before, word, gap, size)
        widest = max(widest, gap / size)
        if not leftwards and gap > CELL_GAP * size:
            cells.append(cell)
            starts.append(word.left)
            cell = word.text
        else:
            cell += joint + word.text
        text += joint + word.text
    return Row(
        text,
        min(word.left for word in words),
        min(word.top for word in words),
        max(word.right for word in words),
        max(word.bottom for word in words),
        size,
        (*cells, cell),
        tuple(starts),
        widest,
    )


def _joint(before: Word, word: Word, gap: float, size: float) -> str:
    if is_cjk(before.text[-1]) and is_cjk(word.text[0]):
        return "" if gap < 0.6 * size else " "
    near = gap < 0.06 * size and word.left > before.left
    return "" if near and abs(before.order - word.order) > 1 else " "


def _runs_leftwards(words: Sequence[Word]) -> bool:
    marked = sum(_RIGHT_TO_LEFT.search(word.text) is not None for word in words)
    return marked * 2 > len(words)


# -- paragraphs --------------------------------------------------------------------------------------------------------------------


def _paragraphs(words: Sequence[Word], body_size: float) -> list[Paragraph]:
    rows = rows_of(words)
    if not rows:
        return []
    found: list[Paragraph] = []
    at = 0
    for first, end in _tables(rows):
        found += _texts(rows[at:first], body_size)
        found.append(Paragraph("table", _tabled(rows[first:end]), rows[first].size))
        at = end
    found += _texts(rows[at:], body_size)
    last = found[-1]
    if last.kind == "paragraph" and last.size < 0.93 * body_size and len(found) > 1:
        found[-1] = last._replace(kind="note")
    return found


def _tables(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Runs of lines of several cells that begin below each other, with the lines on which a cell goes on."""
    found = []
    start = 0
    while start < len(rows):
        end, whole = start, 0
        while end < len(rows) and (
            len(rows[end].cells) > 1 or (end > start and _goes_on(rows[end], rows[end - 1]))
        ):
            whole += len(rows[end].cells) > 1
            end += 1
        run = rows[start:end]
        if (
            whole >= 2
            and (_aligned(run) or (whole >= 3 and _mean_cells(run) <= 5.0))
            or end - start == 1
            and rows[start].widest > APART
        ):
            found.append((start, end))
        start = max(end, start + 1)
    return found


def _goes_on(row: Row, before: Row) -> bool:
    """Whether a line only goes on with cells of the line before, other than the first."""
    near = 0.5 * row.size
    return (
        row.top - before.bottom < 0.6 * row.size
        and row.left - before.left > 2 * row.size
        and all(
            any(abs(start - above) < near for above in before.starts[1:]) for start in row.starts
        )
    )


def _aligned(rows: Sequence[Row]) -> bool:
    """Whether most lines have a cell, not the first, that begins where one of the line before does."""
    whole = [row for row in rows if len(row.cells) > 1]
    fitting = sum(
        any(
            abs(start - above) < 0.3 * row.size
            for start in row.starts[1:]
            for above in before.starts[1:]
        )
        for before, row in itertools.pairwise(whole)
    )
    return fitting >= 0.6 * (len(whole) - 1)


def _mean_cells(rows: Sequence[Row]) -> float:
    """Words in a cell, on average: what is set wide for justification has longer ones."""
    cells = [cell for row in rows for cell in row.cells]
    return sum(len(cell.split()) for cell in cells) / len(cells)


def _tabled(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows of a table, each with the lines that go on with its cells."""
    made: list[Row] = []
    for row in rows:
        if (
            made
            and len(row.cells) <= len(made[-1].cells)
            and _goes_on(row, made[-1]._replace(bottom=row.top))
        ):
            cells = list(made[-1].cells)
            for start, cell in zip(row.starts, row.cells, strict=True):
                column = min(range(len(cells)), key=lambda at: abs(made[-1].starts[at] - start))
                cells[column] += (
                    "" if is_cjk(cell[0]) and is_cjk(cells[column][-1]) else " "
                ) + cell
            made[-1] = made[-1]._replace(cells=tuple(cells))
        else:
            made.append(row)
    return tuple(row._replace(text=" | ".join(row.cells)) for row in made)


def _texts(rows: Sequence[Row], body_size: float) -> list[Paragraph]:
    if not rows:
        return []
    distances = sorted(after.bottom - before.bottom for before, after in itertools.pairwise(rows))
    usual = distances[len(distances) // 3] if distances else 0.0
    left, right = _margins(rows)
    found: list[list[Row]] = [[rows[0]]]
    for before, row in itertools.pairwise(rows):
        if _begins(before, row, usual, (left, right)):
            found.append([row])
        else:
            found[-1].append(row)
    return [Paragraph("paragraph", tuple(part), median(row.size for row in part)) for part in found]


def _margins(rows: Sequence[Row]) -> tuple[float, float]:
    """Where most lines begin, and where the long ones end."""
    lefts = sorted(row.left for row in rows)
    rights = sorted(row.right for row in rows)
    return lefts[len(lefts) // 4], rights[(3 * len(rights)) // 4]


def _begins(before: Row, row: Row, usual: float, margins: tuple[float, float]) -> bool:
    left, right = margins
    size = row.size
    if row.bottom - before.bottom > max(PARAGRAPH_GAP * usual, 1.05 * size):
        return True
    if abs(size - before.size) > SIZE_CHANGE * max(size, before.size):
        return True
    if _BULLET.match(row.text) and (
        abs(row.left - before.left) > 0.3 * size
        or _BULLET.match(before.text)
        or _ENDED.search(before.text)
    ):
        return True
    if is_cjk(row.text[0]) and _RIGHT_TO_LEFT.match(row.text) is None and row.text[0] == "\u3000":
        return True
    indented = row.left - max(before.left, left) > INDENT * size
    if indented and row.left - left < 6 * size and not _BULLET.match(before.text):
        return True
    short = right - before.right > 0.2 * (right - left)
    return short and _ENDED.search(before.text) is not None
