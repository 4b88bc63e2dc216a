"""What a document's structure says of its statements: of which kind they are, when what they tell of happened, and what fields state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kgraph.documents.fields import Field
from kgraph.documents.moments import Calendar, day_in, event_time, zone_in
from kgraph.documents.survey import INCIDENT, Survey
from kgraph.documents.timelines import clock
from kgraph.documents.tokens import Sentence
from kgraph.tuples import NamedTuple

# A kind that the words of a sentence say outright, where no heading does.
_CUES = (
    ("cause", re.compile(r"\b(?:root cause|(?:was|were|is|been) (?:caused|triggered) by|(?:caused|triggered) (?:a|an|the)\b|resulted from)", re.I)),
    ("decision", re.compile(r"\b(?:we|it was|team|has been|was) (?:have |has )?(?:decided|chose|agreed)\b|\bchosen option\b", re.I)),
    ("ownership", re.compile(r"\b(?:is|are) (?:owned|maintained) by\b|\b(?:is|are) responsible for\b", re.I)),
    ("requirement", re.compile(r"\b(?:MUST|SHALL|REQUIRED)\b|\bmust (?:not )?\w")),
)  # fmt: skip
_DEFINES = re.compile(
    r"[\W\x01]*(?:the\s+|an?\s+)?[\w.+#/-]+(?:\s+[\w.+#/-]+){0,4}(?:\s+\([^()]{1,40}\))?\s+(?:is|are)\s+(?:an?|the)\s",
    re.I,
)

_ORGANIZATION = frozenset(("company", "organization", "organisation", "org", "vendor", "provider"))
_PRODUCT = frozenset(("product", "products"))
_SERVICE = frozenset(
    (
        "service",
        "services",
        "system",
        "affected-service",
        "affected-services",
        "component",
        "components",
    )
)
_MOMENT = frozenset(
    """date start-time end-time start end started ended start-date end-date incident-start incident-end incident-date occurred detected
    detected-at resolved resolved-at mitigated mitigated-at created date-of-incident began""".split()
)
_STATUS = frozenset(("status", "state", "severity", "priority", "decision-status"))
_OWNER = frozenset(
    (
        "owner",
        "owners",
        "team",
        "maintainer",
        "maintainers",
        "assignee",
        "incident-commander",
        "incident-lead",
    )
)
_LONGEST = 60


class Telling(NamedTuple):
    """What a claim carries beside its words: its kind, its time, the words before it that a pronoun needs, and roles by term."""

    kind: str
    moment: str
    context: str
    roles: Mapping[int, str]


class Stated(NamedTuple):
    """A field: the things that its value names, of which ``sort`` they are, and the statement that the line makes (``kind`` '' for none)."""

    things: tuple[str, ...]
    sort: str
    kind: str
    moment: str
    start: int
    end: int


def is_incident(found: Survey) -> bool:
    """Whether a short document without sections tells of an incident as a whole: its title or its first sentences call it one, or its
    front matter has the times of one."""
    if len(found.document.sections) > 2:
        return False
    keys = {field.key for field in found.fields}
    if "start-time" in keys and keys & _ORGANIZATION:
        return True
    opening = " ".join(sentence.text for sentence in found.sentences[:3])
    return INCIDENT.search(found.title) is not None or INCIDENT.search(opening) is not None


def claim_kind(sentence: Sentence, section: str, marks: tuple[bool, str, bool]) -> str:
    """``marks``: whether it belongs to a version's changes, when it happened, and whether it is the entry of a log."""
    in_version, moment, entry = marks
    if in_version:
        return "change"
    if section:
        return section
    for kind, cue in _CUES:
        if cue.search(sentence.text):
            return kind
    if entry or moment:
        return "event"
    return "definition" if _DEFINES.match(sentence.text) else ""


class Times:
    """The day and zone from which the times of a document count, sentence by sentence: the last day that was named holds on."""

    def __init__(self, found: Survey) -> None:
        text = found.document.text
        self.calendar = _calendar(found)
        self._day = self.calendar.day
        self._section = -1
        self._plain = not any(char.isdigit() for char in text)

    def of(self, sentence: Sentence, stamped: str) -> str:
        """The event time of a sentence: that of its stamp, else the one that its words state."""
        if self._plain:
            return ""
        section = sentence.passage.section
        if section is not None and section.start != self._section:
            self._section = section.start
            self._day = day_in(section.title) or self._day
        if stamped:
            self._day = stamped[:10]
            return stamped
        moment, day = event_time(sentence.text, Calendar(self._day, self.calendar.zone))
        self._day = day or self._day
        return moment


def _calendar(found: Survey) -> Calendar:
    """From the front matter, the title, the file's name; the zone that all times are said to be in, or the only one there is."""
    stated = clock(found.passages, found.title)
    day = stated.day
    zone = stated.zone
    for field in found.fields:
        if field.key in _MOMENT:
            moment, its_day = event_time(field.value, Calendar())
            day = day or its_day
            if len(moment) > 19 and "/" not in moment and moment[19:] != "+00:00":
                zone = zone or moment[19:]  # in UTC they are stored, not told
    day = day or day_in(found.title) or day_in(found.document.name.replace("_", "-"))
    if not zone:
        zone = zone_in(passage.text for passage in found.passages if ":" in passage.text)
    if not day:
        day = next((one for sentence in found.sentences[:40] if (one := day_in(sentence.text))), "")
    return Calendar(day, zone)


def stated_fields(found: Survey, times: Times) -> Iterator[Stated]:
    """The fields whose key says what their value is."""
    for field in found.fields:
        sort = next(
            (
                name
                for keys, name in (
                    (_ORGANIZATION, "organization"),
                    (_PRODUCT, "product"),
                    (_SERVICE, "service"),
                )
                if field.key in keys
            ),
            "",
        )
        things = tuple(_names(field)) if sort else ()
        moment = event_time(field.value, times.calendar)[0] if field.key in _MOMENT else ""
        kind = "event" if moment else ""
        if field.key in _STATUS and 0 < len(field.value) <= _LONGEST:
            kind = "status"
        elif field.key in _OWNER and 0 < len(field.value) <= 2 * _LONGEST:
            kind = "ownership"
        if things or kind:
            yield Stated(things, sort, kind, moment, field.start, field.end)


def _names(field: Field) -> Sequence[str]:
    parts = re.split(r"[,;\n]", field.value.strip("[] "))
    names = [part.strip(" \"'-*[]`") for part in parts]
    return [name for name in names if 1 < len(name) <= _LONGEST and any(map(str.isalpha, name))]
