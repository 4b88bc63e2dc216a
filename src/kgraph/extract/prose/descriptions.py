"""What a text says a thing is, in the text's own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgraph.extract.prose.masking import cleaned
from kgraph.extract.prose.terms import Mention, Term, fold
from kgraph.extract.prose.tokens import Sentence

LONGEST = 300  # characters
_COPULA = re.compile(
    r"[\s\x01\"”’]*(?:\([^()]{0,200}\)[\s\x01]*)?(?:,[^,.;]{1,80},\s*)?(?:is|are|was|were)\s+(?:also\s+|now\s+|essentially\s+|simply\s+|basically\s+)?(?=(?:an?|the|one)\s)"
)
_MEANS = re.compile(r"[\s\x01\"”’]*(?:means|refers\s+to|denotes|stands\s+for|describes|is\s+defined\s+as|is\s+responsible\s+for)\s+(?=\w)")
_APPOSITIVE = re.compile(r"[\s\x01\"”’]*,\s+((?:an?|the)\s[^,.;:()\x01]{4,140})(?=[,.;]|$)")
_BRACKET = re.compile(r"[\s\x01\"”’]*\(((?:an?|the|our)\s[^()]{4,140})\)")
_DASH = re.compile(r"[\s\x01\"”’]*(?:\s[–—-]{1,2}\s|:\s|：)\s*(?=\S)")
_WHICH = re.compile(r"[\s\x01\"”’]*,\s+((?:which|who|whose)\s[^,.;:()]{5,160})(?=[,.;]|$)")
_SUBJECT_LEAD = re.compile(r"[\W\x01]*(?:the|a|an|this|our)?[\W\x01]*$", re.IGNORECASE)


def stated(sentence: Sentence, mention: Mention) -> tuple[int, str]:
    """The description of a term that its sentence states outright, with its rank (3 defines, 2 says what it is, 1 tells of it, 0 none)."""
    offset = mention.end - sentence.start
    text = sentence.text
    opens = _SUBJECT_LEAD.match(text, 0, mention.start - sentence.start) is not None
    if opens:
        for pattern in (_COPULA, _MEANS):
            found = pattern.match(text, offset)
            if found:
                return 3, _trim(text[found.end() :])
        found = _DASH.match(text, offset)
        if found and sentence.passage.kind in ("item", "cell"):
            return 3, _trim(text[found.end() :])
    found = _APPOSITIVE.match(text, offset)
    if found and not re.match(r",?\s+(?:and|or)\b", text[found.end() :]) and " and " not in found.group(1)[:12]:
        return 2, _trim(found.group(1))
    found = _BRACKET.match(text, offset)
    if found:
        return 2, _trim(found.group(1))
    found = _WHICH.match(text, offset)
    if found:
        return 1, _trim(found.group(1))
    return 0, ""


def describe(spoken: Sequence[tuple[Sentence, Mention]], term: Term) -> str:
    """The best description that these sentences state, else the first of them that is short enough to stand for one."""
    best, words = 0, ""
    for sentence, mention in spoken:
        rank, found = stated(sentence, mention)
        if rank > best and says_something(found, term):
            best, words = rank, found
        if best == 3:
            break
    if best > 1:
        return words
    for sentence, _ in spoken:
        whole = cleaned(sentence.text)
        if len(whole) <= LONGEST and says_something(whole, term) and len(whole.split()) > 3:
            return words or whole
    return words


def says_something(text: str, term: Term) -> bool:
    """Whether a description has a word beyond the names of the thing itself."""
    own = {word for surface in term.surfaces for word in fold(surface).split()}
    return any(word.strip(".,;:") not in own and len(word) > 3 for word in fold(text).split())


def _trim(text: str) -> str:
    words = cleaned(text).rstrip(" .;:,")
    if len(words) <= LONGEST:
        return words
    for stop in ("; ", ", which ", ", where ", ", and ", ", "):
        at = words.rfind(stop, 40, LONGEST)
        if at > 0:
            return words[:at]
    return ""
