"""From a reply to the next step, from numbers to a cap: tables of the run's decisions, which touch nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgraph.extract import ledger
from kgraph.extract.budget import Budget, Caps, Grant
from kgraph.extract.judging import (
    Accept,
    Ask,
    Attempt,
    Checked,
    End,
    Policy,
    Split,
    begin,
    decide,
    glance,
    is_empty,
    joined,
    without_nulls,
)
from kgraph.extract.outcomes import UnitResult, declined
from kgraph.extract.prompt import fence_for
from kgraph.extract.replies import CacheKey, ReplyCache, ReplyFolder, Sent
from kgraph.extract.support import Supported, citations_in, supported
from kgraph.model import Evidence, Problem, Reply, Usage
from kgraph.models.port import Request
from kgraph.models.prices import Price
from kgraph.models.secrets import Mask

TEXT = "The pump stopped at noon. The valve was shut by hand."
PAYLOAD: dict[str, Any] = {
    "nodes": [
        {"type": "Source", "name": "a.md", "uri": "a.md"},
        {"type": "Claim", "name": "The pump stopped at noon"},
        {"type": "Claim", "name": "The valve was shut by hand"},
        {"type": "Entity", "name": "pump"},
    ],
    "edges": [
        {
            "predicate": "SUPPORTS",
            "source": "a.md",
            "target": "The pump stopped at noon",
            "quote": "The pump stopped at noon.",
        },
        {
            "predicate": "SUPPORTS",
            "source": "a.md",
            "target": "The valve was shut by hand",
            "quote": "The valve was shut by hand.",
        },
        {"predicate": "MENTIONS", "source": "The pump stopped at noon", "target": "pump"},
    ],
}
GOOD = Evidence("verified", "a.md#x", "", "")
BAD = Evidence("missing")


# -- a reply before it is parsed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reply", "lowered", "step"), [
    (Reply("", "refusal"), False, End("refused", "the model declined")),
    (Reply("I won't", "refusal"), False, End("refused", "I won't")),
    (Reply("half", "filter"), False, End("refused", "the provider's filter stopped it")),
    (Reply('{"nodes": [', "length", Usage(1, 9)), False, Split("the answer was cut after 9 tokens")),
    (Reply('{"nodes": [', "length"), True, End("over-budget", "the answer was cut where the cap allowed no more")),
    (Reply("I'm sorry, but I can't help with that."), False, End("refused", "I'm sorry, but I can't help with that.")),
    (Reply("There is nothing here to extract."), False, End("empty", "There is nothing here to extract.")),
    (Reply("No entities were found.", "refusal"), False, End("empty", "No entities were found.")),
    (Reply('{"nodes": [], "edges": []}'), False, None),
    (Reply("Sure: {"), False, None),
    (Reply("No idea what you mean"), False, None),
])  # fmt: skip
def test_a_glance_at_a_reply(reply: Reply, lowered: bool, step: object) -> None:
    assert glance(reply, TEXT, lowered) == step


@pytest.mark.parametrize(
    "reply", [Reply(""), Reply("  \n"), Reply("", "length", thinking_only=True)]
)
def test_a_reply_without_words_is_hollow_and_says_what_to_do(reply: Reply) -> None:
    step = glance(reply, TEXT, False)
    assert (
        isinstance(step, End) and step.outcome == "hollow" and "--max-output-tokens" in step.detail
    )


@pytest.mark.parametrize(("said", "outcome"), [
    ("There is nothing to extract.", "empty"), ("No entities.", "empty"), ("The text contains no claims or entities.", "empty"),
    ("I could not find any entities in this unit.", "empty"), ("I'm sorry, but this document doesn't mention any facts.", "empty"),
    ("This section is a table of contents, so the graph is empty.", "empty"), ("None of the sentences states a relationship.", "empty"),
    ("I can't identify any entities here.", "empty"), ("Unfortunately, the unit lacks extractable information.", "empty"),
    ("I can't help with that.", "refused"), ("I'm unable to assist with this request.", "refused"),
    ("I cannot extract entities from this: it goes against my guidelines.", "refused"), ("I won't do that.", "refused"),
    ("Sorry.", "refused"), ("Hello! How are you today?", None), ('{"nodes": [], "note": "no entities"}', None),
])  # fmt: skip
def test_saying_that_there_is_nothing_is_no_refusal(said: str, outcome: str | None) -> None:
    assert declined(Reply(said)) == outcome


# -- a reply after it was parsed ---------------------------------------------------------------------------------------------------


def attempt() -> Attempt:
    return begin(Request("You read.", "Read this.", None))


def held(bad: tuple[int, ...], keep: bool = False) -> Supported:
    return supported(
        PAYLOAD, {number: BAD if number in bad else GOOD for number in citations_in(PAYLOAD)}, keep
    )


BREACH = Problem("E104", "$.edges[1]", "SUPPORTS runs Source to Claim", "swap source and target")


def test_a_breach_goes_back_with_its_path_until_the_tries_are_used_up() -> None:
    policy = Policy(retries=2)
    now = attempt()
    for _ in range(2):
        step = decide(now, Reply("the reply"), Checked(PAYLOAD, (BREACH,), held(())), policy)
        assert isinstance(step, Ask)
        now = step.attempt
        assert (
            "$.edges[1] E104" in now.request.prompt
            and "the reply" in now.request.prompt
            and "Read this." in now.request.prompt
        )
    last = decide(now, Reply("the reply"), Checked(PAYLOAD, (BREACH,), held(())), policy)
    assert isinstance(last, End) and last.outcome == "invalid" and "$.edges[1] E104" in last.detail


def test_a_quote_that_isnt_there_goes_back_once_and_then_costs_its_claim() -> None:
    step = decide(attempt(), Reply("x"), Checked(PAYLOAD, (), held((0,))), Policy(retries=5))
    assert isinstance(step, Ask) and "$.edges[0].quote W301" in step.attempt.request.prompt
    end = decide(step.attempt, Reply("x"), Checked(PAYLOAD, (), held((0,))), Policy(retries=5))
    assert isinstance(end, Accept) and end.dropped_claims == 1
    assert [node["name"] for node in end.payload["nodes"]] == [
        "a.md",
        "The valve was shut by hand",
        "pump",
    ]
    assert [edge["target"] for edge in end.payload["edges"]] == ["The valve was shut by hand"]


def test_a_unit_all_of_whose_claims_failed_is_unsupported() -> None:
    step = decide(
        attempt()._replace(asked_for_evidence=True),
        Reply("x"),
        Checked(PAYLOAD, (), held((0, 1))),
        Policy(),
    )
    assert isinstance(step, End) and step.outcome == "unsupported"


def test_unsupported_claims_can_be_kept_as_inferences_without_their_source() -> None:
    kept = held((0, 1), keep=True).payload
    assert [node.get("inference") for node in kept["nodes"] if node["type"] == "Claim"] == [
        True,
        True,
    ]
    assert [edge["predicate"] for edge in kept["edges"]] == ["MENTIONS"]


def test_a_claim_with_one_good_tie_loses_only_the_bad_one() -> None:
    twice = {
        **PAYLOAD,
        "edges": [*PAYLOAD["edges"], {**PAYLOAD["edges"][0], "quote": "never said"}],
    }
    left = supported(
        twice, {number: BAD if number == 3 else GOOD for number in citations_in(twice)}
    )
    assert left.dropped_claims == 0 and left.payload["edges"] == PAYLOAD["edges"]


def test_a_claim_is_the_same_by_id_and_by_name() -> None:
    nodes = [{**node, "id": f"n{number}"} for number, node in enumerate(PAYLOAD["nodes"])]
    edges = [
        {**PAYLOAD["edges"][0], "target": "n1"},
        {**PAYLOAD["edges"][1], "target": "n2"},
        {**PAYLOAD["edges"][2], "target": "n3"},
    ]
    left = supported({"nodes": nodes, "edges": edges}, {0: BAD, 1: GOOD})
    assert (left.claims, left.dropped_claims) == (2, 1)
    assert [node["id"] for node in left.payload["nodes"]] == ["n0", "n2", "n3"] and left.payload[
        "edges"
    ] == [edges[1]]


def test_a_tie_without_quote_and_place_is_no_evidence() -> None:
    bare = {
        **PAYLOAD,
        "edges": [
            {key: value for key, value in edge.items() if key != "quote"}
            for edge in PAYLOAD["edges"]
        ],
    }
    found = citations_in(bare)
    assert sorted(found) == [0, 1]
    left = supported(bare, {number: Evidence("unchecked") for number in found})
    assert {problem.code for problem in left.failed} == {"W207"} and left.dropped_claims == 2


def test_a_second_pass_shows_what_was_found_and_a_bad_one_costs_nothing() -> None:
    policy = Policy(retries=0, passes=2)
    step = decide(attempt(), Reply("x"), Checked(PAYLOAD, (), held(())), policy)
    assert (
        isinstance(step, Ask)
        and step.attempt.pass_number == 2
        and "The pump stopped at noon" in step.attempt.request.prompt
    )
    after = decide(
        step.attempt, Reply("y"), Checked(None, (Problem("E101", "$", "not JSON"),)), policy
    )
    assert isinstance(after, Accept) and after.payload == PAYLOAD and "second pass" in after.notes


def test_payload_shapes() -> None:
    assert is_empty({"nodes": [{"type": "Source", "name": "a"}], "edges": []}) and not is_empty(
        PAYLOAD
    )
    assert joined(PAYLOAD, PAYLOAD) == PAYLOAD
    nulls = {
        "nodes": [{"type": "Entity", "name": "a", "qualifier": None}],
        "edges": [{"predicate": "MENTIONS", "source": None, "target": "a", "quote": None}],
    }
    assert without_nulls(nulls) == {
        "nodes": [{"type": "Entity", "name": "a"}],
        "edges": [{"predicate": "MENTIONS", "source": None, "target": "a"}],
    }


# -- caps --------------------------------------------------------------------------------------------------------------------------


@given(
    st.floats(0, 2), st.floats(0, 100), st.floats(0, 100), st.lists(st.tuples(st.integers(1, 20_000), st.integers(0, 20_000)), max_size=30),
    st.integers(1, 4),
)  # fmt: skip
def test_a_cap_on_cost_is_never_passed_whatever_the_answers_cost(
    cap: float, price_in: float, price_out: float, calls: list[tuple[int, int]], jobs: int
) -> None:
    """The provider keeps to the limit it is given, and counts no more input than we estimated."""
    budget = Budget(Caps(cost=cap), Price(price_in, price_out))
    running: list[tuple[Grant, int, int]] = []
    for estimated, wished in calls:
        grant = budget.ask(estimated, 16_000)
        if isinstance(grant, Grant):
            running.append((grant, estimated, min(wished, grant.max_output_tokens)))
        if running and (len(running) >= jobs or not isinstance(grant, Grant)):
            given_, tokens_in, tokens_out = running.pop(0)
            budget.settle(given_, Usage(tokens_in, tokens_out), tokens_in)
        assert budget.spent.cost <= cap + 1e-9
    for given_, tokens_in, tokens_out in running:
        budget.settle(given_, Usage(tokens_in, tokens_out), tokens_in)
    assert budget.spent.cost <= cap + 1e-9


def test_a_request_that_fits_only_shortened_is_shortened_and_then_nothing_fits() -> None:
    budget = Budget(Caps(tokens=2_000), None)
    grant = budget.ask(1_000, 16_000)
    assert isinstance(grant, Grant) and grant.lowered and grant.max_output_tokens < 1_000
    assert budget.ask(100, 16_000) == ""  # it may still be given back
    budget.settle(grant, Usage(1_000, 900), 1_000)
    assert "1900 of 2000 tokens" in str(budget.ask(1_000, 16_000))


def test_the_providers_count_replaces_the_estimate() -> None:
    budget = Budget(Caps(tokens=10_000), None)
    first = budget.ask(4_000, 1_000)
    assert isinstance(first, Grant)
    budget.settle(first, Usage(2_000, 10), 4_000)
    second = budget.ask(4_000, 1_000)
    assert isinstance(second, Grant) and second.tokens == 2_001 + 1_000


def test_caps_narrow_each_other() -> None:
    assert Caps(cost=2.0).within(Caps(tokens=5.0)) == Caps(2.0, 5.0)
    assert Caps(cost=2.0, units=3.0).less(Caps(1.5, 0.0, 9.0)) == Caps(0.5, float("inf"), 0.0)


# -- what is kept ------------------------------------------------------------------------------------------------------------------

KEY = "sk-test-0123456789abcdef"


def test_a_reply_is_saved_whole_and_without_the_key(tmp_path: Path) -> None:
    place = ReplyFolder(str(tmp_path), Mask([KEY])).save(
        Sent("run 1/..", "docs/../../a.md#x", 2), Reply(f"not json {KEY}")
    )
    saved = json.loads((tmp_path / place).read_text())
    assert saved["text"] == "not json [masked]" and saved["unit"] == "docs/../../a.md#x"
    assert os.path.realpath(tmp_path / place).startswith(
        os.path.realpath(tmp_path / "replies") + os.sep
    )


def test_the_cache_knows_a_reply_by_all_that_it_depends_on(tmp_path: Path) -> None:
    cache = ReplyCache(str(tmp_path), Mask([KEY]))
    key = CacheKey("u", "p", "m", "{}")
    cache.put(key, Reply("{}"))
    found = cache.get(key)
    assert found is not None and found.text == "{}"
    for field in key._fields:
        assert cache.get(key._replace(**{field: "other"})) is None
    cache.put(key._replace(model="n"), Reply(KEY))
    assert cache.get(key._replace(model="n")) is None


def test_a_damaged_cache_entry_is_no_entry(tmp_path: Path) -> None:
    cache = ReplyCache(str(tmp_path), Mask())
    key = CacheKey("u", "p", "m", "{}")
    cache.put(key, Reply("{}"))
    for file in (tmp_path / "cache" / "replies").iterdir():
        file.write_text(file.read_text()[:-4])
    assert cache.get(key) is None


# -- the ledger --------------------------------------------------------------------------------------------------------------------


def note(tx: str, outcome: str, **more: Any) -> ledger.Note:
    made = ledger.unit_event(UnitResult("a.md", ("a.md",), outcome), ledger.Made("h", "offline"))  # type: ignore[arg-type]
    return ledger.Note(tx, {**made, **more})


def test_the_last_word_on_a_unit_counts_and_no_place_is_forgotten() -> None:
    entries = ledger.unit_entries([note("t1", "done", asserted=[0, 4]), note("t2", "failed")])
    assert (
        entries["a.md"].places == (ledger.Place("t1", 0, 4),) and entries["a.md"].outcome == "done"
    )
    assert not ledger.unit_entries([note("t1", "failed"), note("t2", "invalid")])["a.md"].finished
    twice = ledger.unit_entries(
        [note("t1", "done", asserted=[0, 4]), note("t2", "done", asserted=[1, 3])]
    )["a.md"]
    assert twice.places == (("t1", 0, 4), ("t2", 1, 3)) and twice.finished
    assert (
        ledger.unit_entries(
            [
                note("t1", "done", asserted=[0, 4]),
                ledger.Note("t2", {"key": "a.md", "outcome": "gone"}),
            ]
        )
        == {}
    )


def test_a_withdrawal_lists_positions() -> None:
    assert ledger.withdrawal(
        [ledger.Place("b", 1, 3), ledger.Place("a", 0, 1), ledger.Place("b", 2, 5)]
    ) == {"a": [0], "b": [1, 2, 3, 4]}


# -- the fence ---------------------------------------------------------------------------------------------------------------------


@given(st.text())
def test_a_fence_never_stands_in_the_text(text: str) -> None:
    assert fence_for(text) not in text


def test_a_text_that_holds_its_own_fence_gets_another() -> None:
    text = "x"
    for _ in range(3):
        text += "\n" + fence_for(text)
        assert fence_for(text) not in text
