"""Which node of the payload or of the graph each node of the payload is (identity, E111)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from kgraph.contract.findings import Findings
from kgraph.contract.nodes import Nodes
from kgraph.contract.view import Held, View
from kgraph.ontology import fold


class Known:
    """What the graph holds of the payload's nodes: live ones by the ids that the payload's nodes got."""

    __slots__ = ("by_id", "clashing")

    def __init__(self, by_id: dict[str, Held], clashing: set[str]) -> None:
        self.by_id = by_id
        self.clashing = clashing  # ids that stand for two things (E111)


def assign(nodes: Nodes, view: View, findings: Findings) -> Known:
    """Give every usable node its id, in ``nodes.ids`` and in its event."""
    by_key = view.by_key_ids([key for key in dict.fromkeys(nodes.keys) if key])
    given_held = view.by_ids(list(dict.fromkeys(nodes.given.values()))) if nodes.given else {}
    known: dict[str, Held] = {}
    same_key: dict[str, str] = {}
    if nodes.given:
        same_key = _explicit_by_key(nodes)
    loose = _sources_without_uri(nodes)
    moved = _ids_of_moved(nodes, by_key, view)
    ids = nodes.ids
    for number, key in enumerate(nodes.keys):
        if number in nodes.given and key:
            id_ = nodes.given[number]
            held = given_held.get(id_)
            if held is not None and held.live:
                known[id_] = held
        else:
            id_ = same_key.get(key, "") or moved.get(key, key)
            if by_key and id_ is key and key in by_key:
                live = by_key[key]
                if len(live) == 1:
                    id_ = live[0].id
                for held in live:
                    if held.id == id_:
                        known[id_] = held
        ids[number] = id_
    if loose:
        _tie_loose_sources(nodes, loose, view, known)
    for event, id_ in zip(nodes.events, ids, strict=True):
        if event is not None:
            event["id"] = id_
    clashing = _clashes(nodes, given_held, findings) if nodes.given else set()
    return Known(known, clashing)


def _ids_of_moved(nodes: Nodes, by_key: Mapping[str, Sequence[Held]], view: View) -> dict[str, str]:
    """Sources at a path whose former file has moved on: its Source kept the id that the path makes, so a new file there gets another."""
    new = [
        key
        for key, event in zip(nodes.keys, nodes.events, strict=True)
        if key and event is not None and event["type"] == "Source" and key not in by_key
    ]
    found: dict[str, str] = {}
    for key, held in view.by_ids(list(dict.fromkeys(new))).items() if new else ():
        if held.live and held.key_id and held.key_id != key:
            found[key] = f"src_{sha256(f'{key} again'.encode()).hexdigest()[:20]}"
    return found


def _explicit_by_key(nodes: Nodes) -> dict[str, str]:
    """For each identity key that explicit ids name exactly once: that id."""
    found: dict[str, str] = {}
    several: set[str] = set()
    for number, id_ in nodes.given.items():
        key = nodes.keys[number]
        if key and found.setdefault(key, id_) != id_:
            several.add(key)
    return {key: id_ for key, id_ in found.items() if key not in several}


def _sources_without_uri(nodes: Nodes) -> list[int]:
    return [
        number
        for number, type_ in enumerate(nodes.types)
        if type_ == "Source"
        and number not in nodes.given
        and "uri" not in (nodes.events[number] or {})
    ]


def _tie_loose_sources(nodes: Nodes, loose: list[int], view: View, known: dict[str, Held]) -> None:
    """A Source named without a uri is the one Source of that name, if payload and graph together have just one."""
    names = dict.fromkeys(nodes.folds[number] for number in loose)
    by_name: dict[str, dict[str, Held | None]] = {folded: {} for folded in names}
    for folded, found in view.by_names(list(names)).items():
        for held in found:
            if held.type == "Source" and fold(held.name) == folded:
                by_name[folded][held.id] = held
    undecided = set(loose)
    for number, type_ in enumerate(nodes.types):
        if type_ == "Source" and number not in undecided and nodes.folds[number] in by_name:
            by_name[nodes.folds[number]].setdefault(nodes.ids[number], None)
    for number in loose:
        if "qualifier" in (nodes.events[number] or {}):
            continue
        candidates = by_name[nodes.folds[number]]
        if len(candidates) == 1:
            id_, held_ = next(iter(candidates.items()))
            nodes.ids[number] = id_
            if held_ is not None:
                known[id_] = held_


def _clashes(nodes: Nodes, given_held: dict[str, Held], findings: Findings) -> set[str]:
    """E111: one explicit id for two things, in the payload or against the graph."""
    clashing: set[str] = set()
    first: dict[str, int] = {}
    for number, id_ in enumerate(nodes.ids):
        if not id_:
            continue
        other = first.setdefault(id_, number)
        if (
            other == number
            or nodes.keys[other] == nodes.keys[number]
            or not ({other, number} & nodes.given.keys())
        ):
            continue
        if _same_source(nodes, other, number):
            continue
        clashing.add(id_)
        blamed, blamer = (number, other) if number in nodes.given else (other, number)
        findings.error(
            "E111",
            f"{nodes.path(blamed)}.id",
            f"the id {id_!r} stands for {_who(nodes, blamed)} and for {_who(nodes, blamer)}",
        )
    for number, id_ in nodes.given.items():
        held, event = given_held.get(id_), nodes.events[number]
        if held is None or event is None:
            continue
        names = {fold(held.name), *map(fold, held.aliases)}
        if held.type != event["type"] or (held.live and nodes.folds[number] not in names):
            clashing.add(id_)
            state = "" if held.live else " (withdrawn)"
            message = f"the graph holds {id_!r} as {held.type} {held.name!r}{state}; here it stands for {_who(nodes, number)}"
            findings.error("E111", f"{nodes.path(number)}.id", message)
    return clashing


def _same_source(nodes: Nodes, one: int, other: int) -> bool:
    """Whether two nodes of one id are one Source, once with its uri and once without."""
    if (
        not nodes.types[one] == nodes.types[other] == "Source"
        or nodes.folds[one] != nodes.folds[other]
    ):
        return False
    return sum("uri" in (nodes.events[number] or {}) for number in (one, other)) == 1


def _who(nodes: Nodes, number: int) -> str:
    event = nodes.events[number] or {}
    extra = event.get("uri") or event.get("qualifier")
    return f"{event['type']} {event['name']!r}" + (f" ({extra})" if extra else "")
