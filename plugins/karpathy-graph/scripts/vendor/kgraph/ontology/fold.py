"""One name for all the ways to type it: the key under which names are compared."""

from __future__ import annotations

from unicodedata import normalize


def fold(text: str) -> str:
    """NFKC, case-folded, white space collapsed and stripped. Idempotent, and empty only for an empty text."""
    if text.isascii():
        return " ".join(text.lower().split()) or text
    folded = text
    # folding may undo a composition and composing may yield a new capital: three rounds settle every character of Unicode
    for _ in range(4):
        again = " ".join(normalize("NFKC", normalize("NFKC", folded).casefold()).split())
        if again == folded:
            break
        folded = again
    return folded or text
