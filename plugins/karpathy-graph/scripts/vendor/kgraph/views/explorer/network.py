"""A graph as numbers: what community search and layout work on."""

from __future__ import annotations

from kgraph.tuples import NamedTuple


class Network(NamedTuple):
    """An undirected multigraph of ``size`` nodes. ``first`` and ``second`` are the ends of each edge; no self-loops.

    ``starts`` and ``neighbours`` are its adjacency: the neighbours of ``i`` are ``neighbours[starts[i]:starts[i + 1]]``.
    """

    size: int
    first: list[int]
    second: list[int]
    starts: list[int]
    neighbours: list[int]

    def degree(self, node: int) -> int:
        return self.starts[node + 1] - self.starts[node]


def network(size: int, first: list[int], second: list[int]) -> Network:
    """Raises ValueError for a self-loop or an end outside ``range(size)``."""
    starts = [0] * (size + 1)
    for one, other in zip(first, second, strict=True):
        if one == other or not (0 <= one < size and 0 <= other < size):
            raise ValueError(f"an edge from {one} to {other} in a graph of {size} nodes")
        starts[one + 1] += 1
        starts[other + 1] += 1
    for node in range(size):
        starts[node + 1] += starts[node]
    free = starts[:-1]
    neighbours = [0] * starts[size]
    for one, other in zip(first, second, strict=True):
        neighbours[free[one]] = other
        neighbours[free[other]] = one
        free[one] += 1
        free[other] += 1
    return Network(size, first, second, starts, neighbours)
