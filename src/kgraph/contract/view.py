"""What the checks ask of the graph, and what they answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kgraph.model import Problem
from kgraph.ontology import STANDARD, Vocabulary
from kgraph.tuples import NamedTuple


class Held(NamedTuple):
    """A node as the graph holds it. ``live`` is false for one whose assertions are all withdrawn; ``degree`` counts live edges."""

    id: str
    type: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    uri: str = ""
    qualifier: str = ""
    live: bool = True
    key_id: str = ""  # identity.key_id of its type, name or uri, and qualifier
    version: str | int | float | None = None
    rubric: str = ""
    inference: bool = False
    degree: int = 0


class View(Protocol):
    """The graph as it is. Every method takes a whole batch, so that a large payload costs a few calls and not one for each node.

    Keys that name nothing are absent from the answer.
    """

    def by_ids(self, ids: Sequence[str]) -> dict[str, Held]:
        """Nodes by id, live or withdrawn."""
        ...

    def by_key_ids(self, key_ids: Sequence[str]) -> dict[str, list[Held]]:
        """Live nodes whose type and identity key make that id, whatever their own id."""
        ...

    def by_names(self, folded: Sequence[str]) -> dict[str, list[Held]]:
        """Live nodes that have that folded name or alias."""
        ...

    def tied_claims(self, ids: Sequence[str]) -> set[str]:
        """Those of the claims that a live Source supports, or that are derived from one."""
        ...

    def produced(self, ids: Sequence[str]) -> set[str]:
        """Those of the nodes that a live AgentRun produced."""
        ...

    def mentioning(self, ids: Sequence[str]) -> set[str]:
        """Those of the claims that mention something."""
        ...

    def carried_by(self, source: str) -> set[str]:
        """The live claims that a Source supports, by id."""
        ...

    def has_edges(self, ids: Sequence[str]) -> set[str]:
        """Those of the nodes that a live edge touches."""
        ...


class Options(NamedTuple):
    """How a payload is to be judged.

    ``unit_sources``: uris that the payload may cite, or None for any (E112). ``read_source``: text of a Source by its uri, or None
    where it can't be read (W209). ``vocabulary``: the kinds and roles that are known (W220). ``offline``: the payload is kgraph's own, whose confidences are flat by nature (no W206).
    """

    strict: bool = False
    offline: bool = False
    unit_sources: frozenset[str] | None = None
    read_source: Callable[[str], str | None] | None = None
    source_root: str = ""
    vocabulary: Vocabulary = STANDARD
    allow_secrets: bool = False  # texts that look like credentials are taken (else E113)


class Admission(NamedTuple):
    """What the checks found, and the events that the payload would become.

    Problems are sorted by path. ``nodes`` and ``edges`` are complete only when ``admitted``; ``ids_nodes`` and ``ids_edges`` are in the
    payload's own order (an entry that was refused has the id ""). ``envelope`` holds the payload's members beside nodes and edges.
    """

    errors: list[Problem]
    violations: list[Problem]
    warnings: list[Problem]
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    ids_nodes: list[str]
    ids_edges: list[str]
    envelope: dict[str, Any]
    strict: bool = False

    @property
    def admitted(self) -> bool:
        """Whether it may be written. W303 (the source can't be read here) refuses nothing, even with ``strict``."""
        if self.errors or self.violations:
            return False
        return not (self.strict and any(problem.code != "W303" for problem in self.warnings))
