"""The same statement in another voice or order, in languages whose closed classes tell the roles: German by case, Japanese by particles."""

from __future__ import annotations

from collections.abc import Mapping

from kgraph.support import german, japanese
from kgraph.support.reading import language_of


def reworded(asked: str, known: str, names: Mapping[str, frozenset[int]]) -> bool:
    """Whether two sentences of one language say the same. False where that can't be told."""
    if any("\u3040" <= char <= "\u30ff" for char in asked):
        return japanese.same(asked, known, names)
    if language_of(asked) == "de":
        return german.same(asked, known, names)
    return False
