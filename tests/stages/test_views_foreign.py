"""Graphs of others, in small samples of our own making in their shapes, come in as what the contract knows."""

from __future__ import annotations

import json
import os
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgraph.views.exchange import looks_like, read
from kgraph.views.exchange.foreign import graphrag, lightrag, memory_server
from kgraph.views.files import write
from kgraph.views.records import NotARecord

MEMORY = "\n".join(
    map(
        json.dumps,
        [
            {
                "type": "entity",
                "name": "Vendor X",
                "entityType": "company",
                "observations": ["supplies valves", "sits in Lisbon"],
            },
            {"type": "entity", "name": "Component Z", "entityType": "part", "observations": []},
            {
                "type": "relation",
                "from": "Vendor X",
                "to": "Component Z",
                "relationType": "supplied_by_contract",
            },
            {"type": "relation", "from": "Vendor X", "to": "Nobody", "relationType": "knows"},
            {"type": "note"},
        ],
    )
)


def by_type(payload: dict[str, list[dict[str, object]]], kind: str) -> list[str]:
    return [str(node["name"]) for node in payload["nodes"] if node["type"] == kind]


def test_the_memory_server_comes_in_as_entities_and_sourced_claims() -> None:
    found = memory_server(MEMORY.encode(), "memory.jsonl")
    assert by_type(found.payload, "Entity") == ["Vendor X", "Component Z", "Nobody"]
    assert by_type(found.payload, "Source") == ["memory.jsonl"]
    assert by_type(found.payload, "Claim") == [
        "Vendor X: supplies valves",
        "Vendor X: sits in Lisbon",
        "Vendor X supplied by contract Component Z",
        "Vendor X knows Nobody",
    ]
    ties = {(edge["predicate"], edge["source"], edge["target"]) for edge in found.payload["edges"]}
    assert ("SUPPORTS", "memory.jsonl", "Vendor X knows Nobody") in ties
    assert ("MENTIONS", "Vendor X knows Nobody", "Vendor X") in ties
    assert ("MENTIONS", "Vendor X knows Nobody", "Nobody") in ties
    assert len(found.notes) == 2


def test_a_memory_line_ends_at_a_line_feed_and_nowhere_else() -> None:
    """JavaScript writes the separators of lines and paragraphs as they are into a JSON text."""
    said = {
        "type": "entity",
        "name": "Vendor X",
        "entityType": "firm",
        "observations": ["sits in\u2028Lisbon\u0085now\u2029or then"],
    }
    found = memory_server((json.dumps(said, ensure_ascii=False) + "\r\n").encode(), "m.jsonl")
    assert by_type(found.payload, "Claim") == ["Vendor X: sits in Lisbon now or then"]


def test_a_broken_memory_line_is_refused_by_its_number() -> None:
    with pytest.raises(NotARecord, match="line 2"):
        memory_server(b'{"type":"entity","name":"a"}\n{"type":', "m.jsonl")


GRAPHRAG = {
    "documents": [{"id": "d1", "title": "report.txt"}],
    "text_units": [
        {
            "id": "u1",
            "human_readable_id": 0,
            "text": "Vendor X supplies valves.",
            "document_ids": ["d1"],
        }
    ],
    "entities": [
        {
            "id": "1",
            "title": "VENDOR X",
            "type": "ORGANIZATION",
            "description": "A supplier",
            "text_unit_ids": ["u1"],
        },
        {
            "id": "2",
            "title": "VALVE",
            "type": "PART",
            "description": "",
            "text_unit_ids": ["u1", "gone"],
        },
    ],
    "relationships": [
        {
            "id": "3",
            "source": "VENDOR X",
            "target": "VALVE",
            "description": "Vendor X supplies valves",
            "weight": 2.0,
            "text_unit_ids": ["u1"],
        }
    ],
}


def test_graphrag_comes_in_with_text_units_as_sources(tmp_path: object) -> None:
    found = graphrag(GRAPHRAG)
    assert by_type(found.payload, "Source") == ["report.txt [0]"]
    assert by_type(found.payload, "Claim") == ["Vendor X supplies valves"]
    ties = {(edge["predicate"], edge["source"], edge["target"]) for edge in found.payload["edges"]}
    assert {
        ("SUPPORTS", "report.txt [0]", "Vendor X supplies valves"),
        ("MENTIONS", "Vendor X supplies valves", "VALVE"),
        ("MENTIONS", "report.txt [0]", "VENDOR X"),
    } <= ties
    assert [note for note in found.notes if "gone" in note]
    import pyarrow
    import pyarrow.parquet

    for table, rows in GRAPHRAG.items():
        pyarrow.parquet.write_table(
            pyarrow.Table.from_pylist(rows), os.path.join(str(tmp_path), f"{table}.parquet")
        )
    assert looks_like(str(tmp_path)) == "graphrag"
    assert read(str(tmp_path)) == found


def test_lightrag_comes_in_with_chunks_as_sources(tmp_path: object) -> None:
    import networkx

    graph = networkx.Graph()
    graph.add_node(
        "Vendor X",
        entity_id="Vendor X",
        entity_type="organization",
        description="A supplier<SEP>A firm",
        source_id="chunk-1<SEP>chunk-2",
    )
    graph.add_node(
        "Valve", entity_id="Valve", entity_type="part", description="", source_id="chunk-1"
    )
    graph.add_edge(
        "Vendor X",
        "Valve",
        description="Vendor X supplies valves.",
        keywords="supply",
        weight=1.0,
        source_id="chunk-1",
    )
    chunks = {
        "chunk-1": {
            "content": "Vendor X supplies valves.",
            "chunk_order_index": 0,
            "full_doc_id": "doc-1",
            "file_path": "a.txt",
        }
    }
    raw = "\n".join(networkx.generate_graphml(graph)).encode()
    found = lightrag(raw, chunks)
    assert by_type(found.payload, "Source") == ["a.txt [0]"]
    assert by_type(found.payload, "Entity") == ["Vendor X", "Valve"]
    assert by_type(found.payload, "Claim") == ["Vendor X supplies valves."]
    assert [note for note in found.notes if "chunk-2" in note]
    write(os.path.join(str(tmp_path), "graph_chunk_entity_relation.graphml"), [raw])
    write(os.path.join(str(tmp_path), "kv_store_text_chunks.json"), [json.dumps(chunks)])
    assert looks_like(str(tmp_path)) == "lightrag"
    assert read(str(tmp_path)) == found


def test_a_relation_without_a_text_unit_is_an_inference() -> None:
    found = graphrag(
        {
            "entities": [{"title": "A"}, {"title": "B"}],
            "relationships": [{"source": "A", "target": "B"}],
        }
    )
    (claim,) = [node for node in found.payload["nodes"] if node["type"] == "Claim"]
    assert claim["name"] == "A is related to B"
    assert claim["inference"] is True


@given(st.lists(st.text(string.printable, max_size=20), max_size=4))
def test_any_observation_keeps_the_memory_importer_within_the_contract(
    observations: list[str],
) -> None:
    line = json.dumps(
        {"type": "entity", "name": "A", "entityType": "x", "observations": observations}
    )
    for node in memory_server(line.encode(), "m").payload["nodes"]:
        assert str(node["name"]).isprintable()
