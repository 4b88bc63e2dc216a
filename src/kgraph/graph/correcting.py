"""Corrections by hand that last: a member of a node is set, and what sources say of it later doesn't change it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgraph.errors import Exists, NotAllowed, UsageError
from kgraph.events import Draft, Event
from kgraph.graph import writing
from kgraph.graph.answers import Ingestion
from kgraph.graph.citing import SourceCache
from kgraph.graph.engine import Engine
from kgraph.graph.references import node_of
from kgraph.index.read import NodeView
from kgraph.tuples import NamedTuple

# what may be corrected → its name in an event; a uri or qualifier is a node's identity, and its type is in its id
MEMBERS = {
    "name": "name", "description": "description", "kind": "of_kind", "event_time": "event_time", "version": "version",
    "rubric": "rubric", "result": "result", "valid_from": "valid_from", "valid_to": "valid_to",
}  # fmt: skip


class EditOptions(NamedTuple):
    """Why a correction is made, and by which run. ``aliases`` are added to those that the node has."""

    reason: str = ""
    run_id: str = ""
    aliases: tuple[str, ...] = ()


class Edited(NamedTuple):
    """``before`` and ``after``: the corrected members. ``unchanged``: they stood so already and nothing was written."""

    tx: str
    unchanged: bool
    node: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


def edit(engine: Engine, ref: str, changes: Mapping[str, Any], how: EditOptions) -> Edited:
    """Set members of the node that ``ref`` names, in one transaction."""
    if not changes and not how.aliases:
        raise UsageError("nothing to correct was given", "give --description, --kind, --alias …")
    node = node_of(engine.reader(), ref)
    _judge(engine, node, changes, how)
    before = {key: _now(node, key) for key in changes}
    corrected = set(node.fields.get("corrected", ()))
    known = set(how.aliases) <= set(node.aliases)
    if known and before == dict(changes) and corrected >= set(changes):
        return Edited("", True, node.id, before, dict(changes))
    event: Event = {"kind": "node", "id": node.id, "type": node.type, "name": node.name}
    event |= {MEMBERS[key]: value for key, value in changes.items()}
    if how.aliases:
        event["aliases"] = list(how.aliases)
    event["corrects"] = sorted(changes)
    with engine.writing() as writer:
        done = writer.record(Draft("edit", [event], how.run_id, reason=how.reason))
    return Edited(done.id, False, node.id, before, dict(changes))


def _judge(engine: Engine, node: NodeView, changes: Mapping[str, Any], how: EditOptions) -> None:
    """Hold the new values against the contract, and a new name against the names that are taken."""
    unknown = [key for key in changes if key not in MEMBERS]
    if unknown:
        raise UsageError(f"'{unknown[0]}' can't be corrected", "one of " + ", ".join(MEMBERS))
    name = changes.get("name", node.name)
    taken = [
        other
        for other in engine.reader().look_up(name, node.type)
        if other.nid != node.nid and "name" in changes
    ]
    if taken:
        raise Exists(
            f"another {node.type} is called '{name}' ({taken[0].id})",
            f"if they are one thing: kgraph resolve --canonical {taken[0].id} --alias {node.id} --rationale WHY",
        )
    tried = {"type": node.type, "name": name, "description": node.description}
    for key in ("uri", "qualifier", "version", "rubric", "result", "kind", "event_time"):
        if node.fields.get(key):
            tried[key] = node.fields[key]
    tried |= {**changes, **({"aliases": list(how.aliases)} if how.aliases else {})}
    shelf = SourceCache("", (), {})
    said = writing.judge(engine, {"nodes": [tried], "edges": []}, Ingestion(), shelf)
    if said.errors:
        raise NotAllowed(said.errors[0].message, said.errors[0].hint)


def _now(node: NodeView, key: str) -> Any:
    return getattr(node, key) if key in ("name", "description") else node.fields.get(key, "")
