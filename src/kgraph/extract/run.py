"""``extract``: gather, assert the Sources, let every unit speak, record, and say what became of each. Nothing is lost on the way.

run(store, request, tools) -> RunAnswer
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kgraph.contract.credentials import cleaned
from kgraph.errors import MissingExtra, UsageError
from kgraph.extract import offline, prompt
from kgraph.extract.budget import UNLIMITED, Budget
from kgraph.extract.checking import left_out
from kgraph.extract.gathering import Group, Scope, Task, Unread, Work, gather
from kgraph.extract.ledger import (
    DOCUMENT,
    UNIT,
    DocumentEntry,
    Made,
    UnitEntry,
    document_entries,
    document_event,
    unit_entries,
)
from kgraph.extract.outcomes import UnitResult
from kgraph.extract.progress import Reporter
from kgraph.extract.recording import Ended, Recorder
from kgraph.extract.replies import Journal, ReplyCache, ReplyFolder
from kgraph.extract.request import Gone, RunAnswer, RunRequest
from kgraph.extract.store import Batch, Statement, Store
from kgraph.model import Json, Unresolved, Usage
from kgraph.models.port import Model, Request
from kgraph.models.prices import Price
from kgraph.models.secrets import Mask
from kgraph.sources import Unreadable
from kgraph.tuples import NamedTuple
from kgraph.units import tokens
from kgraph.units.extraction import KnownSource, KnownSources

if TYPE_CHECKING:
    from kgraph.extract.executors import Executor
    from kgraph.models.batching import BatchPort

OUTPUT_SHARE, OUTPUT_LEAST = (
    0.6,
    200,
)  # tokens that an answer has for each token of its unit, and at least: for an estimate beforehand


class Batches(NamedTuple):
    """A provider's batch interface, and how long to wait between two questions whether a batch is finished."""

    port: BatchPort
    sleep: Callable[[float], None]
    poll_seconds: float = 30.0


class Tools(NamedTuple):
    """What comes from outside. ``model`` and ``price`` are None offline; ``stop()`` turns true when the run is to end early.

    With ``batches`` the model is only a name: its requests go there.
    """

    reporter: Reporter
    stop: Callable[[], bool]
    mask: Mask
    model: Model | None = None
    price: Price | None = None
    batches: Batches | None = None


def run(store: Store, request: RunRequest, tools: Tools) -> RunAnswer:
    """Raises UsageError before anything is done; whatever happens to a unit afterwards is an outcome."""
    if request.caps.cost < UNLIMITED and tools.model is not None and tools.price is None:
        raise UsageError(
            f"no price is known for {tools.model.name}, so --max-cost can't be kept",
            "give --price IN,OUT in dollars per million tokens",
        )
    maker = tools.model.name if tools.model is not None else "offline"
    own = (os.path.dirname(os.path.realpath(store.folder)),)
    scope = Scope(
        request.paths,
        maker,
        request.unit_tokens,
        request.again,
        own,
        code_level=request.code_level,
        ignore=request.ignore,
    )
    if request.renew:
        store = store.renewing()
    work = gather(store, scope)
    if request.dry_run:
        return _estimated(work, request, tools)
    return _Run(store, request, tools, work).go()


class _Run:
    def __init__(self, store: Store, request: RunRequest, tools: Tools, work: Work) -> None:
        self._store = store
        self._request = request
        self._tools = tools
        self._work = work = work._replace(groups=tuple(map(self._renamed, work.groups)))
        self._recorder = Recorder(store, request.run_id, work.groups, request.allow_shrink)
        self._order: dict[str, list[str]] = {}  # the parts of units that were split
        self._unresolved: list[Unresolved] = []
        self._repairs: list[dict[str, Json]] = []
        self._paid: list[Request] = []

    def go(self) -> RunAnswer:
        tasks = [task for group in self._work.groups for task in group.tasks]
        unchanged = sum(len(group.unchanged) for group in self._work.groups)
        self._tools.reporter.begin(len(tasks), unchanged)
        entries = self._assert_sources()
        self._recorder.begin(entries)
        budget = Budget(self._request.caps, self._tools.price, self._tools.batches is None)
        stopped, left = self._speak(tasks, entries, budget)
        self._recorder.flush()
        gone = (
            self._prune()
            if self._request.prune
            else [Gone(entry.uri, False) for entry in self._work.vanished]
        )
        refused = self._recorder.settle()
        if self._tools.model is not None and self._paid:
            self._journal(self._tools.model).drop(self._paid)
        self._tools.reporter.end()
        return RunAnswer(
            self._request.run_id,
            self._results(left, stopped),
            self._cost(),
            self._work.skipped_files,
            [] if refused and self._request.prune else gone,
            self._unresolved,
            self._repairs,
            "" if stopped == "interrupted" else stopped,
            stopped == "interrupted",
            refused,
        )

    def _renamed(self, group: Group) -> Group:
        """A file that was renamed keeps its Source, which is told its new name and address."""
        if group.renamed is None:
            return group
        (now,) = group.documents
        place = self._store.rename(group.renamed.entry, now, self._request.run_id)
        return group._replace(documents=(now._replace(asserted=place),))

    # -- Sources -------------------------------------------------------------------------------------------------------------------

    def _assert_sources(self) -> dict[str, DocumentEntry]:
        """One transaction with the Sources that the graph doesn't have from a former run: a link may end at any of them."""
        entries = [
            entry for group in self._work.groups for entry in group.documents if not entry.source_id
        ]
        known = self._work.known
        # What an agent read before stays known by its units: this note is the last word on the document until they have spoken again.
        wanted = {
            entry.uri: entry._replace(units=known[entry.uri].units if entry.uri in known else ())
            for entry in entries
        }
        if not wanted:
            return {}
        # Which ids they get is known only to the graph, so it is asked first: the notes name them.
        judged = self._store.judge(
            Statement(
                {"nodes": [_source(entry) for entry in wanted.values()], "edges": []}, (), {}
            ),
            (),
        )
        if judged.problems:
            # A file's name may be none that a node can have. Its units will say so; the others' Sources are asserted.
            wanted = {
                uri: entry
                for uri, entry in wanted.items()
                if not self._store.judge(_stated(entry), ()).problems
            }
            judged = self._store.judge(
                Statement(
                    {"nodes": [_source(entry) for entry in wanted.values()], "edges": []}, (), {}
                ),
                (),
            )
        named = (
            entry._replace(source_id=name)
            for entry, name in zip(wanted.values(), judged.ids, strict=True)
        )
        statements = tuple(_stated(entry) for entry in named)
        written = self._store.write(
            [Batch(self._request.run_id, "", statements, reason="the documents of this run")]
        )[0]
        found: dict[str, DocumentEntry] = {}
        for uri in wanted if written.tx else ():
            found |= document_entries(self._store.notes_of(DOCUMENT, uri, uri))
        return found

    def _known_sources(self, entries: dict[str, DocumentEntry]) -> KnownSources:
        known = {**self._work.known, **entries}
        return KnownSources(
            KnownSource(entry.uri, entry.name, entry.source_id, entry.title)
            for _, entry in sorted(known.items())
            if not entry.gone
        )

    # -- speaking ------------------------------------------------------------------------------------------------------------------

    def _speak(
        self, tasks: Sequence[Task], entries: dict[str, DocumentEntry], budget: Budget
    ) -> tuple[str, list[Task]]:
        """Every unit; why it was stopped before the last one, and the units that were not reached."""
        if self._tools.model is not None:
            from kgraph.extract.asking import Asking, Session

            session = Session(
                self._request.run_id,
                ReplyFolder(self._store.folder, self._tools.mask),
                ReplyCache(self._store.folder, self._tools.mask),
            )
            asking = Asking(
                self._store,
                self._tools.model.name,
                session,
                budget,
                self._request.policy,
                self._tools.price is not None,
            )
            left = asking.run(tasks, self._executor(self._tools.model), self, self._tools.stop)
            self._paid = asking.ended
            return asking.stopped, left
        known = self._known_sources(entries)
        for number, task in enumerate(tasks):
            if self._tools.stop():
                return "interrupted", list(tasks[number:])
            too_many = budget.begin_unit()
            if too_many:
                self.ended(
                    Ended(
                        task,
                        UnitResult(task.id, task.sources, "over-budget", too_many),
                        Made(task.sha256, "offline"),
                    ),
                    [],
                )
            else:
                self.ended(self._offline(task, known), [])
        return "", []

    def _executor(self, model: Model) -> Executor:
        from kgraph.extract.executors import BatchExecutor, ThreadExecutor

        if self._tools.batches is None:
            return ThreadExecutor(model, self._request.jobs, self._journal(model))
        folder = os.path.join(self._store.folder, "cache", "batches")
        return BatchExecutor(
            self._tools.batches.port,
            folder,
            self._tools.batches.sleep,
            self._tools.batches.poll_seconds,
        )

    def _journal(self, model: Model) -> Journal:
        return Journal(self._store.folder, model.name, self._tools.mask)

    def draining(self, calls: int) -> None:
        self._tools.reporter.draining(calls)

    def _offline(self, task: Task, known: KnownSources) -> Ended:
        made = Made(task.sha256, "offline")
        try:
            said = offline.say(task, known, self._work.code_index)
        except (Unreadable, OSError) as problem:
            return Ended(
                task,
                UnitResult(
                    task.id,
                    task.sources,
                    "failed",
                    f"it went while the run was under way: {problem}",
                ),
                made,
            )
        except MissingExtra as problem:
            return Ended(
                task,
                UnitResult(task.id, task.sources, "failed", f"{problem.message}: {problem.hint}"),
                made,
            )
        except Exception as fault:  # noqa: BLE001
            # A fault of ours on one document must not keep the others from being read; it is reported, and the exit status says so.
            return Ended(
                task,
                UnitResult(
                    task.id,
                    task.sources,
                    "failed",
                    f"internal error: {type(fault).__name__}: {fault}",
                ),
                made,
            )
        self._unresolved += said.unresolved
        payload, notes = said.payload, said.notes
        if not self._request.policy.allow_secrets:
            payload, lost = cleaned(said.payload)
            self._repairs += [{"unit": task.id, **left_out(path, secret)} for path, secret in lost]
            notes = {**notes, "secrets": len(lost)} if lost else notes
        said = said._replace(payload=payload, notes=notes)
        nodes, edges = len(said.payload["nodes"]), len(said.payload["edges"])
        bare = not edges and all(node.get("type") == "Source" for node in said.payload["nodes"])
        result = UnitResult(
            task.id,
            task.sources,
            "empty" if bare else "done",
            said.remark,
            0 if bare else nodes,
            edges,
            notes=said.notes,
        )
        return Ended(task, result, made, None if bare else said.payload, said.documents)

    def ended(self, ended: Ended, repairs: list[dict[str, Json]]) -> None:
        self._repairs += [{"unit": ended.task.id, **repair} for repair in repairs]
        self._tools.reporter.unit(self._recorder.end(ended))

    def split(self, task: Task, parts: list[Task], made: Made) -> None:
        self._order[task.id] = [part.id for part in parts]
        self._recorder.split(task, parts, made)

    # -- what is gone --------------------------------------------------------------------------------------------------------------

    def _prune(self) -> list[Gone]:
        for entry in self._work.vanished:
            units: dict[str, UnitEntry] = {}
            for name in entry.units:
                units |= unit_entries(self._store.notes_of(UNIT, name, name))
            self._recorder.prune(entry, list(units.values()))
        return [Gone(entry.uri, True) for entry in self._work.vanished]

    # -- the answer ----------------------------------------------------------------------------------------------------------------

    def _results(self, left: Sequence[Task], stopped: str) -> list[UnitResult]:
        pending = {task.id: UnitResult(task.id, task.sources, "pending", stopped) for task in left}
        found: list[tuple[str, UnitResult]] = []
        for group in self._work.groups:
            found += [
                (group.key, _skipped(entry, group)) for entry in group.unchanged if not entry.parts
            ]
            for task in group.tasks:
                found += [(group.key, result) for result in self._of(task.id, pending)]
        found += [(unread.uri, _unread(unread)) for unread in self._work.unread]
        return [result for _, result in sorted(found, key=lambda pair: pair[0])]

    def _of(self, name: str, pending: dict[str, UnitResult]) -> list[UnitResult]:
        """The results of a unit, or of the parts that stand for it."""
        if name in self._order:
            return [result for part in self._order[name] for result in self._of(part, pending)]
        result = self._recorder.results.get(name) or pending.get(name)
        if result is None:
            return []
        _, judged = self._recorder.judged.get(name, ("", None))
        return [
            result._replace(warnings=judged.warnings, held=judged.held)
            if judged is not None
            else result
        ]

    def _cost(self) -> float | None:
        if self._tools.model is None:
            return 0.0
        costs = [result.cost for result in self._recorder.results.values()]
        return (
            None
            if any(cost is None for cost in costs)
            else sum(cost for cost in costs if cost is not None)
        )


def _source(entry: DocumentEntry) -> dict[str, Json]:
    return {"type": "Source", "name": entry.name, "uri": entry.uri}


def _stated(entry: DocumentEntry) -> Statement:
    """The Source alone, with the note of a document that has not been extracted yet."""
    return Statement(
        {"nodes": [_source(entry)], "edges": []}, (), document_event(entry._replace(sha256=""))
    )


def _skipped(entry: UnitEntry, group: Group) -> UnitResult:
    """A unit that was read before, by the name that its file has now."""
    if len(group.files) != 1 or len(entry.sources) != 1 or entry.sources[0] == group.files[0].uri:
        return UnitResult(entry.unit, entry.sources, "skipped", "unchanged")
    now, before = group.files[0].uri, entry.sources[0]
    why = f"unchanged, renamed from {before}" if group.renamed else "unchanged"
    return UnitResult(now + entry.unit.removeprefix(before), (now,), "skipped", why)


def _unread(unread: Unread) -> UnitResult:
    return UnitResult(
        unread.uri,
        (unread.uri,),
        "failed",
        unread.reason + (f": {unread.hint}" if unread.hint else ""),
    )


def _estimated(work: Work, request: RunRequest, tools: Tools) -> RunAnswer:
    """What would be spent. Output is guessed from the units' size; corrections and second passes come on top."""
    results: list[tuple[str, UnitResult]] = []
    read = written = units = 0
    overhead = tokens(prompt.instructions()) if tools.model is not None else 0
    for group in work.groups:
        results += [
            (group.key, _skipped(entry, group)) for entry in group.unchanged if not entry.parts
        ]
        for task in group.tasks:
            units += 1
            read += (
                (task.tokens + overhead) * request.policy.passes if tools.model is not None else 0
            )
            written += (
                (OUTPUT_LEAST + int(task.tokens * OUTPUT_SHARE)) * request.policy.passes
                if tools.model is not None
                else 0
            )
            results.append(
                (
                    group.key,
                    UnitResult(task.id, task.sources, "pending", f"about {task.tokens} tokens"),
                )
            )
    results += [(unread.uri, _unread(unread)) for unread in work.unread]
    cost = (
        0.0
        if tools.model is None
        else tools.price.cost(Usage(read, written))
        if tools.price is not None
        else None
    )
    estimate: dict[str, Json] = {
        "units": units,
        "input_tokens": read,
        "output_tokens": written,
        "cost": cost,
    }
    gone = [Gone(entry.uri, False) for entry in work.vanished]
    ordered = [result for _, result in sorted(results, key=lambda pair: pair[0])]
    return RunAnswer(request.run_id, ordered, cost, work.skipped_files, gone, estimate=estimate)
