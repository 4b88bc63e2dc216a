"""Endpoints that speak OpenAI's API each in a way of its own: one server, a table of behaviours."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from kgraph.errors import UsageError
from kgraph.model import Reply, Usage
from kgraph.models import CallFailed, RateLimited, Refused, Request, ServerFailed
from kgraph.models.failures import KeyRefused, TooLong
from kgraph.models.providers import PROVIDERS, Place, models_of, open_model
from kgraph.testing.fake_providers import (
    Answer,
    Asked,
    Fail,
    FakeProvider,
    Listing,
    Raw,
    Say,
    Stream,
)

GOOD = '{"nodes": ["a"]}'
ASK = Request("You read.", "Read this.", {"type": "object"}, 500, 0.0)


def message(**fields: Any) -> Raw:
    return Raw({"choices": [{"message": {"role": "assistant", **fields}, "finish_reason": "stop"}]})


def refuses(field: str, words: str, status: int = 400) -> Callable[[Asked], Answer]:
    """An endpoint that refuses requests with a field, in its own words."""
    return lambda asked: Fail(status, words) if field in asked.body else Say(GOOD)


def knows_objects_only(asked: Asked) -> Answer:
    form = asked.body.get("response_format", {}).get("type")
    return (
        Fail(400, "response_format.type must be json_object")
        if form == "json_schema"
        else Say(GOOD)
    )


def has_no_system_role(asked: Asked) -> Answer:
    roles = [turn["role"] for turn in asked.body["messages"]]
    return Fail(400, "System role not supported") if "system" in roles else Say(GOOD)


def writes_little(asked: Asked) -> Answer:
    limit = asked.body.get("max_completion_tokens", asked.body.get("max_tokens"))
    return (
        Fail(400, "max_tokens is too large: 500. This model supports at most 256 tokens.")
        if limit > 256
        else Say(GOOD)
    )


def lives_below_v1(asked: Asked) -> Answer:
    return Say(GOOD) if asked.path.startswith("/v1/") else Fail(404, "Not Found")


TOOL = {"type": "function", "function": {"name": "payload", "arguments": GOOD}}
ANSWERS: dict[str, tuple[Callable[[Asked], Answer], int]] = {  # and how often it is asked, twice over
    "as the book says": (lambda asked: Say(GOOD), 2),
    "refuses response_format by name": (refuses("response_format", "Unsupported parameter: response_format"), 4),
    "refuses the schema in other words": (refuses("response_format", "This model does not support structured outputs"), 4),
    "refuses with a server's error": (refuses("response_format", "failed to parse grammar", 500), 4),
    "refuses without saying why": (refuses("response_format", "Bad Request", 422), 3),
    "takes json_object only": (knows_objects_only, 3),
    "knows max_completion_tokens only": (refuses("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."), 3),
    "refuses max_tokens without saying why": (refuses("max_completion_tokens", "extra fields not permitted", 422), 2),
    "has a low output limit": (writes_little, 3),
    "takes no temperature": (refuses("temperature", "Unsupported value: 'temperature' does not support 0.0"), 3),
    "has no system role": (has_no_system_role, 3),
    "lives below /v1": (lives_below_v1, 3),
    "content as parts": (lambda asked: message(content=[{"type": "text", "text": GOOD[:5]}, {"type": "text", "text": GOOD[5:]}]), 2),
    "payload in a tool call": (lambda asked: message(content=None, tool_calls=[TOOL]), 2),
    "payload in an old function call": (lambda asked: message(content="", function_call={"arguments": GOOD}), 2),
    "a completion's text": (lambda asked: Raw({"choices": [{"text": GOOD, "finish_reason": "stop"}]}), 2),
    "always streams": (lambda asked: Stream([GOOD[:4], GOOD[4:]]), 2),
}  # fmt: skip


@pytest.mark.parametrize("behaviour", ANSWERS)
def test_an_endpoint_is_asked_in_the_way_that_it_takes_and_that_is_remembered(
    behaviour: str,
) -> None:
    script, calls = ANSWERS[behaviour]
    with FakeProvider("openai", script) as fake:
        base = (
            fake.base_url.removesuffix("/v1") if behaviour == "lives below /v1" else fake.base_url
        )
        model = open_model("openai/m", Place(base, {}, 5.0, time.monotonic))
        replies = [model.complete(ASK) for _ in range(2)]
        model.close()
    assert [json.loads(reply.text) for reply in replies] == [{"nodes": ["a"]}] * 2
    assert len(fake.asked) <= calls + 2 and fake.asked[-1].body == fake.asked[-2].body or calls > 3


FAILURES: dict[str, tuple[Answer, type[CallFailed]]] = {
    "context, OpenAI's words": (Fail(400, "This model's maximum context length is 8192 tokens"), TooLong),
    "context, llama.cpp's words": (Fail(400, "the request exceeds the available context size, try increasing it"), TooLong),
    "context, vLLM's words": (Fail(400, "prompt is too long: 9000 tokens > max_model_len 8192"), TooLong),
    "context, by status": (Fail(413, "Payload Too Large"), TooLong),
    "a gateway's 429 inside a 200": (Raw({"error": {"code": 429, "message": "rate limited upstream"}}), RateLimited),
    "a gateway's 502 inside a 200": (Raw({"error": {"code": 502, "message": "upstream is down"}}), ServerFailed),
    "an error in the choice": (Raw({"choices": [{"error": {"code": 500, "message": "x"}, "message": {"content": ""}}]}), ServerFailed),
    "a model that isn't there": (Fail(404, "The model 'm' does not exist"), KeyRefused),
    "a refusal of all there is": (Fail(400, "no"), Refused),
}  # fmt: skip


@pytest.mark.parametrize("behaviour", FAILURES)
def test_what_asking_otherwise_cant_mend_is_told_by_kind(behaviour: str) -> None:
    answer, failure = FAILURES[behaviour]
    with FakeProvider("openai", lambda asked: answer) as fake:
        model = open_model("openai/m", Place(fake.base_url, {}, 5.0, time.monotonic))
        with pytest.raises(failure):
            model.complete(ASK)
        model.close()
    assert len(fake.asked) <= 6


def test_a_filter_that_answers_400_is_a_refusal() -> None:
    with FakeProvider(
        "openai",
        lambda asked: Fail(400, "content_filter: the prompt triggered content management policy"),
    ) as fake:
        assert (
            open_model("openai/m", Place(fake.base_url, {}, 5.0, time.monotonic)).complete(ASK).stop
            == "filter"
        )


def test_usage_and_the_end_of_a_stream_are_told() -> None:
    with FakeProvider("openai", lambda asked: Stream(["half an ans"], "length")) as fake:
        reply = open_model("openai/m", Place(fake.base_url, {}, 5.0, time.monotonic)).complete(ASK)
    assert reply == Reply("half an ans", "length", Usage(100, 50), "fake")


def test_services_are_known_by_name_with_their_own_key_and_address() -> None:
    for name in ("groq", "openrouter", "mistral", "azure"):
        with FakeProvider("openai", lambda asked: Say(GOOD)) as fake:
            environ = {
                f"{name.upper()}_API_KEY": "k-secret-1",
                "AZURE_OPENAI_API_KEY": "k-secret-1",
            }
            place = Place(
                fake.base_url.removesuffix("/v1") if name == "azure" else fake.base_url,
                environ,
                5.0,
                time.monotonic,
            )
            assert open_model(f"{name}/m", place).complete(ASK).stop == "end"
        assert "k-secret-1" in "".join(fake.asked[0].headers.values())
    assert fake.asked[0].path == "/openai/v1/chat/completions"
    with pytest.raises(UsageError, match="where is azure"):
        open_model("azure/m", Place("", {"AZURE_OPENAI_API_KEY": "k"}, 5.0, time.monotonic))


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini", "ollama"])
def test_the_models_of_a_provider_are_listed(name: str) -> None:
    key, called, shown = (*PROVIDERS[name].listing[1:], "models/b" if name == "gemini" else "b")
    with FakeProvider(
        name, lambda asked: Say(GOOD), Listing({key: [{called: shown}, {called: "a"}]})
    ) as fake:
        listed = models_of(name, Place(fake.base_url, {}, 5.0, time.monotonic))
    assert listed == [f"{name}/a", f"{name}/b"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_litellm_speaks_for_providers_that_sign_in_a_way_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if find_spec("litellm") is None:
        pytest.skip("litellm is not installed")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    with FakeProvider(
        "openai",
        lambda asked: (
            Say(GOOD)
            if asked.number == 0
            else Fail(400, "This model's maximum context length is 10 tokens")
        ),
    ) as fake:
        place = Place(fake.base_url, {}, 10.0, time.monotonic)
        model = open_model("litellm/openai/m", place)
        assert model.name == "litellm/openai/m"
        assert json.loads(model.complete(ASK).text) == {"nodes": ["a"]}
        with pytest.raises(TooLong):
            model.complete(ASK)
