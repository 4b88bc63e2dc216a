"""The whole graph held against its rules, its log and its sources; and the graph as it was."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from kgraph.errors import UnknownReference, UsageError
from kgraph.events.forgetting import is_forgotten
from kgraph.graph.answers import Checkup
from kgraph.graph.counting import counts
from kgraph.graph.engine import MEND, Engine
from kgraph.graph.freshness import check_edge
from kgraph.graph.references import transaction_of
from kgraph.graph.supports import cited_source
from kgraph.index import lines, load
from kgraph.index.adjacency import alone, merged_count
from kgraph.index.health import NAMES, breaches, evidence_counts, shape
from kgraph.index.load import Header
from kgraph.index.read import EdgeView, Reader
from kgraph.model import Problem
from kgraph.retrieve.carrying import Carrying

if TYPE_CHECKING:
    from kgraph.graph.citing import SourceCache

JUDGED_AT_ONCE = 2000
FAILING = ("missing", "stale")
ALONE_SHOWN = 10  # nodes without an edge that the warning names


def as_of(engine: Engine, when: str) -> Reader:
    """The graph at a transaction and its ancestors, or at an instant (everything written until then)."""
    reader = engine.reader()
    moment = _instant(when)
    if moment:

        def until(headers: list[Header]) -> set[str]:
            return {header.id for header in headers if header.ts <= moment}

        return engine.index.only(until).reader()
    name = transaction_of(reader, when).id
    return engine.index.only(lambda headers: load.ancestors(headers, [name])).reader()


def _instant(when: str) -> str:
    """A date or instant as the log writes it; '' for what is neither. A date means its end, a time without a zone is UTC."""
    import datetime

    if len(when) < 8 or "-" not in when:
        return ""
    try:
        moment = datetime.datetime.fromisoformat(when)
    except ValueError:
        raise UsageError(
            f"'{when}' is no date or instant", "write 2026-03-11 or 2026-03-11T09:14:00Z"
        ) from None
    if len(when) == 10:
        moment = moment.replace(hour=23, minute=59, second=59, microsecond=999999)
    moment = moment.replace(tzinfo=moment.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def stats(reader: Reader) -> dict[str, Any]:
    """Counts, connectedness, evidence and merges."""
    found = counts(reader)
    form = shape(reader)
    merged = merged_count(reader)
    nodes = found["nodes"]
    claims = found["by_node_type"].get("Claim", 0)
    inferences = sum(1 for node in reader.every_node("Claim") if node.inference) if claims else 0
    contradictions = found["by_edge_type"].get("CONTRADICTS", 0)
    return found | {
        "density": round(found["edges"] / nodes, 4) if nodes else 0.0, "components": form.components, "isolated_nodes": form.isolated,
        "largest_component": form.largest, "surface_forms": nodes, "canonical_nodes": nodes - merged,
        "compression": round(nodes / (nodes - merged), 4) if nodes > merged else 1.0, "evidence": evidence_counts(reader),
        "inferences": inferences, "contradictions": contradictions,
        "transactions": lines.count(reader),
    }  # fmt: skip


def support_counts(reader: Reader) -> dict[str, int]:
    """Claims and typed edges with words by how well these carry them. Every quote is read: in proportion to the graph."""
    carrying = Carrying(reader)
    found: dict[str, int] = {}
    edges = reader.every_edge()
    while some := list(itertools.islice(edges, JUDGED_AT_ONCE)):
        worded = [edge for edge in some if edge.quote]
        for support in carrying.of_all(worded).values():
            found[support.level.value] = found.get(support.level.value, 0) + 1
        carrying.forget()
    return dict(sorted(found.items()))


def validate(engine: Engine, has: str) -> Checkup:
    """Invariants, damage of the log, and health. Every line's bytes are held against its id."""
    reader = engine.reader()
    violations = [
        Problem(
            breach.invariant,
            "$",
            f"'{breach.name}': {breach.detail}",
            _hint(breach.invariant),
            NAMES[breach.invariant],
            breach.id,
            breach.detail,
        )
        for breach in breaches(reader)
    ]
    errors = list(engine.damage())
    errors += [
        problem
        for problem in _changed_lines(engine, reader)
        if problem.path not in {error.path for error in errors}
    ]
    if has:
        try:
            transaction_of(reader, has)
        except UnknownReference:
            errors.append(
                Problem("E209", "log.jsonl", f"transaction {has} is not in the log", MEND)
            )
    found = stats(reader)
    return Checkup(violations, errors, _health(reader, found["isolated_nodes"]), found)


def _hint(invariant: str) -> str:
    return {
        "I1": "add a SUPPORTS edge from its source, mark it inference: true, or retract it",
        "I2": "add the AgentRun that PRODUCED it, and a version",
        "I3": "give it a rubric",
        "I4": "restore it, or retract the edge that points at it",
    }[invariant]


def _changed_lines(engine: Engine, reader: Reader) -> list[Problem]:
    """Known lines whose bytes are no longer those that were indexed."""
    changed = {
        header.position: header.id
        for header in lines.headers(reader)
        if not load.line_holds(reader.index.log, header)
    }
    where = engine.places(changed) if changed else {}
    return [
        Problem(
            "E209",
            f"log.jsonl:{at}",
            f"{where[at]} (transaction {name[:12]}) was changed: its id does not match its content",
            MEND,
        )
        for at, name in changed.items()
    ]


def _health(reader: Reader, count: int) -> list[Problem]:
    if not count:
        return []
    names = ", ".join(f"'{name}'" for name in alone(reader, ALONE_SHOWN))
    more = f" and {count - ALONE_SHOWN} more" if count > ALONE_SHOWN else ""
    said = "1 node has no edge" if count == 1 else f"{count} nodes have no edge"
    return [
        Problem(
            "W205",
            "$",
            f"{said}: {names}{more}",
            "link what something relates to, retract the rest",
        )
    ]


def rebuild(engine: Engine) -> Checkup:
    """Check every line; make the index anew; tell once what an earlier state knew and the log no longer has."""
    with engine.log.writing(engine.wait_seconds):
        engine.index.make_again()
        found = engine.check_every_line()
        lost = [problem for problem in engine.damage() if problem.path == "log.jsonl"]
        engine.index.accept_losses()
    reader = engine.index.reader()
    return Checkup([], [*found, *lost], [], stats(reader))


def read_sources(reader: Reader) -> list[tuple[str, str]]:
    """The Sources that are files, each with the hash with which it was last read; '' where none is known."""
    from kgraph.extract.ledger import DOCUMENT, Note, document_entries

    noted = document_entries([Note(tx, event) for tx, event in reader.notes(DOCUMENT)])
    found = []
    for node in reader.every_node("Source"):
        uri = str(node.fields.get("uri", ""))
        if uri:
            digest = noted[uri].sha256.partition("/")[0] if uri in noted else ""
            found.append((uri, digest or str(node.fields.get("sha256", ""))))
    return found


def verify(engine: Engine, shelf: SourceCache, record: bool, run_id: str) -> dict[str, Any]:
    """Hold every citation against its source: counts by status, and what is missing, stale or could not be read.

    Words that were forgotten can't be looked for: such citations are counted as ``forgotten``.
    """
    reader = engine.reader()
    tally: dict[str, int] = {}
    problems: list[dict[str, Any]] = []
    events: list[dict[str, Any]] = []
    uris = {node.nid: str(node.fields.get("uri", "")) for node in reader.every_node("Source")}
    known = set(uris.values())
    for edge in reader.every_edge():
        if edge.status == "none":
            continue
        if is_forgotten(edge.quote) or is_forgotten(edge.source_doc):
            tally["forgotten"] = tally.get("forgotten", 0) + 1
            continue
        status = _status_now(edge, uris, known, shelf)
        tally[status] = tally.get(status, 0) + 1
        if status in FAILING or status == "ambiguous":
            problems.append(
                {
                    "edge": edge.id,
                    "predicate": edge.predicate,
                    "status": status,
                    "source_doc": edge.source_doc,
                    "quote": edge.quote,
                }
            )
        if record and status != edge.status:
            events += _finding(reader, edge, status)
    found: dict[str, Any] = {
        "evidence": dict(sorted(tally.items())),
        "problems": problems,
        "unread": _unread(reader, shelf, uris),
    }
    if events:
        from kgraph.events import Draft

        with engine.writing() as writer:
            found["tx"] = writer.record(Draft("verify", events, run_id)).id
    found["recorded"] = len(events)
    return found


def _status_now(edge: EdgeView, uris: dict[int, str], known: set[str], shelf: SourceCache) -> str:
    cited = cited_source(edge.source_doc)
    uri = cited if cited in known else uris.get(edge.src) or uris.get(edge.dst) or ""
    return check_edge(edge, uri, shelf)


def _finding(reader: Reader, edge: EdgeView, status: str) -> list[dict[str, Any]]:
    return [
        {"kind": "evidence", "tx": said.tx, "pos": said.pos, "evidence": {**(edge.evidence or {}), "status": status}}
        for said in reader.edge_said(edge.eid) if said.live and said.tx == edge.tx
    ]  # fmt: skip


def _unread(reader: Reader, shelf: SourceCache, uris: dict[int, str]) -> list[str]:
    return sorted(uri for uri in uris.values() if uri and shelf.document(uri) is None)
