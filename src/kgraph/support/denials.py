"""What a text denies, and opposites: 'not tested' and 'tested', 'rose' and 'fell', 'switched on' and 'switched off'."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from kgraph.language.inflection import bases, same_word
from kgraph.support import words as lists
from kgraph.support.levels import Doubt, Reason
from kgraph.support.overlap import Overlap, meet, place_in, plain
from kgraph.support.quantities import is_number, is_temporal
from kgraph.support.reading import Reading, Segment, Unit
from kgraph.support.tokens import Word

_AUXILIARIES = frozenset(
    "do does did has have had will would shall should may might must can could not never to nt is are was were be been being am".split()
)
_TURNING = frozenset(("until", "before", "bis", "bevor"))
_TURNED = (
    ("before", "after"), ("after", "before"), ("to", "from"), ("from", "to"), ("vor", "nach"), ("nach", "vor"),
)  # fmt: skip
_PARTICLES = (("on", "off"), ("up", "down"), ("in", "out"), ("ein", "aus"), ("auf", "ab"))


def negation_doubts(mine: Reading, theirs: Reading, overlap: Overlap) -> list[Reason]:
    """Whether only one of the two denies what both speak of, or the one says the opposite of the other."""
    said, quoted = Denials(mine), Denials(theirs)
    if framed := _framed(mine, theirs):
        return [Reason(Doubt.NEGATION, *framed)]
    if turned := _turned(mine, theirs) or _particles(mine, theirs):
        return [Reason(Doubt.NEGATION, *turned)]
    if flipped := _opposite(mine, theirs):
        one, other = flipped
        cancelled = said.around(one) != quoted.around(other)
        excepted = _excepts(theirs) and not _excepts(mine)
        return [] if cancelled or excepted else [Reason(Doubt.NEGATION, one.raw, other.raw)]
    if _softened(mine, theirs) or any(
        meet(one.word, its) for one in mine.units for its in quoted.elliptic
    ):
        return []
    if direct := _denied_there(overlap, said, quoted):
        return [Reason(Doubt.NEGATION, *direct)]
    return (
        [Reason(Doubt.NEGATION, said.words, quoted.words)]
        if _outweighed(mine, overlap, said, quoted)
        else []
    )


def _outweighed(mine: Reading, overlap: Overlap, said: Denials, quoted: Denials) -> bool:
    """Whether more of what both speak of is denied by one alone than by both or neither. What an auxiliary leads decides by itself."""
    against = agree = 0.0
    for unit, others in overlap.pairs:
        if not others:
            continue
        same = any(quoted.denied(other) == said.denied(unit) for other in others)
        if is_led(unit, mine):
            return not same
        weight = 0.4 if unit.is_name else 2.0 if unit.word.past else 1.0
        agree, against = (agree + weight, against) if same else (agree, against + weight)
    return against > agree


def is_led(unit: Unit, text: Reading) -> bool:
    """Whether an auxiliary or a modal stands before it: it is what the statement says, and not what it speaks of."""
    return unit.at > 0 and not unit.is_name and plain(text.words[unit.at - 1], _AUXILIARIES)


def denial_in(segment: Segment) -> str:
    """The negator of a segment that denies it, '' where none does or two cancel each other."""
    places = list(_negators(segment))
    return segment.words[places[0]].raw if len(places) % 2 else ""


class Denials:
    """What a text denies: by segment, and directly behind a negator. ``elliptic``: of whom it is only said that they did not."""

    def __init__(self, text: Reading) -> None:
        self._denied: dict[int, bool] = {}
        self._around: dict[int, bool] = {}
        self._targets: set[int] = set()
        self.elliptic: list[Word] = []
        told: list[str] = []
        carried = False
        for number, segment in enumerate(text.segments):
            following = text.segments[number + 1] if number + 1 < len(text.segments) else None
            places = list(_negators(segment, following))
            told += [segment.words[place].raw for place in places]
            count = len(places) + (carried and segment.opener in ("that", "dass", "daß"))
            carried = len(places) % 2 == 1 and _is_of_knowing(segment)
            last = segment.words[-1] if segment.words else None
            if len(text.segments) > 1 and plain(last, ("not", "nt", "nicht")):
                self.elliptic += [unit.word for unit in segment.units]
            own = {id(segment.words[place]) for place in places}
            self._around |= {
                id(word): (count - (id(word) in own)) % 2 == 1 for word in segment.words
            }
            self._denied |= {unit.at: count % 2 == 1 for unit in segment.units}
            self._targets |= _targets(segment, places)
        self.words = " ".join(told)

    def denied(self, unit: Unit) -> bool:
        return self._denied.get(unit.at, False)

    def around(self, word: Word) -> bool:
        """Whether anything but the word itself denies its segment."""
        return self._around.get(id(word), False)

    def target(self, unit: Unit) -> bool:
        return unit.at in self._targets and self.denied(unit)


def _is_of_knowing(segment: Segment) -> bool:
    """'no evidence that …', 'did not say that …': what follows isn't said to be so."""
    return any(bases(word.text) & lists.NOT_FACTS for word in segment.words if not word.ids)


def _targets(segment: Segment, places: Sequence[int]) -> set[int]:
    found = set()
    for place in places:
        behind = [unit for unit in segment.units if place < place_in(segment, unit) <= place + 3]
        if behind:
            found.add(behind[0].at)
    return found


def _negators(segment: Segment, following: Segment | None = None) -> Iterator[int]:
    """Where words stand that deny the segment; ``following``: the one behind it."""
    words = segment.words
    text = " ".join(word.text for word in words)
    spared = sum(text.count(phrase) for phrase in lists.NOT_DENYING)
    turning = _turns(words) or (following is not None and _turns(following.words))
    bounds = _bounds(words)
    paired = any(plain(word, ("neither", "weder")) for word in words)
    for place, word in enumerate(words):
        if word.ids or (paired and word.text in ("nor", "noch")):
            continue  # 'neither … nor' denies once
        behind = words[place + 1] if place + 1 < len(words) else None
        phrase = f"{word.text} {behind.text}" if behind is not None else word.text
        denies = word.text in lists.NEGATORS or phrase in lists.NEGATING_PHRASES
        if denies and spared:
            spared -= 1
        elif (
            denies
            and word.text in ("not", "nt", "nicht")
            and (turning or any(place < at for at in bounds))
        ):
            continue  # 'not until ten' is at ten; 'not more than 100' is a bound, which is compared as such
        elif denies or _refuses(word, behind):
            yield place


def _turns(words: Sequence[Word]) -> bool:
    """'until ten', 'before the third quarter': with a negator before it, it tells when."""
    at = next((at for at, word in enumerate(words) if plain(word, _TURNING)), len(words))
    until = at < len(words) and words[at].text in ("until", "bis")
    return until or any(
        is_number(word.text) or is_temporal(word.text, word.raw) for word in words[at + 1 : at + 5]
    )


def _refuses(word: Word, following: Word | None) -> bool:
    """'failed to start', 'stopped writing'."""
    return (
        following is not None
        and bool(bases(word.text) & lists.REFUSALS)
        and (following.text == "to" or following.text.endswith("ing"))
    )


def _bounds(words: Sequence[Word]) -> list[int]:
    """Where 'more than 100' begins."""
    return [
        at for at, word in enumerate(words[:-2])
        if plain(word, ("more", "less", "fewer", "mehr", "weniger")) and plain(words[at + 1], ("than", "als"))
        and any(is_number(one.text) for one in words[at + 2 : at + 4])
    ]  # fmt: skip


def _denied_there(overlap: Overlap, said: Denials, quoted: Denials) -> tuple[str, str] | None:
    """A unit that is directly denied wherever the one text has it, and not in the other."""
    for unit, others in overlap.pairs:
        if not others:
            continue
        if all(quoted.target(other) for other in others) and not said.denied(unit):
            return unit.word.raw, f"{quoted.words} {others[0].word.raw}"
        if said.target(unit) and not any(quoted.denied(other) for other in others):
            return f"{said.words} {unit.word.raw}", others[0].word.raw
    return None


def _softened(mine: Reading, theirs: Reading) -> bool:
    """Whether one of the two denies in words that no list of negators has: 'drop support' for 'not support', 'everything else'."""
    one, other = (_forms(text, refusals=False) & lists.SOFT_DENIALS for text in (mine, theirs))
    return bool(one - other) or bool((other - one) & lists.COMPLEMENTS)


def _excepts(text: Reading) -> bool:
    return bool(_forms(text) & {"except", "excluding", "unless", "außer"})


def _forms(text: Reading, refusals: bool = True) -> set[str]:
    """All words in their base forms; without ``refusals`` those left out that count as negators themselves."""
    words = text.words
    return {
        form for word, following in zip(words, [*words[1:], None], strict=True)
        if not word.ids and (refusals or not _refuses(word, following))
        for form in bases(word.text)
    }  # fmt: skip


def _framed(mine: Reading, theirs: Reading) -> tuple[str, str] | None:
    """A frame of the statement that the quote hasn't: 'denied that', 'used to', 'had …, would have'; 'unless' for 'if'."""
    said = [word.text for word in mine.words]
    there = [word.text for word in theirs.words]
    for frame in (("used", "to"), ("would", "have")):
        if _has(said, frame) and not _has(there, frame) and "could" not in there:
            return " ".join(frame), ""
    quoted = _forms(theirs)
    if quoted & (lists.FRAMES | lists.SOFT_DENIALS) or any(
        place for segment in theirs.segments for place in _negators(segment)
    ):
        return None
    for word in mine.words:
        if not word.ids and bases(word.text) & lists.FRAMES:
            return word.raw, ""
    openers = {segment.opener for segment in mine.segments} | set(said[:1])
    held = {segment.opener for segment in theirs.segments} | set(there[:1])
    if "unless" in openers and "if" in held and "unless" not in held:
        return "unless", "if"
    if "if" in openers and "unless" in held and "if" not in held:
        return "if", "unless"
    return None


def _has(words: Sequence[str], frame: tuple[str, str]) -> bool:
    return any(pair == frame for pair in itertools.pairwise(words))


def _opposite(mine: Reading, theirs: Reading) -> tuple[Word, Word] | None:
    """A word of the statement and its opposite in the quote, while neither has the other's."""
    said = {form: word for word in mine.words if not word.ids for form in bases(word.text)}
    quoted = {form: word for word in theirs.words if not word.ids for form in bases(word.text)}
    for sides in lists.OPPOSITES:
        for one, other in (sides, sides[::-1]):
            here, there = one & said.keys(), other & quoted.keys()
            if here and there and not other & said.keys() and not one & quoted.keys():
                return said[min(here)], quoted[min(there)]
    for form, word in said.items():
        if len(form) <= 4 or form in quoted:
            continue
        for prefix in lists.NEGATING_PREFIXES:
            if prefix + form in quoted and prefix + form not in said:
                return word, quoted[prefix + form]
            bare = form.removeprefix(prefix)
            if bare != form and len(bare) > 4 and bare in quoted and bare not in said:
                return word, quoted[bare]
    return None


def _turned(mine: Reading, theirs: Reading) -> tuple[str, str] | None:
    """'before' and 'after' the same thing, 'to' and 'from' it."""
    for one, other in _TURNED:
        if _behind(mine, other) or _behind(theirs, one):
            continue
        said, quoted = _behind(mine, one), _behind(theirs, other)
        if (
            said
            and quoted
            and meet(said[0], quoted[0])
            and len(mine.quantities) == len(theirs.quantities)
        ):
            return f"{one} {said[0].raw}", f"{other} {quoted[0].raw}"
    return None


def _behind(text: Reading, preposition: str) -> list[Word]:
    """The first unit behind a preposition, in a list that is empty for none."""
    units = {id(unit.word) for unit in text.units}
    words = text.words
    place = next((at for at, word in enumerate(words) if plain(word, (preposition,))), -1)
    if place < 0:
        return []
    return [
        word for word in words[place + 1 : place + 5] if id(word) in units or is_number(word.text)
    ][:1]


def _particles(mine: Reading, theirs: Reading) -> tuple[str, str] | None:
    """'switched on' and 'switched off'."""
    for pair in _PARTICLES:
        for one, other in (pair, pair[::-1]):
            said, quoted, same = (
                _verbs_of(mine, one),
                _verbs_of(theirs, other),
                _verbs_of(theirs, one),
            )
            if any(same_word(a, b) for a in said for b in quoted) and not any(
                same_word(a, b) for a in said for b in same
            ):
                return one, other
    return None


def _verbs_of(text: Reading, particle: str) -> list[str]:
    words = text.words
    return [
        words[at - 1].text for at, word in enumerate(words)
        if at and plain(word, (particle,)) and not words[at - 1].ids
    ]  # fmt: skip
