"""Change logs: which version each entry belongs to, and which version came before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from kgraph.documents.timelines import iso_day
from kgraph.model import Document
from kgraph.tuples import NamedTuple

_VERSION = r"\[?v?(?P<version>\d{1,5}(?:\.\d{1,6}){1,3}(?:[-.+]?(?:alpha|beta|rc|pre|dev|post|a|b|c)[-.]?\d{0,6}|-[\w.]{1,20})?)\]?"
_HEADING = re.compile(
    rf"(?:[A-Za-z][\w-]{{0,30}}\s+)?{_VERSION}(?![\w.]*\d)(?P<rest>[^\n]{{0,80}})$"
)
_LINE = re.compile(
    rf"^[ \t]{{0,3}}(?P<whole>(?:version\s+|release\s+)?{_VERSION}(?P<rest>[ \t]*[-–—(:]?[ \t]*(?:[^\w\n]?\d{{4}}-\d{{2}}-\d{{2}}"
    rf"|[A-Z][a-z]+ \d{{1,2}},? \d{{4}})?\)?:?[ \t]*))\r?$",
    re.MULTILINE | re.IGNORECASE,
)
_NAMED = re.compile(
    r"change.?log|changes|history|news|release.?notes|releases|what.?s.?new", re.IGNORECASE
)


class Version(NamedTuple):
    """A version's part of a change log: ``start:body`` is its heading, ``body:end`` its entries. ``day`` is '' where none is stated."""

    name: str
    day: str
    start: int
    body: int
    end: int


def versions_of(document: Document, title: str) -> list[Version]:
    """The versions of a change log in the order of the text; none where the document isn't one."""
    named = bool(_NAMED.search(document.name) or _NAMED.search(title))
    found: list[tuple[str, str, int, int]] = []
    for section in document.sections:
        heading = _HEADING.match(section.title.strip())
        if heading and (
            heading.group("rest").strip(" -–—()[]:") == ""
            or iso_day(heading.group("rest"))
            or named
        ):
            found.append(
                (
                    heading.group("version"),
                    iso_day(heading.group("rest")),
                    section.start,
                    section.body,
                )
            )
    if not found and named:
        for line in _LINE.finditer(document.text):
            found.append(
                (
                    line.group("version"),
                    iso_day(line.group("rest")),
                    line.start("whole"),
                    line.end("whole"),
                )
            )
    if len(found) < (1 if named else 3):
        return []
    found.sort(key=lambda item: item[2])
    ends = [item[2] for item in found[1:]] + [len(document.text)]
    return [
        Version(name, day, start, body, end)
        for (name, day, start, body), end in zip(found, ends, strict=True)
    ]


def successions(versions: Sequence[Version]) -> list[tuple[Version, Version]]:
    """Pairs (newer, older) of neighbours in the text whose numbers say the same as their order."""
    pairs: list[tuple[Version, Version]] = []
    for above, below in pairwise(versions):
        first, second = _rank(above.name), _rank(below.name)
        if first > second:
            pairs.append((above, below))
        elif second > first:
            pairs.append((below, above))
    return pairs


def _rank(version: str) -> tuple[tuple[int, ...], int, str, int]:
    numbers = re.match(r"\d+(?:\.\d+)*", version)
    release = tuple(int(part) for part in numbers.group().split(".")) if numbers else ()
    while release and release[-1] == 0:
        release = release[:-1]
    rest = version[numbers.end() :].strip("-.+").lower() if numbers else version.lower()
    stage = 1 if not rest else 2 if rest.startswith("post") else 0
    digits = re.search(r"\d+", rest)
    return release, stage, re.sub(r"\d+", "", rest), int(digits.group()) if digits else 0
