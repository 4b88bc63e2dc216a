"""Laws of retrieval: whatever the graph and the budget, what is printed keeps its bounds, and its pages make up the whole."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kgraph.cli.answering import Answer, Around, printed
from kgraph.index.read import Reader
from kgraph.retrieve.finding import find
from kgraph.retrieve.printing import count_tokens
from kgraph.retrieve.query import query
from kgraph.retrieve.question import Asked, Question
from stages.ground_worlds import engine_of

SOME = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
WORDS = (
    "valve",
    "pump",
    "Vendor X",
    "seal",
    "日本",
    "a [edge:edg_1] b",
    "Outage`s",
    "long " * 40,
    "[",
    "(x)",
)


@st.composite
def graphs(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A payload of up to twelve claims over up to eight things, some names hostile, some texts long."""
    names = [
        f"{draw(st.sampled_from(WORDS))} {number}" for number in range(draw(st.integers(1, 8)))
    ]
    nodes: list[dict[str, Any]] = [{"type": "Source", "name": "doc.md"}]
    nodes += [
        {
            "type": "Entity",
            "name": name,
            "description": draw(st.sampled_from(["", "a thing", "word " * 100])),
        }
        for name in names
    ]
    edges: list[dict[str, Any]] = []
    for number in range(draw(st.integers(0, 12))):
        one, other = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        claim = f"claim {number}: {one} feeds {other}"
        nodes.append({"type": "Claim", "name": claim})
        edges.append({"predicate": "SUPPORTS", "source": "doc.md", "target": claim, "source_doc": "doc.md#L1", "confidence": 0.9,
                      "quote": draw(st.sampled_from(["", "short", "quoted " * 50]))})  # fmt: skip
        edges += [
            {"predicate": "MENTIONS", "source": claim, "target": name} for name in {one, other}
        ]
    return [{"nodes": nodes, "edges": edges}]


questions = st.sampled_from(
    ["valve", "Vendor X pump", "claim", "日本", "", "seal feeds valve 0", "nothing known"]
)
NAMED = {"graph": "a graph with a long name", "path": "/some/where/far/down/" + "deep/" * 20}


def door(as_text: bool, terminal: bool = False) -> Any:
    """What the command line prints of a body."""

    def shown(body: dict[str, Any], text: str | None) -> str:
        inner = {key: value for key, value in body.items() if key != "bare"}
        around = Around(NAMED, [], not as_text, terminal)
        return printed(Answer(inner, text=text, bare="bare" in body), around)

    return shown


@SOME
@given(
    graphs(),
    questions,
    st.integers(50, 400),
    st.sampled_from(["json", "context", "triples"]),
    st.booleans(),
)
def test_what_is_printed_never_costs_more_than_its_budget(
    payloads: list[dict[str, Any]], text: str, budget: int, style: str, as_text: bool
) -> None:
    reader = engine_of(payloads).reader()
    shown = door(as_text and style != "json")
    answer = query(reader, Question(text, max_tokens=budget), Asked(style, "", shown))
    whole = shown({**answer.body, "bare": True} if answer.bare else answer.body, answer.text)
    assert count_tokens(whole) <= budget
    assert count_tokens(whole) == answer.body["tokens"]
    if style == "json":
        assert json.loads(whole)["ok"] is True


@SOME
@given(graphs(), questions, st.integers(150, 900), st.integers(1, 6))
def test_pages_are_disjoint_and_make_up_everything_that_was_reached(
    payloads: list[dict[str, Any]], text: str, budget: int, most: int
) -> None:
    reader = engine_of(payloads).reader()
    question = Question(text, max_tokens=budget, max_nodes=most)
    found = find(reader, question)
    nodes: list[str] = []
    edges: list[str] = []
    left = {"nodes": len(found.nodes), "edges": len(found.relations)}
    while True:
        body = query(reader, question).body
        new_nodes, new_edges = (
            [row["id"] for row in body.get("nodes", [])],
            [row["id"] for row in body.get("edges", [])],
        )
        assert len(new_nodes) <= most
        assert not set(new_nodes) & set(nodes)
        assert not set(new_edges) & set(edges)
        here = set(new_nodes) | {row["id"] for row in body.get("carried", [])}
        assert all({row["source"], row["target"]} <= here for row in body.get("edges", []))
        left = {"nodes": left["nodes"] - len(new_nodes), "edges": left["edges"] - len(new_edges)}
        assert body["left_out"] == left
        assert body["truncated"] == bool(left["nodes"] or left["edges"] or found.bounded)
        nodes += new_nodes
        edges += new_edges
        if not body["cursor"] or body["cursor"] == question.cursor:
            break
        if not new_nodes and not new_edges:
            break
        question = question._replace(cursor=body["cursor"])
    if not body["cursor"]:
        assert sorted(nodes) == sorted(reader.ids(ranked.nid for ranked in found.nodes).values())
        assert len(edges) == len(set(edges)) == len(found.relations)


@SOME
@given(graphs(), questions)
def test_every_edge_that_a_text_cites_is_one_of_the_graph(
    payloads: list[dict[str, Any]], text: str
) -> None:
    reader: Reader = engine_of(payloads).reader()
    for style in ("context", "triples"):
        answer = query(reader, Question(text, max_tokens=100_000), Asked(style))
        cited = re.findall(r"(?<!\\)\[edge:([^\]]+)\]", answer.text or "")
        assert set(cited) == set(reader.edge_ids(cited))
        assert len(cited) == len(find(reader, Question(text)).relations)


@SOME
@given(graphs(), st.sampled_from(["valve", "claim", "Vendor X"]), st.integers(0, 3))
def test_nothing_lies_farther_from_the_seeds_than_was_asked(
    payloads: list[dict[str, Any]], text: str, hops: int
) -> None:
    reader = engine_of(payloads).reader()
    found = find(reader, Question(text, hops=hops))
    near = {nid for nid, _, _ in found.seeds}
    for _ in range(hops):
        near |= {end for nid in list(near) for hop in reader.hops(nid) for end in (hop.there,)}
    assert {ranked.nid for ranked in found.nodes} <= near
