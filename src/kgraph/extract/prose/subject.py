"""What a document is about, where its title says so and its text bears it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kgraph.extract.prose.lexicon import AUXILIARIES, CALENDAR, FUNCTION, GENERIC_TITLES
from kgraph.extract.prose.masking import cleaned
from kgraph.extract.prose.references import Numbered
from kgraph.extract.prose.terms import fold
from kgraph.extract.prose.tokens import Sentence, lemma

_LEAD_NUMBER = re.compile(r"^(?:\d{1,4}[.):]|\[?[A-Z]{2,5}[- ]?\d+\]?\s?[:.—–-])\s+")
_DISAMBIGUATION = re.compile(r"\s*\([^()]{1,60}\)\s*$")
_OPENING = re.compile(
    r"[\W\x01]*(?:the\s+|an?\s+)?(?P<name>[^.!?]{1,120}?)[\s\x01\"”’]*(?:[,(\[–—-][^.]{0,300}?[,)\]–—-]\s*)?(?:is|are|was|were|refers\s+to|means)\s+"
    r"(?:also\s+)?(?:an?|the|one\s+of|part\s+of|in)?\s*(?P<kind>[^.,;()]{0,120})",
    re.IGNORECASE,
)
_PRONOUNS = frozenset("he she it they his her its their him".split())
_WORD = re.compile(r"[A-Za-z][\w-]+")


class Subject(NamedTuple):
    """A document's subject. ``encyclopaedic``: its first sentence says what it is, so that a later 'He' or 'It' means it."""

    name: str
    aliases: tuple[str, ...]
    hidden: tuple[str, ...]  # what else stands for it in this text only: a surname, the title without its bracket
    encyclopaedic: bool
    kind: str = ""  # 'film', 'village': the noun its first sentence gives it
    description: str = ""


def subject_of(title: str, own: Numbered | None, sentences: Sequence[Sentence]) -> Subject | None:
    """The subject that the title names, or None where the title is no name of a thing or the text doesn't take it up."""
    title = " ".join(title.strip().strip("`").split())
    if own is not None:
        plain = re.sub(r"^[A-Z]{2,5}[- ]?\d+\s*[:.–—-]*\s*", "", title)
        return Subject(own.name, (), (), False, "", plain if plain and fold(plain) != fold(own.name) else "")
    bare = _LEAD_NUMBER.sub("", title)
    if not bare or len(bare) > 100 or fold(bare) in GENERIC_TITLES or all(word in GENERIC_TITLES for word in fold(bare).split()):
        return None
    core = _DISAMBIGUATION.sub("", bare)
    first = sentences[0] if sentences else None
    if first is not None:
        opening = _encyclopaedic(core, first)
        if opening is not None:
            hidden = tuple(dict.fromkeys([core, core.split(",")[0], *_name_parts(core, sentences)]))
            return Subject(bare, (), tuple(name for name in hidden if fold(name) != fold(bare)), True, opening)
    return None


def title_name(title: str) -> str:
    """The title as the name of an incident or event: without a number before it."""
    bare = _LEAD_NUMBER.sub("", " ".join(title.strip().strip("`").split()))
    return "" if len(bare) > 100 or all(word in GENERIC_TITLES for word in fold(bare).split()) else bare


def speaks_of(sentence: Sentence, subject: Subject, before: bool) -> bool:
    """Whether a sentence that doesn't name the subject certainly speaks of it: a pronoun first, and the sentence before did too."""
    if not sentence.tokens:
        return False
    first = sentence.tokens[0].lower
    lead = sentence.text[: sentence.tokens[0].start - sentence.start]
    if lead.strip(" \t\"'“*_\x01"):
        return False
    if before and first in _PRONOUNS:
        return True
    words = [token.lower for token in sentence.tokens[:3]]
    return bool(subject.kind) and len(words) > 1 and first in ("the", "this", "its") and subject.kind in words[1:2]


def _encyclopaedic(core: str, first: Sentence) -> str | None:
    """The kind that the first sentence gives its subject, '' if none is plain; None if it doesn't open by saying what the title is."""
    found = _OPENING.match(first.text[:700])
    if found is None:
        return None
    opening = fold(cleaned(found.group(0)[: found.start("kind")]))
    names = [fold(core), fold(core.split(",")[0])]
    words = [word for word in fold(core).replace(",", "").split() if word not in FUNCTION]
    named = any(name and name in opening for name in names) or (len(words) > 1 and sum(word in opening for word in words) >= max(2, len(words) - 1))
    if not named:
        return None
    kinds = [word.lower() for word in _WORD.findall(re.split(r"\b(?:of|in|by|for|from|who|that|which|and|to|at|with|on|based|located|known|directed|released|written|set|starring)\b", found.group("kind"))[0])]
    return kinds[-1] if kinds and kinds[-1] not in FUNCTION and kinds[-1] not in AUXILIARIES else ""


def _name_parts(core: str, sentences: Sequence[Sentence]) -> list[str]:
    """A surname or first name of the title that the text uses alone, capitalised as only names are."""
    words = core.split(",")[0].split()
    if not 2 <= len(words) <= 5 or not all(word[0].isupper() or word.lower() in FUNCTION | {"bin", "al", "von", "van", "de", "mac"} for word in words):
        return []
    alone: list[str] = []
    for word in words:
        if len(word) < 3 or not word[0].isupper() or word.lower() in CALENDAR | FUNCTION or lemma(word.lower()) in GENERIC_TITLES:
            continue
        lowered = any(token.text == word.lower() for sentence in sentences for token in sentence.tokens)
        if not lowered and any(token.text == word for sentence in sentences for token in sentence.tokens):
            alone.append(word)
    return alone
