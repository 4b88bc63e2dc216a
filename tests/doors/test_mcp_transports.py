"""The MCP server as a program: over its standard input and output, over HTTP, and beside other writers."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from doors.mcp_worlds import answer, harbour, talk
from doors.prose import ROOT
from kgraph.errors import NotAllowed, UsageError
from kgraph.listening import http_protocol
from kgraph.mcp.serving import address_of

ENVIRONMENT = {key: value for key, value in os.environ.items() if not key.startswith("KGRAPH")} | {
    "PYTHONPATH": str(ROOT / "src")
}
KGRAPH = [sys.executable, "-m", "kgraph"]


def over_stdio(working: Path, *options: str) -> Any:
    """The SDK's transport to a server of its own."""
    program, *words = [*KGRAPH, "--name", "harbour", "mcp", *options]
    return stdio_client(
        StdioServerParameters(command=program, args=words, env=ENVIRONMENT, cwd=working)
    )


def buoy(number: int) -> dict[str, Any]:
    payload = {
        "nodes": [
            {"type": "Entity", "name": f"Buoy {number}", "description": f"buoy no. {number}"}
        ],
        "edges": [],
    }
    return {"payload": payload, "run_id": f"run-{number}"}


def kgraph(working: Path, *arguments: str) -> dict[str, Any]:
    done = subprocess.run(
        [*KGRAPH, *arguments],
        cwd=working,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def working(tmp_path: Path) -> Path:
    return harbour(tmp_path)


class Served:
    """A server over HTTP and what it said when it started."""

    def __init__(self, program: subprocess.Popen[str]) -> None:
        self.program = program
        assert program.stderr is not None
        self.first = program.stderr.readline()
        found = re.search(r"http://\S+/mcp", self.first)
        assert found, self.first
        self.url = found[0]


@pytest.fixture
def served(working: Path) -> Iterator[Callable[..., Served]]:
    """Start a server over HTTP on a free port."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> Served:
        command = [*KGRAPH, "--name", "harbour", "mcp", "--http", *options]
        program = subprocess.Popen(
            command,
            cwd=working,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(program)
        return Served(program)

    yield start
    for program in started:
        program.kill()
        program.communicate()


def test_over_stdio_it_answers_what_the_command_line_answers(working: Path) -> None:
    from_cli = kgraph(working, "--name", "harbour", "show", "Pier Four")
    found = answer(over_stdio(working), "show", {"ref": "Pier Four"})
    assert [found[key] for key in ("graph", "path", "node", "edges")] == [
        from_cli[key] for key in ("graph", "path", "node", "edges")
    ]


def test_over_stdio_nothing_but_the_protocol_is_printed_and_the_end_of_input_is_the_end(
    working: Path,
) -> None:
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}},
    }  # fmt: skip
    done = subprocess.run(
        [*KGRAPH, "--name", "harbour", "mcp"], input=json.dumps(hello) + "\n", cwd=working, env=ENVIRONMENT, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert [line["result"]["serverInfo"]["name"] for line in lines] == ["kgraph"]


def test_over_http_it_answers_on_this_machine_until_interrupted(
    served: Callable[..., Served],
) -> None:
    server = served("127.0.0.1:0")
    assert answer(server.url, "show", {"ref": "Pier Four"})["node"]["name"] == "Pier Four"
    assert answer(server.url, "stats", {})["stats"]["nodes"] == 6
    server.program.send_signal(2)
    out, rest = server.program.communicate(timeout=30)
    assert (out, "Traceback" in rest, server.program.returncode) == ("", False, 130)


def test_over_http_a_page_of_another_site_is_turned_away(served: Callable[..., Served]) -> None:
    url = served("127.0.0.1:0").url
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = {"accept": "application/json, text/event-stream"}
    assert (
        httpx2.post(url, json=ping, headers=headers | {"host": "evil.example"}).status_code == 421
    )
    assert (
        httpx2.post(
            url, json=ping, headers=headers | {"origin": "https://evil.example"}
        ).status_code
        == 403
    )


def test_an_address_that_others_reach_needs_the_word_and_then_a_token(
    served: Callable[..., Served],
) -> None:
    server = served("0.0.0.0:0", "--allow-remote")
    assert server.program.stderr is not None
    token = re.search(r"Bearer (\S+)", server.program.stderr.readline())
    assert token
    url = server.url.replace("0.0.0.0", "127.0.0.1")
    assert [
        httpx2.post(url, json={}, headers={"authorization": given}).status_code
        for given in ("", "Bearer wrong")
    ] == [401, 401]

    async def asked() -> Any:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token[1]}"}) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            return await client.call_tool("stats", {})

    assert anyio.run(asked).structured_content["stats"]["nodes"] == 6


def test_on_this_machine_writing_needs_the_token(served: Callable[..., Served]) -> None:
    server = served("127.0.0.1:0", "--allow-write")
    assert server.program.stderr is not None
    token = re.search(r"Bearer (\S+)", server.program.stderr.readline())
    assert token
    for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": token[1]}):
        assert httpx2.post(server.url, json={}, headers=given).status_code == 401

    async def asked() -> Any:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token[1]}"}) as http,
            Client(streamable_http_client(server.url, http_client=http)) as client,
        ):
            return await client.call_tool("ingest", buoy(1))

    assert not anyio.run(asked).is_error


async def _closed_after(sent: tuple[bytes, ...]) -> bytes:
    """What a client that sends this and then nothing hears until the connection is closed."""
    import asyncio

    import uvicorn

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await anyio.sleep(0.6)  # an answer may take longer than a request
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    config = uvicorn.Config(app, http=http_protocol(0.3), lifespan="off", log_level="critical")
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        await server.startup(sockets=[door])
        reader, writer = await asyncio.open_connection(*door.getsockname())
        for part in sent:
            writer.write(part)
            await anyio.sleep(0.1)
        heard = await asyncio.wait_for(reader.read(), 10)
        writer.close()
        await server.shutdown(sockets=[door])
    return heard


@pytest.mark.parametrize("sent", [(), (b"GET / HTTP/1.1\r\n", b"a: b\r\n", b"c: d\r\n")])
def test_a_connection_that_asks_nothing_is_closed(sent: tuple[bytes, ...]) -> None:
    assert anyio.run(_closed_after, sent) == b""


def test_a_request_is_answered_however_long_it_takes_and_half_of_a_next_one_is_not_waited_for() -> (
    None
):
    whole = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n"
    slow = (whole, b"", b"", b"", b"", b"", b"", b"", b"GET / HT")
    assert anyio.run(_closed_after, slow).startswith(b"HTTP/1.1 204")


@pytest.mark.parametrize("text", ["0.0.0.0:80", "192.168.1.4:80", "example.org:80", "[::]:80"])
def test_no_other_machine_comes_in_unless_it_is_said(text: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        address_of(text, allow_remote=False)
    assert "--allow-remote" in refused.value.hint
    assert address_of(text, allow_remote=True).port == 80


def test_an_address_is_host_and_port() -> None:
    assert address_of("8765", False) == ("127.0.0.1", 8765)
    assert address_of("localhost:0", False) == ("localhost", 0)
    assert address_of("[::1]:9", False).url == "http://[::1]:9/mcp"
    for text in ("", "localhost", "127.0.0.1:x", "127.0.0.1:70000", ":80"):
        with pytest.raises(UsageError):
            address_of(text, False)


def test_a_port_that_is_taken_is_said_with_what_to_do(working: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        body = kgraph(working, "mcp", "--http", f"127.0.0.1:{taken.getsockname()[1]}")
    assert (body["ok"], body["errors"][0]["code"], "another port" in body["errors"][0]["hint"]) == (
        False,
        "E211",
        True,
    )


async def by_command(working: Path, name: str) -> None:
    """Add a node by the command line."""
    command = ("--name", "harbour", "add-node", "--type", "Entity", "--node-name", name)
    done = await anyio.to_thread.run_sync(lambda: kgraph(working, *command))
    assert done["ok"], done


def test_two_servers_and_the_command_line_write_to_one_graph_and_each_sees_all(
    working: Path,
) -> None:
    async def both(one: Client) -> list[list[str]]:
        async with Client(over_stdio(working, "--allow-write")) as other:
            await by_command(working, "Buoy 99")

            async def write(client: Client, numbers: range) -> None:
                for number in numbers:
                    done = await client.call_tool("ingest", buoy(number))
                    assert not done.is_error, done.content

            async with anyio.create_task_group() as group:
                group.start_soon(write, one, range(6))
                group.start_soon(write, other, range(6, 12))
                await by_command(working, "Buoy 98")
            listed = []
            for client in (one, other):
                found = await client.call_tool(
                    "query",
                    {
                        "text": "Buoy",
                        "hops": 0,
                        "max_nodes": 100,
                        "max_tokens": 9000,
                        "format": "json",
                    },
                )
                listed.append(sorted(node["name"] for node in found.structured_content["nodes"]))
            return listed

    expected = sorted(f"Buoy {number}" for number in (*range(12), 98, 99))
    assert talk(over_stdio(working, "--allow-write"), both) == [expected, expected]
    assert kgraph(working, "--name", "harbour", "validate")["ok"] is True


def test_a_server_that_is_idle_holds_no_lock(working: Path) -> None:
    async def work(client: Client) -> dict[str, Any]:
        await client.call_tool("ingest", buoy(1))
        command = (
            "--name",
            "harbour",
            "--wait",
            "0",
            "add-node",
            "--type",
            "Entity",
            "--node-name",
            "Buoy 2",
        )
        return await anyio.to_thread.run_sync(lambda: kgraph(working, *command))

    assert talk(over_stdio(working, "--allow-write"), work)["ok"] is True


def test_without_the_extra_the_command_says_how_to_install_it(working: Path) -> None:
    hide = "import sys; sys.path.insert(0, sys.argv.pop(1)); sys.modules['mcp'] = None\nfrom kgraph.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", hide, str(ROOT / "src"), "mcp", "--name", "harbour"]
    done = subprocess.run(
        command, cwd=working, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    error = json.loads(done.stdout)["errors"][0]
    assert (done.returncode, error["code"], error["hint"]) == (
        2,
        "E201",
        "pip install 'karpathy-graph[mcp]'",
    )
    assert "Traceback" not in done.stderr


def test_other_commands_do_not_load_the_server(working: Path) -> None:
    look = (
        "import sys\nfrom kgraph.cli import main\nmain(['--name', 'harbour', 'stats'])\n"
        "print([name for name in sys.modules if name.split('.')[0] == 'mcp' or name.startswith('kgraph.mcp')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", look],
        cwd=working,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "[]"
