"""What people write for a part of code: its whole name or the end of it, its file, a line of its file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgraph.code.navigate.parts import OUTSIDE, Part, Parts
from kgraph.errors import AmbiguousReference, UnknownReference
from kgraph.index.relations import with_word
from kgraph.ontology import fold

_AT_LINE = re.compile(r"(?P<uri>.+?)(?::|#L)(?P<line>\d+)(?::\d+|-L?\d+)?$")
_MOST_ALIKE = 5000  # names with the same last words that are looked through
SHOWN = 20


def meant(parts: Parts, reference: str, kinds: frozenset[str] = frozenset()) -> Part:
    """The one part that a reference names: id, whole name, uri of its file, ``file:line``, or the last words of its name.

    ``kinds``: where several are called so, those of such a kind are meant. Raises UnknownReference, or AmbiguousReference with the candidates.
    """
    found = named(parts, reference)
    found = [part for part in found if part.kind in kinds] or found
    if not found:
        raise UnknownReference(
            f"no module, class or function in this graph is called '{reference}'",
            "give its dotted name, the end of it, its file, or file:line; functions are in the graph when it was extracted with "
            "--code-level symbol",
        )
    if len(found) > 1:
        raise AmbiguousReference(reference, [candidate(parts, part) for part in found[:SHOWN]])
    return found[0]


def named(parts: Parts, reference: str) -> list[Part]:
    """All parts that a reference may name: the first way of reading it that finds any decides."""
    text = reference.strip().removesuffix("()")
    views = parts.reader.look_up(text)
    found = list(parts.get(view.nid for view in views).values())
    if found:
        return _inner(found)
    uri = text.removeprefix("./")
    modules = parts.module_at(uri)
    if modules:
        return list(parts.get(modules).values())
    spot = _AT_LINE.fullmatch(uri)
    if spot and (modules := parts.module_at(spot["uri"])):
        return [at_line(parts, modules, int(spot["line"]))]
    return _inner(_ending(parts, text))


def at_line(parts: Parts, modules: Sequence[int], line: int) -> Part:
    """The part that is defined last at or before a line of a module's file: the module itself above them all."""
    found = parts.get(parts.inside(modules))
    own = found[modules[0]]
    homes = parts.homes([part for part in found.values() if part.path == own.path])
    above = [
        (place.line, nid)
        for nid, place in homes.items()
        if place.uri == own.path and place.line <= line and nid not in modules
    ]
    return found[max(above)[1]] if above else own


def _ending(parts: Parts, text: str) -> list[Part]:
    """The parts whose name, or whose file, ends with these words."""
    words = re.findall(r"\w+", text)
    if not words:
        return []
    end = fold(text)
    views = with_word(parts.reader, words, _MOST_ALIKE)
    alike = parts.get(view.nid for view in views).values()
    exact = [part for part in alike if _ends(part.name, text)]
    return exact or [
        part for part in alike if _ends(fold(part.name), end) or _ends(fold(part.path), end)
    ]


def _ends(name: str, end: str) -> bool:
    return name == end or (
        name.endswith(end) and not (name[-len(end) - 1].isalnum() or name[-len(end) - 1] == "_")
    )


def _inner(found: list[Part]) -> list[Part]:
    """Of several parts of one name those in the sources, if any is; of those the ones that no test defines."""
    for chosen in (
        [part for part in found if part.kind not in OUTSIDE],
        [part for part in found if not part.is_test],
    ):
        if chosen and len(found) > 1:
            found = [part for part in found if part in chosen] or found
    return found


def candidate(parts: Parts, part: Part) -> dict[str, str]:
    """A part among others: enough to choose by."""
    home = parts.homes([part])[part.nid]
    where = f"{home.uri}:{home.line}" if home.uri else ""
    return {
        "id": part.id,
        "type": "Entity",
        "name": part.name,
        "description": f"{part.kind} {where}".strip(),
    }
