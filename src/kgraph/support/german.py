"""German sentences by their parts: what an article or a preposition leads is one part, and its case says what it does.

Parts may change places around the verb; of two parts whose case doesn't show, the first is taken for the one who acts. Active and passive
are one where the verb is regular: 'startete' and 'wurde gestartet'. What isn't understood is not the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from kgraph.support import words as lists
from kgraph.support.tokens import Word, joined, tokens
from kgraph.tuples import NamedTuple

_ARTICLES = {
    "der": "open", "die": "open", "das": "open", "den": "object", "dem": "other", "des": "other", "ein": "open", "eine": "open",
    "einen": "object", "einem": "other", "eines": "other", "einer": "other",
}  # fmt: skip
_PREPOSITIONS = frozenset(
    "in im ins an am auf aus bei beim mit nach seit von vom zu zum zur für durch gegen ohne um über unter vor hinter neben zwischen bis "
    "wegen trotz während laut gemäß ab pro".split()
)
_PASSIVE = {"wurde": "past", "wurden": "past", "wird": "now", "werden": "now"}
_PERFECT = frozenset(("hat", "haben", "hatte", "hatten"))
_JOINING = frozenset(
    "dass daß weil obwohl ob während nachdem bevor falls wenn sondern aber oder und sowie als".split()
)
_PARTICIPLE = re.compile(
    r"(?:(ab|an|auf|aus|ein|um|zu|vor|nach|mit|her|hin|los|weg|fest|bei)?ge)?(\w+?)e?t$"
)
_PARTICLES = frozenset("ab an auf aus ein um zu vor nach mit her hin los weg fest bei".split())


class Part(NamedTuple):
    """``key``: its words without the definite article; ``lead``: its preposition; ``case``: subject, object, other, open."""

    key: tuple[str, ...]
    lead: str
    case: str


class Frame(NamedTuple):
    """Who does what to what, and the rest in any order."""

    doer: tuple[str, ...]
    object: tuple[str, ...]
    verb: str
    tense: str
    rest: frozenset[tuple[tuple[str, int], ...]]


def same(asked: str, known: str, names: Mapping[str, frozenset[int]]) -> bool:
    """Whether two German sentences say the same."""
    mine, theirs = _halves(asked), _halves(known)
    if len(mine) == 2 == len(theirs):
        if fold_words(mine[0]) != fold_words(theirs[0]):
            return False
        mine, theirs = mine[1:], theirs[1:]
    if len(mine) != 1 or len(theirs) != 1:
        return False
    capitals = _lower(asked) | _lower(known)
    one, other = (_frame(_words(text, names), capitals) for text in (mine[0], theirs[0]))
    return one is not None and one == other


def fold_words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _halves(text: str) -> list[str]:
    """A conditional clause and the main one, in this order, wherever they stand; else the whole, if it is one clause."""
    pieces = [piece.strip() for piece in text.strip(" .!?").split(",")]
    if len(pieces) == 1:
        return pieces
    led = [
        piece
        for piece in pieces
        if piece.split()[:1] and piece.split()[0].casefold() in ("wenn", "falls")
    ]
    if len(pieces) != 2 or len(led) != 1:
        return []
    return [
        led[0],
        next(re.sub(r"^(so|dann)\s+", "", piece) for piece in pieces if piece is not led[0]),
    ]


def _lower(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text) if word.islower())


def _words(text: str, names: Mapping[str, frozenset[int]]) -> list[Word]:
    return joined(tokens(text, apart=True), names)[0]


def _frame(words: Sequence[Word], lower: frozenset[str]) -> Frame | None:
    parts, loose = _parts(words, lower)
    if any(word in _JOINING for word in loose):
        return None
    auxiliary = next((word for word in loose if word in _PASSIVE), "")
    perfect = next((word for word in loose if word in _PERFECT), "")
    nominal = [part for part in parts if not part.lead and part.case != "other"]
    others = [part for part in parts if part.lead or part.case == "other"]
    plain = [word for word in loose if word not in (auxiliary, perfect)]
    verbs = [(word, read) for word in plain if (read := _stem(word, bool(auxiliary or perfect)))]
    if len(verbs) != 1:
        return _unread(nominal, others, loose)
    word, (stem, tense) = verbs[0]
    plain.remove(word)
    if (
        not stem.startswith("|")
        and plain
        and plain[-1] in _PARTICLES
        and not (auxiliary or perfect)
    ):
        stem = f"|{plain.pop()}|{stem}"
    if auxiliary:
        agents = [part for part in others if part.lead in ("von", "vom", "durch")]
        if len(nominal) != 1 or len(agents) > 1:
            return None
        others = [part for part in others if part not in agents]
        doer = agents[0].key if agents else ()
        return Frame(doer, nominal[0].key, stem, _PASSIVE[auxiliary], _rest(others, plain))
    if not 1 <= len(nominal) <= 2:
        return None
    doer, thing = _roles(nominal)
    return Frame(doer, thing, stem, "past" if perfect else tense, _rest(others, plain))


def _unread(nominal: Sequence[Part], others: Sequence[Part], loose: Sequence[str]) -> Frame | None:
    """A sentence whose verb isn't regular: the same words, and parts whose case doesn't show in the same order."""
    if not 1 <= len(nominal) <= 2:
        return None
    doer, thing = _roles(nominal)
    return Frame(doer, thing, "", "", _rest(others, loose))


def _roles(nominal: Sequence[Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if len(nominal) == 1:
        return (nominal[0].key, ()) if nominal[0].case != "object" else ((), nominal[0].key)
    first, second = nominal
    if first.case == "object" and second.case != "object":
        first, second = second, first
    return first.key, second.key


def _rest(parts: Sequence[Part], loose: Sequence[str]) -> frozenset[tuple[tuple[str, int], ...]]:
    counted = Counter(" ".join((part.lead, *part.key)) for part in parts)
    counted.update(loose)
    return frozenset({tuple(sorted(counted.items()))})


def _stem(word: str, participle: bool) -> tuple[str, str] | None:
    """The stem of a regular verb and its tense; None for what is none."""
    if (
        word in lists.FUNCTION["de"]
        or word in _PREPOSITIONS
        or len(word) < 4
        or word in lists.HEDGES
    ):
        return None
    if participle:
        found = _PARTICIPLE.fullmatch(word)
        if not found or not word.endswith("t"):
            return None
        return (f"|{found[1]}|{found[2]}" if found[1] else found[2]), "past"
    past = re.fullmatch(r"(\w+?)e?ten?", word)
    if past:
        return past[1], "past"
    now = re.fullmatch(r"(\w+?)e?t", word)
    return (now[1], "now") if now else None


def _parts(words: Sequence[Word], lower: frozenset[str]) -> tuple[list[Part], list[str]]:
    parts: list[Part] = []
    loose: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if not word.ids and (word.text in _PREPOSITIONS and _leads(words, at, lower)):
            end = _end(words, at + 1, lower)
            key = tuple(
                _key(one)
                for one in words[at + 1 : end]
                if one.text not in ("der", "die", "das", "den", "dem", "des")
            )
            negated = loose[-1:] == ["nicht"]
            if negated:
                loose.pop()
            parts.append(Part(key, f"{'nicht ' if negated else ''}{_whole(word.text)}", "other"))
            at = end
        elif not word.ids and word.text in _ARTICLES and _leads(words, at, lower):
            end = _end(words, at + 1, lower)
            own = ("ein",) if word.text.startswith("ein") else ()
            key = (*own, *(_key(one) for one in words[at + 1 : end]))
            parts.append(Part(key, "", _ARTICLES[word.text]))
            at = end
        elif _is_noun(word, lower):
            end = at + 1
            while (
                end < len(words)
                and _is_noun(words[end], lower)
                and not (word.ids and words[end].ids)
            ):
                end += 1
            parts.append(Part(tuple(_key(one) for one in words[at:end]), "", "open"))
            at = end
        else:
            loose.append(word.text)
            at += 1
    return parts, loose


def _whole(preposition: str) -> str:
    return {
        "im": "in",
        "ins": "in",
        "am": "an",
        "beim": "bei",
        "vom": "von",
        "zum": "zu",
        "zur": "zu",
    }.get(preposition, preposition)


def _leads(words: Sequence[Word], at: int, lower: frozenset[str]) -> bool:
    """Whether a noun or a number follows, with nothing but adjectives between."""
    return _end(words, at + 1, lower) > at + 1


def _end(words: Sequence[Word], start: int, lower: frozenset[str]) -> int:
    """Behind the last noun of the part that begins here; the start itself for none."""
    at = start
    while at < len(words) and not _is_noun(words[at], lower):
        text = words[at].text
        if text in _PREPOSITIONS or text in _PASSIVE or text in _PERFECT or (at - start > 3):
            return start
        at += 1
    if at >= len(words):
        return start
    while at < len(words) and _is_noun(words[at], lower):
        at += 1
    return at


def _is_noun(word: Word, lower: frozenset[str]) -> bool:
    if word.ids or word.text[:1].isdigit():
        return True
    known = (
        word.text in _ARTICLES or word.text in _PREPOSITIONS or word.text in lists.FUNCTION["de"]
    )
    return word.raw[:1].isupper() and not known and word.text not in lower


def _key(word: Word) -> str:
    return "#" + ",".join(map(str, sorted(word.ids))) if word.ids else word.text
