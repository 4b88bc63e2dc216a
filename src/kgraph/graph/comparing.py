"""Nodes as resolution compares them: the canonical view of each, with its sources, sections and neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from kgraph.index.adjacency import evaluated, has_merges, parted, supports
from kgraph.index.adjacency import neighbours as neighbours_of
from kgraph.index.apply import batches
from kgraph.index.read import IDENTITY, NodeView, Reader
from kgraph.resolve import Record


def known_distinct(reader: Reader) -> frozenset[frozenset[str]]:
    """The pairs that were judged to be two things, or parted by a split."""
    found = parted(reader)
    for nid, names in evaluated(reader).items():
        fields = reader.node(nid).fields
        if fields.get("rubric") == IDENTITY and fields.get("result") == "distinct":
            found.add(frozenset(names))
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
    merged = has_merges(reader)
    members = {node.nid: reader.members(node.nid) if merged else [node.nid] for node in nodes}
    owner = {member: nid for nid, some in members.items() for member in some}
    sources: dict[int, set[str]] = {node.nid: set() for node in nodes}
    sections: dict[int, set[str]] = {node.nid: set() for node in nodes}
    neighbours: dict[int, set[str]] = {node.nid: set() for node in nodes}
    statements: dict[int, set[str]] = {node.nid: set() for node in nodes}
    claims: dict[int, set[int]] = {}
    for here, there, kind, name in neighbours_of(reader, owner):
        nid = owner[here]
        if kind == "Source":
            sources[nid].add(name)
            continue
        neighbours[nid].add(name)
        if kind == "Claim":
            statements[nid].add(name)
            claims.setdefault(there, set()).add(nid)
    cited: dict[int, set[int]] = {}
    for claim, source, eid in supports(reader, claims):
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
            node.attrs, node.assertions, node.nid, str(node.fields.get("kind", "")),
            frozenset(statements[node.nid]),
        )  # fmt: skip
