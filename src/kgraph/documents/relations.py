"""Edges that a sentence states between two things in so many words: needs, replaces, was made from, is part of.

A clause is read only where it is understood from its first word to the end of its object: each name with nothing before it but an
article, nothing between the names but the verb. What is left over on either side may belong to a name, deny it or put it in somebody's
mouth, so then no edge is written; the sentence is a claim all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kgraph.documents.lexicon import HEADS, HEDGES
from kgraph.documents.masking import FILL
from kgraph.documents.terms import Mention, Term
from kgraph.documents.tokens import LONGEST, Sentence
from kgraph.language.folding import fold_hyphens
from kgraph.language.inflection import singular
from kgraph.tuples import NamedTuple

_X = "\x02"  # stands for a name that is whole
_NAME = rf"(?:{_X}|\"{_X}\"|“{_X}”|'{_X}'|‘{_X}’)(?:\s\((?:{_X}|\"{_X}\"|“{_X}”)\))?"
_AND = r"(?:,\s+and\s+|\s+and\s+|,\s+)"
_SUBJECT = rf"(?:(?:the|our|both(?:\s+the)?)\s+)?{_NAME}"
_OBJECT = rf"(?:(?:the|our|its|their|both(?:\s+the)?)\s+)?{_NAME}"
_LEAD = (
    r"(?:(?:and|but|so|also|today|now|currently|internally|additionally|moreover|furthermore|however|therefore|thus|in\s+addition"
    r"|at\s+present),?\s+)?"
)
_ADVERBS = (
    r"(?:(?:also|now|directly|still|itself|themselves|both|internally|currently|heavily|strongly|entirely|completely|always)\s+)"
    r"{0,2}"
)
_VERB = (
    r"(?P<needs>(?P<needs_one>depends|relies)\s+(?:up)?on|(?P<needs_many>depend|rely)\s+(?:up)?on|(?P<wants_one>requires)|(?P<wants_many>require)"
    r"|(?:(?P<is_one>is)|(?P<are_many>are))\s+(?:built\s+on(?:\s+top\s+of)?|powered\s+by|backed\s+by|implemented\s+on\s+top\s+of)"
    r"|(?P<runs_one>runs)\s+on\s+top\s+of|(?P<runs_many>run)\s+on\s+top\s+of)"
    r"|(?P<replaces>(?P<new_one>replaces|supersedes|obsoletes|has\s+(?:replaced|superseded))|(?P<new_many>have\s+(?:replaced|superseded)))"
    r"|(?P<replaced>(?:(?P<old_one>is|was|has\s+been)|(?P<old_many>are|were|have\s+been))\s+(?:replaced|superseded|obsoleted)\s+by)"
    r"|(?P<derived>(?:(?P<made_one>is|was)|(?P<made_many>are|were))\s+(?:a\s+(?:fork|derivative|port|translation)\s+of"
    r"|(?:forked|derived|adapted|translated|ported|generated|built)\s+from|based\s+(?:up)?on))"
    r"|(?P<part>(?:(?P<part_one>is)|(?P<part_many>are))\s+(?:(?:a\s+)?(?:part|component|module|subproject|subsidiary|division)\s+of|contained\s+in))"
    r"|(?P<parent>(?P<whole_one>consists)\s+of|(?P<whole_many>consist)\s+of)"
)
_KINDS = ("needs", "replaces", "replaced", "derived", "part", "parent")
_CLAUSE = re.compile(
    rf"(?P<subjects>{_SUBJECT}(?:{_AND}{_SUBJECT}){{0,6}})\s+{_ADVERBS}(?:{_VERB})\s+(?P<objects>{_OBJECT}(?:{_AND}(?:(?:up)?on\s+)?{_OBJECT}){{0,12}})"
    rf"(?P<tail>\s*[.!;]*$|\s*;\s|,\s+(?:which|whose|where|because|since|so|but|and)\b"
    r"|\s+(?:for(?!\s+(?:now|an?|one|two|three|some|the\s+(?:moment|time))\b)|to(?!\s+(?:an?|some|the|this|that|what)\b)|as(?=\s+(?:an?|the|its)\s)"
    rf"|which|because|since|so(?=\s+that\b)|but|and(?!\s+(?:the\s+|our\s+|its\s+)?[\"“'‘]?{_X})"
    rf"|and(?=\s+(?:the\s+|our\s+)?{_NAME}\s+(?:depends|relies|requires|is|runs|replaces|supersedes|was|has|consists)\b))\b)",
    re.IGNORECASE,
)
_START = re.compile(rf"\s*{_LEAD}", re.IGNORECASE)
_NEXT = re.compile(r"(?:;\s+|,?\s+(?:and|but|while)\s+|,\s+)", re.IGNORECASE)
_CUES = frozenset(
    """depends depend relies rely requires require built powered backed implemented run runs replaces supersedes obsoletes replaced
    superseded obsoleted fork derivative port translation forked derived adapted translated ported generated based part component module
    subproject subsidiary division contained consists consist""".split()
)
# What anywhere in the sentence may deny, bound, suppose or report it: then none of it is stated as true now.
_DENIED = re.compile(
    r"\b(?:not|never|no|none|neither|nor|or|either|would|if|unless|without|whether|should|could|will|shall|might|may|must|cannot|until|till"
    r"|when|whenever|while|once|former|formerly|previously|originally|initially|used\s+to|eventually|soon|tomorrow|someday"
    r"|plan|plans|planned|planning|propos\w+|propose[ds]?|intend\w*|hypothe\w+|theor(?:y|etically)|imagin\w+|pretend\w*|suppos\w+|fiction\w*"
    r"|said|says|say|claim(?:s|ed)?|argue[ds]?|told|tells|wrote|writes|report(?:s|ed)?|according|opinion|view|rumou?r\w*|myth\w*"
    r"|wrong|false|untrue|incorrect|mistaken\w*|allegedly|supposedly|only|except|than|rather|instead|unlike|partly|partially|sometimes"
    r"|occasionally|rarely|optional(?:ly)?|example|e\.g|deprecated|in\s+the\s+(?:past|future))\b|n['’]t\b|~~",
    re.IGNORECASE,
)
# A heading under which sentences tell of what isn't, isn't yet or isn't any more.
_ELSEWHEN = re.compile(
    r"\b(?:reject\w*|alternativ\w*|propos\w*|option\w*|hypothe\w*|future|planned|plans?|roadmap|myths?|misconceptions?|wrong|false|former\w*|previous\w*"
    r"|history|old|legacy|past|non-?goals?|what\s+if|ideas?|examples?|fiction\w*|deprecated|removed|considered|before|tasks?|to-?do|drafts?)\b",
    re.IGNORECASE,
)


# What the sentence after one may say of it.
_TAKEN_BACK = re.compile(
    r"[\W\x01]*(?:no\b|not\b|wrong\b|false\b|(?:(?:but|yet|however),?\s+)?(?:this|that|it|which|these|both|the\s+(?:above|latter))"
    r"(?:['’]s|\s+(?:is|are|was|were|has|had|will|would|used|no|turned|may|might|sounds|changed|ended|stopped|ceased))\b.{0,60}?"
    r"\b(?:wrong|false|untrue|incorrect|not\s+(?:true|so|the\s+case)|no\s+longer|outdated|obsolete|chang(?:e|ed|es)|over|history|myth|lie|joke"
    r"|mistake|error|rumou?r|plan|proposal|idea|hypothe\w+|said|claim\w*|past|before|until|ended|stopped|ceased)\b)",
    re.IGNORECASE,
)
# What the status of a document, or its title, says of all that stands in it.
_NOT_IN_FORCE = re.compile(
    r"\b(?:reject\w*|propos\w*|draft|superseded|superceded|deprecat\w*|withdrawn|obsolete\w*|abandoned|replaced|declined|retired|archived"
    r"|hypothe\w*|what\s+if|myths?|fiction\w*)\b",
    re.IGNORECASE,
)


def is_taken_back(following: Sentence) -> bool:
    """Whether a sentence says of the one before it that it isn't so, or isn't any more."""
    return _TAKEN_BACK.match(following.text) is not None


def is_in_force(status: str) -> bool:
    """Whether a document with this status or title speaks of what is."""
    return _NOT_IN_FORCE.search(status) is None


class Stated(NamedTuple):
    predicate: str
    source: Term
    target: Term


def relations_in(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[Stated]:
    """The edges that the clauses of a sentence state between whole names, where nothing in it denies, bounds or reports them."""
    if (
        len(mentions) < 2
        or len(sentence.text) > LONGEST
        or not any(token.lower in _CUES for token in sentence.tokens)
        or sentence.text.rstrip()[-1:] in "?:"
        or sentence.passage.kind == "quote"
    ):
        return
    if any(token.lower in HEDGES for token in sentence.tokens) or _DENIED.search(
        _outside(sentence, mentions)
    ):
        return
    section = sentence.passage.section
    if section is not None and any(map(_ELSEWHEN.search, (*section.path[1:], section.title))):
        return
    skeleton, named = _skeleton(sentence, mentions)
    place = _START.match(skeleton)
    at = place.end() if place is not None else 0
    while (clause := _CLAUSE.match(skeleton, at)) is not None:
        yield from _stated(clause, named)
        following = _NEXT.match(skeleton, clause.end("objects"))
        if following is None:
            return
        at = following.end()


def _outside(sentence: Sentence, mentions: Sequence[Mention]) -> str:
    """The sentence without its names: 'Claim Office' claims nothing."""
    pieces, at = [], 0
    for mention in mentions:
        start, end = max(at, mention.start - sentence.start), mention.end - sentence.start
        pieces.append(sentence.text[at:start])
        at = max(at, end)
    pieces.append(sentence.text[at:])
    return f" {FILL} ".join(pieces)


def _skeleton(
    sentence: Sentence, mentions: Sequence[Mention]
) -> tuple[str, list[tuple[Term, str]]]:
    """The sentence without markup, each whole name as one character, and those names in order."""
    pieces: list[str] = []
    named: list[tuple[Term, str]] = []
    at = 0
    for mention in mentions:
        start, end = mention.start - sentence.start, mention.end - sentence.start
        if start < at:
            continue
        spelt = " ".join(sentence.text[start:end].replace(FILL, "").split())
        # what begins or ends inside a word ('Redis-like', 'the pre-Alpha') is no name there, nor is a short form that only this text knows
        if not _is_own_name(mention.term, spelt):
            continue
        pieces += [sentence.text[at:start], _X]
        named.append((mention.term, spelt))
        at = end
    pieces.append(sentence.text[at:])
    return "".join(pieces).replace(FILL, ""), named


def _is_own_name(term: Term, spelt: str) -> bool:
    key = fold_hyphens(spelt)
    return (
        not term.uncertain
        and key in term.keys
        and all(fold_hyphens(hidden) != key for hidden in term.hidden)
    )


def _stated(clause: re.Match[str], named: Sequence[tuple[Term, str]]) -> Iterator[Stated]:
    kind = next(kind for kind in _KINDS if clause.group(kind))
    subjects = _names_in(clause, "subjects", named)
    objects = _names_in(clause, "objects", named)
    tail = clause.group("tail").strip()
    singular = any(name.endswith("_one") and text for name, text in clause.groupdict().items())
    if not subjects or not objects or (len(subjects) > 1 and singular):
        return  # 'Research and Development depends': one name with an 'and' of its own
    if tail in ("for", "to", "as") and (
        kind != "needs" or (tail == "to" and "requir" in clause.group("needs").lower())
    ):
        return  # 'replaces B for reads', 'requires B to sign'
    if len(objects) > 1 and kind == "replaces":
        return
    for subject in subjects:
        for object_ in objects:
            if subject is object_:
                continue
            if kind == "needs":
                yield Stated("DEPENDS_ON", subject, object_)
            elif kind == "replaces":
                yield Stated("SUPERSEDES", subject, object_)
            elif kind == "replaced":
                yield Stated("SUPERSEDES", object_, subject)
            elif kind == "derived":
                yield Stated("DERIVED_FROM", subject, object_)
            elif kind == "part":
                yield Stated("PARENT_OF", object_, subject)
            else:
                yield Stated("PARENT_OF", subject, object_)


_LISTED = re.compile(
    rf"(?P<article>(?:the|our|its|their)\s+)?[\"“'‘]?{_X}[\"”'’]?(?P<aside>\s\([\"“]?{_X}[\"”]?\))?",
    re.IGNORECASE,
)


def _names_in(clause: re.Match[str], group: str, named: Sequence[tuple[Term, str]]) -> list[Term]:
    """The terms of a list; empty where they may share a word ('Alpha and Beta Servers') or a bracket holds another name."""
    first = clause.string.count(_X, 0, clause.start(group))
    found: list[tuple[Term, str, bool]] = []
    for listed in _LISTED.finditer(clause.group(group)):
        term, spelt = named[first]
        first += 1
        if listed.group("aside"):
            if named[first][0] is not term:
                return []
            first += 1
        found.append((term, spelt, listed.group("article") is not None))
    for one, other in pairwise(found):
        if not other[2] and _may_share(one[1], other[1]):
            return []
    return [term for term, _, _ in found]


def _may_share(one: str, other: str) -> bool:
    """Whether one of two listed names may go on with a word of the other: 'Alpha and Beta Store', 'Payment Gateway and Ledger'."""
    first, second = one.split(), other.split()
    if len(second) > len(first):
        return singular(second[-1].lower()) in HEADS
    return len(first) > len(second) and len(second) == 1 and singular(second[0].lower()) in HEADS
