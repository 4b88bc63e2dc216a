"""Every provider's wire format, said well and badly, over a real socket on loopback."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kgraph.errors import UsageError
from kgraph.model import Reply, Usage
from kgraph.models import (
    CallFailed,
    CutOff,
    RateLimited,
    Refused,
    Request,
    ServerFailed,
    TooSlow,
    Unreachable,
    wire,
)
from kgraph.models.command import Command
from kgraph.models.failures import KeyRefused
from kgraph.models.gemini import dialect
from kgraph.models.patience import Patience, Persistent, wait_before
from kgraph.models.port import Model
from kgraph.models.prices import Price, price_of
from kgraph.models.providers import Place, open_model
from kgraph.models.scripted import Recorded, Recording, Scripted
from kgraph.models.secrets import Mask
from kgraph.models.wire import wait_in
from kgraph.testing.fake_providers import (
    Answer,
    Asked,
    Clock,
    CutOffAfter,
    Fail,
    FakeProvider,
    Raw,
    Say,
    Slow,
)

FORMATS = ("anthropic", "openai", "gemini", "ollama")
KEY = "sk-test-0123456789abcdef"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["nodes", "note"],
    "properties": {
        "nodes": {"type": "array", "items": {"type": "string"}},
        "note": {"type": ["string", "null"]},
    },
}
ASK = Request("You read.", "Read this.", SCHEMA, 500)
GOOD = '{"nodes": ["a"], "note": null}'


@contextmanager
def talking(
    wire_format: str, *answers: Answer, timeout_seconds: float = 5.0
) -> Iterator[tuple[Model, FakeProvider]]:
    def script(asked: Asked) -> Answer:
        return answers[min(asked.number, len(answers) - 1)]

    with FakeProvider(wire_format, script) as fake:
        environ = {
            "ANTHROPIC_API_KEY": KEY,
            "OPENAI_API_KEY": KEY,
            "GEMINI_API_KEY": KEY,
            "OLLAMA_API_KEY": KEY,
        }
        model = open_model(
            f"{wire_format}/m", Place(fake.base_url, environ, timeout_seconds, time.monotonic)
        )
        try:
            yield model, fake
        finally:
            model.close()


@pytest.mark.parametrize("wire_format", FORMATS)
def test_a_good_answer_is_the_payload_with_its_tokens(wire_format: str) -> None:
    with talking(wire_format, Say(GOOD, input_tokens=7, output_tokens=3)) as (model, _):
        reply = model.complete(ASK)
    assert json.loads(reply.text) == json.loads(GOOD)
    assert (reply.stop, reply.usage, reply.thinking_only) == ("end", Usage(7, 3), False)


@pytest.mark.parametrize("wire_format", FORMATS)
def test_the_request_carries_the_key_the_prompt_the_schema_and_the_limit(wire_format: str) -> None:
    with talking(wire_format, Say(GOOD)) as (model, fake):
        model.complete(ASK)
    asked = fake.asked[0]
    said = json.dumps(asked.body)
    assert "You read." in asked.text and "Read this." in asked.text
    assert KEY in "".join(asked.headers.values()) and KEY not in asked.path and KEY not in said
    assert '"nodes"' in said and "500" in said


@pytest.mark.parametrize("wire_format", FORMATS)
@pytest.mark.parametrize(("say", "stop", "hollow"), [
    (Say('{"nodes": [', stop="length"), "length", False),
    (Say("", stop="length", thinking="Hmm, let me see"), "length", True),
    (Say("", thinking="Hmm, let me see"), "end", True),
    (Say("Sure! Here it is:\n```json\n" + GOOD + "\n```"), "end", False),
])  # fmt: skip
def test_the_end_of_an_answer_is_told_from_its_cut_and_from_thinking_alone(
    wire_format: str, say: Say, stop: str, hollow: bool
) -> None:
    with talking(wire_format, say) as (model, _):
        reply = model.complete(ASK)
    assert (reply.text, reply.stop, reply.thinking_only) == (say.text, stop, hollow)


@pytest.mark.parametrize(("wire_format", "stop", "expected"), [
    ("anthropic", "refusal", "refusal"), ("openai", "refusal", "refusal"), ("openai", "filter", "filter"), ("gemini", "filter", "filter"),
    ("gemini", "refusal", "filter"),
])  # fmt: skip
def test_a_refusal_and_a_filter_are_seen(wire_format: str, stop: str, expected: str) -> None:
    with talking(wire_format, Say("I can't help with that.", stop=stop)) as (model, _):
        assert model.complete(ASK).stop == expected


@pytest.mark.parametrize("wire_format", FORMATS)
@pytest.mark.parametrize(("answer", "failure", "again"), [
    (Fail(429, "slow down", {"retry-after": "7"}), RateLimited, True),
    (Fail(500), ServerFailed, True), (Fail(529), ServerFailed, True), (Fail(408), ServerFailed, True),
    (CutOffAfter(Say(GOOD)), CutOff, True), (CutOffAfter(Say(GOOD), 0), CutOff, True),
    (Slow(3.0, Say(GOOD)), TooSlow, True),
    (Fail(400, "bad schema"), Refused, False), (Fail(401), KeyRefused, False), (Fail(404), KeyRefused, False),
    (Fail(302, headers={"location": "http://127.0.0.1:1/"}), KeyRefused, False),
    (Fail(429, "insufficient_quota: you have no credit left"), KeyRefused, False),
])  # fmt: skip
def test_each_way_of_failing_has_its_type(
    wire_format: str, answer: Answer, failure: type[CallFailed], again: bool
) -> None:
    with (
        talking(wire_format, answer, timeout_seconds=0.3) as (model, _),
        pytest.raises(failure) as raised,
    ):
        model.complete(ASK)
    assert raised.value.again is again
    assert raised.value.wait_seconds == (
        7.0 if isinstance(answer, Fail) and answer.headers.get("retry-after") else None
    )


def test_nobody_listening_is_unreachable() -> None:
    with talking("openai", Say(GOOD)) as (_, fake):
        address = fake.base_url
    with pytest.raises(Unreachable):
        open_model("openai/m", Place(address, {}, 1.0, time.monotonic)).complete(ASK)


@pytest.mark.parametrize("wire_format", FORMATS)
def test_an_error_never_shows_the_key_though_the_provider_repeats_it(wire_format: str) -> None:
    with (
        talking(wire_format, Fail(401, f"Incorrect API key provided: {KEY}")) as (model, _),
        pytest.raises(KeyRefused) as raised,
    ):
        model.complete(ASK)
    assert KEY not in raised.value.message + raised.value.hint + repr(raised.value.__cause__)
    assert "[masked]" in raised.value.message


@pytest.mark.parametrize("wire_format", FORMATS)
def test_an_answer_of_another_shape_is_the_servers_failure(wire_format: str) -> None:
    # What a gateway with the wrong route says: JSON, status 200, nobody's format.
    with talking(wire_format, Raw({"status": "fine"})) as (model, _), pytest.raises(ServerFailed):
        model.complete(ASK)


# -- trying again ------------------------------------------------------------------------------------------------------------------


DEFAULT = Patience()


def persistent(
    model: Model, clock: Clock, patience: Patience = DEFAULT, chance: float = 0.5
) -> Persistent:
    return Persistent(model, patience, clock, clock.sleep, lambda: chance)


def test_waits_double_and_the_last_failure_comes_out() -> None:
    clock = Clock()
    model = Scripted([ServerFailed("500")] * 9)
    with pytest.raises(ServerFailed) as raised:
        persistent(model, clock, Patience(tries=4, first_seconds=2.0)).complete(ASK)
    assert clock.slept == [1.5, 3.0, 6.0] and len(model.requests) == 4
    assert "tried 4 times" in raised.value.hint


def test_retry_after_is_waited_for_in_full() -> None:
    clock = Clock()
    reply = persistent(
        Scripted([RateLimited("429", wait_seconds=30.0), Reply(GOOD)]), clock, chance=0.0
    ).complete(ASK)
    assert reply.text == GOOD and clock.now >= 30.0


def test_after_a_rate_limit_every_caller_waits() -> None:
    clock = Clock()
    model = persistent(
        Scripted([RateLimited("429", wait_seconds=30.0), Reply(GOOD), Reply(GOOD)]),
        clock,
        chance=0.0,
    )
    model._close_gate(12.0)
    model.complete(ASK)
    assert clock.slept[0] == 12.0


def test_what_asking_again_cant_change_is_asked_once() -> None:
    clock = Clock()
    model = Scripted([Refused("400"), Reply(GOOD)])
    with pytest.raises(Refused):
        persistent(model, clock).complete(ASK)
    assert len(model.requests) == 1 and clock.slept == []


def test_a_wait_of_an_hour_isnt_waited_for() -> None:
    assert wait_before(1, RateLimited("429", wait_seconds=3600.0), Patience(), 0.0) is None


@pytest.mark.parametrize(("headers", "body", "seconds"), [
    ({"retry-after": "12"}, b"", 12.0), ({"retry-after": "0.5"}, b"", 0.5), ({"retry-after-ms": "250"}, b"", 0.25),
    ({"retry-after": "Wed, 11 Mar 2026 10:00:30 GMT", "date": "Wed, 11 Mar 2026 10:00:00 GMT"}, b"", 30.0),
    ({"retry-after": "soon"}, b"", None), ({"retry-after": "-3"}, b"", 0.0), ({}, b"not json", None),
    ({}, b'{"error": {"details": [{"@type": "x.RetryInfo", "retryDelay": "21s"}]}}', 21.0),
])  # fmt: skip
def test_how_long_a_provider_wants_to_be_left_alone(
    headers: dict[str, str], body: bytes, seconds: float | None
) -> None:
    assert wait_in(headers, body) == seconds


# -- names, keys, prices -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "base_url", "environ", "word"), [
    ("gpt-4o", "", {}, "provider/name"), ("acme/x", "", {}, "no provider"), ("openai/gpt-4o", "", {}, "OPENAI_API_KEY"),
    ("anthropic/c", "", {"OPENAI_API_KEY": KEY}, "ANTHROPIC_API_KEY"), ("openai/m", "ftp://x", {}, "web address"),
    ("openai/m", "", {"OPENAI_API_KEY": "sk-\u00fcmlaut"}, "characters"),
])  # fmt: skip
def test_a_model_that_cant_be_opened_says_why_before_anything_is_sent(
    name: str, base_url: str, environ: dict[str, str], word: str
) -> None:
    with pytest.raises(UsageError) as raised:
        open_model(name, Place(base_url, environ, 1.0, time.monotonic))
    assert word in raised.value.message + raised.value.hint
    assert "mlaut" not in raised.value.message + raised.value.hint


@pytest.mark.parametrize(("model", "price"), [
    ("anthropic/claude-sonnet-4-5-20250929", Price(3.0, 15.0)), ("openai/gpt-4o-mini", Price(0.15, 0.6)),
    ("openai/gpt-4o-2024-11-20", Price(2.5, 10.0)), ("openai/gpt-5-nano-2025-08-07", Price(0.05, 0.4)),
    ("ollama/anything", Price(0.0, 0.0)), ("openai/gpt-5-ultra", None), ("openai/local", None), ("anthropic/claude-sonnet-4-9", None),
])  # fmt: skip
def test_a_price_is_known_for_a_name_and_its_dated_versions_only(
    model: str, price: Price | None
) -> None:
    assert price_of(model) == price


def test_a_given_price_wins_and_a_wrong_one_is_refused() -> None:
    assert price_of("openai/gpt-4o", "1,2.5") == Price(1.0, 2.5)
    assert Price(3.0, 15.0).cost(Usage(1_000_000, 100_000)) == pytest.approx(4.5)
    for wrong in ("1", "1,2,3", "a,b", "-1,2", "nan,1", "inf,1"):
        with pytest.raises(UsageError):
            price_of("x/y", wrong)


def test_a_mask_hides_our_keys_and_what_looks_like_one() -> None:
    mask = Mask([KEY, "none"])
    assert KEY not in mask(f"key {KEY}!") and mask("none of it") == "none of it"
    assert mask("Authorization: Bearer abcdefghijkl") == "Authorization: Bearer [masked]"
    assert mask("sk-" + "ant-" + "a1B2" * 6) == "[masked]"


def test_geminis_dialect_says_nullable_and_leaves_free_keys_out() -> None:
    said = dialect(
        {
            **SCHEMA,
            "properties": {
                **SCHEMA["properties"],
                "kind": {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]},
            },
        }
    )
    assert "additionalProperties" not in json.dumps(said)
    assert said["properties"]["note"] == {"type": "string", "nullable": True}
    assert said["properties"]["kind"] == {"enum": ["a"], "type": "string", "nullable": True}


# -- programs and recordings -------------------------------------------------------------------------------------------------------

PYTHON = sys.executable


def program(code: str, timeout_seconds: float = 10.0) -> Command:
    import shlex

    return Command(shlex.join([PYTHON, "-S", "-c", code]), timeout_seconds, Mask([KEY]))


def test_a_program_reads_the_prompt_and_its_output_is_the_reply() -> None:
    reply = program(
        "import sys; t = sys.stdin.read(); print('You read.' in t and 'Read this.' in t and 'additionalProperties' in t)"
    )
    assert reply.complete(ASK).text.strip() == "True"


def test_a_program_that_fails_says_what_it_said_without_the_key() -> None:
    with pytest.raises(ServerFailed) as raised:
        program(f"import sys; sys.exit('no luck with {KEY}')").complete(ASK)
    assert "no luck" in raised.value.message and KEY not in raised.value.message


def test_a_program_that_hangs_is_ended() -> None:
    with pytest.raises(TooSlow):
        program("import time; time.sleep(60)", 0.3).complete(ASK)


def test_a_program_that_isnt_there_stops_the_whole_run() -> None:
    with pytest.raises(KeyRefused) as raised:
        Command("no-such-program-here -p", 1.0, Mask()).complete(ASK)
    assert raised.value.whole_run


def test_a_program_gets_no_shell() -> None:
    assert Command("echo a;b $HOME", 5.0, Mask()).complete(ASK).text == "a;b $HOME\n"


def test_a_recorded_run_is_played_again_and_nothing_else(tmp_path: object) -> None:
    recording = Recording(Scripted([Reply(GOOD, usage=Usage(3, 4))]), str(tmp_path))
    first = recording.complete(ASK)
    assert Recorded(str(tmp_path)).complete(ASK) == first
    with pytest.raises(KeyRefused):
        Recorded(str(tmp_path)).complete(ASK._replace(prompt="another"))


@pytest.mark.parametrize(
    ("wire_format", "ending"),
    [("anthropic", "/v1"), ("anthropic", "/v1/"), ("gemini", "/v1beta"), ("ollama", "/api")],
)
def test_an_address_may_end_in_what_our_paths_begin_with(wire_format: str, ending: str) -> None:
    with FakeProvider(wire_format, lambda asked: Say(GOOD)) as fake:
        model = open_model(
            f"{wire_format}/m", Place(fake.base_url + ending, {}, 5.0, time.monotonic)
        )
        assert model.complete(ASK).stop == "end"
        model.close()
    assert fake.asked[0].path.count(ending.strip("/")) == 1


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "gzip", "deflate, gzip"])
def test_an_answer_unpacks_to_no_more_than_is_allowed(
    monkeypatch: pytest.MonkeyPatch, coding: str
) -> None:
    import gzip
    import tracemalloc

    httpx = pytest.importorskip("httpx")
    monkeypatch.setattr(wire, "MAX_BYTES", 1_000_000)
    packed = gzip.compress(gzip.compress(bytes(3 * wire.MAX_BYTES)))
    body = gzip.compress(bytes(2 * wire.MAX_BYTES)) if coding == "gzip" else packed

    def answer(_: object) -> object:
        headers = {"content-encoding": coding}
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(body))

    line = wire.Wire(wire.Address("http://127.0.0.1:9", {}), 60.0, time.monotonic, Mask())
    line._client = httpx.Client(transport=httpx.MockTransport(answer))
    tracemalloc.start()
    with pytest.raises(ServerFailed):
        line.get("/x")
    assert tracemalloc.get_traced_memory()[1] < 3 * wire.MAX_BYTES
    tracemalloc.stop()


def test_a_packed_answer_is_read() -> None:
    import gzip

    httpx = pytest.importorskip("httpx")

    def answer(request: Any) -> object:
        assert request.headers["accept-encoding"] == "gzip"
        headers = {"content-encoding": "gzip"}
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(gzip.compress(b"[1]")))

    line = wire.Wire(wire.Address("http://127.0.0.1:9", {}), 60.0, time.monotonic, Mask())
    line._client = httpx.Client(
        transport=httpx.MockTransport(answer), headers={"accept-encoding": "gzip"}
    )
    assert line.get("/x") == [1]
