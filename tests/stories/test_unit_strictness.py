"""Handing over by unit is as strict as handing over without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kgraph
from kgraph.cli import main

TEXT = "# One\n\nThe pump failed. Dana fixed it.\n\n# Two\n\nThe pump failed. Omar fixed it.\n"
WORDS = " ".join(["Nothing else happened on that long and quiet day at the plant."] * 40)


def payload(**edge: Any) -> str:
    nodes = [
        {"type": "Source", "name": "a.md", "uri": "a.md"},
        {"type": "Entity", "name": "pump", "description": "a pump of the plant"},
        {"type": "Claim", "name": "The pump failed"},
    ]
    tie = {
        "predicate": "SUPPORTS",
        "source": "a.md",
        "target": "The pump failed",
        "quote": "The pump failed.",
        "confidence": 0.9,
    }
    mention = {"predicate": "MENTIONS", "source": "The pump failed", "target": "pump"}
    return json.dumps({"nodes": nodes, "edges": [tie | edge, mention]})


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(TEXT.replace("fixed it.", f"fixed it. {WORDS}"), "utf-8")
    kgraph.create(path=str(tmp_path / "g"), source_root=str(tmp_path)).close()
    return ["--path", str(tmp_path / "g"), "--json"]


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(arguments)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_an_ambiguous_quote_stays_ambiguous(
    place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    unit = told([*place, "units", "a.md"], capsys)["units"][0]["unit"]
    with_unit = told([*place, "ingest", "--unit", unit, payload()], capsys)
    assert with_unit["evidence"] == {"ambiguous": 1}
    assert told([*place, "ingest", payload(), "--dry-run"], capsys)["evidence"] == {"ambiguous": 1}


def test_a_reversed_tie_is_refused_and_everything_else_is_said_with_it(
    place: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    unit = told([*place, "units", "a.md"], capsys)["units"][0]["unit"]
    turned = payload(source="The pump failed", target="a.md", confidence=0.9)
    for arguments in (["--unit", unit], []):
        found = told([*place, "ingest", *arguments, turned], capsys)
        assert [problem["code"] for problem in found["errors"]] == ["E104"]
