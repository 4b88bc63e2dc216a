"""Trying again: exponential back-off with full jitter, a provider's Retry-After obeyed, by all threads at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from kgraph.model import Reply
from kgraph.models.failures import CallFailed
from kgraph.models.port import Model, Request, StreamingModel
from kgraph.tuples import NamedTuple


class Patience(NamedTuple):
    """``tries`` in all; waits double from ``first_seconds`` to ``longest_seconds``.

    A provider that asks for more than ``most_wait_seconds`` isn't waited for.
    """

    tries: int = 5
    first_seconds: float = 1.0
    longest_seconds: float = 60.0
    most_wait_seconds: float = 600.0


def wait_before(
    attempt: int, failure: CallFailed, patience: Patience, chance: float
) -> float | None:
    """Seconds to wait after failed try number ``attempt`` (from 1); None: give up. ``chance`` is in [0, 1)."""
    if not failure.again or attempt >= patience.tries:
        return None
    spread = min(patience.longest_seconds, patience.first_seconds * 2.0 ** (attempt - 1)) * (
        0.5 + chance / 2
    )
    if failure.wait_seconds is None:
        return spread
    if failure.wait_seconds > patience.most_wait_seconds:
        return None
    # A little over the time asked for, so that many threads don't come back in one moment.
    return failure.wait_seconds + patience.first_seconds * chance


class Persistent:
    """A model that tries again.

    After a rate limit all threads that use this model wait, not only the one that was told.
    """

    def __init__(
        self,
        model: Model,
        patience: Patience,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        chance: Callable[[], float],
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """``stopped()`` is true when nothing more is wanted: what fails then is not tried again."""
        self._model = model
        self._patience = patience
        self._stopped = stopped
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._open_at = 0.0
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    def close(self) -> None:
        self._model.close()

    def complete(self, request: Request) -> Reply:
        attempt = 1
        while True:
            self._wait_for_the_gate()
            try:
                return self._model.complete(request)
            except CallFailed as failure:
                seconds = wait_before(attempt, failure, self._patience, self._chance())
                if seconds is None or self._stopped():
                    if attempt > 1:
                        failure.hint = (
                            f"{failure.hint or 'nothing else to do'} (tried {attempt} times)"
                        )
                    raise
                if failure.wait_seconds is not None:
                    self._close_gate(seconds)
                else:
                    self._sleep(seconds)
                attempt += 1

    def complete_overheard(self, request: Request, heard: Callable[[str], None]) -> Reply:
        """As ``complete``; what failed after something was heard is not tried again, since it would be heard twice."""
        if not isinstance(self._model, StreamingModel):
            return self.complete(request)
        spoken: list[str] = []

        def hear(text: str) -> None:
            spoken.append(text)
            heard(text)

        try:
            self._wait_for_the_gate()
            return self._model.complete_overheard(request, hear)
        except CallFailed as failure:
            if spoken or not failure.again:
                raise
            return self.complete(request)

    def _close_gate(self, seconds: float) -> None:
        with self._lock:
            self._open_at = max(self._open_at, self._clock() + seconds)

    def _wait_for_the_gate(self) -> None:
        while True:
            with self._lock:
                left = self._open_at - self._clock()
            if left <= 0:
                return
            self._sleep(left)
