"""What the names of a JavaScript or TypeScript file are bound to: parameters, patterns, loops, and what is assigned again."""

from __future__ import annotations

from tree_sitter import Node

from kgraph.code.flow import Body, Expr
from kgraph.code.javascript.values import string_of, type_of, value_of
from kgraph.code.trees import word

Extent = tuple[int, int]


class Bindings:
    """Fills ``body.names``. ``own`` is, for each class, what 'this.x = …' gives its members."""

    def __init__(self) -> None:
        self.body = Body()
        self.own: dict[str, dict[str, list[Expr]]] = {}
        self._assignments: list[tuple[str, int, Expr]] = []

    def settle(self) -> None:
        """Bindings that are assigned to again hold what no one can tell, but for one that was declared empty and filled once."""
        counted: dict[int, list[Expr]] = {}
        for name, at, value in self._assignments:
            fits = [
                binding
                for binding in self.body.names.get(name, ())
                if binding[0] <= at < binding[1]
            ]
            if fits:
                counted.setdefault(id(max(fits, key=lambda binding: binding[0])), []).append(value)
        for bindings in self.body.names.values():
            for binding in bindings:
                given = counted.get(id(binding), [])
                if len(given) == 1 and binding[3] == ["empty"]:
                    binding[3] = given[0]
                elif given or binding[3] == ["empty"]:
                    binding[3] = None
        for owner, members in self.own.items():
            fields = self.body.type(owner, "class")["fields"]
            for name, values in members.items():
                fields.setdefault(name, [None, values[0] if len(values) == 1 else None])

    def parameter(self, node: Node, extent: Extent) -> None:
        pattern = node.child_by_field_name("pattern") or (
            node if node.type != "required_parameter" else None
        )
        declared = (
            type_of(node.child_by_field_name("type"))
            if node.type in ("required_parameter", "optional_parameter")
            else None
        )
        if pattern is not None and pattern.type == "identifier":
            self.body.bind(word(pattern), extent, declared)
        elif pattern is not None and pattern.type == "this":
            self.body.bind("this", extent, declared)
        else:
            self.pattern(pattern, ["t", declared] if declared else None, extent)

    def pattern(self, node: Node | None, value: Expr, extent: Extent) -> None:
        if node is None:
            return
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            self.body.bind(word(node), extent, None, value)
        elif node.type == "object_pattern":
            for part in node.named_children:
                if part.type == "shorthand_property_identifier_pattern":
                    self.body.bind(word(part), extent, None, value and [".", value, word(part)])
                elif part.type == "pair_pattern":
                    key = string_of(part.child_by_field_name("key"))
                    self.pattern(
                        part.child_by_field_name("value"),
                        [".", value, key] if value and key else None,
                        extent,
                    )
                else:
                    self.pattern(part, None, extent)
        elif node.type == "rest_pattern":
            self.pattern(
                node.named_children[0] if node.named_children else None,
                value if value and value[0] == "t" else None,
                extent,
            )
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            self.pattern(node.child_by_field_name("left"), None, extent)
        elif node.type == "array_pattern":
            for part in node.named_children:
                self.pattern(part, None, extent)

    def heads(self, node: Node, extent: Extent) -> None:
        """Names that loops and catches bind."""
        if node.type == "for_in_statement":
            declares = any(child.type in ("const", "let", "var") for child in node.children)
            each = any(child.type == "of" for child in node.children)
            over = ["[]", value_of(node.child_by_field_name("right"))] if each else ["x"]
            left = node.child_by_field_name("left")
            if declares:
                self.pattern(left, over, extent)
            else:
                self.assign(left, None)
        elif node.type == "catch_clause":
            self.pattern(node.child_by_field_name("parameter"), None, extent)

    def assign(self, left: Node | None, value: Expr) -> None:
        if left is not None and left.type == "identifier":
            self._assignments.append((word(left), left.start_byte, value))
        elif left is not None and left.type in ("array_pattern", "object_pattern"):
            for part in left.named_children:
                inner = (
                    part.child_by_field_name("value") or part.child_by_field_name("left") or part
                )
                name = (
                    "identifier"
                    if inner.type == "shorthand_property_identifier_pattern"
                    else inner.type
                )
                if name == "identifier":
                    self._assignments.append((word(inner), inner.start_byte, None))
                else:
                    self.assign(inner, None)


def parameters_of(node: Node) -> list[Node]:
    alone = node.child_by_field_name("parameter")
    several = node.child_by_field_name("parameters")
    return (
        [alone]
        if alone is not None
        else [child for child in several.named_children if child.type != "comment"]
        if several
        else []
    )
