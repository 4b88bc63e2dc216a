"""The formats by name: what ``export`` can write and ``import`` can read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from kgraph.errors import MissingExtra, UsageError
from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple
from kgraph.views.exchange.foreign import Foreign
from kgraph.views.graph_json import graph_json
from kgraph.views.records import NotARecord, edge_from_json, meta_from_json, node_from_json
from kgraph.views.snapshot import Edge, GraphMeta, Node, Snapshot

Record = TypeVar("Record", Node, Edge)

EXPORTS = (
    "json",
    "jsonl",
    "graphml",
    "gexf",
    "dot",
    "mermaid",
    "csv",
    "neo4j",
    "ladybug",
    "canvas",
    "cypher",
    "jsonld",
    "turtle",
    "obsidian",
    "parquet",
)
FOLDERS = (
    "csv",
    "neo4j",
    "ladybug",
    "obsidian",
    "parquet",
)  # formats of several files: they go into a folder, never to '-'
IMPORTS = ("json", "jsonl", "graphml", "csv", "jsonld", "memory", "graphrag", "lightrag")
_GRAPHRAG_TABLES = ("entities", "relationships", "text_units", "documents")
_LIGHTRAG_GRAPH = "graph_chunk_entity_relation.graphml"
_LIGHTRAG_CHUNKS = "kv_store_text_chunks.json"


class ExportFile(NamedTuple):
    """``name`` is '' for the formats that are one file."""

    name: str
    chunks: Iterable[str] | Iterable[bytes]


def export(snapshot: Snapshot, form: str, raw: bool = False) -> Iterator[ExportFile]:
    """The files of a format, each in pieces. Raises ``UsageError`` for a format that isn't one, ``MissingExtra`` for parquet."""
    if form not in EXPORTS:
        raise UsageError(f"'{form}' is no export format", "one of " + ", ".join(EXPORTS))
    if form == "csv":
        from kgraph.views.exchange.tables import edges_csv, nodes_csv

        yield ExportFile("nodes.csv", nodes_csv(snapshot, raw))
        yield ExportFile("edges.csv", edges_csv(snapshot, raw))
    elif form == "parquet":
        from kgraph.views.exchange.tables import edges_parquet, nodes_parquet

        yield ExportFile("nodes.parquet", [nodes_parquet(snapshot)])
        yield ExportFile("edges.parquet", [edges_parquet(snapshot)])
    elif form in ("neo4j", "ladybug"):
        from kgraph.views.exchange import engines

        files = engines.ladybug if form == "ladybug" else engines.neo4j_admin
        for name, text in files(snapshot):
            yield ExportFile(name, [text])
    elif form == "obsidian":
        from kgraph.views.exchange.obsidian import obsidian

        for name, text in obsidian(snapshot):
            yield ExportFile(name, [text])
    else:
        yield ExportFile("", _single(snapshot, form))


def _single(snapshot: Snapshot, form: str) -> Iterator[str]:
    if form == "json":
        return graph_json(snapshot)
    if form == "jsonl":
        from kgraph.views.exchange.lines import jsonl

        return jsonl(snapshot)
    if form in ("graphml", "gexf"):
        from kgraph.views.exchange import xml_graphs

        return xml_graphs.graphml(snapshot) if form == "graphml" else xml_graphs.gexf(snapshot)
    if form in ("dot", "cypher"):
        from kgraph.views.exchange import text_graphs

        return text_graphs.dot(snapshot) if form == "dot" else text_graphs.cypher(snapshot)
    if form == "canvas":
        from kgraph.views.exchange.canvas import canvas

        return canvas(snapshot)
    if form == "mermaid":
        from kgraph.views.mermaid import mermaid

        return mermaid(snapshot, whole=True)
    from kgraph.views.exchange import prov

    return prov.jsonld(snapshot) if form == "jsonld" else prov.turtle(snapshot)


# -- reading -----------------------------------------------------------------------------------------------------------------------


def read(path: str, form: str = "") -> Snapshot | Foreign:
    """A file or folder in one of ``IMPORTS``, by its looks unless ``form`` says. A log isn't read here (``looks_like`` says '').

    Raises ``UsageError`` with what is wrong in the file.
    """
    form = form or looks_like(path)
    if form not in IMPORTS:
        raise UsageError(
            f"{path} is in no format that import knows",
            "say which with --format: " + ", ".join(IMPORTS),
        )
    try:
        return _read(path, form)
    except (NotARecord, UnicodeDecodeError) as problem:
        raise UsageError(f"{path} can't be read as {form}: {problem}") from problem


def looks_like(path: str) -> str:
    """The format of a file or folder by its name and first bytes; '' for anything else, a kgraph log among it."""
    if os.path.isdir(path):
        held = set(os.listdir(path))
        if {"nodes.csv", "edges.csv"} <= held:
            return "csv"
        if _LIGHTRAG_GRAPH in held:
            return "lightrag"
        return "graphrag" if any(_graphrag_file(held, "entities")) else ""
    with open(path, "rb") as file:
        start = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"<"):
        return "graphml" if b"graphml" in start else ""
    first = start.split(b"\n", 1)[0]
    if start.startswith(b"{") and b'"@context"' in start:
        return "jsonld"
    if b'"kgraph":"graph"' in first:
        return "jsonl"
    if b'"kgraph": "graph"' in start:
        return "json"
    if b'"type"' in first and (b'"entity"' in first or b'"relation"' in first):
        return "memory"
    return "csv" if os.path.basename(path) in ("nodes.csv", "edges.csv") else ""


def _read(path: str, form: str) -> Snapshot | Foreign:
    if form == "csv":
        from kgraph.views.exchange.tables import read_csv

        folder = path if os.path.isdir(path) else os.path.dirname(path)
        nodes, edges = (
            _bytes(os.path.join(folder, name)).decode("utf-8-sig")
            for name in ("nodes.csv", "edges.csv")
        )
        return read_csv(nodes, edges)
    if form in ("graphrag", "lightrag"):
        return _folder(path, form)
    raw = _bytes(path)
    if form == "json":
        return read_json(raw)
    if form == "jsonl":
        return read_jsonl(raw)
    if form == "graphml":
        from kgraph.views.exchange.xml_graphs import read_graphml

        return read_graphml(raw)
    if form == "jsonld":
        from kgraph.views.exchange.prov import read_jsonld

        return read_jsonld(raw)
    from kgraph.views.exchange.foreign import memory_server

    return memory_server(raw, os.path.basename(path))


def read_json(raw: bytes) -> Snapshot:
    """What ``graph_json`` wrote. Raises ``NotARecord``."""
    whole = _json(raw, "the file")
    if (
        not isinstance(whole, dict)
        or not isinstance(whole.get("nodes"), list)
        or not isinstance(whole.get("edges"), list)
    ):
        raise NotARecord("no object with the lists 'nodes' and 'edges'")
    nodes = tuple(
        _numbered(node_from_json, one, f"nodes[{number}]")
        for number, one in enumerate(whole["nodes"])
    )
    edges = tuple(
        _numbered(edge_from_json, one, f"edges[{number}]")
        for number, one in enumerate(whole["edges"])
    )
    return Snapshot(meta_from_json(whole.get("graph", {})), nodes, edges)


def read_jsonl(raw: bytes) -> Snapshot:
    """What ``jsonl`` wrote. Raises ``NotARecord`` with the line."""
    meta = GraphMeta("")
    nodes: list[Node] = []
    edges: list[Edge] = []
    for number, line in enumerate(raw.decode("utf-8-sig").split("\n"), 1):
        if not line.strip():
            continue
        record = _json(line.encode("utf-8", "surrogatepass"), f"line {number}")
        if not isinstance(record, dict):
            raise NotARecord(f"line {number}: not an object")
        if "node" in record:
            nodes.append(_numbered(node_from_json, record["node"], f"line {number}"))
        elif "edge" in record:
            edges.append(_numbered(edge_from_json, record["edge"], f"line {number}"))
        elif "graph" in record:
            meta = meta_from_json(record["graph"])
        else:
            raise NotARecord(f"line {number}: neither 'node', 'edge' nor 'graph'")
    return Snapshot(meta, tuple(nodes), tuple(edges))


def _numbered(make: Callable[[Json], Record], value: Json, where: str) -> Record:
    try:
        return make(value)
    except NotARecord as problem:
        raise NotARecord(f"{where}: {problem}") from problem


def _folder(path: str, form: str) -> Foreign:
    from kgraph.views.exchange import foreign

    if form == "lightrag":
        chunks_file = os.path.join(path, _LIGHTRAG_CHUNKS)
        chunks: Mapping[str, Mapping[str, Json]] = (
            _json(_bytes(chunks_file), _LIGHTRAG_CHUNKS) if os.path.exists(chunks_file) else {}
        )
        return foreign.lightrag(_bytes(os.path.join(path, _LIGHTRAG_GRAPH)), chunks)
    held = set(os.listdir(path))
    tables = {}
    for table in _GRAPHRAG_TABLES:
        found = _graphrag_file(held, table)
        if found:
            tables[table] = _rows(os.path.join(path, found[0]))
    return foreign.graphrag(tables)


def _graphrag_file(held: set[str], table: str) -> list[str]:
    names = (
        f"{prefix}{table}{ending}"
        for prefix in ("", "create_final_")
        for ending in (".parquet", ".jsonl", ".json", ".csv")
    )
    return [name for name in names if name in held]


def _rows(path: str) -> list[dict[str, Json]]:
    if path.endswith(".parquet"):
        try:
            import pyarrow.parquet
        except ImportError:
            raise MissingExtra("import from Parquet", "parquet") from None
        rows: list[dict[str, Json]] = pyarrow.parquet.read_table(path).to_pylist()
        return rows
    text = _bytes(path).decode("utf-8-sig")
    if path.endswith(".csv"):
        import csv
        import io

        return [dict(row) for row in csv.DictReader(io.StringIO(text, newline=""))]
    if path.endswith(".jsonl"):
        return [
            _json(line.encode(), os.path.basename(path))
            for line in text.split("\n")
            if line.strip()
        ]
    found = _json(text.encode(), os.path.basename(path))
    if not isinstance(found, list):
        raise NotARecord(f"{os.path.basename(path)} is no list of rows")
    return found


def _json(raw: bytes, what: str) -> Json:
    try:
        return json_value(raw)
    except ValueError as problem:
        raise NotARecord(f"{what} is not JSON: {problem}") from problem


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
