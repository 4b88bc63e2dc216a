"""What kind of statement the sentences under a heading make: of an incident report, a decision record, a change log, a guide."""

from __future__ import annotations

import re

from kgraph.model import Section

# Headings, as they are written in the templates of post-mortems and decision records, with the kind of claim below them. The first that
# fits counts. ``decisive`` ones are what such a document is written for: every sentence there is a claim.
_KINDS: tuple[tuple[str, str, bool], ...] = (
    (r"(?:proximate |probable |root |underlying )?causes?\b|root[- ]cause|trigger|contributing (?:factor|cause)|why (?:it|this|did)|"
     r"(?:root )?cause analysis|what went wrong\?*$|analysis$", "cause", True),
    (r"impact|(?:customer|user|business|service)s? (?:impact|affected)|affected|who was affected|blast radius|damage|scope of", "impact", True),
    (r"detect|how (?:we|did we) (?:detect|notice|find|found)|alerting|monitoring$", "detection", True),
    (r"resol|mitigat|recover|(?:immediate |our )?response|(?:the )?fix(?:es)?$|restor|remedy$|workaround", "resolution", True),
    (r"lesson|(?:key )?(?:take-?aways?|learnings?)|what (?:we learned|did we learn|went (?:well|badly|poorly))|where we got lucky|"
     r"went (?:well|wrong)|things that went|reflections?$", "lesson", True),
    (r"action[- ]?(?:item|point)|actions?$|follow[- ]?ups?|remediation|next steps?|prevent|corrective|what (?:we're|we are|we will|are we)|"
     r"(?:future|planned|further) (?:work|steps|improvements|changes)|improvements$|going forward|to-?dos?$|tasks$", "action", True),
    (r"time ?line|chronology|sequence of events|events$|incident log", "event", True),
    (r"(?:incident |executive |issue )?(?:summary|overview|description)$|what happened|incident$|the (?:incident|outage|problem)$|"
     r"abstract$|tl;?dr|details$", "", True),
    (r"(?:considered |rejected |other )?(?:alternatives?|options)(?: considered| rejected)?$|rejected ideas?|options considered|"
     r"alternatives", "rejected option", False),
    (r"decision(?: outcome| made|s)?$|(?:chosen|selected) (?:option|solution|alternative)|outcome$|(?:the )?resolution and decision|"
     r"we (?:decided|chose)|verdict$", "decision", True),
    (r"(?:positive |negative |good |bad |neutral )?consequences?$|implications?$|trade-?offs?$|results?$|drawbacks$|benefits$", "consequence", True),
    (r"(?:decision |current )?status$|state$", "status", True),
    (r"requirements?$|acceptance criteria|(?:non-)?goals?$|constraints$|decision drivers|must haves?", "requirement", False),
    (r"glossary|terminology|definitions?$|terms$|abbreviations$|acronyms$", "definition", False),
    (r"owners?(?:hip)?$|responsib|maintainers?$|contacts?$", "ownership", False),
    (r"(?:change ?log|release notes|what'?s (?:new|changed)|changes(?: in .*)?|added|changed|deprecated|removed|fixed|security)$", "change", False),
)  # fmt: skip
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), kind, decisive) for pattern, kind, decisive in _KINDS
)
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[ivx]+[.)])\s+")
_LOOSE = " \t:#*_.–—-✅❌🔥💥"

DECISION_ONLY = frozenset(("decision", "consequence", "status"))


class Heading:
    """The kind of claims below a heading: ``kind`` is '' where it says only that they matter."""

    __slots__ = ("decisive", "kind")

    def __init__(self, kind: str, decisive: bool) -> None:
        self.kind = kind
        self.decisive = decisive


PLAIN = Heading("", False)


def heading_of(section: Section | None) -> Heading:
    """What the nearest heading that says something says: a title under 'Root cause' is still of the cause. The title of the document, its
    first and only heading of that level, says nothing of the kind."""
    if section is None:
        return PLAIN
    for title in reversed(section.path if section.level > 1 else section.path[-1:]):
        bare = _NUMBER.sub("", title.strip(_LOOSE)).strip(_LOOSE)
        for pattern, kind, decisive in _PATTERNS:
            if len(bare) <= 60 and pattern.match(bare):
                return Heading(kind, decisive)
    return PLAIN
