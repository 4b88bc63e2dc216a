"""Who calls whom in JavaScript and TypeScript: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_typescript")

Case = tuple[dict[str, str], set[tuple[str, str, str]], set[str]]
LIB = "export class Deep { act() {} }\nexport function helper() {}\nexport default function dflt() {}\n"
CASES: dict[str, Case] = {
    "imports by name, renamed, default and as a whole": (
        {
            "lib.ts": LIB,
            "a.ts": "import def, { helper as h } from './lib'\nimport * as ns from './lib'\nexport function f() { h(); def(); ns.helper(); ns.default() }\n",
        },
        {("a.ts.f", "lib.ts.helper", "call"), ("a.ts.f", "lib.ts.dflt", "call")},
        set(),
    ),
    "re-exports of all kinds, to any depth": (
        {
            "lib.ts": LIB,
            "one.ts": "export { default as X, helper } from './lib'\nexport * as all from './lib'\n",
            "two.ts": "export * from './one'\nimport { helper } from './one'\nexport { helper as again }\nexport default helper\n",
            "a.ts": "import two, { X, all, again, helper } from './two'\nX(); all.helper(); again(); helper(); two()\n",
        },
        {("a.ts", "lib.ts.dflt", "call"), ("a.ts", "lib.ts.helper", "call")},
        set(),
    ),
    "a name that two stars bring is of neither": (
        {
            "b.ts": "export function g() {}\n",
            "c.ts": "export function g() {}\n",
            "two.ts": "export * from './b'\nexport * from './c'\n",
            "a.ts": "import { g } from './two'\ng()\n",
        },
        set(),
        {"g"},
    ),
    "stars in a circle": (
        {
            "b.ts": "export * from './c'\nexport function g() {}\n",
            "c.ts": "export * from './b'\n",
            "a.ts": "import { g, h } from './c'\ng(); h()\n",
        },
        {("a.ts", "b.ts.g", "call")},
        {"h"},
    ),
    "CommonJS: exports by name, by object, a class, and taken apart": (
        {
            "d.js": "exports.a = function () {}\nmodule.exports.b = () => exports.a()\nexports.c = { e() {} }\n",
            "e.js": "class E { static make() {} }\nmodule.exports = E\n",
            "g.js": "function one() {}\nmodule.exports = { one, two() { one() } }\n",
            "a.js": "const { a, b: other } = require('./d'); const d = require('./d'); const g = require('./g')\n"
            "function f() { a(); other(); d.c.e(); require('./e').make(); new (require('./e'))(); g.one() }\n",
        },
        {
            ("d.js.b", "d.js.a", "call"),
            ("a.js.f", "d.js.a", "call"),
            ("a.js.f", "d.js.b", "call"),
            ("a.js.f", "d.js.c.e", "call"),
            ("a.js.f", "e.js.E.make", "call"),
            ("a.js.f", "e.js.E", "instantiates"),
            ("a.js.f", "g.js.one", "call"),
            ("g.js", "g.js.one", "call"),
        },
        set(),
    ),
    "this, super, fields, arrow fields and parameters that are fields": (
        {
            "lib.ts": LIB,
            "a.ts": "import { Deep } from './lib'\nclass Base { constructor() {} hello() {} }\nclass Sub extends Base {\n own = new Deep()\n"
            " #hid = new Deep()\n kids: Deep[] = []\n constructor(private given: Deep) { super(); this.late = new Deep() }\n"
            " run() { this.arrow(); super.hello(); this.hello() }\n arrow = () => { this.own.act() }\n b() { this.#hid.act() }\n"
            " c() { this.given.act() }\n d() { this.late.act() }\n e() { this.kids.forEach(k => k.act()); for (const k of this.kids) k.act() }\n"
            " static make() { return new Sub(null) }\n}\nSub.make().run()\n",
        },
        {
            ("a.ts.Sub", "a.ts.Base", "inherits"),
            ("a.ts.Sub.constructor", "a.ts.Base.constructor", "call"),
            ("a.ts.Sub.run", "a.ts.Sub.arrow", "call"),
            ("a.ts.Sub.run", "a.ts.Base.hello", "call"),
            ("a.ts.Sub.make", "a.ts.Sub", "instantiates"),
            ("a.ts.Sub.make", "a.ts.Sub.constructor", "call"),
            ("a.ts", "a.ts.Sub.make", "call"),
            ("a.ts", "a.ts.Sub.run", "call"),
        }
        | {
            (f"a.ts.Sub.{name}", "lib.ts.Deep.act", "call")
            for name in ("arrow", "b", "c", "d", "e")
        }
        | {
            ("a.ts.Sub", "lib.ts.Deep", "instantiates"),
            ("a.ts.Sub.constructor", "lib.ts.Deep", "instantiates"),
        },
        set(),
    ),
    "locals by what was made, given back, awaited, declared and cast": (
        {
            "lib.ts": LIB
            + "export async function mk() { return new Deep() }\nexport const mk2 = async (): Promise<Deep> => null\n",
            "a.ts": "import { Deep, mk, mk2 } from './lib'\nasync function f(x: Deep, y: any) {\n const d = await mk(); d.act()\n}\n"
            "async function g() { (await mk2()).act() }\nfunction h(x?: Deep | null) { x?.act(); x!.act() }\nfunction i(y) { (y as Deep).act() }\n"
            "function j() { let z; z = new Deep(); z.act() }\nfunction k(a) { let w = new Deep(); w = a; w.act() }\n",
        },
        {
            ("lib.ts.mk", "lib.ts.Deep", "instantiates"),
            ("a.ts.f", "lib.ts.mk", "call"),
            ("a.ts.g", "lib.ts.mk2", "call"),
            ("a.ts.j", "lib.ts.Deep", "instantiates"),
            ("a.ts.k", "lib.ts.Deep", "instantiates"),
        }
        | {(f"a.ts.{name}", "lib.ts.Deep.act", "call") for name in "fghij"},
        {"w.act"},
    ),
    "objects that are written out, and one that may hold more": (
        {
            "a.js": "const api = { get() {}, post: () => { api.get() }, deep: { q() {} }, fn }\nfunction fn() {}\nconst open = { ...x, own() {} }\n"
            "function f({ g }) { api.post(); api.deep.q(); api.fn(); const { get } = api; get(); open.own(); open.rest(); g() }\nfunction rest() {}\n"
        },
        {
            ("a.js.api.post", "a.js.api.get", "call"),
            ("a.js.f", "a.js.api.post", "call"),
            ("a.js.f", "a.js.api.deep.q", "call"),
            ("a.js.f", "a.js.fn", "call"),
            ("a.js.f", "a.js.api.get", "call"),
            ("a.js.f", "a.js.open.own", "call"),
        },
        {"open.rest", "g"},
    ),
    "an object that a function gives back": (
        {
            "lib.ts": "export function create() {\n const flush = () => {}\n return { /** runs */ batch: (f) => { flush() }, flush, /* more */ flush2() {} } as const\n}\n"
            "export const one = create()\n",
            "a.ts": "import { one } from './lib'\nfunction f() { one.batch(); one.flush(); one.flush2() }\n",
        },
        {
            ("lib.ts.create.batch", "lib.ts.create.flush", "call"),
            ("lib.ts", "lib.ts.create", "call"),
        }
        | {("a.ts.f", f"lib.ts.create.{name}", "call") for name in ("batch", "flush", "flush2")},
        set(),
    ),
    "an object whose member is set again": (
        {"a.js": "const api = { get() {} }\napi.get = other\nfunction f() { api.get() }\n"},
        set(),
        {"api.get"},
    ),
    "functions that make objects": (
        {
            "a.js": "function F() {}\nF.prototype.run = function () { this.stop() }\nF.prototype.stop = function () {}\nF.util = function () {}\n"
            "function f() { F.util(); new F().run(); F.util.call(null) }\n"
        },
        {
            ("a.js.F.run", "a.js.F.stop", "call"),
            ("a.js.f", "a.js.F.util", "call"),
            ("a.js.f", "a.js.F", "call"),
            ("a.js.f", "a.js.F.run", "call"),
        },
        set(),
    ),
    "names are those of their block, and hoisted where they are": (
        {
            "a.js": "function g() {}\nfunction f(h) { inner(); { const g = h; g() } g(); function inner() { g() } }\n"
            "function k() { g(); var g = 1 }\nlet late = () => {}\nfunction m() { late() }\nif (x) late = y\n"
        },
        {
            ("a.js.f", "a.js.f.inner", "call"),
            ("a.js.f", "a.js.g", "call"),
            ("a.js.f.inner", "a.js.g", "call"),
        },
        {"g", "late"},
    ),
    "a type is no class, and a getter is no call": (
        {
            "lib.ts": LIB + "export interface I { act(): void }\nexport type A = Deep\n",
            "a.ts": "import type { I, A } from './lib'\nfunction f(i: I) { i.act() }\nclass C { get v() { return () => {} } m() { this.v() } n<T>(x: T) {} }\n",
        },
        set(),
        {"i.act"},
    ),
    "namespaces, abstract classes and classes without a name": (
        {
            "a.ts": "namespace N { export function z() {} }\nabstract class P { go() { this.step() } abstract step(): void }\n"
            "class Q extends P { step() {} }\nfunction f() { N.z(); const K = class { m() {} }; new K().m() }\nexport default class { own() { f() } }\n"
        },
        {
            ("a.ts.f", "a.ts.N.z", "call"),
            ("a.ts.P.go", "a.ts.Q.step", "call"),
            ("a.ts.Q", "a.ts.P", "inherits"),
            ("a.ts.f", "a.ts.f.K", "instantiates"),
            ("a.ts.f", "a.ts.f.K.m", "call"),
            ("a.ts.default.own", "a.ts.f", "call"),
        },
        set(),
    ),
    "a base that is not known may hold anything": (
        {
            "a.js": "const B = x ? y : z\nclass A extends B { f() { this.g(); this.own() } own() {} }\nfunction g() {}\n"
        },
        {("a.js.A.f", "a.js.A.own", "call")},
        {"this.g"},
    ),
    "what is plainly outside is not listed": (
        {
            "a.js": "import x from 'x'\nfunction map() {}\nfunction f(v) { [1].map(String); v.map(v); console.log(x.y().z()); JSON.parse('') }\n"
        },
        set(),
        set(),
    ),
    "both scripts of a Vue file are one module": (
        {
            "lib.ts": LIB,
            "A.vue": "<script>\nimport { helper } from './lib'\nexport function one() { helper() }\n</script>\n<script setup lang=\"ts\">\n"
            "function two() { one(); helper() }\n</script>\n",
        },
        {
            ("A.vue.one", "lib.ts.helper", "call"),
            ("A.vue.two", "A.vue.one", "call"),
            ("A.vue.two", "lib.ts.helper", "call"),
        },
        set(),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_enters_what_names_and_values_say(name: str, tmp_path: Path) -> None:
    files, expected, open_calls = CASES[name]
    said = say(tmp_path, files, "symbol")
    found = {
        (one, other, kind) for one, other, kind, _ in said.edges if not kind.startswith("import")
    }
    assert found == expected
    assert {
        loose.name for loose in said.unresolved if loose.reason.startswith("call")
    } == open_calls


def test_calls_go_through_any_chain_of_exports(tmp_path: Path) -> None:
    files = {
        "a.ts": "import { go as run, Deep } from './barrel'\nimport * as ns from './b'\nimport Def from './b'\n"
        "function main(cb: () => void) { run(); ns.helper(); Def(); cb(); const d = new Deep(); d.act() }\n",
        "barrel.ts": "export * from './mid'\n",
        "mid.ts": "export { helper as go } from './b'\nexport class Deep { constructor() {} act() {} }\n",
        "b.ts": "export function helper() {}\nexport default function dflt() {}\n",
    }
    found = {
        (source, target, kind)
        for source, target, kind, _ in say(tmp_path, files, "symbol").edges
        if not kind.startswith("import")
    }
    assert found == {
        ("a.ts.main", "b.ts.helper", "call"),
        ("a.ts.main", "b.ts.dflt", "call"),
        ("a.ts.main", "mid.ts.Deep", "instantiates"),
        ("a.ts.main", "mid.ts.Deep.constructor", "call"),
        ("a.ts.main", "mid.ts.Deep.act", "call"),
    }


def test_a_method_that_a_subclass_replaces_is_not_called_for_certain(tmp_path: Path) -> None:
    text = "class A { m() { this.n(); this.k() } n() {} k() {} }\nclass B extends A { n() {} }\n"
    found = {
        (source, target, kind)
        for source, target, kind, _ in say(tmp_path, {"a.ts": text}, "symbol").edges
    }
    assert found == {("a.ts.A.m", "a.ts.A.k", "call"), ("a.ts.B", "a.ts.A", "inherits")}
