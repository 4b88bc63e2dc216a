"""``query``: find, rank, and cut to what was asked for. The budget holds for the text that is printed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from kgraph.index.read import Reader
from kgraph.retrieve.finding import find
from kgraph.retrieve.printing import Page, as_context, as_triples, count_tokens, node_json, relation_json
from kgraph.retrieve.question import Found, Question, Shown, make_cursor, read_cursor
from kgraph.retrieve.sources import rank_sources

FORMATS = ("json", "context", "triples")


class Cut(NamedTuple):
    """How an answer is printed and how much of it: the format, what it costs, and what the door adds to a JSON answer."""

    format: str = "json"
    cost: Callable[[str], int] = count_tokens
    around: int = 0  # bytes that the door adds


class QueryAnswer(NamedTuple):
    """A page: the JSON body and, for the text formats, the text."""

    body: dict[str, Any]
    text: str | None


def query(reader: Reader, question: Question, cut: Cut = Cut()) -> QueryAnswer:
    """The best page of an answer that fits. Raises UsageError for bounds that make no sense or a cursor of another question."""
    question.check()
    heads = reader.index.heads
    start = read_cursor(question, heads)
    found = find(reader, question)
    printer = _Printer(reader, question, found, cut)
    page = _fit(printer, start)
    text = None if cut.format == "json" else printer.text(page)
    body = printer.body(page)
    body["tokens"] = cut.cost(text if text is not None else _dumped(body, cut.around))
    return QueryAnswer(body, text)


def _dumped(body: dict[str, Any], around: int) -> str:
    return json.dumps(body, ensure_ascii=False) + " " * around


class _Printer:
    """Pages of one answer in one format."""

    def __init__(self, reader: Reader, question: Question, found: Found, cut: Cut) -> None:
        self.question = question
        self.found = found
        self.cut = cut
        self._heads = reader.index.heads
        self._rank = {shown.node.nid: place for place, shown in enumerate(found.nodes)}
        self._sources = rank_sources(found)
        self._ids = {shown.node.nid: shown.node.id for shown in found.nodes}

    def page(self, start: tuple[int, int], end: tuple[int, int]) -> Page:
        """The nodes and relations between two places in the ranking."""
        relations = self.found.relations[start[1] : end[1]]
        needed = {nid for one in relations for nid in (one.source, one.target)}
        carried = [shown for shown in self.found.nodes[: start[0]] if shown.node.nid in needed]
        left = len(self.found.nodes) - end[0], len(self.found.relations) - end[1]
        cursor = make_cursor(self.question, self._heads, end) if any(left) else ""
        return Page(self.question.text, self.found.nodes[start[0] : end[0]], carried, relations, *left, cursor, self.found.bounded)

    def later_end(self, number: int) -> int:
        one = self.found.relations[number]
        return max(self._rank[one.source], self._rank[one.target])

    def text(self, page: Page) -> str:
        return as_triples(page) if self.cut.format == "triples" else as_context(page)

    def body(self, page: Page) -> dict[str, Any]:
        inside = {shown.node.nid for shown in page.nodes} | {shown.node.nid for shown in page.carried}
        body: dict[str, Any] = {
            "seeds": [{"id": self._ids[nid], "score": round(score, 4), "why": why} for nid, score, why in self.found.seeds if nid in inside],
            "nodes": [node_json(shown) for shown in page.nodes],
            "edges": [relation_json(one, self._ids) for one in page.relations],
            "sources": [row for row in self._sources if row["nid"] in inside or page.relations],
            "truncated": bool(page.left_nodes or page.left_relations),
            "left_out": {"nodes": page.left_nodes, "edges": page.left_relations},
            "cursor": page.cursor,
        }
        body["sources"] = [{key: value for key, value in row.items() if key != "nid"} for row in body["sources"][:20]]
        if page.carried:
            body["carried"] = [_carried(shown) for shown in page.carried]
        if page.bounded:
            body["bounded"] = True
        return body

    def costs(self, page: Page) -> int:
        if self.cut.format == "json":
            return self.cut.cost(_dumped({**self.body(page), "tokens": self.question.max_tokens}, self.cut.around))
        return self.cut.cost(self.text(page))


def _carried(shown: Shown) -> dict[str, Any]:
    return {"id": shown.node.id, "type": shown.node.type, "name": shown.node.name}


def _fit(printer: _Printer, start: tuple[int, int]) -> Page:
    """The longest page from a place that keeps to both bounds: found by halving, since a longer page never costs less."""
    found, question = printer.found, printer.question
    last_node = min(len(found.nodes), start[0] + question.max_nodes)
    last_relation = start[1]
    while last_relation < len(found.relations) and printer.later_end(last_relation) < last_node:
        last_relation += 1
    steps = _steps(printer, start, (last_node, last_relation))
    low, high = 0, len(steps) - 1
    if printer.costs(printer.page(start, steps[high])) <= question.max_tokens:
        return printer.page(start, steps[high])
    while low < high:
        middle = (low + high + 1) // 2
        if printer.costs(printer.page(start, steps[middle])) <= question.max_tokens:
            low = middle
        else:
            high = middle - 1
    return printer.page(start, steps[low])


def _steps(printer: _Printer, start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Every place where a page may end: behind a node, or behind a relation between nodes that are shown."""
    places = [start]
    node, relation = start
    while relation < end[1] or node < end[0]:
        if relation < end[1] and printer.later_end(relation) < node:
            relation += 1
        elif node < end[0]:
            node += 1
        else:
            break
        places.append((node, relation))
    return places
