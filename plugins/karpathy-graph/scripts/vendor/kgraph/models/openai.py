"""OpenAI's chat completions, and everything that speaks them: vLLM, llama.cpp, LM Studio, OpenRouter and others by ``--base-url``."""

from __future__ import annotations

from kgraph.model import Json, Reply, Usage
from kgraph.models.failures import ServerFailed
from kgraph.models.port import Request
from kgraph.models.wire import Wire, number_at, shape_of, text_at

BASE_URL = "https://api.openai.com/v1"
_STOPS = {"length": "length", "content_filter": "filter"}


class OpenAI:
    """``limit_field``: OpenAI's own service calls it ``max_completion_tokens``, others know ``max_tokens`` only."""

    def __init__(
        self,
        model: str,
        wire: Wire,
        provider: str = "openai",
        limit_field: str = "max_completion_tokens",
    ) -> None:
        self._model = model
        self._wire = wire
        self._provider = provider
        self._limit_field = limit_field

    @property
    def name(self) -> str:
        return f"{self._provider}/{self._model}"

    def complete(self, request: Request) -> Reply:
        return reply_in(
            self._wire.post("/chat/completions", body_for(self._model, request, self._limit_field)),
            self.name,
        )

    def close(self) -> None:
        self._wire.close()


def body_for(model: str, request: Request, limit_field: str = "max_completion_tokens") -> Json:
    body: dict[str, Json] = {
        "model": model,
        "messages": [
            {"role": "system", "content": request.instructions},
            {"role": "user", "content": request.prompt},
        ],
        limit_field: request.max_output_tokens,
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.schema is not None:
        shape = {"name": "payload", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    return body


def reply_in(answer: Json, name: str) -> Reply:
    message = shape_of(answer, "choices", 0, "message")
    if not isinstance(message, dict):
        raise ServerFailed(
            f"{name} answered without a choice" + (f": {text_at(answer, 'error', 'message')}"[:300])
        )
    text = text_at(message, "content")
    stop = _STOPS.get(text_at(answer, "choices", 0, "finish_reason"), "end")
    refusal = text_at(message, "refusal")
    if refusal and not text.strip():
        text, stop = refusal, "refusal"
    usage = Usage(
        number_at(answer, "usage", "prompt_tokens"), number_at(answer, "usage", "completion_tokens")
    )
    thought = text_at(message, "reasoning_content") or text_at(message, "reasoning")
    reasoning = number_at(answer, "usage", "completion_tokens_details", "reasoning_tokens")
    hollow = not text.strip() and bool(thought or reasoning)
    return Reply(text, stop, usage, text_at(answer, "model") or name, thinking_only=hollow)
