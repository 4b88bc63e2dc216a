"""Ollama's own chat interface: the schema goes into ``format``, the context window must be asked for."""

from __future__ import annotations

from kgraph.model import Json, Reply, Usage
from kgraph.models.failures import ServerFailed
from kgraph.models.port import Request
from kgraph.models.wire import Wire, number_at, shape_of, text_at

BASE_URL = "http://127.0.0.1:11434"


class Ollama:
    def __init__(self, model: str, wire: Wire) -> None:
        self._model = model
        self._wire = wire

    @property
    def name(self) -> str:
        return f"ollama/{self._model}"

    def complete(self, request: Request) -> Reply:
        return reply_in(self._wire.post("/api/chat", body_for(self._model, request)), self.name)

    def close(self) -> None:
        self._wire.close()


def body_for(model: str, request: Request) -> Json:
    options: dict[str, Json] = {
        "num_predict": request.max_output_tokens,
        "num_ctx": window_for(request),
    }
    if request.temperature is not None:
        options["temperature"] = request.temperature
    body: dict[str, Json] = {
        "model": model,
        "stream": False,
        "messages": [
            {"role": "system", "content": request.instructions},
            {"role": "user", "content": request.prompt},
        ],
        "options": options,
    }
    if request.schema is not None:
        body["format"] = request.schema
    return body


def window_for(request: Request) -> int:
    """Tokens to ask for: Ollama's default window is small and it drops the start of a longer prompt without a word."""
    prompt_tokens = len((request.instructions + request.prompt).encode("utf-8", "replace")) // 3
    window = 8192
    while window < prompt_tokens + request.max_output_tokens:
        window *= 2
    return window


def reply_in(answer: Json, name: str) -> Reply:
    message = shape_of(answer, "message")
    if not isinstance(message, dict):
        raise ServerFailed(
            f"{name} answered without a message" + (f": {text_at(answer, 'error')}"[:300])
        )
    text = text_at(message, "content")
    stop = "length" if text_at(answer, "done_reason") == "length" else "end"
    usage = Usage(number_at(answer, "prompt_eval_count"), number_at(answer, "eval_count"))
    return Reply(
        text,
        stop,
        usage,
        text_at(answer, "model") or name,
        bool(text_at(message, "thinking")) and not text.strip(),
    )
