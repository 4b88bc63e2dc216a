"""The nearest known word, for hints."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word with the smallest edit distance (case, '-' and ' ' aside), or ''. A word over 40 characters is near none."""
    asked = _plain(word)
    if not asked or len(asked) > 40:
        return ""
    allowed = max(1, len(asked) // 3)
    close = [
        (plain, other)
        for other in known
        if abs(len(plain := _plain(other)) - len(asked)) <= allowed
    ]
    ranked = sorted((_distance(asked, plain), other) for plain, other in close)
    return ranked[0][1] if ranked and ranked[0][0] <= allowed else ""


def _plain(word: str) -> str:
    return word.strip().casefold().replace("-", "_").replace(" ", "_")


def _distance(a: str, b: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
