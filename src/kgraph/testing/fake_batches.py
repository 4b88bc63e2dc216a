"""Batch interfaces on loopback: requests are taken, kept for a few questions, and then answered by a script.

with FakeBatches("anthropic", lambda text: Say('{"nodes": [], "edges": []}'), polls=2) as fake: ...
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from kgraph.testing.fake_providers import Fail, Say, read_request, whole_answer

Json = Any
Script = Callable[[str], Say | Fail]


class FakeBatches:
    """``wire_format``: anthropic, openai, gemini. Each batch is unfinished for ``polls`` questions. ``batches`` holds the texts of each."""

    def __init__(self, wire_format: str, script: Script, polls: int = 1) -> None:
        self.batches: list[list[str]] = []
        self.fail_all = False
        self._format = wire_format
        self._script = script
        self._polls = polls
        self._left: dict[str, int] = {}
        self._lines: dict[str, list[tuple[str, Json]]] = {}
        fake = self

        class Door(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"]))
                self._write(json.dumps(fake._taken(self.path, raw)))

            def do_GET(self) -> None:
                self._write(fake._asked(self.path))

            def _write(self, text: str) -> None:
                raw = text.encode()
                self.send_response(200)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, format: str, *args: object) -> None:
                return None

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        self._server.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}" + (
            "/v1" if wire_format == "openai" else ""
        )
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    def __enter__(self) -> FakeBatches:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def finish(self) -> None:
        """Let everything that was taken be finished from now on."""
        self._left = dict.fromkeys(self._left, 0)

    # -- taking --------------------------------------------------------------------------------------------------------------------

    def _taken(self, path: str, raw: bytes) -> Json:
        if path.endswith("/files"):
            body = raw.split(b"application/jsonl\r\n\r\n")[1].split(b"\r\n--")[0]
            return self._keep(
                "file", [json.loads(line) for line in body.splitlines() if line.strip()]
            )
        asked = json.loads(raw)
        if path.endswith("/batches") and "input_file_id" in asked:
            return {"id": asked["input_file_id"].replace("file", "batch"), "status": "validating"}
        if "batch" in asked:
            return self._keep("batches/", asked["batch"]["input_config"]["requests"]["requests"])
        return self._keep("msgbatch", asked["requests"])

    def _keep(self, prefix: str, requests: list[Json]) -> Json:
        name = f"{prefix}{len(self.batches)}"
        pairs = [(_key_of(one), read_request(self._format, _body_of(one))) for one in requests]
        self.batches.append([text for _, text in pairs])
        number = name[len(prefix) :]
        self._left[number] = self._polls
        self._lines[number] = [(key, self._script(text)) for key, text in pairs]
        return {"id": name, "name": name}

    # -- answering -----------------------------------------------------------------------------------------------------------------

    def _asked(self, path: str) -> str:
        number = "".join(
            char
            for char in path.rsplit("/", 2 if path.endswith(("results", "content")) else 1)[1]
            if char.isdigit()
        )
        if path.endswith(("/results", "/content")):
            return "\n".join(json.dumps(self._line(key, said)) for key, said in self._lines[number])
        self._left[number] -= 1
        finished = self._left[number] < 0
        if self._format == "anthropic":
            return json.dumps(
                {
                    "id": f"msgbatch{number}",
                    "processing_status": "ended" if finished else "in_progress",
                }
            )
        if self._format == "openai":
            if self.fail_all and finished:
                return json.dumps({"id": f"batch{number}", "status": "failed"})
            ended = (
                {"status": "completed", "output_file_id": f"file{number}"}
                if finished
                else {"status": "in_progress"}
            )
            return json.dumps({"id": f"batch{number}", **ended})
        answers = [self._line(key, said) for key, said in self._lines[number]] if finished else []
        return json.dumps(
            {
                "name": f"batches/{number}",
                "done": finished,
                "response": {"inlinedResponses": {"inlinedResponses": answers}},
            }
        )

    def _line(self, key: str, said: Say | Fail) -> Json:
        if self._format == "anthropic":
            failed = {
                "type": "errored",
                "error": {"type": "error", "error": {"message": getattr(said, "message", "")}},
            }
            return {
                "custom_id": key,
                "result": failed
                if isinstance(said, Fail)
                else {"type": "succeeded", "message": whole_answer("anthropic", said)},
            }
        if self._format == "openai":
            if isinstance(said, Fail):
                return {"custom_id": key, "response": None, "error": {"message": said.message}}
            return {
                "custom_id": key,
                "response": {"status_code": 200, "body": whole_answer("openai", said)},
                "error": None,
            }
        if isinstance(said, Fail):
            return {"metadata": {"key": key}, "error": {"message": said.message}}
        return {"metadata": {"key": key}, "response": whole_answer("gemini", said)}


def _key_of(request: Json) -> str:
    return str(request.get("custom_id") or request["metadata"]["key"])


def _body_of(request: Json) -> Json:
    return request.get("params") or request.get("body") or request.get("request")
