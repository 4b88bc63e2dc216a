"""Who calls whom in Java: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_java")

Case = tuple[dict[str, str], set[tuple[str, str, str]], set[str]]
BASE = """package a;

public class Base {
    protected Item item = new Item();
    public void hello() { helper(); }
    private void helper() {}
    public void over() {}
    public static Base make() { return new Base(); }
    public static class Nested { void deep() {} static Nested of() { return null; } }
}
"""
ITEM = "package a;\n\npublic class Item { public Item() {} public void name() {} }\n"
SEEN_IN_BASE = {
    ("a.Base", "a.Item", "instantiates"),
    ("a.Base", "a.Item.Item", "call"),
    ("a.Base.hello", "a.Base.helper", "call"),
    ("a.Base.make", "a.Base", "instantiates"),
}


def _in_b(body: str, head: str = "", extends: str = "") -> dict[str, str]:
    return {
        "src/a/Base.java": BASE,
        "src/a/Item.java": ITEM,
        "src/b/Sub.java": f"package b;\n\nimport a.Base;\n{head}\npublic class Sub {extends} {{\n{body}\n}}\n",
    }


CASES: dict[str, Case] = {
    "static methods, results, and classes inside classes": (
        _in_b("void f() { Base.make().hello(); Base.Nested.of().deep(); a.Base.make(); }"),
        {
            ("b.Sub.f", f"a.Base.{name}", "call")
            for name in ("make", "hello", "Nested.of", "Nested.deep")
        },
        set(),
    ),
    "static imports, by name and all": (
        _in_b(
            "void f() { make(); of(); }",
            "import static a.Base.make;\nimport static a.Base.Nested.*;",
        ),
        {("b.Sub.f", "a.Base.make", "call"), ("b.Sub.f", "a.Base.Nested.of", "call")},
        set(),
    ),
    "inherited methods and fields, this and super": (
        _in_b(
            "Sub() { super(); }\nvoid f() { hello(); this.item.name(); item.name(); super.over(); }",
            "",
            "extends Base",
        ),
        {
            ("b.Sub", "a.Base", "inherits"),
            ("b.Sub.f", "a.Base.hello", "call"),
            ("b.Sub.f", "a.Item.name", "call"),
            ("b.Sub.f", "a.Base.over", "call"),
        },
        set(),
    ),
    "a method that a class below replaces may be either, unless it is known what was made": (
        _in_b(
            "public void over() {}\nvoid f(Base b) { b.over(); new Sub().over(); final Base c = new Base(); c.over(); b.hello(); }",
            "",
            "extends Base",
        ),
        {
            ("b.Sub", "a.Base", "inherits"),
            ("b.Sub.f", "b.Sub.over", "call"),
            ("b.Sub.f", "a.Base.over", "call"),
            ("b.Sub.f", "a.Base.hello", "call"),
            ("b.Sub.f", "b.Sub", "instantiates"),
            ("b.Sub.f", "a.Base", "instantiates"),
        },
        {"b.over"},
    ),
    "a class without a name replaces methods as well": (
        _in_b("void f(Base b) { b.over(); Base n = new Base() { public void over() {} }; }"),
        set(),
        {"b.over"},
    ),
    "locals of declared and inferred type, loops, patterns and casts": (
        _in_b(
            "void f(Object o, java.util.Map<String, Base> m, Base... all) {\nvar b = Base.make(); b.hello();\n"
            'for (Base x : all) x.item.name();\nm.get("a").hello();\nfor (var y : m.values()) y.hello();\n'
            "if (o instanceof Base p) p.hello();\n((Base) o).hello();\n}"
        ),
        {
            ("b.Sub.f", "a.Base.make", "call"),
            ("b.Sub.f", "a.Base.hello", "call"),
            ("b.Sub.f", "a.Item.name", "call"),
        },
        set(),
    ),
    "an interface that one class implements, and one that a lambda may": (
        {
            "src/a/I.java": "package a;\n\ninterface I { void one(); void two(); default void three() { one(); } }\n"
            "interface F { void only(); }\nclass C implements I, F { public void one() {} public void two() {} public void only() {} }\n",
            "src/a/U.java": "package a;\n\nclass U { void f(I i, F f) { i.one(); i.three(); f.only(); } }\n",
        },
        {
            ("a.C", "a.I", "inherits"),
            ("a.C", "a.F", "inherits"),
            ("a.U.f", "a.C.one", "call"),
            ("a.U.f", "a.I.three", "call"),
            ("a.I.three", "a.C.one", "call"),
        },
        {"f.only"},
    ),
    "overloads by the number of their arguments": (
        {
            "src/a/A.java": "package a;\n\nclass A { void m() {} }\n",
            "src/a/B.java": "package a;\n\nclass B extends A { void m(int x) {} void f() { m(); m(1); } void v(String s, int... n) {} }\n",
        },
        {("a.B", "a.A", "inherits"), ("a.B.f", "a.A.m", "call"), ("a.B.f", "a.B.m", "call")},
        set(),
    ),
    "the innermost class decides, then those around it": (
        {
            "src/a/A.java": "package a;\n\nclass A {\n void out() {}\n void both() {}\n class In { void both() {} void f() { out(); both(); "
            "A.this.both(); } }\n void g() { Runnable r = () -> both(); }\n}\n"
        },
        {
            ("a.A.In.f", "a.A.out", "call"),
            ("a.A.In.f", "a.A.In.both", "call"),
            ("a.A.In.f", "a.A.both", "call"),
            ("a.A.g", "a.A.both", "call"),
        },
        set(),
    ),
    "constructors call each other, enums make their constants, records have accessors": (
        {
            "src/a/A.java": "package a;\n\nclass A {\n A() { this(1); }\n A(int x) {}\n void f(R r) { r.b().g(); E.X.go(); }\n"
            " enum E { X(1); E(int n) {} void go() {} }\n record R(B b) {}\n}\nclass B { void g() {} }\n"
        },
        {("a.A.f", "a.B.g", "call"), ("a.A.f", "a.A.E.go", "call"), ("a.A.E", "a.A.E.E", "call")},
        set(),
    ),
    "a local name hides a field, and a type parameter a type": (
        {
            "src/a/A.java": "package a;\n\nclass A {\n B b;\n void f() { b.g(); { C b = null; b.g(); } }\n <B> void h(B x) { x.g(); }\n}\n"
            "class B { void g() {} }\nclass C { void g() {} }\n"
        },
        {("a.A.f", "a.B.g", "call"), ("a.A.f", "a.C.g", "call")},
        {"x.g"},
    ),
    "an inherited field comes before one of the class around, and a final field is what was made": (
        {
            "src/a/A.java": "package a;\n\nclass A {\n B x;\n static class In extends Up { void f() { x.g(); } }\n}\nclass Up { C x; }\n"
            "class B { void g() {} }\nclass C { void g() {} }\n",
            "src/a/F.java": "package a;\n\ninterface I { void m(); void n(); }\nclass One implements I { public void m() {} public void n() {} }\n"
            "class Two implements I { public void m() {} public void n() {} }\n"
            "class F { private final I i = new One(); I j = new Two(); void f() { i.m(); j.n(); } }\n",
        },
        {
            ("a.A.In", "a.Up", "inherits"),
            ("a.A.In.f", "a.C.g", "call"),
            ("a.One", "a.I", "inherits"),
            ("a.Two", "a.I", "inherits"),
            ("a.F.f", "a.One.m", "call"),
            ("a.F", "a.One", "instantiates"),
            ("a.F", "a.Two", "instantiates"),
        },
        {"j.n"},
    ),
    "what may come from a base outside is not claimed": (
        {
            "src/a/A.java": "package a;\n\nimport x.Ext;\n\nclass A extends Ext { void f() { run(); own(); } void own() {} }\n"
            "class O { void run() {} class I extends x.Far { void f() { run(); } } }\n"
        },
        {("a.A.f", "a.A.own", "call")},
        {"run"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_enters_what_its_types_say(name: str, tmp_path: Path) -> None:
    files, expected, open_calls = CASES[name]
    said = say(tmp_path, files, "symbol")
    found = {
        (one, other, kind) for one, other, kind, _ in said.edges if not kind.startswith("import")
    }
    assert found - SEEN_IN_BASE == expected - SEEN_IN_BASE
    assert {
        loose.name for loose in said.unresolved if loose.reason.startswith("call")
    } == open_calls


def test_a_package_and_a_class_that_differ_in_case_are_two_things(tmp_path: Path) -> None:
    files = {
        "src/a/cart/X.java": "package a.cart;\nclass X {}\n",
        "src/a/Cart.java": "package a;\nimport a.cart.X;\nclass Cart {}\n",
    }
    nodes = {
        (node["name"], node.get("qualifier", ""))
        for payload in say(tmp_path, files).payloads.values()
        for node in payload["nodes"]
        if node["name"].casefold() == "a.cart"
    }
    assert nodes == {("a.cart", ""), ("a.Cart", "class")}


def test_methods_of_a_class_without_a_name_are_no_symbols(tmp_path: Path) -> None:
    text = "package a;\nclass A { Runnable r = new Runnable() { public void run() { f(); } }; void f() {} }\n"
    said = say(tmp_path, {"src/a/A.java": text}, "symbol")
    assert "a.A.run" not in said.nodes("Entity")
    assert ("a.A", "a.A.f", "call", 2) in said.edges
