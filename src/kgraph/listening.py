"""How long a client of ours may keep a connection without asking anything. uvicorn's own limit begins only after a first answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol

IDLE_SECONDS = 15  # between two requests
HEADER_SECONDS = (
    15.0  # from the opening, or from a request's first byte, until its headers are whole
)


def http_protocol(seconds: float = HEADER_SECONDS) -> type[H11Protocol]:
    """uvicorn's HTTP/1.1, but a connection whose request isn't there after ``seconds`` is closed. Needs uvicorn."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):  # type: ignore[misc]  # uvicorn's types aren't followed
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._watch()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._watch()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self._rest()

        def _watch(self) -> None:
            """More bytes don't move a deadline that runs: headers that trickle in are as slow as none."""
            if self.cycle is not None and not self.cycle.response_complete:
                self._rest()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(seconds, self._give_up)

        def _rest(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _give_up(self) -> None:
            self._deadline = None
            if self.cycle is None or self.cycle.response_complete:
                self.transport.close()

    return Impatient
