"""A record prepared for comparison, and what the records together say about how much a word or an attribute tells."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from kgraph.language.folding import fold_accents
from kgraph.language.inflection import stem
from kgraph.language.lists import stop_words_of_questions
from kgraph.resolve import names
from kgraph.resolve import vocabulary as known
from kgraph.resolve.names import Name
from kgraph.resolve.records import Record
from kgraph.tuples import NamedTuple


class Description(NamedTuple):
    """``content``: stems of the words that say something; ``dated``: (word beside it, number); ``declared``: other names it gives."""

    folded: str
    content: frozenset[str]
    dated: frozenset[tuple[str, str]]
    declared: tuple[str, ...]


class Profile(NamedTuple):
    """``identifiers``: addresses and numbers that are given to one thing only; ``spellings``: names and aliases, folded."""

    record: Record
    names: tuple[Name, ...]  # the shown name first
    description: Description
    attributes: Mapping[str, frozenset[str]]
    spellings: frozenset[str]
    name_stems: frozenset[str]
    identifiers: frozenset[str]


class Corpus(NamedTuple):
    """What all records say about words: ``name_counts`` in how many records' names, ``description_counts`` in how many descriptions.

    ``bearers``: how many unlike names have one and the same description. ``spelt``: how many records have a spelling as name or alias.
    ``keyed``: the qualifiers are keys of rows in a table, each another one, and so tell nothing.
    """

    size: int
    name_counts: Mapping[str, int]
    description_counts: Mapping[str, int]
    descriptions: int
    bearers: Mapping[str, int]
    neighbour_counts: Mapping[str, int]
    spelt: Mapping[str, int]
    identified: Mapping[str, int]
    keyed: bool

    def name_weight(self, word: str) -> float:
        return math.log((self.size + 20) / (self.name_counts.get(word, 0) + 1))

    def description_weight(self, word: str) -> float:
        return math.log((self.descriptions + 20) / (self.description_counts.get(word, 0) + 1))


_ALIASES_READ = 8  # more spellings than this add cost and nothing else
_KEYS_AT_LEAST = 10  # records, before their qualifiers are taken for a column of keys
_DATED = re.compile(r"([^\W\d_]+)?\W*(?<![\w.])(\d+(?:\.\d+)*)(?![\w])(?:\W+([^\W\d_]+))?")
_LIFE = re.compile(r"\(\D*(\d{3,4})\s*[-–—]\s*(\d{3,4})\D*\)")
_CUE = re.compile(
    rf"(?:^|[,;(]\s*)(?:{known.ALIAS_CUES})\s+(?:the\s+)?[\"'“‘]?([^,.;:()\"”’]{{2,60}})",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ORCID = re.compile(r"\d{4}-\d{4}-\d{4}-\d{3}[\dX]")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_URL = re.compile(r"https?://\S+")


def profile(record: Record) -> Profile:
    parsed = [names.parse(text) for text in (record.name, *record.aliases[:_ALIASES_READ])]
    unlike = tuple({(name.tokens, name.gloss): name for name in reversed(parsed)}.values())[::-1]
    stems = frozenset(stem(word) for name in unlike for word in name.tokens)
    spellings = frozenset(" ".join(fold_accents(name.text).split()) for name in parsed)
    return Profile(
        record, unlike, _describe(record.description), _attributes(record), spellings, stems, _identifiers(record)
    )  # fmt: skip


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
    return Corpus(
        len(profiles),
        in_names,
        in_descriptions,
        len(bearers),
        {text: len(names_of) for text, names_of in bearers.items()},
        Counter(near for one in profiles for near in one.record.neighbours),
        Counter(spelling for one in profiles for spelling in one.spellings),
        Counter(identifier for one in profiles for identifier in one.identifiers),
        _keyed([one.record.qualifier for one in profiles if one.record.qualifier]),
    )


def _keyed(qualifiers: Sequence[str]) -> bool:
    """Whether the qualifiers are the keys of a table's rows: many, each another one, nearly all with digits, and all of few shapes."""
    if len(qualifiers) < _KEYS_AT_LEAST:
        return all(qualifier.strip().isdigit() for qualifier in qualifiers)
    if len(set(qualifiers)) < len(qualifiers):
        return False
    numbered = [
        re.sub(r"\d+", "0", qualifier) for qualifier in qualifiers if re.search(r"\d", qualifier)
    ]
    return len(numbered) >= 0.8 * len(qualifiers) and len(set(numbered)) <= len(qualifiers) // 2


def _identifiers(record: Record) -> frozenset[str]:
    """Mail addresses, ORCIDs, DOIs and web addresses, each with its kind before it: ``mail:…``."""
    found = set()
    values = [value for value in record.attrs.values() if isinstance(value, str)]
    for text in (record.name, *record.aliases, *values):
        text = text.strip()
        for kind, pattern in (("mail", _MAIL), ("orcid", _ORCID), ("doi", _DOI), ("url", _URL)):
            match = pattern.search(text)
            if match:
                whole = match.group().rstrip("/.,;)").lower()
                found.add(f"{kind}:{re.sub(r'^https?://(www[.])?', '', whole)}")
                break
    return frozenset(found)


def _describe(text: str) -> Description:
    if not text:
        return Description("", frozenset(), frozenset(), ())
    words = names.words(text)
    dated = set()
    for before, number, after in _DATED.findall(text):
        for cue in (before, after):
            if cue and cue.lower() not in stop_words_of_questions():
                dated.add((cue.lower(), number))
    for born, died in _LIFE.findall(text):
        dated |= {("born", born), ("died", died)}
    declared = tuple(" ".join(fold_accents(found).split()) for found in _CUE.findall(text))
    return Description(" ".join(words), frozenset(content_words(words)), frozenset(dated), declared)


def content_words(words: Iterable[str]) -> Iterable[str]:
    for word in words:
        if word not in stop_words_of_questions():
            for piece in names.pieces(word):
                yield stem(piece)


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
