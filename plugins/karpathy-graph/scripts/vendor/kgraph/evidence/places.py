"""What a citation's ``source_doc`` says: the document, and the anchor in it. Text alone: no document is looked at."""

from __future__ import annotations

import re

from kgraph.tuples import NamedTuple

_LINE_SUFFIX = re.compile(r":(\d{1,9})(?:-(\d{1,9}))?$")


class Place(NamedTuple):
    """``document``: a name, uri or path as written, which may be empty. ``anchor`` is '' if there is none."""

    document: str
    anchor: str


def split(source_doc: str) -> Place:
    """``name#anchor``, ``uri#anchor``, ``path:12`` or ``path:12-20``; lines become ``L12`` and ``L12-L20``."""
    document, mark, anchor = source_doc.partition("#")
    if mark:
        return Place(document, anchor.strip())
    found = _LINE_SUFFIX.search(source_doc)
    if found:
        return Place(
            source_doc[: found.start()], line_anchor(int(found[1]), int(found[2] or found[1]))
        )
    return Place(source_doc, "")


def line_anchor(first: int, last: int) -> str:
    return f"L{first}" if first == last else f"L{first}-L{last}"
