"""Passages of the sources beside an answer of the graph: found by words, the graph's own sources first among equals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from kgraph.errors import UnknownReference
from kgraph.index.read import Reader
from kgraph.language.tokens import words_of
from kgraph.ontology import fold
from kgraph.passages.finding import Found as Quoted
from kgraph.passages.finding import Passage, Texts, Wanted
from kgraph.retrieve.kinds import ASKED, kinds_asked
from kgraph.retrieve.question import Found, Question
from kgraph.retrieve.words import content_words, match_expression

NOTHING_QUOTED = Quoted(())
NEAREST = 3
SAID_ALREADY = (
    0.6  # of a passage's characters, from which on it only repeats statements that are shown
)


def passages_for(reader: Reader, question: Question, found: Found, texts: Texts) -> Quoted:
    """Passages for a question, best first."""
    words = content_words(question.text) or words_of(question.text)
    if not words:
        return NOTHING_QUOTED
    near = {
        str(node.fields.get("uri", "")): 1.0 / (1 + place)
        for place, (node, _) in enumerate(found.sources)
    }
    uris: tuple[str, ...] = ()
    if question.source:
        meant = reader.look_up(question.source, "Source")
        if not meant:
            raise UnknownReference(
                f"no Source in this graph is called '{question.source}'",
                "kgraph query '' --type Source lists them",
            )
        uris = tuple(str(node.fields.get("uri", "")) for node in meant)
    expressions = tuple(one for word in words if (one := match_expression([word])))
    # a section is often called by the kind of what stands in it: 'Resolution' answers 'how was it fixed'
    kinds = [kind for kind, weight in kinds_asked(question.text).kinds.items() if weight >= ASKED]
    expressions += tuple(f'above : "{kind.replace("-", " ")}"' for kind in kinds)
    return texts.passages(Wanted(expressions, uris, near))


def passages_near(reader: Reader, statement: str, texts: Texts) -> tuple[Passage, ...]:
    """The few passages that come nearest to a statement that the graph doesn't carry."""
    return passages_for(reader, Question(statement), Found([], [], [], [], False), texts).passages[
        :NEAREST
    ]


def not_stated(passages: Sequence[Passage], statements: Iterable[str]) -> list[Passage]:
    """Those that say more than the statements that are shown."""
    told = [key for text in statements if len(key := _plain(text)) > 20]
    return [one for one in passages if not _is_told(_plain(one.quote), told)]


def _is_told(quote: str, told: Collection[str]) -> bool:
    covered = sum(len(key) for key in told if key in quote)
    return covered >= SAID_ALREADY * len(quote) or any(quote in key for key in told)


def _plain(text: str) -> str:
    return fold(text.replace("*", "").replace("`", ""))


def passage_json(one: Passage) -> dict[str, Any]:
    found: dict[str, Any] = {
        "quote": one.quote,
        "source_doc": one.source_doc,
        "uri": one.uri,
        "lines": [one.start_line, one.end_line],
        "kind": one.kind,
        "score": round(one.score, 4),
    }
    if one.start_byte >= 0:
        found["bytes"] = [one.start_byte, one.end_byte]
    return found
