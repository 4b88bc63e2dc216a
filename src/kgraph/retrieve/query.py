"""``query``: find, rank, and cut to what was asked for. The budget holds for everything that is printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kgraph.index.read import Reader
from kgraph.retrieve.finding import find
from kgraph.retrieve.pages import Pages
from kgraph.retrieve.question import Asked, Question, read_cursor
from kgraph.retrieve.quoting import NOTHING_QUOTED, passages_for
from kgraph.retrieve.routing import route
from kgraph.retrieve.tokenizers import cost_function
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.passages import Texts
    from kgraph.retrieve.nearness import Nearness


class QueryAnswer(NamedTuple):
    """A page: the JSON body and, for the text formats, the text. ``bare``: the budget leaves no room for a door's own members.

    ``told``: what isn't as it should be with the vectors that were asked, nothing when all is.
    """

    body: dict[str, Any]
    text: str | None
    bare: bool = False
    told: Mapping[str, Any] = {}


def query(
    reader: Reader,
    question: Question,
    asked: Asked = Asked(),
    nearness: Nearness | None = None,
    now: str = "",
    texts: Texts | None = None,
) -> QueryAnswer:
    """The best page of an answer that fits; ``nearness``: vectors, where the graph has some; ``now``: what ended before is marked;
    ``texts``: passages of its sources.

    Raises UsageError for bounds that make no sense or a cursor of another question.
    """
    question.check()
    state = [
        *reader.index.heads,
        *([f"vectors:{nearness.mark}"] if nearness is not None and nearness.mark else []),
    ]
    start = read_cursor(question, state)
    routed = route(reader, question)
    found = routed.found._replace(code=routed.code) if routed else find(reader, question, nearness)
    quoted = (
        passages_for(reader, question, found, texts)
        if texts is not None and question.takes_passages and asked.format != "triples"
        else NOTHING_QUOTED
    )
    pages = Pages(reader, question, found, state, now, quoted)
    cost = cost_function(asked.tokenizer)
    fitted = pages.fit(start, asked.format, lambda body, text: cost(asked.printed(body, text)))
    return QueryAnswer(fitted.body, fitted.text, fitted.bare, found.told)
