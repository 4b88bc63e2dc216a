"""A statement as words: numbers, units, comparison signs and negation kept, names of things known to the graph as one word each."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from kgraph.language.inflection import is_past
from kgraph.language.lists import NUMBERS, SCALES
from kgraph.language.scripts import is_unspaced
from kgraph.ontology import fold
from kgraph.support.quantities import UNIT, in_base_unit, is_number, is_temporal, number, scaled
from kgraph.tuples import NamedTuple

LONGEST_NAME = 10  # words of a name within a statement

# What is no part of a word and says nothing by itself. Signs that do (< = % + and the like) become words of their own.
_SILENT = "\\s,.;:!?\"'()\\[\\]{}/\\\\_\\-"
_SILENT += "\u2010-\u2027\u2030-\u205e\u3000-\u303f\u00ab\u00bb*`|@#\uff0c\u3002\uff1a\uff1b\u060c\u061b\u0964"
_SIGNS = "<>=%$^~&+\u20ac\u00a3\u00a5\u00b1\u00d7\u2192\u2264\u2265\u2260\u2248"
_TOKEN = re.compile(
    rf"""\d{{4}}-\d{{2}}-\d{{2}}(?![\w-])
    |\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\w)
    |(?<![^\s(=<>])-\d+(?:[.,]\d+)*
    |\d+(?:[.,]\d+)*(?:st|nd|rd|th)?(?=[^\d]|$)
    |!=
    |(?<=\d)[-/](?=\d)
    |[^{_SILENT}{_SIGNS}0-9](?:[^{_SILENT}{_SIGNS}]|['\u2019](?=[^{_SILENT}{_SIGNS}]))*[+\#]*
    |[{_SIGNS}]""",
    re.VERBOSE,
)
NEGATORS = frozenset(("not", "never", "no", "nt"))
MODALS = frozenset("will would shall should may might must can could ought".split())
BE = {"is": False, "are": False, "am": False, "be": False, "was": True, "were": True, "been": True}
ARTICLES = frozenset(("a", "an", "the"))
PREPOSITIONS = frozenset(
    "in on at to from for with by of into onto over under through via during since until before after against between among within without "
    "across about as because while when if unless despite per than".split()
)
# A name of one such word would swallow what the sentence says with it.
FUNCTION_WORDS = NEGATORS | MODALS | ARTICLES | PREPOSITIONS | frozenset(BE) | frozenset(
    "do does did have has had all every each some any none most many few several only both either neither nor and or but it its this that "
    "these those there also always sometimes often rarely half more less least fewer almost nearly about".split()
)  # fmt: skip


class Word(NamedTuple):
    """``text`` folded, ``raw`` as written; ``ids`` the nodes that it may name (canonical), empty for plain words.

    ``past``: a verb of the past; ``negation``: what denies it; ``definite``: 'the' stood before it; ``agent``: a noun for who does it.
    """

    text: str
    raw: str
    ids: frozenset[int] = frozenset()
    past: bool = False
    negation: str = ""
    definite: bool = False
    agent: bool = False


class Mention(NamedTuple):
    """A stretch of a statement: words ``first`` to ``last`` (excluded), as written."""

    first: int
    last: int
    text: str


class Tokens(NamedTuple):
    """A statement's words before names are joined, with their places in the normalised text."""

    text: str
    words: list[Word]
    spans: list[tuple[int, int]]


def tokens(text: str, apart: bool = False) -> Tokens:
    """Every word of a statement, contractions opened and numbers in one form. ``apart``: where words are written without spaces every
    character is one, so that a name is found within."""
    whole = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    words: list[Word] = []
    spans: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(whole):
        pieces = _opened(match.group(), match.start())
        for part, (start, end) in (
            (one for piece in pieces for one in _characters(*piece)) if apart else pieces
        ):
            folded = part.casefold()
            words.append(
                Word(
                    NUMBERS.get(folded) or (number(folded) if is_number(folded) else folded),
                    part,
                    past=is_past(folded),
                )
            )
            spans.append((start, end))
    return Tokens(whole, words, spans)


def _characters(token: str, place: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
    if not is_unspaced(token) or len(token) != place[1] - place[0]:
        return [(token, place)]
    cuts = [
        0,
        *(
            at
            for at in range(1, len(token))
            if is_unspaced(token[at]) or is_unspaced(token[at - 1])
        ),
        len(token),
    ]
    return [
        (token[one:other], (place[0] + one, place[0] + other))
        for one, other in itertools.pairwise(cuts)
    ]


def _opened(token: str, start: int) -> list[tuple[str, tuple[int, int]]]:
    end = start + len(token)
    lower = token.casefold()
    if lower == "cannot":
        return [(token[:3], (start, start + 3)), (token[3:], (start + 3, end))]
    if lower.endswith("n't") and len(lower) > 3:
        stem = {"ca": "can", "wo": "will", "sha": "shall"}.get(lower[:-3], token[:-3])
        return [(stem, (start, end - 3)), ("not", (end - 3, end))]
    if lower.endswith("'s"):
        return [(token[:-2], (start, end - 2)), ("'s", (end - 2, end))]
    return [(token, (start, end))]


def mentions(found: Tokens, starts: Collection[str] | None = None) -> list[Mention]:
    """Every stretch that may be a name, or of those only the ones that begin with certain words."""
    listed = []
    for first in range(len(found.words)):
        if starts is not None and found.words[first].text not in starts:
            continue
        for last in range(first + 1, min(len(found.words), first + LONGEST_NAME) + 1):
            some = found.words[first:last]
            if all(is_number(word.text) or is_temporal(word.text, word.raw) for word in some):
                continue
            if len(some) == 1 and _swallows(some[0], first):
                continue
            listed.append(
                Mention(first, last, found.text[found.spans[first][0] : found.spans[last - 1][1]])
            )
    return listed


def _swallows(word: Word, at: int) -> bool:
    """Whether a name of this one word would hide what the word says in the sentence."""
    return word.text in FUNCTION_WORDS and not (
        at > 0 and word.raw[:1].isupper() and word.text not in NEGATORS
    )


def joined(
    found: Tokens, names: Mapping[str, frozenset[int]]
) -> tuple[list[Word], list[tuple[Mention, frozenset[int]]]]:
    """The words with each longest name as one word, and the mentions that were joined. ``names``: folded name to nodes."""
    by_first: dict[int, list[Mention]] = {}
    starts = {first.text for name in names for first in tokens(name, apart=True).words[:1]}
    for mention in mentions(found, starts) if starts else ():
        if fold(mention.text) in names:
            by_first.setdefault(mention.first, []).append(mention)
    words: list[Word] = []
    met: list[tuple[Mention, frozenset[int]]] = []
    at = 0
    while at < len(found.words):
        longest = by_first.get(at, [])[-1:]
        if longest:
            mention = longest[0]
            ids = names[fold(mention.text)]
            words.append(Word(fold(mention.text), mention.text, ids))
            met.append((mention, ids))
            at = mention.last
        else:
            words.append(found.words[at])
            at += 1
    return measured(words), met


def _in_base(amount: Word, unit: Word) -> tuple[Word, Word]:
    """An amount in the unit that its kind is counted in, so that 250 ms and 0.25 s are one."""
    if not re.fullmatch(r"-?\d+(\.\d+)?", amount.text):
        return amount, unit
    value, base = in_base_unit(Decimal(amount.text), unit.text)
    if base == unit.text:
        return amount, unit
    return amount._replace(text=f"{value:f}"), unit._replace(text=base)


def measured(words: Sequence[Word]) -> list[Word]:
    """Numbers with their scale worked out, units in one spelling and behind their number."""
    out: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        following = words[at + 1] if at + 1 < len(words) else None
        if (
            not word.ids
            and word.text in ("$", "\u20ac", "\u00a3")
            and following is not None
            and is_number(following.text)
        ):
            out += [following, word]
            at += 2
            continue
        if not word.ids and out and is_number(out[-1].text):
            if word.text in SCALES and re.fullmatch(r"\d+(\.\d+)?", out[-1].text):
                out[-1] = out[-1]._replace(text=scaled(out[-1].text, SCALES[word.text]))
                at += 1
                continue
            if word.text == "per" and following is not None and following.text == "cent":
                out.append(Word("%", "%"))
                at += 2
                continue
            unit = UNIT.get(word.raw) or (UNIT.get(word.text) if len(word.text) > 3 else None)
            if unit and word.text != unit and word.text == in_base_unit(Decimal(1), unit)[1]:
                unit = ""  # brought to its base before
            elif unit or (len(word.raw) <= 3 and not is_temporal(word.text, word.raw)):
                word = Word(unit or word.raw, word.raw)
            if unit:
                out[-1], word = _in_base(out[-1], word)
        out.append(word)
        at += 1
    return out
