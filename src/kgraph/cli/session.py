"""One call of the command line: which graph it is about, and what has to be said of it at the end."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from kgraph.compose import Place
from kgraph.config import settings
from kgraph.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from kgraph.cli.answering import Around
    from kgraph.cli.changes import Changes
    from kgraph.graph import Graph
    from kgraph.model import Problem


class Session:
    """Opens the graph when a command asks for it."""

    def __init__(self, options: argparse.Namespace) -> None:
        if options.name and options.path:
            raise UsageError("--name and --path both say which graph is meant", "give one of them")
        self.quiet: bool = options.quiet
        self.settings = settings(os.environ, os.getcwd())
        if options.name or options.path:
            self.settings = self.settings._replace(name="", path="")
        self.meant = "".join(
            f" --{key} {_quoted(value)}"
            for key in ("name", "path")
            if (value := getattr(options, key))
        )
        self.empty: dict[
            str, Any
        ] = {}  # members that an error answer of this command holds all the same
        roots = (*(getattr(options, "source_roots", None) or ()), *self.settings.source_roots)
        self.place = Place(
            options.name or self.settings.name, options.path or self.settings.path,
            wait_seconds=options.wait, roots=roots,
        )  # fmt: skip
        self._graph: Graph | None = None
        self.streamed = False  # whether part of an answer is out already

    def graph(self) -> Graph:
        """The graph that is there. Raises NoGraph."""
        if self._graph is None:
            self._graph = self.place.open()
            self._tell_notices(self._graph)
        return self._graph

    def _tell_notices(self, graph: Graph) -> None:
        from kgraph.cli.answering import one_line

        while graph.notices:
            print(f"kgraph: {one_line(graph.notices.pop(0))}", file=sys.stderr)

    def graph_or_new(self, source_root: str = "", dry_run: bool = False) -> Graph:
        """The graph, made and announced if it isn't there; for a dry run one that is nowhere."""
        if self._graph is None and dry_run and not self.place.is_there():
            self._graph = self.place.in_memory(source_root)
        if self._graph is None:
            self._graph = self.place.open_or_create(source_root)
            self._tell_notices(self._graph)
            if self._graph.created:
                self.say(
                    f"made the graph '{self._graph.name}' in {self._graph.path}{self._aside()}"
                )
        return self._graph

    def about(self, graph: Graph) -> None:
        """Which graph an answer speaks of when none was made."""
        self._graph = graph

    def new_graph(self, objective: str, budget: dict[str, Any], source_root: str) -> Graph:
        self._graph = self.place.create(objective, budget, source_root)
        if self._aside():
            self.say(f"made the graph '{self._graph.name}' in {self._graph.path}{self._aside()}")
        return self._graph

    def _aside(self) -> str:
        """What has to be said of a name that looks like a path."""
        looks = not self.place.by_path and any(mark in self.place.name for mark in "/\\")
        return "; a name is no path (--path DIR takes one)" if looks else ""

    def changes(self) -> Changes:
        """The words for what a call changed. They ask the graph for names only when they are printed."""
        from kgraph.cli.changes import Changes

        return Changes(self.graph().called, self.meant)

    def named(self) -> dict[str, Any]:
        """The members that every answer begins with."""
        if self._graph is None:
            return {}
        return {"graph": self._graph.name, "path": self._graph.path}

    def damage(self) -> list[Problem]:
        return self._graph.damage() if self._graph else []

    def around(self, json: bool) -> Around:
        """What is printed around the answer of this call, and for whom."""
        from kgraph.cli.answering import Around

        return Around(
            self.named(),
            [problem.as_json() for problem in self.damage()],
            json,
            sys.stdout.isatty(),
        )

    def healed(self, error: Exception) -> bool:
        """Whether the index was at fault and has been made again, so that the same may be asked once more."""
        if self._graph is None or self._graph.engine.written or self.streamed:
            return False
        return self._graph.engine.heal(error)

    def told(self) -> str:
        """What a person should know of the index."""
        if self._graph is not None:
            self._tell_notices(self._graph)
        return self._graph.engine.index.told if self._graph else ""

    def written(self) -> list[str]:
        return self._graph.engine.written if self._graph else []

    def say(self, text: str) -> None:
        """Tell the person; never on standard output."""
        if not self.quiet:
            from kgraph.cli.answering import safe

            print(f"kgraph: {safe(text)}", file=sys.stderr)

    def keep_details(self, text: str) -> str:
        """Put a fault's details into the graph's folder; where, or '' when there is none that can be written."""
        if self._graph is None or not os.access(self._graph.path, os.W_OK):
            return ""
        path = os.path.join(self._graph.path, "fault.txt")
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as handle:
            handle.write(text)
        return path


def _quoted(word: str) -> str:
    """A word as a shell takes it."""
    import shlex

    return shlex.quote(word)
