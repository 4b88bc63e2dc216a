"""Which function a Python call enters: one small module a rule. Only what is certain is an edge."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

CASES = {
    "a function of the module": ("def g(): pass\ndef f(): g()\n", {("m.f", "m.g")}),
    "the module itself calls": ("def g(): pass\ng()\n", {("m", "m.g")}),
    "a nested function": ("def f():\n    def g(): pass\n    g()\n", {("m.f", "m.f.g")}),
    "a name bound to a function": (
        "def g(): pass\ndef f():\n    h = g\n    h()\n",
        {("m.f", "m.g")},
    ),
    "unpacked names": (
        "def g(): pass\ndef h(): pass\na, (b, c) = g, (h, g)\nb()\n",
        {("m", "m.h")},
    ),
    "a shadowed name is not the function": ("def g(): pass\ndef f(g): g()\n", set()),
    "a method through self": (
        "class A:\n    def f(self): self.g()\n    def g(self): pass\n",
        {("m.A.f", "m.A.g")},
    ),
    "a method through an object": (
        "class A:\n    def g(self): pass\ndef f():\n    a = A()\n    a.g()\n",
        {("m.f", "m.A.g")},
    ),
    "a constructor": (
        "class A:\n    def __init__(self): pass\ndef f(): A()\n",
        {("m.f", "m.A.__init__")},
    ),
    "an inherited method": (
        "class A:\n    def g(self): pass\nclass B(A): pass\nB().g()\n",
        {("m", "m.A.g")},
    ),
    "the first of two bases": (
        "class A:\n    def g(self): pass\nclass B:\n    def g(self): pass\nclass C(A, B): pass\nC().g()\n",
        {("m", "m.A.g")},
    ),
    "a diamond": (
        "class A:\n    def g(self): pass\nclass B(A): pass\nclass C(A):\n    def g(self): pass\nclass D(B, C): pass\nD().g()\n",
        {("m", "m.C.g")},
    ),
    "super": (
        "class A:\n    def g(self): pass\nclass B(A):\n    def g(self): super().g()\n",
        {("m.B.g", "m.A.g")},
    ),
    "a method that the made object's class replaces": (
        "class A:\n    def f(self): self.g()\n    def g(self): pass\nclass B(A):\n    def g(self): pass\nB().f()\n",
        {("m", "m.A.f"), ("m.A.f", "m.B.g")},
    ),
    "an abstract method with one maker": (
        "class A:\n    def f(self): self.g()\n    def g(self): raise NotImplementedError\nclass B(A):\n    def g(self): pass\n",
        {("m.A.f", "m.B.g")},
    ),
    "a declared type that nothing below replaces": (
        "class A:\n    def g(self): pass\ndef f(a: 'A | None'): a.g()\n",
        {("m.f", "m.A.g")},
    ),
    "a declared type that something replaces says nothing": (
        "class A:\n    def g(self): pass\nclass B(A):\n    def g(self): pass\ndef f(a: A): a.g()\n",
        set(),
    ),
    "a type of another kind says nothing": (
        "class A:\n    def upper(self): pass\ndef f(a: str): a.upper()\nf(A())\n",
        {("m", "m.f")},
    ),
    "a test rules a class out": (
        "class A:\n    def g(self): pass\nclass B:\n    def g(self): pass\nx = A() if 1 else B()\nif isinstance(x, A):\n    x.g()\n",
        {("m", "m.A.g")},
    ),
    "a class attribute": (
        "def g(): pass\nclass A:\n    run = staticmethod(g)\nA.run()\n",
        {("m", "m.g")},
    ),
    "an object's attribute": (
        "class B:\n    def g(self): pass\nclass A:\n    def __init__(self): self.b = B()\n    def f(self): self.b.g()\n",
        {("m.A.f", "m.B.g")},
    ),
    "class and static methods": (
        "class A:\n    @staticmethod\n    def s(): pass\n    @classmethod\n    def c(cls): cls.s()\nA.c()\n",
        {("m", "m.A.c"), ("m.A.c", "m.A.s")},
    ),
    "a property": ("class A:\n    @property\n    def p(self): pass\nA().p\n", {("m", "m.A.p")}),
    "a decorator that wraps": (
        "import functools\ndef d(f):\n    @functools.wraps(f)\n    def w(*a): return f(*a)\n    return w\n@d\ndef g(): pass\ng()\n",
        {("m", "m.d"), ("m", "m.d.w"), ("m.d.w", "m.g")},
    ),
    "a decorator that hands back": (
        "def d(f): return f\n@d\ndef g(): pass\ng()\n",
        {("m", "m.d"), ("m", "m.g")},
    ),
    "a decorator from outside": (
        "import click\n@click.command()\ndef g(): pass\ng()\n",
        {("m", "m.g")},
    ),
    "a function given as an argument": (
        "def g(): pass\ndef f(h): h()\nf(g)\n",
        {("m", "m.f"), ("m.f", "m.g")},
    ),
    "a keyword and a default": (
        "def g(): pass\ndef h(): pass\ndef f(a=g, *, b):\n    a()\n    b()\nf(b=h)\n",
        {("m", "m.f"), ("m.f", "m.g"), ("m.f", "m.h")},
    ),
    "a function handed back": (
        "def g(): pass\ndef f(): return g\nf()()\n",
        {("m", "m.f"), ("m", "m.g")},
    ),
    "each caller gets its own back": (
        "def g(): pass\ndef h(): pass\ndef same(f): return f\ndef a(): same(g)()\ndef b(): same(h)()\n",
        {("m.a", "m.same"), ("m.a", "m.g"), ("m.b", "m.same"), ("m.b", "m.h")},
    ),
    "a list, a dictionary and their loops": (
        "def g(): pass\ndef h(): pass\nd = {'g': g, 'h': h}\nd['h']()\ndef f():\n    for x in [g]: x()\n",
        {("m", "m.h"), ("m.f", "m.g")},
    ),
    "a key that is not known says nothing": (
        "def g(): pass\ndef h(): pass\nd = {'g': g, 'h': h}\ndef f(k): d[k]()\n",
        set(),
    ),
    "a generator's values": (
        "def g(): pass\ndef y():\n    yield g\nfor x in y(): x()\n",
        {("m", "m.y"), ("m", "m.g")},
    ),
    "what map calls": ("def g(x): pass\nlist(map(g, [1]))\n", {("m", "m.g")}),
    "a partial": (
        "import functools\ndef g(x): pass\np = functools.partial(g, 1)\np()\n",
        {("m", "m.g")},
    ),
    "a lambda's body is its writer's": (
        "def g(): pass\ndef f(): return lambda: g()\n",
        {("m.f", "m.g")},
    ),
    "a context manager": (
        "class A:\n    def __enter__(self): return self\n    def __exit__(self, *a): pass\n    def g(self): pass\nwith A() as a: a.g()\n",
        {("m", "m.A.__enter__"), ("m", "m.A.__exit__"), ("m", "m.A.g")},
    ),
    "an operator": (
        "class A:\n    def __add__(self, o): pass\nA() + A()\n",
        {("m", "m.A.__add__")},
    ),
    "awaiting": ("async def g(): pass\nasync def f(): await g()\n", {("m.f", "m.g")}),
    "a global that a function sets": (
        "h = None\ndef g(): pass\ndef s():\n    global h\n    h = g\ndef f(): h()\n",
        {("m.f", "m.g")},
    ),
    "a base from outside hides what stands behind it": (
        "import x\nclass A:\n    def g(self): pass\nclass B(x.Y, A): pass\nB().g()\n",
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_enters_the_function_that_python_would_enter(name: str, tmp_path: Path) -> None:
    text, expected = CASES[name]
    found = {
        (source, target)
        for source, target, kind, _ in say(tmp_path, {"m.py": text}, "symbol").edges
        if kind == "call"
    }
    assert found == expected


def test_calls_go_through_imports_aliases_and_re_exports(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "from .service import handle\nfrom .star import *\n",
        "pkg/service.py": "def handle(): pass\n",
        "pkg/star.py": "__all__ = ['starred']\ndef starred(): pass\n",
        "other/__init__.py": "",
        "other/service.py": "def handle(): pass\n",
        "main.py": "import pkg\nimport pkg.service as s\nfrom other import service as o\nfrom other.service import handle as h\n"
        "def a(): pkg.handle()\ndef b(): s.handle()\ndef c(): o.handle()\ndef d(): h()\ndef e(): pkg.starred()\n"
        "def f():\n    from pkg.service import handle\n    handle()\n",
    }
    found = {
        (source, target)
        for source, target, kind, _ in say(tmp_path, files, "symbol").edges
        if kind == "call"
    }
    assert found == {
        ("main.a", "pkg.service.handle"),
        ("main.b", "pkg.service.handle"),
        ("main.c", "other.service.handle"),
        ("main.d", "other.service.handle"),
        ("main.e", "pkg.star.starred"),
        ("main.f", "pkg.service.handle"),
    }


def test_symbols_lie_below_what_holds_them_and_say_their_docstrings_first_sentence(
    tmp_path: Path,
) -> None:
    said = say(
        tmp_path,
        {
            "a/__init__.py": "",
            "a/m.py": 'class C:\n    """A thing. More."""\n    def f(self): pass\ndef handle(): pass\n',
            "a/n.py": "def handle(): pass\n",
        },
        "symbol",
    )
    assert {
        ("a.m", "a.m.C"),
        ("a.m.C", "a.m.C.f"),
        ("a.m", "a.m.handle"),
        ("a.n", "a.n.handle"),
    } <= said.links("PARENT_OF")
    entities = said.nodes("Entity")
    assert entities["a.m.C"]["description"] == "A thing."
    assert "description" not in entities["a.m.C.f"]
    assert (entities["a.m.C"]["attrs"]["kind"], entities["a.m.handle"]["attrs"]["kind"]) == (
        "class",
        "function",
    )


def test_without_the_level_there_are_modules_only(tmp_path: Path) -> None:
    assert say(tmp_path, {"m.py": "def g(): pass\ng()\n"}).edges == set()
    assert set(say(tmp_path, {"m.py": "def g(): pass\n"}).nodes("Entity")) == {"m"}


UNCERTAIN = {
    "what a decorator of the run gives back unknown": (
        "def d(f): return table[f]\n@d\ndef g(): pass\ng()\n",
        {("m", "m.d")},
        ("m.py", 4, "g"),
    ),
    "an argument that several functions hand over": (
        "def a(): pass\ndef b(): pass\ndef run(h): h()\ndef f(): run(a)\ndef g(): run(b)\n",
        {("m.f", "m.run"), ("m.g", "m.run")},
        ("m.py", 3, "h"),
    ),
    "an argument of which one caller is not known": (
        "def a(): pass\ndef run(h): h()\nrun(a)\ndef f(x): run(x.y)\n",
        {("m", "m.run"), ("m.f", "m.run")},
        ("m.py", 2, "h"),
    ),
    "a default that no call falls back to": (
        "def a(): pass\ndef run(h=a): h()\n",
        set(),
        ("m.py", 2, "h"),
    ),
    "an argument that is filled in where it was left out": (
        "def a(): pass\ndef run(h=None):\n    if h is None:\n        h = a\n    h()\n",
        set(),
        ("m.py", 5, "h"),
    ),
    "an attribute that takes such an argument": (
        "def a(): pass\nclass C:\n    def __init__(self, h=None):\n        if h is None:\n            h = a\n        self.h = h\n    def f(self): self.h()\n",
        set(),
        ("m.py", 7, "self.h"),
    ),
    "a function that another definition of the module replaces": (
        "import os\nif os.name == 'nt':\n    def g(): pass\nelse:\n    from n import g\ndef f(): g()\n",
        set(),
        ("m.py", 6, "g"),
    ),
    "a method that another is put in the place of": (
        "class A:\n    def f(self): self.g()\n    def g(self): pass\n    def h(self): pass\n    def swap(self): A.g = A.h\n",
        set(),
        ("m.py", 2, "self.g"),
    ),
    "a __new__ behind a decorator that is not known": (
        "def d(f): return table[f]\nclass A:\n    @d\n    def __new__(cls): pass\nA()\nx.y()\n",
        {("m.A", "m.d")},
        ("m.py", 6, "x.y"),
    ),
    "a default that is not known": (
        "import x\ndef a(): pass\ndef run(h=x.y()[0]):\n    h()\nrun(a)\nrun()\n",
        {("m", "m.run")},
        ("m.py", 4, "h"),
    ),
    "a property beside a plain attribute": (
        "class A:\n    name = ''\nclass B(A):\n    @property\n    def name(self): pass\n    def make(self): pass\n"
        "def f(x):\n    a = A() if x else B()\n    a.name\n    a.y.z()\n",
        set(),
        ("m.py", 10, "a.y.z"),
    ),
    "more functions than can be told apart": (
        "def a(): pass\ndef b(): pass\ndef c(): pass\ndef f(x):\n    h = a\n    if x: h = b\n    if x: h = c\n    h()\n",
        set(),
        ("m.py", 8, "h"),
    ),
    "a name that may be something unknown": (
        "def a(): pass\ndef f(x):\n    h = a\n    if x:\n        h = x.y\n    h()\n",
        set(),
        ("m.py", 6, "h"),
    ),
}


@pytest.mark.parametrize("name", UNCERTAIN)
def test_no_edge_is_drawn_and_the_call_is_listed_for(name: str, tmp_path: Path) -> None:
    text, expected, listed = UNCERTAIN[name]
    said = say(tmp_path, {"m.py": text, "n.py": "def g(): pass\n"}, "symbol")
    assert {(one, other) for one, other, kind, _ in said.edges if kind == "call"} == expected
    assert listed in {(loose.uri, loose.line, loose.name) for loose in said.unresolved}


def test_a_default_is_called_where_a_call_leaves_the_argument_out(tmp_path: Path) -> None:
    said = say(tmp_path, {"m.py": "def a(): pass\ndef run(h=a): h()\nrun()\n"}, "symbol")
    assert ("m.run", "m.a", "call", 2) in said.edges


def test_self_is_of_no_class_that_replaces_the_very_method(tmp_path: Path) -> None:
    base = "class A:\n    def f(self): self.g()\n    def g(self): pass\n"
    other = "class B(A):\n    def f(self): {}\n    def g(self): pass\n"
    said = say(tmp_path / "apart", {"m.py": base + other.format("pass")}, "symbol")
    assert ("m.A.f", "m.A.g", "call", 2) in said.edges
    said = say(tmp_path / "through", {"m.py": base + other.format("super().f()")}, "symbol")
    assert not any(one == "m.A.f" for one, _, kind, _ in said.edges if kind == "call")


def test_names_that_differ_in_case_alone_are_two(tmp_path: Path) -> None:
    said = say(
        tmp_path,
        {"m.py": "class Item: pass\ndef item(): Item()\ndef ITEM(): item()\ndef f(): item()\n"},
        "symbol",
    )
    (payload,) = said.payloads.values()
    nodes = {node.get("id", node["name"]): node["name"] for node in payload["nodes"]}
    assert sorted(name for name in nodes.values() if name.lower() == "m.item") == [
        "m.ITEM",
        "m.Item",
        "m.item",
    ]
    calls = {
        (nodes[edge["source"]], nodes[edge["target"]], edge["kind"])
        for edge in payload["edges"]
        if edge["predicate"] == "DEPENDS_ON"
    }
    assert calls == {
        ("m.item", "m.Item", "instantiates"),
        ("m.ITEM", "m.item", "call"),
        ("m.f", "m.item", "call"),
    }
