"""The table of features for a pair of records."""

from __future__ import annotations

import math

from kgraph.language.inflection import stem
from kgraph.language.lists import stop_words_of_questions
from kgraph.resolve import attributes
from kgraph.resolve import vocabulary as known
from kgraph.resolve.attributes import Weights
from kgraph.resolve.likeness import Measures
from kgraph.resolve.names import Name
from kgraph.resolve.profiles import GENERIC, Corpus, Profile
from kgraph.resolve.records import Features, Record
from kgraph.resolve.relations import RELATIONS, Relation, relate, years
from kgraph.tuples import NamedTuple

_RANK = {kind: at for at, kind in enumerate(RELATIONS)}
_LONG = 4  # content words: from here on a name is a title, which is told from another by most of its words, not by one

_SEVERAL = (
    3  # neighbours each: with fewer, sharing none is what two mentions of one thing do as well
)
_CLASS_SIZE = 8  # unlike names with one description: more than one thing is likely to be called


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
    same_text = (
        bool(left.description.content) and left.description.folded == right.description.folded
    )
    # A remark in brackets tells namesakes apart; where the descriptions are equal it is only another way to say it.
    against = [
        reason
        for reason in relation.against
        if not (same_text and reason.startswith("the remarks"))
    ]
    against += _dated(left, right) + _qualifiers(one, two) + _linked(one, two)
    numbers = (
        frozenset.union(*(name.numbers for name in left.names)),
        frozenset.union(*(name.numbers for name in right.names)),
    )
    numbers_differ = bool(numbers[0] and numbers[1] and not numbers[0] & numbers[1])
    return Features(
        alias_overlap=_alias_overlap(left, right),
        same_source=bool(one.sources & two.sources),
        same_section=bool(one.sections & two.sections),
        neighbour_overlap=_overlap(one.neighbours - {two.id}, two.neighbours - {one.id}),
        description_agreement=agreement,
        name_likeness=_likeness(closest, relation, context),
        type_words=_type_words(relation),
        numbers_differ=numbers_differ
        or any(reason.startswith("the numbers") for reason in relation.against),
        years_differ=_years_differ(*numbers)
        or any(reason.startswith("the years") for reason in (*against, *told.years)),
        known_distinct=frozenset((one.id, two.id)) in context.distinct,
        relation=relation.kind,
        closest=(closest[0].text, closest[1].text),
        against=tuple(against),
        description_same=same_text,
        description_specific=left.description.specific and right.description.specific,
        description_common=same_text
        and context.corpus.bearers[left.description.folded] > _CLASS_SIZE,
        description_declares=_declares(left, right),
        description_names_other=_names_other(left, right),
        shared_words=shared,
        neighbours_telling=max(
            (2 / context.corpus.neighbour_counts[near] for near in one.neighbours & two.neighbours),
            default=0.0,
        ),
        neighbours_apart=min(len(one.neighbours), len(two.neighbours)) >= _SEVERAL
        and not one.neighbours & two.neighbours,
        words_telling=any(word not in GENERIC for word in shared),
        attribute_evidence=told.total,
        attributes_agree=told.agree,
        attributes_differ=told.differ,
        attributes_refuse=told.refuse,
        years_outweighed=told.outweighed and not _years_differ(*numbers),
        long_names=long_names,
    )


def _closest(left: Profile, right: Profile, context: Context) -> tuple[Relation, tuple[Name, Name]]:
    """The closest relation between any two of the names; what speaks against is taken from the shown names as well."""
    best = relate(left.names[0], right.names[0], context.measures.distance)
    closest = left.names[0], right.names[0]
    if len(left.names) == len(right.names) == 1 or _RANK[best.kind] <= _RANK["affix"]:
        return best, closest
    against = best.against
    for one in left.names:
        for two in right.names:
            found = relate(one, two, context.measures.distance)
            if _RANK[found.kind] < _RANK[best.kind]:
                best, closest = found, (one, two)
    # An alias that equals the other's name explains away what the shown names have against each other, but not a number.
    kept = (
        against
        if best.kind not in ("same", "form")
        else tuple(reason for reason in against if reason.startswith("the numbers"))
    )
    return best._replace(against=tuple(dict.fromkeys((*best.against, *kept)))), closest


def _likeness(closest: tuple[Name, Name], relation: Relation, context: Context) -> float:
    if relation.kind in ("same", "form"):
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
    rest = [sum(corpus.name_weight(word) for word in side) for side in relation.rest]
    full = [sum(corpus.name_weight(word) for word in name.core) for name in (one, two)]
    if relation.kind in ("affix", "spelling"):
        return 1.0 if relation.kind == "affix" else 0.95
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
    common = left.alias_keys & right.alias_keys
    shown = {"".join(one.names[0].tokens) for one in (left, right)}
    if not common or (len(shown) == 1 and common == shown):
        return 0.0
    return len(common) / min(len(left.alias_keys), len(right.alias_keys))


def _agreement(
    left: Profile, right: Profile, corpus: Corpus
) -> tuple[float | None, tuple[str, ...]]:
    """The share of what the two descriptions say that both say, and the words, rarest first. The names' own words say nothing new."""
    one, two = left.description.content, right.description.content
    if not one or not two:
        return None, ()
    if left.description.folded == right.description.folded:
        return 1.0, tuple(sorted(one, key=lambda word: (-corpus.telling_weight(word), word))[:6])
    names = left.name_stems | right.name_stems
    one, two = one - names, two - names
    if not one or not two:
        return None, ()
    common = one & two
    if not common:
        return 0.0, ()
    weigh = corpus.telling_weight
    total = sum(map(weigh, sorted(common)))
    sides = [sum(map(weigh, sorted(side))) for side in (one, two)]
    agreement = total / math.sqrt(sides[0] * sides[1])
    if min(len(one), len(two)) >= 3:
        agreement = max(agreement, 0.85 * total / min(sides))
    return min(1.0, agreement), tuple(sorted(common, key=lambda word: (-weigh(word), word))[:6])


def _declares(left: Profile, right: Profile) -> bool:
    """Whether a description calls its thing by the other's name: 'formerly …', 'also known as …'."""
    for one, two in ((left, right), (right, left)):
        if one.description.declared and {
            name.compact for name in two.names if len(name.compact) > 2
        } & set(one.description.declared):
            return True
    return False


def _names_other(left: Profile, right: Profile) -> bool:
    """Whether both have one description that names one of them.

    A text that names both speaks of two things ('Ann and Bob founded it'); one that names one of them speaks of that one.
    """
    text = left.description.folded
    return (
        bool(text)
        and text == right.description.folded
        and _is_named(left, text) != _is_named(right, text)
    )


def _is_named(one: Profile, text: str) -> bool:
    return any(
        f" {' '.join(name.core)} " in f" {text} "
        for name in one.names
        if len(name.compact) > 3 and _telling(name)
    )


def _telling(name: Name) -> bool:
    return any(
        word not in known.TYPE_WORDS
        and word not in stop_words_of_questions()
        and stem(word) not in known.TYPE_WORDS
        for word in name.core
    )


def _years_differ(left: frozenset[str], right: frozenset[str]) -> bool:
    one, two = years(left), years(right)
    return bool(one and two and not one & two)


def _dated(left: Profile, right: Profile) -> list[str]:
    """Numbers that stand beside the same word in both descriptions and are never equal: 'born 1946', 'born 1958'."""
    if left.description.folded == right.description.folded:
        return []
    mine: dict[str, set[str]] = {}
    for word, number in left.description.dated:
        mine.setdefault(word, set()).add(number)
    theirs: dict[str, set[str]] = {}
    for word, number in right.description.dated:
        theirs.setdefault(word, set()).add(number)
    found = []
    for word in sorted(mine.keys() & theirs.keys()):
        if not mine[word] & theirs[word]:
            kind = (
                "years"
                if years(frozenset(mine[word])) and years(frozenset(theirs[word]))
                else "figures"
            )
            found.append(
                f"the {kind} of '{word}' differ: {min(mine[word])} and {min(theirs[word])}"
            )
    return found


def _linked(one: Record, two: Record) -> list[str]:
    """No thing depends on itself, contains itself or replaces itself: an edge from one to the other is between two."""
    return (
        ["an edge leads from one to the other"]
        if one.id in two.neighbours or two.id in one.neighbours
        else []
    )


def _qualifiers(one: Record, two: Record) -> list[str]:
    """Qualifiers in words that were given to tell the two apart. One with a digit is a number given by a machine and tells nothing."""
    if (
        not one.qualifier
        or not two.qualifier
        or one.qualifier.casefold() == two.qualifier.casefold()
    ):
        return []
    if any(char.isdigit() for char in one.qualifier + two.qualifier):
        return []
    return [f"the qualifiers differ: {one.qualifier} and {two.qualifier}"]
