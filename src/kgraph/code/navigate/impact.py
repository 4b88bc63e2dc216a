"""What a change reaches: everything that depends on it, however far; the tests among that, the ways in from outside, a route to each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.code.navigate import uses
from kgraph.code.navigate.occurrences import Read
from kgraph.code.navigate.parts import CALLS, MODULES, NOWHERE, OUTSIDE, Part, Parts, Place, plain
from kgraph.code.navigate.rows import Row, Rows, is_possible
from kgraph.index.relations import Relation, relations
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.code.navigate.answers import Inquiry


class Extent(NamedTuple):
    """A function or class by its name inside its file, and its lines, both inclusive."""

    name: str
    first: int
    last: int


class Change(NamedTuple):
    """Lines of a file that differ, both inclusive, as the file is now; with the symbols that it holds now."""

    uri: str
    first: int
    last: int
    symbols: tuple[Extent, ...] = ()


class Step(NamedTuple):
    """How a part was reached: over which edge, from which part, in how many steps, and whether every step is certain."""

    tie: Relation | None
    origin: int
    depth: int
    certain: bool


def impact(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    reached = dependents(parts, roots(parts, of), inquiry.depth)
    ends = parts.get(reached)
    found = _rows(parts, reached, ends)
    tests = sorted(
        (
            (reached[nid].depth, part.name)
            for nid, part in ends.items()
            if part.is_test and reached[nid].depth
        )
    )
    entries = sorted(part.name for part in _entries(parts, ends))
    head: dict[str, Any] = {"tests": [name for _, name in tests], "entry_points": entries}
    if inquiry.changed is not None:
        head["changed_files"] = sorted({one.uri for one in inquiry.changed})
        known = {part.path for part in of}
        head["unmapped_files"] = sorted({one.uri for one in inquiry.changed} - known)
    return found._replace(head=head)


def tests(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    """The tests that reach it, nearest first; suites that import its module where no function is known to."""
    reached = dependents(parts, roots(parts, of), inquiry.depth)
    ends = {
        nid: part for nid, part in parts.get(reached).items() if part.is_test and reached[nid].depth
    }
    return _rows(parts, {nid: reached[nid] for nid in ends}, ends)


def path(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    """The shortest chain of calls from the first to the second, else of dependencies of any kind; certain steps before possible ones."""
    start, end = of
    for kinds, sure in ((CALLS, True), (CALLS, False), (None, True), (None, False)):
        steps = _route(parts, start, end, (kinds, sure, inquiry.depth))
        if steps is not None:
            rows = _route_rows(parts, steps)
            head = {"found": True, "hops": len(steps), "by": "calls" if kinds else "dependencies"}
            certain = [row for row, possible in rows if not possible]
            return Rows(certain, [row for row, possible in rows if possible], head)
    return Rows(
        [],
        [],
        {
            "found": False,
            "hops": 0,
            "note": f"{start.name} reaches {end.name} by no chain of calls or imports; ask the other way round",
        },
    )


def changed(parts: Parts, change: Change) -> list[Part]:
    """The parts that lie on some lines of a file: the innermost that hold one of them, else the module. Nothing for a file that isn't
    in the graph."""
    modules = parts.module_at(change.uri)
    if not modules:
        return []
    inside = [part for part in parts.get(parts.inside(modules)).values() if part.path == change.uri]
    found: dict[int, Part] = {}
    for line in range(change.first, change.last + 1):
        holding = [one for one in change.symbols if one.first <= line <= one.last]
        name = max(holding, key=lambda one: one.first).name if holding else ""
        part = next((one for one in inside if name and _is_called(one.name, name)), None)
        own = part or parts.get(modules)[modules[0]]
        found[own.nid] = own
    return list(found.values())


def _is_called(name: str, inner: str) -> bool:
    return name.endswith(inner) and name[: -len(inner)].endswith((".", "::", "/", "#", ":", "\\"))


def roots(parts: Parts, of: Sequence[Part]) -> list[int]:
    """Where the search begins: the parts themselves, with all that a class or module holds."""
    return parts.inside(part.nid for part in of)


def dependents(parts: Parts, start: Sequence[int], depth: int = 0) -> dict[int, Step]:
    """Everything that depends on some parts, each with the first step by which it was reached; certain steps count before possible ones.

    Along calls, instances, inheritance and imports. An import reaches the module that imports and what is in it only where
    that is all that is known of it: a module whose functions are known says itself which of them use what.
    """
    reached = {nid: Step(None, nid, 0, True) for nid in start}
    edge, level = list(start), 0
    while edge and (not depth or level < depth):
        level += 1
        ties = parts.ties(edge, False)
        new: dict[int, Step] = {}
        for tie in sorted(ties, key=is_possible):
            certain = reached[tie.target].certain and not is_possible(tie)
            if tie.source not in reached:
                known = new.get(tie.source)
                if known is None or (certain and not known.certain):
                    new[tie.source] = Step(tie, tie.target, level, certain)
        for nid, base in _dispatching(parts, edge, reached):
            if nid.source not in reached and nid.source not in new:
                new[nid.source] = Step(nid, base, level, False)
        reached |= new
        edge = list(new)
    return reached


def _dispatching(
    parts: Parts, edge: Sequence[int], reached: dict[int, Step]
) -> Iterable[tuple[Relation, int]]:
    """The calls that may enter some methods because they enter methods which these replace."""
    known = parts.get(edge)
    methods = [
        part
        for part in known.values()
        if part.kind not in MODULES and part.kind != "class" and part.kind not in OUTSIDE
    ]
    kin = uses.kin(parts, methods, True)
    for tie in parts.ties(kin, False, CALLS):
        yield tie, kin[tie.target][0]


def _rows(parts: Parts, reached: dict[int, Step], ends: dict[int, Part]) -> Rows:
    found = Rows([], [])
    steps = {nid: step for nid, step in reached.items() if step.tie is not None and nid in ends}
    places = parts.places(step.tie.eid for step in steps.values() if step.tie is not None)
    origins = parts.get(step.origin for step in steps.values())
    for nid, step in steps.items():
        if step.tie is None:
            continue
        via = origins[step.origin].name if step.origin in origins else ""
        place = (places.get(step.tie.eid) or [NOWHERE])[0]
        row = Row(
            ends[nid].name,
            ends[nid].kind,
            plain(step.tie.kind),
            place,
            step.depth,
            via,
            nid=nid,
            eid=step.tie.eid,
        )
        (found.certain if step.certain else found.possible).append(row)
    return found


def _entries(parts: Parts, ends: dict[int, Part]) -> list[Part]:
    """The ways in from outside among the parts that are reached: public, of the sources, and used by tests alone."""
    public = {
        nid: part
        for nid, part in ends.items()
        if not part.is_test
        and part.kind not in OUTSIDE
        and part.kind not in MODULES
        and not part.last.startswith("_")
    }
    ties = parts.ties(public, False, CALLS)
    users = parts.get(tie.source for tie in ties)
    used = {tie.target for tie in ties if tie.source in users and not users[tie.source].is_test}
    return [part for nid, part in public.items() if nid not in used or part.decorated]


def _route(
    parts: Parts, start: Part, end: Part, how: tuple[frozenset[str] | None, bool, int]
) -> list[Relation] | None:
    """The edges of a shortest route, None where there is none. ``how``: (kinds of edges, certain ones only, longest or 0)."""
    kinds, sure, longest = how
    goal = set(uses.called(parts, end))
    came: dict[int, Relation | None] = dict.fromkeys(uses.called(parts, start))
    edge, level = list(came), 0
    if goal & set(came):
        return []
    while edge and (not longest or level < longest):
        level += 1
        new: dict[int, Relation] = {}
        for tie in parts.ties(edge, True, kinds):
            if tie.target not in came and not (sure and is_possible(tie)):
                new.setdefault(tie.target, tie)
        came |= new
        hit = next((nid for nid in new if nid in goal), None)
        if hit is not None:
            return _back(came, hit)
        edge = list(new)
        if kinds is None:  # a class leads on to what it holds
            held = [
                tie
                for tie in relations(parts.reader, "PARENT_OF", edge, True)
                if tie.target not in came
            ]
            came |= {tie.target: came[tie.source] for tie in held}
            edge += [tie.target for tie in held]
    return None


def _back(came: dict[int, Relation | None], here: int) -> list[Relation]:
    found: list[Relation] = []
    tie = came[here]
    while tie is not None:
        found.append(tie)
        tie = came[tie.source]
    return found[::-1]


def _route_rows(parts: Parts, steps: Sequence[Relation]) -> list[tuple[Row, bool]]:
    places = parts.places(tie.eid for tie in steps)
    ends = parts.get(nid for tie in steps for nid in (tie.source, tie.target))
    rows = []
    for number, tie in enumerate(steps, 1):
        place: Place = (places.get(tie.eid) or [NOWHERE])[0]
        target, source = ends[tie.target], ends[tie.source]
        rows.append(
            (
                Row(
                    target.name,
                    target.kind,
                    plain(tie.kind),
                    place,
                    number,
                    source.name,
                    number,
                    tie.target,
                    tie.eid,
                ),
                is_possible(tie),
            )
        )
    return rows
