"""What a document is about, where its title says so and its text bears it out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgraph.documents.lexicon import AUXILIARIES, CALENDAR, FUNCTION, GENERIC_TITLES
from kgraph.documents.masking import FILL, cleaned
from kgraph.documents.references import Numbered
from kgraph.documents.tokens import Sentence
from kgraph.language.folding import fold_hyphens
from kgraph.language.inflection import singular
from kgraph.tuples import NamedTuple

_LEAD_NUMBER = re.compile(r"^(?:\d{1,4}[.):]|\[?[A-Z]{2,5}[- ]?\d+\]?\s?[:.—–-])\s+")
_DISAMBIGUATION = re.compile(r"\s*\([^()]{1,60}\)\s*$")
_COPULA = re.compile(
    r"\b(?:is|are|was|were|refers\s+to|means)\s+(?:also\s+|perhaps\s+)?(?:an?|the|one\s+of|part\s+of|in)?\s*(?P<kind>[^.,;()]{0,120})"
)
_ASIDE = re.compile(r"[(,\[]|\s[–—-]\s")
_BRACKETED = re.compile(r"\([^()]*\)")
_KIND_ENDS = re.compile(
    r"\b(?:of|in|by|for|from|who|that|which|and|or|to|at|with|on|based|located|known|directed|released|written|set|starring|published|founded|born|whose)\b"
)
_OPENING_REACH = 400  # characters in which a first sentence must have come to its verb
_WORKS = frozenset(
    """film album song single band book novel village town city station school company series show game episode building bridge river
    lake island
    magazine newspaper opera play poem painting ship aircraft club team group ep soundtrack video documentary programme program""".split()
)
_PRONOUNS = frozenset("he she it they his her its their him".split())
_PERSONAL = frozenset("he she his her him".split())
_WORD = re.compile(r"[^\W\d_][\w-]*")


class Subject(NamedTuple):
    """A document's subject. ``encyclopaedic``: its first sentence says what it is, so that a later 'He' or 'It' means it."""

    name: str
    aliases: tuple[str, ...]
    hidden: tuple[
        str, ...
    ]  # what else stands for it in this text only: a surname, the title without its bracket
    encyclopaedic: bool
    kind: str = ""  # 'film', 'village': the noun its first sentence gives it
    description: str = ""


def subject_of(title: str, own: Numbered | None, sentences: Sequence[Sentence]) -> Subject | None:
    """The subject that the title names, or None where the title is no name of a thing or the text doesn't take it up."""
    title = " ".join(title.strip().strip("`").split())
    if own is not None:
        plain = re.sub(r"^[A-Z]{2,5}[- ]?\d+\s*[:.–—-]*\s*", "", title)
        return Subject(
            own.name,
            (),
            (),
            False,
            "",
            plain if plain and fold_hyphens(plain) != fold_hyphens(own.name) else "",
        )
    bare = _LEAD_NUMBER.sub("", title)
    if (
        not bare
        or len(bare) > 100
        or fold_hyphens(bare) in GENERIC_TITLES
        or all(word in GENERIC_TITLES for word in fold_hyphens(bare).split())
    ):
        return None
    core = _DISAMBIGUATION.sub("", bare)
    bracket = bare[len(core) :].strip(" ()").lower()
    if not sentences or not sentences[0].tokens:
        return None
    opening = _opening(core, sentences[0])
    if opening is None:
        first = [token.lower for token in sentences[0].tokens[:2]]
        if (
            first[:1] == ["the"]
            and first[-1] in _WORKS
            and (first[-1] in bracket or (len(sentences) <= 30 and _is_name_like(core)))
        ):
            return Subject(
                bare,
                (),
                (core,) if fold_hyphens(core) != fold_hyphens(bare) else (),
                True,
                first[-1],
            )
        return None
    kind, called = opening
    own_name = (
        fold_hyphens(called) not in (fold_hyphens(bare), fold_hyphens(core))
        and _is_name_like(called)
        and len(called) > 3
    )
    hidden = tuple(dict.fromkeys([core, core.split(",")[0], *_name_parts(core, sentences)]))
    aliases = (called,) if own_name else ()
    return Subject(
        bare,
        aliases,
        tuple(
            name
            for name in hidden
            if fold_hyphens(name) not in (fold_hyphens(bare), *map(fold_hyphens, aliases))
        ),
        True,
        kind,
    )


def title_name(title: str) -> str:
    """The title as the name of an incident or event: without a number before it."""
    bare = _LEAD_NUMBER.sub("", " ".join(title.strip().strip("`").split()))
    return (
        ""
        if len(bare) > 100 or all(word in GENERIC_TITLES for word in fold_hyphens(bare).split())
        else bare
    )


def speaks_of(sentence: Sentence, subject: Subject, before: bool) -> bool:
    """Whether a sentence that doesn't name the subject certainly speaks of it: a pronoun first, and the sentence before did too."""
    if not sentence.tokens:
        return False
    words = [token.lower for token in sentence.tokens[:12]]
    lead = sentence.text[: sentence.tokens[0].start - sentence.start]
    if lead.strip(" \t\"'“*_\x01"):
        return False
    if before and words[0] in _PRONOUNS:
        return True
    if before and (place := next((at for at, word in enumerate(words) if word in _PERSONAL), 0)):
        names = [
            token
            for token in sentence.tokens[1:place]
            if token.text[0].isupper() and token.lower not in CALENDAR
        ]
        if not names:  # 'In 2013, she was a judge': nobody else is named before the pronoun
            return True
    kind = subject.kind.split()[-1] if subject.kind else ""
    return bool(kind) and len(words) > 1 and words[0] in ("the", "this") and words[1] == kind


def _opening(core: str, first: Sentence) -> tuple[str, str] | None:
    """What the first sentence says its subject is, and what it calls it; None if it doesn't open by saying what the title is."""
    text = first.text[:_OPENING_REACH]
    outside = _BRACKETED.sub(lambda found: FILL * len(found.group()), text)
    verb = _COPULA.search(outside)
    if verb is None:
        return None
    before = text[: verb.start()]
    aside = _ASIDE.search(before)
    called = cleaned(
        before[: aside.start()] if aside and aside.start() > 1 else _BRACKETED.sub(" ", before)
    ).strip(" \"“”'*,.")
    called = re.sub(r"^(?:the|an?|rev\.|dr\.|sir)\s+", "", called, flags=re.IGNORECASE)
    title = [word for word in _WORD.findall(core) if word.lower() not in FUNCTION and len(word) > 2]
    shared = {word.lower() for word in title if word[0].isupper()} & {
        word.lower() for word in _WORD.findall(called)
    }
    if not (
        fold_hyphens(core) in fold_hyphens(cleaned(before)) or (shared and len(called.split()) <= 8)
    ):
        return None
    words = _WORD.findall(_KIND_ENDS.split(verb.group("kind"))[0])
    kind: list[str] = []
    for word in reversed(words):
        if not word.islower() or word in FUNCTION or word in AUXILIARIES or len(kind) == 3:
            break
        kind.insert(0, word)
    return " ".join(kind), called


def _is_name_like(text: str) -> bool:
    words = [word for word in text.split() if word.lower() not in FUNCTION]
    return (
        bool(words)
        and len(words) <= 8
        and all(word[0].isupper() or not word[0].isalpha() or word in _PARTICLES for word in words)
    )


_PARTICLES = frozenset("bin ibn al von van de la du der den mac ben del di da".split())


def _name_parts(core: str, sentences: Sequence[Sentence]) -> list[str]:
    """A surname or first name of the title that the text uses alone, capitalised as only names are."""
    words = core.split(",")[0].split()
    if not 2 <= len(words) <= 5 or not all(
        word[0].isupper() or word.lower() in FUNCTION or word in _PARTICLES for word in words
    ):
        return []
    alone: list[str] = []
    for word in words:
        if (
            len(word) < 3
            or not word[0].isupper()
            or word.lower() in CALENDAR | FUNCTION
            or singular(word.lower()) in GENERIC_TITLES
        ):
            continue
        lowered = any(
            token.text == word.lower() for sentence in sentences for token in sentence.tokens
        )
        if not lowered and any(
            token.text == word for sentence in sentences for token in sentence.tokens
        ):
            alone.append(word)
    return alone
