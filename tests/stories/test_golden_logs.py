"""Logs as earlier versions wrote them open as they are, mean what they meant, and are continued."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
MEANS = {
    "v1.0.0.jsonl": {"nodes": 3, "edges": 2},
    "v2.0.0.jsonl": {"nodes": 6, "edges": 5},
}


def kgraph(folder: Path, *arguments: str) -> dict[str, Any]:
    command = [
        sys.executable,
        "-c",
        "import sys; from kgraph.cli import main; sys.exit(main())",
        "--path",
        "graph",
        "--json",
        *arguments,
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("*.jsonl")))
def test_a_log_of_an_earlier_version_is_whole_means_the_same_and_is_continued(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "graph").mkdir()
    before = (GOLDEN / name).read_bytes()
    (tmp_path / "graph" / "log.jsonl").write_bytes(before)
    stats = kgraph(tmp_path, "stats")["stats"]
    assert {key: stats[key] for key in MEANS[name]} == MEANS[name]
    assert kgraph(tmp_path, "rebuild")["errors"] == []
    assert kgraph(tmp_path, "show", "NT")["node"]["name"] == "Night Train"
    kgraph(tmp_path, "--run-id", "later", "add-node", "--type", "Entity", "--name", "Dining Car")
    assert kgraph(tmp_path, "stats")["stats"]["nodes"] == MEANS[name]["nodes"] + 1
    assert (tmp_path / "graph" / "log.jsonl").read_bytes().startswith(before)


def test_a_golden_log_of_the_present_form_holds_every_kind_of_event_that_commands_write() -> None:
    lines = [json.loads(line) for line in (GOLDEN / "v2.0.0.jsonl").read_text("ascii").splitlines()]
    assert {event["kind"] for line in lines for event in line["events"]} >= {
        "node",
        "edge",
        "withdraw",
        "evidence",
        "meta",
    }


def test_a_log_of_the_first_layout_is_imported_with_what_it_took_back_and_what_followed(
    tmp_path: Path,
) -> None:
    (tmp_path / "old").mkdir()
    retracted = {"event": "retract_edge", "ts": "2025-03-02T10:00:02+00:00", "edge_id": "edge-2"}
    again = {
        "event": "upsert_node",
        "ts": "2025-03-02T10:00:03+00:00",
        "node": {"id": "entity-late", "type": "Entity", "name": "Late"},
    }
    lines = (GOLDEN / "v1.0.0.jsonl").read_bytes() + b"".join(
        json.dumps(one).encode() + b"\n" for one in (retracted, again)
    )
    (tmp_path / "old" / "log.jsonl").write_bytes(lines)
    kgraph(tmp_path, "--path", "old", "retract", "--node", "Late", "--reason", "never came")
    assert kgraph(tmp_path, "--path", "old", "stats")["stats"]["nodes"] == 3
    kgraph(tmp_path, "init")
    assert kgraph(tmp_path, "import", "old")["transactions"] == 3
    stats = kgraph(tmp_path, "stats")["stats"]
    assert (stats["nodes"], stats["edges"]) == (3, 1)
    assert kgraph(tmp_path, "import", "old")["transactions"] == 0
    assert kgraph(tmp_path, "rebuild")["errors"] == []
