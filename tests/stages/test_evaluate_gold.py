"""Gold files and public benchmarks: what is read, what is refused and where."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kgraph.errors import UsageError
from kgraph.evaluate.gold import FORMATS, gold_schema, key_of, read_gold, template
from kgraph.evaluate.public import convert


@pytest.mark.parametrize("stage", FORMATS)
def test_the_template_of_a_stage_is_gold_of_that_stage(stage: str) -> None:
    items = read_gold(stage, [("template", template(stage).splitlines())])
    validator = Draft202012Validator(gold_schema(stage))
    assert [list(validator.iter_errors(item)) for item in items] == [[] for _ in items]
    assert len({key_of(item) for item in items}) == len(items)


def test_every_breach_is_told_at_its_file_and_line() -> None:
    lines = [
        '{"claim": "a", "decision": "approve"}',
        "",
        "nonsense",
        '{"claim": 3, "decision": "maybe", "surprise": 1}',
        '["claim"]',
    ]
    with pytest.raises(UsageError) as refused:
        read_gold("grounding", [("gold.jsonl", lines)])
    message = refused.value.message
    assert "gold.jsonl:3: not JSON" in message
    assert "gold.jsonl:4: 'surprise' is unknown" in message
    assert "gold.jsonl:4: 'claim' should be string" in message
    assert (
        "gold.jsonl:4: 'decision' should be one of approve, revise, reject, not 'maybe'" in message
    )
    assert "gold.jsonl:5: not an object" in message


def test_an_empty_gold_file_is_refused() -> None:
    with pytest.raises(UsageError, match="empty"):
        read_gold("grounding", [("gold.jsonl", ["", "  "])])


def _file(rows: Any) -> tuple[str, str]:
    return ("file.json", json.dumps(rows))


def test_hotpot_paragraphs_become_documents_and_the_supporting_ones_the_sources() -> None:
    row = {
        "_id": "q1", "question": "Where was the builder of the Heron born?", "answer": "Oslo",
        "supporting_facts": [["Heron", 0], ["Ida Moe", 0]],
        "context": [["Heron", ["The Heron was built by Ida Moe.", " It floats."]], ["Ida Moe", ["She was born in Oslo."]], ["Else", ["No."]]],
    }  # fmt: skip
    converted = convert("multihop", [_file([row])])
    assert [text.splitlines()[0] for _, text in converted.documents] == [
        "# Heron",
        "# Ida Moe",
        "# Else",
    ]
    assert converted.gold["retrieval"] == [
        {"id": "q1", "question": row["question"], "sources": ["corpus/00000.md", "corpus/00001.md"], "answers": ["Oslo"]}
    ]  # fmt: skip
    assert read_gold("retrieval", [("x", [json.dumps(one) for one in converted.gold["retrieval"]])])


def test_musique_questions_bring_their_own_paragraphs() -> None:
    row = {
        "id": "2hop", "question": "Who?", "answer": "Ida", "answerable": True,
        "paragraphs": [
            {"idx": 0, "title": "A", "paragraph_text": "Ida did.", "is_supporting": True},
            {"idx": 1, "title": "B", "paragraph_text": "Nobody.", "is_supporting": False},
        ],
    }  # fmt: skip
    converted = convert("multihop", [("m.jsonl", json.dumps(row))])
    assert converted.gold["retrieval"][0]["sources"] == ["corpus/00000.md"]
    assert len(converted.documents) == 2


def test_a_corpus_beside_questions_is_tied_by_text_where_titles_repeat() -> None:
    corpus = [{"title": "Adolescence", "text": "one"}, {"title": "Adolescence", "text": "two"}]
    question = {"id": "1", "question": "?", "gold_titles": ["Adolescence"], "gold_texts": ["two"]}
    converted = convert("multihop", [_file(corpus), _file([question])])
    assert converted.gold["retrieval"][0]["sources"] == ["corpus/00001.md"]


def test_mine_keeps_the_verdicts_that_were_recorded() -> None:
    essays = [{"id": 4, "topic": "Herons", "text": "```Herons fish.```", "facts": "['Herons fish.', 'They nest.']"}]  # fmt: skip
    graphs = [{"system": "Other", "essay_index": 4, "verdicts": [{"fact": "Herons fish.", "evaluation": 1}]}]  # fmt: skip
    converted = convert("mine", [_file(essays), _file(graphs)])
    assert converted.documents == (("corpus/essay-004.md", "# Herons\n\nHerons fish.\n"),)
    assert converted.gold["extraction"][0]["facts"] == [{"text": "Herons fish.", "recorded": {"Other": True}}, "They nest."]  # fmt: skip


def test_docred_entities_and_relations_lose_their_token_numbers() -> None:
    row = {
        "title": "Heron", "sents": [["Ida", "Moe", "built", "the", "Heron", "."]],
        "vertexSet": [[{"name": "Ida Moe", "type": "PER"}, {"name": "Moe", "type": "PER"}], [{"name": "Heron", "type": "MISC"}], [{"name": "1903", "type": "TIME"}]],
        "labels": [{"h": 0, "t": 1, "r": "P170"}],
    }  # fmt: skip
    (item,) = convert("docred", [_file([row])]).gold["extraction"]
    assert item["entities"] == [{"name": "Ida Moe", "aliases": ["Moe"]}, {"name": "Heron", "aliases": []}]  # fmt: skip
    assert item["relations"] == [{"subject": "Ida Moe", "object": "Heron"}]
    assert not item["complete"]


def test_two_tables_and_their_pairs_become_entities_of_their_own() -> None:
    left = ("left.csv", "id%title%year\n0%On Herons%1999\n1%On Eels%2001\n")
    right = ("right.csv", "id%title%year\n7%on herons%1999.0\n")
    pairs = ("pairs.csv", "L%R\n0%7\n")
    converted = convert("er", [left, right, pairs])
    entity = {item["node"]: item["entity"] for item in converted.gold["resolution"]}
    assert entity["record:0:0"] == entity["record:1:7"] != entity["record:0:1"]
    nodes = [payload["nodes"][0] for payload in converted.payloads]
    assert [node["name"] for node in nodes] == ["On Herons", "On Eels", "on herons"]
    assert len({node["qualifier"] for node in nodes}) == 3


def test_a_pair_of_records_that_are_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="names no record"):
        convert("er", [("t.csv", "id|name\n1|a\n"), ("p.csv", "1|2\n")])


def test_the_context_column_of_records_never_reaches_the_graph() -> None:
    table = ("r.csv", "record_id,mention,entity_type,context,entity_id\n0,IBM,org,tells it all,Q1\n1,I.B.M.,org,tells it all,Q1\n")  # fmt: skip
    converted = convert("er", [table])
    assert "tells it all" not in json.dumps(converted.payloads)
    assert {item["entity"] for item in converted.gold["resolution"]} == {"Q1"}


def test_a_conversation_becomes_sessions_and_questions_point_at_their_session() -> None:
    talk = {
        "sample_id": "conv-1",
        "conversation": {"session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "I moved."}], "session_1": [{"speaker": "Al", "dia_id": "D1:1", "text": "Hi."}]},
        "qa": [{"question": "Who moved?", "answer": "Bo", "evidence": ["D2:1"]}, {"question": "Why?", "evidence": []}],
    }  # fmt: skip
    converted = convert("locomo", [_file([talk])])
    assert [path for path, _ in converted.documents] == ["corpus/conv-1-session_1.md", "corpus/conv-1-session_2.md"]  # fmt: skip
    assert [item["sources"] for item in converted.gold["retrieval"]] == [
        ["corpus/conv-1-session_2.md"]
    ]


@pytest.mark.parametrize("form", ["multihop", "mine", "docred", "er", "locomo"])
def test_a_file_of_another_form_is_refused_with_what_was_wanted(form: str) -> None:
    with pytest.raises(UsageError) as refused:
        convert(form, [("odd.json", '[{"hello": 1}]')])
    assert "odd.json" in refused.value.message
