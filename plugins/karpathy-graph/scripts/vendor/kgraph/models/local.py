"""Vectors without a network: wordllama, whose model comes in its wheel."""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgraph.errors import MissingExtra

if TYPE_CHECKING:
    from wordllama import WordLlamaInference

    from kgraph.models.embedding import Vector

NAME = "local/wordllama"


class WordLlama:
    """Raises MissingExtra where it isn't installed."""

    name = NAME

    def __init__(self) -> None:
        try:
            import wordllama
        except ImportError:
            raise MissingExtra("making vectors on this machine", "embed") from None
        # By itself it looks for its model in the user's cache and then on the network; it lies in the package.
        folder = os.path.dirname(wordllama.__file__)
        self._model: WordLlamaInference = wordllama.WordLlama.load(
            cache_dir=folder, disable_download=True
        )

    def embed(self, texts: Sequence[str]) -> list[Vector[float]]:
        if not texts:
            return []
        rows = self._model.embed(list(texts))
        return [array("f", row.astype("f4").tobytes()) for row in rows]

    def close(self) -> None:
        return None
