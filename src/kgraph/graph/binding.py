"""What a split bound: a name in a source that means the node it was parted to."""

from __future__ import annotations

from typing import Any

from kgraph.index.assertions import has_notes
from kgraph.index.read import Reader
from kgraph.ontology import fold


def bound(reader: Reader, payload: dict[str, Any]) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """The payload with the nodes that a split bound to another node, and which they are: (position, id)."""
    if not has_notes(reader, "bind"):
        return payload, []
    nodes = payload.get("nodes")
    if not isinstance(nodes, list):
        return payload, []
    sources = [
        found[0].id for one in nodes
        if isinstance(one, dict) and one.get("type") == "Source" and isinstance(one.get("uri") or one.get("name"), str)
        if (found := reader.look_up(one.get("uri") or one["name"], "Source"))
    ]  # fmt: skip
    applied = []
    changed = list(nodes)
    for number, one in enumerate(nodes):
        if (
            not isinstance(one, dict)
            or one.get("id")
            or not isinstance(one.get("name"), str)
            or not isinstance(one.get("type"), str)
        ):
            continue
        for source in sources:
            notes = reader.notes("bind", f"{source} {one['type']} {fold(one['name'])}")
            if notes:
                target = str(notes[-1][1].get("node", ""))
                changed[number] = {**one, "id": target}
                applied.append((number, target))
                break
    return {**payload, "nodes": changed}, applied
