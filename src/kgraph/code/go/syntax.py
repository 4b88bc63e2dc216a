"""A Go file on its own: its imports, its functions, methods and types."""

from __future__ import annotations

import re

import tree_sitter_go

from kgraph.code.facts import FileFacts, Import, Symbol
from kgraph.code.trees import below, broken, comment_before, parsed, word

_TOP = frozenset(("function_declaration", "method_declaration", "type_spec", "type_alias"))
_TYPES = ("type_spec", "type_alias")
_BODIES = frozenset(("block",))


def parse(text: str, level: str) -> FileFacts:
    root, at = parsed(text, tree_sitter_go.language)
    clause = next((node for node in root.children if node.type == "package_clause"), None)
    name = (
        word(next((node for node in clause.children if node.type == "package_identifier"), None))
        if clause
        else ""
    )
    imports = []
    for spec in below(root, frozenset(("import_spec",)), _BODIES):
        path = word(spec.child_by_field_name("path"))[1:-1]
        place = at.place(spec.start_byte, spec.end_byte)
        if spec.parent is not None and spec.parent.type == "import_declaration":
            place = at.place(spec.parent.start_byte, spec.parent.end_byte)
        imports.append(
            Import(place, path, (("", word(spec.child_by_field_name("name"))),), "import", "import")
        )
    symbols = []
    body = None
    for node in below(root, _TOP, _BODIES) if level == "symbol" else ():
        owner = receiver_type(word(node.child_by_field_name("receiver")))
        plain = word(node.child_by_field_name("name"))
        kind = "class" if node.type in _TYPES else "function"
        stated = node.parent if node.type in _TYPES and node.parent is not None else node
        symbols.append(
            Symbol(
                f"{owner}.{plain}" if owner else plain,
                kind,
                at.place(node.start_byte, node.end_byte),
                comment_before(stated),
            )
        )
    if level == "symbol":
        from kgraph.code.go.names import read_names

        body = read_names(root, at)
    doc = comment_before(clause) if clause else ""
    return FileFacts(
        "go",
        name,
        doc,
        tuple(imports),
        tuple(symbols),
        broken=broken(root, at),
        lines=len(at),
        body=body,
    )


def receiver_type(receiver: str) -> str:
    """The type's name in '(s *Store[K, V])'."""
    found = re.search(r"(\w+)\s*(?:\[[^\]]*\])?\s*,?\s*\)$", receiver)
    return found.group(1) if found else ""
