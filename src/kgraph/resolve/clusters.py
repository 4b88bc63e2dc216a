"""Candidates in clusters, and merges that hold together: what is joined through others must not be strangers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from kgraph.resolve import policies
from kgraph.resolve import vocabulary as known
from kgraph.resolve.records import Cluster, Decision, Merge, Pair, Record

_CLUSTER_SIZE = 60  # larger ones are cut at their weakest ties, so that a person can look at each
_LEAST_ACROSS = 0.0  # log-odds of each pair across two groups: more likely one than two
_LOOKED_AT = (
    400  # pairs across two groups that are held against each other before the groups are joined
)

Compare = Callable[[str, str], Pair]


def gather(pairs: Sequence[Pair], limit: int = 0) -> list[Cluster]:
    """Pairs in clusters, best first; every pair is in exactly one cluster unless its two ends came to stand in two."""
    group: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for pair in sorted(pairs, key=rank):
        one, two = (group.setdefault(id, id) for id in (pair.left, pair.right))
        members.setdefault(one, [one])
        members.setdefault(two, [two])
        if one == two or len(members[one]) + len(members[two]) > _CLUSTER_SIZE:
            continue
        kept, moved = (one, two) if len(members[one]) >= len(members[two]) else (two, one)
        for id in members[moved]:
            group[id] = kept
        members[kept] += members.pop(moved)
    inside: dict[str, list[Pair]] = defaultdict(list)
    across: list[Cluster] = []
    for pair in sorted(pairs, key=rank):
        if group[pair.left] == group[pair.right]:
            inside[group[pair.left]].append(pair)
        else:
            across.append(Cluster((pair.left, pair.right), (pair,), pair.score))
    clusters = [
        Cluster(tuple(sorted(members[key])), tuple(found), found[0].score)
        for key, found in inside.items()
    ]
    clusters += across
    clusters.sort(key=lambda cluster: (-cluster.score, cluster.ids))
    return clusters[:limit] if limit else clusters


def rank(pair: Pair) -> tuple[float, str, str]:
    return (-pair.score, pair.left, pair.right)


def plan_merges(
    records: Iterable[Record], pairs: Sequence[Pair], policy: policies.Policy, compare: Compare
) -> list[Merge]:
    """The merges that a policy makes of candidate pairs. ``compare(left, right)`` is asked for pairs that weren't candidates.

    The best pairs come first. Two groups are joined only if every pair across them may be one: nothing in any of them speaks against it,
    and each is likely by itself. Each alias is merged into the one canonical record.
    """
    by_id = {record.id: record for record in records}
    known_pairs = {(pair.left, pair.right): pair for pair in pairs}
    group = {id: id for id in by_id}
    members = {id: [id] for id in by_id}
    reasons: dict[str, list[tuple[Pair, Decision]]] = defaultdict(list)
    for pair in sorted(pairs, key=rank):
        decision = policies.decide(pair.features, policy)
        one, two = group[pair.left], group[pair.right]
        if (
            decision.verdict != "same"
            or one == two
            or by_id[pair.left].type != by_id[pair.right].type
        ):
            continue
        if not _hold_together(members[one], members[two], known_pairs, compare):
            continue
        kept, moved = (one, two) if len(members[one]) >= len(members[two]) else (two, one)
        for id in members[moved]:
            group[id] = kept
        members[kept] += members.pop(moved)
        reasons[kept] += [*reasons.pop(moved, []), (pair, decision)]
    return [
        merge
        for key in sorted(reasons)
        for merge in _merges([by_id[id] for id in members[key]], reasons[key])
    ]


def _hold_together(
    ones: Sequence[str], twos: Sequence[str], seen: Mapping[tuple[str, str], Pair], compare: Compare
) -> bool:
    """No closure over weak links: a merge says that each is the same as each."""
    for left, right in _across(ones, twos):
        ends = (min(left, right), max(left, right))
        pair = seen.get(ends) or compare(*ends)
        if policies.blocks(pair.features) or pair.score < _LEAST_ACROSS:
            return False
    return True


def _across(ones: Sequence[str], twos: Sequence[str]) -> Iterable[tuple[str, str]]:
    """All pairs across two groups or, of large ones, evenly spread ones."""
    full = len(ones) * len(twos)
    step = max(1, full // _LOOKED_AT)
    if step > 1 and step % len(twos) == 0:
        step += 1
    for at in range(0, full, step):
        yield ones[at // len(twos)], twos[at % len(twos)]


def canonical(records: Sequence[Record]) -> Record:
    """Which of them stands for all: most assertions, then longest in the graph, then the fullest name, then the smallest id."""
    return min(
        records,
        key=lambda record: (-record.assertions, record.since, -_fullness(record.name), record.id),
    )


def _fullness(name: str) -> int:
    return sum(
        len(word) for word in name.split() if word.lower().strip(".,") not in known.LEGAL_FORMS
    )


def _merges(records: Sequence[Record], reasons: Sequence[tuple[Pair, Decision]]) -> list[Merge]:
    """One merge for each alias, with the tie on its way to the canonical record as its reason."""
    top = canonical(records)
    ties: dict[str, list[tuple[str, Pair, Decision]]] = defaultdict(list)
    for pair, decision in reasons:
        ties[pair.left].append((pair.right, pair, decision))
        ties[pair.right].append((pair.left, pair, decision))
    merges, waiting, reached = [], [top.id], {top.id}
    while waiting:
        for other, pair, decision in ties[waiting.pop(0)]:
            if other not in reached:
                reached.add(other)
                waiting.append(other)
                merges.append(Merge(top.id, other, pair, decision))
    return merges
