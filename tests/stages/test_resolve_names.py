"""Names taken apart, and how two of them are related: the cases where one more letter, word or year decides."""

from __future__ import annotations

import pytest

from kgraph.resolve.likeness import edit_distance
from kgraph.resolve.names import canonical, parse, pieces
from kgraph.resolve.records import Likeness, Reason
from kgraph.resolve.relations import relate, years


@pytest.mark.parametrize(
    ("text", "is_acronym"),
    [("A", False), ("AI", True), ("NASA", True), ("ABCDEF", True), ("ABCDEFG", False), ("Nasa Labs", False), ("Cat", False)],
)  # fmt: skip
def test_an_acronym_has_two_to_six_letters_and_shouts(text: str, is_acronym: bool) -> None:
    assert parse(text).is_acronym is is_acronym


@pytest.mark.parametrize(
    ("text", "core", "numbers"),
    [
        ("The Tidewater Company", ("tidewater",), set()),
        ("Acme GmbH & Co. KG", ("acme",), set()),
        ("World War II", ("world", "war", "ii"), {"2"}),
        ("Node 007", ("node", "007"), {"7"}),
        ("Python 3.10", ("python", "3.10"), {"3.10"}),
        ("Python 3.0", ("python", "3.0"), {"3"}),
        ("King Henry V", ("henry", "v"), {"5"}),
    ],
)
def test_a_core_is_what_is_left_without_forms_and_titles(
    text: str, core: tuple[str, ...], numbers: set[str]
) -> None:
    found = parse(text)
    assert (found.core, set(found.numbers)) == (core, numbers)


@pytest.mark.parametrize(("number", "form"), [("007", "7"), ("3.10", "3.10"), ("3.0.0", "3"), ("0", "0"), ("1.0.2", "1.0.2")])  # fmt: skip
def test_numbers_have_one_form(number: str, form: str) -> None:
    assert canonical(number) == form


def test_only_long_runs_of_unspaced_scripts_are_cut() -> None:
    assert pieces("数据库") == ["数据", "据库"]
    assert pieces("数据") == ["数据"] and pieces("abc") == ["abc"]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [({"999", "1000", "2100", "2101", "02000"}, {"1000", "2100"}), ({"1", "19999"}, set())],
)
def test_years_have_four_digits_and_lie_between_1000_and_2100(
    numbers: set[str], expected: set[str]
) -> None:
    assert years(frozenset(numbers)) == expected


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("Acme", "acme", Likeness.FORM),
        ("Acme Ltd", "Acme", Likeness.AFFIX),
        ("National Aeronautics Administration", "NAA", Likeness.ACRONYM),
        ("harbour control office desk", "harbour control office unit", Likeness.NEAR),
        ("Tidewater Survey", "Tidewater Station", Likeness.SHARED),
        ("Tidewater", "Halvorsen", Likeness.NONE),
    ],
)  # fmt: skip
def test_the_closest_relation_that_holds_is_given(left: str, right: str, kind: Likeness) -> None:
    assert relate(parse(left), parse(right), edit_distance).kind is kind
    assert relate(parse(right), parse(left), edit_distance).kind is kind


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        ("Mercury (planet)", "Mercury (element)", True),
        ("Mercury (planet)", "Mercury (small planet)", False),
        ("Mercury (planet)", "Mercury", False),
        ("Pump Control Board (PCB)", "Pump Control Board (green)", False),
        ("Pump Control Board (green)", "Pump Control Board (PCB)", False),
    ],
)
def test_remarks_in_brackets_part_two_names_unless_one_is_its_short_form(
    left: str, right: str, differ: bool
) -> None:
    against = relate(parse(left), parse(right), edit_distance).against
    assert any(one.reason is Reason.REMARKS for one in against) is differ
