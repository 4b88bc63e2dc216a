"""What a run says while it is under way, on standard error: a line that is rewritten on a terminal, else one every few seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kgraph.extract.outcomes import FINISHED, UnitResult

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_FRAMES = 0.1


class Reporter(Protocol):
    """Told of everything that happens; may show it or not."""

    def begin(self, units: int, skipped: int) -> None: ...

    def unit(self, result: UnitResult) -> None: ...

    def end(self) -> None: ...


class Silent:
    """Shows nothing."""

    def begin(self, units: int, skipped: int) -> None:
        return None

    def unit(self, result: UnitResult) -> None:
        return None

    def end(self) -> None:
        return None


class Progress:
    """Units, tokens, cost and the time that is left. ``write`` takes text for standard error, ``clock`` gives seconds."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float], terminal: bool) -> None:
        self._write = write
        self._clock = clock
        self._terminal = terminal
        self._units = self._done = self._tokens = self._troubled = 0
        self._cost: float | None = 0.0
        self._began = self._shown_at = 0.0

    def begin(self, units: int, skipped: int) -> None:
        self._units = units
        self._began = self._clock()
        self._shown_at = self._began
        if skipped:
            self._write(f"{skipped} units are unchanged and skipped\n")

    def unit(self, result: UnitResult) -> None:
        self._done += 1
        self._units = max(self._units, self._done)
        self._tokens += result.usage.input_tokens + result.usage.output_tokens
        self._cost = None if result.cost is None or self._cost is None else self._cost + result.cost
        if result.outcome not in FINISHED:
            self._troubled += 1
            self._clear()
            self._write(f"{result.unit}: {result.outcome}" + (f" ({result.detail})" if result.detail else "") + "\n")
        now = self._clock()
        if now - self._shown_at >= (SECONDS_BETWEEN_FRAMES if self._terminal else SECONDS_BETWEEN_LINES):
            self._shown_at = now
            self._show(now)

    def end(self) -> None:
        self._clear()

    def _show(self, now: float) -> None:
        left = (now - self._began) / self._done * (self._units - self._done)
        parts = [f"{self._done} of {self._units} units"]
        if self._tokens:
            parts.append(f"{self._tokens} tokens")
            parts.append("cost unknown" if self._cost is None else f"${self._cost:.4f}")
        if self._troubled:
            parts.append(f"{self._troubled} unfinished")
        parts.append(f"about {duration(left)} left")
        line = " · ".join(parts)
        self._write(f"\r{line[:100]:<100}" if self._terminal else line + "\n")

    def _clear(self) -> None:
        if self._terminal:
            self._write("\r" + " " * 100 + "\r")


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
