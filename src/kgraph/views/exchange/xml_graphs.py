"""``graphml`` and ``gexf``: for yEd, Gephi, Cytoscape, networkx. Parallel edges keep their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.views.exchange.columns import (
    EDGE_COLUMNS,
    JSON,
    NODE_COLUMNS,
    TEXT,
    edge_cells,
    edge_from_cells,
    from_xml_text,
    node_cells,
    node_from_cells,
    xml_text,
)
from kgraph.views.records import NotARecord, as_line, meta_as_json, meta_from_json
from kgraph.views.snapshot import Edge, GraphMeta, Node, Snapshot

LABELS = (
    "n_label",
    "e_label",
)  # what a program shows: repeats name and predicate, and isn't read back
_OWN = ("id", "source", "target")  # attributes of the element, not data of it


def graphml(snapshot: Snapshot) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<!-- written by kgraph -->\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield '<key id="g_meta" for="graph" attr.name="meta" attr.type="string"/>\n'
    for prefix, what, columns in (("n", "node", NODE_COLUMNS), ("e", "edge", EDGE_COLUMNS)):
        for name, kind in columns.items():
            if name not in _OWN:
                written = TEXT if kind == JSON else kind
                yield f'<key id="{prefix}_{name}" for="{what}" attr.name="{name}" attr.type="{written}"/>\n'
        yield f'<key id="{prefix}_label" for="{what}" attr.name="label" attr.type="string"/>\n'
    yield f'<graph id="{xml_text(snapshot.meta.name)}" edgedefault="directed">\n'
    yield f'<data key="g_meta">{xml_text(as_line(meta_as_json(snapshot.meta)))}</data>\n'
    for node in snapshot.nodes:
        cells = node_cells(node)
        yield f'<node id="{xml_text(node.id)}">{_data("n", cells)}{_label("n", node.name)}</node>\n'
    for edge in snapshot.edges:
        cells = edge_cells(edge)
        ends = f'source="{xml_text(edge.source)}" target="{xml_text(edge.target)}"'
        yield f'<edge id="{xml_text(edge.id)}" {ends}>{_data("e", cells)}{_label("e", edge.predicate)}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _label(prefix: str, text: str) -> str:
    return f'<data key="{prefix}_label">{xml_text(text)}</data>'


def _data(prefix: str, cells: dict[str, Json]) -> str:
    return "".join(
        f'<data key="{prefix}_{name}">{xml_text(str(value))}</data>'
        for name, value in cells.items()
        if name not in _OWN
    )


def read_graphml(raw: bytes) -> Snapshot:
    """Raises ``NotARecord`` with what is wrong and where. Nodes that say neither type nor name are Entities of their id's name."""
    root = _parsed(raw)
    names = _names(root)
    meta = GraphMeta("")
    nodes: list[Node] = []
    edges: list[Edge] = []
    for graph in _each(root, "graph"):
        for data in _each(graph, "data"):
            if names.get(data.get("key", "")) == "meta":
                meta = meta_from_json(_json(from_xml_text(data.text or "{}")))
        for element in _each(graph, "node"):
            cells = _cells(element, names)
            cells.setdefault("name", cells.get("id", ""))
            cells.setdefault("type", "Entity")
            nodes.append(node_from_cells(cells))
        for number, element in enumerate(_each(graph, "edge")):
            edges.append(edge_from_cells({"id": f"e{number}"} | _cells(element, names)))
    return Snapshot(meta, tuple(nodes), tuple(edges))


def plain_graphml(
    raw: bytes,
) -> tuple[dict[str, dict[str, str]], list[tuple[str, str, dict[str, str]]]]:
    """Nodes by id and edges by their ends, each with its data by name: GraphML of others. Raises ``NotARecord``."""
    root = _parsed(raw)
    names = _names(root)
    nodes = {
        node.get("id", ""): _cells(node, names)
        for graph in _each(root, "graph")
        for node in _each(graph, "node")
    }
    found = [edge for graph in _each(root, "graph") for edge in _each(graph, "edge")]
    return nodes, [
        (edge.get("source", ""), edge.get("target", ""), _cells(edge, names)) for edge in found
    ]


def _parsed(raw: bytes) -> ElementTree.Element:
    """Document types are refused: they can name files and grow without bound."""
    if b"<!DOCTYPE" in raw or b"<!ENTITY" in raw:
        raise NotARecord(
            "the file has a document type or entities, which GraphML doesn't need: they are not read"
        )
    try:
        return ElementTree.fromstring(raw)
    except ElementTree.ParseError as problem:
        raise NotARecord(f"not XML: {problem}") from problem


def _names(root: ElementTree.Element) -> dict[str, str]:
    return {
        key.get("id", ""): key.get("attr.name", key.get("id", "")) for key in _each(root, "key")
    }


def _cells(element: ElementTree.Element, names: dict[str, str]) -> dict[str, str]:
    cells = {name: from_xml_text(element.attrib[name]) for name in _OWN if name in element.attrib}
    return cells | {
        names.get(data.get("key", ""), data.get("key", "")): from_xml_text(data.text or "")
        for data in _each(element, "data")
        if data.get("key") not in LABELS
    }


def _each(element: ElementTree.Element, tag: str) -> Iterable[ElementTree.Element]:
    return (child for child in element if child.tag.rpartition("}")[2] == tag)


def _json(text: str) -> Json:
    try:
        return json_value(text)
    except ValueError as problem:
        raise NotARecord(f"the graph's own data is not JSON: {problem}") from problem


def gexf(snapshot: Snapshot) -> Iterator[str]:
    """GEXF 1.2, which Gephi and networkx read alike. Each type has its own attributes' ids, so that nodes' and edges' don't meet."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<!-- written by kgraph -->\n<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    yield f"<meta><creator>kgraph</creator><description>{xml_text(snapshot.meta.name)}</description></meta>\n"
    yield '<graph defaultedgetype="directed" mode="static">\n'
    for prefix, what, columns in (("n", "node", NODE_COLUMNS), ("e", "edge", EDGE_COLUMNS)):
        yield f'<attributes class="{what}">\n'
        for name, kind in columns.items():
            if name not in _OWN:
                written = {JSON: "string", "int": "integer"}.get(kind, kind)
                yield f'<attribute id="{prefix}_{name}" title="{name}" type="{written}"/>\n'
        yield "</attributes>\n"
    yield "<nodes>\n"
    for node in snapshot.nodes:
        yield f'<node id="{xml_text(node.id)}" label="{xml_text(node.name)}">{_values("n", node_cells(node))}</node>\n'
    yield "</nodes>\n<edges>\n"
    for edge in snapshot.edges:
        ends = f'source="{xml_text(edge.source)}" target="{xml_text(edge.target)}" label="{xml_text(edge.predicate)}"'
        yield f'<edge id="{xml_text(edge.id)}" {ends}>{_values("e", edge_cells(edge))}</edge>\n'
    yield "</edges>\n</graph>\n</gexf>\n"


def _values(prefix: str, cells: dict[str, Json]) -> str:
    values = (
        f'<attvalue for="{prefix}_{name}" value="{xml_text(str(value))}"/>'
        for name, value in cells.items()
        if name not in _OWN
    )
    return f"<attvalues>{''.join(values)}</attvalues>"
