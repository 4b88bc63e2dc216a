"""Web pages are fetched only when that is asked for, and are files from then on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kgraph.cli import main
from kgraph.sources.fetching import place_of

PAGE = b"<h1>Pump</h1><p>The Cooling Pump (CP) depends on the Valve Controller.</p>"


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    pytest.importorskip("httpx")
    monkeypatch.chdir(tmp_path)

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/docs/pump"
            self.send_response(200 if found else 404)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE if found else b"no")

        def log_message(self, format: str, *args: object) -> None:
            return None

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    ).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def typed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    status = main([*arguments, "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_an_address_is_fetched_only_when_asked(
    capsys: pytest.CaptureFixture[str], address: str
) -> None:
    status, answer = typed(capsys, "extract", f"{address}/docs/pump")
    assert status == 2 and "--fetch" in json.dumps(answer) and not Path("fetched").exists()
    status, answer = typed(capsys, "extract", "--fetch", f"{address}/docs/pump")
    assert status == 0, answer
    assert Path("fetched/127.0.0.1/docs/pump.html").read_bytes() == PAGE
    status, _ = typed(capsys, "verify")
    assert status == 0
    status, answer = typed(capsys, "extract", "--fetch", f"{address}/nowhere")
    assert status == 2 and "404" in json.dumps(answer)


def test_a_pages_file_can_lie_nowhere_else() -> None:
    assert place_of("https://e.org/../../etc/passwd", "text/plain") == [
        "e.org",
        "etc",
        "passwd.txt",
    ]
    assert place_of("https://e.org/%2e%2e/%2Fa?q=1", "text/html")[:1] == ["e.org"]
    assert place_of("https://e.org", "text/html") == ["e.org", "index.html"]
    assert place_of("https://e.org/a.pdf", "application/pdf") == ["e.org", "a.pdf"]
