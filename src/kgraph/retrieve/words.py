"""The words of a question: which carry meaning, and how the full-text index is asked for them."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.language.lists import stop_words_of_questions
from kgraph.language.tokens import pairs, words_of

MOST_WORDS = 32


def content_words(text: str) -> list[str]:
    """Without stop words; each once, the first thirty-two."""
    empty = stop_words_of_questions()
    return [word for word in dict.fromkeys(words_of(text)) if word not in empty][:MOST_WORDS]


def is_empty(words: Sequence[str]) -> bool:
    """Whether all words of a name are stop words: 'The Who'."""
    return stop_words_of_questions().issuperset(words)


def match_expression(words: Sequence[str]) -> str:
    """An expression of the full-text index that any of the words satisfies; '' for none."""
    return " OR ".join(dict.fromkeys(f'"{part}"' for word in words for part in pairs(word)))
