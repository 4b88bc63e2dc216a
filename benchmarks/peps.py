"""Whether the header relations of PEPs come out as edges between the documents.

    python benchmarks/peps.py FOLDER        FOLDER holds pep-*.rst and gold.jsonl

Gold are the headers Replaces, Requires and Superseded-By. Counted are all edges SUPERSEDES, REVISES and DEPENDS_ON between PEPs: those
between Entities, which name every PEP, and apart from them those between the Sources of files that are both there. Ratios are printed, no
times.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from kgraph.units.extraction import KnownSource, KnownSources
from kgraph.documents import extract
from kgraph.sources import read
from kgraph.units import cut

Edge = tuple[str, int, int]
_HEADERS = {
    "Replaces": ("SUPERSEDES", False),
    "Superseded-By": ("SUPERSEDES", True),
    "Requires": ("DEPENDS_ON", False),
}
_PREDICATES = frozenset(("SUPERSEDES", "REVISES", "DEPENDS_ON"))
_ENTITY = re.compile(r"PEP (\d+)$")
_FILE = re.compile(r"pep-(\d+)\.rst$")


def gold_of(folder: str) -> dict[str, set[Edge]]:
    """The edges that each header states."""
    stated: dict[str, set[Edge]] = {header: set() for header in _HEADERS}
    with open(os.path.join(folder, "gold.jsonl"), encoding="utf-8") as file:
        for line in file:
            pep = json.loads(line)
            for header, (predicate, inverse) in _HEADERS.items():
                for other in pep.get(f"{header}_ids", ()):
                    ends = (other, pep["pep"]) if inverse else (pep["pep"], other)
                    stated[header].add((predicate, *ends))
    return stated


def edges_of(folder: str) -> tuple[set[Edge], set[Edge]]:
    """The edges between Entities, and those between Sources, that the offline extractor makes of all the files together."""
    names = sorted(name for name in os.listdir(folder) if _FILE.match(name))
    known = KnownSources([KnownSource(name, name) for name in names])
    entities: set[Edge] = set()
    sources: set[Edge] = set()
    for name in names:
        for unit in cut(read(os.path.join(folder, name), name), 6000):
            edges: Iterable[Mapping[str, Any]] = extract(unit, known).payload["edges"]
            for edge in edges:
                if edge["predicate"] in _PREDICATES:
                    entities |= _between(_ENTITY, edge)
                    sources |= _between(_FILE, edge)
    return entities, sources


def _between(pattern: re.Pattern[str], edge: Mapping[str, Any]) -> set[Edge]:
    first, second = pattern.match(edge["source"]), pattern.match(edge["target"])
    return (
        {(edge["predicate"], int(first.group(1)), int(second.group(1)))}
        if first and second
        else set()
    )


def _told(title: str, found: set[Edge], gold: set[Edge]) -> None:
    right = len(found & gold)
    precision, recall = right / max(1, len(found)), right / max(1, len(gold))
    print(
        f"{title}: precision {precision:.3f} ({right} of {len(found)}), recall {recall:.3f} ({right} of {len(gold)})"
    )
    for edge in sorted(found - gold):
        print("  not in the headers:", *edge)
    for edge in sorted(gold - found):
        print("  missed:", *edge)


def main(folder: str) -> None:
    gold = gold_of(folder)
    stated = set().union(*gold.values())
    entities, sources = edges_of(folder)
    present = {int(found.group(1)) for found in map(_FILE.match, os.listdir(folder)) if found}
    for header, edges in gold.items():
        print(
            f"{header}: recall {len(entities & edges) / max(1, len(edges)):.3f} ({len(entities & edges)} of {len(edges)})"
        )
    _told("between Entities", entities, stated)
    _told(
        "between Sources that are both there",
        sources,
        {edge for edge in stated if {edge[1], edge[2]} <= present},
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])
