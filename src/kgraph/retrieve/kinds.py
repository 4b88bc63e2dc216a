"""Which kinds of statement a question asks for: 'what caused', 'who owns', 'what was decided', 'when'. English; other questions lean nowhere.

It is a preference for the ranking, never a filter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kgraph.tuples import NamedTuple

ASKED, BESIDE, TIMED = (
    2.5,
    1.4,
    2.0,
)  # weight of a claim of a kind that is asked for, of one that goes with it, and of one that has a time

# A question, the kinds that answer it, the kinds that go with them, and whether it asks for a time.
_TABLE: tuple[tuple[str, str, str, bool], ...] = (
    (r"\b(?:cause[ds]?|causing|why|reasons?|triggers?|triggered|led to|root|blame)\b", "cause", "event impact", False),
    (r"\b(?:impact(?:ed|s)?|affect(?:ed|s)?|consequences? for|damage|how bad|severity)\b", "impact", "event", False),
    (r"\b(?:detect(?:ed|ion)?|noticed?|discover(?:ed|y)|alert(?:ed|s)?|found out)\b", "detection", "event", False),
    (r"\b(?:fix(?:ed|es)?|resolv(?:e[ds]?|ing)|resolution|mitigat\w*|recover\w*|restor\w*|solved|end(?:ed)?)\b", "resolution", "action event", False),
    (r"\b(?:prevent\w*|follow[- ]?ups?|action items?|remediat\w*|next steps?|planned)\b", "action", "lesson", False),
    (r"\b(?:learn(?:ed|t)?|lessons?|take-?aways?)\b", "lesson", "action", False),
    (r"\b(?:decid(?:e[ds]?|ing)|decisions?|chos(?:e|en)|choose|choice|selected|adopt(?:ed)?)\b", "decision", "consequence rejected-option", False),
    (r"\b(?:reject(?:ed|s)?|alternatives?|options?|considered|instead)\b", "rejected-option", "decision comparison", False),
    (r"\b(?:consequences?|trade-?offs?|drawbacks?|downsides?|benefits?)\b", "consequence", "decision", False),
    (r"\b(?:own(?:s|er|ed|ers)?|responsible|maintain(?:s|er|ed|ers)?|in charge|whose|contact)\b", "ownership", "", False),
    (r"\b(?:must|required?|requirements?|mandatory|allowed|should)\b", "requirement", "decision", False),
    (r"\b(?:chang(?:e[ds]?|ing)|new in|added|removed|deprecated|introduced|release[ds]?|version)\b", "change", "", False),
    (r"\b(?:what (?:is|are)|define[ds]?|definition|mean(?:s|ing)?|stand(?:s)? for)\b", "definition", "", False),
    (r"\b(?:status|state|accepted|superseded)\b", "status", "decision", False),
    (r"\b(?:when|what (?:time|date|day)|how long|since when|until when|timeline|duration|start(?:ed)?|began)\b", "event", "", True),
)  # fmt: skip
_PATTERNS = tuple(
    (
        re.compile(pattern, re.IGNORECASE),
        frozenset(asked.split()),
        frozenset(beside.split()),
        timed,
    )
    for pattern, asked, beside, timed in _TABLE
)


class Asked(NamedTuple):
    """``kinds``: weight by kind of claim; ``timed``: whether a claim that has a time counts for more."""

    kinds: Mapping[str, float]
    timed: bool

    def weight(self, fields: Mapping[str, Any]) -> float:
        """What a claim with these fields counts, beside 1."""
        weight = self.kinds.get(str(fields.get("kind", "")).replace(" ", "-"), 1.0)
        return max(weight, TIMED) if self.timed and fields.get("event_time") else weight


NOTHING = Asked({}, False)


def kinds_asked(text: str) -> Asked:
    """What a question asks for. Of several patterns that fit each adds its kinds."""
    kinds: dict[str, float] = {}
    timed = False
    for pattern, asked, beside, is_timed in _PATTERNS:
        if pattern.search(text):
            timed = timed or is_timed
            for kind in asked:
                kinds[kind] = ASKED
            for kind in beside:
                kinds.setdefault(kind, BESIDE)
    return Asked(kinds, timed) if kinds or timed else NOTHING
