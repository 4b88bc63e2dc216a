"""A JavaScript or TypeScript file on its own: its imports in all their forms, its exports and symbols, by tree-sitter."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from kgraph.code.comments import clean_comment
from kgraph.code.facts import FileFacts, Import, Place
from kgraph.code.places import Bytes
from kgraph.code.trees import broken, word

_FUNCTIONS = {
    "function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function",
    "generator_function_declaration",
}  # fmt: skip
_TYPES = {
    "type_annotation", "type_alias_declaration", "interface_declaration", "type_arguments", "type_query", "constraint", "default_type",
    "extends_type_clause", "implements_clause", "type_parameter",
}  # fmt: skip
_VALUES = {
    "arguments",
    "await_expression",
    "parenthesized_expression",
    "assignment_expression",
    "pair",
    "class_body",
    "statement_block",
}
_STATEMENTS = ("_statement", "_declaration")
_IMPORTS = """
(import_statement) @import
(export_statement source: (string)) @export
(call_expression function: (import)) @dynamic
(call_expression function: (identifier) @name (#eq? @name "require")) @require
"""
_EXPORTED_TYPES = re.compile(
    rb"\bexport\s+type\s+(?=\*)"
)  # 'export type * from', which the grammar does not know
_SCRIPT = re.compile(
    r"<!--.*?-->|(<script\b(?P<attributes>(?:\"[^\"]*\"|'[^']*'|[^>\"'])*)>)(?P<body>.*?)</script\s*>",
    re.DOTALL | re.IGNORECASE,
)
_LANG = re.compile(r"""\blang\s*=\s*["']?(\w+)""")
_SRC = re.compile(r"""\bsrc\s*=\s*["']([^"']+)["']""")
_REFERENCE = re.compile(r"""^///\s*<reference\s+(path|types)\s*=\s*["']([^"']+)["']""")


def parse_javascript(text: str, level: str) -> FileFacts:
    return _parse(text, "javascript", level)


def parse_typescript(text: str, level: str) -> FileFacts:
    return _parse(text, "typescript", level)


def parse_tsx(text: str, level: str) -> FileFacts:
    return _parse(text, "tsx", level)


def parse_blocks(text: str, level: str) -> FileFacts:
    """The script blocks of a Vue or Svelte file; what is around them is blanked, so that places stay true."""
    found = FileFacts("vue", lines=len(Bytes(text)))
    for script in _SCRIPT.finditer(text):
        if script.group("body") is None:
            continue
        written = _LANG.search(script.group("attributes"))
        grammar = {"ts": "typescript", "typescript": "typescript", "tsx": "tsx"}.get(
            written.group(1) if written else "", "javascript"
        )
        start, end = script.span("body")
        blank = re.sub(r"[^\r\n]", " ", text[:start]) + text[start:end]
        facts = _parse(blank, grammar, level)
        imports = facts.imports
        source = _SRC.search(script.group("attributes"))
        if source:
            at = Bytes(text)
            tag = script.span(1)
            place = at.place(
                *(len(text[:offset].encode("utf-8", "surrogatepass")) for offset in tag)
            )
            imports = (Import(place, source.group(1), (), "import", "src"), *imports)
        found = found._replace(
            imports=found.imports + imports, symbols=found.symbols + facts.symbols, broken=found.broken + facts.broken,
            body=_joined(found.body, facts.body),
        )  # fmt: skip
    return found


@lru_cache
def _grammar(name: str) -> tuple[Parser, Query]:
    pointer = {
        "javascript": tree_sitter_javascript.language, "typescript": tree_sitter_typescript.language_typescript,
        "tsx": tree_sitter_typescript.language_tsx,
    }[name]()  # fmt: skip
    language = Language(pointer)
    return Parser(language), Query(language, _IMPORTS)


def _parse(text: str, grammar: str, level: str) -> FileFacts:
    parser, query = _grammar(grammar)
    at = Bytes(text)
    typed = (
        {found.start() for found in _EXPORTED_TYPES.finditer(at.data)}
        if grammar != "javascript"
        else set()
    )
    root = parser.parse(
        _EXPORTED_TYPES.sub(lambda found: found.group().replace(b"type", b"    "), at.data)
        if typed
        else at.data
    ).root_node
    imports: list[Import] = []
    for capture, nodes in QueryCursor(query).captures(root).items():
        if capture != "name":
            for node in nodes:
                read = _READERS[capture](node, at)
                imports += (
                    [found._replace(kind="import-type") for found in read]
                    if node.start_byte in typed
                    else read
                )
    imports += _references(text)
    body = None
    symbols: tuple[Any, ...] = ()
    if level == "symbol":
        from kgraph.code.javascript.symbols import read_symbols

        symbols, body = read_symbols(root, at)
    return FileFacts(
        "typescript" if grammar != "javascript" else grammar,
        doc=_leading_comment(root, at),
        imports=tuple(sorted(imports, key=lambda found: found.place.start)),
        symbols=symbols,
        broken=broken(root, at),
        lines=len(at),
        body=body,
    )


def _joined(one: str | None, other: str | None) -> str | None:
    """Two script blocks of one file are one module."""
    if not one or not other:
        return one or other
    merged = [_merged(*both) for both in zip(json.loads(one), json.loads(other), strict=True)]
    return json.dumps(merged, separators=(",", ":"))


def _merged(one: Any, other: Any) -> Any:
    if isinstance(one, list):
        return one + other
    if not isinstance(one, dict):
        return other
    return one | {
        key: _merged(one[key], value) if key in one else value for key, value in other.items()
    }


# -- the forms of an import --------------------------------------------------------------------------------------------------------


def _import(node: Node, at: Bytes) -> list[Import]:
    required = next(
        (child for child in node.named_children if child.type == "import_require_clause"), None
    )
    source = (required or node).child_by_field_name("source")
    target = string_value(source)
    if target is None:
        return []
    all_type = any(child.type in ("type", "typeof") for child in node.children)
    names: list[tuple[str, str]] = []
    typed: list[bool] = []
    for clause in [child for child in node.named_children if child.type == "import_clause"]:
        for part in clause.named_children:
            if part.type == "identifier":
                names.append(("default", word(part)))
                typed.append(False)
            elif part.type == "namespace_import":
                names.append(("*", word(part.named_children[0])))
                typed.append(False)
            elif part.type == "named_imports":
                for specifier in [
                    child for child in part.named_children if child.type == "import_specifier"
                ]:
                    names.append(_specifier(specifier))
                    typed.append(
                        any(child.type in ("type", "typeof") for child in specifier.children)
                    )
    if required is not None:
        names.append(("=", word(required.named_children[0])))
    kind = "import-type" if all_type or (typed and all(typed)) else "import"
    return [
        Import(
            at.place(node.start_byte, node.end_byte),
            target,
            tuple(names),
            kind,
            "require" if required else "import",
        )
    ]


def _export(node: Node, at: Bytes) -> list[Import]:
    target = string_value(node.child_by_field_name("source"))
    if target is None:
        return []
    names: list[tuple[str, str]] = []
    typed: list[bool] = []
    for part in node.named_children:
        if part.type == "export_clause":
            for specifier in [
                child for child in part.named_children if child.type == "export_specifier"
            ]:
                names.append(_specifier(specifier))
                typed.append(any(child.type == "type" for child in specifier.children))
        elif part.type == "namespace_export":
            names.append(("*", word(part.named_children[0])))
    if not names:
        names.append(("*", ""))
    all_type = any(child.type == "type" for child in node.children) or (bool(typed) and all(typed))
    return [
        Import(
            at.place(node.start_byte, node.end_byte),
            target,
            tuple(names),
            "import-type" if all_type else "import",
            "export",
        )
    ]


def _specifier(node: Node) -> tuple[str, str]:
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    there = (string_value(name) or word(name)) if name else ""
    return there, (string_value(alias) or word(alias)) if alias else there


def _dynamic(node: Node, at: Bytes) -> list[Import]:
    return _called(node, at, "import-type" if _is_type(node) else "import-deferred", "dynamic")


def _is_type(node: Node) -> bool:
    """'import(…)' where a type is written, and not a value."""
    child, here = node, node.parent
    while here is not None:
        if here.type in ("as_expression", "satisfies_expression"):
            return here.named_children[0] != child
        if here.type in _TYPES:
            return True
        if here.type in _FUNCTIONS or here.type in _VALUES or here.type.endswith(_STATEMENTS):
            return False
        child, here = here, here.parent
    return False


def _require(node: Node, at: Bytes) -> list[Import]:
    return _called(
        node, at, "import-deferred" if _has_above(node, _FUNCTIONS) else "import", "require"
    )


def _called(node: Node, at: Bytes, kind: str, form: str) -> list[Import]:
    arguments = node.child_by_field_name("arguments")
    first = (
        next((child for child in arguments.named_children if child.type != "comment"), None)
        if arguments
        else None
    )
    if first is None:
        return []
    target = string_value(first)
    return [
        Import(
            _statement(node, at),
            target if target is not None else word(first),
            (),
            kind,
            form if target is not None else "computed",
        )
    ]


def _statement(node: Node, at: Bytes) -> Place:
    """The statement around a call where it is one line, else the call itself."""
    here: Node | None = node
    while here is not None and not here.type.endswith(_STATEMENTS):
        here = here.parent
    chosen = (
        here
        if here is not None and at.line(here.start_byte) == at.line(here.end_byte - 1)
        else node
    )
    return at.place(chosen.start_byte, chosen.end_byte)


def _references(text: str) -> list[Import]:
    """Triple-slash directives: comments that TypeScript reads, before the first statement."""
    found = []
    offset = 0
    for number, row in enumerate(re.split(r"(?<=\n)", text[:20_000]), 1):
        match = _REFERENCE.match(row)
        if match:
            length = len(row.rstrip("\r\n"))
            target = match.group(2)
            if match.group(1) == "path" and not target.startswith("."):
                target = f"./{target}"
            found.append(
                Import(
                    Place(number, number, offset, offset + length),
                    target,
                    (),
                    "import-type",
                    "reference",
                )
            )
        elif row.strip() and not row.lstrip().startswith(("//", "/*", "*")):
            break
        offset += len(row)
    return found


_READERS = {"import": _import, "export": _export, "dynamic": _dynamic, "require": _require}


# -- nodes -------------------------------------------------------------------------------------------------------------------------


def string_value(node: Node | None) -> str | None:
    """The value of a string or of a template without holes; None for anything else."""
    if node is None or node.type not in ("string", "template_string"):
        return None
    if any(child.type == "template_substitution" for child in node.named_children):
        return None
    return word(node)[1:-1]


def _has_above(node: Node, types: set[str]) -> bool:
    here = node.parent
    while here is not None:
        if here.type in types:
            return True
        here = here.parent
    return False


def _leading_comment(root: Node, at: Bytes) -> str:
    """The words of a file-level JSDoc comment (one that says so, or stands before the imports): the module's own description."""
    children = [child for child in root.children if child.type != "hash_bang_line"]
    if not children or children[0].type != "comment" or not word(children[0]).startswith("/**"):
        return ""
    comment = word(children[0])
    if re.search(r"copyright|licen[sc]e|@flow", comment, re.IGNORECASE):
        return ""
    follows = children[1].type if len(children) > 1 else ""
    if (
        not re.search(r"@(file|fileoverview|module|packageDocumentation)\b", comment)
        and follows != "import_statement"
    ):
        return ""
    return clean_comment(comment)
