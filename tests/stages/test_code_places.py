"""Lines and quotes stay true whatever stands before them, in every language; and one bad file costs itself only."""

from __future__ import annotations

from pathlib import Path

import pytest

from stages.code_trees import say

pytest.importorskip("tree_sitter_go")

STATEMENTS = {
    "a.ts": ("/* {} */ import {{ x }} from './b' // {}\n", "import { x } from './b'"),
    "a.js": ("const s = '{}'; const b = require('./b'); // {}\n", "require('./b')"),
    "A.vue": ("<p>{}</p><script>import b from './b'</script>\n", "import b from './b'"),
    "a.go": ('package a; import /* {} */ "os" // {}\n', 'import /* {} */ "os"'),
    "a.rs": ("/* {} */ use std::fmt; // {}\n", "use std::fmt;"),
    "A.java": ("/* {} */ import java.util.List; // {}\nclass A {{}}\n", "import java.util.List;"),
}
BEFORE = {
    "nothing": "",
    "a byte-order mark": "\ufeff",
    "blank lines with tabs": "\t\n\t\t\n",
    "Windows line ends": "//\r\n// x\r\n",
    "old line ends": "/* x */\r/* y */\r",
    "a byte-order mark and words beyond ASCII": "\ufeff// \u00e9\u4e2d\U0001f600\r\n// \u2028 \x0c\n",
}


@pytest.mark.parametrize("uri", STATEMENTS)
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("beside", ["x", "\u00e9", "\u4e2d\U0001f600"])
def test_an_import_is_cited_by_its_own_words_and_line(
    uri: str, before: str, beside: str, tmp_path: Path
) -> None:
    template, quoted = STATEMENTS[uri]
    head = BEFORE[before]
    if uri == "A.vue":
        head = head.replace("//", "")
    text = head + template.format(beside, beside)
    said = say(tmp_path, {uri: text, "b.ts": ""})
    cited = {
        (edge["source_doc"], edge["quote"])
        for edge in said.payloads[uri]["edges"]
        if edge["predicate"] == "DEPENDS_ON"
    }
    ends = head.replace("\r\n", "\n").replace("\r", "\n").count("\n")
    ((place, quote),) = cited
    assert place == f"{uri}#L{ends + 1}"
    assert quoted.replace("{}", beside) in quote
    assert quote in text


@pytest.mark.parametrize(
    ("uri", "bad", "good"),
    [
        ("a.ts", "import './b'\nclass {{{\n", ("a.ts", "b.ts")),
        ("a.go", 'package a\nimport "os"\nfunc ( {\n', ("main", "os")),
        ("a.rs", "use std::fmt;\nfn ( {\n", ("a", "std")),
        ("A.java", "import java.util.List;\nclass { (\n", ("A", "java.util")),
    ],
)
def test_a_broken_file_keeps_what_could_be_read_and_the_others_are_mapped(
    uri: str, bad: str, good: tuple[str, str], tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = {
        uri: bad,
        "b.ts": "import './c'\n",
        "c.ts": "",
        "bin.ts": b"\x00\x01\x02" * 50,
    }
    said = say(tmp_path, files, "symbol")
    assert good in {(one, other) for one, other, _, _ in said.edges}
    assert ("b.ts", "c.ts", "import", 1) in said.edges
    assert {(loose.uri, loose.reason) for loose in said.unresolved} == {
        (uri, "syntax error"),
        ("bin.ts", "binary"),
    }


def test_an_unreadable_file_is_listed_and_the_others_are_mapped(tmp_path: Path) -> None:
    from kgraph.code import CodeOptions, SourceFile, extract, plan

    (tmp_path / "a.ts").write_text("import './b'\n")
    (tmp_path / "b.ts").write_text("")
    files = [SourceFile(name, str(tmp_path / name)) for name in ("a.ts", "b.ts", "gone.ts")]
    planned = plan(files, str(tmp_path), CodeOptions())
    said = {unit.id: extract(unit, planned.known) for unit in planned.units}
    assert [loose.uri for loose in said["gone.ts"].unresolved] == ["gone.ts"]
    assert any(edge["predicate"] == "DEPENDS_ON" for edge in said["a.ts"].payload["edges"])


def test_a_copy_of_the_tree_imports_its_own(tmp_path: Path) -> None:
    tree = {"package.json": '{"name": "p"}', "a.ts": "import './b'\nimport 'p/b'\n", "b.ts": ""}
    said = say(tmp_path, tree | {f"copy/{name}": text for name, text in tree.items()})
    qualified = {
        (node["name"], node.get("qualifier", ""))
        for node in said.payloads["copy/a.ts"]["nodes"]
        if node["type"] == "Entity"
    }
    assert qualified == {("p/a.ts", "copy"), ("p/b.ts", "copy"), ("p", "copy")}
