"""Laws of the engine: whatever is done in whatever order, the index is what the log means, and the log means it in any order."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import random
import re
import tempfile
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracle import graph_of, picture

from kgraph.errors import KgraphError
from kgraph.events import Draft
from kgraph.graph import merging, withdrawing, writing
from kgraph.graph.answers import Ingestion
from kgraph.graph.citing import SourceCache
from kgraph.graph.engine import Engine
from kgraph.graph.merging import MergeOptions
from kgraph.graph.parting import SplitOptions, split
from kgraph.index.health import breaches
from kgraph.index.read import Reader
from kgraph.index.sqlite import SqliteIndex
from kgraph.log.memory import MemoryLog
from kgraph.model import Document
from kgraph.sources import read

ENTITIES = ("Alpha", "Beta", "Gamma", "alpha")
SOURCES = ("a.md", "b.md")
RUNS = ("r1", "r2", "r3")
WHY = "both are named as the billing service in the same document"
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def engine_over(lines: list[bytes]) -> Engine:
    ticks = itertools.count()
    log = MemoryLog(lines)
    return Engine(
        log,
        SqliteIndex(log, ":memory:"),
        lambda: f"2026-01-01T00:00:{next(ticks) % 60:02d}.000000Z",
        lambda: "token",
    )


@functools.cache
def document() -> Document:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.md")
        with open(path, "w", encoding="utf-8") as handle:
            handle.write("# Calls\n\nAlpha calls Beta on port 80. Beta calls Gamma.\n")
        return read(path, "a.md")


def shelf() -> SourceCache:
    """One of the two sources can be read."""
    return SourceCache("/nowhere", (), {"a.md": document()})


@st.composite
def payloads(draw: st.DrawFn) -> dict[str, Any]:
    """A small payload over a small world, so that runs and sources overlap and one edge is said again with better and worse words."""
    source = draw(st.sampled_from(SOURCES))
    first, second = draw(
        st.lists(st.sampled_from(ENTITIES[:3]), min_size=2, max_size=2, unique=True)
    )
    description = draw(st.sampled_from(["", "a service", "the billing service"]))
    entity = {
        "type": "Entity",
        "name": draw(st.sampled_from([first, first.upper()])),
        "description": description,
    }
    if draw(st.booleans()):
        entity["aliases"] = [draw(st.sampled_from(["A-one", "A-two"]))]
    if draw(st.booleans()):
        entity["attrs"] = {"tier": draw(st.integers(0, 2))}
    claim = f"{first} calls {second}"
    nodes: list[dict[str, Any]] = [{"type": "Source", "name": source, "uri": source}, entity]
    nodes += [{"type": "Entity", "name": second}, {"type": "Claim", "name": claim}]
    support = {"predicate": "SUPPORTS", "source": source, "target": claim}
    edges = [
        *(
            {**support, **words}
            for words in draw(st.lists(citations(source), min_size=1, max_size=3))
        ),
        {"predicate": "MENTIONS", "source": claim, "target": first, **draw(citations(source))},
        {
            "predicate": "DEPENDS_ON",
            "source": first,
            "target": second,
            **draw(st.sampled_from([{}, {"kind": "call"}])),
        },
    ]
    if draw(st.booleans()):
        edges.append({"predicate": "MENTIONS", "source": claim, "target": second})
    return {"nodes": nodes, "edges": draw(st.permutations(edges))}


@st.composite
def citations(draw: st.DrawFn, source: str) -> dict[str, Any]:
    """What an edge may say of its evidence: nothing, a confidence, a place, words that are in the source, words that aren't."""
    words: dict[str, Any] = {}
    if draw(st.booleans()):
        words["confidence"] = draw(st.sampled_from([0.5, 0.7, 0.9]))
    if draw(st.booleans()):
        words["source_doc"] = f"{source}#{draw(st.sampled_from(['calls', 'nowhere']))}"
    if draw(st.booleans()):
        words["quote"] = draw(
            st.sampled_from(
                ["Alpha calls Beta on port 80", "Beta calls Gamma", "these words stand nowhere"]
            )
        )
    return words


operations = st.one_of(
    st.tuples(st.just("ingest"), payloads(), st.sampled_from(RUNS)),
    st.tuples(
        st.just("retract"),
        st.sampled_from(["run", "source", "node", "tx"]),
        st.integers(0, 20),
        st.booleans(),
    ),
    st.tuples(st.just("restore"), st.integers(0, 20)),
    st.tuples(st.just("resolve"), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.just("unresolve"), st.integers(0, 5)),
    st.tuples(st.just("split"), st.integers(0, 5), st.sampled_from(RUNS)),
    st.tuples(
        st.just("find"),
        st.integers(0, 40),
        st.sampled_from(["verified", "moved", "located", "missing", "stale"]),
    ),
)


def carry_out(engine: Engine, operation: tuple[Any, ...]) -> None:
    """One operation; what the engine refuses is refused."""
    what = operation[0]
    if what == "ingest":
        writing.ingest(engine, operation[1], Ingestion(run_id=operation[2]), shelf())
        return
    reader = engine.reader()
    lines = [row[0] for row in reader.db.execute("SELECT id FROM line ORDER BY seq")]
    entities = [node.id for node in reader.every_node("Entity")]
    with contextlib.suppress(KgraphError):
        if what == "retract":
            references = {
                "run": RUNS,
                "source": SOURCES,
                "node": tuple(entities),
                "tx": tuple(lines),
            }[operation[1]]
            if references:
                withdrawing.retract(
                    engine,
                    withdrawing.Selector(operation[1], references[operation[2] % len(references)]),
                    "a reason",
                    withdrawing.RetractOptions(operation[3]),
                )
        elif what == "restore" and lines:
            withdrawing.restore(engine, lines[operation[1] % len(lines)], "", "")
        elif what == "resolve" and entities:
            one, other = (
                entities[operation[1] % len(entities)],
                entities[operation[2] % len(entities)],
            )
            merging.resolve(engine, one, [other], MergeOptions(WHY, force=True))
        elif what == "unresolve" and entities:
            merging.unresolve(engine, entities[operation[1] % len(entities)], "", "")
        elif what == "split" and entities:
            split(engine, entities[operation[1] % len(entities)], SplitOptions(run=operation[2]))
        elif what == "find":
            find(engine, operation[1], operation[2])


def find(engine: Engine, which: int, status: str) -> None:
    """A later look at some citation, as ``verify --record`` writes it."""
    reader = engine.reader()
    said = [one for edge in reader.every_edge() for one in reader.edge_said(edge.eid)]
    if said:
        one = said[which % len(said)]
        event = {"kind": "evidence", "tx": one.tx, "pos": one.pos, "evidence": {"status": status}}
        with engine.writing() as writer:
            writer.record(Draft("verify", [event]))


def held(engine: Engine) -> dict[str, Any]:
    return picture(engine.reader())


@SLOW
@given(st.lists(operations, max_size=14))
def test_the_index_is_the_plain_definition_after_every_operation(
    done: list[tuple[Any, ...]],
) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
        assert held(engine) == graph_of(engine.log.lines)  # type: ignore[attr-defined]


@SLOW
@given(st.lists(operations, max_size=14))
def test_no_operation_leaves_an_invariant_broken(done: list[tuple[Any, ...]]) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
        assert breaches(engine.reader()) == []


@SLOW
@given(st.lists(operations, max_size=12), st.integers(0, 2**32))
def test_replay_equals_continue_and_any_order_of_the_lines_is_the_same_graph(
    done: list[tuple[Any, ...]], seed: int
) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
    lines = list(engine.log.lines)  # type: ignore[attr-defined]
    assert held(engine_over(lines)) == held(engine)
    random.Random(seed).shuffle(lines)
    assert held(engine_over(lines)) == held(engine)


@SLOW
@given(st.lists(operations, max_size=12), st.data())
def test_any_ancestor_closed_set_of_lines_opens(
    done: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
    lines = list(engine.log.lines)  # type: ignore[attr-defined]
    trunk = lines[: data.draw(st.integers(0, len(lines)))]
    other = engine_over(list(trunk))
    for operation in data.draw(st.lists(operations, max_size=4)):
        if operation[0] not in ("resolve", "split"):
            carry_out(other, operation)
    branch = other.log.lines[len(trunk) :]  # type: ignore[attr-defined]
    some = (
        lines[: data.draw(st.integers(len(trunk), len(lines)))]
        + branch[: data.draw(st.integers(0, len(branch)))]
    )
    opened = engine_over(some)
    assert held(opened) == graph_of(some)
    assert opened.damage() == []


@SLOW
@given(
    st.lists(operations, max_size=8),
    st.lists(operations, max_size=6),
    st.lists(operations, max_size=6),
)
def test_two_branches_merge_by_union_whichever_comes_first(
    base: list[Any], ours: list[Any], theirs: list[Any]
) -> None:
    trunk = engine_over([])
    for operation in base:
        carry_out(trunk, operation)
    common = list(trunk.log.lines)  # type: ignore[attr-defined]
    one, other = engine_over(list(common)), engine_over(list(common))
    for operation in ours:
        if operation[0] not in ("resolve", "split"):
            carry_out(one, operation)
    for operation in theirs:
        carry_out(other, operation)
    left, right = one.log.lines, other.log.lines  # type: ignore[attr-defined]
    union = common + left[len(common) :] + right[len(common) :]
    turned = common + right[len(common) :] + left[len(common) :]
    assert held(engine_over(union)) == held(engine_over(turned)) == graph_of(union)


@SLOW
@given(st.lists(operations, max_size=8), st.sampled_from(RUNS), st.booleans())
def test_retract_then_restore_is_before(
    done: list[tuple[Any, ...]], run: str, cascade: bool
) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
    before = held(engine)
    try:
        taken = withdrawing.retract(
            engine,
            withdrawing.Selector("run", run),
            "a reason",
            withdrawing.RetractOptions(cascade),
        )
    except KgraphError:
        return
    if taken.tx:
        given_back = withdrawing.restore(engine, taken.tx, "", "")
        assert given_back.tx
        again = withdrawing.restore(engine, taken.tx, "", "")
        assert (again.tx, again.already) == ("", given_back.tx)
    after = held(engine)
    assert {key: after[key] for key in ("nodes", "edges", "canonical")} == {
        key: before[key] for key in ("nodes", "edges", "canonical")
    }


@SLOW
@given(st.lists(payloads(), min_size=1, max_size=4))
def test_ingest_is_idempotent_within_a_run(some: list[dict[str, Any]]) -> None:
    engine = engine_over([])
    first = [writing.ingest(engine, payload, Ingestion(run_id="r1"), shelf()) for payload in some]
    before = held(engine)
    for payload, receipt in zip(some, first, strict=True):
        again = writing.ingest(engine, payload, Ingestion(run_id="r1"), shelf())
        assert again.unchanged and again.tx and not again.nodes_added and not again.edges_added
        assert again.ids == receipt.ids
    assert held(engine) == before


@SLOW
@given(st.lists(operations, max_size=10))
def test_the_counters_are_what_counting_gives(done: list[tuple[Any, ...]]) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
    reader: Reader = engine.reader()
    types = dict(
        reader.db.execute("SELECT type, count(*) FROM node WHERE live > 0 GROUP BY type").fetchall()
    )
    predicates = dict(
        reader.db.execute(
            "SELECT predicate, count(*) FROM edge WHERE visible = 1 GROUP BY predicate"
        ).fetchall()
    )
    assert reader.counters() == {"type": types, "predicate": predicates}


@SLOW
@given(st.lists(operations, max_size=10))
def test_words_find_exactly_the_live_nodes_that_hold_them(done: list[tuple[Any, ...]]) -> None:
    engine = engine_over([])
    for operation in done:
        carry_out(engine, operation)
    reader = engine.reader()
    for word in ("alpha", "beta", "billing", "one"):
        found = {nid for nid, _ in reader.search(f'"{word}"', 1000)}
        expected = {
            node.nid for node in reader.every_node()
            if word in re.findall(r"\w+", " ".join((node.name, *node.aliases, node.description)).casefold())
        }  # fmt: skip
        assert found == expected
