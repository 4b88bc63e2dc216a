"""Citations against documents: every status, the foldings, the anchors, and who may open what."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kgraph.evidence import Access, Place, check_again, locate, problems, split
from kgraph.evidence.anchors import Anchors
from kgraph.model import Citation, Document, Evidence, Span
from kgraph.sources import Unreadable, read_bytes

REPORT = (
    "# Report\n\nThe pump stopped twice.\n\n## Parts\n\nThe seal came from **Acme Ltd** in\r\nspring. It's rated “high”.\n\n"
    "```\n## Cause\n```\n\n## Cause\n\nThe seal was worn.\nThe pump stopped twice.\n\n### Detail\n\nHeat did it.\n"
)


def doc(text: str = REPORT, name: str = "doc.md") -> Document:
    return read_bytes(text.encode("utf-8"), name)


def one(quote: str, source_doc: str = "doc.md", document: Document | None = None) -> Evidence:
    return locate(document or doc(), [Citation(quote, source_doc)])[0]


STATUSES = [
    ("The seal was worn.", "doc.md#cause", "verified", "cause"),
    ("Heat did it.", "doc.md#cause", "verified", "cause"),
    ("Heat did it.", "doc.md", "verified", "detail"),
    ("Heat did it.", "doc.md#parts", "moved", "detail"),
    ("Heat did it.", "doc.md#nowhere", "moved", "detail"),
    ("Heat did it.", "doc.md:21", "verified", "L21"),
    ("Heat did it.", "doc.md:3-4", "moved", "L21"),
    ("Heat did it.", "doc.md#L19-L21", "verified", "L19-L21"),
    ("Heat did it.", "other/doc.md#detail", "verified", "detail"),
    ("Heat did it.", "doc.md#Detail", "verified", "Detail"),
    ("The pump stopped twice.", "doc.md", "ambiguous", "report"),
    ("The pump stopped twice.", "doc.md#cause", "verified", "cause"),
    ("The pump stopped thrice.", "doc.md#cause", "missing", "cause"),
    ("The seal was worn. It failed.", "doc.md#cause", "missing", "cause"),
    ("", "doc.md#cause", "located", "cause"),
    ("  ", "doc.md#L1-L3", "located", "L1-L3"),
    ("", "doc.md#nowhere", "missing", "nowhere"),
    ("", "doc.md:99", "missing", "L99"),
    ("", "doc.md", "unchecked", ""),
    ("...", "doc.md", "missing", ""),
    ("**", "doc.md#cause", "missing", "cause"),
]


@pytest.mark.parametrize(("quote", "source_doc", "status", "anchor"), STATUSES)
def test_the_first_status_that_applies_is_given(
    quote: str, source_doc: str, status: str, anchor: str
) -> None:
    found = one(quote, source_doc)
    assert (found.status, split(found.source_doc).anchor) == (status, anchor)


def test_the_words_kept_are_the_files_own() -> None:
    found = one('The seal came from Acme Ltd in spring. It\'s rated "high".')
    assert found.status == "verified"
    assert found.quote == "The seal came from **Acme Ltd** in\r\nspring. It's rated “high”."
    assert found.span is not None
    raw = REPORT.encode("utf-8")[found.span.start_byte : found.span.end_byte]
    assert raw.decode("utf-8") == found.quote
    assert (found.span.start_line, found.span.end_line) == (7, 8)


FOLDINGS = [
    ("It is *very* __old__ and ~~gone~~.", "It is very old and gone."),
    ("Use `make install` now.", "Use make install now."),
    ("See [the guide](https://e.org/x_y) first.", "See the guide first."),
    ("See [the *guide*][g] first.\n\n[g]: x.md", "See the guide first."),
    ("A \\* star and 2 \\_ bars.", "A * star and 2 _ bars."),
    ("It stopped — then “restarted”…", 'It stopped - then "restarted"...'),
    ("It’s the team's", "It's the team’s"),
    ("a  b\n\tc\u00a0d", "a b c d"),
    ("co\u00adop\u200berate", "cooperate"),
    ("the ﬁnal ﬂow", "the final flow"),
    ("Cafe\u0301 Zoë", "Café Zoe\u0308"),
    ("⻓期⾏动", "长期行动"),
    ("东京\n大学", "东京大学"),
    ("ｆｕｌｌ ｗｉｄｔｈ", "full width"),
    ("> one line\n> and two", "one line and two"),
    ("AT&amp;T is big", "AT&T is big"),
    ("press <kbd>Ctrl</kbd> now", "press Ctrl now"),
    ("rated -- by all -- high", "rated — by all — high"),
    ("keep `a_b*c` here", "keep a_b*c here"),
    ("see [[A note]] and [[b|the B]]", "see A note and the B"),
    ("한국어", "\u1112\u1161\u11ab국어"),
]


@pytest.mark.parametrize(("text", "quote"), FOLDINGS)
def test_what_is_folded_for_matching(text: str, quote: str) -> None:
    found = one(quote, "a.md", doc(text, "a.md"))
    assert found.status == "verified"
    assert found.quote in text
    assert one(text.split("\n\n")[0], "a.md", doc(text, "a.md")).status == "verified"


NOT_FOLDED = [
    ("value is 2*3 or 2 * 3 now", "value is 23"),
    ("use --force today", "use -force today"),
    ("The Red Team", "the red team"),
    ("the final", "the fina1"),
    ("the ﬁn", "the f"),
    ("call snake_case here", "call snakecase here"),
    ("a, b", "a b"),
    ("stop. Go", "stop… Go"),
]


@pytest.mark.parametrize(("text", "quote"), NOT_FOLDED)
def test_what_says_something_else_is_missing(text: str, quote: str) -> None:
    assert one(quote, "a.md", doc(text, "a.md")).status == "missing"


def test_operators_in_code_are_no_emphasis() -> None:
    code = doc("x = a**b**c\n", "a.py")
    assert one("x = abc", "a.py", code).status == "missing"
    assert one("a**b**c", "a.py", code).status == "verified"


def test_equal_quotes_are_paired_with_their_places_in_order() -> None:
    quote = Citation("The pump stopped twice.", "doc.md")
    found = locate(
        doc(),
        [quote, Citation("Heat did it.", "doc.md"), Citation("The pump  stopped twice.", "doc.md")],
    )
    assert [evidence.status for evidence in found] == ["verified"] * 3
    assert [evidence.span.start_line for evidence in found if evidence.span] == [3, 21, 17]
    assert [evidence.status for evidence in locate(doc(), [quote] * 3)] == ["ambiguous"] * 3


def test_an_anchored_quote_leaves_the_other_place_to_the_one_without() -> None:
    quotes = [
        Citation("The pump stopped twice.", "doc.md"),
        Citation("The pump stopped twice.", "doc.md#cause"),
    ]
    assert [
        (found.status, found.span.start_line) for found in locate(doc(), quotes) if found.span
    ] == [("verified", 3), ("verified", 17)]


def test_a_whole_word_is_preferred_to_a_part_of_one() -> None:
    found = one("cat", "a.md", doc("concatenate the cat\n", "a.md"))
    assert (found.status, found.span and found.span.start_byte) == ("verified", 16)


SPLITS = [
    ("a.md#x", Place("a.md", "x")),
    ("d/a.md:12", Place("d/a.md", "L12")),
    ("d/a.md:12-20", Place("d/a.md", "L12-L20")),
    ("a.md", Place("a.md", "")),
    ("a:b.md", Place("a:b.md", "")),
    ("#x", Place("", "x")),
    ("", Place("", "")),
]


@pytest.mark.parametrize(("source_doc", "place"), SPLITS)
def test_source_doc_is_taken_apart(source_doc: str, place: Place) -> None:
    assert split(source_doc) == place


@pytest.mark.parametrize(
    "anchor",
    [
        "größe-und-maß",
        "gr%C3%B6%C3%9Fe-und-ma%C3%9F",
        "user-content-größe-und-maß",
        "Größe und Maß",
    ],
)
def test_an_anchor_may_be_escaped_or_be_the_title_itself(anchor: str) -> None:
    assert one("", f"a.md#{anchor}", doc("# Größe und Maß\n", "a.md")).status == "located"


def test_the_warnings_follow_from_the_evidence() -> None:
    citations = [
        Citation("Heat did it.", "doc.md#nowhere"),
        Citation("No such words.", "doc.md#cause"),
        Citation("", "doc.md#nowhere"),
        Citation("Heat did it.", "doc.md#parts"),
        Citation("Heat did it.", "doc.md#detail"),
    ]
    paths = [f"$.edges[{number}]" for number in range(5)]
    found = problems(doc(), citations, locate(doc(), citations), paths)
    assert [(problem.code, problem.path) for problem in found] == [
        ("W302", "$.edges[0].source_doc"),
        ("W301", "$.edges[1].quote"),
        ("W302", "$.edges[2].source_doc"),
    ]
    assert [
        problem.code
        for problem in problems(None, citations[:1], [Evidence("unchecked")], paths[:1])
    ] == ["W303"]


AGAIN = [
    ("The seal was worn.", "#cause", REPORT, "verified"),
    ("The seal was worn.", "#cause", "\n" + REPORT, "verified"),
    ("The seal was worn.", "#cause", REPORT.replace("worn", "fine"), "stale"),
    ("The seal was worn.", "#cause", REPORT.replace("## Cause\n\nThe", "## Why\n\nThe"), "moved"),
    ("The seal was worn.", "#L16", "\n" + REPORT, "moved"),
    ("", "#cause", REPORT.replace("## Cause\n\nThe", "## Why\n\nThe"), "stale"),
    ("", "#cause", REPORT + "\n", "located"),
]


@pytest.mark.parametrize(("quote", "anchor", "now", "status"), AGAIN)
def test_stored_evidence_is_held_against_the_file_as_it_is_now(
    quote: str, anchor: str, now: str, status: str
) -> None:
    assert check_again(one(quote, f"doc.md{anchor}"), doc(now)) == status


def test_what_was_missing_is_looked_for_again_only_in_its_own_words() -> None:
    missing, later = one("Not there.", "doc.md#detail"), doc(REPORT + "Not there.\n")
    assert check_again(missing, later) == "missing"
    assert check_again(missing, later, Citation("Not there.", "doc.md#detail")) == "verified"


def test_a_source_that_cannot_be_read_is_unchecked() -> None:
    assert check_again(one("Heat did it."), None) == "unchecked"


def test_only_files_below_a_root_are_opened(tmp_path: Path) -> None:
    for name in ("root/a.md", "root/d/b.md", "more/c.md", "secret.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# x\n")
    os.symlink(tmp_path / "secret.md", tmp_path / "root" / "link.md")
    os.symlink(tmp_path / "root" / "d", tmp_path / "root" / "inner")
    access = Access(tmp_path / "root", (str(tmp_path / "more"),))
    for uri in (
        "a.md",
        "./d/b.md",
        "d/../a.md",
        "inner/b.md",
        "c.md",
        str(tmp_path / "root" / "a.md"),
        f"file://{tmp_path}/root/a.md",
    ):
        assert access.path_of(uri) is not None, uri
        assert access.document(uri).title == "x"
    for uri in (
        "../secret.md",
        "link.md",
        "/etc/passwd",
        "file:///etc/passwd",
        "https://e.org/a.md",
        "",
        ".",
        "d",
        "no.md",
        "a\0b",
        "../root-not/a",
    ):
        assert access.path_of(uri) is None, uri
        with pytest.raises(Unreadable, match="outside"):
            access.document(uri)


def test_the_second_message_is_named_for_what_it_says() -> None:
    text = "first words\nsecond words\n"
    anchors = {"msg-1": Span(0, 12), "msg-2": Span(12, len(text)), "aside": Span(12, 18)}
    document = doc(text, "chat.txt")._replace(anchors=anchors)
    assert Anchors(document).best(Span(12, 18)) == "msg-2"
    assert Anchors(document).best(Span(0, 5)) == "msg-1"
    assert Anchors(document).best(Span(6, 18)) == "L1-L2", "no message holds all of it"


def test_marks_and_quoting_signs_are_left_out_in_the_order_of_the_text() -> None:
    document = doc("> The **seal** was\n> worn by `heat` and\n> *dust*.\n")
    assert one("The seal was worn by heat and dust.", document=document).status == "verified"
    assert one("worn by heat", document=document).status == "verified"


@pytest.mark.parametrize("end", ["", " ", "\n", " \n\n"])
def test_white_space_at_an_end_of_ideographs_is_no_fault(end: str) -> None:
    document = doc(f"\n数据库\n坏了{end}")
    assert one("数据库坏了", document=document).status == "verified"
    assert one("坏了", document=document).status == "verified"


def test_a_quote_that_is_asked_for_often_is_found_by_its_rarest_word() -> None:
    text = "the pump of the hall and the valve of the yard " * 3 + "the seal of the gate was worn"
    document = doc(text)
    quotes = ["the seal of the gate", "the pump of the hall", "was worn", "the gate was thin"] * 8
    found = locate(document, [Citation(quote, "doc.md") for quote in quotes])
    expected = {
        "the seal of the gate": "verified",
        "was worn": "verified",
        "the gate was thin": "missing",
    }
    assert all(
        evidence.status == expected[quote]
        for quote, evidence in zip(quotes, found, strict=True)
        if quote in expected
    )
    assert {
        evidence.status for quote, evidence in zip(quotes, found, strict=True) if "pump" in quote
    } <= {"ambiguous", "verified"}
