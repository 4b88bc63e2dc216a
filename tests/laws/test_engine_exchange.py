"""Laws of exchange: what was accepted can be written out and taken in again, by either way, and says the same."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kgraph
from kgraph.graph import Graph, Ingestion, joining

SLOW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# characters that break lines, encodings, formats or eyes where they are not expected; a name may hold some of them only
ODD = "\u2028\u2029\u0085\u200b\ufeff\u202e\x00\x01\x0b\x1b\x7f\x9f\r\n\t\"\\'<>&`[](){}|#é漢🚀\U0001f600\uffff"
FORBIDDEN_IN_NAMES = set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") | {
    chr(code) for code in (*range(32), *range(127, 160))
}
texts = st.text(
    alphabet=st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"])), max_size=30
)
names = texts.map(
    lambda text: "".join(char for char in text if char not in FORBIDDEN_IN_NAMES) + "x"
)
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**80), 2**80),
        st.floats(allow_nan=False, allow_infinity=False),
        texts,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=6,
)


# an attribute may be called as a member of a record is
MEMBERS = (
    "id", "type", "name", "description", "aliases", "fields", "attrs", "qualifier", "valid_from", "valid_to", "canonical", "degree",
    "assertions", "uri", "sha256", "version", "rubric", "result", "inference", "predicate", "source", "target", "kind", "quote",
    "source_doc", "confidence", "status", "evidence", "run_id", "tx", "ts", "sources",
)  # fmt: skip


@st.composite
def payloads(draw: st.DrawFn) -> dict[str, Any]:
    """Every node type and most predicates, with odd texts wherever a text may stand."""
    claim, source, run, artifact, old = (
        f"{word} {draw(names)}" for word in ("claim", "source", "run", "artifact", "old artifact")
    )
    entity, evaluation = f"entity {draw(names)}", f"evaluation {draw(names)}"
    attrs = draw(st.dictionaries(texts | st.sampled_from(MEMBERS), values, max_size=3))
    nodes = [
        {
            "type": "Source",
            "name": source,
            "uri": draw(st.sampled_from(["a.md", "https://example.org/x?y=1#z", "ä b.md"])),
        },
        {"type": "Claim", "name": claim, "description": draw(texts), "attrs": attrs},
        {
            "type": "Entity",
            "name": entity,
            "description": draw(texts),
            "aliases": draw(st.lists(names, max_size=2)),
            "valid_from": "2026-01-01",
        },
        {"type": "AgentRun", "name": run, "attrs": attrs},
        {
            "type": "Artifact",
            "name": artifact,
            "version": draw(st.one_of(names, st.integers(0, 9), st.just(1.5))),
        },
        {"type": "Artifact", "name": old, "version": "0"},
        {"type": "Evaluation", "name": evaluation, "rubric": draw(names), "result": draw(texts)},
        {"type": "Claim", "name": f"inferred {claim}", "inference": True, "qualifier": draw(names)},
    ]
    edges = [
        {
            "predicate": "SUPPORTS",
            "source": source,
            "target": claim,
            "quote": draw(texts),
            "confidence": draw(st.sampled_from([0.5, 0.75, 1, 1.0])),
        },
        {
            "predicate": "SUPPORTS",
            "source": source,
            "target": claim,
            "source_doc": f"{source}#x",
            "confidence": 0.6,
            "attrs": attrs,
        },
        {"predicate": "MENTIONS", "source": claim, "target": entity, "kind": draw(names)},
        {
            "predicate": "PRODUCED",
            "source": run,
            "target": artifact,
            "valid_from": "2026-01-01T00:00:00Z",
            "valid_to": "2027-01-01",
        },
        {"predicate": "PRODUCED", "source": run, "target": old},
        {"predicate": "SUPERSEDES", "source": artifact, "target": old},
        {"predicate": "EVALUATES", "source": evaluation, "target": artifact},
        {"predicate": "DERIVED_FROM", "source": f"inferred {claim}", "target": claim},
    ]
    return {"nodes": nodes, "edges": edges}


def said(graph: Graph) -> dict[str, Any]:
    """Everything that a graph says, but not who said it when."""
    reader = graph.reader()
    nodes = {
        node.id: (
            node.type,
            node.name,
            node.description,
            sorted(node.aliases),
            node.fields,
            node.attrs,
            node.inference,
            node.assertions,
        )
        for node in reader.every_node()
    }
    ids = {node.nid: node.id for node in reader.every_node()}
    edges = {
        edge.id: (
            edge.predicate,
            ids[edge.src],
            ids[edge.dst],
            edge.kind,
            edge.source_doc,
            edge.quote,
            edge.confidence,
            edge.attrs,
            edge.valid_from,
            edge.valid_to,
            edge.assertions,
        )
        for edge in reader.every_edge()
    }
    return {"nodes": nodes, "edges": edges}


def shown(graph: Graph) -> dict[str, Any]:
    """The same without the number of assertions: a payload says everything once."""
    found = said(graph)
    return {
        kind: {name: value[:-1] for name, value in some.items()} for kind, some in found.items()
    }


@pytest.mark.parametrize("form", ["json", "jsonl", "graphml", "csv", "jsonld"])
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some=st.lists(payloads(), min_size=1, max_size=2))
def test_every_accepted_payload_survives_export_and_import(
    form: str, some: list[dict[str, Any]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with kgraph.create(path=os.path.join(folder, "one")) as graph:
            for number, payload in enumerate(some):
                receipt = graph.ingest(json.dumps(payload), Ingestion(run_id=f"r{number}"))
                assert receipt.exit_status == 0, (receipt.errors, receipt.invariant_violations)
            before = said(graph)
            graph.rebuild()
            assert said(graph) == before
            file = os.path.join(folder, "out" if form == "csv" else f"out.{form}")
            graph.export(form, (file, False))
        with kgraph.create(path=os.path.join(folder, "two")) as other:
            done = joining.import_graph(other, file)
            assert done.exit_status == 0, done.body
            assert said(other) == before


@SLOW
@given(payloads())
def test_every_accepted_payload_survives_export_and_being_ingested_again(
    payload: dict[str, Any],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        with kgraph.create(path=os.path.join(folder, "one")) as graph:
            assert graph.ingest(json.dumps(payload), Ingestion(run_id="r1")).exit_status == 0
            text = "".join(map(str, graph.export_chunks("json")))
            before = shown(graph)
            same = graph.ingest(text, Ingestion(run_id="r2"))
            assert same.exit_status == 0, (same.errors, same.invariant_violations)
            assert (same.nodes_added, same.edges_added) == ([], [])
        with kgraph.create(path=os.path.join(folder, "two")) as other:
            receipt = other.ingest(text, Ingestion(run_id="r1"))
            assert receipt.exit_status == 0, (receipt.errors, receipt.invariant_violations)
            again = shown(other)
            assert again == before


@SLOW
@given(payloads())
def test_a_line_of_the_log_is_one_line_of_ascii_whatever_it_holds(payload: dict[str, Any]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        kgraph.create(path=os.path.join(folder, "g")) as graph,
    ):
        assert graph.ingest(json.dumps(payload), Ingestion(run_id="r\u2028\n1", agent="a\u0085")).tx
        data = Path(folder, "g", "log.jsonl").read_bytes()
        assert data.isascii() and len(data.decode().splitlines()) == 2 and b"\r" not in data


@pytest.mark.parametrize(
    ("value", "accepted"),
    [
        ("1e400", False),
        ("-1e999", False),
        ("NaN", False),
        ("Infinity", False),
        ("1" * 5000, False),
        ("1" * 4000, True),
        ("1e308", True),
        ("5e-324", True),
        ("-0.0", True),
        ('"\\ud800"', False),
        ('"\\ud83d\\ude00"', True),
        ("[" * 70 + "]" * 70, False),
        ("[" * 20 + "]" * 20, True),
        ("[" * 100000 + "]" * 100000, False),
        ('"\\u0000"', True),
        ('{"a":1,"a":2}', False),
        ('{"\\udc00":1}', False),
        ("01", False),
        ("+1", False),
    ],
    ids=lambda one: str(one)[:24],
)
def test_a_value_is_kept_as_it_was_or_refused_with_a_code(
    tmp_path: Path, value: str, accepted: bool
) -> None:
    text = (
        '{"nodes": [{"type": "Entity", "name": "A", "description": "first letter", "attrs": {"value": '
        + value
        + '}}], "edges": []}'
    )
    with kgraph.create(path=str(tmp_path / "g")) as graph:
        receipt = graph.ingest(text, Ingestion(run_id="r1"))
        if not accepted:
            assert [problem.code for problem in receipt.errors] == ["E101"] and not receipt.tx
            assert graph.stats()["nodes"] == 0
            return
        assert receipt.tx, receipt.errors
        assert graph.show("A")["node"]["attrs"]["value"] == json.loads(value)
        graph.rebuild()
        assert graph.show("A")["node"]["attrs"]["value"] == json.loads(value)
        assert graph.validate().errors == []
        assert (
            graph.ingest(
                "".join(map(str, graph.export_chunks("json"))), Ingestion(run_id="r2")
            ).exit_status
            == 0
        )
