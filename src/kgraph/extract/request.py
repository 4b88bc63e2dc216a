"""What a run is asked to do, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.extract.budget import Caps
from kgraph.extract.judging import Policy
from kgraph.extract.outcomes import FINISHED, UnitResult
from kgraph.model import Json, Problem, Unresolved
from kgraph.tuples import NamedTuple

UNIT_TOKENS = 6_000
CODE_LEVELS = ("module", "symbol")  # the first is the default
UNRESOLVED_SHOWN = 200
SKIPPED_SHOWN = 1_000  # paths for each reason


class RunRequest(NamedTuple):
    """``again`` extracts unchanged units too, ``renew`` takes what was retracted by hand again; ``code_level`` is one of CODE_LEVELS, ''
    for the graph's own.

    Who extracts is said by the tools that the run is given."""

    paths: tuple[str, ...]
    run_id: str
    unit_tokens: int = UNIT_TOKENS
    jobs: int = 4
    caps: Caps = Caps()
    policy: Policy = Policy()
    prune: bool = False
    allow_shrink: bool = False
    dry_run: bool = False
    again: bool = False
    code_level: str = ""
    renew: bool = False
    ignore: tuple[str, ...] = ()  # patterns besides those of the ignore files


class Gone(NamedTuple):
    """A document that was extracted once and isn't there any more."""

    uri: str
    withdrawn: bool


class RunAnswer(NamedTuple):
    """``stopped`` says why a run ended before its last unit, empty if it didn't; ``held_back`` why what would shrink the graph wasn't
    written. ``cost`` is in US dollars, None where no price is known."""

    run_id: str
    units: Sequence[UnitResult]
    cost: float | None
    skipped_files: Mapping[str, Sequence[str]]  # paths by reason
    vanished: Sequence[Gone]
    unresolved: Sequence[Unresolved] = ()
    repairs: Sequence[Mapping[str, Json]] = ()
    stopped: str = ""
    interrupted: bool = False
    held_back: str = ""
    estimate: Mapping[str, Json] | None = None

    @property
    def exit_status(self) -> int:
        if self.interrupted:
            return 130
        if self.estimate is not None:
            return 0
        if self.held_back:
            return 2
        return (
            0
            if all(result.outcome in FINISHED for result in self.units) and not self.stopped
            else 1
        )

    def _read(self) -> dict[str, Json]:
        """How many sentences there were and became claims, where the extractor counts them."""
        counted = [result.notes for result in self.units if "sentences" in result.notes]
        return (
            {
                name: sum(int(str(notes[name])) for notes in counted)
                for name in ("sentences", "claims")
            }
            if counted
            else {}
        )

    def as_json(self) -> dict[str, Json]:
        totals: dict[str, Json] = {}
        for result in self.units:
            totals[result.outcome] = totals.get(result.outcome, 0) + 1
        found: dict[str, Json] = {
            "ok": self.exit_status == 0,
            "run_id": self.run_id,
            "units": [result.as_json() for result in self.units],
            "totals": {
                "units": len(self.units),
                "outcomes": totals,
                "nodes": sum(result.nodes for result in self.units),
                "edges": sum(result.edges for result in self.units),
                **self._read(),
                "unsupported": sum(result.unsupported for result in self.units),
                "secrets": sum(int(result.notes.get("secrets") or 0) for result in self.units),
                "tokens": sum(
                    result.usage.input_tokens + result.usage.output_tokens for result in self.units
                ),
            },
            "cost": self.cost,
            "held_back": sum(len(result.held) for result in self.units),
            "repairs": list(self.repairs),
            "unresolved": [item._asdict() for item in self.unresolved[:UNRESOLVED_SHOWN]],
            "unresolved_count": len(self.unresolved),
            "skipped_files": {
                reason: {"count": len(paths), "paths": list(paths[:SKIPPED_SHOWN])}
                for reason, paths in self.skipped_files.items()
            },
            "vanished": [item._asdict() for item in self.vanished],
        }
        if self.stopped:
            found["stopped"] = self.stopped
        if self.held_back:
            hint = "look at what went first; if it is meant so, run again with --allow-shrink"
            found["errors"] = [Problem("E207", "", self.held_back, hint).as_json()]
        if self.estimate is not None:
            found["dry_run"] = True
            found["estimate"] = dict(self.estimate)
        return found
