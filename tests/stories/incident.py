"""A small world for the engine's stories: two documents about one outage, and what a reader would take from each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
REPORT = "# Outage\n\n## Cause\n\nThe Token Vault had run out of disk.\n\n## Effect\n\nCheckout could not reach the Token Vault.\n"
CHAT = "# Chat\n\nana: the Token Vault is full again\n"


def payload(
    source: str = "report.md", claim: str = "The Token Vault had run out of disk", **entity: Any
) -> dict[str, Any]:
    """One Source, one Claim with its quote, one Entity that the Claim mentions."""
    return {
        "nodes": [
            {"type": "Source", "name": source, "uri": source},
            {
                "type": "Entity",
                "name": "Token Vault",
                "description": "the store of tokens",
                **entity,
            },
            {"type": "Claim", "name": claim},
        ],
        "edges": [
            {
                "predicate": "SUPPORTS",
                "source": source,
                "target": claim,
                "source_doc": source,
                "confidence": 0.9,
                "quote": f"{claim}.",
            },
            {"predicate": "MENTIONS", "source": claim, "target": "Token Vault"},
        ],
    }


def documents(folder: Path) -> None:
    (folder / "report.md").write_text(REPORT, encoding="utf-8")
    (folder / "chat.md").write_text(CHAT, encoding="utf-8")


def lines_of(graph: Path) -> list[bytes]:
    return (graph / "log.jsonl").read_bytes().splitlines(keepends=True)


def kgraph(
    folder: Path, *arguments: str, stdin: bytes = b"", **environ: str
) -> subprocess.CompletedProcess[bytes]:
    """One command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kgraph", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environ},
    )


def answer(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """Its answer; a test fails here when there isn't exactly one object."""
    value = json.loads(done.stdout)
    assert isinstance(value, dict), done
    assert next(iter(value)) == "ok", done
    assert value["ok"] == (done.returncode == 0), done
    return value
