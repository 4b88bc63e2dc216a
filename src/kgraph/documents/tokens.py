"""Sentences as words with their places, and the language that they are in."""

from __future__ import annotations

import re
from collections import Counter

from kgraph.documents.lexicon import AUXILIARIES, FUNCTION, LANGUAGE_WORDS, VERB_FORMS
from kgraph.documents.passages import Passage
from kgraph.language.sentences import split
from kgraph.language.tokens import compounds
from kgraph.tuples import NamedTuple

_TITLES = frozenset(
    ("St", "Dr", "Mr", "Mrs", "Ms", "Prof", "Mt", "Gen", "Col", "Lt", "Sgt", "Rev", "Capt")
)
_POSSESSIVE = ("'s", "’s")
_HANGUL = re.compile("[\uac00-\ud7af]")
_KANA = re.compile("[\u3040-\u30ff]")
_SCRIPTS = (
    ("ko", _HANGUL), ("ja", _KANA), ("zh", re.compile("[\u4e00-\u9fff]")), ("ru", re.compile("[\u0400-\u04ff]")),
    ("fa", re.compile("[\u067e\u0686\u06af\u06a9\u06cc]")), ("ar", re.compile("[\u0600-\u06ff]")), ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u0590-\u05ff]")), ("th", re.compile("[\u0e00-\u0e7f]")), ("hi", re.compile("[\u0900-\u097f]")),
)  # fmt: skip


LONGEST = 4000  # characters of a sentence beyond which it is no sentence but a list, a table or an attack: only its words are read


class Token(NamedTuple):
    """A word of a sentence. ``text`` is without a possessive ending; ``start`` and ``end`` are places in the document."""

    start: int
    end: int
    text: str
    lower: str
    joined: bool  # only white space stands between it and the word before


class Sentence(NamedTuple):
    """A sentence: its place in the document, its masked text, its words."""

    start: int
    end: int
    text: str
    tokens: tuple[Token, ...]
    passage: Passage


def sentences_of(passage: Passage, language: str) -> list[Sentence]:
    """The sentences of a passage. Places of tokens are the document's."""
    found: list[Sentence] = []
    for start, end in split(passage.text, language):
        text = passage.text[start:end]
        found.append(
            Sentence(
                passage.start + start,
                passage.start + end,
                text,
                tokens_of(text, passage.start + start),
                passage,
            )
        )
    return found


def tokens_of(text: str, base: int = 0) -> tuple[Token, ...]:
    """The words of a masked text that begins at ``base``."""
    tokens: list[Token] = []
    before = -1
    endings = "'s" if text.isascii() else _POSSESSIVE
    add, token = tokens.append, Token
    for found in compounds(text):
        start, end = found.span()
        word = text[start:end]
        gap = text[before:start] if before >= 0 else ""
        joined = (
            gap == " "
            or gap == "- "
            or (
                gap != ""
                and (gap.isspace() or (gap[0] == "." and _abbreviated(tokens[-1].text, gap)))
            )
        )
        before = end
        if word.endswith(endings):
            word, end = word[:-2], end - 2
        add(token(base + start, base + end, word, word.lower(), joined))
    return tuple(tokens)


def _abbreviated(word: str, gap: str) -> bool:
    """Whether the full stop after a word is part of a name: an initial, 'St.', 'Dr.'."""
    return (gap == "." or gap[1:].isspace()) and (
        (word[-2:-1] in (".", "") and word[-1:].isupper()) or word in _TITLES
    )


def language_of(passages: list[Passage]) -> str:
    """Two letters for the language of most of the prose, by its script and its commonest words; 'und' where neither says."""
    sample: list[str] = []
    size = 0
    for passage in passages:
        sample.append(passage.text[:1000])
        size += len(sample[-1])
        if size > 20_000:
            break
    text = " ".join(sample)
    letters = sum(map(str.isalpha, text)) or 1
    for language, script in _SCRIPTS if not text.isascii() else ():
        share = len(script.findall(text)) / letters
        if share > (0.02 if language in ("ja", "fa") else 0.12):
            return language
    spelt = re.findall(r"[^\W\d_]+", text)
    words = [word.lower() for word in spelt]
    if len(words) < 4:
        return "en" if len(words) == 3 and _is_plain(text) and _sounds_english(spelt, {}) else "und"
    counts = Counter(words)
    scores: dict[str, float] = {}
    for language, common in LANGUAGE_WORDS.items():
        met = [counts[word] for word in common if word in counts]
        scores[language] = sum(met) / len(words) if len(met) > 2 or len(words) < 30 else 0.0
    best = max(scores, key=lambda language: scores[language])
    if scores[best] < 0.06:
        return (
            "en"
            if len(words) < 60
            and _is_plain(text)
            and (scores["en"] > 0 or _sounds_english(spelt, scores))
            else "und"
        )
    return best


def _is_plain(text: str) -> bool:
    """Whether all its letters are those of ASCII."""
    return text.isascii() or not any(
        character.isalpha() for character in text if character > "\x7f"
    )


def _sounds_english(words: list[str], scores: dict[str, float]) -> bool:
    """Whether a line without any of the commonest words is English by its others: 'Load Balancer requires Token Vault'."""
    plain = [word for word in words if word.islower() and len(word) > 2]
    known = sum(word in FUNCTION or word in AUXILIARIES or word in VERB_FORMS for word in plain)
    return not any(scores.values()) and 0 < len(plain) <= 4 * known
