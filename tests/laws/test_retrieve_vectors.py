"""Laws of retrieval with vectors: pages stay disjoint and complete, the budget is kept, and fusing loses no seed."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgraph.index.read import Reader
from kgraph.retrieve.finding import find
from kgraph.retrieve.nearness import SEEDS, Near, fuse
from kgraph.retrieve.printing import count_tokens
from kgraph.retrieve.query import query
from kgraph.retrieve.question import Asked, Question
from kgraph.retrieve.seeds import Heard, Seed
from laws.test_retrieve import door, graphs
from stages.ground_worlds import engine_of

SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TOLD = st.sampled_from(
    [{}, {"model": "fake/m", "missing": 3, "stale": 12}, {"unused": "the extra is not installed"}]
)


class Nearby:
    """Vectors for which the nodes of a graph lie near every text in an order that chance gives."""

    mark = "1234"

    def __init__(self, order: list[int], told: dict[str, Any]) -> None:
        self._order = order
        self._told = told

    def near(self, reader: Reader, text: str) -> Near:
        nids = [node.nid for node in reader.every_node()]
        chosen = list(dict.fromkeys(nids[at % len(nids)] for at in self._order)) if nids else []
        return Near([(nid, 1.0 / (1 + rank)) for rank, nid in enumerate(chosen)], self._told)


orders = st.lists(st.integers(0, 40), max_size=30)
questions = st.sampled_from(["valve", "Vendor X pump", "日本", "nothing known"])


@SOME
@given(
    graphs(),
    questions,
    st.tuples(orders, TOLD),
    st.tuples(st.integers(150, 900), st.integers(1, 6)),
)
def test_pages_with_vectors_are_disjoint_and_make_up_everything(
    payloads: list[dict[str, Any]],
    text: str,
    near: tuple[list[int], dict[str, Any]],
    bounds: tuple[int, int],
) -> None:
    reader = engine_of(payloads).reader()
    nearby = Nearby(*near)
    question = Question(text, max_tokens=bounds[0], max_nodes=bounds[1])
    found = find(reader, question, nearby)
    nodes: list[str] = []
    edges: list[str] = []
    while True:
        body = query(reader, question, Asked(), nearby).body
        nodes += [row["id"] for row in body.get("nodes", [])]
        edges += [row["id"] for row in body.get("edges", [])]
        if (
            not body["cursor"]
            or body["cursor"] == question.cursor
            or not (body.get("nodes") or body.get("edges"))
        ):
            break
        question = question._replace(cursor=body["cursor"])
    assert len(set(nodes)) == len(nodes) and len(set(edges)) == len(edges)
    if not body["cursor"]:
        assert sorted(nodes) == sorted(reader.ids(ranked.nid for ranked in found.nodes).values())
        assert len(edges) == len(found.relations)


@SOME
@given(
    graphs(),
    questions,
    st.tuples(orders, TOLD),
    st.tuples(st.integers(50, 400), st.sampled_from(["json", "context", "triples"])),
)
def test_the_budget_is_kept_with_vectors_and_with_what_is_said_of_them(
    payloads: list[dict[str, Any]],
    text: str,
    near: tuple[list[int], dict[str, Any]],
    asked: tuple[int, str],
) -> None:
    reader = engine_of(payloads).reader()
    shown = door(False)
    answer = query(
        reader, Question(text, max_tokens=asked[0]), Asked(asked[1], "", shown), Nearby(*near)
    )
    whole = shown({**answer.body, "bare": True} if answer.bare else answer.body, answer.text)
    assert count_tokens(whole) == answer.body["tokens"] <= asked[0]


seeds = st.lists(
    st.builds(
        Seed, st.integers(1, 50), st.floats(0, 1), st.just("text"), st.just(""), st.floats(0, 1)
    ),
    max_size=30,
)
hits = st.lists(
    st.tuples(st.integers(1, 50), st.floats(0, 1)), max_size=30, unique_by=lambda hit: hit[0]
)


@given(seeds, hits)
def test_fusing_loses_no_seed_takes_no_mass_and_counts_each_node_once(
    given_seeds: list[Seed], near: list[tuple[int, float]]
) -> None:
    by_words = {seed.nid: seed for seed in reversed(given_seeds)}
    fused = fuse(Heard(list(by_words.values()), {}), Near(near, {})).seeds
    assert {seed.nid for seed in fused} == set(by_words) | {nid for nid, _ in near[:SEEDS]}
    assert len({seed.nid for seed in fused}) == len(fused)
    assert all(seed.mass >= by_words[seed.nid].mass for seed in fused if seed.nid in by_words)
    assert all(one.score >= other.score for one, other in itertools.pairwise(fused)) or not near


def test_what_both_orders_have_comes_before_what_one_has_at_the_same_rank() -> None:
    heard = Heard([Seed(1, 0.5, "text", "", 0.1), Seed(2, 0.4, "text", "", 0.1)], {})
    fused = fuse(heard, Near([(3, 1.0), (2, 0.9)], {})).seeds
    assert [seed.nid for seed in fused] == [2, 1, 3]
    assert [seed.why for seed in fused] == ["text", "text", "vector"]
