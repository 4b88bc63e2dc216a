"""What a call may enter is told apart from what it enters; what is called outside of the sources has a name, and tests name what they test."""

from __future__ import annotations

from pathlib import Path

from stages.code_trees import edges_of, possible, say

DECORATED = {
    "deco.py": "import functools\n\n\ndef logged(f):\n    @functools.wraps(f)\n    def wrapper(*a):\n        return f(*a)\n    return wrapper\n",
    "use.py": "from deco import logged\n\n\n@logged\ndef a(): return 1\n\n\n@logged\ndef b(): return 2\n\n\n@logged\ndef c(): return 3\n\n\ndef run():\n    a()\n    b()\n",
}


def test_a_caller_of_a_decorated_function_reaches_the_function_however_many_share_the_decorator(
    tmp_path: Path,
) -> None:
    said = say(tmp_path, DECORATED, "symbol")
    assert {
        ("use.run", "use.a", "possible-call", 17),
        ("use.run", "use.b", "possible-call", 18),
    } <= possible(said)
    assert ("use.run", "deco.logged.wrapper", "call", 17) in said.edges
    assert not any(edge[1] == "use.c" for edge in possible(said))


def test_a_call_over_a_base_class_may_enter_each_of_the_methods_that_replace_it(
    tmp_path: Path,
) -> None:
    files = {
        "m.py": "class Base:\n    def go(self): raise NotImplementedError\n\n\nclass A(Base):\n    def go(self): return 1\n\n\n"
        "class B(Base):\n    def go(self): return 2\n\n\ndef run(x: Base):\n    x.go()\n",
        "tests/test_m.py": "from m import Base\n\n\nclass Fake(Base):\n    def go(self): return 3\n",
    }
    said = say(tmp_path, files, "symbol")
    assert not any(edge[0] == "m.run" and edge[2] == "call" for edge in said.edges)
    assert {edge[1] for edge in possible(said) if edge[0] == "m.run"} == {"m.A.go", "m.B.go"}


def test_code_has_no_certain_edge_to_a_double_of_its_tests(tmp_path: Path) -> None:
    files = {
        "m.py": "class Base:\n    def go(self): raise NotImplementedError\n\n\ndef run(x: Base):\n    x.go()\n",
        "tests/test_m.py": "from m import Base, run\n\n\nclass Fake(Base):\n    def go(self): return 3\n\n\ndef test_it():\n    run(Fake())\n",
    }
    said = say(tmp_path, files, "symbol")
    assert not any(edge[0].startswith("m") and "Fake" in edge[1] for edge in said.edges)


def test_a_function_that_is_handed_over_may_be_called(tmp_path: Path) -> None:
    files = {
        "m.py": "def run(a): return 1\n\n\ndef main(parser):\n    parser.set_defaults(func=run)\n"
    }
    assert possible(say(tmp_path, files, "symbol")) == {("m.main", "m.run", "possible-call", 5)}


def test_a_method_of_an_unknown_object_may_be_one_of_the_few_that_are_called_so(
    tmp_path: Path,
) -> None:
    files = {
        "m.py": "class A:\n    def settle(self): return 1\n    def get(self): return 1\n\n\ndef run(x):\n    x.settle()\n    x.get()\n"
    }
    assert possible(say(tmp_path, files, "symbol")) == {("m.run", "m.A.settle", "possible-call", 7)}


def test_what_is_called_outside_of_the_sources_is_a_node_of_its_own(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "requests==2.31.0\n",
        "m.py": "import os.path\nimport requests\nfrom json import dumps as d\n\n\ndef run():\n    requests.get('x')\n    d(1)\n    os.path.join('a')\n    print(1)\n",
    }
    said = say(tmp_path, files, "symbol")
    assert possible(said) == {
        ("m.run", "requests.get", "call-outside", 7),
        ("m.run", "json.dumps", "call-outside", 8),
        ("m.run", "os.path.join", "call-outside", 9),
    }
    nodes = said.nodes("Entity")
    assert (
        nodes["requests.get"]["attrs"]["kind"] == "external-symbol"
        and nodes["requests.get"]["qualifier"] == "pypi"
    )
    assert nodes["json.dumps"]["attrs"]["standard_library"] is True


def test_a_test_says_which_functions_it_calls(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/cart.py": "def add(): return 1\n\n\nclass Cart: pass\n",
        "tests/test_cart.py": "from shop.cart import Cart, add\n\n\ndef helper(): return 1\n\n\ndef test_adds():\n    helper()\n    assert add() == 1\n    Cart()\n",
    }
    said = say(tmp_path, files, "symbol")
    payload = said.payloads["tests/test_cart.py"]
    names = {node.get("id", node["name"]): node["name"] for node in payload["nodes"]}
    tested = {
        (names[edge["target"]], edge["attrs"]["test"], edge["quote"])
        for edge in payload["edges"]
        if edge["predicate"] == "EVALUATES" and edge.get("attrs")
    }
    assert tested == {
        ("shop.cart.add", "tests.test_cart.test_adds", "add()"),
        ("shop.cart.Cart", "tests.test_cart.test_adds", "Cart()"),
    }
    assert edges_of(payload)


def test_a_package_beside_a_module_of_its_name_is_what_is_imported(tmp_path: Path) -> None:
    files = {
        "p/__init__.py": "",
        "p/d.py": "X = 1\n",
        "p/d/__init__.py": "",
        "p/d/inner.py": "",
        "p/use.py": "from p.d import inner\n",
    }
    assert say(tmp_path, files).edges == {("p.use", "p.d.inner", "import", 1)}


def test_a_script_in_a_package_imports_its_sibling_where_the_name_can_be_nothing_else(
    tmp_path: Path,
) -> None:
    files = {
        "s/__init__.py": "",
        "s/run.py": "import aid\nimport json\nimport requests\n",
        "s/aid.py": "",
        "s/json.py": "",
        "s/requests.py": "",
        "requirements.txt": "requests\n",
    }
    assert say(tmp_path, files).edges == {
        ("s.run", "s.aid", "import", 1),
        ("s.run", "json", "import", 2),
        ("s.run", "requests", "import", 3),
    }


def test_a_name_that_is_imported_from_one_of_two_modules_may_be_either(tmp_path: Path) -> None:
    files = {
        "a.py": "def go(): return 1\n",
        "b.py": "def go(): return 2\n",
        "m.py": "try:\n    from a import go\nexcept ImportError:\n    from b import go\n\n\ndef run():\n    go()\n",
    }
    assert possible(say(tmp_path, files, "symbol")) == {
        ("m.run", "a.go", "possible-call", 8),
        ("m.run", "b.go", "possible-call", 8),
    }


def test_a_base_from_outside_before_a_base_of_the_project_leaves_its_methods_possible(
    tmp_path: Path,
) -> None:
    files = {
        "m.py": "import threading\n\n\nclass Base:\n    def x(self): return 1\n\n\nclass T(threading.Thread, Base):\n    def run(self):\n        self.x()\n"
    }
    assert possible(say(tmp_path, files, "symbol")) == {
        ("m.T.run", "m.Base.x", "possible-call", 10)
    }
