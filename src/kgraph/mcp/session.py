"""Which graph a call means. Each call opens it anew, so it sees what others wrote, and nothing is held between calls."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from kgraph.compose import Place, graphs
from kgraph.errors import UnknownReference, UsageError
from kgraph.mcp import Wanted

if TYPE_CHECKING:
    from kgraph.graph import Graph


class Session:
    """Opens graphs by name under the root; the one that the server was started for without a name."""

    def __init__(self, wanted: Wanted) -> None:
        if wanted.name and wanted.path:
            raise UsageError("--name and --path both say which graph is meant", "give one of them")
        self._wanted = wanted
        self._told: set[str] = set()
        self._working = wanted.working or os.getcwd()

    def open(self, name: str) -> Graph:
        """Raises NoGraph, or Exists where another name makes the same folder."""
        graph = self._place(name).open()
        self._tell_notices(graph)
        return graph

    def open_or_create(self, name: str) -> Graph:
        return self._place(name).open_or_create()

    def dry(self, name: str) -> Graph:
        """The graph for a trial: where there is none, one that is kept nowhere."""
        place = self._place(name)
        return place.open() if place.is_there() else place.in_memory()

    def healed(self, name: str, error: Exception) -> bool:
        """Whether that graph's index was at fault and has been made again."""
        with self._place(name).open() as graph:
            healed = graph.engine.heal(error)
            self._tell(graph.engine.index.told)
            return healed

    def _tell(self, notice: str) -> None:
        if notice and notice not in self._told:
            self._told.add(notice)
            print(f"kgraph: {' '.join(notice.split())!a}", file=sys.stderr)

    def _tell_notices(self, graph: Graph) -> None:
        """Each notice once, on standard error: where a client keeps what a server has to say to its user."""
        for notice in graph.notices:
            self._tell(notice)

    @staticmethod
    def hold_below_root(graph: Graph, unit: str) -> None:
        """Raise UnknownReference for a unit outside what the graph is about: an agent's word opens no file there."""
        root = os.path.realpath(graph.source_root)
        place = os.path.realpath(os.path.join(root, unit.partition("#")[0]))
        if os.path.commonpath([root, place]) != root:
            raise UnknownReference(
                f"'{unit}' is not below the graph's source root",
                "kgraph units PATH… lists the units",
            )

    def graphs(self) -> list[dict[str, Any]]:
        """Every graph under the root, and the one of the server where that lies elsewhere."""
        place = self._place("")
        found = graphs(place.root)
        here = os.path.abspath(place.folder)
        if place.is_there() and all(os.path.abspath(row["path"]) != here for row in found):
            found = [
                row for row in graphs(os.path.dirname(here)) if os.path.abspath(row["path"]) == here
            ] + found
        return found

    def _place(self, name: str) -> Place:
        wanted = self._wanted
        if name.strip():
            return Place(name, "", self._working, wanted.wait_seconds)
        path = os.path.join(self._working, wanted.path) if wanted.path else ""
        return Place(wanted.name, path, self._working, wanted.wait_seconds)
