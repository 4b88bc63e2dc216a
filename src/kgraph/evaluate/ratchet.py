"""The ratchet's rules: one change at a time, kept only when it helps on gold that it was not tuned on. Pure.

Gold is split once, by a hash of each item, into a part to work on and a part that is held out. A change is kept when the target figure
rises on both and no constraint is broken. One that helps on the first part alone fits the gold and not the graph, and is named as that.
"""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.errors import UsageError
from kgraph.evaluate.gold import Item, key_of
from kgraph.evaluate.score import LOWER, Score
from kgraph.tuples import NamedTuple

POLICIES = ("", "strict", "balanced")
KEPT, REVERTED = "kept", "reverted"
BASELINE = "baseline"


class Settings(NamedTuple):
    """What can be changed without touching the graph. ``policy``: merges are decided by it before scoring, '' for none.
    ``builds``: files that were handed to the build command, in order."""

    hops: int = 2
    max_tokens: int = 2000
    by_words: bool = False
    policy: str = ""
    builds: tuple[str, ...] = ()


class Change(NamedTuple):
    """One thing that is tried. ``sets`` changes settings; a change with ``build`` is a file for the build command."""

    name: str
    sha256: str
    sets: Mapping[str, Any] = {}
    build: str = ""

    def on(self, settings: Settings) -> Settings:
        if self.build:
            return settings._replace(builds=(*settings.builds, self.build))
        return settings._replace(**self.sets)


class Target(NamedTuple):
    """What must rise: a figure of a stage. ``bounds`` are constraints on figures of all the gold: (figure, value)."""

    stage: str
    metric: str
    bounds: tuple[tuple[str, float], ...] = ()

    @property
    def rubric(self) -> str:
        limits = "".join(f", {name} not worse than {value}" for name, value in self.bounds)
        return f"{self.metric} of {self.stage}, on worked and held-out gold{limits}"


class Measured(NamedTuple):
    """The target figure on the part that is worked on, on the held-out part, and the constrained figures on all of it."""

    worked: float
    held_out: float
    bounded: tuple[tuple[str, float], ...] = ()
    cost: float = 0.0


class Trial(NamedTuple):
    """``verdict`` is kept or reverted, ``why`` says which rule decided. The first trial is the baseline, and kept."""

    number: int
    change: str
    sha256: str
    measured: Measured
    verdict: str
    why: str

    def as_json(self) -> dict[str, Any]:
        return {
            "number": self.number, "change": self.change, "sha256": self.sha256, "worked": self.measured.worked,
            "held_out": self.measured.held_out, "bounded": dict(self.measured.bounded), "cost": self.measured.cost,
            "verdict": self.verdict, "why": self.why,
        }  # fmt: skip


def read_trial(held: Mapping[str, Any]) -> Trial:
    """What ``Trial.as_json`` wrote."""
    measured = Measured(
        held["worked"], held["held_out"], tuple(held["bounded"].items()), held["cost"]
    )
    return Trial(held["number"], held["change"], held["sha256"], measured, held["verdict"], held["why"])  # fmt: skip


def split(gold: Sequence[Item], share: float) -> tuple[list[Item], list[Item]]:
    """(worked, held out). Which part an item is in depends on its key alone. Raises UsageError where a part would be empty."""
    worked: list[Item] = []
    held: list[Item] = []
    for item in gold:
        digest = hashlib.sha256(key_of(item).encode()).digest()
        (held if int.from_bytes(digest[:4]) < share * 2**32 else worked).append(item)
    if not worked or not held:
        raise UsageError(
            f"{len(gold)} items of gold leave {'nothing to work on' if held else 'nothing held out'} at a share of {share}",
            "give more gold, or another --held-out",
        )
    return worked, held


def read_change(name: str, text: bytes, path: str) -> Change:
    """A ``.json`` file of settings, or any other file, which is for the build command. Raises UsageError for unknown settings."""
    digest = hashlib.sha256(text).hexdigest()
    if not path.endswith(".json"):
        return Change(name, digest, build=path)
    try:
        sets = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} isn't JSON ({error})", 'for example {"hops": 3}') from None
    known = Settings._field_defaults
    if not isinstance(sets, dict) or not sets:
        raise UsageError(f"{path} sets nothing", 'for example {"hops": 3}')
    for key, value in sets.items():
        if key not in known or key == "builds" or type(value) is not type(known[key]):
            able = ", ".join(one for one in known if one != "builds")
            raise UsageError(f"{path}: '{key}' can't be set to {value!r}", f"settings are: {able}")
    if sets.get("policy", "") not in POLICIES:
        raise UsageError(f"{path}: there is no policy '{sets['policy']}'", "strict or balanced")
    return Change(name, digest, sets)


def figure(score: Score, name: str) -> float:
    """A figure by name, turned so that more is better. Raises UsageError where the stage has none."""
    metric = score.metric(name)
    if metric is None:
        known = ", ".join(one.name for one in score.metrics)
        raise UsageError(f"{score.stage} has no figure '{name}'", f"it has: {known}")
    return -metric.estimate.value if metric.better == LOWER else metric.estimate.value


def broken(score: Score, bounds: Sequence[tuple[str, float]]) -> list[str]:
    """The constraints that a score breaks, in words."""
    found = []
    for name, value in bounds:
        metric = score.metric(name)
        if metric is None:
            figure(score, name)
        elif (
            metric.estimate.value > value
            if metric.better == LOWER
            else metric.estimate.value < value
        ):
            found.append(f"{name} is {metric.estimate.value:.4f}, the bound is {value}")
    return found


def decide(best: Measured, tried: Measured, breaches: Sequence[str]) -> tuple[str, str]:
    """(kept or reverted, why)."""
    worked, held = round(tried.worked - best.worked, 6), round(tried.held_out - best.held_out, 6)
    gains = f"{worked:+.4f} on the gold worked on, {held:+.4f} on the gold held out"
    if breaches:
        return REVERTED, f"a constraint is broken: {'; '.join(breaches)}"
    if worked <= 0:
        return REVERTED, f"no gain: {gains}"
    if held <= 0:
        return REVERTED, f"fits the gold that it was worked on, and not what was held out: {gains}"
    return KEPT, gains


def table(trials: Sequence[Trial], metric: str) -> str:
    """Every trial in a line."""
    rows = [("trial", "change", f"{metric} worked", "held out", "verdict", "why")]
    rows += [
        (str(one.number), one.change, f"{abs(one.measured.worked):.4f}", f"{abs(one.measured.held_out):.4f}", one.verdict, one.why)
        for one in trials
    ]  # fmt: skip
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)  # fmt: skip


WIDTH, HEIGHT, EDGE = 640, 320, 44


def plot(trials: Sequence[Trial], metric: str) -> str:
    """The trials as an SVG picture: both parts of the gold by trial, kept trials filled."""
    values = [abs(value) for one in trials for value in one.measured[:2]]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def place(number: int, value: float) -> tuple[float, float]:
        x = EDGE + (WIDTH - 2 * EDGE) * (number / max(1, len(trials) - 1))
        return round(x, 1), round(
            HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (abs(value) - low) / span, 1
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" role="img">',
        f"<title>{html.escape(metric)} by trial</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{EDGE}" y="18">{html.escape(metric)}: worked (blue), held out (orange); filled = kept</text>',
        f'<text x="4" y="{EDGE + 4}">{high:.3f}</text><text x="4" y="{HEIGHT - EDGE + 4}">{low:.3f}</text>',
    ]
    for part, colour in (("worked", "#0072b2"), ("held_out", "#d55e00")):
        points = [place(number, getattr(one.measured, part)) for number, one in enumerate(trials)]
        line = " ".join(f"{x},{y}" for x, y in points)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        )
        for one, (x, y) in zip(trials, points, strict=True):
            fill = colour if one.verdict == KEPT else "#fff"
            label = html.escape(f"{one.number} {one.change}: {one.verdict}, {one.why}")
            parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" stroke="{colour}"><title>{label}</title></circle>')  # fmt: skip
    return "\n".join([*parts, "</svg>", ""])
