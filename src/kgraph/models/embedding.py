"""What an embedding model is to kgraph: texts go in, for each a row of numbers comes out. The models that speak HTTP are here."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from typing import Protocol

from kgraph.model import Json
from kgraph.models.failures import CallFailed, ServerFailed
from kgraph.models.patience import Patience, wait_before
from kgraph.models.wire import Wire, shape_of

AT_ONCE = 96  # texts in one request
LONGEST = 1e18  # of a vector: the squares of its numbers still have room in 32 bits

Vector = array  # of 'f': 32-bit numbers


class Embedder(Protocol):
    """``name`` is ``provider/model``. ``embed`` gives one vector a text, in order, all of one length, the same for the same text.

    It raises ``CallFailed`` and nothing else.
    """

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> list[Vector[float]]: ...

    def close(self) -> None: ...


class RemoteEmbedder:
    """An OpenAI-compatible endpoint, or Ollama's own. ``rows_in`` finds the vectors in an answer."""

    def __init__(
        self, name: str, wire: Wire, path: str, rows_in: Callable[[Json], list[Json]]
    ) -> None:
        self._name = name
        self._wire = wire
        self._path = path
        self._rows_in = rows_in

    @property
    def name(self) -> str:
        return self._name

    def embed(self, texts: Sequence[str]) -> list[Vector[float]]:
        model = self._name.partition("/")[2]
        found: list[Vector[float]] = []
        for at in range(0, len(texts), AT_ONCE):
            some = list(texts[at : at + AT_ONCE])
            rows = self._rows_in(self._wire.post(self._path, {"model": model, "input": some}))
            if len(rows) != len(some):
                raise ServerFailed(f"{self._name} gave {len(rows)} vectors for {len(some)} texts")
            found += [self._vector(row) for row in rows]
        if len({len(vector) for vector in found}) > 1:
            raise ServerFailed(f"{self._name} gave vectors of different lengths")
        return found

    def _vector(self, row: Json) -> Vector[float]:
        refusal = ServerFailed(f"{self._name} gave something that is no vector of numbers")
        if (
            not isinstance(row, list)
            or not row
            or not all(isinstance(one, int | float) for one in row)
        ):
            raise refusal
        try:
            vector = array("f", row)
        except OverflowError:  # an integer beyond all floats
            raise refusal from None
        if not math.hypot(*vector) <= LONGEST:
            raise refusal
        return vector

    def close(self) -> None:
        self._wire.close()


def openai_rows(answer: Json) -> list[Json]:
    """In the order of their ``index``, where they have one."""
    data = shape_of(answer, "data")
    rows = [row for row in data if isinstance(row, dict)] if isinstance(data, list) else []
    places = [row.get("index") for row in rows]
    if sorted(place for place in places if isinstance(place, int)) == list(range(len(rows))):
        rows.sort(key=lambda row: int(row["index"]))
    return [row.get("embedding") for row in rows]


def ollama_rows(answer: Json) -> list[Json]:
    rows = shape_of(answer, "embeddings")
    return rows if isinstance(rows, list) else []


class PersistentEmbedder:
    """An embedder that tries again."""

    def __init__(
        self,
        embedder: Embedder,
        patience: Patience,
        sleep: Callable[[float], None],
        chance: Callable[[], float],
    ) -> None:
        self._embedder = embedder
        self._patience = patience
        self._sleep = sleep
        self._chance = chance

    @property
    def name(self) -> str:
        return self._embedder.name

    def embed(self, texts: Sequence[str]) -> list[Vector[float]]:
        attempt = 1
        while True:
            try:
                return self._embedder.embed(texts)
            except CallFailed as failure:
                seconds = wait_before(attempt, failure, self._patience, self._chance())
                if seconds is None:
                    raise
                self._sleep(seconds)
                attempt += 1

    def close(self) -> None:
        self._embedder.close()
