"""Hundreds of small programs: the calls that the map gives are exactly those that happen, or could."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stages.code_call_cases import Case, cases, lazy, observed
from stages.code_trees import say

CASES = cases()
# Where more is listed than one run shows: the name may hold either, depending on what the run is given.
EITHER = {
    "assignments: both branches bind the name",
    "assignments: both branches of an expression",
    "assignments: try or else",
    "containers: get with a default, key not known",
}


@pytest.mark.parametrize("name", CASES)
def test_the_calls_of_a_small_program_are_mapped_exactly(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    said = say(tmp_path, case.files, "symbol")
    found = {(source, target) for source, target, kind, _ in said.edges if kind == "call"}
    assert found == _between_two(case)


@pytest.mark.parametrize("name", CASES)
def test_the_calls_listed_for_a_small_program_happen_when_it_runs(
    name: str, tmp_path: Path
) -> None:
    case = CASES[name]
    folder = os.path.realpath(tmp_path)
    for uri, text in case.files.items():
        path = os.path.join(folder, uri)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    seen, driven = observed(folder), lazy(folder)
    assert seen <= case.calls
    assert name in EITHER or {pair for pair in case.calls - seen if pair[1] not in driven} == set()


def _between_two(case: Case) -> set[tuple[str, str]]:
    """The graph has no edge from a thing to itself, so recursion is not in it."""
    return {(caller, callee) for caller, callee in case.calls if caller != callee}
