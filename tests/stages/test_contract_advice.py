"""The warnings that judge words: tables of what they speak up at, and of what they must let pass."""

from __future__ import annotations

import pytest

from kgraph.contract import Held, MemoryView, Options, check


def warned(node: dict[str, object], view: MemoryView | None = None) -> set[str]:
    admission = check({"nodes": [node], "edges": []}, view or MemoryView())
    return {problem.code for problem in admission.warnings} - {"W205"}


@pytest.mark.parametrize(
    "name", ["Alpha depends on Beta", "The cache was cold", "Vendor X supplied Component Z"]
)
def test_an_entity_that_reads_as_a_statement_is_pointed_out(name: str) -> None:
    assert "W202" in warned(
        {"type": "Entity", "name": name, "description": "said in the meeting notes"}
    )


@pytest.mark.parametrize(
    "name",
    [
        "State of the Art",
        "Alpha",
        "Has Been Records",
        "shop.cart",
        "cache warm-up",
        "The Who",
        "日本",
        "J. Silva",
    ],
)
def test_a_thing_with_a_long_name_is_no_statement(name: str) -> None:
    assert "W202" not in warned(
        {"type": "Entity", "name": name, "description": "said in the meeting notes"}
    )


@pytest.mark.parametrize(
    "description", ["Alpha", "an entity", "the Alpha service", "ALPHA thing", "a person"]
)
def test_a_description_that_repeats_name_or_type_is_empty(description: str) -> None:
    assert "W204" in warned({"type": "Entity", "name": "Alpha", "description": description})


@pytest.mark.parametrize(
    "description",
    ["billing", "the Alpha service of Porto", "a service number 3", "Alphabet", "支払い"],
)
def test_a_description_with_one_word_of_its_own_is_not(description: str) -> None:
    assert "W204" not in warned({"type": "Entity", "name": "Alpha", "description": description})


@pytest.mark.parametrize(
    "name",
    [
        "Copyright (c) 2026 The Shop Ltd.",
        "All rights reserved",
        'The software is provided "as is", without warranty of any kind',
        "All notable changes to this project are documented in this file",
        "Skip to main content",
        "Licensed under the Apache License, Version 2.0",
    ],
)
def test_scaffolding_is_no_claim(name: str) -> None:
    assert "W210" in warned({"type": "Claim", "name": name, "inference": True})


@pytest.mark.parametrize(
    "name",
    ["The driver's license expired in 2024", "The page loads slowly", "Copyright law changed"],
)
def test_a_claim_about_such_words_is_none_of_it(name: str) -> None:
    assert "W210" not in warned({"type": "Claim", "name": name, "inference": True})


@pytest.mark.parametrize(
    "name",
    [
        "p99 latency = 120",
        "coverage 87%",
        "bundle size of 12 kB",
        "latency: 250ms",
        "error rate is 3",
    ],
)
def test_a_metric_is_not_its_value(name: str) -> None:
    assert "W212" in warned({"type": "Metric", "name": name})


@pytest.mark.parametrize(
    "name", ["p99 latency", "HTTP 5xx rate", "top-5 accuracy", "bundle size", "F1", "coverage"]
)
def test_a_metric_may_have_a_number_in_its_name(name: str) -> None:
    assert "W212" not in warned({"type": "Metric", "name": name})


PLANET = "the planet closest to the sun"
BROKER = "message broker used by the payments team"


def test_one_name_with_two_meanings_is_pointed_out_in_payload_and_graph() -> None:
    view = MemoryView([Held("e", "Entity", "Mercury", description=PLANET)])
    node = {"type": "Entity", "name": "Mercury", "description": BROKER}
    admission = check({"nodes": [node], "edges": []}, view)
    told = [problem for problem in admission.warnings if problem.code == "W211"]
    assert PLANET in told[0].message and BROKER in told[0].message
    within = check({"nodes": [{**node, "description": PLANET}, node], "edges": []}, MemoryView())
    assert "W211" in {problem.code for problem in within.warnings}


@pytest.mark.parametrize(
    "other",
    ["the broker of the payments", "a planet", "message broker used by the payments team", ""],
)
def test_short_or_agreeing_descriptions_are_no_homonym(other: str) -> None:
    view = MemoryView([Held("e", "Entity", "Mercury", description=BROKER)])
    assert "W211" not in warned({"type": "Entity", "name": "Mercury", "description": other}, view)


def _two_claims(one: str, other: str, second_source: str = "a.md") -> set[str]:
    names = dict.fromkeys(("a.md", second_source))
    nodes = [{"type": "Source", "name": name, "uri": name} for name in names] + [
        {"type": "Claim", "name": name} for name in (one, other)
    ]
    edges = [
        {"predicate": "SUPPORTS", "source": source, "target": name, "quote": "q", "confidence": 0.9}
        for source, name in (("a.md", one), (second_source, other))
    ]
    return {
        problem.code for problem in check({"nodes": nodes, "edges": edges}, MemoryView()).warnings
    }


@pytest.mark.parametrize(
    "other", ["The Alpha ships weekly", "Alpha ships weekly.", "\u201cAlpha\u201d ships, weekly"]
)
def test_a_source_that_says_one_thing_twice_is_restating(other: str) -> None:
    assert "W208" in _two_claims("Alpha ships weekly", other)
    assert "W208" not in _two_claims("Alpha ships weekly", other, "b.md")


@pytest.mark.parametrize(
    "other",
    [
        "Alpha never ships weekly",
        "Beta ships weekly",
        "Weekly ships Alpha",
        "Alpha ships weekly to 3 towns",
    ],
)
def test_claims_that_differ_in_a_word_or_in_order_are_two(other: str) -> None:
    assert "W208" not in _two_claims("Alpha ships weekly", other)


TEXT = "The Model Context Protocol (MCP) is new. PostGreSQL is a store. Cache warm-up takes long. # CACHE WARM-UP\n"


@pytest.mark.parametrize(
    ("entity", "spelling"),
    [
        ({"name": "Model Context Protocol"}, "MCP"),
        ({"name": "PostgreSQL"}, "PostGreSQL"),
        ({"name": "Model Context Protocol", "aliases": ["MCP"]}, None),
        ({"name": "PostgreSQL", "aliases": ["PostGreSQL"]}, None),
        ({"name": "cache warm-up", "aliases": ["CACHE WARM-UP"]}, None),
        ({"name": "Redis"}, None),
    ],
)
def test_the_sources_own_spelling_is_asked_for_as_an_alias(
    entity: dict[str, object], spelling: str | None
) -> None:
    nodes = [
        {"type": "Source", "name": "a.md", "uri": "a.md"},
        {"type": "Entity", "description": "told in the notes", **entity},
    ]
    admission = check(
        {"nodes": nodes, "edges": []}, MemoryView(), Options(read_source={"a.md": TEXT}.get)
    )
    told = [
        (problem.path, problem.hint) for problem in admission.warnings if problem.code == "W209"
    ]
    assert told == ([("$.nodes[1].aliases", f"add {spelling!r} to `aliases`")] if spelling else [])


def test_a_source_that_cant_be_read_is_asked_for_no_spelling() -> None:
    nodes = [
        {"type": "Source", "name": "a.md", "uri": "a.md"},
        {"type": "Entity", "name": "MCP", "description": "told in the notes"},
    ]
    admission = check(
        {"nodes": nodes, "edges": []}, MemoryView(), Options(read_source=lambda uri: None)
    )
    assert "W209" not in {problem.code for problem in admission.warnings}


def test_a_kind_or_role_that_nothing_recommends_is_named_and_kept() -> None:
    payload = {
        "nodes": [
            {"type": "Source", "name": "a.md", "uri": "a.md"},
            {"type": "Entity", "name": "Ledger", "kind": "servise", "description": "books orders"},
            {"type": "Claim", "name": "The ledger stopped", "kind": "event"},
        ],
        "edges": [
            {
                "predicate": "SUPPORTS", "source": "a.md", "target": "The ledger stopped",
                "quote": "The ledger stopped", "confidence": 0.9, "role": "cause",
            },
            {"predicate": "MENTIONS", "source": "The ledger stopped", "target": "Ledger", "role": "victim"},
        ],
    }  # fmt: skip
    found = check(payload, MemoryView())
    paths = [problem.path for problem in found.warnings if problem.code == "W220"]
    assert paths == ["$.edges[0].role", "$.edges[1].role", "$.nodes[1].kind"]
    assert "did you mean service?" in next(p.hint for p in found.warnings if "kind" in p.path)
    assert found.nodes[1]["of_kind"] == "servise"
    assert found.edges[1]["role"] == "victim"


@pytest.mark.parametrize(
    ("time", "sound"),
    [
        ("2026-03-11", True),
        ("2026-03-11T09:12:00Z", True),
        ("2026-03-11T09:12:00Z/2026-03-11T10:00:00+01:00", False),
        ("2026-03-11/2026-03-12", True),
        ("2026-03-12/2026-03-11", False),
        ("09:12", False),
        ("2026-03-11T09:12", False),
    ],
)
def test_an_event_time_is_a_date_an_instant_with_a_zone_or_an_interval(
    time: str, sound: bool
) -> None:
    node = {"type": "Claim", "name": "It broke", "inference": True, "event_time": time}
    found = check({"nodes": [node], "edges": []}, MemoryView())
    assert bool(found.errors) is not sound
