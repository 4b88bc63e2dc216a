"""A file that is written to hurt costs itself only, and no more than its size."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kgraph.cli import main
from kgraph.parsing import json_value, toml_table
from kgraph.sources import read_bytes
from kgraph.sources.limits import Limits, Unreadable

DEEP = 100_000
NESTED = {
    "package.json": '{"name":"x","exports":' + '{"a":' * DEEP + "1" + "}" * DEEP + "}",
    "tsconfig.json": '{"compilerOptions":' + '{"a":' * 900 + "1" + "}" * 900 + "}",
    "Cargo.toml": '[package]\nname="x"\nx=' + "[" * DEEP + "]" * DEEP + "\n",
    "pyproject.toml": '[project]\nname="p"\nx=' + "[" * DEEP + "]" * DEEP + "\n",
    "long.toml": "x=" + "1" * 5000,
    "minus.py": "x=" + "-" * DEEP + "1\n",
    "brackets.py": "x=" + "(" * DEEP + ")" * DEEP + "\n",
    "quoted.py": "def f(x: '" + "-" * DEEP + "1'): pass\n",
    "index.js": "f(" * 2000 + ")" * 2000,
    "notebook.ipynb": '{"cells":' + "[" * DEEP + "]" * DEEP + "}",
    "mail.eml": "".join(
        f"Content-Type: multipart/mixed; boundary=x{i}\n\n--x{i}\n" for i in range(3000)
    ),
}


@pytest.mark.parametrize("level", ["module", "symbol"])
def test_a_file_that_is_nested_too_deep_costs_itself_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], level: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name, text in NESTED.items():
        (tmp_path / "docs" / name).write_text(text)
    (tmp_path / "docs" / "good.md").write_text(
        "# Pump\n\nThe `Pump` service depends on the `Valve` service.\n"
    )
    arguments = ["--path", "g", "extract", "docs", "--code-level", level, "--json", "--quiet"]
    assert main(arguments) in (0, 1)
    answer = json.loads(capsys.readouterr().out)
    outcomes = {unit["unit"]: unit["outcome"] for unit in answer["units"]}
    assert outcomes["docs/good.md"] == "done"
    assert outcomes["docs/mail.eml"] == outcomes["docs/notebook.ipynb"] == "failed"
    assert all(unit.get("detail") for unit in answer["units"] if unit["outcome"] == "failed")


@pytest.mark.parametrize("parse", [json_value, toml_table])
def test_what_others_wrote_is_refused_in_one_way(parse: Callable[[str], object]) -> None:
    for text in ("[", "{", "x=" + "1" * 5000, "[" * DEEP, "x=" + "[" * 300 + "]" * 300):
        with pytest.raises(ValueError):
            parse(text)
    with pytest.raises(ValueError):
        json_value("[" * 300 + "]" * 300)
    assert json_value("[" * 100 + "]" * 100)


def test_a_subject_of_encoded_words_is_read_in_its_own_size() -> None:
    import tracemalloc

    words = b" ".join([b"=?utf-8?q??="] * 20_000)
    tracemalloc.start()
    found = read_bytes(b"Subject: " + words + b"\nFrom: a@b.c\n\nThe body.\n", "a.eml")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "The body." in found.text
    assert peak < 100_000_000
    named = read_bytes(b"Subject: " + b"=?utf-8?q?caf=C3=A9?= " * 300 + b"\n\nx\n", "a.eml")
    assert named.text.startswith("cafécafé")


def test_a_mailbox_with_too_many_messages_is_refused_and_not_cut() -> None:
    box = b"".join(b"From a Mon 1 2020\nSubject: %d\n\nText.\n\n" % i for i in range(11))
    assert read_bytes(box, "a.mbox", limits=Limits(members=11)).text.count("Text.") == 11
    with pytest.raises(Unreadable, match="11 messages"):
        read_bytes(box, "a.mbox", limits=Limits(members=10))


@pytest.mark.parametrize("begin", ["<!--", "<!-- >", "<a ", "<![CDATA[", "<![CDATA[ >", "<![if x>"])
def test_what_nothing_closes_is_looked_for_once(begin: str) -> None:
    found = read_bytes(b"<p>before</p>" + begin.encode() * 50_000, "a.html")
    assert found.text.startswith("before")


def test_markup_that_is_none_stays_text() -> None:
    assert read_bytes(b"<p>1 <![foo[x]]> 2</p>", "a.html").text.startswith("1 <![foo[x]]> 2")
    assert (
        read_bytes(b"<p>a</p> 3 < 4 &amp; 5 <b", "a.html").text.split("\n\n")[1] == "3 < 4 & 5 <b"
    )
    assert "gone" not in read_bytes(b"<p>a<!-- gone -->b <!-- c</p>", "a.html").text
