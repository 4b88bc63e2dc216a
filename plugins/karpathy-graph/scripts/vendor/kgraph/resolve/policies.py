"""What a deterministic policy may decide on its own, and the words for it.

The score is a sum of evidence, in steps of roughly a factor of e. The numbers are judgements about how names vary, not fitted to any set:
``strict`` asks for a close relation of names *and* for context that agrees, and lets nothing through that speaks against;
``balanced`` also takes context that fits one thing only, whatever the names.
"""

from __future__ import annotations

import math

from kgraph.errors import UsageError
from kgraph.resolve.records import Decision, Features, PolicyName
from kgraph.resolve.relations import WORDS
from kgraph.tuples import NamedTuple


class Policy(NamedTuple):
    """``least``: the score that is needed. ``relations``: kinds of relation that may be merged at all."""

    name: PolicyName
    least: float
    relations: frozenset[str]


_CLOSE = frozenset(
    ("same", "form", "code", "affix", "acronym", "initials", "spelling", "romanised", "part")
)

POLICIES = {
    "strict": Policy("strict", 3.0, _CLOSE),
    "balanced": Policy("balanced", 2.0, frozenset(WORDS)),
}

_NAME = {
    "same": 2.8,
    "form": 2.7,
    "code": 2.2,
    "affix": 2.2,
    "acronym": 1.6,
    "initials": 1.6,
    "spelling": 1.6,
    "romanised": 1.2,
    "part": 0.9,
    "near": 0.8,
    "edition": 0.0,
    "shared": 0.0,
    "none": -1.0,
}

_WORDS_NEEDED = 2  # of two descriptions, before their agreeing is more than chance
_TELLING = 0.25  # of a shared neighbour: at most eight have it
_AGREES, _LEANS = 0.6, 0.34


def policy(name: str) -> Policy:
    found = POLICIES.get(name)
    if found is None:
        raise UsageError(f"there is no policy '{name}'", f"one of: {', '.join(POLICIES)}")
    return found


def score(features: Features) -> float:
    """All evidence as one number, for ranking and deciding. What speaks against takes three steps off for each reason."""
    return round(
        _names(features)
        + _context(features)
        - 3.0 * len(features.against)
        - 6.0 * features.known_distinct,
        4,
    )


def confidence(total: float) -> float:
    """A score as the confidence of a merge, from 0 to 1: the logistic function of it, since steps are factors of e. Not calibrated."""
    return round(1 / (1 + math.exp(-total)), 3)


def decide(features: Features, chosen: Policy) -> Decision:
    """``left`` says why it was left, in the same words. Deterministic; no figure is read but those in ``features``."""
    total = score(features)
    obstacle = _obstacle(features, chosen, total)
    if obstacle:
        return Decision("left", f"left undecided: {obstacle}", total)
    return Decision("same", in_words(features), total)


def _obstacle(features: Features, chosen: Policy, total: float) -> str:
    if features.known_distinct:
        return "the two were judged to be distinct"
    if features.against:
        return "; ".join(features.against)
    if features.numbers_differ:
        return "the numbers in the names differ"
    if features.years_differ and (chosen.name == "strict" or not features.years_outweighed):
        return "the years differ"
    if not _beyond_the_name(features):
        return "nothing but the name speaks for it"
    if not _related(features, chosen):
        return WORDS[features.relation]
    if features.attributes_refuse:
        return f"they differ in {', '.join(features.attributes_refuse)}, which one thing hardly ever does"
    if chosen.name == "strict" and features.attribute_evidence < 0:
        return f"they differ in {', '.join(features.attributes_differ)}"
    if total < chosen.least:
        return "the evidence is not enough: " + in_words(features)
    return ""


def _related(features: Features, chosen: Policy) -> bool:
    if features.relation in chosen.relations:
        return True
    if features.long_names and features.relation == "near":
        return _title(features) > 1.0
    return (
        features.description_declares or features.description_names_other
    ) and features.relation != "edition"


def _beyond_the_name(features: Features) -> bool:
    """Whether anything but the name speaks for the two being one (spec 4.2). A name in two spellings of one source does."""
    if _one_hand(features):
        return True
    described = features.description_agreement is not None and features.description_agreement > 0
    return (
        described
        or features.description_declares
        or features.description_names_other
        or features.attribute_evidence > 0
        or features.neighbours_telling >= _TELLING
        or features.same_section
    )


def _names(features: Features) -> float:
    if features.long_names:
        return _title(features)
    points = _NAME[features.relation]
    if features.relation in ("near", "shared", "none", "part") and features.type_words:
        points += 0.4
    return points


def _title(features: Features) -> float:
    """A name of many words is told by most of them: the same beginning, or half the words, is what different titles share too."""
    if features.relation in ("same", "form", "affix", "spelling"):
        return 2.8
    if features.relation == "code":
        return 2.2
    if features.relation == "edition":
        return 1.4 if features.name_likeness >= 0.7 else -1.0
    likeness = features.name_likeness
    if features.relation == "part" and 0.55 <= likeness < 0.8:
        return 0.6  # whole within the other and most of it: a name with a subtitle, or with what stood beside it
    for least, points in ((0.9, 2.2), (0.8, 1.4), (0.7, 0.4), (0.55, -1.0), (0.4, -3.0)):
        if likeness >= least:
            return points
    return -6.0


def _context(features: Features) -> float:
    points = _described(features) + min(features.attribute_evidence, _attributes_at_most(features))
    if features.description_declares:
        points += 3.2
    elif features.description_names_other:
        points += 2.0
    points += 1.5 * (features.neighbour_overlap or 0.0) * features.neighbours_telling
    if features.neighbours_apart:
        points -= 0.3
    if features.same_section:
        points += 0.4
    if features.same_source and features.relation == "spelling":
        points -= 0.8  # one hand spells one name one way: get_user and get_users are two
    elif _one_hand(features):
        points += 0.6
    return points


def _attributes_at_most(features: Features) -> float:
    """What attributes can say for a pair. Things with unlike names agree in who made them, where and when, and are still two things."""
    named = _names(features)
    if features.long_names:
        return 6.0 if named >= 1.0 else 1.5 if named > 0.0 else 1.0
    return 6.0 if named >= 1.0 else 1.0


def _one_hand(features: Features) -> bool:
    """Two writings of one name in one source. The very same name twice was kept apart on purpose, by a qualifier."""
    disagree = (
        features.description_agreement is not None and features.description_agreement < _LEANS
    )
    return features.same_source and features.relation == "form" and not disagree


def _described(features: Features) -> float:
    agreement = features.description_agreement
    if agreement is None:
        return 0.0
    if features.description_same:
        if features.description_specific:
            return 3.0
        return 2.0 if len(features.shared_words) >= 3 and not features.description_common else 1.0
    enough = len(features.shared_words) >= _WORDS_NEEDED
    if agreement > 0 and not features.words_telling:
        return 0.3 if agreement >= _AGREES else -1.5
    if agreement >= _AGREES:
        return 1.5 if enough else 0.8
    if agreement >= _LEANS:
        return 1.0 if enough else 0.3
    if agreement == 0:
        return -3.0
    # One word that tells something is little, but more than any two texts share. Where the very same name was kept apart by a qualifier,
    # it is not enough.
    return -0.9 if features.relation in ("same", "form", "initials") else 0.0


def in_words(features: Features) -> str:
    """The features as a sentence, the names first."""
    one, two = features.closest
    parts = [f"'{one}' and '{two}': {WORDS[features.relation]}"]
    if features.description_same:
        parts.append("their descriptions are the same")
    elif features.description_agreement:
        parts.append(
            f"their descriptions share {', '.join(repr(word) for word in features.shared_words[:4])}"
        )
    elif features.description_agreement == 0.0:
        parts.append("their descriptions share no word")
    if features.description_declares:
        parts.append("a description calls it by the other's name")
    elif features.description_names_other:
        parts.append("the description names one of them")
    if features.attributes_agree:
        parts.append(f"they agree in {', '.join(features.attributes_agree)}")
    if features.attributes_differ:
        parts.append(f"they differ in {', '.join(features.attributes_differ)}")
    if features.neighbour_overlap:
        parts.append(
            "they share neighbours"
            + ("" if features.neighbours_telling >= _TELLING else " that many have")
        )
    if features.same_section:
        parts.append("both stand in one section")
    elif features.same_source:
        parts.append("both stand in one source")
    return "; ".join(parts)
