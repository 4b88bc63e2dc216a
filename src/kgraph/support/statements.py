"""Whether two statements say the same, the opposite, or something else. Strict: what isn't known to be the same is different.

Words are compared in order. Only these differences are forgiven: articles, forms of a word, active and passive voice, 'X is the
supplier of Y' for 'X supplies Y', where in the sentence a date stands, how a number, unit or date is written, and which of its names a
thing is called by. Quantifiers, modality, comparison and everything else are words, and other words are another statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from kgraph.language.inflection import agent_of, bases, is_participle, outlived, same_word
from kgraph.support.arrangements import asked as asking
from kgraph.support.arrangements import cleft, closure, fronted, led_in, possessive, weaker
from kgraph.support.quantities import (
    TIME_PREPOSITIONS,
    ZONES,
    When,
    is_number,
    is_stamp,
    is_temporal,
    when,
)
from kgraph.support.rewordings import reworded
from kgraph.support.tokens import ARTICLES, BE, NEGATORS, PREPOSITIONS, Word, joined, tokens
from kgraph.tuples import NamedTuple

SAME, OPPOSITE, OTHER = "same", "opposite", "other"
OTHER_NUMBER = "it has another number"
_SENTENCES = re.compile(r"(?:[.;!?](?=\s|$)|[。！？；]|\n\s*\n)+")

# Relations that run both ways.
MUTUAL = frozenset("connect relate link associate tie".split())

# With such a word a statement and its denial can both be true.
_PARTIAL = frozenset(
    "some few several many sometimes often may might could partly partially usually sometimes most 1".split()
)


class Statement(NamedTuple):
    """A statement in normal form: its words in order, and the times that it names."""

    words: tuple[Word, ...]
    times: frozenset[When]

    @property
    def negations(self) -> list[Word]:
        return [word for word in self.words if word.negation]


def statement(words: Sequence[Word]) -> Statement:
    """The normal form: times taken out, negation tied to what it denies, auxiliaries and articles dropped."""
    rest, times = _timed(words)
    plain: list[Word] = []
    negation, definite, past, inverted = "", False, False, False
    for at, word in enumerate(rest):
        following = _next_plain(rest, at)
        text = "" if word.ids else word.text
        if text in ("not", "never", "no", "nt") and not negation:
            lapsed = text == "no" and following is not None and following.text == "longer"
            negation = "lapsed" if lapsed else {"never": "never", "no": "no"}.get(text, "not")
            continue
        if text == "longer" and negation == "lapsed":
            continue
        if text in ARTICLES:
            definite = text == "the"
            continue
        if (
            text in ("do", "does", "did")
            and following is not None
            and (at == 0 or not following.ids)
            and following.text not in PREPOSITIONS
        ):
            past = text == "did"
            inverted = past and at == 0
            continue
        if (
            text in ("has", "have", "had")
            and following is not None
            and not following.ids
            and is_participle(following.text)
        ):
            past = True
            continue
        if text in BE:
            plain.append(Word("be", word.raw, past=BE[text] or past))
            past, definite = False, False
            continue
        if (
            negation == "no"
            and plain
            and plain[-1].text in ("have", "has", "had")
            and not plain[-1].negation
        ):
            plain[-1] = plain[-1]._replace(negation="not")
            negation = ""
        plain.append(
            word._replace(
                past=word.past or past,
                negation="not" if negation == "no" else negation,
                definite=definite,
            )
        )
        negation, definite = "", False
        past = inverted = inverted and bool(word.ids)  # of 'did X supply' the verb is past
    if negation:
        plain.append(Word(negation, negation))
    return Statement(tuple(plain), times)


def _next_plain(words: Sequence[Word], at: int) -> Word | None:
    for word in words[at + 1 :]:
        if word.ids or word.text not in NEGATORS:
            return word
    return None


def _timed(words: Sequence[Word]) -> tuple[list[Word], frozenset[When]]:
    """The words without 'in March 2026', and what such phrases say."""
    rest: list[Word] = []
    times: set[When] = set()
    at = _opening_time(words)
    if at:
        times.add(when("at", [one.text for one in words[:at]]))
    while at < len(words):
        word = words[at]
        if not word.ids and word.text in TIME_PREPOSITIONS:
            end = _end_of_time(words, at + 1)
            said = [
                one.text.casefold() for one in words[at + 1 : end] if one.text not in ("the", "of")
            ]
            if end > at + 1:
                times.add(when(word.text, said))
                at = end
                continue
            if (
                word.text == "since" and len(rest) > 2 and at + 1 < len(words)
            ):  # since the works: an event for a time, to the end
                times.add(When("since", tuple(one.text for one in words[at + 1 :])))
                break
        rest.append(word)
        at += 1
    return rest, frozenset(times)


def _opening_time(words: Sequence[Word]) -> int:
    """Where a bare clock time or date at the beginning ends, as a line of a log has it: '09:20 Ada restarted it'. 0 if there is none."""
    end = 0
    while end < min(2, len(words)) and not words[end].ids and is_stamp(words[end].text):
        end += 1
    return end if end and len(words) > end + 1 and words[end].text not in BE else 0


def _end_of_time(words: Sequence[Word], start: int) -> int:
    """Where a date or time that begins here ends; the start itself if there is none."""
    end, certain = start, False
    while end < len(words) and not words[end].ids:
        word = words[end]
        if is_temporal(word.text, word.raw):
            certain = True
        elif end > start and ":" in words[end - 1].text and word.text.casefold() in ZONES:
            pass
        elif not (_is_day(word.text) or word.text in ("the", "of")) or not (
            _month_ahead(words, end) or (certain and _is_day(word.text))
        ):
            break
        end += 1
    return end if certain else start


def _is_day(text: str) -> bool:
    plain = text.rstrip("stndrh")
    return plain.isdecimal() and len(plain) <= 2 and 1 <= int(plain) <= 31


def _month_ahead(words: Sequence[Word], at: int) -> bool:
    return any(is_temporal(word.text, word.raw) for word in words[at + 1 : at + 4])


# -- comparing ------------------------------------------------------------------------------------------------------------------------


def compare(asked: Statement, known: Statement) -> str:
    """What the known statement is to the asked one: SAME (it says that much), OPPOSITE, or OTHER."""
    if len(asked.words) < 2 or not known.words:
        return OTHER
    if not _comparable(asked.words, known.words):
        return OTHER
    best = _compare(asked, known)
    if best == OTHER and not asked.negations:
        for part in (
            *weaker(known.words),
            *(one for led in led_in(known.words) for one in (led, *weaker(led))),
        ):
            if _compare(asked, known._replace(words=part)) == SAME:
                return SAME
    return best


def _comparable(mine: Sequence[Word], theirs: Sequence[Word]) -> bool:
    """Whether everything that the asked statement names stands in the known one; a look that spares most comparisons."""
    pool = [word.ids for word in theirs if word.ids]
    return all(any(word.ids & ids for ids in pool) for word in mine if word.ids)


def _compare(asked: Statement, known: Statement) -> str:
    best = OTHER
    for mine in voices(asked.words):
        for theirs in voices(known.words):
            verdict = _aligned(asked, known, mine, theirs) if len(mine) == len(theirs) else OTHER
            if verdict == SAME:
                return SAME
            best = verdict if best == OTHER else best
    return best


def _aligned(
    asked: Statement, known: Statement, mine: Sequence[Word], theirs: Sequence[Word]
) -> str:
    if not all(_agree(one, other) for one, other in zip(mine, theirs, strict=True)):
        return OTHER
    denials = sum(1 for word in mine if word.negation), sum(1 for word in theirs if word.negation)
    if denials[0] == denials[1]:
        if not all(
            _denied_alike(one.negation, other.negation)
            for one, other in zip(mine, theirs, strict=True)
        ):
            return OTHER
        lasting = not any(
            outlived_word(one, other) for one, other in zip(mine, theirs, strict=True)
        )
        return SAME if lasting and _time_covered(asked, known, denied=denials[0] > 0) else OTHER
    if (
        sorted(denials) == [0, 1]
        and not any(word.text in _PARTIAL for word in mine)
        and _of_one_time(asked, known, denials[0] == 1)
    ):
        kinds = {word.negation for word in (*mine, *theirs)} - {""}
        if kinds == {"lapsed"}:
            return OPPOSITE if denials[1] and not any(word.past for word in mine) else OTHER
        if any(outlived_word(one, other) for one, other in zip(mine, theirs, strict=True)):
            return OTHER
        return OPPOSITE
    return OTHER


def _of_one_time(asked: Statement, known: Statement, denying: bool) -> bool:
    """Whether one of the two denies the other at the same time; 'it was not done' is refuted by its having been done once."""
    if asked.times == known.times:
        return True
    happened = any(word.past and word.text != "be" for word in known.words) or any(
        is_participle(word.text) for word in known.words
    )
    return (
        denying
        and not asked.times
        and happened
        and all(one.relation == "at" for one in known.times)
    )


def _denied_alike(asked: str, known: str) -> bool:
    return asked == known or (asked == "not" and known == "never")


def outlived_word(asked: Word, known: Word) -> bool:
    """Whether a word speaks of now where the known one speaks of then, in a way that need not hold any more."""
    if asked.ids or not known.past or asked.past:
        return False
    return (
        asked.text == "be"
        or asked.agent
        or known.agent
        or bool(bases(asked.text) & _LASTING)
        or outlived(asked.text, known.text)
    )


_LASTING = frozenset(("have",))


def _agree(one: Word, other: Word) -> bool:
    if one.ids or other.ids:
        return bool(one.ids & other.ids)
    if one.text == other.text and one.agent == other.agent:
        return True
    if one.agent != other.agent:
        return agent_of(one.text, other.text) if one.agent else agent_of(other.text, one.text)
    if (
        is_number(one.text)
        or is_number(other.text)
        or one.raw[:1].isupper()
        or other.raw[:1].isupper()
    ):
        return False
    return same_word(one.text, other.text)


def _time_covered(asked: Statement, known: Statement, denied: bool) -> bool:
    """Whether what is known holds at the times asked: named alike, or known more closely. What is denied once isn't denied for ever."""
    if asked.times == known.times:
        return True
    if denied:
        return False
    left = set(known.times)
    for one in asked.times:
        exact = [other for other in left if _within(other, one)]
        if not exact:
            return False
        left.discard(exact[0])
    now = any(word.text == "be" and not word.past for word in asked.words)
    return all(
        other.relation == "since" or (other.relation == "at" and not now) for other in left
    )  # what began is taken to go on


def _within(known: When, asked: When) -> bool:
    if known == asked:
        return True
    if known.relation != "at" or asked.relation != "at" or len(asked.parts) > 1:
        return False
    mine, theirs = asked.parts[0].split("-"), known.parts[0].split("-")
    return mine[0] != "*" and all(
        one in ("*", other) for one, other in zip(mine, theirs, strict=True)
    )


def voices(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The same statement with its parts in other places: passive as active, 'is the owner of' as a verb, definite halves swapped, what
    stands in front or is set off, possessives, questions."""
    return _voices(tuple(words))


@lru_cache(maxsize=5_000)
def _voices(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    return closure(words, (_mutual, _joint, _turned, fronted, cleft, possessive, asking))


def _turned(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    for at, word in enumerate(words):
        if word.text != "be" or word.ids or at + 1 >= len(words) or not at:
            continue
        left, right = words[:at], words[at + 1 :]
        if any(_is_description(side) for side in (left, right)) and not any(
            part.negation for part in words
        ):
            yield (*right, word, *left)
        if at + 2 >= len(words):
            continue
        verb = words[at + 1]
        if not verb.ids and is_participle(verb.text):
            yield from _active(words, at)
        elif not verb.ids and verb.text.endswith("ly") and is_participle(words[at + 2].text):
            yield from _active((*words[: at + 1], *words[at + 2 :], verb), at)
        if words[at + 2].text == "of" and not verb.ids and verb.text.endswith(("er", "or")):
            yield (
                *words[:at],
                verb._replace(agent=True, past=word.past, definite=False),
                *words[at + 3 :],
            )


def _is_description(words: Sequence[Word]) -> bool:
    """'the capital of France': there is one."""
    return words[0].definite and any(word.text == "of" and not word.ids for word in words)


def _mutual(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """'A and B are linked', 'A is linked with B' and 'B is linked to A' as one."""
    if len(words) != 5 or not any(bases(word.text) & MUTUAL for word in words[2:] if not word.ids):
        return
    texts = [word.text for word in words]
    if texts[1] == "and" and texts[3] == "be":
        one, other, be, linked = words[0], words[2], words[3], words[4]
    elif texts[1] == "be" and texts[3] in ("to", "with"):
        one, be, linked, other = words[0], words[1], words[2], words[4]
    else:
        return
    to = Word("to", "to")
    yield (one, be, linked, to, other)
    yield (other, be, linked, to, one)


def _joint(words: Sequence[Word]) -> Iterator[tuple[Word, ...]]:
    """'A and B do it' as 'B and A do it': two things at the beginning, or at the end, of a statement in which there is no third."""
    if len(words) < 3 or any(word.text == "respectively" for word in words):
        return
    for at in sorted({0, len(words) - 3}):
        one, link, other = words[at : at + 3]
        alone = at == 0 or not words[at - 1].ids
        if (
            alone
            and one.ids
            and other.ids
            and link.text in ("and", "or")
            and not link.ids
            and not link.negation
        ):
            yield (
                *words[:at],
                other._replace(negation=one.negation),
                link,
                one._replace(negation=other.negation),
                *words[at + 3 :],
            )


def _active(words: Sequence[Word], be: int) -> Iterator[tuple[Word, ...]]:
    verb = words[be + 1]._replace(past=words[be].past)
    for by in range(be + 2, len(words) - 1):
        if words[by].text != "by" or words[by].ids:
            continue
        for end in range(by + 2, len(words) + 1):
            if end == len(words) or (not words[end].ids and words[end].text in PREPOSITIONS):
                doer, between = words[by + 1 : end], words[be + 2 : by]
                yield (*doer, verb, *words[:be], *between, *words[end:])
                if between:
                    yield (*doer, verb, between[0], *words[:be], *between[1:], *words[end:])


def difference(asked: Statement, known: Statement) -> str:
    """In words, how a near statement differs from the asked one; '' when the two are far apart."""
    mine, theirs = list(asked.words), list(known.words)
    extra = [word for word in mine if not _taken(word, theirs)]
    if not extra and not theirs:
        if compare(asked, known) == OPPOSITE:
            return "it says the opposite"
        return (
            "the roles are the other way round"
            if asked.times == known.times
            else "it speaks of another time"
        )
    if len(extra) + len(theirs) > 4:
        return ""
    numbers = [word.text for word in (*extra, *theirs) if is_number(word.text)]
    if numbers and len(numbers) == len(extra) + len(theirs):
        return OTHER_NUMBER
    more, less = " ".join(word.raw for word in theirs), " ".join(word.raw for word in extra)
    return f"it says '{more}'" if more else f"it doesn't say '{less}'"


def _taken(word: Word, pool: list[Word]) -> bool:
    for at, other in enumerate(pool):
        if _agree(word, other):
            del pool[at]
            return True
    return False


# -- quotes ---------------------------------------------------------------------------------------------------------------------------


def carries(text: str, quote: str, names: Mapping[str, frozenset[int]]) -> bool:
    """Whether a sentence of the quote says what the text says, be it in another order."""
    return any(
        says(text, piece, names) == SAME for piece in _SENTENCES.split(quote) if piece.strip()
    )


def says(asked: str, known: str, names: Mapping[str, frozenset[int]]) -> str:
    """What a known sentence is to an asked one, both as they are written."""
    one, other = (statement(joined(tokens(text, apart=True), names)[0]) for text in (asked, known))
    found = compare(one, other)
    return SAME if found == OTHER and reworded(asked, known, names) else found
