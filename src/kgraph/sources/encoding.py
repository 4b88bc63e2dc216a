"""Bytes to text, in an encoding that gives the same bytes back, so that a span of the text is a span of the file."""

from __future__ import annotations

import re

from kgraph.tuples import NamedTuple

HEAD_BYTES = 8000
BOMS = (  # UTF-32 first: its little-endian mark begins as UTF-16's does
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# A slice of a stateful encoding has no bytes of its own.
STATEFUL = ("iso2022", "utf_7", "hz", "iso-2022", "utf-7", "utf_16", "utf_32")
_CONTROLS = bytes(range(0x09)) + bytes(range(0x0E, 0x1B)) + bytes(range(0x1C, 0x20)) + b"\x7f"
_DECLARED = re.compile(rb"(?:coding|charset|encoding)[ \t]*[:=][ \t]*[\"']?([-\w.]+)")
_WESTERN = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüœßÿšžÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŸŠŽªº")
_BETWEEN_LETTERS = re.compile(r"[^\W\d_][\u0080-\uffff][^\W\d_]")


class Decoded(NamedTuple):
    """``bom`` counts the bytes of the mark, which is no part of the text. ``damaged``: the characters (U+FFFD) for bad bytes."""

    text: str
    encoding: str
    bom: int = 0
    damaged: tuple[int, ...] = ()


def is_binary(data: bytes) -> bool:
    """Whether the bytes are no text: a NUL that isn't half of UTF-16, or more than a few control characters."""
    head = data[:HEAD_BYTES]
    if any(head.startswith(mark) for mark, _ in BOMS):
        return False
    if b"\x00" in head:
        return not _bare_utf16(head)
    return len(head.translate(None, _CONTROLS)) < 0.98 * len(head)


def decode(data: bytes) -> Decoded:
    """Decode by mark, then as UTF-8, then as declared, then by guess.

    Each but UTF-8 must give the same bytes back. An encoding that isn't a UTF was declared or guessed. A UTF-8 file with a few bad bytes
    stays UTF-8: each such byte becomes U+FFFD and is listed.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            text = _strict(data[len(mark) :], encoding)
            if text is not None:
                return Decoded(text, encoding, len(mark))
            if encoding == "utf-8":
                return _utf8_with_damage(data, len(mark))
    bare = _bare_utf16(data[:HEAD_BYTES])
    for encoding in (bare, "utf-8") if bare else ("utf-8",):
        text = _strict(data, encoding)
        if text is not None:
            return Decoded(text, encoding)
    for encoding in (_declared(data), *_guesses(data)):
        text = _strict(data, encoding) if encoding else None
        if text is not None:
            return Decoded(text, encoding)
    if _mostly_utf8(data):
        return _utf8_with_damage(data, 0)
    return Decoded(data.decode("latin-1"), "latin-1")


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
        return text if text.encode(encoding) == data else None
    except (UnicodeError, LookupError):
        return None


def _bare_utf16(head: bytes) -> str:
    """UTF-16 without a mark shows as NULs in every other place."""
    if len(head) < 8 or len(head) % 2:
        head = head[:-1]
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if half < 4 or min(even, odd) > half // 100 or max(even, odd) < 0.4 * half:
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _declared(data: bytes) -> str:
    """The encoding that the file names itself: a Python cookie, an XML declaration, an HTML meta element, an editor's line."""
    found = _DECLARED.search(data[:1024])
    name = found.group(1).decode("ascii", "replace").lower() if found else ""
    return "" if name.startswith(STATEFUL) else name


def _guesses(data: bytes) -> tuple[str, ...]:
    if _mostly_utf8(data):
        return ()
    western = _strict(data, "cp1252")
    if western is not None and _reads_as_western(western):
        return ("cp1252",)
    return (*_detected(data), "cp1252", "latin-1")


def _mostly_utf8(data: bytes) -> bool:
    """Whether the bytes are UTF-8 but for a few: at least four good multi-byte characters to a bad byte."""
    text = data.decode("utf-8", "surrogateescape")
    bad = sum("\udc80" <= char <= "\udcff" for char in text) if not text.isascii() else 0
    good = sum(char > "\x7f" for char in text) - bad
    return good >= 4 * bad


def _utf8_with_damage(data: bytes, bom: int) -> Decoded:
    text = data[bom:].decode("utf-8", "surrogateescape")
    damaged = tuple(match.start() for match in re.finditer("[\udc80-\udcff]", text))
    return Decoded(re.sub("[\udc80-\udcff]", "\ufffd", text), "utf-8", bom, damaged)


def _reads_as_western(text: str) -> bool:
    """No letter of the text is one that Western European languages lack, and no sign stands inside a word.

    Detectors confuse the 8-bit code pages of Latin scripts with each other on short texts; this is surer where it applies.
    """
    high = [char for char in text if char > "\x7f"]
    if any(char.isalpha() and char not in _WESTERN for char in high):
        return False
    if any("\x80" <= char <= "\x9f" for char in high):
        return False
    inside = (match.group()[1] for match in _BETWEEN_LETTERS.finditer(text))
    return all(
        char in _WESTERN or char in "\u2019\u00ad\u00b7\u2013\u2014" for char in inside
    ) and _isolated(text)


def _isolated(text: str) -> bool:
    """In Latin scripts accented letters stand between plain ones; a Cyrillic or Greek text read as cp1252 is long runs of them."""
    runs = re.findall(r"[\u00c0-\u024f]+", text)
    return sum(map(len, runs)) <= 1.4 * len(runs) + 2


def _detected(data: bytes) -> tuple[str, ...]:
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return ()
    best = from_bytes(data).best()
    if best is None or best.encoding.startswith(STATEFUL):
        return ()
    return (best.encoding,)
