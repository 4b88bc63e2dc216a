"""Which things a statement speaks of, and statements of the graph as they are compared: names joined, in normal form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kgraph.index.adjacency import pairs
from kgraph.index.read import NodeView, Reader
from kgraph.language.inflection import bases
from kgraph.language.lists import stop_words_of_questions
from kgraph.language.scripts import is_unspaced
from kgraph.ontology import fold
from kgraph.retrieve.words import match_expression
from kgraph.support.quantities import MONTH, TIME_WORDS, UNIT, is_number
from kgraph.support.relations import is_relation_word
from kgraph.support.statements import Statement, statement
from kgraph.support.tokens import (
    FUNCTION_WORDS,
    Mention,
    Tokens,
    Word,
    joined,
    measured,
    mentions,
    tokens,
)
from kgraph.tuples import NamedTuple

Names = dict[str, frozenset[int]]


class Meant(NamedTuple):
    """A stretch of the asked statement and the canonical nodes that answer to it: none, one, or several."""

    mention: str
    nodes: tuple[NodeView, ...]


class Asked(NamedTuple):
    """The asked statement in normal form, with whom it speaks of. ``unknown``: names and words that the graph doesn't know."""

    text: str
    statement: Statement
    meant: tuple[Meant, ...]
    unknown: tuple[str, ...]
    names: Names


def read_claim(reader: Reader, text: str) -> Asked:
    """A statement in free text."""
    found = tokens(text, apart=True)
    names = _names_in(reader, found)
    words, met = joined(found, names)
    return _asked(
        reader,
        (text, words, names),
        [(mention.text, ids) for mention, ids in met],
        _unknown(reader, found, met),
    )


def read_parts(reader: Reader, parts: tuple[str, str, str]) -> Asked:
    """A statement given as subject, words of the relation, object. Either end may be an id, a name, an alias, or plain words."""
    words: list[Word] = []
    met: list[tuple[str, frozenset[int]]] = []
    unknown: list[str] = []
    names: Names = {}
    for at, part in enumerate(parts):
        hits = [node for node in reader.look_up(part) if node.type != "Claim"] if at != 1 else []
        if hits:
            ids = frozenset(node.canon for node in hits)
            words.append(Word(fold(part), part, ids))
            met.append((part, ids))
            continue
        found = tokens(part, apart=True)
        inner = _names_in(reader, found)
        some, inside = joined(found, inner)
        names |= inner
        words += some
        met += [(mention.text, ids) for mention, ids in inside]
        unknown += _unknown(reader, found, inside) if at == 1 or inside else [part]
    names |= _all_names(reader, {nid for _, ids in met for nid in ids})
    return _asked(
        reader, (" ".join(part for part in parts if part), measured(words), names), met, unknown
    )


Written = tuple[str, list[Word], Names]


def _asked(
    reader: Reader,
    written: Written,
    met: Iterable[tuple[str, frozenset[int]]],
    unknown: Iterable[str],
) -> Asked:
    text, words, names = written
    met = list(met)
    views = reader.nodes(nid for _, ids in met for nid in ids)
    names = names | _all_names(reader, views)
    meant = tuple(Meant(mention, tuple(views[nid] for nid in sorted(ids))) for mention, ids in met)
    return Asked(text, statement(words), meant, tuple(dict.fromkeys(unknown)), names)


def _names_in(reader: Reader, found: Tokens) -> Names:
    """Each stretch of a statement that names something other than a Claim; a Source only where nothing else answers to the name."""
    spans = list(dict.fromkeys(fold(mention.text) for mention in mentions(found)))
    hits = reader.named(spans)
    views = reader.nodes(nid for some in hits.values() for nid, _ in some)
    names: Names = {}
    for span, some in hits.items():
        things = {views[nid].canon for nid, _ in some if views[nid].type not in ("Claim", "Source")}
        things = things or {views[nid].canon for nid, _ in some if views[nid].type == "Source"}
        if things:
            names[span] = frozenset(things)
    return names


def _all_names(reader: Reader, canons: Iterable[int]) -> Names:
    """Every name of these nodes and of what was merged into them."""
    names: dict[str, set[int]] = {}
    for canon in canons:
        for view in reader.nodes(reader.members(canon)).values():
            for name in (view.name, *view.aliases):
                names.setdefault(fold(name), set()).add(canon)
    return {name: frozenset(ids) for name, ids in names.items()}


def _unknown(
    reader: Reader, found: Tokens, met: Sequence[tuple[Mention, frozenset[int]]]
) -> list[str]:
    """Names that nothing answers to, and words that stand nowhere in the graph."""
    taken = {at for mention, _ in met for at in range(mention.first, mention.last)}
    listed: list[str] = []
    at = 0
    while at < len(found.words):
        end = at
        while end < len(found.words) and end not in taken and _name_like(found.words[end], end):
            end += 1
        if end > at and (at > 0 or end > at + 1 or _is_new(reader, found.words[at])):
            listed.append(found.text[found.spans[at][0] : found.spans[end - 1][1]])
            at = end
            continue
        end = _new_run(reader, found, taken, at)
        if end > at:
            listed.append(found.text[found.spans[at][0] : found.spans[end - 1][1]])
            at = end
            continue
        word = found.words[at]
        plain = at not in taken and word.text.isalpha() and not is_unspaced(word.text[:1])
        plain = (
            plain and word.text not in stop_words_of_questions() and word.text not in FUNCTION_WORDS
        )
        plain = plain and not is_relation_word(word.text) and not _is_unit(found, at)
        if plain and _is_new(reader, word):
            listed.append(word.raw)
        at += 1
    return listed


def _is_unit(found: Tokens, at: int) -> bool:
    word = found.words[at]
    return (
        at > 0 and is_number(found.words[at - 1].text) and (word.raw in UNIT or word.text in UNIT)
    )


def _new_run(reader: Reader, found: Tokens, taken: set[int], start: int) -> int:
    """Where a run of characters without spaces ends that the graph doesn't know: none of its pairs stands there. ``start`` for none."""
    end = start
    while end < len(found.words) and end not in taken and is_unspaced(found.words[end].text[:1]):
        pair = (
            found.words[end].text + found.words[end + 1].text
            if end + 1 < len(found.words) and end + 1 not in taken
            else ""
        )
        if len(pair) < 2 or not is_unspaced(pair[1]) or reader.search(match_expression([pair]), 1):
            break
        end += 1
    return end + 1 if end > start else start


def _name_like(word: Word, at: int) -> bool:
    text = word.text
    if (
        text in MONTH
        or text in TIME_WORDS
        or (text in FUNCTION_WORDS and at == 0)
        or text in stop_words_of_questions()
    ):
        return False
    return word.raw[:1].isupper() or (not is_number(text) and any(char.isdigit() for char in text))


def _is_new(reader: Reader, word: Word) -> bool:
    forms = sorted(bases(word.text))
    expression = match_expression(forms)
    return bool(expression) and not reader.search(expression, 1)


class Told(NamedTuple):
    """A Claim of the graph with the statements that its names make, and the things that it mentions (canonical)."""

    claim: NodeView
    statements: tuple[Statement, ...]
    things: frozenset[int]
    names: Names

    @property
    def texts(self) -> tuple[str, ...]:
        return self.claim.name, *self.claim.aliases


def read_claims(reader: Reader, claims: Sequence[NodeView], names: Names) -> list[Told]:
    """Claims in normal form. What a claim mentions decides whom a name in it means; ``names`` serve where it mentions nobody so called."""
    mentioned: dict[int, list[int]] = {claim.nid: [] for claim in claims}
    for claim_nid, nid in pairs(reader, "MENTIONS", list(mentioned)):
        mentioned[claim_nid].append(nid)
    views = reader.nodes(nid for some in mentioned.values() for nid in some)
    told = []
    for claim in claims:
        own: dict[str, set[int]] = {}
        for nid in mentioned[claim.nid]:
            for name in (views[nid].name, *views[nid].aliases):
                own.setdefault(fold(name), set()).add(views[nid].canon)
        local = names | {name: frozenset(ids) for name, ids in own.items()}
        forms = tuple(
            statement(joined(tokens(text, apart=True), local)[0])
            for text in (claim.name, *claim.aliases)
        )
        things = frozenset(views[nid].canon for nid in mentioned[claim.nid])
        told.append(Told(claim, forms, things, local))
    return told
