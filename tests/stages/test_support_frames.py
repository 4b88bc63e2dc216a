"""Frames, raised modals, turned prepositions, scaled figures: wrong statements of the kinds that one careful reader planted."""

from __future__ import annotations

import pytest

from kgraph.support import Level, judge

WRONG = (
    ("The search index contains 1.2 billion documents.", "The search index contains 1.2 million documents."),
    ("The search index contains 12 million documents.", "The search index contains 1.2 million documents."),
    ("The scheduler drops jobs when the queue is full.", "The scheduler may drop jobs when the queue is full."),
    ("The scheduler must drop jobs when the queue is full.", "The scheduler may drop jobs when the queue is full."),
    ("The scheduler may drop jobs when the queue is empty.", "The scheduler may drop jobs when the queue is full."),
    ("Unless the cache is cold, Orchid serves from the replica.", "If the cache is cold, Orchid serves from the replica."),
    ("Few customers renewed their contracts in March.", "Most customers renewed their contracts in March."),
    ("Most customers cancelled their contracts in March.", "Most customers renewed their contracts in March."),
    ("Pico used to write its snapshots to S3.", "Pico writes its snapshots to S3."),
    ("Mara denied that the billing service depends on the ledger.", "The billing service depends on the ledger."),
    ("It is a rumour that Teodor founded Halden Robotics.", "Teodor founded Halden Robotics."),
    ("Mara Quill approved the migration from Postgres 16.", "Mara Quill approved the migration to Postgres 16."),
    ("Had the breaker failed, they would have replaced it.", "They replaced the failed breaker."),
)  # fmt: skip
TRUE = (
    ("The search index contains 1,200,000 documents.", "The search index contains 1.2 million documents."),
    ("Average latency fell to 90 ms from 250 ms.", "Average latency fell from 250 ms to 90 ms."),
    ("When the queue is full, the scheduler may drop jobs.", "The scheduler may drop jobs when the queue is full."),
    ("Every six hours Pico writes its snapshots to S3.", "Pico writes its snapshots to S3 every six hours."),
    ("The launch slipped to September.", "The committee postponed the launch until September."),
    ("The fix was deployed on Tuesday.", "We deployed the fix on Tuesday, 3 June."),
    ("A misconfigured load balancer dropped traffic.", "Traffic was dropped because the load balancer had been misconfigured."),
    ("The team must rotate the keys.", "All keys must be rotated by the team."),
    ("Mara denied the claim.", "The claim was denied by Mara."),
)  # fmt: skip


@pytest.mark.parametrize(("statement", "quote"), WRONG)
def test_what_the_words_do_not_carry_is_doubtful(statement: str, quote: str) -> None:
    assert judge(statement, quote, {}).level is Level.DOUBTFUL


@pytest.mark.parametrize(("statement", "quote"), TRUE)
def test_what_the_words_carry_in_another_form_is_not(statement: str, quote: str) -> None:
    assert judge(statement, quote, {}).level is not Level.DOUBTFUL
