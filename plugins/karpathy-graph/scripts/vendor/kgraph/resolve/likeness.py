"""How like two strings are: edit distance and Jaro-Winkler, by rapidfuzz where it is installed, the same figures without it."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.tuples import NamedTuple


class Measures(NamedTuple):
    """``distance(a, b)``: insertions, deletions and substitutions. ``jaro_winkler(a, b)``: from 0 to 1, for short names."""

    distance: Callable[[str, str], int]
    jaro_winkler: Callable[[str, str], float]


def measures() -> Measures:
    """The fastest implementation there is. Both give the same figures, so a decision doesn't depend on what is installed."""
    try:
        from rapidfuzz.distance import JaroWinkler, Levenshtein
    except ImportError:
        return Measures(edit_distance, jaro_winkler)
    return Measures(Levenshtein.distance, JaroWinkler.similarity)


def edit_distance(left: str, right: str) -> int:
    """Levenshtein's distance by Myers' bit vectors: one step a character of ``right``, whatever the length of ``left``."""
    if left == right:
        return 0
    if not left or not right:
        return len(left) or len(right)
    places: dict[str, int] = {}
    for at, char in enumerate(left):
        places[char] = places.get(char, 0) | 1 << at
    ones = (1 << len(left)) - 1
    top = 1 << (len(left) - 1)
    plus, minus, distance = ones, 0, len(left)
    for char in right:
        equal = places.get(char, 0)
        vertical = equal | minus
        across = (((equal & plus) + plus) ^ plus) | equal
        rises = minus | (ones & ~(across | plus))
        falls = plus & across
        if rises & top:
            distance += 1
        elif falls & top:
            distance -= 1
        rises = (rises << 1 | 1) & ones
        falls = falls << 1 & ones
        plus = falls | (ones & ~(vertical | rises))
        minus = rises & vertical
    return distance


def jaro_winkler(left: str, right: str) -> float:
    if left == right:
        return 1.0
    if not left or not right:
        return 0.0
    reach = max(len(left), len(right)) // 2 - 1
    reach = max(reach, 0)
    taken = [False] * len(right)
    matched: list[str] = []
    for at, char in enumerate(left):
        for other in range(max(0, at - reach), min(len(right), at + reach + 1)):
            if not taken[other] and right[other] == char:
                taken[other] = True
                matched.append(char)
                break
    if not matched:
        return 0.0
    in_order = [char for char, hit in zip(right, taken, strict=True) if hit]
    turned = sum(one != two for one, two in zip(matched, in_order, strict=True)) // 2
    count = len(matched)
    jaro = (count / len(left) + count / len(right) + (count - turned) / count) / 3
    if jaro <= 0.7:
        return jaro
    prefix = 0
    for one, two in zip(left[:4], right[:4], strict=False):
        if one != two:
            break
        prefix += 1
    return jaro + prefix * 0.1 * (1 - jaro)


def one_slip(left: str, right: str, distance: Callable[[str, str], int]) -> bool:
    """Whether the two differ as a slip of the pen would make them: the longer the word, the more; never in the first letter or a digit."""
    if left == right:
        return True
    longer = max(len(left), len(right))
    if longer < 5 or abs(len(left) - len(right)) > 2 or left[0] != right[0]:
        return False
    if any(char.isdigit() for char in left + right):
        return False
    if swapped(left, right):
        return True
    return distance(left, right) <= (1 if longer < 9 else 2)


def swapped(left: str, right: str) -> bool:
    """Whether two strings of one length differ in two neighbouring characters that changed places."""
    if len(left) != len(right):
        return False
    at = [place for place, (one, two) in enumerate(zip(left, right, strict=True)) if one != two]
    return (
        len(at) == 2
        and at[1] == at[0] + 1
        and left[at[0]] == right[at[1]]
        and left[at[1]] == right[at[0]]
    )
