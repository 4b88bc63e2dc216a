"""Which records to compare at all, in nearly linear time.

Each record gets keys; records that share a key meet, the rarer the key the better. A key that too many share is left out, since it tells
nothing and would cost the square of them; its rarer combinations are there instead. For each record the best few partners are kept.

Some things are written down a hundred times, and then the best few of each record are not all of it. What other records leave of their
share goes to such pairs, as long as much speaks for them.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgraph.language.scripts import is_ideographic
from kgraph.resolve import names
from kgraph.resolve import vocabulary as known
from kgraph.resolve.names import Name
from kgraph.resolve.profiles import Corpus, Profile
from kgraph.resolve.records import Options

# What meeting under a key is worth. One weak key alone (a neighbour, a section) makes no candidate; two do.
_STRONG, _WORD, _WEAK = 1.0, 0.6, 0.3
_LEAST = 0.5
_SURE = 2.0  # two strong keys, or one and several words: worth a place beyond the best few
_VISITS = 1_500_000  # meetings of two under one kind of key that any number of records may cost
_FILLED = (
    60_000  # places for names that are only alike, over all records: with more records, fewer each
)
_LARGEST = 150  # members of a block, where there are few records in all

Key = tuple[str, str]


def block(profiles: Sequence[Profile], corpus: Corpus, options: Options) -> list[tuple[int, int]]:
    """Pairs of positions, each once, ascending; no more than ``pairs_each`` a record, all records taken together."""
    size = len(profiles)
    most = max(options.block_size, min(_LARGEST, _VISITS // max(1, size)))
    keys = _keys(profiles, corpus, most)
    blocks: dict[Key, list[int]] = defaultdict(list)
    for at, found in enumerate(keys):
        for key in found:
            blocks[key].append(at)
    fill = _FILLED // max(1, size)
    alike = _Grams(profiles if fill else (), most)
    pairs: set[int] = set()
    others: dict[int, float] = {}
    for at, found in enumerate(keys):
        worth: dict[int, float] = {}
        for key, value in found.items():
            members = blocks[key]
            if len(members) == 1:
                continue
            near = _around(members, at, most)
            gain = value * (0.5 + 0.5 / math.log2(1 + len(members)))
            for other in near:
                worth[other] = worth.get(other, 0.0) + gain
        worth.pop(at, None)
        ranked = heapq.nsmallest(
            options.pairs_each,
            ((-value, other) for other, value in worth.items() if value >= _LEAST),
        )
        chosen = {other for _, other in ranked}
        chosen.update(alike.nearest(at, chosen, min(options.pairs_each, fill) - len(chosen)))
        pairs.update(_number(at, other, size) for other in chosen)
        others.update(
            (_number(at, other, size), value)
            for other, value in worth.items()
            if value >= _SURE and other not in chosen
        )
    left = max(0, options.pairs_each * size - len(pairs))
    spare = heapq.nsmallest(
        left, ((-value, pair) for pair, value in others.items() if pair not in pairs)
    )
    pairs.update(pair for _, pair in spare)
    return [divmod(pair, size) for pair in sorted(pairs)]


class _Grams:
    """Names by their trigrams, rare ones counting more: who is nearest where no key is shared, as after a slip or in a short form."""

    def __init__(self, profiles: Sequence[Profile], most: int) -> None:
        texts = [f"  {' '.join(one.names[0].tokens)} " for one in profiles]
        self._kinds = [one.record.type for one in profiles]
        self._grams = [{text[at : at + 3] for at in range(len(text) - 2)} for text in texts]
        self._holders: dict[str, list[int]] = defaultdict(list)
        for at, grams in enumerate(self._grams):
            for gram in sorted(grams):
                self._holders[gram].append(at)
        self._weight = {
            gram: math.log(1 + len(texts) / len(at)) for gram, at in self._holders.items()
        }
        self._most = most
        self._length = [
            math.sqrt(sum(self._weight[gram] ** 2 for gram in grams)) or 1.0
            for grams in self._grams
        ]

    def nearest(self, at: int, known: set[int], count: int) -> list[int]:
        if count <= 0:
            return []
        near: dict[int, float] = defaultdict(float)
        for gram in sorted(self._grams[at]):
            holders = self._holders[gram]
            if len(holders) <= self._most:
                for other in holders:
                    near[other] += self._weight[gram] ** 2
        ranked = sorted(
            (-worth / self._length[other], other)
            for other, worth in near.items()
            if other != at and other not in known and self._kinds[other] == self._kinds[at]
        )
        return [other for _, other in ranked[:count]]


def _number(one: int, two: int, size: int) -> int:
    """A pair of positions as one number."""
    return min(one, two) * size + max(one, two)


def _around(members: list[int], at: int, most: int) -> list[int]:
    """All of a small block; of a large one (many records of one name) those that follow, so that they hang together as a chain."""
    if len(members) <= most:
        return members
    place = members.index(at) if len(members) < 200 else _find(members, at)
    return members[place + 1 : place + 1 + most // 4]


def _find(members: list[int], at: int) -> int:
    import bisect

    return bisect.bisect_left(members, at)


def _keys(profiles: Sequence[Profile], corpus: Corpus, most: int) -> list[dict[Key, float]]:
    similar = _similar_words(corpus)
    known_names = {name.compact for one in profiles for name in one.names}
    common = _Common(profiles, most)
    found = []
    for one in profiles:
        keys: dict[Key, float] = {}
        kind = one.record.type
        for name in one.names:
            for key, value in _name_keys(name, corpus, similar, most):
                keys[(kind, key)] = max(value, keys.get((kind, key), 0.0))
        for key, value in _context_keys(one, corpus, known_names, common):
            keys[(kind, key)] = max(value, keys.get((kind, key), 0.0))
        found.append(keys)
    return found


def _name_keys(
    name: Name, corpus: Corpus, similar: dict[str, str], most: int
) -> Iterator[tuple[str, float]]:
    yield "=" + name.compact, _STRONG
    if name.tokens != name.core:
        yield "=" + "".join(name.tokens), _STRONG
    yield "~" + similar.get("=" + name.compact, name.compact), _STRONG
    if len(name.core) > 1:
        yield "o" + " ".join(sorted(name.core)), _STRONG
    for code in name.codes:
        yield "=" + code, _STRONG
    for initials in name.initials:
        yield "a" + initials, _WORD
    if name.is_acronym:
        yield "a" + name.core[0], _WORD
    for word in name.gloss:
        yield ("a" + word if word in name.initials else "=" + word), _WORD
    if len(name.core) <= 2:
        sounded = names.sound(name.compact)
        if len(sounded) > 1:
            yield "s" + sounded, _WORD
            yield "z" + sounded[:3], _WEAK
    yield from _word_keys(name, corpus, similar, most)


def _word_keys(
    name: Name, corpus: Corpus, similar: dict[str, str], most: int
) -> Iterator[tuple[str, float]]:
    words = sorted(
        {piece for token in name.core for piece in names.pieces(token)},
        key=lambda word: (corpus.name_counts.get(word, 0), word),
    )
    for word in words:
        if corpus.name_counts.get(word, 0) <= most and len(word) > 1:
            yield "w" + word, _WORD
        if word in similar:
            yield "~" + similar[word], _WORD
    rare = [similar.get(word, word) for word in words if word not in known.LINKING_WORDS][:4]
    for at, one in enumerate(rare):
        for two in rare[at + 1 :]:
            yield f"p{min(one, two)} {max(one, two)}", _WORD


def _similar_words(corpus: Corpus) -> dict[str, str]:
    """Words that are one letter from another one, and what stands for the group: deletion neighbourhoods over the vocabulary."""
    by_deletion: dict[str, str] = {}
    parent: dict[str, str] = {}
    for word in sorted(corpus.name_counts, key=lambda word: (-corpus.name_counts[word], word)):
        if not 5 <= len(word) <= 24 or any(char.isdigit() for char in word) or is_ideographic(word):
            continue
        first = ""
        for at in range(1, len(word)):
            shorter = word[:at] + word[at + 1 :]
            seen = by_deletion.setdefault(shorter, word)
            if seen != word and not first:
                first = seen
        seen = by_deletion.setdefault(word, word)
        first = first or (seen if seen != word else "")
        if first:
            parent[word] = parent.get(first, first)
            parent.setdefault(first, first)
    return parent


class _Common:
    """How often a neighbour, section, description or attribute word occurs, to leave out what is too common to block by."""

    def __init__(self, profiles: Sequence[Profile], most: int) -> None:
        self._counts: dict[str, int] = defaultdict(int)
        self._most = most // 2
        for one in profiles:
            for key in self.keys(one):
                self._counts[key] += 1

    def keys(self, one: Profile) -> Iterator[str]:
        for neighbour in one.record.neighbours:
            yield "n" + neighbour
        for section in one.record.sections:
            yield "@" + section
        for words in one.attributes.values():
            for word in words:
                if len(word) > 2:
                    yield "t" + word

    def rare(self, one: Profile) -> list[str]:
        kept = [key for key in self.keys(one) if 1 < self._counts[key] <= self._most]
        return sorted(set(kept), key=lambda key: (self._counts[key], key))[:12]


def _context_keys(
    one: Profile, corpus: Corpus, known_names: set[str], common: _Common
) -> Iterator[tuple[str, float]]:
    text = one.description
    if text.folded:
        yield "d" + text.folded, _WORD
        rare = sorted(text.content, key=lambda word: (corpus.description_counts.get(word, 0), word))
        for word in rare[:3]:
            yield "c" + word, _WEAK
        for declared in text.declared:
            yield "=" + declared, _WORD
        words = text.folded.split()
        for at in range(len(words)):
            for count in (1, 2, 3):
                phrase = "".join(words[at : at + count])
                if len(phrase) > 3 and phrase in known_names and at + count <= len(words):
                    yield "=" + phrase, _WORD
    for key in common.rare(one):
        yield key, _WEAK
