"""A number with its noun, as people read it."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 node``, ``2 nodes``, ``3 queries``. The noun is given in the singular and takes a regular plural."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{number} {noun[:-1]}ies"
    return f"{number} {noun}{'es' if noun.endswith(('s', 'x', 'ch', 'sh')) else 's'}"
