"""What the offline extractor takes for a thing, what it calls it, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from kgraph.documents import extract
from kgraph.model import Unit
from kgraph.sources import read_bytes
from kgraph.units.extraction import KnownSource, KnownSources


def entities(text: str, uri: str = "note.md") -> dict[str, dict[str, Any]]:
    document = read_bytes(text.encode(), uri)
    payload = extract(
        Unit(uri, "document", (document,), (), (), ""), KnownSources([KnownSource(uri, uri)])
    ).payload
    return {node["name"]: node for node in payload["nodes"] if node["type"] == "Entity"}


def spellings(text: str, uri: str = "note.md") -> list[set[str]]:
    return [{name, *node.get("aliases", [])} for name, node in entities(text, uri).items()]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (
            "The Valkey Server, formerly called Redis Fork, speaks to Sentinel Node.",
            {"Valkey Server", "Redis Fork"},
        ),
        (
            "The Valkey Server, formerly known as Redis Fork, speaks to Sentinel Node.",
            {"Valkey Server", "Redis Fork"},
        ),
        (
            "Formerly known as Redis Fork, the Valkey Server speaks to Sentinel Node.",
            {"Valkey Server", "Redis Fork"},
        ),
        (
            "The Valkey Server was previously known as Redis Fork and it speaks to Sentinel Node.",
            {"Valkey Server", "Redis Fork"},
        ),
        ("The Freight Desk, also known as FD, calls the Booking Gateway.", {"Freight Desk", "FD"}),
        (
            "The Freight Desk (a.k.a. Lorry Desk) calls the Booking Gateway.",
            {"Freight Desk", "Lorry Desk"},
        ),
        (
            "The Booking Gateway, previously known as `bookd`, calls the Freight Desk.",
            {"Booking Gateway", "bookd"},
        ),
        (
            "The Freight Desk is the tool of the freight staff; also known as Lorry Desk.",
            {"Freight Desk", "Lorry Desk"},
        ),
        (
            "The Booking Gateway keeps what `berth-cache` holds (time to live, TTL).",
            {"time to live", "TTL"},
        ),
        (
            "The Booking Gateway has a TTL, time to live, for what is in `berth-cache`.",
            {"time to live", "TTL"},
        ),
        (
            "**Berth Store (BS)**\n: the list of berths; formerly called Cabin Ledger.",
            {"Berth Store", "BS", "Cabin Ledger"},
        ),
        (
            "**Freight Desk**: the tool of the freight staff. Also known as FD.",
            {"Freight Desk", "FD"},
        ),
        (
            "| Abbreviation | Meaning |\n|---|---|\n| TTL | time to live |\n",
            {"time to live", "TTL"},
        ),
        (
            "Mail Relay checks Domain-based Message Authentication, Reporting, and Conformance (DMARC) for all of the mail.",
            {"Domain-based Message Authentication, Reporting, and Conformance", "DMARC"},
        ),
    ],
)
def test_the_names_that_a_text_gives_one_thing_are_one_entity(text: str, same: set[str]) -> None:
    found = spellings(text)
    assert same in found
    assert not any(names != same and names & same for names in found)


def test_a_bold_name_with_its_acronym_is_the_entity_that_the_acronym_means_elsewhere() -> None:
    text = "**Berth Inventory Store (BIS)** — the list of berths.\n\nThe BIS feeds the Booking Gateway. The Booking Gateway waits for the BIS.\n"
    assert [names for names in spellings(text) if "BIS" in names] == [
        {"BIS", "Berth Inventory Store"}
    ]


def test_the_present_name_is_shown_not_the_former() -> None:
    assert "Acme Mail Relay" in entities(
        "The Acme Mail Relay, formerly known as the Zeta Mail Relay Server, calls the Booking Gateway."
    )


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        (
            "**Harbour Desk** — the screen of the operations room.\n",
            "Harbour Desk",
            "the screen of the operations room",
        ),
        (
            "**Harbour Desk**\n: the screen of the operations room\n",
            "Harbour Desk",
            "the screen of the operations room",
        ),
        (
            "- **Harbour Desk**: the screen of the operations room.\n",
            "Harbour Desk",
            "the screen of the operations room",
        ),
        (
            "| Term | Meaning |\n|---|---|\n| Harbour Desk | the screen of the operations room |\n",
            "Harbour Desk",
            "the screen of the operations room",
        ),
    ],
)
def test_a_term_of_a_glossary_is_an_entity_though_nothing_else_is_named(
    text: str, name: str, description: str
) -> None:
    assert entities(text)[name]["description"] == description


def test_two_tables_in_a_row_are_two_tables() -> None:
    text = "| Term | Meaning |\n|---|---|\n| Harbour Desk | a screen |\n\n| Colour | Number |\n|---|---|\n| green | seven |\n"
    assert set(entities(text)) == {"Harbour Desk"}


@pytest.mark.parametrize(
    ("text", "junk"),
    [
        ("- Free berths are kept in `berth-cache` by the Booking Gateway.", "Free"),
        (
            "[2026-02-17 06:31] <ines.okafor> Taking over from Ada Park for the Booking Gateway.",
            "Taking",
        ),
        ("Contrary to the plan, Ada Park left the Booking Gateway.", "Contrary"),
        ("- Status: Superseded, says Ada Park of the Booking Gateway.", "Status"),
        ("Loosen the checks, said Ada Park of the Booking Gateway.", "Loosen"),
        ("Traffic was sent by Ada Park to the Booking Gateway.", "Traffic"),
        (
            "The Booking Gateway lives for fifteen minutes. Ada Park waits for fifteen minutes.",
            "fifteen minutes",
        ),
        ("Each of the nodes of the Booking Gateway has 52 GB of RAM, says Ada Park.", "GB of RAM"),
        ("The Booking Gateway fell at 4:09 PM PST. Ada Park saw it at 5:10 PM PST.", "PM PST"),
        ("Ada Park has `ls -c` and `-c` in the Booking Gateway.", "-c"),
        (
            "Ada Park read the [failover runbook](runbooks/failover.md) of the Booking Gateway.",
            "failover runbook",
        ),
    ],
)
def test_ordinary_words_are_no_entities_wherever_they_stand(text: str, junk: str) -> None:
    found = spellings(f"{text}\n\nAda Park runs the Booking Gateway.\n")
    assert {"Booking Gateway"} in found
    assert not any(junk.lower() in map(str.lower, names) for names in found)


def test_praise_and_quantity_make_no_new_thing_of_a_noun() -> None:
    text = "".join(
        f"The {team} team shares valuable insights with the Booking Gateway of Ada Park. "
        for team in ("red", "blue", "green", "old")
    )
    assert not any(name.endswith("insights") and " " in name for name in entities(text))


def test_lines_of_labels_and_values_are_not_joined() -> None:
    found = entities(
        "Owner: Priya Raman\nLast dry_run: in March by Ada Park\n\nAda Park calls Priya Raman at the Booking Gateway.\n"
    )
    assert {"Priya Raman", "Ada Park"} <= set(found)
    assert not any("Last" in name or "Owner" in name for name in found)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Mike Hill is the PyPI Safety and Security Engineer at the Python Software Foundation.",
            {"PyPI Safety and Security Engineer"},
        ),
        (
            "Here the Payments Team and Platform Team met Ada Park.",
            {"Payments Team", "Platform Team"},
        ),
        (
            "We run PostgreSQL and Redis Cluster beside the Token Vault.",
            {"PostgreSQL", "Redis Cluster"},
        ),
    ],
)
def test_an_and_parts_names_but_not_the_name_of_one_office(text: str, names: set[str]) -> None:
    assert names <= set(entities(text))


def test_a_word_that_is_also_code_is_meant_only_where_it_is_set_as_code() -> None:
    text = "Hast du das **Booking Gateway** gesehen? Das **Booking Gateway** prüft mit `du` den Platz auf der Platte.\n\nWenn du magst, starte `sshd` und `cron`.\n"
    document = read_bytes(text.encode(), "notiz.md")
    payload = extract(
        Unit("notiz.md", "document", (document,), (), (), ""),
        KnownSources([KnownSource("notiz.md", "notiz.md")]),
    ).payload
    assert {edge["source"] for edge in payload["edges"] if edge["target"] == "du"} == {
        "Das **Booking Gateway** prüft mit `du` den Platz auf der Platte."
    }


def test_a_choice_of_languages_is_no_list_of_things() -> None:
    text = "[Deutsch](de.md) | [English](en.md) | [Español](es.md) | [Français](fr.md)\n\nThe Booking Gateway calls the Freight Desk.\n"
    assert set(entities(text)) == {"Booking Gateway", "Freight Desk"}


def test_arguments_of_tex_commands_are_no_words() -> None:
    text = "\\section{Types}\n\nThe \\emph{identity type} is due to Martin Hofmann \\cite{hofmann-1995} and Ada Park, see \\cref{sec:identity}.\n"
    assert not {"hofmann-1995", "sec", "cref"} & set(entities(text, "types.tex"))


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        (
            "North America Billing Service calls New York's Grid Controller.",
            {"North America Billing Service", "New York's Grid Controller", "New York"},
        ),
        ("American Airlines flew to New Delhi.", {"American Airlines", "New Delhi"}),
        ("The API gateway calls the HTTP cache of Redis.", {"API gateway", "HTTP cache", "Redis"}),
        ("DNA molecules carry RNA.", {"DNA", "RNA"}),
        ("Search Service feeds Kafka.", {"Search Service", "Kafka"}),
        ("Monitoring Stack reads Kafka.", {"Monitoring Stack", "Kafka"}),
        ("Restarting Redis broke Kafka.", {"Redis", "Kafka"}),
        ("Apparently Redis feeds Kafka.", {"Redis", "Kafka"}),
        ("Every Gateway reads the Ledger.", {"Gateway", "Ledger"}),
        ("Before Noon the Sorter read the Ledger.", {"Noon", "Sorter", "Ledger"}),
        ("Johnson & Johnson bought Acme Corp.", {"Johnson & Johnson", "Acme Corp"}),
        ("`alpha` Server reads the `beta` Store.", {"alpha Server", "beta Store"}),
        ("The table `orders` feeds Redis.", {"orders", "Redis"}),
        ("[Alpha](https://alpha.example) Server reads Redis.", {"Alpha Server", "Redis"}),
        ("“Alpha Server” reads Redis.", {"Alpha Server", "Redis"}),
        ("Legacy Alpha Server reads Redis.", {"Legacy Alpha Server", "Redis"}),
        ("Alice said that the Gateway failed.", {"Alice", "Gateway"}),
        ("Dr. Ada Park runs the Bank of Norway.", {"Dr. Ada Park", "Bank of Norway"}),
    ],
)
def test_a_name_is_cut_neither_in_front_nor_behind(sentence: str, names: set[str]) -> None:
    around = "The team met on site. An alpha release of the server and the store went out.\n\n{}\n\nIt was a long day for the service.\n"
    assert set(entities(sentence + "\n")) == names
    assert set(entities(around.format(sentence))) == names


def test_a_first_word_that_may_be_a_verb_belongs_to_the_name_as_the_rest_of_the_text_has_it() -> (
    None
):
    assert "Billing Service" in entities(
        "Restarting Billing Service broke Kafka. Later the Billing Service read Kafka.\n"
    )
    assert "Restarting Billing Service" not in entities(
        "Restarting Billing Service broke Kafka. Later the Billing Service read Kafka.\n"
    )
