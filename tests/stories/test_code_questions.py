"""Questions about code: every answer is whole, and each row of it a place that says so."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.cli import main

FILES = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": (
        "from shop import prices\n\n\nclass Base:\n    def total(self):\n        return 0\n\n\n"
        "class Cart(Base):\n    def total(self):\n        return prices.add(1)\n\n\n"
        "class Gift(Cart):\n    def wrap(self):\n        return self.total()\n\n\n"
        "def checkout():\n    cart = Cart()\n    return cart.total()\n\n\ndef forgotten():\n    return RATE\n\n\nRATE = 3\n"
    ),
    "shop/prices.py": "def add(a):\n    return a\n\n\ndef named_in_text():\n    return 1\n",
    "shop/web.py": "from shop import Cart\n\n\ndef show(base: Cart):\n    return 'named_in_text'\n",
    "tests/test_cart.py": "from shop.cart import checkout\n\n\ndef test_it():\n    assert checkout() == 1\n",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KGRAPH_ROOT", raising=False)
    for name, text in FILES.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(text)
    assert main(["--name", "t", "--json", "-q", "extract", ".", "--code-level", "symbol"]) == 0
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    capsys.readouterr()
    main(["--name", "t", "--json", "code", *words])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def places(rows: list[dict[str, Any]]) -> list[tuple[str, int, str]]:
    return [(row.get("uri", ""), row.get("line", 0), row["name"]) for row in rows]


def test_callers_stand_at_the_lines_that_call(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "callers", "prices.add")
    assert places(answer["certain"]) == [("shop/cart.py", 11, "shop.cart.Cart.total")]
    assert answer["of"][0]["line"] == 1 and answer["possible"] == []


def test_who_makes_instances_calls_the_class(capsys: pytest.CaptureFixture[str]) -> None:
    assert ("shop/cart.py", 20, "shop.cart.checkout") in places(
        asked(capsys, "callers", "Cart")["certain"]
    )


def test_a_call_of_a_method_that_a_subclass_replaces_is_possible_for_the_subclass_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("shop/more.py").write_text(
        "from shop.cart import Cart\n\n\nclass Loud(Cart):\n    def total(self):\n        return 2\n"
    )
    main(["--name", "t", "-q", "extract", ".", "--code-level", "symbol"])
    loud = asked(capsys, "callers", "Loud.total")
    assert loud["certain"] == []
    assert ("shop/cart.py", 21, "shop.cart.checkout") in places(loud["possible"])
    assert "shop.more.Loud.total" in {
        row["name"] for row in asked(capsys, "callees", "checkout")["possible"]
    }


def test_callees_imports_and_importers(capsys: pytest.CaptureFixture[str]) -> None:
    assert places(asked(capsys, "callees", "checkout")["certain"]) == [
        ("shop/cart.py", 20, "shop.cart.Cart"),
        ("shop/cart.py", 21, "shop.cart.Cart.total"),
    ]
    assert places(asked(capsys, "imports", "shop/cart.py")["certain"]) == [
        ("shop/cart.py", 1, "shop.prices")
    ]
    assert places(asked(capsys, "importers", "shop.cart")["certain"]) == [
        ("shop/__init__.py", 1, "shop"),
        ("tests/test_cart.py", 1, "tests.test_cart"),
    ]


def test_importers_of_a_class_are_found_through_the_package_that_hands_it_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert places(asked(capsys, "importers", "shop.cart.Cart")["certain"]) == [
        ("shop/__init__.py", 1, "shop"),
        ("shop/web.py", 1, "shop.web"),
    ]


def test_inheritors_come_with_their_distance(capsys: pytest.CaptureFixture[str]) -> None:
    rows = asked(capsys, "inheritors", "Base")["certain"]
    assert [(row["name"], row["depth"]) for row in rows] == [
        ("shop.cart.Cart", 1),
        ("shop.cart.Gift", 2),
    ]


def test_tests_reach_a_function_over_others(capsys: pytest.CaptureFixture[str]) -> None:
    rows = asked(capsys, "tests", "prices.add")["certain"]
    assert ("tests.test_cart.test_it", 3) in {(row["name"], row["depth"]) for row in rows}


def test_unused_is_certain_only_where_the_name_stands_nowhere_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = asked(capsys, "unused", "shop")
    assert places(answer["certain"]) == [
        ("shop/cart.py", 14, "shop.cart.Gift"),
        ("shop/cart.py", 15, "shop.cart.Gift.wrap"),
        ("shop/cart.py", 24, "shop.cart.forgotten"),
        ("shop/web.py", 4, "shop.web.show"),
    ]
    assert "shop.prices.named_in_text" in {row["name"] for row in answer["possible"]}


def test_where_tells_definition_and_uses_and_of_a_constant_the_lines_that_write_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = asked(capsys, "where", "checkout")
    assert places(found["certain"]) == [
        ("shop/cart.py", 19, "shop.cart.checkout"),
        ("tests/test_cart.py", 1, "tests.test_cart"),
        ("tests/test_cart.py", 5, "tests.test_cart.test_it"),
    ]
    constant = asked(capsys, "where", "RATE")
    assert constant["ok"] and [row["line"] for row in constant["possible"]] == [25, 28]


def test_a_path_shows_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    found = asked(capsys, "path", "checkout", "prices.add")
    assert found["hops"] == 2 and [row["line"] for row in found["certain"]] == [21, 11]
    back = asked(capsys, "path", "prices.add", "checkout")
    assert back["ok"] and not back["found"]


def test_impact_of_what_git_says_changed(capsys: pytest.CaptureFixture[str]) -> None:
    def git(*words: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words],
            check=True,
            capture_output=True,
        )

    git("init", "-q")
    git("add", "shop", "tests")
    git("commit", "-qm", "first")
    text = Path("shop/prices.py").read_text()
    Path("shop/prices.py").write_text("# a line above\n" + text.replace("return a", "return a + 1"))
    Path("notes.txt").write_text("new\n")
    found = asked(capsys, "impact", "--diff")
    assert {part["name"] for part in found["of"]} == {"shop.prices", "shop.prices.add"}
    assert found["tests"][-1] in {"tests.test_cart.test_it", "tests.test_cart"}
    assert "shop.cart.checkout" in found["entry_points"]
    assert asked(capsys, "impact", "--diff", "no-such-revision")["errors"][0]["code"] == "E201"


def test_a_line_of_a_file_is_the_function_that_holds_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, "callers", "shop/cart.py:20")["of"][0]["name"] == "shop.cart.checkout"


def test_what_is_ambiguous_is_refused_with_the_candidates(
    capsys: pytest.CaptureFixture[str],
) -> None:
    problem = asked(capsys, "callers", "total")["errors"][0]
    assert problem["code"] == "E205"
    assert {one["name"] for one in problem["candidates"]} == {
        "shop.cart.Base.total",
        "shop.cart.Cart.total",
    }


def test_pages_together_are_the_whole_answer(capsys: pytest.CaptureFixture[str]) -> None:
    whole = asked(capsys, "where", "Cart", "--limit", "0")
    seen: list[Any] = []
    cursor: list[str] = []
    while True:
        page = asked(capsys, "where", "Cart", "--limit", "3", *cursor)
        seen += [*page["certain"], *page["possible"]]
        if not page["truncated"]:
            break
        cursor = ["--cursor", page["cursor"]]
    assert seen == [*whole["certain"], *whole["possible"]] and len(seen) > 3
    wrong = asked(capsys, "where", "Gift", "--limit", "3", *cursor)
    assert wrong["errors"][0]["code"] == "E201"


@pytest.mark.parametrize(
    ("text", "question", "names"),
    [
        ("who calls prices.add?", "callers", "shop.cart.Cart.total"),
        ("callers of Cart.total", "callers", "shop.cart.checkout"),
        ("what does checkout call", "callees", "shop.cart.Cart.total"),
        ("which modules import shop.cart", "importers", "tests.test_cart"),
        ("subclasses of Base", "inheritors", "shop.cart.Gift"),
        ("what breaks if I change prices.add", "impact", "shop.cart.checkout"),
        ("which tests cover checkout", "tests", "tests.test_cart.test_it"),
        ("how does checkout reach prices.add", "path", "shop.cart.Cart.total"),
    ],
)
def test_query_sends_questions_about_code_where_they_are_answered(
    text: str, question: str, names: str
) -> None:
    with kgraph.open(".karpathy-graphs/t") as graph:
        body = graph.query(text).body
    assert body["code"]["question"] == question
    assert names in {node["name"] for node in body["nodes"]}


def test_the_graph_of_modules_alone_says_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--name", "m", "-q", "extract", "."])
    capsys.readouterr()
    main(["--name", "m", "--json", "code", "callers", "shop.cart"])
    assert "--code-level symbol" in json.loads(capsys.readouterr().out)["note"]


def test_heirs_are_asked_of_classes_where_a_module_is_called_so_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("shop/base.py").write_text("")
    main(["--name", "t", "-q", "extract", "."])
    assert asked(capsys, "inheritors", "base")["of"][0]["name"] in {"shop.cart.Base", "shop.base"}
    Path("shop/Base.py").write_text("")
    main(["--name", "t", "-q", "extract", "."])
    assert asked(capsys, "inheritors", "Base")["of"][0]["name"] == "shop.cart.Base"
