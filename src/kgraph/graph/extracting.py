"""The graph as a run of ``extract`` sees it: notes of former runs, judging, and replacing what a unit said in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from kgraph.contract.view import Options
from kgraph.events import Draft
from kgraph.events.canonical import canonical, canonical_event
from kgraph.evidence import locate
from kgraph.extract.budget import UNLIMITED, Caps
from kgraph.extract.ledger import UNIT, DocumentEntry, Note, Place, withdrawal
from kgraph.extract.request import RunAnswer, RunRequest
from kgraph.extract.store import Batch, Judged, Mended, Statement, Written
from kgraph.graph.answers import Ingestion
from kgraph.graph.citing import SourceCache
from kgraph.graph.counting import counts
from kgraph.graph.engine import Engine, Writer
from kgraph.graph.profiles import vocabulary
from kgraph.graph.view import IndexView
from kgraph.graph.withholding import without_retracted
from kgraph.graph.writing import Prepared, no_pauses, prepare
from kgraph.index.assertions import (
    Stretch,
    any_lives,
    holder,
    live_in,
    notes_between,
    touched_by,
)
from kgraph.index.health import NAMES, Breach, breaches
from kgraph.index.lines import line
from kgraph.index.read import Reader
from kgraph.index.retracted import Retracted, any_at, retracted
from kgraph.model import Citation, Document, Problem
from kgraph.ontology import Vocabulary
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.extract.run import Tools
    from kgraph.graph.texts import GraphTexts

LAST = "\U0010ffff"
REHEARSED = "dry_run"  # stands for the id of a transaction that was not kept


class _RolledBack(Exception):
    """What was tried was only to be looked at."""


class _Said(NamedTuple):
    """What a unit says, without what a person took back, and the contract's word on it."""

    prepared: Prepared
    judged: Judged


class _Tried(NamedTuple):
    prepared: list[_Said]
    left: list[Problem]  # invariants that a withdrawal would leave broken
    growth: int


class GraphStore:
    """Fulfils ``extract.store.Store``. ``shelf_of`` gives the sources that may be read beside those handed over."""

    def __init__(
        self,
        engine: Engine,
        folder: str,
        source_root: str,
        shelf_of: Callable[[Mapping[str, Document]], SourceCache],
        texts: GraphTexts,
    ) -> None:
        self._engine = engine
        self._folder = folder
        self._source_root = source_root
        self._shelf_of = shelf_of
        self._texts = texts
        self._rehearsing = False
        self._renewing = False
        self._retracted: Retracted | None = None
        self._reader: Reader | None = (
            None  # kept while nothing is written here: opening an index costs more than a question
        )

    @property
    def folder(self) -> str:
        return self._folder

    @property
    def source_root(self) -> str:
        return self._source_root

    @property
    def vocabulary(self) -> Vocabulary:
        return vocabulary(self._now())

    def notes_of(self, what: str, first: str, last: str) -> list[Note]:
        return [Note(*found) for found in notes_between(self._now(), what, first, last)]

    def lives(self, place: Place) -> bool:
        return any_lives(self._now(), Stretch(*place))

    def withheld(self, place: Place) -> bool:
        return not self._renewing and any_at(self._now(), self._gone(), place)

    def renewing(self) -> GraphStore:
        store = self._another()
        store._renewing = True
        return store

    def _gone(self) -> Retracted:
        """What was taken back by hand, as it was when the store was first asked."""
        if self._retracted is None:
            self._retracted = Retracted() if self._renewing else retracted(self._now())
        return self._retracted

    def _another(self) -> GraphStore:
        return GraphStore(
            self._engine, self._folder, self._source_root, self._shelf_of, self._texts
        )

    def rename(self, old: DocumentEntry, now: DocumentEntry, run_id: str) -> Place:
        changes = {"name": now.name, "uri": now.uri}
        corrects = ["uri"] if old.name == now.name else ["name", "uri"]
        event = {
            "kind": "node",
            "id": old.source_id,
            "type": "Source",
            **changes,
            "corrects": corrects,
        }
        if self._rehearsing:
            return Place(REHEARSED, 0, 1)
        with self._writing() as writer:
            reason = f"the file {old.uri} is now {now.uri}"
            done = writer.record(Draft("edit", [event], run_id, reason=reason))
        self._texts.drop([old.uri])
        return Place(done.id, 0, 1)

    def mend(self, text: str, own_uris: frozenset[str]) -> Mended:
        from kgraph.contract.repair import repair

        found = repair(
            text,
            IndexView(self._now()),
            Options(unit_sources=own_uris, source_root=self._source_root),
        )
        return Mended(found.payload, tuple(found.problems), tuple(found.repairs), found.as_sent)

    def judge(self, statement: Statement, without: Sequence[Place]) -> Judged:
        batch = Batch("", "", (statement,), tuple(without))
        with no_pauses():
            if not without:
                self._gone()
                return self._prepare(self._now(), statement, self._shelf(batch)).judged
            with self._writing():
                return self._try(batch).prepared[0].judged

    def already(self, statement: Statement, places: Sequence[Place], run_id: str) -> str:
        live = [place for place in dict.fromkeys(places) if self.lives(place)]
        written = line(self._now(), live[0].tx) if len(live) == 1 else None
        if written is None or written.run != run_id:
            return ""
        with no_pauses(), self._writing() as writer:
            said = self._try(Batch("", "", (statement,), tuple(live))).prepared[0].prepared.texts
            return live[0].tx if said == _said(writer.reader, live[0]) else ""

    def rehearsal(self) -> GraphStore:
        store = self._another()
        store._rehearsing = True
        return store

    def growth(self, batch: Batch) -> int:
        with no_pauses(), self._writing():
            return self._try(batch).growth

    def size(self) -> int:
        return _size(self._now())

    def _now(self) -> Reader:
        """The graph as it was when this store last wrote, or was first asked. What others write meanwhile is seen by ``write``."""
        if self._reader is None:
            self._reader = self._engine.reader()
        return self._reader

    def write(self, batches: Sequence[Batch]) -> list[Written]:
        if self._rehearsing:
            with no_pauses(), self._writing():
                return [_rehearsed(self._try(batch)) for batch in batches]
        with no_pauses(), self._writing() as writer:
            tried = [self._try(batch) if batch.withdraw else None for batch in batches]
            with writer.adding() as recorder:
                written = []
                for batch, looked in zip(batches, tried, strict=True):
                    shelf = self._shelf(batch)
                    prepared = (
                        looked.prepared
                        if looked
                        else [
                            self._prepare(writer.reader, statement, shelf)
                            for statement in batch.statements
                        ]
                    )
                    judged = [one.judged for one in prepared]
                    refused = _refused(judged, looked.left if looked else ())
                    if refused:
                        written.append(Written("", refused))
                        continue
                    again = _found_again(writer.reader, batch)
                    written.append(
                        Written(
                            recorder.add(
                                _draft(batch._replace(notes=(*batch.notes, *again)), prepared)
                            ).id,
                            tuple(judged),
                        )
                    )
        self._texts.keep(
            document
            for batch, one in zip(batches, written, strict=True)
            if one.tx
            for document in _read_by(batch)
        )
        return written

    @contextmanager
    def _writing(self) -> Iterator[Writer]:
        """Be the one writer; what was known before is forgotten, since taking the lock may find what others wrote."""
        self._gone()  # before the lock: what lives is asked of the graph as it stands
        self._reader = None
        with self._engine.writing() as writer:
            yield writer

    def _try(self, batch: Batch) -> _Tried:
        """What would come of a batch, looked at from inside a change that is then undone. The caller is the one writer."""
        writer = (
            self._engine.writer()
        )  # of its own: what it believes of the log's end is undone too
        found = _Tried([], [], 0)
        before = _size(writer.reader)
        with suppress(_RolledBack), writer.adding() as recorder:
            touched = _touched(writer.reader, batch.withdraw)
            old = {(breach.invariant, breach.nid) for breach in breaches(writer.reader, touched)}
            if batch.withdraw:
                recorder.add(Draft("extract", _withdrawals(batch)))
            prepared = [
                self._prepare(writer.reader, statement, self._shelf(batch))
                for statement in batch.statements
            ]
            if not any(one.judged.problems for one in prepared):
                recorder.add(_draft(batch._replace(withdraw=()), prepared))
            new = [
                breach
                for breach in breaches(writer.reader, touched)
                if (breach.invariant, breach.nid) not in old
            ]
            left = [_broken(writer.reader, breach) for breach in new]
            found = _Tried(prepared, left, _size(writer.reader) - before)
            raise _RolledBack
        return found

    def _prepare(self, reader: Reader, statement: Statement, shelf: SourceCache) -> _Said:
        options = Ingestion(
            op="extract",
            unit_sources=statement.own_uris,
            offline=statement.own_uris is None,
            allow_secrets=True,  # a run leaves out what holds one, and counts it
        )
        prepared = prepare(reader, statement.payload, options, shelf)
        gone = self._retracted or Retracted()
        if not gone.nodes and not gone.edges:
            return _Said(prepared, _judged(prepared))
        left, held = without_retracted(
            prepared,
            gone,
            lambda name: bool(reader.nids([name]) and reader.node(reader.nids([name])[name]).live),
        )
        return _Said(left, _judged(prepared)._replace(held=held))

    def _shelf(self, batch: Batch) -> SourceCache:
        given: dict[str, Document] = {
            document.uri: document
            for statement in batch.statements
            for document in statement.documents
        }
        return self._shelf_of(given)


def _read_by(batch: Batch) -> Iterator[Document]:
    for statement in batch.statements:
        yield from statement.documents
    if batch.read is not None:
        yield batch.read


def _judged(prepared: Prepared) -> Judged:
    admission = prepared.admission
    if admission is None:
        return Judged(tuple(prepared.problems), tuple(prepared.warnings))
    problems = (*prepared.problems, *admission.errors, *admission.violations)
    counted = len(admission.nodes), len(admission.edges)
    return Judged(
        problems, tuple(prepared.warnings), *counted, tuple(admission.ids_nodes), prepared.evidence
    )


def _refused(judged: Sequence[Judged], left: Sequence[Problem]) -> tuple[Judged, ...]:
    """Why nothing of a batch may be written; empty when it may."""
    broken = tuple(left)
    if not broken and not any(one.problems for one in judged):
        return ()
    return tuple(one if one.problems else one._replace(problems=broken) for one in judged) or (
        Judged(broken),
    )


def _rehearsed(tried: _Tried) -> Written:
    judged = tuple(one.judged for one in tried.prepared)
    refused = _refused(judged, tried.left)
    return Written("", refused) if refused else Written(REHEARSED, judged)


def _said(reader: Reader, place: Place) -> list[str]:
    """What still stands of these assertions, as it was written."""
    return [canonical_event(event) for _, event in live_in(reader, Stretch(*place))]


def _draft(batch: Batch, prepared: Sequence[_Said]) -> Draft:
    """One transaction: what ends, what each unit says with its note behind it, then the notes of those that say nothing."""
    events: list[dict[str, Any]] = _withdrawals(batch)
    texts = [canonical(event) for event in events]
    for statement, one in zip(batch.statements, prepared, strict=True):
        first = len(events)
        events += one.prepared.events
        texts += one.prepared.texts
        if statement.note:
            note = {**statement.note, "asserted": [first, len(events)]}
            events.append(note)
            texts.append(canonical(note))
    events += [dict(note) for note in batch.notes]
    texts += [canonical(note) for note in batch.notes]
    return Draft("extract", events, batch.run_id, "", batch.unit, batch.reason, {}, texts)


def _found_again(reader: Reader, batch: Batch) -> list[dict[str, Any]]:
    """Where the citations stand that are kept although their file changed. What isn't there any more is stale."""
    if batch.read is None:
        return []
    cited: list[tuple[str, int, Citation]] = []
    for place in batch.kept:
        for pos, event in live_in(reader, Stretch(*place), ("edge",)):
            evidence = event.get("evidence") or {}
            elsewhere = str(event.get("source_doc") or "").partition("#")[0] != batch.read.uri
            if evidence.get("bytes") and (elsewhere or evidence.get("sha256") != batch.read.sha256):
                cited.append(
                    (
                        place.tx,
                        pos,
                        Citation(
                            str(evidence.get("text") or ""), str(event.get("source_doc") or "")
                        ),
                    )
                )
    found = locate(batch.read, [citation for _, _, citation in cited])
    events = []
    for (tx, pos, _), evidence in zip(cited, found, strict=True):
        now = evidence._replace(status="stale") if evidence.status == "missing" else evidence
        events.append(
            {
                "kind": "evidence",
                "tx": tx,
                "pos": pos,
                "evidence": now.as_json(),
                "source_doc": now.source_doc,
            }
        )
    return events


def _withdrawals(batch: Batch) -> list[dict[str, Any]]:
    return (
        [{"kind": "withdraw", "assertions": withdrawal(batch.withdraw), "transactions": []}]
        if batch.withdraw
        else []
    )


def _touched(reader: Reader, places: Sequence[Place]) -> set[int]:
    """The nodes whose assertions, or whose edges' assertions, are to go."""
    return {nid for place in places for nid in touched_by(reader, Stretch(*place))}


def _broken(reader: Reader, breach: Breach) -> Problem:
    message = f"'{breach.name}' would be left in breach of {breach.invariant}: {breach.detail}"
    return Problem(
        breach.invariant,
        "$",
        message,
        _held_by(reader, breach),
        NAMES[breach.invariant],
        breach.id,
        breach.detail,
    )


def _held_by(reader: Reader, breach: Breach) -> str:
    """What in the graph stands on the words that a unit no longer says, and how to take it back."""
    if breach.edge:
        return f"the edge {breach.edge} holds it: kgraph retract --edge {breach.edge}, then hand the unit in again; or say it again"
    found = holder(reader, breach.nid)
    if found is None:
        return "something else in the graph stands on what this unit no longer says"
    tx, op, run, edge = found
    whose = (
        f"the edge {edge} ({op}, run {run})" if edge else f"a transaction of kind {op} (run {run})"
    )
    return f"{whose} holds it: say it again, or take that back first with kgraph retract --tx {tx[:12]} (or --run {run})"


def _size(reader: Reader) -> int:
    found = counts(reader)
    return int(found["nodes"]) + int(found["edges"])


# -- what Graph offers ---------------------------------------------------------------------------------------------------------------


def extract(
    store: GraphStore, budget: Mapping[str, Any], request: RunRequest, tools: Tools
) -> RunAnswer:
    """One run. ``budget``: the graph's own, for all its runs together: ``max_cost``, ``max_tokens``, ``max_units``."""
    from kgraph.extract.run import run

    if budget:
        request = request._replace(caps=request.caps.within(_caps(budget).less(_spent(store))))
    return run(store, request, tools)


def _caps(budget: Mapping[str, Any]) -> Caps:
    def cap(name: str) -> float:
        value = budget.get(name)
        return (
            float(value)
            if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
            else UNLIMITED
        )

    return Caps(cap("max_cost"), cap("max_tokens"), cap("max_units"))


def _spent(store: GraphStore) -> Caps:
    """What all runs so far have used. Units that were only skipped are not counted."""
    cost = tokens = units = 0.0
    for _, event in store.notes_of(UNIT, "", LAST):
        used = event.get("tokens")
        cost += float(event.get("cost") or 0.0)
        tokens += sum(used) if isinstance(used, list) else 0
        units += event.get("outcome") not in ("gone", "split") and "places" not in event
    return Caps(cost, tokens, units)
