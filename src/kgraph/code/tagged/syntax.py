"""A file on its own, by the queries of its language: what it defines, refers to and imports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

from tree_sitter import Language, Node, Parser, Query, QueryCursor

from kgraph.code.facts import FileFacts, Import, Place, Symbol
from kgraph.code.places import Bytes
from kgraph.code.tagged.rules import Rules, query, rules
from kgraph.code.trees import broken, comment_before, word
from kgraph.tuples import NamedTuple

_KINDS = {"function": "function", "method": "function", "macro": "function"}
_JOINTS = re.compile(r"::|->|[\\.:/]")


class Definition(NamedTuple):
    node: Node
    name: str
    kind: str
    local: bool
    owner: str  # the name of what it belongs to, where that isn't what it stands in


class Tags(NamedTuple):
    """What the queries of a language say of a file."""

    definitions: list[Definition]
    references: list[dict[str, Any]]
    imports: list[dict[str, Any]]
    module: str


class _Grammar(NamedTuple):
    parser: Parser
    query: Query


@cache
def grammar(folder: str) -> _Grammar:
    """Raises ModuleNotFoundError for a grammar that isn't installed."""
    module, _, function = rules(folder).grammar.partition(":")
    language = Language(getattr(import_module(module), function or "language")())
    return _Grammar(Parser(language), Query(language, query(folder)))


def parse(language: Rules, text: str, level: str) -> FileFacts:
    """The facts of a file; ``body`` is ``{"defs": [[name, kind, local]], "refs": [[kind, name, receiver, scope, place]]}``."""
    pattern, other = language.instead
    if pattern and re.search(pattern, text):
        language = rules(other)
    at = Bytes(text)
    found = grammar(language.folder)
    root = found.parser.parse(at.data).root_node
    tags = _tags(found.query, root)
    holding = _named(tags.definitions)
    named = [(one, name) for one, name in holding if one.kind != "extension"]
    symbols = tuple(
        Symbol(
            name,
            _KINDS.get(one.kind, "class" if one.kind == "type" else one.kind),
            at.place(one.node.start_byte, one.node.end_byte),
            comment_before(one.node),
        )
        for one, name in named
    )
    imports = tuple(_import(one, at) for one in tags.imports)
    body = {
        "defs": [[name, one.kind, int(one.local)] for one, name in named],
        "refs": list(_references(tags.references, holding, at)) if level == "symbol" else [],
    }
    return FileFacts(
        language.folder, tags.module, _doc(root), imports, symbols if level == "symbol" else (), broken=broken(root, at), lines=len(at), body=body,
    )  # fmt: skip


def _doc(root: Node) -> str:
    first = next((node for node in root.children if "comment" not in node.type), None)
    return comment_before(first) if first is not None else ""


def _tags(asked: Query, root: Node) -> Tags:
    """Where several patterns fit one thing, what they say of it is put together."""
    definitions: dict[int, Definition] = {}
    references: dict[tuple[str, int], dict[str, Any]] = {}
    imports: dict[int, dict[str, Any]] = {}
    module = ""
    for number, match in QueryCursor(asked).matches(root):
        settings = asked.pattern_settings(number)
        nodes = {name: some for name, some in match.items() if some}
        main = next((name for name in nodes if "." in name or name in ("import", "module")), "")
        if not main:
            continue
        node, kind = nodes[main][0], main.partition(".")[2]
        named = nodes["name"][0] if "name" in nodes else node
        if main == "module":
            here = _dotted(word(node))
            module = (
                f"{module}.{here}"
                if module and settings.get("chained") is not None
                else module or here
            )
        elif main == "import":
            known = imports.get(node.start_byte, {"nodes": {}})
            form = settings.get("form") or "path"
            imports[node.start_byte] = {"node": node, "nodes": known["nodes"] | nodes, "form": form}
        elif main.startswith("definition."):
            owner = (settings.get("prefix") or "") + _dotted(
                "".join(map(word, nodes.get("owner", [])))
            )
            one = Definition(node, _dotted(word(named)), kind, "local" in nodes, owner.strip("."))
            if named.start_byte not in definitions or one.local:
                definitions[named.start_byte] = one
        else:
            receiver = ".".join(map(word, nodes.get("receiver", ())))
            told = {"node": node, "kind": kind, "name": word(named), "receiver": receiver}
            references.setdefault((kind, named.start_byte), told)
    return Tags(
        list(definitions.values()), list(references.values()), list(imports.values()), module
    )


def _dotted(written: str) -> str:
    return _JOINTS.sub(".", written.strip("\"'`[]<>")).strip(".")


def _named(definitions: Iterable[Definition]) -> list[tuple[Definition, str]]:
    """Each definition with its name inside the file: what holds it stands before it."""
    ordered = sorted(definitions, key=lambda one: (one.node.start_byte, -one.node.end_byte))
    holding: list[tuple[int, str]] = []
    found = []
    for one in ordered:
        while holding and holding[-1][0] <= one.node.start_byte:
            holding.pop()
        above = holding[-1][1] if holding else ""
        name = ".".join(filter(None, (above, one.owner, one.name)))
        found.append((one, name))
        holding.append((one.node.end_byte, name))
    return found


def _references(
    references: Iterable[dict[str, Any]], named: list[tuple[Definition, str]], at: Bytes
) -> Iterator[list[Any]]:
    """In the order of the text, each with the definition that holds it."""
    spans = [(one.node.start_byte, one.node.end_byte, name) for one, name in named]
    holding: list[tuple[int, str]] = []
    here = 0
    for reference in sorted(
        references, key=lambda one: (one["node"].start_byte, -one["node"].end_byte)
    ):
        node = reference["node"]
        while here < len(spans) and spans[here][0] <= node.start_byte:
            while holding and holding[-1][0] <= spans[here][0]:
                holding.pop()
            holding.append((spans[here][1], spans[here][2]))
            here += 1
        while holding and holding[-1][0] <= node.start_byte:
            holding.pop()
        scope = holding[-1][1] if holding else ""
        name, receiver = _dotted(reference["name"]), _dotted(reference["receiver"])
        if "." in name and not receiver:
            receiver, _, name = name.rpartition(".")
        yield [
            reference["kind"],
            name,
            receiver,
            scope,
            list(at.place(node.start_byte, node.end_byte)),
        ]


def _import(found: dict[str, Any], at: Bytes) -> Import:
    nodes, node = found["nodes"], found["node"]
    target = "".join(map(word, nodes["target"])) if "target" in nodes else word(node)
    alias = word(nodes["alias"][0]) if "alias" in nodes else ""
    place: Place = at.place(node.start_byte, node.end_byte)
    return Import(
        place,
        target.strip("\"'`<>") if "target" in nodes else target,
        (("", alias),) if alias else (),
        "import",
        found["form"],
    )
