"""What each import of a Python file means: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

CASES = {
    "a module of the same package": (
        {"shop/__init__.py": "", "shop/cart.py": "from . import prices\n", "shop/prices.py": ""},
        {("shop.cart", "shop.prices", "import", 1)},
    ),
    "a module that a call names": (
        {
            "shop/__init__.py": "",
            "shop/cart.py": "import importlib\nx = importlib.import_module('shop.prices')\n"
            "def f(name):\n    importlib.import_module('.prices', __package__)\n    importlib.import_module('.prices', package='shop')\n"
            "    importlib.import_module(name)\n    importlib.import_module('.prices')\nif __import__('shop.till'): pass\n",
            "shop/prices.py": "def import_module(x): pass\nimport_module('shop.cart')\n",
            "shop/till.py": "from importlib import import_module\n[import_module('shop.prices')]\n",
        },
        {
            ("shop.cart", "importlib", "import", 1),
            ("shop.cart", "shop.prices", "import-deferred", 2),
            ("shop.cart", "shop.prices", "import-deferred", 4),
            ("shop.cart", "shop.prices", "import-deferred", 5),
            ("shop.cart", "shop.till", "import-deferred", 8),
            ("shop.till", "importlib", "import", 1),
            ("shop.till", "shop.prices", "import-deferred", 2),
        },
    ),
    "a name in a module is the module": (
        {
            "shop/__init__.py": "",
            "shop/cart.py": "\nfrom .prices import price\n",
            "shop/prices.py": "",
        },
        {("shop.cart", "shop.prices", "import", 2)},
    ),
    "a name in a package's init is the package": (
        {"shop/__init__.py": "x = 1", "shop/cart.py": "from . import x\n"},
        {("shop.cart", "shop", "import", 1)},
    ),
    "three levels up": (
        {
            "a/__init__.py": "",
            "a/top.py": "",
            "a/b/__init__.py": "",
            "a/b/c/__init__.py": "",
            "a/b/c/d.py": "from ...top import x\nfrom ... import top\n",
        },
        {("a.b.c.d", "a.top", "import", 1), ("a.b.c.d", "a.top", "import", 2)},
    ),
    "an init counts its dots from itself": (
        {
            "a/__init__.py": "",
            "a/b/__init__.py": "from .c import x\nfrom ..d import y\n",
            "a/b/c.py": "",
            "a/d.py": "",
        },
        {("a.b", "a.b.c", "import", 1), ("a.b", "a.d", "import", 2)},
    ),
    "a dotted import with a name": (
        {"a/__init__.py": "", "a/b.py": "", "main.py": "import a.b as c\nimport a.b\n"},
        {("main", "a.b", "import", 1), ("main", "a.b", "import", 2)},
    ),
    "in a function it is deferred": (
        {
            "a/__init__.py": "",
            "a/b.py": "",
            "a/c.py": "def f():\n    if True:\n        from a import b\n",
        },
        {("a.c", "a.b", "import-deferred", 3)},
    ),
    "in a class body it runs at once": (
        {"a/__init__.py": "", "a/b.py": "", "a/c.py": "class C:\n    import a.b\n"},
        {("a.c", "a.b", "import", 2)},
    ),
    "under TYPE_CHECKING it is for types only": (
        {
            "a/__init__.py": "",
            "a/b.py": "",
            "a/c.py": "import typing as t\nif t.TYPE_CHECKING:\n    from a.b import X\nelse:\n    import a.d\n"
            "if not t.TYPE_CHECKING:\n    import a.d\n",
            "a/d.py": "",
        },
        {
            ("a.c", "a.b", "import-type", 3),
            ("a.c", "a.d", "import", 5),
            ("a.c", "a.d", "import", 7),
            ("a.c", "typing", "import", 1),
        },
    ),
    "in a try both branches count": (
        {
            "a/__init__.py": "",
            "a/fast.py": "",
            "a/slow.py": "",
            "a/c.py": "try:\n    from a import fast\nexcept ImportError:\n    from a import slow\n",
        },
        {("a.c", "a.fast", "import", 2), ("a.c", "a.slow", "import", 4)},
    ),
    "a star is the module that it empties": (
        {"a/__init__.py": "from .b import *\n__all__ = ['x']\n", "a/b.py": ""},
        {("a", "a.b", "import", 1)},
    ),
    "a src layout bears no src in its names": (
        {
            "pyproject.toml": "[project]\nname='p'\n",
            "src/a/__init__.py": "",
            "src/a/b.py": "import a\n",
            "tests/test_b.py": "from a import b\n",
        },
        {("a.b", "a", "import", 1), ("tests.test_b", "a.b", "import", 1)},
    ),
    "a package root that the manifest names": (
        {
            "pyproject.toml": "[tool.setuptools.packages.find]\nwhere=['python']\n",
            "python/ns/a.py": "",
            "python/ns/b.py": "from ns import a\n",
        },
        {("ns.b", "ns.a", "import", 1)},
    ),
    "a namespace package by the imports that name it": (
        {
            "acme/cloud/__init__.py": "",
            "acme/cloud/store.py": "",
            "main.py": "from acme.cloud import store\n",
        },
        {("main", "acme.cloud.store", "import", 1)},
    ),
    "two portions of one namespace package": (
        {
            "one/pyproject.toml": "",
            "one/src/ns/a/__init__.py": "",
            "two/pyproject.toml": "",
            "two/src/ns/b/__init__.py": "from ns import a\nimport ns.a\n",
        },
        {("ns.b", "ns.a", "import", 1), ("ns.b", "ns.a", "import", 2)},
    ),
    "an editable workspace": (
        {
            "core/pyproject.toml": "[project]\nname='core'\n",
            "core/src/core/__init__.py": "",
            "core/src/core/db.py": "",
            "app/pyproject.toml": "[project]\nname='app'\ndependencies=['core']\n",
            "app/src/app/__init__.py": "import core.db\n",
        },
        {("app", "core.db", "import", 1)},
    ),
    "a script finds its neighbour first": (
        {"tools/run.py": "import words\n", "tools/words.py": "", "words.py": ""},
        {("tools.run", "tools.words", "import", 1)},
    ),
    "a folder without an init inside a package": (
        {"a/__init__.py": "", "a/data/x.py": "from ..b import y\n", "a/b.py": ""},
        {("a.data.x", "a.b", "import", 1)},
    ),
    "the source root is the package": (
        {"__init__.py": "from ._x import y\n", "_x.py": ""},
        {("ROOT", "ROOT._x", "import", 1)},
    ),
    "a copy of the tree imports from itself": (
        {
            "a/__init__.py": "",
            "a/b.py": "from a import c\n",
            "a/c.py": "",
            "copy/a/__init__.py": "",
            "copy/a/b.py": "from a import c\n",
            "copy/a/c.py": "",
        },
        {("a.b", "a.c", "import", 1)},
    ),
    "the same name from two packages": (
        {
            "pkg/__init__.py": "",
            "pkg/service.py": "",
            "other/__init__.py": "",
            "other/service.py": "",
            "main.py": "from pkg import service\nfrom other import service as other_service\n",
        },
        {("main", "pkg.service", "import", 1), ("main", "other.service", "import", 2)},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_import_leads_where_python_would_go(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    root = tmp_path / "ROOT"
    assert say(root, files).edges == expected


def test_a_copy_of_a_package_is_another_package_with_the_same_name(tmp_path: Path) -> None:
    said = say(
        tmp_path, {"a/__init__.py": "", "copy/a/__init__.py": "", "copy/a/b.py": "import a\n"}
    )
    assert {
        node.get("qualifier", "")
        for payload in said.payloads.values()
        for node in payload["nodes"]
        if node["name"] == "a"
    } == {
        "",
        "copy",
    }
    assert said.payloads["copy/a/b.py"]["nodes"][-1]["qualifier"] == "copy"


@pytest.mark.parametrize(
    ("text", "line", "name"),
    [
        ("\nfrom a import b\nimport a.nothing\n", 3, "a.nothing"),
        ("from a.nothing import x\n", 1, "a.nothing"),
        ("from ....x import y\n", 1, "....x"),
    ],
)
def test_what_leads_nowhere_is_listed_with_its_line(
    text: str, line: int, name: str, tmp_path: Path
) -> None:
    said = say(tmp_path, {"a/__init__.py": "", "a/b.py": "", "a/c.py": text})
    assert [(loose.uri, loose.line, loose.name) for loose in said.unresolved] == [
        ("a/c.py", line, name)
    ]
    assert not any(
        "nothing" in node["name"] for payload in said.payloads.values() for node in payload["nodes"]
    )


def test_external_packages_bear_the_version_of_the_lock_or_else_the_range_of_the_manifest(
    tmp_path: Path,
) -> None:
    files = {
        "pyproject.toml": '[project]\nname="p"\ndependencies=["httpx>=0.27", "PyYAML==6.0", "rich"]\n',
        "uv.lock": '[[package]]\nname = "rich"\nversion = "13.7.1"\n',
        "p.py": "import httpx._client\nimport yaml\nimport rich\nimport os.path\nimport unheard_of\n",
    }
    said = say(tmp_path, files)
    found = {
        name: node["attrs"].get("version")
        for name, node in said.nodes("Entity").items()
        if node["attrs"]["kind"] == "external"
    }
    assert found == {
        "httpx": ">=0.27",
        "yaml": "6.0",
        "rich": "13.7.1",
        "os": None,
        "unheard_of": None,
    }
    assert said.nodes("Entity")["os"]["qualifier"] == "python"


def test_a_broken_file_is_named_with_its_line_and_the_rest_is_mapped(tmp_path: Path) -> None:
    said = say(
        tmp_path,
        {
            "a/__init__.py": "",
            "a/bad.py": "x = 1\ndef (\n",
            "a/nul.py": b"x\0y",
            "a/good.py": "import a.bad\n",
        },
    )
    assert ("a.good", "a.bad", "import", 1) in said.edges
    assert [(loose.uri, loose.line) for loose in said.unresolved] == [
        ("a/bad.py", 2),
        ("a/nul.py", 1),
    ]


@pytest.mark.parametrize(
    "before",
    ["", "\ufeff", "# é\u2028漢字\r\n\f", "x = '\t漢'; ", "'''\r\n\r\n漢'''\r\n", "# \x0b\n"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_quote_is_the_statement_and_stands_on_its_line(
    before: str, end: str, tmp_path: Path
) -> None:
    head = before.replace("\r\n", end) if "\n" in before else before
    text = f"{head}from a import ({end}    b,{end}){end}".encode()
    (edge,) = [
        edge
        for edge in say(tmp_path, {"a/__init__.py": "", "a/b.py": "", "a/c.py": text}).payloads[
            "a/c.py"
        ]["edges"]
        if edge["predicate"] == "DEPENDS_ON"
    ]
    first, last = (int(part) for part in edge["source_doc"].removeprefix("a/c.py#L").split("-L"))
    rows = text.decode("utf-8-sig").split("\n")
    assert "from a import" in rows[first - 1]
    assert last == first + 2
    assert edge["quote"] == f"from a import ({end}    b,{end})"
