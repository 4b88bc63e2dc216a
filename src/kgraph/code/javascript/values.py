"""What expressions and written types of JavaScript and TypeScript mean, as ``kgraph.code.flow`` writes it."""

from __future__ import annotations

from tree_sitter import Node

from kgraph.code.flow import Expr
from kgraph.code.trees import word

FUNCTIONS = frozenset(("arrow_function", "function_expression", "generator_function", "function"))
CLASSES = frozenset(("class", "class_declaration", "abstract_class_declaration"))
_CONTAINERS = frozenset(
    "Array ReadonlyArray Set ReadonlySet Map ReadonlyMap Promise PromiseLike Iterable IterableIterator".split()
)
_LITERALS = frozenset(
    "string template_string number regex true false null undefined binary_expression".split()
)
_OUTSIDE = ["x"]


def value_of(node: Node | None) -> Expr:
    if node is None:
        return None
    kind = node.type
    if kind == "identifier":
        return ["n", word(node), node.start_byte]
    if kind == "this":
        return ["n", "this", node.start_byte]
    if kind == "super":
        return ["super", node.start_byte]
    if kind == "member_expression":
        return [
            ".",
            value_of(node.child_by_field_name("object")),
            word(node.child_by_field_name("property")),
        ]
    if kind == "subscript_expression":
        return ["[]", value_of(node.child_by_field_name("object"))]
    if kind == "call_expression":
        return _called(node)
    if kind == "new_expression":
        return ["new", value_of(node.child_by_field_name("constructor"))]
    if kind == "await_expression":
        return ["await", value_of(node.named_children[0])] if node.named_children else None
    if kind in ("as_expression", "satisfies_expression"):
        return _cast(node)
    if kind in ("parenthesized_expression", "non_null_expression"):
        return value_of(node.named_children[0]) if node.named_children else None
    if kind == "assignment_expression":
        return value_of(node.child_by_field_name("right"))
    if kind == "object":
        return ["obj", str(node.start_byte)]
    if kind == "array":
        return ["list"]
    if kind in FUNCTIONS:
        return ["local"]
    return _OUTSIDE if kind in _LITERALS else None


def _cast(node: Node) -> Expr:
    inner, declared = (
        node.named_children[0],
        node.named_children[-1] if node.named_child_count > 1 else None,
    )
    if node.type == "satisfies_expression" or declared is None:  # 'as const' as well
        return value_of(inner)
    return ["t", type_of(declared)]


def _called(node: Node) -> Expr:
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    first = (
        arguments.named_children[0] if arguments is not None and arguments.named_children else None
    )
    if (
        callee is not None
        and first is not None
        and first.type == "string"
        and (callee.type == "import" or word(callee) == "require")
    ):
        return ["req", word(first)[1:-1], "dynamic" if callee.type == "import" else "require"]
    return ["()", value_of(callee)]


def unwrapped(node: Node | None) -> Node | None:
    """An expression without the brackets and types around it."""
    while (
        node is not None
        and node.type in ("as_expression", "satisfies_expression", "parenthesized_expression")
        and node.named_children
    ):
        node = node.named_children[0]
    return node


def type_of(node: Node | None) -> Expr:
    if node is None:
        return None
    kind = node.type
    if kind in (
        "type_annotation",
        "parenthesized_type",
        "readonly_type",
        "asserts_annotation",
        "optional_type",
        "rest_type",
    ):
        return type_of(node.named_children[0]) if node.named_children else None
    if kind == "type_identifier":
        return ["T", word(node), node.start_byte]
    if kind == "nested_type_identifier":
        module = node.child_by_field_name("module")
        return (
            [".", value_of(module), word(node.child_by_field_name("name"))]
            if module is not None and module.type == "identifier"
            else None
        )
    if kind == "array_type":
        return ["l", type_of(node.named_children[0])]
    if kind == "generic_type":
        name, arguments = (
            node.child_by_field_name("name"),
            node.child_by_field_name("type_arguments"),
        )
        if word(name) in _CONTAINERS and arguments is not None and arguments.named_children:
            return ["l", type_of(arguments.named_children[-1])]
        return type_of(name)
    if kind == "union_type":
        parts = [part for part in _members(node) if word(part) not in ("null", "undefined", "void")]
        return type_of(parts[0]) if len(parts) == 1 else None
    if kind == "type_query":  # 'typeof x'
        return None
    return (
        _OUTSIDE
        if kind in ("predefined_type", "literal_type", "template_literal_type")
        and word(node) not in ("any", "unknown")
        else None
    )


def _members(node: Node) -> list[Node]:
    found = []
    for child in node.named_children:
        found += _members(child) if child.type == "union_type" else [child]
    return found


def string_of(node: Node | None) -> str:
    """The name that a property has in an object or pattern; '' if it is computed."""
    if node is None or node.type == "computed_property_name":
        return ""
    return word(node)[1:-1] if node.type == "string" else word(node)


def extended(node: Node) -> Node | None:
    """The extended class: directly below in JavaScript, in an ``extends_clause`` in TypeScript."""
    clause = next((child for child in node.named_children if child.type == "extends_clause"), None)
    if clause is not None:
        return clause.child_by_field_name("value")
    return next((child for child in node.named_children if child.type != "implements_clause"), None)


def declared_names(node: Node) -> list[str]:
    if node.type in ("lexical_declaration", "variable_declaration"):
        names = [
            child.child_by_field_name("name")
            for child in node.named_children
            if child.type == "variable_declarator"
        ]
        return [word(name) for name in names if name is not None and name.type == "identifier"]
    return [word(node.child_by_field_name("name"))]
