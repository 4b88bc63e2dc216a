"""The four write invariants and the graph's health, asked of an index: of a few nodes after a write, or of the whole graph."""

from __future__ import annotations

from collections.abc import Iterable

from kgraph.index.apply import batches, marks, unpack
from kgraph.index.read import Reader
from kgraph.tuples import NamedTuple

UNTIED = (
    "SELECT v.nid, v.id, v.name, v.extra FROM node v WHERE v.live > 0 AND v.type = 'Claim' {0}"
    "AND NOT EXISTS (SELECT 1 FROM edge e JOIN node s ON s.nid = e.src "
    "WHERE e.dst = v.nid AND e.visible = 1 AND e.predicate = 'SUPPORTS' AND s.type = 'Source') "
    "AND NOT EXISTS (SELECT 1 FROM edge e JOIN node s ON s.nid = e.dst "
    "WHERE e.src = v.nid AND e.visible = 1 AND e.predicate = 'DERIVED_FROM' AND s.type = 'Source')"
)
ARTIFACTS = (
    "SELECT v.nid, v.id, v.name, v.extra, EXISTS (SELECT 1 FROM edge e JOIN node s ON s.nid = e.src "
    "WHERE e.dst = v.nid AND e.visible = 1 AND e.predicate = 'PRODUCED' AND s.type = 'AgentRun') "
    "FROM node v WHERE v.live > 0 AND v.type = 'Artifact' {0}"
)
EVALUATIONS = (
    "SELECT v.nid, v.id, v.name, v.extra FROM node v WHERE v.live > 0 AND v.type = 'Evaluation' {0}"
)
UNADDRESSABLE = (
    "SELECT v.nid, v.id, v.name, e.id, e.predicate FROM edge e JOIN node v ON v.nid = e.dst JOIN node s ON s.nid = e.src "
    "WHERE e.live > 0 AND e.visible = 0 AND e.predicate IN ('SUPERSEDES', 'REVISES') AND v.live = 0 AND s.live > 0 {0}"
)


NAMES = {"I1": "unsourced-claim", "I2": "artifact", "I3": "evaluation", "I4": "superseded"}


class Breach(NamedTuple):
    """A node that breaks an invariant. ``detail`` says how; ``edge`` is the edge that is in the way (I4 only)."""

    invariant: str
    nid: int
    id: str
    name: str
    detail: str
    edge: str = ""


def breaches(reader: Reader, nids: Iterable[int] | None = None) -> list[Breach]:
    """The breaches among some nodes, or in the whole graph."""
    if nids is None:
        return _breaches(reader, "", ())
    found = []
    for some in batches(sorted(set(nids))):
        found += _breaches(reader, f"AND v.nid IN ({marks(some)}) ", tuple(some))
    return found


def _breaches(reader: Reader, where: str, chosen: tuple[int, ...]) -> list[Breach]:
    found = []
    for nid, name_id, name, extra in reader.db.execute(UNTIED.format(where), chosen):
        if not unpack("Claim", name, "", extra).inference:
            found.append(
                Breach(
                    "I1",
                    nid,
                    name_id,
                    name,
                    "no live Source is tied to it and no live assertion marks it an inference",
                )
            )
    for nid, name_id, name, extra, produced in reader.db.execute(ARTIFACTS.format(where), chosen):
        if not produced:
            found.append(Breach("I2", nid, name_id, name, "no live AgentRun PRODUCED it"))
        if unpack("Artifact", name, "", extra).fields.get("version") in (None, ""):
            found.append(Breach("I2", nid, name_id, name, "it has no version"))
    for nid, name_id, name, extra in reader.db.execute(EVALUATIONS.format(where), chosen):
        if not str(unpack("Evaluation", name, "", extra).fields.get("rubric") or "").strip():
            found.append(Breach("I3", nid, name_id, name, "it has no rubric"))
    for nid, name_id, name, edge, predicate in reader.db.execute(
        UNADDRESSABLE.format(where), chosen
    ):
        found.append(
            Breach(
                "I4",
                nid,
                name_id,
                name,
                f"a live {predicate} points at it, but none of its assertions lives",
                edge,
            )
        )
    return found


class Shape(NamedTuple):
    """How the graph hangs together: connected components, nodes without an edge, and the largest component."""

    components: int
    isolated: int
    largest: int


def shape(reader: Reader) -> Shape:
    """Components over live nodes and visible edges."""
    parent: dict[int, int] = {
        row[0]: row[0] for row in reader.db.execute("SELECT nid FROM node WHERE live > 0")
    }
    touched = bytearray(max(parent, default=0) + 1)
    for src, dst in reader.db.execute("SELECT src, dst FROM edge WHERE visible = 1"):
        touched[src] = touched[dst] = 1
        while parent[src] != src:
            parent[src] = src = parent[parent[src]]
        while parent[dst] != dst:
            parent[dst] = dst = parent[parent[dst]]
        if src != dst:
            parent[max(src, dst)] = min(src, dst)
    sizes: dict[int, int] = {}
    for nid in parent:
        root = nid
        while parent[root] != root:
            root = parent[root]
        sizes[root] = sizes.get(root, 0) + 1
    isolated = sum(1 for nid in parent if not touched[nid])
    return Shape(len(sizes), isolated, max(sizes.values(), default=0))


def evidence_counts(reader: Reader) -> dict[str, int]:
    """Visible edges that carry a citation, by the status of their shown evidence."""
    from kgraph.index.rows import STATUSES

    found = reader.db.execute(
        "SELECT status, count(*) FROM edge WHERE visible = 1 GROUP BY status ORDER BY status"
    )
    return {STATUSES[status]: count for status, count in found if STATUSES[status] != "none"}
