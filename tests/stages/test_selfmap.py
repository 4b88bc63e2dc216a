"""The map of the project that ARCHITECTURE.md holds: what is drawn, and what is left out."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import selfmap  # noqa: E402


def test_modules_count_for_the_package_that_holds_them() -> None:
    assert selfmap.between_packages([("k.a.b", "k.c.d"), ("k.a", "k.a.b"), ("k.a.x", "k.c")]) == [
        ("k.a", "k.c")
    ]


def test_an_arrow_that_others_imply_is_left_out_and_a_cycle_is_not() -> None:
    assert selfmap.between_packages([("k.a", "k.b"), ("k.b", "k.c"), ("k.a", "k.c")]) == [
        ("k.a", "k.b"),
        ("k.b", "k.c"),
    ]
    cycle = [("k.a", "k.b"), ("k.b", "k.a")]
    assert selfmap.between_packages([*cycle, ("k.b", "k.c")]) == sorted([*cycle, ("k.b", "k.c")])


def test_a_map_with_too_many_parts_is_refused() -> None:
    with pytest.raises(ValueError, match="42 parts"):
        list(selfmap.drawing([("k", f"k.m{number}") for number in range(41)], {}))


def test_the_page_is_the_same_each_time_and_a_stale_one_differs(tmp_path: Path) -> None:
    (tmp_path / "src" / "kgraph").mkdir(parents=True)
    (tmp_path / "src" / "kgraph" / "a.py").write_text(
        '"""Says what it does."""\n\nimport kgraph.b\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import kgraph.c\n'
    )
    for name in "bc":
        (tmp_path / "src" / "kgraph" / f"{name}.py").write_text("")
    page = tmp_path / "ARCHITECTURE.md"
    page.write_text(f"above\n{selfmap.BEGIN}\nold\n{selfmap.END}\nbelow\n")
    ((name, text),) = selfmap.pages(str(tmp_path))
    assert (
        name == "ARCHITECTURE.md"
        and text != page.read_text()
        and text.startswith("above\n")
        and text.endswith("\nbelow\n")
    )
    assert (
        "kgraph.a<br/>Says what it does." in text
        and '"kgraph.b"' in text
        and "kgraph.c" not in text
        and "old" not in text
    )
    page.write_text(text)
    assert selfmap.pages(str(tmp_path)) == [(name, text)]
    page.write_text("no markers")
    with pytest.raises(ValueError, match="to put the map between"):
        selfmap.pages(str(tmp_path))
