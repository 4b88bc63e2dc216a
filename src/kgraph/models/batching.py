"""Batch interfaces: many requests in one, answered within a day at half the price."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Protocol

from kgraph.model import Json, Reply
from kgraph.models import anthropic, gemini, openai
from kgraph.models.failures import BatchFailed, CallFailed, CutOff, ServerFailed
from kgraph.models.port import Request
from kgraph.models.wire import Wire, shape_of, text_at
from kgraph.parsing import json_value

Results = Mapping[str, Reply | CallFailed]


class BatchPort(Protocol):
    """``name`` as of a model. ``submit`` gives the batch's own id; ``results`` is None while it isn't finished, and raises
    ``BatchFailed`` if it never will be. Both raise ``CallFailed``. ``most_bytes`` is what one batch may hold, ours being counted with a
    margin for the provider's own wrapping."""

    @property
    def name(self) -> str: ...

    @property
    def most_bytes(self) -> int: ...

    def submit(self, requests: Mapping[str, Request]) -> str: ...

    def results(self, batch: str) -> Results | None: ...

    def close(self) -> None: ...


class AnthropicBatches:
    """Message batches: the requests in the body, the results as lines of JSON at an address that the batch names."""

    def __init__(self, model: str, wire: Wire) -> None:
        self._model = model
        self._wire = wire

    @property
    def name(self) -> str:
        return f"anthropic/{self._model}"

    @property
    def most_bytes(self) -> int:
        return 200_000_000

    def submit(self, requests: Mapping[str, Request]) -> str:
        listed = [
            {"custom_id": key, "params": anthropic.body_for(self._model, request)}
            for key, request in requests.items()
        ]
        return _named(self._wire.post("/v1/messages/batches", {"requests": listed}), "id")

    def results(self, batch: str) -> Results | None:
        state = self._wire.get(f"/v1/messages/batches/{batch}")
        if text_at(state, "processing_status") != "ended":
            return None
        return _from_lines(self._wire.get_text(f"/v1/messages/batches/{batch}/results"), self._one)

    def _one(self, line: Json) -> Reply | CallFailed:
        kind = text_at(line, "result", "type")
        if kind == "succeeded":
            return anthropic.reply_in(shape_of(line, "result", "message"), self.name)
        return ServerFailed(
            f"in the batch: {kind} {text_at(line, 'result', 'error', 'error', 'message')}".strip()
        )

    def close(self) -> None:
        self._wire.close()


class OpenAIBatches:
    """A file of requests is uploaded, a batch is made of it, and its answers are another file."""

    def __init__(self, model: str, wire: Wire) -> None:
        self._model = model
        self._wire = wire

    @property
    def name(self) -> str:
        return f"openai/{self._model}"

    @property
    def most_bytes(self) -> int:
        return 150_000_000

    def submit(self, requests: Mapping[str, Request]) -> str:
        lines = [
            json.dumps(
                {
                    "custom_id": key,
                    "method": "POST",
                    "url": "/v1/chat/completions",
                    "body": openai.body_for(self._model, request),
                }
            )
            for key, request in requests.items()
        ]
        file = _named(
            self._wire.upload(
                "/files", "requests.jsonl", "\n".join(lines) + "\n", {"purpose": "batch"}
            ),
            "id",
        )
        asked = {
            "input_file_id": file,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
        }
        return _named(self._wire.post("/batches", asked), "id")

    def results(self, batch: str) -> Results | None:
        state = self._wire.get(f"/batches/{batch}")
        status = text_at(state, "status")
        if status in ("validating", "in_progress", "finalizing", "cancelling"):
            return None
        found: dict[str, Reply | CallFailed] = {}
        for field in ("output_file_id", "error_file_id"):
            file = text_at(state, field)
            if file:
                found |= _from_lines(self._wire.get_text(f"/files/{file}/content"), self._one)
        if not found and status != "completed":
            raise BatchFailed(f"the batch ended as '{status}'")
        return found

    def _one(self, line: Json) -> Reply | CallFailed:
        if shape_of(line, "response", "status_code") == 200:
            return openai.reply_in(shape_of(line, "response", "body"), self.name)
        said = text_at(line, "error", "message") or text_at(
            line, "response", "body", "error", "message"
        )
        return ServerFailed(f"in the batch: {said or 'failed'}")

    def close(self) -> None:
        self._wire.close()


class GeminiBatches:
    """Requests inline; they are answered in their order, each with the key that it was sent with as metadata."""

    def __init__(self, model: str, wire: Wire) -> None:
        self._model = model
        self._wire = wire

    @property
    def name(self) -> str:
        return f"gemini/{self._model}"

    @property
    def most_bytes(self) -> int:
        return 15_000_000

    def submit(self, requests: Mapping[str, Request]) -> str:
        listed = [
            {"request": gemini.body_for(request), "metadata": {"key": key}}
            for key, request in requests.items()
        ]
        body = {
            "batch": {"display_name": "kgraph", "input_config": {"requests": {"requests": listed}}}
        }
        return _named(
            self._wire.post(f"/v1beta/models/{self._model}:batchGenerateContent", body), "name"
        )

    def results(self, batch: str) -> Results | None:
        state = self._wire.get(f"/v1beta/{batch}")
        if shape_of(state, "done") is not True:
            return None
        failure = text_at(state, "error", "message")
        if failure:
            raise BatchFailed(f"the batch failed: {failure}")
        answers = shape_of(state, "response", "inlinedResponses", "inlinedResponses")
        if not isinstance(answers, list):
            raise ServerFailed("the batch has no answers in it")
        return {text_at(one, "metadata", "key"): self._one(one) for one in answers}

    def _one(self, answer: Json) -> Reply | CallFailed:
        if shape_of(answer, "response") is None:
            return ServerFailed(f"in the batch: {text_at(answer, 'error', 'message') or 'failed'}")
        return _or_failure(lambda: gemini.reply_in(shape_of(answer, "response"), self.name))

    def close(self) -> None:
        self._wire.close()


def _named(answer: Json, field: str) -> str:
    name = text_at(answer, field)
    if not name:
        raise ServerFailed(f"the provider gave no '{field}' for what it was sent")
    return name


def _from_lines(
    text: str, one: Callable[[Json], Reply | CallFailed]
) -> dict[str, Reply | CallFailed]:
    found: dict[str, Reply | CallFailed] = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            value = json_value(line)
        except ValueError:
            raise CutOff("the batch's answers are not whole") from None
        found[text_at(value, "custom_id")] = _or_failure(lambda value=value: one(value))  # type: ignore[misc]
    return found


def _or_failure(read: Callable[[], Reply | CallFailed]) -> Reply | CallFailed:
    """One answer of a wrong shape fails alone."""
    try:
        return read()
    except CallFailed as failure:
        return failure
