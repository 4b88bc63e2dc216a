"""Trivial rivals, scored on the same items in the same run: a figure says something only beside one.

BM25 is Okapi's (Robertson et al.) with its usual constants, over paragraphs; its words are cut by ``words``.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from kgraph.evaluate.estimates import SEED
from kgraph.language.lists import stop_words_of_questions
from kgraph.language.scripts import is_paired
from kgraph.language.tokens import words_of
from kgraph.tuples import NamedTuple

K1, B = 1.2, 0.75


class Passage(NamedTuple):
    """A paragraph of a Source. ``source`` is the Source's uri, or its name where it has none."""

    source: str
    text: str


def words(text: str) -> list[str]:
    """Words as BM25 compares them: folded, function words left out, plural endings off; scripts without spaces in pairs."""
    found = []
    for word in words_of(text):
        if word in stop_words_of_questions():
            continue
        if is_paired(word[0]):
            found += [word[at : at + 2] for at in range(len(word) - 1)] or [word]
        else:
            found.append(word[:-1] if len(word) > 3 and word[-1] == "s" != word[-2] else word)
    return found


class BM25:
    """Paragraphs ranked by the words of a question."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for place, passage in enumerate(passages):
            counts = Counter(words(passage.text))
            self._lengths.append(sum(counts.values()))
            for word, count in counts.items():
                self._postings[word].append((place, count))
        self._average = sum(self._lengths) / max(1, len(self._lengths)) or 1.0

    def rank(self, question: str, limit: int) -> list[tuple[Passage, float]]:
        """The best paragraphs with their scores, best first; those that share no word are left out."""
        scores: dict[int, float] = defaultdict(float)
        for word in words(question):
            postings = self._postings.get(word, ())
            rarity = math.log(
                1 + (len(self.passages) - len(postings) + 0.5) / (len(postings) + 0.5)
            )
            for place, count in postings:
                length = K1 * (1 - B + B * self._lengths[place] / self._average)
                scores[place] += rarity * count * (K1 + 1) / (count + length)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        return [(self.passages[place], scores[place]) for place in best]

    def sources(self, question: str, limit: int) -> list[str]:
        """Sources in the order of their best paragraphs."""
        ranked = (passage.source for passage, _ in self.rank(question, len(self.passages)))
        return list(dict.fromkeys(ranked))[:limit]


def paragraphs(text: str) -> list[str]:
    """A text at its blank lines."""
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]


def sentences(text: str) -> list[str]:
    """Rough sentences, for sampling: ends of lines that end a paragraph, and full stops before white space."""
    flat = [" ".join(part.split()) for part in paragraphs(text)]
    return [one for part in flat for one in re.split(r"(?<=[.!?])\s+", part) if one]


def random_sentences(text: str, count: int) -> list[str]:
    """As many sentences as were asked for, or all; always the same ones of a text."""
    found = sentences(text)
    return random.Random(SEED).sample(found, min(count, len(found)))


def overlap(claim: str, text: str) -> float:
    """The share of a claim's content words that a text holds, whatever it says with them."""
    wanted = set(words(claim))
    return len(wanted & set(words(text))) / len(wanted) if wanted else 0.0


def majority(labels: Iterable[str]) -> float:
    """What saying the commonest label always would reach."""
    counts = Counter(labels)
    return max(counts.values()) / sum(counts.values()) if counts else 0.0


def equal_names(names: Mapping[str, str]) -> dict[str, str]:
    """Clusters by folded name alone: {item: cluster}."""
    from kgraph.ontology import fold

    return {item: fold(name) for item, name in names.items()}
