"""Which units of a statement stand in the quote, and where."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.ontology import fold
from kgraph.support import words as lists
from kgraph.support.reading import Reading, Segment, Unit, alike
from kgraph.support.tokens import PREPOSITIONS, Word


class Overlap:
    """A statement (``mine``) and a quote (``theirs``), unit by unit."""

    def __init__(self, mine: Reading, theirs: Reading) -> None:
        self.pairs = [
            (unit, [other for other in theirs.units if meet(unit.word, other.word)])
            for unit in mine.units
        ]
        shared = sum(1 for _, others in self.pairs if others)
        self.share = shared / len(self.pairs) if self.pairs else 1.0

    def has(self, unit: Unit) -> bool:
        return any(one is unit and others for one, others in self.pairs)

    def taken(self, other: Unit) -> bool:
        return any(other in others for _, others in self.pairs)

    @property
    def missing(self) -> list[Unit]:
        return [unit for unit, others in self.pairs if not others]


def meet(one: Word, other: Word) -> bool:
    """Whether two words speak of one thing."""
    if one.ids and other.ids:
        return bool(one.ids & other.ids)
    if one.ids or other.ids or " " in one.text or " " in other.text:
        single = " " not in one.text + other.text
        return names_meet(one.raw, other.raw) or (single and alike(one.text, other.text))
    return alike(one.text, other.text)


def any_meet(some: Sequence[Word], others: Sequence[Word]) -> bool:
    return any(meet(one, other) for one in some for other in others)


def names_meet(one: str, other: str) -> bool:
    """Whether two names may be one thing's: 'Ada' and 'Ada Lovelace', 'VX' and 'Vendor X': a part of a name, or its initials."""
    mine, theirs = fold(one).split(), fold(other).split()
    if mine == theirs:
        return True
    if set(mine) & set(theirs) - lists.FUNCTION["en"] and (len(mine) == 1 or len(theirs) == 1):
        return True
    short, long = sorted((mine, theirs), key=len)
    initials = "".join(word[0] for word in long)
    return len(short) == 1 and len(long) > 1 and short[0] == initials


def place_in(segment: Segment, unit: Unit) -> int:
    return next(at for at, word in enumerate(segment.words) if word is unit.word)


def plain(word: Word | None, some: Sequence[str] | frozenset[str]) -> bool:
    """Whether a word that is no name is one of some."""
    return word is not None and not word.ids and word.text in some


def is_preposition(word: Word) -> bool:
    return plain(word, PREPOSITIONS)
