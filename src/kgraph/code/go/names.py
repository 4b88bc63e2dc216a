"""What names are bound to in a Go file, and what is called there."""

from __future__ import annotations

from tree_sitter import Node

from kgraph.code.flow import Body, Expr
from kgraph.code.go.syntax import receiver_type
from kgraph.code.places import Bytes
from kgraph.code.trees import word

# What holds the names that are declared in it.
_SCOPES = frozenset(
    "block if_statement for_statement expression_switch_statement type_switch_statement expression_case default_case "
    "communication_case select_statement func_literal".split()
)
_PLAIN = frozenset(
    "bool byte rune string error any comparable int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 uintptr float32 float64 "
    "complex64 complex128".split()
)
_NO_CALLEES = ("func_literal", "parenthesized_expression", "slice_type", "array_type")
_OUTSIDE = ["x"]


def read_names(root: Node, at: Bytes) -> str:
    reader = _Reader(at)
    reader.walk(root, "", (0, root.end_byte + 1))
    return reader.body.packed()


class _Reader:
    """``scope`` is the symbol around a node, ``extent`` the bytes of the block around it."""

    def __init__(self, at: Bytes) -> None:
        self._at = at
        self.body = Body()
        self.body.more = {"globals": {}}

    def walk(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        for child in node.named_children:
            self._node(child, scope, extent)

    def _node(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        kind = node.type
        if kind in ("function_declaration", "method_declaration"):
            self._function(node)
            return
        if kind in ("type_spec", "type_alias"):
            self._type(node, scope, extent)
            return
        if kind in _SCOPES:
            extent = (node.start_byte, node.end_byte)
        if kind == "func_literal":
            self._parameters(node, _inside(node))
        elif kind == "short_var_declaration":
            self._assigned(
                node.child_by_field_name("left"),
                node.child_by_field_name("right"),
                (node.end_byte, extent[1]),
            )
        elif kind in ("var_spec", "const_spec"):
            self._declared(node, scope, (node.end_byte, extent[1]))
        elif kind == "range_clause" and any(child.type == ":=" for child in node.children):
            self._range(node, extent)
        elif kind == "receive_statement" and any(child.type == ":=" for child in node.children):
            self._assigned(
                node.child_by_field_name("left"),
                node.child_by_field_name("right"),
                (node.end_byte, extent[1]),
            )
        elif kind == "type_switch_statement":
            self._type_switch(node)
        elif kind in ("call_expression", "type_conversion_expression"):
            self._call(node, scope)
        self.walk(node, scope, extent)

    def _function(self, node: Node) -> None:
        receiver, name = (
            node.child_by_field_name("receiver"),
            word(node.child_by_field_name("name")),
        )
        owner = receiver_type(word(receiver))
        symbol = f"{owner}.{name}" if owner else name
        extent = (node.start_byte, node.end_byte)
        for parameter in (node.child_by_field_name("type_parameters") or node).named_children:
            if parameter.type == "type_parameter_declaration":
                for named in parameter.children_by_field_name("name"):
                    self.body.bind(word(named), extent)
        for parameter in receiver.named_children if receiver is not None else ():
            written = parameter.child_by_field_name("type")
            for argument in _arguments_of(written):  # func (s *Set[K]): K is a parameter here
                self.body.bind(argument, extent)
            self._bind_all(parameter, _inside(node))
        self._parameters(node, _inside(node))
        self.body.functions.setdefault(symbol, []).append(
            [_result(node.child_by_field_name("result")), "", []]
        )
        block = node.child_by_field_name("body")
        if block is not None:
            self.walk(block, symbol, (block.start_byte, block.end_byte))

    def _parameters(self, node: Node, extent: tuple[int, int]) -> None:
        for part in (node.child_by_field_name("parameters"), node.child_by_field_name("result")):
            for parameter in (
                part.named_children if part is not None and part.type == "parameter_list" else ()
            ):
                self._bind_all(parameter, extent)

    def _bind_all(self, parameter: Node, extent: tuple[int, int]) -> None:
        declared = _type(parameter.child_by_field_name("type"))
        if parameter.type == "variadic_parameter_declaration":
            declared = ["l", declared]
        for name in parameter.children_by_field_name("name"):
            self.body.bind(word(name), extent, declared)

    def _type(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        name, declared = word(node.child_by_field_name("name")), node.child_by_field_name("type")
        for parameter in (node.child_by_field_name("type_parameters") or node).named_children:
            if parameter.type == "type_parameter_declaration":
                for named in parameter.children_by_field_name("name"):
                    self.body.bind(word(named), (node.start_byte, node.end_byte))
        if scope:  # a type inside a function is no symbol
            self.body.bind(name, (node.start_byte, extent[1]))
            return
        kind = {"struct_type": "struct", "interface_type": "interface"}.get(
            declared.type if declared else "", "named"
        )
        about = self.body.type(name, "alias" if node.type == "type_alias" else kind)
        about["under"] = _type(declared)
        if declared is not None and declared.type == "struct_type":
            self._fields(declared, about["bases"], about["fields"])
        if declared is not None and declared.type == "interface_type":
            about["methods"] = [
                word(child.child_by_field_name("name"))
                for child in declared.named_children
                if child.type == "method_elem"
            ]
            for element in [
                child
                for child in declared.named_children
                if child.type == "type_elem" and child.named_child_count == 1
            ]:
                base = _type(element.named_children[0])
                if base and base != _OUTSIDE and base[0] in ("n", "."):
                    about["bases"].append(
                        [base, list(self._at.place(element.start_byte, element.end_byte))]
                    )
        if declared is not None:
            self.walk(declared, name, (node.start_byte, node.end_byte))

    def _fields(self, struct: Node, bases: list[Expr], fields: dict[str, Expr]) -> None:
        for field in [
            child
            for part in struct.named_children
            for child in part.named_children
            if child.type == "field_declaration"
        ]:
            written = field.child_by_field_name("type")
            names = field.children_by_field_name("name")
            for name in names:
                fields[word(name)] = [_type(written), None]
            if not names and written is not None:
                base = _type(written)
                bases.append([base, list(self._at.place(field.start_byte, field.end_byte))])
                fields[
                    base[-1]
                    if base and base[0] == "."
                    else base[1]
                    if base and base[0] == "n"
                    else ""
                ] = [base, None]

    def _declared(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        declared, values = node.child_by_field_name("type"), node.child_by_field_name("value")
        names = node.children_by_field_name("name")
        given = (
            _right(values, len(names))
            if node.type == "var_spec" or declared is None
            else [None] * len(names)
        )
        for name, value in zip(names, given, strict=True):
            if scope:
                self.body.bind(word(name), extent, _type(declared), value)
            else:
                self.body.more["globals"][word(name)] = [_type(declared), value]

    def _assigned(self, left: Node | None, right: Node | None, extent: tuple[int, int]) -> None:
        names = (
            [child for child in left.named_children if child.type != "comment"]
            if left is not None
            else []
        )
        for name, value in zip(names, _right(right, len(names)), strict=True):
            if name.type == "identifier":
                self.body.bind(word(name), extent, None, value)

    def _range(self, node: Node, extent: tuple[int, int]) -> None:
        left, over = node.child_by_field_name("left"), _value(node.child_by_field_name("right"))
        names = left.named_children if left is not None else []
        for name, value in zip(names, (None, ["[]", over]), strict=False):
            if name.type == "identifier":
                self.body.bind(word(name), (node.end_byte, extent[1]), None, value)

    def _type_switch(self, node: Node) -> None:
        alias = node.child_by_field_name("alias")
        name = word(alias)
        for case in node.named_children if name else ():
            if case.type in ("type_case", "default_case"):
                types = case.children_by_field_name("type")
                self.body.bind(
                    name,
                    (case.start_byte, case.end_byte),
                    _type(types[0]) if len(types) == 1 else None,
                )

    def _call(self, node: Node, scope: str) -> None:
        callee = node.child_by_field_name("function")
        if node.type == "type_conversion_expression":  # 'f[int](1)' has the form of a conversion
            written = node.child_by_field_name("type")
            callee = written if written is not None and written.type == "generic_type" else None
        if callee is not None and callee.type not in _NO_CALLEES:
            self.body.calls.append(
                [scope, _value(callee), list(self._at.place(node.start_byte, node.end_byte))]
            )


def _inside(node: Node) -> tuple[int, int]:
    """Where parameters hold: not yet in their own types."""
    body = node.child_by_field_name("body")
    return (body.start_byte, body.end_byte) if body is not None else (node.end_byte, node.end_byte)


def _right(values: Node | None, count: int) -> list[Expr]:
    given = (
        [child for child in values.named_children if child.type != "comment"]
        if values is not None
        else []
    )
    if values is not None and values.type != "expression_list":
        given = [values]
    if len(given) == count:
        return [_value(value) for value in given]
    if len(given) == 1 and count > 1:
        several = _value(given[0])
        if several and several[0] in ("t", "[]"):  # v, ok := x.(T), m[k], <-c
            return [several, *[_OUTSIDE] * (count - 1)]
        return [["ret", place, several] for place in range(count)]
    return [None] * count


def _result(node: Node | None) -> Expr:
    if node is None or node.type != "parameter_list":
        return _type(node)
    parts = [part for part in node.named_children if part.type == "parameter_declaration"]
    types = [
        _type(part.child_by_field_name("type"))
        for part in parts
        for _ in (part.children_by_field_name("name") or (part,))
    ]
    return types[0] if len(types) == 1 else ["row", types]


def _arguments_of(node: Node | None) -> list[str]:
    while node is not None and node.type in ("pointer_type", "parenthesized_type"):
        node = node.named_children[0] if node.named_children else None
    arguments = (
        node.child_by_field_name("type_arguments")
        if node is not None and node.type == "generic_type"
        else None
    )
    return [word(child) for child in arguments.named_children] if arguments is not None else []


def _type(node: Node | None) -> Expr:
    if node is None:
        return None
    if node.type == "type_identifier":
        return ["n", word(node), node.start_byte]
    if node.type == "qualified_type":
        package = node.child_by_field_name("package")
        return [".", ["n", word(package), node.start_byte], word(node.child_by_field_name("name"))]
    if node.type in ("pointer_type", "parenthesized_type", "negated_type"):
        return _type(node.named_children[0]) if node.named_children else None
    if node.type == "generic_type":
        return _type(node.child_by_field_name("type"))
    if node.type in ("slice_type", "array_type", "implicit_length_array_type"):
        return ["l", _type(node.child_by_field_name("element"))]
    if node.type in ("map_type", "channel_type"):
        return ["l", _type(node.child_by_field_name("value"))]
    return None


def _value(node: Node | None) -> Expr:
    if node is None:
        return None
    kind = node.type
    if kind in ("identifier", "package_identifier", "field_identifier"):
        return ["n", word(node), node.start_byte]
    if kind == "selector_expression":
        return [
            ".",
            _value(node.child_by_field_name("operand")),
            word(node.child_by_field_name("field")),
        ]
    if kind == "call_expression":
        return _called(node)
    if kind == "composite_literal":
        return ["new", _type(node.child_by_field_name("type"))]
    if kind == "type_conversion_expression":
        return ["()", _type(node.child_by_field_name("type"))]
    if kind == "type_assertion_expression":
        return ["t", _type(node.child_by_field_name("type"))]
    if kind == "type_instantiation_expression":
        return _value(node.child_by_field_name("type"))
    if kind == "parenthesized_expression":
        return _value(node.named_children[0]) if node.named_children else None
    if kind == "unary_expression":
        operand = _value(node.child_by_field_name("operand"))
        return ["[]", operand] if word(node.child_by_field_name("operator")) == "<-" else operand
    if kind == "index_expression":
        return ["[]", _value(node.child_by_field_name("operand"))]
    if kind == "slice_expression":
        return _value(node.child_by_field_name("operand"))
    if kind == "func_literal":
        return ["local"]
    if kind.endswith("_literal"):
        return _OUTSIDE
    return _type(node) if kind.endswith("_type") or kind == "type_identifier" else None


def _called(node: Node) -> Expr:
    callee, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    first = (
        arguments.named_children[0] if arguments is not None and arguments.named_children else None
    )
    name = word(callee) if callee is not None and callee.type == "identifier" else ""
    if name in ("new", "make"):
        return [
            "t",
            _type(first)
            or (
                ["n", word(first), first.start_byte]
                if first is not None and first.type == "identifier"
                else None
            ),
        ]
    return _value(first) if name == "append" else ["()", _value(callee)]


PLAIN = _PLAIN
BUILTINS = frozenset(
    "append cap clear close complex copy delete imag len make max min new panic print println real recover".split()
)
