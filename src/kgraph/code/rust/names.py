"""What names are bound to in a Rust file, which types have which methods, and what is called there."""

from __future__ import annotations

import tree_sitter_rust
from tree_sitter import Language, Node, Parser, Range

from kgraph.code.flow import Body, Expr
from kgraph.code.places import Bytes
from kgraph.code.rust.syntax import clean, inline_path, owner_of, use_paths
from kgraph.code.trees import word

# Their arguments are expressions, whatever the macro makes of them.
_MACROS = frozenset(
    "println print eprintln eprint format write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne vec "
    "dbg todo unreachable unimplemented info warn error debug trace anyhow bail ensure".split()
)
_POINTERS = frozenset(("Rc", "Arc"))
_TRANSPARENT = frozenset(("Box", "Cow", "Pin"))
_FIRST = frozenset(
    "Option Result Vec VecDeque HashSet BTreeSet RefCell Cell Mutex RwLock OnceCell BinaryHeap LinkedList Ref RefMut MutexGuard".split()
)
_LAST = frozenset(("HashMap", "BTreeMap", "IndexMap"))
_OUTSIDE = ["x"]


def read_names(root: Node, at: Bytes) -> str:
    reader = _Reader(at)
    reader.walk(root, "", (0, root.end_byte + 1))
    return reader.body.packed()


class _Reader:
    """``scope`` is the symbol around a node, ``extent`` the bytes of the block around it, '' and the file outside of functions."""

    def __init__(self, at: Bytes) -> None:
        self._at = at
        self.body = Body()
        self.body.more = {"globals": {}, "impls": [], "inline": []}

    def walk(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        for child in node.named_children:
            self._node(child, scope, extent)

    def _node(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        kind = node.type
        if kind in ("function_item", "function_signature_item"):
            self._function(node, scope, extent)
            return
        if kind in ("struct_item", "enum_item", "union_item", "trait_item", "type_item"):
            self._type(node, scope, extent)
        elif kind == "impl_item":
            self._impl(node)
        elif kind == "mod_item":
            self.body.more["inline"].append(
                [node.start_byte, node.end_byte, word(node.child_by_field_name("name"))]
            )
        elif kind in ("const_item", "static_item") and not scope:
            name = "::".join(
                part for part in (inline_path(node), word(node.child_by_field_name("name"))) if part
            )
            self.body.more["globals"][name] = [_type(node.child_by_field_name("type")), None]
        elif kind in ("block", "match_arm", "closure_expression", "for_expression"):
            extent = (node.start_byte, node.end_byte)
        if kind == "use_declaration" and scope:
            for path, alias in use_paths(node.child_by_field_name("argument"), ""):
                self.body.bind(alias, extent, None, ["p", path.split("::"), node.start_byte])
        elif kind == "let_declaration":
            declared = _type(node.child_by_field_name("type"))
            value = ["t", declared] if declared else _value(node.child_by_field_name("value"))
            self._pattern(node.child_by_field_name("pattern"), value, (node.end_byte, extent[1]))
        elif kind == "let_condition":
            self._condition(node)
        elif kind == "match_arm":
            self._arm(node, extent)
        elif kind == "for_expression":
            self._pattern(
                node.child_by_field_name("pattern"),
                ["[]", _value(node.child_by_field_name("value"))],
                _body_of(node),
            )
        elif kind == "closure_expression":
            self._closure(node, extent)
        elif kind == "call_expression":
            self.body.calls.append(
                [
                    scope,
                    _callee(node.child_by_field_name("function")),
                    list(self._at.place(node.start_byte, node.end_byte)),
                ]
            )
        elif kind == "macro_invocation":
            self._macro(node, scope, extent)
        self.walk(node, scope, extent)

    # -- items -----------------------------------------------------------------------------------------------------------------------

    def _function(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        name, whole = word(node.child_by_field_name("name")), (node.start_byte, node.end_byte)
        owner = owner_of(node)
        symbol = "::".join(part for part in (inline_path(node), owner, name) if part)
        if scope:  # a function inside a function is no symbol
            self.body.bind(name, extent, None, ["local"])
            symbol = scope
        self._parameters(node, whole)
        for parameter in (node.child_by_field_name("parameters") or node).named_children:
            if parameter.type == "self_parameter":
                self.body.bind("self", whole, ["p", ["Self"], node.start_byte])
            elif parameter.type == "parameter":
                self._pattern(
                    parameter.child_by_field_name("pattern"),
                    ["t", _type(parameter.child_by_field_name("type"))],
                    whole,
                )
        if not scope:
            words = "" if node.type == "function_item" else "abstract"
            self.body.functions.setdefault(symbol, []).append(
                [_type(node.child_by_field_name("return_type")), words, []]
            )
        block = node.child_by_field_name("body")
        if block is not None:
            self.walk(block, symbol, (block.start_byte, block.end_byte))

    def _parameters(self, node: Node, extent: tuple[int, int]) -> None:
        """Type parameters: a value of one has what its only bound has."""
        bound_later = any(child.type == "where_clause" for child in node.named_children)
        for parameter in (node.child_by_field_name("type_parameters") or node).named_children:
            if parameter.type == "type_parameter":
                bounds = parameter.child_by_field_name("bounds")
                traits = (
                    [child for child in bounds.named_children if child.type != "lifetime"]
                    if bounds is not None
                    else []
                )
                declared = _type(traits[0]) if len(traits) == 1 and not bound_later else None
                self.body.bind(word(parameter.child_by_field_name("name")), extent, declared)

    def _type(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        name, whole = word(node.child_by_field_name("name")), (node.start_byte, node.end_byte)
        if scope:
            self.body.bind(name, extent)
            return
        if owner_of(node):  # an associated type
            return
        symbol = "::".join(part for part in (inline_path(node), name) if part)
        about = self.body.type(
            symbol, "alias" if node.type == "type_item" else node.type.removesuffix("_item")
        )
        self.body.bind("Self", whole, ["s", symbol])
        self._parameters(node, whole)
        body = node.child_by_field_name("body")
        if node.type == "type_item":
            about["under"] = _type(node.child_by_field_name("type"))
        elif node.type == "trait_item":
            for bound in (
                (node.child_by_field_name("bounds") or node).named_children
                if node.child_by_field_name("bounds")
                else ()
            ):
                if _type(bound):
                    about["bases"].append(
                        [_type(bound), list(self._at.place(bound.start_byte, bound.end_byte))]
                    )
        elif node.type == "enum_item" and body is not None:
            about["variants"] = [
                word(child.child_by_field_name("name"))
                for child in body.named_children
                if child.type == "enum_variant"
            ]
        elif body is not None:
            types = [
                child
                for child in body.named_children
                if child.type not in ("visibility_modifier", "attribute_item")
            ]
            for place, field in enumerate(types):
                if field.type == "field_declaration":
                    about["fields"][word(field.child_by_field_name("name"))] = [
                        _type(field.child_by_field_name("type")),
                        None,
                    ]
                elif body.type == "ordered_field_declaration_list":
                    about["fields"][str(place)] = [_type(field), None]

    def _impl(self, node: Node) -> None:
        whole = (node.start_byte, node.end_byte)
        self._parameters(node, whole)
        written, trait, body = (
            node.child_by_field_name("type"),
            node.child_by_field_name("trait"),
            node.child_by_field_name("body"),
        )
        self.body.bind("Self", whole, _type(written))
        inside, owner = inline_path(node), clean(word(written))
        methods = []
        for item in body.named_children if body is not None else ():
            if item.type == "function_item":
                name = word(item.child_by_field_name("name"))
                methods.append([name, "::".join(part for part in (inside, owner, name) if part)])
        shown = trait or written or node
        place = list(self._at.place(shown.start_byte, shown.end_byte))
        self.body.more["impls"].append(
            [_type(written), _type(trait), methods, place, node.start_byte]
        )

    # -- patterns --------------------------------------------------------------------------------------------------------------------

    def _pattern(self, node: Node | None, value: Expr, extent: tuple[int, int]) -> None:
        if node is None:
            return
        if node.type in ("identifier", "shorthand_field_identifier"):
            self.body.bind(word(node), extent, None, value)
        elif node.type in (
            "mut_pattern",
            "ref_pattern",
            "reference_pattern",
            "match_pattern",
            "captured_pattern",
        ):
            for child in (
                node.named_children[:1] if node.type == "match_pattern" else node.named_children
            ):
                self._pattern(child, value, extent)
        elif node.type == "tuple_pattern":
            for place, child in enumerate(
                child for child in node.children if child.type not in ("(", ")", ",")
            ):
                self._pattern(child, ["ret", place, value], extent)
        elif node.type == "tuple_struct_pattern":
            held = word(node.child_by_field_name("type")) in ("Some", "Ok")
            for child in node.named_children[1:]:
                self._pattern(child, ["[]", value] if held else None, extent)
        elif node.type == "field_pattern":
            inner = node.child_by_field_name("pattern") or node.child_by_field_name("name")
            self._pattern(inner, None, extent)
        elif node.type in ("struct_pattern", "or_pattern", "slice_pattern"):
            for child in node.named_children:
                self._pattern(child, None, extent)

    def _condition(self, node: Node) -> None:
        """The names of 'if let' and 'while let' hold in what follows when it fits, not in what is done else."""
        here = node.parent
        while here is not None and here.type not in (
            "if_expression",
            "while_expression",
            "match_arm",
            "block",
        ):
            here = here.parent
        inner = (
            here.child_by_field_name("consequence") or here.child_by_field_name("body")
            if here is not None
            else None
        )
        end = (
            inner.end_byte
            if inner is not None
            else here.end_byte
            if here is not None
            else node.end_byte
        )
        self._pattern(
            node.child_by_field_name("pattern"),
            _value(node.child_by_field_name("value")),
            (node.end_byte, end),
        )

    def _arm(self, node: Node, extent: tuple[int, int]) -> None:
        above = node.parent.parent if node.parent is not None else None
        value = _value(above.child_by_field_name("value")) if above is not None else None
        self._pattern(node.child_by_field_name("pattern"), value, extent)

    def _closure(self, node: Node, extent: tuple[int, int]) -> None:
        for parameter in (node.child_by_field_name("parameters") or node).named_children:
            if parameter.type == "parameter":
                self._pattern(
                    parameter.child_by_field_name("pattern"),
                    ["t", _type(parameter.child_by_field_name("type"))],
                    extent,
                )
            elif "pattern" in parameter.type or parameter.type == "identifier":
                self._pattern(parameter, None, extent)

    def _macro(self, node: Node, scope: str, extent: tuple[int, int]) -> None:
        tokens = next((child for child in node.named_children if child.type == "token_tree"), None)
        if (
            tokens is None
            or word(node.child_by_field_name("macro")).rpartition("::")[2] not in _MACROS
        ):
            return
        whole = Range(tokens.start_point, tokens.end_point, tokens.start_byte, tokens.end_byte)
        root = (
            Parser(Language(tree_sitter_rust.language()), included_ranges=[whole])
            .parse(self._at.data)
            .root_node
        )
        if not any(child.type == "ERROR" for child in root.children):
            self.walk(root, scope, extent)


def _body_of(node: Node) -> tuple[int, int]:
    body = node.child_by_field_name("body")
    return (
        (body.start_byte, body.end_byte) if body is not None else (node.start_byte, node.end_byte)
    )


def _path(node: Node) -> list[str]:
    return [part for part in clean(word(node)).split("::") if part]


def _type(node: Node | None) -> Expr:
    if node is None:
        return None
    if node.type in (
        "type_identifier",
        "scoped_type_identifier",
        "identifier",
        "scoped_identifier",
        "self",
    ):
        return ["p", _path(node), node.start_byte]
    if node.type in ("reference_type", "pointer_type", "parenthesized_type"):
        return _type(node.child_by_field_name("type") or node.named_children[-1])
    if node.type in ("dynamic_type", "abstract_type"):
        return _type(node.child_by_field_name("trait"))
    if node.type == "generic_type":
        return _generic(node)
    if node.type in ("array_type", "slice_type"):
        return ["l", _type(node.child_by_field_name("element"))]
    if node.type == "bounded_type":  # 'impl Trait + ?Sized'
        bounds = [
            child
            for child in node.named_children
            if child.type not in ("lifetime", "removed_trait_bound")
        ]
        return _type(bounds[0]) if len(bounds) == 1 else None
    if (
        node.type == "tuple_type"
        and node.named_child_count == 1
        and not any(child.type == "," for child in node.children)
    ):
        return _type(node.named_children[0])
    if node.type == "tuple_type":
        return ["row", [_type(child) for child in node.named_children]]
    return _OUTSIDE if node.type in ("primitive_type", "unit_type") else None


def _generic(node: Node) -> Expr:
    written, arguments = (
        node.child_by_field_name("type"),
        node.child_by_field_name("type_arguments"),
    )
    name = word(written).rpartition("::")[2]
    types = (
        [child for child in arguments.named_children if child.type != "lifetime"]
        if arguments is not None
        else []
    )
    if types and name in _TRANSPARENT:
        return _type(types[0])
    if types and name in _POINTERS:
        return ["ptr", _type(types[0])]
    if types and (name in (_FIRST | _LAST) or name.endswith("Result")):
        return ["l", _type(types[-1 if name in _LAST else 0])]
    return _type(written)


def _callee(node: Node | None) -> Expr:
    return (
        _callee(node.child_by_field_name("function"))
        if node is not None and node.type == "generic_function"
        else _value(node)
    )


def _value(node: Node | None) -> Expr:
    if node is None:
        return None
    kind = node.type
    if kind in ("identifier", "self"):
        return ["p", [word(node)], node.start_byte]
    if kind == "scoped_identifier":
        return _scoped(node)
    if kind == "field_expression":
        return [
            ".",
            _value(node.child_by_field_name("value")),
            word(node.child_by_field_name("field")),
        ]
    if kind == "call_expression":
        return _called(node)
    if kind == "struct_expression":
        return ["new", _type(node.child_by_field_name("name"))]
    if kind in (
        "reference_expression",
        "unary_expression",
        "parenthesized_expression",
        "await_expression",
    ):
        inner = node.child_by_field_name("value") or (
            node.named_children[0] if node.named_children else None
        )
        return _value(inner)
    if kind == "try_expression":
        return ["[]", _value(node.named_children[0])] if node.named_children else None
    if kind == "index_expression":
        return ["[]", _value(node.named_children[0])] if node.named_children else None
    if kind == "type_cast_expression":
        return ["t", _type(node.child_by_field_name("type"))]
    if kind == "array_expression":
        first = next(
            (child for child in node.named_children if child.type != "attribute_item"), None
        )
        return ["ofelements", _value(first)]
    if kind == "tuple_expression":
        return ["rowof", [_value(child) for child in node.named_children]]
    if kind == "macro_invocation":
        return (
            _OUTSIDE
            if word(node.child_by_field_name("macro")) in ("format", "vec", "matches")
            else None
        )
    if kind == "closure_expression":
        return ["local"]
    return _OUTSIDE if kind.endswith("_literal") or kind == "binary_expression" else None


def _scoped(node: Node) -> Expr:
    path = node.child_by_field_name("path")
    if path is None or path.type != "bracketed_type":
        return ["p", _path_of(node), node.start_byte]
    inner = path.named_children[0] if path.named_children else None  # '<B as Trait>::m'
    of = (
        inner.child_by_field_name("type")
        if inner is not None and inner.type == "qualified_type"
        else inner
    )
    return [".", _type(of), word(node.child_by_field_name("name"))]


def _path_of(node: Node) -> list[str]:
    """The names of a path, without the types between its parts."""
    path, name = node.child_by_field_name("path"), word(node.child_by_field_name("name"))
    if path is None:
        return [name]
    if path.type == "generic_type":
        return [*_path(path.child_by_field_name("type") or path), name]
    return [*(_path_of(path) if path.type == "scoped_identifier" else _path(path)), name]


def _called(node: Node) -> Expr:
    callee = node.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if (
        word(callee) in ("Some", "Ok", "Box::new", "Rc::new", "Arc::new")
        and arguments is not None
        and arguments.named_children
    ):
        inner = _value(arguments.named_children[0])
        if word(callee) == "Box::new":
            return inner
        return ["ptrof" if word(callee).endswith("::new") else "ofelements", inner]
    return ["()", _callee(callee)]
