"""Which nodes belong together: Leiden where graspologic-native is installed, else Louvain in plain Python. Both give the same answer
for the same graph on every run."""

from __future__ import annotations

from collections import Counter

from kgraph.tuples import NamedTuple
from kgraph.views.explorer.network import Network

MOST_COMMUNITIES = 240  # what an overview can show; the smallest beyond that are shown as one
SEED = 7
PASSES = 8
LEVELS = 6


class Communities(NamedTuple):
    """``of[node]`` is a community's number; 0 is the largest. ``rest`` is the number of the collection of small ones, or -1."""

    of: list[int]
    sizes: list[int]
    rest: int
    method: str


def communities(graph: Network, plain: bool = False) -> Communities:
    """``plain`` leaves installed libraries aside."""
    labels = None if plain else _leiden(graph)
    method = "Leiden (graspologic-native)"
    if labels is None:
        labels, method = _louvain(graph), "Louvain (plain)"
    return _ranked(labels, method)


def _leiden(graph: Network) -> list[int] | None:
    try:
        import graspologic_native
    except ImportError:
        return None
    if not graph.first:
        return list(range(graph.size))
    weights: Counter[tuple[int, int]] = Counter(
        (one, other) if one < other else (other, one)
        for one, other in zip(graph.first, graph.second, strict=True)
    )
    edges = [
        (str(one), str(other), float(weight)) for (one, other), weight in sorted(weights.items())
    ]
    _, partition = graspologic_native.leiden(edges=edges, seed=SEED, iterations=2, trials=1)
    labels = list(
        range(graph.size, 2 * graph.size)
    )  # a node without edges is a community of its own
    for node, label in partition.items():
        labels[int(node)] = label
    return labels


def _louvain(graph: Network) -> list[int]:
    """Move nodes to the neighbouring community that gains most modularity, then do the same with communities as nodes."""
    labels = list(range(graph.size))
    level: list[Counter[int]] = [Counter() for _ in range(graph.size)]
    for one, other in zip(graph.first, graph.second, strict=True):
        level[one][other] += 1
        level[other][one] += 1
    total = 2 * len(graph.first)
    loops = [0] * graph.size
    for _ in range(LEVELS):
        moved = _moves(level, loops, total)
        if moved is None:
            break
        labels = [moved[label] for label in labels]
        level, loops = _folded(level, loops, moved)
    return labels


def _moves(level: list[Counter[int]], loops: list[int], total: int) -> list[int] | None:
    """The new community of each node, numbered from 0, or None when nothing moves."""
    size = len(level)
    community = list(range(size))
    strength = [sum(ties.values()) + loops[node] for node, ties in enumerate(level)]
    weight = strength[:]
    any_moved = False
    for _ in range(PASSES):
        moved = 0
        for node in range(size):
            ties = level[node]
            if not ties:
                continue
            own = community[node]
            near: dict[int, int] = {own: 0}
            for other, tie in ties.items():
                label = community[other]
                near[label] = near.get(label, 0) + tie
            mine = strength[node]
            weight[own] -= mine
            best, most = own, near[own] - mine * weight[own] / total
            for label, tie in near.items():
                gain = tie - mine * weight[label] / total
                if gain > most or (gain == most and label < best):
                    best, most = label, gain
            weight[best] += mine
            if best != own:
                community[node] = best
                moved += 1
        any_moved = any_moved or moved > 0
        if moved * 200 <= size:
            break
    if not any_moved:
        return None
    numbers: dict[int, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in community]


def _folded(
    level: list[Counter[int]], loops: list[int], moved: list[int]
) -> tuple[list[Counter[int]], list[int]]:
    count = max(moved) + 1
    folded: list[Counter[int]] = [Counter() for _ in range(count)]
    inner = [0] * count
    for node, ties in enumerate(level):
        label = moved[node]
        inner[label] += loops[node]
        for other, tie in ties.items():
            if moved[other] == label:
                inner[label] += tie
            else:
                folded[label][moved[other]] += tie
    return folded, inner


def _ranked(labels: list[int], method: str) -> Communities:
    """Number communities by size, the largest first; what is beyond the most that can be shown becomes one collection, the last."""
    counts = Counter(labels)
    earliest: dict[int, int] = {}
    for node, label in enumerate(labels):
        earliest.setdefault(label, node)
    order = sorted(counts, key=lambda label: (-counts[label], earliest[label]))
    keep = len(order) if len(order) <= MOST_COMMUNITIES else MOST_COMMUNITIES - 1
    rank = {label: min(position, keep) for position, label in enumerate(order)}
    of = [rank[label] for label in labels]
    sizes = [counts[label] for label in order[:keep]]
    rest = -1
    if len(order) > keep:
        rest = keep
        sizes.append(len(labels) - sum(sizes))
    return Communities(of, sizes, rest, method)
