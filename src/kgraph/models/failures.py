"""How a call to a model fails. Each kind says whether trying again can help, and when the provider asked for it."""

from __future__ import annotations

from kgraph.errors import TryAgain


class CallFailed(TryAgain):
    """``again``: another try may succeed. ``whole_run``: no other unit could succeed either. ``wait_seconds``: the provider's own wish."""

    again = True
    whole_run = False

    def __init__(
        self, message: str, hint: str = "", wait_seconds: float | None = None, status: int = 0
    ) -> None:
        super().__init__(message, hint)
        self.wait_seconds = wait_seconds
        self.status = status  # of the HTTP answer, 0 where there was none


class RateLimited(CallFailed):
    """429, or a provider's word for it."""


class ServerFailed(CallFailed):
    """5xx, or an answer that isn't what the provider's own format says."""


class CutOff(CallFailed):
    """The connection ended before the answer did."""


class TooSlow(CallFailed):
    """No complete answer within the time allowed."""


class Unreachable(CallFailed):
    """Nothing listens there, or the name doesn't resolve."""


class Refused(CallFailed):
    """The provider won't take this request (4xx): saying it again changes nothing."""

    again = False


class TooLong(Refused):
    """The request doesn't fit into the model's context: a smaller one may."""


class Filtered(Refused):
    """The provider's content filter won't let the request through."""


class KeyRefused(Refused):
    """No key, a wrong key, no money left, or a model that isn't there: the same for every unit."""

    whole_run = True


class Closed(CallFailed):
    """The model was closed while it was asked: the run doesn't wait for it any more."""

    again = False


class BatchFailed(CallFailed):
    """A batch ended without answers: it won't have any later, but its requests may be sent again."""

    again = False
