"""``selftest``: whether this installation can do what it says, tried in a scratch folder that is gone afterwards."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kgraph.errors import KgraphError
from kgraph.index import storage
from kgraph.plurals import counted

if TYPE_CHECKING:
    from kgraph.graph import Graph

DOCUMENT = "# Outage\n\n## Cause\n\nThe Token Vault had run out of disk.\n"
PAYLOAD = {
    "nodes": [
        {"type": "Source", "name": "outage.md", "uri": "outage.md"},
        {"type": "Entity", "name": "Token Vault", "description": "the store that had run out of disk"},
        {"type": "Claim", "name": "The Token Vault had run out of disk"},
    ],
    "edges": [
        {"predicate": "SUPPORTS", "source": "outage.md", "target": "The Token Vault had run out of disk", "source_doc": "outage.md#cause",
         "quote": "The Token Vault had run out of disk.", "confidence": 0.95},
        {"predicate": "MENTIONS", "source": "The Token Vault had run out of disk", "target": "Token Vault"},
    ],
}  # fmt: skip
EXTRAS = {
    "documents": ("lxml", "pypdfium2", "charset_normalizer"), "code": ("tree_sitter",), "models": ("httpx",), "resolve": ("rapidfuzz",),
    "graph": ("rustworkx",), "embed": ("numpy", "wordllama"), "mcp": ("mcp",), "parquet": ("pyarrow",),
}  # fmt: skip


def selftest(create: Callable[[str], Graph]) -> list[dict[str, Any]]:
    """Each check as {check, ok, detail}; a missing extra is no failure. ``create`` makes a graph whose sources lie in a folder."""
    checks = [_versions(), _full_text()]
    with tempfile.TemporaryDirectory(prefix="kgraph-selftest-") as scratch:
        checks += _round_trip(scratch, create)
    return [*checks, _extras()]


def _versions() -> dict[str, Any]:
    python = ".".join(map(str, sys.version_info[:3]))
    return {
        "check": "versions",
        "ok": sys.version_info >= (3, 11),
        "detail": f"Python {python}, SQLite {storage.version()}",
    }


def _full_text() -> dict[str, Any]:
    missing = storage.full_text_missing()
    detail = f"this SQLite was built without FTS5 ({missing})" if missing else "FTS5"
    return {"check": "full-text search", "ok": not missing, "detail": detail}


def _round_trip(scratch: str, create: Callable[[str], Graph]) -> list[dict[str, Any]]:
    from kgraph.graph.answers import Ingestion
    from kgraph.retrieve.question import Question

    with open(os.path.join(scratch, "outage.md"), "w", encoding="utf-8") as handle:
        handle.write(DOCUMENT)
    checks = []
    try:
        with create(scratch) as graph:
            receipt = graph.ingest(json.dumps(PAYLOAD), Ingestion(run_id="selftest"))
            checks.append(
                {
                    "check": "write",
                    "ok": receipt.exit_status == 0 and bool(receipt.tx),
                    "detail": counted(len(receipt.nodes_added), "node"),
                }
            )
            checks.append(
                {
                    "check": "evidence",
                    "ok": receipt.evidence == {"verified": 1},
                    "detail": json.dumps(dict(receipt.evidence)),
                }
            )
            body = graph.query(Question("token vault")).body
            checks.append(
                {
                    "check": "query",
                    "ok": len(body["nodes"]) == 3,
                    "detail": counted(len(body["nodes"]), "node"),
                }
            )
            rebuilt = graph.rebuild()
            checks.append(
                {
                    "check": "rebuild",
                    "ok": rebuilt.exit_status == 0,
                    "detail": counted(rebuilt.stats["nodes"], "node"),
                }
            )
    except KgraphError as error:
        checks.append({"check": "round trip", "ok": False, "detail": error.message})
    return checks


def _extras() -> dict[str, Any]:
    from importlib.util import find_spec

    there = sorted(
        name for name, modules in EXTRAS.items() if all(find_spec(module) for module in modules)
    )
    absent = sorted(set(EXTRAS) - set(there))
    return {
        "check": "extras",
        "ok": True,
        "detail": f"installed: {', '.join(there) or 'none'}; not installed: {', '.join(absent) or 'none'}",
    }
