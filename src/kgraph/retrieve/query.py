"""``query``: find, rank, and cut to what was asked for. The budget holds for everything that is printed."""

from __future__ import annotations

from typing import Any

from kgraph.index.read import Reader
from kgraph.retrieve.finding import find
from kgraph.retrieve.pages import Pages
from kgraph.retrieve.question import Asked, Question, read_cursor
from kgraph.retrieve.tokenizers import cost_function
from kgraph.tuples import NamedTuple


class QueryAnswer(NamedTuple):
    """A page: the JSON body and, for the text formats, the text. ``bare``: the budget leaves no room for a door's own members."""

    body: dict[str, Any]
    text: str | None
    bare: bool = False


def query(reader: Reader, question: Question, asked: Asked = Asked()) -> QueryAnswer:
    """The best page of an answer that fits. Raises UsageError for bounds that make no sense or a cursor of another question."""
    question.check()
    start = read_cursor(question, reader.index.heads)
    pages = Pages(reader, question, find(reader, question))
    cost = cost_function(asked.tokenizer)
    fitted = pages.fit(start, asked.format, lambda body, text: cost(asked.printed(body, text)))
    return QueryAnswer(fitted.body, fitted.text, fitted.bare)
