"""The languages that are data: of each a small tree, and every dependency that is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgraph.code.languages import language_of, unmapped
from stages.code_trees import possible, say

pytest.importorskip("tree_sitter_ruby")

CASES: dict[str, tuple[dict[str, str], set[tuple[str, str, str, int]]]] = {
    "C: includes beside the file and below include/, static functions stay in their file": (
        {
            "src/main.c": '#include "util.h"\n#include <shop/cart.h>\n#include <stdio.h>\n\nint main(void) { return twice(1) + total() + own(); }\nstatic int own(void) { return 0; }\n',
            "src/util.h": "#define SQ(x) ((x) * (x))\nint twice(int a);\n",
            "src/util.c": '#include "util.h"\nint twice(int a) { return SQ(a); }\nstatic int own(void) { return 1; }\n',
            "include/shop/cart.h": "int total(void);\n",
            "lib/cart.c": "int *cart(void) { return 0; }\nint total(void) { return 1; }\n",
        },
        {
            ("src/main.c", "src/util.h", "import", 1), ("src/main.c", "include/shop/cart.h", "import", 2), ("src/main.c", "stdio.h", "import", 3),
            ("src/util.c", "src/util.h", "import", 1), ("src/main.c.main", "src/util.c.twice", "call", 5),
            ("src/main.c.main", "lib/cart.c.total", "call", 5), ("src/main.c.main", "src/main.c.own", "call", 5),
            ("src/util.c.twice", "src/util.h.SQ", "call", 2),
        },
    ),
    "C++: classes, bases, methods written outside of their class": (
        {
            "a.hpp": "namespace shop {\nclass Base { public: void log() {} };\nclass Cart : public Base {\n  void total() { add(); this->log(); Helper::run(); }\n  void add();\n};\nclass Helper { public: static void run() {} };\n}\n",
            "a.cc": '#include "a.hpp"\n#include <vector>\nvoid shop::Cart::add() { new Helper(); }\n',
        },
        {
            ("a.cc", "a.hpp", "import", 1), ("a.cc", "vector", "import", 2), ("a.hpp.shop.Cart", "a.hpp.shop.Base", "inherits", 3),
            ("a.hpp.shop.Cart.total", "a.hpp.shop.Base.log", "call", 4), ("a.hpp.shop.Cart.total", "a.hpp.shop.Helper.run", "call", 4),
            ("a.cc.shop.Cart.add", "a.hpp.shop.Helper", "instantiates", 3),
        },
    ),
    "C#: namespaces, aliases, parts of one class": (
        {
            "Cart.cs": "using System.Text;\nusing Shop.Prices;\nnamespace Shop;\npublic partial class Cart : Base {\n  public int Total() { Add(); this.Log(); return Rounder.Round(1); }\n}\npublic class Base { public void Log() {} }\n",
            "CartMore.cs": "namespace Shop;\npublic partial class Cart { void Add() { new Base(); } }\n",
            "Prices/R.cs": "namespace Shop.Prices { public static class Rounder { public static int Round(int a) { return a; } } }\n",
        },
        {
            ("Cart.cs", "System.Text", "import", 1), ("Cart.cs", "Shop.Prices", "import", 2), ("Shop.Cart", "Shop.Base", "inherits", 4),
            ("Shop.Cart.Total", "Shop.Cart.Add", "call", 5), ("Shop.Cart.Total", "Shop.Base.Log", "call", 5),
            ("Shop.Cart.Total", "Shop.Prices.Rounder.Round", "call", 5), ("Shop.Cart.Add", "Shop.Base", "instantiates", 2),
        },
    ),
    "Ruby: require from lib, require_relative, mixins": (
        {
            "lib/shop.rb": 'require "json"\nrequire "shop/cart"\n',
            "lib/shop/cart.rb": "require_relative 'log'\nmodule Shop\n  class Cart\n    include Log\n    def total\n      add(1)\n      self.note\n      Cart.new\n    end\n\n    def add(a)\n      a\n    end\n  end\nend\n",
            "lib/shop/log.rb": "module Shop\n  module Log\n    def note\n    end\n  end\nend\n",
        },
        {
            ("lib/shop.rb", "json", "import", 1), ("lib/shop.rb", "lib/shop/cart.rb", "import", 2),
            ("lib/shop/cart.rb", "lib/shop/log.rb", "import", 1), ("lib/shop/cart.rb.Shop.Cart", "lib/shop/log.rb.Shop.Log", "inherits", 4),
            ("lib/shop/cart.rb.Shop.Cart.total", "lib/shop/cart.rb.Shop.Cart.add", "call", 6),
            ("lib/shop/cart.rb.Shop.Cart.total", "lib/shop/log.rb.Shop.Log.note", "call", 7),
            ("lib/shop/cart.rb.Shop.Cart.total", "lib/shop/cart.rb.Shop.Cart", "instantiates", 8),
        },
    ),
    "PHP: use of classes and groups, files beside, and never a fixture of the tests": (
        {
            "src/Cart.php": "<?php\nnamespace App;\nuse App\\Util\\{Fmt, Log as L};\nuse Vendor\\Tool;\nrequire __DIR__ . '/boot.php';\nclass Cart extends Base {\n  function total() { $this->add(); Fmt::money(); L::note(); return new Cart(); }\n  function add() {}\n}\nclass Base {}\n",
            "src/Util/Fmt.php": "<?php\nnamespace App\\Util;\nclass Fmt { static function money() {} }\n",
            "src/Util/Log.php": "<?php\nnamespace App\\Util;\nclass Log { static function note() {} }\n",
            "src/boot.php": "<?php\n", "tests/fixtures/Tool.php": "<?php\nnamespace Vendor;\nclass Tool {}\n",
        },
        {
            ("src/Cart.php", "src/Util/Fmt.php", "import", 3), ("src/Cart.php", "src/Util/Log.php", "import", 3), ("src/Cart.php", "Vendor", "import", 4),
            ("src/Cart.php", "src/boot.php", "import", 5), ("App.Cart", "App.Base", "inherits", 6), ("App.Cart.total", "App.Cart.add", "call", 7),
            ("App.Cart.total", "App.Util.Fmt.money", "call", 7), ("App.Cart.total", "App.Util.Log.note", "call", 7),
            ("App.Cart.total", "App.Cart", "instantiates", 7),
        },
    ),
    "Kotlin: names, all of a package, what stands in an object": (
        {
            "a/Cart.kt": "package shop\n\nimport shop.prices.Rounder\nimport shop.logs.*\nimport org.junit.Test\n\nclass Cart : Base() {\n    fun total(): Int {\n        note()\n        return Rounder.round(1)\n    }\n}\n\nopen class Base\n",
            "b/P.kt": "package shop.prices\n\nobject Rounder {\n    fun round(a: Int) = a\n}\n", "c/L.kt": "package shop.logs\n\nfun note() {}\n",
        },
        {
            ("a/Cart.kt", "b/P.kt", "import", 3), ("a/Cart.kt", "shop.logs", "import", 4), ("a/Cart.kt", "org.junit", "import", 5),
            ("shop.Cart", "shop.Base", "inherits", 7), ("shop.Cart.total", "shop.logs.note", "call", 9),
            ("shop.Cart.total", "shop.prices.Rounder.round", "call", 10),
        },
    ),
    "Swift: modules are the folders below Sources": (
        {
            "Sources/Shop/Cart.swift": "import Foundation\nimport Prices\n\nclass Cart: Base {\n  func total() -> Int { return self.add() }\n}\nclass Base {}\n",
            "Sources/Shop/More.swift": "extension Cart {\n  func add() -> Int { return 1 }\n}\n", "Sources/Prices/P.swift": "func rounded() {}\n",
        },
        {
            ("Sources/Shop/Cart.swift", "Foundation", "import", 1), ("Sources/Shop/Cart.swift", "Prices", "import", 2),
            ("Sources/Shop/Cart.swift.Cart", "Sources/Shop/Cart.swift.Base", "inherits", 4),
            ("Sources/Shop/Cart.swift.Cart.total", "Sources/Shop/More.swift.Cart.add", "call", 5),
        },
    ),
    "Scala: selectors, renamed and hidden names, package clauses one below the other": (
        {
            "Cart.scala": "package shop\npackage core\n\nimport shop.prices.{Rounder => R, Gone => _}\nimport scala.util.Try\n\nclass Cart extends Base {\n  def total = R.round(1)\n}\nclass Base\n",
            "P.scala": "package shop.prices\n\nobject Rounder {\n  def round(a: Int) = a\n}\nobject Gone\n",
        },
        {
            ("Cart.scala", "P.scala", "import", 4), ("Cart.scala", "scala.util", "import", 5), ("shop.core.Cart", "shop.core.Base", "inherits", 7),
            ("shop.core.Cart.total", "shop.prices.Rounder.round", "call", 8),
        },
    ),
    "Lua: dotted names, a folder's init, functions of a module's table": (
        {
            "main.lua": 'local cart = require("shop.cart")\nlocal log = require "shop"\nlocal gone = require "socket.http"\nfunction run()\n  return cart.total()\nend\n',
            "shop/cart.lua": "local M = {}\nfunction M.total()\n  return M.add(1)\nend\nfunction M.add(a) return a end\nreturn M\n", "shop/init.lua": "return {}\n",
        },
        {
            ("main.lua", "shop/cart.lua", "import", 1), ("main.lua", "shop/init.lua", "import", 2), ("main.lua", "socket", "import", 3),
            ("main.lua.run", "shop/cart.lua.M.total", "call", 5), ("shop/cart.lua.M.total", "shop/cart.lua.M.add", "call", 3),
        },
    ),
    "Shell: files that are sourced, also over a variable": (
        {
            "bin/run.sh": 'source "$(dirname "$0")/../lib/log.sh"\n. "$ROOT/lib/more.sh"\nmain() {\n  note "$1"\n}\nmain\n',
            "lib/log.sh": "note() { echo; }\n", "lib/more.sh": "x=1\n",
        },
        {
            ("bin/run.sh", "lib/log.sh", "import", 1), ("bin/run.sh", "lib/more.sh", "import", 2), ("bin/run.sh.main", "lib/log.sh.note", "call", 4),
            ("bin/run.sh", "bin/run.sh.main", "call", 6),
        },
    ),
    "SQL: foreign keys and what views read, whatever their case": (
        {
            "1.sql": "CREATE TABLE customers (id INT PRIMARY KEY);\nCREATE TABLE shop.orders (id INT, c INT REFERENCES CUSTOMERS(id));\n",
            "2.sql": "CREATE VIEW v AS SELECT * FROM orders o JOIN customers ON 1 = 1;\nALTER TABLE v ADD CONSTRAINT k FOREIGN KEY (a) REFERENCES customers (id);\n",
        },
        {
            ("1.sql.orders", "1.sql.customers", "references", 2), ("2.sql.v", "1.sql.orders", "reads", 1), ("2.sql.v", "1.sql.customers", "reads", 1),
            ("2.sql", "1.sql.customers", "references", 2),
        },
    ),
    "Terraform: modules are folders, and names are those of the folder": (
        {
            "main.tf": 'module "net" {\n  source = "./modules/net"\n  size = var.size\n}\nmodule "far" {\n  source = "hashicorp/consul/aws"\n}\nresource "aws_instance" "web" {\n  ami = data.aws_ami.base.id\n}\ndata "aws_ami" "base" {}\n',
            "vars.tf": 'variable "size" {}\n', "modules/net/net.tf": 'variable "size" {}\noutput "n" {\n  value = var.size\n}\n',
        },
        {
            ("main.tf", "modules/net", "import", 2), ("main.tf", "hashicorp/consul/aws", "import", 6), ("main.tf.module.net", "vars.tf.var.size", "references", 3),
            ("main.tf.aws_instance.web", "main.tf.data.aws_ami.base", "references", 9),
            ("modules/net/net.tf.output.n", "modules/net/net.tf.var.size", "references", 3),
        },
    ),
    "Dockerfiles and Compose: images, stages, services": (
        {
            "web/Dockerfile": "FROM node:20 AS build\nRUN make\nFROM build AS test\nFROM registry.example/base@sha256:ab\nCOPY --from=build /a /b\n",
            "docker-compose.yml": "services:\n  web:\n    build: ./web\n    depends_on:\n      - db\n  db:\n    image: postgres:15\n",
        },
        {
            ("web/Dockerfile", "node", "import", 1), ("web/Dockerfile", "registry.example/base", "import", 4),
            ("web/Dockerfile.test", "web/Dockerfile.build", "references", 3), ("web/Dockerfile", "web/Dockerfile.build", "references", 5),
            ("docker-compose.yml", "web/Dockerfile", "import", 3), ("docker-compose.yml", "postgres", "import", 7),
            ("docker-compose.yml.web", "docker-compose.yml.db", "references", 5),
        },
    ),
    "Protobuf: imports, messages that others hold, what methods take and give": (
        {
            "proto/cart.proto": 'syntax = "proto3";\npackage shop.v1;\nimport "item.proto";\nimport "google/protobuf/any.proto";\n// A cart.\nmessage Cart {\n  repeated Item items = 1;\n  map<string, Item> by_name = 2;\n}\nservice Carts {\n  rpc Get(Cart) returns (stream Item);\n}\n',
            "proto/item.proto": 'syntax = "proto3";\npackage shop.v1;\nmessage Item { string name = 1; }\n',
        },
        {
            ("proto/cart.proto", "proto/item.proto", "import", 3), ("proto/cart.proto", "google/protobuf/any.proto", "import", 4),
            ("shop.v1.Cart", "shop.v1.Item", "references", 7), ("shop.v1.Cart", "shop.v1.Item", "references", 8),
            ("shop.v1.Carts.Get", "shop.v1.Cart", "references", 11), ("shop.v1.Carts.Get", "shop.v1.Item", "references", 11),
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_a_language_says(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    said = say(tmp_path, files, "symbol")
    assert said.edges == expected


@pytest.mark.parametrize("name", CASES)
def test_modules_alone_say_the_same_imports(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    assert say(tmp_path, files).edges == {edge for edge in expected if edge[2] == "import"}


def test_a_name_with_several_meanings_is_listed_and_not_tied(tmp_path: Path) -> None:
    files = {"a.rb": "def go\nend\n", "b.rb": "def go\nend\n", "c.rb": "def run\n  go(1)\nend\n"}
    said = say(tmp_path, files, "symbol")
    assert said.edges == set()
    assert [(one.uri, one.line, one.reason) for one in said.unresolved] == [
        ("c.rb", 2, "several things of that name")
    ]


def test_a_method_that_one_class_alone_has_is_possible_and_not_certain(tmp_path: Path) -> None:
    files = {"a.rb": "class A\n  def settle\n  end\nend\n", "b.rb": "def run(x)\n  x.settle\nend\n"}
    assert possible(say(tmp_path, files, "symbol")) == {
        ("b.rb.run", "a.rb.A.settle", "possible-call", 2)
    }


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    files = {
        "a.c": '#include "gone.h"\n',
        "b.sh": '. ./gone.sh\n. "$X"\n',
        "c.rb": "require_relative 'gone'\n",
    }
    said = say(tmp_path, files)
    assert {(one.uri, one.reason) for one in said.unresolved} == {
        ("a.c", "no such file in the sources"),
        ("b.sh", "no such file in the sources"),
        ("b.sh", "put together when it runs"),
        ("c.rb", "no such file in the sources"),
    }


def test_a_header_with_classes_in_it_is_read_as_cpp(tmp_path: Path) -> None:
    said = say(tmp_path, {"a.h": "#pragma once\nclass A : public B {};\nclass B {};\n"}, "symbol")
    assert ("a.h.A", "a.h.B", "inherits", 2) in said.edges


@pytest.mark.parametrize(
    ("uri", "language", "other"),
    [
        ("a/Dockerfile.web", "Dockerfile", ""),
        ("x.zig", "", "Zig"),
        ("README.md", "", ""),
        ("a.CPP", "C++", ""),
        ("b.ex", "", "Elixir"),
    ],
)
def test_which_language_a_file_is_in(uri: str, language: str, other: str) -> None:
    found = language_of(uri)
    assert (found.name if found else "") == language and unmapped(uri) == other
