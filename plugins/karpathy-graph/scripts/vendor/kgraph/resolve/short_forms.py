"""Short forms that one thing alone can be meant by: 'dana' beside 'Dana Okafor', 'label svc' beside 'label service'.

A name whose words all stand in the name of exactly one other record, or that differs from it in abbreviated words only. Where two could
be meant, neither is proposed. So a record gets one more partner at most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgraph.resolve import vocabulary as known
from kgraph.resolve.names import Name
from kgraph.resolve.profiles import Profile

_SHORTEST, _LONGEST = (
    3,
    6,
)  # words of the short form and of the full one, at most: longer names are titles
_LOOKED_AT = 12  # records that share a word; one that more have says too little
_ABBREVIATION = 4  # letters at most
_VOWELS = frozenset("aeiouy")


def short_forms(profiles: Sequence[Profile]) -> list[tuple[int, int]]:
    """Pairs of positions, each once, ascending."""
    by_word: dict[tuple[str, str], set[int]] = defaultdict(set)
    for at, one in enumerate(profiles):
        for name in one.names:
            for word in _handles(name):
                by_word[(one.record.type, word)].add(at)
    pairs: set[tuple[int, int]] = set()
    for at, one in enumerate(profiles):
        for name in one.names:
            meant = {
                other
                for other in _near(name, one.record.type, by_word)
                if other != at and _may_mean(name, profiles[other])
            }
            if len(meant) == 1:
                other = meant.pop()
                pairs.add((min(at, other), max(at, other)))
    return sorted(pairs)


def _handles(name: Name) -> Iterator[str]:
    """What a full name is found by: its words, and for abbreviations the first letters of them."""
    if _is_code(name) or len(name.core) > _LONGEST:
        return
    yield from name.core
    yield from {"." + word[0] for word in name.core}


def _near(name: Name, kind: str, by_word: dict[tuple[str, str], set[int]]) -> set[int]:
    """The records that share the rarest word of a short form or, where it is nothing but abbreviations, a first letter."""
    if _is_code(name) or len(name.core) > _SHORTEST:
        return set()
    whole = [word for word in name.core if not _abbreviates(word)]
    found = [
        by_word.get((kind, word), set()) for word in whole or ["." + word[0] for word in name.core]
    ]
    rarest = min(found, key=len)
    return rarest if len(rarest) <= _LOOKED_AT else set()


def _may_mean(short: Name, full: Profile) -> bool:
    return any(
        _is_short_for(short, name)
        for name in full.names
        if not _is_code(name) and len(name.core) <= _LONGEST
    )


def _is_short_for(short: Name, full: Name) -> bool:
    words, others = set(short.core), set(full.core)
    if words < others:
        return any(word not in known.TYPE_WORDS and not word.isdigit() for word in words)
    rest, left = words - others, others - words
    if not rest or len(rest) != len(left) or len(short.core) != len(full.core):
        return False
    return all(any(_stands_for(word, other) for other in left) for word in rest)


def _abbreviates(word: str) -> bool:
    return 2 <= len(word) <= _ABBREVIATION and word.isalpha() and not _VOWELS & set(word)


def _stands_for(word: str, other: str) -> bool:
    """Whether it is the beginning letter and some of the consonants of a longer word, in their order."""
    if not _abbreviates(word) or len(other) < len(word) + 2 or word[0] != other[0]:
        return False
    letters = iter(other)
    return all(letter in letters for letter in word)


def _is_code(name: Name) -> bool:
    """A path or a dotted name: its parts are places, not words of a name."""
    return any(mark in name.text for mark in ("/", "_", "::")) or any(
        "." in word.strip(".") for word in name.text.split()
    )
