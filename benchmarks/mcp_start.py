"""How soon an MCP server answers: from the start of the process to the answer of a first `query`, over stdio. Run by hand:

    python benchmarks/mcp_start.py [REPEATS]

Beside it stand a bare interpreter and one that only imports the SDK's server, which no server can undercut. The least of the repeats is
shown, in wall seconds: what another load on the machine adds is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time

SDK = "import mcp.server.mcpserver, mcp.types"
OPENING = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "query", "arguments": {"text": "Pier Four"}},
}
PAYLOAD = {
    "nodes": [
        {"type": "Entity", "name": "Pier Four", "description": "berth of the night ferry"},
        {"type": "Entity", "name": "Pier Five"},
    ],
    "edges": [{"predicate": "DEPENDS_ON", "source": "Pier Five", "target": "Pier Four"}],
}


def main(repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        kgraph = [sys.executable, "-m", "kgraph", "--name", "piers"]
        subprocess.run(
            [*kgraph, "ingest", json.dumps(PAYLOAD)], cwd=folder, check=True, capture_output=True
        )
        bare = min(ran([sys.executable, "-c", "pass"], folder) for _ in range(repeats))
        sdk = min(ran([sys.executable, "-c", SDK], folder) for _ in range(repeats))
        listed, answered = (
            min(times)
            for times in zip(
                *(first_answers([*kgraph, "mcp"], folder) for _ in range(repeats)), strict=True
            )
        )
        command = min(ran([*kgraph, "query", "Pier Four"], folder) for _ in range(repeats))
    print(f"a bare interpreter {bare:.2f} s, the SDK's server imported {sdk:.2f} s")
    print(
        f"kgraph mcp: first word {listed:.2f} s, answer to a first query {answered:.2f} s ({answered / sdk:.2f} times the SDK alone)"
    )
    print(f"the same query by a command: {command:.2f} s")


def ran(command: list[str], folder: str) -> float:
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def first_answers(command: list[str], folder: str) -> tuple[float, float]:
    """Seconds until the server's first word, and until the answer to a query."""
    begun = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ,
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        for message in (OPENING, READY, CALL):
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
        json.loads(server.stdout.readline())
        first = time.perf_counter() - begun
        found = json.loads(server.stdout.readline())
        answered = time.perf_counter() - begun
        if found["result"].get("isError"):
            raise SystemExit(f"the query failed: {found}")
        server.stdin.close()
    return first, answered


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
