"""Every model keeps to the contract of models: those without a network, programs, and each provider's wire format on loopback."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from kgraph.model import Reply, Usage
from kgraph.models.command import Command
from kgraph.models.failures import ServerFailed
from kgraph.models.port import Model
from kgraph.models.providers import Place, open_model
from kgraph.models.scripted import Recorded, Recording, Scripted
from kgraph.models.secrets import Mask
from kgraph.testing.fake_providers import Answer, Fail, FakeProvider, Say
from kgraph.testing.model_contract import ANSWER, ModelContract, asking

KEYS = dict.fromkeys(
    ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OLLAMA_API_KEY"),
    "sk-test-0123456789abcdef",
)


@contextmanager
def closed_after(model: Model) -> Iterator[Model]:
    yield model
    model.close()


class TestScripted(ModelContract):
    def answering(self) -> AbstractContextManager[Model]:
        return closed_after(Scripted(lambda _: Reply(ANSWER)))

    def failing(self) -> AbstractContextManager[Model]:
        return closed_after(Scripted(lambda _: ServerFailed("no")))


class TestRecorded(ModelContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = str(tmp_path)

    def answering(self) -> AbstractContextManager[Model]:
        recording = Recording(Scripted(lambda _: Reply(ANSWER, usage=Usage(3, 4))), self._folder)
        for prompt in ("Read this.", *map(str, range(8))):
            recording.complete(asking(prompt))
        return closed_after(Recorded(self._folder))

    def failing(self) -> AbstractContextManager[Model]:
        return closed_after(Recorded(self._folder))


class TestCommand(ModelContract):
    @pytest.fixture(autouse=True)
    def program(self, tmp_path: Path) -> None:
        answer = tmp_path / "answer.json"
        answer.write_text(ANSWER, encoding="utf-8")
        self._answer = str(answer)

    def answering(self) -> AbstractContextManager[Model]:
        return closed_after(Command(f"cat '{self._answer}'", 20.0, Mask()))

    def failing(self) -> AbstractContextManager[Model]:
        return closed_after(
            Command(f"'{sys.executable}' -S -c 'raise SystemExit(3)'", 20.0, Mask())
        )


class ProviderContract(ModelContract):
    """A provider's client against a server of its wire format."""

    wire_format = ""

    def answering(self) -> AbstractContextManager[Model]:
        return self._talking(Say(ANSWER))

    def failing(self) -> AbstractContextManager[Model]:
        return self._talking(Fail(500))

    @contextmanager
    def _talking(self, answer: Answer) -> Iterator[Model]:
        with FakeProvider(self.wire_format, lambda _: answer) as fake:
            model = open_model(
                f"{self.wire_format}/m", Place(fake.base_url, KEYS, 10.0, time.monotonic)
            )
            yield model
            model.close()


class TestAnthropic(ProviderContract):
    wire_format = "anthropic"


class TestOpenAI(ProviderContract):
    wire_format = "openai"


class TestGemini(ProviderContract):
    wire_format = "gemini"


class TestOllama(ProviderContract):
    wire_format = "ollama"
