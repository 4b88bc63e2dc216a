"""Language models behind one port: ``complete(request) -> Reply``. One file a provider, httpx imported when a model is called."""

from __future__ import annotations

from kgraph.models.failures import (
    CallFailed,
    CutOff,
    RateLimited,
    Refused,
    ServerFailed,
    TooSlow,
    Unreachable,
)
from kgraph.models.port import Model, Request

__all__ = [
    "CallFailed",
    "CutOff",
    "Model",
    "RateLimited",
    "Refused",
    "Request",
    "ServerFailed",
    "TooSlow",
    "Unreachable",
]
