"""From a question to everything that it reaches, ranked: seeds, expansion, the edges among what was reached, filters."""

from __future__ import annotations

from typing import NamedTuple

from kgraph.index.read import EdgeView, Hop, NodeView, Reader
from kgraph.ontology import fold
from kgraph.retrieve.expand import Canonical, Reached, Wanted, expand, hop_weight, hops_of
from kgraph.retrieve.question import Found, Question, Relation, Shown
from kgraph.retrieve.seeds import Seed, find_seeds

LISTED = 1000


class Among(NamedTuple):
    """An edge between two nodes that were reached, before its words are read."""

    hop: Hop
    source: int
    target: int
    score: float


def find(reader: Reader, question: Question) -> Found:
    """Everything that the question reaches, in the order in which it is shown; words of edges are read for what passes the filters only."""
    view = Canonical(reader, question.surface)
    seeds = _seeds(reader, question)
    hops = question.hops if question.text.strip() else 0
    wanted = Wanted(question.edge_types, question.min_confidence, hops)
    reached = expand(reader, view, seeds, wanted)
    among = _among(reader, view, reached, wanted)
    nodes = reader.nodes(reached.scores)
    relations = _filtered(reader, question, nodes, among)
    kept = _kept_nodes(reader, question, nodes, (reached, relations, {view.one(seed.nid) for seed in seeds}))
    asked = {view.one(seed.nid) for seed in seeds if seed.why == "name" and seed.matched == question.text}
    order = sorted(kept, key=lambda nid: (nid not in asked, -reached.scores[nid], nid))
    rank = {nid: place for place, nid in enumerate(order)}
    inside = [relation for relation in relations if relation.source in rank and relation.target in rank]
    inside.sort(key=lambda one: (max(rank[one.source], rank[one.target]), -one.score, one.edge.id))
    shown = [_shown(reader, view, nodes[nid], reached.scores[nid]) for nid in order]
    first = {}
    for seed in seeds:
        first.setdefault(view.one(seed.nid), seed)
    listed = [(nid, seed.score, seed.why) for nid, seed in first.items() if nid in rank]
    return Found(shown, inside, listed, reached.bounded)


def _seeds(reader: Reader, question: Question) -> list[Seed]:
    if question.text.strip():
        found = find_seeds(reader, question.text)
    else:
        found = []
        for kind in question.types or ("",):
            for node in reader.every_node(kind):
                found.append(Seed(node.nid, 1.0 / (2 + len(found)), "listed", ""))
                if len(found) >= LISTED:
                    break
    if question.types:
        kinds = reader.nodes(seed.nid for seed in found)
        found = [seed for seed in found if kinds[seed.nid].type in question.types]
    return found


def _among(reader: Reader, view: Canonical, reached: Reached, wanted: Wanted) -> list[Among]:
    """Every visible edge between two nodes that were reached."""
    found: dict[int, Among] = {}
    for nid, score in reached.scores.items():
        hops = reached.hops.get(nid)
        if hops is None:
            hops = hops_of(reader, view, nid, wanted)
        ends = view.of([hop.there for hop in hops])
        for hop, there in zip(hops, ends, strict=True):
            if there == nid or hop.eid in found or there not in reached.scores:
                continue
            source, target = (nid, there) if hop.forward else (there, nid)
            weight = hop_weight(hop) * (score + reached.scores[there])
            found[hop.eid] = Among(hop, source, target, weight)
    return list(found.values())


def _filtered(reader: Reader, question: Question, nodes: dict[int, NodeView], among: list[Among]) -> list[Relation]:
    views = reader.edges(one.hop.eid for one in among)
    relations = [Relation(views[one.hop.eid], one.source, one.target, one.score) for one in among]
    if question.source:
        relations = _of_source(reader, question.source, nodes, relations)
    if question.run or question.since or question.until:
        relations = [one for one in relations if _said_then(reader, question, one.edge)]
    if question.at:
        relations = [one for one in relations if _valid(one.edge.valid_from, one.edge.valid_to, question.at)]
    return relations


def _of_source(reader: Reader, reference: str, nodes: dict[int, NodeView], relations: list[Relation]) -> list[Relation]:
    from kgraph.evidence import split

    meant = {node.nid for node in reader.look_up(reference, "Source")}
    names = {fold(text) for nid in meant for node in [reader.node(nid)] for text in (node.name, str(node.fields.get("uri", ""))) if text}
    tied = {one.target for one in relations if one.edge.src in meant} | {one.source for one in relations if one.edge.dst in meant}
    return [
        one for one in relations
        if one.edge.src in meant or one.edge.dst in meant or fold(split(one.edge.source_doc).document) in names
        or any(end in tied and nodes[end].type == "Claim" for end in (one.source, one.target))
    ]  # fmt: skip


def _said_then(reader: Reader, question: Question, edge: EdgeView) -> bool:
    """Whether a live assertion of the edge is of the run and the time that were asked for."""
    for said in reader.edge_said(edge.eid):
        if said.live and (not question.run or said.run_id == question.run) and _between(said.ts, question.since, question.until):
            return True
    return False


def _between(ts: str, since: str, until: str) -> bool:
    return (not since or ts >= since) and (not until or ts[: max(len(until), 10)] <= until)


def _valid(valid_from: object, valid_to: object, at: str) -> bool:
    """Whether a statement held at a moment: intervals are half-open; a date stands for its beginning."""
    start, end = moment(str(valid_from or "")), moment(str(valid_to or ""))
    when = moment(at)
    return (not start or start <= when) and (not end or when < end)


def moment(text: str) -> str:
    """A date or instant in a form that sorts; '' for none. Raises ValueError for anything else."""
    import datetime

    if not text:
        return ""
    value = datetime.datetime.fromisoformat(text)
    value = value.replace(tzinfo=value.tzinfo or datetime.UTC).astimezone(datetime.UTC)
    return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


Ranking = tuple[Reached, list[Relation], set[int]]


def _kept_nodes(reader: Reader, question: Question, nodes: dict[int, NodeView], ranking: Ranking) -> set[int]:
    """Without filters everything; with them the ends of what passed, and seeds that pass themselves."""
    reached, relations, seeds = ranking
    kept = {nid for nid in reached.scores if nid in nodes and nodes[nid].live}
    if question.at:
        kept = {nid for nid in kept if _valid(nodes[nid].fields.get("valid_from"), nodes[nid].fields.get("valid_to"), question.at)}
    if not (question.source or question.run or question.since or question.until):
        return kept
    ends = {end for one in relations for end in (one.source, one.target)}
    lonely = {nid for nid in seeds - ends if nid in kept and _node_passes(reader, question, nodes[nid])}
    return kept & (ends | lonely)


def _node_passes(reader: Reader, question: Question, node: NodeView) -> bool:
    if question.source:
        return node.nid in {one.nid for one in reader.look_up(question.source, "Source")}
    return any(
        said.live and (not question.run or said.run_id == question.run) and _between(said.ts, question.since, question.until)
        for said in reader.node_said(node.nid)
    )


def _shown(reader: Reader, view: Canonical, node: NodeView, score: float) -> Shown:
    spellings = dict.fromkeys(node.aliases)
    for member in view.members(node.nid)[1:]:
        other = reader.node(member)
        spellings.update(dict.fromkeys((other.name, *other.aliases)))
    spellings.pop(node.name, None)
    replaced = node.type in ("Claim", "Source") and any(
        not hop.forward for hop in reader.hops(node.nid, ("SUPERSEDES", "REVISES"), 1)
    )
    return Shown(node, score, tuple(spellings), replaced)
