"""Who calls whom in Rust: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_rust")

Case = tuple[dict[str, str], set[tuple[str, str, str]], set[str]]
CARGO = '[package]\nname = "s"\n[dependencies]\nserde = "1"\nother = { path = "other" }\n'
ITEM = "pub struct Item;\nimpl Item {\n    pub fn new() -> Option<Self> { None }\n    pub fn deep(&self) {}\n}\n"
CASES: dict[str, Case] = {
    "paths by crate, self, super and use, renamed and re-exported": (
        {
            "src/lib.rs": "pub mod a;\nmod b;\npub use b::far as near;\nfn top() { a::go(); crate::b::far(); near(); self::a::go(); }\n",
            "src/a.rs": "use super::b::{self, far as f};\nuse crate::near;\npub fn go() { f(); b::far(); near(); super::b::far(); }\n",
            "src/b.rs": "pub fn far() {}\n",
        },
        {
            ("s::top", "s::a::go", "call"),
            ("s::top", "s::b::far", "call"),
            ("s::a::go", "s::b::far", "call"),
        },
        set(),
    ),
    "globs, inline modules and tests": (
        {
            "src/lib.rs": "mod x { pub fn one() {} pub mod y { use super::*; pub fn two() { one(); } } }\nuse x::y::*;\nfn f() { two(); }\n"
            "#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn t() { assert_eq!(f(), ()); }\n}\n"
        },
        {
            ("s::x::y::two", "s::x::one", "call"),
            ("s::f", "s::x::y::two", "call"),
            ("s::tests::t", "s::f", "call"),
        },
        set(),
    ),
    "a crate of the checkout": (
        {
            "src/lib.rs": "use other::Far;\nfn f() { other::run(); Far::make().go(); }\n",
            "other/Cargo.toml": '[package]\nname = "other"\n',
            "other/src/lib.rs": "pub fn run() {}\npub struct Far;\nimpl Far { pub fn make() -> Self { Far } pub fn go(&self) {} }\n",
        },
        {
            ("s::f", "other::run", "call"),
            ("s::f", "other::Far::make", "call"),
            ("s::f", "other::Far::go", "call"),
        },
        set(),
    ),
    "methods by annotation, constructor, field, element, pattern and pointer": (
        {
            "src/lib.rs": ITEM + "use std::sync::Arc;\nuse std::collections::HashMap;\n"
            "struct C { items: Vec<Item>, by: HashMap<String, Arc<Item>>, one: Box<Item> }\n"
            'impl C {\n fn a(&self) { for i in &self.items { i.deep(); } }\n fn b(&self) { if let Some(x) = self.by.get("a") { x.deep(); } }\n'
            " fn c(&self) { self.one.deep(); }\n fn d(&self) { self.items.first().unwrap().deep(); }\n"
            " fn e() { match Item::new() { Some(i) => i.deep(), None => {} } }\n fn f(x: &mut Item) { let y = x; y.deep(); }\n"
            " fn g(&self) { for (_, i) in self.items.iter().enumerate() { i.deep(); } }\n fn h() { Self::e(); let Some(z) = Item::new() else { return }; z.deep(); }\n}\n"
        },
        {(f"s::C::{name}", "s::Item::deep", "call") for name in "abcdefgh"}
        | {
            ("s::C::e", "s::Item::new", "call"),
            ("s::C::h", "s::Item::new", "call"),
            ("s::C::h", "s::C::e", "call"),
        },
        set(),
    ),
    "a trait's own method, unless a type replaces it": (
        {
            "src/lib.rs": "trait T { fn a(&self) {} fn b(&self) {} fn c(&self); }\nstruct X;\nstruct Y;\n"
            "impl T for X { fn b(&self) {} fn c(&self) {} }\nimpl T for Y { fn c(&self) {} }\n"
            "fn f(x: X, y: Y, d: &dyn T) { x.a(); x.b(); y.b(); d.a(); d.b(); d.c(); }\nfn g<G: T>(v: G) { v.a(); v.c(); }\n"
        },
        {
            ("s::X", "s::T", "inherits"),
            ("s::Y", "s::T", "inherits"),
            ("s::f", "s::T::a", "call"),
            ("s::f", "s::X::b", "call"),
            ("s::f", "s::T::b", "call"),
            ("s::g", "s::T::a", "call"),
        },
        {"d.b", "d.c", "v.c"},
    ),
    "an implementation in another module": (
        {
            "src/lib.rs": "mod m;\npub struct X;\nfn f() { X.go(); X::make(); }\n",
            "src/m.rs": "use crate::X;\npub trait Go { fn go(&self); }\nimpl Go for X { fn go(&self) {} }\nimpl X { pub fn make() {} }\n",
        },
        {
            ("s::X", "s::m::Go", "inherits"),
            ("s::f", "s::m::X::make", "call"),
            ("s::f", "s::m::X::go", "call"),
        },
        set(),
    ),
    "variants are no functions, and a shadowed name is another": (
        {
            "src/lib.rs": ITEM
            + "enum K { A(Item), B }\nimpl K { fn of(&self) {} }\nstruct O;\nimpl O { fn deep(&self) {} }\n"
            "fn f(x: Item) { K::A(x).of(); let x = O; x.deep(); { let x = K::B; x.of(); } x.deep(); }\n"
        },
        {("s::f", "s::K::of", "call"), ("s::f", "s::O::deep", "call")},
        set(),
    ),
    "what a condition binds does not hold in its else": (
        {
            "src/lib.rs": ITEM
            + "struct O;\nimpl O { fn deep(&self) {} fn get(&self) -> Option<Item> { None } }\n"
            "fn f(x: O) { if let Some(x) = x.get() { x.deep(); } else { x.deep(); } }\n"
        },
        {
            ("s::f", "s::O::get", "call"),
            ("s::f", "s::Item::deep", "call"),
            ("s::f", "s::O::deep", "call"),
        },
        set(),
    ),
    "arguments of the usual macros are read, those of others are not": (
        {
            "src/lib.rs": 'fn g() -> i32 { 1 }\nfn f() { println!("{} {}", g(), 2); }\nfn h() { own!(g()); }\n'
        },
        {("s::f", "s::g", "call")},
        set(),
    ),
    "what is unknown is listed, what is outside is not": (
        {
            "src/lib.rs": ITEM
            + "fn f(v: Vec<String>) { v.len(); serde::x(); gone(); let c = |i| i.deep(); String::new(); }\n"
        },
        set(),
        {"gone", "i.deep"},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_enters_what_paths_and_types_say(name: str, tmp_path: Path) -> None:
    files, expected, open_calls = CASES[name]
    said = say(tmp_path, {"Cargo.toml": CARGO} | files, "symbol")
    found = {
        (one, other, kind) for one, other, kind, _ in said.edges if not kind.startswith("import")
    }
    assert found == expected
    assert {loose.name for loose in said.unresolved} == open_calls


def test_a_module_and_a_type_that_differ_in_case_are_two_things(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "mod net;\npub struct Net;\n",
        "src/net.rs": "pub fn x() {}\n",
    }
    nodes = {
        (node["name"], node.get("qualifier", ""))
        for payload in say(tmp_path, files, "symbol").payloads.values()
        for node in payload["nodes"]
        if node["name"].casefold() == "s::net"
    }
    assert nodes == {("s::net", ""), ("s::Net", "class")}


def test_a_method_stands_below_its_type(tmp_path: Path) -> None:
    said = say(tmp_path, {"Cargo.toml": CARGO, "src/lib.rs": ITEM}, "symbol")
    assert ("s::Item", "s::Item::deep") in said.links("PARENT_OF")
