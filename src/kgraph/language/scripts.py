"""Which scripts write words without spaces, and which characters stand for whole words."""

from __future__ import annotations

import re
from functools import cache

# Character classes, to be put inside brackets of a regular expression.
IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\uac00-\ud7a3"
# Thai, Lao, Burmese, Khmer, kana (half-width too) and ideographs: no space stands between words. Korean has spaces.
UNSPACED = f"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\uff66-\uff9f{IDEOGRAPHS}"


@cache
def _any_of(characters: str) -> re.Pattern[str]:
    """Compiled when first met: a class beyond the first plane costs more than a command's whole start."""
    return re.compile(f"[{characters}]")


def is_unspaced(text: str) -> bool:
    """Whether a text holds letters of a script that puts no spaces between words."""
    return not text.isascii() and _any_of(UNSPACED).search(text) is not None


def is_all_unspaced(text: str) -> bool:
    """Whether every character of a text belongs to such a script."""
    return not text.isascii() and all(map(_any_of(UNSPACED).match, text))


def is_paired(char: str) -> bool:
    """Whether the full-text index takes a character in pairs: unspaced scripts, and Korean, whose words bear endings."""
    return char >= "\u0e00" and _any_of(UNSPACED + HANGUL).match(char) is not None


def is_ideographic(text: str) -> bool:
    """Whether a text has characters that stand for words, so that one of them is a difference in meaning, not in spelling."""
    return not text.isascii() and _any_of(IDEOGRAPHS).search(text) is not None
