"""Questions about code in plain English, sent to the command that answers them in full: "who calls X", "what breaks if X changes".

Only where what is left of the question names a part of code, whole or by the end of its name. Everything else is searched for as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kgraph.index.read import Hop, Reader
from kgraph.retrieve.question import Among, Found, Question, Ranked
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.code.navigate.parts import Part, Parts
    from kgraph.code.navigate.rows import Row

_LONGEST = 300  # characters: a longer text is no plain question
_MOST_MEANT = 5  # parts of one name that are all asked
_THING = r"(?:functions?|methods?|classes|class|modules?|files?|code|places?|callers?|packages?|tests?|symbols?|things?|part(?:s of the code)?)"
_WHO = (
    rf"(?:(?:who|what|which|where)(?: else)?(?: (?:do|does|are|is))?(?: {_THING}| all)?(?: that)?)"
)
_PATTERNS = (
    ("path", r"(?:how does|how do|how can|can|does) (?P<a>.+?) (?:reach|get to|call into|lead to|end up in|come to call|call) (?P<b>.+)"),
    ("path", r"(?:what is |show |find )?(?:the |a )?(?:call |import |dependency )?(?:path|chain|route)s? (?:from|between) (?P<a>.+?) (?:to|and) (?P<b>.+)"),
    ("impact", r"(?:what|who|which .+?) (?:breaks|changes|is affected|would break|could break|is impacted|might break|will break|are affected)(?: if| when| by)? (?:i |we |you |somebody )?(?:changing |change |modify |remove |edit |rename |touch )?(?P<a>.+?)(?: (?:changes|breaks|is changed|is removed|is renamed|is modified))?"),
    ("impact", r"(?:what is )?(?:the )?(?:impact|blast radius|effects?) of (?:changing |a change (?:of|to|in) )?(?P<a>.+)"),
    ("tests", rf"(?:{_WHO} )?(?:tests?|covers?|exercises?) (?:for |of |that (?:cover|test|reach|exercise) )?(?P<a>.+)"),
    ("tests", r"(?:which|what) tests? (?:covers?|tests?|exercises?|reach(?:es)?|runs?|should i run for|to run for|are there for) (?P<a>.+)"),
    ("tests", r"(?:where|how|by what) is (?P<a>.+?) (?:tested|covered|exercised)(?: by tests)?"),
    ("callers", rf"(?:{_WHO} )?(?:calls?|invokes?|instantiates?|constructs?) (?!of )(?P<a>.+)"),
    ("callers", rf"(?:{_WHO} )?(?:the )?(?:callers?|calls|call sites|invocations) (?:of|to) (?P<a>.+)"),
    ("callers", r"(?:where|by what|from where|who) is (?P<a>.+?) (?:called|invoked|instantiated)(?: from| by| in the code)?"),
    ("callees", r"(?:what|which \w+|whom) (?:does|do|is|are) (?P<a>.+?) (?:call|calls|calling|invoke)"),
    ("callees", rf"(?:{_WHO} )?(?:is |are )?(?:the )?(?:callees of|called by) (?P<a>.+)"),
    ("importers", rf"(?:{_WHO} )?(?:the )?(?:imports|importers of|import) (?!of )(?P<a>.+)"),
    ("importers", r"(?:where|by what|by whom) is (?P<a>.+?) imported(?: from)?"),
    ("imports", r"(?:what|which \w+) (?:does|do) (?P<a>.+?) import"),
    ("imports", rf"(?:{_WHO} )?(?:is |are )?(?:the )?(?:imports of|imported by) (?P<a>.+)"),
    ("inheritors", rf"(?:{_WHO} )?(?:the )?(?:(?:sub ?classes|inheritors|implementations|children|descendants|implementers) of|(?:inherits? from|derives? from|extends?|sub ?classes|implements?)) (?P<a>.+)"),
    ("where", r"where (?:is|are|do we|does the code) (?:the )?(?P<a>.+?) (?:defined|declared|used|referenced|implemented|located)"),
    ("where", rf"(?:{_WHO} )?(?:the )?(?:definition|usages?|uses|references|occurrences) (?:of|to) (?P<a>.+)"),
    ("where", r"(?:who|what|which \w+) uses? (?P<a>.+)"),
)  # fmt: skip
_HINT = re.compile(
    r"call|import|inherit|deriv|extend|class|implement|test|cover|exercis|break|affect|impact|change|blast|effect|use|usage|usag"
    r"|referenc|defin|declar|locat|reach|lead|end up|get to|path|chain|route|instan|construct|invo|child|descend|occurr",
    re.IGNORECASE,
)  # most questions are about something else, and cost no more than this
_AROUND = re.compile(
    rf"^(?:(?:the|a|an|function|method|class|module|file|package|{_THING}) )+|(?: (?:function|method|class|module|file|package))+$",
    re.IGNORECASE,
)
_QUOTES = "`'\"“”‘’?.!, "


class Routed(NamedTuple):
    """``found``: what the command found, to be shown as any other answer; ``code``: the command, and how much it says."""

    found: Found
    code: dict[str, Any]


def route(reader: Reader, question: Question) -> Routed | None:
    """The answer to a question about code; None where it is none, or names nothing in the graph."""
    if question.types or question.edge_types or question.filtered or question.surface:
        return None
    for name, words in heard(question.text):
        from kgraph.code.navigate.parts import Parts

        parts = Parts(reader)
        asked = [_named(parts, word) for word in words]
        if all(asked) and all(len(some) <= _MOST_MEANT for some in asked):
            refs: list[tuple[Part, ...]] = [(part,) for part in asked[0]]
            return _answered(parts, name, refs if len(asked) == 1 else [(asked[0][0], asked[1][0])])
    return None


def heard(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The questions that a text may be: (question, the names that it is asked of)."""
    said = " ".join(text.split()).strip(_QUOTES)
    if not _HINT.search(said) or len(said) > _LONGEST:
        return
    for name, pattern in _PATTERNS:
        found = re.fullmatch(pattern, said, re.IGNORECASE)
        if found:
            yield name, tuple(_bare(word) for word in found.groupdict().values() if word)


def _bare(word: str) -> str:
    return _AROUND.sub("", word.strip(_QUOTES)).strip(_QUOTES)


def _named(parts: Parts, word: str) -> list[Part]:
    from kgraph.code.navigate.references import named

    return named(parts, word) if word and len(word.split()) == 1 else []


def _answered(parts: Parts, name: str, refs: list[tuple[Part, ...]]) -> Routed:
    from kgraph.code.navigate import QUESTIONS, Inquiry

    rows: list[Row] = []
    counts = {"certain": 0, "possible": 0}
    for of in refs:
        inquiry = Inquiry(name, tuple(part.name for part in of), 0)
        found = QUESTIONS[name].rows(parts, of, inquiry, lambda uri: None)
        rows += [*found.certain, *found.possible]
        counts["certain"] += len(found.certain)
        counts["possible"] += len(found.possible)
    commands = [f"kgraph code {name} {' '.join(part.name for part in of)}" for of in refs]
    return Routed(
        _as_found(parts, [part for of in refs for part in of], rows),
        {"question": name, "commands": commands, **counts},
    )


def _as_found(parts: Parts, of: list[Part], rows: list[Row]) -> Found:
    """The parts and ties of an answer, in its order."""
    order = dict.fromkeys([*(part.nid for part in of), *(row.nid for row in rows if row.nid)])
    views = parts.reader.edges(row.eid for row in rows if row.eid)
    order |= dict.fromkeys(end for edge in views.values() for end in (edge.src, edge.dst))
    score = {nid: 1.0 / (1 + place) for place, nid in enumerate(order)}
    rank = {nid: place for place, nid in enumerate(order)}
    relations = [
        Among(
            Hop(eid, edge.predicate, edge.src, edge.dst, True, edge.confidence, edge.status),
            edge.src,
            edge.dst,
            1.0,
        )
        for eid, edge in views.items()
    ]
    relations.sort(key=lambda one: (max(rank[one.source], rank[one.target]), one.hop.eid))
    seeds = [(part.nid, 1.0, "code") for part in of]
    return Found([Ranked(nid, score[nid]) for nid in order], relations, seeds, [], False)
