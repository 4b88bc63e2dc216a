"""Who does it to whom: names that stand in each other's place, and others in their stead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kgraph.language.inflection import agent_of, bases, is_participle
from kgraph.support import words as lists
from kgraph.support.denials import is_led
from kgraph.support.levels import Doubt, Reason
from kgraph.support.overlap import Overlap, any_meet, is_preposition, meet, place_in, plain
from kgraph.support.quantities import is_number
from kgraph.support.reading import Reading, Segment, Unit, is_name_like, language_of
from kgraph.support.tokens import BE, Word
from kgraph.tuples import NamedTuple

_ARTICLES = frozenset("a an the der die das den dem des ein eine einen einem einer".split())
_AFTER_NOUNS = frozenset("has had will can could must may might should would".split())


# -- another name ---------------------------------------------------------------------------------------------------------------------


def actor_doubts(mine: Reading, theirs: Reading, overlap: Overlap) -> list[Reason]:
    """A name of the statement that the quote hasn't, where the quote names another in its stead; or another thing in its very place."""
    strangers = [one for one in overlap.missing if one.is_name and not _opens_sentence(one, mine)]
    rivals = [
        unit for unit in theirs.units
        if unit.is_name and not overlap.taken(unit) and not _opens_sentence(unit, theirs)
    ]  # fmt: skip
    if strangers and rivals:
        told = strangers[1:] if _speaks_of_it(theirs, rivals[0].at) else strangers
        if told:
            return [Reason(Doubt.ACTOR, told[0].word.raw, rivals[0].word.raw)]
    alone = len(strangers) * 2 >= len(mine.units) and not _leaves_open(theirs)
    if strangers and not rivals and alone:
        return [Reason(Doubt.ACTOR, strangers[0].word.raw, "")]
    if len(overlap.missing) == 1 and overlap.share >= 0.6:
        other = _in_its_place(overlap.missing[0], mine, theirs, overlap)
        if other is not None:
            return [Reason(Doubt.ACTOR, overlap.missing[0].word.raw, other.word.raw)]
    return []


def _opens_sentence(unit: Unit, text: Reading) -> bool:
    """Whether its capital says nothing: an unknown word that begins a sentence; any noun of a German one."""
    word = unit.word
    if word.ids or " " in word.raw or any(char.isdigit() for char in word.raw):
        return False
    if len(word.raw) > 1 and any(char.isupper() for char in word.raw[1:]):
        return False
    begun: set[int] = set()
    for segment in text.segments:
        first = segment.sentence not in begun
        begun.add(segment.sentence)
        if first and segment.words and segment.words[0] is word:
            return not _is_subject(segment, text)
    return language_of(text.text) == "de"


def _is_subject(segment: Segment, text: Reading) -> bool:
    """Whether the first word of a sentence is a name: a finite verb follows at once, or it has its capital within the text, too."""
    first = segment.words[0]
    if any(word.raw == first.raw for word in text.words if word is not first):
        return True
    if len(segment.words) == 1:
        return True
    following = segment.words[1]
    plural = first.text.endswith("s") and not first.text.endswith("ss")
    if (
        plural
        or is_participle(first.text)
        or first.text.endswith(("ing", "ly"))
        or first.text in lists.FUNCTION["en"]
    ):
        return False
    return (
        following.past
        or plain(following, tuple(BE))
        or plain(following, _AFTER_NOUNS)
        or following.text.endswith("s")
    )


def _speaks_of_it(theirs: Reading, rival: int) -> bool:
    """Whether a pronoun that comes before any other name may stand for the missing one."""
    return any(plain(word, lists.PERSONAL) for word in theirs.words[:rival])


def _leaves_open(theirs: Reading) -> bool:
    """Whether the quote itself leaves open of whom it speaks: a pronoun, a definite noun, no agent, or no sentence at all."""
    if any(plain(word, lists.PRONOUNS | lists.DEFINITE) for word in theirs.words):
        return True
    return not any(unit.is_name for unit in theirs.units) or len(theirs.units) < 3


def _in_its_place(unit: Unit, mine: Reading, theirs: Reading, overlap: Overlap) -> Unit | None:
    """The unit that stands in the quote between the same words; verbs apart, which are put in other words more than things are."""
    if _may_be_verb(unit, mine):
        return None
    here = _beside(unit, mine)
    for other in theirs.units:
        if overlap.taken(other) or _may_be_verb(other, theirs):
            continue
        if all(_same(one, its) for one, its in zip(here, _beside(other, theirs), strict=True)):
            return other
    return None


def _may_be_verb(unit: Unit, text: Reading) -> bool:
    if unit.is_name:
        return False
    word, before = unit.word, text.words[unit.at - 1] if unit.at else None
    behind_name = before is not None and (bool(before.ids) or before.text == "and")
    return word.past or word.text.endswith(("ed", "ing")) or behind_name or is_led(unit, text)


def _beside(unit: Unit, text: Reading) -> tuple[Word | None, Word | None]:
    """The words at both sides within the segment, articles apart; None at its border."""
    for segment in text.segments:
        if unit in segment.units:
            place = place_in(segment, unit)
            before = [word for word in segment.words[:place] if word.text not in _ARTICLES]
            after = [word for word in segment.words[place + 1 :] if word.text not in _ARTICLES]
            return (before[-1] if before else None), (after[0] if after else None)
    return None, None


def _same(one: Word | None, other: Word | None) -> bool:
    return one is other if one is None or other is None else meet(one, other)


# -- the same names otherwise ---------------------------------------------------------------------------------------------------------


class Role(NamedTuple):
    """What stands at both sides of a verb, as its voice has it; empty where that can't be told. ``link``: the preposition before the object."""

    verb: Word
    doers: tuple[Word, ...]
    objects: tuple[Word, ...]
    link: str


def role_doubts(mine: Reading, theirs: Reading) -> list[Reason]:
    """English: German tells roles by case, which needs more than closed classes."""
    if "de" in (language_of(mine.text), language_of(theirs.text)):
        return []
    quoted = [role for segment in theirs.segments for role in _roles(segment)]
    elsewhere: list[tuple[Role, Role]] = []
    for role in (one for segment in mine.segments for one in _roles(segment)):
        known = [other for other in quoted if _of_one_verb(role.verb, other.verb)]
        if not known or any(_fits(role, other) for other in known):
            continue
        for other in known:
            if _swapped(role, other, theirs):
                return [Reason(Doubt.DIRECTION, _told(role), _told(other))]
            if _other_doer(role, other, theirs) or _other_object(role, other, theirs):
                return [Reason(Doubt.ACTOR, _told(role), _told(other))]
        elsewhere.append((role, known[0]))
    if _exchanged(elsewhere):
        return [Reason(Doubt.DIRECTION, _told(elsewhere[0][0]), _told(elsewhere[0][1]))]
    return _ends_swapped(mine, theirs) or _misplaced(mine, theirs)


def _of_one_verb(one: Word, other: Word) -> bool:
    return (
        bool(bases(one.text) & bases(other.text))
        or agent_of(one.text, other.text)
        or agent_of(other.text, one.text)
    )


def _roles(segment: Segment) -> Iterator[Role]:
    words = segment.words
    units = {id(unit.word) for unit in segment.units}
    for place, verb in enumerate(words):
        if verb.ids or id(verb) not in units or not _is_verbal(words, place):
            continue
        if place and _is_led_at(words, place - 1, units):
            continue  # 'retry failed jobs'
        if any(word.text == "'s" for word in words[max(0, place - 3) : place]):
            continue
        coordinated = place > 0 and plain(words[place - 1], ("and", "to", "und", "zu"))
        left = () if coordinated else _before(words[:place], units)
        behind = [word.text for word in words[place + 1 : place + 6]]
        if is_participle(verb.text) and "by" in behind:
            yield Role(verb, _behind(words[place + 2 + behind.index("by") :], units), left, "")
        elif is_participle(verb.text) and any(
            plain(word, tuple(BE)) for word in words[max(0, place - 4) : place]
        ):
            yield Role(verb, (), left, "")
        else:
            yield Role(
                verb, left, _behind(words[place + 1 :], units), _link(words[place + 1 :], units)
            )


def _is_led_at(words: Sequence[Word], place: int, units: set[int]) -> bool:
    """Whether a verb stands there that an auxiliary or a modal leads."""
    word, before = words[place], words[place - 1] if place else None
    return (
        id(word) in units
        and not word.ids
        and not word.text.endswith("ly")
        and plain(before, _LEADING)
    )


_LEADING = frozenset(
    "to not nt will would shall should may might must can could do does did".split()
)


def _link(words: Sequence[Word], units: set[int]) -> str:
    """The preposition between a verb and its object, '' for none."""
    for word in words:
        if is_preposition(word):
            return word.text
        if id(word) in units:
            break
    return ""


def _before(words: Sequence[Word], units: set[int]) -> tuple[Word, ...]:
    """The units before a verb, nearest first; none behind a pronoun, which stands for somebody else."""
    found: list[Word] = []
    for word in reversed(words):
        if plain(word, lists.PERSONAL):
            break
        if id(word) in units and not word.text.endswith("ly"):
            found.append(word)
    return tuple(found)


def _behind(words: Sequence[Word], units: set[int]) -> tuple[Word, ...]:
    """The units of an object: those behind a preposition that comes first, up to the next one."""
    found: list[Word] = []
    for word in words:
        if is_preposition(word) and (found or word.text == "by"):
            break
        if id(word) in units:
            found.append(word)
    return tuple(found)


def _is_verbal(words: Sequence[Word], place: int) -> bool:
    """Whether a word may be a verb or a noun for who acts: not one behind an article or a preposition, unless its form tells."""
    word, before = words[place], words[place - 1] if place else None
    if word.past or is_participle(word.text) or word.text.endswith(("er", "or", "ing")):
        return True
    if before is None or plain(before, ("the", "a", "an")) or is_preposition(before):
        return False
    return (
        bool(before.ids)
        or is_name_like(before)
        or word.text.endswith("s")
        or plain(before, _AFTER_NOUNS)
    )


def _fits(one: Role, other: Role) -> bool:
    if one.doers and not other.doers and any_meet(one.doers[:1], other.objects):
        return False
    doers = not one.doers or not other.doers or any_meet(one.doers, other.doers)
    return doers and (not one.objects or not other.objects or any_meet(one.objects, other.objects))


def _swapped(one: Role, other: Role, theirs: Reading) -> bool:
    if not one.doers or not one.objects or not other.objects or one.link != other.link:
        return False
    if not any_meet(one.doers[:1], other.objects) or any_meet(one.objects[:1], other.objects):
        return False
    if other.doers:
        return any_meet(one.objects, other.doers) and not any_meet(one.doers[:1], other.doers)
    units = [unit.word for unit in theirs.units]
    return any_meet(one.objects[:1], units) or any(
        plain(word, lists.PERSONAL) for word in theirs.words
    )


def _other_doer(one: Role, other: Role, theirs: Reading) -> bool:
    """One deed, one thing it is done to, and somebody else who does it: a name that the quote doesn't have in that place."""
    if not one.doers or not other.doers or any_meet(one.doers, other.doers):
        return False
    if bool(one.objects) != bool(other.objects) or (
        one.objects and not any_meet(one.objects, other.objects)
    ):
        return False
    if any(word.ids for word in one.doers) and any(word.ids for word in other.doers):
        return True
    absent = not any_meet(one.doers, [unit.word for unit in theirs.units])
    return (
        absent
        and any(is_name_like(word) for word in one.doers)
        and not _is_definite(other.doers[0], theirs)
    )


def _other_object(one: Role, other: Role, theirs: Reading) -> bool:
    """One deed of one doer, or of nobody, done to another thing of a name."""
    if not one.objects or not other.objects or any_meet(one.objects, other.objects):
        return False
    if bool(one.doers) != bool(other.doers) or (one.doers and not any_meet(one.doers, other.doers)):
        return False
    named = is_name_like(one.objects[0]) and any(is_name_like(word) for word in other.objects)
    absent = not any_meet(one.objects, [unit.word for unit in theirs.units])
    return named and (absent or not one.doers)


def _is_definite(word: Word, text: Reading) -> bool:
    words = text.words
    place = next((at for at, one in enumerate(words) if one is word), 0)
    return not is_name_like(word) and any(
        plain(one, lists.DEFINITE) for one in words[max(0, place - 3) : place]
    )


def _exchanged(roles: Sequence[tuple[Role, Role]]) -> bool:
    """Whether two deeds have changed those who do them."""
    doers = [(one.doers, other.doers) for one, other in roles if one.doers and other.doers]
    return any(
        any_meet(one, its_other) and any_meet(other, its_one) and not any_meet(one, its_one)
        for at, (one, its_one) in enumerate(doers)
        for other, its_other in doers[at + 1 :]
    )


def _ends_swapped(mine: Reading, theirs: Reading) -> list[Reason]:
    """'from 61 to 78' and 'from 78 to 61'."""
    for begin, end in (("from", "to"), ("von", "auf"), ("von", "nach")):
        said, quoted = (_after(text, begin) + _after(text, end) for text in (mine, theirs))
        if len(said) != 2 or len(quoted) != 2 or meet(said[0], said[1]):
            continue
        if meet(said[0], quoted[1]) and meet(said[1], quoted[0]):
            return [Reason(Doubt.DIRECTION, f"{begin} {said[0].raw}", f"{begin} {quoted[0].raw}")]
    return []


def _after(text: Reading, preposition: str) -> list[Word]:
    units = {id(unit.word) for unit in text.units}
    words = text.words
    place = next((at for at, word in enumerate(words) if plain(word, (preposition,))), len(words))
    behind = words[place + 1 : place + 4]
    return [word for word in behind if id(word) in units or is_number(word.text)][:1]


def _misplaced(mine: Reading, theirs: Reading) -> list[Reason]:
    """A name of the quote that stands behind a preposition behind which, after the same word, the quote has another: 'over Kafka'."""
    if any(plain(word, lists.COMPLEMENTS) for word in theirs.words):
        return []
    quoted = list(_complements(theirs))
    for head, preposition, target in _complements(mine):
        known = [its for one, other, its in quoted if other == preposition and meet(head, one)]
        if (
            not known
            or not is_name_like(target)
            or any_meet([target], known)
            or not is_name_like(known[0])
        ):
            continue
        if any_meet([target], [unit.word for unit in theirs.units]):
            return [
                Reason(
                    Doubt.DIRECTION, f"{preposition} {target.raw}", f"{preposition} {known[0].raw}"
                )
            ]
    return []


def _complements(text: Reading) -> Iterator[tuple[Word, str, Word]]:
    """(verb or other word before, preposition, the unit behind it)."""
    for segment in text.segments:
        units = {id(unit.word) for unit in segment.units}
        for place, word in enumerate(segment.words):
            if not is_preposition(word) or word.text == "of":
                continue
            heads = [
                one for one in segment.words[:place] if id(one) in units and not is_name_like(one)
            ]
            behind = [one for one in segment.words[place + 1 : place + 5] if id(one) in units]
            if heads and behind:
                yield heads[-1], word.text, behind[0]


def _told(role: Role) -> str:
    ends = [some[0].raw if some else "…" for some in (role.doers, role.objects)]
    return f"{ends[0]} {role.verb.raw} {ends[1]}"
