"""What a policy may decide on its own.

``strict`` merges what is proved: an identifier that two records alone have, a name that a source gives, one name in two ways of writing
it, or rows of a table whose names and attributes agree. ``balanced`` adds strong likeness. Nothing that has anything against it is
merged by either, and what no policy decides stays a candidate.
"""

from __future__ import annotations

from kgraph.errors import UsageError
from kgraph.resolve.records import (
    POLICY_NAMES,
    Decision,
    Features,
    Likeness,
    PolicyName,
    Reason,
    Signal,
)
from kgraph.resolve.weights import score
from kgraph.resolve.wording import LIKENESS, in_words, objection
from kgraph.tuples import NamedTuple


class Policy(NamedTuple):
    """``least``: the log-odds that likeness needs; None where likeness decides nothing."""

    name: PolicyName
    least: float | None


POLICIES = {"strict": Policy("strict", None), "balanced": Policy("balanced", 2.0)}

_PROOFS = frozenset((Signal.IDENTIFIER, Signal.STATED_ALIAS, Signal.WRITTEN_ALIKE))
_ALIKE = frozenset((Likeness.SAME, Likeness.FORM, Likeness.ORDER, Likeness.AFFIX, Likeness.CODE))
_CLOSE = _ALIKE | {Likeness.ACRONYM, Likeness.PERSON, Likeness.SPELLING, Likeness.SOUND, Likeness.PART}  # fmt: skip
_LITTLE = 0.45  # of two descriptions that agree so little, neither confirms the other
_AGREE = 3.0  # log-odds of attributes that make rows with one name one thing: about 20 to 1


def policy(name: str) -> Policy:
    """The policy of that name, of those that decide pair by pair."""
    return POLICIES[policy_name(name)]


def policy_name(name: str) -> PolicyName:
    """The name, if there is such a policy. Raises UsageError with those that there are."""
    for known in POLICY_NAMES:
        if name == known:
            return known
    raise UsageError(f"there is no policy '{name}'", f"one of: {', '.join(POLICY_NAMES)}")


def decide(features: Features, chosen: Policy) -> Decision:
    """``left`` says why it was left. Deterministic; no figure is read but those in ``features``."""
    total = score(features)
    obstacle = _obstacle(features)
    if not obstacle and not proved(features):
        obstacle = _not_likely(features, chosen, total)
    if obstacle:
        return Decision("left", f"left undecided: {obstacle}", total)
    return Decision("same", in_words(features), total)


def proved(features: Features) -> bool:
    """Whether a signal proves that the two are one, where nothing speaks against it."""
    if features.attributes_differ or Signal.DESCRIPTIONS_DIFFER in features.signals:
        return False
    found = _PROOFS & set(features.signals)
    if Signal.STATED_ALIAS in found and features.part_of_name:
        found -= {Signal.STATED_ALIAS}  # 'Python' of 'Python Weekly': a short form is not a name
    if features.description_agreement is not None and features.description_agreement < _LITTLE:
        found -= {Signal.WRITTEN_ALIKE}
    if found:
        return True
    return features.relation in _ALIKE and features.attribute_evidence >= _AGREE


def blocks(features: Features) -> bool:
    """Whether anything says that the two are two, for merges through others as well."""
    return bool(features.against or features.attributes_refuse) or features.numbers_differ


def _obstacle(features: Features) -> str:
    if features.against:
        return "; ".join(map(objection, features.against))
    if features.numbers_differ:
        return "the numbers in the names differ"
    if features.attributes_refuse:
        return f"they differ in {', '.join(features.attributes_refuse)}, which one thing hardly ever does"
    return ""


def _not_likely(features: Features, chosen: Policy, total: float) -> str:
    if chosen.least is None:
        return "nothing proves it: " + in_words(features)
    if not _beyond_the_name(features):
        return "nothing but the name speaks for it"
    if features.relation not in _CLOSE and not (
        features.long_names and features.relation is Likeness.NEAR
    ):
        return LIKENESS[features.relation]
    if total < chosen.least:
        return "the evidence is not enough: " + in_words(features)
    return ""


def _beyond_the_name(features: Features) -> bool:
    """Whether anything but the names speaks for the two being one (spec 4.2)."""
    return bool(set(features.signals) - _OF_THE_NAME) or features.attribute_evidence > 0


_OF_THE_NAME = {Signal.WRITTEN_ALIKE, Signal.DESCRIPTIONS_DIFFER, Signal.NEIGHBOURS_APART}

HARD = frozenset(Reason) - {Reason.FIGURES, Reason.WORDS, Reason.EDITIONS, Reason.TOGETHER}


def against_by_hand(features: Features) -> list[str]:
    """What a person has to take upon themselves. Figures are of two moments as often as of two things; words may be two names."""
    return [objection(one) for one in features.against if one.reason in HARD]
