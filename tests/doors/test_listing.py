"""list and sql: counts and aggregates that a question can ask for, read-only."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.cli import main
from kgraph.errors import UsageError
from kgraph.index.tables import TABLES

SENTENCE = "The Hub was replaced in May"
PAYLOAD = {
    "nodes": [
        {"type": "Source", "name": "a.md", "uri": "a.md"},
        {"type": "Source", "name": "b.md", "uri": "b.md"},
        {"type": "Entity", "name": "Hub", "description": "switch in the cellar"},
        *({"type": "Entity", "name": f"Service {n}", "description": f"the service number {n}"} for n in (1, 2, 3)),
        {"type": "Claim", "name": SENTENCE, "kind": "decision", "event_time": "2025-05-02"},
        {"type": "Claim", "name": "Service 1 is loud"},
    ],
    "edges": [
        *({"predicate": "DEPENDS_ON", "source": f"Service {n}", "target": "Hub"} for n in (1, 2, 3)),
        {"predicate": "SUPPORTS", "source": "a.md", "target": SENTENCE, "quote": SENTENCE},
        {"predicate": "SUPPORTS", "source": "b.md", "target": SENTENCE, "quote": SENTENCE},
        {"predicate": "SUPPORTS", "source": "a.md", "target": "Service 1 is loud", "quote": "Service 1 is loud"},
        {"predicate": "MENTIONS", "source": SENTENCE, "target": "Hub"},
        {"predicate": "MENTIONS", "source": "Service 1 is loud", "target": "Service 1"},
    ],
}  # fmt: skip

Ask = Callable[..., Any]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any) -> Ask:
    monkeypatch.chdir(tmp_path)
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"{SENTENCE}. Service 1 is loud.\n")
    with kgraph.create(name="g") as graph:
        assert graph.ingest(PAYLOAD).exit_status == 0

    def asked(*arguments: str, status: int = 0) -> Any:
        capsysbinary.readouterr()
        assert main(["--name", "g", *arguments]) == status
        out = capsysbinary.readouterr().out.decode()
        return json.loads(out) if out.startswith("{") else out

    return asked


def test_how_many_services_depend_on_the_hub(ask: Ask) -> None:
    assert ask("list", "edges", "--predicate", "DEPENDS_ON", "--to", "Hub", "--count")["total"] == 3


def test_which_claims_have_no_second_source(ask: Ask) -> None:
    rows = ask("list", "claims", "--where", "sources<2")["claims"]
    assert [row["name"] for row in rows] == ["Service 1 is loud"]


def test_the_decisions_of_a_year(ask: Ask) -> None:
    answer = ask(
        "list", "claims", "--kind", "decision",
        "--where", "event_time>=2025", "--where", "event_time<2026",
    )  # fmt: skip
    assert [row["name"] for row in answer["claims"]] == [SENTENCE]


def test_a_group_counts_and_a_sort_orders(ask: Ask) -> None:
    counts = {row["type"]: row["count"] for row in ask("list", "nodes", "--group", "type")["nodes"]}
    assert counts == {"Entity": 4, "Claim": 2, "Source": 2}
    rows = ask("list", "nodes", "--type", "Entity", "--sort", "name", "--desc")["nodes"]
    assert [row["name"] for row in rows] == ["Service 3", "Service 2", "Service 1", "Hub"]


def test_csv_is_read_by_a_csv_reader_and_a_cut_is_said(ask: Ask) -> None:
    text = ask(
        "list", "edges", "--format", "csv", "--columns", "source,quote", "--where", "quote!="
    )
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["source", "quote"] and len(rows) == 4
    cut = ask("list", "nodes", "--limit", "2")
    assert (len(cut["nodes"]), cut["total"], cut["truncated"]) == (2, 8, True)


def test_what_was_merged_counts_as_one_and_what_was_withdrawn_not_at_all(ask: Ask) -> None:
    ask("resolve", "--canonical", "Service 1", "--alias", "Service 2", "--rationale", "the same unit by its serial number", "--force")  # fmt: skip
    assert ask("list", "nodes", "--type", "Entity", "--count")["total"] == 3
    sources = {row["source"] for row in ask("list", "edges", "--predicate", "DEPENDS_ON")["edges"]}
    assert sources == {"Service 1", "Service 3"}
    ask("retract", "--source", "b.md", "--reason", "a draft")
    assert ask("list", "claims", "--where", "sources<2", "--count")["total"] == 2


def test_a_wrong_column_or_condition_is_named_with_what_there_is(ask: Ask) -> None:
    error = ask("list", "nodes", "--where", "nmae=Hub", status=2)["errors"][0]
    assert "did you mean 'name'?" in error["message"] and "aliases" in error["hint"]
    assert (
        "COLUMN=VALUE" in ask("list", "nodes", "--where", "Hub", status=2)["errors"][0]["message"]
    )


def test_every_documented_column_can_be_selected(ask: Ask) -> None:
    for name, table in TABLES.items():
        answer = ask("sql", f"SELECT {', '.join(table.columns)} FROM {name}")
        assert answer["columns"] == list(table.columns)
        assert answer["rows"]
    assert {table["name"] for table in ask("sql", "--schema")["tables"]} == set(TABLES)


@pytest.mark.parametrize(
    "query",
    [
        "DROP TABLE node",
        "DELETE FROM nodes",
        "INSERT INTO node(id) VALUES ('x')",
        "ATTACH 'other.db' AS other",
        "PRAGMA user_version",
        "SELECT * FROM sqlite_master",
        "SELECT name FROM node",
        "SELECT 1; SELECT 2",
        "SELECT load_extension('x')",
        "VACUUM INTO 'copy.db'",
        "CREATE TEMP TABLE t(x)",
        "nonsense",
        "",
    ],
)
def test_sql_reads_the_documented_tables_and_does_nothing_else(ask: Ask, query: str) -> None:
    before = ask("sql", "SELECT COUNT(*) FROM nodes")["rows"]
    assert ask("sql", query, status=2)["errors"][0]["code"] == "E201"
    assert ask("sql", "SELECT COUNT(*) FROM nodes")["rows"] == before
    assert not Path("other.db").exists() and not Path("copy.db").exists()


def test_a_query_without_end_is_stopped(ask: Ask) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT COUNT(*) FROM c"
    error = ask("sql", endless, "--seconds", "0.2", status=2)["errors"][0]
    assert "longer than 0.2 seconds" in error["message"]


def test_from_python_the_graph_can_be_used_after_a_refusal(tmp_path: Path) -> None:
    with kgraph.create(str(tmp_path / "g")) as graph:
        with pytest.raises(UsageError):
            graph.sql("DROP TABLE node")
        graph.add_node({"type": "Entity", "name": "A", "description": "the first thing"})
        assert graph.sql("SELECT name FROM nodes").rows == [("A",)]
