"""What holds of every map of source code, however the files are read and wherever they lie."""

from __future__ import annotations

import builtins
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.code import CodeOptions, extract, plan
from kgraph.errors import MissingExtra
from kgraph.evidence import locate
from kgraph.model import Citation
from kgraph.sources import read
from stages.code_trees import say, write

TREE: Mapping[str, str] = {
    "pyproject.toml": '[project]\nname = "shop"\ndescription = "A shop."\n[tool.coverage.report]\nfail_under = 90\n',
    "shop/__init__.py": '"""A shop.\r\n\r\nIt must never import the web."""\r\nfrom .cart import Cart\r\n',
    "shop/cart.py": "# é 漢\nfrom . import prices\nimport json\n\nclass Cart:\n\tdef total(self):\n\t\treturn prices.price(self)\n",
    "shop/prices.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .cart import Cart\ndef price(x): return 1\n",
    "tests/test_cart.py": "from shop.cart import Cart\ndef test_empty_cart(): assert Cart().total() == 1\n",
}


@pytest.mark.parametrize("level", ["module", "symbol"])
def test_every_citation_is_verified_against_the_file(level: str, tmp_path: Path) -> None:
    said = say(tmp_path, TREE, level)
    count = 0
    for unit in said.plan.units:
        document = read(unit.files[0].path, unit.files[0].uri)
        cited = [
            Citation(edge["quote"], edge["source_doc"])
            for edge in said.payloads[unit.id]["edges"]
            if "quote" in edge
        ]
        assert [evidence.status for evidence in locate(document, cited)] == ["verified"] * len(
            cited
        )
        count += len(cited)
    assert count > 8


@given(
    rows=st.lists(
        st.sampled_from(
            [
                "x = 1",
                "# é漢\u2028",
                "\t",
                "'''\na\n'''",
                "\f",
                "y = 'ü'; import json",
                "",
                "def f():\n\timport json",
            ]
        ),
        max_size=8,
    ),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_no_line_is_cited_wrongly(
    rows: list[str], end: str, mark: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = end.join("\n".join([*rows, "import os"]).split("\n"))
    root = tmp_path_factory.mktemp("tree")
    said = say(root, {"m.py": ("\ufeff" if mark else "") + text})
    lines = text.replace("\r\n", "\n").split("\n")
    expected = {
        ("m", name, number)
        for number, row in enumerate(lines, 1)
        for name in ("os", "json")
        if f"import {name}" in row
    }
    assert {(source, target, line) for source, target, _, line in said.edges} == expected


def test_a_map_does_not_depend_on_where_the_checkout_lies(tmp_path: Path) -> None:
    here, there = say(tmp_path / "a", TREE, "symbol"), say(tmp_path / "b" / "c", TREE, "symbol")
    assert here.payloads == there.payloads
    assert [unit.sha256 for unit in here.plan.units] == [unit.sha256 for unit in there.plan.units]


def test_the_order_of_the_files_does_not_matter(tmp_path: Path) -> None:
    files = write(str(tmp_path), TREE)
    one, other = (
        plan(order, str(tmp_path), CodeOptions("symbol", 1)) for order in (files, files[::-1])
    )
    assert [unit.sha256 for unit in one.units] == [unit.sha256 for unit in other.units]


@pytest.mark.parametrize("level", ["module", "symbol"])
def test_what_comes_from_the_cache_is_what_was_read(level: str, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    first = say(tmp_path / "tree", TREE, level, cache)
    assert os.listdir(cache)
    assert say(tmp_path / "tree", TREE, level, cache).payloads == first.payloads


def test_a_damaged_cache_is_not_believed(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = say(tmp_path / "tree", TREE, "module", str(cache))
    for entry in cache.iterdir():
        entry.write_text(entry.read_text().replace("import", "imp"))
    assert say(tmp_path / "tree", TREE, "module", str(cache)).payloads == first.payloads


def test_a_unit_changes_with_what_its_names_mean_and_only_then(tmp_path: Path) -> None:
    files = {"a.py": "import b\n", "c.py": "import d\n"}
    before = {unit.id: unit.sha256 for unit in say(tmp_path, files).plan.units}
    after = {unit.id: unit.sha256 for unit in say(tmp_path, files | {"b.py": ""}).plan.units}
    assert before["a.py"] != after["a.py"]
    assert before["c.py"] == after["c.py"]


def test_without_the_extra_python_is_mapped_and_the_rest_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    for name in [
        name
        for name in sys.modules
        if name.startswith(("tree_sitter", "kgraph.code.javascript", "kgraph.code.trees"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.startswith("tree_sitter"):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    files = write(str(tmp_path), {"a.py": "import b\n", "b.py": "", "c.ts": "import './d'\n"})
    planned = plan(files, str(tmp_path), CodeOptions(jobs=1))
    assert [(unit.id, unit.extra) for unit in planned.units] == [
        ("a.py", ""),
        ("b.py", ""),
        ("c.ts", "code"),
    ]
    assert extract(planned.units[0], planned.known).payload["edges"]
    with pytest.raises(MissingExtra, match="'code'"):
        extract(planned.units[2], planned.known)


def test_a_file_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    files = write(str(tmp_path), {"a.py": "import b\n", "b.py": "", "gone.py": ""})
    os.remove(tmp_path / "gone.py")
    planned = plan(files, str(tmp_path), CodeOptions(jobs=1))
    assert [(unit.id, bool(unit.problem)) for unit in planned.units] == [
        ("a.py", False),
        ("b.py", False),
        ("gone.py", True),
    ]
    shutil.rmtree(tmp_path)
    with pytest.raises(OSError):
        extract(planned.units[0], planned.known)


def test_several_processes_say_what_one_says(tmp_path: Path) -> None:
    files = write(
        str(tmp_path),
        {f"p{number}.py": f"import p{number - 1}\n" if number else "" for number in range(420)},
    )
    one, two = (plan(files, str(tmp_path), CodeOptions(jobs=jobs)) for jobs in (1, 2))
    assert [unit.sha256 for unit in one.units] == [unit.sha256 for unit in two.units]
