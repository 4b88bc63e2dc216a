"""How fast the offline extractor reads documents: ``python benchmarks/prose.py PATH…`` (files or folders of Markdown and text).

Processor time on one core of each step: reading the file into a Document, cutting it into units, extracting payloads. Each is printed as
megabytes a second and as a multiple of one pass of a regular expression over the same words, which is what the machine can do at all.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from kgraph.units.extraction import KnownSource, KnownSources
from kgraph.documents import extract
from kgraph.sources import Unreadable, read
from kgraph.units import cut

ENDINGS = (".md", ".markdown", ".txt", ".rst", ".adoc")
MEASURE = "a pass over the words"
T = TypeVar("T")


def files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isfile(path):
            yield path
        for here, folders, names in os.walk(path):
            folders.sort()
            yield from (
                os.path.join(here, name) for name in sorted(names) if name.endswith(ENDINGS)
            )


class Spent:
    """Processor time by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def on(self, step: str, do: Callable[[], T]) -> T:
        begun = time.process_time()
        done = do()
        self.seconds[step] = self.seconds.get(step, 0.0) + time.process_time() - begun
        return done


def one(path: str, spent: Spent) -> tuple[int, int]:
    """Read, cut and extract a file: how many units and claims it made."""
    document = spent.on("reading", partial(read, path, os.path.basename(path)))
    spent.on(MEASURE, partial(re.findall, r"\w+", document.text))
    units = spent.on("cutting", partial(cut, document))
    known = KnownSources([KnownSource(document.uri, document.name)])
    payloads = [spent.on("extracting", partial(extract, unit, known)).payload for unit in units]
    return len(units), sum(
        node["type"] == "Claim" for payload in payloads for node in payload["nodes"]
    )


def main() -> None:
    if not sys.argv[1:]:
        sys.exit(__doc__)
    spent = Spent()
    size = units = claims = unread = 0
    for path in files(sys.argv[1:]):
        try:
            made = one(path, spent)
        except Unreadable:
            unread += 1
            continue
        size, units, claims = size + os.path.getsize(path), units + made[0], claims + made[1]
    print(f"{size / 1e6:.2f} MB, {units} units, {claims} claims, {unread} files that can't be read")
    base = spent.seconds[MEASURE]
    whole = sum(spent.seconds.values()) - base
    for step, seconds in (*spent.seconds.items(), ("reading, cutting and extracting", whole)):
        print(f"{step}: {size / 1e6 / seconds:.2f} MB/s, {seconds / base:.1f} x {MEASURE}")


if __name__ == "__main__":
    main()
