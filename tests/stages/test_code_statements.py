"""What code and project files say of suites, builds, measures and rules, in their own words."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say


def test_a_suite_is_an_evaluation_of_what_it_imports_and_its_rubric_is_what_it_says(
    tmp_path: Path,
) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "",
        "tests/test_cart.py": "import os\nfrom shop import cart\ndef test_nothing_costs_nothing(): pass\n",
        "tests/test_doc.py": '"""Carts add up."""\nimport shop.cart\ndef test_x(): pass\n',
        "tests/test_none.py": "import shop.cart\n",
    }
    said = say(tmp_path, files)
    assert {name: node["rubric"] for name, node in said.nodes("Evaluation").items()} == {
        "tests.test_cart (test suite)": "test_nothing_costs_nothing",
        "tests.test_doc (test suite)": "Carts add up.",
    }
    assert said.links("EVALUATES") == {
        ("tests.test_cart (test suite)", "shop.cart"),
        ("tests.test_doc (test suite)", "shop.cart"),
    }


def test_titles_are_the_rubric_in_javascript(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_javascript")
    said = say(
        tmp_path,
        {
            "a.js": "",
            "a.test.js": "import './a'\ndescribe('cart', () => { it(\"adds up\", () => {}) })\n",
        },
    )
    assert said.nodes("Evaluation")["a.test.js (test suite)"]["rubric"] == "cart; adds up"


def test_a_build_output_is_an_artifact_only_with_its_command_and_version(tmp_path: Path) -> None:
    full = (
        '{"name": "w", "version": "1.0.0", "main": "dist/w.js", "scripts": {"build": "tsc -p ."}}'
    )
    said = say(tmp_path / "full", {"package.json": full})
    assert said.nodes("Artifact")["dist/w.js"]["version"] == "1.0.0"
    assert said.links("PRODUCED") == {("tsc -p .", "dist/w.js")}
    for without in ('"version": "1.0.0", ', '"scripts": {"build": "tsc -p ."}'):
        text = full.replace(without, "").replace(", }", "}")
        assert say(tmp_path / without[1:4], {"package.json": text}).nodes("Artifact") == {}


def test_thresholds_are_metrics_with_their_line(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "[tool.coverage.report]\nfail_under = 90\n",
        "package.json": '{"name": "w",\n "size-limit": [{"path": "w.js", "limit": "10 kB"}]}',
        "tests/test_speed.py": "def test_speed():\n    assert latency_ms < 200\n",
    }
    said = say(tmp_path, files)
    assert {name: node["attrs"]["threshold"] for name, node in said.nodes("Metric").items()} == {
        "coverage": "90",
        "size of w.js": "10 kB",
        "latency_ms": "200",
    }
    cited = {
        edge["source_doc"]: edge["quote"]
        for payload in said.payloads.values()
        for edge in payload["edges"]
        if "quote" in edge
    }
    assert cited["pyproject.toml#L2"] == "fail_under = 90"
    assert cited["tests/test_speed.py#L2"] == "latency_ms < 200"


def test_rules_are_claims_in_the_words_of_the_file(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": '"""The shop. It must never import the web layer."""\n',
        "shop/cart.py": "# Prices must be rounded before\n# they are added.\nx = 1  # the only one after that\n",
        "pyproject.toml": '[[tool.importlinter.contracts]]\nname = "The shop knows nothing of the web"\nsource_modules = ["shop.cart"]\n',
        "CODEOWNERS": "# who\n/shop/ @team-a\n",
        ".eslintrc.json": '{"rules": {"no-restricted-imports": ["error", {"paths": [{"name": "x", '
        '"message": "Use the store instead of x."}]}]}}',
    }
    said = say(tmp_path, files)
    assert set(said.nodes("Claim")) == {
        "It must never import the web layer.",
        "Prices must be rounded before they are added.",
        "The shop knows nothing of the web",
        "/shop/ @team-a",
        "Use the store instead of x.",
    }
    quotes = {
        (edge["source_doc"], edge["quote"])
        for payload in said.payloads.values()
        for edge in payload["edges"]
        if edge["predicate"] == "SUPPORTS"
    }
    assert ("shop/cart.py#L1-L2", "Prices must be rounded before\n# they are added.") in quotes
    assert ("The shop knows nothing of the web", "shop.cart") in said.links("MENTIONS")
    assert ("/shop/ @team-a", "shop") in said.links("MENTIONS")


def test_every_file_with_words_is_cited_with_words(tmp_path: Path) -> None:
    files = {"a.py": "\ufeff\n\n  \nx = 1\n", "b.py": "", "c.py": "y" * 500 + "\n"}
    said = say(tmp_path, files)
    cited = {
        edge["source"]: (edge.get("source_doc"), edge.get("quote"))
        for payload in said.payloads.values()
        for edge in payload["edges"]
        if edge["predicate"] == "MENTIONS"
    }
    assert cited == {
        "a.py": ("a.py#L4", "x = 1"),
        "b.py": (None, None),
        "c.py": ("c.py#L1", "y" * 200),
    }


def test_a_benchmark_is_called_one(tmp_path: Path) -> None:
    said = say(tmp_path, {"a.py": "", "benchmarks/speed.py": '"""How fast a is."""\nimport a\n'})
    assert list(said.nodes("Evaluation")) == ["benchmarks.speed (benchmark)"]


def test_a_recipe_makes_what_its_target_or_its_o_names(tmp_path: Path) -> None:
    files = {
        "Makefile": "VERSION := 2.1\nall: dist/app.js\ndist/app.js: src/app.ts\n\tmkdir -p dist\n\t@tsc -p . --verbose\nclean:\n\trm -r dist\n",
        "tool/justfile": "build:\n    cc -O2 main.c -o build/tool\n",
        "tool/Cargo.toml": '[package]\nname = "tool"\nversion = "0.3.0"\n',
        "none/Makefile": "dist/x.js: y\n\ttsc\n",
        "vague/Makefile": "VERSION = 1\ndist/$(NAME).js: y\n\ttsc\ndist/z.js: y\n\t$(CC) $<\n",
    }
    said = say(tmp_path, files)
    assert {name: node["version"] for name, node in said.nodes("Artifact").items()} == {
        "dist/app.js": "2.1",
        "tool/build/tool": "0.3.0",
    }
    assert said.links("PRODUCED") == {
        ("tsc -p . --verbose", "dist/app.js"),
        ("cc -O2 main.c -o build/tool", "tool/build/tool"),
    }
    quotes = {
        edge["source_doc"]: edge["quote"]
        for edge in said.payloads["Makefile"]["edges"]
        if edge["predicate"] == "PRODUCED"
    }
    assert quotes == {"Makefile#L5": "tsc -p . --verbose"}
