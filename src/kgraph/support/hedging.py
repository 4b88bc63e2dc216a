"""Limits of a quote that a statement leaves out: may, planned, some, if, he claims that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgraph.support import words as lists
from kgraph.support.levels import Doubt, Reason
from kgraph.support.overlap import Overlap, plain
from kgraph.support.reading import Reading, Segment
from kgraph.support.tokens import BE, Word

_MODALS = frozenset(
    "will can could should must may might would shall ought wird werden kann soll".split()
)
_NOUNS = frozenset(
    "provided claim claims candidate plan plans proposal potential estimate aim aims attempt wish hope".split()
)
# With one of these a statement keeps that somebody says or wants it, or when it holds.
_KEEPING = lists.PARTIAL_TIMES | frozenset(
    "can must will shall when needs need required target goal says said reported according disputes disputed denies denied rejects warns told "
    "muss kann wird werden laut behauptet".split()
)


def hedge_doubts(mine: Reading, theirs: Reading, overlap: Overlap) -> list[Reason]:
    """The first limit of the quote that the statement hasn't."""
    own = _own(mine, theirs)
    limit = (
        _made_universal(mine, theirs) or _modal_raised(mine, theirs) or _modal_dropped(mine, theirs, overlap)
        or ("" if _is_hedged(own) else _dropped(theirs, overlap))
    )  # fmt: skip
    return [Reason(Doubt.HEDGE, "", limit)] if limit else []


def _own(mine: Reading, theirs: Reading) -> list[Word]:
    """The statement's words but those that the quote has too, unless they hedge: only another word can stand for a hedge left out."""
    quoted = {word.text for word in theirs.words}
    return [
        word
        for word in mine.words
        if word.text not in quoted or word.text in lists.HEDGES | lists.PARTIAL_TIMES
    ]


def _modal_raised(mine: Reading, theirs: Reading) -> str:
    """'must' of what 'may' be."""
    if not any(plain(word, lists.STRONG_MODALS) for word in mine.words):
        return ""
    if any(plain(word, lists.STRONG_MODALS) for word in theirs.words):
        return ""
    weak = [word for word in theirs.words if plain(word, lists.WEAK_MODALS) and _is_modal(word)]
    return weak[0].raw if weak and weak[0].text in ("may", "might") else ""


def hedge_in(segment: Segment) -> str:
    """The first word of a segment that hedges it, '' for none."""
    return next((word.raw for word in _hedges(segment.words)), "")


def _made_universal(mine: Reading, theirs: Reading) -> str:
    """Of some, all; of about a third, exactly a third."""
    said, quoted = (
        {word.text for word in text.words if plain(word, lists.UNIVERSAL)}
        for text in (mine, theirs)
    )
    if not said - quoted or quoted - said or _first(mine, lists.PARTIAL_COUNTS - {"%"}):
        return ""
    return _first(theirs, lists.PARTIAL_COUNTS | lists.PARTIAL_TIMES | lists.APPROXIMATE)


def _modal_dropped(mine: Reading, theirs: Reading, overlap: Overlap) -> str:
    """A modal before a verb of the quote that the statement tells as done: 'can be used' is not 'was used'."""
    words = theirs.words
    if any(_is_modal(word) for word in mine.words) or _is_hedged(mine.words):
        return ""
    for unit, others in overlap.pairs:
        if not others or not unit.word.past or unit.is_name:
            continue
        near = [words[max(0, other.at - 3) : other.at] for other in others]
        modals = [next((word.raw for word in some if _is_modal(word)), "") for some in near]
        if all(modals) and not any(
            plain(word, ("to", "not", "nt")) for some in near for word in some[-2:]
        ):
            return modals[0]
    return ""


def _is_modal(word: Word) -> bool:
    return plain(word, _MODALS) and not (word.text == "may" and word.raw[:1].isupper())


def _dropped(theirs: Reading, overlap: Overlap) -> str:
    """A hedge of the segment that the statement repeats, of one that governs it, or a condition of which nothing is left."""
    shares = [sum(overlap.taken(unit) for unit in segment.units) for segment in theirs.segments]
    best = max(shares, default=0)
    for number, segment in enumerate(theirs.segments):
        following = theirs.segments[number + 1] if number + 1 < len(theirs.segments) else None
        opens = following.opener if following is not None else ""
        hedge = next((word.raw for word in _hedges(segment.words, opens)), "")
        if not hedge or not best:
            continue
        if segment.opener in ("if", "unless", "wenn", "falls"):
            if _is_unconditional(theirs, number, shares):
                return f"{segment.opener} …"
        elif (
            not any(_outdoes(theirs, at, number, shares) for at in range(len(shares)))
            or opens in ("that", "dass", "daß")
            and shares[number + 1] * 2 >= best
        ):
            return hedge
    return ""


def _is_unconditional(theirs: Reading, number: int, shares: Sequence[int]) -> bool:
    """Whether the statement has what a condition governs and nothing of the condition, or the condition alone."""
    others = [share for at, share in enumerate(shares) if at != number]
    if shares[number]:
        return len(shares) > 1 and not any(others)
    governed = [
        share for at, share in enumerate(shares)
        if at != number and theirs.segments[at].sentence == theirs.segments[number].sentence
    ]  # fmt: skip
    return max(governed, default=0) * 2 >= max(shares)


def _outdoes(theirs: Reading, at: int, number: int, shares: Sequence[int]) -> bool:
    """Whether the statement rather repeats another segment, one without a hedge."""
    opens = theirs.segments[at + 1].opener if at + 1 < len(theirs.segments) else ""
    hedged = any(True for _ in _hedges(theirs.segments[at].words, opens))
    return not hedged and (
        shares[at] > shares[number] or (shares[at] == shares[number] and at < number)
    )


def _is_hedged(words: Sequence[Word]) -> bool:
    return any(True for _ in _hedges(words)) or any(plain(word, _KEEPING) for word in words)


def _hedges(words: Sequence[Word], opens: str = "") -> Iterator[Word]:
    """The words that hedge. ``opens``: the conjunction behind the last of them."""
    for place, word in enumerate(words):
        if word.ids or (word.text in ("may", "will") and word.raw[:1].isupper() and place):
            continue
        following = words[place + 1].text if place + 1 < len(words) else opens
        if word.text in lists.HEDGES_OF_FACT and following in ("not", "nt"):
            continue
        if word.text in ("almost", "nearly", "fast") and following[:1].isdigit():
            continue
        if word.text.startswith(("appear", "seem")) and following not in ("to", "that", "not"):
            continue
        if word.text in _NOUNS and following not in ("that", "to"):
            continue
        if (
            word.text in lists.HEDGES
            or word.text in lists.PARTIAL_TIMES
            or word.text == "said"
            and place
            and words[place - 1].text in BE
        ):
            yield word


def _first(text: Reading, some: frozenset[str]) -> str:
    return next((word.raw for word in text.words if plain(word, some)), "")
