"""SHA-256 by whichever implementation suits the length.

OpenSSL's is eight times faster on long input, but takes longer to load than to hash all that a command of one item hashes. The
interpreter's own is there at once, and twice as fast on short texts.
"""

from __future__ import annotations

try:
    from _sha2 import sha256  # type: ignore[import-not-found, unused-ignore]  # Python 3.12 and later
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        from hashlib import sha256

LONG = 1 << 18  # bytes from which OpenSSL's is worth loading

__all__ = ["hex_of", "sha256"]


def hex_of(*parts: bytes) -> str:
    """The hash of some pieces one after the other, as 64 hex digits."""
    if sum(map(len, parts)) < LONG:
        made = sha256()
    else:
        import hashlib

        made = hashlib.sha256()
    for part in parts:
        made.update(part)
    return str(made.hexdigest())
