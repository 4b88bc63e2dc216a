"""What holds for every document: its own words are found again, others never, and an encoding changes nothing."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.evidence import locate
from kgraph.evidence.folding import fold_quote
from kgraph.model import Citation
from kgraph.sources import read_bytes

WORDS = st.sampled_from(
    [
        *[
            "the",
            "pump",
            "**seal**",
            "*is*",
            "`code_x`",
            "[guide](a.md)",
            "worn.",
            "“high”",
            "—",
            "it’s",
            "snake_case",
            "2*3",
            "Grüße",
        ],
        *[
            "![i](i.png)",
            "[x][y]",
            "~~no~~",
            "\\*",
            "<b>bold</b>",
            "--",
            "https://e.org/a_b_c",
            "[",
            "](",
            "`",
            "**",
            "_",
            "…",
            "naïve",
        ],
        *["A&amp;B", "ﬁn", "e\u0301"],
    ]
)
LINES = st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
PREFIXES = st.sampled_from(["", "", "", "# ", "- ", "> ", "\n", "\n\n"])
FEW = settings(max_examples=40, deadline=None)
TEXTS = st.lists(st.tuples(PREFIXES, LINES), min_size=1, max_size=8).map(
    lambda rows: "\n".join(prefix + line for prefix, line in rows)
)


@FEW
@given(TEXTS, st.data(), st.sampled_from(["a.md", "a.txt", "a.py"]))
def test_a_slice_at_the_borders_of_words_is_found_and_its_bytes_are_its_words(
    text: str, data: st.DataObject, name: str
) -> None:
    raw = text.encode("utf-8")
    document = read_bytes(raw, name)
    borders = sorted(
        {0, len(text), *(match.start() for match in re.finditer(r"\s+|(?<=\s)\S", text))}
    )
    start = data.draw(st.sampled_from(borders))
    end = data.draw(st.sampled_from([border for border in borders if border >= start]))
    quote = text[start:end]
    (found,) = locate(document, [Citation(quote, "a.md")])
    if not any(char.isalnum() for char in quote):
        assert found.status in ("unchecked", "missing")
        return
    assert found.status in ("verified", "ambiguous")
    assert found.span is not None
    assert raw[found.span.start_byte : found.span.end_byte].decode("utf-8") == found.quote
    assert found.quote in text


@FEW
@given(TEXTS, LINES)
def test_a_text_that_is_not_in_the_document_is_never_verified(text: str, line: str) -> None:
    quote = f"{line} zebra"
    for name in ("a.md", "a.txt", "a.py"):
        assert (
            locate(read_bytes(text.encode("utf-8"), name), [Citation(quote, "a.md")])[0].status
            == "missing"
        )


@FEW
@given(TEXTS, LINES)
def test_what_is_verified_says_the_same_when_folded(text: str, line: str) -> None:
    (found,) = locate(read_bytes(text.encode("utf-8"), "a.md"), [Citation(line, "a.md")])
    if found.status in ("verified", "ambiguous"):
        letters = [
            re.sub(r"\W", "", fold_quote(words, marked=True)) for words in (found.quote, line)
        ]
        assert letters[0] == letters[1]


@FEW
@given(TEXTS, st.lists(LINES, min_size=1, max_size=4))
def test_a_copy_in_another_encoding_gives_the_same_evidence(text: str, lines: list[str]) -> None:
    text = "# Top\n\n" + text.replace("\u0301", "").translate(
        {0x2014: "-", 0x2026: ".", 0xFB01: "fi"}
    )
    quotes = [Citation(line, "") for line in [*lines, *text.split("\n")[-2:]]]
    copies = [
        text.encode("utf-8"),
        b"\xef\xbb\xbf" + text.encode("utf-8"),
        text.replace("\n", "\r\n").encode("utf-8"),
        text.replace("\n", "\r").encode("utf-8"),
        b"\xff\xfe" + text.encode("utf-16-le"),
        text.encode("cp1252"),
    ]
    outcomes = []
    for copy in copies:
        found = locate(read_bytes(copy, "a.md"), quotes)
        outcomes.append(
            [
                (one.status, one.source_doc, one.quote.split(), one.span and one.span[2:4])
                for one in found
            ]
        )
    assert all(outcome == outcomes[0] for outcome in outcomes[1:])


@FEW
@given(TEXTS, LINES, st.sampled_from(["", "#nowhere", ":1", "#L2-L3"]))
def test_evidence_is_stable_when_its_own_answer_is_cited(text: str, line: str, anchor: str) -> None:
    document = read_bytes(text.encode("utf-8"), "a.md")
    (first,) = locate(document, [Citation(line, f"a.md{anchor}")])
    if first.status in ("verified", "moved"):
        (again,) = locate(document, [Citation(first.quote, first.source_doc)])
        assert (again.status, again.span, again.source_doc) == (
            "verified",
            first.span,
            first.source_doc,
        )
