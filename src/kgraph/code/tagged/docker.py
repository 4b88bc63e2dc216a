"""Dockerfiles and Compose files: stages and services, what they are built from and what they wait for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgraph.code.facts import FileFacts, Import, Place, Symbol
from kgraph.code.places import Lines
from kgraph.code.tagged.rules import Rules

_FROM = re.compile(
    r"(?im)^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*(?P<image>\S+)(?:[ \t]+AS[ \t]+(?P<stage>\S+))?[ \t]*$"
)
_COPIED = re.compile(r"(?im)^[ \t]*(?:COPY|ADD)[ \t]+(?:--\S+[ \t]+)*--from=(?P<stage>[\w.-]+)")


def dockerfile(language: Rules, text: str, level: str) -> FileFacts:
    """Stages are definitions; a base image that is no stage above is outside."""
    lines = Lines(text)
    stages: dict[str, Symbol] = {}
    imports: list[Import] = []
    refs: list[list[Any]] = []
    found = list(_FROM.finditer(text))
    for number, one in enumerate(found):
        place = lines.range(one.start("image"), one.end("image"))
        name = one["stage"] or ""
        end = found[number + 1].start() if number + 1 < len(found) else len(text.rstrip())
        if one["image"].casefold() in (stage.casefold() for stage in stages):
            refs.append(["references", one["image"], "", name, list(place)])
        elif "$" not in one["image"] and one["image"] != "scratch":
            imports.append(Import(place, _image(one["image"]), (), "import", "outside"))
        if name:
            stages[name] = Symbol(name, "stage", lines.range(one.start(), max(end, one.end())))
        for copied in _COPIED.finditer(text, one.end(), end):
            if copied["stage"] in stages:
                refs.append(
                    [
                        "references",
                        copied["stage"],
                        "",
                        name,
                        list(lines.range(*copied.span("stage"))),
                    ]
                )
    symbols = tuple(stages.values()) if level == "symbol" else ()
    body = {
        "defs": [[name, "stage", 1] for name in stages],
        "refs": refs if level == "symbol" else [],
    }
    return FileFacts(language.folder, "", "", tuple(imports), symbols, lines=len(lines), body=body)


def _image(written: str) -> str:
    """The image's name without tag and digest."""
    name = written.partition("@")[0]
    head, slash, last = name.rpartition("/")
    return head + slash + last.partition(":")[0]


def compose(language: Rules, text: str, level: str) -> FileFacts:
    """Services are definitions; what they are built from is imported, what they wait for referred to."""
    from tree_sitter import Language, Parser
    from tree_sitter_yaml import language as yaml

    from kgraph.code.places import Bytes
    from kgraph.code.trees import broken

    at = Bytes(text)
    root = Parser(Language(yaml())).parse(at.data).root_node
    reading = _Compose(at)
    for key, services in _pairs(root):
        if _word(key) == "services":
            for name, body in _pairs(services):
                reading.service(name, body)
    symbols = tuple(reading.symbols) if level == "symbol" else ()
    body = {"defs": reading.defs, "refs": reading.refs if level == "symbol" else []}
    return FileFacts(
        language.folder,
        "",
        "",
        tuple(reading.imports),
        symbols,
        broken=broken(root, at),
        lines=len(at),
        body=body,
    )


class _Compose:
    def __init__(self, at: Any) -> None:
        self._at = at
        self.symbols: list[Symbol] = []
        self.defs: list[list[Any]] = []
        self.refs: list[list[Any]] = []
        self.imports: list[Import] = []

    def service(self, key: Any, body: Any) -> None:
        name = _word(key)
        self.symbols.append(Symbol(name, "service", self._at.place(key.start_byte, body.end_byte)))
        self.defs.append([name, "service", 0])
        built = {_word(inner) for inner, _ in _pairs(body)} & {"build"}
        for inner, value in _pairs(body):
            word = _word(inner)
            if word == "image" and not built and "$" not in _word(value):
                self.imports.append(
                    Import(self._place(value), _image(_word(value)), (), "import", "outside")
                )
            elif word == "build":
                self._build(value)
            elif word == "depends_on":
                for item in [*(one for one, _ in _pairs(value)), *_items(value)]:
                    self.refs.append(["references", _word(item), "", name, list(self._place(item))])
            elif word == "extends":
                for one, other in _pairs(value):
                    if _word(one) == "file":
                        self.imports.append(
                            Import(self._place(other), _word(other), (), "import", "path")
                        )

    def _build(self, value: Any) -> None:
        given = {_word(key): inner for key, inner in _pairs(value)}
        context = given.get("context", value if not given else None)
        if context is None or re.match(r"[a-z]+://|\$", _word(context)):
            return
        file = _word(given["dockerfile"]) if "dockerfile" in given else "Dockerfile"
        self.imports.append(
            Import(
                self._place(given.get("dockerfile", context)),
                f"{_word(context).rstrip('/') or '.'}/{file}",
                (),
                "import",
                "path",
            )
        )

    def _place(self, node: Any) -> Place:
        found: Place = self._at.place(node.start_byte, node.end_byte)
        return found


def _pairs(node: Any) -> Iterator[tuple[Any, Any]]:
    """The keys and values of the mapping that a node is."""
    for one in _inside(node, ("block_mapping", "flow_mapping")):
        for pair in one.named_children:
            if pair.type in ("block_mapping_pair", "flow_pair"):
                key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
                if key is not None and value is not None:
                    yield key, value


def _items(node: Any) -> Iterator[Any]:
    for one in _inside(node, ("block_sequence", "flow_sequence")):
        for item in one.named_children:
            yield (
                item.named_children[0]
                if item.type == "block_sequence_item" and item.named_children
                else item
            )


def _inside(node: Any, types: tuple[str, ...]) -> Iterator[Any]:
    """The collections that a node stands for, without going into their parts."""
    waiting = [node]
    while waiting:
        here = waiting.pop(0)
        if here.type in types:
            yield here
        elif here.type in ("stream", "document", "block_node", "flow_node", "anchor"):
            waiting += here.named_children


def _word(node: Any) -> str:
    return (node.text or b"").decode("utf-8", "surrogatepass").strip().strip("\"'")
