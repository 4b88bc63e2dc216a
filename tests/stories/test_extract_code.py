"""``extract`` over source code as it is typed: how deep, what could not be tied, and that every citation holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kgraph.cli import main

FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n\n[tool.coverage.report]\nfail_under = 90\n',
    "shop/__init__.py": "\n\nfrom shop.cart import Cart\n",
    "shop/cart.py": "import os\nfrom . import gone\nfrom ... import far\n\n\n"
    "class Cart:\n    def total(self, find):\n        find()\n        return add(1)\n\n\n"
    "def add(a):\n    return a\n",
    "shop/broken.py": "x = 1\ndef f(:\n",
    "shop/empty.py": "",
    "tests/test_cart.py": "from shop.cart import Cart, add\n\n\ndef test_carts_add_up():\n    assert add(1) == 1\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    return tmp_path


def typed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    main(["--name", "t", "--json", *words])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.parametrize("level", ["module", "symbol"])
def test_every_citation_of_code_is_verified(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = typed(capsys, "extract", ".", "--code-level", level)
    assert answer["ok"] and {unit["outcome"] for unit in answer["units"]} == {"done"}
    assert typed(capsys, "validate")["ok"]
    verified = typed(capsys, "verify")
    assert (
        verified["ok"]
        and set(verified["evidence"]) == {"verified"}
        and verified["evidence"]["verified"] > 10
    )


def test_what_could_not_be_tied_is_listed_with_its_line_and_why(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listed = {
        (item["uri"], item["line"], item["name"])
        for item in typed(capsys, "extract", ".")["unresolved"]
    }
    known = {("shop/broken.py", 2, "broken.py"), ("shop/cart.py", 3, "...")}
    assert listed == known
    answer = typed(capsys, "extract", ".", "--code-level", "symbol")
    assert {(item["uri"], item["line"], item["name"]) for item in answer["unresolved"]} == known | {
        ("shop/cart.py", 8, "find")
    }
    assert all(item["reason"] for item in answer["unresolved"])


def test_modules_are_the_default_and_symbols_are_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    typed(capsys, "extract", ".")
    assert typed(capsys, "path", "tests.test_cart", "shop.cart")["hops"] == 1
    assert not typed(capsys, "show", "shop.cart.add")["ok"]
    typed(capsys, "extract", ".", "--code-level", "symbol")
    route = typed(capsys, "path", "tests.test_cart.test_carts_add_up", "shop.cart.add")
    assert [(cited["quote"], cited["status"]) for cited in route["citations"]] == [
        ("add(1)", "verified")
    ]


def test_a_file_that_is_not_python_says_where_and_the_rest_is_mapped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    units = {unit["unit"]: unit["detail"] for unit in typed(capsys, "extract", ".")["units"]}
    assert (
        units["shop/broken.py"].startswith("shop/broken.py:2: syntax error")
        and units["shop/cart.py"] == ""
    )
    assert typed(capsys, "path", "shop", "shop.cart")["found"]


NESTED = {
    "deep.js": "import { b } from './plain.js';\nb()" + "\n.b()" * 3000 + ";\n",
    "deep.go": "package deep\n\nfunc deep() {\n"
    + "if true {\n" * 1500
    + "deep()\n"
    + "}\n" * 1500
    + "}\n",
    "deep.rs": "fn deep() {\n" + "{\n" * 1500 + "deep();\n" + "}\n" * 1500 + "}\n",
    "Deep.java": "class Deep {\n int x = " + "(\n" * 1500 + "1" + ")\n" * 1500 + ";\n}\n",
}


@pytest.mark.parametrize("name", NESTED)
def test_what_is_nested_too_deep_is_said_and_takes_nothing_from_its_neighbours(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tree_sitter_go")
    (folder / "nested").mkdir()
    (folder / "nested" / name).write_text(NESTED[name])
    (folder / "nested" / "plain.js").write_text(
        "export function b() {}\nexport function c() { b(); }\n"
    )
    answer = typed(capsys, "extract", "--code-level", "symbol", "nested")
    assert answer["ok"] and [unit["outcome"] for unit in answer["units"]] == ["done", "done"]
    assert any(
        "nested too deep for calls to be followed" in unit["detail"] for unit in answer["units"]
    )
    assert typed(capsys, "query", "plain.c")["edges"]
