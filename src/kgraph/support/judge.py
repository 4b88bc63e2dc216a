"""Do the quoted words carry the statement? Judged apart from whether they stand in the file; pure, without a model.

``stated``: the words say it, be it in another order. ``doubtful``: something tells against it, which is named. ``plausible``: neither.
``unjudged``: there are no words, or they are of another language than the statement. Nothing is ever doubtful for being put in other
words alone: a doubt has a number, a name, a negation, a hedge or an order to point at, or finds nothing in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from enum import StrEnum

from kgraph.language.inflection import agent_of, bases, is_participle, same_word
from kgraph.ontology import fold
from kgraph.support import words as lists
from kgraph.support.quantities import is_number
from kgraph.support.reading import (
    Names,
    Quantity,
    Reading,
    Segment,
    Unit,
    alike,
    is_name_like,
    language_of,
    read,
)
from kgraph.support.statements import carries
from kgraph.support.tokens import BE, PREPOSITIONS, Word
from kgraph.tuples import NamedTuple


class Level(StrEnum):
    """How well words carry a statement."""

    STATED = "stated"
    PLAUSIBLE = "plausible"
    DOUBTFUL = "doubtful"
    UNJUDGED = "unjudged"


class Doubt(StrEnum):
    """What tells against it. A number is also a unit, a date or a bound; a negation also an opposite."""

    NUMBER = "number"
    NEGATION = "negation"
    ACTOR = "actor"
    DIRECTION = "direction"
    HEDGE = "hedge"
    NOTHING_IN_COMMON = "nothing in common"
    SHORT = "quote too short"


class Reason(NamedTuple):
    """A doubt with what it points at: ``said`` in the statement, ``quoted`` in the quote; either may be ''."""

    doubt: Doubt
    said: str = ""
    quoted: str = ""


class Support(NamedTuple):
    """What was judged. ``reasons`` are there only where it is doubtful."""

    level: Level
    reasons: tuple[Reason, ...] = ()

    @property
    def doubtful(self) -> bool:
        return self.level is Level.DOUBTFUL


UNJUDGED = Support(Level.UNJUDGED)
STATED = Support(Level.STATED)
LEAST_SHARE = 0.2  # of a statement's units that must stand in the quote
FEW_SHARE = 0.34  # of them that a quote of one or two words must hold
LONGEST = 4000  # characters of a quote that are compared


def judge(statement: str, quote: str, names: Names, place: str = "") -> Support:
    """Whether ``quote`` carries ``statement``.

    ``names``: folded names and aliases of the things that either may speak of, each to the numbers of those things, so that two names of
    one thing are one. ``place``: where the quote stands (uri and anchor); a date in it dates the quote.
    """
    if not quote.strip() or not statement.strip():
        return UNJUDGED
    said, quoted = fold(statement).strip(" .。"), fold(quote)
    if _contains(quoted, said) and not _is_embedded(quote, statement):
        return STATED
    mine, theirs = read(statement, names), read(quote[:LONGEST], names)
    if mine.dense != theirs.dense:
        return _of_two_languages(mine, theirs)
    doubts = _dense_doubts(mine, theirs) if mine.dense else _doubts(mine, theirs, place)
    if doubts:
        return Support(Level.DOUBTFUL, tuple(doubts))
    if _is_foreign(mine, theirs):
        return UNJUDGED
    return STATED if carries(statement, quote[:LONGEST], names) else Support(Level.PLAUSIBLE)


def _contains(quoted: str, said: str) -> bool:
    at = quoted.find(said)
    if at < 0:
        return False
    end = at + len(said)
    return not (at and quoted[at - 1].isalnum() and said[0].isascii()) and not (
        end < len(quoted) and quoted[end].isalnum() and quoted[end].isascii()
    )


def _is_embedded(quote: str, statement: str) -> bool:
    """Whether the quote says more in the sentence in which the statement stands, so that it may be denied or hedged there."""
    quoted, said = fold(quote), fold(statement).strip(" .。")
    at = quoted.find(said)
    before, after = (
        quoted[:at].rstrip("\"'*_`“„「 "),
        quoted[at + len(said) :].lstrip("\"'*_`”“」 "),
    )
    begins = not before or before[-1] in ".!?;:。！？|-•\n" or before.endswith(("**", "::"))
    ends = not after or after[0] in ".!;。！|\n)"
    return not (begins and ends)


def _of_two_languages(mine: Reading, theirs: Reading) -> Support:
    """Figures can be compared across languages; little else can."""
    doubts = _number_doubts(mine, theirs, "") if theirs.quantities else []
    return Support(Level.DOUBTFUL, tuple(doubts)) if doubts else UNJUDGED


def _is_foreign(mine: Reading, theirs: Reading) -> bool:
    one, other = language_of(mine.text), language_of(theirs.text)
    return bool(one and other and one != other)


# -- words parted by spaces -----------------------------------------------------------------------------------------------------------


def _doubts(mine: Reading, theirs: Reading, place: str) -> list[Reason]:
    doubts = _number_doubts(mine, theirs, place)
    if _is_foreign(mine, theirs):
        return doubts
    common = _Common(mine, theirs)
    if too_little := _too_little(mine, theirs, common):
        return [too_little]
    doubts += _actor_doubts(mine, theirs, common)
    doubts += _negation_doubts(mine, theirs, common)
    doubts += _hedge_doubts(mine, theirs, common)
    if not doubts:
        doubts += _role_doubts(mine, theirs)
    return doubts


class _Common:
    """Which units of a statement stand in the quote, and where."""

    def __init__(self, mine: Reading, theirs: Reading) -> None:
        self.pairs = [
            (unit, [other for other in theirs.units if _one(unit.word, other.word)])
            for unit in mine.units
        ]
        self.share = (
            sum(1 for _, others in self.pairs if others) / len(self.pairs) if self.pairs else 1.0
        )

    def has(self, unit: Unit) -> bool:
        return any(one is unit and others for one, others in self.pairs)

    def taken(self, other: Unit) -> bool:
        return any(other in others for _, others in self.pairs)

    @property
    def missing(self) -> list[Unit]:
        return [unit for unit, others in self.pairs if not others]


def _one(one: Word, other: Word) -> bool:
    if one.ids and other.ids:
        return bool(one.ids & other.ids)
    if one.ids or other.ids:
        return names_meet(one.raw, other.raw)
    return alike(one.text, other.text)


def names_meet(one: str, other: str) -> bool:
    """Whether two names may be one thing's: 'Ada' and 'Ada Lovelace', 'VX' and 'Vendor X': a part of a name, or its initials."""
    mine, theirs = fold(one).split(), fold(other).split()
    if set(mine) & set(theirs) - lists.FUNCTION["en"] and (len(mine) == 1 or len(theirs) == 1):
        return True
    short, long = sorted((mine, theirs), key=len)
    initials = "".join(word[0] for word in long)
    return len(short) == 1 and len(long) > 1 and short[0] == initials


def _too_little(mine: Reading, theirs: Reading, common: _Common) -> Reason | None:
    said = len(mine.units) + bool(mine.quantities) + bool(mine.dates)
    quoted = len(theirs.units) + len(theirs.quantities) + bool(theirs.dates)
    shared = sum(1 for _, others in common.pairs if others)
    if said > 1 and (quoted == 0 or (quoted == 1 and said > 2) or (quoted == 1 and shared == 1)):
        return Reason(Doubt.SHORT, "", theirs.text.strip())
    if quoted <= 2 and said >= 4 and common.share < FEW_SHARE and not _figures_met(mine, theirs):
        return Reason(Doubt.SHORT, "", theirs.text.strip())
    plain = [unit for unit, _ in common.pairs if not unit.word.ids]
    if len(mine.units) >= 2 and common.share < LEAST_SHARE and not _figures_met(mine, theirs):
        return Reason(Doubt.NOTHING_IN_COMMON, mine.text, "")
    told = [unit for unit in plain if not unit.is_name or not unit.at]
    if (
        len(told) >= 2
        and not any(common.has(unit) for unit in told)
        and not _figures_met(mine, theirs)
    ):
        return Reason(Doubt.NOTHING_IN_COMMON, " ".join(unit.word.raw for unit in told), "")
    return None


def _figures_met(mine: Reading, theirs: Reading) -> bool:
    return bool(mine.quantities) and all(
        any(one.values & other.values and one.unit == other.unit for other in theirs.quantities)
        for one in mine.quantities
    )


# -- numbers and dates ----------------------------------------------------------------------------------------------------------------

_COUNTED: dict[str, Iterable[str]] = {
    "0": ("no", "none", "zero", "without", "never", "kein", "keine"), "1": ("a", "an", "one", "single", "once", "only", "ein", "eine", "einen", "the"),
    "2": ("both", "twice", "double", "doubled", "doubles", "pair", "couple", "beide", "two-fold", "verdoppelt", "zwei"),
    "3": ("thrice", "triple", "tripled", "drei"), "4": ("quadrupled", "vier"), "0.5": ("half", "halved", "hälfte", "halbiert"),
    "50": ("half", "halved", "hälfte"), "12": ("dozen", "dutzend", "zwölf"), "25": ("quarter",), "5": ("fünf",), "6": ("sechs",), "7": ("sieben",),
    "8": ("acht",), "9": ("neun",), "10": ("zehn",),
}  # fmt: skip


def _number_doubts(mine: Reading, theirs: Reading, place: str) -> list[Reason]:
    doubts = []
    free = list(theirs.quantities)
    for one in mine.quantities:
        if met := next((other for other in free if _equal(one, other, mine)), None):
            free.remove(met)
            if doubt := _bound_doubt(one, met):
                doubts.append(doubt)
        elif not _in_words(one, theirs) and not _stands_in(one, place):
            rival = next((other for other in free if other.unit == one.unit), None) or next(
                iter(free), None
            )
            doubts.append(Reason(Doubt.NUMBER, one.raw, rival.raw if rival else ""))
    return doubts + _date_doubts(mine, theirs, place)


def _equal(one: Quantity, other: Quantity, mine: Reading) -> bool:
    if one.unit and other.unit and one.unit != other.unit:
        return False
    if one.values & other.values:
        return True
    if not any(word.text in lists.APPROXIMATE for word in mine.words) and one.bound not in (
        "above",
        "below",
    ):
        return False
    return any(
        _rounds(mine_value, its_value, one.bound)
        for mine_value in one.values
        for its_value in other.values
    )


def _rounds(said: Decimal, exact: Decimal, bound: str) -> bool:
    if bound == "above":
        return said < exact < said * 2
    if bound == "below":
        return said / 2 < exact < said
    return bool(exact) and abs(said - exact) <= abs(exact) * Decimal("0.1")


def _bound_doubt(one: Quantity, other: Quantity) -> Reason | None:
    """'at most 4 GB' is neither 'at least 4 GB' nor '4 GB'."""
    if one.bound == other.bound or not other.bound:
        return None
    kin = {"min": "up", "above": "up", "max": "down", "below": "down", "near": "near", "": ""}
    if kin[one.bound] == kin[other.bound]:
        return None
    doubt = Doubt.NUMBER if one.bound else Doubt.HEDGE
    return Reason(doubt, f"{one.bound} {one.raw}".strip(), f"{other.bound} {other.raw}")


def _in_words(one: Quantity, theirs: Reading) -> bool:
    words = {word.text for word in theirs.words}
    for value in one.values:
        if words & set(_COUNTED.get(f"{value:f}", ())):
            return True
        if 2 <= value <= 9 and value == value.to_integral_value() and _listed(theirs) == int(value):
            return True
    return False


def _listed(theirs: Reading) -> int:
    """How many things the quote counts up: 'Ada, Bob and Cleo' are three."""
    text = theirs.text
    joined = sum(text.count(f" {word} ") for word in ("and", "und", "or", "&"))
    return text.count(",") + joined + 1 if joined or "," in text else 0


def _stands_in(one: Quantity, place: str) -> bool:
    import re

    return bool(place) and any(
        figure.lstrip("0") == one.raw.split()[0].lstrip("0") for figure in re.findall(r"\d+", place)
    )


def _date_doubts(mine: Reading, theirs: Reading, place: str) -> list[Reason]:
    doubts = []
    dated = read(place.replace("-", " - ") if place else "", {}).dates | _date_in(place)
    for part, value in sorted(mine.dates):
        if (part, value) in theirs.dates:
            continue
        rivals = [other for kind, other in theirs.dates if kind == part]
        if not rivals and ((part, value) in dated or _figure_in(part, value, theirs)):
            continue
        if not rivals and part in ("weekday", "quarter", "year") and theirs.dates:
            continue  # another way to name the day, which a calendar would tell
        doubts.append(
            Reason(Doubt.NUMBER, f"{part} {value}", f"{part} {rivals[0]}" if rivals else "")
        )
    return doubts


def _date_in(place: str) -> frozenset[tuple[str, str]]:
    import re

    found: set[tuple[str, str]] = set()
    for year, month, day in re.findall(r"(\d{4})[-_./]?(\d{2})[-_./]?(\d{2})", place):
        found |= {("year", year), ("month", str(int(month))), ("day", str(int(day)))}
    for year, month in re.findall(r"((?:19|20)\d{2})[-_](\d{2})(?!\d)", place):
        found |= {("year", year), ("month", str(int(month)))}
    found |= {("year", year) for year in re.findall(r"(?<!\d)((?:19|20)\d{2})(?!\d)", place)}
    return frozenset(found)


def _figure_in(part: str, value: str, theirs: Reading) -> bool:
    """A bare year or day that the quote has as a number of another look."""
    return part in ("year", "day") and any(
        Decimal(value) in one.values and not one.unit for one in theirs.quantities
    )


# -- who --------------------------------------------------------------------------------------------------------------------------------


def _actor_doubts(mine: Reading, theirs: Reading, common: _Common) -> list[Reason]:
    """A name of the statement that the quote hasn't, where the quote names another in its stead."""
    strangers = [
        unit for unit in common.missing if unit.is_name and not _opens_sentence(unit, mine)
    ]
    if not strangers:
        return []
    rivals = [
        unit for unit in theirs.units
        if unit.is_name and not common.taken(unit) and not _opens_sentence(unit, theirs)
    ]  # fmt: skip
    if rivals and not _speaks_of_it(theirs):
        return [Reason(Doubt.ACTOR, strangers[0].word.raw, rivals[0].word.raw)]
    if not rivals and not _leaves_open(theirs) and len(strangers) * 2 >= len(mine.units):
        return [Reason(Doubt.ACTOR, strangers[0].word.raw, "")]
    return []


def _opens_sentence(unit: Unit, text: Reading) -> bool:
    """Whether its capital says nothing: an unknown word that begins a sentence and is followed by one in lower case."""
    if unit.word.ids or " " in unit.word.raw or any(char.isdigit() for char in unit.word.raw):
        return False
    word = unit.word
    if len(word.raw) > 1 and any(char.isupper() for char in word.raw[1:]):
        return False
    sentences = set()
    for segment in text.segments:
        first = segment.sentence not in sentences
        sentences.add(segment.sentence)
        if first and segment.words and segment.words[0] is word:
            return not _acts(segment, text)
    return language_of(text.text) == "de"


def _acts(segment: Segment, text: Reading) -> bool:
    """Whether the first word of a sentence is followed at once by a finite verb or is spelt with a capital within the text: a name."""
    first = segment.words[0]
    if any(word.raw == first.raw for word in text.words[1:]):
        return True
    following = segment.words[1] if len(segment.words) > 1 else None
    plural = first.text.endswith("s") and not first.text.endswith("ss")
    return (
        following is not None
        and not plural
        and not is_participle(first.text)
        and not first.text.endswith(("ing", "ly"))
        and first.text not in lists.FUNCTION["en"]
        and (following.past or following.text in BE or following.text in ("has", "had", "will"))
    )


def _speaks_of_it(theirs: Reading) -> bool:
    """Whether a pronoun of the quote may stand for the missing name."""
    return any(word.text in lists.PRONOUNS and not word.ids for word in theirs.words)


def _leaves_open(theirs: Reading) -> bool:
    """Whether the quote itself leaves open of whom it speaks: a pronoun, a definite noun, no agent, or no sentence at all."""
    if any(word.text in lists.PRONOUNS | lists.DEFINITE for word in theirs.words if not word.ids):
        return True
    return not any(unit.is_name for unit in theirs.units) or len(theirs.units) < 3


# -- denied, opposite -------------------------------------------------------------------------------------------------------------------


def _negation_doubts(mine: Reading, theirs: Reading, common: _Common) -> list[Reason]:
    said, quoted = _Denials(mine), _Denials(theirs)
    flipped = _opposite(mine, theirs)
    direct = _denied_there(common, said, quoted)
    if flipped:
        return [] if direct else [Reason(Doubt.NEGATION, *flipped)]
    if direct:
        return [Reason(Doubt.NEGATION, *direct)]
    led = [(unit, others) for unit, others in common.pairs if others and _is_led(unit, mine)]
    if led:
        unit, others = led[0]
        if any(quoted.denied(other) == said.denied(unit) for other in others):
            return []
        return [Reason(Doubt.NEGATION, said.words, quoted.words)]
    against = agree = 0.0
    for unit, others in common.pairs:
        if not others:
            continue
        weight = 0.4 if unit.is_name else 2.0 if unit.word.past else 1.0
        here = said.denied(unit)
        if any(quoted.denied(other) == here for other in others):
            agree += weight
        else:
            against += weight
    if against > agree:
        return [Reason(Doubt.NEGATION, said.words, quoted.words)]
    return []


def _is_led(unit: Unit, text: Reading) -> bool:
    """Whether an auxiliary or a modal stands before it: it is what the statement says, and not what it speaks of."""
    before = text.words[unit.at - 1] if unit.at else None
    return before is not None and not before.ids and before.text in _AUXILIARIES


_AUXILIARIES = frozenset(
    "do does did has have had will would shall should may might must can could not never nt is are was were be been".split()
)


class _Denials:
    """What a text denies: by segment, and directly behind a negator."""

    def __init__(self, text: Reading) -> None:
        self._segments: dict[int, bool] = {}
        self._targets: set[int] = set()
        told: list[str] = []
        for segment in text.segments:
            places = list(_negators(segment))
            told += [segment.words[place].raw for place in places]
            for unit in segment.units:
                self._segments[unit.at] = len(places) % 2 == 1
            for place in places:
                start = (
                    segment.units[0].at - _place(segment, segment.units[0]) if segment.units else 0
                )
                following = [unit for unit in segment.units if unit.at - start > place]
                if following and following[0].at - start - place <= 3:
                    self._targets.add(following[0].at)
        self.words = " ".join(told)

    def denied(self, unit: Unit) -> bool:
        return self._segments.get(unit.at, False)

    def target(self, unit: Unit) -> bool:
        return unit.at in self._targets


def _place(segment: Segment, unit: Unit) -> int:
    return next(at for at, word in enumerate(segment.words) if word is unit.word)


def _negators(segment: Segment) -> Iterator[int]:
    words = segment.words
    text = " ".join(word.text for word in words)
    spared = sum(text.count(phrase) for phrase in lists.NOT_DENYING)
    until = any(word.text == "until" for word in words)
    for place, word in enumerate(words):
        if word.ids:
            continue
        following = words[place + 1] if place + 1 < len(words) else None
        phrase = f"{word.text} {following.text}" if following is not None else word.text
        denies = word.text in lists.NEGATORS or phrase in lists.NEGATING_PHRASES
        refuses = bool(bases(word.text) & lists.REFUSALS) and following is not None and (
            following.text == "to" or following.text.endswith("ing")
        )  # fmt: skip
        if denies and spared:
            spared -= 1
        elif denies and until and word.text == "not":
            continue
        elif denies or refuses:
            yield place


def _denied_there(common: _Common, said: _Denials, quoted: _Denials) -> tuple[str, str] | None:
    """A unit that is directly denied wherever the one text has it, and not in the other."""
    for unit, others in common.pairs:
        if not others:
            continue
        here = said.target(unit) and said.denied(unit)
        there = all(quoted.target(other) and quoted.denied(other) for other in others)
        if there and not said.denied(unit):
            return unit.word.raw, f"{quoted.words} {others[0].word.raw}"
        if here and not any(quoted.denied(other) for other in others):
            return f"{said.words} {unit.word.raw}", others[0].word.raw
    return None


def _opposite(mine: Reading, theirs: Reading) -> tuple[str, str] | None:
    """A word of the statement whose opposite the quote has, while neither has the other's."""
    said = {form: word.raw for word in mine.words if not word.ids for form in bases(word.text)}
    quoted = {form: word.raw for word in theirs.words if not word.ids for form in bases(word.text)}
    for sides in lists.OPPOSITES:
        for one, other in (sides, sides[::-1]):
            here, there = one & said.keys(), other & quoted.keys()
            if here and there and not other & said.keys() and not one & quoted.keys():
                return said[min(here)], quoted[min(there)]
    for form, raw in said.items():
        for prefix in lists.NEGATING_PREFIXES:
            if (
                len(form) > 4
                and form not in quoted
                and (prefix + form) in quoted
                and prefix + form not in said
            ):
                return raw, quoted[prefix + form]
            bare = form.removeprefix(prefix)
            if (
                bare != form
                and len(bare) > 4
                and form not in quoted
                and bare in quoted
                and bare not in said
            ):
                return raw, quoted[bare]
    return None


# -- hedged -----------------------------------------------------------------------------------------------------------------------------


def _hedge_doubts(mine: Reading, theirs: Reading, common: _Common) -> list[Reason]:
    if any(word.text in lists.UNIVERSAL for word in mine.words) and not any(
        word.text in lists.UNIVERSAL for word in theirs.words
    ):
        partial = _said(theirs, lists.PARTIAL_COUNTS | lists.PARTIAL_TIMES)
        if partial:
            return [Reason(Doubt.HEDGE, _said(mine, lists.UNIVERSAL), partial)]
    if _is_hedged(mine.words):
        return []
    shares = {
        number: sum(common.taken(unit) for unit in segment.units)
        for number, segment in enumerate(theirs.segments)
    }
    best = max(shares.values(), default=0)
    for number, segment in enumerate(theirs.segments):
        hedge = next((word.raw for word in _hedges(segment.words, _opens(theirs, number + 1))), "")
        if not hedge:
            continue
        if segment.opener in ("if", "unless", "wenn", "falls"):
            governed = any(
                other.sentence == segment.sentence and shares[at] * 2 >= best and at != number
                for at, other in enumerate(theirs.segments)
            )
            if governed and best and not shares[number]:
                return [Reason(Doubt.HEDGE, "", f"{segment.opener} …")]
            if (
                shares[number] == best
                and best
                and len(theirs.segments) > 1
                and not any(shares[at] for at in shares if at != number)
            ):
                return [Reason(Doubt.HEDGE, "", f"{segment.opener} …")]
        elif (
            best
            and not any(
                shares[at] > shares[number] or (shares[at] == shares[number] and at < number)
                for at in shares
                if not _is_hedged_there(theirs, at)
            )
            or _governs(theirs, number, shares, best)
        ):
            return [Reason(Doubt.HEDGE, "", hedge)]
    return []


def _opens(theirs: Reading, number: int) -> str:
    return theirs.segments[number].opener if number < len(theirs.segments) else ""


def _is_hedged_there(theirs: Reading, number: int) -> bool:
    return any(True for _ in _hedges(theirs.segments[number].words, _opens(theirs, number + 1)))


def _governs(theirs: Reading, number: int, shares: dict[int, int], best: int) -> bool:
    """Whether what a hedged segment leads to is what the statement repeats: 'we think that the disk failed'."""
    following = theirs.segments[number + 1] if number + 1 < len(theirs.segments) else None
    return (
        following is not None
        and following.opener in ("that", "dass", "daß")
        and shares[number + 1] * 2 >= best > 0
    )


def _is_hedged(words: Sequence[Word]) -> bool:
    return any(True for _ in _hedges(words)) or any(
        not word.ids and word.text in (*lists.PARTIAL_TIMES, "can", "must", "will", "shall", "when", "needs", "need", "required", "target",
                                       "goal", "says", "said", "reported", "according", "muss", "kann", "wird", "werden", "laut")
        for word in words
    )  # fmt: skip


def _hedges(words: Sequence[Word], opens: str = "") -> Iterator[Word]:
    for place, word in enumerate(words):
        if word.ids or (word.text in ("may", "will") and word.raw[:1].isupper() and place):
            continue
        following = words[place + 1].text if place + 1 < len(words) else opens
        if word.text in lists.HEDGES_OF_FACT and following in ("not", "nt"):
            continue
        if word.text in ("almost", "nearly", "fast") and following[:1].isdigit():
            continue
        if word.text == "estimate" or (word.text in ("provided", "claim", "claims", "candidate", "plan", "plans", "proposal", "potential")
                                       and following not in ("that", "to")):  # fmt: skip
            continue
        if (
            word.text in lists.HEDGES
            or word.text in lists.PARTIAL_TIMES
            or word.text == "said"
            and place
            and words[place - 1].text in BE
        ):
            yield word


def hedge_in(segment: Segment) -> str:
    """The first word of a segment that hedges it, '' for none."""
    return next((word.raw for word in _hedges(segment.words)), "")


def denial_in(segment: Segment) -> str:
    """The negator of a segment that denies it, '' where none does or two cancel each other."""
    places = list(_negators(segment))
    return segment.words[places[0]].raw if len(places) % 2 else ""


def _said(text: Reading, some: frozenset[str]) -> str:
    return next((word.raw for word in text.words if not word.ids and word.text in some), "")


# -- who does it to whom ----------------------------------------------------------------------------------------------------------------


class _Role(NamedTuple):
    """The units at both sides of a verb, as the voice has them: who does it, and to whom ('' where that can't be told)."""

    verb: Word
    doer: Word | None
    object: Word | None
    more: tuple[Word, ...] = ()  # the other units of the object
    link: str = ""  # the preposition between verb and object


def _role_doubts(mine: Reading, theirs: Reading) -> list[Reason]:
    if "de" in (language_of(mine.text), language_of(theirs.text)):
        return []
    quoted = [role for segment in theirs.segments for role in _roles(segment)]
    elsewhere: list[tuple[_Role, _Role]] = []
    for role in (one for segment in mine.segments for one in _roles(segment)):
        known = [other for other in quoted if _of_one_verb(role.verb, other.verb)]
        if not known or any(_fits(role, other) for other in known):
            continue
        for other in known:
            if _swapped(role, other):
                return [Reason(Doubt.DIRECTION, _told(role), _told(other))]
            if _other_doer(role, other, theirs):
                return [Reason(Doubt.ACTOR, _told(role), _told(other))]
            if _other_object(role, other, theirs):
                return [Reason(Doubt.ACTOR, _told(role), _told(other))]
        elsewhere.append((role, known[0]))
    if len(elsewhere) > 1 and _exchanged(elsewhere):
        return [Reason(Doubt.DIRECTION, _told(elsewhere[0][0]), _told(elsewhere[0][1]))]
    for pair in (("from", "to"), ("von", "auf"), ("von", "nach")):
        if doubt := _ends_swapped(mine, theirs, pair):
            return [doubt]
    return []


def _exchanged(roles: Sequence[tuple[_Role, _Role]]) -> bool:
    """Whether two deeds have changed those who do them."""
    doers = [(one.doer, other.doer) for one, other in roles if one.doer and other.doer]
    return any(
        _one(one, its_other) and _one(other, its_one)
        for at, (one, its_one) in enumerate(doers)
        for other, its_other in doers[at + 1 :]
    )


def _of_one_verb(one: Word, other: Word) -> bool:
    return (
        same_word(one.text, other.text)
        or agent_of(one.text, other.text)
        or agent_of(other.text, one.text)
    )


def _roles(segment: Segment) -> Iterator[_Role]:
    words = segment.words
    units = {id(unit.word) for unit in segment.units}
    for place, verb in enumerate(words):
        if verb.ids or id(verb) not in units or not _is_verbal(words, place):
            continue
        before = _near(words, range(place - 1, -1, -1), units)
        after = _near(words, range(place + 1, len(words)), units)
        if place and words[place - 1].text in ("and", "to", "und", "zu"):
            before = None
        left = words[before] if before is not None else None
        right = words[after] if after is not None else None
        gap = [word.text for word in words[(before if before is not None else place) + 1 : place]]
        behind = [word.text for word in words[place + 1 : after]]
        if "'s" in gap or "s'" in gap:
            continue
        passive = is_participle(verb.text) and (
            "by" in behind or "von" in behind or "durch" in behind
        )
        if passive:
            left, right = right, left
        elif is_participle(verb.text) and any(text in BE for text in gap):
            left, right = None, left
        more = (
            _run(words, after, units)
            if not passive and after is not None and right is words[after]
            else ()
        )
        link = next(
            (
                word.text
                for word in words[place + 1 : after]
                if word.text in PREPOSITIONS and not word.ids
            ),
            "",
        )
        yield _Role(verb, left, right, more, "" if passive else link)


def _is_verbal(words: Sequence[Word], place: int) -> bool:
    """Whether a word may be a verb or a noun for who acts: not one behind an article or a preposition, unless its form tells."""
    word, before = words[place], words[place - 1] if place else None
    if word.past or is_participle(word.text) or word.text.endswith(("er", "or")):
        return True
    if (
        before is None
        or before.text in ("the", "a", "an")
        or (before.text in PREPOSITIONS and not before.ids)
    ):
        return False
    return (
        bool(before.ids)
        or is_name_like(before)
        or word.text.endswith("s")
        or before.text in _AUXILIARIES
    )


def _near(words: Sequence[Word], places: Iterable[int], units: set[int]) -> int | None:
    """The next unit, looking past adverbs and auxiliaries; the head of a run of units where it looks forward."""
    found = None
    for place in places:
        word = words[place]
        if id(word) in units and not word.text.endswith("ly"):
            return place
        if word.text in lists.PRONOUNS and not word.ids:
            return None
        found = None
    return found


def _run(words: Sequence[Word], start: int, units: set[int]) -> tuple[Word, ...]:
    """The units of the object that begins there, up to the next preposition."""
    found = []
    for word in words[start:]:
        if not word.ids and word.text in PREPOSITIONS:
            break
        if id(word) in units:
            found.append(word)
    return tuple(found)


def _fits(one: _Role, other: _Role) -> bool:
    return _same_end(one.doer, other.doer) and (
        _same_end(one.object, other.object)
        or any(
            _one(mine, its)
            for mine in (one.object, *one.more)
            if mine
            for its in (other.object, *other.more)
            if its
        )
    )


def _same_end(one: Word | None, other: Word | None) -> bool:
    return one is None or other is None or _one(one, other)


def _swapped(one: _Role, other: _Role) -> bool:
    if one.doer is None or one.object is None or other.doer is None or other.object is None:
        return False
    if one.link != other.link:
        return False
    mine, its = (one.object, *one.more), (other.object, *other.more)
    return (
        any(_one(one.doer, end) for end in its)
        and any(_one(end, other.doer) for end in mine)
        and not _one(one.doer, other.doer)
    )


def _other_doer(one: _Role, other: _Role, theirs: Reading) -> bool:
    """One deed, one thing it is done to, and somebody else who does it: a name that the quote doesn't have in that place."""
    if one.doer is None or other.doer is None or _one(one.doer, other.doer):
        return False
    if (one.object is None) != (other.object is None):
        return False
    if one.object is not None and other.object is not None and not _one(one.object, other.object):
        return False
    known = bool(one.doer.ids and other.doer.ids)
    absent = not any(_one(one.doer, unit.word) for unit in theirs.units)
    return known or (absent and is_name_like(one.doer) and not _is_definite(other.doer, theirs))


def _other_object(one: _Role, other: _Role, theirs: Reading) -> bool:
    """One deed of one doer, done to another thing of a name."""
    if one.doer is None or other.doer is None or one.object is None or other.object is None:
        return False
    absent = not any(_one(one.object, unit.word) for unit in theirs.units)
    return (
        _one(one.doer, other.doer)
        and absent
        and is_name_like(one.object)
        and is_name_like(other.object)
    )


def _is_definite(word: Word, text: Reading) -> bool:
    words = text.words
    place = next((at for at, one in enumerate(words) if one is word), 0)
    return any(
        one.text in lists.DEFINITE for one in words[max(0, place - 3) : place] if not one.ids
    ) and not is_name_like(word)


def _ends_swapped(mine: Reading, theirs: Reading, pair: tuple[str, str]) -> Reason | None:
    said, quoted = _after(mine, pair), _after(theirs, pair)
    if all(said) and all(quoted):
        one, other = said
        its, its_other = quoted
        assert one and other and its and its_other
        if _one(one, its_other) and _one(other, its) and not _one(one, other):
            return Reason(Doubt.DIRECTION, f"{pair[0]} {one.raw}", f"{pair[0]} {its.raw}")
    return None


def _after(text: Reading, pair: tuple[str, str]) -> tuple[Word | None, Word | None]:
    words = text.words
    units = {id(unit.word) for unit in text.units}
    found: list[Word | None] = []
    for preposition in pair:
        place = next(
            (at for at, word in enumerate(words) if word.text == preposition and not word.ids), -1
        )
        following = [
            word for word in words[place + 1 : place + 4] if id(word) in units or is_number(word.text)
        ] if place >= 0 else []  # fmt: skip
        found.append(following[0] if following else None)
    return found[0], found[1]


def _told(role: _Role) -> str:
    ends = [end.raw if end is not None else "…" for end in (role.doer, role.object)]
    return f"{ends[0]} {role.verb.raw} {ends[1]}"


# -- scripts without spaces -------------------------------------------------------------------------------------------------------------


def _dense_doubts(mine: Reading, theirs: Reading) -> list[Reason]:
    said, quoted = fold(mine.text), fold(theirs.text)
    pairs = _pairs(said)
    shared = len(pairs & _pairs(quoted)) / len(pairs) if pairs else 1.0
    doubts = _number_doubts(mine, theirs, "")
    if len(_plain(quoted)) <= 3 and len(_plain(said)) > 2 * len(_plain(quoted)):
        return [Reason(Doubt.SHORT, "", theirs.text)]
    if shared < 0.1 and not doubts:
        return [Reason(Doubt.NOTHING_IN_COMMON, mine.text, "")]
    strangers = [unit.word for unit in mine.units if unit.word.ids and not _met(unit, theirs)]
    rivals = [unit.word for unit in theirs.units if unit.word.ids and not _met(unit, mine)]
    if strangers and rivals:
        doubts.append(Reason(Doubt.ACTOR, strangers[0].raw, rivals[0].raw))
    signs = next(
        ((one, other) for pair in lists.OPPOSITE_SIGNS for one, other in (pair, pair[::-1])
         if one in said and other not in said and other in quoted and one not in quoted), None)  # fmt: skip
    if _denied(said) != _denied(quoted):
        if signs is None:
            doubts.append(Reason(Doubt.NEGATION, _denial(said), _denial(quoted)))
    elif signs is not None:
        doubts.append(Reason(Doubt.NEGATION, *signs))
    hedge = next((sign for sign in lists.HEDGING_SIGNS if sign in quoted), "")
    if hedge and not any(sign in said for sign in lists.HEDGING_SIGNS):
        doubts.append(Reason(Doubt.HEDGE, "", hedge))
    return doubts or _dense_roles(mine, theirs)


def _met(unit: Unit, other: Reading) -> bool:
    return any(unit.word.ids & its.word.ids for its in other.units)


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


def _pairs(text: str) -> set[str]:
    plain = _plain(text)
    return {plain[at : at + 2] for at in range(len(plain) - 1)}


def _denied(text: str) -> bool:
    return bool(_denial(text))


def _denial(text: str) -> str:
    for sign in (*lists.NOT_DENYING_SIGNS, *lists.HEDGING_SIGNS):
        text = text.replace(sign, " ")
    kana = any("\u3040" <= char <= "\u30ff" for char in text)
    found = [sign for sign in lists.NEGATING_ENDINGS if sign in text] if kana else []
    found += [sign for sign in lists.NEGATING_SIGNS if sign in text] if not kana else []
    return found[0] if len(found) % 2 or len(found) > 1 else ""


_PARTICLES = (
    ("が", "を"),
    ("が", "に"),
    ("は", "を"),
    ("は", "に"),
    ("から", "に"),
    ("から", "へ"),
    ("は", "より"),
    ("が", "より"),
)


def _dense_roles(mine: Reading, theirs: Reading) -> list[Reason]:
    """Two things that have changed their particles, or in Chinese their places around one and the same word."""
    said, quoted = _marked(mine), _marked(theirs)
    passive = ("れ" in mine.text) != ("れ" in theirs.text) or ("被" in mine.text) != (
        "被" in theirs.text
    )
    if passive:
        return []
    for one in said:
        for other in said:
            if one == other or said[one] == said[other]:
                continue
            if quoted.get(one) == said[other] and quoted.get(other) == said[one]:
                return [Reason(Doubt.DIRECTION, mine.text, theirs.text)]
    return []


def _marked(text: Reading) -> dict[int, str]:
    """Which particle follows each known thing; 'first' and 'second' in Chinese, which has none."""
    kana = any("\u3040" <= char <= "\u30ff" for char in text.text)
    found: dict[int, str] = {}
    named = 0
    for place, word in enumerate(text.words):
        if not word.ids:
            continue
        tail = "".join(one.text for one in text.words[place + 1 : place + 3])
        named += 1
        if not kana:
            mark = f"{named}"
        else:
            mark = (
                "より"
                if tail.startswith("より")
                else "から"
                if tail.startswith("から")
                else tail[:1].replace("は", "が")
            )
        found.setdefault(min(word.ids), mark)
    return found
