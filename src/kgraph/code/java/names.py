"""What names are bound to in a Java file, and what is called there."""

from __future__ import annotations

from tree_sitter import Node

from kgraph.code.flow import Body, Expr
from kgraph.code.java.syntax import TYPES
from kgraph.code.places import Bytes
from kgraph.code.trees import word

# What holds the names that are declared in it.
_SCOPES = frozenset(
    "block constructor_body for_statement enhanced_for_statement try_with_resources_statement catch_clause lambda_expression "
    "switch_rule switch_block_statement_group method_declaration constructor_declaration compact_constructor_declaration".split()
)
_METHODS = ("method_declaration", "constructor_declaration", "compact_constructor_declaration")
_WORDS = ("static", "private", "final", "abstract", "default")
_OUTSIDE = ["x"]


def read_names(root: Node, at: Bytes) -> str:
    reader = _Reader(at)
    reader.walk(root, "", (0, root.end_byte + 1))
    return reader.body.packed()


class _Reader:
    """``scope`` is the symbol around a node, ``extent`` the bytes of the block around it. ``frames`` are the class bodies: [start, end,
    symbol, '' for one without a name; what that one extends; the names of its methods]."""

    def __init__(self, at: Bytes) -> None:
        self._at = at
        self._nameless = 0  # class bodies around that are no symbols
        self.body = Body()
        self.body.more = {"frames": []}

    def walk(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        for child in node.named_children:
            self._node(child, scope, extent)

    def _node(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        kind = node.type
        if kind in TYPES:
            self._class(node, scope, extent)
            return
        if kind in _METHODS and not self._nameless:
            self._method(node, scope)
            return
        if kind in _SCOPES:
            extent = (node.start_byte, node.end_byte)
        if kind in ("object_creation_expression", "enum_constant"):
            self._made(node, scope, extent)
            return
        if kind == "local_variable_declaration" or (kind == "field_declaration" and self._nameless):
            self._variables(node, extent)
        elif kind in (
            "formal_parameter",
            "catch_formal_parameter",
            "spread_parameter",
            "resource",
            "instanceof_expression",
            "type_pattern",
        ):
            self._named(node, extent)
        elif kind == "enhanced_for_statement":
            self._each(node, extent)
        elif kind == "inferred_parameters":
            for name in node.named_children:
                self.body.bind(word(name), extent)
        elif kind == "lambda_expression":
            alone = node.child_by_field_name("parameters")
            if alone is not None and alone.type == "identifier":
                self.body.bind(word(alone), extent)
        elif kind == "method_invocation":
            self._call(scope, _invoked(node), node)
        elif kind == "explicit_constructor_invocation":
            which = word(node.child_by_field_name("constructor"))
            self._call(scope, ["ctor", which, _count(node), node.start_byte], node)
        self.walk(node, scope, extent)

    # -- classes ---------------------------------------------------------------------------------------------------------------------

    def _class(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        name, body = word(node.child_by_field_name("name")), node.child_by_field_name("body")
        whole = (node.start_byte, node.end_byte)
        self._type_parameters(node, whole)
        bases = _bases(node)
        if self._nameless or _is_local(node):
            self.body.bind(f"T:{name}", extent)
            self.body.bind(name, extent)
            self._frame(body, "", [base for base, _ in bases])
            if body is not None:
                self._nameless += 1
                self.walk(body, scope, whole)
                self._nameless -= 1
            return
        symbol = f"{scope}.{name}" if scope else name
        about = self.body.type(symbol, node.type.removesuffix("_declaration"))
        about["bases"] = [
            [base, list(self._at.place(found.start_byte, found.end_byte))] for base, found in bases
        ]
        for field in (
            [child for part in body.named_children for child in _members(part)]
            if body is not None
            else ()
        ):
            self._field(field, about["fields"], symbol)
        parameters = node.child_by_field_name("parameters")
        for parameter in (
            parameters.named_children
            if node.type == "record_declaration" and parameters is not None
            else ()
        ):
            about["fields"][word(parameter.child_by_field_name("name"))] = [
                _type(parameter.child_by_field_name("type")),
                None,
            ]
        self._frame(body, symbol, [])
        if body is not None:
            self.walk(body, symbol, whole)

    def _field(self, field: Node, fields: dict[str, Expr], symbol: str) -> None:
        if field.type == "enum_constant":
            fields[word(field.child_by_field_name("name"))] = [["s", symbol], None]
        elif field.type in ("field_declaration", "constant_declaration"):
            declared = _type(field.child_by_field_name("type"))
            for declarator in field.children_by_field_name("declarator"):
                array = declarator.child_by_field_name("dimensions") is not None
                value = _value(declarator.child_by_field_name("value"))
                made = (
                    value
                    if value
                    and value[0] == "new"
                    and "final" in word(field).partition("=")[0].split()
                    else None
                )
                name = word(declarator.child_by_field_name("name"))
                fields[name] = (
                    [None, made] if made else [["l", declared] if array else declared, None]
                )

    def _frame(self, body: Node | None, symbol: str, bases: list[Expr]) -> None:
        if body is not None:
            methods = [
                word(child.child_by_field_name("name"))
                for child in body.named_children
                if child.type == "method_declaration"
            ]
            self.body.more["frames"].append(
                [body.start_byte, body.end_byte, symbol, bases, methods]
            )

    def _method(self, node: Node, owner: str) -> None:
        symbol = f"{owner}.{word(node.child_by_field_name('name'))}"
        extent = (node.start_byte, node.end_byte)
        self._type_parameters(node, extent)
        modifiers = next((child for child in node.children if child.type == "modifiers"), None)
        said = {child.type for child in modifiers.children} if modifiers is not None else set()
        words = [one for one in _WORDS if one in said]
        block, parameters = node.child_by_field_name("body"), node.child_by_field_name("parameters")
        if block is None and not said & {"abstract", "native"}:
            words.append("abstract")
        takes = (
            [child for child in parameters.named_children if child.type.endswith("_parameter")]
            if parameters is not None
            else []
        )
        if any(child.type == "spread_parameter" for child in takes):
            words.append("variadic")
        types = [
            word(child.child_by_field_name("type"))
            for child in takes
            if child.type != "receiver_parameter"
        ]
        result = (
            _type(node.child_by_field_name("type")) if node.type == "method_declaration" else None
        )
        self.body.functions.setdefault(symbol, []).append([result, " ".join(words), types])
        self.walk(node, symbol, extent)

    def _type_parameters(self, node: Node, extent: tuple[int, int]) -> None:
        for parameter in (node.child_by_field_name("type_parameters") or node).named_children:
            if parameter.type == "type_parameter":
                self.body.bind(f"T:{word(parameter.named_children[0])}", extent)

    # -- variables -------------------------------------------------------------------------------------------------------------------

    def _variables(self, node: Node, extent: tuple[int, int]) -> None:
        declared = node.child_by_field_name("type")
        inferred = word(declared) == "var"
        for declarator in node.children_by_field_name("declarator"):
            value = _value(declarator.child_by_field_name("value"))
            written = None if inferred else _type(declared)
            if declarator.child_by_field_name("dimensions") is not None:
                written = ["l", written]
            if (
                value
                and value[0] == "new"
                and (inferred or "final" in word(node).partition("=")[0].split())
            ):
                written = None  # what was made is known better than what was said
            self.body.bind(
                word(declarator.child_by_field_name("name")),
                (declarator.start_byte, extent[1]),
                written,
                value,
            )

    def _named(self, node: Node, extent: tuple[int, int]) -> None:
        declared, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        if node.type == "instanceof_expression":
            declared = node.child_by_field_name("right")
            extent = (node.start_byte, extent[1])
        elif node.type == "type_pattern" and len(node.named_children) == 2:
            declared, name = node.named_children
        elif node.type == "spread_parameter":
            declared = next(
                (child for child in node.named_children if child.type != "modifiers"), None
            )
            name = next(
                (
                    child.child_by_field_name("name")
                    for child in node.named_children
                    if child.type == "variable_declarator"
                ),
                None,
            )
        if node.type == "catch_formal_parameter":
            caught = next(
                (child for child in node.named_children if child.type == "catch_type"), None
            )
            declared = (
                caught.named_children[0]
                if caught is not None and caught.named_child_count == 1
                else None
            )
        if name is None:
            return
        value = None
        if word(declared) == "var":
            declared, value = None, _value(node.child_by_field_name("value"))
        written = _type(declared)
        self.body.bind(
            word(name),
            extent,
            ["l", written] if node.type == "spread_parameter" else written,
            value,
        )

    def _each(self, node: Node, extent: tuple[int, int]) -> None:
        declared, over = (
            node.child_by_field_name("type"),
            ["[]", _value(node.child_by_field_name("value"))],
        )
        inferred = word(declared) == "var"
        self.body.bind(
            word(node.child_by_field_name("name")),
            extent,
            None if inferred else _type(declared),
            over if inferred else None,
        )

    # -- calls -----------------------------------------------------------------------------------------------------------------------

    def _made(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        """'new T(…)' or a constant of an enumeration, with or without a body of its own."""
        body = next((child for child in node.named_children if child.type == "class_body"), None)
        if node.type == "enum_constant":
            made: Expr = ["s", scope]
            self._call(scope, ["make", made, _count(node), body is not None], node)
        else:
            made = _type(node.child_by_field_name("type"))
            self._call(scope, ["make", made, _count(node), body is not None], node)
        for child in node.named_children:
            if child is not body:
                self._node(child, scope, extent)
        if body is not None:
            self._frame(body, "", [made])
            self._nameless += 1
            self.walk(body, scope, (body.start_byte, body.end_byte))
            self._nameless -= 1

    def _call(self, scope: str, expr: Expr, node: Node) -> None:
        self.body.calls.append([scope, expr, list(self._at.place(node.start_byte, node.end_byte))])


def _members(part: Node) -> list[Node]:
    return part.named_children if part.type == "enum_body_declarations" else [part]


def _is_local(node: Node) -> bool:
    return node.parent is not None and node.parent.type not in (
        "program", "class_body", "interface_body", "enum_body", "enum_body_declarations", "record_body", "annotation_type_body", "ERROR",
    )  # fmt: skip


def _bases(node: Node) -> list[tuple[Expr, Node]]:
    """The extended class first, then the interfaces."""
    found = []
    for part in [
        child
        for child in node.named_children
        if child.type in ("superclass", "super_interfaces", "extends_interfaces")
    ]:
        for entry in part.named_children:
            found += [
                (_type(base), base)
                for base in (entry.named_children if entry.type == "type_list" else [entry])
            ]
    return [(base, place) for base, place in found if base]


def _count(node: Node) -> int:
    arguments = node.child_by_field_name("arguments")
    return (
        sum("comment" not in child.type for child in arguments.named_children)
        if arguments is not None
        else 0
    )


def _type(node: Node | None) -> Expr:
    if node is None:
        return None
    if node.type in ("integral_type", "floating_point_type", "boolean_type", "void_type"):
        return _OUTSIDE
    if node.type in ("type_identifier", "identifier"):
        return ["T", word(node), node.start_byte]
    if node.type == "scoped_type_identifier":
        parts = [
            child
            for child in node.named_children
            if child.type in ("type_identifier", "scoped_type_identifier", "generic_type")
        ]
        return [".", _type(parts[0]), word(parts[-1])] if len(parts) == 2 else None
    if node.type == "generic_type":
        parts = node.named_children
        arguments = next((child for child in parts if child.type == "type_arguments"), None)
        inner = (
            [_type(child) for child in arguments.named_children] if arguments is not None else []
        )
        return ["g", _type(parts[0]), inner] if inner else _type(parts[0])
    if node.type == "array_type":
        return ["l", _type(node.child_by_field_name("element"))]
    if node.type == "annotated_type":
        return _type(node.named_children[-1])
    if node.type == "wildcard":
        bound = [
            child
            for child in node.named_children
            if child.type not in ("super", "annotation", "marker_annotation")
        ]
        return _type(bound[0]) if bound and "extends" in word(node) else None
    return None


def _value(node: Node | None) -> Expr:
    if node is None:
        return None
    kind = node.type
    if kind == "identifier":
        return ["n", word(node), node.start_byte]
    if kind in ("this", "super"):
        return [kind, node.start_byte]
    if kind == "field_access":
        field = node.child_by_field_name("field")
        if field is not None and field.type == "this":
            return ["t", _named_type(node.child_by_field_name("object"))]
        return [".", _value(node.child_by_field_name("object")), word(field)]
    if kind == "method_invocation":
        return ["()", _invoked(node)]
    if kind == "object_creation_expression":
        body = any(child.type == "class_body" for child in node.named_children)
        return ["t" if body else "new", _type(node.child_by_field_name("type"))]
    if kind == "array_creation_expression":
        return ["l", _type(node.child_by_field_name("type"))]
    if kind == "array_access":
        return ["[]", _value(node.child_by_field_name("array"))]
    if kind == "cast_expression":
        return ["t", _type(node.child_by_field_name("type"))]
    if kind == "parenthesized_expression":
        return _value(node.named_children[0]) if node.named_children else None
    if kind == "assignment_expression":
        return _value(node.child_by_field_name("right"))
    return (
        _OUTSIDE
        if kind.endswith("_literal") or kind in ("true", "false", "binary_expression")
        else None
    )


def _named_type(node: Node | None) -> Expr:
    if node is not None and node.type == "field_access":
        return [
            ".",
            _named_type(node.child_by_field_name("object")),
            word(node.child_by_field_name("field")),
        ]
    return ["T", word(node), node.start_byte] if node is not None else None


def _invoked(node: Node) -> Expr:
    name, of, given = (
        word(node.child_by_field_name("name")),
        node.child_by_field_name("object"),
        _count(node),
    )
    if of is None:
        return ["m", name, given, node.start_byte]
    if (
        any(child.type == "super" for child in node.children) and of.type != "super"
    ):  # 'A.super.m()'
        return [".", ["new", _named_type(of)], name, given]
    return [".", _value(of), name, given]
