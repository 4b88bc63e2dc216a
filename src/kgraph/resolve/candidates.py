"""From records to ranked candidates: profiles, blocking, features, clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgraph.resolve import attributes, blocking, clusters, policies, rows, weights
from kgraph.resolve import features as table
from kgraph.resolve.likeness import measures
from kgraph.resolve.profiles import Profile, corpus, profile
from kgraph.resolve.records import Cluster, Merge, Options, Pair, PolicyName, Record
from kgraph.resolve.short_forms import short_forms

DEFAULT = Options()
_LEARNED_FROM = 4000  # pairs that attribute weights are learned from, at most, of either kind
_TEXT_LENGTH = 160


class Comparison:
    """Records prepared once, to be blocked, compared and merged. ``pair`` compares any two of them by id."""

    def __init__(self, records: Iterable[Record], options: Options = DEFAULT) -> None:
        wanted = (record for record in records if not options.type or record.type == options.type)
        self.records = sorted(
            wanted, key=lambda record: record.id
        )  # so that nothing depends on the order they come in
        self._options = options
        self._profiles = [profile(record) for record in self.records]
        self._places = {record.id: at for at, record in enumerate(self.records)}
        self._corpus = corpus(self._profiles)
        self._short = frozenset(short_forms(self._profiles))
        self._blocked = sorted(
            {*blocking.block(self._profiles, self._corpus, options), *self._short}
        )
        found = measures()
        learned = attributes.Weights({})
        if any(one.attributes for one in self._profiles):
            learned = attributes.learn(self._sure(), self._by_chance())
        self._pairs: list[Pair] | None = None
        self._context = table.Context(self._corpus, learned, found, options.distinct)

    @property
    def blocked(self) -> list[tuple[str, str]]:
        """The pairs of ids that blocking proposes, before any of them is compared."""
        ids = ((self.records[one].id, self.records[two].id) for one, two in self._blocked)
        return [(min(pair), max(pair)) for pair in ids]

    def pairs(self) -> list[Pair]:
        """Every blocked pair that is as probable as the floor and that isn't known to be distinct, best first. A short form that one other
        record alone can be meant by is there whatever its score, unless something speaks against it."""
        if self._pairs is None:
            found = (
                (self._compare(self._profiles[one], self._profiles[two]), (one, two))
                for one, two in self._blocked
            )
            kept = [pair for pair, places in found if self._is_shown(pair, places)]
            self._pairs = sorted(kept, key=clusters.rank)
        return self._pairs

    def _is_shown(self, pair: Pair, places: tuple[int, int]) -> bool:
        features = pair.features
        if features.known_distinct:
            return False
        sources = [self.records[place].sources for place in places]
        near = features.same_source or not all(
            sources
        )  # who shortens a name has said it in full nearby
        short = near and places in self._short and not policies.blocks(features)
        return short or weights.probability(pair.score) >= self._options.floor

    def pair(self, left: str, right: str) -> Pair:
        return self._compare(
            self._profiles[self._places[left]], self._profiles[self._places[right]]
        )

    def clusters(self) -> list[Cluster]:
        return clusters.gather(self.pairs(), self._options.limit)

    def merges(self, policy: PolicyName) -> list[Merge]:
        if policy == "probabilistic":
            return rows.merges(self.records, self._context.measures, self.pair)
        return clusters.plan_merges(self.records, self.pairs(), policies.policy(policy), self.pair)

    def _compare(self, one: Profile, two: Profile) -> Pair:
        left, right = (one, two) if one.record.id <= two.record.id else (two, one)
        found = table.compare(left, right, self._context)
        return Pair(
            left.record.id,
            right.record.id,
            found,
            weights.score(found),
            short_text(left.record),
            short_text(right.record),
        )

    def _sure(self) -> list[tuple[Profile, Profile]]:
        """Pairs with the same long name: what they agree in is what one thing agrees in."""
        found = []
        step = max(1, len(self._blocked) // (_LEARNED_FROM * 5))
        for one, two in self._blocked[::step]:
            left, right = self._profiles[one], self._profiles[two]
            if left.names[0].compact == right.names[0].compact and len(left.names[0].core) >= 4:
                found.append((left, right))
                if len(found) == _LEARNED_FROM:
                    break
        return found

    def _by_chance(self) -> list[tuple[Profile, Profile]]:
        size = len(self._profiles)
        count = min(_LEARNED_FROM, size * (size - 1) // 2)
        # Two strides that share no factor with most sizes: spread evenly, and the same at each run.
        places = ((at * 7919 % size, (at * 104729 + 1 + at // size) % size) for at in range(count))
        return [(self._profiles[one], self._profiles[two]) for one, two in places if one != two]


def candidates(records: Iterable[Record], options: Options = DEFAULT) -> list[Cluster]:
    """Clusters of records that may be one thing, best first, each pair with its features and a short text for either side."""
    return Comparison(records, options).clusters()


def short_text(record: Record) -> str:
    """Name, other names and the beginning of the description, in one line."""
    text = record.name
    if record.qualifier:
        text += f" [{record.qualifier}]"
    others: Sequence[str] = [alias for alias in record.aliases if alias != record.name][:3]
    if others:
        text += f" ({', '.join(others)})"
    if record.description:
        said = " ".join(record.description.split())
        text += ": " + (
            said if len(said) <= _TEXT_LENGTH else said[: _TEXT_LENGTH - 1].rstrip() + "…"
        )
    return text
