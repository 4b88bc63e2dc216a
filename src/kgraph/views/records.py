"""Nodes and edges as JSON objects and back, the same in every exchange format. Members that say nothing are left out."""

from __future__ import annotations

import json
import re

from kgraph.model import Json, Problem
from kgraph.tuples import NamedTuple
from kgraph.views.snapshot import (
    OWN_FIELDS,
    Edge,
    EdgeAssertion,
    GraphMeta,
    Node,
    NodeAssertion,
    Run,
    UnitOutcome,
)


def node_as_json(node: Node) -> dict[str, Json]:
    found = _spoken(node, ("id", "type", "name"))
    if node.assertions:
        found["assertions"] = [_spoken(said, ("name",)) for said in node.assertions]
    return found


def edge_as_json(edge: Edge) -> dict[str, Json]:
    found = _spoken(edge, ("id", "predicate", "source", "target"))
    if edge.assertions:
        found["assertions"] = [_spoken(said, ()) for said in edge.assertions]
    return found


def meta_as_json(meta: GraphMeta) -> dict[str, Json]:
    """The graph's own words about itself, without the previous figures, which belong to the last render."""
    found = _spoken(meta._replace(previous=None), ("name",))
    found["runs"] = [_spoken(run, ("run_id",)) for run in meta.runs]
    found["units"] = [_spoken(unit, ("unit", "outcome")) for unit in meta.units]
    found["violations"] = [problem.as_json() for problem in meta.violations]
    return {name: value for name, value in found.items() if value not in ([], {})}


def _spoken(record: NamedTuple, always: tuple[str, ...]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in zip(record._fields, record, strict=True):
        if name == "assertions":
            continue
        if value or name in always or (name == "confidence" and value is not None):
            kind = type(value)
            found[name] = list(value) if kind is tuple else value if kind in _PLAIN else dict(value)
    return found


_PLAIN = (str, int, float, bool, dict)


class NotARecord(ValueError):
    """A JSON value that isn't a node or an edge; the message says what is wrong with it."""


def node_from_json(found: Json) -> Node:
    """Raises ``NotARecord``. Members of the wrong kind are named, never forced into shape; unknown members are kept in ``attrs``."""
    members = _object(found, "a node")
    unknown = {name: value for name, value in members.items() if name not in Node._fields}
    fields = {
        name: value for name, value in unknown.items() if name in OWN_FIELDS
    }  # as a payload has them
    assertions = tuple(
        NodeAssertion(
            name=_text(said, "name") or _text(members, "name"),
            tx=_text(said, "tx"),
            run_id=_text(said, "run_id"),
            ts=_text(said, "ts"),
            sources=_texts(said, "sources"),
            description=_text(said, "description"),
            aliases=_texts(said, "aliases"),
            fields=_own(said),
            attrs=_attrs(said),
            valid_from=_text(said, "valid_from"),
            valid_to=_text(said, "valid_to"),
        )
        for said in _objects(members, "assertions")
    )
    return Node(
        id=_needed(members, "id"),
        type=_needed(members, "type"),
        name=_needed(members, "name"),
        assertions=assertions,
        aliases=_texts(members, "aliases"),
        description=_text(members, "description"),
        fields=fields | _own(members),
        attrs={name: value for name, value in unknown.items() if name not in fields}
        | _attrs(members),
        qualifier=_text(members, "qualifier"),
        valid_from=_text(members, "valid_from"),
        valid_to=_text(members, "valid_to"),
        canonical=_text(members, "canonical"),
        degree=_count(members, "degree"),
    )


def edge_from_json(found: Json) -> Edge:
    """Raises ``NotARecord``."""
    members = _object(found, "an edge")
    assertions = tuple(
        EdgeAssertion(
            tx=_text(said, "tx"),
            run_id=_text(said, "run_id"),
            ts=_text(said, "ts"),
            sources=_texts(said, "sources"),
            source_doc=_text(said, "source_doc"),
            quote=_text(said, "quote"),
            confidence=_confidence(said),
            evidence=_object(said.get("evidence", {}), "evidence"),
            attrs=_attrs(said),
            valid_from=_text(said, "valid_from"),
            valid_to=_text(said, "valid_to"),
            role=_text(said, "role"),
        )
        for said in _objects(members, "assertions")
    )
    return Edge(
        id=_needed(members, "id"),
        predicate=_needed(members, "predicate"),
        source=_needed(members, "source"),
        target=_needed(members, "target"),
        kind=_text(members, "kind"),
        assertions=assertions,
    )


def meta_from_json(found: Json) -> GraphMeta:
    """Raises ``NotARecord``. Runs and units come back as they were counted."""
    members = _object(found, "the graph")
    runs = tuple(
        Run(
            run_id=_needed(run, "run_id"),
            first=_text(run, "first"),
            last=_text(run, "last"),
            transactions=_count(run, "transactions"),
            nodes=_count(run, "nodes"),
            edges=_count(run, "edges"),
            agent=_text(run, "agent"),
            model=_text(run, "model"),
            input_tokens=_count(run, "input_tokens"),
            output_tokens=_count(run, "output_tokens"),
            cost=float(run.get("cost", 0.0)),
            losses=_object(run.get("losses", {}), "losses"),
        )
        for run in _objects(members, "runs")
    )
    units = tuple(
        UnitOutcome(
            _needed(unit, "unit"),
            _needed(unit, "outcome"),
            _text(unit, "reason"),
            _text(unit, "run_id"),
            _text(unit, "ts"),
            _count(unit, "sentences"),
            _count(unit, "claims"),
        )
        for unit in _objects(members, "units")
    )
    violations = tuple(
        Problem(*(_text(problem, field) for field in Problem._fields))
        for problem in _objects(members, "violations")
    )
    plain = {
        field: _text(members, field)
        for field in ("objective", "created", "rendered", "source_root", "version")
    }
    return GraphMeta(
        name=_text(members, "name"),
        objective=plain["objective"],
        created=plain["created"],
        rendered=plain["rendered"],
        heads=_texts(members, "heads"),
        source_root=plain["source_root"],
        runs=runs,
        units=units,
        violations=violations,
        version=plain["version"],
    )


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_AWKWARD = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def as_line(value: Json) -> str:
    """JSON on one line that every reader takes: no NaN, no raw control characters or line separators."""
    written = _encode(value)
    return (
        written
        if written.isascii() and "\x7f" not in written
        else _AWKWARD.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    )


def _object(value: Json, what: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise NotARecord(f"{what} must be an object, not {type(value).__name__}")
    return value


def _objects(members: dict[str, Json], name: str) -> list[dict[str, Json]]:
    value = members.get(name, [])
    if not isinstance(value, list):
        raise NotARecord(f"'{name}' must be a list, not {type(value).__name__}")
    return [_object(one, f"each of '{name}'") for one in value]


def _text(members: dict[str, Json], name: str) -> str:
    value = members.get(name, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NotARecord(f"'{name}' must be text, not {type(value).__name__}")
    return value


def _needed(members: dict[str, Json], name: str) -> str:
    value = _text(members, name)
    if not value:
        raise NotARecord(f"'{name}' is missing")
    return value


def _texts(members: dict[str, Json], name: str) -> tuple[str, ...]:
    value = members.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise NotARecord(f"'{name}' must be a list of texts")
    return tuple(value)


def _attrs(members: dict[str, Json]) -> dict[str, Json]:
    return dict(_object(members.get("attrs") or {}, "'attrs'"))


def _own(members: dict[str, Json]) -> dict[str, Json]:
    fields = _object(members.get("fields") or {}, "'fields'")
    for name in fields:
        if name not in OWN_FIELDS:
            raise NotARecord(f"'{name}' is no field of a node: {', '.join(OWN_FIELDS)}")
    return dict(fields)


def _count(members: dict[str, Json], name: str) -> int:
    value = members.get(name, 0)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotARecord(f"'{name}' must be a whole number, not {type(value).__name__}")
    return value


def _confidence(members: dict[str, Json]) -> float | None:
    value = members.get("confidence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise NotARecord(f"'confidence' must be a number, not {type(value).__name__}")
    return float(value)
