"""Folders that graph engines load: ``ladybug`` (LadybugDB, Kùzu), ``neo4j`` (neo4j-admin's import), and rows for a running server."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from kgraph.views.snapshot import Edge, Node, Snapshot

NODE_PLAIN = ("type", "name", "qualifier", "description", "kind", "uri", "valid_from", "valid_to", "event_time", "canonical")  # fmt: skip
MARK = "kgraph:IGNORE"  # a column that neo4j-admin passes over and export knows its own files by
EDGE_PLAIN = ("id", "kind", "source_doc", "quote", "status", "run")


def ladybug(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """``load.cypher`` and the files it copies from, one for each pair of predicate and tables. Run it in the folder."""
    yield (
        "nodes.csv",
        _csv(("kgraph_id", *NODE_PLAIN, "aliases"), map(_ladybug_node, snapshot.nodes)),
    )
    predicates = sorted({edge.predicate for edge in snapshot.edges})
    columns = ", ".join(f"{name} STRING" for name in NODE_PLAIN)
    lines = [f"CREATE NODE TABLE Node(id STRING PRIMARY KEY, {columns}, aliases STRING);"]
    options = "(header=true, parallel=false)"  # a quote may hold line ends
    lines.append(f'COPY Node FROM "nodes.csv" {options};')
    held = ", ".join(f"{name} STRING" for name in EDGE_PLAIN)
    for predicate in predicates:
        lines.append(f"CREATE REL TABLE {predicate}(FROM Node TO Node, {held}, confidence DOUBLE);")
        lines.append(f'COPY {predicate} FROM "{predicate}.csv" {options};')
        rows = (
            (edge.source, edge.target, *_plain(edge), edge.shown.confidence)
            for edge in snapshot.edges
            if edge.predicate == predicate
        )
        yield (
            f"{predicate}.csv",
            _csv(("kgraph_from", "kgraph_to", *EDGE_PLAIN, "confidence"), rows),
        )
    yield "load.cypher", "// written by kgraph\n" + "\n".join(lines) + "\n"


def _ladybug_node(node: Node) -> tuple[Any, ...]:
    """Aliases are a JSON list: the engine's own list syntax can't hold every text."""
    return (node.id, *_own(node), json.dumps(list(node.aliases), ensure_ascii=False))


def neo4j_admin(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """What ``neo4j-admin database import full --nodes=nodes.csv --relationships=relationships.csv`` takes."""
    yield (
        "nodes.csv",
        _csv(
            ("id:ID", ":LABEL", *NODE_PLAIN[1:], "aliases:string[]", MARK),
            (
                (
                    node.id,
                    f"Kgraph;{node.type}",
                    *_own(node)[1:],
                    ";".join(_no_semicolon(node.aliases)),
                    "",
                )
                for node in snapshot.nodes
            ),
        ),
    )
    yield (
        "relationships.csv",
        _csv(
            (":START_ID", ":END_ID", ":TYPE", *EDGE_PLAIN, "confidence:double", MARK),
            (
                (edge.source, edge.target, edge.predicate, *_plain(edge), edge.shown.confidence, "")
                for edge in snapshot.edges
            ),
        ),
    )
    yield (
        "README.md",
        (
            "<!-- written by kgraph -->\nIn this folder: `neo4j-admin database import full --nodes=nodes.csv "
            "--relationships=relationships.csv --multiline-fields=true kgraph`\n"
        ),
    )


def _no_semicolon(texts: tuple[str, ...]) -> list[str]:
    """neo4j-admin parts a list at every ';', quoted or not."""
    return [text.replace(";", ",") for text in texts]


def node_rows(snapshot: Snapshot) -> Iterator[tuple[str, dict[str, Any]]]:
    """(type, row) of each node, for ``UNWIND $rows AS row``: row.id, and row.properties without what is empty."""
    for node in snapshot.nodes:
        cells = zip(NODE_PLAIN, _own(node), strict=True)
        properties: dict[str, Any] = {key: value for key, value in cells if value}
        if node.aliases:
            properties["aliases"] = list(node.aliases)
        yield node.type, {"id": node.id, "properties": properties}


def edge_rows(snapshot: Snapshot) -> Iterator[tuple[str, dict[str, Any]]]:
    """(predicate, row) of each edge: row.id, row.source, row.target, row.properties."""
    for edge in snapshot.edges:
        properties = dict(zip(EDGE_PLAIN[1:], _plain(edge)[1:], strict=True))
        found: dict[str, Any] = {key: value for key, value in properties.items() if value}
        if edge.shown.confidence is not None:
            found["confidence"] = edge.shown.confidence
        row = {"id": edge.id, "source": edge.source, "target": edge.target, "properties": found}
        yield edge.predicate, row


def _own(node: Node) -> tuple[str, ...]:
    given = {
        "type": node.type, "name": node.name, "qualifier": node.qualifier, "description": node.description,
        "valid_from": node.valid_from, "valid_to": node.valid_to, "canonical": node.canonical, **node.fields,
    }  # fmt: skip
    return tuple(str(given.get(name) or "") for name in NODE_PLAIN)


def _plain(edge: Edge) -> tuple[str, ...]:
    shown = edge.shown
    return (edge.id, edge.kind, shown.source_doc, shown.quote, shown.status, shown.run_id)


def _csv(header: tuple[str, ...], rows: Any) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([["" if value is None else value for value in row] for row in rows])
    return buffer.getvalue()
