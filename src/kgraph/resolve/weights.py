"""How much each signal tells, as Fellegi and Sunter weigh it: ln(share among pairs that are one / share among candidates that are two).

The shares are estimates of how names vary, counted in tens of a hundred rather than fitted to a set; those of attributes are learned
from the records at hand (``attributes.py``). Shares of ``Likeness`` add up to one in either column, since every pair has exactly one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from kgraph.resolve.records import Features, Likeness, Reason, Signal
from kgraph.tuples import NamedTuple


class Shares(NamedTuple):
    """``same``: of pairs that are one thing; ``other``: of candidates that are two."""

    same: float
    other: float

    @property
    def weight(self) -> float:
        return math.log(self.same / self.other)


NAMES: Mapping[Likeness, Shares] = {
    Likeness.SAME: Shares(0.22, 0.012),
    Likeness.FORM: Shares(0.14, 0.009),
    Likeness.CODE: Shares(0.04, 0.005),
    Likeness.AFFIX: Shares(0.12, 0.012),
    Likeness.ORDER: Shares(0.05, 0.006),
    Likeness.ACRONYM: Shares(0.09, 0.018),
    Likeness.PERSON: Shares(0.08, 0.016),
    Likeness.SPELLING: Shares(0.10, 0.03),
    Likeness.SOUND: Shares(0.03, 0.01),
    Likeness.PART: Shares(0.06, 0.10),
    Likeness.NEAR: Shares(0.03, 0.04),
    Likeness.EDITION: Shares(0.01, 0.06),
    Likeness.SHARED: Shares(0.015, 0.2),
    Likeness.NONE: Shares(0.015, 0.482),
}

SIGNALS: Mapping[Signal, Shares] = {
    Signal.IDENTIFIER: Shares(0.5, 0.001),
    Signal.STATED_ALIAS: Shares(0.2, 0.004),
    Signal.WRITTEN_ALIKE: Shares(0.3, 0.15),
    Signal.SAME_DESCRIPTION: Shares(0.15, 0.02),
    Signal.DESCRIPTIONS_AGREE: Shares(0.35, 0.08),
    Signal.DESCRIPTIONS_LEAN: Shares(0.25, 0.12),
    Signal.DESCRIPTIONS_DIFFER: Shares(0.05, 0.6),
    Signal.NEIGHBOUR: Shares(0.25, 0.1),
    Signal.NEIGHBOURS_APART: Shares(0.3, 0.4),
}

OBJECTION = Shares(0.01, 0.2)
JUDGED = Shares(0.001, 0.4)  # by a person or a model
# A name of many words is told by most of them: (weighted share of words that agree, at least; weight).
_TITLE = ((0.9, 2.2), (0.8, 1.4), (0.7, 0.4), (0.55, -1.0), (0.4, -3.0), (0.0, -6.0))
_ATTRIBUTES_AT_MOST = 6.0


def score(features: Features) -> float:
    """All evidence as log-odds, from even odds. The same features, the same score."""
    total = names(features)
    total += sum(SIGNALS[signal].weight for signal in features.signals)
    total += min(features.attribute_evidence, _attributes_at_most(features, total))
    for one in features.against:
        total += (JUDGED if one.reason is Reason.DISTINCT else OBJECTION).weight
    return round(total, 4)


def probability(total: float) -> float:
    """Log-odds as a probability, from even odds before any evidence."""
    return round(1 / (1 + math.exp(-max(-50.0, min(50.0, total)))), 3)


def names(features: Features) -> float:
    """What the names alone say."""
    if not features.long_names:
        return NAMES[features.relation].weight
    if features.relation in (Likeness.SAME, Likeness.FORM, Likeness.AFFIX, Likeness.SPELLING):
        return NAMES[Likeness.SAME].weight
    if features.relation is Likeness.CODE:
        return NAMES[Likeness.CODE].weight
    alike = features.name_likeness
    if features.relation is Likeness.EDITION:
        return 1.4 if alike >= 0.7 else -1.0
    if features.relation is Likeness.PART and 0.55 <= alike < 0.8:
        return 0.6  # a name with a subtitle, or with what stood beside it
    return next(weight for least, weight in _TITLE if alike >= least)


def _attributes_at_most(features: Features, named: float) -> float:
    """Things with unlike names agree in who made them, where and when, and are still two things."""
    named = names(features)
    if named >= 1.0:
        return _ATTRIBUTES_AT_MOST
    return 1.5 if features.long_names and named > 0 else 1.0
