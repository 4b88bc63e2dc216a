"""Import clauses that name namespaces and what is declared in them: 'import a.b.{C, D => E, _}', 'use A\\B\\{C, D as E};', 'using X = A.B;'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.tuples import NamedTuple

_HEAD = re.compile(
    r"^\s*(?:global\s+)?(?:import|using|use)\b\s*(?:(?:static|function|const|struct|class|enum|protocol|typealias|func|var|let|unsafe|type|given)\s+)?"
)
_RENAMED = re.compile(r"^(?P<name>.+?)\s*(?:=>|\bas\b)\s*(?P<alias>\S+)$", re.DOTALL)
_SPACE = re.compile(r"\s+")


class Clause(NamedTuple):
    """``name`` is dotted; ``alias`` what it is called here; ``all``: everything in it."""

    name: str
    alias: str
    all: bool


def clauses(text: str) -> Iterator[Clause]:
    """Every name that a statement imports."""
    body = _HEAD.sub("", text.strip()).rstrip("; \t\r\n")
    equal = re.match(r"^(\w+)\s*=\s*(?!>)(.+)$", body, re.DOTALL)
    if equal:
        yield from _one(equal[2], "", equal[1])
        return
    for part in _split(body):
        head, brace, inner = part.partition("{")
        if not brace:
            yield from _one(part, "", "")
            continue
        for name in _split(inner.rpartition("}")[0]):
            yield from _one(name, head, "")


def _split(text: str) -> list[str]:
    """At the commas outside of braces."""
    found, depth = [""], 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if char == "," and not depth:
            found.append("")
        else:
            found[-1] += char
    return [part.strip() for part in found if part.strip()]


def _one(written: str, head: str, alias: str) -> Iterator[Clause]:
    renamed = _RENAMED.match(written.strip())
    name, called = (renamed["name"], renamed["alias"]) if renamed else (written, alias)
    whole = (
        _SPACE.sub("", head + name)
        .replace("global::", "")
        .replace("\\", ".")
        .replace("`", "")
        .strip(".")
    )
    if called == "_":
        return  # hidden, not imported
    every = bool(re.search(r"\.(?:\*|_|given)$", whole))
    whole = re.sub(r"\.(?:\*|_|given)$", "", whole)
    if re.fullmatch(r"[\w.$]+", whole):
        yield Clause(whole, called or whole.rpartition(".")[2], every)
