"""Which Sources an answer names first."""

from __future__ import annotations

import pytest

import kgraph
from kgraph.graph.engine import Engine
from kgraph.retrieve.bridges import without_addition
from kgraph.retrieve.query import query
from kgraph.retrieve.question import Question
from stages.ground_worlds import engine_of, said, things

LONG = [
    things(
        Ada_Berg="a person",
        Oslo="a town",
        harbour_of_Oslo="a harbour",
        Bergen="a town",
        harbour_of_Bergen="a harbour",
    ),
    said("Ada Berg was born in Oslo", "ada.md", ["Ada Berg", "Oslo"]),
    said("the harbour of Oslo freezes in January", "harbour.md", ["harbour of Oslo"]),
    said("the harbour of Bergen freezes in March", "bergen.md", ["harbour of Bergen"]),
    said("Oslo is a town", "town.md", ["Oslo"]),
]


def sources(engine: Engine, text: str) -> list[str]:
    return [
        row["name"]
        for row in query(engine.reader(), Question(text, max_tokens=100_000)).body["sources"]
    ]


def test_a_claim_that_only_its_words_tie_to_what_was_reached_brings_its_source() -> None:
    found = sources(engine_of(LONG), "When does the harbour freeze where Ada Berg was born?")
    assert found.index("ada.md") < 2 and found.index("harbour.md") < 2
    assert "bergen.md" not in found[:2]


def test_such_a_claim_adds_no_node_and_no_edge_to_the_answer() -> None:
    body = query(engine_of(LONG).reader(), Question("Ada Berg", hops=1, max_tokens=100_000)).body
    assert not any("harbour" in row["name"] for row in body["nodes"])


def test_of_two_sources_the_one_called_after_what_was_reached_comes_first() -> None:
    world = [
        things(Mira_Holt="a writer", Quill="a book"),
        said("Mira Holt wrote Quill", "notes.md", ["Mira Holt", "Quill"]),
    ]
    world += [
        said("Quill has ten fans", "Letters", ["Quill"]),
        said("Quill has nine parts", "Quill (novel)", ["Quill"]),
    ]
    found = sources(engine_of(world), "Mira Holt")
    assert found.index("Quill (novel)") < found.index("Letters")


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("Quill (novel)", "Quill"),
        ("Quill", "Quill"),
        ("(novel)", "(novel)"),
        ("f(x) of y", "f(x) of y"),
        ("Quill (a) (b)", "Quill (a)"),
        ("", ""),
    ],
)
def test_an_addition_in_brackets_is_no_part_of_a_name(name: str, bare: str) -> None:
    assert without_addition(name) == bare


def test_claims_that_mention_nothing_lead_on_by_the_names_in_their_words(tmp_path: object) -> None:
    graph = kgraph.create(path=f"{tmp_path}/graph")
    told = {
        "Heron (ferry)": "The Heron was built for Ada Park",
        "Ada Park": "Her place of birth is Oslo",
        "Kim Lind": "Kim Lind sells nets in Riga",
    }
    nodes: list[dict[str, object]] = []
    edges: list[dict[str, object]] = []
    for title, claim in told.items():
        nodes += [{"type": "Source", "name": title}, {"type": "Claim", "name": claim}]
        edges.append({"predicate": "SUPPORTS", "source": title, "target": claim})
    graph.ingest({"nodes": nodes, "edges": edges})
    sources = graph.query("Where was the owner of the Heron born?").body["sources"]
    assert [one["name"] for one in sources[:2]] == ["Heron (ferry)", "Ada Park"]
