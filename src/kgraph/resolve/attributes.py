"""How much agreeing and differing attributes say, learned from the records themselves (Fellegi and Sunter's weights).

No attribute is known by its name. An attribute that records with the same long name agree in, and records taken at random don't, tells
much; one that changes from source to source, as the style of a venue's name does, tells nothing, and so its disagreement costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from kgraph.resolve import relations
from kgraph.resolve.profiles import Profile
from kgraph.tuples import NamedTuple

LEVELS = ("differs", "partly", "agrees")
# Before anything was seen: how a pair that is one thing, and a pair that isn't, fall on the levels. Worth that many observations.
_PRIOR_SAME = (0.10, 0.20, 0.70)
_PRIOR_OTHER = (0.80, 0.14, 0.06)
_PRIOR_COUNT = 10.0
_MOST = 4.0  # natural logarithm: no single attribute says more than about 50 : 1
_MOST_TOGETHER = 6.0
_REFUSES = 2.0
_TELLS = 1.5


class Weights(NamedTuple):
    """``of[key][level]``: natural logarithm of the likelihood ratio."""

    of: Mapping[str, Mapping[str, float]]


class Evidence(NamedTuple):
    """``refuse``: attributes that differ here and hardly ever do in one thing.

    ``years``: attributes that are nothing but a year, and the two years where they differ; ``outweighed``: two other attributes
    that tell much agree, so that a year may be a slip.
    """

    total: float
    agree: tuple[str, ...]
    differ: tuple[str, ...]
    refuse: tuple[str, ...] = ()
    years: tuple[tuple[str, str], ...] = ()
    outweighed: bool = False


def level(left: frozenset[str], right: frozenset[str]) -> str:
    """How far two values agree. A value may be cut short ('et al') and given names may be initials."""
    smaller, larger = (left, right) if len(left) <= len(right) else (right, left)
    common = len(smaller & larger)
    rest = [word for word in smaller if word not in larger]
    if rest and common:
        others = [word for word in larger if word not in smaller]
        for word in rest:
            twin = next((other for other in others if _abbreviates(word, other)), None)
            if twin is not None:
                others.remove(twin)
                common += 1
    share = common / len(smaller)
    if share >= 0.75:
        return "agrees"
    return "partly" if share >= 0.4 else "differs"


def _abbreviates(one: str, two: str) -> bool:
    short, full = (one, two) if len(one) <= len(two) else (two, one)
    return not short.isdigit() and full.startswith(short) and (len(short) == 1 or len(short) > 2)


def learn(
    same: Iterable[tuple[Profile, Profile]], chance: Sequence[tuple[Profile, Profile]]
) -> Weights:
    """``same``: pairs that are surely one thing; ``chance``: pairs taken without looking."""
    alike, unlike = _observed(same), _observed(chance)
    weights: dict[str, dict[str, float]] = {}
    for key in alike.keys() | unlike.keys():
        mine = _shares(alike.get(key, {}), _PRIOR_SAME)
        other = _shares(unlike.get(key, {}), _PRIOR_OTHER)
        weights[key] = {}
        for name, ours, theirs in zip(LEVELS, mine, other, strict=True):
            weights[key][name] = max(-_MOST, min(_MOST, math.log(ours / theirs)))
        # Agreeing never speaks against, nor differing for: a small sample may say so by chance.
        weights[key]["agrees"] = max(0.0, weights[key]["agrees"])
        weights[key]["differs"] = min(0.0, weights[key]["differs"])
    return Weights(weights)


def _observed(pairs: Iterable[tuple[Profile, Profile]]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for left, right in pairs:
        for key in left.attributes.keys() & right.attributes.keys():
            found = counts.setdefault(key, {})
            at = level(left.attributes[key], right.attributes[key])
            found[at] = found.get(at, 0) + 1
    return counts


def _shares(found: Mapping[str, int], prior: Sequence[float]) -> list[float]:
    total = sum(found.values()) + _PRIOR_COUNT
    return [
        (found.get(name, 0) + _PRIOR_COUNT * share) / total
        for name, share in zip(LEVELS, prior, strict=True)
    ]


def evidence(left: Profile, right: Profile, weights: Weights) -> Evidence:
    telling = 0
    total, agree, differ, refuse, years = 0.0, [], [], [], []
    for key in sorted(left.attributes.keys() & right.attributes.keys()):
        at = level(left.attributes[key], right.attributes[key])
        weight = weights.of.get(key, {}).get(at, 0.0)
        total += weight
        if at == "agrees" and weight > 0:
            agree.append(key)
            telling += weight >= _TELLS
        elif at == "differs" and weight < -0.5:
            differ.append(key)
            if weight <= -_REFUSES:
                refuse.append(key)
        if at == "differs" and _is_year(left.attributes[key]) and _is_year(right.attributes[key]):
            shown = f"{min(left.attributes[key])} and {min(right.attributes[key])}"
            years.append((f"'{key}'", shown))
    return Evidence(
        max(-_MOST_TOGETHER, min(_MOST_TOGETHER, total)),
        tuple(agree),
        tuple(differ),
        tuple(refuse),
        tuple(years),
        telling >= 2 and total >= _TELLS,
    )


def _is_year(value: frozenset[str]) -> bool:
    return len(value) == 1 and len(relations.years(value)) == 1
