"""Edges that a sentence states between two things in so many words: needs, replaces, was made from, is part of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kgraph.extract.prose.lexicon import AUXILIARIES, FUNCTION, HEDGES
from kgraph.extract.prose.masking import FILL
from kgraph.extract.prose.terms import Mention, Term
from kgraph.extract.prose.tokens import LONGEST, Sentence
from kgraph.tuples import NamedTuple

_BETWEEN = re.compile(
    r"(?:\([^()]{0,80}\)\s*)?(?:also\s+|now\s+|directly\s+|still\s+|itself\s+|internally\s+|currently\s+|heavily\s+){0,2}"
    r"(?:(?P<needs>depends?\s+(?:up)?on|relies\s+on|rely\s+on|requires?|(?:is|are)\s+(?:built\s+on(?:\s+top\s+of)?|powered\s+by|backed\s+by|implemented\s+on\s+top\s+of)|runs?\s+on\s+top\s+of)"
    r"|(?P<replaces>replaces|supersedes|obsoletes|has\s+(?:replaced|superseded))"
    r"|(?P<replaced>(?:is|was|were|has\s+been|have\s+been|had\s+been)\s+(?:replaced|superseded|obsoleted)\s+(?:by|with))"
    r"|(?P<derived>(?:is|was|are|were)\s+(?:a\s+(?:fork|derivative|port|translation)\s+of|(?:forked|derived|adapted|translated|ported|generated|built)\s+from|based\s+(?:up)?on))"
    r"|(?P<part>(?:is|are)\s+(?:(?:a\s+)?(?:part|component|module|subproject|subsidiary|division)\s+of|contained\s+in))"
    r"|(?P<parent>consists?\s+of))"
    r"\s+(?:the|a|an|its|our|their)?\s*"
)
_CUES = frozenset(
    """depends depend relies rely requires require built powered backed implemented run runs replaces supersedes obsoletes replaced
    superseded obsoleted fork
    derivative port translation forked derived adapted translated ported generated based part component module subproject subsidiary
    division contained
    consists consist""".split()
)
_DENIED = re.compile(r"\b(?:not|never|no\s+longer|neither|nor|would|if|unless|without|whether|should)\b|n['’]t\b", re.IGNORECASE)


class Stated(NamedTuple):
    predicate: str
    source: Term
    target: Term


def relations_in(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Stated]:
    """The edges between neighbouring terms of a sentence that nothing in it denies or weakens."""
    if (
        len(mentions) < 2
        or len(sentence.text) > LONGEST
        or not any(token.lower in _CUES for token in sentence.tokens)
        or sentence.text.rstrip()[-1:] == "?"
    ):
        return
    if any(token.lower in HEDGES for token in sentence.tokens) or _DENIED.search(sentence.text):
        return
    for first, second in pairwise(mentions):
        if first.term is second.term or second.start - first.end > 120 or not _stands_whole(sentence, second):
            continue
        between = sentence.text[first.end - sentence.start : second.start - sentence.start].replace(FILL, "").strip("\"”’'“‘ \t\r\n")
        found = _BETWEEN.fullmatch(between + " ")
        if found is None:
            continue
        kind = found.lastgroup
        if kind == "needs":
            yield Stated("DEPENDS_ON", first.term, second.term)
        elif kind == "replaces":
            yield Stated("SUPERSEDES", first.term, second.term)
        elif kind == "replaced":
            yield Stated("SUPERSEDES", second.term, first.term)
        elif kind == "derived":
            yield Stated("DERIVED_FROM", first.term, second.term)
        elif kind == "part":
            yield Stated("PARENT_OF", second.term, first.term)
        elif kind == "parent":
            yield Stated("PARENT_OF", first.term, second.term)


def _stands_whole(sentence: Sentence, mention: Mention) -> bool:
    """Whether the noun phrase ends with the term: 'the Vault', not 'the Vault team'."""
    following = next((token for token in sentence.tokens if token.start >= mention.end), None)
    return following is None or not following.joined or following.lower in FUNCTION or following.lower in AUXILIARIES
