"""What words say: content words, and names that are statements, boilerplate or measured values. English where it needs a language."""

from __future__ import annotations

import re
from functools import cache

from kgraph.language.inflection import finite_forms, is_past
from kgraph.language.lists import stop_words
from kgraph.language.tokens import compounds
from kgraph.ontology import NODE_TYPES

_LONGEST = 40  # characters; no word that matters is longer


TYPE_WORDS = frozenset(
    word for kind in NODE_TYPES.values() for word in (kind.name.lower(), *kind.words)
)
_BOILERPLATE = (
    "all rights reserved",
    "permission is hereby granted",
    "licensed under the apache license",
    "licensed under the mit license",
    'is provided "as is"',
    "without warranty of any kind",
    "warranties or conditions of any kind",
    "you may obtain a copy of the license",
    "you may not use this file except",
    "spdx-license-identifier",
    "redistribution and use in source and binary forms",
    "this program is free software",
    "all notable changes to this project",
    "keep a changelog",
    "adheres to semantic versioning",
    "table of contents",
    "back to top",
    "skip to content",
    "skip to main content",
    "click here",
    "edit this page",
    "previous page",
    "next page",
    "accept cookies",
    "cookie policy",
    "terms of service",
    "privacy policy",
)
_COPYRIGHT = r"(?:copyright|\(c\)|\u00a9)\s*(?:\(c\)|\u00a9)?\s*[0-9]{4}"
_VALUE = (
    r"[=:<>\u2248~]\s*[-+]?[0-9]|\b(?:is|was|of|at|to)\s+[-+]?[0-9]|(?<![\w.])[-+]?[0-9][0-9.,]*\s?"
    r"(?:%|percent|[mnµ\u03bcu]?s|sec(?:onds?)?|min(?:utes?)?|hours?|days?|[kKMGT]i?B(?:/s)?|bytes|[kMG]?Hz|rps|qps|req/s|/s|euros?|usd|eur|ms)(?!\w)"
)
_MARKS_OF_WORDS = ".,;:!?\"'`\u2018\u2019\u201c\u201d()[]*_"
_PUNCTUATION = str.maketrans(dict.fromkeys(_MARKS_OF_WORDS, " "))
# every phrase of boilerplate holds one of these with spaces around it, so most statements need no further look
_MARKS = frozenset(
    (
        "rights hereby licensed provided warranty conditions obtain except spdx-license-identifier: redistribution program notable keep "
        "semantic table back skip click edit previous next accept cookie terms privacy copyright (c) \u00a9"
    ).split()
)
_ARTICLES = frozenset(("a", "an", "the", "that"))


@cache
def _pattern(expression: str) -> re.Pattern[str]:
    """Compiled when first used: compiling costs more than the start of a command that needs none."""
    return re.compile(expression)


def content_words(text: str) -> set[str]:
    """The words that say something, in lower case."""
    return {found[0] for found in compounds(text.lower())} - stop_words()


@cache
def _empty_words() -> frozenset[str]:
    return stop_words() | TYPE_WORDS


def only_repeats(description: str, folded_name: str) -> bool:
    """Whether a description holds no word beyond those of the name, type words and stop words."""
    empty = _empty_words()
    last = description[-_LONGEST:].rpartition(" ")[2].lower()
    if last not in folded_name and last.isalnum() and last not in empty and len(last) < _LONGEST:
        return False  # one new word is enough, and most descriptions end with one
    own: set[str] | None = None
    for found in compounds(description):
        word = found[0].lower()
        if word in empty:
            continue
        if word not in folded_name:
            return False
        if own is None:
            own = {each[0] for each in compounds(folded_name)}
        if word not in own:
            return False
    return True


def is_statement(name: str) -> bool:
    """Whether the name of a thing reads as a sentence: three words or more, and a verb in lower case that isn't the first word."""
    words = name.split()
    if len(words) < 3 or words[0] in finite_forms():
        return False
    return any(_is_verb(words, at) for at in range(1, len(words)))


def _is_verb(words: list[str], at: int) -> bool:
    """Whether a word is the verb of a sentence. A past before a noun is an adjective: 'a purpose built server'."""
    word = words[at]
    if word in finite_forms():
        return True
    following = words[at + 1] if at + 1 < len(words) else "."
    return is_past(word) and (
        following in stop_words()
        or not following[0].isalpha()
        or (following[0].isupper() and words[at - 1][0].isupper())
    )


def is_boilerplate(folded: str) -> bool:
    """Whether a folded statement is licence header, navigation or changelog scaffolding."""
    if _MARKS.isdisjoint(folded.split()):
        return False
    return (
        any(phrase in folded for phrase in _BOILERPLATE)
        or _pattern(_COPYRIGHT).match(folded) is not None
    )


def is_measured_value(name: str) -> bool:
    """Whether the name of a quantity holds a measurement of it."""
    return _pattern(_VALUE).search(name) is not None


def last_word(folded: str) -> str:
    """The last word of a folded statement without punctuation: statements of one gist have one."""
    return folded[-_LONGEST:].rpartition(" ")[2].strip(_MARKS_OF_WORDS)


def gist(folded: str) -> str:
    """A folded statement without articles and punctuation: two that have one gist say the same."""
    return " ".join(
        [word for word in folded.translate(_PUNCTUATION).split() if word not in _ARTICLES]
    )
