"""Decisions against gold: grounding, support of a claim by a quote, and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kgraph.evaluate.estimates import proportion
from kgraph.evaluate.score import HIGHER, LOWER, ItemScore, Metric, Score
from kgraph.tuples import NamedTuple


class Decided(NamedTuple):
    """One item: the right word and the one given; the words of trivial rivals. ``cited``: whether what an approval rests on is
    what the gold lets it rest on, None where that can't be said."""

    key: str
    wanted: str
    given: str
    kind: str = ""
    detail: str = ""
    rivals: Mapping[str, str] = {}
    cited: bool | None = None


def score_grounding(decided: Sequence[Decided]) -> Score:
    """Accuracy, false approvals (the costly error), true statements approved, and whether approvals rest on the right Sources."""
    not_carried = [one for one in decided if one.wanted != "approve"]
    carried = [one for one in decided if one.wanted == "approve"]
    cited = [one for one in decided if one.cited is not None]
    metrics = [
        _share("decision accuracy", decided, _right, "a gold full of easy refusals makes a graph that approves nothing look good"),
        _share("false approvals", not_carried, _approves, "0 where nothing is ever approved: read it with approved", LOWER),
        _share("approved", carried, _approves, "1 where everything is approved: read it with false approvals"),
    ]  # fmt: skip
    if cited:
        valid = proportion(sum(bool(one.cited) for one in cited), len(cited))
        metrics.append(
            Metric("cited path validity", valid, "a right Source may be cited for the wrong words")
        )
    return _scored("grounding", [*metrics, *_by_kind(decided)], decided)


def score_support(decided: Sequence[Decided]) -> Score:
    """Claims held against quotes. ``given`` is a label of the gold, or 'plausible' or 'unjudged', which vouch for nothing."""
    unsupported = [one for one in decided if one.wanted != "entails"]
    supported = [one for one in decided if one.wanted == "entails"]
    metrics = [
        _share("accuracy", decided, _right, "neutral and contradicting quotes are told apart, though both mean: not carried"),
        _share("unsupported passed", unsupported, _entails, "0 where nothing is ever called stated: read it with stated", LOWER),
        _share("unsupported doubted", unsupported, _doubts, "1 where everything is doubted: read it with supported doubted"),
        _share("stated", supported, _entails, "1 where everything is called stated"),
        _share("supported doubted", supported, _doubts, "0 where nothing is ever doubted", LOWER),
    ]  # fmt: skip
    return _scored("support", [*metrics, *_by_kind(decided)], decided)


class Answered(NamedTuple):
    """One question: the right answers, the statements given, how many of them the graph carries, and what trivial rivals said."""

    key: str
    answers: tuple[str, ...]
    statements: tuple[str, ...]
    carried: int
    rivals: Mapping[str, str] = {}


def score_answers(answered: Sequence[Answered]) -> Score:
    """Right answers given, silence where the graph knows nothing, and statements that nothing carries."""
    known = [one for one in answered if one.answers]
    unknown = [one for one in answered if not one.answers]
    rivals = sorted({name for one in answered for name in one.rivals})
    right = proportion(sum(_holds(one, " ".join(one.statements)) for one in known), len(known))
    statements = sum(len(one.statements) for one in answered)
    metrics = [
        Metric("answered", right, "a long answer holds the right words by chance",
               {name: _mean([_holds(one, one.rivals.get(name, "")) for one in known]) for name in rivals}),
        Metric("silent when unknown", proportion(sum(not one.statements for one in unknown), len(unknown)),
               "1 where nothing is ever answered"),
        Metric("statements carried", proportion(sum(one.carried for one in answered), statements),
               "carried by the graph isn't the same as an answer to the question"),
    ]  # fmt: skip
    items = tuple(
        ItemScore(one.key, float(_holds(one, " ".join(one.statements)) if one.answers else not one.statements),
                  " ".join(one.statements)[:300])
        for one in answered
    )  # fmt: skip
    return Score("answer", tuple(metrics), items, about={"questions": len(answered)})


def _holds(one: Answered, text: str) -> bool:
    folded = f" {_plain(text)} "
    return any(f" {_plain(answer)} " in folded for answer in one.answers if _plain(answer))


def _plain(text: str) -> str:
    """Letters and digits of a text in words, as answers are compared: case, punctuation and articles aside."""
    kept = "".join(char if char.isalnum() else " " for char in text.casefold())
    return " ".join(word for word in kept.split() if word not in ("a", "an", "the"))


Test = Callable[[Decided, str], bool]


def _right(one: Decided, given: str) -> bool:
    return given == one.wanted


def _approves(_: Decided, given: str) -> bool:
    return given == "approve"


def _entails(_: Decided, given: str) -> bool:
    return given == "entails"


def _doubts(_: Decided, given: str) -> bool:
    return given in ("contradicts", "neutral")


def _share(
    name: str, items: Sequence[Decided], test: Test, misleads: str, better: str = HIGHER
) -> Metric:
    rivals = sorted({rival for one in items for rival in one.rivals})
    baselines = {
        rival: _mean([test(one, one.rivals.get(rival, "")) for one in items]) for rival in rivals
    }
    hits = sum(test(one, one.given) for one in items)
    return Metric(name, proportion(hits, len(items)), misleads, baselines, better)


def _by_kind(decided: Sequence[Decided]) -> list[Metric]:
    kinds = Counter(one.kind for one in decided if one.kind)
    return [
        _share(f"accuracy: {kind}", [one for one in decided if one.kind == kind], _right, "few items: look at the interval")
        for kind in kinds
    ]  # fmt: skip


def _scored(stage: str, metrics: Sequence[Metric], decided: Sequence[Decided]) -> Score:
    items = tuple(
        ItemScore(
            one.key, float(one.given == one.wanted),
            "" if one.given == one.wanted else f"{one.given}, not {one.wanted}{': ' + one.detail if one.detail else ''}",
        )
        for one in decided
    )  # fmt: skip
    return Score(stage, tuple(metrics), items, about={"items": len(decided)})


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
