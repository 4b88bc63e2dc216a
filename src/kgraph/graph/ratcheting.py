"""``ratchet``: try changes one after the other against gold, keep what helps, and write every trial into the graph.

The graph itself is not changed by a trial but for its record: scoring, merges and builds happen in a copy of the state that the run began
with. A trial's record is one transaction, so a run that was killed goes on after its last recorded trial, with the same verdicts.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kgraph.errors import UsageError
from kgraph.evaluate.gold import Item
from kgraph.evaluate.ratchet import (
    BASELINE,
    KEPT,
    Change,
    Measured,
    Settings,
    Target,
    Trial,
    broken,
    decide,
    figure,
    read_trial,
    split,
)
from kgraph.evaluate.score import Score
from kgraph.events.canonical import canonical
from kgraph.events.hashing import hex_of
from kgraph.graph.answers import Ingestion
from kgraph.graph.evaluating import EvalOptions, evaluate
from kgraph.index import load
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph

BEGAN = "ratchet_began"  # the attribute of an AgentRun with the heads before its first trial
TRIAL = "ratchet_trial"  # the attribute of an Evaluation that holds a trial
Opened = Callable[[str, str], "Graph"]  # (folder, source root)
Told = Callable[[Trial], None]


class Loop(NamedTuple):
    """What is tried and when it ends. ``build`` is a command with ``{change}`` and ``{graph}``; ``patience``: so many reverted in a row,
    0 for no end; ``max_cost`` in US dollars over all trials."""

    target: Target
    changes: tuple[Change, ...]
    held_out: float = 0.3
    max_trials: int = 0
    patience: int = 0
    max_cost: float | None = None
    build: str = ""
    run_id: str = ""
    start: Settings = Settings()


class Ratcheted(NamedTuple):
    """``resumed`` counts trials that an earlier call had recorded; ``stopped`` says why the rest was not tried, '' if all was."""

    run_id: str
    trials: tuple[Trial, ...]
    settings: Settings
    resumed: int
    stopped: str


def ratchet(
    graph: Graph, gold: Sequence[Item], loop: Loop, opened: Opened, told: Told = lambda _: None
) -> Ratcheted:
    """Run the loop. Raises UsageError for gold that can't be split, a figure that the stage doesn't have, or a build that fails at once."""
    if any(change.build for change in loop.changes) and not loop.build:
        raise UsageError(
            "a change that isn't a .json file of settings needs a command that applies it",
            "give --build 'COMMAND {change} {graph}'",
        )
    parts = split(gold, loop.held_out)
    run_id = loop.run_id or _run_id(gold, loop)
    with tempfile.TemporaryDirectory(prefix="kgraph-ratchet-") as folder:
        began = _began(graph, run_id)
        _copy(graph, began, folder)
        score = _Scorer(folder, graph.source_root, gold, parts, loop, opened)
        return _loop(graph, _Run(run_id, began), loop, score, told)


class _Run(NamedTuple):
    """``began``: the heads of the graph before its first trial. All trials are scored on that state, which no trial has touched."""

    id: str
    began: tuple[str, ...]


def _loop(graph: Graph, run: _Run, loop: Loop, score: _Scorer, told: Told) -> Ratcheted:
    done = _recorded(graph, run.id)
    trials: list[Trial] = []
    best, settings, reverted, stopped = Measured(0.0, 0.0), loop.start, 0, ""
    for number, change in enumerate([Change(BASELINE, ""), *loop.changes]):
        stopped = _stop(loop, trials, reverted)
        if stopped:
            break
        trial = done.get(number)
        if trial is None or trial.sha256 != change.sha256:
            trial = _tried(score, number, change, settings, best)
            _record(graph, run, loop.target, trial, trials)
            told(trial)
        trials.append(trial)
        if trial.verdict == KEPT:
            best, reverted = trial.measured, 0
            settings = change.on(settings) if number else settings
        else:
            reverted += 1
    resumed = sum(done.get(one.number) == one for one in trials)
    return Ratcheted(run.id, tuple(trials), settings, resumed, stopped)


def _began(graph: Graph, run_id: str) -> tuple[str, ...]:
    """The heads that the run's first trial was scored on; for a new run those of now."""
    reader = graph.reader()
    for node in reader.look_up(run_id, "AgentRun"):
        began = node.attrs.get(BEGAN)
        if isinstance(began, list):
            return tuple(map(str, began))
    return tuple(reader.index.heads)


def _copy(graph: Graph, heads: Sequence[str], folder: str) -> None:
    """The log as it was at some heads, and the manifest, in a folder."""
    log = graph.engine.log
    found = [one for one in load.read_lines(log) if one.transaction is not None]
    headers = [
        load.Header(
            one.transaction.id, one.transaction.after, one.transaction.ts, one.position, one.length
        )
        for one in found
        if one.transaction is not None
    ]
    wanted = load.ancestors(headers, list(heads))
    with open(os.path.join(folder, "log.jsonl"), "wb") as file:
        for header in headers:
            if header.id in wanted:
                file.write(log.read(header.position, 0, header.length).rstrip(b"\n") + b"\n")
    shutil.copyfile(
        os.path.join(graph.path, "manifest.json"), os.path.join(folder, "manifest.json")
    )


def _run_id(gold: Sequence[Item], loop: Loop) -> str:
    """The same gold, changes and target are the same run, so that a repeated call resumes."""
    about = [[dict(item) for item in gold], [change.sha256 for change in loop.changes], list(loop.target[:2]), loop.held_out]  # fmt: skip
    return f"ratchet-{hex_of(canonical(about).encode())[:10]}"


def _stop(loop: Loop, trials: Sequence[Trial], reverted: int) -> str:
    if loop.max_trials and len(trials) > loop.max_trials:
        return f"{loop.max_trials} changes were tried (--max-trials)"
    if loop.patience and reverted >= loop.patience:
        return f"{reverted} changes in a row were reverted (--patience)"
    spent = sum(one.measured.cost for one in trials)
    if loop.max_cost is not None and spent >= loop.max_cost:
        return f"${spent:.4f} are spent (--max-cost)"
    return ""


class _Scorer:
    """Scores settings on the parts of the gold."""

    def __init__(
        self, base: str, source_root: str, gold: Sequence[Item], parts: tuple[list[Item], list[Item]], loop: Loop, opened: Opened
    ) -> None:  # fmt: skip
        self._base, self._source_root = base, source_root
        self._gold, self._parts = gold, parts
        self._loop, self._opened = loop, opened

    def measure(self, settings: Settings) -> tuple[Measured, list[str]]:
        """(figures, broken constraints)."""
        target = self._loop.target
        with self._as_set(settings) as graph:
            worked, held = (self._score(graph, part, settings) for part in self._parts)
            whole = self._score(graph, self._gold, settings) if target.bounds else None
        bounded = tuple((name, _value(whole, name)) for name, _ in target.bounds) if whole else ()
        cost = sum(float(one.about.get("cost", 0.0)) for one in (worked, held, whole) if one)
        measured = Measured(
            figure(worked, target.metric), figure(held, target.metric), bounded, cost
        )
        return measured, broken(whole, target.bounds) if whole else []

    def _score(self, graph: Graph, gold: Sequence[Item], settings: Settings) -> Score:
        options = EvalOptions(settings.max_tokens, settings.hops, settings.by_words)
        return evaluate(graph, self._loop.target.stage, gold, options)

    @contextmanager
    def _as_set(self, settings: Settings) -> Iterator[Graph]:
        """The state that the run began with; builds and merges are made in a copy of it."""
        if not settings.policy and not settings.builds:
            with self._opened(self._base, self._source_root) as graph:
                yield graph
            return
        with tempfile.TemporaryDirectory(prefix="kgraph-ratchet-") as folder:
            for name in ("log.jsonl", "manifest.json"):
                shutil.copyfile(os.path.join(self._base, name), os.path.join(folder, name))
            for change in settings.builds:
                _build(self._loop.build, change, folder)
            with self._opened(folder, self._source_root) as copy:
                if settings.policy:
                    copy.resolve_auto(settings.policy)
                yield copy


def _value(score: Score | None, name: str) -> float:
    metric = score.metric(name) if score else None
    return metric.estimate.value if metric else 0.0


def _build(command: str, change: str, folder: str) -> None:
    """Carry the user's command out, without a shell. Raises UsageError with its last words when it fails."""
    words = [word.replace("{change}", change).replace("{graph}", folder) for word in shlex.split(command)]  # fmt: skip
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(f"the build command can't be run ({error})", "mend --build") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise UsageError(
            f"the build command ended with {done.returncode} on {change}{': ' + last[0] if last else ''}",
            "mend it, or leave that change out; the trials so far are recorded, and the same call goes on after them",
        )


def _tried(
    score: _Scorer, number: int, change: Change, settings: Settings, best: Measured
) -> Trial:
    measured, breaches = score.measure(change.on(settings) if number else settings)
    verdict, why = decide(best, measured, breaches) if number else (KEPT, "what there was")
    return Trial(number, change.name, change.sha256, measured, verdict, why)


def _recorded(graph: Graph, run_id: str) -> dict[int, Trial]:
    """The trials of a run that are in the graph, by number."""
    found = {}
    for node in graph.reader().every_node("Evaluation"):
        held = node.attrs.get(TRIAL)
        if isinstance(held, Mapping) and held.get("run_id") == run_id:
            trial = read_trial(held)
            found[trial.number] = trial
    return found


def _record(graph: Graph, run: _Run, target: Target, trial: Trial, before: Sequence[Trial]) -> None:
    """One transaction: the change as a Commit, the judgement as an Evaluation, the figure as a Metric."""
    run_id = run.id
    commit = _commit_name(run_id, trial)
    judged = f"{run_id} trial {trial.number}: {trial.verdict}"
    nodes: list[dict[str, Any]] = [
        {"type": "AgentRun", "name": run_id, "description": f"a ratchet on {target.metric} of {target.stage}",
         "attrs": {BEGAN: list(run.began)}},
        {"type": "Commit", "name": commit, "description": trial.change, "attrs": {"sha256": trial.sha256}},
        {"type": "Metric", "name": f"{target.stage} {target.metric}"},
        {"type": "Evaluation", "name": judged, "rubric": target.rubric, "result": trial.verdict, "description": trial.why,
         "attrs": {TRIAL: {**trial.as_json(), "run_id": run_id}}},
    ]  # fmt: skip
    edges = [
        {"predicate": "PRODUCED", "source": run_id, "target": commit},
        {"predicate": "PRODUCED", "source": run_id, "target": judged},
        {"predicate": "EVALUATES", "source": judged, "target": commit},
        {"predicate": "MENTIONS", "source": judged, "target": f"{target.stage} {target.metric}"},
    ]
    kept = [one for one in before if one.verdict == KEPT]
    if kept:
        nodes.append({"type": "Commit", "name": _commit_name(run_id, kept[-1])})
        edges.append({"predicate": "PARENT_OF", "source": _commit_name(run_id, kept[-1]), "target": commit})  # fmt: skip
    receipt = graph.ingest({"nodes": nodes, "edges": edges}, Ingestion(run_id=run_id, op="ratchet"))
    if receipt.exit_status:
        told = [*receipt.errors, *receipt.invariant_violations]
        raise UsageError(f"the trial can't be recorded: {told[0].message}", told[0].hint)


def _commit_name(run_id: str, trial: Trial) -> str:
    shown = " ".join("".join(char if char.isprintable() else " " for char in trial.change).split())
    return f"{run_id} {trial.number}: {shown}"[:500]
