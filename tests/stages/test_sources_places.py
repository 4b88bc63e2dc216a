"""Where the words of further formats stand: the cases at the edges of a line, a part or a block."""

from __future__ import annotations

import io
import zipfile

import pytest

from kgraph.model import Document, Span
from kgraph.sources import Unreadable, line_of, line_span, read_bytes
from kgraph.sources.messages import log_format
from kgraph.sources.outline import Heading, Slugs, outline


def doc(text: str, name: str = "a.md") -> Document:
    return read_bytes(text.encode("utf-8"), name)


def test_the_last_line_ends_where_the_text_ends() -> None:
    document = doc("one\ntwo", "a.txt")
    assert line_span(document, 1, 1) == Span(0, 4)
    assert line_span(document, 2, 2) == Span(4, 7)
    assert line_span(document, 1, 2) == Span(0, 7)
    assert line_span(document, 2, 3) is None and line_span(document, 0, 1) is None
    assert [line_of(document, at) for at in (0, 3, 4, 6)] == [1, 1, 2, 2]


@pytest.mark.parametrize(("indent", "closed"), [(0, True), (3, True), (4, False)])
def test_a_fence_is_closed_by_a_line_that_is_indented_by_three_at_most(
    indent: int, closed: bool
) -> None:
    document = doc(f"```\ncode\n{' ' * indent}```\n\nwords\n")
    kinds = [block.kind for block in document.blocks]
    assert ("paragraph" in kinds) is closed


def test_a_tab_reaches_to_the_next_stop_of_four() -> None:
    kinds = [block.kind for block in doc("a\n\n  \tcode\n").blocks]
    assert kinds == ["paragraph", "code"]
    assert [block.kind for block in doc("- a\n\n\tb\n").blocks].count("code") == 0


def test_a_section_ends_where_the_next_of_its_level_begins_and_is_named_with_those_above() -> None:
    headings = [
        Heading(1, "A", 0, 2, ""), Heading(2, "B", 10, 12, ""), Heading(2, "C", 20, 22, ""), Heading(1, "D", 30, 32, ""),
    ]  # fmt: skip
    sections = outline(headings, 40)
    assert [(one.start, one.end, one.path) for one in sections] == [
        (0, 30, ("A",)), (10, 20, ("A", "B")), (20, 30, ("A", "C")), (30, 40, ("D",)),
    ]  # fmt: skip


def test_equal_titles_get_anchors_of_their_own() -> None:
    slugs = Slugs()
    assert [slugs.unique(name) for name in ("a", "a", "a-1", "a")] == ["a", "a-1", "a-1-1", "a-2"]


@pytest.mark.parametrize(("fields", "front"), [(1, False), (2, True), (3, True)])
def test_one_line_with_a_colon_is_no_front_matter(fields: int, front: bool) -> None:
    lines = ["PEP: 1", "Title: One", "Status: Active"][:fields]
    document = doc("\n".join(lines) + "\n\nWords of the body.\n", "a.rst")
    assert any(block.kind == "front-matter" for block in document.blocks) is front


def test_an_indented_block_of_code_is_what_follows_two_colons() -> None:
    document = doc("Look::\n\n    first\n\n    second\n\nafter\n", "a.rst")
    code = [document.text[one.start : one.end] for one in document.blocks if one.kind == "code"]
    assert len(code) == 1 and "first" in code[0] and "second" in code[0] and "after" not in code[0]
    assert not [
        one for one in doc("Look::\n\nnothing deeper\n", "a.rst").blocks if one.kind == "code"
    ]


@pytest.mark.parametrize(
    ("lines", "form"),
    [
        (["[10:00] <ada> a", "[10:01] <bob> b", "[10:02] <ada> c"], "irc"),
        (["[10:00] <ada> a", "[10:01] <bob> b"], ""),
        (["[10:00] <ada> a", "[10:01] <bob> b", "[10:02] <ada> c", "x", "y", "z"], "irc"),
        (["[10:00] <ada> a", "[10:01] <bob> b", "[10:02] <ada> c", "x", "y", "z", "w"], ""),
    ],
)
def test_a_text_is_a_chat_where_three_lines_and_half_of_them_are_messages(
    lines: list[str], form: str
) -> None:
    assert log_format("\n".join(lines)) == form


def book(pages: list[str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf" '
            'media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        items = "".join(
            f'<item id="p{at}" href="p{at}.xhtml" media-type="application/xhtml+xml"/>'
            for at in range(len(pages))
        )
        spine = "".join(f'<itemref idref="p{at}"/>' for at in range(len(pages)))
        archive.writestr(
            "b.opf",
            f'<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>{items}</manifest><spine>{spine}</spine></package>',
        )
        for at, page in enumerate(pages):
            archive.writestr(f"p{at}.xhtml", f"<html><body>{page}</body></html>")
    return made.getvalue()


def test_links_of_a_books_second_page_stand_on_their_words() -> None:
    pages = [
        "<p>One page of words.</p>",
        '<p>Before <a href="https://example.org/">the link</a> after.</p>',
    ]
    document = read_bytes(book(pages), "b.epub")
    assert [document.text[one.start : one.end] for one in document.links] == ["the link"]
    assert document.links[0].target == "https://example.org/"


def test_a_part_with_a_password_is_told() -> None:
    data = bytearray(book(["<p>Words.</p>"]))
    at = 0
    while (at := data.find(b"PK\x01\x02", at)) >= 0:
        data[at + 8] |= 1
        at += 4
    with pytest.raises(Unreadable) as refused:
        read_bytes(bytes(data), "b.epub")
    assert "password" in str(refused.value)
