"""Names in code that could not be tied to anything, kept beside the graph so that a later command can list them.

They are no statements, so they don't stand in the log; the file may be deleted, and the next full extraction makes it again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from kgraph.extract.request import RunAnswer
from kgraph.graph.folder import write_whole
from kgraph.model import Json
from kgraph.parsing import json_value

READ = ("done", "empty")


def keep(folder: str, answer: RunAnswer) -> None:
    """Put what a run could not tie in the place of what was known of the same files. What it did not read again stays."""
    read = {uri for unit in answer.units if unit.outcome in READ for uri in unit.sources}
    gone = {one.uri for one in answer.vanished}
    if answer.estimate is not None or not (read or gone) or not os.path.isdir(folder):
        return
    known = {uri: rows for uri, rows in _kept(folder).items() if uri not in read | gone}
    for one in answer.unresolved:
        known.setdefault(one.uri, []).append(
            {"line": one.line, "name": one.name, "reason": one.reason}
        )
    if known or os.path.exists(_path(folder)):
        os.makedirs(os.path.dirname(_path(folder)), exist_ok=True)
        write_whole(
            _path(folder),
            json.dumps(dict(sorted(known.items())), ensure_ascii=False, indent=1) + "\n",
        )


def unresolved(folder: str) -> list[dict[str, Json]]:
    """Every name that the last extraction of its file could not tie: {uri, line, name, reason}, by file and line."""
    return [
        {"uri": uri, **row}
        for uri, rows in _kept(folder).items()
        for row in sorted(rows, key=lambda row: (row["line"], row["name"]))
    ]


def _path(folder: str) -> str:
    return os.path.join(folder, "cache", "unresolved.json")


def _kept(folder: str) -> dict[str, list[Mapping[str, Json]]]:
    """By file; nothing where there is no file of ours, as after a graph was cloned."""
    try:
        with open(_path(folder), encoding="utf-8", errors="surrogateescape") as handle:
            found = json_value(handle.read())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
