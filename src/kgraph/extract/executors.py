"""How requests are carried out while the run decides: by threads, one request each, or gathered into a provider's batches."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Protocol

from kgraph.extract.replies import Journal
from kgraph.model import Reply
from kgraph.models.batching import BatchPort, Results
from kgraph.models.failures import BatchFailed, CallFailed, ServerFailed
from kgraph.models.port import Model, Request
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

BATCH_AT_MOST = 10_000  # requests that may be on their way at once
POLL_SECONDS = 30.0
_BATCH_NAME = re.compile(r"(?:batches/)?[A-Za-z0-9_-]+")
TROUBLES = 5  # questions after a batch that may fail one after the other


class Executor(Protocol):
    """``room`` requests at a time. ``flush`` is called when nothing more can be handed over before an answer has come."""

    room: int
    drains: bool  # whether what is on its way is lost when nobody waits for it

    def submit(self, request: Request) -> Future[Reply]: ...

    def flush(self) -> None: ...

    def stop(self) -> None:
        """Don't wait for what is still on its way."""
        ...


class ThreadExecutor:
    """One daemon thread a request: the program may end while a provider still thinks."""

    drains = True

    def __init__(self, model: Model, jobs: int, journal: Journal | None = None) -> None:
        self.room = max(1, jobs)
        self._model = model
        self._journal = journal

    def submit(self, request: Request) -> Future[Reply]:
        future: Future[Reply] = Future()
        paid = self._journal.get(request) if self._journal else None
        if paid is not None:
            future.set_result(paid)
            return future
        threading.Thread(
            target=self._carry_out, args=(request, future), name="kgraph-model", daemon=True
        ).start()
        return future

    def flush(self) -> None:
        return None

    def stop(self) -> None:
        self._model.close()

    def _carry_out(self, request: Request, future: Future[Reply]) -> None:
        try:
            reply = self._model.complete(request)
            if self._journal:
                self._keep(self._journal, request, reply)
            future.set_result(reply)
        except CallFailed as failure:
            future.set_exception(failure)
        finally:
            # A fault of ours, told on standard error by the thread's end, fails this unit and no other.
            if not future.done():
                future.set_exception(
                    ServerFailed("internal error: the call ended in no way that is known")
                )

    @staticmethod
    def _keep(journal: Journal, request: Request, reply: Reply) -> None:
        """A reply that can't be kept for another run is used in this one all the same."""
        with contextlib.suppress(OSError):
            journal.put(request, reply)


def parted(requests: Mapping[str, Request], most_bytes: int) -> list[dict[str, Request]]:
    """The requests in order, in as few parts as hold ``most_bytes`` each. One that is larger by itself is a part of its own."""
    parts: list[dict[str, Request]] = []
    size = 0
    for key, request in requests.items():
        length = len(json.dumps(request)) + len(key)
        if not parts or size + length > most_bytes:
            parts.append({})
            size = 0
        parts[-1][key] = request
        size += length
    return parts


class _Note(NamedTuple):
    batch: str
    keys: frozenset[str]


class BatchExecutor:
    """Requests are gathered until ``flush``, sent as one batch, or as several where one would be too large, and asked for until they are
    answered.

    What was sent is noted in ``folder``, by the hash of each request. So a run that was stopped, or died, finds its batch again and asks
    for nothing twice; the note goes when the batch was answered.
    """

    room = BATCH_AT_MOST
    drains = False  # a batch goes on at the provider, and the next run fetches it

    def __init__(
        self,
        port: BatchPort,
        folder: str,
        sleep: Callable[[float], None],
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._port = port
        self._folder = folder
        self._sleep = sleep
        self._poll_seconds = poll_seconds
        self._gathered: dict[str, tuple[Request, Future[Reply]]] = {}
        self._waiting: threading.Thread | None = None
        self._stopped = False

    def submit(self, request: Request) -> Future[Reply]:
        key = self._key(request)
        if key in self._gathered:
            return self._gathered[key][1]
        self._gathered[key] = (request, Future())
        return self._gathered[key][1]

    def flush(self) -> None:
        if not self._gathered or (self._waiting is not None and self._waiting.is_alive()):
            return
        sent, self._gathered = self._gathered, {}
        self._waiting = threading.Thread(
            target=self._carry_out, args=(sent,), name="kgraph-batch", daemon=True
        )
        self._waiting.start()

    def stop(self) -> None:
        """The batch goes on at the provider; the next run fetches it."""
        self._stopped = True
        self._port.close()

    def _carry_out(self, sent: dict[str, tuple[Request, Future[Reply]]]) -> None:
        left = dict(sent)
        try:
            for note in self._notes():
                if not left.keys().isdisjoint(note.keys):
                    self._fetch(left, note.batch, last=False)
            batches: dict[str, list[str]] = {}
            for part in parted(
                {key: request for key, (request, _) in left.items()}, self._port.most_bytes
            ):
                if self._stopped:
                    break
                batch = self._port.submit(part)
                batches[batch] = list(part)
                self._note(batch, list(part))
            for batch, keys in batches.items():
                self._fetch_own(left, batch, keys)
        except CallFailed as failure:
            self._fail(left, failure)
        finally:
            # Whatever happened to this thread, no one may wait for it for ever.
            self._fail(left, ServerFailed("the batch has no answer to this request"))

    def _fetch(
        self, left: dict[str, tuple[Request, Future[Reply]]], batch: str, last: bool
    ) -> None:
        """Wait for a batch. One of a former run that failed is forgotten, and what it was asked is sent again."""
        try:
            self._settle(left, self._wait_for(batch))
        except BatchFailed:
            os.unlink(self._path(batch))
            if last:
                raise
            return
        os.unlink(self._path(batch))

    def _fetch_own(
        self, left: dict[str, tuple[Request, Future[Reply]]], batch: str, keys: list[str]
    ) -> None:
        """Wait for a batch of this run. If it fails, what was asked in it fails, and no other's."""
        try:
            self._fetch(left, batch, last=True)
        except CallFailed as failure:
            self._fail({key: left.pop(key) for key in keys if key in left}, failure)

    def _wait_for(self, batch: str) -> Results:
        troubles = 0
        while True:
            try:
                found = self._port.results(batch)
                if found is not None:
                    return found
                troubles = 0
            except CallFailed as failure:
                troubles += 1
                if not failure.again or troubles >= TROUBLES or self._stopped:
                    raise
            self._sleep(self._poll_seconds)
            if self._stopped:
                raise ServerFailed(
                    f"the run was stopped; batch {batch} goes on, and the next run with --batch fetches it"
                )

    def _settle(self, left: dict[str, tuple[Request, Future[Reply]]], results: Results) -> None:
        for key, answer in results.items():
            if key in left:
                _, future = left.pop(key)
                if isinstance(answer, CallFailed):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

    def _fail(self, left: dict[str, tuple[Request, Future[Reply]]], failure: CallFailed) -> None:
        for _, future in left.values():
            future.set_exception(failure)
        left.clear()

    # -- what is on its way --------------------------------------------------------------------------------------------------------

    def _key(self, request: Request) -> str:
        return hashlib.sha256(
            json.dumps([self._port.name, request], sort_keys=True).encode()
        ).hexdigest()[:40]

    def _path(self, batch: str) -> str:
        return os.path.join(self._folder, hashlib.sha256(batch.encode()).hexdigest()[:24] + ".json")

    def _note(self, batch: str, keys: list[str]) -> None:
        os.makedirs(self._folder, exist_ok=True)
        waiting = self._path(batch) + ".tmp"
        with open(waiting, "w", encoding="utf-8") as file:
            json.dump({"model": self._port.name, "batch": batch, "keys": keys}, file)
        os.replace(waiting, self._path(batch))

    def _notes(self) -> list[_Note]:
        try:
            names = sorted(name for name in os.listdir(self._folder) if name.endswith(".json"))
        except FileNotFoundError:
            return []
        found = []
        for name in names:
            try:
                with open(os.path.join(self._folder, name), encoding="utf-8") as file:
                    note = json_value(file.read())
                # What is here becomes part of an address, and may have come with the folder.
                if note["model"] == self._port.name and _BATCH_NAME.fullmatch(note["batch"]):
                    found.append(_Note(note["batch"], frozenset(note["keys"])))
            except (OSError, ValueError, TypeError, KeyError):
                continue  # no note of ours
        return found
