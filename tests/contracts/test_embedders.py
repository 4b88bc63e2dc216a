"""Every embedder keeps to the contract of embedders: the one of this machine, and each wire format on loopback."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from kgraph.errors import UsageError
from kgraph.models.embedding import Embedder, PersistentEmbedder
from kgraph.models.failures import CallFailed, ServerFailed
from kgraph.models.patience import Patience
from kgraph.models.providers import Place, open_embedder
from kgraph.testing.embedder_contract import EmbedderContract
from kgraph.testing.fake_providers import Asked, Clock, Fail, FakeProvider, Raw, Script, embedded


def place(base_url: str = "") -> Place:
    return Place(base_url, {"OPENAI_API_KEY": "sk-test-0123456789abcdef"}, 10.0, time.monotonic)


@contextmanager
def talking(name: str, script: Script) -> Iterator[Embedder]:
    with FakeProvider(name.partition("/")[0], script) as fake:
        made = open_embedder(name, place(fake.base_url))
        yield made
        made.close()


class TestLocal(EmbedderContract):
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("wordllama")

    @contextmanager
    def answering(self) -> Iterator[Embedder]:
        yield open_embedder("local/wordllama", place())

    def failing(self) -> None:
        return None


class TestOpenAI(EmbedderContract):
    def answering(self) -> AbstractContextManager[Embedder]:
        return talking("openai/m", embedded)

    def failing(self) -> AbstractContextManager[Embedder]:
        return talking("openai/m", lambda _: Fail(500))


class TestOllama(EmbedderContract):
    def answering(self) -> AbstractContextManager[Embedder]:
        return talking("ollama/m", embedded)

    def failing(self) -> AbstractContextManager[Embedder]:
        return talking("ollama/m", lambda _: Fail(500))


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"data": []},
        {"data": [{"embedding": [1.0]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": []}]},
        {"data": [{"embedding": [1.0]}, {"embedding": ["x"]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [1e999]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [1e300]}]},
        {"data": [{"embedding": [1.0]}, {"embedding": [10**400]}]},
        {"data": [{"embedding": [1.0]}, None]},
        [],
    ],
)
def test_an_answer_that_is_not_one_vector_a_text_is_refused(body: object) -> None:
    with talking("openai/m", lambda _: Raw(body)) as embedder, pytest.raises(ServerFailed):
        embedder.embed(["one", "two"])


def test_a_model_that_makes_no_vectors_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError) as refusal:
        open_embedder("anthropic/m", place())
    assert "local/wordllama" in refusal.value.hint and "ollama/MODEL" in refusal.value.hint


def test_a_busy_provider_is_asked_again() -> None:
    clock = Clock()

    def script(asked: Asked) -> Fail | Raw:
        return Fail(429) if asked.number == 0 else embedded(asked)

    with talking("openai/m", script) as embedder:
        lasting = PersistentEmbedder(embedder, Patience(), clock.sleep, lambda: 0.5)
        assert len(lasting.embed(["one"])) == 1 and clock.slept
        assert lasting.name == "openai/m"


def test_a_provider_that_will_not_is_not_asked_again() -> None:
    clock = Clock()
    with talking("openai/m", lambda _: Fail(400)) as embedder, pytest.raises(CallFailed):
        PersistentEmbedder(embedder, Patience(), clock.sleep, lambda: 0.5).embed(["one"])
    assert not clock.slept
