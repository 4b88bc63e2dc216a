"""The same statement with its parts in other places, and what a statement says besides: both in English, by closed classes alone.

A place is tried where grammar allows it, and the result is compared word by word: a wrong guess makes a sentence that nobody wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from kgraph.language.inflection import bases, is_participle
from kgraph.support import words as lists
from kgraph.support.tokens import MODALS, NEGATORS, PREPOSITIONS, Word

Words = tuple[Word, ...]
Turn = Callable[[Words], Iterator[Words]]

LONGEST_PART = 9  # words of a part that may stand elsewhere
MOST_ARRANGEMENTS = 80
DEEPEST = 3  # turns behind each other
_RELATIVE = frozenset(("that", "who", "which", "whom"))


def closure(words: Words, turns: Sequence[Turn]) -> list[Words]:
    """A statement in every arrangement that a few turns lead to, itself first."""
    found: dict[Words, None] = {words: None}
    level = [words]
    for _ in range(DEEPEST):
        fresh: list[Words] = []
        for one in level:
            for turn in turns:
                for other in turn(one):
                    if other not in found and len(found) < MOST_ARRANGEMENTS:
                        found[other] = None
                        fresh.append(other)
        level = fresh
    return list(found)


def is_plain(word: Word, *texts: str) -> bool:
    return not word.ids and word.text in texts


def fronted(words: Words) -> Iterator[Words]:
    """'In Oslo X fails', 'if A fails, B fails': what a preposition or conjunction leads, put at the end."""
    if not words or words[0].ids or words[0].text not in PREPOSITIONS:
        return
    for end in range(2, min(LONGEST_PART, len(words) - 1) + 1):
        rest = words[end + 1 :] if is_plain(words[end], "then") else words[end:]
        if len(rest) > 1:
            yield (*rest, *words[:end])


def led_in(words: Words) -> Iterator[Words]:
    """'In Oslo X failed' without the place that leads it in, which can be told where it is a name."""
    if len(words) > 4 and not words[0].ids and words[0].text in _PLACING and words[1].ids:
        rest = words[2:]
        if _happens(rest) and not is_risky(words):
            yield rest


def cleft(words: Words) -> Iterator[Words]:
    """'It was X that supplied Z', 'what X supplied was Z', 'the one who supplied Z is X'."""
    if len(words) < 4:
        return
    if is_plain(words[0], "it") and is_plain(words[1], "be") and not words[1].negation:
        for at in range(2, len(words) - 1):
            if not words[at].ids and words[at].text in _RELATIVE:
                part, rest = words[2:at], words[at + 1 :]
                yield (*part, *rest)
                yield (*rest, *part)
                break
    start = 1 if is_plain(words[0], "what", "who") else 0
    if is_plain(words[0], "one", "thing", "1") and not words[1].ids and words[1].text in _RELATIVE:
        start = 2
    for at in range(start + 1, len(words) - 1) if start else ():
        if is_plain(words[at], "be") and not words[at].negation:
            yield (*words[start:at], *words[at + 1 :])
            yield (*words[at + 1 :], *words[start:at])


def possessive(words: Words) -> Iterator[Words]:
    """'A's owner' as 'the owner of A'."""
    for at in range(1, len(words) - 1):
        if not is_plain(words[at], "'s"):
            continue
        for end in range(at + 2, min(at + 5, len(words)) + 1):
            named = (words[at + 1]._replace(definite=True), *words[at + 2 : end])
            yield (*words[: at - 1], *named, Word("of", "of"), words[at - 1], *words[end:])


def asked(words: Words) -> Iterator[Words]:
    """'Is X the owner of Z' as 'X is the owner of Z'."""
    if len(words) < 3 or words[0].ids or words[0].negation:
        return
    first = words[0]
    if first.text in ("has", "have", "had"):
        verb = next(
            (at for at, word in enumerate(words) if is_participle(word.text) and not word.ids), 0
        )
        if verb:
            yield (*words[1:verb], words[verb]._replace(past=True), *words[verb + 1 :])
    elif first.text == "be" or first.text in MODALS:
        for end in range(2, min(LONGEST_PART, len(words) - 1) + 1):
            yield (*words[1:end], first, *words[end:])


# -- what it says besides -------------------------------------------------------------------------------------------------------------

# With one of these a part can't be taken out of a sentence: it may be what makes the rest true.
_RISKY = (
    NEGATORS | MODALS | lists.HEDGES | lists.PARTIAL_TIMES | lists.PARTIAL_COUNTS | lists.UNIVERSAL | lists.REFUSALS | lists.SOFT_DENIALS
    | frozenset(
        "only just most least first last best worst either neither nor or both together respectively between than as like unlike such so too "
        "enough if unless whether because until except but without instead rather though although false true untrue wrong claim say tell "
        "report said told reported says claims reports denied denies deny ask asked asks order ordered want wants wanted need needs believe "
        "share shares shared equal equals differ differs combine combined merge merged total join joined meet met versus compare compared "
        "half twice double each other another same seem seems become becomes part member name names named call called calls dream theory "
        "principle fake former would-be alleged draft plan simulate simulated test rumour rumor story novel film fiction game "
        "ban bans banned block blocks blocked disable disabled disables lose loses lost miss missed "
        "forgot forget cancelled canceled postponed delay delayed refuse refused decline declined reject rejected"
        .split()
    )
)  # fmt: skip
_PLACING = frozenset(
    "in on at to from for with by during after near via through into onto over under across".split()
)


def is_risky(words: Sequence[Word]) -> bool:
    """Whether leaving something out of a sentence may change what the rest says."""
    for word in words:
        if word.negation or (not word.ids and (word.text in _RISKY or bases(word.text) & _RISKY)):
            return True
        if not word.ids and len(word.text) > 4 and word.text.endswith("est"):
            return True
    return False


def weaker(words: Words) -> Iterator[Words]:
    """What a sentence says besides itself: without the cause or time at its end, without a place or means, without half of an 'and'."""
    for at in range(2, len(words) - 1):
        if not words[at].ids and words[at].text in _FACTS and _happens(words[:at]):
            main = words[:at]
            if not is_risky(main):
                yield main
                yield from weaker(main)
            return
    if is_risky(words):
        return
    yield from _shortened(words)
    yield from _conjuncts(words)


_FACTS = frozenset(
    "because when while after before".split()
)  # behind them stands what the main clause doesn't hang on


def _happens(words: Sequence[Word]) -> bool:
    """Whether it tells what happened or was done; 'is the owner' says of what."""
    for at, word in enumerate(words):
        if word.ids:
            continue
        if word.past and word.text != "be":
            return True
        if word.text == "be" and at + 1 < len(words):
            verb = words[at + 1]
            return not verb.ids and is_participle(verb.text)
    return False


def _shortened(words: Words) -> Iterator[Words]:
    for at in range(len(words) - 2, 1, -1):
        word = words[at]
        if (
            word.ids
            or word.text not in _PLACING
            or (word.text == "to" and not _leads_to_thing(words[at + 1]))
        ):
            continue
        kept, dropped = words[:at], words[at:]
        if len(dropped) > LONGEST_PART or not _happens(kept):
            continue
        whole = sum(1 for one in kept if one.ids) > 1 or any(one.ids for one in dropped)
        if whole and any(one.ids for one in kept):
            yield kept


def _leads_to_thing(word: Word) -> bool:
    """'sent it to Oslo', not 'helped to start it'."""
    return bool(word.ids) or word.definite


def _conjuncts(words: Words) -> Iterator[Words]:
    """'X supplied Z and tested K' says that X supplied Z, and that X tested K; 'X failed and W restarted it' that X failed."""
    joints = [at for at, word in enumerate(words) if is_plain(word, "and")]
    if len(joints) != 1 or not words[0].ids:
        return
    at = joints[0]
    left, right = words[:at], words[at + 1 :]
    if len(left) < 2 or not right:
        return
    if not right[0].ids and (right[0].past or (right[0].text == "be" and len(right) > 1)):
        yield left  # two verbs of one subject
        if right[0].past or _happens(right):
            yield (words[0], *right)
    elif right[0].ids and len(right) > 1 and _happens(right) and _happens(left):
        yield left  # two sentences
        yield right
    elif right[0].ids and left[-1].ids and len(left) >= 3 and _happens(left) and len(right) == 1:
        yield left  # two objects
        yield (*left[:-1], *right)
