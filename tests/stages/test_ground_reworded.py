"""Sourced sentences in other words of the same meaning, and in nearly the same words of another: what is approved, and what never is."""

from __future__ import annotations

import pytest

from kgraph.index.read import Reader
from kgraph.retrieve.ground import GroundOptions, ground
from stages import reworded_cases
from stages.ground_worlds import engine_of, said
from stages.reworded_cases import TEMPLATES, Row

LANGUAGES = {"ENGLISH": 0.9, "GERMAN": 0.6, "JAPANESE": 0.6}


def world(row: Row) -> Reader:
    things = [
        [name.strip() for name in thing.split("|")] for thing in row.names.split(";") if thing
    ]
    nodes = [
        {"type": "Entity", "name": first, "aliases": more, "description": "a thing of this world"}
        for first, *more in things
    ]
    told = said(row.sentence, "doc.md", [first for first, *_ in things])
    return engine_of([{"nodes": nodes, "edges": []}, told]).reader()


def hostile_of(row: Row, name: str) -> list[str]:
    begun = row.sentence[0].lower() + row.sentence[1:]
    within = row.sentence if row.names.startswith(row.sentence.split()[0]) else begun
    more = [form.format(s=within) for form in TEMPLATES] if name == "ENGLISH" else []
    return [*row.hostile, *more]


@pytest.mark.parametrize("name", list(LANGUAGES))
def test_what_the_words_say_in_another_order_is_approved(name: str) -> None:
    found = [
        (claim, ground(world(row), GroundOptions(claim)).decision)
        for row in getattr(reworded_cases, name)
        for claim in row.true
    ]
    refused = [claim for claim, decision in found if decision != "approve"]
    assert len(refused) <= (1 - LANGUAGES[name]) * len(found), refused


@pytest.mark.parametrize("name", list(LANGUAGES))
def test_nothing_that_was_not_said_is_approved(name: str) -> None:
    approved = [
        (claim, row.sentence)
        for row in getattr(reworded_cases, name)
        for claim in hostile_of(row, name)
        if ground(world(row), GroundOptions(claim)).decision == "approve"
    ]
    assert approved == []


def test_the_hostile_set_is_large() -> None:
    count = sum(
        len(hostile_of(row, name)) for name in LANGUAGES for row in getattr(reworded_cases, name)
    )
    assert count >= 400
