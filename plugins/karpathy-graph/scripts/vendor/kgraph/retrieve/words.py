"""The words of a question: which carry meaning, and how the full-text index is asked for them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from kgraph.index.rows import is_dense

STOP_WORDS = frozenset(
    (
        "a about after all also an and any are as at auf be because been before being between both but by can could das de dem den der "
        "des did die do does du during each ein eine einer el en est et few for from für had has have he her him his how i if im in into "
        "is ist it its la las le les los me mit more most my no not oder of on or other ou our over own same she should sind so some such "
        "than that the their them then there these they this those to un und under une until up very von was we were what when where "
        "which while who whom whose why will with would y you your zu"
    ).split()
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
    """Without stop words; each once, the first thirty-two."""
    return [word for word in dict.fromkeys(words_of(text)) if word not in STOP_WORDS][:MOST_WORDS]


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
