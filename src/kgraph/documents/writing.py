"""From a survey to nodes and edges: what is written, and in which order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from kgraph.documents.assembly import Payload, same_words
from kgraph.documents.changelogs import Version, successions, versions_of
from kgraph.documents.claims import (
    Claim,
    claim_of,
    denies_previous,
    is_pronoun_led,
    is_sentence,
    is_statement,
)
from kgraph.documents.descriptions import describe
from kgraph.documents.fields import Field, covers_top
from kgraph.documents.lineage import Relation, from_fields, from_sentences, from_status
from kgraph.documents.masking import cleaned
from kgraph.documents.references import Resolver
from kgraph.documents.relations import is_in_force, is_taken_back, relations_in
from kgraph.documents.sections import Heading, heading_of
from kgraph.documents.subject import speaks_of, title_name
from kgraph.documents.survey import Survey
from kgraph.documents.telling import Telling, Times, claim_kind, is_incident, stated_fields
from kgraph.documents.terms import Mention, Term
from kgraph.documents.timelines import Stamp, clock, row_stamps, stamp
from kgraph.documents.tokens import Sentence
from kgraph.model import Span
from kgraph.tuples import NamedTuple
from kgraph.units.extraction import KnownSources

_OWN_DOCUMENT = re.compile(
    r"\b[Tt]his\s+(?:PEP|KEP|RFC|BIP|EIP|JEP|document|proposal|specification|standard)\b"
)
_PLANNED = re.compile(
    r"(?:action|follow[- ]?up|remediation|next|corrective)\s*(?:items?|ups?|steps?|actions?|tasks?|work)?$|todo|to do|tasks|action points",
    re.IGNORECASE,
)
_INCIDENT = re.compile(
    r"\b(?:incident|outage|post-?mortem|downtime|degradation|disruption|breach|data loss|failure|retrospective|flakiness)\b",
    re.IGNORECASE,
)
_OPEN_BOX = re.compile(r"\[ \]\s*$")
_STANDS_ALONE = frozenset(("subject", "field", "acronym", "defined", "reference"))
_STRUCTURE = frozenset(("strong", "code", "link"))
_STATUS_REACH = 200  # characters of a section 'Status' that say it
_OPENING = 2  # words before the first mention, with which a sentence still opens with it
_APART = 40  # characters between a sentence and the one that says what its pronoun means
_LED = 400
_TITLE_WORDS = 8  # of a title that names a topic
_STATUS = 80  # characters of a status that is no sentence
_SPOKEN = 12  # sentences of a term that are looked at for its description


class Counts(NamedTuple):
    sentences: int = 0
    claims: int = 0

    def __add__(self, other: object) -> Counts:
        return (
            Counts(self.sentences + other.sentences, self.claims + other.claims)
            if isinstance(other, Counts)
            else NotImplemented
        )


def write(payload: Payload, found: Survey, spans: tuple[Span, ...], known: KnownSources) -> Counts:
    """Add to the payload what this survey supports."""
    document = found.document
    own = known.at(document.uri)
    payload.node(
        "Source", document.name, uri=document.uri, id=own.id if own else "", sha256=document.sha256
    )
    source = own.id if own and own.id else document.name
    writer = _Writer(payload, found, source)
    versions = versions_of(document, found.title)
    writer.versions(
        [
            version
            for version in versions
            if not spans or any(span.start <= version.start < span.end for span in spans)
        ]
    )
    if covers_top(spans):
        writer.fields()
    claims = writer.claims(versions)
    writer.tasks()
    writer.lone_terms()
    resolver = Resolver(document, known, found.own)
    relations: list[Relation] = []
    if covers_top(spans):
        relations += from_fields(found.fields, resolver)
    relations += from_status(document, document.sections, spans, resolver)
    relations += from_sentences(found.sentences, document.text, resolver)
    for relation in relations:
        writer.relation(relation, known)
    return Counts(writer.sentences, claims)


class _Writer:
    """Writes one survey into a payload."""

    def __init__(self, payload: Payload, found: Survey, source: str) -> None:
        self._payload = payload
        self._found = found
        self._source = source
        self._spoken: dict[int, list[tuple[Sentence, Mention]]] = {}
        self._named: dict[int, str] = {}
        self._said: set[str] = set()
        self.sentences = 0  # that a claim could have been made of
        self._headings: dict[int, Heading] = {}
        self._stamps = _stamps_of(found)
        self._is_incident = is_incident(found)
        self._times = Times(found)
        self._event = self._event_term()
        self._topics: list[Term | None] = []  # worked out when first needed
        self._versions: dict[str, Term] = {}
        self._references: dict[
            str, Term
        ] = {}  # held, since names are kept by the identity of living terms
        self._rows = _row_terms(found)
        for sentence, mentions in zip(found.sentences, found.mentions, strict=True):
            for mention in mentions:
                spoken = self._spoken.setdefault(id(mention.term), [])
                if len(spoken) < _SPOKEN:
                    spoken.append((sentence, mention))

    def claims(self, versions: Sequence[Version]) -> int:
        """Write every sentence that is a claim, and the things it is about."""
        found = self._found
        written = 0
        about = False
        before: Claim | None = None
        passage_start = -1
        bodies = [version.body for version in versions]
        in_force = all(map(is_in_force, _status_of(found)))
        last: Sentence | None = None  # the sentence before, for what a pronoun stands for
        for number, (sentence, mentions) in enumerate(
            zip(found.sentences, found.mentions, strict=True)
        ):
            if sentence.passage.start != passage_start and sentence.passage.kind != "paragraph":
                about = False
            passage_start = sentence.passage.start
            at = bisect_right(bodies, sentence.start) - 1
            version = versions[at] if at >= 0 and sentence.start < versions[at].end else None
            tied = self._tied(sentence, about, version, bool(mentions))
            about = self._is_about(sentence, mentions, tied)
            if self._is_task(sentence):
                before = None
                continue
            self.sentences += is_sentence(sentence)
            led, last = last, sentence
            heading = self._heading(sentence)
            decisive = heading.decisive or self._is_incident
            entry = self._is_entry(sentence, version)
            if not is_statement(sentence, found.language, entry, decisive):
                before = None
                continue
            context = ""
            if is_pronoun_led(sentence) and found.language == "en":
                context = self._what_is_meant(sentence, led, tied)
                if not context:
                    before = None
                    continue
            claim = claim_of(found.document.text, sentence, mentions, tied, 0 if decisive else 1)
            key = same_words(claim.name) if claim is not None else ""
            if claim is None or key in self._said:
                self.sentences -= claim is not None and is_sentence(
                    sentence
                )  # said before: one claim stands for both
                before = None
                continue
            self.sentences += not is_sentence(sentence)
            self._said.add(key)
            stamped = self._stamps.get(sentence.passage.start)
            moment = self._times.of(sentence, stamped.instant if stamped else "")
            told = Telling(
                claim_kind(sentence, heading.kind, (version is not None, moment, entry)),
                moment,
                context,
                self._roles(sentence, mentions, tied, stamped is not None),
            )
            self._claim(
                claim._replace(instant=stamped.instant if stamped else ""),
                before if denies_previous(sentence) else None,
                told,
            )
            if in_force and not any(map(is_taken_back, found.sentences[number + 1 : number + 2])):
                self._relations(sentence, mentions, claim)
            before = claim
            written += 1
        return written

    def versions(self, versions: Sequence[Version]) -> None:
        """An Entity for each version of a change log, and which came after which."""
        text, uri = self._found.document.text, self._found.document.uri
        for version in versions:
            term = Term()
            term.surfaces[version.name] += 1
            term.note("version")
            term.qualifier = uri
            term.description = (
                cleaned(text[version.start : version.body]).strip("# ") if version.day else ""
            )
            self._versions[version.name] = term
        for newer, older in successions(versions):
            first, second = (
                self._entity(self._versions[newer.name]),
                self._entity(self._versions[older.name]),
            )
            quote = text[newer.start : newer.body].strip()
            self._payload.edge(
                "REVISES",
                first,
                second,
                source_doc=self._cite(newer.start, newer.body),
                quote=quote,
                confidence=0.97,
            )
        for version in versions:
            if version.day and self._payload.has("Entity", version.name):
                self._payload.node("Entity", version.name, valid_from=version.day)

    def fields(self) -> None:
        """What front matter and header lines say: who made it and whose product it is, when it began and ended, who owns it, how it stands."""
        found = self._found
        text, uri = found.document.text, found.document.uri
        subject = self._event or found.subject_term
        self._status()
        for stated in stated_fields(found, self._times):
            for name in stated.things:
                term = found.glossary.add(name, "field", stated.start)
                if term is not None:
                    term.sort = stated.sort
                    self._mention(term, stated.start, stated.end)
            if stated.kind:
                name = " ".join(text[stated.start : stated.end].split())
                self._payload.node(
                    "Claim", name, kind=stated.kind, event_time=stated.moment, qualifier=uri
                )
                place = self._cite(stated.start, stated.end)
                quote = text[stated.start : stated.end]
                self._payload.edge(
                    "SUPPORTS", self._source, name, source_doc=place, quote=quote, confidence=0.95
                )
                if subject is not None:
                    self._payload.edge("MENTIONS", name, self._entity(subject), role="subject")

    def _status(self) -> None:
        """A section 'Status' of a word or two, which no sentence says: its heading and its text together."""
        document = self._found.document
        for section in document.sections:
            body = document.text[section.body : section.end].strip()
            if section.title.strip(" :").casefold() != "status" or not 0 < len(body) <= _STATUS:
                continue
            start = document.text.find(section.title, section.start)
            end = document.text.find(body, section.body) + len(body)
            quote = document.text[start:end]
            name = " ".join(quote.split())
            if start < 0 or "\n" in body or not name.isprintable():
                continue
            self._payload.node("Claim", name, kind="status", qualifier=document.uri)
            self._payload.edge(
                "SUPPORTS",
                self._source,
                name,
                source_doc=self._cite(start, end),
                quote=quote,
                confidence=0.95,
            )

    def tasks(self) -> None:
        """Planned work: the items of a section of action items. Each is a Task, quoted."""
        text = self._found.document.text
        for sentence, mentions in zip(self._found.sentences, self._found.mentions, strict=True):
            if (
                not self._is_task(sentence)
                or len(sentence.tokens) < 3
                or sentence.end - sentence.start > 500
            ):
                continue
            quote = text[sentence.start : sentence.end]
            name = " ".join(quote.split())
            if not name.isprintable() or same_words(name) in self._said:
                continue
            self._said.add(same_words(name))
            self._payload.node("Task", name)
            self._payload.edge(
                "MENTIONS",
                self._source,
                name,
                source_doc=self._cite(sentence.start, sentence.end),
                quote=quote,
                confidence=0.9,
            )
            for mention in mentions:
                self._payload.edge("MENTIONS", name, self._entity(mention.term))

    def lone_terms(self) -> None:
        """Terms that the document defines or marks but makes no claim of: the Source mentions them, quoted."""
        found = self._found
        if (
            found.subject_term is not None
            and found.title
            and id(found.subject_term) not in self._named
        ):
            self._mention_title(found.subject_term)
        for term, field in found.people:
            if id(term) not in self._named:
                term.description = term.description or _field_words(
                    found.document.text, field, term
                )
                self._mention(term, field.start, field.end)
        for term in found.glossary.terms:
            spoken = self._spoken.get(id(term))
            if id(term) in self._named or not spoken:
                continue
            kinds = set(term.kinds)
            if kinds & _STANDS_ALONE or (found.language != "en" and kinds & _STRUCTURE):
                self._mention(term, spoken[0][1].start, spoken[0][1].end)

    def relation(self, relation: Relation, known: KnownSources) -> None:
        """An edge between documents: between their Sources where both are of this run, and between the numbered documents as Entities."""
        found = self._found
        quote = found.document.text[relation.start : relation.end]
        place: dict[str, str | float] = {
            "source_doc": self._cite(relation.start, relation.end),
            "quote": quote,
            "confidence": relation.confidence,
        }
        other = known.end(relation.reference.source) if relation.reference.source else ""
        if other and relation.predicate != "MENTIONS":
            self._edge(relation, self._source, other, place)
        if not relation.reference.name:
            return
        name = relation.reference.name
        term = found.glossary.find(name) or self._references.setdefault(name, _reference_term(name))
        if relation.predicate == "MENTIONS":
            self._payload.edge("MENTIONS", self._source, self._entity(term), **place)
        elif found.own is not None and (own := found.subject_term) is not None and own is not term:
            term.description = term.description or " ".join(quote.split())[:200]
            self._edge(relation, self._entity(own), self._entity(term), place)

    def _edge(
        self, relation: Relation, here: str, there: str, place: dict[str, str | float]
    ) -> None:
        first, second = (there, here) if relation.inverse else (here, there)
        self._payload.edge(relation.predicate, first, second, **place)

    def _claim(self, claim: Claim, denied: Claim | None, told: Telling) -> None:
        self._payload.node(
            "Claim",
            claim.name,
            valid_from=claim.instant,
            kind=told.kind,
            event_time=told.moment,
            description=told.context,
        )
        quote = self._found.document.text[claim.start : claim.end]
        self._payload.edge(
            "SUPPORTS",
            self._source,
            claim.name,
            source_doc=self._cite(claim.start, claim.end),
            quote=quote,
            confidence=claim.confidence,
        )
        if denied is not None:
            self._payload.edge(
                "CONTRADICTS",
                claim.name,
                denied.name,
                source_doc=self._cite(claim.start, claim.end),
                quote=quote,
                confidence=0.85,
            )
        for term in claim.terms:
            self._payload.edge(
                "MENTIONS", claim.name, self._entity(term), role=told.roles.get(id(term), "")
            )

    def _relations(self, sentence: Sentence, mentions: Sequence[Mention], claim: Claim) -> None:
        text = self._found.document.text
        quote = text[claim.start : claim.end]
        if (
            sentence.passage.kind == "item"
            and _OPEN_BOX.search(text, max(0, sentence.start - 8), sentence.start) is not None
        ):
            return  # a box to be ticked: what is still to be done
        for stated in relations_in(sentence, mentions):
            first, second = self._entity(stated.source), self._entity(stated.target)
            self._payload.edge(
                stated.predicate,
                first,
                second,
                source_doc=self._cite(claim.start, claim.end),
                quote=quote,
                confidence=0.9,
            )

    def _mention_title(self, term: Term) -> None:
        """The subject is named by the title: quoted where that stands in the text."""
        place = self._found.document.text.find(self._found.title)
        if place >= 0:
            self._mention(term, place, place + len(self._found.title))

    def _mention(self, term: Term, start: int, end: int) -> None:
        quote = self._found.document.text[start:end]
        self._payload.edge(
            "MENTIONS",
            self._source,
            self._entity(term),
            source_doc=self._cite(start, end),
            quote=quote,
            confidence=0.9,
        )

    def _entity(self, term: Term) -> str:
        name = self._named.get(id(term))
        if name is None:
            term.description = term.description or describe(self._spoken.get(id(term), ()), term)
            name = self._named[id(term)] = self._payload.entity(term)
        return name

    def _topic(self) -> Term | None:
        """What the whole document is about, as its title names it: a sentence that names nothing is about that."""
        found = self._found
        if found.subject_term is not None or self._event is not None:
            return found.subject_term or self._event
        if not self._topics:
            name = title_name(found.title)
            words = len(name.split())
            good = name and 1 < words <= _TITLE_WORDS and name[-1] not in ".!?:"
            good = good or (words == 1 and found.glossary.find(name) is not None)
            term = found.glossary.add(name, "keyterm", 0) if good else None
            if term is not None:
                term.preferred = name
                term.sort = term.sort or "concept"
            self._topics.append(term)
        return self._topics[0]

    def _tied(
        self, sentence: Sentence, about: bool, version: Version | None, named: bool
    ) -> Term | None:
        """The thing that a sentence speaks of without naming it, where the document leaves no doubt."""
        found = self._found
        if version is not None and version.name in self._versions:
            return self._versions[version.name]
        if found.subject is not None and found.subject_term is not None:
            if found.subject.encyclopaedic and speaks_of(sentence, found.subject, about):
                return found.subject_term
            if found.own is not None and _OWN_DOCUMENT.search(sentence.text):
                return found.subject_term
        if self._event is not None and (
            sentence.passage.start in self._stamps or self._tells(sentence)
        ):
            return self._event
        row = self._rows.get(sentence.passage.row) if sentence.passage.column else None
        return row or (self._topic() if not named else None)

    def _is_about(self, sentence: Sentence, mentions: Sequence[Mention], tied: Term | None) -> bool:
        """Whether the sentence is about the subject, so that a pronoun in the next one means it: it opens with it."""
        term = self._found.subject_term
        if term is None or not sentence.tokens:
            return False
        return tied is term or any(
            mention.term is term
            and mention.start <= sentence.tokens[min(2, len(sentence.tokens) - 1)].start
            for mention in mentions[:1]
        )

    def _is_entry(self, sentence: Sentence, version: Version | None) -> bool:
        """Whether the sentence is a line of a log: of a timeline or of a version's changes, where a verb may be left out."""
        return (
            version is not None and sentence.passage.kind == "item"
        ) or sentence.passage.start in self._stamps

    def _is_task(self, sentence: Sentence) -> bool:
        section = sentence.passage.section
        return (
            sentence.passage.kind == "item"
            and section is not None
            and _PLANNED.match(section.title.strip(" :#")) is not None
        )

    def _event_term(self) -> Term | None:
        """The incident that a timeline is of, as its title names it."""
        found = self._found
        name = title_name(found.title)
        if (
            not name
            or found.subject is not None
            or not (len(self._stamps) > 2 or _INCIDENT.search(found.title))
        ):
            return None
        term = found.glossary.add(name, "subject", 0)
        if term is not None:
            term.preferred = name
            term.sort = term.sort or "event"
            told = next(
                (
                    sentence
                    for sentence in found.sentences
                    if self._tells(sentence) and len(sentence.tokens) > 4
                ),
                None,
            )
            term.description = (
                cleaned(told.text)[:500] if told is not None and len(told.text) <= 500 else ""
            )
        return term

    def _tells(self, sentence: Sentence) -> bool:
        """Whether the sentence stands in a part of an incident report that tells of the incident itself."""
        section = sentence.passage.section
        if sentence.passage.kind == "quote":
            return False
        return section is None or section.level == 1 or self._heading(sentence).decisive

    def _heading(self, sentence: Sentence) -> Heading:
        section = sentence.passage.section
        place = section.start if section is not None else -1
        if place not in self._headings:
            self._headings[place] = heading_of(section)
        return self._headings[place]

    def _what_is_meant(self, sentence: Sentence, led: Sentence | None, tied: Term | None) -> str:
        """The words that say what a pronoun at a sentence's beginning stands for: the sentence before it, else the heading or the subject."""
        text = self._found.document.text
        if led is not None and sentence.start - led.end < _APART and led.end - led.start <= _LED:
            return " ".join(text[led.start : led.end].split())
        if tied is not None:
            return tied.name
        section = sentence.passage.section
        return section.title if section is not None and section.level > 1 else ""

    def _roles(
        self, sentence: Sentence, mentions: Sequence[Mention], tied: Term | None, stamped: bool
    ) -> dict[int, str]:
        """Who plays which part, where the form of the sentence says so: what it opens with, and the incident whose cause it tells."""
        roles: dict[int, str] = {}
        opening = (
            sentence.tokens[min(_OPENING, len(sentence.tokens) - 1)].start
            if sentence.tokens
            else -1
        )
        if mentions and mentions[0].start <= opening:
            person = "person" in mentions[0].term.kinds
            roles[id(mentions[0].term)] = "agent" if stamped and person else "subject"
        if tied is not None and tied is self._event and id(tied) not in roles:
            roles[id(tied)] = "effect" if self._heading(sentence).kind == "cause" else "subject"
        return roles

    def _cite(self, start: int, end: int) -> str:
        return self._found.layout.cite(start, end)


def _status_of(found: Survey) -> Iterator[str]:
    """The title of a document and what it says of its own standing: its field 'Status', the section of that name."""
    yield found.title
    for field in found.fields:
        if field.key in ("status", "state", "decision-status"):
            yield field.value
    for section in found.document.sections:
        if section.title.strip(" :#").casefold() in ("status", "state"):
            yield found.document.text[section.body : min(section.end, section.body + _STATUS_REACH)]


def _stamps_of(found: Survey) -> dict[int, Stamp]:
    """The stamp of each passage that has one, by the passage's start; the cells of a row share theirs."""
    times = clock(found.passages, found.title)
    stamps: dict[int, Stamp] = {}
    rows: dict[int, list[int]] = {}
    for number, passage in enumerate(found.passages):
        if passage.row >= 0:
            rows.setdefault(passage.row, []).append(number)
        elif (
            passage.kind in ("item", "paragraph", "message")
            and (stamped := stamp(passage.text, times)) is not None
        ):
            stamps[passage.start] = stamped
    for numbers in rows.values():
        cells = [found.passages[number] for number in numbers]
        row = row_stamps(cells, times)
        if row is not None:
            stamps.update((cell.start, row) for cell in cells[1:])
    return stamps


def _row_terms(found: Survey) -> dict[int, Term]:
    """The term that the first cell of a table row is, by the row's number."""
    terms: dict[int, Term] = {}
    for sentence, mentions in zip(found.sentences, found.mentions, strict=True):
        passage = sentence.passage
        if (
            passage.row >= 0
            and passage.column <= 1
            and passage.row not in terms
            and len(mentions) == 1
            and len(sentence.tokens) <= 5
        ):
            terms[passage.row] = mentions[0].term
    return terms


def _reference_term(name: str) -> Term:
    term = Term()
    term.surfaces[name] += 1
    term.note("reference")
    return term


def _field_words(text: str, field: Field, term: Term) -> str:
    """The field's words up to the person's, as they stand: 'Author: Ada Lovelace'."""
    place = text.find(term.name, field.start, field.end)
    if place < 0 or place + len(term.name) - field.start > 200:
        return ""
    return " ".join(text[field.start : place + len(term.name)].split())
