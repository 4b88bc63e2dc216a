"""The offline extractor of prose, stage by stage, on small documents of our own."""

from __future__ import annotations

from typing import Any

import pytest

from kgraph.documents import extract
from kgraph.language.sentences import split
from kgraph.model import Unit
from kgraph.sources import read_bytes
from kgraph.units.extraction import KnownSource, KnownSources

NOTE = """# Outage of 11 March

The Payment Gateway (PGW) rejected every card between 09:14 and 09:52 UTC.

## Cause

The PGW depends on the Token Vault, which had run out of disk.
Redis was restarted by the on-call engineer, but the Token Vault stayed read-only.

```sh
# not a heading
```

## Follow-up

The Payments Team will move the Token Vault to larger disks.
"""


def payload_of(text: str, uri: str = "note.md", others: tuple[str, ...] = ()) -> dict[str, Any]:
    document = read_bytes(text.encode(), uri)
    known = KnownSources([KnownSource(path, path.rsplit("/", 1)[-1]) for path in (uri, *others)])
    return extract(Unit(uri, "document", (document,), (), (), ""), known).payload


def entities(payload: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["name"]: node for node in payload["nodes"] if node["type"] == "Entity"}


def claims(payload: dict[str, Any]) -> list[str]:
    return [node["name"] for node in payload["nodes"] if node["type"] == "Claim"]


def edges(payload: dict[str, Any], predicate: str) -> set[tuple[str, str]]:
    return {
        (edge["source"], edge["target"])
        for edge in payload["edges"]
        if edge["predicate"] == predicate
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Dr. Silva left. He went, e.g. to St. Mary's.",
            ["Dr. Silva left.", "He went, e.g. to St. Mary's."],
        ),
        ("It runs v1.2.3. See note.md for more.", ["It runs v1.2.3.", "See note.md for more."]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("J. R. Smith wrote it. A. Jones read it.", ["J. R. Smith wrote it.", "A. Jones read it."]),
        ("Theobald (c. 854 to 895) was count.", ["Theobald (c. 854 to 895) was count."]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("系统宕机了。数据库恢复！好吗？", ["系统宕机了。", "数据库恢复！", "好吗？"]),
        ("سرور از کار افتاد. چرا؟ دیسک پر بود.", ["سرور از کار افتاد.", "چرا؟", "دیسک پر بود."]),
        ("See http://a.b/c?d=e. It works.", ["See http://a.b/c?d=e.", "It works."]),
        ("one two", ["one two"]),
    ],
)
def test_a_text_is_cut_where_its_sentences_end(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in split(text)] == expected


def test_a_report_becomes_claims_in_its_own_words_that_relate_what_it_names() -> None:
    payload = payload_of(NOTE)
    assert "The PGW depends on the Token Vault, which had run out of disk." in claims(payload)
    assert (
        "Redis was restarted by the on-call engineer, but the Token Vault stayed read-only."
        in claims(payload)
    )
    assert {"Token Vault", "Redis", "Payments Team"} <= set(entities(payload))
    assert ("PGW", "Token Vault") in edges(payload, "DEPENDS_ON")
    cited = {
        edge["target"]: edge["source_doc"]
        for edge in payload["edges"]
        if edge["predicate"] == "SUPPORTS"
    }
    assert (
        cited["The PGW depends on the Token Vault, which had run out of disk."] == "note.md#cause"
    )
    assert not any("heading" in claim for claim in claims(payload))


def test_an_acronym_and_its_expansion_are_one_entity_whichever_stands_first() -> None:
    for text in (
        NOTE,
        "The PGW (Payment Gateway) calls the Token Vault. The PGW is slow when the Token Vault is.",
    ):
        found = entities(payload_of(text))
        spellings = next(
            {name, *node.get("aliases", [])}
            for name, node in found.items()
            if "PGW" in (name, *node.get("aliases", []))
        )
        assert spellings == {"PGW", "Payment Gateway"}


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        (
            "Valkey Server, formerly Redis Fork, speaks to Sentinel Node.",
            {"Valkey Server", "Redis Fork"},
        ),
        (
            "Elasticsearch Cloud (also known as Elastic Cloud) feeds Kibana Board.",
            {"Elasticsearch Cloud", "Elastic Cloud"},
        ),
        (
            "The Harbor Registry, aka Harbor Hub, serves Build Farm.",
            {"Harbor Registry", "Harbor Hub"},
        ),
    ],
)
def test_other_names_that_the_text_gives_are_aliases(text: str, spellings: set[str]) -> None:
    found = entities(payload_of(text))
    assert any(spellings <= {name, *node.get("aliases", [])} for name, node in found.items())


def test_a_description_is_what_the_text_says_the_thing_is() -> None:
    found = entities(
        payload_of(
            "Vault Zeta is a store for keys in Porto. Ada Park, the head of operations, runs Vault Zeta."
        )
    )
    assert found["Vault Zeta"]["description"] == "a store for keys in Porto"
    assert found["Ada Park"]["description"] == "the head of operations"


@pytest.mark.parametrize(
    "text",
    [
        "Is Redis slower than the Token Vault?",
        "Restart Redis before the Token Vault.",
        "```\nRedis uses the Token Vault.\n```",
        "Copyright (c) 2026 Redis Labs and the Token Vault authors.",
        "- [Redis](#redis) and [Token Vault](#vault)",
        "For more information, see Redis and the Token Vault.",
        "Redis works.",
    ],
)
def test_questions_orders_code_licences_and_navigation_are_no_claims(text: str) -> None:
    assert claims(payload_of(text)) == []


def test_a_record_says_what_replaces_it_from_the_newer_to_the_older() -> None:
    text = "# 1. Use MySQL\n\n## Status\n\nSuperseded by [ADR 5](0005-use-postgresql.md)\n\n## Decision\n\nWe will use MySQL for orders.\n"
    payload = payload_of(text, "adr/0001-use-mysql.md", ("adr/0005-use-postgresql.md",))
    assert edges(payload, "SUPERSEDES") == {("0005-use-postgresql.md", "0001-use-mysql.md")}


@pytest.mark.parametrize(
    ("top", "predicate", "edge"),
    [
        ("status: superseded by [ADR-0005](0005-b.md)", "SUPERSEDES", ("0005-b.md", "0001-a.md")),
        ("supersedes: 0005-b.md", "SUPERSEDES", ("0001-a.md", "0005-b.md")),
        ("amends: ADR-0005", "REVISES", ("0001-a.md", "0005-b.md")),
        ("depends-on: [0005-b.md]", "DEPENDS_ON", ("0001-a.md", "0005-b.md")),
        ("derived-from: 0005-b.md", "DERIVED_FROM", ("0001-a.md", "0005-b.md")),
        ("required-by: 0005-b.md", "DEPENDS_ON", ("0005-b.md", "0001-a.md")),
    ],
)
def test_front_matter_that_relates_documents_becomes_the_edge_it_states(
    top: str, predicate: str, edge: tuple[str, str]
) -> None:
    payload = payload_of(f"---\n{top}\n---\n# A\n\nText.\n", "adr/0001-a.md", ("adr/0005-b.md",))
    assert edges(payload, predicate) == {edge}


def test_the_header_of_a_numbered_proposal_relates_it_to_others_present_or_not() -> None:
    text = "PEP: 9345\nTitle: Metadata\nReplaces: 9314\nSuperseded-By: 9566\nRequires: 9001, 9002\n\nAbstract\n========\n\nThis PEP describes metadata.\n"
    payload = payload_of(text, "pep-9345.rst", ("pep-9314.rst",))
    assert edges(payload, "SUPERSEDES") == {
        ("pep-9345.rst", "pep-9314.rst"),
        ("PEP 9345", "PEP 9314"),
        ("PEP 9566", "PEP 9345"),
    }
    assert edges(payload, "DEPENDS_ON") == {("PEP 9345", "PEP 9001"), ("PEP 9345", "PEP 9002")}


@pytest.mark.parametrize(
    "sentence",
    [
        "This document does not replace [B](b.md).",
        "This document would replace [B](b.md).",
        "The old guide replaces [B](b.md).",
        "See [B](b.md).",
    ],
)
def test_a_link_alone_or_a_denied_relation_makes_no_edge_between_documents(sentence: str) -> None:
    payload = payload_of(f"# A\n\n{sentence}\n", "a.md", ("b.md",))
    assert not edges(payload, "SUPERSEDES")


def test_a_timeline_row_has_its_instant_only_where_date_time_and_zone_are_stated() -> None:
    rows = "- [13:20] Ada Park restarted Redis\n- [13:40] Ada Park left Redis alone\n- [13:50] Redis met Ada Park\n"
    full = payload_of(f"# Outage\n\nAll times in UTC, on March 11, 2026.\n\n{rows}")
    bare = payload_of(f"# Outage\n\n{rows}")
    assert [node["valid_from"] for node in full["nodes"] if "valid_from" in node] == [
        f"2026-03-11T13:{minute}:00+00:00" for minute in (20, 40, 50)
    ]
    assert not any("valid_from" in node for node in bare["nodes"])


def test_a_newer_version_of_a_change_log_revises_the_one_before() -> None:
    text = "# Changelog\n\n## [1.10.0] - 2026-02-01\n\n- `cart`: round prices as Ada Park asked\n\n## [1.9.0] - 2026-01-01\n\n- Add `cart`\n"
    payload = payload_of(text, "CHANGELOG.md")
    assert edges(payload, "REVISES") == {("1.10.0", "1.9.0")}
    assert entities(payload)["1.10.0"]["qualifier"] == "CHANGELOG.md"


def test_a_pronoun_after_the_sentence_that_says_what_the_title_is_means_the_title() -> None:
    payload = payload_of(
        "# Ines Vale\n\nInes Vale (born 1950) is a Portuguese engineer. She built the Arrabida Dam. In 1990, she moved to Lisbon.\n"
    )
    assert ("She built the Arrabida Dam.", "Ines Vale") in edges(payload, "MENTIONS")
    assert ("In 1990, she moved to Lisbon.", "Ines Vale") in edges(payload, "MENTIONS")


def test_an_action_item_is_a_task_not_a_claim() -> None:
    payload = payload_of(
        "# Outage\n\n## Action items\n\n- Add an alert for Redis to the Token Vault\n"
    )
    assert [node["name"] for node in payload["nodes"] if node["type"] == "Task"] == [
        "Add an alert for Redis to the Token Vault"
    ]
    assert claims(payload) == []


@pytest.mark.parametrize(
    "text",
    [
        "Der Dienst nutzt den Speicher und die Warteschlange der Firma.",
        "サービスはデータベースに依存します。",
        "Сервис зависит от базы данных.",
    ],
)
def test_a_language_whose_names_can_t_be_told_yields_nothing_rather_than_nonsense(
    text: str,
) -> None:
    assert claims(payload_of(text)) == []


def test_marked_terms_are_read_in_any_language() -> None:
    payload = payload_of("# 手册\n\n**令牌库** 依赖 `redis-main` 才能启动。\n")
    assert claims(payload) == ["**令牌库** 依赖 `redis-main` 才能启动。"]
    assert {"令牌库", "redis-main"} <= set(entities(payload))


def test_it_says_of_which_units_it_could_say_little() -> None:
    document = read_bytes(b"just some words here. and a few more of them.", "x.txt")
    found = extract(Unit("x.txt", "document", (document,), (), (), ""), KnownSources())
    assert found.coverage.claims == 0 and found.coverage.reason


def test_it_says_how_many_sentences_became_claims_of_small_units_too() -> None:
    text = "The Sorter depends on Redis. Payments depend on the ledger. We do not use Kafka. Ann Park wrote the Sorter. Nothing else is known."
    found = extract(
        Unit("x.md", "document", (read_bytes(text.encode(), "x.md"),), (), (), ""), KnownSources()
    ).coverage
    assert (found.claims, found.sentences, found.reason) == (3, 5, "3 of 5 sentences became claims")
    every = read_bytes(b"Kafka feeds Redis. The Sorter depends on Redis.", "x.md")
    found = extract(Unit("x.md", "document", (every,), (), (), ""), KnownSources()).coverage
    assert (found.claims, found.sentences, found.reason) == (2, 2, "")


@pytest.mark.parametrize(
    "text",
    [
        "`Zahlungsdienst` nutzt `Speicher`.",
        "Der `Kunden Dienst` braucht den `Großen Speicher`.",
        "Postgres stores the orders that Kafka brings.",
        "Kafka went down at 9:00, so Redis filled up.",
        "Alice said that the Gateway failed.",
        "Kafka feeds Redis.",
        "[16:40] @ada rolled Kafka back to Redis",
    ],
)
def test_a_short_sentence_with_two_marked_things_is_a_claim(text: str) -> None:
    assert claims(payload_of(text)) == [text]


def test_many_references_to_absent_documents_keep_their_own_names() -> None:
    numbers = range(9100, 9140)
    text = f"PEP: 9345\nTitle: Metadata\nRequires: {', '.join(map(str, numbers))}\n\nAbstract\n========\n\nThis PEP describes metadata.\n"
    payload = payload_of(text, "pep-9345.rst")
    assert edges(payload, "DEPENDS_ON") == {("PEP 9345", f"PEP {number}") for number in numbers}


INCIDENT = """---
company: "Harbour Lines"
product: "Booking"
start_time: "2026-03-11T09:12:00Z"
---
# Harbour Lines booking outage

## Summary

Bookings failed on March 11th, 2026 from 10:12 to 10:40 CET. They came back slowly.

## Root cause

Ran out of file handles.

## Action items

- Raise the limit of file handles
"""
RECORD = """# 3. Use PostgreSQL for the ledger

Date: 2020-03-04

## Status

Accepted

## Decision

We will use PostgreSQL.

## Consequences

* Operators have to learn vacuuming.
"""


def by_name(text: str, kind: str, name: str = "note.md") -> dict[str, dict[str, object]]:
    return {node["name"]: node for node in payload_of(text, name)["nodes"] if node["type"] == kind}


def test_decisive_sections_of_an_incident_report_are_claims_with_their_kind_and_time() -> None:
    claims = by_name(INCIDENT, "Claim")
    failed = claims["Bookings failed on March 11th, 2026 from 10:12 to 10:40 CET."]
    assert failed["event_time"] == "2026-03-11T10:12:00+01:00/2026-03-11T10:40:00+01:00"
    assert claims["Ran out of file handles."]["kind"] == "cause"
    assert claims['start_time: "2026-03-11T09:12:00Z"']["kind"] == "event"
    back = claims["They came back slowly."]
    assert back["description"] == "Bookings failed on March 11th, 2026 from 10:12 to 10:40 CET."
    things = by_name(INCIDENT, "Entity")
    assert things["Harbour Lines"]["kind"] == "organization"
    assert things["Booking"]["kind"] == "product"
    assert things["Harbour Lines booking outage"]["kind"] == "event"


def test_a_decision_record_says_its_status_decision_and_consequences() -> None:
    claims = by_name(RECORD, "Claim", "0003-use-postgresql.md")
    kinds = {name: node.get("kind") for name, node in claims.items()}
    assert kinds["Status Accepted"] == "status"
    assert kinds["We will use PostgreSQL."] == "decision"
    assert kinds["Operators have to learn vacuuming."] == "consequence"


def test_no_clock_time_expression_or_everyday_word_in_code_is_an_entity() -> None:
    text = "The Sorter reads `status: ok`, `x = 1`, `a.b.c` and `list` from [14:43](#t) by `sorter.yaml` of the Sorter."
    assert set(by_name(text, "Entity")) <= {"Sorter", "sorter.yaml"}


def test_whose_a_thing_is_is_named_as_well_and_a_time_of_day_is_no_name() -> None:
    text = "Acme's API failed at 9:37AM PST on May 2, 2021. The worker of acme-jobs.io stopped.\n"
    things = set(by_name(text, "Entity"))
    assert {"Acme", "Acme's API", "acme-jobs.io"} <= things
    assert not any("AM" in thing for thing in things)
