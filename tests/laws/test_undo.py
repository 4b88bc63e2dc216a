"""The law of undoing: merges, splits and retractions, taken back in any order, leave the graph as it was, to the byte of its export."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from tests.laws.test_engine import RUNS, carry_out, engine_over, operations, payloads

from kgraph.graph import withdrawing
from kgraph.graph.engine import Engine
from kgraph.graph.picturing import snapshot
from kgraph.views.exchange import export
from kgraph.views.snapshot import GraphMeta

FORMS = ("json", "jsonl")
said = st.tuples(st.just("ingest"), payloads(), st.sampled_from(RUNS))
places = st.integers(0, 5)
undoable = st.one_of(
    st.tuples(st.just("resolve"), places, places),
    st.tuples(st.just("unresolve"), places),
    st.tuples(st.just("split"), places, st.sampled_from(RUNS)),
    st.tuples(
        st.just("retract"), st.sampled_from(["run", "source", "node"]), places, st.booleans()
    ),
)
first = st.tuples(st.lists(said, min_size=3, max_size=5), st.lists(operations, max_size=3)).map(
    lambda parts: parts[0] + parts[1]
)
then = st.lists(undoable, min_size=1, max_size=8)


def exported(engine: Engine) -> tuple[bytes, ...]:
    """The whole graph in the two formats that leave nothing out, as canonical bytes."""
    found = snapshot(engine.reader(), GraphMeta("g"))
    return tuple(
        b"".join(_bytes(piece) for piece in file.chunks)
        for form in FORMS
        for file in export(found, form)
    )


def _bytes(piece: str | bytes) -> bytes:
    return piece if isinstance(piece, bytes) else piece.encode()


def transactions(engine: Engine) -> list[str]:
    return [row[0] for row in engine.reader().db.execute("SELECT id FROM line ORDER BY seq")]


def take_back(engine: Engine, order: list[str]) -> list[str]:
    """Take transactions back in the order given; one that stands under another waits for it. Those that never could are returned."""
    left = list(order)
    while left:
        refused = [
            name for name in left if withdrawing.restore(engine, name, "", "").invariant_violations
        ]
        if len(refused) == len(left):
            return left
        left = refused
    return []


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(first, then, st.data())
def test_undoing_in_any_order_restores_the_export_byte_for_byte(
    begun: list[Any], after: list[Any], data: st.DataObject
) -> None:
    engine = engine_over([])
    for operation in begun:
        carry_out(engine, operation)
    before, known = exported(engine), set(transactions(engine))
    for operation in after:
        carry_out(engine, operation)
    done = [name for name in transactions(engine) if name not in known]
    event(f"{len(done)} undone")
    assert take_back(engine, data.draw(st.permutations(done))) == []
    assert exported(engine) == before


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(first, then)
def test_undoing_the_undoing_brings_back_what_was_done(begun: list[Any], after: list[Any]) -> None:
    engine = engine_over([])
    for operation in begun:
        carry_out(engine, operation)
    known = set(transactions(engine))
    for operation in after:
        carry_out(engine, operation)
    there, done = exported(engine), set(transactions(engine)) - known
    for name in reversed(transactions(engine)):
        if name in done:
            assert withdrawing.restore(engine, name, "", "").invariant_violations == ()
    undoings = [name for name in transactions(engine) if name not in known | done]
    for name in reversed(undoings):
        assert withdrawing.restore(engine, name, "", "").invariant_violations == ()
    assert exported(engine) == there
