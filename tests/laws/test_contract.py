"""What holds for any input whatever: nothing raises, only documented codes come back, and what was accepted stays accepted."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kgraph.contract import MemoryView, Options, admit, check, decode, normalise_uri
from kgraph.contract.repair import repair
from kgraph.ontology import EDGE_FIELDS, NODE_FIELDS, NODE_TYPES, PREDICATES, RULES, fold

NAMES = st.one_of(
    st.sampled_from(
        [
            "Alpha",
            "alpha",
            "ALPHA",
            "Beta",
            "doc.md",
            "Alpha ships weekly",
            "日本",
            "ﬁx",
            "é",
            "e\u0301",
            "",
            " ",
            "a\nb",
            "\u202e",
        ]
    ),
    st.text(max_size=6),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), NAMES)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
OWN = [field.name for kind in NODE_TYPES.values() for field in kind.fields]


def objects(
    fields: list[str], good: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    """Objects whose members are mostly of the right kind, and sometimes anything."""
    some = {name: st.one_of(good.get(name, NAMES), good.get(name, NAMES), JSON) for name in fields}
    known = st.fixed_dictionaries({}, optional=some)
    return st.builds(
        lambda base, more: {**more, **base},
        known,
        st.one_of(st.just({}), st.dictionaries(NAMES, JSON, max_size=1)),
    )


NODES = objects(
    [field.name for field in NODE_FIELDS] + OWN,
    {
        "type": st.sampled_from(list(NODE_TYPES)),
        "aliases": st.lists(NAMES, max_size=2),
        "attrs": st.dictionaries(NAMES, JSON, max_size=2),
        "inference": st.booleans(),
        "valid_from": st.sampled_from(["2026-03-11", "2026-03-11T10:00:00Z", "x"]),
    },
)
EDGES = objects(
    [field.name for field in EDGE_FIELDS] + ["type", "from", "to"],
    {
        "predicate": st.sampled_from(list(PREDICATES)),
        "type": st.sampled_from(list(PREDICATES)),
        "confidence": st.floats(0.4, 1.1),
        "attrs": st.dictionaries(NAMES, JSON, max_size=2),
    },
)
PAYLOADS = st.builds(
    lambda nodes, edges, more: {**more, "nodes": nodes, "edges": edges},
    st.lists(st.one_of(NODES, NODES, NODES, JSON), max_size=5),
    st.lists(st.one_of(EDGES, EDGES, EDGES, JSON), max_size=5),
    st.one_of(
        st.just({}),
        st.dictionaries(st.sampled_from(["run_id", "usage", "nodes", "x"]), JSON, max_size=2),
    ),
)

# payloads that are mostly accepted
SOUND_NAMES = st.sampled_from(["Alpha", "Beta", "gamma ray", "日本", "Café Noir", "shop.cart"])
SOUND = st.builds(
    lambda names, pairs, ids: {
        "nodes": [{"type": "Source", "name": "doc.md", "uri": "docs/doc.md"}]
        + [
            {
                "type": "Entity",
                "name": name,
                "aliases": [name.upper()],
                **({"id": f"n{number}"} if ids else {}),
            }
            for number, name in enumerate(names)
        ]
        + [{"type": "Claim", "name": f"{name} ships"} for name in names],
        "edges": [
            {
                "predicate": "SUPPORTS",
                "source": "doc.md",
                "target": f"{name} ships",
                "confidence": 0.9,
            }
            for name in names
        ]
        + [
            {"predicate": "MENTIONS", "source": f"{a} ships", "target": b}
            for a, b in pairs
            if a in names and b in names
        ],
    },
    st.lists(SOUND_NAMES, unique_by=fold, max_size=4),
    st.lists(st.tuples(SOUND_NAMES, SOUND_NAMES), max_size=5, unique=True),
    st.booleans(),
)


def documented(codes: list[str]) -> bool:
    return all(code in RULES for code in codes)


def all_codes(admission: Any) -> list[str]:
    return [
        problem.code for problem in (*admission.errors, *admission.violations, *admission.warnings)
    ]


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_no_bytes_make_decoding_raise(data: bytes | str) -> None:
    payload, problems = decode(data)
    assert {problem.code for problem in problems} <= {"E101"}
    assert payload is not None or problems


@given(JSON)
def test_what_json_writes_is_read_back_as_it_was(value: Any) -> None:
    text = json.dumps({"x": value})
    payload, problems = decode(text)
    if not problems:
        assert json.dumps(payload) == text
    else:
        assert any(sign in text for sign in ("NaN", "Infinity", "\\ud"))


@settings(max_examples=100)
@given(PAYLOADS)
def test_any_payload_gets_documented_answers_with_a_path_into_it(payload: dict[str, Any]) -> None:
    admission = admit(json.dumps(payload), MemoryView())
    assert documented(all_codes(admission))
    for problem in (*admission.errors, *admission.violations, *admission.warnings):
        assert problem.path == "$" or problem.path.startswith(("$.", "$["))
        assert problem.message and problem.hint and "{" not in problem.hint.replace("{}", "")
    assert len(admission.ids_nodes) == len(
        payload["nodes"] if isinstance(payload["nodes"], list) else []
    )


@settings(max_examples=60)
@given(JSON)
def test_no_json_makes_the_check_raise(value: Any) -> None:
    for payload in ({"nodes": value, "edges": value}, {"nodes": [value], "edges": [value]}):
        assert documented(all_codes(admit(json.dumps(payload), MemoryView())))


@settings(max_examples=60)
@given(PAYLOADS)
def test_repair_never_raises_and_what_it_gives_can_be_judged(payload: dict[str, Any]) -> None:
    view = MemoryView()
    found = repair("Sure!\n```json\n" + json.dumps(payload) + "\n```", view)
    assert documented([problem.code for problem in found.problems])
    if found.payload is not None:
        assert documented(all_codes(check(found.payload, view)))
        if isinstance(payload["edges"], list):
            assert len(found.payload["edges"]) == len(payload["edges"]) - found.dropped


@settings(max_examples=50)
@given(SOUND)
def test_an_accepted_payload_adds_nothing_when_it_comes_again(payload: dict[str, Any]) -> None:
    view = MemoryView()
    first = check(payload, view)
    assert first.admitted, first.errors + first.violations
    view.write(first)
    again = check(payload, view)
    assert again.admitted
    assert again.ids_nodes == first.ids_nodes and again.ids_edges == first.ids_edges


@settings(max_examples=50)
@given(SOUND)
def test_edges_alone_find_in_the_graph_what_the_payload_had_beside_them(
    payload: dict[str, Any],
) -> None:
    view = MemoryView()
    first = check(payload, view)
    view.write(first)
    alone = check({"nodes": [], "edges": payload["edges"]}, view)
    assert alone.errors == [] and alone.violations == []
    assert alone.ids_edges == first.ids_edges
    assert all(event["implied"] for event in alone.nodes)


@settings(max_examples=50)
@given(SOUND)
def test_repair_leaves_a_sound_payload_alone(payload: dict[str, Any]) -> None:
    payload = {
        **payload,
        "nodes": [
            {key: value for key, value in node.items() if key != "id"} for node in payload["nodes"]
        ],
    }
    found = repair(json.dumps(payload), MemoryView())
    assert (found.payload, found.repairs, found.dropped, found.problems) == (payload, [], 0, [])


@settings(max_examples=50)
@given(SOUND)
def test_forgetting_ids_moves_no_edge(payload: dict[str, Any]) -> None:
    plain = {
        **payload,
        "nodes": [
            {key: value for key, value in node.items() if key != "id"} for node in payload["nodes"]
        ],
    }
    found = repair(json.dumps(payload), MemoryView())
    assert found.payload is not None
    assert check(found.payload, MemoryView()).ids_edges == check(plain, MemoryView()).ids_edges


@given(st.text(max_size=30))
def test_folding_settles_at_once_and_never_leaves_nothing(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert bool(folded) == bool(text)
    assert fold(text.upper().lower()) == fold(text.lower())


@given(st.text(alphabet="ab./#:%\\", max_size=14), st.sampled_from(["", "/a", "/a/b"]))
def test_a_normalised_uri_is_its_own_normal_form(uri: str, root: str) -> None:
    once = normalise_uri(uri, root)
    if "%" not in uri:
        assert normalise_uri(once, root) == once


@settings(max_examples=30)
@given(PAYLOADS)
def test_options_change_warnings_and_never_raise(payload: dict[str, Any]) -> None:
    options = Options(
        strict=True,
        offline=True,
        unit_sources=frozenset({"docs/doc.md"}),
        read_source=lambda uri: "Alpha (AL) ALPHA aLPHA",
        source_root="/x",
    )
    assert documented(all_codes(admit(json.dumps(payload), MemoryView(), options)))
