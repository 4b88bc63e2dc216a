"""The repairs inside a payload: reversed SUPPORTS, edges that name nothing, edges under the floor, ids that nobody holds."""

from __future__ import annotations

from typing import Any

from kgraph.contract.assign import assign
from kgraph.contract.edge_fields import FLOOR, SYNONYMS
from kgraph.contract.endpoints import Directory, Ends
from kgraph.contract.findings import Findings
from kgraph.contract.nodes import Nodes, read_nodes
from kgraph.contract.pairing import allowed_pairs
from kgraph.contract.view import View
from kgraph.model import Json
from kgraph.ontology import PREDICATES

Repairs = list[dict[str, Json]]


DROPS = frozenset(
    ("unknown-endpoint", "confidence-floor")
)  # codes of the repairs that lose an edge


def amend(
    payload: dict[str, Any], view: View, source_root: str
) -> tuple[dict[str, Any], Repairs, int]:
    """A repaired copy, what was done, and how many edges were dropped. A payload without its two lists comes back as it is."""
    node_items, edge_items = payload.get("nodes"), payload.get("edges")
    if not isinstance(node_items, list) or not isinstance(edge_items, list):
        return payload, [], 0
    scratch = Findings()  # what is wrong is reported by the check of the repaired payload
    nodes = read_nodes(node_items, source_root, scratch)
    known = assign(nodes, view, scratch)
    directory = Directory(nodes, known.clashing)
    directory.ask(
        [text for item in edge_items for text in _ends(item) if isinstance(text, str)], view
    )
    renamed = _ids_to_forget(nodes, known.clashing, view)
    repairs: Repairs = []
    kept: list[Any] = []
    for number, item in enumerate(edge_items):
        path = f"$.edges[{number}]"
        reason = _why_drop(item, directory)
        if reason:
            code, message = reason
            repairs.append({"path": path, "code": code, "message": message, "original": item})
            continue
        if _is_reversed(item, directory):
            repairs.append(
                {
                    "path": path,
                    "code": "reversed",
                    "message": "the ends of a reversed SUPPORTS swapped",
                    "original": item,
                }
            )
            item = _swapped(item)
        kept.append(_renamed(item, renamed))
    copied = list(node_items)
    for number in sorted(nodes.given):
        id_ = nodes.given[number]
        if id_ in renamed:
            copied[number] = {
                key: value for key, value in node_items[number].items() if key != "id"
            }
            message = "an id that the graph does not hold forgotten; edges to it were tied first"
            repairs.append(
                {
                    "path": f"$.nodes[{number}].id",
                    "code": "unknown-id",
                    "message": message,
                    "original": id_,
                }
            )
    return {**payload, "nodes": copied, "edges": kept}, repairs, len(edge_items) - len(kept)


def _ids_to_forget(nodes: Nodes, clashing: set[str], view: View) -> dict[str, str]:
    """For each explicit id that the graph doesn't hold: the id that type and identity key make, by which the edges find the node."""
    held = view.by_ids(list(dict.fromkeys(nodes.given.values()))) if nodes.given else {}
    found: dict[str, str] = {}
    for number, id_ in nodes.given.items():
        live = id_ in held and held[id_].live
        if nodes.keys[number] and not live and id_ not in clashing:
            found[id_] = nodes.keys[number]
    return found


def _why_drop(item: Any, directory: Directory) -> tuple[str, str] | None:
    """(code, message) if the edge has to go: it names nothing that exists, or its confidence is under the floor."""
    if not isinstance(item, dict):
        return None
    for text in _ends(item):
        if (
            isinstance(text, str)
            and text.strip()
            and not directory.find(text)
            and not directory.is_refused(text)
        ):
            return "unknown-endpoint", f"an edge dropped: {text!r} names no node"
    confidence = item.get("confidence")
    if (
        isinstance(confidence, (int, float))
        and not isinstance(confidence, bool)
        and 0 <= confidence < FLOOR
    ):
        return (
            "confidence-floor",
            f"an edge dropped: its confidence of {confidence} is under {FLOOR}",
        )
    return None


def _is_reversed(item: Any, directory: Directory) -> bool:
    if not isinstance(item, dict) or _given(item, "predicate") != "SUPPORTS":
        return False
    source, target = _ends(item)
    if not isinstance(source, str) or not isinstance(target, str):
        return False
    subjects: Ends = directory.find(source)
    objects: Ends = directory.find(target)
    signature = PREDICATES["SUPPORTS"]
    return not allowed_pairs(signature, (subjects, objects)) and bool(
        allowed_pairs(signature, (objects, subjects))
    )


def _swapped(item: dict[str, Any]) -> dict[str, Any]:
    source, target = (
        name if item.get(name) is not None else SYNONYMS[name] for name in ("source", "target")
    )
    return {**item, source: item[target], target: item[source]}


def _renamed(item: Any, renamed: dict[str, str]) -> Any:
    if not renamed or not isinstance(item, dict):
        return item
    changed = {
        key: renamed[item[key]]
        for name in ("source", "target")
        for key in (name, SYNONYMS[name])
        if isinstance(item.get(key), str) and item[key] in renamed
    }
    return {**item, **changed} if changed else item


def _ends(item: Any) -> tuple[Any, Any]:
    if not isinstance(item, dict):
        return None, None
    return _given(item, "source"), _given(item, "target")


def _given(item: dict[str, Any], name: str) -> Any:
    value = item.get(name)
    return item.get(SYNONYMS[name]) if value is None else value
