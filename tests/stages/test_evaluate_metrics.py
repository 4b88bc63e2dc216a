"""The figures of ``eval``, held against values worked out by hand and against brute force."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgraph.evaluate import (
    baselines,
    clustering,
    compare,
    decisions,
    estimates,
    extraction,
    ranking,
)
from kgraph.evaluate.printing import markdown, table

NAMES = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.integers(0, 3), min_size=1)


def test_wilsons_interval_for_eight_of_ten_is_the_textbooks() -> None:
    estimate = estimates.proportion(8, 10)
    assert (estimate.value, round(estimate.low, 3), round(estimate.high, 3)) == (0.8, 0.49, 0.943)


def test_nothing_measured_may_be_anything() -> None:
    assert estimates.proportion(0, 0)[1:3] == (0.0, 1.0)
    assert estimates.mean([])[1:3] == (0.0, 1.0)


def test_a_bootstrap_gives_the_same_interval_each_time_and_holds_the_value() -> None:
    values = [0.0, 1.0, 1.0, 0.5, 1.0, 0.0, 1.0]
    first, second = estimates.mean(values), estimates.mean(values)
    assert first == second
    assert first.low < first.value < first.high


@given(NAMES, st.data())
def test_pairs_counted_by_cluster_sizes_are_pairs_counted_one_by_one(
    gold: dict[str, int], data: st.DataObject
) -> None:
    found = {name: data.draw(st.integers(0, 3)) for name in gold}
    both = graph_only = gold_only = 0
    for left, right in combinations(gold, 2):
        made, wanted = found[left] == found[right], gold[left] == gold[right]
        both += made and wanted
        graph_only += made and not wanted
        gold_only += wanted and not made
    assert clustering.pairwise(found, gold) == (both, graph_only, gold_only)


def test_b_cubed_on_a_worked_example() -> None:
    gold = {"a": 1, "b": 1, "c": 1, "d": 2}
    found = {"a": 1, "b": 1, "c": 2, "d": 2}
    precision, recall = clustering.b_cubed(found, gold)
    assert precision == pytest.approx((1 + 1 + 0.5 + 0.5) / 4)
    assert recall == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1) / 4)


def test_a_graph_without_merges_is_said_to_have_measured_no_precision() -> None:
    gold = {"a": "x", "b": "x", "c": "y"}
    score = clustering.score({"a": 1, "b": 2, "c": 3}, gold, {}, clustering.Blocking(1, 1, 1, 3))
    metric = score.metric("pairwise precision")
    assert metric is not None
    assert (metric.estimate.n, metric.estimate.low) == (0, 0.0)
    assert [item.detail for item in score.items] == ["not merged with b", "not merged with a", ""]


def test_a_false_merge_is_named_in_the_item() -> None:
    score = clustering.score(
        {"Go": 1, "Java": 1}, {"Go": "go", "Java": "java"}, {}, clustering.Blocking(0, 0, 1, 1)
    )
    assert score.items[0] == ("Go", 0.5, "merged with Java")
    assert [metric.estimate.value for metric in score.metrics if metric.name == "false merges"] == [
        1.0
    ]


def _asked(key: str, needed: set[str], ranked: list[str], rival: list[str]) -> ranking.Ranked:
    return ranking.Ranked(key, frozenset(needed), tuple(ranked), 100, True, {"BM25": rival})


def test_recall_all_gold_and_reciprocal_rank_of_two_questions() -> None:
    score = ranking.score(
        [
            _asked("one", {"a", "b"}, ["x", "a", "y", "z", "w", "b"], ["a", "b"]),
            _asked("two", {"c"}, ["c"], []),
        ]
    )
    figures = {metric.name: metric for metric in score.metrics}
    assert figures["recall@2"].estimate.value == 0.75
    assert figures["all gold@5"].estimate.value == 0.5
    assert figures["all gold@8"].estimate.value == 1.0
    assert figures["mrr"].estimate.value == 0.75
    assert figures["recall@5"].baselines == {"BM25": 0.5}
    assert score.items[0].detail == "not among the first 5: b"


def test_false_approvals_are_counted_among_what_should_not_be_approved() -> None:
    rows = [
        decisions.Decided("1", "approve", "approve"),
        decisions.Decided("2", "revise", "approve", "negation"),
        decisions.Decided("3", "reject", "reject", "negation"),
        decisions.Decided("4", "approve", "revise", detail="no such thing"),
    ]
    score = decisions.score_grounding(rows)
    figures = {metric.name: metric.estimate for metric in score.metrics}
    assert figures["decision accuracy"].value == 0.5
    assert (figures["false approvals"].value, figures["false approvals"].n) == (0.5, 2)
    assert (figures["approved"].value, figures["approved"].n) == (0.5, 2)
    assert figures["accuracy: negation"].value == 0.5
    assert score.items[3].detail == "revise, not approve: no such thing"


def test_silence_counts_as_right_only_where_the_gold_knows_no_answer() -> None:
    score = decisions.score_answers(
        [
            decisions.Answered("1", ("the Token Vault",), ("Token vault ran out of disk.",), 1),
            decisions.Answered("2", (), (), 0),
            decisions.Answered("3", ("Ida",), (), 0),
            decisions.Answered("4", (), ("Ida did it.",), 0),
        ]
    )
    figures = {metric.name: metric.estimate for metric in score.metrics}
    assert (figures["answered"].value, figures["silent when unknown"].value) == (0.5, 0.5)
    assert (figures["statements carried"].value, figures["statements carried"].n) == (0.5, 2)


def test_an_answer_is_found_by_whole_words_only() -> None:
    score = decisions.score_answers([decisions.Answered("1", ("Ida",), ("Florida is far.",), 1)])
    assert score.items[0].value == 0.0


def _reading(**given: object) -> extraction.Reading:
    blank = extraction.Reading("doc", (), (), (), True, (), (), (), "", 0, 0)
    return blank._replace(**given)


def _thing(*names: str) -> extraction.Thing:
    return extraction.Thing(frozenset(names))


def test_entities_match_by_any_name_and_precision_is_of_complete_gold_only() -> None:
    reading = _reading(
        things=(_thing("token vault", "tv"), _thing("checkout")),
        graph_things=(_thing("tv"), _thing("monday")),
        text="the TV failed on Monday",
    )
    figures = {one.name: one.estimate.value for one in extraction.score([reading]).metrics}
    assert (figures["entity precision"], figures["entity recall"]) == (0.5, 0.5)
    assert figures["alias recall"] == 0.5
    assert figures["hallucinated entities"] == 0.0
    loose = extraction.score([reading._replace(complete=False)])
    assert loose.metric("entity precision") is None


def test_a_name_that_stands_nowhere_in_the_text_is_a_hallucination() -> None:
    reading = _reading(graph_things=(_thing("quorum witness"),), text="Nothing of the kind.")
    metric = extraction.score([reading]).metric("hallucinated entities")
    assert metric is not None and metric.estimate.value == 1.0


def test_a_relation_of_any_predicate_matches_where_the_gold_names_none() -> None:
    ends = (frozenset({"a"}), frozenset({"b"}))
    made = extraction.Tie(ends[0], "DEPENDS_ON", ends[1])
    for predicate, value in (("", 1.0), ("DEPENDS_ON", 1.0), ("PRODUCED", 0.0)):
        gold = extraction.Tie(ends[0], predicate, ends[1])
        metric = extraction.score([_reading(ties=(gold,), graph_ties=(made,))]).metric(
            "relation recall"
        )
        assert metric is not None and metric.estimate.value == value


def test_facts_stand_beside_copying_everything_and_recorded_verdicts() -> None:
    reading = _reading(
        facts=(extraction.Fact("The vault ran out of disk.", {"Other": True}), extraction.Fact("Ida moved.", {"Other": False})),
        claims=("The Token Vault ran out of disk on Monday",),
        rivals={"all sentences": ["The vault ran out of disk.", "Ida moved away."]},
    )  # fmt: skip
    metric = extraction.score([reading]).metric("facts covered")
    assert metric is not None
    assert metric.estimate.value == 0.5
    assert metric.baselines == {"all sentences": 1.0, "Other (recorded verdicts)": 0.5}


def test_bm25_ranks_rare_words_above_common_ones() -> None:
    passages = [
        baselines.Passage("one", "the service failed and the service restarted"),
        baselines.Passage("two", "the quorum failed"),
        baselines.Passage("three", "the service is a service"),
    ]
    assert baselines.BM25(passages).sources("which quorum did the service lose", 3)[0] == "two"
    assert baselines.BM25([]).rank("anything", 3) == []


def test_random_sentences_are_the_same_each_time() -> None:
    text = "One. Two. Three. Four. Five."
    assert baselines.random_sentences(text, 2) == baselines.random_sentences(text, 2)
    assert len(baselines.random_sentences(text, 9)) == 5


def test_a_comparison_tells_a_gain_from_a_loss_by_the_figures_direction() -> None:
    before = decisions.score_grounding([decisions.Decided("1", "revise", "approve"), decisions.Decided("2", "approve", "approve")])  # fmt: skip
    after = decisions.score_grounding([decisions.Decided("1", "revise", "revise"), decisions.Decided("3", "approve", "approve")])  # fmt: skip
    found = compare.compare(after, before.as_json())
    moved = {one.metric: one.verdict for one in found.moved}
    assert moved["false approvals"] == "better"
    assert [one.key for one in found.changed] == ["1", "3"]
    assert found.gone == ("2",)
    assert not found.worse
    assert compare.compare(before, after.as_json()).worse


def test_tables_say_what_misleads_and_which_items_failed() -> None:
    score = decisions.score_grounding([decisions.Decided("lies", "revise", "approve", rivals={"always revise": "revise"})])  # fmt: skip
    for text in (table(score), markdown(score)):
        assert "false approvals" in text
        assert "always revise 0.000" in text
        assert "0 where nothing is ever approved" in text
        assert "lies: approve, not revise" in text
