"""A record prepared for comparison, and what the records together say about how much a word or an attribute tells."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from kgraph.language.inflection import stem
from kgraph.language.lists import stop_words_of_questions
from kgraph.resolve import names, relations
from kgraph.resolve import vocabulary as known
from kgraph.resolve.names import Name
from kgraph.resolve.records import Record
from kgraph.tuples import NamedTuple


class Description(NamedTuple):
    """``content``: stems of the words that say something; ``dated``: (word beside it, number); ``specific``: fits one thing only."""

    folded: str
    content: frozenset[str]
    dated: frozenset[tuple[str, str]]
    numbers: frozenset[str]
    specific: bool
    declared: tuple[str, ...]


class Profile(NamedTuple):
    record: Record
    names: tuple[Name, ...]  # the shown name first
    description: Description
    attributes: Mapping[str, frozenset[str]]
    alias_keys: frozenset[str]
    name_stems: frozenset[str]


class Corpus(NamedTuple):
    """What all records say about words: ``name_counts`` in how many records' names, ``description_counts`` in how many descriptions.

    ``bearers``: how many unlike names have one and the same description.
    """

    size: int
    name_counts: Mapping[str, int]
    description_counts: Mapping[str, int]
    descriptions: int
    bearers: Mapping[str, int]
    neighbour_counts: Mapping[str, int]

    def name_weight(self, word: str) -> float:
        return math.log((self.size + 20) / (self.name_counts.get(word, 0) + 1))

    def telling_weight(self, word: str) -> float:
        """What a word of a description tells: little if very many things are described with it."""
        return self.description_weight(word) * (0.3 if word in GENERIC else 1.0)

    def description_weight(self, word: str) -> float:
        return math.log((self.descriptions + 20) / (self.description_counts.get(word, 0) + 1))


GENERIC = frozenset(stem(word) for word in known.GENERIC_WORDS)
_ALIASES_READ = 8  # more spellings than this add cost and nothing else
_DATED = re.compile(r"([^\W\d_]+)?\W*(?<![\w.])(\d+(?:\.\d+)*)(?![\w])(?:\W+([^\W\d_]+))?")
_LIFE = re.compile(r"\(\D*(\d{3,4})\s*[-–—]\s*(\d{3,4})\D*\)")
_CUE = re.compile(
    rf"\b(?:{known.ALIAS_CUES})\b[\s:,]*(?:the\s+)?[\"'“‘(]?([^,.;:()\"”’]{{2,60}})", re.IGNORECASE
)


def profile(record: Record) -> Profile:
    parsed = [names.parse(text) for text in (record.name, *record.aliases[:_ALIASES_READ])]
    unlike = tuple({(name.tokens, name.gloss): name for name in reversed(parsed)}.values())[::-1]
    stems = frozenset(stem(word) for name in unlike for word in name.tokens)
    keys = frozenset("".join(name.tokens) for name in parsed)
    return Profile(record, unlike, _describe(record.description), _attributes(record), keys, stems)


def corpus(profiles: Sequence[Profile]) -> Corpus:
    in_names: Counter[str] = Counter()
    in_descriptions: Counter[str] = Counter()
    bearers: dict[str, set[str]] = {}
    for one in profiles:
        in_names.update(
            {piece for name in one.names for token in name.core for piece in names.pieces(token)}
        )
        text = one.description.folded
        if text and text not in bearers:
            in_descriptions.update(one.description.content)
        if text:
            bearers.setdefault(text, set()).add(one.names[0].compact)
    counts = {text: len(names_of) for text, names_of in bearers.items()}
    near = Counter(neighbour for one in profiles for neighbour in one.record.neighbours)
    return Corpus(len(profiles), in_names, in_descriptions, len(bearers), counts, near)


def _describe(text: str) -> Description:
    if not text:
        return Description("", frozenset(), frozenset(), frozenset(), False, ())
    words = names.words(text)
    content = frozenset(content_words(words))
    dated = set()
    for before, number, after in _DATED.findall(text):
        for cue in (before, after):
            if cue and cue.lower() not in stop_words_of_questions():
                dated.add((cue.lower(), number))
    for born, died in _LIFE.findall(text):
        dated |= {("born", born), ("died", died)}
    numbers = frozenset(word for word in words if word.isdigit())
    declared = tuple("".join(names.parse(found.strip()).core) for found in _CUE.findall(text))
    return Description(
        " ".join(words),
        content,
        frozenset(dated),
        numbers,
        _is_specific(text, words, numbers),
        declared,
    )


def content_words(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        if word not in stop_words_of_questions():
            for piece in names.pieces(word):
                yield stem(piece)


def _is_specific(text: str, words: Sequence[str], numbers: frozenset[str]) -> bool:
    """Whether a description can hardly fit two things: it has two years, as a life has, or says what only one thing is of what it names."""
    if len(relations.years(numbers)) >= 2:
        return True
    if any(role in text for role in known.UNIQUE_ROLES if not role.isascii()):
        return True
    named = any(word[0].isupper() for word in text.split()[1:] if word[0].isalpha())
    return named and any(word in known.UNIQUE_ROLES for word in words)


def _attributes(record: Record) -> dict[str, frozenset[str]]:
    """Each attribute as a set of words; numbers as written in full, initials kept."""
    found = {}
    for key, value in record.attrs.items():
        if isinstance(value, bool) or value is None:
            continue
        parts = value if isinstance(value, list | tuple) else [value]
        words = frozenset(
            word
            for part in parts
            if isinstance(part, str | int | float)
            for word in names.words(_whole(str(part)))
        )
        if words:
            found[key] = words - known.LINKING_WORDS or words
    return found


def _whole(text: str) -> str:
    """A whole number as written by a table program, '1999.0', is 1999."""
    return _WHOLE.sub(r"\1", text)


_WHOLE = re.compile(r"^\s*(\d+)\.0+\s*$")
