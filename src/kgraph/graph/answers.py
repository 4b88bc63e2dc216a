"""What the methods of ``Graph`` give back: plain typed records, and how they look as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.events import Event
from kgraph.model import Problem
from kgraph.tuples import NamedTuple


class Ingestion(NamedTuple):
    """How a payload is to be taken in. ``unit_sources``: uris that it may cite, None for any; ``withdraw``: an event that goes first."""

    run_id: str = ""
    agent: str = ""
    unit: str = ""
    reason: str = ""
    strict: bool = False
    dry_run: bool = False
    repair: bool = False
    offline: bool = False
    op: str = "ingest"
    unit_sources: frozenset[str] | None = None
    meta: Mapping[str, Any] = {}
    more: tuple[
        Event, ...
    ] = ()  # events that become true with the payload: withdrawals, unit outcomes
    allow_secrets: bool = False  # texts that look like credentials are taken (else E113)


class Receipt(NamedTuple):
    """What became of a payload. Ids are of the nodes and edges that are new, or known and said again; all empty when refused."""

    run_id: str
    tx: str
    unchanged: bool
    nodes_added: Sequence[str]
    nodes_updated: Sequence[str]
    edges_added: Sequence[str]
    edges_updated: Sequence[str]
    ids: Mapping[str, Sequence[str]]  # nodes and edges, in the payload's order
    invariant_violations: Sequence[Problem]
    errors: Sequence[Problem]
    warnings: Sequence[Problem]
    repairs: Sequence[Mapping[str, Any]]
    dropped: int
    evidence: Mapping[str, int]
    stats: Mapping[str, Any]
    strict: bool = False

    @property
    def exit_status(self) -> int:
        """0 written or unchanged, 1 refused for invariants only, 2 refused for anything else."""
        if self.errors or (
            self.strict and any(problem.code != "W303" for problem in self.warnings)
        ):
            return 2
        return 1 if self.invariant_violations else 0

    def as_json(self) -> dict[str, Any]:
        found = self._asdict()
        del found["strict"]
        for key in ("invariant_violations", "errors", "warnings"):
            found[key] = [problem.as_json() for problem in found[key]]
        return found


class Withdrawal(NamedTuple):
    """What a retraction or a restoration did. ``withdrawn`` lists assertions; ``already`` is the transaction that had done it before."""

    tx: str
    withdrawn: Sequence[Mapping[str, Any]]
    gone: Mapping[str, Sequence[str]]
    back: Mapping[str, Sequence[str]]
    survives: Sequence[str]
    invariant_violations: Sequence[Problem] = ()
    already: str = ""

    @property
    def exit_status(self) -> int:
        return 1 if self.invariant_violations else 0

    def as_json(self) -> dict[str, Any]:
        found = self._asdict()
        found["invariant_violations"] = [problem.as_json() for problem in self.invariant_violations]
        if not self.already:
            del found["already"]
        return found


class Checkup(NamedTuple):
    """What ``validate`` found in a whole graph: damage of the log is an error, invariants that don't hold are violations."""

    invariant_violations: Sequence[Problem]
    errors: Sequence[Problem]
    warnings: Sequence[Problem]
    stats: Mapping[str, Any]

    @property
    def exit_status(self) -> int:
        return 2 if self.errors else 1 if self.invariant_violations else 0

    def as_json(self) -> dict[str, Any]:
        found = self._asdict()
        for key in ("invariant_violations", "errors", "warnings"):
            found[key] = [problem.as_json() for problem in found[key]]
        return found


class LinesAnswer(NamedTuple):
    """What became of a stream of payloads: counts, and the first hundred refused lines."""

    run_id: str
    lines: int
    transactions: int
    unchanged: int
    nodes_added: int
    nodes_updated: int
    edges_added: int
    edges_updated: int
    refused: list[dict[str, Any]]
    refused_count: int
    worst: int
    evidence: dict[str, int]
    warnings_count: int
    stats: Mapping[str, Any]

    @property
    def exit_status(self) -> int:
        return self.worst
