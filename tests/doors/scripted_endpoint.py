"""A model endpoint on loopback that plays a script: it answers each turn of an agent with the next tool call, in three dialects.

It stands for the outside world in tests that drive a real coding agent. Every request is kept, so that a test can read what the agent
was really given: the text of a skill, what a command printed.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

WAIT = "WaitForMcpServers"  # Claude Code offers it while a server is starting
CONNECTING = ("still connecting", "No such tool available: mcp__")
MOST_WAITS = 40  # messages after which a server that never starts fails the script


class Step(NamedTuple):
    """One turn of the script: a tool with its arguments, or, without a tool, the last words.

    Arguments may be worked out from the requests so far: what a model does that reads the page it was given.
    """

    tool: str = ""
    arguments: dict[str, Any] | Callable[[list[dict[str, Any]]], dict[str, Any]] = {}
    text: str = ""


class Endpoint(NamedTuple):
    address: str
    requests: list[dict[str, Any]]
    results: list[str]  # what each tool call of the script came back with, as the agent sent it


class Turn(NamedTuple):
    number: int
    step: Step
    attempt: int = 0


@contextmanager
def scripted(steps: list[Step]) -> Iterator[Endpoint]:
    """Serve the script on a free port of 127.0.0.1 until the block ends."""
    requests: list[dict[str, Any]] = []
    results: list[str] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            self.answer("application/json", json.dumps({"data": [], "models": []}))

        def do_POST(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(size) or b"{}")
            with lock:
                requests.append({"path": self.path, **body})
                seen = results_in(body)
                main_loop = bool(body.get("tools"))
                if main_loop and len(seen) >= len(results):
                    results[:] = seen
                at = len(seen) if main_loop else len(steps)
                step = steps[at] if at < len(steps) else Step(text="done")
                attempt = len(body.get("messages", ()))
                if main_loop and attempt < MOST_WAITS and waiting(body):
                    offered = {tool.get("name") for tool in body["tools"]}
                    step = Step(WAIT, {}) if WAIT in offered else step
                    time.sleep(0.5)
                if callable(step.arguments):
                    step = step._replace(arguments=step.arguments(requests))
            kind, text = played(self.path, body, Turn(at, step, attempt))
            self.answer(kind, text)

        def answer(self, kind: str, text: str) -> None:
            data = text.encode("utf-8")
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Endpoint(f"http://127.0.0.1:{server.server_address[1]}", requests, results)
    finally:
        server.shutdown()
        server.server_close()


def played(path: str, body: dict[str, Any], turn: Turn) -> tuple[str, str]:
    """(content type, body) of the turn in the dialect of the path."""
    if "count_tokens" in path:
        return "application/json", json.dumps({"input_tokens": 100})
    if "/responses" in path:
        return "text/event-stream", responses_turn(turn)
    if "streamGenerateContent" in path:
        return "text/event-stream", f"data: {json.dumps(gemini_turn(turn))}\n\n"
    if "generateContent" in path:
        return "application/json", json.dumps(gemini_turn(turn))
    if body.get("stream"):
        return "text/event-stream", messages_turn(turn)
    return "application/json", json.dumps(
        {"id": "msg_0", "type": "message", "role": "assistant", "model": "scripted",
         "content": [{"type": "text", "text": "done"}], "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}
    )  # fmt: skip


def results_in(body: dict[str, Any]) -> list[str]:
    """What the tool calls so far came back with, in any of the dialects."""
    found = []
    for message in body.get("messages", ()):
        content = message.get("content")
        for part in content if isinstance(content, list) else ():
            if part.get("type") == "tool_result":
                text = plain(part.get("content"))
                if not part["tool_use_id"].startswith(f"toolu_{WAIT}") and not connecting(text):
                    found.append(text)
    for item in body.get("input", ()) if isinstance(body.get("input"), list) else ():
        if str(item.get("type", "")).endswith("_call_output"):
            found.append(plain(item.get("output")))
    for content in body.get("contents", ()):
        for part in content.get("parts", ()):
            if "functionResponse" in part:
                found.append(json.dumps(part["functionResponse"].get("response")))
    return found


def waiting(body: dict[str, Any]) -> bool:
    """Whether the last tool call was refused because an MCP server hadn't started yet: on a busy machine it may take a while."""
    last = (body.get("messages") or [{}])[-1].get("content")
    return isinstance(last, list) and any(connecting(plain(part.get("content"))) for part in last if part.get("type") == "tool_result")  # fmt: skip


def connecting(text: str) -> bool:
    return any(sign in text for sign in CONNECTING)


def plain(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return content if isinstance(content, str) else json.dumps(content)


def messages_turn(turn: Turn) -> str:
    """The turn as Anthropic's Messages API streams it."""
    step = turn.step
    number = f"{WAIT if step.tool == WAIT else turn.number}_{turn.attempt}"
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta: dict[str, Any] = {"type": "text_delta", "text": step.text}
    if step.tool:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": step.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step.arguments)}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "scripted", "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1}}  # fmt: skip
    stop = {"stop_reason": "tool_use" if step.tool else "end_turn", "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def responses_turn(turn: Turn) -> str:
    """The turn as OpenAI's Responses API streams it."""
    number, step, _ = turn
    item: dict[str, Any] = {
        "type": "message", "id": f"item_{number}", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": step.text, "annotations": []}],
    }  # fmt: skip
    if step.tool:
        item = {"type": "function_call", "id": f"item_{number}", "call_id": f"call_{number}", "name": step.tool,
                "arguments": json.dumps(step.arguments), "status": "completed"}  # fmt: skip
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
             "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15}  # fmt: skip
    response = {
        "id": f"resp_{number}",
        "object": "response",
        "status": "completed",
        "output": [item],
        "usage": usage,
    }
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {"id": f"resp_{number}"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": response},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def gemini_turn(turn: Turn) -> dict[str, Any]:
    """The turn as Gemini's generateContent answers it, whole."""
    step = turn.step
    part: dict[str, Any] = {"text": step.text or "done"}
    if step.tool:
        part = {"functionCall": {"name": step.tool, "args": step.arguments}}
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
    }  # fmt: skip
