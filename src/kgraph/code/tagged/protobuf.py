"""A protobuf file: its package, imports, messages, enums, services and their methods. There is no grammar of it in a wheel, and it is
simple enough to be read word by word."""

from __future__ import annotations

import re
from typing import Any

from kgraph.code.comments import clean_comment
from kgraph.code.facts import Broken, FileFacts, Import, Symbol
from kgraph.code.places import Lines
from kgraph.code.tagged.rules import Rules

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[\w.]+|[{};=<>(),\[\]]",
    re.DOTALL,
)
_HOLDERS = {
    "message": "message",
    "enum": "enum",
    "service": "service",
    "oneof": "",
    "extend": "",
    "group": "message",
}
_SCALARS = frozenset(
    "double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes map".split()
)
_WORDS = frozenset(
    "optional required repeated reserved option extensions returns stream rpc syntax edition to max package import public weak".split()
)


def parse(language: Rules, text: str, level: str) -> FileFacts:
    lines = Lines(text)
    tokens = list(_TOKEN.finditer(text))
    words = [found for found in tokens if not found.group().startswith(("//", "/*"))]
    imports: list[Import] = []
    symbols: list[Symbol] = []
    defs: list[list[Any]] = []
    refs: list[list[Any]] = []
    holding: list[tuple[str, int]] = []  # (name of what is open, where it is in symbols)
    package = ""
    statement: list[re.Match[str]] = []
    for token in words:
        word = token.group()
        if word not in "{};":
            statement.append(token)
            continue
        head = statement[0].group() if statement else ""
        scope = ".".join(name for name, _ in holding if name)
        if head == "package" and len(statement) > 1:
            package = statement[1].group()
        elif head == "import" and statement[-1].group()[0] in "\"'":
            place = lines.range(statement[0].start(), token.end())
            imports.append(Import(place, statement[-1].group()[1:-1], (), "import", "required"))
        elif head in _HOLDERS and word == "{" and len(statement) > 1 and _HOLDERS[head]:
            name = ".".join(filter(None, (scope, statement[1].group())))
            symbols.append(
                Symbol(
                    name,
                    "class",
                    lines.range(statement[0].start(), token.end()),
                    _above(text, statement[0].start()),
                )
            )
            defs.append([name, _HOLDERS[head], 0])
        elif head == "rpc" and len(statement) > 1:
            name = ".".join(filter(None, (scope, statement[1].group())))
            symbols.append(
                Symbol(
                    name,
                    "function",
                    lines.range(statement[0].start(), token.end()),
                    _above(text, statement[0].start()),
                )
            )
            defs.append([name, "function", 0])
            refs += _types(statement[2:], name, lines)
        elif (
            statement
            and head not in _WORDS - {"optional", "required", "repeated"}
            and head != "option"
        ):
            refs += _types(
                [one for one in statement if one.start() < _equals(statement)][:-1], scope, lines
            )
        if word == "{":
            opened = (
                statement[1].group()
                if head in _HOLDERS and _HOLDERS[head] and len(statement) > 1
                else ""
            )
            holding.append((opened, len(symbols)))
        elif word == "}" and holding:
            name, number = holding.pop()
            if name:  # now it is known where it ends
                at = next(
                    i
                    for i in range(number - 1, -1, -1)
                    if symbols[i].name == ".".join([*(one for one, _ in holding if one), name])
                )
                symbols[at] = symbols[at]._replace(
                    place=lines.range(symbols[at].place.start, token.end())
                )
        statement = []
    broken = (Broken(len(lines), "a brace is not closed"),) if holding else ()
    doc = (
        clean_comment(tokens[0].group())
        if tokens and tokens[0].group().startswith(("//", "/*"))
        else ""
    )
    return FileFacts(
        language.folder, package, doc, tuple(imports), tuple(symbols) if level == "symbol" else (), broken=broken, lines=len(lines),
        body={"defs": defs, "refs": refs if level == "symbol" else []},
    )  # fmt: skip


def _equals(statement: list[re.Match[str]]) -> int:
    return next((one.start() for one in statement if one.group() == "="), 0)


def _types(words: list[re.Match[str]], scope: str, lines: Lines) -> list[list[Any]]:
    """The messages and enums that some words name."""
    found: list[list[Any]] = []
    for one in words:
        word = one.group()
        if (
            re.match(r"\.?[A-Za-z_]", word)
            and word not in _SCALARS
            and word not in _WORDS
            and scope
        ):
            receiver, _, name = word.strip(".").rpartition(".")
            found.append(["references", name, receiver, scope, list(lines.range(*one.span()))])
    return found


def _above(text: str, start: int) -> str:
    """The comment right above a place."""
    rows: list[str] = []
    for row in reversed(text[:start].rstrip(" \t").split("\n")[:-1]):
        if not row.strip().startswith(("//", "*", "/*")) and not row.strip().endswith("*/"):
            break
        rows.append(row)
    return clean_comment("\n".join(reversed(rows))) if rows else ""
