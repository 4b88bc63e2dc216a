"""Graphs that an MCP server is asked about, and a client that asks it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError

from kgraph.compose import Place
from kgraph.mcp import Wanted
from kgraph.mcp.server import make_server

PAGE = """# Harbour desk

The Harbour Session sells the tickets of the night ferry. The night ferry leaves from Pier Four.
"""
SELLS = "The Harbour Session sells the tickets of the night ferry"
LEAVES = "The night ferry leaves from Pier Four"
PAYLOAD: dict[str, Any] = {
    "nodes": [
        {"type": "Source", "name": "desk.md", "uri": "desk.md"},
        {
            "type": "Entity",
            "name": "Harbour Session",
            "description": "counter at which ferry tickets are sold",
        },
        {"type": "Entity", "name": "night ferry", "description": "ship that crosses after dark"},
        {
            "type": "Entity",
            "name": "Pier Four",
            "description": "berth of the ship that crosses after dark",
        },
        {"type": "Claim", "name": SELLS},
        {"type": "Claim", "name": LEAVES},
    ],
    "edges": [
        {
            "predicate": "SUPPORTS",
            "source": "desk.md",
            "target": SELLS,
            "quote": SELLS,
            "confidence": 0.95,
        },
        {
            "predicate": "SUPPORTS",
            "source": "desk.md",
            "target": LEAVES,
            "quote": LEAVES,
            "confidence": 0.95,
        },
        {"predicate": "MENTIONS", "source": SELLS, "target": "Harbour Session"},
        {"predicate": "MENTIONS", "source": SELLS, "target": "night ferry"},
        {"predicate": "MENTIONS", "source": LEAVES, "target": "night ferry"},
        {"predicate": "MENTIONS", "source": LEAVES, "target": "Pier Four"},
    ],
}


def harbour(working: Path) -> Path:
    """A working folder with the document and a graph ``harbour`` of it."""
    (working / "desk.md").write_text(PAGE, "utf-8")
    with Place("harbour", "", str(working)).create() as graph:
        assert graph.ingest(PAYLOAD).exit_status == 0
    return working


def crowd(working: Path, count: int) -> Path:
    """A graph ``crowd`` in which ``count`` ships call at one quay, each with a claim, a quote and a long description."""
    claims = [
        f"Ship number {number} calls at the Long Quay every {number} days"
        for number in range(count)
    ]
    (working / "ships.md").write_text(
        "# Ships\n\n" + "\n\n".join(f"{claim}." for claim in claims) + "\n", "utf-8"
    )
    nodes: list[dict[str, Any]] = [
        {"type": "Source", "name": "ships.md", "uri": "ships.md"},
        {"type": "Entity", "name": "Long Quay", "description": "where ships call"},
    ]
    edges: list[dict[str, Any]] = []
    for number, claim in enumerate(claims):
        ship = f"Ship number {number}"
        looks = f"vessel no. {number}, " + "grey hull, " * 20
        nodes += [
            {"type": "Claim", "name": claim},
            {"type": "Entity", "name": ship, "description": looks},
        ]
        edges += [
            {"predicate": "SUPPORTS", "source": "ships.md", "target": claim, "quote": claim, "confidence": 0.9},
            {"predicate": "MENTIONS", "source": claim, "target": ship}, {"predicate": "MENTIONS", "source": claim, "target": "Long Quay"},
        ]  # fmt: skip
    with Place("crowd", "", str(working)).create() as graph:
        assert graph.ingest({"nodes": nodes, "edges": edges}).exit_status == 0
    return working


@cache
def server_of(wanted: Wanted) -> Any:
    """Made once: a server keeps nothing of what it was asked."""
    return make_server(wanted)


def talk(target: Any, work: Callable[[Client], Awaitable[Any]]) -> Any:
    """What ``work`` makes of the SDK's own client; ``target`` is a Wanted, an address, or a transport."""

    async def connected() -> Any:
        async with Client(server_of(target) if isinstance(target, Wanted) else target) as client:
            try:
                return await work(client)
            except MCPError as error:  # raised in here it would come out wrapped in groups
                return error

    found = anyio.run(connected)
    if isinstance(found, MCPError):
        raise found
    return found


def ask(target: Any, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The result of each call, in turn."""

    async def work(client: Client) -> list[Any]:
        return [await client.call_tool(name, arguments) for name, arguments in calls]

    found: list[Any] = talk(target, work)
    return found


def answer(target: Any, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The structured content of a call that was carried out."""
    (result,) = ask(target, (name, arguments))
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found


def refusal(target: Any, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The first error of a call that was refused: code, message, hint. It stands in the text as well."""
    (result,) = ask(target, (name, arguments))
    assert result.is_error
    assert json.loads(result.content[0].text) == result.structured_content
    assert result.structured_content["ok"] is False
    found: dict[str, Any] = result.structured_content["errors"][0]
    return found


def pages(target: Any, name: str, arguments: dict[str, Any]) -> Sequence[Any]:
    """Every page of an answer, by its cursor."""

    async def work(client: Client) -> list[Any]:
        found = []
        cursor = ""
        while True:
            result = await client.call_tool(name, arguments | {"cursor": cursor})
            assert not result.is_error, result.content
            found.append(result)
            cursor = result.structured_content["cursor"]
            if not cursor:
                return found
            assert len(found) < 200, "the cursor leads nowhere"

    found: list[Any] = talk(target, work)
    return found
