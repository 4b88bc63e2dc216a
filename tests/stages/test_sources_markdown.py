"""Markdown: which lines are headings, what their anchors are, what the blocks and links are."""

from __future__ import annotations

import pytest

from kgraph.model import Document, Span
from kgraph.sources import line_of, raw_span, read_bytes, slug


def doc(text: str, name: str = "a.md") -> Document:
    return read_bytes(text.encode("utf-8"), name)


def anchors(text: str) -> list[str]:
    return [section.anchor for section in doc(text).sections]


SLUGS = [
    ("Parts inventory", "parts-inventory"),
    ("  What's new, in 2.0?  ", "--whats-new-in-20--"),
    ("C++ & C#", "c--c"),
    ("snake_case and-dash", "snake_case-and-dash"),
    ("Größe über Ärger", "größe-über-ärger"),
    ("命令行的艺术", "命令行的艺术"),
    ("हिन्दी शीर्षक", "हिन्दी-शीर्षक"),
    ("🚀 Launch", "-launch"),
    ("10 × 2", "10--2"),
]


@pytest.mark.parametrize(("title", "expected"), SLUGS)
def test_a_slug_is_what_github_makes_of_a_title(title: str, expected: str) -> None:
    assert slug(title) == expected


ANCHORS = [
    ("# A\n\n# A\n\n# A\n", ["a", "a-1", "a-2"]),
    ("# A\n\n# A-1\n\n# A\n", ["a", "a-1", "a-2"]),
    ("Title\n=====\n\nSub\n---\n", ["title", "sub"]),
    ("# **Bold** and `code` and [a link](x.md)\n", ["bold-and-code-and-a-link"]),
    ("# Closed ##\n# Not # closed\n", ["closed", "not--closed"]),
    ("#not a heading\n\n####### nor this\n", []),
    ("# :sparkles: New\n", ["sparkles-new"]),
    ("# ![logo](l.png) Tool\n", ["-tool"]),
    ("# A &amp; B\n", ["a--b"]),
    ("# \\*literal\\*\n", ["literal"]),
    ("two\nlines\n===\n", ["two-lines"]),
    ('<h2 align="center">From HTML</h2>\n', ["from-html"]),
    ("> # Quoted\n\n- # In an item\n", ["quoted", "in-an-item"]),
    ("# !!!\n", ["section"]),
]


@pytest.mark.parametrize(("text", "expected"), ANCHORS)
def test_headings_get_their_anchors(text: str, expected: list[str]) -> None:
    assert anchors(text) == expected


HIDDEN = [
    "```\n# no\n```\n# yes\n",
    "~~~~\n# no\n~~~\n# no\n~~~~\n# yes\n",
    "````md\n```\n# no\n```\n````\n# yes\n",
    "``` a`b\n# yes\n",
    "    # no\n\n# yes\n",
    "<!--\n# no\n\n# no\n-->\n# yes\n",
    "<pre>\n# no\n\n# no\n</pre>\n# yes\n",
    "- item\n\n  ```\n  # no\n  ```\n\n# yes\n",
    "> ```\n> # no\n\n# yes\n",
    "---\ntitle: x\n# no\n---\n# yes\n",
    "para\n    # no\n\n# yes\n",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert anchors(text) == ["yes"]


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    assert anchors("# a\n\n```\n# b\n") == ["a"]


def test_sections_nest_and_end_where_the_next_of_their_level_begins() -> None:
    text = "intro\n\n# One\n\na\n\n## Two\n\nb\n\n# Three\n"
    one, two, three = doc(text).sections
    assert (one.path, two.path, three.path) == (("One",), ("One", "Two"), ("Three",))
    assert text[one.start : one.end] == "# One\n\na\n\n## Two\n\nb\n\n"
    assert text[two.body : two.end] == "\nb\n\n"
    assert three.end == len(text)


BLOCKS = [
    ("one\ntwo\n\nthree\n", [("paragraph", "one\ntwo"), ("paragraph", "three")]),
    (
        "- a\n- b\n  more\n\n  own\n",
        [("item", "- a"), ("item", "- b\n  more"), ("paragraph", "own")],
    ),
    (
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nx\n",
        [("table", "| a | b |\n|---|---|\n| 1 | 2 |"), ("paragraph", "x")],
    ),
    (
        "before\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        [("paragraph", "before"), ("table", "| a | b |\n|---|---|\n| 1 | 2 |")],
    ),
    ("> q\n> r\n", [("quote", "q\n> r")]),
    ("```py\nx\n```\n", [("code", "```py\nx\n```")]),
    ("[a]: http://x\n", [("definition", "[a]: http://x")]),
    ("+++\nx = 1\n+++\ntext\n", [("front-matter", "+++\nx = 1\n+++"), ("paragraph", "text")]),
    ("<div>\nx\n\ny\n", [("html", "<div>\nx"), ("paragraph", "y")]),
    ("# h\ntext\n", [("heading", "# h"), ("paragraph", "text")]),
    ("text\n***\nmore\n", [("paragraph", "text"), ("paragraph", "more")]),
]


@pytest.mark.parametrize(("text", "expected"), BLOCKS)
def test_blocks_are_what_must_not_be_cut(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(block.kind, text[block.start : block.end]) for block in doc(text).blocks] == expected


LINKS = [
    ('see [the *guide*](docs/guide.md "Title").', [("the guide", "docs/guide.md")]),
    ("![alt](a.png)", [("alt", "a.png")]),
    (
        "[a][x] and [x] and [X][]\n\n[x]: http://e.org 'T'",
        [("a", "http://e.org"), ("x", "http://e.org"), ("X", "http://e.org")],
    ),
    (
        "<https://e.org/a> and <me@e.org>",
        [("https://e.org/a", "https://e.org/a"), ("me@e.org", "mailto:me@e.org")],
    ),
    ("go to https://e.org/a_(b), now.", [("https://e.org/a_(b)", "https://e.org/a_(b)")]),
    ("`[no](link)` and \\[no](link) and [no] (link)", []),
    ("[a](<x y.md>) [b](x(1).md)", [("a", "x y.md"), ("b", "x(1).md")]),
    ("[![badge](b.svg)](ci.html)", [("badge", "ci.html"), ("badge", "b.svg")]),
    ("```\n[no](x)\n```", []),
    ("[unknown][ref]", []),
    ("see [[A note]] and [[b|the B]]", [("A note", "A note"), ("the B", "b")]),
    ("if [[ -f x ]]; then", []),
]


@pytest.mark.parametrize(("text", "expected"), LINKS)
def test_links_are_found_with_their_targets(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(link.text, link.target) for link in doc(text).links] == expected


def test_a_link_stands_where_it_says() -> None:
    text = "# t\n\nsee [a](b) here\n"
    (link,) = doc(text).links
    assert text[link.start : link.end] == "[a](b)"


FRONT = [
    (
        "---\ntitle: A: b\ntags: [x, 'y z']\nn: 3\nok: true\n---\n",
        {"title": "A: b", "tags": ["x", "y z"], "n": 3, "ok": True},
    ),
    (
        "---\nowners:\n  - a\n  - b\nnested:\n  k: v\n---\n",
        {"owners": ["a", "b"], "nested": {"k": "v"}},
    ),
    (
        "---\ntext: >\n  folded\n  lines\ndate: 2026-03-11\n---\n",
        {"text": "folded lines", "date": "2026-03-11"},
    ),
    (
        "---\npeople:\n- name: Ann\n  role: lead\n- name: Bo\n---\n",
        {"people": [{"name": "Ann", "role": "lead"}, {"name": "Bo"}]},
    ),
    ("+++\ntitle = 'T'\nwhen = 2026-03-11\n+++\n", {"title": "T", "when": "2026-03-11"}),
]


@pytest.mark.parametrize(("text", "expected"), FRONT)
def test_front_matter_is_metadata(text: str, expected: dict[str, object]) -> None:
    assert doc(text).metadata == expected


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    found = doc("---\n\nJust text.\n\n---\n")
    assert found.metadata == {}
    assert [block.kind for block in found.blocks] == ["paragraph"]


def test_anchors_set_by_hand_lead_to_their_section() -> None:
    text = '<a id="why"></a>\n## Reasons\n\nx\n\n## Other\n'
    span = doc(text).anchors["why"]
    assert text[span.start : span.end].startswith("<a id")
    assert text[span.start : span.end].rstrip().endswith("x")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_bytes_and_lines_are_right_in_every_encoding(encoding: str, newline: str) -> None:
    lines = [
        "# Straße",
        "",
        "Der Ärger über die große Tür.",
        "",
        "Das Ende naht.",
        *["Noch öfter."] * 300,
        "",
    ]
    text = newline.join(lines)
    data = (
        b"\xff\xfe" + text.encode("utf-16-le") if encoding == "utf-16-le" else text.encode(encoding)
    )
    found = read_bytes(data, "a.md")
    assert found.text == text
    start = text.index("große")
    raw = raw_span(found, Span(start, start + 5))
    codec = "utf-16-le" if encoding.startswith("utf-16") else encoding
    assert data[raw.start_byte : raw.end_byte].decode(codec.removesuffix("-sig")) == "große"
    assert (raw.start_line, raw.end_line) == (3, 3)
    assert line_of(found, text.rindex("öfter")) == 305
    assert found.sections[0].anchor == "straße"


def test_deeply_nested_lists_look_for_the_ink_of_a_line_once() -> None:
    import kgraph.sources.blocks as blocks

    looked = 0

    class Counted(str):
        def __getitem__(self, at: object) -> str:  # type: ignore[override]
            nonlocal looked
            looked += 1
            return str.__getitem__(self, at)  # type: ignore[index]

    line = Counted(" " * 600 + "- item")
    cursor = blocks._Cursor(line, 0, len(line))
    for _ in range(200):
        assert cursor.peek()[0] == 600
        cursor.advance(2)
    assert looked < 3000
