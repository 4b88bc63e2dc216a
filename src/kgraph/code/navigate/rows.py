"""One line of an answer: a part, how it is tied to what was asked, and the place that says so."""

from __future__ import annotations

from typing import Any

from kgraph.code.navigate.parts import NOWHERE, POSSIBLE, Part, Parts, Place, plain
from kgraph.index.relations import Relation
from kgraph.tuples import NamedTuple


class Row(NamedTuple):
    """``depth`` counts steps from what was asked, 0 where that says nothing; ``rank`` orders rows before all else."""

    name: str
    kind: str
    relation: str
    place: Place
    depth: int = 0
    via: str = ""  # the other end of the edge, where it isn't what was asked
    rank: int = 0
    nid: int = 0  # the part, and the edge that ties it to what was asked; of one index only
    eid: int = 0

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"name": self.name, "kind": self.kind, "relation": self.relation}
        if self.place.uri:
            found |= {"uri": self.place.uri, "line": self.place.line}
        if self.place.quote:
            found["quote"] = self.place.quote
        if self.depth:
            found["depth"] = self.depth
        return found | ({"via": self.via} if self.via else {})


class Rows(NamedTuple):
    """What is certain and what is possible, apart. ``head`` holds what the answer says beside its rows."""

    certain: list[Row]
    possible: list[Row]
    head: dict[str, Any] = {}


def is_possible(tie: Relation) -> bool:
    return tie.kind.startswith(POSSIBLE)


def told(parts: Parts, ties: list[Relation], forward: bool, certain: bool = True) -> Rows:
    """A row for each place of each tie; the row's part is the far end."""
    places = parts.places(tie.eid for tie in ties)
    ends = parts.get(tie.target if forward else tie.source for tie in ties)
    near = parts.get(tie.source if forward else tie.target for tie in ties)
    found = Rows([], [])
    for tie in ties:
        far, other = (tie.target, tie.source) if forward else (tie.source, tie.target)
        if far not in ends:
            continue
        for place in places.get(tie.eid) or [NOWHERE]:
            row = Row(
                ends[far].name,
                ends[far].kind,
                plain(tie.kind),
                place,
                via=_name(near.get(other)),
                nid=far,
                eid=tie.eid,
            )
            (found.certain if certain and not is_possible(tie) else found.possible).append(row)
    return found


def _name(part: Part | None) -> str:
    return part.name if part else ""
