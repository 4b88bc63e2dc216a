"""What a run says while it is under way, on standard error: a line that is rewritten on a terminal, else one every few seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kgraph.extract.outcomes import FINISHED, UnitResult
from kgraph.plurals import counted

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_FRAMES = 0.1
LEAST_COLUMNS = 20


class Reporter(Protocol):
    """Told of everything that happens; may show it or not."""

    def begin(self, units: int, skipped: int) -> None: ...

    def unit(self, result: UnitResult) -> None: ...

    def draining(self, calls: int) -> None:
        """The run ends; ``calls`` answers that are on their way are waited for."""
        ...

    def end(self) -> None: ...


class Silent:
    """Shows nothing."""

    def begin(self, units: int, skipped: int) -> None:
        return None

    def unit(self, result: UnitResult) -> None:
        return None

    def draining(self, calls: int) -> None:
        return None

    def end(self) -> None:
        return None


class Progress:
    """Units, tokens, cost and the time that is left. ``write`` takes text for standard error, ``clock`` gives seconds, ``columns`` the
    width of the terminal as it is now; without it every line stands for itself."""

    def __init__(
        self,
        write: Callable[[str], None],
        clock: Callable[[], float],
        columns: Callable[[], int] | None = None,
    ) -> None:
        self._write = write
        self._clock = clock
        self._columns = columns
        self._on_line = 0  # characters of the line that is rewritten
        self._units = self._done = self._tokens = self._troubled = self._sentences = (
            self._claims
        ) = 0
        self._cost: float | None = 0.0
        self._began = self._shown_at = 0.0

    def begin(self, units: int, skipped: int) -> None:
        self._units = units
        self._began = self._clock()
        self._shown_at = self._began
        if skipped:
            self._write(
                f"{counted(skipped, 'unit')} {'is' if skipped == 1 else 'are'} unchanged and skipped\n"
            )

    def unit(self, result: UnitResult) -> None:
        self._done += 1
        self._units = max(self._units, self._done)
        self._sentences += int(str(result.notes.get("sentences", 0)))
        self._claims += int(str(result.notes.get("claims", 0)))
        self._tokens += result.usage.input_tokens + result.usage.output_tokens
        self._cost = None if result.cost is None or self._cost is None else self._cost + result.cost
        if result.outcome not in FINISHED:
            self._troubled += 1
            self._clear()
            self._write(
                _inert(
                    f"{result.unit}: {result.outcome}"
                    + (f" ({result.detail})" if result.detail else "")
                )
                + "\n"
            )
        now = self._clock()
        if now - self._shown_at >= (
            SECONDS_BETWEEN_FRAMES if self._columns else SECONDS_BETWEEN_LINES
        ):
            self._shown_at = now
            self._show(now)

    def draining(self, calls: int) -> None:
        self._clear()
        self._write(
            f"waiting for {counted(calls, 'answer')} that {'is' if calls == 1 else 'are'} on the way; Ctrl-C doesn't wait\n"
        )

    def end(self) -> None:
        self._clear()
        if self._claims < self._sentences:
            share = f"{self._claims} of {self._sentences} sentences became claims"
            self._write(f"{share}; a model (--model) or an agent (kgraph units) reads the rest\n")

    def _show(self, now: float) -> None:
        left = (now - self._began) / self._done * (self._units - self._done)
        parts = [f"{self._done} of {counted(self._units, 'unit')}"]
        if self._tokens:
            parts.append(counted(self._tokens, "token"))
            parts.append("cost unknown" if self._cost is None else f"${self._cost:.4f}")
        if self._troubled:
            parts.append(f"{self._troubled} unfinished")
        if self._done < self._units:
            parts.append(f"{self._done / max(now - self._began, 0.001):.1f} a second")
            parts += [f"about {duration(left)} left"] if left >= 1 else []
        line = " · ".join(parts)
        if self._columns is None:
            self._write(line + "\n")
            return
        width = max(LEAST_COLUMNS, self._columns() - 1)  # a full line would wrap
        shown = line[:width]
        self._write(f"\r{shown:<{min(self._on_line, width)}}")
        self._on_line = len(shown)

    def _clear(self) -> None:
        if self._on_line:
            self._write("\r" + " " * self._on_line + "\r")
            self._on_line = 0


def _inert(text: str) -> str:
    """One line that does nothing to a terminal, whatever an endpoint or a file's name put into it."""
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)


def duration(seconds: float) -> str:
    """A length of time as people say it."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
