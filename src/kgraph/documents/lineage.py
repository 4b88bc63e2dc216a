"""What a document says of its place among others: what it replaces, amends, needs, was made from. Only where it says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgraph.documents.fields import Field
from kgraph.documents.references import Reference, Resolver
from kgraph.documents.tokens import Sentence
from kgraph.model import Document, Section, Span
from kgraph.tuples import NamedTuple


class Relation(NamedTuple):
    """``predicate`` from this document to ``reference``, or the other way round if ``inverse``; the words stand at ``start:end``."""

    predicate: str
    inverse: bool
    reference: Reference
    start: int
    end: int
    confidence: float


# Each field or phrase with the edge it states, and whether the edge begins at the other document.
_FIELDS: dict[str, tuple[str, bool]] = {
    "supersedes": ("SUPERSEDES", False), "replaces": ("SUPERSEDES", False), "obsoletes": ("SUPERSEDES", False),
    "superseded-by": ("SUPERSEDES", True), "replaced-by": ("SUPERSEDES", True), "obsoleted-by": ("SUPERSEDES", True),
    "superceded-by": ("SUPERSEDES", True), "supercedes": ("SUPERSEDES", False),
    "amends": ("REVISES", False), "updates": ("REVISES", False), "revises": ("REVISES", False),
    "amended-by": ("REVISES", True), "updated-by": ("REVISES", True), "revised-by": ("REVISES", True),
    "requires": ("DEPENDS_ON", False), "depends-on": ("DEPENDS_ON", False), "prerequisites": ("DEPENDS_ON", False),
    "required-by": ("DEPENDS_ON", True),
    "derived-from": ("DERIVED_FROM", False), "based-on": ("DERIVED_FROM", False), "forked-from": ("DERIVED_FROM", False),
    "adapted-from": ("DERIVED_FROM", False), "translated-from": ("DERIVED_FROM", False),
    "see-also": ("MENTIONS", False), "related": ("MENTIONS", False), "relates-to": ("MENTIONS", False),
}  # fmt: skip

_PHRASE = re.compile(
    r"\b(?:(?P<superseded>(?:superse|superce)ded[ -]by|replaced[ -]by|obsoleted[ -]by|deprecated[ -](?:by|in\s+favou?r\s+of)"
    r"|(?:superse|superce)ded[ -]with)"
    r"|(?P<supersedes>supersedes|supercedes|replaces|obsoletes)|(?P<amended>amended[ -]by|updated[ -]by|revised[ -]by|extended[ -]by)"
    r"|(?P<amends>amends|updates|revises)|(?P<requires>depends[ -]on|requires|builds\s+up?on|relies\s+on)|(?P<required>required[ -]by)"
    r"|(?P<derived>(?:is\s+|was\s+)?(?:based\s+on|derived\s+from|adapted\s+from|translated\s+from|forked\s+from|a\s+(?:fork|translation|copy)\s+of)))(?=[\s\x01:,]|$)",
    re.IGNORECASE,
)
_MEANING = {
    "superseded": ("SUPERSEDES", True), "supersedes": ("SUPERSEDES", False), "amended": ("REVISES", True), "amends": ("REVISES", False),
    "requires": ("DEPENDS_ON", False), "required": ("DEPENDS_ON", True), "derived": ("DERIVED_FROM", False),
}  # fmt: skip
_SELF = re.compile(
    r"(?:this|the\s+present)\s+(?:document|page|note|file|guide|text|specification|spec|proposal|pep|rfc|kep|adr|bip|eip|jep|record|decision|memo|standard|report|design|"
    r"translation|version|tutorial|article|paper)(?:\s+\w+){0,4}?\s*$|^[\W\x01]*(?:it\s+)?(?:has\s+been\s+|is\s+|was\s+)?$",
    re.IGNORECASE,
)
_SELF_ONLY = re.compile(
    r"[\W\x01]*(?:(?:and|but|so|also|thus|therefore|accordingly|consequently|as\s+such|in\s+short),?\s+)?(?:this|the\s+present)\s+(?:document|page|note|file|guide|specification|spec|proposal|pep|rfc|kep|adr|bip|eip|jep|record|decision|memo|standard|report|design|"
    r"translation|tutorial)\s+(?:(?:also|formally|fully|has\s+been|is|was|will\s+be|therefore|directly|now)\s+){0,3}$",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:not|never|no\s+longer|if|unless|once|when|until|would|said|says|according)\b|n't\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no\s+longer|without|instead\s+of|if|would|could|might|may|should|whether|unless)\b|n't\b",
    re.IGNORECASE,
)
_HEADINGS = {
    "supersedes": "supersedes", "replaces": "supersedes", "superseded by": "superseded", "replaced by": "superseded", "amends": "amends",
    "amended by": "amended", "depends on": "requires", "requires": "requires", "required by": "required", "derived from": "derived",
    "based on": "derived",
}  # fmt: skip
_REACH = 300  # characters after a phrase in which what it speaks of is named


def from_fields(fields: Sequence[Field], resolver: Resolver) -> Iterator[Relation]:
    """'Replaces: 314', 'superseded-by: [ADR 5](0005.md)', and what 'Status: superseded by …' says."""
    for field in fields:
        meaning = _FIELDS.get(field.key)
        if meaning is not None:
            value = re.split(r"\s{3,}(?=\S)", field.value)[
                0
            ]  # the right-hand column of an RFC's header
            for reference in resolver.all(value, bare_numbers=True):
                yield Relation(*meaning, reference, field.start, field.end, 0.99)
        elif field.key in ("status", "state", "decision-status"):
            yield from _phrases(field.value, (field.start, field.end), resolver, 0.97)


def from_status(
    document: Document, sections: Sequence[Section], spans: tuple[Span, ...], resolver: Resolver
) -> Iterator[Relation]:
    """The section 'Status' of a decision record, and sections named after a relation ('Supersedes')."""
    for section in sections:
        if spans and not any(span.start <= section.start < span.end for span in spans):
            continue
        title = section.title.strip(" :#").casefold()
        if title not in ("status", "state") and title not in _HEADINGS:
            continue
        for start, end in _own_lines(
            document.text, section.body, min(section.end, section.body + 4000)
        ):
            line = document.text[start:end]
            if title in _HEADINGS:
                for reference in resolver.all(line):
                    yield Relation(*_MEANING[_HEADINGS[title]], reference, start, end, 0.97)
            else:
                yield from _phrases(line, (start, end), resolver, 0.97)


def from_sentences(
    sentences: Sequence[Sentence], text: str, resolver: Resolver
) -> Iterator[Relation]:
    """'This document replaces X': the sentence's subject must be the document itself, and nothing may deny or condition it."""
    for sentence in sentences:
        if "his " not in sentence.text and "resent " not in sentence.text:
            continue
        phrase = _PHRASE.search(sentence.text)
        if phrase is None:
            continue
        before = sentence.text[: phrase.start()]
        if (
            not _SELF_ONLY.match(before)
            or _NEGATED.search(before)
            or _BOUND.search(sentence.text[phrase.end() :])
        ):
            continue
        if sentence.text.rstrip()[-1:] == "?" or sentence.passage.kind == "quote":
            continue
        meaning = _MEANING[str(phrase.lastgroup)]
        after = re.split(
            r"\b(?:which|that|who|because|where|when)\b",
            text[
                sentence.start + phrase.end() : min(
                    sentence.end, sentence.start + phrase.end() + _REACH
                )
            ],
        )[0]
        for reference in resolver.all(after):
            yield Relation(*meaning, reference, sentence.start, sentence.end, 0.92)


def _phrases(
    words: str, place: tuple[int, int], resolver: Resolver, confidence: float
) -> Iterator[Relation]:
    found = list(_PHRASE.finditer(words))
    for number, phrase in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(words)
        before = words[max(0, phrase.start() - 80) : phrase.start()]
        if _NEGATED.search(before) or not (_SELF.search(before) or len(before.split()) <= 3):
            continue
        for reference in resolver.all(
            words[phrase.end() : min(end, phrase.end() + _REACH)], bare_numbers=True
        ):
            yield Relation(*_MEANING[str(phrase.lastgroup)], reference, *place, confidence)


def _own_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The lines of a section before the next heading, white space at their ends left out."""
    at = start
    for line in text[start:end].splitlines(keepends=True):
        content = line.strip()
        if content.startswith("#"):
            return
        if content:
            begin = at + len(line) - len(line.lstrip())
            yield begin, begin + len(content)
        at += len(line)
