"""Which typed edges a sentence gives, and which it doesn't: a name is never cut, and nothing is written that isn't asserted as true now."""

from __future__ import annotations

import pytest

from kgraph.documents import extract
from kgraph.model import Unit
from kgraph.sources import read_bytes
from kgraph.units.extraction import KnownSource, KnownSources

TYPED = frozenset(("DEPENDS_ON", "PARENT_OF", "SUPERSEDES", "DERIVED_FROM", "PRODUCED", "REVISES"))
# Around the sentence: ordinary words in lower case that are also first or last words of the names in the table.
AROUND = "# Notes\n\nThe team met on site. An alpha release of the server and the store went out.\n\n{}\n\nIt was a long day for the service.\n"

# One line: sentence | edges, "A > B" for DEPENDS_ON, "A ^ B" for SUPERSEDES, "A < B" for B PARENT_OF A, "A ~ B" for DERIVED_FROM.
STATED = """
Alpha Server depends on Beta Store. | Alpha Server > Beta Store
The `Svc` Service depends on the `Db` Store. | Svc Service > Db Store
The **Alpha** Service relies on the **Beta** Store. | Alpha Service > Beta Store
North America Billing Service depends on Redis. | North America Billing Service > Redis
American Grid Controller depends on Redis. | American Grid Controller > Redis
Billing Service depends on Redis. | Billing Service > Redis
Load Balancer requires Token Vault. | Load Balancer > Token Vault
The Alpha-Beta Bridge depends on Redis. | Alpha-Beta Bridge > Redis
The Office of the Northern Fleet depends on Token Vault. | Office of the Northern Fleet > Token Vault
Vega and Rigel depend on Gamma. | Vega > Gamma; Rigel > Gamma
Both the Token Vault and the Sorter depend on Redis. | Token Vault > Redis; Sorter > Redis
The Sorter, the Ledger and the Vault depend on Redis. | Sorter > Redis; Ledger > Redis; Vault > Redis
The Sorter depends on Redis and Kafka. | Sorter > Redis; Sorter > Kafka
The Sorter depends on Redis, Kafka, and the Ledger. | Sorter > Redis; Sorter > Kafka; Sorter > Ledger
The Sorter depends on Redis, and the Ledger depends on Kafka. | Sorter > Redis; Ledger > Kafka
The Sorter depends on Redis and the Ledger depends on Kafka. | Sorter > Redis; Ledger > Kafka
The Payment Gateway (PGW) depends on the Token Vault (TV). | Payment Gateway > Token Vault
"Token Vault" depends on "Berth Store". | Token Vault > Berth Store
Dr. Ada Park depends on the Token Vault. | Dr. Ada Park > Token Vault
The Sorter depends on the Ledger for its totals. | Sorter > Ledger
The Sorter depends on the Ledger, which runs in Oslo. | Sorter > Ledger
The Sorter also depends on the Ledger because totals live there. | Sorter > Ledger
Today, the Sorter relies on Kafka. | Sorter > Kafka
- The Sorter depends on the Ledger. | Sorter > Ledger
The Sorter is built on top of Kafka. | Sorter > Kafka
The Sorter is powered by Kafka. | Sorter > Kafka
The Token Vault replaces the Key Cabinet. | Token Vault ^ Key Cabinet
The Key Cabinet was replaced by the Token Vault. | Token Vault ^ Key Cabinet
The Sorter is part of the Mail Hall. | Sorter < Mail Hall
The Mail Hall consists of the Sorter and the Ledger. | Sorter < Mail Hall; Ledger < Mail Hall
Valkey is a fork of Redis. | Valkey ~ Redis
The **Sorter** depends on [Kafka](https://kafka.example/). | Sorter > Kafka
`sorter-svc` depends on `ledger-db`. | sorter-svc > ledger-db
The Claim Office depends on the Report Desk. | Claim Office > Report Desk
The API gateway depends on Redis. | API gateway > Redis
McKay's Grid Controller depends on Redis. | McKay's Grid Controller > Redis
But the Sorter depends on the Ledger. | Sorter > Ledger
The Sorter depends on Redis as a cache. | Sorter > Redis
The Sorter depends on Redis. It is fast. | Sorter > Redis
Postgres relies on Redis. | Postgres > Redis
""".strip().splitlines()

CLAIM_AT_MOST = """
The API gateway does not depend on Redis.
The Sorter never depends on Redis.
The Sorter no longer depends on Redis.
Neither the Sorter nor the Ledger depends on Redis.
The Sorter doesn't depend on Redis.
The Sorter hardly depends on Redis.
The Sorter depends on Redis, not on Kafka.
The Sorter would depend on Redis.
The Sorter may depend on Redis.
The Sorter will depend on Redis.
The Sorter should depend on Redis.
The Sorter depends on Redis if Kafka is down.
The Sorter depends on Redis when Kafka is down.
If the Sorter depends on Redis, the Ledger waits.
Unless the Sorter depends on Redis, the Ledger waits.
Does the Sorter depend on Redis?
The Sorter depends on Redis?
The Sorter depended on Redis.
The Sorter depended on Redis until March.
The Sorter depends on Redis until March.
The Sorter used to depend on Redis.
Formerly the Sorter depends on Redis.
Ann said that the Sorter depends on Redis.
Ann said the Sorter depends on Redis.
The Sorter depends on Redis, said Ann.
According to Ann, the Sorter depends on Redis.
The Sorter depends on Redis, according to Ann.
It is false that the Sorter depends on Redis.
Ann believes that the Sorter depends on Redis.
Suppose the Sorter depends on Redis.
Assume the Sorter depends on Redis.
Imagine that the Sorter depends on Redis.
The Sorter depends on Redis more than on Kafka.
Unlike the Ledger, the Sorter depends on Redis.
The Sorter depends on Redis or Kafka.
Either the Sorter or the Ledger depends on Redis.
Only the Sorter depends on Redis.
No Gateway depends on Redis.
Every Gateway depends on Redis.
A Gateway depends on Redis.
Before Noon the Sorter depends on Redis.
Tests for the Sorter depend on Redis.
The owner of the Sorter depends on Redis.
The Sorter team depends on Redis.
The old Sorter depends on Redis.
The Sorter depends on the Redis team.
The Sorter depends on the old Redis.
The Sorter depends on Redis clusters.
The Sorter depends on Redis 7.
Redis 7 depends on Kafka.
The Sorter depends on Redis-based caching.
The Sorter depends on Redis in Oslo.
The Sorter depends on the Ledger's index.
The Sorter's index depends on the Ledger.
The Sorter, a client of the Ledger, depends on Redis.
The service `sorter-svc` depends on the table `ledger-db`.
The `sorter-svc` service depends on the `ledger-db` table.
Alpha and Beta Servers depend on Redis.
The Sorter depends on Alpha and Beta Store.
Research and Development depends on Redis.
Restarting Billing Service requires Redis.
The Token Vault replaces the Key Cabinet with the Mail Hall.
The Token Vault will replace the Key Cabinet.
The Sorter was part of the Mail Hall.
The Sorter requires the Ledger to answer.
The Sorter requires Redis only at night.
The Sorter depends on Redis in the proposed design.
The Sorter depends on Redis, Inc. for support.
~~The Sorter depends on Redis.~~
> The Sorter depends on Redis.
"The Sorter depends on Redis."
The plan says: the Sorter depends on Redis.
The Sorter/Ledger pair depends on Redis.
Without Kafka the Sorter depends on Redis.
Most of the Sorter depends on Redis.
Let the Sorter depend on Redis.
Der Sorter depends on Redis nicht.
The Ledger feeds the Sorter, depends on Redis and waits.
The Sorter is sometimes powered by Kafka.
The Sorter is not part of the Mail Hall.
Nobody thinks the Sorter depends on Redis.
- [ ] The Sorter depends on Redis.
The Sorter depends on Redis to a small degree.
The Sorter depends on Redis for now.
The Sorter depends on Redis as much as on luck.
The Sorter depends on Redis, as Ann put it.
The Sorter depends on Redis, in Ann's view.
The Sorter depends on Redis but for writes.
The Sorter depends on Redis. That is wrong.
The Sorter depends on Redis. This is no longer true.
The Sorter depends on Redis. It's a myth.
The Sorter depends on Redis and Kafka on the Ledger.
The Sorter (see Redis) depends on Kafka.
Why the Sorter depends on Redis is unclear.
The Sorter which depends on Redis failed.
**Myth:** The Sorter depends on Redis.
Ann: the Sorter depends on Redis.
""".strip().splitlines()

SIGNS = {
    " > ": ("DEPENDS_ON", False),
    " ^ ": ("SUPERSEDES", False),
    " < ": ("PARENT_OF", True),
    " ~ ": ("DERIVED_FROM", False),
}


def typed(text: str) -> set[tuple[str, str, str]]:
    document = read_bytes(text.encode(), "note.md")
    payload = extract(
        Unit("note.md", "document", (document,), (), (), ""),
        KnownSources([KnownSource("note.md", "note.md")]),
    ).payload
    listed = payload["edges"]
    assert isinstance(listed, list)
    return {
        (edge["source"], edge["predicate"], edge["target"])
        for edge in listed
        if edge["predicate"] in TYPED
    }  # type: ignore[index, call-overload, misc]


def expected(row: str) -> set[tuple[str, str, str]]:
    edges = set()
    for written in row.split("; "):
        sign = next(sign for sign in SIGNS if sign in written)
        first, second = written.split(sign)
        predicate, inverse = SIGNS[sign]
        edges.add((second, predicate, first) if inverse else (first, predicate, second))
    return edges


@pytest.mark.parametrize("row", STATED)
def test_what_a_sentence_asserts_between_whole_names_is_an_edge(row: str) -> None:
    sentence, _, edges = row.partition(" | ")
    assert typed(sentence + "\n") == expected(edges)


@pytest.mark.parametrize("row", STATED)
def test_the_same_edges_stand_where_words_of_the_names_are_ordinary_words_around_it(
    row: str,
) -> None:
    sentence, _, edges = row.partition(" | ")
    assert typed(AROUND.format(sentence)) == expected(edges)


@pytest.mark.parametrize("sentence", CLAIM_AT_MOST)
def test_what_a_sentence_does_not_assert_between_whole_names_is_no_edge(sentence: str) -> None:
    assert not typed(sentence + "\n")
    assert not typed(AROUND.format(sentence))


@pytest.mark.parametrize(
    "heading", ["Rejected alternatives", "Future work", "Myths", "History", "Before the change"]
)
def test_a_heading_that_tells_of_another_time_or_world_gives_no_edge(heading: str) -> None:
    assert not typed(f"# Notes\n\n## {heading}\n\nThe Sorter depends on Redis.\n")
    assert not typed(f"# Notes\n\n## {heading}\n\n### One\n\nThe Sorter depends on Redis.\n")


@pytest.mark.parametrize(
    "status", ["Rejected", "Proposed", "Superseded by [ADR 5](0005.md)", "Draft"]
)
def test_a_document_that_is_not_in_force_states_nothing_as_true_now(status: str) -> None:
    assert not typed(
        f"# Use Redis\n\n- Status: {status}\n\n## Context\n\nThe Sorter depends on Redis.\n"
    )
    assert not typed(
        f"# Use Redis\n\n## Status\n\n{status}\n\n## Context\n\nThe Sorter depends on Redis.\n"
    )


def test_a_document_in_force_states_what_it_says() -> None:
    assert typed(
        "# Use Redis\n\n- Status: Accepted\n\n## Context\n\nThe Sorter depends on Redis.\n"
    ) == {("Sorter", "DEPENDS_ON", "Redis")}
