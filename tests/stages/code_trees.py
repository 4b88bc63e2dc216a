"""Small source trees and what the code extractor says of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from kgraph.code import CodeOptions, CodePlan, SourceFile, extract, plan
from kgraph.model import Json, Unresolved

Edge = tuple[str, str, str, int]  # from, to, kind, line


class Said(NamedTuple):
    plan: CodePlan
    payloads: dict[str, Json]  # by unit
    unresolved: list[Unresolved]
    edges: set[Edge]

    def nodes(self, kind: str) -> dict[str, Json]:
        return {
            node["name"]: node
            for payload in self.payloads.values()
            for node in payload["nodes"]
            if node["type"] == kind
        }

    def links(self, predicate: str) -> set[tuple[str, str]]:
        found = set()
        for payload in self.payloads.values():
            names = {node.get("id", node["name"]): node["name"] for node in payload["nodes"]}
            found |= {
                (names[edge["source"]], names[edge["target"]])
                for edge in payload["edges"]
                if edge["predicate"] == predicate
            }
        return found


def write(root: str, files: Mapping[str, str | bytes]) -> list[SourceFile]:
    found = []
    for uri, text in files.items():
        path = os.path.join(root, uri)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
        found.append(SourceFile(uri, path))
    return found


def say(
    root: object, files: Mapping[str, str | bytes], level: str = "module", cache: str = ""
) -> Said:
    planned = plan(write(str(root), files), str(root), CodeOptions(level, 1, cache))
    payloads, unresolved, edges = {}, [], set()
    for unit in planned.units:
        payload, loose, _ = extract(unit, planned.known)
        payloads[unit.id] = payload
        unresolved += loose
        edges |= edges_of(payload)
    return Said(planned, payloads, unresolved, edges)


def edges_of(payload: Json, possible: bool = False) -> set[Edge]:
    """The DEPENDS_ON edges of a payload between things of the sources, and to packages outside: the certain ones, or the others."""
    nodes = {node.get("id", node["name"]): node for node in payload["nodes"]}
    found = set()
    for edge in payload["edges"]:
        kind = edge.get("kind", "")
        if (
            edge["predicate"] == "DEPENDS_ON"
            and (kind.startswith("possible-") or kind == "call-outside") == possible
        ):
            source, target = nodes[edge["source"]], nodes[edge["target"]]
            line = int(edge["source_doc"].partition("#L")[2].partition("-")[0])
            found.add((source["name"], target["name"], kind, line))
    return found


def possible(said: Said) -> set[Edge]:
    """What is possible, and what is called outside of the sources."""
    return {edge for payload in said.payloads.values() for edge in edges_of(payload, True)}
