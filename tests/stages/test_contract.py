"""The contract as a table: one payload for each way to break a rule, with the code and the path that it must be answered with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kgraph.contract import Admission, Held, MemoryView, Options, admit, check

SOURCE = {"type": "Source", "name": "doc.md", "uri": "docs/doc.md"}
ALPHA = {"type": "Entity", "name": "Alpha", "description": "the billing service of the shop"}
BETA = {"type": "Entity", "name": "Beta", "description": "a queue for orders"}
CLAIM = {"type": "Claim", "name": "Alpha ships weekly"}
TIE = {
    "predicate": "SUPPORTS",
    "source": "doc.md",
    "target": "Alpha ships weekly",
    "quote": "ships weekly",
    "confidence": 0.9,
}
MENTION = {"predicate": "MENTIONS", "source": "Alpha ships weekly", "target": "Alpha"}
RUN = {"type": "AgentRun", "name": "run-1"}
REPORT = {"type": "Artifact", "name": "report.pdf"}
MADE = {"predicate": "PRODUCED", "source": "run-1", "target": "report.pdf"}
GOOD = {"nodes": [SOURCE, ALPHA, CLAIM], "edges": [TIE, MENTION]}


def codes(admission: Admission) -> list[str]:
    return [
        problem.code for problem in (*admission.errors, *admission.violations, *admission.warnings)
    ]


def places(admission: Admission) -> list[tuple[str, str]]:
    return [
        (problem.code, problem.path)
        for problem in (*admission.errors, *admission.violations, *admission.warnings)
    ]


def with_node(**members: Any) -> dict[str, Any]:
    """The good payload and one node more, which an edge touches."""
    node = {
        "type": "Entity",
        "name": "Gamma",
        "description": "a cache in front of the shop",
        **members,
    }
    named = isinstance(node["name"], str) and node["name"].strip(" \u2003\u200b\ufeff")
    tie = {"predicate": "DEPENDS_ON", "source": "Alpha", "source_doc": "doc.md#L1"}
    ties = [{**tie, "target": node["name"]}] if named else []
    return {"nodes": [*GOOD["nodes"], node], "edges": [*GOOD["edges"], *ties]}


def with_edge(**members: Any) -> dict[str, Any]:
    """The good payload and one edge more, between its source and its claim."""
    edge = {
        "predicate": "SUPPORTS",
        "source": "doc.md",
        "target": "Alpha ships weekly",
        "kind": "again",
        **members,
    }
    return {
        "nodes": GOOD["nodes"],
        "edges": [*GOOD["edges"], {key: value for key, value in edge.items() if value != "gone"}],
    }


def test_a_good_payload_has_nothing_to_be_said_of() -> None:
    admission = admit(json.dumps(GOOD), MemoryView())
    assert codes(admission) == []
    assert [event["kind"] for event in admission.nodes + admission.edges] == [
        "node",
        "node",
        "node",
        "edge",
        "edge",
    ]
    assert admission.ids_nodes == [event["id"] for event in admission.nodes]
    assert admission.ids_edges == [event["id"] for event in admission.edges]


# (what the payload is, code, path)
BREACHES: list[tuple[Any, str, str]] = [
    ({"edges": []}, "E101", "$.nodes"),
    ({"nodes": []}, "E101", "$.edges"),
    ({"nodes": [], "edges": {}}, "E101", "$.edges"),
    ({**GOOD, "run_id": 7}, "E101", "$.run_id"),
    ({**GOOD, "run_id": "a\nb"}, "E101", "$.run_id"),
    ({**GOOD, "usage": []}, "E101", "$.usage"),
    ({"nodes": ["x"], "edges": []}, "E101", "$.nodes[0]"),
    ({"nodes": [], "edges": [None]}, "E101", "$.edges[0]"),
    (with_node(type=None), "E101", "$.nodes[3].type"),
    (with_node(type=3), "E101", "$.nodes[3].type"),
    (with_node(type=["Entity"]), "E101", "$.nodes[3].type"),
    (with_node(type="Entty"), "E102", "$.nodes[3].type"),
    (with_node(type="entity"), "E102", "$.nodes[3].type"),
    (with_node(name=None), "E101", "$.nodes[3].name"),
    (with_node(name=""), "E101", "$.nodes[3].name"),
    (with_node(name=" \u2003"), "E101", "$.nodes[3].name"),
    (with_node(name="\u200b\ufeff"), "E101", "$.nodes[3].name"),
    (with_node(name="x" * 2001), "E101", "$.nodes[3].name"),
    (with_node(name="a\u2028b"), "E101", "$.nodes[3].name"),
    (with_node(name="a\u0085b"), "E101", "$.nodes[3].name"),
    (with_node(name="a\u202eb"), "E101", "$.nodes[3].name"),
    (with_node(name="a\u2066b"), "E101", "$.nodes[3].name"),
    (with_node(name="a\x00b"), "E101", "$.nodes[3].name"),
    (with_node(aliases="G"), "E101", "$.nodes[3].aliases"),
    (with_node(aliases=["G", 1]), "E101", "$.nodes[3].aliases[1]"),
    (with_node(aliases=["a\nb"]), "E101", "$.nodes[3].aliases[0]"),
    (with_node(aliases=["G", ""]), "E101", "$.nodes[3].aliases[1]"),
    (with_node(description=5), "E101", "$.nodes[3].description"),
    (with_node(id=["x"]), "E101", "$.nodes[3].id"),
    (with_node(id=" "), "E101", "$.nodes[3].id"),
    (with_node(id="x\ny"), "E101", "$.nodes[3].id"),
    (with_node(qualifier=1), "E101", "$.nodes[3].qualifier"),
    (with_node(attrs=[]), "E101", "$.nodes[3].attrs"),
    (with_node(valid_from="yesterday"), "E101", "$.nodes[3].valid_from"),
    (with_node(valid_from="2026-02-29"), "E101", "$.nodes[3].valid_from"),
    (with_node(valid_from="2026-03-11T10:00:00"), "E101", "$.nodes[3].valid_from"),
    (with_node(valid_from="2026-03-11", valid_to="2026-03-11"), "E101", "$.nodes[3].valid_to"),
    (
        with_node(valid_from="2026-03-11T10:00:00+02:00", valid_to="2026-03-11T08:00:00Z"),
        "E101",
        "$.nodes[3].valid_to",
    ),
    (with_node(type="Claim", inference="yes"), "E101", "$.nodes[3].inference"),
    (with_node(type="Evaluation", rubric=1), "E101", "$.nodes[3].rubric"),
    ({"nodes": [RUN, {**REPORT, "version": True}], "edges": [MADE]}, "E101", "$.nodes[1].version"),
    ({"nodes": [RUN, {**REPORT, "version": ""}], "edges": [MADE]}, "I2", "$.nodes[1]"),
    ({"nodes": [RUN, {**REPORT, "version": 0}], "edges": []}, "I2", "$.nodes[1]"),
    (with_edge(predicate="gone"), "E101", "$.edges[2].predicate"),
    (with_edge(predicate=1), "E101", "$.edges[2].predicate"),
    (with_edge(predicate="SUPORTS"), "E103", "$.edges[2].predicate"),
    (with_edge(source="gone"), "E101", "$.edges[2].source"),
    (with_edge(source=None), "E101", "$.edges[2].source"),
    (with_edge(target=["Alpha"]), "E101", "$.edges[2].target"),
    (with_edge(target=" "), "E101", "$.edges[2].target"),
    (with_edge(type="CONTRADICTS"), "E101", "$.edges[2].predicate"),
    (with_edge(**{"from": "Alpha"}), "E101", "$.edges[2].source"),
    (with_edge(quote=1), "E101", "$.edges[2].quote"),
    (with_edge(source_doc=[]), "E101", "$.edges[2].source_doc"),
    (with_edge(kind={}), "E101", "$.edges[2].kind"),
    (with_edge(attrs="x"), "E101", "$.edges[2].attrs"),
    (with_edge(confidence=1.01), "E107", "$.edges[2].confidence"),
    (with_edge(confidence=-0.1), "E107", "$.edges[2].confidence"),
    (with_edge(confidence="0.9"), "E107", "$.edges[2].confidence"),
    (with_edge(confidence=True), "E107", "$.edges[2].confidence"),
    (with_edge(confidence=0.49), "E108", "$.edges[2].confidence"),
    (with_edge(confidence=0), "E108", "$.edges[2].confidence"),
    (with_edge(target="Nobody"), "E105", "$.edges[2].target"),
    (with_edge(source="Nobody"), "E105", "$.edges[2].source"),
    (with_edge(source="Alpha", target="doc.md"), "E104", "$.edges[2]"),
    (with_edge(source="Alpha ships weekly", target="doc.md"), "E104", "$.edges[2]"),
    (with_edge(predicate="PARENT_OF", source="doc.md", target="Alpha"), "E104", "$.edges[2]"),
    (with_edge(predicate="DEPENDS_ON", source="Alpha", target="alpha"), "E109", "$.edges[2]"),
    (with_edge(source="Alpha ships weekly", target="Alpha ships weekly"), "E109", "$.edges[2]"),
    (
        with_edge(predicate="RESOLVED_TO", source="Alpha", target="Alpha"),
        "E110",
        "$.edges[2].predicate",
    ),
    ({"nodes": [{**ALPHA, "id": "n"}, {**BETA, "id": "n"}], "edges": []}, "E111", "$.nodes[1].id"),
    ({"nodes": [CLAIM], "edges": []}, "I1", "$.nodes[0]"),
    ({"nodes": [SOURCE, {**CLAIM, "inference": True}], "edges": [TIE]}, "I1", "$.nodes[1]"),
    (
        {"nodes": [{"type": "Artifact", "name": "report.pdf", "version": 1}], "edges": []},
        "I2",
        "$.nodes[0]",
    ),
    (
        {"nodes": [{"type": "Evaluation", "name": "gate", "rubric": " "}], "edges": []},
        "I3",
        "$.nodes[0]",
    ),
    ({"nodes": [ALPHA, SOURCE], "edges": []}, "W201", "$.nodes[1]"),
    (with_node(name="Gamma depends on Alpha"), "W202", "$.nodes[3].name"),
    (with_node(description=""), "W203", "$.nodes[3].description"),
    (with_node(description="the Gamma entity"), "W204", "$.nodes[3].description"),
    ({"nodes": [ALPHA], "edges": []}, "W205", "$.nodes[0]"),
    (with_edge(confidence=0.8), "W207", "$.edges[2]"),
    (with_edge(source_doc="doc.md", confidence=0.8), "W207", "$.edges[2]"),
    (with_edge(source_doc="doc.md#L1"), "W213", "$.edges[2].confidence"),
    (with_node(region="EU"), "W214", "$.nodes[3].region"),
    (with_edge(**{"re viewer": "k"}), "W214", '$.edges[2]["re viewer"]'),
    ({**GOOD, "thinking": "hm"}, "W214", "$.thinking"),
    (with_node(type="Source", uri="other.md"), "W215", "$.nodes[3]"),
    (with_node(type="Metric", name="p99 latency 120 ms"), "W212", "$.nodes[3].name"),
]


@pytest.mark.parametrize(("payload", "code", "path"), BREACHES)
def test_each_breach_is_answered_with_its_code_at_its_path(
    payload: Any, code: str, path: str
) -> None:
    found = places(admit(json.dumps(payload), MemoryView()))
    assert (code, path) in found
    # and it isn't followed by others of the same gravity: errors and invariants stand alone
    assert [item for item in found if item[0][0] in "EI"] == [
        item for item in [(code, path)] if item[0][0] in "EI"
    ]


def test_intervals_are_compared_across_zones() -> None:
    payload = with_node(valid_from="2026-03-11T10:00:00+02:00", valid_to="2026-03-11T09:00:00Z")
    assert codes(admit(json.dumps(payload), MemoryView())) == []


def test_a_missing_version_and_a_missing_producer_are_one_violation_that_names_both() -> None:
    admission = check(
        {"nodes": [{"type": "Artifact", "name": "report.pdf"}], "edges": []}, MemoryView()
    )
    assert [problem.detail for problem in admission.violations] == ["no-producer, no-version"]
    assert admission.violations[0].as_json().keys() == {
        "code",
        "path",
        "message",
        "hint",
        "invariant",
        "node",
        "detail",
    }


def test_all_breaches_are_reported_at_once_and_sorted_by_path() -> None:
    edges = (
        [{**TIE, "confidence": 7}]
        + [MENTION] * 9
        + [{"predicate": "FROBS", "source": "Alpha", "target": "Nobody"}]
    )
    nodes = [SOURCE, {"type": "Persn", "name": "x"}, ALPHA, CLAIM]
    found = places(check({"nodes": nodes, "edges": edges}, MemoryView()))
    errors = [item for item in found if item[0].startswith("E")]
    assert errors == [
        ("E107", "$.edges[0].confidence"),
        ("E103", "$.edges[10].predicate"),
        ("E105", "$.edges[10].target"),
        ("E102", "$.nodes[1].type"),
    ]


def test_no_breach_draws_another_after_it() -> None:
    unknown_type = {
        "nodes": [{"type": "Persn", "name": "Ann", "aliases": ["A."]}, ALPHA],
        "edges": [],
    }
    for name in ("Ann", "ann", "A."):
        edges = [{"predicate": "DEPENDS_ON", "source": "Alpha", "target": name}]
        assert codes(check({**unknown_type, "edges": edges}, MemoryView())) == ["E102"]
    for broken in (
        {"confidence": 7},
        {"source": "Nobody"},
        {"predicate": "SUPORTS"},
        {"source": CLAIM["name"], "target": "doc.md"},
    ):
        admission = check({"nodes": [SOURCE, CLAIM], "edges": [{**TIE, **broken}]}, MemoryView())
        assert len(admission.errors) == 1
        assert admission.violations == []
    assert codes(check({"nodes": "x", "edges": [MENTION]}, MemoryView())) == ["E101"]
    assert codes(check({"nodes": [SOURCE, CLAIM], "edges": "x"}, MemoryView())) == ["E101"]


def test_null_says_nothing_so_that_providers_strict_modes_can_be_read() -> None:
    own = {
        "inference": None,
        "uri": None,
        "version": None,
        "rubric": None,
        "result": None,
        "sha256": None,
    }
    nodes = [
        {
            **node,
            **{key: value for key, value in own.items() if key not in node},
            "id": None,
            "valid_to": None,
        }
        for node in GOOD["nodes"]
    ]
    edges = [{**edge, "kind": None, "attrs": None, "valid_from": None} for edge in GOOD["edges"]]
    admission = check({"nodes": nodes, "edges": edges, "usage": None}, MemoryView())
    assert admission == check(GOOD, MemoryView())


def test_an_alias_or_name_of_the_payload_goes_before_the_graphs() -> None:
    view = MemoryView([Held("ent_old", "Entity", "Alpha", description="an old thing")])
    edge = {"predicate": "DEPENDS_ON", "source": "Alpha", "target": "Beta"}
    named_otherwise = {
        "type": "Entity",
        "name": "Alpha service",
        "aliases": ["ALPHA"],
        "description": "billing",
    }
    admission = check({"nodes": [named_otherwise, BETA], "edges": [edge]}, view)
    assert admission.edges[0]["source"] == admission.ids_nodes[0]


def test_an_exact_name_goes_before_a_folded_one_and_an_id_before_both() -> None:
    view = MemoryView(
        [
            Held("Beta", "Entity", "x"),
            Held("e1", "Entity", "beta"),
            Held("e2", "Entity", "BETA"),
            Held("e3", "Entity", "y", ("Z",)),
        ]
    )
    ends = [("Beta", "Beta"), ("beta", "e1"), ("BETA", "e2"), ("z", "e3")]
    for text, wanted in ends:
        admission = check(
            {
                "nodes": [ALPHA],
                "edges": [{"predicate": "DEPENDS_ON", "source": "Alpha", "target": text}],
            },
            view,
        )
        assert admission.edges[0]["target"] == wanted
    several = check(
        {
            "nodes": [ALPHA],
            "edges": [{"predicate": "DEPENDS_ON", "source": "Alpha", "target": "bETA"}],
        },
        view,
    )
    assert places(several)[0] == ("E106", "$.edges[0].target")
    assert "e1" in several.errors[0].hint and "e2" in several.errors[0].hint


def test_a_node_of_the_graph_at_an_end_is_asserted_once_with_what_identifies_it() -> None:
    view = MemoryView([Held("src_x", "Source", "doc.md", uri="docs/doc.md")])
    claims = [{"type": "Claim", "name": f"Alpha ships on day {n}"} for n in range(3)]
    edges = [
        {
            "predicate": "SUPPORTS",
            "source": "doc.md",
            "target": claim["name"],
            "quote": "q",
            "confidence": 0.9,
        }
        for claim in claims
    ]
    admission = check({"nodes": claims, "edges": edges}, view)
    assert admission.nodes[3:] == [
        {
            "kind": "node",
            "id": "src_x",
            "type": "Source",
            "name": "doc.md",
            "implied": True,
            "uri": "docs/doc.md",
        },
    ]


def test_signature_hints_tell_when_swapping_the_ends_would_do() -> None:
    admission = check(
        {"nodes": [SOURCE, CLAIM], "edges": [{**TIE, "source": CLAIM["name"], "target": "doc.md"}]},
        MemoryView(),
    )
    assert admission.errors[0].hint == "SUPPORTS runs Source → Claim: swap source and target"
    other = check({"nodes": [SOURCE, ALPHA], "edges": [{**TIE, "target": "Alpha"}]}, MemoryView())
    assert "swap" not in other.errors[0].hint and "Claim" in other.errors[0].hint


def test_unknown_words_are_answered_with_the_nearest_known_one() -> None:
    admission = check(
        {
            "nodes": [{"type": "Entty", "name": "x"}],
            "edges": [{**MENTION, "predicate": "DEPEND_ON"}],
        },
        MemoryView(),
    )
    hints = {problem.code: problem.hint for problem in admission.errors}
    assert "did you mean Entity?" in hints["E102"]
    assert "did you mean DEPENDS_ON?" in hints["E103"]
    far = check({"nodes": [{"type": "Quuxification", "name": "x"}], "edges": []}, MemoryView())
    assert "did you mean" not in far.errors[0].hint and "Entity" in far.errors[0].hint


def test_unknown_keys_are_kept_in_attrs_and_never_replace_what_stands_there() -> None:
    admission = check(with_node(region="EU", attrs={"region": "US", "tier": 1}), MemoryView())
    assert admission.nodes[3]["attrs"] == {"region": "US", "tier": 1, "region_2": "EU"}
    edge = check(with_edge(reviewer="k", quote="q", confidence=0.8), MemoryView()).edges[2]
    assert edge["attrs"] == {"reviewer": "k"} and edge["rel"] == "again"


def test_a_source_that_is_not_the_units_is_refused_in_payload_and_at_ends() -> None:
    unit = Options(unit_sources=frozenset({"docs/doc.md"}))
    view = MemoryView([Held("src_o", "Source", "other.md", uri="docs/other.md")])
    assert codes(check(GOOD, view, unit)) == []
    bare = {"type": "Source", "name": "doc.md"}
    assert codes(check({"nodes": [bare, ALPHA, CLAIM], "edges": [TIE, MENTION]}, view, unit)) == []
    foreign = {"type": "Source", "name": "doc.md", "uri": "elsewhere/doc.md"}
    assert ("E112", "$.nodes[0].uri") in places(
        check({"nodes": [foreign, CLAIM], "edges": [TIE]}, view, unit)
    )
    reached = {"nodes": GOOD["nodes"], "edges": [TIE, MENTION, {**TIE, "source": "other.md"}]}
    assert ("E112", "$.edges[2].source") in places(check(reached, view, unit))


def test_an_object_of_supersedes_that_was_withdrawn_is_not_addressable() -> None:
    view = MemoryView([Held("clm_old", "Claim", "the limit is 180 days", live=False)])
    edges = [TIE, {"predicate": "SUPERSEDES", "source": CLAIM["name"], "target": "clm_old"}]
    found = places(check({"nodes": [SOURCE, CLAIM], "edges": edges}, view))
    assert ("E105", "$.edges[1].target") in found and ("I4", "$.edges[1]") in found


def test_what_the_graph_holds_satisfies_invariants() -> None:
    view = MemoryView()
    view.write(check(GOOD, view))
    again = check({"nodes": [CLAIM, BETA], "edges": [{**MENTION, "target": "Beta"}]}, view)
    assert again.violations == []
    view.hold(Held("clm_loose", "Claim", "nobody knows why"))
    touched = check(
        {
            "nodes": [BETA],
            "edges": [{"predicate": "MENTIONS", "source": "nobody knows why", "target": "Beta"}],
        },
        view,
    )
    assert places(touched) == [("I1", "$.edges[0].source")]
    untouched = check({"nodes": [SOURCE], "edges": []}, view)
    assert untouched.violations == []


def test_an_inference_of_the_graph_needs_no_source_and_may_get_one() -> None:
    view = MemoryView([Held("clm_i", "Claim", "Alpha is slow", inference=True)])
    mention = {"predicate": "MENTIONS", "source": "Alpha is slow", "target": "Alpha"}
    assert codes(check({"nodes": [ALPHA], "edges": [mention]}, view)) == []
    tied = {
        "nodes": [SOURCE, {"type": "Claim", "name": "Alpha is slow"}],
        "edges": [{**TIE, "target": "Alpha is slow"}],
    }
    assert codes(check(tied, view)) == ["W218"]


def test_a_contradicting_source_is_no_tie() -> None:
    against = {**TIE, "predicate": "CONTRADICTS"}
    assert places(check({"nodes": [SOURCE, CLAIM], "edges": [against]}, MemoryView()))[0] == (
        "I1",
        "$.nodes[1]",
    )
    inferred = {**CLAIM, "inference": True}
    assert check({"nodes": [SOURCE, inferred], "edges": [against]}, MemoryView()).violations == []
    derived = {"predicate": "DERIVED_FROM", "source": CLAIM["name"], "target": "doc.md"}
    assert check({"nodes": [SOURCE, CLAIM], "edges": [derived]}, MemoryView()).violations == []


def test_a_strict_check_admits_nothing_that_was_warned_of() -> None:
    warned = {"nodes": [ALPHA], "edges": []}
    assert check(warned, MemoryView()).admitted
    assert not check(warned, MemoryView(), Options(strict=True)).admitted
    assert check(GOOD, MemoryView(), Options(strict=True)).admitted


def test_flat_confidence_is_told_of_five_edges_on_and_not_to_the_offline_extractor() -> None:
    def of(values: list[float], options: Options) -> bool:
        claims = [
            {"type": "Claim", "name": f"Alpha restarted on day {n}"} for n in range(len(values))
        ]
        edges = [
            {**TIE, "target": claim["name"], "confidence": value}
            for claim, value in zip(claims, values, strict=True)
        ]
        return "W206" in codes(
            check({"nodes": [SOURCE, *claims], "edges": edges}, MemoryView(), options)
        )

    assert of([0.95] * 5, Options()) and of([0.95] * 4 + [0.9], Options())
    assert not of([0.95] * 4, Options()) and not of([0.95] * 3 + [0.9, 0.8], Options())
    assert not of([0.95] * 9, Options(offline=True))
