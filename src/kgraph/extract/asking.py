"""Units through a model: several requests at once, every reply saved, judged and answered with the next step.

One thread decides; others only wait for replies. So budget, ledger and graph are never shared.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from kgraph.errors import KgraphError
from kgraph.extract import prompt
from kgraph.extract.budget import Budget, Grant
from kgraph.extract.checking import SECRET, check_reply
from kgraph.extract.gathering import Task, parts_when_split, tokens_of, uris_of
from kgraph.extract.judging import (
    Accept,
    Ask,
    Attempt,
    Policy,
    Split,
    Step,
    begin,
    decide,
    glance,
    is_empty,
)
from kgraph.extract.ledger import Made
from kgraph.extract.outcomes import Outcome, UnitResult
from kgraph.extract.recording import Ended
from kgraph.extract.replies import CacheKey, ReplyCache, ReplyFolder, Sent
from kgraph.extract.store import Store
from kgraph.model import Json, Reply, Usage
from kgraph.models.failures import CallFailed, TooLong
from kgraph.models.port import Request
from kgraph.tuples import NamedTuple
from kgraph.units import tokens

if TYPE_CHECKING:
    from concurrent.futures import Future

    from kgraph.extract.executors import Executor

NOTHING = Usage()
SMALLEST_TOKENS = 400  # a smaller unit isn't what makes a request too long
POLL_SECONDS = 0.2  # how long Ctrl-C may go unnoticed


class Listener(Protocol):
    """Who is told what became of a unit. Both may write to the graph."""

    def ended(self, ended: Ended, repairs: list[dict[str, Json]]) -> None: ...

    def split(self, task: Task, parts: list[Task], made: Made) -> None: ...

    def draining(self, calls: int) -> None: ...


class Session(NamedTuple):
    """Where replies are kept. ``run_id`` names their folder."""

    run_id: str
    replies: ReplyFolder
    cache: ReplyCache


class _Job:
    """A unit on its way: where it stands and what it has used."""

    def __init__(
        self, task: Task, attempt: Attempt, used: Usage = NOTHING, cost: float = 0.0
    ) -> None:
        self.task = task
        self.attempt = attempt
        self.used = used
        self.cost = cost
        self.calls = 0
        self.begun = False
        self.estimated = False
        self.repairs: list[dict[str, Json]] = []
        self.sent: list[Request] = []

    def text(self) -> str:
        return (
            "\n\n".join(part.text for part in prompt.parts_of(self.task.unit))
            if self.task.unit is not None
            else ""
        )


class Asking:
    """``run(tasks)`` ends when every task has ended, was found too dear, or the run must stop; what is left is returned."""

    def __init__(
        self,
        store: Store,
        model_name: str,
        session: Session,
        budget: Budget,
        policy: Policy,
        priced: bool,
    ) -> None:
        self._store = store
        self._model_name = model_name
        self._desk = session
        self._budget = budget
        self._policy = policy
        self._priced = priced
        self._vocabulary = store.vocabulary
        self._prompt = prompt.current(self._vocabulary)
        self.stopped = ""
        self.ended: list[Request] = []  # requests of units that have come to their end

    def run(
        self,
        tasks: Iterable[Task],
        executor: Executor,
        listener: Listener,
        stop: Callable[[], bool],
    ) -> list[Task]:
        """The tasks that were not finished. ``stopped`` then says why."""
        from concurrent.futures import FIRST_COMPLETED, wait

        waiting = deque(_Job(task, begin(self._first(task))) for task in tasks)
        running: dict[Future[Reply], tuple[_Job, Grant, int]] = {}
        try:
            while (waiting or running) and not self.stopped:
                if stop():
                    self.stopped = "interrupted"
                    break
                self._send(waiting, running, executor, listener)
                if not running:
                    continue
                if not any(future.done() for future in running):
                    executor.flush()
                done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future, running.pop(future), waiting, listener)
            if executor.drains:
                self._drain(running, waiting, listener)
        finally:
            executor.stop()
        return [job.task for job in (*(job for job, _, _ in running.values()), *waiting)]

    def _drain(
        self,
        running: dict[Future[Reply], tuple[_Job, Grant, int]],
        waiting: deque[_Job],
        listener: Listener,
    ) -> None:
        """Take in what is on its way, and ask for nothing more: it will be paid for whether anybody waits or not. Ctrl-C ends the waiting."""
        from concurrent.futures import FIRST_COMPLETED, wait

        try:
            if running:
                listener.draining(len(running))
            while running:
                done, _ = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future, running[future], waiting, listener)
                    del running[future]
        except KeyboardInterrupt:
            return

    def _first(self, task: Task) -> Request:
        if task.unit is None:
            raise KgraphError(f"'{task.id}' is no unit that a model can read")
        return prompt.request_for(task.unit, self._policy.max_output_tokens, self._vocabulary)

    # -- sending -------------------------------------------------------------------------------------------------------------------

    def _send(
        self,
        waiting: deque[_Job],
        running: dict[Future[Reply], tuple[_Job, Grant, int]],
        executor: Executor,
        listener: Listener,
    ) -> None:
        while waiting and len(running) < executor.room:
            job = waiting[0]
            if not job.calls and self._from_cache(job, listener):
                waiting.popleft()
                continue
            too_dear = "" if job.begun else self._budget.begin_unit()
            job.begun = job.begun or not too_dear
            request = job.attempt.request
            estimated = _input_tokens(request)
            grant = too_dear or self._budget.ask(estimated, request.max_output_tokens)
            if isinstance(grant, str):
                if not grant:
                    return  # requests on their way may give something back
                waiting.popleft()
                self._unaffordable(job, grant, listener)
                continue
            waiting.popleft()
            job.calls += 1
            sent = request._replace(max_output_tokens=grant.max_output_tokens)
            job.sent.append(sent)
            future = executor.submit(sent)
            running[future] = (job, grant, estimated)

    def _from_cache(self, job: _Job, listener: Listener) -> bool:
        """Use a reply of a former run again. It is judged like any other: the graph may have changed since."""
        reply = self._desk.cache.get(self._key(job.task))
        if reply is None:
            return False
        checked, repairs = check_reply(self._store, job.task, reply.text, job.attempt, self._policy)
        step = decide(job.attempt, reply, checked, self._policy._replace(passes=1))
        if not isinstance(step, Accept):
            return False
        job.repairs = repairs
        self._accept(job, step, listener, {"cached": True})
        return True

    def _unaffordable(self, job: _Job, why: str, listener: Listener) -> None:
        if job.attempt.found is not None:
            self._accept(
                job, Accept(dict(job.attempt.found), 0, 0, f"no second pass: {why}"), listener, {}
            )
        else:
            self._end(job, "over-budget", why, listener)

    # -- taking --------------------------------------------------------------------------------------------------------------------

    def _take(
        self,
        future: Future[Reply],
        sent: tuple[_Job, Grant, int],
        waiting: deque[_Job],
        listener: Listener,
    ) -> None:
        job, grant, estimated = sent
        try:
            reply = future.result()
        except CallFailed as failure:
            self._budget.settle(grant, Usage(), 0)
            if self.stopped:  # its unit is left for the next run
                waiting.append(job)
                return
            if isinstance(failure, TooLong):
                self._too_long(job, failure, waiting, listener)
                return
            if failure.whole_run:
                self.stopped = failure.message + (f" ({failure.hint})" if failure.hint else "")
            self._end(job, "failed", failure.message, listener)
            return
        usage = reply.usage
        if not usage.input_tokens and not usage.output_tokens:
            usage = Usage(estimated, tokens(reply.text))
            job.estimated = True
        job.cost += self._budget.settle(grant, usage, 0 if job.estimated else estimated)
        job.used = Usage(
            job.used.input_tokens + usage.input_tokens, job.used.output_tokens + usage.output_tokens
        )
        self._desk.replies.save(Sent(self._desk.run_id, job.task.id, job.calls), reply)
        step = glance(reply, job.text(), grant.lowered)
        if step is None:
            checked, job.repairs = check_reply(
                self._store, job.task, reply.text, job.attempt, self._policy
            )
            step = decide(job.attempt, reply, checked, self._policy)
        self._go(job, step, waiting, listener)

    def _too_long(
        self, job: _Job, failure: TooLong, waiting: deque[_Job], listener: Listener
    ) -> None:
        """The unit in smaller ones, unless it is so small that the prompt alone must be too long: then no other unit fits either."""
        if job.task.tokens >= SMALLEST_TOKENS or job.attempt.found is not None:
            self._split(job, Split(failure.message), waiting, listener)
            return
        self.stopped = f"{failure.message} (the model's context is too small for the prompt alone)"
        self._end(job, "failed", failure.message, listener)

    def _go(self, job: _Job, step: Step, waiting: deque[_Job], listener: Listener) -> None:
        if isinstance(step, Ask):
            job.attempt = step.attempt
            waiting.appendleft(job)
        elif isinstance(step, Split):
            self._split(job, step, waiting, listener)
        elif isinstance(step, Accept):
            self._accept(job, step, listener, {})
        elif job.attempt.found is not None:
            # What ends a second pass doesn't end the first.
            note = f"the second pass gave nothing: {step.outcome} ({step.detail})"
            self._accept(job, Accept(dict(job.attempt.found), 0, 0, note), listener, {})
        else:
            self._end(job, step.outcome, step.detail, listener)

    def _split(self, job: _Job, step: Split, waiting: deque[_Job], listener: Listener) -> None:
        parts = (
            parts_when_split(job.task.unit)
            if job.task.unit is not None and job.attempt.found is None
            else []
        )
        if not parts:
            if job.attempt.found is not None:
                self._accept(
                    job,
                    Accept(dict(job.attempt.found), 0, 0, f"no second pass: {step.detail}"),
                    listener,
                    {},
                )
            else:
                self._end(
                    job,
                    "truncated",
                    f"{step.detail}, and the unit can't be split further",
                    listener,
                )
            return
        tasks = [
            Task(part.id, uris_of(part), part.sha256, tokens_of(part), None, part) for part in parts
        ]
        listener.split(job.task, tasks, self._made(job.task, tuple(part.id for part in parts)))
        self.ended += job.sent
        halves = [_Job(task, begin(self._first(task))) for task in tasks]
        halves[0].used, halves[0].cost = (
            job.used,
            job.cost,
        )  # what the whole one has used has to stand somewhere
        for half in reversed(halves):
            half.begun = True
            waiting.appendleft(half)

    # -- ending --------------------------------------------------------------------------------------------------------------------

    def _accept(
        self, job: _Job, accepted: Accept, listener: Listener, notes: dict[str, Json]
    ) -> None:
        payload = accepted.payload
        if not notes.get("cached"):
            self._desk.cache.put(
                self._key(job.task),
                Reply(json.dumps(payload, ensure_ascii=False), model=self._model_name),
            )
        if is_empty(payload):
            self._end(job, "empty", accepted.notes, listener, notes)
            return
        dropped = accepted.dropped_claims + accepted.dropped_edges
        result = self._result(job, "done", accepted.notes, notes)._replace(
            nodes=len(payload["nodes"]),
            edges=len(payload["edges"]),
            unsupported=accepted.dropped_claims or min(dropped, 1) * dropped,
        )
        documents = job.task.unit.documents if job.task.unit is not None else ()
        ended = Ended(
            job.task, result, self._made(job.task), payload, documents, frozenset(job.task.sources)
        )
        listener.ended(ended, job.repairs)
        self.ended += job.sent

    def _end(
        self,
        job: _Job,
        outcome: Outcome,
        detail: str,
        listener: Listener,
        notes: dict[str, Json] | None = None,
    ) -> None:
        listener.ended(
            Ended(job.task, self._result(job, outcome, detail, notes or {}), self._made(job.task)),
            job.repairs,
        )
        self.ended += job.sent

    def _result(
        self, job: _Job, outcome: Outcome, detail: str, notes: dict[str, Json]
    ) -> UnitResult:
        secrets = sum(repair.get("code") == SECRET for repair in job.repairs)
        if secrets:
            notes = {**notes, "secrets": secrets}
        if job.estimated:
            notes = {**notes, "tokens_estimated": True}
        cost = job.cost if self._priced or not job.calls else None
        return UnitResult(
            job.task.id, job.task.sources, outcome, detail, usage=job.used, cost=cost, notes=notes
        )

    def _made(self, task: Task, parts: tuple[str, ...] = ()) -> Made:
        return Made(task.sha256, self._model_name, self._prompt.version, self._prompt.sha256, parts)

    def _key(self, task: Task) -> CacheKey:
        limits = {
            "max_output_tokens": self._policy.max_output_tokens,
            "passes": self._policy.passes,
            "keep": self._policy.keep_unsupported,
        }
        return CacheKey(
            task.sha256, self._prompt.sha256, self._model_name, json.dumps(limits, sort_keys=True)
        )


def _input_tokens(request: Request) -> int:
    schema = json.dumps(request.schema) if request.schema is not None else ""
    return tokens(request.instructions) + tokens(request.prompt) + tokens(schema)
