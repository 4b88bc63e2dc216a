"""The nodes of a payload: their shape (E101, E102, W214) and the events that they become."""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

from kgraph.contract.decode import kind_of
from kgraph.contract.fields import (
    KINDS_OF_NODE,
    MAX_NAME,
    OWN_FIELDS,
    WIRE,
    aliases_are_sound,
    field_fault,
    field_hint,
    interval_fault,
    merge_attrs,
    name_fault,
)
from kgraph.contract.findings import Findings
from kgraph.contract.identity import normalise_uri
from kgraph.events.hashing import sha256
from kgraph.ontology import NODE_TYPES, RULES, fold

_TYPES = tuple(NODE_TYPES)
_HEAD = {type_: f'["{type_}",' for type_ in NODE_TYPES}
_PREFIX = {type_: kind.prefix + "_" for type_, kind in NODE_TYPES.items()}


class Nodes:
    """The payload's nodes, one entry each in every list. One that can't be used (no known type, no name) has no event and the type ''."""

    __slots__ = (
        "count",
        "doubtful",
        "events",
        "folds",
        "given",
        "ids",
        "keys",
        "names",
        "refused",
        "types",
    )

    def __init__(self, count: int) -> None:
        self.count = count
        self.events: list[dict[str, Any] | None] = [None] * count
        self.types = [""] * count
        self.names: list[str | None] = [None] * count
        self.folds = [""] * count  # folded names
        self.keys = [""] * count  # the ids that type and identity key make
        self.given: dict[int, str] = {}  # explicit ids, by position
        self.ids = [""] * count  # the ids that the nodes have in the end (identity.assign)
        self.doubtful: set[int] = (
            set()
        )  # positions of nodes with a member that can't be read: they may satisfy any invariant
        self.refused: set[str] = (
            set()
        )  # names, folded names, aliases and ids of nodes that can't be used

    def path(self, number: int) -> str:
        return f"$.nodes[{number}]"


def read_nodes(items: Sequence[Any], source_root: str, findings: Findings) -> Nodes:
    """Check the shape of every node and build its event, all but the id."""
    nodes = Nodes(len(items))
    events, types, names, folds, keys = (
        nodes.events,
        nodes.types,
        nodes.names,
        nodes.folds,
        nodes.keys,
    )
    name: Any
    description: Any
    for number, item in enumerate(items):
        if item.__class__ is not dict:
            findings.error(
                "E101", nodes.path(number), f"a node must be an object, not {kind_of(item)}"
            )
            continue
        type_ = item.get("type")
        name = item.get("name")
        sound = (
            name.__class__ is str
            and name.isprintable()
            and name
            and not name.isspace()
            and len(name) <= MAX_NAME
        )
        usable = sound or _usable_name(nodes.path(number), item, findings)
        if not usable or type_.__class__ is not str or type_ not in KINDS_OF_NODE:
            _refuse(nodes, number, item, findings)
            continue
        event: dict[str, Any] = {"kind": "node", "id": "", "type": type_, "name": name}
        left = len(item) - 2
        description, aliases = item.get("description"), item.get("aliases")
        if description.__class__ is str:
            left -= 1
            if description and not description.isspace():
                event["description"] = description
        if aliases.__class__ is list and _are_names(aliases):
            left -= 1
            event["aliases"] = aliases
        if left:  # nearly all nodes have no other members
            _members(nodes, number, item, event, findings)
        events[number] = event
        types[number] = type_
        names[number] = name
        folded = folds[number] = " ".join(name.lower().split()) if name.isascii() else fold(name)
        qualifier = ""
        key = "name:" + folded
        if left:
            if "unknown" in event:
                merge_attrs(nodes.path(number), event, event.pop("unknown"), findings)
            if "valid_to" in event:
                _interval(nodes.path(number), event, findings)
            uri = event.get("uri")
            if uri is not None:
                uri = event["uri"] = normalise_uri(uri, source_root)
                if uri:
                    key = "uri:" + uri
                else:
                    del event["uri"]  # a bare fragment names no document
            qualifier = fold(event["qualifier"]) if "qualifier" in event else ""
        text = f"{_HEAD[type_]}{_quoted(key)},{_quoted(qualifier) if qualifier else 'null'}]"
        keys[number] = _PREFIX[type_] + sha256(text.encode()).hexdigest()[:20]
    return nodes


def _are_names(aliases: list[Any]) -> bool:
    for alias in aliases:
        if (
            alias.__class__ is not str
            or not alias.isprintable()
            or not alias
            or alias.isspace()
            or len(alias) > MAX_NAME
        ):
            return False
    return bool(aliases)


def _members(
    nodes: Nodes, number: int, item: dict[str, Any], event: dict[str, Any], findings: Findings
) -> None:
    """The members beside type, name, and sound description and aliases."""
    kinds = KINDS_OF_NODE[event["type"]]
    for key, value in item.items():
        if key in ("type", "name") or (key in event and key in ("description", "aliases")):
            continue
        if value is not None or key not in kinds:
            _member(nodes, number, (key, value), event, findings)


def _member(
    nodes: Nodes, number: int, member: tuple[str, Any], event: dict[str, Any], findings: Findings
) -> None:
    """One member of a node beside type, name and a sound description: check it, and put it into the event if it says something."""
    key, value = member
    kind = KINDS_OF_NODE[event["type"]].get(key)
    if kind is None:
        if value is not None or key not in OWN_FIELDS:
            event.setdefault("unknown", {})[key] = value
        return
    path = f"$.nodes[{number}].{key}"
    if kind == "strings":
        if aliases_are_sound(path, value, findings) and value:
            event[key] = value
        return
    fault = field_fault(kind, key, value)
    if fault:
        findings.error("E101", path, f"`{key}` {fault}", field_hint(kind))
        nodes.doubtful.add(number)
    elif key == "id":
        if value.strip():
            nodes.given[number] = value
        else:
            findings.error("E101", path, "`id` is blank", RULES["E111"].hint)
    elif (value.__class__ is not str and value != {}) or (
        value.__class__ is str and not value.isspace() and value
    ):
        event[WIRE["node"] if key == "kind" else key] = value


def _usable_name(path: str, item: dict[str, Any], findings: Findings) -> bool:
    """Whether the node can be named at all. A name that only breaks a rule of form is used all the same: no end is unknown for it."""
    name = item.get("name")
    if name is None:
        findings.error("E101", f"{path}.name", "a node without `name`")
        return False
    if not isinstance(name, str):
        findings.error("E101", f"{path}.name", f"`name` must be text, not {kind_of(name)}")
        return False
    fault = name_fault(name)
    if fault:
        findings.error("E101", f"{path}.name", f"the name {fault}")
    return bool(name.strip()) and fault != "is blank"


def _refuse(nodes: Nodes, number: int, item: dict[str, Any], findings: Findings) -> None:
    """Report the type, and remember every way to name the node, so that an edge to it isn't reported as well."""
    type_ = item.get("type")
    path = f"{nodes.path(number)}.type"
    if type_ is None:
        findings.error("E101", path, "a node without `type`", f"one of {', '.join(_TYPES)}")
    elif not isinstance(type_, str):
        findings.error(
            "E101",
            path,
            f"`type` must be text, not {kind_of(type_)}",
            f"one of {', '.join(_TYPES)}",
        )
    elif type_ not in NODE_TYPES:
        findings.error(
            "E102",
            path,
            f"unknown node type {type_[:80]!r}",
            unknown_hint("E102", findings.nearest(type_, _TYPES), _TYPES),
        )
    names = [item.get("name"), item.get("id")]
    if isinstance(item.get("aliases"), list):
        names += item["aliases"]
    for name in names:
        if isinstance(name, str):
            nodes.refused.update((name, fold(name)))


def _interval(path: str, event: dict[str, Any], findings: Findings) -> None:
    fault = interval_fault(event.get("valid_from"), event["valid_to"])
    if fault:
        findings.error(
            "E101",
            f"{path}.valid_to",
            f"the interval {fault}",
            "intervals are half-open: `valid_to` is the first moment after",
        )


def unknown_hint(code: str, near: str, known: tuple[str, ...]) -> str:
    """The hint of E102 and E103: the nearest known word, if one is near, and all of them."""
    hint = RULES[code].hint.format(nearest=near, known=", ".join(known))
    return hint if near else hint.partition("? ")[2]
