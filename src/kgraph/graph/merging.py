"""Merging and parting: surface forms to canonical entities and back. A merge is an edge; taking the edge away undoes it exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgraph.errors import NotAllowed, UsageError
from kgraph.events import Draft, Event, edge_id, node_id
from kgraph.graph.comparing import known_distinct, record_of
from kgraph.graph.engine import Engine, Writer
from kgraph.graph.references import node_of
from kgraph.index.read import IDENTITY, NodeView, Reader
from kgraph.ontology import fold
from kgraph.resolve import (
    Comparison,
    Features,
    Options,
    Signal,
    against_by_hand,
    check_rationale,
    policy_name,
    probability,
)
from kgraph.tuples import NamedTuple


class MergeOptions(NamedTuple):
    """How a merge is to be judged: ``force`` for one that only the names speak for, or something against;
    ``override`` for a pair judged distinct."""

    rationale: str
    confidence: float | None = None
    force: bool = False
    override: bool = False
    run_id: str = ""


class Merged(NamedTuple):
    """What a resolve wrote: one entry an alias, what was redirected, and how many candidates are left (automatic only)."""

    tx: str
    merged: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()
    left: int | None = None
    distinct: Sequence[Mapping[str, Any]] = ()
    unsure: Sequence[Mapping[str, Any]] = ()

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "tx": self.tx,
            "merged": list(self.merged),
            "notes": list(self.notes),
        }
        if self.left is not None:
            found |= {
                "left": self.left,
                "distinct": list(self.distinct),
                "unsure": list(self.unsure),
            }
        return found


def said(rationale: str) -> str:
    """A rationale that says something. Raises UsageError with what is expected."""
    problem = check_rationale(rationale)
    if problem is not None:
        raise UsageError(problem.message, problem.hint)
    return rationale


def resolve(engine: Engine, canonical: str, aliases: Sequence[str], how: MergeOptions) -> Merged:
    """Merge aliases into their canonical node, all in one transaction or none. Raises NotAllowed for what must not be one."""
    said(how.rationale)
    if how.confidence is not None and not 0.5 <= how.confidence <= 1.0:
        raise UsageError(
            f"a confidence of {how.confidence:g} is not within 0.5 and 1",
            "what is less sure than 0.5 must not be written",
        )
    if not aliases:
        raise UsageError("which aliases? none was given", "give --alias REF, as often as needed")
    with engine.writing() as writer:
        reader = writer.reader
        notes: list[str] = []
        target = node_of(reader, canonical)
        if target.canon != target.nid:
            root = reader.node(target.canon)
            notes.append(
                f"'{target.name}' is an alias of '{root.name}' ({root.id}), so the merge goes there"
            )
            target = root
        pairs: list[tuple[NodeView, Features]] = []
        for reference in aliases:
            alias = node_of(reader, reference)
            if alias.nid in {done.nid for done, _ in pairs}:
                continue
            if _merged_already(reader, alias, target):
                notes.append(f"'{alias.name}' is an alias of '{target.name}' already")
                continue
            pairs.append((alias, _allowed(reader, target, alias, how)))
        if not pairs:
            return Merged("", [], notes)
        events, merged = merge_events(
            target, [(alias, how.rationale, features.as_json()) for alias, features in pairs], how
        )
        done = writer.record(Draft("resolve", events, how.run_id, reason=how.rationale))
    return Merged(done.id, merged, notes)


def _merged_already(reader: Reader, alias: NodeView, target: NodeView) -> bool:
    return any(
        hop.forward and hop.there == target.nid for hop in reader.hops(alias.nid, ("RESOLVED_TO",))
    )


def _allowed(reader: Reader, target: NodeView, alias: NodeView, how: MergeOptions) -> Features:
    if alias.nid == target.nid:
        raise NotAllowed(
            f"'{alias.name}' can't be its own alias, directly or through what it was merged into",
            "name two different nodes",
        )
    if alias.type != target.type:
        raise NotAllowed(
            f"'{alias.name}' is {_a(alias.type)} and '{target.name}' {_a(target.type)}: only nodes of one type can be one",
            "link them instead",
        )
    if alias.canon != alias.nid:
        root = reader.node(alias.canon)
        raise NotAllowed(
            f"'{alias.name}' is an alias of '{root.name}' already, and a node has at most one canonical one",
            f"kgraph unresolve {alias.id} first",
        )
    if frozenset((alias.id, target.id)) in known_distinct(reader) and not how.override:
        raise NotAllowed(
            f"'{alias.name}' and '{target.name}' were judged to be two things",
            "give --override if that was wrong",
        )
    records = [record_of(reader, node) for node in (target, alias)]
    features = Comparison(records, Options()).pair(target.id, alias.id).features
    if how.force:
        return features
    against = against_by_hand(features)
    if against:
        raise NotAllowed(
            f"'{alias.name}' and '{target.name}' have this against being one: {'; '.join(against)}",
            "if they are one all the same, take it upon yourself with --force",
        )
    if not alias.description and not target.description:
        raise NotAllowed(
            f"neither '{alias.name}' nor '{target.name}' has a description, so nothing but the names speaks for the merge",
            "describe them, or take it upon yourself with --force",
        )
    telling = set(features.signals) & {Signal.NEIGHBOUR, Signal.STATED_ALIAS, Signal.IDENTIFIER}
    beyond = (
        features.description_agreement or features.same_source or telling or features.alias_overlap
    )
    if not beyond and features.attribute_evidence <= 0:
        raise NotAllowed(
            f"nothing but the name speaks for '{alias.name}' and '{target.name}' being one: "
            "they share no source, neighbour, alias or words of a description",
            "take it upon yourself with --force",
        )
    return features


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "AEIOU" else f"a {kind}"


def merge_events(
    target: NodeView, aliases: Sequence[tuple[NodeView, str, Mapping[str, Any]]], how: MergeOptions
) -> tuple[list[Event], list[dict[str, Any]]]:
    """The events of merging (alias, rationale, features) into a canonical node, and how the answer tells it."""
    events: list[Event] = [implied(target)]
    merged = []
    for alias, rationale, features in aliases:
        attrs: dict[str, Any] = {"rationale": rationale, "features": dict(features)}
        if how.force:
            attrs["force"] = True
        if how.override:
            attrs["override"] = True
        name = edge_id("RESOLVED_TO", (alias.id, target.id))
        edge: Event = {
            "kind": "edge",
            "id": name,
            "predicate": "RESOLVED_TO",
            "source": alias.id,
            "target": target.id,
            "attrs": attrs,
        }
        if how.confidence is not None:
            edge["confidence"] = how.confidence
        events += [implied(alias), edge]
        merged.append(
            {
                "alias": alias.id,
                "canonical": target.id,
                "edge": name,
                "rationale": rationale,
                "features": dict(features),
            }
        )
    return events, merged


def implied(node: NodeView) -> Event:
    """That a node of the graph is used: what keeps this transaction standing when others are taken back."""
    event: Event = {
        "kind": "node",
        "id": node.id,
        "type": node.type,
        "name": node.name,
        "implied": True,
    }
    for key in ("uri", "qualifier"):
        if node.fields.get(key):
            event[key] = node.fields[key]
    return event


def distinct_events(one: NodeView, other: NodeView, rationale: str) -> list[Event]:
    """The events of a judgement that two nodes are not one."""
    first, second = sorted((one, other), key=lambda node: node.id)
    name = f"'{first.name}' is not '{second.name}'"[:2000]
    qualifier = f"{first.id} {second.id}"
    evaluation = node_id("Evaluation", f"name:{fold(name)}", qualifier)
    events: list[Event] = [
        {"kind": "node", "id": evaluation, "type": "Evaluation", "name": name, "qualifier": qualifier,
         "rubric": IDENTITY, "result": "distinct", "description": rationale}
    ]  # fmt: skip
    for node in (first, second):
        events.append(implied(node))
        events.append(
            {
                "kind": "edge",
                "id": edge_id("EVALUATES", (evaluation, node.id)),
                "predicate": "EVALUATES",
                "source": evaluation,
                "target": node.id,
            }
        )
    return events


def distinct(engine: Engine, pair: tuple[str, str], rationale: str, run_id: str) -> dict[str, Any]:
    """Record that two nodes are not one, so that the pair isn't proposed again and can't be merged without --override."""
    said(rationale)
    with engine.writing() as writer:
        one, other = (node_of(writer.reader, reference) for reference in pair)
        if one.nid == other.nid:
            raise NotAllowed(f"'{one.name}' is one node", "name two different nodes")
        if one.canon == other.canon:
            raise NotAllowed(
                f"'{one.name}' and '{other.name}' are merged",
                f"kgraph unresolve {one.id if one.canon != one.nid else other.id} first",
            )
        if frozenset((one.id, other.id)) in known_distinct(writer.reader):
            return {"tx": "", "unchanged": True, "pair": [one.id, other.id]}
        events = distinct_events(one, other, rationale)
        done = writer.record(Draft("distinct", events, run_id, reason=rationale))
    return {
        "tx": done.id,
        "unchanged": False,
        "pair": [one.id, other.id],
        "evaluation": events[0]["id"],
    }


def automatic(engine: Engine, policy: str, run_id: str) -> Merged:
    """Merge what a policy can decide, in one transaction; the rest stays as candidates."""
    from kgraph.graph.comparing import records

    with engine.writing() as writer:
        reader = writer.reader
        comparison = Comparison(records(reader), Options(distinct=known_distinct(reader)))
        planned = comparison.merges(policy_name(policy))
        events: list[Event] = []
        merged: list[dict[str, Any]] = []
        for one in planned:
            views = {
                view.id: view
                for view in reader.nodes(reader.nids([one.canonical, one.alias]).values()).values()
            }
            how = MergeOptions(one.decision.rationale, max(0.5, probability(one.decision.score)))
            more, told = merge_events(
                views[one.canonical],
                [
                    (
                        views[one.alias],
                        one.decision.rationale,
                        one.pair.features.as_json() | {"policy": policy},
                    )
                ],
                how,
            )
            events += more
            merged += told
        root = {one.alias: one.canonical for one in planned}
        left = sum(
            1
            for pair in comparison.pairs()
            if root_of(root, pair.left) != root_of(root, pair.right)
        )
        tx = (
            writer.record(Draft("resolve", events, run_id, reason=f"policy {policy}")).id
            if events
            else ""
        )
    return Merged(tx, merged, (), left)


def root_of(merged: Mapping[str, str], name: str) -> str:
    """Where merges (alias to canonical) lead from a name."""
    while name in merged:
        name = merged[name]
    return name


def unresolve(engine: Engine, reference: str, reason: str, run_id: str) -> dict[str, Any]:
    """Take a node's merge back. Doing it twice does nothing and says so."""
    with engine.writing() as writer:
        reader = writer.reader
        node = node_of(reader, reference)
        hops = [hop for hop in reader.hops(node.nid, ("RESOLVED_TO",)) if hop.forward]
        if not hops:
            return {
                "tx": "",
                "unchanged": True,
                "node": node.id,
                "edges": [],
                "note": f"'{node.name}' is nobody's alias",
            }
        edges = reader.edges(hop.eid for hop in hops)
        listed: dict[str, list[int]] = {}
        for eid in edges:
            for one in reader.edge_said(eid):
                if one.live:
                    listed.setdefault(one.tx, []).append(one.pos)
        event: Event = {"kind": "withdraw", "assertions": listed, "transactions": []}
        done = record_checked(
            writer, Draft("unresolve", [event], run_id, reason=reason), [node.nid]
        )
    return {
        "tx": done,
        "unchanged": False,
        "node": node.id,
        "edges": [edge.id for edge in edges.values()],
    }


def record_checked(writer: Writer, draft: Draft, touched: Sequence[int]) -> str:
    """Record a draft unless it leaves a breach that wasn't there. Raises NotAllowed naming it."""
    from kgraph.index.health import breaches

    old = {(breach.invariant, breach.nid) for breach in breaches(writer.reader, touched)}
    with writer.adding() as recorder:
        done = recorder.add(draft)
        for breach in breaches(writer.reader, touched):
            if (breach.invariant, breach.nid) not in old:
                raise NotAllowed(
                    f"'{breach.name}' would be left in breach of {breach.invariant}: {breach.detail}",
                    "give it another source first",
                )
    return done.id
