"""Spreadsheets and tables of values: a row of a sheet is a line, a row of a CSV file says of each value what it is."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time

from kgraph.model import Block, Document, Json
from kgraph.sources.archives import Archive
from kgraph.sources.assembly import Parts, Raw
from kgraph.sources.encoding import decode
from kgraph.sources.gathering import Gatherer
from kgraph.sources.limits import Limits, Unreadable
from kgraph.sources.plain import bare_links
from kgraph.sources.rows import Rows
from kgraph.tuples import NamedTuple

MOST_CELLS = 2_000_000
DELIMITERS = ",;\t|"


def read_xlsx(raw: Raw, limits: Limits) -> Document:
    """Each sheet a section, each of its rows a line of cells; a place is a sheet and a row in it."""
    import openpyxl

    archive = Archive(raw.data, limits)
    for name in archive.names:
        archive.read(name)  # holds the limits before the library unpacks anything
    try:
        book = openpyxl.load_workbook(io.BytesIO(raw.data), read_only=True, data_only=True)
        rows = Rows()
        cells = 0
        for sheet in book.worksheets:
            rows.part = sheet.title
            rows.add("heading", sheet.title, "1")
            lines = []
            for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
                cells += len(row)
                if cells > MOST_CELLS:
                    raise Unreadable("oversized", f"more than {MOST_CELLS} cells")
                shown = [cell_text(value) for value in row]
                lines.append((f"{sheet.title}!{number}", " | ".join(shown).rstrip(" |")))
            _add_lines(rows, lines)
        metadata = {
            key: str(value)
            for key in ("title", "creator", "subject", "keywords", "created", "modified")
            if (value := getattr(book.properties, key, None))
        }
        book.close()
    except Unreadable:
        raise
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        OSError,
        SyntaxError,
    ) as error:
        raise Unreadable("malformed", str(error)) from error
    return rows.document(raw, "xlsx", metadata, str(metadata.get("title", "")))


def _add_lines(rows: Rows, lines: Sequence[tuple[str, str]]) -> None:
    """The lines of a sheet, those between empty ones as one table."""
    table: list[tuple[str, str]] = []
    for part, line in (*lines, ("", "")):
        if line.strip(" |"):
            table.append((part, line))
        elif table:
            rows.add_table(table)
            table = []


def cell_text(value: object) -> str:
    """A value as a sheet shows it: whole numbers without a fraction, dates as ISO 8601 has them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return " ".join(str(value).split())


# -- CSV ---------------------------------------------------------------------------------------------------------------------------


class _Cell(NamedTuple):
    start: int
    end: int
    quoted: bool


def read_csv(raw: Raw, limits: Limits) -> Document:
    """``Header: value; Header: value`` for each row where the first row names the columns, else its values. Bytes lead to each value."""
    decoded = decode(raw.data)
    delimiter = "\t" if raw.name.lower().endswith((".tsv", ".tab")) else _delimiter(decoded.text)
    table = list(_cells(decoded.text, delimiter))
    gathered = Gatherer(decoded)
    header = _header([[_value(decoded.text, cell) for cell in row] for row in table[:50]])
    blocks: list[Block] = []
    for number, row in enumerate(table[1:] if header else table, 2 if header else 1):
        start = gathered.length
        for column, cell in enumerate(row):
            if not _value(decoded.text, cell).strip():
                continue
            name = header[column] if column < len(header) else ""
            joint = "" if gathered.length == start else "; " if header else " | "
            gathered.put(joint + (f"{name}: " if name else ""), cell.start, cell.start)
            _take(gathered, cell)
        if gathered.length > start:
            blocks.append(Block("row", start, gathered.length, str(number)))
            gathered.put("\n", row[-1].end, row[-1].end)
    metadata: dict[str, Json] = {"columns": list(header)} if header else {}
    links = list(bare_links(gathered.text()))
    return gathered.document(raw, Parts("csv", (), blocks, links, metadata))


def _take(gathered: Gatherer, cell: _Cell) -> None:
    """A value as it stands, a doubled quote as one, a break inside it as a space."""
    last = cell.start
    for match in re.compile(r'""|\r\n?|\n').finditer(gathered.raw, cell.start, cell.end):
        if match[0] != '""' or cell.quoted:
            gathered.keep(last, match.start())
            gathered.put('"' if match[0] == '""' else " ", *match.span())
            last = match.end()
    gathered.keep(last, cell.end)


def _value(text: str, cell: _Cell) -> str:
    written = text[cell.start : cell.end]
    return written.replace('""', '"') if cell.quoted else written


def _cells(text: str, delimiter: str) -> Iterator[list[_Cell]]:
    one = re.compile(
        rf'[ ]*"((?:[^"]|"")*)"[ ]*(?={re.escape(delimiter)}|\r|\n|\Z)|([^{re.escape(delimiter)}\r\n]*)'
    )
    row: list[_Cell] = []
    at = 0
    while at <= len(text):
        match = one.match(text, at)
        if match is None:
            break
        group = 1 if match[1] is not None else 2
        row.append(_Cell(match.start(group), match.end(group), group == 1))
        at = match.end()
        if at < len(text) and text[at] == delimiter:
            at += 1
            continue
        yield row
        row = []
        at += 2 if text.startswith("\r\n", at) else 1
        if at >= len(text):
            break


def _delimiter(text: str) -> str:
    """The sign that parts the first lines into the same number of values most often."""
    lines = [line for line in text[:20_000].splitlines()[:40] if line.strip()]
    best, most = ",", 0
    for delimiter in DELIMITERS:
        counted = Counter(
            len(row) for row in csv.reader(lines, delimiter=delimiter, strict=False) if len(row) > 1
        )
        width, number = max(counted.items(), key=lambda pair: pair[1], default=(0, 0))
        if number * 100 + width > most and number:
            best, most = delimiter, number * 100 + width
    return best


def _header(rows: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns, where the first row holds names: words, all different, that no other row looks like."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return []
    names = [" ".join(name.split()) for name in rows[0]]
    words = all(name and any(char.isalpha() for char in name) and len(name) <= 60 for name in names)
    return names if words and len(set(names)) == len(names) else []
