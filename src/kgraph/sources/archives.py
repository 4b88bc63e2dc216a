"""Zip files as hostile input: members are read by name, into memory, within limits. Nothing is ever unpacked to disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from xml.etree import ElementTree

from kgraph.sources.limits import Limits, Unreadable


class Archive:
    """A zip file's members. Raises Unreadable: malformed, encrypted, or oversized (too many members, too large, packed too well)."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self._limits = limits
        self._unpacked = 0
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, RuntimeError, EOFError, OSError) as error:
            raise Unreadable("malformed", str(error)) from error
        if len(self._zip.namelist()) > limits.members:
            raise Unreadable(
                "oversized", f"{len(self._zip.namelist())} members, the limit is {limits.members}"
            )
        self.names = [name for name in self._zip.namelist() if not name.endswith("/")]

    def read(self, name: str) -> bytes:
        """A member's bytes. What it claims of its size is not believed."""
        try:
            member = self._zip.getinfo(name)
        except KeyError as error:
            raise Unreadable("malformed", f"'{name}' is missing") from error
        if member.flag_bits & 1:
            raise Unreadable("password-protected", name)
        most = min(
            self._limits.unpacked_bytes - self._unpacked,
            max(member.compress_size * self._limits.ratio, 100_000),
        )
        try:
            with self._zip.open(member) as file:
                data = file.read(most + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            RuntimeError,
            ValueError,
        ) as error:
            raise Unreadable("malformed", f"{name}: {error}") from error
        if len(data) > most:
            raise Unreadable("oversized", f"'{name}' unpacks to more than {most} bytes")
        self._unpacked += len(data)
        return data

    def xml(self, name: str) -> ElementTree.Element:
        """A member as XML. A document type, which could define entities, is refused."""
        data = self.read(name)
        if b"<!DOCTYPE" in data[:10_000] or b"<!ENTITY" in data:
            raise Unreadable("malformed", f"'{name}' declares a document type")
        try:
            return ElementTree.fromstring(data)
        except (ElementTree.ParseError, ValueError, RecursionError) as error:
            raise Unreadable("malformed", f"{name}: {error}") from error

    def find(self, name: str) -> ElementTree.Element | None:
        return self.xml(name) if name in self.names else None


def local(element: ElementTree.Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rsplit("}", 1)[-1]


def attribute(element: ElementTree.Element, name: str) -> str:
    """An attribute by its local name, whatever its namespace."""
    return next(
        (value for key, value in element.attrib.items() if key.rsplit("}", 1)[-1] == name), ""
    )
