"""Functions, classes and calls of a JavaScript or TypeScript file, and what its names are bound to."""

from __future__ import annotations

import sys
from typing import Any

from tree_sitter import Node

from kgraph.code.facts import Symbol
from kgraph.code.flow import Expr
from kgraph.code.javascript.bindings import Bindings, Extent, parameters_of
from kgraph.code.javascript.values import (
    CLASSES,
    FUNCTIONS,
    declared_names,
    extended,
    string_of,
    type_of,
    unwrapped,
    value_of,
)
from kgraph.code.places import Bytes
from kgraph.code.trees import comment_before, word

_DECLARED = ("function_declaration", "generator_function_declaration")
_SCOPES = frozenset(
    "statement_block for_statement for_in_statement switch_body catch_clause".split()
)
_EACH = frozenset("forEach map filter some every find findIndex findLast flatMap".split())


def read_symbols(root: Node, at: Bytes) -> tuple[tuple[Symbol, ...], str]:
    reader = _Reader(at, (0, sys.maxsize))  # the other scripts of a Vue file see its names as well
    reader.walk(root, "", reader.whole)
    reader.settle()
    return tuple(reader.symbols), reader.body.packed()


class _Reader(Bindings):
    """``scope`` is the symbol around a node, ``extent`` the bytes of the block around it."""

    def __init__(self, at: Bytes, whole: Extent) -> None:
        super().__init__()
        self._at, self.whole = at, whole
        self.symbols: list[Symbol] = []
        self._taken: set[str] = set()
        # exports: name → expression; objects: start → what a literal holds; props: what is put on a function; set: members assigned to
        self.body.more = {"exports": {}, "objects": {}, "props": {}, "set": []}
        self._functions: list[Extent] = [whole]
        self._results: list[list[Expr]] = []
        self._around: list[
            str
        ] = []  # the symbols of the functions around, '' for one without a name
        self._classes: list[str] = []

    def walk(self, node: Node, scope: str, extent: Extent) -> None:
        for child in node.named_children:
            self._node(child, scope, extent)

    def _node(self, node: Node, scope: str, extent: Extent) -> None:
        kind = node.type
        if kind in _DECLARED:
            self._function(
                node, node, _join(scope, word(node.child_by_field_name("name"))), scope, extent
            )
            return
        if kind in CLASSES and (kind != "class" or node.child_by_field_name("name") is not None):
            self._class(
                node, node, _join(scope, word(node.child_by_field_name("name"))), scope, extent
            )
            return
        if kind in FUNCTIONS or kind in ("method_definition", "class"):
            self._nameless(node, scope)
            return
        if kind == "variable_declarator":
            self._declarator(node, scope, extent)
            return
        if kind == "export_statement" and self._export(node, scope, extent):
            return
        if kind == "internal_module":
            self._namespace(node, scope, extent)
            return
        if kind == "assignment_expression" and self._assignment(node, scope, extent):
            return
        if kind in ("interface_declaration", "type_alias_declaration"):
            for name in (
                f"T:{word(node.child_by_field_name('name'))}",
                word(node.child_by_field_name("name")),
            ):
                self.body.bind(name, extent)
        elif kind == "object":
            self._object(node, "", scope, extent)
            return
        elif kind in _SCOPES:
            extent = (node.start_byte, node.end_byte)
            self.heads(node, extent)
        elif kind == "return_statement" and self._results:
            given = node.named_children[0] if node.named_children else None
            self._results[-1].append(value_of(given) if given is not None else ["x"])
            inner = unwrapped(given)
            if (
                inner is not None and inner.type == "object"
            ):  # its functions are called as the one that gives it back
                self._object(inner, self._around[-1], scope, extent)
                return
        elif kind == "call_expression":
            self._call(node, scope)
        elif kind == "new_expression":
            made = value_of(node.child_by_field_name("constructor"))
            self.body.calls.append(
                [scope, ["make", made], list(self._at.place(node.start_byte, node.end_byte))]
            )
        elif kind in ("update_expression", "augmented_assignment_expression"):
            self.assign(
                node.child_by_field_name("argument") or node.child_by_field_name("left"), None
            )
        self.walk(node, scope, extent)

    # -- symbols ---------------------------------------------------------------------------------------------------------------------

    def _symbol(self, node: Node, name: str, kind: str) -> None:
        stated = node
        while stated.parent is not None and stated.parent.type in (
            "export_statement",
            "lexical_declaration",
            "variable_declaration",
        ):
            stated = stated.parent
        self._taken.add(name)
        self.symbols.append(
            Symbol(
                name, kind, self._at.place(node.start_byte, node.end_byte), comment_before(stated)
            )
        )

    def _function(self, node: Node, value: Node, name: str, scope: str, extent: Extent) -> None:
        """A function with a name of its own; ``node`` is what declares it."""
        plain = name.rpartition(".")[2]
        if not plain:
            self.walk(value, scope, extent)
            return
        self._symbol(node, name, "function")
        if node.type in _DECLARED:
            self.body.bind(plain, extent, None, ["s", name])
        elif value.child_by_field_name("name") is not None:
            self.body.bind(
                word(value.child_by_field_name("name")),
                (value.start_byte, value.end_byte),
                None,
                ["s", name],
            )
        self._inside(value, name, name)

    def _nameless(self, node: Node, scope: str) -> None:
        if node.type == "class":
            self._classes.append("")
            self.body.bind("this", (node.start_byte, node.end_byte))
            self.walk(node, scope, (node.start_byte, node.end_byte))
            self._classes.pop()
            return
        self._inside(node, scope, "")

    def _inside(self, value: Node, scope: str, symbol: str) -> None:
        """Parameters, results and body of a function."""
        whole = (value.start_byte, value.end_byte)
        if value.type not in ("arrow_function", "method_definition"):
            self.body.bind("this", whole)
        self._type_parameters(value, whole)
        for parameter in parameters_of(value):
            self.parameter(parameter, whole)
        self._functions.append(whole)
        self._results.append([])
        self._around.append(symbol)
        body = value.child_by_field_name("body")
        for child in value.named_children:
            if child == body and child.type == "statement_block":
                self.walk(child, scope, whole)
            elif child.type != "identifier":
                self._node(child, scope, whole)
        results = self._results.pop()
        self._around.pop()
        self._functions.pop()
        if body is not None and body.type != "statement_block":
            results = [value_of(body)]
        if symbol:
            self.body.functions.setdefault(symbol, []).append([_result(value, results), "", []])

    def _class(self, node: Node, value: Node, name: str, scope: str, extent: Extent) -> None:
        whole = (value.start_byte, value.end_byte)
        self._symbol(node, name, "class")
        plain = value.child_by_field_name("name")
        if node.type != "variable_declarator" and plain is not None:
            self.body.bind(word(plain), extent, None, ["s", name])
        self._type_parameters(value, whole)
        about = self.body.type(name, "class")
        about |= {"getters": [], "abstract": []}
        for heritage in [child for child in value.children if child.type == "class_heritage"]:
            base = extended(heritage)
            if base is not None:
                about["bases"].append(
                    [value_of(base), list(self._at.place(base.start_byte, base.end_byte))]
                )
        self._classes.append(name)
        body = value.child_by_field_name("body")
        for heritage in [child for child in value.named_children if child != body]:
            self._node(heritage, scope, whole)
        for member in body.named_children if body is not None else ():
            self._member(member, name, about, whole)
        self._classes.pop()

    def _member(self, node: Node, owner: str, about: dict[str, Any], whole: Extent) -> None:
        place = (node.start_byte, node.end_byte)
        plain = node.child_by_field_name("name") or node.child_by_field_name("property")
        name = string_of(plain) if plain is not None else ""
        static = (
            any(child.type == "static" for child in node.children)
            or node.type == "class_static_block"
        )
        self.body.bind("this", place, None, ["s", owner] if static else ["t", ["s", owner]])
        value = node.child_by_field_name("value")
        if node.type in ("abstract_method_signature", "method_signature"):
            about["abstract"].append(name)
        elif node.type == "method_definition" and name:
            words = {child.type for child in node.children}
            if words & {"get", "set"}:
                about["getters"].append(name)
            self._symbol(node, f"{owner}.{name}", "function")
            for parameter in parameters_of(node) if name == "constructor" else ():
                if any(
                    child.type in ("accessibility_modifier", "readonly", "override_modifier")
                    for child in parameter.children
                ):
                    held = word(parameter.child_by_field_name("pattern"))
                    about["fields"][held] = [type_of(parameter.child_by_field_name("type")), None]
            self._inside(node, f"{owner}.{name}", f"{owner}.{name}")
        elif node.type in ("public_field_definition", "field_definition") and name:
            if value is not None and value.type in FUNCTIONS:
                self._symbol(node, f"{owner}.{name}", "function")
                self._inside(value, f"{owner}.{name}", f"{owner}.{name}")
                return
            declared = type_of(node.child_by_field_name("type"))
            if declared or value is not None:
                made = value_of(value)
                self.own.setdefault(owner, {}).setdefault(name, []).extend(
                    [made] if value is not None and word(value) != "null" else []
                )
                if declared:
                    about["fields"][name] = [declared, None]
            self.walk(node, owner, whole)
        else:
            self.walk(node, owner, place)

    def _type_parameters(self, node: Node, extent: Extent) -> None:
        for parameter in (node.child_by_field_name("type_parameters") or node).named_children:
            if parameter.type == "type_parameter":
                self.body.bind(f"T:{word(parameter.child_by_field_name('name'))}", extent)

    def _namespace(self, node: Node, scope: str, extent: Extent) -> None:
        name, body = word(node.child_by_field_name("name")), node.child_by_field_name("body")
        key = str(node.start_byte)
        qualified = _join(scope, name)
        fields: dict[str, Expr] = {}
        self.body.more["objects"][key] = [fields, False]
        self.body.bind(name, extent, None, ["obj", key])
        before = len(self.symbols)
        if body is not None:
            self.walk(body, qualified, (body.start_byte, body.end_byte))
        for symbol in self.symbols[before:]:
            inner = symbol.name.removeprefix(f"{qualified}.")
            if "." not in inner:
                fields[inner] = ["s", symbol.name]

    # -- variables -------------------------------------------------------------------------------------------------------------------

    def _declarator(self, node: Node, scope: str, extent: Extent) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        hoisted = node.parent is not None and node.parent.type == "variable_declaration"
        reach = self._functions[-1] if hoisted else extent
        plain = word(name) if name is not None and name.type == "identifier" else ""
        if plain and value is not None and (value.type in FUNCTIONS or value.type == "class"):
            self.body.bind(plain, reach, None, ["s", _join(scope, plain)])
            if value.type == "class":
                self._class(node, value, _join(scope, plain), scope, extent)
            else:
                self._function(node, value, _join(scope, plain), scope, extent)
            return
        declared = type_of(node.child_by_field_name("type"))
        if plain:
            self.body.bind(
                plain, reach, declared, value_of(value) if value is not None else ["empty"]
            )
        else:
            self.pattern(name, declared and ["t", declared] or value_of(value), reach)
        inner = unwrapped(value)
        if plain and inner is not None and inner.type == "object":
            self._object(inner, _join(scope, plain), scope, extent)
        elif value is not None:
            self._node(value, scope, extent)

    def _assignment(self, node: Node, scope: str, extent: Extent) -> bool:
        """True if the right side was walked here."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        self.assign(left, value_of(right))
        if left is None or right is None or left.type != "member_expression":
            return False
        of, name = left.child_by_field_name("object"), word(left.child_by_field_name("property"))
        owner = word(of)
        if owner == "this" and self._classes and self._classes[-1]:
            self.own.setdefault(self._classes[-1], {}).setdefault(name, []).extend(
                [] if word(right) in ("null", "undefined") else [value_of(right)]
            )
            return False
        if owner in ("exports", "module.exports") or word(left) == "module.exports":
            return self._exported(
                "=" if word(left) == "module.exports" else name, node, right, (scope, extent)
            )
        prototype = owner.removesuffix(".prototype")
        if right.type in FUNCTIONS and not scope and prototype.isidentifier():
            self._function(node, right, f"{prototype}.{name}", scope, extent)
            if prototype != owner:
                self.body.bind(
                    "this",
                    (right.start_byte, right.end_byte),
                    None,
                    ["new", ["n", prototype, node.start_byte]],
                )
            known = self.body.more["props"].setdefault(owner, {})
            known[name] = None if name in known else ["s", f"{prototype}.{name}"]
            return True
        self.body.more["set"].append(name)
        return False

    # -- exports and objects ---------------------------------------------------------------------------------------------------------

    def _exported(self, name: str, node: Node, right: Node, around: tuple[str, Extent]) -> bool:
        """'module.exports = …' and 'exports.name = …'."""
        scope, extent = around
        exports = self.body.more["exports"]
        own = "default" if name == "=" else name
        again = name in exports
        if right.type in FUNCTIONS and not scope:
            plain = word(right.child_by_field_name("name")) if name == "=" else own
            self._function(node, right, plain or own, scope, extent)
            exports[name] = None if again else ["s", plain or own]
            return True
        if right.type == "class" and not scope:
            plain = word(right.child_by_field_name("name")) or own
            self._class(node, right, plain, scope, extent)
            exports[name] = None if again else ["s", plain]
            return True
        exports[name] = None if again else value_of(right)
        if right.type == "object":
            self._object(right, "" if name == "=" else own, scope, extent)
            return True
        return False

    def _export(self, node: Node, scope: str, extent: Extent) -> bool:
        if node.child_by_field_name("source") is not None:
            return False
        exports = self.body.more["exports"]
        default = any(child.type == "default" for child in node.children)
        declared, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
        if default:
            here = declared or value
            if here is None:
                return False
            name = (
                word(here.child_by_field_name("name"))
                if here.type in (*_DECLARED, *CLASSES, *FUNCTIONS)
                else ""
            )
            if here.type in (*FUNCTIONS, "class") or here.type in (*_DECLARED, *CLASSES):
                exports["default"] = ["s", name or "default"]
                own = self._class if here.type in CLASSES else self._function
                own(here, here, name or "default", scope, extent)
                return True
            exports["default"] = value_of(here)
            if here.type == "object":
                self._object(here, "default", scope, extent)
                return True
        elif declared is not None and not scope:
            for name in declared_names(declared):
                exports[name] = ["n", name, declared.start_byte]
        elif declared is not None:
            return False
        for clause in [child for child in node.named_children if child.type == "export_clause"]:
            for specifier in [
                child for child in clause.named_children if child.type == "export_specifier"
            ]:
                local = word(specifier.child_by_field_name("name"))
                exports[string_of(specifier.child_by_field_name("alias")) or local] = [
                    "n",
                    local,
                    specifier.start_byte,
                ]
        return False

    def _object(self, node: Node, name: str, scope: str, extent: Extent) -> None:
        """An object that is written out; its functions are symbols where it has a name."""
        fields: dict[str, Expr] = {}
        known = [fields, False]
        self.body.more["objects"][str(node.start_byte)] = known
        for part in [child for child in node.named_children if child.type != "comment"]:
            key = string_of(part.child_by_field_name("key") or part.child_by_field_name("name"))
            value = part.child_by_field_name("value")
            if part.type == "shorthand_property_identifier":
                fields[word(part)] = ["n", word(part), part.start_byte]
            elif part.type == "spread_element" or not key:
                known[1] = True
                fields.clear()
                self.walk(part, scope, extent)
            elif part.type == "method_definition" or (
                value is not None and value.type in FUNCTIONS
            ):
                made = part if part.type == "method_definition" else value
                assert made is not None
                if part.type == "method_definition":
                    self.body.bind("this", (part.start_byte, part.end_byte))
                is_property = any(child.type in ("get", "set") for child in part.children)
                own = f"{name}.{key}" if name and f"{name}.{key}" not in self._taken else ""
                if own:
                    self._symbol(part, own, "function")
                self._inside(made, own or scope, own)
                fields[key] = None if is_property else ["s", own] if own else ["local"]
            elif value is not None and value.type == "object":
                fields[key] = ["obj", str(value.start_byte)]
                self._object(value, f"{name}.{key}" if name else "", scope, extent)
            else:
                fields[key] = value_of(value)
                self.walk(part, scope, extent)

    # -- calls -----------------------------------------------------------------------------------------------------------------------

    def _call(self, node: Node, scope: str) -> None:
        callee = node.child_by_field_name("function")
        while (
            callee is not None
            and callee.type in ("parenthesized_expression", "non_null_expression")
            and callee.named_children
        ):
            callee = callee.named_children[0]
        if (
            callee is None
            or callee.type in FUNCTIONS
            or callee.type == "import"
            or word(callee) == "require"
        ):
            return
        expr = ["base", node.start_byte] if callee.type == "super" else value_of(callee)
        self.body.calls.append([scope, expr, list(self._at.place(node.start_byte, node.end_byte))])
        arguments = node.child_by_field_name("arguments")
        if (
            expr
            and expr[0] == "."
            and expr[2] in _EACH
            and arguments is not None
            and arguments.named_children
        ):
            given = arguments.named_children[0]
            names = parameters_of(given) if given.type in FUNCTIONS else []
            inner = names[0].child_by_field_name("pattern") or names[0] if names else None
            if (
                inner is not None
                and inner.type == "identifier"
                and names[0].child_by_field_name("type") is None
            ):
                self.body.bind(
                    word(inner), (given.start_byte + 1, given.end_byte), None, ["[]", expr[1]]
                )


def _join(scope: str, name: str) -> str:
    return f"{scope}.{name}" if scope and name else name


def _result(node: Node, results: list[Expr]) -> Expr:
    declared = type_of(node.child_by_field_name("return_type"))
    if declared:
        return declared
    if any(child.type == "*" for child in node.children) or len(results) != 1 or not results[0]:
        return None
    waits = any(child.type == "async" for child in node.children)
    return ["l", ["v", results[0]]] if waits else ["v", results[0]]
