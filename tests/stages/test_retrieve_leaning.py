"""What a question wants to know of the thing it names, and what that does to the order of an answer."""

from __future__ import annotations

from typing import Any

import pytest

from kgraph.retrieve.finding import find
from kgraph.retrieve.leaning import Leaning, leaning
from kgraph.retrieve.question import Question
from kgraph.retrieve.seeds import find_seeds
from stages.ground_worlds import engine_of

INTO, OUT = False, True
ASKED: list[tuple[str, str, bool]] = [
    ("what depends on pump", "DEPENDS_ON", INTO),
    ("what does pump depend on", "DEPENDS_ON", OUT),
    ("pump depends on what", "DEPENDS_ON", OUT),
    ("who calls pump?", "DEPENDS_ON", INTO),
    ("which modules does pump call", "DEPENDS_ON", OUT),
    ("what is pump used by", "DEPENDS_ON", INTO),
    ("modules imported by pump", "DEPENDS_ON", OUT),
    ("by what is pump called", "DEPENDS_ON", INTO),
    ("callers of pump", "DEPENDS_ON", INTO),
    ("the dependencies of the module pump", "DEPENDS_ON", OUT),
    ("what inherits from pump", "DEPENDS_ON", INTO),
    ("subclasses of pump", "DEPENDS_ON", INTO),
    ("where is pump tested", "EVALUATES", INTO),
    ("which tests cover pump", "EVALUATES", INTO),
    ("tests for pump", "EVALUATES", INTO),
    ("what does pump test", "EVALUATES", OUT),
    ("who built pump", "PRODUCED", INTO),
    ("what was produced by pump", "PRODUCED", OUT),
    ("what was pump replaced by", "SUPERSEDES", INTO),
    ("what replaced pump", "SUPERSEDES", INTO),
]


@pytest.mark.parametrize(("text", "predicate", "forward"), ASKED, ids=[row[0] for row in ASKED])
def test_a_question_leans_to_the_side_that_it_asks_for(
    text: str, predicate: str, forward: bool
) -> None:
    assert leaning(text, "pump") == Leaning(predicate, forward)


def test_a_name_is_found_by_its_words_however_they_are_joined() -> None:
    assert leaning("what calls graph.ingest?", "graph ingest") == Leaning("DEPENDS_ON", INTO)
    assert leaning("what does big-pump call", "pump") == Leaning("DEPENDS_ON", OUT)
    assert leaning("what calls pumps", "pump") is None


@pytest.mark.parametrize(
    "text",
    [
        "pump",
        "tell me about pump",
        "why did pump and valve fail",
        "was hängt von pump ab",
        "what depends on valve",
    ],
)
def test_a_question_that_asks_for_no_side_leans_nowhere(text: str) -> None:
    assert leaning(text, "pump" if "pump" in text else "other") is None


def world() -> list[dict[str, Any]]:
    """A middle that four things need and that needs four, each with parts of its own; everything needs 'base', as do a hundred more."""
    users, needs, crowd = (
        [f"{word} {number}" for number in range(count)]
        for word, count in (("user", 4), ("need", 4), ("other", 100))
    )
    ties = [(one, "middle") for one in users] + [("middle", one) for one in needs]
    ties += [(one, f"part {number} of {one}") for one in (*users, *needs) for number in range(6)]
    ties += [(one, "base") for one in ("middle", *users, *needs, *crowd)]
    names = dict.fromkeys(end for tie in ties for end in tie)
    return [
        {
            "nodes": [{"type": "Entity", "name": name} for name in names],
            "edges": [
                {"predicate": "DEPENDS_ON", "source": one, "target": other} for one, other in ties
            ],
        }
    ]


def order(text: str) -> list[str]:
    reader = engine_of(world()).reader()
    return [reader.node(ranked.nid).name for ranked in find(reader, Question(text)).nodes]


def test_what_was_asked_for_comes_right_after_the_thing_itself() -> None:
    assert set(order("what depends on middle?")[1:5]) == {f"user {number}" for number in range(4)}
    assert set(order("what does middle need?")[1:5]) == {f"need {number}" for number in range(4)}


def test_what_everything_is_tied_to_comes_after_what_is_near() -> None:
    near = {"middle", *(f"{word} {number}" for word in ("user", "need") for number in range(4))}
    assert set(order("middle")[:9]) == near
    assert order("base")[0] == "base", "unless it is named"


CODE: list[dict[str, Any]] = [
    {
        "nodes": [
            {"type": "Entity", "name": name, "attrs": {"kind": "function"}}
            for name in (
                "shop.cart.Cart.add",
                "shop.cart.Cart.add_all",
                "shop.stock.hex_of",
                "shop.tax.add",
                "tool.cart.Cart.add",
                "shop.cart.Cart",
            )
        ],
        "edges": [
            {
                "predicate": "DEPENDS_ON",
                "source": "shop.tax.add",
                "target": "shop.stock.hex_of",
                "kind": "call",
            }
        ],
    }
]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what calls Cart.add?", {"shop.cart.Cart.add", "tool.cart.Cart.add"}),
        ("what calls shop.cart.Cart.add?", {"shop.cart.Cart.add"}),
        ("who calls hex_of()", {"shop.stock.hex_of"}),
        ("does add_all() use hex_of", {"shop.cart.Cart.add_all", "shop.stock.hex_of"}),
        ("add something", set()),
        ("Cart::missing", set()),
    ],
)
def test_what_is_written_as_code_names_the_things_whose_names_end_in_it(
    text: str, named: set[str]
) -> None:
    reader = engine_of(CODE).reader()
    seeds = {seed.nid for seed in find_seeds(reader, text) if seed.why == "name"}
    assert {reader.node(nid).name for nid in seeds} == named
