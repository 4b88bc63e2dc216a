"""Two things joined by a chain of sourced statements, each of which carries the words of the relation in the same direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgraph.evidence import split
from kgraph.index.read import EdgeView, Hop, Reader
from kgraph.index.rows import STATUS_RANK
from kgraph.language.inflection import bases
from kgraph.retrieve.naming import Names, Told, read_claims
from kgraph.retrieve.outdated import Replaced, outdated
from kgraph.retrieve.standing import WORTHLESS, ClaimEvaluator, Standing
from kgraph.support import Support
from kgraph.support.statements import MUTUAL, OPPOSITE, SAME, Statement, compare, voices
from kgraph.support.tokens import Word
from kgraph.tuples import NamedTuple

LONGEST = 6  # links
MOST_CLAIMS = 600  # looked at in one search
AT_ONE_THING = 200  # claims of one thing

_FILLING = frozenset(
    "be to with and between of together have some a connection relation relationship link tie association".split()
)

# A statement with such a word does not say that what it mentions is connected.
_DOUBTFUL = frozenset(
    "may might could would should unrelated unconnected disconnected unlinked independent independently neither nor nothing none nobody "
    "without separate separated isolated if whether unless".split()
)

# What a typed edge says in words: from its source to its target, and the other way.
_SAYS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "DEPENDS_ON": (("depend on", "depend upon", "require", "need"), ()),
    "PARENT_OF": (
        ("contain", "be parent of", "be the parent of"),
        ("be part of", "be a part of", "be child of", "belong to"),
    ),
    "PRODUCED": (("produce",), ()),
    "DERIVED_FROM": (("derive from", "be derived from"), ()),
    "SUPERSEDES": (("supersede", "replace"), ()),
    "REVISES": (("revise",), ()),
    "EVALUATES": (("evaluate",), ()),
}


class Link(NamedTuple):
    """One step of a chain: what says it, and the edge that is cited for it (a claim's best tie, or a typed edge itself)."""

    says: str
    cited: EdgeView
    status: str  # of its citation, as the file is now
    support: Support


class Relation(NamedTuple):
    """What is asked between two things. ``words``: of the relation, without the ends; empty for any relation."""

    start: frozenset[int]
    end: frozenset[int]
    words: tuple[Word, ...]
    denied: bool


class Chain(NamedTuple):
    """The links that were found, none for no chain; whether everything was looked at.

    ``replaced``: where the only chain needs relations whose words a newer claim has replaced, these, and ``links`` is empty.
    """

    links: tuple[Link, ...]
    exhausted: bool
    replaced: tuple[Replaced, ...] = ()
    length: int = 0


def relation_of(asked: Statement) -> Relation | None:
    """The relation of a statement that is just two things and the words between them; None for anything else."""
    ends = [word for word in asked.words if word.ids]
    plain = [word for word in asked.words if not word.ids]
    if len(ends) != 2 or asked.times or not plain:
        return None
    said = [word for word in plain if word.text not in _FILLING]
    denied = bool(asked.negations)
    if any(bases(word.text) & MUTUAL for word in plain) and all(
        bases(word.text) & MUTUAL for word in said
    ):
        return Relation(ends[0].ids, ends[1].ids, (), denied)
    if denied:
        return None
    for form in voices(asked.words):
        if form[0].ids and form[-1].ids and len(form) > 2:
            return Relation(form[0].ids, form[-1].ids, tuple(form[1:-1]), False)
    return None


class ChainSearch:
    """Breadth first, so that the first chain found is a shortest one. Claims are judged by ``usable``."""

    def __init__(
        self, bench: ClaimEvaluator, relation: Relation, usable: Callable[[Standing], bool]
    ) -> None:
        self.reader: Reader = bench.reader
        self.bench = bench
        self.relation = relation
        self.usable = usable
        self.left = MOST_CLAIMS
        self.exhausted = True
        self.passed_over: dict[int, Replaced] = {}  # relations that no longer hold, by edge
        self.lenient = False

    def run(self, names: Names) -> Chain:
        """A chain of what stands; where there is none, what has taken the place of a link that one would need."""
        chain = self._run(names)
        if chain.links or not self.passed_over:
            return chain
        self.lenient = True
        broken = self._run(names)
        replaced = tuple(
            self.passed_over[link.cited.eid]
            for link in broken.links
            if link.cited.eid in self.passed_over
        )
        return chain._replace(replaced=replaced, length=len(broken.links))

    def _run(self, names: Names) -> Chain:
        start = sorted(self.relation.start)
        came: dict[int, tuple[int, Link] | None] = dict.fromkeys(start)
        level = start
        for _ in range(LONGEST):
            fresh: list[int] = []
            for nid in level:
                for there, link in self._steps(nid, names):
                    if there in came:
                        continue
                    came[there] = (nid, link)
                    if there in self.relation.end:
                        return Chain(tuple(_trail(came, there)), self.exhausted)
                    fresh.append(there)
            level = fresh
            if not level:
                return Chain((), self.exhausted)
        return Chain((), False)

    def _steps(self, nid: int, names: Names) -> Iterator[tuple[int, Link]]:
        claims = self._claims_at(nid, names)
        for told in claims:
            targets = _targets(told, nid, self.relation)
            if not targets or any(
                _opposed(told, other) and self.bench.of(other.claim.nid).ties for other in claims
            ):
                continue
            standing = self.bench.of(told.claim.nid)
            if self.usable(standing):
                tie = min(standing.ties, key=lambda tie: not tie.sound)
                for there in targets:
                    yield there, Link(told.claim.name, tie.edge, tie.status, tie.support)
        yield from self._typed(nid)

    def _claims_at(self, nid: int, names: Names) -> list[Told]:
        """The claims that mention a thing, no more than a bound."""
        hops: list[Hop] = []
        for member in self.reader.members(nid):
            limit = min(self.left, AT_ONE_THING)
            some = [
                hop
                for hop in self.reader.hops(member, ("MENTIONS",), max(1, limit))
                if not hop.forward
            ]
            self.exhausted = self.exhausted and len(some) < limit
            hops += some
        views = self.reader.nodes(hop.there for hop in hops)
        claims = [view for view in views.values() if view.type == "Claim" and view.live]
        self.left -= len(claims)
        return read_claims(self.reader, claims, names)

    def _typed(self, nid: int) -> Iterator[tuple[int, Link]]:
        """Typed edges that carry a citation themselves: their words, or any for a relation without words of its own."""
        for member in self.reader.members(nid):
            hops = [
                hop
                for hop in self.reader.hops(member, tuple(_SAYS), AT_ONE_THING)
                if hop.status not in (*WORTHLESS, "none")
            ]
            views = self.reader.edges(hop.eid for hop in hops)
            canon = self.reader.canonical(hop.there for hop in hops)
            kinds = self.reader.nodes(canon.values())
            self.passed_over |= (
                outdated(self.bench, views.values()) if self.reader.replaces() else {}
            )
            for hop in sorted(hops, key=lambda hop: (STATUS_RANK[hop.status], hop.eid)):
                there = canon[hop.there]
                if (
                    kinds[there].type in ("Source", "Claim")
                    or not self._says(hop, views[hop.eid])
                    or not self.bench.holds(views[hop.eid])
                ):
                    continue
                if hop.eid in self.passed_over and not self.lenient:
                    continue
                edge = views[hop.eid]
                if not self._live_source(edge):
                    continue
                status, support = self.bench.status(edge), self.bench.carrying.of(edge)
                if status not in WORTHLESS and not support.doubtful:
                    yield there, Link(edge.predicate, edge, status, support)

    def _says(self, hop: Hop, edge: EdgeView) -> bool:
        if not self.relation.words:
            return True
        asked = tuple(word.text for word in self.relation.words)
        phrases = _SAYS[hop.predicate][0 if hop.forward else 1]
        if hop.forward and edge.kind:
            phrases = (*phrases, edge.kind)
        return any(_alike(asked, tuple(phrase.split())) for phrase in phrases)

    def _live_source(self, edge: EdgeView) -> bool:
        return bool(edge.source_doc) and bool(
            self.reader.look_up(split(edge.source_doc).document, "Source")
        )


def _alike(asked: tuple[str, ...], said: tuple[str, ...]) -> bool:
    return len(asked) == len(said) and all(
        bases(one) & bases(two) for one, two in zip(asked, said, strict=True)
    )


def _opposed(one: Told, other: Told) -> bool:
    return any(
        compare(mine, theirs) == OPPOSITE for mine in one.statements for theirs in other.statements
    )


def _targets(told: Told, nid: int, relation: Relation) -> list[int]:
    """What a claim joins a thing to: by the relation's own words in its direction, or by mentioning both where any words will do."""
    if not relation.words:
        doubtful = any(
            form.negations or any(word.text in _DOUBTFUL for word in form.words)
            for form in told.statements
        )
        return [] if doubtful else sorted(told.things - {nid})
    found = []
    for form in told.statements:
        if form.times:
            continue  # what held once need not hold together with the next link
        for voice in voices(form.words):
            if (
                len(voice) != len(relation.words) + 2
                or nid not in voice[0].ids
                or len(voice[-1].ids) != 1
            ):
                continue
            mine = Statement((voice[0], *relation.words, voice[-1]), form.times)
            if compare(mine, Statement(voice, form.times)) == SAME:
                found += sorted(voice[-1].ids)
    return found


def _trail(came: dict[int, tuple[int, Link] | None], end: int) -> list[Link]:
    links = []
    step = came[end]
    while step is not None:
        links.append(step[1])
        step = came[step[0]]
    return links[::-1]
