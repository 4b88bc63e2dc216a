"""Resolution: does each merge join what is one, and only that?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

from kgraph.evaluate.estimates import Estimate, bootstrap, f1, proportion
from kgraph.evaluate.score import LOWER, NEITHER, ItemScore, Metric, Score
from kgraph.tuples import NamedTuple

Clusters = Mapping[str, Hashable]  # each mention's cluster


class Agreement(NamedTuple):
    """Pairs of mentions in one cluster: by both, by the graph alone, by the gold alone."""

    both: int
    graph_only: int
    gold_only: int

    @property
    def precision(self) -> float:
        made = self.both + self.graph_only
        return self.both / made if made else 1.0

    @property
    def recall(self) -> float:
        wanted = self.both + self.gold_only
        return self.both / wanted if wanted else 1.0


def pairwise(found: Clusters, gold: Clusters) -> Agreement:
    """Agreement over all pairs of the gold's mentions, in time proportional to mentions, not to pairs."""
    both = _pairs(Counter((found[one], gold[one]) for one in gold).values())
    made = _pairs(Counter(found[one] for one in gold).values())
    wanted = _pairs(Counter(gold.values()).values())
    return Agreement(both, made - both, wanted - both)


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def b_cubed(found: Clusters, gold: Clusters) -> tuple[float, float]:
    """(precision, recall) averaged over mentions (Bagga and Baldwin): a large cluster counts by its members, not by its pairs."""
    sizes_found, sizes_gold = Counter(found[one] for one in gold), Counter(gold.values())
    joint = Counter((found[one], gold[one]) for one in gold)
    count = max(1, len(gold))
    precision = sum(size * size / sizes_found[pair[0]] for pair, size in joint.items()) / count
    recall = sum(size * size / sizes_gold[pair[1]] for pair, size in joint.items()) / count
    return precision, recall


class Blocking(NamedTuple):
    """What candidate generation kept: the gold's pairs it proposed, all of the gold's pairs, the pairs it proposed, all pairs there are."""

    kept: int
    wanted: int
    proposed: int
    possible: int


def score(
    found: Clusters, gold: Clusters, rivals: Mapping[str, Clusters], blocking: Blocking
) -> Score:
    """Pairwise and B-cubed figures, the false-merge rate, compression, and how much of it blocking let through."""
    agreement = pairwise(found, gold)
    others = {name: pairwise(clusters, gold) for name, clusters in rivals.items()}
    cubed = b_cubed(found, gold)
    metrics = (
        Metric(
            "pairwise precision", proportion(agreement.both, agreement.both + agreement.graph_only)
            if agreement.both + agreement.graph_only else Estimate(1.0, 0.0, 1.0, 0),
            "1 where nothing was merged: read it with recall", {name: one.precision for name, one in others.items()},
        ),
        Metric(
            "pairwise recall", proportion(agreement.both, agreement.both + agreement.gold_only),
            "one large cluster holds most pairs", {name: one.recall for name, one in others.items()},
        ),
        Metric(
            "pairwise f1", _f1(found, gold), "hides which of the two is bad",
            {name: f1(one.precision, one.recall) for name, one in others.items()},
        ),
        Metric("b-cubed precision", Estimate(cubed[0], cubed[0], cubed[0], len(gold)), "high where most things have one mention",
               {name: b_cubed(clusters, gold)[0] for name, clusters in rivals.items()}),
        Metric("b-cubed recall", Estimate(cubed[1], cubed[1], cubed[1], len(gold)), "high where most things have one mention",
               {name: b_cubed(clusters, gold)[1] for name, clusters in rivals.items()}),
        Metric(
            "false merges", proportion(agreement.graph_only, agreement.both + agreement.graph_only),
            "0 where nothing was merged", {name: 1 - one.precision for name, one in others.items()}, better=LOWER,
        ),
        Metric("compression", _exact(len(gold) / max(1, len({found[one] for one in gold})), len(gold)),
               f"the gold's own is {len(gold) / max(1, len(set(gold.values()))):.2f}: more is no better", better=NEITHER),
        Metric("candidate recall", proportion(blocking.kept, blocking.wanted), "1 where every pair is a candidate: read it with reduction"),
        Metric("candidate reduction", _exact(1 - blocking.proposed / max(1, blocking.possible), blocking.possible),
               "1 where nothing is proposed", better=NEITHER),
    )  # fmt: skip
    return Score(
        "resolution",
        metrics,
        _items(found, gold),
        about={"mentions": len(gold), "entities": len(set(gold.values()))},
    )


def _exact(value: float, n: int) -> Estimate:
    return Estimate(value, value, value, n)


def _f1(found: Clusters, gold: Clusters) -> Estimate:
    """Resampled over the gold's entities, since pairs of one entity stand or fall together."""
    members: dict[Hashable, list[str]] = defaultdict(list)
    for mention, entity in gold.items():
        members[entity].append(mention)

    def figure(entities: Sequence[Hashable]) -> float:
        chosen = {one: gold[one] for entity in entities for one in members[entity]}
        agreement = pairwise(found, chosen)
        return f1(agreement.precision, agreement.recall)

    return bootstrap(sorted(members, key=str), figure)


def _items(found: Clusters, gold: Clusters) -> tuple[ItemScore, ...]:
    """Each mention: the share of its true partners that it was merged with, and the strangers it was merged with."""
    by_found: dict[Hashable, list[str]] = defaultdict(list)
    by_gold: dict[Hashable, list[str]] = defaultdict(list)
    for mention in gold:
        by_found[found[mention]].append(mention)
        by_gold[gold[mention]].append(mention)
    items = []
    for mention in gold:
        with_it, of_it = set(by_found[found[mention]]), set(by_gold[gold[mention]])
        strangers = sorted(with_it - of_it)
        detail = f"merged with {', '.join(strangers)}" if strangers else ""
        apart = sorted(of_it - with_it)
        if apart and not detail:
            detail = f"not merged with {', '.join(apart)}"
        items.append(ItemScore(mention, len(with_it & of_it) / len(with_it | of_it), detail))
    return tuple(items)
