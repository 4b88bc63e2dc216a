"""Relations that were read in words which a newer claim has replaced.

Whoever writes 'B depends on N' from a sentence writes a claim of that sentence too. When a newer claim takes that one's place, nobody
comes back to the relation: it is outdated all the same, and whoever shows it says so. It counts as read in the same words where the claim
mentions both of its ends and is quoted from the same place.
"""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.evidence import split
from kgraph.index.read import EdgeView, Reader
from kgraph.ontology import fold
from kgraph.retrieve.standing import ClaimEvaluator, Opposing
from kgraph.tuples import NamedTuple

DIRECT = ("DEPENDS_ON", "PARENT_OF", "PRODUCED", "EVALUATES")
LOOKED_AT = 200  # claims of one thing


class Replaced(NamedTuple):
    """The claim whose words a relation was read in, and what has taken that claim's place."""

    claim: str
    by: Opposing


def outdated(bench: ClaimEvaluator, edges: Iterable[EdgeView]) -> dict[int, Replaced]:
    """Those of some relations that rest on replaced words, by edge."""
    direct = [edge for edge in edges if edge.predicate in DIRECT and edge.source_doc]
    found: dict[int, Replaced] = {}
    claims: dict[int, set[int]] = {}
    for edge in direct:
        for end in (edge.src, edge.dst):
            if end not in claims:
                claims[end] = _claims_of(bench.reader, end)
        for nid in sorted(claims[edge.src] & claims[edge.dst]):
            standing = bench.of(nid)
            ties = [*(one.edge for one in standing.ties), *(edge for edge, _ in standing.unusable)]
            if standing.replaced and any(_same_words(bench.reader, edge, tie) for tie in ties):
                found[edge.eid] = Replaced(standing.claim.name, standing.replaced[0])
                break
    return found


def _claims_of(reader: Reader, nid: int) -> set[int]:
    """The claims that mention a thing under any of its names, as canonical nodes, no more than a bound of each."""
    canon = reader.canonical([nid]).get(nid, nid)
    told = {
        hop.there for member in reader.members(canon) for hop in reader.hops(member, ("MENTIONS",), LOOKED_AT) if not hop.forward
    }  # fmt: skip
    return set(reader.canonical(told).values())


def _same_words(reader: Reader, edge: EdgeView, tie: EdgeView) -> bool:
    """Whether both cite one place: the same document, and words that lie in each other or, without words, the same anchor."""
    source = tie.dst if tie.predicate == "DERIVED_FROM" else tie.src
    documents = {node.canon for node in reader.look_up(split(edge.source_doc).document, "Source")}
    if not documents & set(reader.canonical([source]).values()):
        return False
    mine, its = _span(edge), _span(tie)
    if mine and its:
        return mine[0] < its[1] and its[0] < mine[1]
    if edge.quote and tie.quote:
        one, other = fold(edge.quote), fold(tie.quote)
        return one in other or other in one
    return edge.source_doc == tie.source_doc and bool(split(edge.source_doc).anchor)


def _span(edge: EdgeView) -> tuple[int, int] | None:
    place = (edge.evidence or {}).get("bytes")
    return (int(place[0]), int(place[1])) if isinstance(place, list) and len(place) == 2 else None
