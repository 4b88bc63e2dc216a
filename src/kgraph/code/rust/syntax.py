"""A Rust file on its own: its modules, its ``use`` trees and qualified paths, its items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import tree_sitter_rust
from tree_sitter import Node

from kgraph.code.comments import clean_comment
from kgraph.code.facts import FileFacts, Import, Symbol
from kgraph.code.places import Bytes
from kgraph.code.trees import below, broken, comment_before, parsed, word

_WANTED = frozenset(
    (
        "use_declaration",
        "extern_crate_declaration",
        "mod_item",
        "scoped_identifier",
        "scoped_type_identifier",
    )
)
_ITEMS = {
    "function_item": "function",
    "struct_item": "class",
    "enum_item": "class",
    "trait_item": "class",
    "union_item": "class",
    "type_item": "class",
}
_FUNCTIONS = frozenset(("function_item", "closure_expression"))


def parse(text: str, level: str) -> FileFacts:
    root, at = parsed(text, tree_sitter_rust.language)
    imports: list[Import] = []
    modules: list[list[Any]] = []  # [inline path, name, path attribute, line]
    for node in below(
        root, _WANTED, frozenset(("use_declaration", "scoped_identifier", "scoped_type_identifier"))
    ):
        inside = inline_path(node)
        place = at.place(node.start_byte, node.end_byte)
        if node.type == "mod_item":
            name = clean(word(node.child_by_field_name("name")))
            modules.append(
                [
                    inside,
                    name,
                    _path_attribute(node),
                    place.line,
                    node.child_by_field_name("body") is not None,
                ]
            )
        elif node.type == "extern_crate_declaration":
            imports.append(
                Import(
                    place,
                    word(node.child_by_field_name("name")),
                    (("", ""),),
                    "import",
                    "extern",
                    inside,
                )
            )
        elif node.type == "use_declaration":
            kind = "import-deferred" if _has_above(node, _FUNCTIONS) else "import"
            for used, alias in use_paths(node.child_by_field_name("argument"), ""):
                imports.append(Import(place, used, (("", alias),), kind, "use", inside))
        else:
            imports += _qualified(node, at, inside)
    body: dict[str, Any] = {"modules": modules}
    if level == "symbol":
        from kgraph.code.rust.names import read_names

        body["flow"] = read_names(root, at)
    inner_doc = "\n".join(
        word(node)
        for node in root.children
        if "comment" in node.type and word(node).startswith(("//!", "/*!"))
    )
    symbols = tuple(_symbols(root, at)) if level == "symbol" else ()
    return FileFacts(
        "rust",
        "",
        clean_comment(inner_doc),
        tuple(imports),
        symbols,
        broken=broken(root, at),
        lines=len(at),
        body=body,
    )


def use_paths(node: Node | None, before: str) -> Iterator[tuple[str, str]]:
    """Every path of a use tree with the name that it has here; 'a::*' for a glob, which has none."""
    if node is None:
        return
    if node.type == "use_as_clause":
        alias = word(node.child_by_field_name("alias"))
        yield from (
            (path, alias) for path, _ in use_paths(node.child_by_field_name("path"), before)
        )
    elif node.type == "use_list":
        for child in node.named_children:
            yield from use_paths(child, before)
    elif node.type == "scoped_use_list":
        above = node.child_by_field_name("path")
        yield from use_paths(
            node.child_by_field_name("list"), f"{before}{clean(word(above))}::" if above else before
        )
    elif node.type == "use_wildcard":
        start = f"{before}{clean(word(node).removesuffix('*').rstrip(': '))}::*".removeprefix("::")
        yield (start if before or node.named_children else "*"), ""
    elif "comment" not in node.type:
        name = clean(word(node))
        path = before.removesuffix("::") if name == "self" and before else f"{before}{name}"
        yield path, path.rpartition("::")[2]


def clean(path: str) -> str:
    return re.sub(r"\s+|<.*>$|\br#", "", path).removeprefix("::")


def _qualified(node: Node, at: Bytes, inside: str) -> list[Import]:
    """A path in code that names its crate or module itself: 'crate::a::f', 'super::x', 'serde_json::to_string'."""
    path = clean(word(node))
    if not re.fullmatch(r"[a-z_][a-z0-9_]*(?:::\w+)+", path) or path.startswith("self::"):
        return []
    kind = "import-deferred" if _has_above(node, _FUNCTIONS) else "import"
    return [
        Import(at.place(node.start_byte, node.end_byte), path, (("", ""),), kind, "path", inside)
    ]


def inline_path(node: Node) -> str:
    names = []
    here = node.parent
    while here is not None:
        if here.type == "mod_item":
            names.append(word(here.child_by_field_name("name")))
        here = here.parent
    return "::".join(reversed(names))


def _path_attribute(node: Node) -> str:
    here = node.prev_sibling
    while here is not None and here.type in ("attribute_item", "line_comment", "block_comment"):
        found = re.search(r"""#\[\s*path\s*=\s*"([^"]+)"\s*\]""", word(here))
        if found:
            return found.group(1)
        here = here.prev_sibling
    return ""


def _has_above(node: Node, types: frozenset[str]) -> bool:
    here = node.parent
    while here is not None and here.type not in types:
        here = here.parent
    return here is not None


def owner_of(node: Node) -> str:
    """The type or trait in whose block an item stands, as it is written there."""
    here = node.parent
    while here is not None:
        if here.type in ("impl_item", "trait_item"):
            return clean(word(here.child_by_field_name("type") or here.child_by_field_name("name")))
        here = here.parent
    return ""


def _symbols(root: Node, at: Bytes) -> Iterator[Symbol]:
    for node in below(root, frozenset(_ITEMS), frozenset(("block",))):
        name = "::".join(
            part
            for part in (inline_path(node), owner_of(node), word(node.child_by_field_name("name")))
            if part
        )
        yield Symbol(
            name, _ITEMS[node.type], at.place(node.start_byte, node.end_byte), comment_before(node)
        )
