"""A JSON reader that goes on after a fault and says where it was. Slow, so it is asked only when something is wrong."""

from __future__ import annotations

import re
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any

from kgraph.contract.decode import MAX_DEPTH
from kgraph.contract.paths import member
from kgraph.model import Problem
from kgraph.ontology import RULES
from kgraph.tuples import NamedTuple

TOO_DEEP = f"nesting deeper than {MAX_DEPTH}"

_SPACE = re.compile(r"[ \t\n\r]*+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_SURROGATE = re.compile("[\ud800-\udfff]")
# an escape that pairs up or is no surrogate passes; group 1 is a surrogate that stands alone
_ESCAPES = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F])|.)", re.DOTALL
)
_WORDS = {"true": True, "false": False, "null": None}


class Comma(NamedTuple):
    """A trailing comma that was passed over: the path of its container, and the offset of the comma."""

    path: str
    offset: int


class Reading(NamedTuple):
    """``value`` is the best reading: doubtful values are None in it, lone surrogates U+FFFD, and of a key given twice the last counts.

    ``broken`` says why the text is no JSON, and is '' if it is; ``end`` is the offset after the value, or of the break.
    """

    value: Any
    problems: list[Problem]
    broken: str
    end: int
    commas: list[Comma]


def read(text: str, start: int = 0, trailing_commas: bool = False) -> Reading:
    """The JSON value at ``start`` (white space before it is skipped), with every fault in it. Never raises, and doesn't recurse."""
    return _Reader(text, trailing_commas).run(start)


def has_lone_escape(text: str) -> bool:
    """Whether a JSON text holds the escape of a surrogate that doesn't pair up."""
    return any(found[1] for found in _ESCAPES.finditer(text))


class _Frame:
    """An open container. ``key`` is the member or position that is being read."""

    __slots__ = ("container", "is_object", "key")

    def __init__(self, container: Any, is_object: bool) -> None:
        self.container = container
        self.is_object = is_object
        self.key: str | int = "" if is_object else 0


class _Break(Exception):
    """The text is no JSON from here on."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.what = what
        self.offset = offset


class _Reader:
    def __init__(self, text: str, trailing_commas: bool) -> None:
        self.text = text
        self.trailing_commas = trailing_commas
        self.stack: list[_Frame] = []
        self.problems: list[Problem] = []
        self.commas: list[Comma] = []
        self.too_deep = False

    def run(self, start: int) -> Reading:
        at = self.skip(start)
        try:
            value, at = self.value(at)
            root = value
            while self.stack:
                at = self.step(at)
        except _Break as broken:
            return Reading(None, self.problems, broken.what, broken.offset, self.commas)
        return Reading(root, self.problems, "", at, self.commas)

    def step(self, at: int) -> int:
        """Read one member of the innermost open container, or close it."""
        frame = self.stack[-1]
        first = not frame.container
        at = self.skip(at)
        close = "}" if frame.is_object else "]"
        if self.text[at : at + 1] == close:
            self.stack.pop()
            return at + 1
        if not first:
            at = self.comma(at, close)
            if self.text[at : at + 1] == close:  # a trailing comma was passed over
                return at
            if not frame.is_object:
                frame.key = int(frame.key) + 1
        if frame.is_object:
            at = self.key(frame, at)
        value, at = self.value(at)
        if self.too_deep:
            value, self.too_deep = None, False
        if frame.is_object:
            frame.container[frame.key] = value
        else:
            frame.container.append(value)
        return at

    def comma(self, at: int, close: str) -> int:
        if self.text[at : at + 1] != ",":
            raise _Break(f"a comma or '{close}' is missing", at)
        after = self.skip(at + 1)
        if self.text[after : after + 1] == close:
            if not self.trailing_commas:
                raise _Break("a trailing comma", at)
            self.commas.append(Comma(self.path(len(self.stack) - 1), at))
        return after

    def key(self, frame: _Frame, at: int) -> int:
        if self.text[at : at + 1] != '"':
            raise _Break("a key in double quotes is missing", at)
        key, at = self.string(at)
        frame.key = key
        if key in frame.container:
            self.fault(f"the key {key!r} is given twice")
        elif _SURROGATE.search(key):
            self.fault("a key with a lone surrogate")
            frame.key = _SURROGATE.sub("\ufffd", key)
        at = self.skip(at)
        if self.text[at : at + 1] != ":":
            raise _Break("a colon is missing", at)
        return self.skip(at + 1)

    def value(self, at: int) -> tuple[Any, int]:
        """A scalar, or an opened and still empty container (whose members the next steps read)."""
        first = self.text[at : at + 1]
        if first == '"':
            text, at = self.string(at)
            if _SURROGATE.search(text):
                self.fault("a lone surrogate")
                text = _SURROGATE.sub("\ufffd", text)
            return text, at
        if first in ("{", "["):
            return self.open(first == "{", at), at + 1
        word = _WORD.match(self.text, at)
        if word:
            if word[0] not in _WORDS:
                self.fault(f"{word[0]} is not JSON")
            return _WORDS.get(word[0]), word.end()
        number = _NUMBER.match(self.text, at)
        if number:
            return self.number(number[0]), number.end()
        raise _Break("the text ends too early" if not first else "a value is missing", at)

    def open(self, is_object: bool, at: int) -> Any:
        if len(self.stack) == MAX_DEPTH:
            if (
                self.trailing_commas
            ):  # a search through prose: such an object can't be what is looked for
                raise _Break(TOO_DEEP, at)
            self.fault(TOO_DEEP)
            self.too_deep = True
        container: Any = {} if is_object else []
        self.stack.append(_Frame(container, is_object))
        return container

    def string(self, at: int) -> tuple[str, int]:
        try:
            text, end = scanstring(self.text, at + 1, True)
        except JSONDecodeError as error:
            raise _Break(error.msg.removesuffix(" at").lower(), error.pos) from None
        return text, end

    def number(self, digits: str) -> int | float | None:
        if digits.lstrip("-").isdigit():
            try:
                return int(digits)
            except ValueError:
                self.fault(f"a number of {len(digits)} digits")
                return None
        found = float(digits)
        if found - found != 0:
            self.fault(f"{digits[:40]} is too large for a number")
            return None
        return found

    def fault(self, message: str) -> None:
        self.problems.append(
            Problem("E101", self.path(len(self.stack)), message, RULES["E101"].hint)
        )

    def path(self, depth: int) -> str:
        path = "$"
        for frame in self.stack[:depth]:
            path = member(path, str(frame.key)) if frame.is_object else f"{path}[{frame.key}]"
        return path

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at
