"""One spelling for all the ways to type a name: the keys under which names are compared, from strict to lenient."""

from __future__ import annotations

from unicodedata import combining, normalize


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


def fold_hyphens(text: str) -> str:
    """Folded, and hyphens count as spaces: 'load-balancer' is 'load balancer'."""
    if text.isascii() and text.isalnum():
        return text.lower()
    return fold(text.replace("-", " ")) if text.strip("- ") else text


def fold_accents(text: str) -> str:
    """Case, width, accents and vowel signs folded; kana keep their voicing. Never empty for a text that isn't."""
    decomposed = normalize("NFKD", text.casefold())
    kept = "".join(
        char for char in decomposed if not combining(char) or "\u3099" <= char <= "\u309a"
    )
    return normalize("NFKC", kept) or text
