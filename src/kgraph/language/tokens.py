"""The tokeniser: words in the order of a text.

Two sizes of word: ``words_of`` gives what the full-text index holds, runs of letters, digits and marks; ``compounds`` are as people write
names, with the signs that stand inside them ('Wi-Fi', 'R&D', "o'clock", 'C++').
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import category, normalize

from kgraph.language.scripts import UNSPACED, is_paired

_WORD = re.compile("[a-z0-9]+")
_COMPOUND = r"@?{letters}+(?:[-.'{quote}&+]{letters}+)*(?:\+\+|#(?!\w))?"


def words_of(text: str) -> list[str]:
    """The words of a text in order, case-folded: runs of letters, digits and marks; scripts that the index takes in pairs as runs of
    their own."""
    if text.isascii():
        return _WORD.findall(text.lower())
    found: list[str] = []
    word = ""
    paired = False
    for char in normalize("NFKC", text).casefold():
        if category(char)[0] not in "LNM":
            if word:
                found.append(word)
            word = ""
            continue
        if word and is_paired(char) != paired:
            found.append(word)
            word = ""
        paired = is_paired(char)
        word += char
    return [*found, word] if word else found


def compounds(text: str) -> Iterator[re.Match[str]]:
    """The words of a text with their places, joined by the signs that stand inside names; a run of an unspaced script is one."""
    return (_ascii_compound() if text.isascii() else _any_compound()).finditer(text)


@cache
def _ascii_compound() -> re.Pattern[str]:
    return re.compile(_COMPOUND.format(letters=r"\w", quote=""), re.ASCII)


@cache
def _any_compound() -> re.Pattern[str]:
    joined = _COMPOUND.format(letters=rf"[^\W{UNSPACED}]", quote="\u2019")
    return re.compile(rf"{joined}|[{UNSPACED}]+")


def pairs(word: str) -> list[str]:
    """What the full-text index knows a word by: itself, or its pairs of characters in a script that it takes in pairs."""
    if len(word) < 2 or not is_paired(word[0]):
        return [word]
    return [word[at : at + 2] for at in range(len(word) - 1)]
