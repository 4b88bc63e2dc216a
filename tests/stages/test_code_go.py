"""Who calls whom in Go: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_go")

MOD = "module e.com/m\n"
STORE = """package store

type Base struct{}

func (b *Base) Hello() {}

type Item struct{}

func (i Item) Name() string { return "" }

type Store struct {
	*Base
	items map[string][]*Item
}

func New() (*Store, error) { return &Store{}, nil }
func Must(s *Store, err error) *Store { return s }
func (s *Store) All() []*Item { return s.items["a"] }
"""
CASES: dict[str, tuple[dict[str, str], set[tuple[str, str, str]], set[str]]] = {
    "functions of other files of the package, and of other packages": (
        {
            "a.go": 'package m\n\nimport st "e.com/m/store"\n\nfunc A() { b(); st.New() }\n',
            "b.go": "package m\n\nfunc b() { c() }\nfunc c() {}\n",
            "store/s.go": STORE,
        },
        {
            ("m.A", "m.b", "call"),
            ("m.b", "m.c", "call"),
            ("m.A", "m/store.New", "call"),
            ("m/store.Store", "m/store.Base", "inherits"),
        },
        set(),
    ),
    "methods by receiver, constructor, field, element, loop, assertion and embedding": (
        {
            "store/s.go": STORE.replace("return &Store{}, nil", "return nil, nil"),
            "store/u.go": """package store

var shared = Must(New())

func use(x any) {
	s, _ := New()
	s.All()
	s.Hello()
	for _, it := range s.All() {
		it.Name()
	}
	if it, ok := x.(*Item); ok {
		it.Name()
	}
	switch v := x.(type) {
	case *Store:
		v.All()
	}
	(&Store{}).All()
	shared.All()
}
""",
        },
        {
            ("m/store.use", "m/store.New", "call"),
            ("m/store.use", "m/store.Store.All", "call"),
            ("m/store.use", "m/store.Base.Hello", "call"),
            ("m/store.use", "m/store.Item.Name", "call"),
            ("m/store", "m/store.Must", "call"),
            ("m/store", "m/store.New", "call"),
            ("m/store.Store", "m/store.Base", "inherits"),
        },
        set(),
    ),
    "a call through an interface enters what no one can tell": (
        {
            "a.go": "package m\n\ntype I interface{ M() }\ntype T struct{}\n\nfunc (T) M() {}\nfunc f(i I, t T) { i.M(); t.M() }\n"
        },
        {("m.f", "m.T.M", "call")},
        {"i.M"},
    ),
    "an interface that embeds another": (
        {
            "a.go": "package m\n\ntype R interface{ Read() }\ntype RW interface {\n\tR\n\tWrite()\n}\n"
        },
        {("m.RW", "m.R", "inherits")},
        set(),
    ),
    "a local name hides the package's, only in its block": (
        {
            "a.go": "package m\n\nfunc g() {}\nfunc f(h func()) {\n\tif true {\n\t\tg := h\n\t\tg()\n\t}\n\tg()\n}\n"
        },
        {("m.f", "m.g", "call")},
        {"g"},
    ),
    "a local name hides an import": (
        {
            "store/s.go": "package store\n\nfunc Name() {}\n",
            "a.go": 'package m\n\nimport "e.com/m/store"\n\ntype T struct{}\n\nfunc (T) Name() {}\nfunc f() { store := T{}; store.Name() }\n'
            "func g() { store.Name() }\n",
        },
        {("m.f", "m.T.Name", "call"), ("m.g", "m/store.Name", "call")},
        set(),
    ),
    "the shallower of two embedded methods": (
        {
            "a.go": "package m\n\ntype A struct{}\n\nfunc (A) M() {}\n\ntype B struct{ A }\ntype C struct{}\n\nfunc (C) M() {}\n\n"
            "type D struct {\n\tB\n\tC\n}\n\nfunc f(d D) { d.M() }\n"
        },
        {
            ("m.f", "m.C.M", "call"),
            ("m.B", "m.A", "inherits"),
            ("m.D", "m.B", "inherits"),
            ("m.D", "m.C", "inherits"),
        },
        set(),
    ),
    "generic functions and types": (
        {
            "a.go": "package m\n\ntype S[T any] struct{ v T }\n\nfunc (s *S[T]) Get() T { return s.v }\n"
            "func Of[T any](v T) *S[T] { return &S[T]{v} }\nfunc f() { Of[int](1).Get(); Of(2).Get().M() }\ntype T struct{}\n\nfunc (T) M() {}\n"
        },
        {("m.f", "m.Of", "call"), ("m.f", "m.S.Get", "call")},
        {"Of().Get().M"},
    ),
    "what is outside is counted and not listed": (
        {
            "a.go": 'package m\n\nimport "fmt"\n\nfunc f(s string) { fmt.Println(len(s), []byte(s)) }\n'
        },
        set(),
        set(),
    ),
    "methods in another file of the package, and files of other systems": (
        {
            "a_linux.go": "package m\n\nfunc os() { T{}.M() }\n",
            "a_windows.go": "package m\n\nfunc os() {}\n",
            "b.go": "package m\n\ntype T struct{}\n\nfunc main() { os() }\n",
            "c.go": "package m\n\nfunc (T) M() {}\n",
        },
        {("m.os", "m.T.M", "call"), ("m.main", "m.os", "call")},
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_enters_what_its_types_say(name: str, tmp_path: Path) -> None:
    files, expected, open_calls = CASES[name]
    said = say(tmp_path, {"go.mod": MOD} | files, "symbol")
    found = {
        (one.removeprefix("e.com/"), other.removeprefix("e.com/"), kind)
        for one, other, kind, _ in said.edges
        if kind != "import"
    }
    assert found == expected
    assert {loose.name for loose in said.unresolved} == open_calls


def test_names_that_differ_in_case_across_files_are_two_things(tmp_path: Path) -> None:
    files = {
        "go.mod": MOD,
        "a.go": "package m\n\nfunc Run() { run() }\n",
        "b.go": "package m\n\nfunc run() {}\n",
    }
    said = say(tmp_path, files, "symbol")
    nodes = [
        node
        for payload in said.payloads.values()
        for node in payload["nodes"]
        if node["name"] in ("e.com/m.Run", "e.com/m.run")
    ]
    assert len({(node["name"].casefold(), node.get("qualifier", "")) for node in nodes}) == 2
    assert ("e.com/m.Run", "e.com/m.run", "call", 3) in said.edges


def test_a_program_beside_a_package_is_another_package(tmp_path: Path) -> None:
    files = {
        "go.mod": MOD,
        "a.go": "package m\n\nfunc run() {}\n",
        "gen.go": "//go:build ignore\n\npackage main\n\nfunc main() { run() }\nfunc run() {}\n",
    }
    said = say(tmp_path, files, "symbol")
    nodes = {
        (node["name"], node.get("qualifier", ""))
        for node in said.payloads["gen.go"]["nodes"]
        if node["type"] == "Entity"
    }
    assert nodes == {
        ("e.com/m", "package main"),
        ("e.com/m.main", "package main"),
        ("e.com/m.run", "package main"),
    }
    assert ("e.com/m.main", "e.com/m.run", "call", 5) in said.edges


def test_a_method_stands_below_its_type_in_whatever_file(tmp_path: Path) -> None:
    files = {
        "go.mod": MOD,
        "a.go": "package m\n\ntype T struct{}\n",
        "b.go": "package m\n\nfunc (t *T) M() {}\n",
    }
    assert ("e.com/m.T", "e.com/m.T.M") in say(tmp_path, files, "symbol").links("PARENT_OF")


def test_calls_outside_are_counted_on_the_source(tmp_path: Path) -> None:
    files = {
        "go.mod": MOD,
        "a.go": 'package m\n\nimport "fmt"\n\nfunc f() { fmt.Print(1); fmt.Print(2) }\n',
    }
    assert say(tmp_path, files, "symbol").nodes("Source")["a.go"]["attrs"] == {"calls_outside": 2}
