"""The table of features for a pair of records: how the names are related, what else speaks for it, and what against."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kgraph.language.folding import fold_accents
from kgraph.language.lists import stop_words_of_questions
from kgraph.resolve import attributes
from kgraph.resolve import vocabulary as known
from kgraph.resolve.attributes import Weights
from kgraph.resolve.likeness import Measures
from kgraph.resolve.names import Name
from kgraph.resolve.profiles import Corpus, Profile
from kgraph.resolve.records import Features, Likeness, Objection, Reason, Signal
from kgraph.resolve.relations import Relation, relate, written_alike, years
from kgraph.tuples import NamedTuple

_RANK = {kind: at for at, kind in enumerate(Likeness)}
_LONG = 4  # content words: from here on a name is a title, which is told from another by most of its words, not by one
_SEVERAL = (
    3  # neighbours each: with fewer, sharing none is what two mentions of one thing do as well
)
_FEW = 8  # records that have a neighbour; one that more have tells nothing
_SAYS = 3  # content words, from which on a description says which thing is meant
_WORDS_NEEDED = 2  # of two descriptions, before their agreeing is more than chance
_AGREES, _LEANS = 0.6, 0.34
_CLOSE = frozenset(Likeness) - {
    Likeness.PART,
    Likeness.NEAR,
    Likeness.EDITION,
    Likeness.SHARED,
    Likeness.NONE,
}

_OF_PEOPLE = {Reason.WORDS: Reason.PEOPLE}  # of a person's name every part counts


class Context(NamedTuple):
    """What comparing needs beside the two sides."""

    corpus: Corpus
    weights: Weights
    measures: Measures
    distinct: frozenset[frozenset[str]] = frozenset()


def compare(left: Profile, right: Profile, context: Context) -> Features:
    """Pure; symmetric but for the order in which things are named."""
    one, two = left.record, right.record
    relation, closest = _closest(left, right, context)
    long_names = all(
        sum(word not in stop_words_of_questions() for word in name.core) >= _LONG
        for name in closest
    )
    agreement, shared = _agreement(left, right, context.corpus)
    told = attributes.evidence(left, right, context.weights)
    stated = _stated(left, right, context.corpus)
    identifiers = _identifiers(left, right, relation, context.corpus)
    numbers = (
        frozenset.union(*(name.numbers for name in left.names)),
        frozenset.union(*(name.numbers for name in right.names)),
    )
    against = [*relation.against, *_against(left, right, context, stated)]
    if "person" in (one.kind, two.kind):
        against = [
            said._replace(reason=_OF_PEOPLE.get(said.reason, said.reason)) for said in against
        ]
    if told.years and not told.outweighed:
        against += [Objection(Reason.YEARS, *found) for found in told.years]
    return Features(
        alias_overlap=_alias_overlap(left, right),
        same_source=bool(one.sources & two.sources),
        same_section=bool(one.sections & two.sections),
        neighbour_overlap=_overlap(one.neighbours - {two.id}, two.neighbours - {one.id}),
        description_agreement=agreement,
        name_likeness=_likeness(closest, relation, context),
        type_words=_type_words(relation),
        numbers_differ=bool(numbers[0] and numbers[1] and not numbers[0] & numbers[1])
        or any(reason.reason is Reason.NUMBERS for reason in relation.against),
        years_differ=_years_differ(*numbers)
        or bool(told.years)
        or any(reason.reason is Reason.DATED for reason in against),
        known_distinct=any(reason.reason is Reason.DISTINCT for reason in against),
        relation=relation.kind,
        closest=(closest[0].text, closest[1].text),
        signals=tuple(
            _signals(
                left,
                right,
                context.corpus,
                (relation, closest),
                (agreement, shared),
                (stated, bool(identifiers)),
            )
        ),
        against=tuple(dict.fromkeys(against)),
        identifiers=identifiers,
        shared_words=shared,
        attribute_evidence=told.total,
        attributes_agree=told.agree,
        attributes_differ=told.differ,
        attributes_refuse=told.refuse,
        long_names=long_names,
        part_of_name=_is_part(left.names[0], right.names[0]),
    )


def _is_part(left: Name, right: Name) -> bool:
    one, two = set(left.tokens), set(right.tokens)
    return one < two or two < one


def _signals(
    left: Profile,
    right: Profile,
    corpus: Corpus,
    named: tuple[Relation, tuple[Name, Name]],
    described: tuple[float | None, tuple[str, ...]],
    proved: tuple[bool, bool],
) -> Iterator[Signal]:
    one, two = left.record, right.record
    if proved[1]:
        yield Signal.IDENTIFIER
    if proved[0]:
        yield Signal.STATED_ALIAS
    if written_alike(*named[1]):
        yield Signal.WRITTEN_ALIKE
    yield from _described(left, right, corpus, *described)
    near = (one.neighbours - one.statements) & (two.neighbours - two.statements)
    if not one.statements & two.statements and any(
        corpus.neighbour_counts[name] <= _FEW for name in near
    ):
        yield Signal.NEIGHBOUR
    ends = one.neighbours & two.neighbours
    if min(len(one.neighbours), len(two.neighbours)) >= _SEVERAL and not ends:
        yield Signal.NEIGHBOURS_APART


def _described(
    left: Profile, right: Profile, corpus: Corpus, agreement: float | None, shared: tuple[str, ...]
) -> Iterator[Signal]:
    """What the two descriptions say. One that several things have says of what kind they are, not which one; and one that is the
    sentence in which both stand says nothing at all."""
    if agreement is None:
        return
    if left.description.folded == right.description.folded:
        several = corpus.bearers.get(left.description.folded, 0) > 2
        if not several and not left.record.statements & right.record.statements:
            yield Signal.SAME_DESCRIPTION if len(shared) >= _SAYS else Signal.DESCRIPTIONS_LEAN
        return
    enough = len(shared) >= _WORDS_NEEDED
    if agreement >= _AGREES and enough:
        yield Signal.DESCRIPTIONS_AGREE
    elif (agreement >= _LEANS and enough) or agreement >= _AGREES:
        yield Signal.DESCRIPTIONS_LEAN
    elif agreement == 0 and all(len(side.description.content) >= _SAYS for side in (left, right)):
        yield Signal.DESCRIPTIONS_DIFFER


def _stated(left: Profile, right: Profile, corpus: Corpus) -> bool:
    """Whether a source calls one of them by the other's name: as an alias that no third one has, or in a description."""
    if left.record.name.startswith("-") != right.record.name.startswith("-"):
        return False  # an option of a command and the word without its dashes
    for one, two in ((left, right), (right, left)):
        name = " ".join(one.record.name.casefold().split())
        own = " ".join(two.record.name.casefold().split())
        given = {" ".join(alias.casefold().split()) for alias in two.record.aliases}
        shown = " ".join(fold_accents(one.record.name).split())
        if name != own and name in given and corpus.spelt.get(shown, 0) <= 2:
            return True
        if shown in two.description.declared and corpus.spelt.get(shown, 0) <= 1:
            return True
    return False


def _identifiers(
    left: Profile, right: Profile, relation: Relation, corpus: Corpus
) -> tuple[str, ...]:
    """The identifiers that these two alone have. A web address is often that of something near, so the names have to be close too."""
    return tuple(
        identifier
        for identifier in sorted(left.identifiers & right.identifiers)
        if corpus.identified[identifier] <= 2
        and (relation.kind in _CLOSE or not identifier.startswith("url:"))
    )


def _against(left: Profile, right: Profile, context: Context, stated: bool) -> Iterator[Objection]:
    one, two = left.record, right.record
    if frozenset((one.id, two.id)) in context.distinct:
        yield Objection(Reason.DISTINCT)
    if one.kind and two.kind and one.kind.casefold() != two.kind.casefold():
        yield Objection(Reason.KINDS, one.kind, two.kind)
    if (
        one.qualifier
        and two.qualifier
        and one.qualifier.casefold() != two.qualifier.casefold()
        and not context.corpus.keyed
    ):
        yield Objection(Reason.QUALIFIERS, one.qualifier, two.qualifier)
    for kind in ("orcid:", "doi:"):
        sides = [
            [name for name in side.identifiers if name.startswith(kind)] for side in (left, right)
        ]
        if all(sides) and not set(sides[0]) & set(sides[1]):
            yield Objection(Reason.IDENTIFIERS, min(sides[0]), min(sides[1]))
    if one.id in two.neighbours or two.id in one.neighbours:
        yield Objection(Reason.LINKED)
    together = len(one.statements & two.statements)
    if together > stated:  # the sentence that calls one by the other's name has to name both
        yield Objection(Reason.TOGETHER)
    yield from _dated(left, right)
    common = set(left.spellings & right.spellings)
    for name in (one.name, two.name):
        common.discard(" ".join(fold_accents(name).split()))
    if common and not stated:
        # Two things that share an alias and not a name: the alias means one now and the other then.
        yield Objection(Reason.SHARED_ALIAS, min(common))


def _closest(left: Profile, right: Profile, context: Context) -> tuple[Relation, tuple[Name, Name]]:
    """The closest relation between any two of the names; what speaks against is taken from the shown names as well."""
    best = relate(left.names[0], right.names[0], context.measures.distance)
    closest = left.names[0], right.names[0]
    if len(left.names) == len(right.names) == 1 or _RANK[best.kind] <= _RANK[Likeness.AFFIX]:
        return best, closest
    against = best.against
    for one in left.names:
        for two in right.names:
            found = relate(one, two, context.measures.distance)
            if _RANK[found.kind] < _RANK[best.kind]:
                best, closest = found, (one, two)
    # A name that is the other's alias explains away that the shown names differ in words, but not a number or a person's name.
    shown = {left.names[0].text, right.names[0].text} & {closest[0].text, closest[1].text}
    explained = best.kind in (Likeness.SAME, Likeness.FORM) and shown
    kept = tuple(
        one for one in against if not explained or one.reason in (Reason.NUMBERS, Reason.CODES)
    )
    return best._replace(against=tuple(dict.fromkeys((*best.against, *kept)))), closest


def _likeness(closest: tuple[Name, Name], relation: Relation, context: Context) -> float:
    if relation.kind in (Likeness.SAME, Likeness.FORM, Likeness.ORDER):
        return 1.0
    one, two = closest
    if len(one.core) >= _LONG or len(two.core) >= _LONG:
        return _weighted(one, two, relation, context.corpus)
    longest = max(len(one.compact), len(two.compact))
    edits = 1 - context.measures.distance(one.compact, two.compact) / longest
    return max(
        edits,
        context.measures.jaro_winkler(one.compact, two.compact),
        _weighted(one, two, relation, context.corpus),
    )


def _weighted(one: Name, two: Name, relation: Relation, corpus: Corpus) -> float:
    """The share of the names' words that both have, rare words counting more; spelling variants count as had."""
    if relation.kind in (Likeness.AFFIX, Likeness.SPELLING):
        return 1.0 if relation.kind is Likeness.AFFIX else 0.95
    rest = [sum(corpus.name_weight(word) for word in side) for side in relation.rest]
    full = [sum(corpus.name_weight(word) for word in name.core) for name in (one, two)]
    common = max(0.0, (full[0] - rest[0] + full[1] - rest[1]) / 2)
    return common / math.sqrt(full[0] * full[1]) if all(full) else 0.0


def _type_words(relation: Relation) -> bool:
    """Whether all that only one side has are words for kinds of thing."""
    rest = [word for side in relation.rest for word in side]
    return bool(rest) and all(word in known.TYPE_WORDS for word in rest)


def _overlap(left: frozenset[str], right: frozenset[str]) -> float | None:
    if not left or not right:
        return None
    return len(left & right) / min(len(left), len(right))


def _alias_overlap(left: Profile, right: Profile) -> float:
    """The share of spellings that both have, an alias among them: that two shown names are equal is no overlap of aliases."""
    common = left.spellings & right.spellings
    shown = {" ".join(fold_accents(one.record.name).split()) for one in (left, right)}
    if not common or (len(shown) == 1 and common == shown):
        return 0.0
    return len(common) / min(len(left.spellings), len(right.spellings))


def _agreement(
    left: Profile, right: Profile, corpus: Corpus
) -> tuple[float | None, tuple[str, ...]]:
    """The share of what the two descriptions say that both say, and the words, rarest first. The names' own words say nothing new."""
    one, two = left.description.content, right.description.content
    if not one or not two:
        return None, ()
    weigh = corpus.description_weight
    if left.description.folded == right.description.folded:
        return 1.0, tuple(sorted(one, key=lambda word: (-weigh(word), word))[:6])
    names = left.name_stems | right.name_stems
    one, two = one - names, two - names
    if not one or not two:
        return None, ()
    common = one & two
    if not common:
        return 0.0, ()
    total = sum(map(weigh, sorted(common)))
    sides = [sum(map(weigh, sorted(side))) for side in (one, two)]
    agreement = total / math.sqrt(sides[0] * sides[1])
    if min(len(one), len(two)) >= _SAYS:
        agreement = max(agreement, 0.85 * total / min(sides))
    return min(1.0, agreement), tuple(sorted(common, key=lambda word: (-weigh(word), word))[:6])


def _years_differ(left: frozenset[str], right: frozenset[str]) -> bool:
    one, two = years(left), years(right)
    return bool(one and two and not one & two)


def _dated(left: Profile, right: Profile) -> Iterator[Objection]:
    """Numbers that stand beside the same word in both descriptions and are never equal: 'born 1946', 'born 1958'."""
    if left.description.folded == right.description.folded:
        return
    sides: list[dict[str, set[str]]] = [{}, {}]
    for side, profile in zip(sides, (left, right), strict=True):
        for word, number in profile.description.dated:
            side.setdefault(word, set()).add(number)
    mine, theirs = sides
    for word in sorted(mine.keys() & theirs.keys()):
        if not mine[word] & theirs[word]:
            both = years(frozenset(mine[word])) and years(frozenset(theirs[word]))
            shown = f"{min(mine[word])} and {min(theirs[word])}"
            yield Objection(Reason.DATED if both else Reason.FIGURES, f"'{word}'", shown)
