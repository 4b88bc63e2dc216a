"""What a reader may use up, and how it says that it can't read a file."""

from __future__ import annotations

from kgraph.tuples import NamedTuple


class Limits(NamedTuple):
    """Bounds against hostile files. Bytes are those of the file, ``unpacked_bytes`` those of all the members read from an archive."""

    file_bytes: int = 20_000_000
    unpacked_bytes: int = 100_000_000
    ratio: int = 200  # unpacked to packed bytes of one member
    members: int = 10_000
    pages: int = 5_000


DEFAULT = Limits()


class Unreadable(Exception):
    """A file that can't be made a Document. ``reason`` is a word to count by: binary, oversized, password-protected, malformed, absent …"""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


# Reasons of files in which no text is lost: found in a folder they are skipped, given by name they are refused.
WITHOUT_TEXT = frozenset(
    ("archive", "binary", "database", "film", "font", "picture", "program", "sound")
)
