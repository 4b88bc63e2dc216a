"""Do the words carry the statement: three tables of quotes, the later ones written without a look at the rules."""

from __future__ import annotations

import pytest

from kgraph.contract.check import check
from kgraph.contract.memory import MemoryView
from kgraph.contract.view import Options
from kgraph.ontology import fold
from kgraph.support import Doubt, Ends, Level, Support, judge, judge_relation
from kgraph.support.wording import in_words
from stages import support_cases
from stages.support_cases import Case


def names_of(case: Case) -> dict[str, frozenset[int]]:
    return {
        fold(name.strip()): frozenset((number,))
        for number, thing in enumerate(case.names.split(";"))
        for name in thing.split("|")
        if name.strip()
    }


def judged(case: Case, claim: str) -> Support:
    return judge(claim, case.quote, names_of(case), case.place)


def test_nine_of_ten_wrong_statements_are_doubted_and_few_true_ones() -> None:
    cases: list[Case] = [*support_cases.FIRST, *support_cases.SECOND, *support_cases.THIRD]
    true = [judged(case, claim).doubtful for case in cases for claim in case.true]
    wrong = [judged(case, claim).doubtful for case in cases for _, claim in case.wrong]
    assert len(true) >= 300 and len(wrong) >= 300
    assert sum(wrong) >= 0.9 * len(wrong)
    assert sum(true) <= 0.03 * len(true)


NAMES = {"vendor x": frozenset((1,)), "vx": frozenset((1,)), "component z": frozenset((2,))}


@pytest.mark.parametrize(
    ("claim", "quote", "doubt"),
    [
        ("Coverage is 95 %", "Coverage is 78 %.", Doubt.NUMBER),
        ("Vendor X supplied Component Z", "Vendor X did not supply Component Z.", Doubt.NEGATION),
        ("Vendor X supplied Component Z", "Vendor W supplied Component Z.", Doubt.ACTOR),
        ("Component Z supplied Vendor X", "Vendor X supplied Component Z.", Doubt.DIRECTION),
        ("Vendor X supplied Component Z", "Vendor X may have supplied Component Z.", Doubt.HEDGE),
        ("Vendor X supplied Component Z", "Lunch is at noon on Fridays.", Doubt.NOTHING_IN_COMMON),
        ("Vendor X supplied Component Z", "the", Doubt.SHORT),
        ("Vendor X supplied Component Z", "Vendor X", Doubt.SHORT),
    ],
)
def test_a_doubt_names_its_reason(claim: str, quote: str, doubt: Doubt) -> None:
    support = judge(claim, quote, NAMES)
    assert [reason.doubt for reason in support.reasons] == [doubt]
    assert in_words(support)


@pytest.mark.parametrize(
    ("claim", "quote", "level"),
    [
        ("Vendor X supplied Component Z", "Component Z was supplied by VX.", Level.STATED),
        ("Vendor X supplied Component Z", "It supplied Component Z.", Level.PLAUSIBLE),
        ("Vendor X supplied Component Z", "", Level.UNJUDGED),
        ("Die Pumpe ist am Montag ausgefallen", "The pump was broken on that day.", Level.UNJUDGED),
        ("Vendor X supplied Component Z", "ベンダーが部品を納入した。", Level.UNJUDGED),
    ],
)
def test_what_is_not_doubtful_is_stated_plausible_or_unjudged(
    claim: str, quote: str, level: Level
) -> None:
    assert judge(claim, quote, NAMES) == Support(level)


@pytest.mark.parametrize(
    ("predicate", "source", "target", "quote", "level"),
    [
        ("DEPENDS_ON", "Billing", "Identity", "Billing depends on Identity.", Level.STATED),
        ("DEPENDS_ON", "Billing", "Identity", "Identity is used by Billing.", Level.STATED),
        ("DEPENDS_ON", "Identity", "Billing", "Billing depends on Identity.", Level.DOUBTFUL),
        ("DEPENDS_ON", "Billing", "Identity", "Billing doesn't need Identity.", Level.DOUBTFUL),
        ("DEPENDS_ON", "Billing", "Identity", "Billing might call Identity.", Level.DOUBTFUL),
        ("DEPENDS_ON", "Billing", "Identity", "The sky was blue that day.", Level.DOUBTFUL),
        (
            "DEPENDS_ON",
            "Billing",
            "Identity",
            "Billing and Identity share a floor.",
            Level.PLAUSIBLE,
        ),
        ("PARENT_OF", "Acme", "Brod", "Brod is part of Acme.", Level.STATED),
        ("SUPERSEDES", "Postgres", "MySQL", "MySQL was replaced by Postgres.", Level.STATED),
        ("SUPERSEDES", "MySQL", "Postgres", "MySQL was replaced by Postgres.", Level.DOUBTFUL),
        ("MENTIONS", "doc", "Billing", "Billing was down.", Level.STATED),
        ("EVALUATES", "Suite", "Billing", "", Level.UNJUDGED),
    ],
)
def test_a_typed_edge_is_read_in_the_direction_of_its_words(
    predicate: str, source: str, target: str, quote: str, level: Level
) -> None:
    assert judge_relation(Ends(predicate, "", [source], [target]), quote, {}).level is level


def test_an_alias_that_no_source_spells_and_a_claim_that_mentions_nothing_are_warned_of() -> None:
    payload = {
        "nodes": [
            {"type": "Source", "name": "doc.md", "uri": "doc.md"},
            {"type": "Entity", "name": "Vendor X", "description": "a supplier of valves",
             "aliases": ["Vendor-X", "Acme Intergalactic"]},
            {"type": "Claim", "name": "Vendor X failed"},
        ],
        "edges": [
            {"predicate": "SUPPORTS", "source": "doc.md", "target": "Vendor X failed",
             "quote": "VendorX failed", "confidence": 0.9},
            {"predicate": "MENTIONS", "source": "doc.md", "target": "Vendor X"},
        ],
    }  # fmt: skip
    options = Options(read_source=lambda uri: "Vendor X failed. VendorX failed again.")
    found = [(one.code, one.path) for one in check(payload, MemoryView(), options).warnings]
    assert ("W219", "$.nodes[1].aliases") in found
    assert ("W218", "$.nodes[2]") in found
    assert sum(code == "W219" for code, _ in found) == 1


def test_a_source_replaced_as_a_whole_for_one_statement_is_warned_of() -> None:
    view = MemoryView()
    first = {
        "nodes": [{"type": "Source", "name": "old.md"}, {"type": "Claim", "name": "The limit is 1"},
                  {"type": "Claim", "name": "The colour is red"}],
        "edges": [{"predicate": "SUPPORTS", "source": "old.md", "target": name}
                  for name in ("The limit is 1", "The colour is red")],
    }  # fmt: skip
    view.write(check(first, view))
    second = {
        "nodes": [{"type": "Source", "name": "new.md"}, {"type": "Claim", "name": "The limit is 2"}],
        "edges": [{"predicate": "SUPPORTS", "source": "new.md", "target": "The limit is 2"},
                  {"predicate": "SUPERSEDES", "source": "The limit is 2", "target": "The limit is 1"},
                  {"predicate": "SUPERSEDES", "source": "new.md", "target": "old.md"}],
    }  # fmt: skip
    codes = [one.code for one in check(second, view).warnings]
    assert codes.count("W221") == 1
