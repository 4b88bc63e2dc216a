"""Extraction: what the graph says of a Source, against what is known to stand in it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kgraph.evaluate.baselines import words
from kgraph.evaluate.estimates import Estimate, bootstrap, f1, mean, proportion
from kgraph.evaluate.score import LOWER, NEITHER, ItemScore, Metric, Score
from kgraph.tuples import NamedTuple

COVERED = 0.65  # the share of a fact's weight that one statement must hold to cover it


class Thing(NamedTuple):
    """An entity by all its names, folded. ``type`` is '' where any will do."""

    names: frozenset[str]
    type: str = ""


class Tie(NamedTuple):
    """A relation between two things, each by all its names. ``predicate`` is '' where any will do."""

    subject: frozenset[str]
    predicate: str
    object: frozenset[str]


class Fact(NamedTuple):
    """A sentence that one claim should cover; ``recorded`` are earlier systems' verdicts on it."""

    text: str
    recorded: Mapping[str, bool] = {}


class Reading(NamedTuple):
    """One Source: the gold's things, relations and facts, and the graph's. ``text`` is '' where the Source can't be read.

    ``rivals`` are the statements of trivial extractors. ``quoted``/``found``: its citations with a quote, and those whose quote stands
    in the file.
    """

    key: str
    things: tuple[Thing, ...]
    ties: tuple[Tie, ...]
    facts: tuple[Fact, ...]
    complete: bool
    graph_things: tuple[Thing, ...]
    graph_ties: tuple[Tie, ...]
    claims: tuple[str, ...]
    text: str
    quoted: int
    found: int
    rivals: Mapping[str, Sequence[str]] = {}


class Matched(NamedTuple):
    """How many of the gold were met, how many there are, how many of the graph's are right, how many it has."""

    met: int
    wanted: int
    right: int
    made: int


def score(readings: Sequence[Reading]) -> Score:
    """Entity and relation precision, recall and F1, alias recall, facts covered, evidence precision and hallucinated names."""
    metrics: list[Metric] = []
    for name, match in (("entity", _entities), ("relation", _relations)):
        metrics += _prf(
            name, [match(one) for one in readings if one.complete], [match(one) for one in readings]
        )
    metrics += _aliases(readings)
    metrics += _facts(readings)
    quoted, found = sum(one.quoted for one in readings), sum(one.found for one in readings)
    if quoted:
        metrics.append(
            Metric(
                "evidence precision",
                proportion(found, quoted),
                "a true quote may carry a false claim: see eval support",
            )
        )
    metrics += _hallucinations(readings)
    items = tuple(ItemScore(one.key, _value(one), _missing(one)) for one in readings)
    about = {"sources": len(readings), "claims": sum(len(one.claims) for one in readings)}
    return Score("extraction", tuple(metrics), items, about=about)


def _prf(name: str, complete: Sequence[Matched], every: Sequence[Matched]) -> list[Metric]:
    if not sum(one.wanted for one in every):
        return []
    recall = proportion(sum(one.met for one in every), sum(one.wanted for one in every))
    metrics = [Metric(f"{name} recall", recall, "a graph that names everything has it")]
    made = sum(one.made for one in complete)
    if complete and made:
        precision = proportion(sum(one.right for one in complete), made)
        metrics.insert(
            0,
            Metric(f"{name} precision", precision, "the gold's list may be shorter than the truth"),
        )
        metrics.append(
            Metric(f"{name} f1", bootstrap(complete, _f1_of), "hides which of the two is bad")
        )
    return metrics


def _f1_of(some: Sequence[Matched]) -> float:
    right, made = sum(one.right for one in some), sum(one.made for one in some)
    met, wanted = sum(one.met for one in some), sum(one.wanted for one in some)
    return f1(right / made if made else 0.0, met / wanted if wanted else 0.0)


def _entities(one: Reading) -> Matched:
    met = sum(any(_same(gold, made) for made in one.graph_things) for gold in one.things)
    right = sum(any(_same(gold, made) for gold in one.things) for made in one.graph_things)
    return Matched(met, len(one.things), right, len(one.graph_things) if one.things else 0)


def _same(gold: Thing, made: Thing) -> bool:
    return bool(gold.names & made.names) and (not gold.type or gold.type == made.type)


def _relations(one: Reading) -> Matched:
    met = sum(any(_tied(gold, made) for made in one.graph_ties) for gold in one.ties)
    right = sum(any(_tied(gold, made) for gold in one.ties) for made in one.graph_ties)
    return Matched(met, len(one.ties), right, len(one.graph_ties) if one.ties else 0)


def _tied(gold: Tie, made: Tie) -> bool:
    if gold.predicate and gold.predicate != made.predicate:
        return False
    return bool(gold.subject & made.subject) and bool(gold.object & made.object)


def _aliases(readings: Sequence[Reading]) -> list[Metric]:
    wanted = met = 0
    for one in readings:
        for gold in one.things:
            made = [thing for thing in one.graph_things if gold.names & thing.names]
            if len(gold.names) > 1 and made:
                wanted += len(gold.names)
                met += len(gold.names & made[0].names)
    return (
        [Metric("alias recall", proportion(met, wanted), "only of things that were found at all")]
        if wanted
        else []
    )


def _facts(readings: Sequence[Reading]) -> list[Metric]:
    pairs = [(one, fact) for one in readings for fact in one.facts]
    if not pairs:
        return []
    weigh = weights([one.text or " ".join(fact.text for fact in one.facts) for one in readings])
    hits = [covered(fact.text, one.claims, weigh) for one, fact in pairs]
    baselines = {
        rival: sum(covered(fact.text, one.rivals.get(rival, ()), weigh) for one, fact in pairs) / len(pairs)
        for rival in sorted({rival for one in readings for rival in one.rivals})
    }  # fmt: skip
    for system in sorted({system for _, fact in pairs for system in fact.recorded}):
        verdicts = [fact.recorded[system] for _, fact in pairs if system in fact.recorded]
        baselines[f"{system} (recorded verdicts)"] = sum(verdicts) / len(verdicts)
    said = "judged by shared words, not by meaning; copying all sentences covers nearly everything: look at claims per 100 words"
    metrics = [Metric("facts covered", mean([float(hit) for hit in hits]), said, baselines)]
    count = sum(len(one.text.split()) for one in readings)
    if count:
        rate = 100 * sum(len(one.claims) for one in readings) / count
        metrics.append(
            Metric(
                "claims per 100 words",
                Estimate(rate, rate, rate, len(readings)),
                "neither more nor fewer is better by itself",
                better=NEITHER,
            )
        )
    return metrics


def weights(texts: Sequence[str]) -> Callable[[str], float]:
    """How much a word tells: the inverse document frequency over the Sources read; unseen words weigh most."""
    counts = Counter(word for text in texts for word in set(words(text)))
    most = math.log(1 + len(texts)) or 1.0
    return lambda word: math.log(1 + len(texts) / counts[word]) if counts[word] else most


def covered(fact: str, statements: Sequence[str], weigh: Callable[[str], float]) -> bool:
    """Whether one statement holds enough of a fact's words."""
    wanted = set(words(fact))
    total = sum(map(weigh, wanted))
    if not total:
        return False
    return any(
        sum(map(weigh, wanted & set(words(statement)))) / total >= COVERED
        for statement in statements
    )


def _hallucinations(readings: Sequence[Reading]) -> list[Metric]:
    """Things of which no name stands in the text, of Sources that can be read."""
    from kgraph.ontology import fold

    invented = made = 0
    for one in readings:
        if one.text:
            folded = fold(one.text)
            made += len(one.graph_things)
            invented += sum(
                not any(name in folded for name in thing.names) for thing in one.graph_things
            )
    if not made:
        return []
    said = "a name that stands in the text may still be no thing worth naming"
    return [Metric("hallucinated entities", proportion(invented, made), said, better=LOWER)]


def _value(one: Reading) -> float:
    matched = [_entities(one), _relations(one)]
    facts = [covered(fact.text, one.claims, lambda _: 1.0) for fact in one.facts]
    wanted = sum(each.wanted for each in matched) + len(facts)
    return (sum(each.met for each in matched) + sum(facts)) / wanted if wanted else 0.0


def _missing(one: Reading) -> str:
    missed = [
        min(gold.names, key=lambda name: (len(name), name))
        for gold in one.things
        if not any(_same(gold, made) for made in one.graph_things)
    ]
    return f"entities not found: {', '.join(missed[:10])}" if missed else ""
