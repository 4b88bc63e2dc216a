"""Files that nobody wrote by hand: minified code, lock files, and what says of itself that it was generated."""

from __future__ import annotations

import os
import re

_CODE = """.c .cc .cjs .cpp .cs .css .dart .ex .exs .go .h .hpp .java .js .jsx .kt .less .lua .mjs .mts .php .pl .proto .py .pyi .rb .rs
.scala .scss .sh .sql .swift .ts .tsx .vue .zig"""
CODE_EXTENSIONS = tuple(_CODE.split())
_LOCKS = """bun.lock bun.lockb cargo.lock composer.lock deno.lock flake.lock gemfile.lock go.sum gradle.lockfile mix.lock
npm-shrinkwrap.json
package-lock.json packages.lock.json pdm.lock pipfile.lock pixi.lock pnpm-lock.yaml podfile.lock poetry.lock pubspec.lock
uv.lock yarn.lock"""
LOCK_FILES = frozenset(_LOCKS.split())
_MINIFIED_NAME = re.compile(
    r"(?:[.-]min\.(?:js|css|mjs|cjs|html)|\.(?:js|css)\.map|\.bundle\.js)$", re.IGNORECASE
)
_MARK = re.compile(
    rb"@generated\b|\bcode generated\b.{0,120}\bdo not edit\b|\b(?:auto-?)?generated\b.{0,160}\bdo not (?:edit|modify|change)\b"
    rb"|\bdo not (?:edit|modify)\b.{0,160}\bgenerated\b|\bthis (?:file|code) (?:is|was|has been) (?:auto-?|automatically )?generated\b",
    re.IGNORECASE | re.DOTALL,
)
_CODE_COMMENT = re.compile(rb"\s*(?://|#|/\*|\*|<!--|;|--|%|\"\"\"|'''|\(\*|@rem\b)", re.IGNORECASE)
_PROSE_COMMENT = re.compile(rb"\s*(?:<!--|\.\. )")
_HEAD_LINES = 30
_LONG_LINE = 2_000
_MEAN_LINE = 300


def is_minified(name: str, head: bytes) -> bool:
    """By name, or, for code alone, by lines that no one could read. In prose and data a line may be as long as it likes."""
    if _MINIFIED_NAME.search(name):
        return True
    if os.path.splitext(name)[1].lower() not in CODE_EXTENSIONS or len(head) < _LONG_LINE:
        return False
    lines = head.splitlines()
    return max(map(len, lines)) > _LONG_LINE and len(head) > _MEAN_LINE * len(lines)


def is_catalog(name: str, head: bytes) -> bool:
    """Whether a file is a catalog of translated texts (gettext): the same words in many languages, and none of them a statement."""
    return name.lower().endswith((".po", ".pot")) and b"msgid" in head


def is_generated(name: str, head: bytes) -> bool:
    """A lock file, or a mark in a comment among the first lines. A guide that speaks of generated files isn't one."""
    if name.lower() in LOCK_FILES:
        return True
    code = os.path.splitext(name)[1].lower() in CODE_EXTENSIONS
    comment = _CODE_COMMENT if code else _PROSE_COMMENT
    lines = head.splitlines()[:_HEAD_LINES]
    marked = b"\n".join(line for line in lines if comment.match(line))
    return bool(_MARK.search(marked))
