"""What a judgement of support is made of."""

from __future__ import annotations

from enum import StrEnum

from kgraph.tuples import NamedTuple


class Level(StrEnum):
    """How well words carry a statement."""

    STATED = "stated"
    PLAUSIBLE = "plausible"
    DOUBTFUL = "doubtful"
    UNJUDGED = "unjudged"


class Doubt(StrEnum):
    """What tells against it. A number is also a unit, a date or a bound; a negation also an opposite."""

    NUMBER = "number"
    NEGATION = "negation"
    ACTOR = "actor"
    DIRECTION = "direction"
    HEDGE = "hedge"
    NOTHING_IN_COMMON = "nothing in common"
    SHORT = "quote too short"


class Reason(NamedTuple):
    """A doubt with what it points at: ``said`` in the statement, ``quoted`` in the quote; either may be ''."""

    doubt: Doubt
    said: str = ""
    quoted: str = ""


class Support(NamedTuple):
    """What was judged. ``reasons`` are there only where it is doubtful."""

    level: Level
    reasons: tuple[Reason, ...] = ()

    @property
    def doubtful(self) -> bool:
        return self.level is Level.DOUBTFUL


UNJUDGED = Support(Level.UNJUDGED)
STATED = Support(Level.STATED)
