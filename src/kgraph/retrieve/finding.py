"""From a question to everything that it reaches, ranked: seeds, expansion, the edges among what was reached, filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kgraph.errors import UnknownReference
from kgraph.index.read import EdgeView, NodeView, Reader
from kgraph.ontology import fold
from kgraph.retrieve.expand import Canonical, Expansion, Reached, Wanted, hop_weight
from kgraph.retrieve.kinds import ASKED, NOTHING, kinds_asked
from kgraph.retrieve.kinds import Asked as Leans
from kgraph.retrieve.leaning import leaning
from kgraph.retrieve.question import Among, Found, Question, Ranked
from kgraph.retrieve.seeds import Heard, Seed, hear
from kgraph.retrieve.sources import rank_sources
from kgraph.retrieve.times import any_holds, moment, period, spans_of_edge, spans_of_node
from kgraph.support.relations import is_relation_word

if TYPE_CHECKING:
    from kgraph.retrieve.nearness import Nearness

LISTED = 1000
WEIGHED = 100  # nodes, best first, of which it is counted how common they are
TELLING = 0.15  # share of a question's words, names left out, from which on a claim is to its point
POINTED = 0.34  # of the best claim's share, that another one must have
MANY = 12  # edges of a named thing, beyond which what belongs to it is more than was asked for
SHARED = 3  # things of one name, beyond which the name picks out none of them
ORDINARY = 30  # edges of a node, beyond which it is common


def find(reader: Reader, question: Question, nearness: Nearness | None = None) -> Found:
    """Everything that the question reaches, in the order in which it is shown. Words of edges are read only where a filter needs them."""
    view = Canonical(reader, question.surface)
    asked = bool(question.text.strip())
    heard, more = (hear(reader, question.text), False) if asked else _listed(reader, question)
    told: dict[str, Any] = {}
    if nearness is not None and asked:
        heard, told = _fused(reader, question, heard, nearness)
    seeds = _of_type(reader, question, _of_the_world(reader, heard.seeds))
    hops, beyond = (question.hops, 1) if asked else (0, 0)
    wanted = Wanted(
        question.edge_types, question.min_confidence, hops, beyond, _asked(question, view, seeds)
    )
    reached = Expansion(reader, view, wanted, heard.relevance).run(seeds)
    near = {nid for nid, distance in reached.distance.items() if distance <= wanted.hops}
    nodes = (
        reader.nodes(near) if question.filtered else {}
    )  # every end of a visible edge lives, and so do seeds
    seen = _among(reached, near)
    among = _filtered(reader, question, nodes, seen)
    begun = {view.one(seed.nid) for seed in seeds}
    if question.at:
        left = {end for one in among for end in (one.source, one.target)}
        lost = {end for one in seen for end in (one.source, one.target)} - left
        begun -= {
            nid for nid in begun & lost if nodes[nid].type == "Claim"
        }  # nothing tied it to the world then
        joined = _joined(begun, among)
        nodes = {nid: node for nid, node in nodes.items() if nid in joined}
    kept = _kept(reader, question, nodes, (among, begun)) if question.filtered else near
    if asked:
        leans = kinds_asked(question.text)
        kept = _to_the_point(reader, (heard, leans), (view, seeds, reached), kept)
    order = _ordered(reader, question, (view, seeds, reached), kept)
    rank = {nid: place for place, nid in enumerate(order)}
    inside = [one for one in among if one.source in rank and one.target in rank]
    inside.sort(key=lambda one: (max(rank[one.source], rank[one.target]), -one.score, one.hop.eid))
    ranked = [Ranked(nid, reached.scores[nid]) for nid in order]
    first: dict[int, Seed] = {}
    for seed in seeds:
        first.setdefault(view.one(seed.nid), seed)
    listed = [(nid, seed.score, seed.why) for nid, seed in first.items() if nid in rank]
    sources = rank_sources(reader, view, reached, heard)
    if question.filtered or question.edge_types or question.min_confidence:
        sources = [(node, score) for node, score in sources if node.nid in rank]
    unknown = tuple(
        word
        for word, (_, nodes) in zip(heard.asked, heard.words, strict=True)
        if not nodes and not is_relation_word(word)
    )
    return Found(ranked, inside, listed, sources, reached.bounded or more, told, unknown)


def _fused(
    reader: Reader, question: Question, heard: Heard, nearness: Nearness
) -> tuple[Heard, dict[str, Any]]:
    from kgraph.retrieve.nearness import fuse

    near = nearness.near(reader, question.text)
    return fuse(heard, near), near.told


def _listed(reader: Reader, question: Question) -> tuple[Heard, bool]:
    """Nodes as they come, of the types asked for; whether there are more than can be listed."""
    seeds: list[Seed] = []
    for kind in question.types or ("",):
        for node in reader.every_node(kind):
            if len(seeds) == LISTED:
                return Heard(seeds, {}), True
            share = 1.0 / (2 + len(seeds))
            seeds.append(Seed(node.nid, share, "listed", "", share))
    return Heard(seeds, {}), False


def _of_the_world(reader: Reader, seeds: list[Seed]) -> list[Seed]:
    """Without judgements of which names are one thing, unless they are named or listed: they bear the words of both names."""
    by_words = [seed.nid for seed in seeds if seed.why in ("text", "near")]
    judged = reader.judgements(by_words) if by_words else set()
    return (
        [seed for seed in seeds if seed.nid not in judged or seed.why not in ("text", "near")]
        if judged
        else seeds
    )


def _of_type(reader: Reader, question: Question, seeds: list[Seed]) -> list[Seed]:
    if not question.types:
        return seeds
    kinds = reader.nodes(seed.nid for seed in seeds)
    return [seed for seed in seeds if kinds[seed.nid].type in question.types]


Ranking = tuple[Canonical, list[Seed], Reached]


def _asked(question: Question, view: Canonical, seeds: list[Seed]) -> dict[int, tuple[str, bool]]:
    """Which side of each thing that it names the question wants to know."""
    text = fold(question.text)
    found = {}
    for seed in seeds:
        leans = leaning(text, seed.matched) if seed.why == "name" else None
        if leans:
            found[view.one(seed.nid)] = (leans.predicate, leans.forward)
    return found


def _to_the_point(
    reader: Reader, wanted: tuple[Heard, Leans], ranking: Ranking, kept: set[int]
) -> set[int]:
    """Without what only belongs to a common thing that the question names: who asks for one outage of a company is not told all of it.

    A claim goes where it shares much fewer of the question's other words than the best one does and nothing but common things ties it to
    what was asked; with it go the things and Sources that only it had brought in. One of the kind that is asked for stays.
    """
    heard, leans = wanted
    view, seeds, reached = ranking
    claims = [nid for nid in kept if reached.kinds.get(nid) == "Claim"]
    best = max((heard.relevance.get(nid, 0.0) for nid in claims), default=0.0)
    named = {view.one(seed.nid) for seed in seeds if seed.why == "name"}
    if best < TELLING or not named:
        return kept
    common = {nid for nid, degree in reader.degrees(list(named), MANY + 1).items() if degree > MANY}
    bearers: dict[str, set[int]] = {}
    for seed in seeds:
        if seed.why == "name":
            bearers.setdefault(seed.matched, set()).add(view.one(seed.nid))
    common |= {nid for some in bearers.values() if len(some) > SHARED for nid in some}
    if not common:
        return kept
    beside: dict[int, set[int]] = {}
    for here, hops in reached.hops.items():
        for hop in hops:
            beside.setdefault(here, set()).add(hop.there)
            beside.setdefault(hop.there, set()).add(here)
    least = best * POINTED
    apart = {
        nid
        for nid in claims
        if nid not in named
        and heard.relevance.get(nid, 0.0) < least
        and beside.get(nid, set()) & common
        and not (beside.get(nid, set()) & named) - common
    }
    if leans.kinds:
        apart -= {
            nid
            for nid, node in reader.nodes(apart).items()
            if leans.weight(node.fields) >= ASKED and leans.kinds.get(str(node.fields.get("kind")))
        }
    left = kept - apart
    begun = {view.one(seed.nid) for seed in seeds}
    pointed = {nid for nid in left if reached.kinds.get(nid) == "Claim"} | begun
    brought = {
        nid
        for nid in left - begun
        if reached.kinds.get(nid) != "Claim" and beside.get(nid, set()) & apart
    }
    return left - {nid for nid in brought if not beside.get(nid, set()) & (pointed - common)}


def _ordered(reader: Reader, question: Question, ranking: Ranking, kept: set[int]) -> list[int]:
    """What the question names by its whole text first, then by score; what is tied to everything counts for less, unless it is named."""
    view, seeds, reached = ranking
    named = {view.one(seed.nid) for seed in seeds if seed.why == "name"}
    whole = {
        view.one(seed.nid) for seed in seeds if seed.why == "name" and seed.matched == question.text
    }
    order = sorted(kept, key=lambda nid: (nid not in whole, -reached.scores[nid], nid))
    worth = {nid: reached.scores[nid] for nid in order}
    leans = kinds_asked(question.text)
    if leans is not NOTHING:
        for nid, node in reader.nodes(order[: 2 * WEIGHED]).items():
            if node.type == "Claim":
                worth[nid] *= leans.weight(node.fields)
        order = sorted(order, key=lambda nid: (nid not in whole, -worth[nid], nid))
    for nid, degree in reader.degrees(
        [nid for nid in order[:WEIGHED] if nid not in named], 10 * ORDINARY
    ).items():
        worth[nid] /= max(1.0, degree / ORDINARY)
    least = min((worth[nid] for nid in order[:WEIGHED]), default=0.0)
    for nid in order[WEIGHED:]:
        worth[nid] = min(worth[nid], least)
    return sorted(order, key=lambda nid: (nid not in whole, -worth[nid], -reached.scores[nid], nid))


def _among(reached: Reached, near: set[int]) -> list[Among]:
    """Every edge that was seen between two nodes that may be shown."""
    found: dict[int, Among] = {}
    for nid, hops in reached.hops.items():
        for hop in hops if nid in near else ():
            if hop.eid in found or hop.there not in near:
                continue
            source, target = (nid, hop.there) if hop.forward else (hop.there, nid)
            weight = hop_weight(hop) * (reached.scores[nid] + reached.scores[hop.there])
            found[hop.eid] = Among(hop, source, target, weight)
    return list(found.values())


def _joined(begun: set[int], among: list[Among]) -> set[int]:
    """What can still be reached from where the question began."""
    beside: dict[int, list[int]] = {}
    for one in among:
        beside.setdefault(one.source, []).append(one.target)
        beside.setdefault(one.target, []).append(one.source)
    found, open_ = set(begun), list(begun)
    while open_:
        new = [nid for nid in beside.get(open_.pop(), ()) if nid not in found]
        found.update(new)
        open_ += new
    return found


def _filtered(
    reader: Reader, question: Question, nodes: dict[int, NodeView], among: list[Among]
) -> list[Among]:
    if not question.filtered:
        return among
    views = reader.edges(one.hop.eid for one in among)
    if question.source:
        among = _of_source(reader, question.source, nodes, (among, views))
    if question.run or question.since or question.until:
        among = [one for one in among if _said_then(reader, question, one.hop.eid)]
    if question.at:
        at = period(question.at)
        among = [one for one in among if any_holds(spans_of_edge(reader, views[one.hop.eid]), at)]
    return among


Read = tuple[list[Among], dict[int, EdgeView]]


def _of_source(
    reader: Reader, reference: str, nodes: dict[int, NodeView], read: Read
) -> list[Among]:
    from kgraph.evidence import split

    among, views = read
    meant = {node.nid: node for node in reader.look_up(reference, "Source")}
    if not meant:
        raise UnknownReference(
            f"no Source in this graph is called '{reference}'",
            "kgraph query '' --type Source lists them",
        )
    names = {
        fold(text)
        for node in meant.values()
        for text in (node.name, str(node.fields.get("uri", "")))
        if text
    }
    tied: set[int] = set()
    kept = []
    for one in among:
        edge = views[one.hop.eid]
        if edge.src in meant or edge.dst in meant:
            tied |= {one.source, one.target}
    for one in among:
        edge = views[one.hop.eid]
        own = (
            edge.src in meant or edge.dst in meant or fold(split(edge.source_doc).document) in names
        )
        if own or any(
            end in tied and nodes[end].type == "Claim" for end in (one.source, one.target)
        ):
            kept.append(one)
    return kept


def _said_then(reader: Reader, question: Question, eid: int) -> bool:
    """Whether a live assertion of the edge is of the run and the time that were asked for."""
    return any(
        said.live and _wanted(question, said.run_id, said.ts) for said in reader.edge_said(eid)
    )


def _wanted(question: Question, run: str, ts: str) -> bool:
    if question.run and run != question.run:
        return False
    return (not question.since or ts >= moment(question.since)) and (
        not question.until or ts <= _end(question.until)
    )


def _end(until: str) -> str:
    """A date means its end."""
    return f"{until}T23:59:59.999999Z" if len(until) == 10 else moment(until)


def _kept(
    reader: Reader,
    question: Question,
    nodes: dict[int, NodeView],
    ranking: tuple[list[Among], set[int]],
) -> set[int]:
    """The ends of what passed, and seeds that pass themselves."""
    among, seeds = ranking
    kept = {nid for nid, node in nodes.items() if node.live}
    if question.at:
        at = period(question.at)
        kept = {nid for nid in kept if any_holds(spans_of_node(reader, nodes[nid]), at)}
    if not (question.source or question.run or question.since or question.until):
        return kept
    ends = {end for one in among for end in (one.source, one.target)}
    lonely = {
        nid for nid in seeds - ends if nid in kept and _node_passes(reader, question, nodes[nid])
    }
    return kept & (ends | lonely)


def _node_passes(reader: Reader, question: Question, node: NodeView) -> bool:
    if question.source and node.nid not in {
        one.nid for one in reader.look_up(question.source, "Source")
    }:
        return False
    if not (question.run or question.since or question.until):
        return True
    return any(
        said.live and _wanted(question, said.run_id, said.ts) for said in reader.node_said(node.nid)
    )
