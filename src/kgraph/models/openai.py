"""OpenAI's chat completions, and everything that speaks them: vLLM, llama.cpp, LM Studio, OpenRouter, Groq, Azure and others.

They agree on little beyond the shape. So what an endpoint refuses by name is left out or said another way, once, and remembered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Literal

from kgraph.model import Json, Reply, Usage
from kgraph.models.failures import CallFailed, Filtered, KeyRefused, ServerFailed, TooLong
from kgraph.models.port import Request
from kgraph.models.wire import Wire, number_at, shape_of, text_at
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

BASE_URL = "https://api.openai.com/v1"
Form = Literal["schema", "object", "none"]
_STOPS = {
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filter",
    "safety": "filter",
    "error": "error",
}
_MOST = re.compile(
    r"(?:at most|less than or equal to|maximum(?: value)?(?: is| of)?|<=|up to)\D{0,20}?(\d{2,7})"
)
_FORM = re.compile(
    r"response_?format|json_?\s?(?:schema|mode|object)|structured|grammar|guided|\bschema\b",
    re.IGNORECASE,
)
_OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


class Manner(NamedTuple):
    """How an endpoint wants to be asked. ``most`` is the highest output limit it takes, 0 for none that is known."""

    limit_field: str = "max_completion_tokens"
    form: Form = "schema"
    system: bool = True
    temperature: bool = True
    prefix: str = ""
    most: int = 0


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
        self._manner = Manner(limit_field)

    @property
    def name(self) -> str:
        return f"{self._provider}/{self._model}"

    def complete(self, request: Request) -> Reply:
        return self.complete_overheard(request, None)

    def complete_overheard(self, request: Request, heard: Callable[[str], None] | None) -> Reply:
        """``heard`` gets the pieces of the reply's text as the endpoint sends them; None asks for no stream."""
        manner = self._manner
        tried = {manner}
        while True:
            try:
                reply = self._ask(request, manner, heard)
            except Filtered as stopped:
                return Reply(stopped.message, "filter", model=self.name)
            except CallFailed as failure:
                other = another_manner(manner, failure, request, self._wire.base_url)
                if other is None or other in tried:
                    raise
                manner = other
                tried.add(manner)
            else:
                self._manner = manner
                return reply

    def _ask(self, request: Request, manner: Manner, heard: Callable[[str], None] | None) -> Reply:
        body = body_for(self._model, request, manner)
        pieces = None
        if heard is not None:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
            pieces = Pieces(heard).take
        answer = self._wire.post(manner.prefix + "/chat/completions", body, read_answer, pieces)
        error = shape_of(answer, "error") or shape_of(answer, "choices", 0, "error")
        if error and not text_at(answer, "choices", 0, "message", "content"):
            # Gateways answer 200 and put the failure of who stands behind them inside.
            status = number_at(error, "code") or number_at(error, "status") or 500
            self._wire.fail(status, {}, json.dumps({"error": error}).encode())
        return reply_in(answer, self.name)

    def close(self) -> None:
        self._wire.close()


def another_manner(
    manner: Manner, failure: CallFailed, request: Request, base_url: str
) -> Manner | None:
    """How to ask again after a refusal; None where asking otherwise wouldn't help.

    What the refusal names is changed. One that names nothing may be about any optional field, so these are given up one after the other.
    """
    said = failure.message.casefold()
    if isinstance(failure, TooLong):
        return None
    if isinstance(failure, KeyRefused):
        lost = (
            failure.status in (404, 405) and not manner.prefix and not re.search(r"/v\d", base_url)
        )
        return manner._replace(prefix="/v1") if lost and "model" not in said else None
    if failure.status not in (400, 415, 422, 500, 501):
        return None
    limit = _MOST.search(said) if "max_" in said else None
    if limit and 0 < int(limit[1]) < (manner.most or request.max_output_tokens):
        return manner._replace(most=int(limit[1]))
    if manner.limit_field in said:
        return manner._replace(limit_field=_OTHER_LIMIT[manner.limit_field])
    if manner.temperature and request.temperature is not None and "temperature" in said:
        return manner._replace(temperature=False)
    weaker: dict[Form, Form] = {"schema": "object", "object": "none"}
    if request.schema is not None and manner.form in weaker and _FORM.search(said):
        return manner._replace(form=weaker[manner.form])
    if manner.system and re.search(r"\bsystem\b|\brole\b|\broles\b", said):
        return manner._replace(system=False)
    if failure.status >= 500:
        return None
    if request.schema is not None and manner.form != "none":
        return manner._replace(form="none")
    other = _OTHER_LIMIT[manner.limit_field]
    return manner._replace(limit_field=other) if other == "max_tokens" else None


def body_for(model: str, request: Request, manner: Manner = Manner()) -> Json:
    prompt = request.prompt
    if request.schema is not None and manner.form != "schema":
        shape = json.dumps(request.schema, ensure_ascii=False)
        prompt += f"\n\nAnswer with one JSON object and nothing else. It must fit this JSON Schema:\n{shape}"
    messages = [
        {"role": "system", "content": request.instructions},
        {"role": "user", "content": prompt},
    ]
    if not manner.system:
        messages = [{"role": "user", "content": f"{request.instructions}\n\n{prompt}"}]
    limit = request.max_output_tokens
    body: dict[str, Json] = {
        "model": model,
        "messages": messages,
        manner.limit_field: min(limit, manner.most) if manner.most else limit,
    }
    if request.temperature is not None and manner.temperature:
        body["temperature"] = request.temperature
    if request.schema is not None and manner.form == "schema":
        schema = {"name": "payload", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.schema is not None and manner.form == "object":
        body["response_format"] = {"type": "json_object"}
    return body


def read_answer(raw: bytes) -> Json:
    """The answer's JSON, or the one that a stream adds up to: some servers always stream. Raises ValueError."""
    text = raw.decode("utf-8-sig", "replace").strip()
    lines = [line for line in text.splitlines() if not line.startswith(":")]  # a keep-alive
    if not any(line.startswith("data:") for line in lines):
        return json_value("\n".join(lines))
    chunks = [
        json_value(line[5:])
        for line in lines
        if line.startswith("data:") and line[5:].strip() not in ("", "[DONE]")
    ]
    if not chunks:
        raise ValueError("an empty stream")
    whole: dict[str, Json] = {}
    message: dict[str, Json] = {"content": ""}
    reason = ""
    for chunk in chunks:
        whole |= {key: value for key, value in chunk.items() if value and key != "choices"}
        delta = shape_of(chunk, "choices", 0, "delta") or {}
        message["content"] += content_of(delta)
        for key in ("refusal", "reasoning_content", "reasoning"):
            if text_at(delta, key):
                message[key] = message.get(key, "") + text_at(delta, key)
        reason = text_at(chunk, "choices", 0, "finish_reason") or reason
    return {**whole, "choices": [{"message": message, "finish_reason": reason}]}


class Pieces:
    """Finds the text in a stream's lines as they arrive, wherever the network cuts them."""

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._rest = b""

    def take(self, piece: bytes) -> None:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            text = line.decode("utf-8", "replace").strip()
            if not text.startswith("data:") or text[5:].strip() in ("", "[DONE]"):
                continue
            try:
                chunk = json_value(text[5:])
            except ValueError:
                continue  # the whole answer is read again at the end, and refused there
            said = content_of(shape_of(chunk, "choices", 0, "delta") or {})
            if said:
                self._heard(said)


def reply_in(answer: Json, name: str) -> Reply:
    choice = shape_of(answer, "choices", 0)
    message = shape_of(choice, "message")
    if not isinstance(message, dict):
        message = {"content": text_at(choice, "text")} if text_at(choice, "text") else None
    if message is None:
        raise ServerFailed(
            f"{name} answered without a choice" + (f": {text_at(answer, 'error', 'message')}"[:300])
        )
    text = content_of(message)
    stop = _STOPS.get(text_at(choice, "finish_reason").casefold(), "end")
    if stop == "error":
        raise ServerFailed(f"{name} broke off its answer with an error")
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


def content_of(message: Json) -> str:
    """A message's text: a string, a list of parts, or the arguments of the tool that the model chose to call instead."""
    content = shape_of(message, "content")
    if isinstance(content, list):
        content = "".join(
            part
            if isinstance(part, str)
            else text_at(part, "text") or text_at(part, "text", "value")
            for part in content
            if not text_at(part, "type").startswith(("reasoning", "thinking"))
        )
    if isinstance(content, str) and content.strip():
        return content
    for place in (("tool_calls", 0, "function", "arguments"), ("function_call", "arguments")):
        found = shape_of(message, *place)
        if isinstance(found, dict):
            return json.dumps(found, ensure_ascii=False)
        if isinstance(found, str) and found.strip():
            return found
    return content if isinstance(content, str) else ""
