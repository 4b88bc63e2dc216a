"""Laws of resolution: symmetric, deterministic, bounded, and never against what was decided."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.language.folding import fold_accents
from kgraph.resolve import (
    Comparison,
    Options,
    PolicyName,
    Record,
    candidates,
    canonical,
    decide,
    policy,
)
from kgraph.resolve.likeness import edit_distance, jaro_winkler, measures
from kgraph.resolve.names import parse, romanised, sound
from kgraph.resolve.relations import relate

WORDS = [
    "Tidewater",
    "Survey",
    "Halvorsen",
    "Pumps",
    "Ltd",
    "north",
    "south",
    "2",
    "3",
    "IV",
    "J.",
    "Ann",
    "Thorne",
    "NSMA",
    "白樺",
    "Ташкент",
    "(old)",
]
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
POLICIES: tuple[PolicyName, ...] = ("strict", "balanced")
ANY_NAME = st.text(min_size=1, max_size=30).filter(lambda text: text.strip() != "")
TEXTS = st.sampled_from(
    [
        "",
        "maker of pumps for dairies",
        "agency that maps the sea floor",
        "maker of valves",
        "poet (1902–1971)",
    ]
)


@st.composite
def record_sets(draw: st.DrawFn) -> list[Record]:
    count = draw(st.integers(2, 9))
    return [
        Record(
            f"n{at}",
            draw(st.sampled_from(["Entity", "Metric"])),
            draw(NAMES),
            tuple(draw(st.lists(NAMES, max_size=2))),
            draw(TEXTS),
            str(at),
            frozenset(draw(st.lists(st.sampled_from(["s1", "s2"]), max_size=2))),
            neighbours=frozenset(draw(st.lists(st.sampled_from(["x", "y", "z"]), max_size=3))),
            attrs={"year": draw(st.sampled_from(["1999", "2001"]))} if draw(st.booleans()) else {},
            assertions=draw(st.integers(1, 3)),
            since=at,
        )
        for at in range(count)
    ]


@given(ANY_NAME)
def test_a_name_is_never_folded_to_nothing(text: str) -> None:
    name = parse(text)
    assert fold_accents(text) and name.tokens and name.core and name.compact


@given(ANY_NAME, ANY_NAME)
@settings(max_examples=200)
def test_how_two_names_are_related_does_not_depend_on_their_order(one: str, two: str) -> None:
    there = relate(parse(one), parse(two), edit_distance)
    back = relate(parse(two), parse(one), edit_distance)
    assert there.kind == back.kind
    assert len(there.against) == len(back.against)


@given(NAMES, NAMES)
@settings(max_examples=200)
def test_how_two_ordinary_names_are_related_does_not_depend_on_their_order(
    one: str, two: str
) -> None:
    there = relate(parse(one), parse(two), edit_distance)
    back = relate(parse(two), parse(one), edit_distance)
    assert (there.kind, len(there.against)) == (back.kind, len(back.against))


@given(ANY_NAME)
def test_a_name_is_the_same_as_itself(text: str) -> None:
    assert relate(parse(text), parse(text), edit_distance).kind == "same"


@given(ANY_NAME)
def test_romanising_and_sounding_take_any_name(text: str) -> None:
    assert isinstance(romanised(text), str) and sound(text).isascii()


@given(st.text("abcü京", max_size=8), st.text("abcü京", max_size=8))
def test_edit_distance_equals_its_definition(one: str, two: str) -> None:
    row = list(range(len(two) + 1))
    for at, char in enumerate(one, 1):
        above, row[0] = row[0], at
        for place, other in enumerate(two, 1):
            above, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, above + (char != other)),
            )
    assert edit_distance(one, two) == row[-1]


@given(st.text("abcd", min_size=1, max_size=8), st.text("abcd", min_size=1, max_size=8))
def test_the_figures_are_the_same_whatever_library_is_installed(one: str, two: str) -> None:
    found = measures()
    assert found.distance(one, two) == edit_distance(one, two)
    assert abs(found.jaro_winkler(one, two) - jaro_winkler(one, two)) < 1e-9


@given(record_sets(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_merges_do_not_depend_on_the_order_of_records(
    records: list[Record], chance: random.Random
) -> None:
    mixed = list(records)
    chance.shuffle(mixed)
    for name in POLICIES:
        first = {(merge.alias, merge.canonical) for merge in Comparison(records).merges(name)}
        second = {(merge.alias, merge.canonical) for merge in Comparison(mixed).merges(name)}
        assert first == second


@given(record_sets())
@settings(max_examples=60, deadline=None)
def test_each_alias_has_one_canonical_of_its_type_and_no_canonical_is_an_alias(
    records: list[Record],
) -> None:
    by_id = {record.id: record for record in records}
    for name in POLICIES:
        merges = Comparison(records).merges(name)
        aliases = [merge.alias for merge in merges]
        assert len(aliases) == len(set(aliases))
        assert not {merge.canonical for merge in merges} & set(aliases)
        assert all(by_id[merge.alias].type == by_id[merge.canonical].type for merge in merges)


@given(record_sets())
@settings(max_examples=60, deadline=None)
def test_what_was_judged_distinct_is_neither_proposed_nor_merged_not_even_through_others(
    records: list[Record],
) -> None:
    distinct = frozenset(
        frozenset(pair) for pair in itertools.combinations([record.id for record in records[:3]], 2)
    )
    options = Options(distinct=distinct, floor=-100.0)
    for cluster in candidates(records, options):
        assert not any(frozenset((pair.left, pair.right)) in distinct for pair in cluster.pairs)
    for name in POLICIES:
        group = {record.id: record.id for record in records}
        group |= {
            merge.alias: merge.canonical for merge in Comparison(records, options).merges(name)
        }
        assert not any(len({group[id] for id in pair}) == 1 for pair in distinct)


@given(record_sets())
@settings(max_examples=60, deadline=None)
def test_a_pair_with_anything_against_it_is_left(records: list[Record]) -> None:
    for pair in Comparison(records, Options(floor=-100.0)).pairs():
        features = pair.features
        for name in POLICIES:
            decision = decide(features, policy(name))
            assert decision == decide(features, policy(name))
            if features.against or features.numbers_differ or features.known_distinct:
                assert decision.verdict == "left"
            if decision.verdict == "same":
                assert decision.rationale


@given(record_sets())
@settings(max_examples=60, deadline=None)
def test_strict_merges_only_pairs_that_balanced_would_merge(records: list[Record]) -> None:
    for pair in Comparison(records, Options(floor=-100.0)).pairs():
        if decide(pair.features, policy("strict")).verdict == "same":
            assert decide(pair.features, policy("balanced")).verdict == "same"


@given(st.integers(1, 6), st.integers(0, 60))
@settings(max_examples=20, deadline=None)
def test_no_record_chooses_more_partners_than_it_may(most: int, count: int) -> None:
    records = [
        Record(f"n{at:03d}", "Entity", "Tidewater Survey", qualifier=str(at)) for at in range(count)
    ]
    comparison = Comparison(records, Options(pairs_each=most))
    assert len(comparison.blocked) <= most * count


@given(record_sets())
@settings(max_examples=40, deadline=None)
def test_every_proposed_pair_stands_in_one_cluster(records: list[Record]) -> None:
    comparison = Comparison(records, Options(floor=-100.0))
    shown = [(pair.left, pair.right) for cluster in comparison.clusters() for pair in cluster.pairs]
    assert sorted(shown) == sorted((pair.left, pair.right) for pair in comparison.pairs())


@given(
    st.permutations(
        [
            ("a", 3, 5, "Pumps"),
            ("b", 3, 2, "Pumps"),
            ("c", 1, 1, "Halvorsen Pumps"),
            ("d", 3, 2, "Halvorsen Pumps Ltd"),
        ]
    )
)
def test_the_canonical_record_has_most_assertions_then_age_then_the_fullest_name(
    rows: list[tuple[str, int, int, str]],
) -> None:
    records = [
        Record(id, "Entity", name, assertions=count, since=since) for id, count, since, name in rows
    ]
    assert canonical(records).id == "d"
