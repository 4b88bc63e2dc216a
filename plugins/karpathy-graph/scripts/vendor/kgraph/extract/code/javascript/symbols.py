"""Functions, classes and calls of a JavaScript or TypeScript file, by the names that are written there."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from kgraph.extract.code.facts import Symbol
from kgraph.extract.code.places import Bytes
from kgraph.extract.code.trees import comment_before, word

_NAMED = {
    "function_declaration": "function", "generator_function_declaration": "function", "class_declaration": "class",
    "abstract_class_declaration": "class", "method_definition": "function",
}  # fmt: skip
_VALUES = {"arrow_function": "function", "function_expression": "function", "generator_function": "function", "class": "class"}


def read_symbols(root: Node, at: Bytes) -> tuple[tuple[Symbol, ...], dict[str, Any]]:
    reader = _Reader(at)
    reader.walk(root, "")
    return tuple(reader.symbols), reader.body


class _Reader:
    """``bindings`` are the names bound in each scope other than as symbols: what is called through them is not known by name."""

    def __init__(self, at: Bytes) -> None:
        self._at = at
        self.symbols: list[Symbol] = []
        self.body: dict[str, Any] = {"exports": [], "calls": [], "made": [], "extends": [], "bindings": []}

    def walk(self, node: Node, scope: str) -> None:
        for child in node.children:
            self._node(child, scope)

    def _node(self, node: Node, scope: str) -> None:
        kind = _NAMED.get(node.type)
        if kind is not None:
            self._symbol(node, node, word(node.child_by_field_name("name")), kind, scope)
            return
        if node.type == "variable_declarator":
            self._declarator(node, scope)
            return
        if node.type in ("call_expression", "new_expression"):
            self._call(node, scope)
        elif node.type == "export_statement":
            self._export(node)
        elif node.type in ("required_parameter", "optional_parameter", "formal_parameters", "catch_clause", "for_in_statement"):
            self._bind(node, scope)
        elif node.type == "arrow_function" and node.child_by_field_name("parameter") is not None:
            self._names(node.child_by_field_name("parameter"), scope)
        self.walk(node, scope)

    def _symbol(self, node: Node, value: Node, name: str, kind: str, scope: str) -> None:
        if not name or name.startswith("["):
            self.walk(value, scope)
            return
        qualified = f"{scope}.{name}" if scope else name
        stated = node.parent if node.parent is not None and node.parent.type in ("export_statement", "lexical_declaration") else node
        if stated.parent is not None and stated.parent.type == "export_statement":
            stated = stated.parent
        self.symbols.append(Symbol(qualified, kind, self._at.place(node.start_byte, node.end_byte), comment_before(stated)))
        for heritage in [child for child in value.children if child.type == "class_heritage"]:
            base = next((found for found in _heritage(heritage) if _dotted(found)), None)
            if base is not None:
                self.body["extends"].append([qualified, _dotted(base), list(self._at.place(base.start_byte, base.end_byte))])
        self.walk(value, qualified)

    def _declarator(self, node: Node, scope: str) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and name.type == "identifier" and value is not None and value.type in _VALUES:
            self._symbol(node, value, word(name), _VALUES[value.type], scope)
            return
        self._names(name, scope)
        constant = node.parent is not None and any(child.type == "const" for child in node.parent.children)
        if name is not None and name.type == "identifier" and value is not None and value.type == "new_expression" and constant:
            self.body["made"].append([scope, word(name), _dotted(value.child_by_field_name("constructor"))])
        if value is not None:
            self._node(value, scope)

    def _call(self, node: Node, scope: str) -> None:
        new = node.type == "new_expression"
        callee = _dotted(node.child_by_field_name("constructor" if new else "function"))
        if callee and callee not in ("require", "super", "import"):
            self.body["calls"].append([scope, callee, new, list(self._at.place(node.start_byte, node.end_byte))])

    def _export(self, node: Node) -> None:
        if node.child_by_field_name("source") is not None:
            return
        default = any(child.type == "default" for child in node.children)
        declared = node.child_by_field_name("declaration")
        value = node.child_by_field_name("value")
        if default:
            local = word(declared.child_by_field_name("name")) if declared is not None else word(value) if value is not None else ""
            self.body["exports"].append(["default", local])
        elif declared is not None:
            for name in _declared_names(declared):
                self.body["exports"].append([name, name])
        for clause in [child for child in node.named_children if child.type == "export_clause"]:
            for specifier in [child for child in clause.named_children if child.type == "export_specifier"]:
                local = word(specifier.child_by_field_name("name"))
                self.body["exports"].append([word(specifier.child_by_field_name("alias")) or local, local])

    def _bind(self, node: Node, scope: str) -> None:
        pattern = node.child_by_field_name("pattern") or node.child_by_field_name("left") or node.child_by_field_name("parameter")
        if pattern is not None:
            self._names(pattern, scope)
        elif node.type == "formal_parameters":
            for child in node.named_children:
                if child.type not in ("required_parameter", "optional_parameter"):
                    self._names(child, scope)

    def _names(self, pattern: Node | None, scope: str) -> None:
        if pattern is None:
            return
        if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
            self.body["bindings"].append([scope, word(pattern)])
        elif pattern.type == "assignment_pattern":
            self._names(pattern.child_by_field_name("left"), scope)
        elif pattern.type == "pair_pattern":
            self._names(pattern.child_by_field_name("value"), scope)
        else:
            for child in pattern.named_children:
                if child.type != "type_annotation":
                    self._names(child, scope)


def _heritage(node: Node) -> list[Node]:
    """The extended class: directly below in JavaScript, in an ``extends_clause`` in TypeScript."""
    clause = next((child for child in node.named_children if child.type == "extends_clause"), None)
    value = clause.child_by_field_name("value") if clause is not None else None
    return [value] if value is not None else [child for child in node.named_children if child.type != "implements_clause"]


def _declared_names(node: Node) -> list[str]:
    if node.type in ("lexical_declaration", "variable_declaration"):
        names = [child.child_by_field_name("name") for child in node.named_children if child.type == "variable_declarator"]
        return [word(name) for name in names if name is not None and name.type == "identifier"]
    return [word(node.child_by_field_name("name"))]


def _dotted(node: Node | None) -> str:
    """'a.b.c' or 'this.m' for a plain path, '' for anything else."""
    if node is None:
        return ""
    if node.type in ("identifier", "this"):
        return word(node)
    if node.type == "member_expression" and not any(child.type == "optional_chain" for child in node.children):
        owner = _dotted(node.child_by_field_name("object"))
        return f"{owner}.{word(node.child_by_field_name('property'))}" if owner else ""
    return ""
