"""What each import of a JavaScript or TypeScript file means: one small tree a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_typescript")

CASES = {
    "an import without an ending": (
        {"a.js": "import b from './b'\n", "b.js": ""},
        {("a.js", "b.js", "import", 1)},
    ),
    "an import for its effect": (
        {"a.js": "\nimport './b.js'\n", "b.js": ""},
        {("a.js", "b.js", "import", 2)},
    ),
    "a folder's index": (
        {"a.ts": "import './lib'; import '.'\n", "lib/index.ts": "", "index.ts": ""},
        {("a.ts", "lib/index.ts", "import", 1), ("a.ts", "index.ts", "import", 1)},
    ),
    "a .js that is written in TypeScript": (
        {"a.ts": "import './b.js'; import './c.mjs'\n", "b.ts": "", "c.mts": ""},
        {("a.ts", "b.ts", "import", 1), ("a.ts", "c.mts", "import", 1)},
    ),
    "a name with dots": (
        {"a.ts": "import './user.service'\n", "user.service.ts": "", "user.ts": ""},
        {("a.ts", "user.service.ts", "import", 1)},
    ),
    "the code before its declaration": (
        {"a.ts": "import './b'\n", "b.js": "", "b.d.ts": ""},
        {("a.ts", "b.js", "import", 1)},
    ),
    "require": (
        {"a.cjs": "const b = require('./b')\n", "b.js": ""},
        {("a.cjs", "b.js", "import", 1)},
    ),
    "require in a function is deferred": (
        {"a.js": "function f() {\n  return require('./b')\n}\n", "b.js": ""},
        {("a.js", "b.js", "import-deferred", 2)},
    ),
    "a dynamic import is deferred": (
        {"a.js": "const p = import(\n  './b')\n", "b.js": ""},
        {("a.js", "b.js", "import-deferred", 1)},
    ),
    "import type": (
        {
            "a.ts": "import type { X } from './b'\nimport { type Y } from './b'\nimport { type Y, z } from './c'\n",
            "b.ts": "",
            "c.ts": "",
        },
        {
            ("a.ts", "b.ts", "import-type", 1),
            ("a.ts", "b.ts", "import-type", 2),
            ("a.ts", "c.ts", "import", 3),
        },
    ),
    "a cycle of types is none at run time": (
        {"a.ts": "import { b } from './b'\n", "b.ts": "import type { A } from './a'\n"},
        {("a.ts", "b.ts", "import", 1), ("b.ts", "a.ts", "import-type", 1)},
    ),
    "an imported type in place": (
        {"a.ts": "type T = import('./b').X\nlet x: typeof import('./c')\n", "b.ts": "", "c.ts": ""},
        {("a.ts", "b.ts", "import-type", 1), ("a.ts", "c.ts", "import-type", 2)},
    ),
    "import equals require": (
        {"a.ts": "import fs = require('./b')\n", "b.ts": ""},
        {("a.ts", "b.ts", "import", 1)},
    ),
    "all forms of export from": (
        {
            "a.ts": "export * from './b'\nexport * as ns from './b'\nexport { default as X } from './c'\nexport type { T } from './c'\n",
            "b.ts": "",
            "c.ts": "",
        },
        {
            ("a.ts", "b.ts", "import", 1),
            ("a.ts", "b.ts", "import", 2),
            ("a.ts", "c.ts", "import", 3),
            ("a.ts", "c.ts", "import-type", 4),
        },
    ),
    "a reference directive": (
        {"a.ts": '/// <reference path="b.d.ts" />\nlet x\n', "b.d.ts": ""},
        {("a.ts", "b.d.ts", "import-type", 1)},
    ),
    "what stands in a string or comment is no import": (
        {"a.js": "// import './b'\nconst s = \"import './b'\"\n", "b.js": ""},
        set(),
    ),
    "tsconfig paths through extends": (
        {
            "tsconfig.json": '{"extends": "./base.json", /* c */ }',
            "base.json": '{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["lib/*"], "one": ["x.ts"]}}}',
            "src/a.ts": "import '@/b'\nimport 'one'\nimport 'lib/b'\n",
            "src/lib/b.ts": "",
            "src/x.ts": "",
        },
        {
            ("src/a.ts", "src/lib/b.ts", "import", 1),
            ("src/a.ts", "src/x.ts", "import", 2),
            ("src/a.ts", "src/lib/b.ts", "import", 3),
        },
    ),
    "paths seen from the folder of the configuration in use": (
        {
            "web/tsconfig.json": '{"extends": "../shared/base.json"}',
            "shared/base.json": '{"compilerOptions": {"paths": {"~/*": ["${configDir}/src/*"]}}}',
            "web/src/a.ts": "import '~/b'\n",
            "web/src/b.ts": "",
        },
        {("web/src/a.ts", "web/src/b.ts", "import", 1)},
    ),
    "the paths of a referenced configuration": (
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
            "src/a.tsx": "import '@/b'\n",
            "src/b.tsx": "",
        },
        {("src/a.tsx", "src/b.tsx", "import", 1)},
    ),
    "a package's own imports": (
        {
            "package.json": '{"name": "p", "imports": {"#lib/*": "./lib/*.js"}}',
            "a.js": "import '#lib/b'\n",
            "lib/b.js": "",
        },
        {("p/a.js", "p/lib/b.js", "import", 1)},
    ),
    "a workspace by its exports, from build output to source": (
        {
            "package.json": '{"name": "root", "workspaces": ["packages/*"]}',
            "packages/core/package.json": '{"name": "@x/core", "exports": {".": {"types": "./dist/index.d.ts", '
            '"import": "./dist/index.js"}, "./util/*": "./src/util/*.ts"}}',
            "packages/core/src/index.ts": "",
            "packages/core/src/util/u.ts": "",
            "packages/app/package.json": '{"name": "app", "dependencies": {"@x/core": "workspace:*"}}',
            "packages/app/a.ts": "import '@x/core'\nimport '@x/core/util/u'\n",
        },
        {
            ("app/a.ts", "@x/core/src/index.ts", "import", 1),
            ("app/a.ts", "@x/core/src/util/u.ts", "import", 2),
        },
    ),
    "a workspace by main": (
        {
            "c/package.json": '{"name": "c", "main": "lib/m"}',
            "c/lib/m.js": "",
            "a/package.json": '{"name": "a"}',
            "a/x.js": "require('c')\n",
        },
        {("a/x.js", "c/lib/m.js", "import", 1)},
    ),
    "Vue and Svelte": (
        {
            "A.vue": '<template>\n<b/></template>\n<script setup lang="ts">\n'
            "import type { T } from './t'\nimport B from './B.svelte'\n</script>\n",
            "B.svelte": "<script context=\"module\">import './t'</script>\n<p>é</p>\n<script>\n  import A from './A.vue'\n</script>",
            "t.ts": "",
        },
        {
            ("A.vue", "t.ts", "import-type", 4),
            ("A.vue", "B.svelte", "import", 5),
            ("B.svelte", "t.ts", "import", 1),
            ("B.svelte", "A.vue", "import", 4),
        },
    ),
    "JSX": (
        {"a.jsx": "import B from './b'\nexport default () => <B x={1} />\n", "b.tsx": ""},
        {("a.jsx", "b.tsx", "import", 1)},
    ),
    "rarer forms of import and export": (
        {
            "a.ts": "export * as default from './b'\nexport type * from './b'\nexport type * as T from './b'\nimport type X = require('./b')\n"
            "import j from './j.json' with { type: 'json' }\nimport {} from './b'\nimport type D, { type E } from './b'\n"
            "import d, * as n from './b'\nexport {} from './b'\n",
            "b.ts": "",
            "j.json": "{}",
        },
        {
            ("a.ts", "b.ts", "import", 1),
            ("a.ts", "b.ts", "import-type", 2),
            ("a.ts", "b.ts", "import-type", 3),
            ("a.ts", "b.ts", "import-type", 4),
            ("a.ts", "j.json", "import", 5),
            ("a.ts", "b.ts", "import", 6),
            ("a.ts", "b.ts", "import-type", 7),
            ("a.ts", "b.ts", "import", 8),
            ("a.ts", "b.ts", "import", 9),
        },
    ),
    "require wherever it stands": (
        {
            "a.js": "const f = () => require('./b')\nif (x) { require('./c') }\nclass K { m() { require('./b') } static { require('./c') } }\n"
            "require(`./b`)\nasync () => { await import(`./c`) }\n(function () { require('./b') })()\n",
            "b.js": "",
            "c.js": "",
        },
        {
            ("a.js", "b.js", "import-deferred", 1),
            ("a.js", "c.js", "import", 2),
            ("a.js", "b.js", "import-deferred", 3),
            ("a.js", "c.js", "import", 3),
            ("a.js", "b.js", "import", 4),
            ("a.js", "c.js", "import-deferred", 5),
            ("a.js", "b.js", "import-deferred", 6),
        },
    ),
    "an imported type wherever a type may stand, and a value that is cast": (
        {
            "a.ts": "type A = typeof import('./b')\nfunction f(x: import('./b').Y): import('./c').Z { let z: Promise<typeof import('./c')> }\n"
            "class K<T extends import('./b').Q> {}\nconst v = (await import('./b')) as any\nconst w = import('./c') as import('./b').P\n",
            "b.ts": "",
            "c.ts": "",
        },
        {
            ("a.ts", "b.ts", "import-type", 1),
            ("a.ts", "b.ts", "import-type", 2),
            ("a.ts", "c.ts", "import-type", 2),
            ("a.ts", "b.ts", "import-type", 3),
            ("a.ts", "b.ts", "import-deferred", 4),
            ("a.ts", "c.ts", "import-deferred", 5),
            ("a.ts", "b.ts", "import-type", 5),
        },
    ),
    "names with dots, assets, and a file before a folder": (
        {
            "a.ts": "import './a.b.js'\nimport './foo.bar'\nimport './s.css'\nimport './x.svg?raw'\nimport './lib'\nimport './lib/'\nimport './only.js'\n",
            "a.b.ts": "",
            "foo.bar.tsx": "",
            "s.css": "",
            "x.svg": "",
            "lib.ts": "",
            "lib/index.ts": "",
            "only.d.ts": "",
        },
        {
            ("a.ts", "a.b.ts", "import", 1),
            ("a.ts", "foo.bar.tsx", "import", 2),
            ("a.ts", "s.css", "import", 3),
            ("a.ts", "x.svg", "import", 4),
            ("a.ts", "lib.ts", "import", 5),
            ("a.ts", "lib/index.ts", "import", 6),
            ("a.ts", "only.d.ts", "import", 7),
        },
    ),
    "several extended configurations, and one from a package": (
        {
            "tsconfig.json": '{"extends": ["./a.json", "@t/base/tsconfig.json"]}',
            "a.json": '{"compilerOptions": {"paths": {"@a/*": ["./x/*"]}}}',
            "node_modules/@t/base/tsconfig.json": '{"compilerOptions": {"baseUrl": "${configDir}/src"}}',
            "m.ts": "import '@a/q'\nimport 'b'\n",
            "src/b.ts": "",
            "src/x/q.ts": "",
        },
        {("m.ts", "src/x/q.ts", "import", 1), ("m.ts", "src/b.ts", "import", 2)},
    ),
    "patterns, conditions and lists of a package's exports and imports": (
        {
            "c/package.json": '{"name": "c", "exports": {"./f/*.js": "./src/f/*.js", "./g": ["./no.js", "./src/g.js"], "./f/in/*": null}, '
            '"imports": {"#d": {"node": "./src/g.js", "default": "lodash"}, "#e": "fs"}}',
            "c/src/f/a.js": "import '#d'\nimport '#e'\n",
            "c/src/g.js": "",
            "c/m.js": "import 'c/f/a.js'\nimport 'c/g'\n",
        },
        {
            ("c/m.js", "c/src/f/a.js", "import", 1),
            ("c/m.js", "c/src/g.js", "import", 2),
            ("c/src/f/a.js", "c/src/g.js", "import", 1),
            ("c/src/f/a.js", "fs", "import", 2),
        },
    ),
    "the root package by its folder and by its name": (
        {
            "package.json": '{"name": "p", "main": "lib/m.js"}',
            "lib/m.js": "",
            "t/a.js": "require('..')\nrequire('../')\nrequire('p')\n",
        },
        {("p/t/a.js", "p/lib/m.js", "import", line) for line in (1, 2, 3)},
    ),
    "a workspace that is built from another folder": (
        {
            "package.json": '{"name": "r", "workspaces": {"packages": ["x/*"]}}',
            "pnpm-workspace.yaml": "packages: ['x/*']\n",
            "x/u/package.json": '{"name": "@o/u", "main": "./dist/index.js"}',
            "x/u/tsconfig.json": '{"compilerOptions": {"outDir": "dist", "rootDir": "lib"}}',
            "x/u/lib/index.ts": "",
            "x/v/package.json": '{"name": "v", "dependencies": {"@o/u": "workspace:^"}}',
            "x/v/a.ts": "import '@o/u'\n",
        },
        {("v/a.ts", "@o/u/lib/index.ts", "import", 1)},
    ),
    "a script of Vue in another file, and one that is commented out": (
        {
            "A.vue": "<!-- <script>import './no'</script> -->\r\n<script src=\"./x.ts\"></script>\r\n<script lang='ts' setup>\r\n"
            "import y from \"./x\"\r\nconst s = '<script>'\r\n</script>\r\n",
            "x.ts": "",
        },
        {("A.vue", "x.ts", "import", 2), ("A.vue", "x.ts", "import", 4)},
    ),
    "files whose names differ in case alone": (
        {"Foo.ts": "import './foo'\n", "foo.ts": "import './Foo'\n"},
        {("Foo.ts", "foo.ts", "import", 1), ("foo.ts", "Foo.ts", "import", 1)},
    ),
    "a module of Node": (
        {"a.js": "import 'node:fs/promises'\nimport 'path'\n"},
        {("a.js", "fs", "import", 1), ("a.js", "path", "import", 2)},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_import_leads_where_node_or_typescript_would_go(name: str, tmp_path: Path) -> None:
    files, expected = CASES[name]
    said = say(tmp_path, files)
    assert said.edges == expected
    assert said.unresolved == []


def test_external_packages_bear_the_version_of_the_lock(tmp_path: Path) -> None:
    files = {
        "package.json": '{"name": "p", "dependencies": {"react": "^18", "@s/x": "1.x"}}',
        "package-lock.json": '{"packages": {"node_modules/react": {"version": "18.2.0"}}}',
        "a.js": "import 'react/jsx-runtime'\nimport '@s/x/deep'\n",
    }
    said = say(tmp_path, files)
    assert {
        name: node["attrs"].get("version")
        for name, node in said.nodes("Entity").items()
        if node.get("qualifier") == "npm"
    } == {
        "react": "18.2.0",
        "@s/x": "1.x",
    }


@pytest.mark.parametrize(
    "written",
    [
        "import './gone'",
        "import 'undeclared'",
        "import '@/alias'",
        "require(name)",
        "import '../../out'",
    ],
)
def test_what_leads_nowhere_is_listed_and_makes_no_node(written: str, tmp_path: Path) -> None:
    said = say(tmp_path, {"package.json": '{"name": "p"}', "a.js": f"\n{written}\n"})
    assert [(loose.uri, loose.line) for loose in said.unresolved] == [("a.js", 2)]
    assert said.edges == set()


def test_a_broken_file_keeps_what_could_be_read(tmp_path: Path) -> None:
    said = say(tmp_path, {"a.js": "import './b'\nfunction ( {\n", "b.js": ""})
    assert said.edges == {("a.js", "b.js", "import", 1)}
    assert [loose.reason for loose in said.unresolved] == ["syntax error"]
