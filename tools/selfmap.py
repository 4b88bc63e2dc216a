"""kgraph's map of itself: its packages and how they depend on each other, read from its own imports and drawn by its own renderer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from kgraph.code import CodeOptions, SourceFile, extract, plan
from kgraph.views.mermaid import mermaid
from kgraph.views.snapshot import Edge, GraphMeta, Node, Snapshot

PAGE = "ARCHITECTURE.md"
BEGIN, END = "<!-- map: made by tools/generate.py, don't edit -->", "<!-- /map -->"
MOST_NODES = 40
Pair = tuple[str, str]


def pages(root: str) -> list[tuple[str, str]]:
    """(path from the project's root, text) of the page with its map as it is to be."""
    with open(os.path.join(root, PAGE), encoding="utf-8", newline="") as file:
        text = file.read()
    head, begun, rest = text.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"{PAGE} has no '{BEGIN}' … '{END}' to put the map between")
    pairs, said = imports(os.path.join(root, "src"), "kgraph")
    drawn = "".join(drawing(between_packages(pairs), said))
    return [(PAGE, f"{head}{BEGIN}\n\n```mermaid\n{drawn}```\n\n{END}{tail}")]


def imports(root: str, package: str) -> tuple[list[Pair], dict[str, str]]:
    """What the offline extractor says of a package's own modules: (importer, imported), what only a type checker imports left out; and
    what each module says of itself."""
    files = []
    for here, folders, names in os.walk(os.path.join(root, package)):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            if name.endswith(".py"):
                path = os.path.join(here, name)
                files.append(SourceFile(os.path.relpath(path, root).replace(os.sep, "/"), path))
    planned = plan(files, root, CodeOptions(jobs=1))
    pairs: list[Pair] = []
    said: dict[str, str] = {}
    for unit in planned.units:
        payload = extract(unit, planned.known).payload
        nodes = {node.get("id", node["name"]): node for node in payload["nodes"]}
        said.update(
            (node["name"], node["description"].replace("`", ""))
            for node in payload["nodes"]
            if node.get("description")
        )
        for edge in payload["edges"]:
            if edge["predicate"] == "DEPENDS_ON" and edge["kind"] != "import-type":
                target = nodes[edge["target"]]
                if target["attrs"]["kind"] != "external":
                    pairs.append((nodes[edge["source"]]["name"], target["name"]))
    return pairs, said


def between_packages(pairs: Iterable[Pair]) -> list[Pair]:
    """The same between what lies right below the top, without arrows that a chain of others implies."""
    direct = {(_part(one), _part(other)) for one, other in pairs if _part(one) != _part(other)}
    return sorted(pair for pair in direct if not _implied(pair, direct))


def drawing(pairs: Iterable[Pair], said: Mapping[str, str]) -> Iterator[str]:
    """Raises ValueError if there are more parts than a reader takes in."""
    edges = [Edge(f"{one} {other}", "DEPENDS_ON", one, other) for one, other in pairs]
    names = sorted({end for edge in edges for end in (edge.source, edge.target)})
    if len(names) > MOST_NODES:
        raise ValueError(f"the map would have {len(names)} parts: draw it at a higher level")
    nodes = [
        Node(name, "Entity", name, description=said.get(name, ""), attrs={"kind": "module"})
        for name in names
    ]
    return mermaid(
        Snapshot(GraphMeta("packages of kgraph"), nodes, edges), whole=True, described=True
    )


def _part(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _implied(pair: Pair, direct: set[Pair]) -> bool:
    """Whether a longer way leads there that doesn't come back through either end (so of a cycle nothing is lost)."""
    start, goal = pair
    seen, waiting = {start}, [other for one, other in direct if one == start and other != goal]
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        if (here, start) in direct:
            continue
        if (here, goal) in direct:
            return True
        waiting += [other for one, other in direct if one == here]
    return False
