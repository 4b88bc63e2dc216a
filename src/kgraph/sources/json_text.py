"""JSON in which each value knows where it stands, so that a text inside it can be cited."""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder

from kgraph.model import Json
from kgraph.sources.gathering import Gatherer
from kgraph.sources.limits import Unreadable
from kgraph.tuples import NamedTuple

MAX_DEPTH = 64
_DECODER = JSONDecoder()
_LONE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\r\n]*")
_ATOM = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_NAMED = {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\."
)


class Value(NamedTuple):
    """``content``: a str, number, bool or None, a list of Values, or a dict of name to Value. The range covers the literal."""

    content: Json
    start: int
    end: int

    def get(self, *names: str) -> Value:
        """The first member of these names that is there and not null; a null Value if none is."""
        if isinstance(self.content, dict):
            for name in names:
                found: Value | None = self.content.get(name)
                if found is not None and found.content not in (None, ""):
                    return found
        return NOTHING

    def items(self) -> list[Value]:
        return self.content if isinstance(self.content, list) else []

    def text(self) -> str:
        """A scalar as text; '' for what is no scalar."""
        if isinstance(self.content, str):
            return self.content
        return (
            str(self.content)
            if isinstance(self.content, (int, float)) and not isinstance(self.content, bool)
            else ""
        )


NOTHING = Value(None, 0, 0)


def parse(text: str) -> Value:
    """Raises Unreadable("malformed") for what isn't JSON or is nested deeper than ``MAX_DEPTH``."""
    try:
        value, end = _value(text, _skip(text, 0), 0)
    except (JSONDecodeError, IndexError) as error:
        raise Unreadable("malformed", f"not JSON: {error}") from error
    if _skip(text, end) != len(text):
        raise Unreadable("malformed", f"not JSON: more follows at character {end}")
    return value


def gather(gathered: Gatherer, value: Value) -> None:
    """Take a value's text: what stands as it is between escapes, and the escapes for what they mean."""
    if not isinstance(value.content, str):
        gathered.put(value.text(), value.start, value.end)
        return
    gather_stretch(gathered, value.start + 1, value.end - 1)


def gather_stretch(gathered: Gatherer, start: int, end: int) -> None:
    """Take a stretch of a string literal, which must not begin or end inside an escape."""
    last = start
    for match in _ESCAPE.finditer(gathered.raw, start, end):
        gathered.keep(last, match.start())
        gathered.put(_unescaped(match[0]), *match.span())
        last = match.end()
    gathered.keep(last, end)


def _unescaped(written: str) -> str:
    return _string(f'"{written}"', 0)[0]


def _string(text: str, at: int) -> tuple[str, int]:
    content, end = _DECODER.raw_decode(text, at)
    return _LONE.sub("\ufffd", content), end


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> tuple[Value, int]:
    if depth > MAX_DEPTH:
        raise JSONDecodeError("nested too deep", text, at)
    char = text[at]
    if char == '"':
        content, end = _string(text, at)
        return Value(content, at, end), end
    if char == "{":
        return _object(text, at, depth)
    if char == "[":
        return _array(text, at, depth)
    atom = _ATOM.match(text, at)
    if atom is None:
        raise JSONDecodeError("a value expected", text, at)
    return Value(
        _NAMED[atom[0]] if atom[0] in _NAMED else _number(atom[0]), at, atom.end()
    ), atom.end()


def _number(written: str) -> int | float:
    return float(written) if re.search("[.eE]", written) else int(written[:400])


def _object(text: str, start: int, depth: int) -> tuple[Value, int]:
    members: dict[str, Value] = {}
    at = _skip(text, start + 1)
    while text[at] != "}":
        if text[at] != '"':
            raise JSONDecodeError("a name expected", text, at)
        name, at = _string(text, at)
        at = _skip(text, at)
        if text[at] != ":":
            raise JSONDecodeError("':' expected", text, at)
        members[name], at = _value(text, _skip(text, at + 1), depth + 1)
        at = _separated(text, at, "}")
    return Value(members, start, at + 1), at + 1


def _array(text: str, start: int, depth: int) -> tuple[Value, int]:
    items: list[Value] = []
    at = _skip(text, start + 1)
    while text[at] != "]":
        item, at = _value(text, at, depth + 1)
        items.append(item)
        at = _separated(text, at, "]")
    return Value(items, start, at + 1), at + 1


def _separated(text: str, at: int, closing: str) -> int:
    at = _skip(text, at)
    if text[at] == ",":
        return _skip(text, at + 1)
    if text[at] != closing:
        raise JSONDecodeError(f"',' or '{closing}' expected", text, at)
    return at
