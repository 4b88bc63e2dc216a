"""Where each node stands: communities as discs that don't overlap, nodes as a sunflower within; small graphs are then relaxed by forces.

Pure and deterministic: no clock, no chance, no dependence on the order of hashes. Lengths are in the page's own unit; neighbouring
nodes are about ``SPACING`` apart.
"""

from __future__ import annotations

import math

from kgraph.tuples import NamedTuple
from kgraph.views.explorer.communities import Communities
from kgraph.views.explorer.network import Network

SPACING = 40.0
RELAXED_NODES = 3000  # above this, forces in plain Python take too long
SPRING_NODES = 1500  # above this, rustworkx's quadratic forces do
BETWEEN = 0.2  # strength of a spring between communities; within one it is 1
TOGETHER = 0.04  # pull towards the middle of one's community
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


class Layout(NamedTuple):
    x: list[float]
    y: list[float]
    method: str


def layout(graph: Network, groups: Communities, plain: bool = False) -> Layout:
    """``plain`` leaves installed libraries aside."""
    members: list[list[int]] = [[] for _ in groups.sizes]
    for node, group in enumerate(groups.of):
        members[group].append(node)
    radii = [SPACING * (0.55 * math.sqrt(len(nodes)) + 0.35) for nodes in members]
    centres = _discs(radii, _ties(graph, groups))
    x, y = [0.0] * graph.size, [0.0] * graph.size
    for group, nodes in enumerate(members):
        nodes.sort(key=lambda node: (-graph.degree(node), node))
        for position, node in enumerate(nodes):
            reach = SPACING * 0.52 * math.sqrt(position + 0.3) if len(nodes) > 1 else 0.0
            x[node] = centres[group][0] + reach * math.cos(position * GOLDEN_ANGLE)
            y[node] = centres[group][1] + reach * math.sin(position * GOLDEN_ANGLE)
    method = "communities as discs, sunflower within"
    if 2 < graph.size <= RELAXED_NODES:
        method = "communities as discs, relaxed by forces (plain)"
        if not plain and graph.size <= SPRING_NODES and _spring(graph, groups, x, y):
            method = "communities as discs, spring layout (rustworkx)"
            _relax(graph, groups, x, y, 12)
        else:
            _relax(graph, groups, x, y, max(24, min(160, 120_000 // graph.size)))
    return Layout(x, y, method)


def _ties(graph: Network, groups: Communities) -> dict[tuple[int, int], int]:
    ties: dict[tuple[int, int], int] = {}
    for one, other in zip(graph.first, graph.second, strict=True):
        ends = (groups.of[one], groups.of[other])
        if ends[0] != ends[1]:
            key = ends if ends[0] < ends[1] else (ends[1], ends[0])
            ties[key] = ties.get(key, 0) + 1
    return ties


def _discs(radii: list[float], ties: dict[tuple[int, int], int]) -> list[tuple[float, float]]:
    """Centres for discs: a sunflower by size, pulled together along their ties, then pushed apart until none overlap."""
    area = 0.0
    x, y = [], []
    for position, radius in enumerate(radii):
        reach = 1.25 * math.sqrt(area) + (radius if position else 0.0)
        x.append(reach * math.cos(position * GOLDEN_ANGLE))
        y.append(reach * math.sin(position * GOLDEN_ANGLE))
        area += radius * radius
    strongest = max(ties.values(), default=1)
    springs = [
        (one, other, radii[one] + radii[other], 0.12 * math.sqrt(weight / strongest))
        for (one, other), weight in sorted(ties.items())
    ]
    for step in range(40):
        cooling = 1.0 - step / 40
        for one, other, both, strength in springs:
            dx, dy = x[other] - x[one], y[other] - y[one]
            gap = math.hypot(dx, dy) - both
            if gap > 0:
                pull = cooling * strength * gap / (gap + both)
                share = radii[one] / both
                x[one] += dx * pull * (1 - share)
                y[one] += dy * pull * (1 - share)
                x[other] -= dx * pull * share
                y[other] -= dy * pull * share
        for disc in range(len(radii)):
            x[disc] *= 0.985
            y[disc] *= 0.985
        _part(x, y, radii)
    for _ in range(200):
        if not _part(x, y, radii):
            break
    return list(zip(x, y, strict=True))


def _part(x: list[float], y: list[float], radii: list[float]) -> bool:
    """Push overlapping discs apart once, the smaller one further. Says whether any overlapped."""
    overlapped = False
    margin = SPACING * 0.6
    order = sorted(range(len(radii)), key=lambda disc: (x[disc] - radii[disc], disc))
    lefts = [x[disc] - radii[disc] - margin for disc in order]
    for position, one in enumerate(order):
        right = x[one] + radii[one]
        for next_one in range(position + 1, len(order)):
            if lefts[next_one] > right:
                break  # all further ones begin to the right of this one
            other = order[next_one]
            least = radii[one] + radii[other] + margin
            dx, dy = x[one] - x[other], y[one] - y[other]
            if abs(dx) >= least or abs(dy) >= least:
                continue
            distance = math.hypot(dx, dy)
            if distance >= least - 0.01:
                continue
            overlapped = True
            if distance < 1e-6:
                angle = one * GOLDEN_ANGLE
                dx, dy, distance = math.cos(angle), math.sin(angle), 1.0
            push = (least - math.hypot(x[one] - x[other], y[one] - y[other])) / distance
            share = radii[other] / (radii[one] + radii[other])
            x[one] += dx * push * share
            y[one] += dy * push * share
            x[other] -= dx * push * (1 - share)
            y[other] -= dy * push * (1 - share)
    return overlapped


def _spring(graph: Network, groups: Communities, x: list[float], y: list[float]) -> bool:
    """Let rustworkx relax the positions in place; False where it isn't installed."""
    try:
        import rustworkx
    except ImportError:
        return False
    unit = 0.7 * SPACING * math.sqrt(graph.size)
    springs = rustworkx.PyGraph(multigraph=False)
    springs.add_nodes_from(range(graph.size))
    of = groups.of
    weighted = [
        (one, other, 1.0 if of[one] == of[other] else BETWEEN)
        for one, other in zip(graph.first, graph.second, strict=True)
    ]
    springs.add_edges_from(weighted)
    start = {node: (x[node] / unit, y[node] / unit) for node in range(graph.size)}
    placed = rustworkx.spring_layout(
        springs,
        pos=start,
        weight_fn=float,
        k=1.6 / math.sqrt(graph.size),
        num_iter=60,
        scale=1,
        seed=7,
    )
    for node, (px, py) in placed.items():
        x[node], y[node] = px * unit, py * unit
    return True


def _relax(graph: Network, groups: Communities, x: list[float], y: list[float], steps: int) -> None:
    """Springs along edges, repulsion from what is near (found by a grid), a light pull towards the middle of the community."""
    size = graph.size
    reach = 2.2 * SPACING
    for step in range(steps):
        most = SPACING * (0.9 * (1 - step / steps) + 0.05)  # how far a node may move in this step
        fx, fy = _repulsion(x, y, reach)
        for one, other in zip(graph.first, graph.second, strict=True):
            dx, dy = x[other] - x[one], y[other] - y[one]
            distance = math.hypot(dx, dy) or 1.0
            pull = (
                0.9
                * (distance - SPACING)
                / distance
                * (1.0 if groups.of[one] == groups.of[other] else BETWEEN)
            )
            near, far = (
                1 / max(1.0, math.sqrt(graph.degree(one))),
                1 / max(1.0, math.sqrt(graph.degree(other))),
            )
            fx[one] += dx * pull * near * 0.5
            fy[one] += dy * pull * near * 0.5
            fx[other] -= dx * pull * far * 0.5
            fy[other] -= dy * pull * far * 0.5
        sums = [[0.0, 0.0] for _ in groups.sizes]
        for node in range(size):
            middle = sums[groups.of[node]]
            middle[0] += x[node]
            middle[1] += y[node]
        for node in range(size):
            group = groups.of[node]
            count = groups.sizes[group]
            moved_x = fx[node] + TOGETHER * (sums[group][0] / count - x[node]) - 0.004 * x[node]
            moved_y = fy[node] + TOGETHER * (sums[group][1] / count - y[node]) - 0.004 * y[node]
            length = math.hypot(moved_x, moved_y)
            if length > most:
                moved_x, moved_y = moved_x * most / length, moved_y * most / length
            x[node] += moved_x
            y[node] += moved_y


def _repulsion(x: list[float], y: list[float], reach: float) -> tuple[list[float], list[float]]:
    fx, fy = [0.0] * len(x), [0.0] * len(x)
    cells: dict[tuple[int, int], list[int]] = {}
    for node in range(len(x)):
        cells.setdefault((math.floor(x[node] / reach), math.floor(y[node] / reach)), []).append(
            node
        )
    for (column, row), nodes in cells.items():
        near = [
            other
            for dc, dr in ((1, 0), (-1, 1), (0, 1), (1, 1))
            for other in cells.get((column + dc, row + dr), ())
        ]
        for position, one in enumerate(nodes):
            for other in (*nodes[position + 1 :], *near):
                dx, dy = x[one] - x[other], y[one] - y[other]
                squared = dx * dx + dy * dy
                if squared >= reach * reach:
                    continue
                if squared < 1e-6:
                    angle = one * GOLDEN_ANGLE
                    dx, dy, squared = math.cos(angle), math.sin(angle), 1.0
                push = SPACING * SPACING * (1 / squared - 1 / (reach * reach)) * 0.5
                push = min(push, SPACING / math.sqrt(squared))
                fx[one] += dx * push
                fy[one] += dy * push
                fx[other] -= dx * push
                fy[other] -= dy * push
    return fx, fy
