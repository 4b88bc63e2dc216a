"""``csv`` (nodes.csv and edges.csv, RFC 4180) and ``parquet``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kgraph.errors import MissingExtra
from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.views.exchange.columns import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    REAL,
    WHOLE,
    edge_cells,
    edge_from_cells,
    node_cells,
    node_from_cells,
)
from kgraph.views.records import NotARecord, as_line, meta_as_json, meta_from_json
from kgraph.views.snapshot import GraphMeta, Snapshot

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
META = "kgraph"  # the last column's name; its first row holds the graph's own data
ROWS_A_GROUP = 50_000


def nodes_csv(snapshot: Snapshot, raw: bool = False) -> Iterator[str]:
    return _csv(
        NODE_COLUMNS, map(node_cells, snapshot.nodes), as_line(meta_as_json(snapshot.meta)), raw
    )


def edges_csv(snapshot: Snapshot, raw: bool = False) -> Iterator[str]:
    return _csv(EDGE_COLUMNS, map(edge_cells, snapshot.edges), as_line({"format": 1}), raw)


def _guarded(cell: Json, raw: bool) -> str:
    """A cell that no spreadsheet takes for a formula: an apostrophe goes before a text that begins like one, and ``_plain`` takes it away."""
    text = str(cell)
    return f"'{text}" if not raw and isinstance(cell, str) and _FORMULA.match(text) else text


def _plain(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def _csv(
    columns: dict[str, str], rows: Iterable[dict[str, Json]], meta: str, raw: bool
) -> Iterator[str]:
    """The graph's data travel in a column of their own on the first row; an empty graph has that row alone."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([*columns, META])
    for cells in rows:
        shown = [_guarded(cells.get(name, ""), raw) for name in columns]
        writer.writerow([*shown, meta])
        meta = ""
        if buffer.tell() > 65_536:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    if meta:
        writer.writerow([*("" for _ in columns), meta])
    yield buffer.getvalue()


def read_csv(nodes: str, edges: str) -> Snapshot:
    """The two files' texts (as they are, line ends kept). Raises ``NotARecord`` with the row."""
    meta: list[GraphMeta] = []
    found = tuple(_read(nodes, node_from_cells, "nodes.csv", meta))
    tied = tuple(_read(edges, edge_from_cells, "edges.csv", []))
    return Snapshot(meta[0] if meta else GraphMeta(""), found, tied)


def _read(
    text: str, make: Callable[[dict[str, str]], Any], file: str, meta: list[GraphMeta]
) -> Iterator[Any]:
    csv.field_size_limit(2**31 - 1)
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), restkey="")
    for number, row in enumerate(rows, 2):
        cells = {
            name: _plain(value)
            for name, value in row.items()
            if isinstance(name, str) and name and isinstance(value, str)
        }
        about = cells.pop(META, "")
        try:
            if about:
                meta.append(meta_from_json(json_value(about)))
            if any(cells.values()):
                yield make(cells)
        except (NotARecord, ValueError) as problem:
            raise NotARecord(f"{file}, record {number}: {problem}") from problem


def nodes_parquet(snapshot: Snapshot) -> bytes:
    return _parquet(NODE_COLUMNS, map(node_cells, snapshot.nodes), snapshot.meta)


def edges_parquet(snapshot: Snapshot) -> bytes:
    return _parquet(EDGE_COLUMNS, map(edge_cells, snapshot.edges), snapshot.meta)


def _parquet(columns: dict[str, str], rows: Iterable[dict[str, Json]], meta: GraphMeta) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("export to Parquet", "parquet") from None
    kinds = {WHOLE: pyarrow.int64(), REAL: pyarrow.float64()}
    about = {"kgraph": as_line(meta_as_json(meta))}
    schema = pyarrow.schema(
        [(name, kinds.get(kind, pyarrow.string())) for name, kind in columns.items()],
        metadata=about,
    )
    sink = pyarrow.BufferOutputStream()
    with pyarrow.parquet.ParquetWriter(sink, schema) as writer:
        batch: list[dict[str, Json]] = []
        for cells in rows:
            batch.append(cells)
            if len(batch) == ROWS_A_GROUP:
                writer.write_table(pyarrow.Table.from_pylist(batch, schema))
                batch = []
        if batch:
            writer.write_table(pyarrow.Table.from_pylist(batch, schema))
    return bytes(sink.getvalue())
