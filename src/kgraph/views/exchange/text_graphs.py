"""``dot`` for Graphviz and ``cypher`` for Neo4j and its kin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.views.exchange.columns import (
    EDGE_COLUMNS,
    NODE_COLUMNS,
    REAL,
    WHOLE,
    edge_cells,
    node_cells,
)
from kgraph.views.snapshot import Edge, Node, Snapshot

_SHAPES = {
    "Entity": "ellipse", "Claim": "diamond", "Source": "box", "Artifact": "hexagon", "AgentRun": "triangle", "Evaluation": "star",
    "Task": "invtriangle", "Commit": "cds", "Metric": "pentagon",
}  # fmt: skip
ROWS = 500
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def dot(snapshot: Snapshot) -> Iterator[str]:
    yield f"// written by kgraph\ndigraph {_dot(snapshot.meta.name)} {{\n"
    for node in snapshot.nodes:
        style = ", style=dashed" if node.inferred else ""
        shape = _SHAPES.get(node.type, "octagon")
        yield f"  {_dot(node.id)} [label={_dot(node.name)}, class={_dot(node.type)}, shape={shape}{style}];\n"
    for edge in snapshot.edges:
        style = ", style=dashed, color=red" if edge.predicate == "CONTRADICTS" else ""
        tip = f", tooltip={_dot(edge.shown.quote)}" if edge.shown.quote else ""
        yield f"  {_dot(edge.source)} -> {_dot(edge.target)} [label={_dot(edge.predicate)}, id={_dot(edge.id)}{tip}{style}];\n"
    yield "}\n"


def _dot(text: str) -> str:
    """A quoted string. Backslashes are doubled, since labels know escapes of their own; it is never an HTML label, which has no quotes."""
    plain = _CONTROL.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def cypher(snapshot: Snapshot) -> Iterator[str]:
    """One statement a line, each of up to ``ROWS`` nodes or edges, safe to run twice. Every node has the label ``Kgraph`` and its type's."""
    yield "// written by kgraph\n"
    yield "CREATE CONSTRAINT kgraph_id IF NOT EXISTS FOR (n:Kgraph) REQUIRE n.id IS UNIQUE;\n"
    nodes = ((node.type, _row(node.id, _node_values(node), ())) for node in snapshot.nodes)
    for kind, rows in _batches(nodes):
        yield f"UNWIND [{rows}] AS row MERGE (n:Kgraph {{id: row.id}}) SET n:{_name(kind)}, n += row.properties;\n"
    edges = (
        (
            edge.predicate,
            _row(edge.id, _edge_values(edge), (("source", edge.source), ("target", edge.target))),
        )
        for edge in snapshot.edges
    )
    for kind, rows in _batches(edges):
        ends = "(a:Kgraph {id: row.source}), (b:Kgraph {id: row.target})"
        yield f"UNWIND [{rows}] AS row MATCH {ends} MERGE (a)-[r:{_name(kind)} {{id: row.id}}]->(b) SET r += row.properties;\n"


def _batches(rows: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    waiting: dict[str, list[str]] = {}
    for kind, row in rows:
        held = waiting.setdefault(kind, [])
        held.append(row)
        if len(held) == ROWS:
            yield kind, ", ".join(waiting.pop(kind))
    for kind, held in waiting.items():
        yield kind, ", ".join(held)


def _row(name: str, values: list[str], ends: tuple[tuple[str, str], ...]) -> str:
    parts = [f"{key}: {_cypher(value)}" for key, value in (("id", name), *ends)]
    return f"{{{', '.join(parts)}, properties: {{{', '.join(values)}}}}}"


def _node_values(node: Node) -> list[str]:
    cells = {name: value for name, value in node_cells(node).items() if name not in ("id", "type")}
    values = [
        f"{name}: {_value(value, NODE_COLUMNS[name])}"
        for name, value in cells.items()
        if name != "aliases"
    ]
    if node.aliases:
        values.append(f"aliases: [{', '.join(_cypher(alias) for alias in node.aliases)}]")
    return values


def _edge_values(edge: Edge) -> list[str]:
    return [
        f"{name}: {_value(value, EDGE_COLUMNS[name])}"
        for name, value in edge_cells(edge).items()
        if name not in ("id", "source", "target", "predicate")
    ]


def _value(value: object, kind: str) -> str:
    return str(value) if kind in (WHOLE, REAL) else _cypher(str(value))


def _cypher(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\")
        .replace("'", "\\'")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t")
    )
    # some versions read \uHHHH before anything else, even after an escaped backslash: the two are kept apart
    apart = escaped.replace("\\\\u", "\\\\' + 'u")
    coded = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", apart)
    return (
        "'"
        + coded.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085")
        + "'"
    )


def _name(name: str) -> str:
    return "`" + _CONTROL.sub("", name).replace("\\", "").replace("`", "``") + "`"
