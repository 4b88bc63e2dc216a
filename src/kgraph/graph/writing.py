"""Taking a payload in: decode, repair, check, hold against the sources, record. Whole or not at all."""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kgraph.contract.check import check
from kgraph.contract.decode import decode
from kgraph.contract.view import Admission, Options
from kgraph.errors import RunConflict, UsageError
from kgraph.events import Draft, Event
from kgraph.events.canonical import canonical_event
from kgraph.events.hashing import hex_of
from kgraph.graph.answers import Ingestion, LinesAnswer, Receipt
from kgraph.graph.binding import bound
from kgraph.graph.citing import SourceCache, hold_against_sources
from kgraph.graph.counting import counts
from kgraph.graph.engine import Engine, Recorder, Writer
from kgraph.graph.namesakes import placed
from kgraph.graph.profiles import vocabulary
from kgraph.graph.reading_back import as_payload, is_export
from kgraph.index.adjacency import live_ids
from kgraph.index.lines import whole_twin
from kgraph.index.read import Reader
from kgraph.model import Problem
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph.view import IndexView

BATCH_LINES = 500
BATCH_BYTES = 8 << 20
SHOWN_REFUSED = 100


class Prepared(NamedTuple):
    """A payload that was judged: what may be written, or why not."""

    admission: Admission | None
    events: list[Event]
    texts: list[str]
    digest: str
    evidence: dict[str, int]
    problems: list[Problem]  # errors before the check
    warnings: list[Problem]
    repairs: list[Any]
    dropped: int


@contextmanager
def no_pauses() -> Iterator[None]:
    """Building a hundred thousand small values makes the cycle collector look through all of them again and again, for nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def ingest(
    engine: Engine, data: bytes | str | Mapping[str, Any], options: Ingestion, shelf: SourceCache
) -> Receipt:
    """One payload, one transaction. Raises RunConflict when the payload names another run."""
    with no_pauses():
        decoded = _decoded(data, options)
        with engine.writing() as writer:
            prepared = _prepare(writer, decoded, options, shelf)
            with writer.adding() as recorder:
                return _record(writer.reader, recorder, prepared, _run(options, prepared, engine))


def judge(
    engine: Engine, data: bytes | str | Mapping[str, Any], options: Ingestion, shelf: SourceCache
) -> Receipt:
    """What ``ingest`` would say, without writing, locking or waiting."""
    with no_pauses():
        decoded = _decoded(data, options)
        reader = engine.reader()
        prepared = _prepare_with(reader, decoded, options, shelf)
        return _receipt(reader, prepared, _run(options, prepared, engine), "", False)


def ingest_lines(
    engine: Engine, lines: Iterable[bytes], options: Ingestion, shelf: SourceCache
) -> LinesAnswer:
    """Each line a transaction of its own, in constant memory; flushed batch by batch and before the answer."""
    totals = dict.fromkeys(
        (
            "lines",
            "transactions",
            "unchanged",
            "nodes_added",
            "nodes_updated",
            "edges_added",
            "edges_updated",
        ),
        0,
    )
    refused: list[dict[str, Any]] = []
    refused_count, worst, warned = 0, 0, 0
    evidence: dict[str, int] = {}
    run_id = options.run_id or made_run_id(engine)
    options = options._replace(run_id=run_id)
    with engine.writing() as writer:
        for batch in _line_batches(lines):
            with no_pauses(), writer.adding() as recorder:
                for number, data in batch:
                    totals["lines"] += 1
                    try:
                        prepared = _prepare(writer, _decoded(data, options), options, shelf)
                        receipt = _record(
                            writer.reader, recorder, prepared, _run(options, prepared, engine)
                        )
                        errors = [
                            *receipt.errors,
                            *receipt.invariant_violations,
                            *(receipt.warnings if receipt.exit_status and options.strict else ()),
                        ]
                        status = receipt.exit_status
                    except RunConflict as conflict:
                        errors, status, receipt = (
                            [Problem(conflict.code, "$.run_id", conflict.message, conflict.hint)],
                            2,
                            None,
                        )
                    if status or receipt is None:
                        refused_count, worst = refused_count + 1, max(worst, status)
                        if len(refused) < SHOWN_REFUSED:
                            refused.append(
                                {
                                    "line": number,
                                    "errors": [problem.as_json() for problem in errors],
                                }
                            )
                        continue
                    warned += len(receipt.warnings)
                    totals["unchanged" if receipt.unchanged else "transactions"] += 1
                    for key in ("nodes_added", "nodes_updated", "edges_added", "edges_updated"):
                        totals[key] += len(getattr(receipt, key))
                    for status_name, count in receipt.evidence.items():
                        evidence[status_name] = evidence.get(status_name, 0) + count
        stats = counts(writer.reader)
    return LinesAnswer(
        run_id, totals["lines"], totals["transactions"], totals["unchanged"], totals["nodes_added"], totals["nodes_updated"],
        totals["edges_added"], totals["edges_updated"], refused, refused_count, worst, evidence, warned, stats,
    )  # fmt: skip


def _line_batches(lines: Iterable[bytes]) -> Iterator[list[tuple[int, bytes]]]:
    batch: list[tuple[int, bytes]] = []
    size = 0
    for number, data in enumerate(lines, 1):
        if not data.strip():
            continue
        batch.append((number, data))
        size += len(data)
        if len(batch) >= BATCH_LINES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


class _Decoded(NamedTuple):
    payload: Mapping[str, Any] | None
    text: bytes | str
    problems: list[Problem]


def _as_text(data: Any) -> tuple[str, Problem | None]:
    """A value as the JSON text that it would be; what can't be written as JSON is a problem of the payload like any other."""
    try:
        return json.dumps(dict(data) if isinstance(data, Mapping) else data), None
    except RecursionError:
        said = "nested too deep"
    except (TypeError, ValueError) as error:
        said = str(error)
    return "", Problem(
        "E101", "$", f"not JSON: {said}", "a payload is one object with `nodes` and `edges`"
    )


def _decoded(data: bytes | str | Mapping[str, Any], options: Ingestion) -> _Decoded:
    if not isinstance(data, bytes | str):
        data, problem = _as_text(data)
        if problem is not None:
            return _Decoded(None, "", [problem])
    if options.repair:
        return _Decoded(None, data, [])
    payload, problems = decode(data)
    return _Decoded(
        as_payload(payload) if payload is not None and is_export(payload) else payload,
        data,
        problems,
    )


def prepare(
    reader: Reader, payload: Mapping[str, Any], options: Ingestion, shelf: SourceCache
) -> Prepared:
    """Judge an object against the graph as ``reader`` sees it. Writes nothing."""
    return _prepare_with(reader, _Decoded(payload, "", []), options, shelf)


def _prepare(writer: Writer, decoded: _Decoded, options: Ingestion, shelf: SourceCache) -> Prepared:
    return _prepare_with(writer.reader, decoded, options, shelf)


def _prepare_with(
    reader: Reader, decoded: _Decoded, options: Ingestion, shelf: SourceCache
) -> Prepared:
    from kgraph.graph.view import IndexView

    view = IndexView(reader)
    judged = Options(
        options.strict,
        options.offline,
        options.unit_sources,
        shelf.text,
        shelf.root,
        vocabulary(reader),
        options.allow_secrets,
    )
    mended = (
        _mended(decoded, view, judged)
        if options.repair
        else _Mended(decoded.payload, [], 0, decoded.problems, list)
    )
    payload, problems = mended.payload, mended.problems
    if payload is None:
        return Prepared(None, [], [], "", {}, problems, [], mended.repairs, mended.dropped)
    named = payload.get("run_id")
    if isinstance(named, str) and named and options.run_id and named != options.run_id:
        raise RunConflict(
            f"the payload belongs to run '{named}', the command line says '{options.run_id}'",
            "leave --run-id out, or give the same",
        )
    object_, bound_nodes = bound(reader, dict(payload))
    object_, apart = placed(reader, object_)
    admission = check(object_, view, judged)
    admission = admission._replace(
        errors=mended.as_sent(admission.errors),
        violations=mended.as_sent(admission.violations),
        warnings=[
            *mended.as_sent(admission.warnings),
            *(_bound_warning(number, name) for number, name in bound_nodes),
            *apart,
        ],
    )
    if admission.errors or admission.violations or problems:
        return Prepared(
            admission, [], [], "", {}, problems, admission.warnings, mended.repairs, mended.dropped
        )
    events = [*admission.nodes, *admission.edges]
    own = [event for event in admission.nodes if not event.get("implied")]
    texts = [canonical_event(event) for event in events]
    digest = hex_of("\n".join(texts[: len(own)] + texts[len(admission.nodes) :]).encode())
    found = hold_against_sources(reader, admission.nodes, admission.edges, shelf)
    for number in found.changed:
        texts[len(admission.nodes) + number] = canonical_event(admission.edges[number])
    doubted = [] if options.offline else _doubted(reader, admission)
    warnings = sorted(
        [*admission.warnings, *mended.as_sent([*found.warnings, *doubted])],
        key=lambda problem: _sort_key(problem.path),
    )
    return Prepared(
        admission,
        events,
        texts,
        digest,
        found.counts,
        problems,
        warnings,
        mended.repairs,
        mended.dropped,
    )


def _doubted(reader: Reader, admission: Admission) -> list[Problem]:
    """Statements that their quotes don't carry (W216)."""
    if not any(edge.get("quote") for edge in admission.edges):
        return []
    from kgraph.graph.supporting import doubtful_support

    return doubtful_support(reader, admission.nodes, admission.edges)


class _Mended(NamedTuple):
    """A payload after repair (or as it came), and how its problems' paths read in the text as it was sent."""

    payload: Mapping[str, Any] | None
    repairs: list[Any]
    dropped: int
    problems: list[Problem]
    as_sent: Callable[[list[Problem]], list[Problem]]


def _mended(decoded: _Decoded, view: IndexView, judged: Options) -> _Mended:
    from kgraph.contract.repair import repair

    text = decoded.text if decoded.payload is None else json.dumps(decoded.payload)
    found = repair(text, view, judged)
    return _Mended(found.payload, found.repairs, found.dropped, found.problems, found.as_sent)


def _bound_warning(number: int, name: str) -> Problem:
    message = f"a split bound this name in this source to {name}, so it goes there"
    return Problem(
        "W211", f"$.nodes[{number}]", message, "give an id or a qualifier if another node is meant"
    )


def _sort_key(path: str) -> tuple[tuple[int, int, str], ...]:
    parts = path.replace("[", ".[").split(".")
    return tuple(
        (1, int(part[1:-1]), "") if part.startswith("[") and part[1:-1].isdigit() else (0, 0, part)
        for part in parts
    )


class _Run(NamedTuple):
    id: str
    agent: str
    options: Ingestion


def _run(options: Ingestion, prepared: Prepared, engine: Engine) -> _Run:
    envelope = prepared.admission.envelope if prepared.admission else {}
    named = envelope.get("run_id") if isinstance(envelope.get("run_id"), str) else ""
    agent = (
        options.agent
        or (envelope.get("agent_id") if isinstance(envelope.get("agent_id"), str) else "")
        or ""
    )
    return _Run(options.run_id or named or made_run_id(engine), agent, options)


def made_run_id(engine: Engine) -> str:
    return f"run-{engine.clock()[:19].replace(':', '').replace('-', '')}-{engine.ids()}"


def _refused(prepared: Prepared, options: Ingestion) -> bool:
    if (
        prepared.problems
        or prepared.admission is None
        or prepared.admission.errors
        or prepared.admission.violations
    ):
        return True
    return options.strict and any(problem.code != "W303" for problem in prepared.warnings)


def _record(reader: Reader, recorder: Recorder, prepared: Prepared, run: _Run) -> Receipt:
    options = run.options
    if _refused(prepared, options) or options.dry_run:
        return _receipt(reader, prepared, run, "", False)
    assert prepared.admission is not None
    known = whole_twin(reader, prepared.digest, run.id) if not options.more else ""
    if known:
        return _receipt(reader, prepared, run, known, True)
    envelope = prepared.admission.envelope
    extra: dict[str, Any] = {
        key: envelope[key] for key in ("model", "prompt_sha256", "usage") if key in envelope
    }
    meta: dict[str, Any] = {**extra, **options.meta, "payload": prepared.digest}
    more = list(options.more)
    draft = Draft(
        options.op,
        prepared.events + more,
        run.id,
        run.agent,
        options.unit,
        options.reason,
        meta,
        prepared.texts + [canonical_event(event) for event in more],
    )
    receipt = _receipt(reader, prepared, run, "?", False)
    done = recorder.add(draft)
    return receipt._replace(tx=done.id, stats=counts(reader))


def _receipt(reader: Reader, prepared: Prepared, run: _Run, tx: str, unchanged: bool) -> Receipt:
    admission, options = prepared.admission, run.options
    refused = _refused(prepared, options)
    errors = [*prepared.problems, *(admission.errors if admission else ())]
    violations = list(admission.violations) if admission else []
    news = _News()
    ids: dict[str, list[str]] = {"nodes": [], "edges": []}
    if admission is not None and not refused:
        ids = {"nodes": admission.ids_nodes, "edges": admission.ids_edges}
        news = (
            _News([], _once(admission.ids_nodes), [], _once(admission.ids_edges))
            if unchanged
            else _news(reader, admission)
        )
    return Receipt(
        run.id, tx if not refused else "", unchanged, *news, ids, violations, errors, prepared.warnings, prepared.repairs,
        prepared.dropped, prepared.evidence, counts(reader), options.strict,
    )  # fmt: skip


class _News(NamedTuple):
    """Ids of nodes and edges that are new, and of those that were known and are said again."""

    nodes_added: Sequence[str] = ()
    nodes_updated: Sequence[str] = ()
    edges_added: Sequence[str] = ()
    edges_updated: Sequence[str] = ()


def _news(reader: Reader, admission: Admission) -> _News:
    """Which of the nodes and edges are new, and which were known and lived."""
    nodes, edges = _once(admission.ids_nodes), _once(admission.ids_edges)
    live_nodes, live_edges = live_ids(reader, "node", nodes), live_ids(reader, "edge", edges)
    return _News(
        [name for name in nodes if name not in live_nodes], [name for name in nodes if name in live_nodes],
        [name for name in edges if name not in live_edges], [name for name in edges if name in live_edges],
    )  # fmt: skip


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def payload_of(argument: str, standard_input: Any, opener: Any = open) -> bytes:
    """The bytes that ``@file``, a file's name, ``@-``, ``-`` or inline JSON stand for. Raises UsageError for a file that can't be read."""
    if argument in ("@-", "-"):
        return _in_utf8("standard input", bytes(standard_input.read()))
    if not argument.startswith("@") and not is_file(argument):
        return inline(argument)
    path = argument.removeprefix("@")
    try:
        with opener(path, "rb") as handle:
            return _in_utf8(path, bytes(handle.read()))
    except OSError as error:
        raise UsageError(
            f"the payload {path} can't be read ({error.strerror})",
            "give @FILE, @- or the JSON itself",
        ) from None


def _in_utf8(where: str, data: bytes) -> bytes:
    """Refuse UTF-16 and UTF-32 by name: Windows PowerShell's ``>`` writes them, and as JSON they are only noise."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[1:2] == b"\0" or data[:1] == b"\0":
        raise UsageError(
            f"{where} is in UTF-16 or UTF-32, and JSON is UTF-8",
            "write it in UTF-8; in PowerShell: … | Out-File -Encoding utf8 FILE",
        )
    return data


def inline(argument: str) -> bytes:
    """The bytes of JSON that stands on the command line."""
    return argument.encode("utf-8", "surrogatepass")


def is_file(argument: str) -> bool:
    """Whether an argument that could be JSON is a file's name: no JSON object is without a brace."""
    return "{" not in argument and (
        argument.endswith((".json", ".jsonl", ".ndjson")) or os.path.isfile(argument)
    )
