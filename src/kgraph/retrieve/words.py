"""The words of a question: which carry meaning, and how the full-text index is asked for them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from kgraph.index.rows import is_dense

STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have he her him his how i if in into is it its me my no not "
    "of on or our she should so some such than that the their them then there these they this those to was we were what when where which "
    "while who whom whose why will with would you your about after all also any because before being between both during each few more most "
    "other over own same under until up very "
    "der die das und oder ist sind ein eine einer im in mit von zu auf für den dem des le la les des et ou est un une du de en el los las y".split()
)
MOST_WORDS = 32


def words_of(text: str) -> list[str]:
    """The words of a text in order, case-folded: runs of letters, digits and marks; scripts without spaces as whole runs."""
    found: list[str] = []
    word = ""
    dense = False
    for char in unicodedata.normalize("NFKC", text).casefold():
        good = unicodedata.category(char)[0] in "LNM"
        if good and word and is_dense(char) != dense:
            found.append(word)
            word = ""
        if good:
            dense = is_dense(char)
            word += char
        elif word:
            found.append(word)
            word = ""
    if word:
        found.append(word)
    return found


def content_words(text: str) -> list[str]:
    """Without stop words, unless nothing else is there; each once, the first thirty-two."""
    everything = list(dict.fromkeys(words_of(text)))
    kept = [word for word in everything if word not in STOP_WORDS]
    return (kept or everything)[:MOST_WORDS]


def match_expression(words: Sequence[str]) -> str:
    """An expression of the full-text index that any of the words satisfies; '' for none."""
    terms: list[str] = []
    for word in words:
        if is_dense(word[0]):
            pairs = [word[at : at + 2] for at in range(len(word) - 1)] or [word]
            terms += [f'"{pair}"' for pair in pairs]
        else:
            terms.append(f'"{word}"')
    return " OR ".join(dict.fromkeys(terms))
