"""Questions about code, asked of a graph: its sources for the words, and the version control for what changed."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

from kgraph.code.facts import CodeOptions, SourceFile
from kgraph.code.gather import read
from kgraph.code.languages import language_of
from kgraph.code.navigate import Inquiry, answer
from kgraph.code.navigate.impact import Change, Extent
from kgraph.code.navigate.occurrences import reader_below
from kgraph.errors import UsageError

if TYPE_CHECKING:
    from kgraph.index.read import Reader

_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_LONGEST_SECONDS = 60


def code(reader: Reader, source_root: str, inquiry: Inquiry) -> dict[str, Any]:
    return answer(reader, inquiry, reader_below(source_root))


def changed_lines(source_root: str, revision: str) -> tuple[Change, ...]:
    """What differs between a revision and the files as they are, hunk by hunk.

    Raises UsageError where there is no repository, or none that knows the revision.
    """
    if revision.startswith("-"):
        raise UsageError(f"'{revision}' is no revision", "give a commit, a branch or a tag")
    command = ["git", "-C", source_root, "-c", "core.quotePath=false", "diff", "--relative", "--no-ext-diff", "--no-textconv", "--no-color", "-U0", revision, "--", "."]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, timeout=_LONGEST_SECONDS, check=False)
    except (FileNotFoundError, subprocess.TimeoutExpired) as error:
        raise UsageError(
            f"git could not be asked what changed: {error}", "name what changed instead"
        ) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["it failed"]
        raise UsageError(
            f"git could not be asked what changed: {said[0]}",
            "give a revision that the source root's repository knows",
        )
    found = _hunks(done.stdout.decode("utf-8", "replace"))
    extents = {uri: _extents(source_root, uri) for uri in {change.uri for change in found}}
    return tuple(change._replace(symbols=extents[change.uri]) for change in found)


def _extents(source_root: str, uri: str) -> tuple[Extent, ...]:
    """The functions and classes of a file as it is now; none for one that can't be read."""
    if language_of(uri) is None:
        return ()
    facts = read(SourceFile(uri, os.path.join(source_root, uri)), CodeOptions("symbol")).facts
    symbols = facts.symbols if facts is not None else ()
    return tuple(Extent(one.name, one.place.line, one.place.end_line) for one in symbols)


def _hunks(diff: str) -> list[Change]:
    found: list[Change] = []
    old = uri = ""
    for row in diff.split("\n"):
        if row.startswith("--- "):
            old = _name(row[4:])
        elif row.startswith("+++ "):
            uri = _name(row[4:]) or old
        elif hunk := _HUNK.match(row):
            first, count = int(hunk[1]), int(hunk[2] or 1)
            found.append(Change(uri, max(first, 1), max(first + count - 1, first, 1)))
    return found


def _name(written: str) -> str:
    """The file of a diff's head line; '' for none."""
    name = written.rstrip("\t").strip('"')
    return "" if name == "/dev/null" else name[2:]
