"""Git's ignore patterns: which paths a file of them takes out."""

from __future__ import annotations

import re

from kgraph.tuples import NamedTuple


class Pattern(NamedTuple):
    matcher: re.Pattern[str]
    negated: bool
    folders_only: bool


class IgnoreFile(NamedTuple):
    """Patterns, and the folder that they are relative to (a path from the walk's root, '' for the root itself)."""

    folder: str
    patterns: tuple[Pattern, ...]

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: ignored; False: taken back in by ``!``; None: no pattern speaks of it. The last that matches counts."""
        if self.folder and not path.startswith(self.folder + "/"):
            return None
        relative = path[len(self.folder) + 1 :] if self.folder else path
        for pattern in reversed(self.patterns):
            if (is_folder or not pattern.folders_only) and pattern.matcher.match(relative):
                return not pattern.negated
        return None


def parse(text: str, folder: str) -> IgnoreFile:
    found = (_pattern(line) for line in text.splitlines())
    return IgnoreFile(folder, tuple(pattern for pattern in found if pattern is not None))


def ignored(path: str, is_folder: bool, files: tuple[IgnoreFile, ...]) -> bool:
    """Whether a path is ignored; the deepest ignore file that speaks of it decides, so ``files`` runs from the root down."""
    for file in reversed(files):
        verdict = file.verdict(path, is_folder)
        if verdict is not None:
            return verdict
    return False


def _pattern(line: str) -> Pattern | None:
    if line.startswith("#"):
        return None
    line = re.sub(r"(?<!\\)[ \t]+$", "", line.rstrip("\r\n"))
    negated = line.startswith("!")
    line = line[1:] if negated else line
    folders_only = line.endswith("/")
    body = line.rstrip("/") if folders_only else line
    if not body:
        return None
    anchored = "/" in body
    body = body.removeprefix("/")
    prefix = "" if anchored else "(?:.*/)?"
    try:
        return Pattern(
            re.compile(prefix + _expression(body) + r"\Z", re.DOTALL), negated, folders_only
        )
    except re.error:
        return None  # git, too, lets a malformed pattern match nothing


def _expression(body: str) -> str:
    made, at = [], 0
    while at < len(body):
        char = body[at]
        if body.startswith("**/", at) and (at == 0 or body[at - 1] == "/"):
            made.append("(?:.*/)?")
            at += 3
        elif body[at:] == "**" and at and body[at - 1] == "/":
            made.append(".+")
            at += 2
        elif char == "*":
            while at + 1 < len(body) and body[at + 1] == "*":
                at += 1
            made.append("[^/]*")
            at += 1
        elif char == "[" and (close := _class_end(body, at)) > 0:
            made.append(_character_class(body[at + 1 : close]))
            at = close + 1
        elif char == "\\" and at + 1 < len(body):
            made.append(re.escape(body[at + 1]))
            at += 2
        else:
            made.append("[^/]" if char == "?" else re.escape(char))
            at += 1
    return "".join(made)


def _class_end(body: str, at: int) -> int:
    """Where a bracket expression closes; a ``]`` right after its beginning is one of its characters."""
    first = at + 1 + (body[at + 1 : at + 2] in ("!", "^"))
    return body.find("]", first + 1)


def _character_class(content: str) -> str:
    negated = content[:1] in ("!", "^")
    content = content[1:] if negated else content
    content = re.sub(r"\[:(\w+):\]", lambda named: _CLASSES.get(named[1], ""), content)
    bracket = content.startswith("]")
    content = re.sub(r"(?<!\\)\[", r"\\[", content[1:] if bracket else content)
    return f"(?!/)[{'^' if negated else ''}{']' * bracket}{content}]".replace("[]", r"[\]").replace(
        "[^]", r"[^\]"
    )


_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "xdigit": "0-9a-fA-F",
}
