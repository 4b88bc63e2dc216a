"""What a model sends, and all that repair may do about it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kgraph.contract import Held, MemoryView, Options, check
from kgraph.contract.repair import Repaired, repair

SOURCE = {"type": "Source", "name": "doc.md"}
CLAIM = {"type": "Claim", "name": "Alpha ships weekly"}
ALPHA = {"type": "Entity", "name": "Alpha", "description": "the billing service"}
TIE = {
    "predicate": "SUPPORTS",
    "source": "doc.md",
    "target": "Alpha ships weekly",
    "quote": "q",
    "confidence": 0.9,
}
MENTION = {"predicate": "MENTIONS", "source": "Alpha ships weekly", "target": "Alpha"}
GOOD: dict[str, Any] = {"nodes": [SOURCE, CLAIM, ALPHA], "edges": [TIE, MENTION]}
TEXT = json.dumps(GOOD)


def mended(text: str, view: MemoryView | None = None) -> Repaired:
    return repair(text, view or MemoryView())


def codes(found: Repaired) -> list[str]:
    return [entry["code"] for entry in found.repairs]


@pytest.mark.parametrize("text", [TEXT, "\ufeff" + TEXT, json.dumps(GOOD, indent=2), f"  {TEXT}\n"])
def test_a_sound_payload_is_left_alone(text: str) -> None:
    assert mended(text) == Repaired(GOOD, [], 0, [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("```json\n", "\n```"),
        ("Here you are:\n\n", ""),
        ('<think>{maybe} a {"nodes": 3}</think>', " Hope it helps {}!"),
        ("use {braces: ", ""),
    ],
)
def test_prose_and_fences_around_the_object_are_removed_and_listed(before: str, after: str) -> None:
    found = mended(before + TEXT + after)
    assert found.payload == GOOD and found.problems == [] and found.dropped == 0
    assert [entry["original"] for entry in found.repairs] == [
        part for part in (before, after) if part.strip()
    ]
    assert {entry["path"] for entry in found.repairs} == {"$"}


def test_of_several_objects_the_last_that_validates_counts_and_the_others_are_listed() -> None:
    draft = json.dumps({"nodes": [ALPHA], "edges": []})
    broken = json.dumps({"nodes": [{"type": "Nonsense", "name": "x"}], "edges": []})
    found = mended(f"first {draft} then {TEXT} or perhaps {broken}")
    assert found.payload == GOOD
    assert [entry["original"] for entry in found.repairs if entry["code"] == "object"] == [
        draft,
        broken,
    ]


def test_trailing_commas_are_removed_one_at_a_time() -> None:
    text = '{"nodes": [{"type": "Entity", "name": "Alpha", "aliases": ["A",],},], "edges": [],}'
    found = mended(text)
    assert found.payload == {
        "nodes": [{"type": "Entity", "name": "Alpha", "aliases": ["A"]}],
        "edges": [],
    }
    assert [entry["path"] for entry in found.repairs] == [
        "$.nodes[0].aliases",
        "$.nodes[0]",
        "$.nodes",
        "$",
    ]
    assert mended('{"nodes": [,], "edges": []}').payload is None
    assert mended('{"nodes": [], "edges": [],,}').payload is None


def test_a_reversed_supports_is_swapped_also_with_synonyms() -> None:
    reversed_ = {**TIE, "source": TIE["target"], "target": TIE["source"]}
    found = mended(json.dumps({**GOOD, "edges": [reversed_, MENTION]}))
    assert (
        found.payload == GOOD
        and codes(found) == ["reversed"]
        and found.repairs[0]["original"] == reversed_
    )
    synonyms = {"type": "SUPPORTS", "from": TIE["target"], "to": "doc.md"}
    assert mended(json.dumps({**GOOD, "edges": [synonyms]})).payload["edges"] == [
        {**synonyms, "from": "doc.md", "to": TIE["target"]}
    ]  # type: ignore[index]


def test_other_predicates_are_never_turned_round() -> None:
    wrong = {**MENTION, "source": "Alpha", "target": "Alpha ships weekly"}
    found = mended(json.dumps({**GOOD, "edges": [TIE, wrong]}))
    assert found.repairs == [] and found.payload is not None and found.payload["edges"][1] == wrong


def test_an_edge_that_names_nothing_or_is_under_the_floor_is_dropped_and_counted() -> None:
    ghost, weak = {**MENTION, "target": "Ghost"}, {**MENTION, "confidence": 0.3}
    found = mended(json.dumps({**GOOD, "edges": [ghost, TIE, weak, MENTION]}))
    assert found.payload == GOOD and found.dropped == 2
    assert [(entry["path"], entry["code"], entry["original"]) for entry in found.repairs] == [
        ("$.edges[0]", "unknown-endpoint", ghost),
        ("$.edges[2]", "confidence-floor", weak),
    ]


def test_an_edge_to_a_node_of_the_graph_is_kept() -> None:
    view = MemoryView([Held("e9", "Entity", "Ghost", ("Spook",))])
    edges = [{**MENTION, "target": name} for name in ("e9", "ghost", "SPOOK")]
    assert mended(json.dumps({**GOOD, "edges": [TIE, *edges]}), view).dropped == 0


@pytest.mark.parametrize(
    "edge",
    [
        {**MENTION, "target": None},
        {**MENTION, "confidence": 7},
        {**MENTION, "confidence": "low"},
        "x",
        {**MENTION, "target": ""},
    ],
)
def test_what_is_wrong_otherwise_is_not_repaired(edge: Any) -> None:
    found = mended(json.dumps({**GOOD, "edges": [TIE, edge]}))
    assert found.repairs == [] and found.payload == {**GOOD, "edges": [TIE, edge]}
    assert check(found.payload, MemoryView()).errors


def test_a_claim_that_a_dropped_edge_leaves_unsourced_is_a_breach() -> None:
    found = mended(json.dumps({"nodes": [CLAIM], "edges": [{**TIE, "source": "ghost.md"}]}))
    assert found.dropped == 1 and found.payload is not None
    assert [problem.code for problem in check(found.payload, MemoryView()).violations] == ["I1"]


def test_ids_that_the_graph_does_not_hold_tie_the_payloads_edges_and_are_forgotten() -> None:
    nodes = [
        {**SOURCE, "id": "1"},
        {**CLAIM, "id": "2"},
        {**ALPHA, "id": "3"},
        {**ALPHA, "name": "Beta", "id": "held"},
    ]
    edges = [
        {**TIE, "source": "1", "target": "2"},
        {**MENTION, "source": "2", "target": "3"},
        {**MENTION, "source": "2", "target": "held"},
    ]
    view = MemoryView([Held("held", "Entity", "Beta")])
    found = mended(json.dumps({"nodes": nodes, "edges": edges}), view)
    assert [(entry["path"], entry["original"]) for entry in found.repairs] == [
        ("$.nodes[0].id", "1"),
        ("$.nodes[1].id", "2"),
        ("$.nodes[2].id", "3"),
    ]
    assert found.payload is not None
    admission = check(found.payload, view)
    plain = check(
        {
            "nodes": [*GOOD["nodes"], nodes[3]],
            "edges": [TIE, MENTION, {**MENTION, "target": "held"}],
        },
        view,
    )
    assert (
        admission.ids_nodes == plain.ids_nodes
        and admission.ids_edges == plain.ids_edges
        and admission.errors == []
    )


def test_two_of_one_name_stay_tied_by_their_forgotten_ids() -> None:
    nodes = [{**ALPHA, "name": "J. Silva", "id": f"p{n}", "qualifier": str(n)} for n in (1, 2)] + [
        ALPHA
    ]
    edges = [{"predicate": "DEPENDS_ON", "source": f"p{n}", "target": "Alpha"} for n in (1, 2)]
    found = mended(json.dumps({"nodes": nodes, "edges": edges}))
    assert found.payload is not None
    admission = check(found.payload, MemoryView())
    assert (
        admission.errors == []
        and [event["source"] for event in admission.edges] == admission.ids_nodes[:2]
    )


def test_a_forgotten_id_ties_also_where_uris_are_below_the_source_root_or_the_graph_knows_the_node() -> (
    None
):
    options = Options(source_root="/home/p")
    view = MemoryView([Held("src_g", "Source", "doc.md", uri="docs/doc.md")])
    nodes = [{**SOURCE, "id": "1", "uri": "/home/p/docs/doc.md"}, CLAIM]
    found = repair(json.dumps({"nodes": nodes, "edges": [{**TIE, "source": "1"}]}), view, options)
    assert found.payload is not None
    admission = check(found.payload, view, options)
    assert admission.errors == [] and admission.edges[0]["source"] == "src_g"


def test_an_id_that_stands_for_two_things_is_left_to_be_reported() -> None:
    found = mended(
        json.dumps(
            {"nodes": [{**ALPHA, "id": "n"}, {**ALPHA, "name": "Beta", "id": "n"}], "edges": []}
        )
    )
    assert found.repairs == [] and found.payload is not None
    assert [problem.code for problem in check(found.payload, MemoryView()).errors] == ["E111"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm sorry, nothing here.",
        "```json\n{}\n```",
        "[]",
        f"[{TEXT}]",
        "{",
        TEXT[:-5],
        f'"{{}}" {TEXT[:-3]}',
        "\ud800",
    ],
)
def test_a_reply_without_a_payload_is_an_error(text: str) -> None:
    found = mended(text)
    assert found.payload is None and [problem.code for problem in found.problems][:1] == ["E101"]


def test_bytes_that_are_no_utf8_are_an_error_and_not_replaced() -> None:
    found = repair(b"Here: " + TEXT.encode() + b"\xff", MemoryView())
    assert found.payload is None and "UTF-8" in found.problems[0].message


def test_faults_that_repair_may_not_mend_stay_problems() -> None:
    found = mended('{"nodes": [{"type": "Entity", "name": "a", "name": "b"}], "edges": []}')
    assert [problem.path for problem in found.problems] == ["$.nodes[0].name"]
    fenced = mended('```\n{"nodes": [{"type": "Entity", "name": "a", "x": NaN}], "edges": []}\n```')
    assert [problem.path for problem in fenced.problems] == ["$.nodes[0].x"]


def test_problems_can_be_told_by_the_paths_that_the_model_sent() -> None:
    ghost, wrong = {**MENTION, "target": "Ghost"}, {**MENTION, "confidence": 7}
    found = mended(json.dumps({**GOOD, "edges": [ghost, TIE, ghost, wrong]}))
    assert found.payload is not None
    errors = check(found.payload, MemoryView()).errors
    assert [problem.path for problem in errors] == ["$.edges[1].confidence"]
    assert [problem.path for problem in found.as_sent(errors)] == ["$.edges[3].confidence"]


@pytest.mark.parametrize(
    "piece", ["{", '{"a":', '{"a ', '{"a":[', "{ \n", '{"nodes":[],"edges":[', '{"a":{},']
)
def test_a_text_full_of_openings_is_given_up_instead_of_searched_for_ever(piece: str) -> None:
    assert mended("x " + piece * 20_000).payload is None
