"""What holds of the offline extractor of prose for every text, hostile ones included."""

from __future__ import annotations

import random
import re
from itertools import pairwise

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kgraph.documents import extract
from kgraph.documents.masking import mask
from kgraph.language.sentences import split
from kgraph.model import Document, Unit
from kgraph.sources import Unreadable, read_bytes
from kgraph.units.extraction import Extraction, KnownSource, KnownSources

PIECES = [
    "The Payment Gateway (PGW) rejected every card.",
    "PGW depends on the Token Vault.",
    "Redis, a cache, is fast!",
    "It wasn't so.",
    "e.g. this",
    "See [the plan](plan.md) and [[x]].",
    "`code` and ``more `code` ``",
    "**bold** *it* __b__ _i_",
    "# Heading",
    "## Status",
    "Superseded by [B](b.md)",
    "- item one",
    "* [ ] task",
    "1. first",
    "| a | b |\n|---|---|\n| Redis | a cache |",
    "```\ncode\n```",
    "> quoted",
    "<b>html</b>",
    "<!-- no -->",
    "All times in UTC, on March 11, 2026",
    "- 09:14 Ada restarted Redis",
    "2026-03-11T09:14:00Z Ada left",
    ":pep:`8` and PEP 257",
    "Replaces: 3",
    "数据库是核心。Redis 很快！",
    "این یک جمله است. و دیگر؟",
    "데이터베이스는 **핵심**이다.",
    "\u202eevil\u202c",
    "\x01\x02",
    "\r\n",
    "\n\n",
    "   ",
    "((((",
    "]](",
    "](",
    "***",
    "___",
    "``",
    "---\ntitle: X\nauthors: [Ada]\n---",
    "formerly known as X, now Y (aka Z)",
    "🙂 I like Emoji Things.",
    "…",
]
QUIET = [piece for piece in PIECES if "\r" not in piece and "\x01" not in piece]
texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).map("\n".join),
    st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join),
    st.lists(st.sampled_from(PIECES), max_size=12).map("\n\n".join),
    st.text(max_size=300),
)
names = st.sampled_from(["note.md", "note.txt", "pep-0008.rst", "0005-use-x.md", "CHANGELOG.md"])
KNOWN = KnownSources(
    [
        KnownSource("plan.md", "plan.md"),
        KnownSource("b.md", "b.md", "src:b"),
        KnownSource("d/b2.md", "b2.md"),
    ]
)


def read(text: str, name: str = "note.md") -> Document:
    try:
        return read_bytes(text.encode(errors="replace"), name)
    except Unreadable:
        assume(False)
        raise


def extracted(document: Document, known: KnownSources = KNOWN) -> Extraction:
    return extract(Unit(document.uri, "document", (document,), (), (), document.sha256), known)


@settings(max_examples=60, deadline=None)
@given(texts, names)
def test_every_quote_is_a_slice_of_the_text_and_every_claim_is_its_quote_with_white_space_collapsed(
    text: str, name: str
) -> None:
    document = read(text, name)
    payload = extracted(document).payload
    for edge in payload["edges"]:
        if "quote" in edge:
            assert edge["quote"] in document.text
            assert edge["source_doc"].startswith(document.uri + "#")
        if edge["predicate"] == "SUPPORTS":
            assert edge["target"] == " ".join(edge["quote"].split())
            assert 0.5 <= edge["confidence"] <= 1


@settings(max_examples=60, deadline=None)
@given(texts, names)
def test_every_edge_ends_at_a_node_of_the_payload_or_at_a_known_source(
    text: str, name: str
) -> None:
    document = read(text, name)
    payload = extracted(document).payload
    named = {node["name"] for node in payload["nodes"]} | {
        KNOWN.end(source) for source in KNOWN.sources
    }
    for edge in payload["edges"]:
        assert edge["source"] in named and edge["target"] in named
        assert edge["source"] != edge["target"]


@settings(max_examples=50, deadline=None)
@given(texts, names)
def test_every_node_but_the_source_has_an_edge_and_every_claim_has_its_source(
    text: str, name: str
) -> None:
    payload = extracted(read(text, name)).payload
    assert payload["nodes"][0]["type"] == "Source"
    touched = {end for edge in payload["edges"] for end in (edge["source"], edge["target"])}
    for node in payload["nodes"][1:]:
        assert node["name"] in touched
        if node["type"] == "Claim":
            supports = [
                edge
                for edge in payload["edges"]
                if edge["target"] == node["name"] and edge["predicate"] == "SUPPORTS"
            ]
            assert len(supports) == 1
            assert len(node["name"]) <= 2000 and node["name"].isprintable()


@settings(max_examples=50, deadline=None)
@given(texts, names)
def test_no_name_is_blank_doubled_or_holds_what_a_name_may_not(text: str, name: str) -> None:
    payload = extracted(read(text, name)).payload
    folded = [
        (node["type"], node["name"].casefold(), node.get("qualifier", ""))
        for node in payload["nodes"]
    ]
    assert len(folded) == len(set(folded))
    for node in payload["nodes"]:
        for spelling in [node["name"], *node.get("aliases", [])]:
            assert spelling.strip() == spelling and spelling
            assert not re.search(
                "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", spelling
            )


@settings(max_examples=60, deadline=None)
@given(texts, names)
def test_the_same_text_gives_the_same_payload(text: str, name: str) -> None:
    assert extracted(read(text, name)) == extracted(read(text, name))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(QUIET), max_size=15))
def test_line_ends_change_neither_claims_nor_anchors(pieces: list[str]) -> None:
    text = "\n\n".join(pieces)
    plain, carriage = (
        extracted(read(text)).payload,
        extracted(read(text.replace("\n", "\r\n"))).payload,
    )
    assert [node["name"] for node in plain["nodes"]] == [node["name"] for node in carriage["nodes"]]
    assert [edge.get("source_doc") for edge in plain["edges"]] == [
        edge.get("source_doc") for edge in carriage["edges"]
    ]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400), st.sampled_from(["markdown", "rst", "latex", "text"]))
def test_a_mask_is_as_long_as_its_text_and_changes_only_what_it_fills(
    text: str, format: str
) -> None:
    masked, marks = mask(text, 0, len(text), format)
    assert len(masked) == len(text)
    assert all(shown in (letter, "\x01") for shown, letter in zip(masked, text, strict=True))
    assert all(0 <= mark.start <= mark.end <= len(text) for mark in marks)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='aB c.!?。\n\x01")1', max_size=200))
def test_sentences_are_in_order_don_t_overlap_and_lose_no_letter(text: str) -> None:
    ranges = split(text)
    assert all(start < end for start, end in ranges)
    assert all(before[1] <= after[0] for before, after in pairwise(ranges))
    kept = "".join(text[start:end] for start, end in ranges)
    assert [letter for letter in kept if letter.isalnum()] == [
        letter for letter in text if letter.isalnum()
    ]


def test_long_hostile_texts_are_read_to_their_end() -> None:
    for seed in [
        ". ",
        "Foo (FB) ",
        "[a](",
        "`a ",
        "*a ",
        "<a ",
        "A, B is a C ",
        ":pep:`8` ",
        "@a ",
        "- a\n",
        "Ada is a Bob of Eve. ",
    ]:
        found = extracted(read(seed * 2_000))
        assert found.payload["nodes"][0]["type"] == "Source"


def test_a_shuffled_folder_of_known_sources_changes_nothing() -> None:
    document = read("# 5. Use B\n\n## Status\n\nSupersedes [the old one](d/b2.md)\n", "adr.md")
    sources = list(KNOWN.sources)
    random.Random(5).shuffle(sources)
    assert extracted(document, KnownSources(sources)) == extracted(document)
