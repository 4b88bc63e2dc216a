"""Nodes as resolution compares them: the canonical view of each, with its sources, sections and neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kgraph.index.apply import batches, marks
from kgraph.index.read import IDENTITY, NodeView, Reader
from kgraph.resolve import Record


def known_distinct(reader: Reader) -> frozenset[frozenset[str]]:
    """The pairs that were judged to be two things, or parted by a split."""
    found = {
        frozenset(pair)
        for pair in reader.db.execute("SELECT DISTINCT old, new FROM move WHERE gone <= 0")
    }
    query = (
        "SELECT v.nid, group_concat(d.id, ' ') FROM node v JOIN edge e ON e.src = v.nid AND e.visible = 1 AND e.predicate = 'EVALUATES' "
        "JOIN node d ON d.nid = e.dst WHERE v.type = 'Evaluation' AND v.live > 0 GROUP BY v.nid"
    )
    for nid, names in reader.db.execute(query).fetchall():
        fields = reader.node(nid).fields
        if fields.get("rubric") == IDENTITY and fields.get("result") == "distinct":
            found.add(frozenset(names.split(" ")))
    return frozenset(found)


def record_of(reader: Reader, node: NodeView) -> Record:
    return next(iter(_records(reader, [node])))


def records(reader: Reader, kind: str = "") -> Iterator[Record]:
    """Every live node that is nobody's alias, Claims and Sources left out unless they are asked for by ``kind``."""
    batch: list[NodeView] = []
    for node in list(reader.every_node(kind)):
        if node.canon != node.nid or (not kind and node.type in ("Claim", "Source", "Evaluation")):
            continue
        batch.append(node)
        if len(batch) == 500:
            yield from _records(reader, batch)
            batch = []
    yield from _records(reader, batch)


def _records(reader: Reader, nodes: list[NodeView]) -> Iterator[Record]:
    members = {
        node.nid: reader.members(node.nid) if _merged(reader) else [node.nid] for node in nodes
    }
    owner = {member: nid for nid, some in members.items() for member in some}
    sources: dict[int, set[str]] = {node.nid: set() for node in nodes}
    sections: dict[int, set[str]] = {node.nid: set() for node in nodes}
    neighbours: dict[int, set[str]] = {node.nid: set() for node in nodes}
    claims: dict[int, set[int]] = {}
    for here, there, kind, name in _edges_at(reader, owner):
        nid = owner[here]
        if kind == "Source":
            sources[nid].add(name)
            continue
        neighbours[nid].add(name)
        if kind == "Claim":
            claims.setdefault(there, set()).add(nid)
    cited: dict[int, set[int]] = {}
    for claim, source, eid in _ties(reader, claims):
        for nid in claims[claim]:
            sources[nid].add(source)
            cited.setdefault(eid, set()).add(nid)
    for some in batches(list(cited)):
        for eid, edge in reader.edges(some).items():
            if edge.source_doc:
                for nid in cited[eid]:
                    sections[nid].add(edge.source_doc)
    others = reader.nodes(owner)
    for node in nodes:
        aliases = dict.fromkeys(node.aliases)
        for member in members[node.nid][1:]:
            aliases.update(dict.fromkeys((others[member].name, *others[member].aliases)))
        aliases.pop(node.name, None)
        yield Record(
            node.id, node.type, node.name, tuple(aliases), node.description, str(node.fields.get("qualifier", "")),
            frozenset(sources[node.nid]), frozenset(sections[node.nid]), frozenset(neighbours[node.nid]),
            node.attrs, node.assertions, node.nid,
        )  # fmt: skip


def _merged(reader: Reader) -> bool:
    return (
        reader.db.execute("SELECT 1 FROM node WHERE canon IS NOT NULL LIMIT 1").fetchone()
        is not None
    )


def _edges_at(reader: Reader, nids: Iterable[int]) -> Iterator[tuple[int, int, str, str]]:
    for some in batches(list(nids)):
        for here, there in (("src", "dst"), ("dst", "src")):
            query = (
                f"SELECT e.{here}, e.{there}, v.type, v.id FROM edge e JOIN node v ON v.nid = e.{there} "
                f"WHERE e.visible = 1 AND e.predicate NOT IN ('RESOLVED_TO', 'EVALUATES') AND e.{here} IN ({marks(some)})"
            )
            yield from reader.db.execute(query, some).fetchall()


def _ties(reader: Reader, claims: Iterable[int]) -> Iterator[tuple[int, str, int]]:
    for some in batches(list(claims)):
        query = (
            "SELECT e.dst, v.id, e.eid FROM edge e JOIN node v ON v.nid = e.src "
            f"WHERE e.visible = 1 AND e.predicate = 'SUPPORTS' AND v.type = 'Source' AND e.dst IN ({marks(some)})"
        )
        yield from reader.db.execute(query, some).fetchall()
