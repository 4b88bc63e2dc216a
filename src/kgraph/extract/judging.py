"""From a reply to the next step. Pure: what was said, what the checks found, and how often it was asked go in; a step comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.extract import prompt
from kgraph.extract.outcomes import Outcome, declined
from kgraph.extract.support import Supported
from kgraph.model import Json, Problem, Reply
from kgraph.models.port import Request
from kgraph.plurals import counted
from kgraph.tuples import NamedTuple

NODE_NEEDS = frozenset(("type", "name"))
EDGE_NEEDS = frozenset(("predicate", "source", "target", "type", "from", "to"))
SHOWN = 3  # problems that a unit's detail names; all of them went to the model


class Policy(NamedTuple):
    """``retries`` corrective tries for each pass; ``passes`` 1 or 2."""

    retries: int = 2
    passes: int = 1
    keep_unsupported: bool = False
    max_output_tokens: int = 16_000
    allow_secrets: bool = (
        False  # what looks like a credential is kept; else its item is left out and counted
    )


class Attempt(NamedTuple):
    """Where a unit stands. ``first`` is the request without corrections, ``found`` what an earlier pass gave."""

    first: Request
    request: Request
    pass_number: int = 1
    retries_used: int = 0
    asked_for_evidence: bool = False
    found: Mapping[str, Json] | None = None


class Ask(NamedTuple):
    attempt: Attempt


class Split(NamedTuple):
    detail: str


class Accept(NamedTuple):
    """``notes`` says what was given up on the way."""

    payload: dict[str, Json]
    dropped_claims: int
    dropped_edges: int
    notes: str = ""


class End(NamedTuple):
    outcome: Outcome
    detail: str


Step = Ask | Split | Accept | End


class Checked(NamedTuple):
    """What the rim found out about a reply: the payload in it (None if there is none; after a second pass together with the first's),
    the contract's word on it, its evidence."""

    payload: dict[str, Json] | None
    problems: tuple[Problem, ...]
    supported: Supported | None = None


def begin(first: Request) -> Attempt:
    return Attempt(first, first)


def glance(reply: Reply, unit_text: str, lowered: bool) -> Step | None:
    """What can be said of a reply without parsing it; None if it has to be parsed. ``lowered``: a cap had shortened its limit."""
    if reply.stop == "filter":
        return End("refused", "the provider's filter stopped it")
    if reply.stop == "refusal":
        return End(declined(reply) or "refused", _shown(reply.text) or "the model declined")
    if reply.thinking_only or not reply.text.strip():
        spent = (
            f"{reply.usage.output_tokens} tokens, all spent on thinking"
            if reply.thinking_only
            else "an empty answer"
        )
        return End(
            "hollow",
            f"{spent}; raise --max-output-tokens, lower the model's effort, or take a model that doesn't think aloud",
        )
    if reply.stop == "length":
        if lowered:
            return End("over-budget", "the answer was cut where the cap allowed no more")
        return Split(f"the answer was cut after {reply.usage.output_tokens} tokens")
    outcome = declined(reply)
    if outcome == "refused":
        return End("refused", _shown(reply.text))
    return End("empty", _shown(reply.text)) if outcome == "empty" else None


def decide(attempt: Attempt, reply: Reply, checked: Checked, policy: Policy) -> Step:
    """The step after a parsed reply."""
    supported = checked.supported
    failed = supported.failed if supported is not None else ()
    correctable = attempt.retries_used < policy.retries
    if checked.problems:
        if correctable:
            return Ask(_corrected(attempt, reply, (*checked.problems, *failed)))
        return _give_up(attempt, checked.problems)
    if checked.payload is None or supported is None:
        return _give_up(attempt, checked.problems)
    if failed and correctable and not attempt.asked_for_evidence:
        return Ask(_corrected(attempt, reply, failed))
    payload = supported.payload
    if attempt.pass_number < policy.passes and not is_empty(payload):
        again = prompt.second_pass(attempt.first, payload)
        return Ask(Attempt(attempt.first, again, attempt.pass_number + 1, 0, False, payload))
    if (
        supported.claims
        and supported.dropped_claims >= supported.claims
        and not policy.keep_unsupported
    ):
        return End(
            "unsupported",
            f"{counted(supported.dropped_claims, 'claim')}, none with words that stand in the unit: {listed(failed)}",
        )
    return Accept(payload, supported.dropped_claims, supported.dropped_edges)


def _corrected(attempt: Attempt, reply: Reply, problems: Sequence[Problem]) -> Attempt:
    base = (
        attempt.first if attempt.found is None else prompt.second_pass(attempt.first, attempt.found)
    )
    request = prompt.correction(base, reply.text, problems)
    evidence = attempt.asked_for_evidence or any(
        problem.code.startswith("W") for problem in problems
    )
    return attempt._replace(
        request=request, retries_used=attempt.retries_used + 1, asked_for_evidence=evidence
    )


def _give_up(attempt: Attempt, problems: Sequence[Problem]) -> Step:
    if attempt.found is not None:
        # The first pass stands on its own.
        return Accept(
            dict(attempt.found),
            0,
            0,
            f"the second pass gave nothing that could be used: {listed(problems)}",
        )
    return End("invalid", listed(problems) or "there is no JSON object in the answer")


def listed(problems: Sequence[Problem]) -> str:
    shown = "; ".join(
        f"{problem.path} {problem.code} {problem.message}" for problem in problems[:SHOWN]
    )
    return shown + (f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else "")


def is_empty(payload: Mapping[str, Json]) -> bool:
    """Nothing but the Source itself."""
    nodes, edges = payload.get("nodes"), payload.get("edges")
    return not edges and all(
        isinstance(node, dict) and node.get("type") == "Source" for node in nodes or ()
    )


def without_nulls(payload: Mapping[str, Json]) -> dict[str, Json]:
    """The payload without the nulls that the strict schema makes a model write for what it leaves out."""
    found = dict(payload)
    for field, needs in (("nodes", NODE_NEEDS), ("edges", EDGE_NEEDS)):
        if isinstance(payload.get(field), list):
            found[field] = [_plain(member, needs) for member in payload[field]]
    return found


def _plain(member: Json, needs: frozenset[str]) -> Json:
    if not isinstance(member, dict):
        return member
    return {key: value for key, value in member.items() if value is not None or key in needs}


def joined(first: Mapping[str, Json], second: Mapping[str, Json]) -> dict[str, Json]:
    """Two passes over one unit as one payload. What both say is there once."""
    nodes = list(first.get("nodes") or ())
    edges = list(first.get("edges") or ())
    nodes += [node for node in second.get("nodes") or () if node not in nodes]
    edges += [edge for edge in second.get("edges") or () if edge not in edges]
    return {**first, "nodes": nodes, "edges": edges}


def _shown(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 200 else words[:200] + "…"
