"""The verdict on a statement, from what was gathered. Pure: the same evidence gives the same verdict.

Something stands against a statement when it is evidenced at least as well as what carries it; both sides are always shown. A newer claim
that replaces it outweighs any evidence for the old one. What is silent or only inferred approves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgraph.index.read import EdgeView, NodeView
from kgraph.index.rows import STATUS_RANK
from kgraph.passages.finding import Passage
from kgraph.retrieve.chains import Chain, Link, Relation
from kgraph.retrieve.naming import Asked
from kgraph.retrieve.printing import escape
from kgraph.retrieve.standing import Opposing, Standing, Tie
from kgraph.support import Level
from kgraph.support.statements import OTHER_NUMBER
from kgraph.support.wording import in_words
from kgraph.tuples import NamedTuple

WORST = len(STATUS_RANK)


class Evidence(NamedTuple):
    """All that bears on a statement. ``settled``: the things that the claims saying the same mention."""

    asked: Asked
    same: tuple[Standing, ...]
    opposite: tuple[Standing, ...]
    relation: Relation | None
    chain: Chain | None
    near: tuple[tuple[str, str], ...]
    settled: frozenset[int]
    candidates: Mapping[str, tuple[NodeView, ...]]


class Support(NamedTuple):
    """What carries a statement: edges, the weakest status and the weakest support that it rests on, the words."""

    edges: tuple[str, ...]
    status: str
    quote: str
    source_doc: str
    level: str = "unjudged"  # how well the words carry it: stated, plausible, doubtful, unjudged


class Named(NamedTuple):
    """A mention and the node that it means, '' where none or several do."""

    mention: str
    id: str
    candidates: tuple[NodeView, ...]


class Verdict(NamedTuple):
    """``about``: ids of the claims that say what was asked."""

    decision: str
    claim: str
    reason: str
    support: tuple[Support, ...]
    contradictions: tuple[str, ...]
    required_evidence: tuple[str, ...]
    entities: tuple[Named, ...]
    about: tuple[str, ...] = ()
    passages: tuple[
        Passage, ...
    ] = ()  # words of the sources near to it, where no statement carries it


def usable(one: Standing, require: str = "") -> bool:
    """Whether a claim may carry a verdict: sourced as well as required, valid, not replaced, not contradicted as well as it is sourced."""
    ties = fresh(one, require)
    return (
        one.valid
        and bool(ties)
        and not one.replaced
        and not any(_rank(other) <= _best(ties) for other in one.against)
    )


def fresh(one: Standing, require: str = "") -> list[Tie]:
    """The ties to Sources that nothing has replaced, with words that carry the claim."""
    return [tie for tie in one.ties if tie.sound and (not require or tie.status == require)]


def _best(ties: Iterable[Tie]) -> int:
    return min((STATUS_RANK[tie.status] for tie in ties), default=WORST)


def _rank(one: Opposing) -> int:
    """Against nothing at all an opposing word needs to be evidenced as well."""
    return STATUS_RANK[one.status] if one.status else WORST + 1


def decide(evidence: Evidence, require: str = "") -> Verdict:
    """approve, revise or reject, with both sides."""
    standing = [one for one in evidence.same if one.valid]
    carried = _best(tie for one in standing for tie in fresh(one))
    same = {one.claim.nid for one in evidence.same}
    replaced = [other for one in standing for other in one.replaced if other.node.canon not in same]
    against = [other for one in standing for other in one.against if other.node.canon not in same]
    opposed = [one for one in evidence.opposite if _stands(one)]
    answered = {nid for one in standing for nid in one.denies}
    strong = [other for other in against if _rank(other) <= carried]
    heavy = [one for one in opposed if one.rank <= carried and one.claim.nid not in answered]
    told = [_said(other) for other in (*replaced, *against)]
    told += [
        _carried(one)
        for one in opposed
        if one.claim.nid not in {other.node.canon for other in (*replaced, *against)}
    ]
    verdict = _Draft(evidence, tuple(dict.fromkeys(told)), require)
    if replaced:
        return verdict.reject(
            f"'{replaced[0].node.name}' has taken its place ({replaced[0].where})"
        )
    if strong:
        return verdict.reject(
            f"'{strong[0].node.name}' speaks against it and is evidenced at least as well ({strong[0].where})"
        )
    if heavy:
        return verdict.reject(
            f"the opposite is sourced: '{heavy[0].claim.name}' ({heavy[0].ties[0].place})"
        )
    disputed = [_said(other) for other in against if other.node.canon not in answered]
    disputed += [_carried(one) for one in opposed if one.claim.nid not in answered]
    if disputed and any(fresh(one) for one in standing):
        return verdict.disputed()
    if any(fresh(one, require) for one in standing):
        return verdict.approve()
    return _by_chain(evidence, verdict, require) or verdict.revise()


def _stands(one: Standing) -> bool:
    return (
        one.valid
        and bool(fresh(one))
        and not one.replaced
        and not any(_rank(other) < _best(fresh(one)) for other in one.against)
    )


def _by_chain(evidence: Evidence, verdict: _Draft, require: str) -> Verdict | None:
    chain, relation = evidence.chain, evidence.relation
    if chain is None or relation is None:
        return None
    if chain.replaced and not relation.denied:
        return _by_replaced(chain, verdict)
    if not chain.links:
        return None
    support = chain_support(chain.links)
    if relation.denied:
        told = " -> ".join(link.says for link in chain.links)
        joined = f"{escape(told)} [edge:{support.edges[0]}] {escape(support.source_doc)}"
        return verdict.with_contradiction(joined).reject("sourced claims join the two")
    if require and support.status != require:
        return None
    return verdict.approve_by(support, len(chain.links))


def _by_replaced(chain: Chain, verdict: _Draft) -> Verdict:
    """A single relation whose words were replaced is refuted by what replaced them; a longer chain only lacks a link."""
    for one in chain.replaced:
        verdict = verdict.with_contradiction(_said(one.by))
    first = chain.replaced[0]
    if chain.length == 1:
        return verdict.reject(
            f"it was read in '{first.claim}', which '{first.by.node.name}' has replaced ({first.by.where})"
        )
    return verdict.revise(
        f"a link that would join them was read in '{first.claim}', which '{first.by.node.name}' has replaced"
    )


def chain_support(links: tuple[Link, ...]) -> Support:
    """One support for a whole chain: it rests on the weakest of its links."""
    edges = [link.cited for link in links]
    worst = max((link.status for link in links), key=lambda status: STATUS_RANK[status])
    weakest = max((link.support.level for link in links), key=_WEAKNESS.index)
    quotes = " ... ".join(edge.quote for edge in edges if edge.quote)
    places = dict.fromkeys(edge.source_doc for edge in edges if edge.source_doc)
    ids = tuple(edge.id for edge in edges)
    return Support(ids, worst, quotes, "; ".join(places), weakest.value)


_WEAKNESS = (Level.STATED, Level.PLAUSIBLE, Level.UNJUDGED, Level.DOUBTFUL)


def _support(tie: Tie) -> Support:
    return Support(
        (tie.edge.id,), tie.status, tie.edge.quote, tie.edge.source_doc, tie.support.level.value
    )


class _Draft:
    """A verdict in the making: everything but the decision is the same whichever it is."""

    def __init__(self, evidence: Evidence, contradictions: tuple[str, ...], require: str) -> None:
        self.evidence = evidence
        self.contradictions = contradictions
        self.require = require
        self.support = tuple(
            _support(tie) for one in evidence.same if one.valid for tie in one.ties
        )

    def with_contradiction(self, text: str) -> _Draft:
        return _Draft(self.evidence, (*self.contradictions, text), self.require)

    def approve(self) -> Verdict:
        kept = [tie for one in self.evidence.same if one.valid for tie in fresh(one, self.require)]
        count = len({tie.source.canon for tie in kept})
        reason = f"{count} live {'source carries' if count == 1 else 'sources carry'} it"
        if self.contradictions:
            reason += "; what speaks against it is answered"
        for name, differs in self.evidence.near:
            if differs == OTHER_NUMBER:
                reason += f"; but '{name}' gives another number"
        return self._made("approve", reason)

    def approve_by(self, support: Support, links: int) -> Verdict:
        reason = f"{links} sourced {'claim joins' if links == 1 else 'claims join'} the two in this relation"
        return self._made("approve", reason)._replace(support=(support,))

    def reject(self, reason: str) -> Verdict:
        return self._made("reject", reason)

    def disputed(self) -> Verdict:
        """Sourced, and something that is less well evidenced speaks against it: for whoever asks to judge."""
        claim = self.evidence.asked.text
        reason = "it is sourced, and something less well evidenced speaks against it"
        required = (f"what settles the contradiction: {claim}",)
        return self._made("revise", reason)._replace(required_evidence=required)

    def revise(self, why: str = "") -> Verdict:
        reason, required = _lacking(self.evidence, self.require)
        return self._made("revise", why or reason)._replace(required_evidence=required)

    def _made(self, decision: str, reason: str) -> Verdict:
        about = tuple(one.claim.id for one in self.evidence.same)
        claim = self.evidence.asked.text
        return Verdict(
            decision,
            claim,
            reason,
            self.support,
            self.contradictions,
            (),
            _named(self.evidence),
            about,
        )


def _lacking(evidence: Evidence, require: str) -> tuple[str, tuple[str, ...]]:
    """Why it is neither carried nor refuted, and what would settle it."""
    claim = evidence.asked.text
    if evidence.same:
        return _claim_lacking(evidence.same, claim, require)
    near = (
        f"; the nearest says '{evidence.near[0][0]}': {evidence.near[0][1]}"
        if evidence.near
        else ""
    )
    unknown = evidence.asked.unknown
    if unknown:
        named = ", ".join(f"'{mention}'" for mention in unknown)
        return f"the graph does not know {named}{near}", tuple(
            f"a source that speaks of '{mention}'" for mention in unknown
        )
    unclear = [one for one in evidence.asked.meant if len(one.nodes) > 1]
    if unclear:
        named = ", ".join(f"'{one.mention}'" for one in unclear)
        return f"{named} may mean several things{near}", tuple(
            f"which of the candidates '{one.mention}' is" for one in unclear
        )
    if evidence.chain is not None and not evidence.chain.exhausted:
        near += "; the search for a chain stopped at its bound"
    things = [one.mention for one in evidence.asked.meant]
    if len(things) >= 2:
        reason = f"no sourced claim joins '{things[0]}' and '{things[-1]}' in this relation{near}"
    else:
        reason = f"no sourced claim says so{near}"
    return reason, (f"a source that says: {claim}",)


def _claim_lacking(
    same: tuple[Standing, ...], claim: str, require: str
) -> tuple[str, tuple[str, ...]]:
    valid = [one for one in same if one.valid]
    if not valid:
        return f"it {same[0].held}, not at the time asked", (
            f"a source that says so of that time: {claim}",
        )
    if any(fresh(one) for one in valid):
        return f"it is sourced, but not '{require}'", (
            f"a citation that can be {require}: {claim}",
        )
    doubtful = [tie for one in valid for tie in one.ties if tie.support.doubtful]
    if doubtful:
        return f"its quote doesn't carry it: {in_words(doubtful[0].support)}", (
            f"a quote that says: {claim}",
        )
    if any(one.ties for one in valid):
        return "it rests on a source that another source has replaced", (
            f"the newer source, saying: {claim}",
        )
    if any(one.unusable for one in valid):
        status = next(one.unusable[0][1] for one in valid if one.unusable)
        return f"its citation is {status}", (f"a quote that stands in a source: {claim}",)
    return "it is an inference; no live source carries it", (f"a source that says: {claim}",)


def _named(evidence: Evidence) -> tuple[Named, ...]:
    found: dict[str, Named] = {}
    for one in evidence.asked.meant:
        settled = [node for node in one.nodes if node.nid in evidence.settled]
        chosen = one.nodes if len(one.nodes) == 1 else settled if len(settled) == 1 else ()
        found[one.mention] = Named(
            one.mention, chosen[0].id if chosen else "", one.nodes if len(one.nodes) > 1 else ()
        )
    if not evidence.same:
        for mention in evidence.asked.unknown:
            found.setdefault(mention, Named(mention, "", evidence.candidates.get(mention, ())))
    return tuple(found.values())


def _said(other: Opposing) -> str:
    """What stands against it, the edge that says so, and the edge that carries what stands there, each with its own words."""
    doubt = "" if other.status else ", not evidenced"
    told = f"{escape(other.node.name)} ({other.edge.predicate}{doubt}) [edge:{other.edge.id}]"
    told = f"{told} {_cited(other.edge, other.edge.source_doc)}".rstrip()
    if other.cited.eid == other.edge.eid:
        return told
    return f"{told}; carried by [edge:{other.cited.id}] {_cited(other.cited, other.place)}".rstrip()


def _carried(one: Standing) -> str:
    tie = one.ties[0]
    return f"{escape(one.claim.name)} [edge:{tie.edge.id}] {_cited(tie.edge, tie.place)}".rstrip()


def _cited(edge: EdgeView, place: str) -> str:
    """Place, since when it holds (or when it was written, where nobody says), words."""
    since = (
        f"since {edge.valid_from[:10]}"
        if edge.valid_from
        else f"written {edge.ts[:10]}"
        if edge.ts
        else ""
    )
    quote = f'"{escape(edge.quote)}"' if edge.quote else ""
    return " ".join(part for part in (escape(place), since, quote) if part)
