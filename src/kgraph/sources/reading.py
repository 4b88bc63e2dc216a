"""A file to a Document: choose the reader, hold the limits."""

from __future__ import annotations

import os
import stat

from kgraph.model import Document
from kgraph.sources.assembly import Raw
from kgraph.sources.content import by_content
from kgraph.sources.encoding import is_binary
from kgraph.sources.formats import (
    BY_EXTENSION,
    BY_NAME,
    UNSUPPORTED,
    Format,
    reader_of,
    without_text,
)
from kgraph.sources.limits import DEFAULT, Limits, Unreadable


def read(path: str | os.PathLike[str], uri: str, *, limits: Limits = DEFAULT) -> Document:
    """Read a file. ``uri`` is its path from the source root, with '/'.

    Raises Unreadable with a reason (absent, not-a-file, binary, oversized, malformed, encrypted …), and MissingExtra if the format's
    library isn't installed.
    """
    return read_bytes(load(path, limits), uri, path=os.fspath(path), limits=limits)


def read_bytes(data: bytes, uri: str, *, path: str = "", limits: Limits = DEFAULT) -> Document:
    """Read what was already loaded, as if it were the file ``uri``."""
    if len(data) > limits.file_bytes:
        raise Unreadable("oversized", f"{len(data)} bytes, the limit is {limits.file_bytes}")
    raw = Raw(data, uri, path)
    reader = reader_of(format_of(raw.name, data))
    try:
        return reader(raw, limits)
    except RecursionError:
        raise Unreadable("malformed", "nested too deep to be read") from None


def load(path: str | os.PathLike[str], limits: Limits = DEFAULT) -> bytes:
    """The bytes of a regular file, at most ``limits.file_bytes`` of them."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable("not-a-file")
        if found.st_size > limits.file_bytes:
            raise Unreadable(
                "oversized", f"{found.st_size} bytes, the limit is {limits.file_bytes}"
            )
        with open(path, "rb") as file:
            data = file.read(limits.file_bytes + 1)
    except FileNotFoundError as error:
        raise Unreadable("absent") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Unreadable("unreadable", str(error)) from error
    if len(data) > limits.file_bytes:
        raise Unreadable("oversized", f"more than {limits.file_bytes} bytes")
    return data


def format_of(name: str, data: bytes) -> Format:
    """The format by what the content shows, else by the name's extension; an unknown one is plain text.

    Raises Unreadable for what holds no text (picture, archive …), has no reader (``unsupported``), or isn't the text that it should be.
    """
    extension = os.path.splitext(name)[1].lower()
    shown = by_content(data)
    if shown in BY_NAME:
        return BY_NAME[shown]
    refused = UNSUPPORTED.get(shown or extension)
    if refused is not None and (shown or is_binary(data)):
        raise Unreadable("unsupported", f"{refused[0]}: {refused[1]}")
    if no_text := without_text(extension, is_binary(data)):
        raise Unreadable(no_text)
    form = BY_EXTENSION.get(extension, BY_NAME["text"])
    if not form.binary and is_binary(data):
        raise Unreadable("binary")
    return form
