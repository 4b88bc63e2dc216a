"""The four write invariants, judged on the graph as it would be after the write, for the nodes that the write touches."""

from __future__ import annotations

from kgraph.contract.assign import Known
from kgraph.contract.edges import Edges
from kgraph.contract.findings import Findings
from kgraph.contract.nodes import Nodes
from kgraph.contract.view import Held, View
from kgraph.model import Problem
from kgraph.ontology import RULES


class _Suspect:
    """A node that an invariant speaks of: where it stands in the payload, and what payload and graph together say of it."""

    __slots__ = ("inference_paths", "inferred", "name", "path", "rubric", "version")

    def __init__(self, name: str, path: str, held: Held | None) -> None:
        self.name = name
        self.path = path
        self.inferred = held is not None and held.inference
        self.inference_paths: list[str] = []
        self.version = held is not None and _says_something(held.version)
        self.rubric = held is not None and _says_something(held.rubric)


def check_invariants(
    nodes: Nodes, edges: Edges, known: Known, view: View, findings: Findings
) -> None:
    """Report I1 to I4. An edge that was refused for another reason counts as a tie."""
    suspects = _suspects(nodes, known, edges.sourced)
    for number, text in edges.superseded:
        message = f"{text!r} was withdrawn, and what is superseded stays addressable"
        findings.violate(_violation("I4", f"$.edges[{number}]", text, "superseded", message))
    for path, end in edges.from_graph:
        if end.type in suspects and end.id not in suspects[end.type]:
            suspects[end.type][end.id] = _Suspect(end.name, path, end.held)
    _claims(suspects["Claim"], edges, view, findings)
    _artifacts(suspects["Artifact"], edges, view, findings)
    for id_, suspect in suspects["Evaluation"].items():
        if not suspect.rubric:
            message = f"the Evaluation {suspect.name!r} has no rubric"
            findings.violate(_violation("I3", suspect.path, id_, "no-rubric", message))


def _suspects(nodes: Nodes, known: Known, sourced: set[str]) -> dict[str, dict[str, _Suspect]]:
    suspects: dict[str, dict[str, _Suspect]] = {"Claim": {}, "Artifact": {}, "Evaluation": {}}
    for number, type_ in enumerate(nodes.types):
        if type_ not in suspects:
            continue
        event, id_ = nodes.events[number], nodes.ids[number]
        if event is None or (id_ in sourced and "inference" not in event):
            continue  # nothing to be said of a Claim that is tied and no inference
        suspect = suspects[type_].get(id_)
        if suspect is None:
            suspect = suspects[type_][id_] = _Suspect(
                event["name"], nodes.path(number), known.by_id.get(id_)
            )
        doubtful = number in nodes.doubtful
        suspect.inferred = suspect.inferred or doubtful
        if event.get("inference") is True:
            suspect.inferred = True
            suspect.inference_paths.append(nodes.path(number))
        suspect.version = suspect.version or doubtful or "version" in event
        suspect.rubric = suspect.rubric or doubtful or "rubric" in event
    return suspects


def _claims(claims: dict[str, _Suspect], edges: Edges, view: View, findings: Findings) -> None:
    loose = [
        id_
        for id_, claim in claims.items()
        if not claim.inferred and id_ not in edges.sourced and id_ not in edges.spared
    ]
    tied = view.tied_claims(loose) if loose else set()
    for id_ in loose:
        if id_ not in tied:
            message = f'the Claim {claims[id_].name!r} has neither a Source nor "inference": true'
            findings.violate(_violation("I1", claims[id_].path, id_, "unsourced-claim", message))
    for id_, claim in claims.items():
        if claim.inference_paths and id_ in edges.sourced:
            message = f'the Claim {claim.name!r} is marked "inference": true and tied to a Source'
            hint = "leave out one of them: what stands in a source is no inference"
            problem = _violation(
                "I1", claim.inference_paths[0], id_, "inference-with-source", message
            )
            findings.violate(problem._replace(hint=hint))


def _artifacts(
    artifacts: dict[str, _Suspect], edges: Edges, view: View, findings: Findings
) -> None:
    loose = [
        id_ for id_ in artifacts if id_ not in edges.produced and id_ not in edges.spared_produced
    ]
    without_run = set(loose) - (view.produced(loose) if loose else set())
    for id_, artifact in artifacts.items():
        lacks = [
            what
            for what, missing in (
                ("no-producer", id_ in without_run),
                ("no-version", not artifact.version),
            )
            if missing
        ]
        if lacks:
            words = " and ".join(
                {"no-producer": "no AgentRun that PRODUCED it", "no-version": "no version"}[what]
                for what in lacks
            )
            findings.violate(
                _violation(
                    "I2",
                    artifact.path,
                    id_,
                    ", ".join(lacks),
                    f"the Artifact {artifact.name!r} has {words}",
                )
            )


def _violation(code: str, path: str, node: str, detail: str, message: str) -> Problem:
    return Problem(code, path, message, RULES[code].hint, code, node, detail)


def _says_something(value: str | int | float | None) -> bool:
    return value is not None and (not isinstance(value, str) or bool(value.strip()))
