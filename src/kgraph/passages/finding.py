"""Which passages answer a question: blocks by BM25, those of the graph's own sources first among equals, and the sentences in them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from kgraph.index.texts import Hit, Stamp, TextIndex, best_sentences
from kgraph.tuples import NamedTuple

RANKED = 80  # blocks that are looked at
SHOWN = 40
LEAST = 0.3  # of the best passage's score, below which one only shares a common word
LONG = 420  # characters beyond which only the best sentences of a block are shown
COMMON, ENOUGH = (
    0.15,
    2000,
)  # a word in a larger share of that many blocks ranks nothing beside a rarer one
NEAR = 0.35  # what standing in the best source of the graph's own answer adds
WORTH = {
    "heading": 0.35,
    "code": 0.7,
    "field": 0.8,
}  # of words that only name, beside words that tell


class Passage(NamedTuple):
    """Words of a source, verbatim. ``kind`` is the block's, ``above`` the headings over it; bytes are -1 where the format has none."""

    uri: str
    quote: str
    kind: str
    above: str
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    score: float

    @property
    def source_doc(self) -> str:
        lines = f"{self.start_line}" + (
            f"-{self.end_line}" if self.end_line > self.start_line else ""
        )
        return f"{self.uri}:{lines}"


class Wanted(NamedTuple):
    """``expressions``: one of the full-text index for each word of the question. ``uris``: only these files, if any.
    ``nearness``: how near a file is to the graph's own answer, 0 to 1."""

    expressions: tuple[str, ...]
    uris: tuple[str, ...] = ()
    nearness: Mapping[str, float] = {}


class Found(NamedTuple):
    """``changed``: files that have passages and are not as they were read, so that they are not answered from."""

    passages: tuple[Passage, ...]
    changed: tuple[str, ...] = ()


class Texts(Protocol):
    """What ``query`` and ``ground`` ask for passages."""

    def passages(self, wanted: Wanted) -> Found: ...


def find(
    index: TextIndex,
    wanted: Wanted,
    holds: Callable[[Stamp], bool],
    known: Callable[[Collection[str]], Collection[str]],
) -> Found:
    """Passages, best first. ``holds``: whether a file is as it was read; ``known``: those of some uris that are Sources of the graph."""
    expression = " OR ".join(_telling(index, wanted.expressions))
    hits = index.search(expression, wanted.uris, RANKED)
    there = set(known({hit.file.uri for hit in hits}))
    stands: dict[str, bool] = {}
    kept: list[Hit] = []
    for hit in hits:
        if hit.file.uri in there:
            if hit.file.uri not in stands:
                stands[hit.file.uri] = holds(hit.file)
            if stands[hit.file.uri]:
                kept.append(hit)
    worth = [
        hit.score
        * WORTH.get(hit.block.kind, 1.0)
        * (1.0 + NEAR * wanted.nearness.get(hit.file.uri, 0.0))
        for hit in kept
    ]
    least = max(worth, default=0.0) * LEAST
    order = [
        number
        for number in sorted(range(len(kept)), key=lambda number: (-worth[number], number))
        if worth[number] >= least
    ][:SHOWN]
    best = [kept[number] for number in order]
    scores = best_sentences(best, " OR ".join(wanted.expressions)) if best else []
    passages = [
        _passage(hit, worth[number], sentences)
        for number, hit, sentences in zip(order, best, scores, strict=True)
    ]
    changed = tuple(sorted(uri for uri, holding in stands.items() if not holding))
    return Found(tuple(passages), changed)


def _telling(index: TextIndex, expressions: Sequence[str]) -> list[str]:
    """The words that part the texts: a word in a large share of many blocks costs much and ranks nothing."""
    total = index.blocks()
    if total < ENOUGH or len(expressions) < 2:
        return list(expressions)
    most = int(total * COMMON)
    counts = {one: index.matching(one, most + 1) for one in expressions}
    rare = [one for one in expressions if counts[one] <= most]
    return rare or [min(expressions, key=lambda one: counts[one])]


def _passage(hit: Hit, score: float, scores: Sequence[float]) -> Passage:
    """The whole block where it is short, else its best sentence with as many neighbours as there is room for."""
    sentences = hit.block.sentences
    first = last = max(range(len(sentences)), key=lambda at: (scores[at], -at))
    while sentences[last].end - sentences[first].start < LONG:
        before = scores[first - 1] if first else -1.0
        after = scores[last + 1] if last + 1 < len(sentences) else -1.0
        if before < 0 and after < 0:
            break
        grown = (first, last + 1) if after >= before else (first - 1, last)
        if sentences[grown[1]].end - sentences[grown[0]].start > LONG:
            break
        first, last = grown
    start, end = sentences[first], sentences[last]
    return Passage(
        hit.file.uri, hit.block.body[start.start : end.end], hit.block.kind, hit.block.above,
        start.start_byte, end.end_byte, start.start_line, end.end_line, score,
    )  # fmt: skip
