"""Writing what units say. A new document's units are written one by one; a changed document's are replaced together.

While a unit of a changed document is unfinished, only the finished ones are replaced, each by itself, and the rest keep their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kgraph.extract.gathering import Group, Task
from kgraph.extract.guarding import why_held
from kgraph.extract.judging import listed
from kgraph.extract.ledger import (
    DocumentEntry,
    Made,
    Place,
    UnitEntry,
    document_event,
    gone_event,
    unit_event,
)
from kgraph.extract.outcomes import FINISHED, UnitResult
from kgraph.extract.store import Batch, Judged, Statement, Store
from kgraph.model import Document, Json, Problem
from kgraph.tuples import NamedTuple


class Ended(NamedTuple):
    """A unit's end: the result, and what it says if it says anything. ``own_uris`` as in ``Statement``."""

    task: Task
    result: UnitResult
    made: Made
    payload: Mapping[str, Json] | None = None
    documents: tuple[Document, ...] = ()
    own_uris: frozenset[str] | None = None


class Recorder:
    """Takes ends in any order, writes as early as the rules allow, and keeps the results, in the order of the work.

    Unless ``allow_shrink``, nothing is written that takes more than half of the graph away, or that puts less in a better reading's place.
    """

    def __init__(
        self, store: Store, run_id: str, groups: Sequence[Group], allow_shrink: bool
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._allow_shrink = allow_shrink
        self._states = {group.key: _State(group) for group in groups}
        self._group_of = {task.id: group.key for group in groups for task in group.tasks}
        self._shrinking: list[tuple[int, Batch, list[Ended], str]] = []
        self._size = store.size()
        self.results: dict[str, UnitResult] = {}
        self.refused: dict[
            str, tuple[Problem, ...]
        ] = {}  # by unit: why the graph did not take what was found good
        self.judged: dict[
            str, tuple[str, Judged]
        ] = {}  # by unit: the transaction that holds its words, and what was said of them

    def begin(self, entries: Mapping[str, DocumentEntry]) -> None:
        """``entries``: the documents as their Sources were asserted. Groups without a task are finished already."""
        for state in self._states.values():
            state.documents = [
                entries.get(entry.uri, entry)._replace(sha256=entry.sha256, units=entry.units)
                for entry in state.documents
            ]
            if not state.waiting:
                self._complete(state)

    def split(self, task: Task, parts: Sequence[Task], made: Made) -> None:
        """A unit is replaced by its parts, which end one by one."""
        state = self._states[self._group_of[task.id]]
        for part in parts:
            self._group_of[part.id] = state.group.key
        state.waiting = state.waiting - {task.id} | {part.id for part in parts}
        result = UnitResult(task.id, task.sources, "done", f"split into {len(parts)}")
        state.notes.append(
            {**unit_event(result, made), "outcome": "split", "parts": [part.id for part in parts]}
        )
        state.names |= {part.id for part in parts}
        if task.former is not None:
            state.ended += task.former.places

    def end(self, ended: Ended) -> UnitResult:
        """The result as it is after writing: a payload that the graph refuses after all makes its unit ``invalid``."""
        state = self._states[self._group_of[ended.task.id]]
        state.waiting = state.waiting - {ended.task.id}
        self.results[ended.task.id] = ended.result
        held = "" if self._allow_shrink else self._why_held(state.group, ended)
        if held:
            # Not even a note is written: the former reading is the last word on the unit, and the next run finds it changed again.
            state.withholds = True
            self.results[ended.task.id] = ended.result._replace(
                outcome="pending", detail=held, nodes=0, edges=0, notes={}
            )
            if not state.waiting:
                self._complete(state)
        elif state.group.fresh:
            last = not state.waiting and state.all_finished and ended.result.outcome in FINISHED
            state.all_finished &= ended.result.outcome in FINISHED
            notes = (
                *state.take_notes(),
                *(state.document_notes(True) if last else state.partial_notes()),
            )
            self._write(
                Batch(
                    self._run_id,
                    ended.task.id,
                    _statements([ended]),
                    (),
                    (*notes, *_plain_notes([ended])),
                ),
                [ended],
                state,
            )
        else:
            state.held.append(ended)
            if not state.waiting:
                self._complete(state)
        return self.results[ended.task.id]

    def _why_held(self, group: Group, ended: Ended) -> str:
        """Why a reading must not replace the unit's former one; a unit that was cut anew may replace any of those that are no more."""
        formers = group.ended if ended.task.former is None else (ended.task.former,)
        for former in formers:
            live = self._live(former.places)
            reason = why_held(
                former, sum(place.end - place.first for place in live), ended.result, ended.made
            )
            if reason:
                return reason
        return ""

    def _complete(self, state: _State) -> None:
        """All units of a group that replaces something have ended."""
        finished = [ended for ended in state.held if ended.result.outcome in FINISHED]
        if len(finished) < len(state.held) or state.withholds:
            self._replace_some(state)
            return
        places = [
            place
            for ended in state.held
            if ended.task.former is not None
            for place in ended.task.former.places
        ]
        places += [place for entry in state.group.ended for place in entry.places] + state.ended
        gone = [gone_event(entry) for entry in state.group.ended if entry.unit not in state.names]
        if state.group.renamed is not None:
            before = state.group.renamed.entry
            gone += [*state.group.renamed.notes, document_event(_gone_entry(before))]
            places += [before.asserted] if before.asserted else []
        notes = (*state.take_notes(), *_plain_notes(state.held), *gone, *state.document_notes(True))
        if not state.held and not gone and not state.changed():
            return
        key = state.held[0].task.id if len(state.held) == 1 else state.group.key
        kept = tuple(place for entry in state.group.unchanged for place in entry.places)
        batch = Batch(
            self._run_id,
            key,
            _statements(state.held),
            self._live(places),
            notes,
            kept=kept,
            read=state.group.read,
        )
        self._write(batch, list(state.held), state)
        state.held = []

    def _replace_some(self, state: _State) -> None:
        """Some units are unfinished: those that are done replace their own former words, and nothing else goes."""
        held, state.held = state.held, []
        for ended in held:
            finished = ended.result.outcome in FINISHED
            former = ended.task.former.places if ended.task.former is not None and finished else ()
            notes = (*state.take_notes(), *_plain_notes([ended]), *state.partial_notes())
            self._write(
                Batch(self._run_id, ended.task.id, _statements([ended]), self._live(former), notes),
                [ended],
                state,
            )

    def _live(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Those that something is left of: what was withdrawn before isn't listed again."""
        return tuple(place for place in dict.fromkeys(places) if self._store.lives(place))

    def _write(self, batch: Batch, ends: list[Ended], state: _State | None) -> None:
        if batch.withdraw:
            growth = self._store.growth(batch)
            if growth < 0:
                self._shrinking.append((growth, batch, ends, state.group.key if state else ""))
                return
        self._write_now(batch, ends, state)

    def _write_now(self, batch: Batch, ends: list[Ended], state: _State | None) -> None:
        written = self._store.write([batch])[0]
        judged_of = list(
            zip(
                [ended for ended in ends if ended.payload is not None] or ends,
                written.judged,
                strict=False,
            )
        )
        self.judged |= {ended.task.id: (written.tx, Judged(())) for ended in ends}
        self.judged |= {ended.task.id: (written.tx, judged) for ended, judged in judged_of}
        if written.tx:
            return
        refused = [ended for ended, judged in judged_of if judged.problems]
        for ended, judged in judged_of:
            if judged.problems:
                why = listed(judged.problems)
                self.refused[ended.task.id] = judged.problems
                self.results[ended.task.id] = ended.result._replace(
                    outcome="invalid", detail=why, nodes=0, edges=0
                )
        if state is None or not refused:
            return
        # What was refused keeps its former words; what was not is written without it.
        bad = {ended.task.id for ended in refused}
        state.held = [
            ended
            if ended.task.id not in bad
            else ended._replace(payload=None, result=self.results[ended.task.id])
            for ended in ends
        ]
        state.all_finished = False
        self._replace_some(state)

    def flush(self) -> None:
        """The run was stopped: units that are done are written, whatever their group still waits for."""
        for state in self._states.values():
            if state.held:
                self._replace_some(state)

    def prune(self, entry: DocumentEntry, units: Sequence[UnitEntry]) -> None:
        """A document has vanished, and what it said goes."""
        places = [place for unit in units for place in unit.places] + (
            [entry.asserted] if entry.asserted is not None else []
        )
        notes = [
            *(gone_event(unit) for unit in units),
            document_event(_gone_entry(entry)),
        ]
        batch = Batch(
            self._run_id,
            entry.uri,
            (),
            self._live(places),
            tuple(notes),
            "the file is no longer there",
        )
        self._write(batch, [], None)

    def settle(self) -> str:
        """Write what makes the graph smaller, if that is allowed or not much; else say why not, and leave these units pending."""
        loss = -sum(growth for growth, _, _, _ in self._shrinking)
        if loss * 2 > self._size and not self._allow_shrink:
            for _, _, ends, _ in self._shrinking:
                for ended in ends:
                    held_back = ended.result._replace(
                        outcome="pending",
                        detail="held back: the graph would shrink by more than half",
                    )
                    self.results[ended.task.id] = held_back
            return f"this run would take {loss} of {self._size} nodes and edges out of the graph"
        for _, batch, ends, key in self._shrinking:
            self._write_now(batch, ends, self._states.get(key))
        self._shrinking = []
        return ""


def _gone_entry(entry: DocumentEntry) -> DocumentEntry:
    return entry._replace(gone=True, units=(), sha256="", asserted=None)


class _State:
    """A group on its way."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.waiting = {task.id for task in group.tasks}
        self.held: list[Ended] = []
        self.notes: list[dict[str, Json]] = []
        self.ended: list[Place] = []
        self.names: set[str] = {name for entry in group.documents for name in entry.units}
        self.documents: list[DocumentEntry] = list(group.documents)
        self.all_finished = True
        self.withholds = False  # whether a unit's reading was held back
        self._told = False

    def take_notes(self) -> list[dict[str, Json]]:
        taken, self.notes = self.notes, []
        return taken

    def document_notes(self, finished: bool) -> list[dict[str, Json]]:
        """Only a finished document's hash is written down: it says that nothing has to be read again."""
        former = {entry.unit for entry in self.group.ended} if not finished else set()
        units = tuple(sorted(self.names | former))
        return [
            document_event(entry._replace(units=units, sha256=entry.sha256 if finished else ""))
            for entry in self.documents
        ]

    def partial_notes(self) -> list[dict[str, Json]]:
        """Once, before all is finished: which units there are, so that a later run finds their words again."""
        if self._told:
            return []
        self._told = True
        return self.document_notes(False)

    def changed(self) -> bool:
        """Whether a document without tasks has something new to be noted: it was never read, or its bytes changed but not its units."""
        return bool(self.documents)


def _statements(ends: Sequence[Ended]) -> tuple[Statement, ...]:
    return tuple(
        Statement(
            ended.payload, ended.documents, unit_event(ended.result, ended.made), ended.own_uris
        )
        for ended in ends
        if ended.payload is not None
    )


def _plain_notes(ends: Sequence[Ended]) -> list[dict[str, Json]]:
    """The notes of units that say nothing."""
    return [unit_event(ended.result, ended.made) for ended in ends if ended.payload is None]
