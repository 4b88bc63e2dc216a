"""Short forms that are proposed as candidates, and those that could mean two things or none."""

from __future__ import annotations

import pytest

from kgraph.resolve import Comparison, Options, Record


def proposed(*names: str) -> set[frozenset[str]]:
    """The pairs of names among the candidates of things whose descriptions have nothing in common."""
    words = (
        "apple orchard",
        "ferry timetable",
        "granite quarry",
        "harbour crane",
        "night watchman",
    )
    records = [
        Record(str(at), "Entity", name, description=f"{words[at]} number")
        for at, name in enumerate(names)
    ]
    pairs = Comparison(records, Options()).pairs()
    return {frozenset((names[int(pair.left)], names[int(pair.right)])) for pair in pairs}


@pytest.mark.parametrize(
    ("short", "full"),
    [("dana", "Dana Okafor"), ("S5", "Lumo S5"), ("label svc", "label service"), ("address db", "address database"), ("mgr", "manager"),
     ("sorter", "parcel sorter")],
)  # fmt: skip
def test_a_short_form_of_one_thing_is_a_candidate_whatever_the_descriptions_say(
    short: str, full: str
) -> None:
    assert frozenset((short, full)) in proposed(short, full, "Grand Quay", "Ilse Brandt")


@pytest.mark.parametrize(
    ("short", "full", "third"),
    [("dana", "Dana Okafor", "Dana Lindqvist"), ("S5", "Lumo S5", "Zeta S5"), ("label svc", "label service", "label savec"),
     ("service", "label service", "Grand Quay"), ("2", "Scanner 2", "Grand Quay"), ("answers", "shop.answers", "shop/answers")],
)  # fmt: skip
def test_what_could_mean_two_or_is_a_kind_a_number_or_a_path_is_none(
    short: str, full: str, third: str
) -> None:
    from kgraph.resolve.profiles import profile
    from kgraph.resolve.short_forms import short_forms

    assert (
        short_forms(
            [
                profile(Record(str(at), "Entity", name))
                for at, name in enumerate((short, full, third))
            ]
        )
        == []
    )


def test_things_of_two_types_are_no_short_forms_of_each_other() -> None:
    from kgraph.resolve.profiles import profile
    from kgraph.resolve.short_forms import short_forms

    assert (
        short_forms(
            [profile(Record("0", "Entity", "dana")), profile(Record("1", "Metric", "dana okafor"))]
        )
        == []
    )


def test_a_short_form_never_merges_by_itself() -> None:
    records = [
        Record("0", "Entity", "dana", description="keeps the books"),
        Record("1", "Entity", "Dana Okafor", description="rows boats"),
    ]
    comparison = Comparison(records, Options())
    assert (
        len(comparison.pairs()) == 1
        and comparison.merges("strict") == comparison.merges("balanced") == []
    )
