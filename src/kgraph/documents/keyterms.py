"""The things an English text keeps coming back to: common nouns and short phrases that recur, with or without a capital.

No tagger: a word counts as a noun where the words around it say so (after an article, a preposition or a possessive, before a verb), and
a phrase counts when it recurs. What a title or heading names needs less to count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from kgraph.documents.lexicon import (
    ADJECTIVES,
    AUXILIARIES,
    CALENDAR,
    DEMONYMS,
    FUNCTION,
    GENERAL,
    NOUN_TOO,
    ORDINARY_CAPITALS,
    VERB_FORMS,
)
from kgraph.documents.tokens import Sentence, Token
from kgraph.language.inflection import singular

_BEFORE_NOUN = frozenset(
    """a an the this that these those my our your his her its their some any each every no all both such which whose of in on at by with
    without into onto from to for between among through about against over under per via as like including and or many most several
    few more other another same first second own""".split()
)
_ADJECTIVE_ENDINGS = ("ful", "ous", "less", "ical", "ish")
_DOUBTFUL_ENDINGS = (
    "ly",
    "ive",
    "able",
    "ible",
    "ate",
    "ary",
    "est",
    "al",
    "ic",
    "ent",
    "ant",
    "ing",
    "ed",
    "er",
)


# Words that say how much, how good or which one: what they stand before is no other thing for it.
_VAGUE = frozenset(
    """new old good bad great big small large long short high low early late main major minor important different common certain various
    possible available able full empty clear simple easy hard difficult strong weak true false real whole entire single double special
    particular similar such right wrong sure happy sad best better worse worst larger smaller higher lower longer shorter bigger greater
    faster slower earlier later unique rich poor initial current recent essential crucial vital necessary potential significant key regular
    normal standard typical usual rare frequent constant positive negative vast huge tiny broad close distant famous favorite favourite
    fascinating interesting amazing incredible remarkable diverse valuable additional extra further total actual overall specific
    appropriate suitable relevant related multiple numerous individual separate exact precise original final ultimate corresponding
    following existing growing increasing remaining resulting underlying inordinate accurate immediate ordinary mundane top future past
    generic arbitrary distinct equal effective efficient successful proper meaningful profound deeper deep more own""".split()
)


_SMALL = FUNCTION | AUXILIARIES
_VERBS_FIRST = frozenset(
    "use uses help helps fix fixes drive drives let lets share shares show shows".split()
)


class _Phrase:
    __slots__ = ("forms", "noun", "sentences", "sure")

    def __init__(self) -> None:
        self.forms: Counter[str] = Counter()
        self.sentences: set[int] = set()
        self.noun = 0
        self.sure = 0  # times that an article right before it, or a plural, leaves no doubt


_Counts = defaultdict[str, _Phrase]


def keyterms(
    sentences: Sequence[Sentence], headings: Iterable[str], names: frozenset[str], rich: bool
) -> dict[str, list[str]]:
    """Recurring terms, each with the forms in which the text writes it, most frequent first. ``names`` (lower case) are left to others.

    In a ``rich`` text, one that names enough things by itself, a single common word is a term only if a heading has it.
    """
    titled = {
        singular(word)
        for heading in headings
        for word in heading.lower().replace("-", " ").split()
        if len(word) > 2
    }
    singles: defaultdict[str, _Phrase] = defaultdict(_Phrase)
    multiples: defaultdict[str, _Phrase] = defaultdict(_Phrase)
    for number, sentence in enumerate(sentences):
        for run, before, closed in _content_runs(sentence.tokens):
            _count(run, before, closed, (number, sentence.tokens[0].start), (singles, multiples))
    chosen: dict[str, list[str]] = {}
    size = max(1, len(sentences))
    for key, phrase in multiples.items():
        if (
            len(phrase.sentences) >= (3 if _is_adjective(key.split()[0]) else 2)
            and key not in names
        ):
            chosen[key] = [form for form, _ in phrase.forms.most_common(4)]
    _drop_parts(chosen, multiples)
    inside = Counter(singular(key.split()[-1]) for key in chosen)
    ranked = sorted(
        (
            (len(phrase.sentences), key)
            for key, phrase in singles.items()
            if phrase.noun * 2 >= sum(phrase.forms.values())
            and key not in names
            and _is_term_word(key, phrase)
            and not all(form in names for form in phrase.forms)
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )
    allowance = 8 + size // 4
    for count, key in ranked:
        if rich and key not in titled:
            continue
        needed = (
            2
            if key in titled or inside[key] or (size < 60 and singles[key].sure > 1)
            else max(3, min(6, size // 12))
        )
        if count >= needed and allowance > 0:
            chosen[key] = [form for form, _ in singles[key].forms.most_common(4)]
            allowance -= 1
    return chosen


def _count(
    run: Sequence[Token],
    before: str,
    closed: bool,
    place: tuple[int, int],
    counts: tuple[_Counts, _Counts],
) -> None:
    singles, multiples = counts
    number, opening = place
    head = run[-1]
    phrase = singles[singular(head.lower)]
    phrase.forms[_spelling(run[-1:], opening)] += 1
    phrase.sentences.add(number)
    if (
        before in _BEFORE_NOUN
        or len(run) > 1
        or singular(head.lower) != head.lower
        or (not before and head.lower not in VERB_FORMS)
    ):
        phrase.noun += 1
        phrase.sure += (closed and len(run) == 1 and before in ("a", "an", "the")) or singular(
            head.lower
        ) != head.lower
    for length in (2, 3):
        if len(run) < length:
            break
        words = run[-length:]
        if not _is_phrase(words):
            continue
        key = " ".join([token.lower for token in words[:-1]] + [singular(head.lower)])
        phrase = multiples[key]
        phrase.forms[_spelling(words, opening)] += 1
        phrase.sentences.add(number)


def _content_runs(tokens: Sequence[Token]) -> Iterable[tuple[list[Token], str, bool]]:
    """Maximal runs of words that may belong to a noun phrase, each with the word before it ('' at a break) and whether a small word or a
    break ends it, rather than a word that may be a noun or a verb."""
    run: list[Token] = []
    before = ""
    for token in tokens:
        low = token.lower
        content = _is_content(low)
        if run and (
            not token.joined
            or not content
            or (low in VERB_FORMS and run[-1].lower not in VERB_FORMS and low not in NOUN_TOO)
        ):
            yield run, before, not (token.joined and content)
            before = run[-1].lower if token.joined else ""
            run = []
        if not token.joined and not run:
            before = ""
        if content and (low not in VERB_FORMS or low in NOUN_TOO or run):
            run.append(token)
        elif content:  # a verb ends nothing but begins nothing either
            before = low
        else:
            before = low
    if run:
        yield run, before, True


def _is_content(low: str) -> bool:
    return (
        low not in _SMALL
        and len(low) > 1
        and (
            low.isalpha()
            or (not low[0].isdigit() and low[0] != "@" and "'" not in low and "’" not in low)
        )
    )


def _is_phrase(words: Sequence[Token]) -> bool:
    first, head = words[0].lower, words[-1].lower
    if (
        any(
            token.lower in CALENDAR or (token.lower in ORDINARY_CAPITALS and token.text.isupper())
            for token in words
        )
        or head in ADJECTIVES
        or head.endswith("ly")
        or first.endswith("ly")
    ):
        return False
    if (
        first in _VAGUE
        or first in _VERBS_FIRST
        or any(low in VERB_FORMS and low not in NOUN_TOO for low in (first, head))
    ):
        return False
    return not (_is_adjective(first) and (len(words) > 2 or singular(head) in GENERAL))


def _is_adjective(low: str) -> bool:
    return low in ADJECTIVES or low.endswith(
        (*_ADJECTIVE_ENDINGS, "able", "ible", "ive", "ing", "est", "ed")
    )


def _spelling(words: Sequence[Token], opening: int) -> str:
    """As the text has it, but for the capital of a sentence's first word."""
    spelt = " ".join(token.text for token in words)
    return (
        spelt[:1].lower() + spelt[1:]
        if words[0].start == opening and spelt[1:].islower()
        else spelt
    )


def _is_term_word(key: str, phrase: _Phrase) -> bool:
    if (
        len(key) < 3
        or key in GENERAL
        or key in ADJECTIVES
        or key in CALENDAR
        or key in DEMONYMS
        or key in VERB_FORMS
    ):
        return False
    return not key.endswith(_ADJECTIVE_ENDINGS) and (
        phrase.sure > 1 or not key.endswith(_DOUBTFUL_ENDINGS)
    )


def _drop_parts(chosen: dict[str, list[str]], multiples: dict[str, _Phrase]) -> None:
    """A phrase that stands only within a longer chosen one says nothing of its own."""
    for key in sorted(chosen, key=len, reverse=True):
        words = key.split()
        if len(words) == 3:
            part = " ".join(words[1:])
            if part in chosen and len(multiples[part].sentences) == len(multiples[key].sentences):
                del chosen[part]
