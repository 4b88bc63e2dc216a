"""What a text says a thing is, in the text's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgraph.documents.lexicon import AUXILIARIES, NOUN_TOO, VERB_FORMS
from kgraph.documents.masking import cleaned
from kgraph.documents.terms import Mention, Term
from kgraph.documents.tokens import Sentence
from kgraph.language.folding import fold_hyphens
from kgraph.language.inflection import is_past

LONGEST = 300  # characters
_TOO_LONG = 2000  # characters: such a sentence says too much to say what one thing is
_COPULA = re.compile(
    r"[\s\x01\"”’]*(?:\([^()]{0,200}\)[\s\x01]*)?(?:,[^,.;]{1,80},\s*)?(?:is|are|was|were)\s+(?:also\s+|now\s+|essentially\s+|simply\s+|basically\s+)?(?=(?:an?|the|one)\s)"
)
_MEANS = re.compile(
    r"[\s\x01\"”’]*(?:means|refers\s+to|denotes|stands\s+for|describes|is\s+defined\s+as|is\s+responsible\s+for)\s+(?=\w)"
)
_APPOSITIVE = re.compile(r"[\s\x01\"”’]*,\s+((?:an?|the)\s[^,.;:()\x01]{4,140})(?=[,.;]|$)")
_BRACKET = re.compile(r"[\s\x01\"”’]*\(((?:an?|the|our)\s[^()]{4,140})\)")
_DASH = re.compile(r"[\s\x01\"”’]*(?:\([^()]{0,80}\)[\s\x01]*)?(?:\s[–—-]{1,2}\s|:\s|：)\s*(?=\S)")
_LISTED = re.compile(r",?\s+(?:and|or)\b")
_PREPOSITIONS = frozenset(
    "in on at after before during by for with from since as due despite until upon when while if although because under to over".split()
)
_SUBJECT_LEAD = re.compile(r"[\W\x01]*(?:the|a|an|this|our)?[\W\x01]*$", re.IGNORECASE)


def stated(sentence: Sentence, mention: Mention) -> tuple[int, str]:
    """The description of a term that its sentence states outright, with its rank (3 defines, 2 says what it is, 0 none)."""
    if len(sentence.text) > _TOO_LONG:
        return 0, ""
    offset = mention.end - sentence.start
    text = sentence.text
    opens = _SUBJECT_LEAD.match(text, 0, mention.start - sentence.start) is not None
    if opens:
        for pattern in (_COPULA, _MEANS):
            found = pattern.match(text, offset)
            if found:
                return 3, _trim(text[found.end() :])
        found = _DASH.match(text, offset)
        if found and (sentence.passage.kind in ("item", "cell") or "defined" in mention.term.kinds):
            words = text[found.end() :]
            return (0, "") if is_past(words.split()[0].lower()) else (3, _trim(words))
    found = _APPOSITIVE.match(text, offset)
    if found and not _LISTED.match(text, found.end()) and not _is_fronted(sentence, mention):
        words = _until_verb(found.group(1))
        if words:
            return 2, _trim(words)
    found = _BRACKET.match(text, offset)
    if found:
        return 2, _trim(found.group(1))
    return 0, ""


def describe(spoken: Sequence[tuple[Sentence, Mention]], term: Term) -> str:
    """The best description that these sentences state, or '': a sentence that names a thing doesn't say what it is."""
    best, words = 0, ""
    for sentence, mention in spoken:
        rank, found = stated(sentence, mention)
        if rank > best and says_something(found, term):
            best, words = rank, found
        if best == 3:
            break
    return words


def _is_fronted(sentence: Sentence, mention: Mention) -> bool:
    """'In the run-up to the freeze, a spike …': what follows the comma is the sentence's subject, not a word about the freeze."""
    opens = sentence.tokens[0]
    return (
        opens.lower in _PREPOSITIONS and "," not in sentence.text[: mention.start - sentence.start]
    )


def _until_verb(words: str) -> str:
    """The noun phrase at the start of an appositive; nothing where a finite verb follows too soon to tell."""
    kept: list[str] = []
    for word in words.split():
        low = word.lower()
        if low in AUXILIARIES or (
            low in VERB_FORMS
            and low not in NOUN_TOO
            and not low.endswith(("ed", "ing", "en", "wn"))
        ):
            return " ".join(kept) if len(kept) > 2 and low in AUXILIARIES else ""
        kept.append(word)
    return words


def says_something(text: str, term: Term) -> bool:
    """Whether a description has a word beyond the names of the thing itself."""
    own = {word for surface in term.surfaces for word in fold_hyphens(surface).split()}
    return any(
        word.strip(".,;:") not in own and len(word) > 3 for word in fold_hyphens(text).split()
    )


def _trim(text: str) -> str:
    words = cleaned(text).rstrip(" .;:,")
    if len(words) <= LONGEST:
        return words
    for stop in ("; ", ", which ", ", where ", ", and ", ", "):
        at = words.rfind(stop, 40, LONGEST)
        if at > 0:
            return words[:at]
    return ""
