"""Which two states ``diff`` compares: this graph or another, now or then, whole or one run, or as a git revision held it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kgraph.errors import UsageError
from kgraph.graph.picturing import snapshot
from kgraph.tuples import NamedTuple
from kgraph.views.difference import Difference, difference
from kgraph.views.snapshot import GraphMeta, Node, Snapshot

if TYPE_CHECKING:
    from kgraph.graph import Graph

Open = Callable[[str], "Graph"]


class State(NamedTuple):
    """``graph``: the folder of another graph, '' for this one. ``as_of``: a transaction or an instant. ``run``: only what that run said.
    ``revision``: the log as git holds it there."""

    graph: str = ""
    as_of: str = ""
    run: str = ""
    revision: str = ""


def read_state(text: str) -> State:
    """``now``, ``path:DIR``, ``run:ID``, ``git:REVISION``, else a transaction or an instant."""
    kind, colon, rest = text.partition(":")
    if text in ("", "now"):
        return State()
    if colon and kind in ("path", "run", "git"):
        if not rest:
            raise UsageError(f"'{text}' names nothing", f"write {kind}: and what is meant")
        if kind == "git" and rest.startswith("-"):
            raise UsageError(f"'{rest}' is no revision", "write git:main, or git:HEAD~1")
        return {"path": State(graph=rest), "run": State(run=rest), "git": State(revision=rest)}[
            kind
        ]
    return State(as_of=text)


def compare(graph: Graph, before: State, after: State, opened: Open) -> Difference:
    """What ``after`` says differently from ``before``. ``opened`` opens a graph's folder.

    Raises UsageError for a run that said nothing, a revision that holds no log, and whatever opening a graph raises.
    """
    with _seen(graph, before, opened) as first, _seen(graph, after, opened) as second:
        return difference(first, second)


@contextmanager
def _seen(graph: Graph, state: State, opened: Open) -> Iterator[Snapshot]:
    if state.graph:
        with opened(state.graph) as other:
            yield _snapshot(other, "")
    elif state.revision:
        with tempfile.TemporaryDirectory(prefix="kgraph-diff-") as folder:
            with open(os.path.join(folder, "log.jsonl"), "wb") as file:
                file.write(_log_at(graph.path, state.revision))
            with opened(folder) as other:
                yield _snapshot(other, "")
    elif state.run:
        yield _of_run(_snapshot(graph, ""), state.run)
    else:
        yield _snapshot(graph, state.as_of)


def _snapshot(graph: Graph, as_of: str) -> Snapshot:
    return snapshot(graph.reader(as_of), GraphMeta(graph.name))


def _of_run(seen: Snapshot, run: str) -> Snapshot:
    """What one run said, with the words that it gave. Raises UsageError where that is nothing."""
    nodes = tuple(
        _said_in(node, run)
        for node in seen.nodes
        if any(said.run_id == run for said in node.assertions)
    )
    edges = tuple(
        edge._replace(assertions=said)
        for edge in seen.edges
        if (said := tuple(one for one in edge.assertions if one.run_id == run))
    )
    if not nodes and not edges:
        raise UsageError(
            f"nothing of the run '{run}' is in the graph", "kgraph runs lists the runs"
        )
    return Snapshot(seen.meta, nodes, edges)


def _said_in(node: Node, run: str) -> Node:
    said = tuple(one for one in node.assertions if one.run_id == run)
    fullest = max((one.description for one in said), key=len)
    return node._replace(
        assertions=said, description=fullest, name=said[0].name,
        aliases=tuple(sorted({alias for one in said for alias in one.aliases})),
    )  # fmt: skip


def _log_at(folder: str, revision: str) -> bytes:
    """The log's bytes at a revision of the repository that the graph's folder lies in."""
    try:
        done = subprocess.run(
            ["git", "-C", folder, "show", f"{revision}:./log.jsonl"], capture_output=True, check=False
        )  # fmt: skip
    except FileNotFoundError:
        raise UsageError("git isn't installed", "install git, or compare with path:DIR") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(
            f"git has no log of this graph at '{revision}'{': ' + said[0] if said else ''}",
            "commit log.jsonl, or name another revision",
        )
    return done.stdout
