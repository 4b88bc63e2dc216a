"""Where an answer begins: the things that a text names, and the nodes whose words it shares.

Common words cost and tell little, so how often a word occurs is counted up to a bound and estimated beyond it, and nodes are looked up by
the rarer words only. A name counts by the share of the question's meaning that its words carry.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kgraph.index.adjacency import last_nid
from kgraph.index.read import NodeView, Reader
from kgraph.language.lists import stop_words_of_questions
from kgraph.language.tokens import words_of
from kgraph.ontology import fold
from kgraph.retrieve.identifiers import ending_in, identifiers
from kgraph.retrieve.words import content_words, match_expression
from kgraph.support.tokens import LONGEST_NAME, Tokens, tokens
from kgraph.tuples import NamedTuple

SEARCHED = 80  # nodes that are taken for their words
COUNTED = 1500  # nodes with one word that are counted; beyond that the count is estimated
RANKED = 10_000  # nodes that the full-text index is asked to rank
NEAR = 5
SHORTEST_NEAR = 4  # letters of a word that may be a slip of another
PARTIAL = 60  # a part of a name that more things bear names none of them
NAME_KINDS = (1.0, 0.95, 0.9)  # shown name, other spelling, uri
COMMON = 0.02  # weight of a common word that happens to be a name, beside names written as names
PART_OF_NAME = 0.7
TEXT = 0.03  # weight of words shared, beside a name


class Seed(NamedTuple):
    """A node with how well the text fits it, and why: name (the text names it), text (words of it), near (a near miss), listed.

    ``mass`` is what it passes on at the start.
    """

    nid: int
    score: float
    why: str
    matched: str
    mass: float


class Heard(NamedTuple):
    """A question as the graph understands it. ``relevance``: the share of the question's words that a node has, names of seeds left out.

    ``words``: for each word of the question, its share of the meaning and the nodes that have it (the first of very many).
    ``asked``: those words.
    """

    seeds: list[Seed]
    relevance: dict[int, float]
    words: tuple[tuple[float, frozenset[int]], ...] = ()
    asked: tuple[str, ...] = ()


class _Lexicon:
    """The question's words: which nodes have them (the first of very many), and how much each tells."""

    def __init__(self, reader: Reader, words: Sequence[str]) -> None:
        total = max(2, sum(reader.counters()["type"].values()))
        self.nodes: dict[str, list[int]] = {}
        self.weight: dict[str, float] = {}
        last = 0
        for word in words:
            found = reader.matches(match_expression([word]), COUNTED)
            count = float(len(found))
            if len(found) == COUNTED:
                last = last or _last(reader)
                count = max(count, count * last / max(1, found[-1]))
            self.nodes[word] = found
            self.weight[word] = math.log(1 + max(0.0, total - count + 0.5) / (count + 0.5))
        self.total = sum(self.weight.values()) or 1.0

    def share(self, words: Sequence[str]) -> float:
        return sum(self.weight.get(word, 0.0) for word in set(words)) / self.total

    def coverage(self, without: set[str]) -> dict[int, float]:
        """For each node that has any of the words, the share that they make of all of them."""
        left = {word: weight for word, weight in self.weight.items() if word not in without}
        total = sum(left.values()) or 1.0
        found: dict[int, float] = {}
        for word, weight in left.items():
            for nid in self.nodes[word]:
                found[nid] = found.get(nid, 0.0) + weight / total
        return found


def _last(reader: Reader) -> int:
    return last_nid(reader) or 1


def hear(reader: Reader, text: str) -> Heard:
    """Everything in the graph that a text names or speaks of, best first."""
    lexicon = _Lexicon(reader, content_words(text))
    named, spelled = _named(reader, text, lexicon)
    covered = lexicon.coverage(set())
    found = {seed.nid: seed for seed in reversed(named)}
    for seed in (*_by_words(reader, lexicon, covered), *_near(reader, lexicon)):
        before = found.get(seed.nid)
        if before is None:
            found[seed.nid] = seed
    order = sorted(found.values(), key=lambda seed: (-seed.score, seed.nid))
    words = tuple(
        (weight / lexicon.total, frozenset(lexicon.nodes[word]))
        for word, weight in lexicon.weight.items()
    )
    return Heard(order, lexicon.coverage(spelled), words, tuple(lexicon.weight))


def find_seeds(reader: Reader, text: str, limit: int = SEARCHED) -> list[Seed]:
    """The best of them."""
    return hear(reader, text).seeds[:limit]


def sharing_words(reader: Reader, text: str, limit: int) -> list[int]:
    """Nodes that share the rarer words of a text, those that share most first."""
    lexicon = _Lexicon(reader, content_words(text))
    return [seed.nid for seed in _by_words(reader, lexicon, lexicon.coverage(set()), limit)]


# -- names ----------------------------------------------------------------------------------------------------------------------------


class _Span(NamedTuple):
    first: int
    last: int
    texts: tuple[str, ...]  # as it may be written in the graph


def _named(reader: Reader, text: str, lexicon: _Lexicon) -> tuple[list[Seed], set[str]]:
    """Seeds that the text names, longest names first, and the words that are thereby spoken for."""
    found = tokens(text)
    spans = _spans(found)
    wholes = dict.fromkeys(
        (fold(text), " ".join(words_of(text)))
    )  # also where all of it is stop words: 'The Who?'
    hits = reader.named(dict.fromkeys((*wholes, *(one for span in spans for one in span.texts))))
    whole = {
        nid: kind
        for one in wholes
        for nid, kind in sorted(hits.get(one, ()), key=lambda hit: -hit[1])
    }
    seeds = [Seed(nid, NAME_KINDS[kind], "name", text, 1.0) for nid, kind in whole.items()]
    written = any(word.raw[:1].isupper() for word in found.words[1:])
    taken: set[int] = set()
    spelled: set[str] = set()
    for span in sorted(spans, key=lambda span: (span.first - span.last, span.first)):
        there = {
            nid: kind
            for one in span.texts
            for nid, kind in sorted(hits.get(one, ()), key=lambda hit: -hit[1])
        }
        places = set(range(span.first, span.last))
        if not there or places & taken:
            continue
        proper = not written or any(_proper(found, at) for at in places)
        if proper or len(places) > 1:
            taken |= places
        words = _words(found, span)
        if proper:
            spelled |= set(words)
        share = lexicon.share(words)
        weight = (1.0 if proper else COMMON) * share / len(there)
        score = (0.5 + 0.45 * min(1.0, share)) if proper else 0.4
        seeds += [
            Seed(nid, score * NAME_KINDS[kind], "name", span.texts[0], weight * NAME_KINDS[kind])
            for nid, kind in there.items()
        ]
    ended: list[Seed] = []
    for one in identifiers(found.text):
        here = _ending(reader, one, lexicon) if not hits.get(fold(one)) else []
        if here:
            ended += here
            spelled |= set(words_of(one))
            start = found.text.find(one)
            taken |= {
                at for at, (begin, _) in enumerate(found.spans) if start <= begin < start + len(one)
            }
    partial = [*ended, *_partly_named(reader, found, taken, lexicon)]
    spelled |= {word for seed in partial for word in words_of(seed.matched)}
    return [*seeds, *partial], spelled


def _ending(reader: Reader, identifier: str, lexicon: _Lexicon) -> list[Seed]:
    """Things whose names end in what is written as code writes names."""
    things = ending_in(reader, identifier)
    share = lexicon.share(
        [word for word in words_of(identifier) if word not in stop_words_of_questions()]
    )
    return [
        Seed(
            node.nid,
            0.5 + 0.4 / len(things),
            "name",
            fold(identifier),
            max(PART_OF_NAME, share) / len(things),
        )
        for node in things
    ]


def _proper(found: Tokens, at: int) -> bool:
    raw = found.words[at].raw
    return raw[:1].isdigit() or (raw[:1].isupper() and (at > 0 or len(found.words) == 1))


def _words(found: Tokens, span: _Span) -> list[str]:
    return [
        word
        for one in found.words[span.first : span.last]
        for word in words_of(one.raw)
        if word not in stop_words_of_questions()
    ]


def _spans(found: Tokens) -> list[_Span]:
    """Every run of words that may be a name: as written (a bracket that it opens is closed) and as bare words."""
    spans = []
    for first in range(len(found.words)):
        for last in range(first + 1, min(len(found.words), first + LONGEST_NAME) + 1):
            some = found.words[first:last]
            if all(word.text in stop_words_of_questions() for word in some):
                continue
            start, end = found.spans[first][0], found.spans[last - 1][1]
            written = found.text[start:end]
            if written.count("(") > written.count(")") and found.text[end : end + 1] == ")":
                written += ")"
            bare = " ".join(words_of(written))
            spans.append(
                _Span(first, last, tuple(dict.fromkeys((fold(written), bare or fold(written)))))
            )
    return spans[:2000]


def _partly_named(reader: Reader, found: Tokens, taken: set[int], lexicon: _Lexicon) -> list[Seed]:
    """Things whose names contain a run of words that is written as a name: 'Hayek' for Friedrich Hayek."""
    seeds: list[Seed] = []
    at = 0
    while at < len(found.words):
        end = at
        while (
            end < len(found.words)
            and end not in taken
            and _proper(found, end)
            and found.words[end].text not in stop_words_of_questions()
        ):
            end += 1
        for length in range(end - at, 0, -1):
            runs = [found.words[first : first + length] for first in range(at, end - length + 1)]
            here = [
                seed
                for run in runs
                for seed in _bearing(reader, [word.raw for word in run], lexicon)
            ]
            seeds += here
            if here:
                break
        at = max(end, at + 1)
    return seeds


def _bearing(reader: Reader, run: list[str], lexicon: _Lexicon) -> list[Seed]:
    words = [word for raw in run for word in words_of(raw)]
    if not words or all(word in stop_words_of_questions() for word in words):
        return []
    phrase = " ".join(words)
    hits = reader.matches(f'{{name aliases}} : "{phrase}"', COUNTED // 10)
    things = [node for node in reader.nodes(hits).values() if node.live and node.type != "Claim"]
    if not things or len(things) > PARTIAL:
        return []
    fits = [(len(words) / max(len(words), len(words_of(node.name))), node.nid) for node in things]
    fits = sorted(fits, key=lambda fit: (-fit[0], fit[1]))[:10]
    total = max(1.0, sum(fit for fit, _ in fits))
    share = lexicon.share([word for word in words if word not in stop_words_of_questions()])
    return [
        Seed(nid, 0.45 * (0.5 + 0.5 * fit), "name", phrase, PART_OF_NAME * share * fit / total)
        for fit, nid in fits
    ]


# -- words ----------------------------------------------------------------------------------------------------------------------------


def _by_words(
    reader: Reader, lexicon: _Lexicon, covered: dict[int, float], limit: int = SEARCHED
) -> list[Seed]:
    """Nodes that share words with the question, by the share of its meaning that they cover, equal ones by rank."""
    rare: list[str] = []
    count = 0
    for word in sorted(lexicon.nodes, key=lambda word: (len(lexicon.nodes[word]), word)):
        here = len(lexicon.nodes[word])
        if here and here < COUNTED and count + here <= RANKED:
            rare.append(word)
            count += here
    known = [word for word, nodes in lexicon.nodes.items() if nodes]
    ranked = dict(reader.search(match_expression(rare), 2 * limit)) if rare else {}
    if not ranked and known:
        together = " AND ".join(f"({match_expression([word])})" for word in known)
        ranked = dict.fromkeys(
            reader.matches(together, 2 * limit) or lexicon.nodes[known[0]][: 2 * limit], 1.0
        )
    best = max(ranked.values(), default=1.0) or 1.0
    top = sorted(ranked, key=lambda nid: (-covered.get(nid, 0.0) - 0.2 * ranked[nid] / best, nid))[
        :limit
    ]
    live = reader.nodes(top)
    phrase = " ".join(known)
    seeds = []
    for nid in top:
        if live[nid].live:
            share = min(1.0, covered.get(nid, 0.0))
            seeds.append(
                Seed(
                    nid,
                    0.38 * (0.8 * share + 0.2 * ranked[nid] / best),
                    "text",
                    phrase,
                    TEXT * share**4,
                )
            )
    return seeds


def _near(reader: Reader, lexicon: _Lexicon) -> list[Seed]:
    """For words that stand nowhere, nodes with a word that differs by a slip."""
    seeds = []
    for word, nodes in lexicon.nodes.items():
        if nodes or len(word) < SHORTEST_NEAR:
            continue
        for term in reader.near_words(word, NEAR):
            for node in _with_term(reader, term):
                seeds.append(Seed(node.nid, 0.3 * len(term) / (len(term) + 2), "near", word, TEXT))
    return seeds


def _with_term(reader: Reader, term: str) -> list[NodeView]:
    return [node for node in reader.nodes(reader.matches(f'"{term}"', NEAR)).values() if node.live]
