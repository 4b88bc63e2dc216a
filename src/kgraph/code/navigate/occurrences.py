"""Where a name is written in the sources as they are now: for what no edge can tell, like a constant or a name in a string."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator

from kgraph.code.navigate.parts import Place

Read = Callable[[str], str | None]
_LONGEST_QUOTE = 200


def written(names: Iterable[str], uris: Iterable[str], read: Read) -> Iterator[tuple[str, Place]]:
    """Each place at which one of some names stands as a whole word: (name, place), in the order of files and lines."""
    wanted = sorted({name for name in names if name}, key=len, reverse=True)
    if not wanted:
        return
    pattern = re.compile(r"(?<![\w$])(?:" + "|".join(map(re.escape, wanted)) + r")(?![\w$])")
    for uri in sorted(uris):
        text = read(uri) or ""
        if not any(name in text for name in wanted[:50]) and len(wanted) <= 50:
            continue
        for number, row in enumerate(text.split("\n"), 1):
            for name in dict.fromkeys(pattern.findall(row)):
                yield name, Place(uri, number, row.strip()[:_LONGEST_QUOTE])


def reader_below(root: str) -> Read:
    """Reads files below a folder, and nothing that leads out of it; None for what can't be read."""
    from kgraph.sources.encoding import decode

    top = os.path.realpath(root)

    def read(uri: str) -> str | None:
        path = os.path.realpath(os.path.join(top, uri))
        if os.path.commonpath([top, path]) != top:
            return None
        try:
            with open(path, "rb") as stream:
                return decode(stream.read()).text
        except (OSError, ValueError):
            return None

    return read
