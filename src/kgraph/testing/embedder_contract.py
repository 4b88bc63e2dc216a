"""What every embedding model keeps to. Subclass ``EmbedderContract`` in a test module, say how to make one, and pytest does the rest."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from kgraph.models.embedding import Embedder
from kgraph.models.failures import CallFailed

TEXTS = ("the harbour froze", "日本", "a", "the harbour froze", "é" * 2000)


class EmbedderContract:
    """Promises of ``kgraph.models.embedding.Embedder``."""

    def answering(self) -> AbstractContextManager[Embedder]:
        """An embedder that works."""
        raise NotImplementedError

    def failing(self) -> AbstractContextManager[Embedder] | None:
        """One of the same kind whose every call fails; None where it can't."""
        raise NotImplementedError

    @pytest.fixture
    def embedder(self) -> Iterator[Embedder]:
        with self.answering() as made:
            yield made

    def test_its_name_is_that_of_a_provider_and_a_model(self, embedder: Embedder) -> None:
        provider, slash, name = embedder.name.partition("/")
        assert provider and slash and name

    def test_each_text_has_one_vector_all_of_one_length(self, embedder: Embedder) -> None:
        found = embedder.embed(TEXTS)
        assert len(found) == len(TEXTS)
        assert len({len(vector) for vector in found}) == 1 and len(found[0]) > 0
        assert all(isinstance(vector, array) and vector.typecode == "f" for vector in found)
        assert all(math.isfinite(number) for vector in found for number in vector)

    def test_the_order_is_that_of_the_texts_however_many_there_are(
        self, embedder: Embedder
    ) -> None:
        texts = [f"text number {number}" for number in range(203)]
        whole = embedder.embed(texts)
        assert _near(whole[0], embedder.embed(texts[:1])[0]) and _near(
            whole[202], embedder.embed(texts[202:])[0]
        )

    def test_the_same_text_has_the_same_vector(self, embedder: Embedder) -> None:
        found = embedder.embed(TEXTS)
        assert _near(found[0], found[3]) and not _near(found[0], found[1])

    def test_no_texts_have_no_vectors(self, embedder: Embedder) -> None:
        assert embedder.embed([]) == []

    def test_a_call_that_comes_to_nothing_is_a_failure_of_a_known_kind(self) -> None:
        made = self.failing()
        if made is None:
            return
        with made as embedder, pytest.raises(CallFailed) as failure:
            embedder.embed(TEXTS)
        assert str(failure.value)

    def test_closing_may_be_done_twice(self, embedder: Embedder) -> None:
        embedder.close()
        embedder.close()


def _near(one: array[float], other: array[float]) -> bool:
    return len(one) == len(other) and all(
        math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-5) for a, b in zip(one, other, strict=True)
    )
