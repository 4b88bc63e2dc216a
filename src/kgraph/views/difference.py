"""What two graphs, two moments or two runs of a graph say differently: statements added, gone, changed, and newly sourced.

Pure: two snapshots in, a record out. Nodes and edges are the same where their ids are, which come from what they say. A claim has *lost
its support* when a Source still carried it before and none does now, though the claim itself is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from kgraph.tuples import NamedTuple
from kgraph.views.report import text as escaped
from kgraph.views.snapshot import Edge, Node, Snapshot

CARRYING = ("SUPPORTS", "DERIVED_FROM")
BROKEN = ("missing", "stale", "ambiguous")  # statuses of a citation that carries nothing


class Statement(NamedTuple):
    """A node or an edge in words. ``kind`` is its type or predicate; ``says`` a claim's text, or subject and object of an edge."""

    id: str
    kind: str
    says: str
    sources: tuple[str, ...] = ()  # where it is cited: uri#anchor


class Change(NamedTuple):
    """A node or an edge that is in both, with each member that differs as (before, after)."""

    statement: Statement
    members: Mapping[str, tuple[Any, Any]]


class Lost(NamedTuple):
    """A claim that no Source carries any more. ``why`` is 'unsourced', or the status of the best citation that is left."""

    statement: Statement
    before: tuple[str, ...]  # where it was cited
    why: str


class Difference(NamedTuple):
    """Everything in which the later graph differs from the earlier one, in the order of ids."""

    added: tuple[Statement, ...]
    gone: tuple[Statement, ...]
    changed: tuple[Change, ...]
    resourced: tuple[Change, ...]
    lost_support: tuple[Lost, ...]

    @property
    def nothing(self) -> bool:
        return not any(self)

    def as_json(self) -> dict[str, Any]:
        """``{counts, added, gone: [{id, kind, says, sources}], changed, resourced: [{id, kind, says, members}], lost_support}``."""
        return {
            "counts": {name: len(getattr(self, name)) for name in self._fields},
            "added": [_statement_json(one) for one in self.added],
            "gone": [_statement_json(one) for one in self.gone],
            "changed": [_change_json(one) for one in self.changed],
            "resourced": [_change_json(one) for one in self.resourced],
            "lost_support": [
                {**_statement_json(one.statement), "before": list(one.before), "why": one.why}
                for one in self.lost_support
            ],
        }


def _statement_json(one: Statement) -> dict[str, Any]:
    return {**one._asdict(), "sources": list(one.sources)}


def _change_json(one: Change) -> dict[str, Any]:
    members = {
        name: {"before": before, "after": after} for name, (before, after) in one.members.items()
    }
    return {"id": one.statement.id, "kind": one.statement.kind, "says": one.statement.says, "members": members}  # fmt: skip


class _Carried(NamedTuple):
    """How a claim is carried: where, and the best status of its citations; '' for a tie without a citation, None for no tie."""

    places: tuple[str, ...]
    status: str | None

    @property
    def stands(self) -> bool:
        return self.status is not None and self.status not in BROKEN


def difference(before: Snapshot, after: Snapshot) -> Difference:
    """Compare two snapshots, each in ascending order of ids, in one pass over nodes and one over edges."""
    names = [{node.id: node.name for node in seen.nodes} for seen in (before, after)]
    carried = [_carried(seen.edges, names[at]) for at, seen in enumerate((before, after))]
    added: list[Statement] = []
    gone: list[Statement] = []
    changed: list[Change] = []
    resourced: list[Change] = []
    lost: list[Lost] = []
    for old, new in _paired(before.nodes, after.nodes):
        if old is None and new is not None:
            added.append(_of_node(new))
        elif new is None and old is not None:
            gone.append(_of_node(old))
        elif old is not None and new is not None:
            members = _node_members(old, new)
            if members:
                changed.append(Change(_of_node(new), members))
            if new.type == "Claim":
                lost += _lost(new, carried[0].get(new.id), carried[1].get(new.id))
    for old_edge, new_edge in _paired(before.edges, after.edges):
        if old_edge is None and new_edge is not None:
            added.append(_of_edge(new_edge, names[1]))
        elif new_edge is None and old_edge is not None:
            gone.append(_of_edge(old_edge, names[0]))
        elif old_edge is not None and new_edge is not None:
            members = _edge_members(old_edge, new_edge)
            if members:
                into = resourced if set(members) <= {"sources", "status"} else changed
                into.append(Change(_of_edge(new_edge, names[1]), members))
    return Difference(tuple(added), tuple(gone), tuple(changed), tuple(resourced), tuple(lost))


Row = TypeVar("Row", Node, Edge)


def _paired(before: Iterable[Row], after: Iterable[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Two ascending sequences joined by id."""
    left, right = iter(before), iter(after)
    old, new = next(left, None), next(right, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old.id < new.id):
            yield old, None
            old = next(left, None)
        elif old is None or new.id < old.id:
            yield None, new
            new = next(right, None)
        else:
            yield old, new
            old, new = next(left, None), next(right, None)


def _of_node(node: Node) -> Statement:
    return Statement(node.id, node.type, node.name)


def _of_edge(edge: Edge, names: Mapping[str, str]) -> Statement:
    said = f"{names.get(edge.source, edge.source)} → {names.get(edge.target, edge.target)}"
    return Statement(edge.id, edge.predicate, said, _places(edge))


def _places(edge: Edge) -> tuple[str, ...]:
    return tuple(sorted({said.source_doc for said in edge.assertions if said.source_doc}))


def _node_members(old: Node, new: Node) -> dict[str, tuple[Any, Any]]:
    own = {name: (old.fields.get(name), new.fields.get(name)) for name in sorted({*old.fields, *new.fields})}  # fmt: skip
    pairs = {
        "name": (old.name, new.name), "description": (old.description, new.description),
        "aliases": (sorted(old.aliases), sorted(new.aliases)), "canonical": (old.canonical, new.canonical),
        "valid_from": (old.valid_from, new.valid_from), "valid_to": (old.valid_to, new.valid_to),
        "attrs": (dict(old.attrs), dict(new.attrs)), **own,
    }  # fmt: skip
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _edge_members(old: Edge, new: Edge) -> dict[str, tuple[Any, Any]]:
    first, second = old.shown, new.shown
    pairs = {
        "sources": (list(_places(old)), list(_places(new))), "status": (first.status, second.status),
        "confidence": (first.confidence, second.confidence), "quote": (first.quote, second.quote),
        "valid_from": (first.valid_from, second.valid_from), "valid_to": (first.valid_to, second.valid_to),
        "attrs": (dict(first.attrs), dict(second.attrs)),
    }  # fmt: skip
    differing = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    if "sources" in differing:
        differing.pop("quote", None)  # another place has other words
    return differing


def _carried(edges: Iterable[Edge], names: Mapping[str, str]) -> dict[str, _Carried]:
    """How each claim is carried by its Sources."""
    places: dict[str, list[tuple[str, str]]] = {}
    for edge in edges:
        if edge.predicate in CARRYING:
            claim, source = (edge.target, edge.source) if edge.predicate == "SUPPORTS" else (edge.source, edge.target)  # fmt: skip
            for said in edge.assertions:
                place = said.source_doc or names.get(source, source)
                places.setdefault(claim, []).append((place, said.status))
    found = {}
    for claim, some in places.items():
        standing = [status for _, status in some if status not in BROKEN]
        status = standing[0] if standing else some[0][1]
        found[claim] = _Carried(tuple(sorted({place for place, _ in some})), status)
    return found


def _lost(claim: Node, before: _Carried | None, after: _Carried | None) -> list[Lost]:
    if before is None or not before.stands:
        return []
    if after is None:
        return [Lost(_of_node(claim), before.places, "unsourced")]
    return [] if after.stands else [Lost(_of_node(claim), before.places, str(after.status))]


MOST_SHOWN = 30


def in_words(found: Difference, title: str, markdown: bool = False) -> str:
    """For a terminal, or for a pull request: what lost its support first, then what changed, came and went."""
    bullet = "* " if markdown else "  "
    parts: list[str] = [f"### {title}" if markdown else title]
    if found.nothing:
        return "\n".join([*parts, "", "no difference"])
    lost = [f"{one.statement.says} ({one.why}; was cited at {', '.join(one.before)})" for one in found.lost_support]  # fmt: skip
    changed = [
        f"{one.statement.kind} {one.statement.says}: {_members(one)}" for one in found.changed
    ]
    resourced = [f"{one.statement.kind} {one.statement.says}: {_members(one)}" for one in found.resourced]  # fmt: skip
    added = [f"{one.kind} {one.says}{_cited(one)}" for one in _claims_first(found.added)]
    gone = [f"{one.kind} {one.says}{_cited(one)}" for one in _claims_first(found.gone)]
    for head, lines in (
        ("lost its support", lost), ("changed", changed), ("cited elsewhere", resourced), ("added", added), ("gone", gone),
    ):  # fmt: skip
        if lines:
            count = f"{head}: {len(lines)}"
            more = (
                [f"{bullet}and {len(lines) - MOST_SHOWN} more"] if len(lines) > MOST_SHOWN else []
            )
            shown = [
                bullet + (escaped(line) if markdown else " ".join(line.split()))
                for line in lines[:MOST_SHOWN]
            ]
            parts += ["", f"**{count}**" if markdown else count, *([""] if markdown else []), *shown, *more]  # fmt: skip
    return "\n".join(parts)


def _claims_first(statements: Iterable[Statement]) -> list[Statement]:
    """Claims, then relations between things, then things; ties between a claim and its Source tell nothing more."""
    rank = {"Claim": 0, "MENTIONS": 3, "SUPPORTS": 3}
    return sorted(statements, key=lambda one: rank.get(one.kind, 1 if one.kind.isupper() else 2))


def _cited(one: Statement) -> str:
    return f" [{', '.join(one.sources)}]" if one.sources else ""


def _members(one: Change) -> str:
    return "; ".join(f"{name} {_short(before)} → {_short(after)}" for name, (before, after) in one.members.items())  # fmt: skip


def _short(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return (text[:77] + "…" if len(text) > 78 else text) or "nothing"
