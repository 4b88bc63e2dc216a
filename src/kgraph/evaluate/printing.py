"""A score as a table for a terminal and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.evaluate.compare import Comparison
from kgraph.evaluate.score import Metric, Score
from kgraph.views.report import text as escaped

MOST_ITEMS = 20


def table(score: Score, comparison: Comparison | None = None) -> str:
    """Figures in columns, each with what misleads about it; then the items that failed, or that changed."""
    rows = [("metric", "value", "95 %", "n", "beside it")]
    rows += [
        (metric.name, _figure(metric), _interval(metric), str(metric.estimate.n), _beside(metric))
        for metric in score.metrics
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines += [
        "",
        *(
            f"{metric.name}: {metric.misleads}"
            for metric in score.metrics
            if not metric.name.startswith("accuracy: ")
        ),
    ]
    lines += [f"not measured: {note}" for note in score.notes]
    return "\n".join([*lines, *_items(score, comparison)])


def markdown(score: Score, comparison: Comparison | None = None) -> str:
    """The same for a pull request."""
    lines = [
        f"### {score.stage}",
        "",
        "| metric | value | 95 % | n | beside it | misleads when |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {metric.name} | {_figure(metric)} | {_interval(metric)} | {metric.estimate.n} | {_beside(metric)} | {metric.misleads} |"
        for metric in score.metrics
    ]
    lines += ["", *(f"Not measured: {note}" for note in score.notes)]
    found = [escaped(line) for line in _items(score, comparison) if line.strip()]
    return "\n".join(
        [*lines, *(f"* {line}" if at else line + "\n" for at, line in enumerate(found))]
    )


def _figure(metric: Metric) -> str:
    return f"{metric.estimate.value:.3f}"


def _interval(metric: Metric) -> str:
    return f"{metric.estimate.low:.3f}–{metric.estimate.high:.3f}"


def _beside(metric: Metric) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in metric.baselines.items())


def _items(score: Score, comparison: Comparison | None) -> Sequence[str]:
    if comparison is not None:
        lines = [
            f"  {one.metric}: {one.before:.3f} → {one.after:.3f}, {one.verdict}{'' if one.beyond_chance or one.verdict == 'same' else ' (within chance)'}"
            for one in comparison.moved
        ]
        lines += [
            f"  {one.key}: {'new' if one.before is None else f'{one.before:.2f}'} → {one.after:.2f} {one.detail}".rstrip()
            for one in comparison.changed[:MOST_ITEMS]
        ]
        lines += [f"  {key}: gone" for key in comparison.gone[:MOST_ITEMS]]
        return ["", "against the earlier score:", *lines]
    wrong = [item for item in score.items if item.value < 1]
    shown = [
        f"  {item.value:.2f} {item.key}: {item.detail}".rstrip(": ") for item in wrong[:MOST_ITEMS]
    ]
    if not shown:
        return ["", f"all {len(score.items)} items are right"] if score.items else []
    more = [f"  and {len(wrong) - MOST_ITEMS} more"] if len(wrong) > MOST_ITEMS else []
    return ["", f"{len(wrong)} of {len(score.items)} items are not wholly right:", *shown, *more]
