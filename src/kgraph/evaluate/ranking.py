"""Retrieval: are the Sources that an answer needs among the first that it rests on?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kgraph.evaluate.estimates import mean, proportion
from kgraph.evaluate.score import LOWER, ItemScore, Metric, Score
from kgraph.tuples import NamedTuple

DEPTHS = (2, 5, 8)
MAIN = 5  # the depth by which items are told apart


class Ranked(NamedTuple):
    """One question: the Sources it needs, those of the answer best first, the answer's size and whether it kept its budget.

    ``rivals`` are the orders of trivial baselines. ``answered``: whether the answer's text holds a right answer; None where the gold
    has none.
    """

    key: str
    needed: frozenset[str]
    ranked: tuple[str, ...]
    tokens: int
    within_budget: bool
    rivals: Mapping[str, Sequence[str]] = {}
    answered: bool | None = None


def score(questions: Sequence[Ranked]) -> Score:
    """recall@k, all gold@k and the mean reciprocal rank, each beside every rival; tokens used and budgets kept."""
    metrics = [
        metric for depth in DEPTHS for metric in (_recall(questions, depth), _all(questions, depth))
    ]
    metrics.append(
        _compared(
            questions,
            "mrr",
            _reciprocal_rank,
            "one early Source hides that others of the same answer are missing",
        )
    )
    judged = [one for one in questions if one.answered is not None]
    if judged:
        found = proportion(sum(bool(one.answered) for one in judged), len(judged))
        metrics.append(
            Metric("answer in text", found, "a longer answer holds more strings by chance")
        )
    metrics.append(
        Metric(
            "tokens", mean([one.tokens for one in questions]),
            "a short answer is cheap because it says little", better=LOWER,
        )
    )  # fmt: skip
    kept = proportion(sum(one.within_budget for one in questions), len(questions))
    metrics.append(Metric("budget kept", kept, "says nothing of what was left out"))
    items = tuple(
        ItemScore(one.key, _share(one.needed, one.ranked[:MAIN]), _missed(one)) for one in questions
    )
    return Score("retrieval", tuple(metrics), items, about={"questions": len(questions)})


def _recall(questions: Sequence[Ranked], depth: int) -> Metric:
    return _compared(
        questions, f"recall@{depth}", lambda needed, ranked: _share(needed, ranked[:depth]),
        "a question that needs many Sources counts as much as one that needs a single one",
    )  # fmt: skip


def _all(questions: Sequence[Ranked], depth: int) -> Metric:
    return _compared(
        questions, f"all gold@{depth}", lambda needed, ranked: float(needed <= set(ranked[:depth])),
        "all or nothing: two of three found counts as none",
    )  # fmt: skip


Figure = Callable[[frozenset[str], Sequence[str]], float]


def _compared(questions: Sequence[Ranked], name: str, figure: Figure, misleads: str) -> Metric:
    rivals = sorted({rival for one in questions for rival in one.rivals})
    baselines = {
        rival: _mean(figure(one.needed, one.rivals.get(rival, ())) for one in questions)
        for rival in rivals
    }
    return Metric(
        name, mean([figure(one.needed, one.ranked) for one in questions]), misleads, baselines
    )


def _mean(values: object) -> float:
    found = list(values)  # type: ignore[call-overload]
    return sum(found) / len(found) if found else 0.0


def _share(needed: frozenset[str], ranked: Sequence[str]) -> float:
    return len(needed & set(ranked)) / len(needed) if needed else 0.0


def _reciprocal_rank(needed: frozenset[str], ranked: Sequence[str]) -> float:
    return next((1 / place for place, source in enumerate(ranked, 1) if source in needed), 0.0)


def _missed(one: Ranked) -> str:
    missed = sorted(one.needed - set(one.ranked[:MAIN]))
    return f"not among the first {MAIN}: {', '.join(missed)}" if missed else ""
