"""Makefiles and justfiles: what a recipe makes, where its target or its ``-o`` says so in plain words. Variables are not worked out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgraph.code.checkout import Checkout, join, parent_folder
from kgraph.code.payload import FileText, Payload
from kgraph.code.places import Lines
from kgraph.tuples import NamedTuple

NAMES = ("Makefile", "makefile", "GNUmakefile", "justfile", "Justfile", ".justfile")
_RULE = re.compile(
    r"(?m)^(?P<target>[\w./-]+)(?P<rest>[^\n:=]*):(?![:=])[^\n]*\n(?P<recipe>(?:[ \t]+\S[^\n]*(?:\n|\Z))+)"
)
_OUTPUT = re.compile(r"(?:\s-o|--out(?:put|file|-file)?)[ =](?P<path>[\w./-]+)(?=\s|$)")
_MADE = re.compile(r"(?:\./)?(?:dist|build|lib|out|target|bin)/[\w./-]*[\w-]$")
_VERSION = re.compile(
    r"(?m)^(?:export )?version[ \t]*[:?]{0,2}=[ \t]*['\"]?(\d[\w.+-]*)['\"]?[ \t]*$", re.IGNORECASE
)


class Made(NamedTuple):
    """Spans are ranges of characters in the file."""

    path: str
    path_span: tuple[int, int]
    command: str
    command_span: tuple[int, int]


def state(file: FileText, source: str, checkout: Checkout, payload: Payload) -> None:
    """Adds each output with the run of its command, if a version stands in the file or in the manifest beside it."""
    version = _version(file, checkout)
    if not version:
        return
    lines = Lines(file.text)
    for made in outputs(file.text):
        run = payload.node("AgentRun", made.command)
        artifact = payload.node(
            "Artifact", join(parent_folder(file.uri), made.path), version=version
        )
        payload.edge("PRODUCED", run, artifact, (file, lines.range(*made.command_span)))
        payload.edge("MENTIONS", source, artifact, (file, lines.range(*made.path_span)))


def outputs(text: str) -> Iterator[Made]:
    """The last command of a rule makes what the rule is for; any command makes what its ``-o`` names."""
    for rule in _RULE.finditer(text):
        commands = list(re.finditer(r"(?m)^[ \t]+[@-]*(\S[^\n]*?)[ \t\r]*$", rule.group("recipe")))
        for command in commands:
            start = rule.start("recipe") + command.start(1)
            words, span = command.group(1), (start, start + len(command.group(1)))
            for found in _OUTPUT.finditer(words):
                if _MADE.match(found.group("path")):
                    yield Made(
                        found.group("path"),
                        (start + found.start("path"), start + found.end("path")),
                        words,
                        span,
                    )
        target = rule.group("target")
        if commands and _MADE.match(target) and not rule.group("rest").strip():
            start = rule.start("recipe") + commands[-1].start(1)
            words = commands[-1].group(1)
            if "$" not in words.replace("$@", "").replace("$<", "").replace("$^", ""):
                yield Made(target, rule.span("target"), words, (start, start + len(words)))


def _version(file: FileText, checkout: Checkout) -> str:
    stated = _VERSION.search(file.text)
    if stated:
        return stated.group(1)
    folder = parent_folder(file.uri)
    tables = [checkout.json(join(folder, "package.json"))]
    tables += [
        (checkout.toml(join(folder, name)) or {}).get(key)
        for name, key in (("pyproject.toml", "project"), ("Cargo.toml", "package"))
    ]
    versions = [
        table["version"]
        for table in tables
        if isinstance(table, dict) and isinstance(table.get("version"), str)
    ]
    return versions[0] if len(set(versions)) == 1 else ""
