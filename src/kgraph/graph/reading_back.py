"""Our own JSON export as a payload: what a graph says, for ``ingest``. ``import`` takes in who said it as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NODE_MEMBERS = (
    "id",
    "type",
    "name",
    "description",
    "aliases",
    "qualifier",
    "valid_from",
    "valid_to",
    "attrs",
)
EDGE_MEMBERS = ("source_doc", "quote", "confidence", "attrs", "valid_from", "valid_to", "role")


def is_export(payload: Mapping[str, Any]) -> bool:
    return (
        payload.get("kgraph") == "graph"
        and isinstance(payload.get("nodes"), list)
        and isinstance(payload.get("edges"), list)
    )


def as_payload(export: Mapping[str, Any]) -> dict[str, Any]:
    """The statements of an export without what was counted or worked out. What is no node or edge stays, for the contract to refuse."""
    rows = [row for row in export["edges"] if isinstance(row, dict)]
    kinds = {
        row["id"]: row.get("type")
        for row in export["nodes"]
        if isinstance(row, dict) and isinstance(row.get("id"), str)
    }
    tied = {
        row.get("target")
        for row in rows
        if row.get("predicate") == "SUPPORTS" and kinds.get(str(row.get("source"))) == "Source"
    }
    tied |= {
        row.get("source")
        for row in rows
        if row.get("predicate") == "DERIVED_FROM" and kinds.get(str(row.get("target"))) == "Source"
    }
    nodes = [_node(row, tied) if isinstance(row, dict) else row for row in export["nodes"]]
    edges = [
        edge
        for row in export["edges"]
        for edge in (_edges(row) if isinstance(row, dict) else [row])
    ]
    return {"nodes": nodes, "edges": edges}


def _node(row: Mapping[str, Any], tied: set[Any]) -> dict[str, Any]:
    """A Claim that has a source is no inference while it has one."""
    node = {key: row[key] for key in NODE_MEMBERS if key in row}
    if isinstance(row.get("fields"), dict):
        node |= row["fields"]
    if row.get("id") in tied:
        node.pop("inference", None)
    return node


def _edges(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One edge for each assertion, so that each keeps its own citation."""
    said = [one for one in row.get("assertions") or () if isinstance(one, dict)] or [{}]
    base = {key: row[key] for key in ("predicate", "source", "target", "kind") if key in row}
    return [base | {key: one[key] for key in EDGE_MEMBERS if key in one} for one in said]
