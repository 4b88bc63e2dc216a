"""Statements held against twelve small graphs: what each must come to, and why."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from kgraph.index.read import Reader
from kgraph.retrieve.ground import GroundOptions, ground
from stages.ground_worlds import open_world

A, V, R = "approve", "revise", "reject"

TABLE = [
    # the same words
    ("supply", "Vendor X supplied Component Z", A, "it stands there"),
    ("supply", "vendor x supplied component z.", A, "case and full stop"),
    ("supply", "Component Z was involved in Incident Y", A, "it stands there"),
    ("supply", "Incident Y lasted 47 minutes", A, "it stands there"),
    ("shared", "Hermes was cancelled", A, "it stands there"),
    ("guesses", "Gamma is down", A, "it stands there"),
    # paraphrased
    ("supply", "Component Z was supplied by Vendor X", A, "passive"),
    ("supply", "VendorX Ltd supplied Component Z", A, "alias"),
    ("supply", "VX has supplied the Component Z", A, "alias, perfect, article"),
    ("supply", "Vendor X did supply Component Z", A, "emphasis"),
    ("supply", "Vendor X is the supplier of Component Z", V, "is, while it is known of then only"),
    ("supply", "Vendor X was the supplier of Component Z", A, "a noun for who does it"),
    ("supply", "Component Q was delivered on March 11, 2026", A, "a date written otherwise"),
    ("supply", "Component Q was delivered on 2026-03-11", A, "a date written otherwise"),
    ("supply", "On 11 March 2026 Component Q was delivered", A, "a date in another place"),
    ("supply", "Component Q was delivered in March 2026", A, "the day lies in the month"),
    ("supply", "Component Q was delivered", A, "less is said"),
    ("people", "Ada Lovelace wrote the first program", A, "alias"),
    ("people", "The first program was written by Ada Byron", A, "passive, irregular"),
    ("people", "The capital of France is Paris", A, "both halves are definite"),
    ("people", "The Engine was built by Charles", A, "passive, irregular"),
    ("figures", "Gateway served 1500000 requests in March 2026", A, "a number written otherwise"),
    (
        "figures",
        "Gateway served 1.5 million requests in March 2026",
        A,
        "a number written otherwise",
    ),
    ("figures", "Gateway answers within 200 milliseconds", A, "a unit written out"),
    ("figures", "Cache error rate fell by 20 percent", A, "a unit written out"),
    ("timeline", "Dana restarted the Label Service", A, "the line of a log says when, too"),
    ("timeline", "Dana Okafor mounted Scanner 3", A, "a date and a time in front"),
    ("timeline", "On 17 April 2026 Dana Okafor mounted Scanner 3", A, "the day in other words"),
    ("timeline", "At 09:30 Dana restarted the Label Service", V, "another time"),
    (
        "timeline",
        "Dana did not restart the Label Service",
        R,
        "denied for ever, and it was done once",
    ),
    ("timeline", "Dana did not restart the Label Service at 09:30", V, "denied of another time"),
    ("timeline", "Dana never restarted Scanner 3", V, "another thing was restarted"),
    (
        "timeline",
        "Scanner 3 is on the Label Service",
        A,
        "it began, and nothing says that it ended",
    ),
    ("timeline", "Scanner 3 is on the Label Service since the flood", V, "since something else"),
    ("timeline", "Scanner 3 was on the Label Service before the works", V, "before is not since"),
    (
        "timeline",
        "Scanner 3 is not on the Label Service",
        V,
        "denied, with and without the time: not known to be the same",
    ),
    ("timeline", "The limit of Scanner 3 is 09:41", V, "the time is what is said"),
    # negated
    ("supply", "Vendor X did not supply Component Z", R, "only the opposite is sourced"),
    ("supply", "Vendor X never supplied Component Z", R, "only the opposite is sourced"),
    ("supply", "Component Z wasn't supplied by Vendor X", R, "only the opposite is sourced"),
    ("people", "Paris isn't the capital of France", R, "only the opposite is sourced"),
    ("conflict", "Component K was certified", R, "only the opposite is sourced"),
    ("conflict", "Component K was not certified", A, "it stands there"),
    (
        "supply",
        "Component Q was not delivered on 12 March 2026",
        V,
        "the opposite is known of another day",
    ),
    (
        "conflict",
        "Vendor X did not supply Component Z",
        A,
        "never is more than not, and it answers what stood before",
    ),
    # roles swapped
    ("supply", "Component Z supplied Vendor X", V, "swapped"),
    ("supply", "Vendor X was supplied by Component Z", V, "swapped, in passive"),
    ("people", "Ada Byron defeated Charles", V, "swapped"),
    ("people", "France is the capital of Paris", V, "swapped"),
    ("calls", "Payments depends on Checkout", V, "the other way round"),
    ("calls", "Disk Array depends on Checkout", V, "the chain runs the other way"),
    # another number, date, unit, quantifier, modality
    ("supply", "Incident Y lasted 74 minutes", V, "number"),
    ("supply", "Incident Y lasted 47 hours", V, "unit"),
    ("supply", "Component Q was delivered on 12 March 2026", V, "day"),
    ("supply", "Component Q was delivered on 11 March 2025", V, "year"),
    ("figures", "Gateway answers within 200 s", V, "unit"),
    ("figures", "Reactor produced 5 mW on 2026-03-11", V, "unit, by case"),
    ("figures", "Cache holds at least 4 GB", V, "bound"),
    ("figures", "Cache holds 4 GB", V, "bound"),
    ("figures", "All servers failed on Monday", V, "quantifier"),
    ("figures", "Most servers failed on Tuesday", V, "weekday"),
    ("figures", "Gateway loses messages", V, "modality"),
    ("figures", "Cache error rate fell by 20", V, "unit"),
    ("figures", "Cache error rate fell to 20%", V, "preposition"),
    ("changed", "Alice owns Cart", V, "she did once"),
    # superseded, revised
    ("changed", "Billing stores invoices in MySQL", R, "superseded"),
    ("changed", "Billing stores invoices in Postgres", A, "the newer one"),
    ("changed", "The limit is 100 requests", R, "revised"),
    ("changed", "The limit is 250 requests", A, "the newer one"),
    # contradicted
    ("conflict", "Vendor X supplied Component Z", R, "evidenced as well"),
    ("conflict", "Component Z was supplied by Vendor X", R, "evidenced as well"),
    (
        "conflict",
        "Vendor X tested Component K",
        V,
        "a guess speaks against it: shown, to be weighed",
    ),
    # inference only
    ("guesses", "Alpha is down", V, "a guess"),
    ("guesses", "Alpha calls Beta", V, "a guess"),
    ("guesses", "Alpha calls Gamma", V, "a chain with a guess in it"),
    ("guesses", "Alpha is connected to Gamma", V, "a chain with a guess in it"),
    # unknown
    ("supply", "Vendor Q supplied Component Z", V, "nobody knows Vendor Q"),
    ("supply", "The frobnicator failed", V, "nobody knows it"),
    ("calls", "Checkout depends on Ledger", V, "nobody knows Ledger"),
    # missing relation
    ("supply", "Vendor W supplied Component Z", V, "nothing says so"),
    ("calls", "Checkout depends on Search", V, "they only share what they depend on"),
    # chains
    ("calls", "Checkout depends on Token Vault", A, "two links"),
    ("calls", "Checkout depends on Disk Array", A, "three links"),
    ("calls", "Checkout is connected to Disk Array", A, "any chain will do"),
    ("calls", "Checkout and Search are related", A, "any chain will do"),
    ("calls", "Token Vault encrypts Checkout", V, "other words in the chain"),
    ("code", "app depends on log", A, "cited edges"),
    ("code", "app imports db", A, "the edge's kind"),
    ("code", "log depends on app", V, "the other way round"),
    ("code", "ui depends on app", V, "the edge has no citation"),
    # looks connected, is not
    ("shared", "Apollo is connected to Hermes", V, "they share a document"),
    ("shared", "Zeus is linked to Hermes", V, "they share a document"),
    ("shared", "Zeus and Hera are related", R, "the source denies it"),
    ("calls", "Island is connected to Checkout", V, "a document mentions it"),
    # two things joined by 'and'
    ("pairs", "Beta and Alpha share a database", A, "either may be named first"),
    ("pairs", "Alpha writes to Delta and Gamma", A, "either may be named first"),
    ("pairs", "Gamma owns Delta and Alpha owns Beta", V, "two statements, not two things"),
    ("pairs", "Delta and Gamma own Alpha and Beta respectively", V, "each has its own"),
    # scripts without spaces
    ("pairs", "北京是中国的首都", A, "it stands there"),
    ("pairs", "東京は日本の首都である。", A, "it stands there"),
    ("pairs", "中国是北京的首都", V, "swapped"),
    ("pairs", "北京不是中国的首都", V, "another word"),
    ("pairs", "上海是中国的首都", V, "nobody knows Shanghai"),
    # months of three letters behind a day
    ("pairs", "Alpha was released on May 3, 2023", A, "a date written otherwise"),
    ("pairs", "Alpha was released on 2023-05-03", A, "a date written otherwise"),
    ("pairs", "Alpha was released on 3 Mar 2023", V, "month"),
    # a time of the day with its zone
    ("pairs", "Beta was restarted by Gamma at 10:15 UTC", A, "passive"),
    ("pairs", "At 10:15 UTC Gamma restarted Beta", A, "a time in another place"),
    ("pairs", "Gamma restarted Beta at 10:15 CET", V, "zone"),
    ("pairs", "Gamma restarted Beta at 10:20 UTC", V, "time"),
    # sources that carry no longer
    ("broken", "Valve is stuck", V, "its source was revised"),
    ("broken", "Valve was replaced", A, "the newer source"),
]


@cache
def world(name: str) -> Reader:
    return open_world(name)


def decided(name: str, claim: str) -> str:
    return ground(world(name), GroundOptions(claim)).decision


@pytest.mark.parametrize(
    ("name", "claim", "wanted", "why"), TABLE, ids=[row[1][:60] for row in TABLE]
)
def test_a_statement_is_judged_by_what_the_graph_holds(
    name: str, claim: str, wanted: str, why: str
) -> None:
    verdict = ground(world(name), GroundOptions(claim))
    assert verdict.decision == wanted, (why, verdict.reason)
    assert bool(verdict.support) or wanted != A
    assert bool(verdict.contradictions) or wanted != R
    assert bool(verdict.required_evidence) == (wanted == V)


def test_the_table_holds_every_kind_of_decision() -> None:
    counts = Counter(row[2] for row in TABLE)
    assert min(counts[decision] for decision in (A, V, R)) >= 10
    assert len({row[0] for row in TABLE}) == 12
