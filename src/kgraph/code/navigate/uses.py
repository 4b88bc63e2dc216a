"""Who uses a part of code, and what it uses: callers, callees, imports, heirs, everything that nothing uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgraph.code.navigate.occurrences import Read, written
from kgraph.code.navigate.parts import CALLS, INHERITS, MODULES, OUTSIDE, Part, Parts
from kgraph.code.navigate.rows import Row, Rows, told
from kgraph.index.relations import Relation, relations, untouched

if TYPE_CHECKING:
    from kgraph.code.navigate.answers import Inquiry

IMPORTS = frozenset(("import", "import-type", "import-deferred", "export", "require", "include"))
CONSTRUCTORS = frozenset(
    (
        "__init__",
        "__new__",
        "__post_init__",
        "constructor",
        "<init>",
        "initialize",
        "__construct",
        "init",
    )
)


def callers(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    part = of[0]
    own = called(parts, part)
    found = told(parts, _from_outside(parts.ties(own, False, CALLS), own, part), False)
    above = _told_without(told(parts, _dispatched(parts, [part]), False, certain=False), found)
    return Rows(_slim(found.certain, part), [*_slim(found.possible, part), *above.possible])


def callees(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    part = of[0]
    own = parts.inside([part.nid]) if part.kind in MODULES or part.kind == "class" else [part.nid]
    ties = parts.ties(own, True, CALLS)
    found = told(parts, ties, True)
    below = overriders(parts, [tie.target for tie in ties])
    places = parts.places(tie.eid for tie in ties)
    ends = parts.get(nid for nids in below.values() for nid in nids)
    possible = [
        Row(ends[nid].name, ends[nid].kind, "call", place, nid=nid)
        for tie in ties
        for nid in below.get(tie.target, ())
        for place in places.get(tie.eid, ())
    ]
    return Rows(
        _slim(found.certain, part), list(dict.fromkeys([*_slim(found.possible, part), *possible]))
    )


def imports(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    module = module_of(parts, of[0])
    ties = [tie for tie in parts.ties([module], True) if _is_import(tie)]
    return _bare(told(parts, ties, True))


def importers(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    part = of[0]
    if part.kind in MODULES or part.kind == "external":
        ties = [tie for tie in parts.ties([part.nid], False) if _is_import(tie)]
        return _bare(told(parts, ties, False))
    return Rows(by_name(parts, part), [])


def by_name(parts: Parts, part: Part) -> list[Row]:
    """The imports that name a class or function: of its module, and of modules that import it and are imported for it in turn."""
    word = re.compile(rf"(?<!\w){re.escape(part.last)}(?!\w)")
    home = module_of(parts, part)
    seen, edge = {home}, [home]
    found: list[Row] = []
    while edge:
        ties = [tie for tie in parts.ties(edge, False) if _is_import(tie)]
        places = parts.places(tie.eid for tie in ties)
        ends = parts.get(tie.source for tie in ties)
        edge = []
        for tie in ties:
            named = [place for place in places.get(tie.eid, ()) if word.search(place.quote)]
            if not named or tie.source not in ends:
                continue
            end = ends[tie.source]
            found += [
                Row(end.name, end.kind, tie.kind, place, nid=tie.source, eid=tie.eid)
                for place in named
            ]
            if tie.source not in seen:
                seen.add(tie.source)
                edge.append(tie.source)
    return list(dict.fromkeys(found))


def inheritors(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    seen = {of[0].nid}
    edge, depth = [of[0].nid], 0
    found = Rows([], [])
    while edge:
        depth += 1
        ties = [tie for tie in parts.ties(edge, False, INHERITS) if tie.source not in seen]
        level = told(parts, ties, False)
        for mine, rows in ((found.certain, level.certain), (found.possible, level.possible)):
            mine += [row._replace(depth=depth, via=row.via if depth > 1 else "") for row in rows]
        edge = list(dict.fromkeys(tie.source for tie in ties))
        seen.update(edge)
    return found


def where(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    """Definition and uses; and, as possible ones, the lines on which the word is written that no edge speaks of."""
    certain: list[Row] = []
    possible: list[Row] = []
    homes = parts.homes(of)
    for part in of:
        certain.append(
            Row(part.name, part.kind, "definition", homes[part.nid], rank=-1, nid=part.nid)
        )
        own = called(parts, part) if part.kind not in MODULES else [part.nid]
        found = _bare(told(parts, parts.ties(own, False), False))
        certain += found.certain
        possible += found.possible
        if part.kind not in MODULES and part.kind not in OUTSIDE:
            certain += by_name(parts, part)
    certain = list(dict.fromkeys(certain))
    known = {(row.place.uri, row.place.line) for row in (*certain, *possible)}
    asked = inquiry.refs[0]
    word = of[0].last if of else re.split(r"[.:#/\\]+", asked)[-1]
    if not of or of[0].kind not in MODULES:
        for _, place in written([word], sources(parts), read):
            if (place.uri, place.line) not in known:
                possible.append(Row(place.uri, "line", "written", place))
    return Rows(
        certain,
        possible,
        {}
        if of
        else {"note": f"nothing in the graph is called '{asked}': these lines hold the word"},
    )


def unused(parts: Parts, of: Sequence[Part], inquiry: Inquiry, read: Read) -> Rows:
    """What no edge enters. Certain: its name is written nowhere else either. Possible: it is, so somebody may reach it by name."""
    views = untouched(parts.reader, "Entity", "DEPENDS_ON")
    below = set(parts.inside([part.nid for part in of])) if of else None
    found = [
        part
        for nid, part in parts.get(view.nid for view in views).items()
        if _may_be_unused(part) and (below is None or nid in below)
    ]
    used = _overriding(parts, found)
    found = [part for part in found if part.nid not in used]
    homes = parts.homes(found)
    counted: dict[str, int] = {}
    spots: dict[str, set[tuple[str, int]]] = {}
    for word, place in written({part.last for part in found}, sources(parts), read):
        counted[word] = counted.get(word, 0) + 1
        spots.setdefault(word, set()).add((place.uri, place.line))
    rows = Rows([], [])
    own: dict[str, set[tuple[str, int]]] = {}
    for part in found:
        own.setdefault(part.last, set()).add(homes[part.nid][:2])
    for part in found:
        elsewhere = bool(spots.get(part.last, set()) - own[part.last])
        sure = not elsewhere and not part.decorated and not part.exported
        row = Row(part.name, part.kind, "unused", homes[part.nid], nid=part.nid)
        (rows.certain if sure else rows.possible).append(row)
    return rows


def _may_be_unused(part: Part) -> bool:
    """Functions and classes of the sources that nobody calls by custom alone: no test, no special method, no entry of a program."""
    last = part.last
    return (
        part.kind not in MODULES
        and part.kind not in OUTSIDE
        and bool(part.path)
        and not part.is_test
        and not (last.startswith("__") and last.endswith("__"))
        and last not in CONSTRUCTORS
        and last != "main"
    )


def _overriding(parts: Parts, found: Sequence[Part]) -> set[int]:
    """Those that replace a method of a base that somebody uses."""
    return {
        part.nid
        for part in found
        if any(parts.ties([base], False, CALLS) for base in overridden(parts, part))
    }


def sources(parts: Parts) -> list[str]:
    """The files of the graph's code."""
    return sorted(
        {
            part.path
            for part in parts.get(view.nid for view in parts.reader.every_node("Entity")).values()
            if part.path
        }
    )


def module_of(parts: Parts, part: Part) -> int:
    """The module that holds a part; itself, if it is one."""
    here = part
    while here.kind not in MODULES and here.kind not in OUTSIDE:
        holders = parts.get(
            tie.source for tie in relations(parts.reader, "PARENT_OF", [here.nid], False)
        )
        above = next((one for one in holders.values() if one.path == here.path), None)
        if above is None:
            break
        here = above
    return here.nid


def called(parts: Parts, part: Part) -> list[int]:
    """What is entered when a part is called: a class by its constructor, a module or package by anything in it."""
    if part.kind in MODULES:
        return parts.inside([part.nid])
    if part.kind != "class":
        return [part.nid]
    members = parts.get(
        tie.target for tie in relations(parts.reader, "PARENT_OF", [part.nid], True)
    )
    return [part.nid, *(nid for nid, member in members.items() if member.last in CONSTRUCTORS)]


# -- what stands in for what: methods along lines of inheritance ---------------------------------------------------------------------------


def overridden(parts: Parts, part: Part) -> list[int]:
    """The methods of base classes that a method replaces."""
    return [nid for nid, kinds in kin(parts, [part], True).items() if kinds]


def overriders(parts: Parts, nids: Sequence[int]) -> dict[int, list[int]]:
    """For each of some methods those of subclasses that replace it."""
    found: dict[int, list[int]] = {}
    for other, origins in kin(parts, list(parts.get(nids).values()), False).items():
        for origin in origins:
            found.setdefault(origin, []).append(other)
    return found


def kin(parts: Parts, methods: Sequence[Part], up: bool) -> dict[int, list[int]]:
    """Methods of the same name in classes above or below: {that method: [those of ``methods`` it is kin to]}."""
    asked = {part.nid: part for part in methods if part.kind not in MODULES}
    owners: dict[int, list[int]] = {}
    for tie in relations(parts.reader, "PARENT_OF", asked, False):
        owners.setdefault(tie.source, []).append(tie.target)
    classes = [nid for nid, part in parts.get(owners).items() if part.kind not in MODULES]
    reached: dict[int, set[int]] = {nid: {nid} for nid in classes}
    edge = list(classes)
    while edge:
        new: dict[int, None] = {}
        for tie in parts.ties(edge, up, INHERITS):
            near, far = (tie.source, tie.target) if up else (tie.target, tie.source)
            if not reached[near] <= reached.setdefault(far, set()):
                reached[far] |= reached[near]
                new[far] = None
        edge = list(new)
    members = relations(parts.reader, "PARENT_OF", reached, True)
    names = parts.get(tie.target for tie in members)
    found: dict[int, list[int]] = {}
    for tie in members:
        member = names.get(tie.target)
        for origin in reached[tie.source] if member else ():
            for method in owners.get(origin, ()):
                if (
                    tie.source != origin
                    and member is not None
                    and asked[method].last == member.last
                ):
                    found.setdefault(tie.target, []).append(method)
    return found


def _dispatched(parts: Parts, of: Sequence[Part]) -> list[Relation]:
    """The calls of methods that these replace: they may enter these as well."""
    bases = [nid for part in of for nid in overridden(parts, part)]
    return parts.ties(bases, False, CALLS)


def _from_outside(ties: list[Relation], own: Sequence[int], part: Part) -> list[Relation]:
    """For a module: the calls from elsewhere only."""
    inner = set(own)
    return [tie for tie in ties if tie.source not in inner] if part.kind in MODULES else ties


def _told_without(rows: Rows, known: Rows) -> Rows:
    seen = {(row.name, row.place) for row in (*known.certain, *known.possible)}
    return Rows([], [row for row in rows.possible if (row.name, row.place) not in seen])


def _slim(rows: list[Row], part: Part) -> list[Row]:
    """Without the far end where it is just what was asked."""
    return [row._replace(via="") if row.via == part.name else row for row in rows]


def _bare(rows: Rows) -> Rows:
    return Rows(
        [row._replace(via="") for row in rows.certain],
        [row._replace(via="") for row in rows.possible],
    )


def _is_import(tie: Relation) -> bool:
    return tie.kind in IMPORTS or tie.kind.startswith("import")
