"""Ctrl-C as a wish: the first asks the run to end after what it is doing, the second ends it at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupt:
    """A context manager; ``wished()`` tells. Outside the main thread, where signals don't arrive, it is never wished."""

    def __init__(self) -> None:
        self._wished = threading.Event()
        self._before: object = None

    def wished(self) -> bool:
        return self._wished.is_set()

    def sleep(self, seconds: float) -> None:
        """Sleep, but no longer than until Ctrl-C."""
        self._wished.wait(seconds)

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._asked)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)  # type: ignore[arg-type]

    def _asked(self, number: int, frame: FrameType | None) -> None:
        if self._wished.is_set():
            raise KeyboardInterrupt
        self._wished.set()
