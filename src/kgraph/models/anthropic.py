"""Anthropic's Messages API. The schema goes in as the input of one tool that must be called: every model there can do that."""

from __future__ import annotations

import json

from kgraph.model import Json, Reply, Usage
from kgraph.models.failures import ServerFailed
from kgraph.models.port import Request
from kgraph.models.wire import Wire, number_at, shape_of, text_at

BASE_URL = "https://api.anthropic.com"
VERSION = "2023-06-01"
_TOOL = "record_payload"
_STOPS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal"}


class Anthropic:
    def __init__(self, model: str, wire: Wire) -> None:
        self._model = model
        self._wire = wire

    @property
    def name(self) -> str:
        return f"anthropic/{self._model}"

    def complete(self, request: Request) -> Reply:
        return reply_in(self._wire.post("/v1/messages", body_for(self._model, request)), self.name)

    def close(self) -> None:
        self._wire.close()


def body_for(model: str, request: Request) -> Json:
    body: dict[str, Json] = {
        "model": model,
        "max_tokens": request.max_output_tokens,
        # The same for every unit: the provider may keep it.
        "system": [
            {"type": "text", "text": request.instructions, "cache_control": {"type": "ephemeral"}}
        ],
        "messages": [{"role": "user", "content": request.prompt}],
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.schema is not None:
        body["tools"] = [
            {
                "name": _TOOL,
                "description": "Record what the text says.",
                "input_schema": request.schema,
            }
        ]
        body["tool_choice"] = {"type": "tool", "name": _TOOL}
    return body


def reply_in(answer: Json, name: str) -> Reply:
    blocks = shape_of(answer, "content")
    if not isinstance(blocks, list):
        raise ServerFailed(f"{name} answered without 'content'")
    called = [
        block.get("input")
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "tool_use"
    ]
    spoken = [
        text_at(block, "text")
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "text"
    ]
    thought = any(
        isinstance(block, dict) and block.get("type") in ("thinking", "redacted_thinking")
        for block in blocks
    )
    text = json.dumps(called[-1], ensure_ascii=False) if called else "".join(spoken)
    stop = _STOPS.get(text_at(answer, "stop_reason"), "end")
    return Reply(
        text,
        stop,
        _usage(answer),
        text_at(answer, "model") or name,
        thinking_only=thought and not text.strip(),
    )


def _usage(answer: Json) -> Usage:
    """Tokens read from or written to the provider's cache are input too."""
    fields = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return Usage(
        sum(number_at(answer, "usage", field) for field in fields),
        number_at(answer, "usage", "output_tokens"),
    )
