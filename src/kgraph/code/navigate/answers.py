"""The answers: each question is a function from a part of code to rows, and every row is a place in a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kgraph.code.navigate import impact, references, uses
from kgraph.code.navigate.occurrences import Read
from kgraph.code.navigate.parts import MODULES, Part, Parts
from kgraph.code.navigate.rows import Row, Rows
from kgraph.errors import UsageError
from kgraph.index.read import Reader
from kgraph.tuples import NamedTuple


class Inquiry(NamedTuple):
    """A question and what it is asked of. ``limit`` 0 gives all rows at once; ``changed``: what a diff says."""

    question: str
    refs: tuple[str, ...] = ()
    limit: int = 100
    cursor: str = ""
    depth: int = 0  # how far impact, tests and path go; 0: to the end
    changed: tuple[impact.Change, ...] | None = None


class Question(NamedTuple):
    """``refs``: how many it is asked of, at least and at most (0: any number). ``rows`` gives the answer."""

    summary: str
    refs: tuple[int, int]
    rows: Callable[[Parts, Sequence[Part], Inquiry, Read], Rows]


def answer(reader: Reader, inquiry: Inquiry, read: Read) -> dict[str, Any]:
    """The answer as data: ``{question, of, certain, possible, counts, truncated, cursor}``; impact and path say more.

    ``read`` gives the text of a source by its uri. Raises UsageError, UnknownReference, AmbiguousReference.
    """
    question = QUESTIONS.get(inquiry.question)
    if question is None:
        raise UsageError(
            f"no question is called '{inquiry.question}'", f"one of: {', '.join(QUESTIONS)}"
        )
    _check(inquiry, question.refs)
    parts = Parts(reader)
    of = _parts_asked(parts, inquiry)
    rows = question.rows(parts, of, inquiry, read)
    head: dict[str, Any] = {
        "question": inquiry.question,
        "of": [_part_json(parts, part) for part in of],
        **rows.head,
    }
    if (
        inquiry.question in NEEDS_SYMBOLS
        and not rows.certain
        and not rows.possible
        and not _has_symbols(reader)
    ):
        head["note"] = (
            "the graph holds modules alone: extract with --code-level symbol for functions and calls"
        )
    return head | _page(rows, inquiry, reader)


def _check(inquiry: Inquiry, refs: tuple[int, int]) -> None:
    least, most = refs
    if inquiry.changed is not None and inquiry.question != "impact":
        raise UsageError("only impact is asked of a difference", "leave --diff out")
    number = len(inquiry.refs)
    if inquiry.changed is None and (number < least or (most and number > most)):
        wanted = (
            f"{least}"
            if least == most
            else f"at least {least}"
            if not most
            else f"{least} to {most}"
        )
        raise UsageError(
            f"{inquiry.question} is asked of {wanted} of the code's parts, {number} given",
            "kgraph code --help",
        )


def _parts_asked(parts: Parts, inquiry: Inquiry) -> list[Part]:
    if inquiry.question == "where":
        return references.named(parts, inquiry.refs[0])
    kinds = frozenset(("class",)) if inquiry.question == "inheritors" else frozenset[str]()
    found = [references.meant(parts, reference, kinds) for reference in inquiry.refs]
    for change in inquiry.changed or ():
        found += impact.changed(parts, change)
    return list({part.nid: part for part in found}.values())


def _part_json(parts: Parts, part: Part) -> dict[str, Any]:
    home = parts.homes([part])[part.nid]
    found = {"id": part.id, "name": part.name, "kind": part.kind}
    return found | ({"uri": home.uri, "line": home.line} if home.uri else {})


def _page(rows: Rows, inquiry: Inquiry, reader: Reader) -> dict[str, Any]:
    """The rows that a page shows: certain ones first. A cursor belongs to one question and one state of the graph."""
    text = json.dumps([inquiry._replace(limit=0, cursor=""), sorted(reader.index.heads)])
    mark = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    given, _, place = inquiry.cursor.partition(".")
    if inquiry.cursor and (given != mark or not place.isdecimal()):
        raise UsageError(
            "the cursor belongs to another question, or the graph has changed since",
            "ask again without --cursor",
        )
    start = int(place or 0)
    certain, possible = sorted(rows.certain, key=_order), sorted(rows.possible, key=_order)
    end = start + inquiry.limit if inquiry.limit else len(certain) + len(possible)
    shown = [*certain, *possible][start:end]
    split = max(0, len(certain) - start)
    over = end < len(certain) + len(possible)
    return {
        "certain": [row.as_json() for row in shown[:split]],
        "possible": [row.as_json() for row in shown[split:]],
        "counts": {"certain": len(certain), "possible": len(possible)},
        "truncated": over,
        "cursor": f"{mark}.{end}" if over else "",
    }  # fmt: skip


def _order(row: Row) -> tuple[Any, ...]:
    return row.rank, row.depth, row.place.uri, row.place.line, row.name, row.relation


def _has_symbols(reader: Reader) -> bool:
    found = Parts(reader).get(view.nid for view in _some(reader.every_node("Entity"), 2000))
    return any(part.kind not in MODULES for part in found.values())


def _some(views: Iterable[Any], most: int) -> Iterable[Any]:
    return (view for _, view in zip(range(most), views, strict=False))


NEEDS_SYMBOLS = frozenset(("callers", "callees", "inheritors", "path", "unused"))
QUESTIONS: dict[str, Question] = {
    "callers": Question("who calls it, or makes instances of it", (1, 1), uses.callers),
    "callees": Question("what it calls", (1, 1), uses.callees),
    "importers": Question("who imports it", (1, 1), uses.importers),
    "imports": Question("what its module imports", (1, 1), uses.imports),
    "inheritors": Question("what derives from it, however far", (1, 1), uses.inheritors),
    "tests": Question("which tests reach it, the nearest first", (1, 0), impact.tests),
    "unused": Question(
        "what nothing in the sources uses, below it or anywhere", (0, 1), uses.unused
    ),
    "path": Question("how one reaches the other, step by step", (2, 2), impact.path),
    "impact": Question(
        "what a change of it reaches, tests to run and public entry points", (1, 0), impact.impact
    ),
    "where": Question("its definition and all its uses", (1, 1), uses.where),
}
