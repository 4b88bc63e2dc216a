"""``obsidian``: a folder of notes, one a node, tied by links. Names of files are safe on every file system, whatever its case."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kgraph.views.records import as_line
from kgraph.views.report import text
from kgraph.views.snapshot import Edge, Node, Snapshot

LONGEST_BYTES = 120
_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f-\x9f\\/:*?"<>|#^\[\]%\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]+'
)
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)


def obsidian(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """(file name, text) of each note. Holds the names of all nodes, and the edges."""
    names = file_names(snapshot)
    shown = {node.id: node.name for node in snapshot.nodes}
    outgoing: dict[str, list[Edge]] = {}
    incoming: dict[str, list[Edge]] = {}
    for edge in snapshot.edges:
        outgoing.setdefault(edge.source, []).append(edge)
        incoming.setdefault(edge.target, []).append(edge)

    def link(identifier: str) -> str:
        label = (
            shown.get(identifier, identifier).replace("[", "(").replace("]", ")").replace("|", "/")
        )
        return f"[[{names.get(identifier, identifier)}|{text(label)}]]"

    for node in snapshot.nodes:
        body = [_front_matter(node), f"# {text(node.name)}\n"]
        body += [f"{text(said.text)}\n*{text(said.run_id)}*\n" for said in node.descriptions]
        if node.canonical:
            body.append(f"Merged into {link(node.canonical)}\n")
        body += [
            f"- {text(edge.predicate)} → {link(edge.target)}{_citation(edge)}"
            for edge in outgoing.get(node.id, ())
        ]
        body += [
            f"- ← {text(edge.predicate)} {link(edge.source)}{_citation(edge)}"
            for edge in incoming.get(node.id, ())
        ]
        yield names[node.id] + ".md", "\n".join(body) + "\n"


def file_names(snapshot: Snapshot) -> dict[str, str]:
    """Node's id → a name without its ending, no two of them alike even where case and accents' forms don't count."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for node in snapshot.nodes:
        plain = (
            " ".join(_UNSAFE.sub(" ", unicodedata.normalize("NFC", node.name)).split()).strip(". ")
            or node.type
        )
        if plain.lower().endswith(".md") and plain[:-3].strip(". "):
            plain = plain[:-3].strip(". ")  # the note's own ending follows
        if _RESERVED.fullmatch(plain):
            plain = f"{node.type} {plain}"
        name, number = _cut(plain, ""), 2
        while _key(name) in taken:
            name, number = _cut(plain, f" ({number})"), number + 1
        taken.add(_key(name))
        names[node.id] = name
    return names


def _cut(name: str, ending: str) -> str:
    room = LONGEST_BYTES - len(ending)
    return name.encode("utf-8")[:room].decode("utf-8", "ignore").strip(". ") + ending


def _key(name: str) -> str:
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())


def _front_matter(node: Node) -> str:
    """YAML, in which every JSON text is a text."""
    lines = ["---", "written_by: kgraph", f"id: {as_line(node.id)}", f"type: {as_line(node.type)}"]
    if node.aliases:
        lines.append(f"aliases: {as_line(list(node.aliases))}")
    lines.append(f"tags: {as_line([re.sub(r'[^a-z0-9-]+', '-', node.type.lower())])}")
    more = (
        ("qualifier", node.qualifier),
        ("fields", dict(node.fields)),
        ("attrs", dict(node.attrs)),
    )
    lines += [f"{name}: {as_line(value)}" for name, value in more if value]
    return "\n".join([*lines, "---", ""])


def _citation(edge: Edge) -> str:
    shown = edge.shown
    quoted = f"\n  > {text(shown.quote)}" if shown.quote else ""
    place = f"\n  {text(shown.source_doc)} ({shown.status})" if shown.source_doc else ""
    return quoted + place
