"""Rendering and exporting a graph: filling the snapshot's head, and writing the files."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Iterator, Mapping
from typing import Any

from kgraph.graph.asking import runs
from kgraph.graph.engine import Engine
from kgraph.graph.folder import Manifest
from kgraph.graph.picturing import snapshot
from kgraph.index.health import NAMES, breaches
from kgraph.index.lines import agent_of, line
from kgraph.index.read import Reader
from kgraph.model import Problem
from kgraph.tuples import NamedTuple
from kgraph.version import __version__
from kgraph.views import figures
from kgraph.views.explorer.page import graph_html
from kgraph.views.files import previous_figures, write
from kgraph.views.graph_json import graph_json
from kgraph.views.mermaid import mermaid
from kgraph.views.report import report
from kgraph.views.snapshot import GraphMeta, Run, Snapshot, UnitOutcome

MOST_HELD = 400_000  # edges, of about a kilobyte each
LOSSES = (
    "refused",
    "truncated",
    "hollow",
    "invalid",
    "unsupported",
    "failed",
    "over-budget",
    "pending",
    "unreadable",
)


class About(NamedTuple):
    """The graph that a view is of: what its manifest says, its folder, and where its sources' uris count from."""

    manifest: Manifest
    folder: str
    source_root: str


def meta(reader: Reader, about: About, now: str) -> GraphMeta:
    """The head of a snapshot. ``about``: (manifest, the graph's folder, the source root)."""
    manifest, folder, root = about
    violations = tuple(
        Problem(
            one.invariant,
            "$",
            f"'{one.name}': {one.detail}",
            "",
            NAMES[one.invariant],
            one.id,
            one.detail,
        )
        for one in breaches(reader)
    )
    outcomes = unit_outcomes(reader)
    try:
        way = os.path.relpath(root, os.path.abspath(folder)).replace(os.sep, "/")
    except ValueError:  # another drive
        way = ""
    return GraphMeta(
        manifest.name, manifest.objective, manifest.created, now, tuple(reader.index.heads), way,
        _runs(reader, outcomes), tuple(outcomes), violations,
        previous_figures(os.path.join(folder, "graph.json")), __version__,
    )  # fmt: skip


def unit_outcomes(reader: Reader) -> list[UnitOutcome]:
    """The last word on each unit of context."""
    found: dict[str, UnitOutcome] = {}
    for tx, event in reader.notes("unit"):
        written = line(reader, tx)
        unit = str(event.get("key", ""))
        read = [int(str(event.get(field, 0))) for field in ("sentences", "claims")]
        found[unit] = UnitOutcome(
            unit,
            str(event.get("outcome", "")),
            str(event.get("detail", "")),
            written.run if written else "",
            written.ts if written else "",
            *read,
        )
    return [one for one in found.values() if one.outcome != "gone"]


def _runs(reader: Reader, outcomes: list[UnitOutcome]) -> tuple[Run, ...]:
    found = []
    for row in runs(reader):
        losses: dict[str, int] = {}
        for one in outcomes:
            if one.run_id == row["run_id"] and one.outcome in LOSSES:
                losses[one.outcome] = losses.get(one.outcome, 0) + 1
        found.append(
            Run(row["run_id"], row["first"], row["last"], row["transactions"], row["nodes"], row["edges"], agent_of(reader, row["run_id"]),
                cost=row["cost"], losses=losses)
        )  # fmt: skip
    return tuple(found)


def _held(seen: Snapshot, edges: int) -> Snapshot:
    """The snapshot read once and kept, if it is of a size that the page holds anyway: every view passes over it anew."""
    return seen if edges > MOST_HELD else Snapshot(seen.meta, tuple(seen.nodes), tuple(seen.edges))


@contextlib.contextmanager
def _without_collecting() -> Iterator[None]:
    """What is made inside is kept to the end: looking through it for garbage only costs time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def render(engine: Engine, about: About, plain: bool) -> Mapping[str, Any]:
    """Write REPORT.md, graph.json, graph.mmd and graph.html into the graph's folder: {name: {path, size_bytes}}."""
    reader = engine.reader()
    lazy = snapshot(reader, meta(reader, about, engine.clock()), judged=True)
    folder = about.folder
    with _without_collecting():
        seen = _held(lazy, sum(reader.counters()["predicate"].values()))
        counted = figures(seen)
        pages = {
            "REPORT.md": report(seen, counted), "graph.json": graph_json(seen, counted),
            "graph.mmd": mermaid(seen), "graph.html": graph_html(seen, plain),
        }  # fmt: skip
        files = {}
        for name, chunks in pages.items():
            done = write(os.path.join(folder, name), chunks, force=True)
            files[name] = {"path": done.path, "size_bytes": done.size_bytes}
    return files


def report_now(engine: Engine, about: About) -> Iterator[str]:
    """The report of the graph as it is now; trends are against the last render."""
    seen = snapshot(engine.reader(), meta(engine.reader(), about, engine.clock()), judged=True)
    return report(seen, figures(seen))
