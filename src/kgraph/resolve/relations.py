"""How two names are related, and what in them says that they are two things."""

from __future__ import annotations

from collections.abc import Callable

from kgraph.language.inflection import stem
from kgraph.language.scripts import is_ideographic, is_unspaced
from kgraph.resolve import names
from kgraph.resolve import vocabulary as known
from kgraph.resolve.likeness import one_slip, swapped
from kgraph.resolve.names import Name
from kgraph.tuples import NamedTuple

# From the closest to the loosest; what each means is in ``WORDS``.
WORDS = {
    "same": "the names are equal",
    "form": "the names differ in case, width, accents, punctuation or word order only",
    "code": "the names have one code, as of a model or part",
    "affix": "the names differ in a legal form, title, article or remark only",
    "acronym": "one name is the acronym of the other",
    "initials": "the names are forms of one person's name",
    "spelling": "the names differ by a slip of spelling or an ending",
    "romanised": "the names sound alike in Latin letters",
    "part": "one name contains the other",
    "near": "the names are alike",
    "edition": "one name is the other with a number or a word for another version",
    "shared": "the names share a word",
    "none": "the names have nothing in common",
}
RELATIONS = tuple(WORDS)


class Relation(NamedTuple):
    """``kind``: a key of ``WORDS``. ``against``: what tells the two apart, in words; ``rest``: words that only one side has."""

    kind: str
    against: tuple[str, ...]
    rest: tuple[tuple[str, ...], tuple[str, ...]]


Distance = Callable[[str, str], int]


def relate(left: Name, right: Name, distance: Distance) -> Relation:
    """Pure and symmetric but for the order of ``rest``."""
    against = _numbers(left, right)
    if left.text.split() == right.text.split():
        return Relation("same", tuple(against), ((), ()))
    if _letters(left) == _letters(right) or sorted(left.tokens + left.gloss) == sorted(
        right.tokens + right.gloss
    ):
        return Relation("form", tuple(against), ((), ()))
    against += _remarks(left, right)
    if left.compact == right.compact or sorted(left.core) == sorted(right.core):
        if left.generation and right.generation and left.generation != right.generation:
            against.append("one is senior, the other junior")
        # A number on one side only, as in a bracket, is an edition of the thing.
        derived = known.DERIVED_WORKS & (set(left.gloss) ^ set(right.gloss))
        kind = "edition" if derived or bool(left.numbers) != bool(right.numbers) else "affix"
        return Relation(kind, tuple(against), ((), ()))
    if _is_acronym(left, right) or _is_acronym(right, left):
        return Relation("acronym", tuple(against), ((), ()))
    if left.codes and right.codes:
        if left.codes & right.codes:
            return Relation("code", (), _unmatched(left.core, right.core))
        against.append(f"the codes differ: {min(left.codes)} and {min(right.codes)}")
    mine, theirs = _unmatched(left.core, right.core)
    against += contrasts(mine, theirs)
    person = _person(left) and _person(right)
    if person:
        verdict = _same_person(left, right, distance)
        if verdict == "same":
            return Relation("initials", tuple(against), (mine, theirs))
        if verdict:
            return Relation("shared", (*against, verdict), (mine, theirs))
    rest_left, rest_right = _forgive(mine, theirs, distance)
    kind = _loose(left, right, (rest_left, rest_right), distance)
    return Relation(kind, tuple(against), (rest_left, rest_right))


def contrasts(mine: tuple[str, ...], theirs: tuple[str, ...]) -> list[str]:
    """What the words that only one side has say against the two being one: opposites, places, single letters, codes."""
    found = []
    for one in mine:
        for two in theirs:
            if _excludes(one, two):
                found.append(f"'{one}' and '{two}' exclude each other")
    if not found:
        places = [[word for word in side if word in known.PLACES] for side in (mine, theirs)]
        if all(places):
            found.append(f"the places differ: {places[0][0]}, {places[1][0]}")
    short = [[word for word in side if _is_code(word)] for side in (mine, theirs)]
    if not found and all(short) and short[0] != short[1]:
        found.append(f"the letters differ: {short[0][0]}, {short[1][0]}")
    return found


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
    if one in _MEMBER_OF and two in _MEMBER_OF and _MEMBER_OF[one] & _MEMBER_OF[two]:
        return True
    if one[-4:] == two[-4:] and _swap(one, two, known.CONTRASTS, ends=False):
        return True
    return one[:4] == two[:4] and _swap(one, two, known.ENDINGS, ends=True)


def _swap(one: str, two: str, sets: tuple[tuple[str, ...], ...], *, ends: bool) -> bool:
    """Whether the words are equal but for a beginning, or an ending, and another one of the same set."""
    cut = str.removesuffix if ends else str.removeprefix
    for parts in sets:
        rests = [
            {
                cut(word, part)
                for part in parts
                if (word.endswith(part) if ends else word.startswith(part))
            }
            for word in (one, two)
        ]
        if rests[0] & rests[1]:
            return True
    return False


def _letters(name: Name) -> str:
    return "".join(name.tokens) + "".join(name.gloss)


def _numbers(left: Name, right: Name) -> list[str]:
    one, two = left.numbers, right.numbers
    if not one or not two or one == two:
        return []
    # Of a short name every number counts (747 and 747-8); a title may mention one more.
    if (one < two or two < one) and max(len(left.core), len(right.core)) > 4:
        return []
    shown = [
        ", ".join(sorted(side - other)) or ", ".join(sorted(side))
        for side, other in _both(one, two)
    ]
    return [f"the numbers differ: {shown[0]} and {shown[1]}"]


def _both(
    left: frozenset[str], right: frozenset[str]
) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return ((left, right), (right, left))


def years(numbers: frozenset[str]) -> frozenset[str]:
    return frozenset(
        number for number in numbers if len(number) == 4 and "1000" <= number <= "2100"
    )


def _remarks(left: Name, right: Name) -> list[str]:
    one, two = set(left.gloss), set(right.gloss)
    if (
        not one
        or not two
        or one & two
        or _declares(left, right.gloss)
        or _declares(right, left.gloss)
    ):
        return []
    if left.compact != right.compact:
        return []
    return [f"the remarks differ: ({' '.join(left.gloss)}) and ({' '.join(right.gloss)})"]


def _declares(name: Name, gloss: tuple[str, ...]) -> bool:
    return "".join(name.gloss) in name.initials or "".join(gloss) in name.initials


def _is_acronym(short: Name, full: Name) -> bool:
    if not short.is_acronym and not (len(short.core) == 1 and "".join(full.gloss) == short.compact):
        return False
    word = short.core[0]
    if "".join(full.gloss) == word and (word in full.initials or len(full.core) > 1):
        return True
    return word in full.initials


def _unmatched(
    left: tuple[str, ...], right: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    theirs = list(right)
    mine = []
    for word in left:
        if word in theirs:
            theirs.remove(word)
        else:
            mine.append(word)
    return tuple(mine), tuple(theirs)


def _forgive(
    mine: tuple[str, ...], theirs: tuple[str, ...], distance: Distance
) -> tuple[tuple[str, ...], tuple[str, ...]]:
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


def _loose(
    left: Name, right: Name, rest: tuple[tuple[str, ...], tuple[str, ...]], distance: Distance
) -> str:
    mine, theirs = rest
    if not mine and not theirs:
        return "spelling"
    ideographs = is_ideographic(left.compact) or is_ideographic(right.compact)
    if not ideographs and one_slip(left.compact, right.compact, distance):
        return "spelling"
    foreign = not left.compact.isascii() or not right.compact.isascii()
    if (foreign or len(left.core) == len(right.core) == 1) and _sounds_like(left, right, distance):
        return "romanised"
    if not mine or not theirs:
        extra = mine or theirs
        if any(
            word.isdigit() or word in known.ROMAN or word in known.DERIVED_WORKS for word in extra
        ):
            return "edition"
        shorter = left.core if theirs else right.core
        return (
            "part"
            if any(word not in known.TYPE_WORDS and len(word) > 2 for word in shorter)
            else "shared"
        )
    if is_unspaced(left.compact + right.compact):
        short, full = sorted((left.compact, right.compact), key=len)
        if len(short) > 1 and short in full:
            return "part"
    count = max(len(left.core), len(right.core))
    if count >= 4 and len(mine) + len(theirs) <= count // 2:
        return "near"
    common = set(left.core) & set(right.core) - known.TYPE_WORDS - known.LINKING_WORDS
    return "shared" if common else "none"


def _sounds_like(left: Name, right: Name, distance: Distance) -> bool:
    if is_ideographic(left.compact) or is_ideographic(right.compact):
        return False
    one, two = names.romanised(left.compact), names.romanised(right.compact)
    if one == two or one_slip(one, two, distance):
        return True
    one, two = names.sound(left.compact), names.sound(right.compact)
    if min(len(one), len(two)) < 2:
        return False
    return one == two or (
        min(len(one), len(two)) > 2 and one[:2] == two[:2] and distance(one, two) <= 1
    )


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


def _same_person(left: Name, right: Name, distance: Distance) -> str:
    """'same', or what tells them apart, or '' if they don't look like one family."""
    mine, theirs = _family_last(left), _family_last(right)
    if mine[-1] != theirs[-1] and not one_slip(mine[-1], theirs[-1], distance):
        return ""
    given, others = mine[:-1], theirs[:-1]
    if not given or not others:
        return ""
    first = _given(given[0], others[0], distance)
    if not first and set(left.quoted) | set(right.quoted):
        first = any(
            _given(one, two, distance)
            for one in (*given, *left.quoted)
            for two in (*others, *right.quoted)
        )
    if not first:
        return f"the given names differ: {given[0]} and {others[0]}"
    middle, middles = given[1:], others[1:]
    if (
        middle
        and middles
        and not any(_given(one, two, distance) for one in middle for two in middles)
    ):
        return f"the middle names differ: {middle[0]} and {middles[0]}"
    return "same"


def _family_last(name: Name) -> tuple[str, ...]:
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
