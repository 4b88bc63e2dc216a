"""The pages under docs/: what they tell a reader to type is typed here."""

from __future__ import annotations

from pathlib import Path

import pytest

from doors.prose import ROOT, checkout, fences, run_page

PAGES = sorted(page for page in (ROOT / "docs").glob("*.md") if any(fence.kind == "sh" for fence in fences(page)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_the_page_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    commands = [fence for fence in fences(page) if fence.kind == "sh" and "not-run" not in fence.words]
    assert run_page(page, checkout(tmp_path)) == len(commands)


def test_every_decision_is_listed_and_has_a_state() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text("utf-8")
    for page in sorted(folder.glob("0*.md")):
        assert f"]({page.name})" in index
        assert "\nState: " in page.read_text("utf-8")
