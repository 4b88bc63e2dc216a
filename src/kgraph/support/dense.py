"""Scripts without spaces: what can be told by characters, particles and endings."""

from __future__ import annotations

from kgraph.ontology import fold
from kgraph.support import words as lists
from kgraph.support.figures import figure_doubts
from kgraph.support.levels import Doubt, Reason
from kgraph.support.reading import Reading, Unit

_LEAST_SHARED = 0.1  # of a statement's pairs of characters
_TITLES = ("さん", "様", "氏", "くん", "君")


def dense_doubts(mine: Reading, theirs: Reading) -> list[Reason]:
    """What tells against a statement in Japanese or Chinese."""
    said, quoted = fold(mine.text), fold(theirs.text)
    if len(_plain(quoted)) <= 3 and len(_plain(said)) > 2 * len(_plain(quoted)):
        return [Reason(Doubt.SHORT, "", theirs.text)]
    doubts = figure_doubts(mine, theirs, "")
    pairs = _pairs(said)
    if pairs and not doubts and len(pairs & _pairs(quoted)) < _LEAST_SHARED * len(pairs):
        return [Reason(Doubt.NOTHING_IN_COMMON, mine.text, "")]
    strangers = [unit.word for unit in mine.units if unit.word.ids and not _met(unit, theirs)]
    rivals = [unit.word for unit in theirs.units if unit.word.ids and not _met(unit, mine)]
    if strangers and rivals:
        doubts.append(Reason(Doubt.ACTOR, strangers[0].raw, rivals[0].raw))
    doubts += _denied_otherwise(said, quoted)
    hedge = next((sign for sign in lists.HEDGING_SIGNS if sign in quoted), "")
    if hedge and not any(sign in said for sign in lists.HEDGING_SIGNS):
        doubts.append(Reason(Doubt.HEDGE, "", hedge))
    return doubts or _roles(mine, theirs)


def _denied_otherwise(said: str, quoted: str) -> list[Reason]:
    signs = next(
        ((one, other) for pair in lists.OPPOSITE_SIGNS for one, other in (pair, pair[::-1])
         if one in said and other not in said and other in quoted and one not in quoted), None)  # fmt: skip
    one, other = _denial(said), _denial(quoted)
    if bool(one) != bool(other):
        return [] if signs else [Reason(Doubt.NEGATION, one, other)]
    return [Reason(Doubt.NEGATION, *signs)] if signs else []


def _met(unit: Unit, other: Reading) -> bool:
    return any(unit.word.ids & its.word.ids for its in other.units)


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _pairs(text: str) -> set[str]:
    plain = _plain(text)
    return {plain[at : at + 2] for at in range(len(plain) - 1)}


def is_japanese(text: str) -> bool:
    return any("\u3040" <= char <= "\u30ff" for char in text)


def _denial(text: str) -> str:
    """The first sign that denies; Japanese shows it by endings, Chinese by signs before the word."""
    for sign in (*lists.NOT_DENYING_SIGNS, *lists.HEDGING_SIGNS):
        text = text.replace(sign, " ")
    signs = lists.NEGATING_ENDINGS if is_japanese(text) else lists.NEGATING_SIGNS
    return next((sign for sign in signs if sign in text), "")


def _roles(mine: Reading, theirs: Reading) -> list[Reason]:
    """Two things that have changed their particles, or in Chinese their places."""
    said, quoted = _marked(mine), _marked(theirs)
    if any((sign in mine.text) != (sign in theirs.text) for sign in ("れ", "被", "由", "もら")):
        return []  # another voice
    for one in said:
        for other in said:
            changed = quoted.get(one) == said[other] and quoted.get(other) == said[one]
            if one != other and said[one] != said[other] and changed:
                return [Reason(Doubt.DIRECTION, mine.text, theirs.text)]
    return []


def _marked(text: Reading) -> dict[int, str]:
    """Which particle follows each known thing; its place in Chinese, which has none."""
    japanese = is_japanese(text.text)
    found: dict[int, str] = {}
    for place, word in enumerate(text.words):
        if not word.ids:
            continue
        tail = "".join(one.text for one in text.words[place + 1 : place + 6])
        for title in _TITLES:
            tail = tail.removeprefix(title)
        mark = next(
            (one for one in ("より", "から") if tail.startswith(one)), tail[:1].replace("は", "が")
        )
        found.setdefault(min(word.ids), mark if japanese else str(len(found)))
    return found
