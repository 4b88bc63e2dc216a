"""What holds for every text: a Document's parts lie in it, and its characters lead back to the bytes."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.model import Document, Span
from kgraph.sources import line_of, raw_span, read_bytes

LINES = st.sampled_from(
    [
        *[
            "# One",
            "## Two",
            "Title",
            "===",
            "---",
            "```",
            "~~~",
            "> quote",
            "- item",
            "  more",
            "    code",
            "| a | b |",
            "|---|---|",
        ],
        *[
            "<!--",
            "-->",
            "<div>",
            "",
            "",
            "text with *marks* and `code` and [a](b)",
            "[x]: y",
            "1. one",
            "\tx",
            "ünï cödé 漢字 🚀",
        ],
        *["[[[](", "**a _b** c_", "***"],
    ]
)
FEW = settings(max_examples=40, deadline=None)
TEXTS = st.lists(LINES, max_size=25).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines))
)
NAMES = st.sampled_from(["a.md", "a.txt", "a.py", "a.rst", "a.adoc", "a.tex"])


def check(found: Document) -> None:
    length = len(found.text)
    starts = [section.start for section in found.sections]
    assert starts == sorted(starts)
    assert all(
        0 <= section.start <= section.body <= section.end <= length for section in found.sections
    )
    assert len({section.anchor for section in found.sections}) == len(found.sections)
    assert all(0 <= block.start < block.end <= length for block in found.blocks)
    assert all(
        one.end <= two.start for one, two in zip(found.blocks, found.blocks[1:], strict=False)
    ), found.blocks
    assert all(0 <= link.start < link.end <= length for link in found.links)
    assert all(0 <= span.start <= span.end <= length for span in found.anchors.values())


@FEW
@given(TEXTS, NAMES)
def test_the_parts_of_a_document_lie_in_its_text_and_apart(text: str, name: str) -> None:
    found = read_bytes(text.encode("utf-8"), name)
    assert found.text == text or name.endswith(".tex")  # whose text is without its commands
    check(found)


@FEW
@given(st.text(max_size=300), NAMES)
def test_no_text_makes_a_reader_fail(text: str, name: str) -> None:
    data = text.encode("utf-8", "replace")
    if not any((byte < 32 and byte not in (9, 10, 13)) or byte == 127 for byte in data):
        check(read_bytes(data, name))


@FEW
@given(
    TEXTS,
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]),
    st.randoms(use_true_random=False),
)
def test_a_span_of_characters_is_the_bytes_that_decode_to_it(
    text: str, encoding: str, chance: random.Random
) -> None:
    marks = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
    data = marks.get(encoding, b"") + text.encode(encoding)
    found = read_bytes(data, "a.md")
    start = chance.randint(0, len(text))
    end = chance.randint(start, len(text))
    raw = raw_span(found, Span(start, end))
    assert (
        data[raw.start_byte : raw.end_byte].decode(encoding.removesuffix("-sig")) == text[start:end]
    )
    before = text[:start].replace("\r\n", "\n").replace("\r", "\n")
    if not (text[start - 1 : start] == "\r" and text[start : start + 1] == "\n"):
        assert line_of(found, start) == before.count("\n") + 1 or start == len(text)


@FEW
@given(TEXTS)
def test_line_ends_change_neither_anchors_nor_lines(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    kinds = []
    for end in ("\n", "\r\n", "\r"):
        found = read_bytes(plain.replace("\n", end).encode("utf-8"), "a.md")
        kinds.append(
            (
                [
                    (section.anchor, section.level, line_of(found, section.start))
                    for section in found.sections
                ],
                [
                    (block.kind, line_of(found, block.start), line_of(found, block.end - 1))
                    for block in found.blocks
                ],
                [
                    (link.text.split(), link.target, line_of(found, link.start))
                    for link in found.links
                ],
            )
        )
    assert kinds[0] == kinds[1] == kinds[2]
