"""Writing what a view made: to a temporary file beside the target, then renamed; a file that kgraph did not write is left alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from kgraph.errors import Exists, NotAllowed
from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.tuples import NamedTuple

FIRST_BYTES = 4096
MARK = b"kgraph"  # every format carries this word in its first bytes, in its own kind of comment or field


class Written(NamedTuple):
    path: str
    size_bytes: int


def write(path: str, chunks: Iterable[str] | Iterable[bytes], force: bool = False) -> Written:
    """Write a file whole or not at all.

    Raises ``Exists`` if a file stands there that kgraph did not write, unless ``force``; ``NotAllowed`` where a folder stands, or where
    nothing may be written.
    """
    refuse_foreign(path, force)
    folder, name = os.path.split(os.path.abspath(path))
    temporary = os.path.join(folder, f".kgraph-{os.urandom(6).hex()}.tmp")
    try:
        os.makedirs(folder, exist_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        raise NotAllowed(
            f"{name} can't be written to {folder} ({error.strerror})", "check who owns the folder"
        ) from None
    size = 0
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                raw = chunk if isinstance(chunk, bytes) else chunk.encode("utf-8")
                file.write(raw)
                size += len(raw)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, os.path.join(folder, name))
    except BaseException:
        os.unlink(temporary)
        raise
    return Written(path, size)


def refuse_foreign(path: str, force: bool) -> None:
    """Raise if writing ``path`` would overwrite something that kgraph did not write."""
    if os.path.isdir(path):
        raise NotAllowed(f"{path} is a folder", "name a file in it")
    if force or not os.path.lexists(path):
        return
    with open(path, "rb") as file:
        start = file.read(FIRST_BYTES)
    if start and MARK not in start:
        raise Exists(
            f"{path} exists and was not written by kgraph",
            "choose another name, or --force to overwrite it",
            file=path,
        )


def previous_figures(graph_json: str) -> dict[str, Json] | None:
    """The figures in the head of the ``graph.json`` of the last render, without reading its nodes; None if there are none."""
    try:
        with open(graph_json, encoding="utf-8") as file:
            for line in file:
                key, colon, value = line.partition(": ")
                if colon and key.strip() == '"figures"':
                    found = json_value(value.rstrip().rstrip(","))
                    return found if isinstance(found, dict) else None
                if key.strip() == '"nodes"':
                    return None
    except (FileNotFoundError, ValueError):
        return None
    return None
