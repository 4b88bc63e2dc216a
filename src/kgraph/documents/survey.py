"""One reading of a document's part: its prose as sentences, its terms, and where they are named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from kgraph.documents.aliases import acronyms, both_names, defined_by, known_as
from kgraph.documents.fields import PEOPLE, Field, covers_top, fields_of, people
from kgraph.documents.lexicon import (
    ADJECTIVES,
    CALENDAR,
    CAPITALS_MARK_NAMES,
    COMMON_NOUNS,
    FUNCTION,
    GENERAL,
    GENERIC_TITLES,
    VERB_FORMS,
)
from kgraph.documents.marking import Meant, drop_code_tokens, is_navigation, term_of
from kgraph.documents.masking import Mark, cleaned
from kgraph.documents.names import is_name_word, lowercase_words, names
from kgraph.documents.passages import Layout, Passage, passages
from kgraph.documents.references import Numbered, number_of, series_in
from kgraph.documents.subject import Subject, subject_of
from kgraph.documents.terms import Glossary, Mention, Term
from kgraph.documents.tokens import LONGEST, Sentence, language_of, sentences_of
from kgraph.language.folding import fold_hyphens
from kgraph.language.inflection import singular
from kgraph.model import Document, Span
from kgraph.tuples import NamedTuple
from kgraph.units.extraction import KnownSources

# A sentence without any of these words gives nothing another name.
_ALIAS_WORDS = frozenset(
    """known called named written spelled spelt titled romanized romanised referred termed formerly previously a.k.a aka f.k.a fka née nee
    abbreviated short stands alias""".split()
)
INCIDENT = re.compile(
    r"\b(?:incidents?|outages?|post-?mortems?|downtime|degradations?|(?:service|partial) disruptions?|data loss|service interruptions?)\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"(?<![\w.])[A-Z][\w.+&]*[\w+](?: [A-Z][\w.+&]*[\w+])*")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,}s$")


class Survey(NamedTuple):
    """What a part of a document holds. ``mentions`` runs beside ``sentences``."""

    document: Document
    layout: Layout
    language: str
    title: str
    own: Numbered | None
    fields: list[Field]
    passages: list[Passage]
    sentences: list[Sentence]
    mentions: list[list[Mention]]
    glossary: Glossary
    subject: Subject | None
    subject_term: Term | None
    people: list[tuple[Term, Field]]


def survey(document: Document, spans: tuple[Span, ...], known: KnownSources) -> Survey:
    """Read the spans of a document (all of it if there are none)."""
    layout = Layout(document)
    title = title_of(document)
    parts = [
        passage
        for passage in passages(document, spans, layout)
        if fold_hyphens(cleaned(passage.text).strip("#` ")) != fold_hyphens(title)
    ]
    language = language_of(parts)
    sentences = [sentence for passage in parts for sentence in sentences_of(passage, language)]
    fields = fields_of(document)
    own = number_of(document, {field.key.replace("-", " "): field.value for field in fields}, title)
    title = next(
        (field.value for field in fields if field.key == "title" and own is not None), title
    )
    glossary = Glossary()
    subject = subject_of(title, own, sentences if covers_top(spans) else [])
    subject_term = _add_subject(glossary, subject)
    persons = _add_people(glossary, fields) if covers_top(spans) else []
    _add_marks(glossary, parts, language)
    _add_glossary_rows(glossary, parts)
    _add_series(glossary, document, parts)
    _add_names(glossary, sentences, language)
    if INCIDENT.search(title):
        _add_title_names(glossary, title)
    for pair in acronyms(sentences):
        term = glossary.add(pair.name, "acronym", pair.start)
        if term is not None:
            glossary.alias(term, pair.other)
    _add_kind(glossary, subject, sentences)
    drop_code_tokens(glossary)
    _join_plurals(glossary)
    _join_short_forms(glossary)
    _leave_sources(glossary, document, known)
    _add_known_as(glossary, sentences)
    finder = glossary.finder()
    meant = Meant(language)
    mentions = [meant.only(sentence, finder.mentions(sentence)) for sentence in sentences]
    if not INCIDENT.search(title):
        mentions = _without_chance_words(glossary, mentions)
    mentions = [
        _with_owners(glossary, sentence, found)
        for sentence, found in zip(sentences, mentions, strict=True)
    ]
    _record_spellings(document, sentences, mentions)
    _add_roles(glossary, sentences, mentions)
    return Survey(
        document,
        layout,
        language,
        title,
        own,
        fields,
        parts,
        sentences,
        mentions,
        glossary,
        subject,
        subject_term,
        persons,
    )


def title_of(document: Document) -> str:
    """The title that the document gives itself: its reader's, its front matter's, its first heading."""
    title = document.title or str(
        document.metadata.get("title") or document.metadata.get("Title") or ""
    )
    if not title and document.sections and document.sections[0].level == 1:
        title = document.sections[0].title
    return " ".join(title.split())


def _add_subject(glossary: Glossary, subject: Subject | None) -> Term | None:
    if subject is None:
        return None
    term = glossary.add(subject.name, "subject", 0)
    if term is None:
        return None
    term.preferred = subject.name
    term.description = subject.description
    for alias in subject.aliases:
        glossary.alias(term, alias)
    for hidden in subject.hidden:
        glossary.hide(term, hidden)
    return term


def _add_kind(glossary: Glossary, subject: Subject | None, sentences: Sequence[Sentence]) -> None:
    """Where the sentence that says what the subject is names nothing else, what it says it to be is the other thing: 'a film director'."""
    if (
        subject is None
        or not subject.kind
        or not subject.encyclopaedic
        or not sentences
        or " " not in subject.kind
    ):
        return
    if len({id(mention.term) for mention in glossary.finder().mentions(sentences[0])}) < 2:
        glossary.add(subject.kind, "defined", sentences[0].start)


def _add_people(glossary: Glossary, fields: Sequence[Field]) -> list[tuple[Term, Field]]:
    found: list[tuple[Term, Field]] = []
    for field in fields:
        if field.key in PEOPLE:
            for person in people(field):
                term = glossary.add(person, "field", field.start)
                if term is not None:
                    found.append((term, field))
    return found


def _add_marks(glossary: Glossary, parts: Sequence[Passage], language: str) -> None:
    for passage in parts:
        navigation = is_navigation(passage)
        for mark in passage.marks:
            found = term_of(mark, passage, language)
            if found is None or (navigation and found[1] == "link"):
                continue
            pair = both_names(found[0])
            term = glossary.add(pair[0] if pair else found[0], found[1], mark.start)
            if term is not None and pair is not None:
                term = glossary.alias(term, pair[1])
            if term is not None and mark.target and not term.target:
                term.target = mark.target


def _add_glossary_rows(glossary: Glossary, parts: Sequence[Passage]) -> None:
    """A table whose head says that it lists terms or abbreviations: the first cell of each row is one, the second says what it is."""
    row, listing = -1, False
    for at, cell in enumerate(parts):
        if cell.row < 0 or cell.row == row:
            continue
        if row < 0 or cell.row > row + _RULE:  # no row above: the head of a table
            listing = fold_hyphens(cleaned(cell.text)) in _GLOSSARY_HEADS
        elif listing and at + 1 < len(parts) and parts[at + 1].row == cell.row:
            name, meaning = cleaned(cell.text), cleaned(parts[at + 1].text)
            pair = both_names(f"{name} ({meaning})") or both_names(name)
            term = (
                glossary.add(pair[0] if pair else name, "defined", cell.start)
                if len(name.split()) <= 6
                else None
            )
            if term is not None and pair is not None:
                term = glossary.alias(term, pair[1])
            if term is not None and pair is None and 0 < len(meaning) <= 300:
                term.description = term.description or meaning
        row = cell.row


_RULE = 2  # the rule below a table's head counts as a row
_GLOSSARY_HEADS = frozenset(
    ("term", "terms", "acronym", "acronyms", "abbreviation", "abbreviations")
)


def _add_series(glossary: Glossary, document: Document, parts: Sequence[Passage]) -> None:
    for passage in parts:
        raw = document.text[passage.start : passage.end]
        for start, _, number in series_in(raw):
            term = glossary.add(number.name, "reference", passage.start + start)
            if term is not None:
                term.preferred = term.preferred or number.name


def _add_names(glossary: Glossary, sentences: Sequence[Sentence], language: str) -> None:
    for sentence in sentences:
        if "." in sentence.text:
            for found in _DOMAIN.finditer(sentence.text):
                glossary.add(found[0], "name", sentence.start + found.start())
    if language in CAPITALS_MARK_NAMES:
        whole: set[str] = set()
        uncertain: dict[str, Term] = {}
        for name in names(sentences, lowercase_words(sentences)):
            if _CLOCK.match(name.text):
                continue
            known = glossary.find(name.text) is not None
            term = glossary.add(
                name.text, "person" if name.text.startswith("@") else "name", name.start
            )
            if term is not None and name.uncertain and not known:
                uncertain[name.text] = term
            elif term is not None and not name.uncertain:
                whole.add(name.text)
        for text, term in uncertain.items():
            term.uncertain = text not in whole
        return
    for sentence in sentences:
        for token in sentence.tokens:
            if token.text.isascii() and is_name_word(token.text):
                glossary.add(
                    token.text, "person" if token.text.startswith("@") else "name", token.start
                )


def _add_title_names(glossary: Glossary, title: str) -> None:
    """The names in an incident's title: whose outage it was."""
    for found in _CAPITALS.finditer(title):
        words = [
            word
            for word in found[0].split()
            if not INCIDENT.fullmatch(word)
            and word.lower() not in CALENDAR
            and singular(word.lower()) not in GENERIC_TITLES
            and word.lower() not in FUNCTION
        ]
        if words and len(words) == len(found[0].split()):
            glossary.add(" ".join(words), "name", 0)


def _join_plurals(glossary: Glossary) -> None:
    """'VOCs' is 'VOC', and a common noun's plural its singular; the plural of a name is left alone."""
    for term in glossary.terms:
        name = term.name
        if _PLURAL_ACRONYM.fullmatch(name):
            other = glossary.find(name[:-1])
        elif (name.islower() or " " in name) and singular(name.split()[-1].lower()) != name.split()[
            -1
        ].lower():
            head = name.split()[-1]
            other = glossary.find(name[: len(name) - len(head)] + singular(head.lower()))
        else:
            other = None
        if other is not None and other is not term:
            glossary.alias(other, name)


def _join_short_forms(glossary: Glossary) -> None:
    """'Fleming' is 'Alexander Fleming' once the full name has been given, if only one name ends so."""
    longer: dict[str, list[Term]] = {}
    for term in glossary.terms:
        words = term.name.split()
        if (
            1 < len(words) <= 4
            and "name" in term.kinds
            and words[0][0].isupper()
            and not words[-1].isupper()
        ):
            longer.setdefault(words[-1], []).append(term)
    for term in glossary.terms:
        full = longer.get(term.name, [])
        if (
            set(term.kinds) == {"name"}
            and len(full) == 1
            and len(term.surfaces) == 1
            and 0 <= full[0].first <= term.first
        ):
            glossary.shorten(full[0], term)


def _leave_sources(glossary: Glossary, document: Document, known: KnownSources) -> None:
    """No Entity bears the name of a document of this run: an edge to that name must end at the Source."""
    for term in glossary.terms:
        taken = [
            surface
            for surface in term.surfaces
            if surface.casefold() == document.name.casefold() or known.named(surface)
        ]
        if taken or any(fold_hyphens(surface) in GENERIC_TITLES for surface in term.surfaces):
            glossary.remove(term)


def _add_known_as(glossary: Glossary, sentences: Sequence[Sentence]) -> None:
    finder = None
    first: Sentence | None = None
    for sentence in sentences:
        if first is None or first.passage is not sentence.passage:
            first = sentence
        if (
            _ALIAS_WORDS.isdisjoint([token.lower for token in sentence.tokens])
            or len(sentence.text) > LONGEST
        ):
            continue
        finder = finder or glossary.finder()
        for pair in known_as(
            sentence, finder.mentions(sentence), defined_by(first, finder.mentions(first))
        ):
            if pair.kind == "called":
                glossary.add(pair.other, "defined", pair.start)
                continue
            term = glossary.find(pair.name)
            other = glossary.find(pair.other)
            if term is not None and (
                other is None or other is term or "subject" not in other.kinds
            ):
                term.note("acronym")
                if pair.kind == "former" and pair.other != pair.name:
                    term.preferred = term.preferred or pair.name
                glossary.alias(term, pair.other)


_CLOCK = re.compile(r"\d{1,2}\s?[AaPp]\.?[Mm]\b")
_DOMAIN = re.compile(r"(?<![\w@./-])[a-z][a-z0-9-]{2,40}\.(?:com|io|org|net|dev)(?![\w./-]*\w)")


def _with_owners(glossary: Glossary, sentence: Sentence, found: list[Mention]) -> list[Mention]:
    """The mentions, and beside each 'Acme's API' the Acme that it names as well."""
    owners: list[Mention] = []
    for mention in found:
        text = sentence.text[mention.start - sentence.start : mention.end - sentence.start]
        at = max(text.find("'s "), text.find("’s "))
        owner = text[:at]
        if at > 1 and "name" in mention.term.kinds and owner.replace(" ", "").isalnum():
            term = glossary.add(owner, "name", mention.start)
            if term is not None and term is not mention.term:
                owners.append(Mention(term, mention.start, mention.start + at))
    return sorted([*found, *owners], key=lambda mention: mention.start) if owners else found


def _without_chance_words(
    glossary: Glossary, mentions: Sequence[list[Mention]]
) -> list[list[Mention]]:
    """The mentions without those of everyday words that only once have a capital or a mark, and of headings that are quoted: no names."""
    times = Counter(id(mention.term) for found in mentions for mention in found)
    chance = {
        id(term)
        for term in glossary.terms
        if times[id(term)] < _OFTEN
        and set(term.kinds) <= _BY_CHANCE
        and ("name" not in term.kinds or " " not in term.name)
        and _is_everyday(term.name)
    }
    for term in glossary.terms:
        if id(term) in chance:
            glossary.remove(term)
    return [[mention for mention in found if id(mention.term) not in chance] for found in mentions]


_OFTEN = 2
_BY_CHANCE = frozenset(("name", "quoted", "strong", "link", "code"))


def _is_everyday(name: str) -> bool:
    """Whether every word of a name is one of the language's common ones, by itself or as a plural."""
    return all(
        word in FUNCTION
        or word in VERB_FORMS
        or word in GENERAL
        or word in COMMON_NOUNS
        or word in ADJECTIVES
        or singular(word) in COMMON_NOUNS
        or singular(word) in GENERIC_TITLES
        for word in name.lower().replace("-", " ").split()
    )


def _record_spellings(
    document: Document, sentences: Sequence[Sentence], mentions: Sequence[Sequence[Mention]]
) -> None:
    """Count how the text spells each term, so that its commonest spelling is its name and the others are aliases."""
    for sentence, found in zip(sentences, mentions, strict=True):
        opening = sentence.tokens[0].start if sentence.tokens else -1
        for mention in found:
            spelling = " ".join(document.text[mention.start : mention.end].split())
            surfaces = mention.term.surfaces
            if spelling in surfaces:
                surfaces[spelling] += 1
                continue
            lowered = spelling[:1].lower() + spelling[1:]
            if mention.start == opening and lowered in surfaces:
                surfaces[lowered] += 1
            elif (
                fold_hyphens(spelling) in mention.term.keys
                and spelling not in mention.term.hidden
                and fold_hyphens(spelling) not in map(fold_hyphens, mention.term.hidden)
            ):
                surfaces[spelling] += 1


def _add_roles(
    glossary: Glossary, sentences: Sequence[Sentence], mentions: Sequence[list[Mention]]
) -> None:
    """':pep:`8`' shows a bare number: what it means is known from its role alone."""
    roles: dict[int, list[Mark]] = {}
    for sentence, found in zip(sentences, mentions, strict=True):
        passage = sentence.passage
        waiting = roles.get(passage.start)
        if waiting is None:
            waiting = roles[passage.start] = [
                mark
                for mark in reversed(passage.marks)
                if mark.kind == "role" and mark.target in ("pep", "rfc")
            ]
        while waiting and waiting[-1].start < sentence.end:
            mark = waiting.pop()
            number = re.search(r"\d+", mark.text)
            term = (
                glossary.find(Numbered(mark.target.upper(), int(number.group())).name)
                if number and mark.start >= sentence.start
                else None
            )
            if term is not None:
                found.append(Mention(term, mark.start, mark.end))
        found.sort(key=lambda mention: mention.start)
