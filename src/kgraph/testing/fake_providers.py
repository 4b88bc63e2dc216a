"""Model providers on loopback, one for each wire format, that answer by a script: well, badly, slowly, or not at all.

with FakeProvider("openai", lambda asked: Say('{"nodes": [], "edges": []}')) as fake:
    ...  # base URL: fake.base_url; what it was asked: fake.asked
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from kgraph.tuples import NamedTuple

Json = Any


class Asked(NamedTuple):
    """One request as it arrived. ``text`` is all that the model would read."""

    number: int  # from 0
    path: str
    headers: Mapping[str, str]  # names in lower case
    body: Json
    text: str


class Say(NamedTuple):
    """A whole answer. ``stop``: end, length, refusal, filter. ``thinking`` is put where the format has it."""

    text: str
    stop: str = "end"
    thinking: str = ""
    input_tokens: int = 100
    output_tokens: int = 50


class Fail(NamedTuple):
    """An HTTP error in the format's own shape."""

    status: int
    message: str = "no"
    headers: Mapping[str, str] = {}


class CutOffAfter(NamedTuple):
    """The head promises a whole answer; the connection ends after ``characters`` of it."""

    say: Say
    characters: int = 40


class Slow(NamedTuple):
    """A good answer, ``seconds`` too late."""

    seconds: float
    say: Say


class Raw(NamedTuple):
    """Any JSON, with status 200."""

    body: Json


class Stream(NamedTuple):
    """The answer in pieces, as a server that always streams sends it (OpenAI's form)."""

    pieces: list[str]
    reason: str = "stop"


class Listing(NamedTuple):
    """What a GET is answered with."""

    body: Json


Answer = Say | Fail | CutOffAfter | Slow | Raw | Stream
Script = Callable[[Asked], Answer]


class FakeProvider:
    """``wire_format``: anthropic, openai, gemini, ollama. ``asked`` grows with each request."""

    def __init__(self, wire_format: str, script: Script, listing: Listing | None = None) -> None:
        self.asked: list[Asked] = []
        fake = self
        lock = threading.Lock()
        self._stopping = threading.Event()

        class Door(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with lock:
                    asked = Asked(
                        len(fake.asked), self.path, headers, body, read_request(wire_format, body)
                    )
                    fake.asked.append(asked)
                self._answer(script(asked))

            def do_GET(self) -> None:
                if listing is None:
                    self._write(404, {"error": "nothing here"}, {})
                else:
                    self._write(200, listing.body, {})

            def _answer(self, answer: Answer) -> None:
                if isinstance(answer, Slow):
                    fake._stopping.wait(answer.seconds)
                    answer = answer.say
                if isinstance(answer, Fail):
                    self._write(answer.status, _error(wire_format, answer), answer.headers)
                elif isinstance(answer, CutOffAfter):
                    self._write(200, whole_answer(wire_format, answer.say), {}, answer.characters)
                elif isinstance(answer, Raw):
                    self._write(200, answer.body, {})
                elif isinstance(answer, Stream):
                    self._send(200, _streamed(answer), {})
                else:
                    self._write(200, whole_answer(wire_format, answer), {})

            def _write(
                self,
                status: int,
                body: Json,
                headers: Mapping[str, str],
                characters: int | None = None,
            ) -> None:
                self._send(status, json.dumps(body).encode(), headers, characters)

            def _send(
                self,
                status: int,
                raw: bytes,
                headers: Mapping[str, str],
                characters: int | None = None,
            ) -> None:
                try:
                    self.send_response(status)
                    for name, value in {
                        **headers,
                        "content-type": "application/json",
                        "content-length": str(len(raw)),
                    }.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(raw[:characters])
                    self.wfile.flush()
                except (BrokenPipeError, ConnectionResetError):
                    return  # who asked has gone: that is what a timeout looks like from here
                if characters is not None:
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                return None

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        self._server.daemon_threads = True
        suffix = "/v1" if wire_format == "openai" else ""
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}{suffix}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    def __enter__(self) -> FakeProvider:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def read_request(wire_format: str, body: Json) -> str:
    if wire_format == "anthropic":
        return "\n".join(
            [
                *(part["text"] for part in body["system"]),
                *(turn["content"] for turn in body["messages"]),
            ]
        )
    if wire_format == "gemini":
        parts = body["systemInstruction"]["parts"] + [
            part for turn in body["contents"] for part in turn["parts"]
        ]
        return "\n".join(part["text"] for part in parts)
    if "input" in body:
        return "\n".join(body["input"])
    return "\n".join(turn["content"] for turn in body["messages"])


def embedded(asked: Asked) -> Raw:
    """What an embedding endpoint of either form answers: a vector of three numbers for each text, the same for the same text."""
    rows = [
        [1.0 + len(text), sum(text.encode()) % 97 / 10, text.count("a") - 0.5]
        for text in asked.body["input"]
    ]
    if asked.path.endswith("/embed"):
        return Raw({"model": "fake", "embeddings": rows})
    data = [
        {"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)
    ]
    return Raw(
        {"object": "list", "model": "fake", "data": data[::-1]}
    )  # the order is told by the index, not by the place


def whole_answer(wire_format: str, say: Say) -> Json:
    return {"anthropic": _anthropic, "openai": _openai, "gemini": _gemini, "ollama": _ollama}[
        wire_format
    ](say)


def _anthropic(say: Say) -> Json:
    content: list[Json] = (
        [{"type": "thinking", "thinking": say.thinking, "signature": "x"}] if say.thinking else []
    )
    payload = _object(say.text)
    if payload is not None and say.stop == "end":
        content.append(
            {"type": "tool_use", "id": "toolu_1", "name": "record_payload", "input": payload}
        )
    elif say.text:
        content.append({"type": "text", "text": say.text})
    stop = {
        "end": "end_turn" if payload is None else "tool_use",
        "length": "max_tokens",
        "refusal": "refusal",
        "filter": "refusal",
    }[say.stop]
    usage = {"input_tokens": say.input_tokens, "output_tokens": say.output_tokens}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": content,
        "stop_reason": stop,
        "usage": usage,
    }


def _openai(say: Say) -> Json:
    message: dict[str, Json] = {"role": "assistant", "content": say.text}
    if say.stop == "refusal":
        message |= {"content": None, "refusal": say.text}
    if say.thinking:
        message["reasoning_content"] = say.thinking
    reason = {"end": "stop", "length": "length", "refusal": "stop", "filter": "content_filter"}[
        say.stop
    ]
    usage = {"prompt_tokens": say.input_tokens, "completion_tokens": say.output_tokens}
    return {
        "id": "c1",
        "model": "fake",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": usage,
    }


def _gemini(say: Say) -> Json:
    parts: list[Json] = [{"text": say.thinking, "thought": True}] if say.thinking else []
    parts += [{"text": say.text}] if say.text else []
    reason = {
        "end": "STOP",
        "length": "MAX_TOKENS",
        "refusal": "PROHIBITED_CONTENT",
        "filter": "SAFETY",
    }[say.stop]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": reason}
    usage = {"promptTokenCount": say.input_tokens, "candidatesTokenCount": say.output_tokens}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"}


def _ollama(say: Say) -> Json:
    message = {"role": "assistant", "content": say.text}
    if say.thinking:
        message["thinking"] = say.thinking
    reason = "length" if say.stop == "length" else "stop"
    counts = {"prompt_eval_count": say.input_tokens, "eval_count": say.output_tokens}
    return {"model": "fake", "message": message, "done": True, "done_reason": reason, **counts}


def _streamed(stream: Stream) -> bytes:
    chunks: list[Json] = [
        {"model": "fake", "choices": [{"delta": {"content": piece}}]} for piece in stream.pieces
    ]
    chunks.append({"choices": [{"delta": {}, "finish_reason": stream.reason}]})
    chunks.append({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 50}})
    lines = [": keep-alive", *(f"data: {json.dumps(chunk)}\n" for chunk in chunks), "data: [DONE]"]
    return "\n".join(lines).encode()


def _error(wire_format: str, fail: Fail) -> Json:
    if wire_format == "anthropic":
        return {"type": "error", "error": {"type": "api_error", "message": fail.message}}
    if wire_format == "gemini":
        return {"error": {"code": fail.status, "message": fail.message, "status": "ERROR"}}
    if wire_format == "ollama":
        return {"error": fail.message}
    return {"error": {"message": fail.message, "type": "error", "code": None}}


def _object(text: str) -> Json:
    """The text as the input of a tool, where it is one JSON object and nothing else."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


class Clock:
    """Time that passes only when someone sleeps: ``clock()`` and ``sleep(seconds)`` for the parts that take them."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self._lock = threading.Lock()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept.append(seconds)
            self.now += seconds
        time.sleep(0)
