"""Texts made unrecoverable: taken out of the log's lines, and of everything that was derived from them.

The record comes first, as a transaction like any other; from then on the texts go, if not now then with the next command (``finish``): a
process that dies in between, or a merge that brings a line back, changes nothing about that.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.errors import NotAllowed, UsageError
from kgraph.events import Draft, Transaction, decode
from kgraph.events.forgetting import (
    Forgotten,
    Step,
    Taken,
    is_forgotten,
    record,
    records_in,
    stand_in,
    without,
)
from kgraph.events.legacy import is_old
from kgraph.graph import folder
from kgraph.graph.references import transaction_of
from kgraph.graph.supports import sources_in
from kgraph.graph.withdrawing import RetractOptions, Selector, one_node, retract
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph.engine import Engine
    from kgraph.index.read import Reader

SELECTORS = ("node", "source", "tx")
# What is derived from the log or the sources, and may hold any of their words.
DERIVED = (
    "vectors.bin", "passages.sqlite", "passages.sqlite-wal", "passages.sqlite-shm", "passages.sqlite-journal", "cache", "replies",
    "graph.json", "REPORT.md", "graph.html", "graph.mmd", "log.torn", "log.damaged", "fault.txt", "unresolved.json",
)  # fmt: skip
OWN_WORDS = {
    "node": ("name", "description", "aliases", "qualifier", "uri", "version", "rubric", "result", "attrs"),
    "edge": ("quote", "source_doc", "attrs", "evidence"),
}  # fmt: skip
KEPT = (
    "status",
    "sha256",
    "kind",
    "id",
    "type",
    "predicate",
    "source",
    "target",
)  # of what is structure and no text
LEAST = 4  # characters of a text that is looked for within others

Line = tuple[bytes, Transaction]


class Aim(NamedTuple):
    """``hits(transaction)``: the positions of what is to be forgotten. ``everywhere``: also where others' statements hold its words."""

    hits: Callable[[Transaction], set[int]]
    everywhere: bool


def forget(
    engine: Engine, selector: tuple[str, str], reason: str, run_id: str = ""
) -> dict[str, Any]:
    """See ``Graph.forget``."""
    if selector[0] not in SELECTORS:
        raise UsageError(
            f"'{selector[0]}' names nothing that can be forgotten", f"one of {', '.join(SELECTORS)}"
        )
    if any(is_old(raw.data) for raw in engine.log.scan()):
        raise NotAllowed(
            "this log begins in the 1.0.0 layout, whose lines have no ids of their own: nothing can be taken out of them",
            "kgraph export FILE, then kgraph --name NEW import FILE, forget there, and delete this graph's folder",
        )
    aim = _aim(engine.reader(), selector)
    options = RetractOptions(cascade=True, run_id=run_id)
    withdrawn = len(retract(engine, Selector(*selector), reason, options).withdrawn)
    with engine.writing() as writer:
        told = list(_plan(engine, aim))
        if not told:
            return {"tx": "", "lines": 0, "texts": 0, "withdrawn": withdrawn, "removed": []}
        draft = Draft("forget", [record(told, reason)], run_id, reason=reason)
        tx = writer.record(draft).id
        where = getattr(engine.log, "folder", "")
        removed = [name for name in DERIVED if where and os.path.exists(os.path.join(where, name))]
        finish(engine)
    return {
        "tx": tx,
        "lines": len(told),
        "texts": sum(len(one.taken) for one in told),
        "withdrawn": withdrawn,
        "removed": removed,
    }


def finish(engine: Engine) -> int:
    """Take out every text that a record names and remove what was derived; from how many lines. The caller holds the writer's lock."""
    told: dict[str, list[Forgotten]] = {}
    for _, transaction in _lines(engine):
        for one in records_in(transaction.events):
            told.setdefault(one.tx, []).append(one)
    missing: list[Forgotten] = []
    touched = 0
    _clear_objective(engine, told)

    def left() -> Iterator[bytes]:
        nonlocal touched
        seen: set[str] = set()
        for data, transaction in _lines(engine):
            known = told.get(transaction.id)
            if known is None:
                yield data
                continue
            whole = not transaction.forgotten
            touched += whole
            if transaction.id in seen:
                continue
            seen.add(transaction.id)
            taken = [each for one in known for each in one.taken]
            after, digest = without(data, taken)
            if digest not in {one.digest for one in known}:
                missing.append(Forgotten(transaction.id, digest, tuple(taken)))
            yield after

    _remove_derived(getattr(engine.log, "folder", ""))
    engine.log.rewrite(left())
    engine.index.make_again()
    if missing:  # two branches forgot different texts of one line
        engine.writer().record(Draft("forget", [record(missing, "what two branches forgot")]))
        engine.index.make_again()
    return touched


def _clear_objective(engine: Engine, told: Mapping[str, Sequence[Forgotten]]) -> None:
    """Take what the manifest says the graph is for out of it, where it is or holds a text that goes. Before the lines are rewritten: they
    are what tells, should this process die in between."""
    where = getattr(engine.log, "folder", "")
    manifest = folder.read_manifest(where) if where else None
    if manifest is None or not manifest.objective:
        return
    for data, line in _lines(engine):
        if line.id not in told or line.forgotten:
            continue
        texts = dict(_texts(json.loads(data)))
        for one in (each for some in told[line.id] for each in some.taken):
            text = texts.get(one.path, "")
            part = _any_of({text}) if len(text) >= LEAST and _is_telling(text) else None
            if text == manifest.objective or (part and part.search(manifest.objective)):
                folder.write_manifest(where, manifest._replace(objective=one.instead))
                return


def _lines(engine: Engine) -> Iterator[Line]:
    for raw in engine.log.scan():
        if raw.data:
            yield raw.data, decode(raw.data)


def _remove_derived(where: str) -> None:
    for name in DERIVED if where else ():
        path = os.path.join(where, name)
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


# -- what is to go -------------------------------------------------------------------------------------------------------------------


def _aim(reader: Reader, selector: tuple[str, str]) -> Aim:
    kind, reference = selector
    if kind == "tx":
        tx = transaction_of(reader, reference).id
        return Aim(lambda line: set(range(len(line.events))) if line.id == tx else set(), False)
    name = reader.node(one_node(reader, reference, "Source" if kind == "source" else "")).id
    if kind == "node":
        return Aim(lambda line: _about(line, name), True)
    live = {node.id for node in reader.every_node("Source")} - {name}

    def of_source(line: Transaction) -> set[int]:
        stands = {
            pos for _, pos, sources in sources_in(line) if name in sources and not sources & live
        }
        return stands | {
            pos
            for pos, event in enumerate(line.events)
            if event.get("kind") == "node" and event["id"] == name
        }

    return Aim(of_source, False)


def _about(line: Transaction, name: str) -> set[int]:
    return {
        pos
        for pos, event in enumerate(line.events)
        if (event.get("kind") == "node" and event["id"] == name)
        or (event.get("kind") == "edge" and name in (event["source"], event["target"]))
    }


def _plan(engine: Engine, aim: Aim) -> Iterator[Forgotten]:
    """For each line the texts that go."""
    words: set[str] = set()
    others: set[str] = set()
    for _, line in _lines(engine):
        hit = aim.hits(line)
        for pos, event in enumerate(line.events):
            own = [text for _, text in _own(event)]
            if pos in hit:
                words.update(own)
            elif not event.get("implied"):
                others.update(own)
    if not aim.everywhere:
        words -= others
    else:  # the words of edges that others have too are others'; a node's own are its own wherever they stand
        words -= others - _names_of(engine, aim)
    words = {text for text in words if text.strip() and not is_forgotten(text)}
    within = _any_of(
        {text for text in words if len(text) >= LEAST and (aim.everywhere or _is_telling(text))}
    )
    salt = os.urandom(32)
    for data, line in _lines(engine):
        hit = aim.hits(line)
        taken = [
            Taken(path, stand_in(text, salt))
            for path, text in _texts(json.loads(data))
            if not is_forgotten(text)
            and _goes(line, path, text, hit, aim.everywhere, words, within)
        ]
        if taken:
            yield Forgotten(line.id, without(data, taken)[1], tuple(taken))


def _is_telling(text: str) -> bool:
    """Whether a text says whose it is wherever it stands: a sentence, a path. A single word may be anybody's."""
    return any(sign in text for sign in " /.")


def _names_of(engine: Engine, aim: Aim) -> set[str]:
    """The words of the node itself."""
    return {
        text
        for _, line in _lines(engine)
        for pos in aim.hits(line)
        if line.events[pos].get("kind") == "node"
        for _, text in _own(line.events[pos])
    }


def _goes(
    line: Transaction,
    path: tuple[Step, ...],
    text: str,
    hit: set[int],
    everywhere: bool,
    words: set[str],
    within: re.Pattern[str] | None,
) -> bool:
    holds = text in words or (within is not None and within.search(text) is not None)
    if path[0] != "events":
        return holds
    pos = int(path[1])
    event = line.events[pos]
    kind = event.get("kind")
    own = kind in OWN_WORDS and path[2] in OWN_WORDS[str(kind)]
    if pos in hit and own:
        return True
    if kind in OWN_WORDS and not own:
        return False  # ids, types, predicates
    return holds and (everywhere or kind not in OWN_WORDS or bool(event.get("implied")))


def _own(event: Mapping[str, Any]) -> Iterator[tuple[tuple[Step, ...], str]]:
    """The texts of an assertion, with their places in it."""
    for member in OWN_WORDS.get(str(event.get("kind")), ()):
        if member in event:
            yield from _texts(event[member], ("events", 0, member))


def _texts(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Every text in a line that may be somebody's words, with its place. Names of members that hold spaces are words too."""
    if isinstance(value, str):
        if path and not _is_structure(path):
            yield path, value
    elif isinstance(value, dict):
        if any(" " in str(key) for key in value) and path:
            yield path, " ".join(map(str, value))
            return
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _texts(inner, (*path, at))


def _is_structure(path: tuple[Step, ...]) -> bool:
    if path[0] != "events":
        return path[0] not in ("agent", "unit", "reason", "meta")
    if path[-1] in KEPT and "attrs" not in path:
        return True
    return len(path) > 2 and path[2] in (
        "assertions",
        "transactions",
        "tx",
        "lines",
        "what",
        "old",
        "new",
    )


def _any_of(words: Sequence[str] | set[str]) -> re.Pattern[str] | None:
    """Finds any of these texts where it stands as words of its own."""
    if not words:
        return None
    some = "|".join(map(re.escape, sorted(words, key=lambda one: (-len(one), one))))
    return re.compile(rf"(?<!\w)(?:{some})(?!\w)", re.IGNORECASE)
