"""How two names are related, and what in them says that they are two things."""

from __future__ import annotations

import re
from collections.abc import Callable

from kgraph.language.folding import fold_accents
from kgraph.language.inflection import stem
from kgraph.language.scripts import is_ideographic, is_unspaced
from kgraph.resolve import names
from kgraph.resolve import vocabulary as known
from kgraph.resolve.likeness import one_slip, swapped
from kgraph.resolve.names import Name
from kgraph.resolve.records import Likeness, Objection, Reason
from kgraph.tuples import NamedTuple


class Relation(NamedTuple):
    """``against``: what tells the two apart; ``rest``: words that only one side has."""

    kind: Likeness
    against: tuple[Objection, ...]
    rest: tuple[tuple[str, ...], tuple[str, ...]]


Distance = Callable[[str, str], int]
Words = tuple[str, ...]
_TITLE = 5  # words: from here on a name is a title, which may have a word of its own
_SLIP_IN = 8  # letters of a name: of shorter ones, one letter makes another word as often as a slip
_NOTHING: tuple[Words, Words] = ((), ())


def relate(left: Name, right: Name, distance: Distance) -> Relation:
    """Pure and symmetric but for the order of ``rest`` and of an objection's sides."""
    against = _numbers(left, right)
    if _acronyms_differ(left, right):
        against.append(Objection(Reason.CODES, left.text, right.text))
    if left.text.split() == right.text.split():
        return Relation(Likeness.SAME, tuple(against), _NOTHING)
    if _letters(left) == _letters(right):
        return Relation(Likeness.FORM, tuple(against), _NOTHING)
    if sorted(left.tokens + left.gloss) == sorted(right.tokens + right.gloss):
        return Relation(Likeness.ORDER, tuple(against), _NOTHING)
    against += _remarks(left, right)
    if left.compact == right.compact or sorted(left.core) == sorted(right.core):
        return _affixed(left, right, against)
    if _is_acronym(left, right) or _is_acronym(right, left):
        return Relation(Likeness.ACRONYM, tuple(against), _NOTHING)
    mine, theirs = _unmatched(left.core, right.core)
    if left.codes and right.codes:
        if left.codes & right.codes:
            return Relation(Likeness.CODE, tuple(_editions(mine, theirs)), (mine, theirs))
        against.append(Objection(Reason.CODES, min(left.codes), min(right.codes)))
    against += _contrasts(mine, theirs)
    against += _editions(mine, theirs)
    if _person(left) and _person(right):
        verdict = _same_person(left, right, distance)
        if verdict is True:
            return Relation(Likeness.PERSON, tuple(against), (mine, theirs))
        if isinstance(verdict, Objection):
            return Relation(Likeness.SHARED, (*against, verdict), (mine, theirs))
    rest = _forgive(mine, theirs, distance)
    kind = _loose(left, right, rest, distance)
    if kind is Likeness.SPELLING and min(len(left.compact), len(right.compact)) < _SLIP_IN:
        kind = Likeness.NEAR
    if kind is Likeness.SHARED and all(rest) and max(len(left.core), len(right.core)) < _TITLE:
        against.append(Objection(Reason.WORDS, " ".join(rest[0]), " ".join(rest[1])))
    return Relation(kind, tuple(against), rest)


# -- one name in two ways of writing it ----------------------------------------------------------------------------------------------

_LEGAL = {
    "inc": "inc", "incorporated": "inc", "corp": "corp", "corporation": "corp", "ltd": "ltd", "limited": "ltd",
    "llc": "llc", "gmbh": "gmbh", "plc": "plc",
}  # fmt: skip
_TITLES = known.words("dr prof professor mr mrs ms")
_SIGNS = re.compile(
    r"[^\w\s'’ʼ`\-‐‑–&.,]|_"
)  # what isn't mere punctuation is part of a name: '*args', '@x', 'C++'
_CODE_LIKE = re.compile(r"[a-z]\w*[A-Z]|\.\w|^\W*[-.]|\d\w*-|-\w*\d")
_SHORTEST = 4  # letters, so that a chance of writing isn't taken for a word


def written_alike(left: Name, right: Name) -> bool:
    """Whether two unequal names are one name in two ways of writing it, beyond doubt.

    Case, hyphens and spaces of ordinary words; accents and legal forms of names with capitals; 'the' before, a person's title, and a
    person's family name put first with a comma. Identifiers of programs are what they are to the letter.
    """
    texts = left.text.strip(), right.text.strip()
    if texts[0] == texts[1] or any(_SIGNS.search(fold_accents(text)) for text in texts):
        return False
    if any(_CODE_LIKE.search(word) for text in texts for word in text.split()):
        return False
    if left.numbers != right.numbers or left.generation != right.generation:
        return False
    capital = all(not text[:1].islower() for text in texts)  # or letters without case
    ones, twos = _bare(left, capital), _bare(right, capital)
    if _inverted(left) or _inverted(right):
        return (
            capital
            and len(ones.words) == len(twos.words) <= 4
            and sorted(ones.words) == sorted(twos.words)
            and _turned(left) == _turned(right)
        )
    if "".join(ones.words) != "".join(twos.words) or len("".join(ones.words)) < _SHORTEST:
        return False
    return not (ones.legal and twos.legal and ones.legal != twos.legal)


class _Bare(NamedTuple):
    words: Words
    legal: str


def _bare(name: Name, capital: bool) -> _Bare:
    text = name.text if capital else name.text.casefold()
    found = names.words(text) if capital else re.findall(r"\w+", text)
    legal = ""
    if capital and len(found) > 1 and found[-1] in _LEGAL:
        legal = _LEGAL[found.pop()]
    if capital and len(found) > 2 and found[0] in _TITLES:
        found = found[1:]
    if len(found) > 1 and found[0] == "the":
        found = found[1:]
    return _Bare(tuple("and" if word == "&" else word for word in found), legal)


def _inverted(name: Name) -> bool:
    """'Brandt, Ilse': one or two words, a comma, one or two words."""
    family, comma, given = name.text.partition(",")
    return (
        bool(comma)
        and 1 <= len(family.split()) <= 2
        and 1 <= len(given.split()) <= 2
        and "," not in given
    )


def _turned(name: Name) -> list[str]:
    family, comma, given = name.text.partition(",")
    return names.words(f"{given} {family}" if comma else name.text)


# -- what stands against -------------------------------------------------------------------------------------------------------------


def _contrasts(mine: Words, theirs: Words) -> list[Objection]:
    """What the words that only one side has say against the two being one: opposites and single letters."""
    found = [
        Objection(Reason.EXCLUSIVE, one, two)
        for one in mine
        for two in theirs
        if _excludes(one, two)
    ]
    short = [[word for word in side if _is_code(word)] for side in (mine, theirs)]
    if not found and all(short) and short[0] != short[1]:
        found.append(Objection(Reason.LETTERS, short[0][0], short[1][0]))
    return found


def _editions(mine: Words, theirs: Words) -> list[Objection]:
    """Words for an edition that only one side has, or other ones than the other side."""
    one, two = (sorted(known.EDITIONS & set(side)) for side in (mine, theirs))
    return [Objection(Reason.EDITIONS, " ".join(one), " ".join(two))] if one or two else []


def _is_code(word: str) -> bool:
    if word in known.ROMAN and word != "i":
        return False
    bare = word.rstrip("+#")
    return (
        len(bare) <= 2
        and bare.isalpha()
        and bare.isascii()
        and (len(bare) == 1 or bare not in known.LINKING_WORDS)
    )


_MEMBER_OF: dict[str, frozenset[int]] = {
    word: frozenset(at for at, members in enumerate(known.EXCLUSIVE_SETS) if word in members)
    for words in known.EXCLUSIVE_SETS
    for word in words
}


def _excludes(one: str, two: str) -> bool:
    if one[-4:] == two[-4:] and any(
        one.startswith(start) and two.startswith(other) and one[len(start) :] == two[len(other) :]
        for starts in known.CONTRASTS
        for start in starts
        for other in starts
        if start != other
    ):
        return True
    return one in _MEMBER_OF and two in _MEMBER_OF and bool(_MEMBER_OF[one] & _MEMBER_OF[two])


def _letters(name: Name) -> str:
    return "".join(name.tokens) + "".join(name.gloss)


def _numbers(left: Name, right: Name) -> list[Objection]:
    one, two = left.numbers, right.numbers
    if not one or not two or one == two:
        return []
    # Of a short name every number counts (747 and 747-8); a title may mention one more.
    if (one < two or two < one) and max(len(left.core), len(right.core)) >= _TITLE:
        return []
    shown = [
        ", ".join(sorted(side - other)) or ", ".join(sorted(side))
        for side, other in ((one, two), (two, one))
    ]
    return [Objection(Reason.NUMBERS, *shown)]


def _acronyms_differ(left: Name, right: Name) -> bool:
    """HTTP and HTTPS: of letters that stand for words each tells."""
    texts = left.text, right.text
    return texts[0] != texts[1] and all(text.isalpha() and text.isupper() for text in texts)


def years(numbers: frozenset[str]) -> frozenset[str]:
    return frozenset(
        number for number in numbers if len(number) == 4 and "1000" <= number <= "2100"
    )


def _remarks(left: Name, right: Name) -> list[Objection]:
    one, two = set(left.gloss), set(right.gloss)
    if not one or not two or one & two or left.compact != right.compact:
        return []
    if _declares(left, right.gloss) or _declares(right, left.gloss):
        return []
    return [Objection(Reason.REMARKS, " ".join(left.gloss), " ".join(right.gloss))]


def _declares(name: Name, gloss: Words) -> bool:
    return "".join(name.gloss) in name.initials or "".join(gloss) in name.initials


def _affixed(left: Name, right: Name, against: list[Objection]) -> Relation:
    if left.generation and right.generation and left.generation != right.generation:
        against.append(Objection(Reason.GENERATIONS, left.generation, right.generation))
    # A number on one side only, as in a bracket, is an edition of the thing.
    derived = known.DERIVED_WORKS & (set(left.gloss) ^ set(right.gloss))
    kind = Likeness.AFFIX
    if derived or bool(left.numbers) != bool(right.numbers):
        kind = Likeness.EDITION
    return Relation(kind, tuple(against), _NOTHING)


def _is_acronym(short: Name, full: Name) -> bool:
    if not short.is_acronym and not (len(short.core) == 1 and "".join(full.gloss) == short.compact):
        return False
    word = short.core[0]
    if "".join(full.gloss) == word and (word in full.initials or len(full.core) > 1):
        return True
    return word in full.initials


# -- what two names have in common ---------------------------------------------------------------------------------------------------


def _unmatched(left: Words, right: Words) -> tuple[Words, Words]:
    theirs = list(right)
    mine = []
    for word in left:
        if word in theirs:
            theirs.remove(word)
        else:
            mine.append(word)
    return tuple(mine), tuple(theirs)


def _forgive(mine: Words, theirs: Words, distance: Distance) -> tuple[Words, Words]:
    """Take out what are two spellings of one word."""
    left = []
    right = list(theirs)
    for word in mine:
        twin = next((other for other in right if variant(word, other, distance)), "")
        if twin:
            right.remove(twin)
        else:
            left.append(word)
    return tuple(left), tuple(right)


def variant(one: str, two: str, distance: Distance) -> bool:
    """Whether two words are spellings, inflections or a clipping of one word."""
    if one[0] != two[0]:
        return bool(_numeral(one)) and _numeral(one) == _numeral(two)
    if known.ABBREVIATIONS.get(one, one) == known.ABBREVIATIONS.get(two, two):
        return True
    if stem(one) == stem(two) or (_numeral(one) and _numeral(one) == _numeral(two)):
        return True
    if is_ideographic(one) or is_ideographic(two):
        return False
    if _excludes(one, two):
        return False
    return one_slip(one, two, distance)


def _numeral(word: str) -> str:
    if word[-1].isdigit():
        number = word.removeprefix("v")
        return names.canonical(number) if number.replace(".", "").isdecimal() else ""
    return known.NUMBER_WORDS.get(word) or known.ROMAN.get(word, "")


def _loose(left: Name, right: Name, rest: tuple[Words, Words], distance: Distance) -> Likeness:
    mine, theirs = rest
    if not mine and not theirs:
        return Likeness.SPELLING
    ideographs = is_ideographic(left.compact) or is_ideographic(right.compact)
    if not ideographs and one_slip(left.compact, right.compact, distance):
        return Likeness.SPELLING
    foreign = not left.compact.isascii() or not right.compact.isascii()
    if (foreign or len(left.core) == len(right.core) == 1) and _sounds_like(left, right, distance):
        return Likeness.SOUND
    if not mine or not theirs:
        extra = mine or theirs
        if any(
            word.isdigit()
            or word in known.ROMAN
            or word in known.DERIVED_WORKS
            or word in known.EDITIONS
            for word in extra
        ):
            return Likeness.EDITION
        shorter = left.core if theirs else right.core
        telling = any(word not in known.TYPE_WORDS and len(word) > 2 for word in shorter)
        return Likeness.PART if telling else Likeness.SHARED
    if is_unspaced(left.compact + right.compact):
        short, full = sorted((left.compact, right.compact), key=len)
        if len(short) > 1 and short in full:
            return Likeness.PART
    count = max(len(left.core), len(right.core))
    if count >= 4 and len(mine) + len(theirs) <= count // 2:
        return Likeness.NEAR
    common = set(left.core) & set(right.core) - known.TYPE_WORDS - known.LINKING_WORDS
    return Likeness.SHARED if common else Likeness.NONE


def _sounds_like(left: Name, right: Name, distance: Distance) -> bool:
    if is_ideographic(left.compact) or is_ideographic(right.compact):
        return False
    one, two = names.romanised(left.compact), names.romanised(right.compact)
    if min(len(one), len(two)) < _SHORTEST:
        return False
    if one == two or one_slip(one, two, distance):
        return True
    if left.compact.isascii() and right.compact.isascii():
        return False  # both are in Latin letters already, so that their sound is their spelling
    one, two = names.sound(left.compact), names.sound(right.compact)
    if min(len(one), len(two)) < 2:
        return False
    return one == two or (
        min(len(one), len(two)) > 2 and one[:2] == two[:2] and distance(one, two) <= 1
    )


# -- people --------------------------------------------------------------------------------------------------------------------------


def _person(name: Name) -> bool:
    """Whether it could be a person's: two to four words, none of them a kind of thing, written with capitals or with initials."""
    core = [word for word in name.core if word not in known.ROMAN or len(word) == 1]
    if not 2 <= len(core) <= 4 or (name.numbers and len(core) == len(name.core)):
        return False
    if any(word in known.TYPE_WORDS or not word.isalpha() or word in _NO_PARTICLE for word in core):
        return False
    if name.caseless:
        return not name.text.isascii() or any(len(word) == 1 for word in core)
    capitals = name.text.replace('"', " ").replace("-", " ").split()
    return all(
        word[0].isupper() or word.lower().strip(".,") in known.LINKING_WORDS
        for word in capitals
        if word[0].isalpha()
    )


_NO_PARTICLE = known.words("of the and for in on at to by with from an or")


def _same_person(left: Name, right: Name, distance: Distance) -> bool | Objection | None:
    """True, or what tells them apart, or None if they don't look like one family."""
    mine, theirs = _family_last(left), _family_last(right)
    if mine[-1] != theirs[-1] and not one_slip(mine[-1], theirs[-1], distance):
        return None
    given, others = mine[:-1], theirs[:-1]
    if not given or not others:
        return None
    first = _given(given[0], others[0], distance)
    if not first and set(left.quoted) | set(right.quoted):
        first = any(
            _given(one, two, distance)
            for one in (*given, *left.quoted)
            for two in (*others, *right.quoted)
        )
    if not first:
        return Objection(Reason.PEOPLE, given[0], others[0])
    middle, middles = given[1:], others[1:]
    if (
        middle
        and middles
        and not any(_given(one, two, distance) for one in middle for two in middles)
    ):
        return Objection(Reason.PEOPLE, middle[0], middles[0])
    return True


def _family_last(name: Name) -> Words:
    core = tuple(word for word in name.core if word not in known.ROMAN or len(word) == 1)
    if name.comma and "," in name.text:
        family = len([word for word in names.words(name.text.partition(",")[0]) if word in core])
        if 0 < family < len(core):
            return core[family:] + core[:family]
    return core


def _given(one: str, two: str, distance: Distance) -> bool:
    if one == two or (min(len(one), len(two)) == 1 and one[0] == two[0]):
        return True
    if any(one in row and two in row for row in known.NICKNAMES):
        return True
    # Two given names may differ by one letter (Maria, Mario): only a slip inside a long one is forgiven.
    return (
        len(one) > 5
        and len(two) > 5
        and (one[-1] == two[-1] or swapped(one, two))
        and one_slip(one, two, distance)
    )
