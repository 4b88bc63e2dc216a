"""Which pairs are looked at where one thing is written down very often, and titles that stand within others."""

from __future__ import annotations

import random

import pytest

from kgraph.resolve import Comparison, Options, Record

TITLE = "slow tides of the northern harbour"
WHERE = {
    "author": "Ada Berg and Mira Holt",
    "journal": "Annals of Coastal Engineering",
    "year": "1994",
}


def written(count: int, lone: int) -> list[Record]:
    """One publication ``count`` times, and others once each."""
    same = [
        Record(f"a{at:03d}", "Entity", TITLE, qualifier=str(at), attrs=WHERE) for at in range(count)
    ]
    chance = random.Random(7)
    words = [
        "".join(chance.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(9)) for _ in range(lone)
    ]
    return same + [
        Record(f"b{at:03d}", "Entity", word, attrs={"author": word[::-1]})
        for at, word in enumerate(words)
    ]


def test_nearly_all_pairs_of_what_is_written_often_are_proposed_where_others_leave_their_share() -> (
    None
):
    blocked = Comparison(written(60, 60)).blocked
    assert len([pair for pair in blocked if pair[0][0] == pair[1][0] == "a"]) == 60 * 59 // 2


def test_all_records_together_never_take_more_than_their_share() -> None:
    records = written(80, 10)
    for each in (1, 5, 20):
        assert len(Comparison(records, Options(pairs_each=each)).blocked) <= each * len(records)


def test_what_is_left_over_goes_to_no_pair_that_a_few_words_tie() -> None:
    records = [Record(f"n{at:03d}", "Entity", f"harbour of town{at}") for at in range(100)]
    assert len(Comparison(records).blocked) <= 20 * len(records)
    assert not Comparison(records).merges("balanced")


@pytest.mark.parametrize(
    ("other", "attrs", "one"),
    [
        (f"{TITLE}, a study of ice", WHERE, True),
        (f"{TITLE}, a study of ice", {}, False),
        (
            f"{TITLE}, a study of ice",
            {"author": "Carl Dahl", "journal": "Letters on Steel", "year": "2001"},
            False,
        ),
        (
            f"{TITLE}, a study of ice and sand and wind and of what the sea brings to land in winter and in spring",
            WHERE,
            False,
        ),
    ],
)
def test_a_long_title_within_another_is_the_same_where_much_else_agrees(
    other: str, attrs: dict[str, str], one: bool
) -> None:
    records = [
        Record("x1", "Entity", TITLE, attrs=WHERE),
        Record("x2", "Entity", other, attrs=attrs),
    ]
    found = Comparison([*records, *written(0, 40)]).merges("balanced")
    assert bool(found) == one
    assert not Comparison([*records, *written(0, 40)]).merges("strict")
