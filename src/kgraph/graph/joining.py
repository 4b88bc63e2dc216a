"""``import``: another graph's lines that this one lacks, unchanged; or a file of another format, as payloads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kgraph.errors import LogDamaged, NewerLog, NotAllowed, UsageError
from kgraph.events import Draft, Event, Transaction, edge_id
from kgraph.graph.engine import Writer
from kgraph.index.lines import headers, payloads_beginning
from kgraph.index.load import TORN, Found, read_lines
from kgraph.index.read import Reader
from kgraph.index.rows import NodeState, absorb, identity_id
from kgraph.log.jsonl import JsonlLog
from kgraph.ontology import fold
from kgraph.plurals import counted
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.log import Log


SHOWN = 100
COPIED = "copy of "  # what is recorded again under another id is found by this in the place of a payload's digest


class Joined(NamedTuple):
    """What an import brought, and the exit status."""

    body: dict[str, Any]
    exit_status: int = 0


class ImportOptions(NamedTuple):
    """``form``: one of the formats, '' to tell from the file; ``prefix``: put before ids that mean something else here."""

    form: str = ""
    prefix: str = ""
    run_id: str = ""

    @property
    def may_be_log(self) -> bool:
        return self.form in ("", "log")


def import_graph(graph: Graph, what: str, options: ImportOptions = ImportOptions()) -> Joined:
    """Import a graph's folder, a log, or a file in another format. Raises UsageError, LogDamaged, NewerLog, NotAllowed."""
    log = _log_at(what) if options.may_be_log else None
    if log is None:
        from kgraph.graph.exchanging import import_file

        return Joined(*import_file(graph, what, options.form, options.run_id))
    return Joined(join(graph, log, options.prefix))


def dry_run(graph: Graph, what: str, options: ImportOptions) -> Joined | None:
    """Why an import into a new graph would be refused, or None. ``graph`` is one that is kept nowhere. Raises what ``import_graph`` would."""
    log = _log_at(what) if options.may_be_log else None
    if log is None:
        done = import_graph(graph, what, options)
        return done if done.exit_status else None
    found = list(
        read_lines(log)
    )  # an empty graph clashes with nothing: only the log itself can be wrong
    _refuse_damage(found)
    _refuse_gaps([one.transaction for one in found if one.transaction], set())
    return None


def _log_at(what: str) -> Log | None:
    """The log of a folder, or of a file that looks like one; None for anything else. Raises UsageError where nothing is."""
    if os.path.isdir(what):
        return JsonlLog(what) if os.path.exists(os.path.join(what, "log.jsonl")) else None
    try:
        with open(what, "rb") as handle:
            start = handle.read(64)
            if not start.startswith((b'{"after":', b'{"event":', b'{"event"')):
                return None
    except OSError as error:
        raise UsageError(
            f"{what} can't be read ({error.strerror})",
            "give a graph's folder, its log.jsonl, or a file",
        ) from None
    return JsonlLog(os.path.dirname(what), os.path.basename(what))


def join(graph: Graph, log: Log, prefix: str) -> dict[str, Any]:
    """Add the lines that are not here. Nothing is imported when one id stands for two things."""
    found = list(read_lines(log))
    _refuse_damage(found)
    with graph.engine.writing() as writer:
        reader = writer.reader
        known = {header.id for header in headers(reader)}
        known |= {copied.removeprefix(COPIED) for copied in payloads_beginning(reader, COPIED)}
        missing = [one for one in found if one.transaction and one.transaction.id not in known]
        _refuse_gaps([one.transaction for one in missing if one.transaction], known)
        clashes = _clashes(reader, [one.transaction for one in missing if one.transaction])
        if clashes and not prefix:
            listed = ", ".join(sorted(clashes)[:5])
            raise NotAllowed(
                f"{counted(len(clashes), 'id')} with two different meanings in the two graphs: {listed}",
                "give --prefix P to rename the imported ones, or mend one of the graphs", ids=sorted(clashes),
            )  # fmt: skip
        if clashes:
            renamed = {name: f"{prefix}{name}" for name in clashes}
            transactions = _record_again(
                writer, [one.transaction for one in missing if one.transaction], renamed
            )
            return _joined(transactions, found) | {"renamed": renamed}
        if any(one.transaction and one.transaction.version == 1 for one in missing):
            transactions = _record_again(
                writer, [one.transaction for one in missing if one.transaction], {}
            )
            return _joined(transactions, found)
        lines = [log.read(one.position, 0, one.length) for one in missing]
        writer.copy(lines)
    return _joined([one.transaction.id for one in missing if one.transaction], found)


def _joined(added: list[str], found: Sequence[Found]) -> dict[str, Any]:
    """How many transactions came, which (the first hundred), and how many of the other log's were here already."""
    return {"transactions": len(added), "added": added[:SHOWN], "known": len(found) - len(added)}


def _refuse_damage(found: Sequence[Found]) -> None:
    for one in found:
        if one.damage and one.damage.code == "E210":
            raise NewerLog(
                f"the log to import was written by a later kgraph (line at byte {one.position})",
                "update kgraph",
            )
        if one.damage and one.damage.code != TORN:
            raise LogDamaged(
                f"the log to import is damaged at byte {one.position}: {one.damage.reason}",
                "mend it, or import another copy",
            )


def _refuse_gaps(transactions: Sequence[Transaction], known: set[str]) -> None:
    """A line whose parent is neither here nor there would damage this log as well."""
    there = known | {transaction.id for transaction in transactions}
    for transaction in transactions:
        for parent in transaction.after:
            if parent not in there:
                raise LogDamaged(
                    f"the log to import is damaged: transaction {transaction.id[:12]} follows {parent[:12]}, which is in neither log",
                    "import another copy of it",
                )


def _clashes(reader: Reader, transactions: Sequence[Transaction]) -> set[str]:
    """Ids that mean another type here, or a name that is none of ours nor ours one of theirs."""
    theirs: dict[str, NodeState] = {}
    for transaction in transactions:
        for event in transaction.events:
            if event.get("kind") == "node":
                theirs[event["id"]] = absorb(theirs.get(event["id"]), event)
    found = set()
    nids = reader.nids(list(theirs))
    views = reader.nodes(nids.values())
    for name, nid in nids.items():
        ours, other = views[nid], theirs[name]
        if not ours.type:
            continue
        our_names = {fold(text) for text in (ours.name, *ours.aliases)}
        their_names = {fold(text) for text in (other.name, *other.aliases)}
        if ours.type != other.type or not our_names & their_names and identity_id(other) != name:
            found.add(name)
    return found


class _Copies:
    """Where transactions of another log stand in this one: the transactions that hold one, and the places of its events in the first."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {}
        self.places: dict[str, dict[int, int]] = {}

    def assertions(self, listed: dict[str, list[int]]) -> dict[str, list[int]]:
        return {
            self.names.get(name, [name])[0]: [self.place(name, at) for at in places]
            for name, places in listed.items()
        }

    def place(self, name: str, at: int) -> int:
        return self.places.get(name, {}).get(at, at)


def _record_again(
    writer: Writer, transactions: Sequence[Transaction], renamed: dict[str, str]
) -> list[str]:
    """Write transactions anew, with other ids for some nodes: links and positions inside them follow.

    A 1.0.0 log is one transaction that takes back parts of itself. None can name itself, so what it takes back follows in a second one.
    """
    copies = _Copies()
    with writer.adding() as recorder:
        for transaction in transactions:
            own = {
                at
                for at, event in enumerate(transaction.events)
                if transaction.id in (event.get("assertions") or ())
            }
            kept = [at for at in range(len(transaction.events)) if at not in own]
            copies.places[transaction.id] = {at: place for place, at in enumerate(kept)}
            said = (transaction.run_id, transaction.agent, transaction.unit, transaction.reason)
            meta = {"imported": transaction.id, "payload": f"{COPIED}{transaction.id}"}
            events = [_renamed(transaction.events[at], renamed, copies) for at in kept]
            copies.names[transaction.id] = [recorder.add(Draft("import", events, *said, meta)).id]
            if own:
                events = [_renamed(transaction.events[at], renamed, copies) for at in sorted(own)]
                copies.names[transaction.id].append(
                    recorder.add(Draft("import", events, *said, {"imported": transaction.id})).id
                )
    return [name for names in copies.names.values() for name in names]


def _renamed(event: Event, renamed: dict[str, str], copies: _Copies) -> Event:
    event = dict(event)
    for key in ("source", "target", "old", "new"):
        if event.get(key) in renamed:
            event[key] = renamed[event[key]]
    if event.get("kind") == "node" and event["id"] in renamed:
        event["id"] = renamed[event["id"]]
    if event.get("kind") == "edge":
        event["id"] = edge_id(
            event["predicate"], (event["source"], event["target"]), event.get("rel") or ""
        )
    if isinstance(event.get("assertions"), dict):
        event["assertions"] = copies.assertions(event["assertions"])
    if isinstance(event.get("transactions"), list):
        event["transactions"] = [
            copy for name in event["transactions"] for copy in copies.names.get(name, [name])
        ]
    if event.get("tx") in copies.names:
        event |= {
            "pos": copies.place(event["tx"], event["pos"]),
            "tx": copies.names[event["tx"]][0],
        }
    return event
