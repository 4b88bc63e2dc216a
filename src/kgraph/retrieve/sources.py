"""The Sources that an answer rests on, best first: by the claims that they carry, each with what the walk brought it.

A question of several parts is answered by several Sources. So each place goes to the one whose score, weighed by the words of the question
that no better one has, is highest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgraph.index.adjacency import pairs, types
from kgraph.index.read import NodeView, Reader
from kgraph.retrieve.bridges import (
    claims_by_name,
    named_in_claims,
    sources_by_name,
    things_reached,
)
from kgraph.retrieve.expand import Canonical, Reached
from kgraph.retrieve.seeds import Heard

MOST_CLAIMS = 600  # best ones whose Sources are looked up
SHOWN = 20
CONSIDERED = 40
COMPARED = 200  # whose names are held against what was reached
NOTHING_NEW = 0.3  # weight of a Source that adds no word to what better ones have; one that adds them all weighs 1 more

Words = Sequence[tuple[float, frozenset[int]]]


def rank_sources(
    reader: Reader, view: Canonical, reached: Reached, heard: Heard
) -> list[tuple[NodeView, float]]:
    """Sources of the claims that were reached, by edges or by words, or that speak of what was reached."""
    things = things_reached(reader, reached) if heard.asked else []
    named = named_in_claims(reader, reached) if heard.asked else {}
    if named:
        views = reader.nodes(named)
        things += [node for node in views.values() if node.type != "Source"]
        reached = reached._replace(
            scores={**dict.fromkeys(named, 0.0), **reached.scores},
            kinds={**{nid: node.type for nid, node in views.items()}, **reached.kinds},
        )
        for nid, score in named.items():
            reached.scores[nid] += score
    reached = _with_claims(reached, claims_by_name(reader, things, reached, heard))
    scores: dict[int, float] = {}
    carried = _carried(reader, view, reached)
    for source, claims in carried.items():
        scores[source] = sum(reached.scores[claim] for claim in claims)
    for nid, score in named.items():
        if reached.kinds.get(nid) == "Source":
            scores[nid] = scores.get(nid, 0.0) + score
    for nid, score in reached.scores.items():
        if reached.kinds.get(nid) == "Source" and nid not in scores and score > 0:
            scores[nid] = score * 0.1  # named or mentioning, but carrying no claim that was reached
    compared = sorted(scores, key=lambda nid: (-scores[nid], nid))[:COMPARED] if things else []
    for nid, score in sources_by_name(reader.nodes(compared).values(), things, reached).items():
        scores[nid] += score
    words = heard.words
    best = sorted(scores, key=lambda nid: (-scores[nid], nid))[:CONSIDERED]
    covers = {}
    for nid in best:
        told = {nid, *carried.get(nid, ())}
        covers[nid] = {at for at, (_, nodes) in enumerate(words) if not nodes.isdisjoint(told)}
    order = _spread_out(best, scores, covers, words)[:SHOWN]
    views = reader.nodes(nid for nid, _ in order)
    return [(views[nid], gain) for nid, gain in order if views[nid].live]


def _with_claims(reached: Reached, claims: Mapping[int, float]) -> Reached:
    if not claims:
        return reached
    scores = {
        **reached.scores,
        **{nid: reached.scores.get(nid, 0.0) + score for nid, score in claims.items()},
    }
    return reached._replace(
        scores=scores, kinds={**reached.kinds, **dict.fromkeys(claims, "Claim")}
    )


def _spread_out(
    best: list[int], scores: Mapping[int, float], covers: Mapping[int, set[int]], words: Words
) -> list[tuple[int, float]]:
    """Greedily, the Source next that tells most that is new."""
    left, told = list(best), set[int]()
    order: list[tuple[int, float]] = []
    while left:
        gains = {
            nid: scores[nid] * (NOTHING_NEW + sum(words[at][0] for at in covers[nid] - told))
            for nid in left
        }
        chosen = max(left, key=lambda nid: (gains[nid], -nid))
        left.remove(chosen)
        order.append((chosen, gains[chosen]))
        told |= covers[chosen]
    return order


def _carried(reader: Reader, view: Canonical, reached: Reached) -> Mapping[int, set[int]]:
    """For each Source the claims among the best that it carries."""
    claims = [
        nid
        for nid, kind in reached.kinds.items()
        if kind == "Claim" and reached.scores.get(nid, 0.0) > 0
    ]
    claims = sorted(claims, key=lambda nid: (-reached.scores[nid], nid))[:MOST_CLAIMS]
    carried: dict[int, set[int]] = {}
    closed = []
    for nid in claims:
        hops = reached.hops.get(nid)
        if hops is None:
            closed.append(nid)
            continue
        for hop in hops:
            if reached.kinds.get(hop.there) == "Source":
                carried.setdefault(hop.there, set()).add(nid)
    members = {member: nid for nid in closed for member in view.members(nid)}
    rows = pairs(reader, "SUPPORTS", members, forward=False)
    sources = {source for source, _ in rows if reached.kinds.get(source, "Source") == "Source"}
    kinds = types(reader, list(sources))
    for source, claim in rows:
        if kinds.get(source) == "Source":
            carried.setdefault(view.one(source), set()).add(members[claim])
    return carried
