"""A Java file on its own: its package, its imports, its types and their members."""

from __future__ import annotations

import re

import tree_sitter_java

from kgraph.code.facts import FileFacts, Import, Symbol
from kgraph.code.trees import below, broken, comment_before, parsed, word

TYPES = frozenset(
    (
        "class_declaration",
        "interface_declaration",
        "enum_declaration",
        "record_declaration",
        "annotation_type_declaration",
    )
)
_MEMBERS = TYPES | {
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
}
# Classes in there have no name of their own, or one that only their block knows.
_BODIES = frozenset(
    (
        "block",
        "constructor_body",
        "object_creation_expression",
        "enum_constant",
        "lambda_expression",
    )
)


def parse(text: str, level: str) -> FileFacts:
    root, at = parsed(text, tree_sitter_java.language)
    package, imports = "", []
    for node in root.children:
        if node.type == "package_declaration":
            package = word(
                next((child for child in node.named_children if "identifier" in child.type), None)
            )
        elif node.type == "import_declaration":
            path = word(
                next((child for child in node.named_children if "identifier" in child.type), None)
            )
            form = "static" if any(child.type == "static" for child in node.children) else "import"
            star = any(child.type == "asterisk" for child in node.children)
            if re.fullmatch(r"[\w.$]+", path):
                imports.append(
                    Import(
                        at.place(node.start_byte, node.end_byte),
                        path,
                        (("*" if star else "", ""),),
                        "import",
                        form,
                    )
                )
    symbols = []
    for node in below(root, _MEMBERS, _BODIES):
        owners, here = [word(node.child_by_field_name("name"))], node.parent
        while here is not None:
            if here.type in TYPES:
                owners.append(word(here.child_by_field_name("name")))
            here = here.parent
        kind = "class" if node.type in TYPES else "function"
        if level == "symbol" or kind == "class":
            doc = comment_before(node) if level == "symbol" or len(owners) == 1 else ""
            symbols.append(
                Symbol(
                    ".".join(reversed(owners)), kind, at.place(node.start_byte, node.end_byte), doc
                )
            )
    body = None
    if level == "symbol":
        from kgraph.code.java.names import read_names

        body = read_names(root, at)
    return FileFacts(
        "java",
        package,
        "",
        tuple(imports),
        tuple(symbols),
        broken=broken(root, at),
        lines=len(at),
        body=body,
    )
