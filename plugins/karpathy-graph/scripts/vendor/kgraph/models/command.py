"""Any program as a model: the prompt on its standard input, the reply on its standard output (``--command 'claude -p'``).

It is started without a shell, in a process group of its own, so that a timeout or Ctrl-C ends it together with its children.
"""

from __future__ import annotations

import json
import shlex
import threading
from typing import TYPE_CHECKING

from kgraph.errors import UsageError
from kgraph.model import Reply
from kgraph.models.failures import Closed, KeyRefused, ServerFailed, TooSlow
from kgraph.models.port import Request
from kgraph.models.secrets import Mask

if TYPE_CHECKING:
    import subprocess


class Command:
    """``line`` is split as a shell would. The program's exit status must be 0; what it says on standard error is shown if it fails."""

    def __init__(self, line: str, timeout_seconds: float, mask: Mask) -> None:
        try:
            self._words = shlex.split(line)
        except ValueError as error:
            raise UsageError(
                f"--command can't be read: {error}", "quote it as a shell would"
            ) from None
        if not self._words:
            raise UsageError(
                "--command is empty", "name a program that reads a prompt and writes a reply"
            )
        self._timeout_seconds = timeout_seconds
        self._mask = mask
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def name(self) -> str:
        # The base name only: options may hold anything.
        return "command/" + self._words[0].replace("\\", "/").rsplit("/", 1)[-1]

    def complete(self, request: Request) -> Reply:
        import subprocess

        try:
            child = self._start()
        except OSError as error:
            raise KeyRefused(
                f"'{self._words[0]}' can't be started: {error.strerror}",
                "is it installed, and on PATH?",
            ) from None
        try:
            out, err = child.communicate(
                text_for(request).encode("utf-8", "replace"), timeout=self._timeout_seconds
            )
        except subprocess.TimeoutExpired:
            _end(child)
            child.communicate()
            raise TooSlow(
                f"'{self._words[0]}' gave no reply in {self._timeout_seconds:g} s",
                "raise --timeout",
            ) from None
        finally:
            with self._lock:
                self._running.discard(child)
        if self._closed:
            raise Closed(f"'{self._words[0]}' was ended")
        if child.returncode != 0:
            said = self._mask(" ".join(err[-400:].decode("utf-8", "replace").split()))
            raise ServerFailed(
                f"'{self._words[0]}' ended with status {child.returncode}"
                + (f": {said}" if said else "")
            )
        return Reply(out.decode("utf-8", "replace"), model=self.name)

    def _start(self) -> subprocess.Popen[bytes]:
        import subprocess

        pipe = subprocess.PIPE
        with self._lock:
            if self._closed:
                raise Closed(f"'{self._words[0]}' is no longer asked")
            child = subprocess.Popen(
                self._words, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
            )
            self._running.add(child)
        return child

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for child in self._running:
                _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    import os
    import signal

    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        child.kill()


def text_for(request: Request) -> str:
    """A program has no schema mode: the schema stands in the text."""
    parts = [request.instructions, request.prompt]
    if request.schema is not None:
        parts.insert(
            1,
            "The reply must be one JSON object of this JSON Schema:\n" + json.dumps(request.schema),
        )
    return "\n\n".join(part for part in parts if part)
