"""Entries in files of a person's own: added as text, so that every other byte stays as it is and the entry can be taken out again."""

from __future__ import annotations

import json
import re

from kgraph.tuples import NamedTuple

BEGIN, END = "<!-- kgraph: begin -->", "<!-- kgraph: end -->"


class Insertion(NamedTuple):
    """``text`` put at a character offset."""

    at: int
    text: str

    def into(self, text: str) -> str:
        return text[: self.at] + self.text + text[self.at :]


def json_entry(text: str, key: str, name: str, entry: object) -> Insertion | None:
    """``name: entry`` in the object ``key`` of a JSON object; None where something of that name is there.

    Raises ValueError for a text that isn't plain JSON: with comments, say, or something else than objects on the way.
    """
    if not text.strip():
        whole = json.dumps({key: {name: entry}}, indent=2) + "\n"
        return Insertion(len(text), whole)
    root = json.loads(text)
    inner = root.get(key, {}) if isinstance(root, dict) else None
    if not isinstance(inner, dict):
        raise ValueError(f"it holds no object where '{key}' belongs")
    if name in inner:
        return None
    pad = _indent(text)
    if key not in root:
        body = json.dumps({name: entry}, indent=len(pad)).replace("\n", f"\n{pad}")
        at = text.index("{") + 1
        return Insertion(at, _member(key, body, f"\n{pad}", "\n" if not root else "", bool(root)))
    at = _opening(text, key)
    body = json.dumps(entry, indent=len(pad)).replace("\n", f"\n{pad * 2}")
    return Insertion(
        at, _member(name, body, f"\n{pad * 2}", f"\n{pad}" if not inner else "", bool(inner))
    )


def _member(name: str, body: str, before: str, after: str, others: bool) -> str:
    return f"{before}{json.dumps(name)}: {body}{',' if others else ''}{after}"


def _indent(text: str) -> str:
    found = re.search(r"\n([ \t]+)\"", text)
    return " " * len(found[1].replace("\t", "  ")) if found else "  "


def _opening(text: str, key: str) -> int:
    """Behind the brace that opens the object ``key`` of the top-level object."""
    decoder = json.JSONDecoder()
    at = text.index("{") + 1
    while True:
        at = _skip(text, at, " \t\r\n,")
        name, at = decoder.raw_decode(text, at)
        at = _skip(text, at, " \t\r\n:")
        if name == key:
            return at + 1
        _, at = decoder.raw_decode(text, at)


def _skip(text: str, at: int, characters: str) -> int:
    while text[at] in characters:
        at += 1
    return at


def toml_entry(text: str, key: str, name: str, words: tuple[str, ...]) -> Insertion | None:
    """A table ``[key.name]`` at the end; None where there is one. Raises ValueError for a text that isn't TOML."""
    import tomllib

    if name in tomllib.loads(text).get(key, {}):
        return None
    apart = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    command, *arguments = words
    table = f"[{key}.{name}]\ncommand = {json.dumps(command)}\nargs = {json.dumps(arguments)}\n"
    return Insertion(len(text), apart + table)


def section(text: str, body: str) -> Insertion | None:
    """A section between marks at the end; None where the marks are."""
    if BEGIN in text:
        return None
    apart = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return Insertion(len(text), f"{apart}{BEGIN}\n{body}{END}\n")
