"""What every language model keeps to. Subclass ``ModelContract`` in a test module, say how to make one, and pytest does the rest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from kgraph.model import Reply
from kgraph.models import CallFailed
from kgraph.models.port import Model, Request

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["nodes"],
    "properties": {"nodes": {"type": "array", "items": {"type": "string"}}},
}
ANSWER = '{"nodes": ["a", "\u00e9", "\u4e16"]}'
STOPS = ("end", "length", "refusal", "filter")


def asking(prompt: str = "Read this.") -> Request:
    return Request("You read.", prompt, SCHEMA, 500)


class ModelContract:
    """Promises of ``kgraph.models.port.Model``."""

    def answering(self) -> AbstractContextManager[Model]:
        """A model that answers ``ANSWER`` to each request that ``asking`` makes with the prompts 'Read this.' and '0' to '7'."""
        raise NotImplementedError

    def failing(self) -> AbstractContextManager[Model]:
        """A model of the same kind whose every call fails."""
        raise NotImplementedError

    @pytest.fixture
    def model(self) -> Iterator[Model]:
        with self.answering() as made:
            yield made

    def test_its_name_is_that_of_a_provider_and_a_model(self, model: Model) -> None:
        provider, slash, name = model.name.partition("/")
        assert provider and slash and name

    def test_an_answer_is_given_back_to_the_letter(self, model: Model) -> None:
        reply = model.complete(asking())
        assert isinstance(reply, Reply)
        assert reply.text.strip() == ANSWER
        assert reply.stop in STOPS and reply.stop == "end"
        assert not reply.thinking_only

    def test_what_was_used_is_never_less_than_nothing(self, model: Model) -> None:
        assert min(model.complete(asking()).usage) >= 0

    def test_several_threads_may_ask_at_once(self, model: Model) -> None:
        replies: dict[int, str] = {}

        def ask(number: int) -> None:
            replies[number] = model.complete(asking(str(number))).text.strip()

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert replies == dict.fromkeys(range(8), ANSWER)

    def test_a_call_that_comes_to_nothing_is_a_failure_of_a_known_kind(self) -> None:
        with self.failing() as model, pytest.raises(CallFailed) as failure:
            model.complete(asking())
        assert str(failure.value)

    def test_closing_may_be_done_twice(self, model: Model) -> None:
        model.close()
        model.close()
