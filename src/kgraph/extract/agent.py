"""A coding agent as the model: it is shown the units, asks for the prompt of one, and hands the payload in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from kgraph.contract.amend import DROPS
from kgraph.errors import UnknownReference
from kgraph.extract import prompt
from kgraph.extract.checking import check_reply
from kgraph.extract.gathering import (
    Group,
    Scope,
    Task,
    Work,
    gather,
    parts_when_split,
    tokens_of,
    uris_of,
)
from kgraph.extract.judging import (
    Accept,
    Checked,
    End,
    Policy,
    Step,
    begin,
    decide,
    glance,
    is_empty,
)
from kgraph.extract.ledger import Made, UnitEntry
from kgraph.extract.outcomes import FINISHED, UnitResult
from kgraph.extract.recording import Ended, Recorder
from kgraph.extract.replies import ReplyFolder, Sent
from kgraph.extract.request import UNIT_TOKENS
from kgraph.extract.store import Judged, Statement, Store
from kgraph.extract.support import Supported
from kgraph.model import Json, Problem, Reply, Unit
from kgraph.sources import on_disk
from kgraph.tuples import NamedTuple

MAKER = "agent"
HINTS = {  # by the code of a repair that leaves an edge out
    "unknown-endpoint": "if another unit states it, hand that unit in first, then write this edge with kgraph add-edge; else mend the name",
    "confidence-floor": "a fact as unsure as that is not to be written",
}


class Shown(NamedTuple):
    """A unit in a list: ``state`` is new, changed, unfinished or unchanged (since an agent last did it)."""

    unit: str
    kind: str
    sources: tuple[str, ...]
    tokens: int
    state: str
    note: str = ""


class Handing(NamedTuple):
    """An agent's payload, as it came, for one unit."""

    unit: str
    text: str
    run_id: str
    unit_tokens: int = UNIT_TOKENS
    keep_unsupported: bool = False
    dry_run: bool = False
    strict: bool = False


class HandedIn(NamedTuple):
    """What became of an agent's payload. ``problems`` are what it has to put right; ``dropped`` what was left out of what was written,
    each ``{path, code, reason, hint, item}``. ``tx`` is empty when nothing was written, ``unchanged`` when that run had said it before."""

    result: UnitResult
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    dropped: Sequence[dict[str, Json]]
    repairs: Sequence[dict[str, Json]]
    evidence: Mapping[str, int]
    tx: str = ""
    unchanged: bool = False
    strict: bool = False

    @property
    def exit_status(self) -> int:
        """0 when the unit is finished, 2 when there is something that the agent can put right, else 1."""
        if self.strict and self.is_doubtful:
            return 2
        if self.result.outcome in FINISHED:
            return 0
        return 2 if any(problem.code.startswith("E") for problem in self.problems) else 1

    @property
    def is_doubtful(self) -> bool:
        """Whether ``--strict`` refuses it: something would be left out, or there is a warning other than of an unreadable source."""
        return bool(self.dropped) or any(problem.code != "W303" for problem in self.warnings)

    def as_json(self) -> dict[str, Json]:
        errors = [problem for problem in self.problems if problem.code.startswith("E")]
        return {
            "tx": self.tx, "unchanged": self.unchanged, "units": [self.result.as_json()], "dropped": list(self.dropped),
            "evidence": dict(self.evidence),
            "invariant_violations": [problem.as_json() for problem in self.problems if problem not in errors],
            "errors": [problem.as_json() for problem in errors], "warnings": [problem.as_json() for problem in self.warnings],
            "repairs": list(self.repairs),
        }  # fmt: skip


def units(store: Store, paths: tuple[str, ...], unit_tokens: int = UNIT_TOKENS) -> list[Shown]:
    """All units below the paths, those that are done included. Writes nothing."""
    found: list[Shown] = []
    for group in _work(store, paths, unit_tokens, again=False).groups:
        found += [
            Shown(entry.unit, "", entry.sources, 0, "unchanged")
            for entry in group.unchanged
            if not entry.parts
        ]
        found += [_shown(task) for task in group.tasks]
    return sorted(found)


def _shown(task: Task) -> Shown:
    unit = task.unit
    return Shown(
        task.id,
        unit.kind if unit else "",
        task.sources,
        task.tokens,
        _state(task.former, task.sha256),
        unit.note if unit else "",
    )


def _state(former: UnitEntry | None, sha256: str) -> str:
    if former is None:
        return "new"
    if former.sha256 != sha256:
        return "changed"
    return (
        "unfinished" if not former.finished else "new"
    )  # done by another extractor is new to an agent


def unit_called(store: Store, name: str, unit_tokens: int = UNIT_TOKENS) -> Unit:
    """A unit by its id, as ``units`` lists it. Raises UnknownReference."""
    _, task = _find(store, name, unit_tokens)
    if task.unit is None:
        raise UnknownReference(f"'{name}' is not a unit that can be read as text")
    return task.unit


def hand_in(store: Store, handing: Handing, replies: ReplyFolder) -> HandedIn:
    """Judge an agent's payload like a model's and write what holds; what doesn't is listed. Nothing is asked again: the answer says what is
    wrong. A dry run does the same and keeps nothing."""
    if handing.strict and not handing.dry_run:
        tried = hand_in(store, handing._replace(dry_run=True), replies)
        if tried.is_doubtful:
            return tried._replace(
                result=tried.result._replace(
                    outcome="invalid", detail="refused for its warnings", nodes=0, edges=0
                )
            )
    store = store.rehearsal() if handing.dry_run else store
    group, task = _find(store, handing.unit, handing.unit_tokens)
    if task.unit is None:
        raise UnknownReference(f"'{handing.unit}' is not a unit that can be read as text")
    reply = Reply(handing.text, model=MAKER)
    if not handing.dry_run:
        replies.save(Sent(handing.run_id, task.id, 1), reply)
    policy = Policy(retries=0, passes=1, keep_unsupported=handing.keep_unsupported)
    attempt = begin(prompt.request_for(task.unit, policy.max_output_tokens, store.vocabulary))
    checked, repairs = check_reply(store, task, handing.text, attempt, policy, whole=True)
    checked = checked._replace(problems=(*_turned(repairs), *checked.problems))
    step = glance(reply, _text(task), False) or decide(attempt, reply, checked, policy)
    ended = _ended(task, step)
    tx = _already(store, ended, handing.run_id)
    if tx:
        judged, result = (
            store.judge(_statement(ended), task.former.places if task.former is not None else ()),
            ended.result,
        )
    else:
        # An agent looks at one unit at a time, and knows what it replaces.
        recorder = Recorder(store, handing.run_id, [group], allow_shrink=True)
        recorder.end(ended)
        recorder.flush()
        recorder.settle()
        written, judged = recorder.judged.get(task.id, ("", _judged(store, task, checked)))
        result = recorder.results[task.id]
    refused = (
        checked.problems or judged.problems or (recorder.refused.get(task.id, ()) if not tx else ())
    )
    failed = checked.supported.failed if checked.supported is not None else ()
    dropped = (
        _dropped(repairs, checked.supported) if not refused and result.outcome in FINISHED else []
    )
    return HandedIn(
        result, tuple(refused), (*failed, *judged.warnings), dropped, repairs, judged.evidence,
        tx or (written if not handing.dry_run and result.outcome in FINISHED else ""), bool(tx), handing.strict,
    )  # fmt: skip


def _turned(repairs: Sequence[Mapping[str, Json]]) -> list[Problem]:
    """A SUPPORTS the wrong way round, which a model's reply is mended of: who hands over by hand is told, with a unit as without."""
    return [
        Problem(
            "E104",
            str(repair["path"]),
            "SUPPORTS runs Source \u2192 Claim",
            "swap source and target",
        )
        for repair in repairs
        if repair["code"] == "reversed"
    ]


def _judged(store: Store, task: Task, checked: Checked) -> Judged:
    """What there is to say of a payload that wasn't written, so that everything can be mended at once."""
    if checked.payload is None or task.unit is None:
        return Judged(())
    without = task.former.places if task.former is not None else ()
    own = frozenset(task.sources)
    judged = store.judge(Statement(checked.payload, task.unit.documents, {}, own), without)
    return judged._replace(problems=())


def _statement(ended: Ended) -> Statement:
    return Statement(ended.payload or {}, ended.documents, {}, ended.own_uris)


def _already(store: Store, ended: Ended, run_id: str) -> str:
    """The transaction in which this run has said the same of this unit; '' if there is none."""
    former = ended.task.former
    if (
        ended.payload is None
        or former is None
        or former.outcome != ended.result.outcome
        or former.maker != ended.made.maker
    ):
        return ""
    return store.already(_statement(ended), former.places, run_id)


def _dropped(
    repairs: Sequence[Mapping[str, Json]], supported: Supported | None
) -> list[dict[str, Json]]:
    """Everything of the payload that isn't in what was written, in the order of its paths' kinds: first what repair left out."""
    found: list[dict[str, Json]] = [
        {
            "path": repair["path"], "code": repair["code"], "reason": repair["message"],
            "hint": HINTS[str(repair["code"])], "item": repair["original"],
        }
        for repair in repairs if repair["code"] in DROPS
    ]  # fmt: skip
    for problem, item in supported.lost if supported is not None else ():
        found.append(
            {
                "path": problem.path,
                "code": problem.code,
                "reason": problem.message,
                "hint": problem.hint,
                "item": item,
            }
        )
    return found


def _ended(task: Task, step: Step) -> Ended:
    now = prompt.current()
    made = Made(task.sha256, MAKER, now.version, now.sha256)
    if isinstance(step, Accept) and not is_empty(step.payload):
        dropped = step.dropped_claims or step.dropped_edges
        result = UnitResult(
            task.id,
            task.sources,
            "done",
            "",
            len(step.payload["nodes"]),
            len(step.payload["edges"]),
            cost=None,
            unsupported=dropped,
        )
        documents = task.unit.documents if task.unit is not None else ()
        return Ended(task, result, made, step.payload, documents, frozenset(task.sources))
    if isinstance(step, Accept):
        return Ended(task, UnitResult(task.id, task.sources, "empty", cost=None), made)
    outcome, detail = (
        (step.outcome, step.detail)
        if isinstance(step, End)
        else ("invalid", "the payload was cut off")
    )
    return Ended(task, UnitResult(task.id, task.sources, outcome, detail, cost=None), made)


def _text(task: Task) -> str:
    return (
        "\n\n".join(part.text for part in prompt.parts_of(task.unit))
        if task.unit is not None
        else ""
    )


def _find(store: Store, name: str, unit_tokens: int) -> tuple[Group, Task]:
    """The unit and its group. Of a group whose other units are finished this one is the last, and then its document is."""
    place = name.partition("#")[0]
    path = on_disk(store.source_root, place)
    if os.path.exists(path):
        for again in (False, True):
            for group in _work(store, (path,), unit_tokens, again).groups:
                for task in _with_parts(group.tasks, name):
                    if task.id == name:
                        return group._replace(
                            tasks=tuple(
                                {**{each.id: each for each in group.tasks}, name: task}.values()
                            )
                        ), task
    raise UnknownReference(
        f"there is no unit '{name}'", "kgraph units PATH… lists them; give the same --unit-tokens"
    )


def _with_parts(tasks: Iterable[Task], name: str) -> Iterable[Task]:
    """The tasks, and the parts of one whose name this name begins with."""
    for task in tasks:
        yield task
        if task.unit is not None and task.id != name and "~" in name and name.startswith(task.id):
            parts = [
                Task(part.id, uris_of(part), part.sha256, tokens_of(part), None, part)
                for part in parts_when_split(task.unit)
            ]
            yield from _with_parts(parts, name)


def _work(store: Store, paths: tuple[str, ...], unit_tokens: int, again: bool) -> Work:
    own = (os.path.dirname(os.path.realpath(store.folder)),)
    return gather(store, Scope(paths, MAKER, unit_tokens, again, own))
