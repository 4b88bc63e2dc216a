"""Models without a network, for tests and for playing a recorded run again."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Callable, Sequence

from kgraph.model import Reply, Usage
from kgraph.models.failures import CallFailed, KeyRefused
from kgraph.models.port import Model, Request

Line = Reply | CallFailed
Script = Callable[[Request], Line]


class Scripted:
    """Answers by a function of the request, or with one line after the other. ``requests`` holds what it was asked, in order."""

    def __init__(self, script: Script | Sequence[Line], name: str = "scripted/test") -> None:
        self._script = script
        self.name = name
        self.requests: list[Request] = []
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Reply:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        if callable(self._script):
            line = self._script(request)
        elif number < len(self._script):
            line = self._script[number]
        else:
            raise KeyRefused(f"the script has {len(self._script)} lines and was asked for one more")
        if isinstance(line, CallFailed):
            raise line
        return line

    def close(self) -> None:
        return None


class Recorded:
    """Replies from files that ``Recording`` wrote, found by the request's hash. A request that wasn't recorded fails."""

    def __init__(self, folder: str, name: str = "recorded/replies") -> None:
        self._folder = folder
        self.name = name

    def complete(self, request: Request) -> Reply:
        try:
            with open(_file_of(self._folder, request), encoding="utf-8") as file:
                held = json.load(file)
        except FileNotFoundError:
            raise KeyRefused(f"no reply to this request is recorded in {self._folder}") from None
        return Reply(
            held["text"], held["stop"], Usage(*held["usage"]), held["model"], held["thinking_only"]
        )

    def close(self) -> None:
        return None


class Recording:
    """Passes requests on and keeps each reply, for ``Recorded``."""

    def __init__(self, model: Model, folder: str) -> None:
        self._model = model
        self._folder = folder

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, request: Request) -> Reply:
        reply = self._model.complete(request)
        os.makedirs(self._folder, exist_ok=True)
        held = {**reply._asdict(), "usage": list(reply.usage)}
        with open(_file_of(self._folder, request), "w", encoding="utf-8") as file:
            json.dump(held, file, indent=1)
        return reply

    def close(self) -> None:
        self._model.close()


def _file_of(folder: str, request: Request) -> str:
    digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    return os.path.join(folder, digest[:32] + ".json")
