"""The MCP server, asked by the official SDK's client in one process with it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.shared.exceptions import MCPError

from doors.mcp_worlds import (
    LEAVES,
    PAYLOAD,
    SELLS,
    answer,
    ask,
    crowd,
    harbour,
    pages,
    refusal,
    talk,
)
from kgraph.compose import Place
from kgraph.mcp import Wanted
from kgraph.ontology import NODE_TYPES, PREDICATES
from kgraph.retrieve.printing import count_tokens

READING = ["query", "path", "code", "ground", "show", "stats", "list_graphs", "validate"]
WRITING = ["ingest", "resolve", "retract"]


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Wanted:
    """A server that only reads, on a graph that no test changes."""
    return Wanted("harbour", working=str(harbour(tmp_path_factory.mktemp("reading"))))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Wanted:
    return Wanted("crowd", working=str(crowd(tmp_path_factory.mktemp("crowded"), 60)))


@pytest.fixture
def writing(tmp_path: Path) -> Wanted:
    return Wanted("harbour", working=str(harbour(tmp_path)), allow_write=True)


def tools_of(wanted: Wanted) -> list[Any]:
    async def work(client: Client) -> Any:
        return await client.list_tools()

    listed: list[Any] = talk(wanted, work).tools
    return listed


# -- what is offered --------------------------------------------------------------------------------------------------------------------


def test_a_server_lists_no_tool_that_writes_unless_it_was_allowed_to(reading: Wanted) -> None:
    assert [tool.name for tool in tools_of(reading)] == READING
    assert [tool.name for tool in tools_of(reading._replace(allow_write=True))] == READING + WRITING


@pytest.mark.parametrize("name", WRITING)
def test_a_tool_that_writes_is_not_only_hidden_but_not_there(name: str, reading: Wanted) -> None:
    error = refusal(reading, name, {"payload": PAYLOAD, "reason": "x", "auto": True})
    assert error["code"] == "E201" and "--allow-write" in error["hint"]


def test_every_tool_says_what_it_takes_what_it_answers_and_whether_it_writes(
    reading: Wanted,
) -> None:
    for tool in tools_of(reading._replace(allow_write=True)):
        marks = tool.annotations
        assert (marks.read_only_hint, marks.destructive_hint) == (
            tool.name in READING,
            tool.name == "retract",
        ), tool.name
        assert (marks.idempotent_hint, marks.open_world_hint) == (True, False)
        assert tool.title and len(tool.description) > 15
        assert tool.input_schema["additionalProperties"] is False
        for field, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), f"{tool.name}.{field} has no description"
        assert tool.output_schema["type"] == "object" and "ok" in tool.output_schema["required"]


def test_types_and_predicates_are_the_ontologys(reading: Wanted) -> None:
    query = tools_of(reading)[0].input_schema["properties"]
    assert query["types"]["items"]["enum"] == list(NODE_TYPES)
    assert query["edge_types"]["items"]["enum"] == list(PREDICATES)


# -- reading ----------------------------------------------------------------------------------------------------------------------------

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("query", {"text": "night ferry", "format": "json"}), ("query", {"text": "night ferry"}), ("query", {"text": "nothing of the kind"}),
    ("path", {"start": "Harbour Session", "end": "Pier Four"}), ("path", {"start": "Harbour Session", "end": "Pier Four", "max_depth": 1}),
    ("path", {"start": "Harbour Session", "end": "Harbour Session"}), ("ground", {"claim": SELLS}), ("ground", {"claim": "Pier Four is on fire"}),
    ("ground", {"subject": "Harbour Session", "predicate_words": "sells", "object": "night ferry"}), ("show", {"ref": "Harbour Session"}),
    ("show", {"ref": f"Claim:{SELLS}", "history": True}), ("stats", {}), ("list_graphs", {}), ("validate", {}),
    ("validate", {"payload": PAYLOAD}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), ASKED)
def test_an_answer_keeps_to_its_schema_and_its_text_says_the_same(
    name: str, arguments: dict[str, Any], reading: Wanted
) -> None:
    schema = next(tool.output_schema for tool in tools_of(reading) if tool.name == name)
    (result,) = ask(reading, (name, arguments))
    assert not result.is_error, result.content
    Draft202012Validator(schema).validate(result.structured_content)
    text = result.content[0].text
    assert (
        text == result.structured_content["text"]
        if name == "query" and not arguments.get("format")
        else json.loads(text) == result.structured_content
    )


def test_a_hint_names_a_tool_and_no_command(reading: Wanted) -> None:
    hint = refusal(reading, "show", {"ref": "nobody of that name"})["hint"]
    assert hint.startswith("tool query ") and "kgraph" not in hint


def test_the_list_of_tools_costs_an_agent_no_more_than_two_thousand_tokens(reading: Wanted) -> None:
    encoding = pytest.importorskip("bpe_openai").get_encoding("o200k_base")
    shown = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
        for tool in tools_of(reading)
    ]
    assert len(encoding.encode(json.dumps(shown, separators=(",", ":")))) <= 2000


def test_query_finds_with_quote_and_place(reading: Wanted) -> None:
    found = answer(reading, "query", {"text": "Harbour Session", "format": "json"})
    cited = [edge for edge in found["edges"] if edge.get("quote") == SELLS]
    assert (found["graph"], cited[0]["source_doc"], cited[0]["status"]) == (
        "harbour",
        "desk.md#harbour-desk",
        "verified",
    )


def test_query_as_context_is_text_for_a_prompt(reading: Wanted) -> None:
    (result,) = ask(reading, ("query", {"text": "Harbour Session"}))
    head, _, rest = result.content[0].text.partition("\n")
    assert head.startswith("<data ") and rest.startswith("## Entities\n- Harbour Session [Entity]")
    assert result.structured_content["text"] == result.content[0].text


def test_path_gives_the_way_and_who_says_so(reading: Wanted) -> None:
    found = answer(reading, "path", {"start": "Harbour Session", "end": "Pier Four"})
    assert (found["found"], found["hops"], len(found["route"])) == (True, 4, 4)
    assert {citation["quote"] for citation in found["citations"]} == {SELLS, LEAVES}


def test_ground_approves_what_is_written_and_nothing_else(reading: Wanted) -> None:
    said = answer(reading, "ground", {"claim": SELLS})
    assert (said["decision"], said["support"][0]["quote"]) == ("approve", SELLS)
    assert answer(reading, "ground", {"claim": "Pier Four is on fire"})["decision"] != "approve"


def test_show_tells_all_that_is_said_of_a_node(reading: Wanted) -> None:
    found = answer(reading, "show", {"ref": "Pier Four"})
    assert found["node"]["description"] == "berth of the ship that crosses after dark"
    assert [edge["predicate"] for edge in found["edges"]] == ["MENTIONS"]


def test_stats_counts(reading: Wanted) -> None:
    assert answer(reading, "stats", {})["stats"]["by_node_type"] == {
        "Claim": 2,
        "Entity": 3,
        "Source": 1,
    }


def test_validate_judges_a_payload_and_writes_nothing(reading: Wanted) -> None:
    lonely = {"nodes": [{"type": "Claim", "name": "The moon is made of rope"}], "edges": []}
    before = answer(reading, "stats", {})
    found = answer(reading, "validate", {"payload": lonely})
    assert found["ok"] is False and found["invariant_violations"][0]["hint"]
    assert answer(reading, "stats", {}) == before


# -- graphs -----------------------------------------------------------------------------------------------------------------------------


def test_a_server_opens_the_other_graphs_under_its_root_by_name(tmp_path: Path) -> None:
    working = str(crowd(harbour(tmp_path), 2))
    wanted = Wanted("harbour", working=working)
    assert [row["name"] for row in answer(wanted, "list_graphs", {})["graphs"]] == [
        "crowd",
        "harbour",
    ]
    assert answer(wanted, "stats", {"graph": "crowd"})["graph"] == "crowd"
    assert answer(wanted, "stats", {})["graph"] == "harbour"


def test_a_server_of_a_path_lists_the_graph_there(tmp_path: Path) -> None:
    harbour(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    wanted = Wanted("", str(tmp_path / ".karpathy-graphs" / "harbour"), str(elsewhere))
    assert [row["name"] for row in answer(wanted, "list_graphs", {})["graphs"]] == ["harbour"]
    assert answer(wanted, "show", {"ref": "Pier Four"})["node"]["name"] == "Pier Four"


@pytest.mark.parametrize("name", ["../harbour", "/etc", "..", "harbour/../../x"])
def test_a_name_leads_to_no_folder_outside_the_root(name: str, writing: Wanted) -> None:
    before = sorted(path for path in Path(writing.working).parent.iterdir())
    (result,) = ask(writing, ("ingest", {"payload": PAYLOAD, "graph": name}))
    root = Path(writing.working) / ".karpathy-graphs"
    assert (
        result.is_error
        or Path(result.structured_content["path"]).resolve().parent == root.resolve()
    )
    assert sorted(path for path in Path(writing.working).parent.iterdir()) == before


# -- refusals ---------------------------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("show", {"ref": "Pier Five"}, "E204", "Pier Five"), ("stats", {"graph": "nowhere"}, "E203", "kgraph init"),
    ("query", {"text": "ferry", "max_token": 500}, "E201", "max_tokens"), ("query", {"text": "ferry", "hops": 99}, "E201", "hops"),
    ("query", {}, "E201", "text"), ("query", {"text": "ferry", "types": ["Ship"]}, "E201", "types"),
    ("query", {"text": "ferry", "cursor": "00000000.1.1"}, "E201", "cursor"),
    ("show", {"ref": "Pier Four", "cursor": "zz.1"}, "E201", "cursor"),
    ("ground", {}, "E201", "claim"), ("validate", {"payload": PAYLOAD, "has": "ab"}, "E201", "one of them"),
    ("query", {"text": "ferry", "as_of": "2026-99-99"}, "E201", "2026-03-11"), ("sing", {}, "E201", "query"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "code", "word"), REFUSED)
def test_a_refusal_says_what_and_what_next(
    name: str, arguments: dict[str, Any], code: str, word: str, reading: Wanted
) -> None:
    error = refusal(reading, name, arguments)
    assert error["code"] == code
    assert word in error["message"] + error["hint"] and error["hint"]
    assert "Traceback" not in json.dumps(error) and "pydantic" not in json.dumps(error)


def test_an_ambiguous_name_is_refused_with_its_candidates(tmp_path: Path) -> None:
    with Place("twins", "", str(tmp_path)).create() as graph:
        twins = [
            {
                "type": "Entity",
                "name": "Mercury",
                "description": f"thing no. {n}",
                "qualifier": str(n),
            }
            for n in range(2)
        ]
        assert graph.ingest({"nodes": twins, "edges": []}).exit_status == 0
    error = refusal(Wanted("twins", working=str(tmp_path)), "show", {"ref": "Mercury"})
    assert (error["code"], {one["description"] for one in error["candidates"]}) == (
        "E205",
        {"thing no. 0", "thing no. 1"},
    )


def test_a_fault_of_ours_shows_its_kind_and_no_more(
    reading: Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(graph: object, as_of: str = "") -> None:
        raise ZeroDivisionError("the secret of the house")

    monkeypatch.setattr("kgraph.graph.Graph.stats", broken)
    error = refusal(reading, "stats", {})
    assert (
        error["code"] == "E299"
        and "ZeroDivisionError" in error["message"]
        and "secret" not in json.dumps(error)
    )


# -- bounds -----------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("max_tokens", [600, 2000])
def test_reading_everything_of_sixty_entities_keeps_to_the_budget_page_by_page_and_misses_nothing(
    max_tokens: int, crowded: Wanted
) -> None:
    read = pages(
        crowded,
        "query",
        {
            "text": "",
            "types": ["Entity"],
            "hops": 1,
            "max_nodes": 500,
            "max_tokens": max_tokens,
            "format": "json",
        },
    )
    assert max(count_tokens(page.content[0].text) for page in read) <= max_tokens
    names = Counter(
        node["name"]
        for page in read
        for node in page.structured_content["nodes"]
        if node["type"] == "Entity"
    )
    assert names == Counter(["Long Quay", *(f"Ship number {number}" for number in range(60))])
    assert len(read) > 1 and all(page.structured_content["truncated"] for page in read[:-1])


def test_the_default_budget_holds_without_being_asked_for(crowded: Wanted) -> None:
    (result,) = ask(crowded, ("query", {"text": "Long Quay ships", "max_nodes": 60}))
    assert count_tokens(result.content[0].text) <= 2000
    assert result.structured_content["truncated"] and result.structured_content["cursor"]


def test_a_node_with_many_edges_is_shown_in_pages_that_add_up(crowded: Wanted) -> None:
    read = pages(crowded, "show", {"ref": "Long Quay", "max_tokens": 700})
    assert max(count_tokens(page.content[0].text) for page in read) <= 700
    shown = [edge["id"] for page in read for edge in page.structured_content["edges"]]
    assert len(shown) == len(set(shown)) == 60
    assert read[0].structured_content["left_out"]["edges"] == 60 - len(
        read[0].structured_content["edges"]
    )


def test_a_node_that_fits_no_page_is_refused_rather_than_paged_for_ever(tmp_path: Path) -> None:
    with Place("long", "", str(tmp_path)).create() as graph:
        node = {"type": "Entity", "name": "Long Quay " * 90, "description": "where ships call"}
        assert graph.ingest({"nodes": [node], "edges": []}).exit_status == 0
    wanted = Wanted("long", working=str(tmp_path))
    assert (
        "max_tokens"
        in refusal(wanted, "query", {"text": "Long Quay", "max_tokens": 300, "format": "json"})[
            "hint"
        ]
    )
    assert (
        answer(wanted, "query", {"text": "Long Quay", "max_tokens": 2000, "format": "json"})[
            "nodes"
        ][0]["description"]
        == "where ships call"
    )


def test_a_cursor_of_another_question_or_an_older_graph_is_refused(writing: Wanted) -> None:
    first = answer(writing, "show", {"ref": "night ferry", "max_tokens": 420})
    assert first["cursor"]
    assert (
        refusal(
            writing, "show", {"ref": "Pier Four", "max_tokens": 420, "cursor": first["cursor"]}
        )["code"]
        == "E201"
    )
    answer(
        writing,
        "ingest",
        {
            "payload": {
                "nodes": [{"type": "Entity", "name": "Buoy", "description": "it floats"}],
                "edges": [],
            }
        },
    )
    assert (
        "changed since"
        in refusal(
            writing, "show", {"ref": "night ferry", "max_tokens": 420, "cursor": first["cursor"]}
        )["message"]
    )


# -- writing ----------------------------------------------------------------------------------------------------------------------------


def test_ingest_writes_once_and_gives_a_receipt(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(f"# Harbour desk\n\n{SELLS}. {LEAVES}.\n", "utf-8")
    wanted = Wanted("fresh", working=str(tmp_path), allow_write=True)
    first = answer(wanted, "ingest", {"payload": PAYLOAD, "run_id": "r1"})
    assert (first["created"], first["unchanged"], first["run_id"], first["evidence"]) == (
        True,
        False,
        "r1",
        {"verified": 2},
    )
    assert (len(first["nodes_added"]), len(first["edges_added"])) == (6, 6)
    again = answer(wanted, "ingest", {"payload": PAYLOAD, "run_id": "r1"})
    assert (again["unchanged"], again["tx"]) == (True, first["tx"])
    assert answer(wanted, "validate", {"has": first["tx"]})["ok"] is True


def test_a_refused_payload_is_an_error_with_code_and_hint_and_writes_nothing(
    writing: Wanted,
) -> None:
    before = answer(writing, "stats", {})
    (result,) = ask(
        writing,
        (
            "ingest",
            {
                "payload": {
                    "nodes": [{"type": "Claim", "name": "The moon is made of rope"}],
                    "edges": [],
                }
            },
        ),
    )
    assert result.is_error
    found = result.structured_content["invariant_violations"][0]
    assert (found["code"][0], found["message"] != "", found["hint"] != "") == ("I", True, True)
    assert (
        result.structured_content["ok"],
        result.structured_content["tx"],
        result.structured_content["nodes_added"],
    ) == (False, "", [])
    assert answer(writing, "stats", {}) == before


def test_a_payload_for_a_unit_is_held_against_the_unit_and_the_unit_is_done(
    writing: Wanted,
) -> None:
    done = answer(writing, "ingest", {"payload": PAYLOAD, "unit": "desk.md", "run_id": "by-unit"})
    assert [(row["unit"], row["outcome"], row["nodes"]) for row in done["units"]] == [
        ("desk.md", "done", 6)
    ]
    assert (done["run_id"], done["errors"], done["repairs"]) == ("by-unit", [], [])
    assert "by-unit" in {
        row["run_id"]
        for row in answer(writing, "show", {"ref": "Pier Four", "history": True})["history"]
    }


def test_a_payload_for_a_unit_is_tried_with_the_same_answer_and_nothing_is_written(
    writing: Wanted,
) -> None:
    astray = {"predicate": "MENTIONS", "source": PAYLOAD["nodes"][0]["name"], "target": "Nobody"}
    wanted = {
        "payload": {**PAYLOAD, "edges": [*PAYLOAD["edges"], astray]},
        "unit": "desk.md",
        "run_id": "tried",
    }
    before = answer(writing, "stats", {})
    tried = answer(writing, "ingest", {**wanted, "dry_run": True})
    assert answer(writing, "stats", {}) == before and tried["tx"] == ""
    done = answer(writing, "ingest", wanted)
    assert [loss["item"]["target"] for loss in done["dropped"]] == ["Nobody"]
    assert {**tried, "tx": done["tx"]} == done


def test_a_payload_for_a_unit_that_does_not_say_it_is_refused_with_what_is_wrong(
    writing: Wanted,
) -> None:
    invented = {"type": "Claim", "name": "The night ferry sinks"}
    support = {
        "predicate": "SUPPORTS",
        "source": "desk.md",
        "target": invented["name"],
        "quote": invented["name"],
        "confidence": 0.9,
    }
    payload = {"nodes": [PAYLOAD["nodes"][0], invented], "edges": [support]}
    (result,) = ask(writing, ("ingest", {"payload": payload, "unit": "desk.md"}))
    said = result.structured_content
    assert result.is_error and said["units"][0]["outcome"] != "done"
    assert [problem["code"] for problem in [*said["errors"], *said["warnings"]]] != []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"unit": "no-such.md"}, "E204"),
        ({"unit": "../../etc/passwd"}, "E204"),
        ({"unit": "desk.md", "repair": True}, "E201"),
    ],
)
def test_a_unit_that_cannot_be_meant_is_refused(
    arguments: dict[str, Any], code: str, writing: Wanted
) -> None:
    assert refusal(writing, "ingest", {"payload": PAYLOAD, **arguments})["code"] == code


def test_a_dry_run_writes_nothing_and_makes_no_graph(tmp_path: Path) -> None:
    (tmp_path / "desk.md").write_text(f"{SELLS}. {LEAVES}.\n", "utf-8")
    wanted = Wanted("dry", working=str(tmp_path), allow_write=True)
    assert answer(wanted, "ingest", {"payload": PAYLOAD, "dry_run": True})["tx"] == ""
    assert not (tmp_path / ".karpathy-graphs").exists()


def test_a_long_receipt_is_cut_and_counted_and_has_no_cursor(tmp_path: Path) -> None:
    nodes = [
        {"type": "Entity", "name": f"Buoy {number}", "description": f"buoy no. {number}"}
        for number in range(300)
    ]
    wanted = Wanted("buoys", working=str(tmp_path), allow_write=True)
    (result,) = ask(
        wanted, ("ingest", {"payload": {"nodes": nodes, "edges": []}, "max_tokens": 2000})
    )
    said = result.structured_content
    assert (
        count_tokens(result.content[0].text) <= 2000 and said["truncated"] and "cursor" not in said
    )
    assert len(said["nodes_added"]) + said["left_out"]["nodes_added"] == 300


def test_resolve_merges_with_a_reason_and_retract_takes_a_run_back(writing: Wanted) -> None:
    payload = {
        "nodes": [
            {
                "type": "Entity",
                "name": "Pier 4",
                "description": "berth that is also written Pier Four",
            }
        ],
        "edges": [],
    }
    answer(writing, "ingest", {"payload": payload, "run_id": "by-hand"})
    merge = {
        "canonical": "Pier Four",
        "aliases": ["Pier 4"],
        "rationale": "the description of Pier 4 says it is also written Pier Four",
    }
    merged = answer(writing, "resolve", merge | {"force": True})
    assert merged["tx"] and len(merged["merged"]) == 1
    assert "Pier 4" in answer(writing, "show", {"ref": "Pier Four"})["node"]["aliases"]
    done = answer(writing, "retract", {"run": "by-hand", "reason": "a test", "cascade": True})
    assert done["tx"] and done["withdrawn"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("retract", {"reason": "x"}), ("retract", {"reason": "x", "run": "a", "tx": "b"}), ("resolve", {}),
     ("resolve", {"canonical": "Pier Four"}),
     ("resolve", {"canonical": "Pier Four", "aliases": ["night ferry"], "auto": True})],
)  # fmt: skip
def test_a_write_that_does_not_say_what_it_means_is_refused(
    name: str, arguments: dict[str, Any], writing: Wanted
) -> None:
    assert refusal(writing, name, arguments)["code"] == "E201"


# -- resources and the prompt -----------------------------------------------------------------------------------------------------------


def read(wanted: Wanted, uri: str) -> str:
    async def work(client: Client) -> Any:
        return await client.read_resource(uri)

    text: str = talk(wanted, work).contents[0].text
    return text


def prompt_of(wanted: Wanted, arguments: dict[str, str]) -> str:
    async def work(client: Client) -> Any:
        return await client.get_prompt("extract_unit", arguments)

    text: str = talk(wanted, work).messages[0].content.text
    return text


def test_the_resources_are_the_ontology_the_schema_the_prompt_and_the_report(
    reading: Wanted,
) -> None:
    async def work(client: Client) -> Any:
        return (
            await client.list_resources(),
            await client.list_resource_templates(),
            await client.list_prompts(),
        )

    resources, templates, prompts = talk(reading, work)
    assert [str(one.uri) for one in resources.resources] == [
        f"kgraph://{name}" for name in ("ontology", "schema", "prompt", "report")
    ]
    assert [one.uri_template for one in templates.resource_templates] == ["kgraph://report/{graph}"]
    assert [
        (one.name, [argument.name for argument in one.arguments]) for one in prompts.prompts
    ] == [("extract_unit", ["unit", "graph"])]
    assert [
        row["name"] for row in json.loads(read(reading, "kgraph://ontology"))["node_types"]
    ] == list(NODE_TYPES)
    Draft202012Validator(json.loads(read(reading, "kgraph://schema"))).validate(PAYLOAD)
    assert "verbatim" in read(reading, "kgraph://prompt")


def test_the_report_is_of_the_graph_as_it_is_and_is_written_nowhere(reading: Wanted) -> None:
    assert "# harbour" in read(reading, "kgraph://report") and "# harbour" in read(
        reading, "kgraph://report/harbour"
    )
    assert not (Path(reading.working) / ".karpathy-graphs" / "harbour" / "REPORT.md").exists()


def test_the_prompt_holds_the_rules_and_the_unit_fenced(reading: Wanted) -> None:
    text = prompt_of(reading, {"unit": "desk.md"})
    assert SELLS in text and "verbatim" in text and 'uri: "desk.md"' in text


@pytest.mark.parametrize("unit", ["/etc/hostname", "../outside.md", "nothing.md"])
def test_the_prompt_reads_nothing_outside_the_source_root(unit: str, reading: Wanted) -> None:
    (Path(reading.working).parent / "outside.md").write_text(
        "# Out\n\nA secret of the neighbours.\n", "utf-8"
    )
    with pytest.raises(MCPError) as refused:
        prompt_of(reading, {"unit": unit})
    assert refused.value.error.data["code"] == "E204" and refused.value.error.data["hint"]


def test_a_report_of_no_graph_is_refused_with_a_hint(reading: Wanted) -> None:
    with pytest.raises(MCPError) as refused:
        read(reading, "kgraph://report/nowhere")
    assert (
        refused.value.error.data["code"],
        "kgraph init" in refused.value.error.data["hint"],
    ) == ("E203", True)
