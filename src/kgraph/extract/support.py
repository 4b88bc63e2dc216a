"""What may be written of a model's payload once its citations have been held against the unit. Pure: statuses in, payload out.

A claim lives by its ties to the Source. One whose every tie failed isn't written; one that keeps a tie loses only the ties that failed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.model import Citation, Evidence, Json, Problem
from kgraph.ontology import fold
from kgraph.tuples import NamedTuple

CITING = frozenset(("SUPPORTS", "CONTRADICTS", "DERIVED_FROM", "MENTIONS", "DEPENDS_ON"))


class Loss(NamedTuple):
    """A node or an edge that is left out: where it stood and why, and the item as it came."""

    problem: Problem
    item: Json


class Supported(NamedTuple):
    """``failed`` says by path which citations don't hold; ``payload`` is what is left without them, ``lost`` what is not. Claims are
    counted."""

    payload: dict[str, Json]
    failed: tuple[Problem, ...]
    claims: int
    dropped_claims: int
    dropped_edges: int
    lost: tuple[Loss, ...] = ()


def citations_in(payload: Mapping[str, Json]) -> dict[int, Citation]:
    """The edges whose place must be found, by position: those that cite, and every tie of a Claim to a Source, citing or not."""
    known = _known(payload)
    found: dict[int, Citation] = {}
    for number, edge in enumerate(_objects(payload, "edges")):
        if not isinstance(edge, dict) or edge.get("predicate", edge.get("type")) not in CITING:
            continue
        quote, place = edge.get("quote"), edge.get("source_doc")
        citation = Citation(
            quote if isinstance(quote, str) else "", place if isinstance(place, str) else ""
        )
        if citation.quote or citation.source_doc or _tied_claim(edge, known):
            found[number] = citation
    return found


def supported(
    payload: Mapping[str, Json],
    evidence: Mapping[int, Evidence],
    keep_unsupported: bool = False,
    copied: frozenset[str] = frozenset(),
) -> Supported:
    """``evidence`` is by position of the edge, for the edges of ``citations_in``. Missing and absent evidence are the same here.

    ``copied``: folded names of nodes that come from the prompt and not from the unit; they and their edges never stay.
    """
    known = _known(payload)
    edges = _objects(payload, "edges")
    failed: dict[int, Problem] = {}
    ties: dict[str, list[int]] = {}
    for number in citations_in(payload):
        claim = _tied_claim(edges[number], known)
        if claim:
            ties.setdefault(claim, []).append(number)
        problem = _problem(number, edges[number], evidence.get(number), tie=bool(claim))
        if problem is not None:
            failed[number] = problem
    lost = {claim for claim, numbers in ties.items() if all(number in failed for number in numbers)}
    gone = copied if keep_unsupported else lost | copied
    left_out = {
        number: _hanging(number)
        for number, edge in enumerate(edges)
        if {_called(end, known) for end in _ends(edge)} & gone
    }
    left_out |= failed
    kept_edges = [edge for number, edge in enumerate(edges) if number not in left_out]
    kept_nodes, losses = [], []
    for number, node in enumerate(_objects(payload, "nodes")):
        kept = None if _is_called(node, copied) else _node(node, lost, keep_unsupported)
        if kept is None:
            losses.append(Loss(_unsupported(number), node))
        else:
            kept_nodes.append(kept)
    losses += [Loss(left_out[number], edges[number]) for number in sorted(left_out)]
    whole = {**payload, "nodes": kept_nodes, "edges": kept_edges}
    claims = {fold(str(node["name"])) for node in _objects(payload, "nodes") if _is_claim(node)}
    problems = (*_copies(payload, copied), *failed.values())
    return Supported(
        whole,
        problems,
        len(claims),
        len((lost | copied) & claims),
        len(edges) - len(kept_edges),
        tuple(losses),
    )


def _unsupported(number: int) -> Problem:
    hint = "copy the passage that says it letter for letter; if there is none, the claim isn't in the document"
    return Problem(
        "W301",
        f"$.nodes[{number}]",
        "nothing in the unit supports it: no tie to the Source has words that stand there",
        hint,
    )


def _hanging(number: int) -> Problem:
    return Problem(
        "W301", f"$.edges[{number}]", "one of its ends was left out", "it comes back with that node"
    )


def _copies(payload: Mapping[str, Json], copied: frozenset[str]) -> list[Problem]:
    hint = "write down what the unit says, nothing of the examples"
    return [
        Problem(
            "W301", f"$.nodes[{number}]", "this is the prompt's own example, not the unit's", hint
        )
        for number, node in enumerate(_objects(payload, "nodes"))
        if _is_called(node, copied)
    ]


def _is_called(node: Json, names: frozenset[str] | set[str]) -> bool:
    return isinstance(node, dict) and bool({fold(str(name)) for name in _names(node)} & names)


def _is_claim(node: Json) -> bool:
    return (
        isinstance(node, dict) and node.get("type") == "Claim" and isinstance(node.get("name"), str)
    )


def _problem(number: int, edge: Json, found: Evidence | None, tie: bool) -> Problem | None:
    if found is not None and found.status not in ("missing", "unchecked"):
        return None
    quote, place = edge.get("quote"), edge.get("source_doc")
    if quote:
        shown = quote if len(quote) <= 200 else quote[:200] + "…"
        said = f"the quote is not in the unit: {shown!r}"
        return Problem(
            "W301",
            f"$.edges[{number}].quote",
            said,
            "copy one passage of the unit letter for letter, or leave the claim out",
        )
    if place and found is not None and found.status == "missing":
        return Problem(
            "W302",
            f"$.edges[{number}].source_doc",
            f"there is no place '{place}' in the unit",
            "give a verbatim quote instead",
        )
    if tie:
        hint = "add the words of the unit that say it, letter for letter, or leave the claim out"
        return Problem("W207", f"$.edges[{number}]", "the edge from the Source has no quote", hint)
    return None


def _node(node: Json, lost: set[str], keep_unsupported: bool) -> Json | None:
    if not _is_claim(node) or not _is_called(node, lost):
        return node
    return {**node, "inference": True} if keep_unsupported else None


class _Known(NamedTuple):
    """A node of the payload: its type and its folded name, by which it is known here whatever an edge calls it."""

    type: str
    name: str


def _tied_claim(edge: Json, known: Mapping[str, _Known]) -> str:
    """The folded name of the Claim that this edge ties to a Source, or ''. A Source that contradicts it is no tie."""
    if not isinstance(edge, dict):
        return ""
    source, target = (known.get(fold(str(end)), _Known("", "")) for end in _ends(edge))
    predicate = edge.get("predicate", edge.get("type"))
    if predicate == "SUPPORTS" and source.type == "Source" and target.type == "Claim":
        return target.name
    if predicate == "DERIVED_FROM" and source.type == "Claim" and target.type == "Source":
        return source.name
    return ""


def _called(end: Json, known: Mapping[str, _Known]) -> str:
    folded = fold(str(end))
    return known[folded].name if folded in known else folded


def _ends(edge: Json) -> tuple[Json, Json]:
    if not isinstance(edge, dict):
        return "", ""
    return edge.get("source", edge.get("from", "")), edge.get("target", edge.get("to", ""))


def _known(payload: Mapping[str, Json]) -> dict[str, _Known]:
    """Each node by its folded name and by its id."""
    found: dict[str, _Known] = {}
    for node in _objects(payload, "nodes"):
        if isinstance(node, dict) and isinstance(node.get("name"), str):
            for name in _names(node):
                found.setdefault(
                    fold(str(name)), _Known(str(node.get("type", "")), fold(node["name"]))
                )
    return found


def _names(node: Mapping[str, Json]) -> list[Json]:
    return [
        value for value in (node.get("name"), node.get("id")) if isinstance(value, str) and value
    ]


def _objects(payload: Mapping[str, Json], field: str) -> Sequence[Json]:
    found = payload.get(field)
    return found if isinstance(found, list) else []
