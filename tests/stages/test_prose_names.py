"""What the offline extractor takes for a thing, what it calls it, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest

from kgraph.extract.extraction import KnownSource, KnownSources
from kgraph.extract.prose import extract
from kgraph.model import Unit
from kgraph.sources import read_bytes


def entities(text: str, uri: str = "note.md") -> dict[str, dict[str, Any]]:
    document = read_bytes(text.encode(), uri)
    payload = extract(Unit(uri, "document", (document,), (), (), ""), KnownSources([KnownSource(uri, uri)])).payload
    return {node["name"]: node for node in payload["nodes"] if node["type"] == "Entity"}


def spellings(text: str, uri: str = "note.md") -> list[set[str]]:
    return [{name, *node.get("aliases", [])} for name, node in entities(text, uri).items()]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("The Valkey Server, formerly called Redis Fork, speaks to Sentinel Node.", {"Valkey Server", "Redis Fork"}),
        ("The Valkey Server, formerly known as Redis Fork, speaks to Sentinel Node.", {"Valkey Server", "Redis Fork"}),
        ("Formerly known as Redis Fork, the Valkey Server speaks to Sentinel Node.", {"Valkey Server", "Redis Fork"}),
        ("The Valkey Server was previously known as Redis Fork and it speaks to Sentinel Node.", {"Valkey Server", "Redis Fork"}),
        ("The Freight Desk, also known as FD, calls the Booking Gateway.", {"Freight Desk", "FD"}),
        ("The Freight Desk (a.k.a. Lorry Desk) calls the Booking Gateway.", {"Freight Desk", "Lorry Desk"}),
        ("The Booking Gateway, previously known as `bookd`, calls the Freight Desk.", {"Booking Gateway", "bookd"}),
        ("The Freight Desk is the tool of the freight staff; also known as Lorry Desk.", {"Freight Desk", "Lorry Desk"}),
        ("The Booking Gateway keeps what `berth-cache` holds (time to live, TTL).", {"time to live", "TTL"}),
        ("The Booking Gateway has a TTL, time to live, for what is in `berth-cache`.", {"time to live", "TTL"}),
        ("**Berth Store (BS)**\n: the list of berths; formerly called Cabin Ledger.", {"Berth Store", "BS", "Cabin Ledger"}),
        ("**Freight Desk**: the tool of the freight staff. Also known as FD.", {"Freight Desk", "FD"}),
        ("| Abbreviation | Meaning |\n|---|---|\n| TTL | time to live |\n", {"time to live", "TTL"}),
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
    assert [names for names in spellings(text) if "BIS" in names] == [{"BIS", "Berth Inventory Store"}]


def test_the_present_name_is_shown_not_the_former() -> None:
    assert "Acme Mail Relay" in entities("The Acme Mail Relay, formerly known as the Zeta Mail Relay Server, calls the Booking Gateway.")


@pytest.mark.parametrize(
    ("text", "name", "description"),
    [
        ("**Harbour Desk** — the screen of the operations room.\n", "Harbour Desk", "the screen of the operations room"),
        ("**Harbour Desk**\n: the screen of the operations room\n", "Harbour Desk", "the screen of the operations room"),
        ("- **Harbour Desk**: the screen of the operations room.\n", "Harbour Desk", "the screen of the operations room"),
        ("| Term | Meaning |\n|---|---|\n| Harbour Desk | the screen of the operations room |\n", "Harbour Desk", "the screen of the operations room"),
    ],
)
def test_a_term_of_a_glossary_is_an_entity_though_nothing_else_is_named(text: str, name: str, description: str) -> None:
    assert entities(text)[name]["description"] == description


def test_two_tables_in_a_row_are_two_tables() -> None:
    text = "| Term | Meaning |\n|---|---|\n| Harbour Desk | a screen |\n\n| Colour | Number |\n|---|---|\n| green | seven |\n"
    assert set(entities(text)) == {"Harbour Desk"}
