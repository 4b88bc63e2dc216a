"""Where an answer begins: the nodes that a text names or speaks of, each with a score between 0 and 1."""

from __future__ import annotations

from typing import NamedTuple

from kgraph.index.read import NodeView, Reader
from kgraph.ontology import fold
from kgraph.retrieve.words import STOP_WORDS, content_words, match_expression, words_of

LONGEST_NAME = 8  # words of a name that is looked for within a text
SEARCHED = 80
NEAR = 6
SHORTEST_NEAR = 4  # letters of a word that may be a slip of another
NAME_KINDS = (1.0, 0.95, 0.9)  # shown name, other spelling, uri


class Seed(NamedTuple):
    """A node with how well the text fits it, and why: name (the text names it), text (words of it), near (a near miss)."""

    nid: int
    score: float
    why: str
    matched: str


def find_seeds(reader: Reader, text: str, limit: int = SEARCHED) -> list[Seed]:
    """Best first. A node whose name is the whole text comes first, then named ones by how much of the text they cover, then the rest."""
    found: dict[int, Seed] = {}
    whole = fold(text)
    spans = _named_spans(text)
    names = reader.named([whole, *spans])
    for nid, kind in names.get(whole, ()):
        _keep(found, Seed(nid, NAME_KINDS[kind], "name", text))
    words = content_words(text)
    covered: set[str] = set()
    for phrase in sorted(spans, key=lambda phrase: (-len(phrase.split()), phrase)):
        hits = names.get(phrase, ())
        parts = set(phrase.split())
        if not hits or parts <= covered and len(parts) == 1:
            continue
        covered |= parts
        share = min(1.0, 0.5 + 0.1 * len(parts) + 0.2 * len(parts & set(words)) / max(1, len(words)))
        for nid, kind in hits:
            _keep(found, Seed(nid, share * NAME_KINDS[kind] * 0.95 / (1 + 0.15 * (len(hits) - 1)), "name", phrase))
    expression = match_expression(words)
    hits_by_text = reader.search(expression, limit) if expression else []
    best = hits_by_text[0][1] if hits_by_text else 0.0
    for nid, score in hits_by_text:
        _keep(found, Seed(nid, 0.75 * score / best if best > 0 else 0.1, "text", " ".join(words)))
    for word in words:
        if _unknown(reader, word):
            for seed in _near(reader, word):
                _keep(found, seed)
    return sorted(found.values(), key=lambda seed: (-seed.score, seed.nid))[:limit]


def _keep(found: dict[int, Seed], seed: Seed) -> None:
    before = found.get(seed.nid)
    if before is None or seed.score > before.score:
        found[seed.nid] = seed


def _named_spans(text: str) -> list[str]:
    """Every run of up to eight words that may be a name, folded as names are and as bare words."""
    raw = fold(text).split()
    plain = words_of(text)
    spans: dict[str, None] = {}
    for words in (raw, plain):
        for at in range(len(words)):
            for end in range(at + 1, min(len(words), at + LONGEST_NAME) + 1):
                part = words[at:end]
                if len(part) == 1 and part[0] in STOP_WORDS or part[0] in STOP_WORDS and len(part) == 2 and part[1] in STOP_WORDS:
                    continue
                phrase = " ".join(part)
                spans.setdefault(phrase.strip(".,;:!?\"'()[]") or phrase)
    return list(spans)[:2000]


def _unknown(reader: Reader, word: str) -> bool:
    return not reader.search(match_expression([word]), 1)


def _near(reader: Reader, word: str) -> list[Seed]:
    expression = match_expression(reader.near_words(word, NEAR)) if len(word) >= SHORTEST_NEAR else ""
    if not expression:
        return []
    grams = {word[at : at + 3] for at in range(len(word) - 2)}
    seeds = []
    for nid, _ in reader.search(expression, NEAR * 5):
        likeness = max((_likeness(grams, part) for part in _parts(reader.node(nid))), default=0.0)
        if likeness > 0.0:
            seeds.append(Seed(nid, 0.5 * likeness, "near", word))
    return sorted(seeds, key=lambda seed: (-seed.score, seed.nid))[:NEAR]


def _parts(node: NodeView) -> set[str]:
    return {part for name in (node.name, *node.aliases) for part in words_of(name)}


def _likeness(grams: set[str], word: str) -> float:
    other = {word[at : at + 3] for at in range(len(word) - 2)}
    return len(grams & other) / len(grams | other) if other else 0.0
