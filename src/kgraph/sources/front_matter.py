"""The head of a Markdown file that is data about it: YAML between ``---`` lines, TOML between ``+++``.

YAML is read in the subset that front matter uses: nested maps, lists, quoted and plain scalars, folded and literal blocks. A value
beyond that is kept as its text. Nothing is ever constructed from a tag.
"""

from __future__ import annotations

import re

from kgraph.model import Json
from kgraph.parsing import toml_table

_KEY = re.compile(r"^([^\s#:'\"\[\]{},&*!|>%@-][^:#]*?|\"[^\"]*\"|'[^']*')[ \t]*:(?:[ \t]+(.*))?$")
_MARK = re.compile(r"\A(---|\+\+\+)[ \t]*(?:\r\n?|\n)")


def find(text: str) -> tuple[int, int, str] | None:
    """Where front matter's content stands, as (start, end of the whole block, mark), or None."""
    opening = _MARK.match(text)
    if opening is None:
        return None
    mark = opening[1]
    ends = r"---|\.\.\." if mark == "---" else r"\+\+\+"
    closing = re.compile(rf"(?:^|(?<=[\r\n]))(?:{ends})[ \t]*(?=[\r\n]|\Z)").search(
        text, opening.end()
    )
    if closing is None:
        return None
    content = text[opening.end() : closing.start()]
    lines = [
        line for line in content.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    if mark == "---" and lines and not _KEY.match(lines[0]):
        return None  # a thematic break, and text after it
    return opening.end(), closing.end(), mark


def parse(content: str, mark: str) -> dict[str, Json]:
    if mark == "+++":
        return _toml(content)
    lines = [line.rstrip() for line in content.splitlines()]
    return _Yaml(lines).mapping(0)


def _toml(content: str) -> dict[str, Json]:
    try:
        found = toml_table(content)
    except ValueError:
        return {"front_matter": content.strip()}
    return {key: _jsonable(value) for key, value in found.items()}


def _jsonable(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _jsonable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_jsonable(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else str(value)


class _Yaml:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def mapping(self, indent: int, depth: int = 0) -> dict[str, Json]:
        found: dict[str, Json] = {}
        while (line := self._peek()) is not None:
            here = _indent(line)
            match = _KEY.match(line.strip())
            if here < indent or (
                match is None and here == indent and line.lstrip().startswith("- ")
            ):
                break
            self._at += 1
            if match is not None:
                found[_unquoted(match[1])] = self._value((match[2] or "").strip(), here, depth)
        return found

    def _value(self, written: str, indent: int, depth: int) -> Json:
        if re.fullmatch(r"[|>][+-]?\d?", written):
            return self._block(indent, written[0])
        if written and not written.startswith("#"):
            return self._continued(written, indent)
        line = self._peek()
        if line is None or depth > 20:
            return None
        stripped, here = line.strip(), _indent(line)
        if here >= indent and (stripped.startswith("- ") or stripped == "-"):
            return self._sequence(here, depth + 1)
        if here > indent:
            return self.mapping(here, depth + 1)
        return None

    def _sequence(self, indent: int, depth: int) -> list[Json]:
        items: list[Json] = []
        while (
            (line := self._peek()) is not None
            and _indent(line) == indent
            and (line.strip() == "-" or line.lstrip().startswith("- "))
        ):
            content = line.strip()[1:].strip()
            if content and _KEY.match(content) and not content.startswith(("'", '"')):
                self._lines[self._at] = " " * (indent + 2) + content
                items.append(self.mapping(indent + 2, depth + 1) if depth < 20 else content)
            else:
                self._at += 1
                items.append(self._value(content, indent, depth + 1))
        return items

    def _block(self, indent: int, style: str) -> str:
        taken: list[str] = []
        while self._at < len(self._lines) and (
            not self._lines[self._at].strip() or _indent(self._lines[self._at]) > indent
        ):
            taken.append(self._lines[self._at].strip())
            self._at += 1
        return ("\n" if style == "|" else " ").join(taken).strip()

    def _continued(self, written: str, indent: int) -> Json:
        """A value may run on over deeper lines: a plain scalar, or a list in brackets."""
        while (
            (line := self._peek()) is not None
            and _indent(line) > indent
            and not (written[0] == "[" and written.endswith("]"))
        ):
            written += " " + line.strip()
            self._at += 1
        return scalar(written)

    def _peek(self) -> str | None:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip() and not line.lstrip().startswith("#"):
                return line
            self._at += 1
        return None


def scalar(written: str) -> Json:
    """A scalar or a flow list. Numbers with a leading zero, dates and versions stay text, since they are names."""
    if written[:1] in "'\"" and len(written) > 1:
        return _unquoted(written)
    if written.startswith("[") and written.endswith("]"):
        parts = re.findall(r"\s*((?:\"[^\"]*\"|'[^']*'|[^,'\"])+)", written[1:-1])
        return [_unquoted(part.strip()) for part in parts if part.strip()]
    bare = re.sub(r"\s+#.*$", "", written)
    if bare.lower() in ("true", "false"):
        return bare.lower() == "true"
    if bare.lower() in ("", "null", "~"):
        return None
    if re.fullmatch(r"-?(?:0|[1-9]\d{0,15})", bare):
        return int(bare)
    return bare


def _unquoted(written: str) -> str:
    quote = written[:1]
    if quote and quote in "'\"":
        end = written.find(quote, 1)
        while quote == "'" and end > 0 and written[end + 1 : end + 2] == "'":
            end = written.find(quote, end + 2)
        if end > 0:
            inner = written[1:end]
            return (
                inner.replace("''", "'") if quote == "'" else re.sub(r"\\([\"\\/])", r"\1", inner)
            )
    return written


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
