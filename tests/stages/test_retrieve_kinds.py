"""What kind of statement a question asks for, and that a common name doesn't bring all that belongs to it."""

from __future__ import annotations

import pytest

import kgraph
from kgraph.retrieve.kinds import kinds_asked


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What caused the outage?", "cause"),
        ("Who owns the ledger?", "ownership"),
        ("What was decided about the database?", "decision"),
        ("Which options were rejected?", "rejected-option"),
        ("How was it fixed?", "resolution"),
        ("What changed in 2.0?", "change"),
    ],
)
def test_a_question_leans_to_the_kind_that_answers_it(text: str, kind: str) -> None:
    asked = kinds_asked(text)
    assert asked.kinds[kind] == max(asked.kinds.values())


def test_when_asks_for_what_has_a_time() -> None:
    asked = kinds_asked("When did the outage begin?")
    assert asked.weight({"event_time": "2026-03-11"}) > 1 == asked.weight({"kind": "definition"})


def test_a_question_about_one_outage_of_a_company_is_not_filled_with_the_company(
    tmp_path: object,
) -> None:
    graph = kgraph.create(path=f"{tmp_path}/graph")
    nodes = [
        {"type": "Source", "name": "s.md"},
        {"type": "Entity", "name": "Harbour"},
        {"type": "Entity", "name": "Lock"},
    ]
    told = [
        ("The Lock of Harbour failed in the booking outage of May", "event"),
        ("A full disk caused the booking outage", "cause"),
    ]
    told += [(f"Harbour employs {number} people in town {number}", "") for number in range(30)]
    edges = []
    for name, kind in told:
        nodes.append({"type": "Claim", "name": name, **({"kind": kind} if kind else {})})
        edges.append({"predicate": "SUPPORTS", "source": "s.md", "target": name})
        edges.append({"predicate": "MENTIONS", "source": name, "target": "Harbour"})
    edges.append({"predicate": "MENTIONS", "source": told[0][0], "target": "Lock"})
    graph.ingest({"nodes": nodes, "edges": edges})
    body = graph.query("What caused the booking outage of Harbour?").body
    claims = [node["name"] for node in body["nodes"] if node["type"] == "Claim"]
    assert claims[0] == "A full disk caused the booking outage"
    assert not any("employs" in claim for claim in claims)
