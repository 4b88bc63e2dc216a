"""The rim between a reply's text and its judgement: repair, contract, evidence. Reads the graph and the unit, writes nothing."""

from __future__ import annotations

from collections.abc import Mapping

from kgraph.contract.credentials import Secret, cleaned
from kgraph.evidence import locate, split
from kgraph.extract import prompt
from kgraph.extract.gathering import Task
from kgraph.extract.judging import Attempt, Checked, Policy, joined, without_nulls
from kgraph.extract.store import Statement, Store
from kgraph.extract.support import Loss, Supported, citations_in, supported
from kgraph.model import Citation, Evidence, Json, Unit

SECRET = "E113"


def check_reply(
    store: Store, task: Task, text: str, attempt: Attempt, policy: Policy, whole: bool = False
) -> tuple[Checked, list[dict[str, Json]]]:
    """What a reply is worth, and the repairs that were made to read it.

    The contract judges what would be written: if a claim is without support, that is told apart from what breaks a rule.
    """
    own = frozenset(task.sources)
    mended = store.mend(text, own)
    repairs = [dict(repair) for repair in mended.repairs]
    if mended.payload is None or task.unit is None:
        return Checked(None, mended.problems), repairs
    payload = without_nulls(mended.payload)
    if not policy.allow_secrets:
        found = cleaned(payload)
        payload = found.payload
        repairs += [left_out(path, secret) for path, secret in found.lost]
    if attempt.found is not None:
        payload = joined(attempt.found, payload)
    held = hold(task.unit, payload, policy.keep_unsupported, whole)
    without = task.former.places if task.former is not None else ()
    judged = store.judge(Statement(payload, task.unit.documents, {}, own), without)
    if not judged.problems and held.failed:
        judged = store.judge(Statement(held.payload, task.unit.documents, {}, own), without)
    problems, failed = list(judged.problems), list(held.failed)
    if attempt.found is None:
        problems, failed = mended.as_sent(problems), mended.as_sent(failed)
        told = mended.as_sent([loss.problem for loss in held.lost])
        held = held._replace(
            lost=tuple(
                Loss(problem, loss.item) for problem, loss in zip(told, held.lost, strict=True)
            )
        )
    return Checked(
        payload, (*mended.problems, *problems), held._replace(failed=tuple(failed))
    ), repairs


def left_out(path: str, secret: Secret) -> dict[str, Json]:
    """How the answer says that an item was left out."""
    said = f"left out: `{secret.member}` holds what looks like {secret.what}"
    return {"code": SECRET, "path": path, "message": said}


def hold(
    unit: Unit, payload: Mapping[str, Json], keep_unsupported: bool = False, whole: bool = False
) -> Supported:
    """The payload held against the words that the unit shows, each citation with the anchor of the place where it was found.

    ``whole``: a quote that stands in several places of its document stays ambiguous, though the unit shows just one of them.
    """
    parts = prompt.parts_of(unit)
    by_part: dict[int, list[tuple[int, Citation]]] = {}
    for number, citation in citations_in(payload).items():
        by_part.setdefault(_part_for(parts, citation, payload, number), []).append(
            (number, citation)
        )
    evidence: dict[int, Evidence] = {}
    for index, cited in by_part.items():
        found = locate(
            parts[index].document, [citation for _, citation in cited], parts[index].shown
        )
        if whole:
            anywhere = locate(parts[index].document, [citation for _, citation in cited])
            found = [
                other if other.status == "ambiguous" else one
                for one, other in zip(found, anywhere, strict=True)
            ]
        evidence |= {number: one for (number, _), one in zip(cited, found, strict=True)}
    return supported(
        _anchored(payload, evidence), evidence, keep_unsupported, prompt.copied_names(parts)
    )


def _part_for(
    parts: list[prompt.Part], citation: Citation, payload: Mapping[str, Json], number: int
) -> int:
    """Which document of the unit is cited: the one that ``source_doc`` or an end of the edge names, else the one that has the words."""
    if len(parts) == 1:
        return 0
    edge = payload["edges"][number]
    named = {
        split(citation.source_doc).document,
        edge.get("source", edge.get("from")),
        edge.get("target", edge.get("to")),
    }
    fitting = [
        index for index, part in enumerate(parts) if named & {part.document.uri, part.document.name}
    ]
    if fitting:
        return fitting[0]
    return next(
        (
            index
            for index, part in enumerate(parts)
            if citation.quote and citation.quote in part.text
        ),
        0,
    )


def _anchored(payload: Mapping[str, Json], evidence: Mapping[int, Evidence]) -> dict[str, Json]:
    """Each edge cites the place that was found in the unit, so that the same words elsewhere in the document are not taken for it."""
    edges = list(payload.get("edges") or ())
    for number, one in evidence.items():
        if one.status in ("verified", "moved", "located") and one.source_doc:
            edges[number] = {**edges[number], "source_doc": one.source_doc}
    return {**payload, "edges": edges}
