"""Every way in which kgraph refuses: what, where, and what to do next.

Bad *data* is never an exception: it is a list of ``model.Problem`` values that are collected and shown together. What stands here is
for callers: a request that can't be carried out. ``code`` is stable, ``exit_status`` is the command line's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class KgraphError(Exception):
    """The root of the tree. ``details`` holds JSON values that belong into the answer beside the message."""

    code = "E200"
    exit_status = 2

    def __init__(self, message: str, hint: str = "", **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details


class UsageError(KgraphError):
    code = "E201"


class MissingExtra(UsageError):
    """Something needs an optional library that isn't installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra '{extra}', which is not installed here",
            f"pip install 'karpathy-graph[{extra}]'",
            extra=extra,
        )


class RunConflict(KgraphError):
    code = "E202"


class NoGraph(KgraphError):
    code = "E203"


class UnknownReference(KgraphError):
    code = "E204"


class AmbiguousReference(KgraphError):
    code = "E205"

    def __init__(self, reference: str, candidates: Sequence[dict[str, Any]]) -> None:
        super().__init__(
            f"'{reference}' names {len(candidates)} nodes",
            "use one of the ids, or narrow it as Type:name",
            candidates=list(candidates),
        )


class Exists(KgraphError):
    code = "E206"


class NotAllowed(KgraphError):
    code = "E207"


class Locked(KgraphError):
    code = "E208"
    exit_status = 4


class LogDamaged(KgraphError):
    code = "E209"


class NewerLog(KgraphError):
    code = "E210"


class TryAgain(KgraphError):
    """The outside failed in a way that may pass: network, disk full, rate limit."""

    code = "E211"
    exit_status = 4
