"""Where one sentence ends and the next begins, in any script that says so."""

from __future__ import annotations

import re
from functools import cache

from kgraph.language import lists

FILL = "\x01"  # stands in a masked text for a character of markup
_STOP = re.compile(r"[.!?…]+|[。！？｡．؟۔።।॥။។᠃᭞꘎]+|\n[ \t>\x01]*\n")
_CLOSING = "\"'”’»)]}›」』】）*_`" + FILL
_WIDE = frozenset("。！？｡．")
_OPENING = "\"'“‘«([{‹„¿¡「『【（*_`-–—•" + FILL
_SPACE = " \t\r\n\f\v\u00a0\u2009\u202f\u3000"
_REACH = 40  # how far back a word before a full stop is looked at
_ENDS_TOO = frozenset(
    "etc no fig figs sec art max min inc ltd co corp a.m p.m rel sun sat mar al bros sr jr".split()
)
_ORDINAL_DOT = frozenset(("de", "sv", "tr", "pl"))  # languages that write ordinals with a full stop
_INITIAL = re.compile(r"(?:^|[\s(\x01.-])[^\W\d_]\.$")


@cache
def _abbreviations() -> frozenset[str]:
    return lists.words("data/abbreviations.txt", "abbreviations")


# What a sentence never ends inside of: code, links with their address, bare addresses, tags.
_WHOLE = re.compile(
    r"`[^`\n]{1,400}`|!?\[[^\[\]\n]{0,300}\]\([^()\s]{0,800}\)|\[[^\[\]\n]{1,200}\]\[[^\[\]\n]{0,100}\]"
    r"|https?://[^\s<>\"]{1,1000}(?<![.,;:!?)])|<[^<>\n]{1,300}>"
)


def split_marked(text: str, language: str = "en") -> list[tuple[int, int]]:
    """``split`` for a text with its markup in it: no sentence ends inside a link, an address, code or a tag."""
    return split(_WHOLE.sub(lambda found: "A" * len(found[0]), text), language)


def split(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Half-open ranges of the sentences in ``text`` (masked: see ``masking``), white space and fillers at the ends left out."""
    cuts: list[int] = []
    for found in _STOP.finditer(text):
        end = _boundary(text, found.start(), found.end(), language)
        if end:
            cuts.append(end)
    ranges, at = [], 0
    for cut in [*cuts, len(text)]:
        start, end = trimmed(text, at, cut)
        if end > start:
            ranges.append((start, end))
        at = cut
    return ranges


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without white space and fillers at its ends."""
    while start < end and (text[start] in _SPACE or text[start] == FILL):
        start += 1
    while end > start and (text[end - 1] in _SPACE or text[end - 1] == FILL):
        end -= 1
    return start, end


def _boundary(text: str, start: int, end: int, language: str) -> int:
    """The end of the sentence that these stops close, or 0 if they close none."""
    stop = text[end - 1]
    if stop == "\n":
        return end
    after = end
    limit = min(len(text), end + 12)
    while after < limit and text[after] in _CLOSING:
        after += 1
    if stop in _WIDE:
        return after
    if after >= len(text):
        return after
    if text[after] not in _SPACE:
        return 0
    begins = after
    limit = min(len(text), after + 400)
    while begins < limit and (text[begins] in _SPACE or text[begins] in _OPENING):
        begins += 1
    following = text[begins] if begins < len(text) else ""
    if following.islower() and not _starts_with_name(text, begins):
        return 0
    if text[start:end] == "." and _abbreviates(text, start, end, following, language):
        return 0
    return after


def _starts_with_name(text: str, at: int) -> bool:
    """A lower-case word may open a sentence where its case is part of its spelling: pip, kubectl in code, iPhone."""
    return text[at - 1 : at] == FILL or (at + 1 < len(text) and text[at + 1].isupper())


def _abbreviates(text: str, start: int, end: int, following: str, language: str) -> bool:
    back = text[max(0, start - _REACH) : start]
    word = re.split(r"[\s(\[\"'“‘\x01/]", back)[-1].lower()
    if not word:
        return False
    if word.isdigit():
        # '11. März' and '3. Item' at the start of a line
        opens_line = not back[: len(back) - len(word)].strip(_SPACE + FILL)
        return opens_line or (len(word) < 3 and language in _ORDINAL_DOT)
    if word in _ENDS_TOO:
        return not following.isupper()
    if word in _abbreviations():
        return True
    if len(word) == 1 and word.isalpha() and text[start - 1].islower():
        return True  # 'd. 851', 'c. 1593'
    return (
        following.isupper()
        and word != "i"
        and _INITIAL.search(text, max(0, end - 6), end) is not None
    )
