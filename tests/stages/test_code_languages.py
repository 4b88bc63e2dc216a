"""What an import of Go, Rust and Java means: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_go")

GO = "module example.com/m\n\ngo 1.22\n\nrequire (\n\tcode.example.org/x/y v1.2.3\n\tcode.example.org/x/y/v2 v2.0.0\n)\n"
CARGO = '[package]\nname = "my-shop"\nversion = "0.1.0"\n[dependencies]\nserde = "1"\nother = { path = "other" }\n'
CASES = {
    "a Go package of the module": (
        {
            "go.mod": GO,
            "cmd/main.go": 'package main\n\nimport (\n\t"fmt"\n\ts "example.com/m/internal/store"\n)\n',
            "internal/store/s.go": "package store\n",
        },
        {
            ("example.com/m/cmd", "example.com/m/internal/store", "import", 5),
            ("example.com/m/cmd", "fmt", "import", 4),
        },
    ),
    "all files of a Go package are one, whatever their build tags": (
        {
            "go.mod": GO,
            "a/a_linux.go": '//go:build linux\n\npackage a\n\nimport "example.com/m/b"\n',
            "a/a_win.go": "//go:build windows\n\npackage a\n",
            "b/b.go": "package b\n",
        },
        {("example.com/m/a", "example.com/m/b", "import", 5)},
    ),
    "an external Go test is a package of its own": (
        {
            "go.mod": GO,
            "a/a.go": "package a\n",
            "a/a_test.go": 'package a_test\n\nimport "example.com/m/a"\n',
        },
        {("example.com/m/a_test", "example.com/m/a", "import", 3)},
    ),
    "a Go module that another replaces": (
        {
            "one/go.mod": "module example.com/one\n\nreplace example.com/two => ../zwei\n",
            "one/a.go": 'package one\n\nimport "example.com/two/b"\n',
            "zwei/go.mod": "module example.com/two\n",
            "zwei/b/b.go": "package b\n",
        },
        {("example.com/one", "example.com/two/b", "import", 3)},
    ),
    "a required Go module by its longest path": (
        {
            "go.mod": GO,
            "a.go": 'package m\n\nimport "code.example.org/x/y/v2/deep"\nimport "code.example.org/x/y/z"\n',
        },
        {
            ("example.com/m", "code.example.org/x/y/v2", "import", 3),
            ("example.com/m", "code.example.org/x/y", "import", 4),
        },
    ),
    "Rust modules by mod and use trees": (
        {
            "Cargo.toml": CARGO,
            "src/lib.rs": "pub mod net;\nmod cart;\n",
            "src/net/mod.rs": "pub mod http;\nuse super::cart::Cart;\n",
            "src/net/http.rs": "",
            "src/cart.rs": "use crate::net::{self, http::{Client, *}};\nuse serde::Serialize as S;\nfn f() { super::net::x(); }\n",
        },
        {
            ("my_shop::cart", "my_shop::net", "import", 1),
            ("my_shop::cart", "my_shop::net::http", "import", 1),
            ("my_shop::cart", "serde", "import", 2),
            ("my_shop::cart", "my_shop::net", "import-deferred", 3),
            ("my_shop::net", "my_shop::cart", "import", 2),
        },
    ),
    "Rust modules in other places": (
        {
            "Cargo.toml": CARGO,
            "src/lib.rs": '#[path = "odd.rs"]\nmod even;\nmod inline { pub mod deep; }\nuse inline::deep::X;\nuse even::Y;\n',
            "src/odd.rs": "",
            "src/inline/deep.rs": "",
        },
        {
            ("my_shop", "my_shop::inline::deep", "import", 4),
            ("my_shop", "my_shop::even", "import", 5),
        },
    ),
    "a Rust crate of the workspace, and a test of the library": (
        {
            "Cargo.toml": CARGO,
            "src/lib.rs": "pub mod a;\n",
            "src/a.rs": "use other::run;\n",
            "tests/it.rs": "use my_shop::a;\n",
            "other/Cargo.toml": '[package]\nname = "other"\n',
            "other/src/lib.rs": "",
        },
        {("my_shop::a", "other", "import", 1), ("it", "my_shop::a", "import", 1)},
    ),
    "Go: a module inside another, blank, dotted and C imports": (
        {
            "go.mod": "module e.com/m\n",
            "a.go": 'package m\n\nimport (\n\t_ "e.com/m/sub"\n\t. "e.com/m/x"\n\t"embed"\n)\n',
            "x/x.go": "package y\n",
            "sub/go.mod": "module e.com/m/sub\n",
            "sub/s.go": 'package sub\n\nimport "e.com/m/x"\n',
        },
        {
            ("e.com/m", "e.com/m/sub", "import", 4),
            ("e.com/m", "e.com/m/x", "import", 5),
            ("e.com/m", "embed", "import", 6),
            ("e.com/m/sub", "e.com/m/x", "import", 3),
        },
    ),
    "Go modules of one workspace": (
        {
            "go.work": "go 1.22\nuse (\n\t./a\n\t./b\n)\n",
            "a/go.mod": "module w.com/a\n",
            "a/a.go": 'package a\n\nimport "w.com/b/in"\n',
            "b/go.mod": "module w.com/b\n",
            "b/in/i.go": "package in\n",
        },
        {("w.com/a", "w.com/b/in", "import", 3)},
    ),
    "a Rust module that the program and the library both declare": (
        {
            "Cargo.toml": CARGO,
            "src/lib.rs": "mod util;\n",
            "src/main.rs": "mod util;\nmod only;\nuse only::y;\n",
            "src/util.rs": "mod deep;\n",
            "src/util/deep.rs": "use super::super::util;\n",
            "src/only.rs": "use crate::util::deep;\n",
        },
        {
            ("my_shop", "my_shop::only", "import", 3),
            ("my_shop::only", "my_shop::util::deep", "import", 1),
            ("my_shop::util::deep", "my_shop::util", "import", 1),
        },
    ),
    "rarer forms of use in Rust": (
        {
            "Cargo.toml": '[package]\nname = "s"\n[dependencies]\nbar = { package = "real-bar", version = "2" }\n'
            '[target."cfg(unix)".dependencies]\nnix = "1"\n[dev-dependencies]\nqc = "3"\n',
            "src/lib.rs": "extern crate bar as b2;\npub(crate) use ::bar::{self as z, y::{w, *}};\nuse {nix::A, self::k::B};\nmod k;\n"
            "use r#k::r#type;\n#[cfg(test)]\nmod tests;\n",
            "src/k.rs": "",
            "src/tests.rs": "use super::*;\nuse qc::X;\n",
            "tests/common/mod.rs": "",
            "tests/it.rs": "mod common;\nuse s::Y;\n",
        },
        {
            ("s", "real-bar", "import", 1),
            ("s", "real-bar", "import", 2),
            ("s", "nix", "import", 3),
            ("s", "s::k", "import", 3),
            ("s", "s::k", "import", 5),
            ("s::tests", "s", "import", 1),
            ("s::tests", "qc", "import", 2),
            ("it", "s", "import", 2),
        },
    ),
    "a Rust workspace with shared dependencies and a library in another place": (
        {
            "Cargo.toml": '[workspace]\nmembers = ["c/*"]\n[workspace.dependencies]\nx = { path = "c/x" }\nserde = "1.2"\n',
            "c/x/Cargo.toml": '[package]\nname = "x-lib"\n[lib]\nname = "x"\npath = "main_lib.rs"\n',
            "c/x/main_lib.rs": "pub mod m;\n",
            "c/x/m.rs": "",
            "c/y/Cargo.toml": '[package]\nname = "y"\n[dependencies]\nx.workspace = true\nserde = { workspace = true, features = ["d"] }\n',
            "c/y/src/lib.rs": "use x::m::Q;\nuse serde::S;\n",
        },
        {("y", "x::m", "import", 1), ("y", "serde", "import", 2)},
    ),
    "Java types of one file, of one name in two Maven modules, and static imports": (
        {
            "a/pom.xml": "<project/>",
            "b/pom.xml": "<project/>",
            "a/src/main/java/q/X.java": "package q;\nclass X {}\n",
            "b/src/main/java/q/X.java": "package q;\nclass X {}\nclass Z { static class In {} }\n",
            "b/src/main/java/r/Y.java": "package r;\nimport q.X;\nimport q.Z;\nimport q.Z.In;\nimport static java.lang.Math.max;\n"
            "import static q.X.*;\nclass Y {}\n",
        },
        {
            ("r.Y", "q.X", "import", 2),
            ("r.Y", "q.X", "import", 3),
            ("r.Y", "q.X", "import", 4),
            ("r.Y", "java.lang", "import", 5),
            ("r.Y", "q.X", "import", 6),
        },
    ),
    "Java types, static imports and whole packages": (
        {
            "src/main/java/x/shop/Cart.java": "package x.shop;\n\nimport x.db.Store;\n"
            "import static x.db.Store.Inner.get;\nimport x.db.*;\nimport java.util.List;\npublic class Cart {}\n",
            "src/main/java/x/db/Store.java": "package x.db;\npublic class Store { static class Inner { static void get() {} } }\n",
        },
        {
            ("x.shop.Cart", "x.db.Store", "import", 3),
            ("x.shop.Cart", "x.db.Store", "import", 4),
            ("x.shop.Cart", "x.db", "import", 5),
            ("x.shop.Cart", "java.util", "import", 6),
        },
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_import_leads_where_the_compiler_would_go(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    said = say(tmp_path, files)
    assert said.edges == expected
    assert said.unresolved == []


def test_what_leads_nowhere_is_listed(tmp_path: Path) -> None:
    files = {
        "g/go.mod": "module example.com/m\n",
        "g/a.go": 'package a\nimport "example.com/m/gone"\nimport "code.example.org/not/required"\n',
        "r/Cargo.toml": '[package]\nname = "r"\n',
        "r/src/lib.rs": "mod gone;\nuse undeclared_crate::x;\n",
        "j/x/a/A.java": "package x.a.b;\nimport x.a.b.Gone;\nclass A {}\n",
    }
    said = say(tmp_path, files)
    assert {(loose.uri, loose.line) for loose in said.unresolved} == {
        ("g/a.go", 2),
        ("g/a.go", 3),
        ("r/src/lib.rs", 1),
        ("r/src/lib.rs", 2),
        ("j/x/a/A.java", 2),
    }
    assert said.edges == set()


def test_versions_come_from_go_mod_cargo_lock_and_pom(tmp_path: Path) -> None:
    files = {
        "g/go.mod": GO,
        "g/a.go": 'package a\nimport "code.example.org/x/y"\n',
        "r/Cargo.toml": '[package]\nname = "r"\n[dependencies]\nserde = "1"\n',
        "r/Cargo.lock": '[[package]]\nname = "serde"\nversion = "1.0.200"\n',
        "r/src/lib.rs": "use serde::S;\n",
        "j/pom.xml": "<project><properties><v>5.1</v></properties><dependencies>"
        "<dependency><groupId>org.junit</groupId><artifactId>junit</artifactId><version>${v}</version></dependency></dependencies></project>",
        "j/A.java": "import org.junit.Test;\nclass A {}\n",
    }
    entities = say(tmp_path, files).nodes("Entity")
    assert {
        name: entities[name]["attrs"]["version"]
        for name in ("code.example.org/x/y", "serde", "org.junit")
    } == {
        "code.example.org/x/y": "v1.2.3",
        "serde": "1.0.200",
        "org.junit": "5.1",
    }
