"""Typed edges held against their words: are both ends there, in the order that the relation has?"""

from __future__ import annotations

from collections.abc import Sequence

from kgraph.language.inflection import bases, is_participle, verb_forms
from kgraph.ontology import fold
from kgraph.support import words as lists
from kgraph.support.denials import denial_in
from kgraph.support.hedging import hedge_in
from kgraph.support.judge import LONGEST
from kgraph.support.levels import UNJUDGED, Doubt, Level, Reason, Support
from kgraph.support.overlap import names_meet
from kgraph.support.reading import Names, Reading, Segment, Unit, language_of, read
from kgraph.support.tokens import BE
from kgraph.tuples import NamedTuple


class Ends(NamedTuple):
    """A typed edge as it is judged: its predicate, its kind, and all names of its two ends."""

    predicate: str
    kind: str
    source: Sequence[str]
    target: Sequence[str]


def judge_relation(edge: Ends, quote: str, names: Names) -> Support:
    """Whether a quote carries a typed edge. A mention is carried by its name."""
    if not quote.strip():
        return UNJUDGED
    own = dict(names)
    own |= {fold(name): frozenset((-1,)) for name in edge.source}
    own |= {fold(name): frozenset((-2,)) for name in edge.target}
    text = read(quote[:LONGEST], own)
    source, target = _places(text, edge.source, -1), _places(text, edge.target, -2)
    if edge.predicate == "MENTIONS":
        return Support(Level.STATED if target else Level.PLAUSIBLE)
    if edge.predicate not in lists.RELATIONS:
        return UNJUDGED
    if text.dense:
        return Support(Level.PLAUSIBLE)
    if len(text.units) + len(text.quantities) < 2:
        return _doubtful(Doubt.SHORT, "", quote.strip())
    if not source and not target:
        return _doubtful(Doubt.NOTHING_IN_COMMON, f"{edge.source[0]}, {edge.target[0]}", "")
    if not source or not target:
        return Support(Level.PLAUSIBLE)
    for segment in text.segments:
        if (denial := denial_in(segment)) and _both(segment, source, target):
            return _doubtful(Doubt.NEGATION, "", denial)
        if (hedge := hedge_in(segment)) and _both(segment, source, target):
            return _doubtful(Doubt.HEDGE, "", hedge)
    return _directed(edge, text, (source, target))


def _doubtful(doubt: Doubt, said: str, quoted: str) -> Support:
    return Support(Level.DOUBTFUL, (Reason(doubt, said, quoted),))


def _places(text: Reading, names: Sequence[str], number: int) -> list[Unit]:
    exact = [unit for unit in text.units if number in unit.word.ids]
    if exact:
        return exact
    return [
        unit
        for unit in text.units
        if not unit.word.ids and any(names_meet(unit.word.raw, name) for name in names)
    ]


def _both(segment: Segment, source: list[Unit], target: list[Unit]) -> bool:
    return any(unit in segment.units for unit in source) and any(
        unit in segment.units for unit in target
    )


def _directed(edge: Ends, text: Reading, ends: tuple[list[Unit], list[Unit]]) -> Support:
    """The relation's own words between the two, read in their voice. Other words leave it plausible."""
    source, target = ends
    forward, backward = lists.RELATIONS[edge.predicate]
    if edge.kind:
        forward = forward | bases(edge.kind.casefold())
    verdicts: list[bool] = []
    for segment in text.segments:
        mine = [unit.at for unit in source if unit in segment.units]
        its = [unit.at for unit in target if unit in segment.units]
        start = (
            segment.units[0].at
            - next(at for at, word in enumerate(segment.words) if word is segment.units[0].word)
            if segment.units
            else 0
        )
        for place, word in enumerate(segment.words):
            said = bases(word.text)
            if word.ids or not said & (forward | backward):
                continue
            left = [at for at in (*mine, *its) if at < start + place]
            right = [at for at in (*mine, *its) if at > start + place]
            if not left or not right:
                continue
            first, second = max(left), min(right)
            if (first in mine) == (second in mine):
                continue
            straight = first in mine
            swapped = bool(said & backward) != _is_passive(segment, place)
            verdicts.append(straight != swapped)
    if any(verdicts):
        return Support(Level.STATED)
    if verdicts and language_of(text.text) != "de":
        return _doubtful(
            Doubt.DIRECTION,
            f"{edge.source[0]} {edge.predicate} {edge.target[0]}",
            text.text.strip(),
        )
    return Support(Level.PLAUSIBLE)


def _is_passive(segment: Segment, place: int) -> bool:
    """'is used by': a participle behind a form of 'be', or with 'by' behind it."""
    word = segment.words[place]
    after = [one.text for one in segment.words[place + 1 : place + 4]]
    before = [one.text for one in segment.words[max(0, place - 3) : place]]
    if not is_participle(word.text):
        return False
    by = "by" in after or "von" in after
    return by or (
        any(text in BE for text in before) and not {"on", "from", "to", "of", "with"} & set(after)
    )


def is_relation_word(text: str) -> bool:
    """Whether a folded word says how things are related, and isn't one of them: 'depends', 'owner', 'supplied'."""
    forms = bases(text) | ({text[:-2], text[:-1]} if text.endswith(("er", "or")) else set())
    return (
        bool(forms & _RELATING)
        or text in verb_forms()
        or bool(forms & verb_forms() and text.endswith(("er", "or")))
    )


_RELATING = frozenset(
    word for forward, backward in lists.RELATIONS.values() for word in (*forward, *backward)
) | frozenset(
    "relate related relation connect connected connection link linked depend dependent dependency owner call cause".split()
)


def parts(statement: str) -> bool:
    """Whether a statement says that what it names is unrelated: no way leads through it."""
    for segment in read(statement, {}).segments:
        said = {form for word in segment.words for form in bases(word.text)}
        if said & _PARTED or (said & _TIED and denial_in(segment)):
            return True
    return False


_PARTED = frozenset("unrelated unconnected unlinked disconnected independent independently".split())
_TIED = frozenset(
    "relate related relation connect connected connection link linked associate associated join tie depend use need require".split()
)
