"""Nodes and edges as flat columns, for the formats that have nothing else (GraphML, GEXF, CSV, Parquet, Cypher).

Plain members stand in columns of their own. What is a list or an object is JSON text; ``assertions`` hold who said what, when and on
which words. The columns of an edge that only show its best assertion are for readers: coming back, ``assertions`` decide.
"""

from __future__ import annotations

import re

from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.views.records import (
    NotARecord,
    as_line,
    edge_as_json,
    edge_from_json,
    node_as_json,
    node_from_json,
)
from kgraph.views.snapshot import Edge, Node

TEXT, WHOLE, REAL, JSON = "string", "int", "double", "json"

NODE_COLUMNS: dict[str, str] = {
    "id": TEXT, "type": TEXT, "name": TEXT, "qualifier": TEXT, "description": TEXT, "aliases": JSON, "fields": JSON, "attrs": JSON,
    "valid_from": TEXT, "valid_to": TEXT, "canonical": TEXT, "degree": WHOLE, "assertions": JSON,
}  # fmt: skip
EDGE_COLUMNS: dict[str, str] = {
    "id": TEXT, "source": TEXT, "target": TEXT, "predicate": TEXT, "kind": TEXT, "source_doc": TEXT, "quote": TEXT, "confidence": REAL,
    "status": TEXT, "assertions": JSON,
}  # fmt: skip
_SHOWN = ("source_doc", "quote", "confidence", "status")


def node_cells(node: Node) -> dict[str, Json]:
    """Column → value; members that say nothing are missing."""
    members = node_as_json(node)
    return {
        name: as_line(members[name]) if kind == JSON else members[name]
        for name, kind in NODE_COLUMNS.items()
        if name in members
    }


def edge_cells(edge: Edge) -> dict[str, Json]:
    members = edge_as_json(edge)
    shown = edge.shown
    members |= {
        "source_doc": shown.source_doc,
        "quote": shown.quote,
        "confidence": shown.confidence,
        "status": shown.status,
    }
    return {
        name: as_line(members[name]) if kind == JSON else members[name]
        for name, kind in EDGE_COLUMNS.items()
        if members.get(name) not in (None, "")
    }


def node_from_cells(cells: dict[str, str]) -> Node:
    """Raises ``NotARecord``. Columns of others are kept in ``attrs`` as text."""
    return node_from_json(_members(cells, NODE_COLUMNS))


def edge_from_cells(cells: dict[str, str]) -> Edge:
    """Raises ``NotARecord``. An edge without ``assertions`` (written by someone else) gets one from its plain columns."""
    members = _members(
        {name: value for name, value in cells.items() if name not in _SHOWN}, EDGE_COLUMNS
    )
    if not members.get("assertions"):
        said: dict[str, Json] = {
            name: cells[name] for name in ("source_doc", "quote") if cells.get(name)
        }
        if cells.get("confidence"):
            said["confidence"] = _number(cells["confidence"], "confidence", float)
        members["assertions"] = [said]
    return edge_from_json(members)


def _members(cells: dict[str, str], columns: dict[str, str]) -> dict[str, Json]:
    members: dict[str, Json] = {}
    for name, value in cells.items():
        kind = columns.get(name, TEXT)
        if value == "":
            continue
        if kind == JSON:
            try:
                members[name] = json_value(value)
            except ValueError as problem:
                raise NotARecord(f"'{name}' is not JSON: {problem}") from problem
        else:
            members[name] = (
                value if kind == TEXT else _number(value, name, int if kind == WHOLE else float)
            )
    return members


def _number(value: str, name: str, kind: type[int] | type[float]) -> int | float:
    try:
        return kind(value)
    except ValueError as problem:
        raise NotARecord(f"'{name}' is not a number: {value[:40]}") from problem


# -- text in XML -------------------------------------------------------------------------------------------------------------------

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_CODED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def xml_text(value: str) -> str:
    """Text for an XML element or attribute. What XML 1.0 can't hold is written ``_xHHHH_``, as spreadsheets and XmlConvert do."""
    coded = _ILLEGAL.sub(lambda found: f"_x{ord(found[0]):04X}_", value)
    marked = (
        coded.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )
    return (
        marked.replace("\r", "&#13;")
        .replace("\n", "&#10;")
        .replace("\t", "&#9;")
        .replace("\x85", "&#133;")
        .replace("\u2028", "&#8232;")
    )


def from_xml_text(value: str) -> str:
    return _CODED.sub(lambda found: chr(int(found[1], 16)), value)
