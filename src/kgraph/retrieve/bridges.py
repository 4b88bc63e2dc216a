"""Words that lead on where no edge does: claims that speak of what was reached, and Sources that are called after it.

A claim often names a thing otherwise than the thing is called ('the harbour of Oslo', 'Oslo Airport'), so it is tied to another entity and
the walk from Oslo doesn't come to it. What was reached is therefore looked up in the words of claims, together with the question's rarer
words. This ranks Sources; it adds no edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kgraph.index.read import NodeView, Reader
from kgraph.language.lists import stop_words_of_questions
from kgraph.language.tokens import words_of
from kgraph.ontology import fold
from kgraph.retrieve.expand import Reached
from kgraph.retrieve.seeds import COUNTED, Heard
from kgraph.retrieve.words import match_expression

THINGS = 25  # that were reached, best first, whose names are looked for
CLAIMS = 60  # of each name that are looked at
READ = 12  # claims without MENTIONS, best first, whose words are looked at for names
LONGEST_RUN = 6  # words of such a name
NAMES_OF_A_CLAIM = 24
MOST_BEARERS = 4  # of one name, beyond which it picks out none
_RUN = re.compile(
    r"[^\W\d_a-z][\w.'’-]*(?:\s(?:(?:of|the|de|la|von|van|bin|ibn|al|and|di|du)\s){0,2}[^\W_a-z][\w.'’-]*)*"
)
PASSED_ON = 0.5  # of a thing's score, to the claims that its name leads to
CALLED_AFTER = 0.5  # of a thing's score, to the Sources that bear its name


def things_reached(reader: Reader, reached: Reached) -> list[NodeView]:
    """The best of what was reached, claims and Sources left out."""
    found = [
        nid
        for nid, kind in reached.kinds.items()
        if kind not in ("Claim", "Source") and reached.scores.get(nid, 0.0) > 0
    ]
    best = sorted(found, key=lambda nid: (-reached.scores[nid], nid))[:THINGS]
    views = reader.nodes(best)
    return [views[nid] for nid in best]


def named_in_claims(reader: Reader, reached: Reached) -> dict[int, float]:
    """Things and Sources that the best claims name in their words where no MENTIONS says so, each with its part of the claims' scores."""
    best = sorted(
        (nid for nid, kind in reached.kinds.items() if kind == "Claim" and reached.scores.get(nid)),
        key=lambda nid: (-reached.scores[nid], nid),
    )[:READ]
    silent = [
        nid
        for nid in best
        if not any(
            hop.predicate == "MENTIONS" and hop.forward
            for hop in (reached.hops.get(nid) or reader.hops(nid, ("MENTIONS",), 1))
        )
    ]
    found: dict[int, float] = {}
    called: dict[str, list[int]] = {}
    for nid, claim in reader.nodes(silent).items():
        for name in _proper_names(claim.name):
            if name not in called:
                called[name] = _bearers(reader, name)
            for other in called[name] if len(called[name]) <= MOST_BEARERS else ():
                found[other] = found.get(other, 0.0) + PASSED_ON * reached.scores[nid] / len(
                    called[name]
                )
    return found


def _proper_names(text: str) -> list[str]:
    """Runs of capitalised words, small words between them allowed ('Bank of Norway'), and their shorter parts, longest first."""
    names: dict[str, None] = {}
    for run in _RUN.findall(text):
        words = run.split()
        for length in range(min(len(words), LONGEST_RUN), 0, -1):
            for first in range(len(words) - length + 1):
                some = words[first : first + length]
                if some[0][:1].isupper() and some[-1][:1].isupper():
                    names.setdefault(" ".join(some).rstrip(".,"))
    return list(names)[:NAMES_OF_A_CLAIM]


def _bearers(reader: Reader, name: str) -> list[int]:
    """Nodes that are called so, an addition in brackets left out."""
    words = words_of(name)
    if not words or all(word in stop_words_of_questions() for word in words):
        return []
    hits = reader.matches(f'{{name aliases}} : "{" ".join(words)}"', CLAIMS)
    return [
        node.nid
        for node in reader.nodes(hits).values()
        if node.live
        and node.type != "Claim"
        and any(fold(without_addition(one)) == fold(name) for one in (node.name, *node.aliases))
    ]


def claims_by_name(
    reader: Reader, things: Iterable[NodeView], reached: Reached, heard: Heard
) -> dict[int, float]:
    """Claims in whose words a thing's name stands beside words of the question, each with its part of the thing's score."""
    telling = [
        word
        for word, (_, nodes) in zip(heard.asked, heard.words, strict=True)
        if 0 < len(nodes) < COUNTED
    ]
    found: dict[int, float] = {}
    for thing in things:
        name = words_of(without_addition(thing.name))
        rest = [word for word in telling if word not in name]
        if not rest or all(word in stop_words_of_questions() for word in name):
            continue
        hits = reader.matches(
            f'{{name aliases}} : "{" ".join(name)}" AND ({match_expression(rest)})', CLAIMS
        )
        relevant = {nid: heard.relevance[nid] for nid in hits if heard.relevance.get(nid)}
        claims = [
            node.nid
            for node in reader.nodes(relevant).values()
            if node.live and node.type == "Claim"
        ]
        total = sum(relevant[nid] for nid in claims)
        for nid in claims:
            found[nid] = (
                found.get(nid, 0.0) + PASSED_ON * reached.scores[thing.nid] * relevant[nid] / total
            )
    return found


def sources_by_name(
    sources: Iterable[NodeView], things: Iterable[NodeView], reached: Reached
) -> Mapping[int, float]:
    """Sources that are called as a thing that was reached is, each with its part of the thing's score."""
    called: dict[str, list[int]] = {}
    for source in sources:
        for name in {fold(without_addition(one)) for one in (source.name, *source.aliases)}:
            called.setdefault(name, []).append(source.nid)
    found: dict[int, float] = {}
    for thing in things:
        same = called.get(fold(without_addition(thing.name)), ())
        for nid in same:
            found[nid] = found.get(nid, 0.0) + CALLED_AFTER * reached.scores[thing.nid] / len(same)
    return found


def without_addition(name: str) -> str:
    """A name without what stands in brackets at its end to tell it from others of that name."""
    begin = name.rfind("(")
    return name[:begin].rstrip() if begin > 0 and name.endswith(")") else name
