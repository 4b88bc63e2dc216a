"""``ground``: whether the graph carries a statement. No model is asked; what is gathered is judged by ``decide``, which is pure."""

from __future__ import annotations

from typing import Any

from kgraph.errors import UsageError
from kgraph.index.read import NodeView, Reader
from kgraph.retrieve.chains import Chain, ChainSearch, Relation, relation_of
from kgraph.retrieve.naming import Asked, Told, read_claim, read_claims, read_parts
from kgraph.retrieve.question import check_length
from kgraph.retrieve.quoting import passage_json
from kgraph.retrieve.seeds import find_seeds, sharing_words
from kgraph.retrieve.standing import ClaimEvaluator, Standing, Status
from kgraph.retrieve.times import period
from kgraph.retrieve.verdict import Evidence, Verdict, decide, usable
from kgraph.retrieve.words import content_words, match_expression
from kgraph.support.rewordings import reworded
from kgraph.support.statements import OPPOSITE, SAME, compare, difference
from kgraph.tuples import NamedTuple

MOST_FOUND = 150  # claims compared, by words
MOST_MENTIONING = 150  # claims of one mentioned thing that are compared
NEAR_SHOWN = 3
CANDIDATES = 8


class GroundOptions(NamedTuple):
    """What is to be held against the graph: a claim in words, or its three parts. ``at``: a moment of the world."""

    claim: str = ""
    subject: str = ""
    relation: str = ""
    object: str = ""
    at: str = ""
    require: str = ""  # 'verified': nothing weaker approves

    def check(self) -> None:
        """Raise UsageError for what can't be held against anything."""
        parts = (self.subject, self.relation, self.object)
        check_length(" ".join((self.claim, *parts)), "the claim")
        if self.claim.strip() and any(part.strip() for part in parts):
            raise UsageError(
                "a claim and its parts are both given",
                "give it in words, or --subject, --predicate-words and --object",
            )
        if not self.claim.strip() and not all(part.strip() for part in parts):
            raise UsageError(
                "no claim is given",
                "give it in words, or all of --subject, --predicate-words and --object",
            )
        if self.require not in ("", "verified"):
            raise UsageError(
                f"--require can't be '{self.require}'",
                "it knows 'verified'; leave it out to take any evidence that stands",
            )


def ground(
    reader: Reader, inquiry: GroundOptions, now: str = "", status: Status | None = None
) -> Verdict:
    """Judge a statement by what the graph holds: at the time asked for, else ``now`` ('' for any time).

    ``status``: how a citation stands as its file is now; without it, as it was recorded.

    Raises UsageError for a time or a claim that can't be read.
    """
    inquiry.check()
    at = period(inquiry.at, now)
    parts = (inquiry.subject, inquiry.relation, inquiry.object)
    asked = (
        read_claim(reader, inquiry.claim) if inquiry.claim.strip() else read_parts(reader, parts)
    )
    return decide(_gathered(reader, asked, ClaimEvaluator(reader, at, status)), inquiry.require)


def _gathered(reader: Reader, asked: Asked, bench: ClaimEvaluator) -> Evidence:
    told = read_claims(reader, _pool(reader, asked), asked.names)
    same = _standings(bench, asked, told, SAME)
    opposite = _standings(bench, asked, told, OPPOSITE)
    relation = relation_of(asked.statement)
    chain = (
        _chain(bench, relation, asked)
        if relation is not None and not any(usable(one) for one in same)
        else None
    )
    things = {one.claim.nid: one.things for one in told}
    settled = frozenset(nid for one in same for nid in things.get(one.claim.nid, ()))
    near = _near(bench, asked, told, same)
    return Evidence(
        asked,
        tuple(same),
        tuple(opposite),
        relation,
        chain,
        near,
        settled,
        _candidates(reader, asked),
    )


def _chain(bench: ClaimEvaluator, relation: Relation, asked: Asked) -> Chain:
    return ChainSearch(bench, relation, usable).run(asked.names)


def _pool(reader: Reader, asked: Asked) -> list[NodeView]:
    """The claims worth comparing: of the same words, and those that mention the things spoken of."""
    nids: dict[int, None] = dict.fromkeys(
        nid for hits in reader.named([asked.text]).values() for nid, _ in hits
    )
    terms = [match_expression([word]) for word in content_words(asked.text)]
    if terms:
        everything = " AND ".join(f"({term})" for term in terms)
        nids.update(dict.fromkeys(reader.matches(everything, MOST_FOUND)))
        nids.update(dict.fromkeys(sharing_words(reader, asked.text, MOST_FOUND)))
    for meant in asked.meant:
        for node in meant.nodes:
            for member in reader.members(node.nid):
                hops = reader.hops(member, ("MENTIONS",), MOST_MENTIONING)
                nids.update(dict.fromkeys(hop.there for hop in hops if not hop.forward))
    return [node for node in reader.nodes(nids).values() if node.type == "Claim" and node.live]


def _standings(
    bench: ClaimEvaluator, asked: Asked, told: list[Told], wanted: str
) -> list[Standing]:
    found: dict[int, Standing] = {}
    for one in told:
        if any(compare(asked.statement, form) == wanted for form in one.statements) or (
            wanted == SAME and any(reworded(asked.text, text, one.names) for text in one.texts)
        ):
            standing = bench.of(one.claim.nid)
            found[standing.claim.nid] = standing
    return sorted(found.values(), key=lambda one: (one.rank, one.claim.id))


def _near(
    bench: ClaimEvaluator, asked: Asked, told: list[Told], same: list[Standing]
) -> tuple[tuple[str, str], ...]:
    """Claims that almost say it, and how each differs."""
    taken = {one.claim.nid for one in same}
    found = []
    for one in told:
        for form in one.statements[:1]:
            differs = difference(asked.statement, form) if one.claim.canon not in taken else ""
            if differs:
                found.append(
                    (
                        abs(len(form.words) - len(asked.statement.words)),
                        one.claim.name,
                        differs,
                        one.claim.nid,
                    )
                )
    sourced = [
        one for one in sorted(found)[: 4 * NEAR_SHOWN] if bench.of(one[3]).ties
    ]  # a guess that nobody carries is near to nothing
    return tuple(
        (name, _and_replaced(bench.of(nid), differs))
        for _, name, differs, nid in sourced[:NEAR_SHOWN]
    )


def _and_replaced(standing: Standing, differs: str) -> str:
    return (
        f"{differs}, and '{standing.replaced[0].node.name}' has replaced it"
        if standing.replaced
        else differs
    )


def _candidates(reader: Reader, asked: Asked) -> dict[str, tuple[NodeView, ...]]:
    """For each name that nothing answers to, the things that come near it."""
    found = {}
    for mention in asked.unknown:
        nodes = reader.nodes(
            seed.nid for seed in find_seeds(reader, mention, CANDIDATES * 2)
        ).values()
        found[mention] = tuple(node for node in nodes if node.type not in ("Claim", "Source"))[
            :CANDIDATES
        ]
    return found


def as_json(verdict: Verdict) -> dict[str, Any]:
    """The answer in the form that doors print."""
    found: dict[str, Any] = {
        "decision": verdict.decision, "claim": verdict.claim, "reason": verdict.reason,
        "support": [
            {"edges": list(one.edges), "evidence": [one.status], "support": one.level, "quote": one.quote, "source_doc": one.source_doc}
            for one in verdict.support
        ],
        "contradictions": list(verdict.contradictions), "required_evidence": list(verdict.required_evidence),
        "entities": [
            {"mention": one.mention, "id": one.id, "candidates": [_brief(node) for node in one.candidates]} for one in verdict.entities
        ],
    }  # fmt: skip
    if verdict.passages:
        found["passages"] = [passage_json(one) for one in verdict.passages]
    return found


def _brief(node: NodeView) -> dict[str, str]:
    return {"id": node.id, "type": node.type, "name": node.name}
