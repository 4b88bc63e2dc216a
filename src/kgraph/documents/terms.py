"""The terms of a unit: what each is called, how else the text spells it, and where sentences speak of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from kgraph.documents.tokens import Sentence, tokens_of
from kgraph.language.folding import fold_hyphens
from kgraph.language.scripts import is_unspaced
from kgraph.tuples import NamedTuple

_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f]")
_SPACE = re.compile(r"\s+")

# How far a kind of mark is to be trusted as a term: the subject of the document most, a recurring word least.
STRENGTH = {
    "subject": 9, "field": 8, "acronym": 7, "defined": 7, "person": 6, "link": 6, "strong": 5, "code": 5, "quoted": 4, "name": 4,
    "reference": 4,
    "version": 4, "emphasis": 3, "keyterm": 1,
}  # fmt: skip


class Term:
    """A thing that the text names. ``surfaces`` are the spellings met, ``hidden`` ones find it in the text without being its names."""

    def __init__(self) -> None:
        self.surfaces: Counter[str] = Counter()
        self.hidden: set[str] = set()
        self.kinds: Counter[str] = Counter()
        self.strength = 0
        self.preferred = ""
        self.description = ""
        self.qualifier = ""
        self.first = -1
        self.uncertain = (
            False  # whether its first word may only be a verb or an adverb that opened a sentence
        )
        self.target = ""
        self.keys: list[str] = []
        self.sort = ""  # kind of the Entity, where the document's structure says it

    @property
    def name(self) -> str:
        if self.preferred:
            return self.preferred
        return max(
            self.surfaces, key=lambda surface: (self.surfaces[surface], len(surface), surface)
        )

    def note(self, kind: str) -> None:
        """Let the term be of this kind too."""
        self.kinds[kind] += 1
        self.strength = max(self.strength, STRENGTH[kind])


_Choice = tuple[
    tuple[str, ...], Term, bool
]  # the words of a spelling, whose it is, and whether signs part them


class Mention(NamedTuple):
    """A term in a sentence; places are the document's."""

    term: Term
    start: int
    end: int


def is_allowed(surface: str) -> bool:
    """Whether a name may bear this spelling: short, on one line, with at least one letter or digit, nothing that reorders text."""
    return 0 < len(surface) <= 120 and (
        surface.isalnum() or (_FORBIDDEN.search(surface) is None and any(map(str.isalnum, surface)))
    )


class Glossary:
    """All terms of a unit, by every spelling."""

    def __init__(self) -> None:
        self._by_key: dict[str, Term] = {}
        self._terms: dict[int, Term] = {}

    @property
    def terms(self) -> list[Term]:
        return list(self._terms.values())

    def add(self, surface: str, kind: str, place: int = -1, count: int = 1) -> Term | None:
        """The term with this spelling, made if there is none; None where the spelling can't be a name."""
        surface = _SPACE.sub(" ", surface).strip()
        if not is_allowed(surface):
            return None
        key = fold_hyphens(surface)
        term = self._by_key.get(key)
        if term is None:
            term = Term()
            self._terms[id(term)] = term
            self._own(term, key)
        term.surfaces[surface] += count
        term.note(kind)
        if place >= 0 and (term.first < 0 or place < term.first):
            term.first = place
        return term

    def find(self, surface: str) -> Term | None:
        return self._by_key.get(fold_hyphens(surface))

    def alias(self, term: Term, surface: str) -> Term:
        """Let ``surface`` be another name of ``term``; a term that had it becomes part of this one."""
        surface = _SPACE.sub(" ", surface).strip()
        if not is_allowed(surface):
            return term
        other = self._by_key.get(fold_hyphens(surface))
        if other is not None and other is not term:
            self._absorb(term, other)
        term.surfaces[surface] += 0 if surface in term.surfaces else 1
        self._own(term, fold_hyphens(surface))
        return term

    def hide(self, term: Term, surface: str) -> None:
        """Let ``surface`` find ``term`` in this text, if it names nothing else, without being an alias that the graph would keep."""
        if is_allowed(surface) and fold_hyphens(surface) not in self._by_key:
            term.hidden.add(surface)
            self._own(term, fold_hyphens(surface))

    def shorten(self, term: Term, short: Term) -> None:
        """Let what was a term of its own be a short form of ``term`` in this text: found, but no alias."""
        for surface in short.surfaces:
            term.hidden.add(surface)
        short.surfaces.clear()
        self._absorb(term, short)

    def remove(self, term: Term) -> None:
        for key in term.keys:
            del self._by_key[key]
        del self._terms[id(term)]

    def _own(self, term: Term, key: str) -> None:
        if self._by_key.get(key) is not term:
            self._by_key[key] = term
            term.keys.append(key)

    def _absorb(self, term: Term, other: Term) -> None:
        term.surfaces.update(other.surfaces)
        term.hidden |= other.hidden
        term.kinds.update(other.kinds)
        term.strength = max(term.strength, other.strength)
        term.description = term.description or other.description
        term.preferred = term.preferred or other.preferred
        term.uncertain = term.uncertain and other.uncertain
        term.target = term.target or other.target
        term.sort = term.sort or other.sort
        if other.first >= 0 and (term.first < 0 or other.first < term.first):
            term.first = other.first
        for key in other.keys:
            self._own(term, key)
        del self._terms[id(other)]

    def finder(self) -> Finder:
        return Finder(self._by_key.items())


class Finder:
    """Finds all terms in a sentence in one pass over its words, the longest spelling first."""

    def __init__(self, keys: Iterable[tuple[str, Term]]) -> None:
        self._starts: dict[str, list[_Choice]] = {}
        self._unspaced: dict[str, list[tuple[str, Term]]] = {}
        self._split: dict[str, list[str]] = {}  # words with signs in them, taken apart
        for key, term in keys:
            if is_unspaced(key):
                self._unspaced.setdefault(key[:2], []).append((key, term))
                continue
            words = tuple(_key_words(key))
            if words:
                self._starts.setdefault(words[0], []).append(
                    (words, term, _PARTING.search(key) is not None)
                )
        for choices in self._starts.values():
            choices.sort(key=lambda choice: -len(choice[0]))
        for wide in self._unspaced.values():
            wide.sort(key=lambda choice: -len(choice[0]))

    def mentions(self, sentence: Sentence) -> list[Mention]:
        """The terms of a sentence in order, no two in one place."""
        words: list[tuple[str, int, int]] = []
        for token in sentence.tokens:
            low = token.lower
            if low.isascii() and low.isalnum():
                words.append((low, token.start, token.end))
            else:
                split = self._split.get(token.text)
                if split is None:
                    split = self._split[token.text] = _key_words(fold_hyphens(token.text))
                words += [(word, token.start, token.end) for word in split]
        found: list[Mention] = []
        at = 0
        while at < len(words):
            choices = self._starts.get(words[at][0])
            choice = self._longest(sentence, words, at, choices) if choices is not None else None
            if choice is None:
                at += 1
                continue
            length, term = choice
            found.append(Mention(term, words[at][1], words[at + length - 1][2]))
            at += length
        if self._unspaced:
            found += self._unspaced_mentions(sentence, found)
            found.sort(key=lambda mention: mention.start)
        return found

    def _longest(
        self, sentence: Sentence, words: list[tuple[str, int, int]], at: int, choices: list[_Choice]
    ) -> tuple[int, Term] | None:
        for choice, term, parted in choices:
            if len(choice) == 1:
                return 1, term
            if at + len(choice) <= len(words) and all(
                words[at + offset][0] == word for offset, word in enumerate(choice)
            ):
                between = sentence.text[
                    words[at][1] - sentence.start : words[at + len(choice) - 1][2] - sentence.start
                ]
                if parted or not _PARTING.search(between):
                    return len(choice), term
        return None

    def _unspaced_mentions(self, sentence: Sentence, taken: list[Mention]) -> list[Mention]:
        text = (
            sentence.text.casefold()
            if sentence.text.casefold() != sentence.text
            and len(sentence.text.casefold()) == len(sentence.text)
            else sentence.text
        )
        found: list[Mention] = []
        at, last = 0, len(text) - 1
        while at < last:
            for key, term in self._unspaced.get(text[at : at + 2], ()):
                start = sentence.start + at
                if text.startswith(key, at) and not any(
                    other.start < start + len(key) and start < other.end for other in taken
                ):
                    found.append(Mention(term, start, start + len(key)))
                    at += len(key) - 1
                    break
            at += 1
        return found


_PARTING = re.compile(r"[,;:()\[\]|\"“”]")


def _key_words(key: str) -> list[str]:
    words = key.replace("-", " ")
    if words.isascii() and words.replace(" ", "").isalnum():
        return words.split()
    return [token.lower for token in tokens_of(words)]
