"""Pages of one answer: each shows every node and relation once, in the order of the ranking, and as much as its budget allows.

What is left out to keep to a budget goes in this order: further relations and nodes, long texts of the one item that is left, what a door
adds (the graph's name and path), the list of Sources, the seeds. A page on which nothing fits says so and its cursor stands still.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kgraph.index.read import EdgeView, NodeView, Reader
from kgraph.passages.finding import Found as Quoted
from kgraph.passages.finding import Passage
from kgraph.retrieve.carrying import Carrying
from kgraph.retrieve.expand import Canonical
from kgraph.retrieve.printing import Page, as_context, as_triples, node_json, relation_json
from kgraph.retrieve.question import Among, Found, Question, Ranked, Relation, Shown, make_cursor
from kgraph.retrieve.quoting import NOTHING_QUOTED, not_stated, passage_json
from kgraph.retrieve.times import mark, period, spans_of_edge, spans_of_node, told
from kgraph.tuples import NamedTuple

Place = tuple[int, int]  # how many nodes and relations of the ranking were shown
Cost = Callable[[Mapping[str, Any], str | None], int]

TEXT_SHARE = (
    0.45  # of the budget, that passages may take before the graph's own answer has its turn
)
SAID = 8  # words that stand nowhere
SOURCE_TOKENS = 200  # of the budget for each Source that is listed
TOLD_IN_TEXT = ("bounded", "left_out", "cursor")
OPTIONAL = (
    "code",
    "vectors",
    "changed_sources",
    "passages",
    "sources",
    "seeds",
    "carried",
    "bounded",
    "nodes",
    "edges",
)  # what goes when not even an empty page fits


class Fitted(NamedTuple):
    """A page as it is given to a door."""

    body: dict[str, Any]
    text: str | None
    bare: bool


class Pages:
    """One answer. Words of relations are read when they are first needed."""

    def __init__(
        self,
        reader: Reader,
        question: Question,
        found: Found,
        state: list[str],
        now: str = "",
        quoted: Quoted = NOTHING_QUOTED,
    ) -> None:
        self.question = question
        self.found = found
        self._reader = reader
        self._now = now
        self._carrying = Carrying(reader)
        self._state = state
        self._rank = {ranked.nid: place for place, ranked in enumerate(found.nodes)}
        self._view = Canonical(reader, question.surface)
        self._read: dict[int, Relation] = {}
        self._dressed: dict[int, Shown] = {}
        self._stands: dict[int, str] = {}
        self._quoted = quoted
        self._passages: Sequence[Passage] = ()

    def fit(self, start: Place, style: str, cost: Cost) -> Fitted:
        """The longest page from a place that keeps to both bounds, found by halving and then held against the budget again.

        Passages have a share of the budget first and what the graph leaves of it afterwards, so that neither crowds the other out.
        """
        quoted = self._quoted.passages if start == (0, 0) else ()
        self._passages = self._most(
            quoted, (start, start), (style, cost, int(self.question.max_tokens * TEXT_SHARE))
        )
        end, fitted = self._longest(start, style, cost)
        if quoted and fitted is not None:
            shown = [ranked.nid for ranked in self.found.nodes[: end[0]]]
            claims = [one.node.name for one in self._shown_of(shown) if one.node.type == "Claim"]
            self._passages = self._most(
                not_stated(quoted, claims), (start, end), (style, cost, self.question.max_tokens)
            )
            return self._made(start, end, style, cost)
        if fitted is not None:
            return fitted
        self._passages = ()
        _, fitted = self._longest(start, style, cost)
        return fitted or self._short(start, self._steps(start), style, cost)

    def _longest(self, start: Place, style: str, cost: Cost) -> tuple[Place, Fitted | None]:
        """The last place from the start that fits with the passages as they are, and the page; None where not even one item does."""
        budget = self.question.max_tokens
        steps = self._steps(start)
        fitted = self._made(start, steps[-1], style, cost)
        if fitted.body["tokens"] <= budget:
            return steps[-1], fitted
        low, high = 0, len(steps) - 1
        best: Fitted | None = None
        while low < high:
            middle = (low + high + 1) // 2
            fitted = self._made(start, steps[middle], style, cost)
            if fitted.body["tokens"] <= budget:
                low, best = middle, fitted
            else:
                high = middle - 1
        if best is None and self._passages:
            fitted = self._made(start, start, style, cost)
            best = fitted if fitted.body["tokens"] <= budget else None
        return steps[low], best

    def _most(
        self, quoted: Sequence[Passage], page: tuple[Place, Place], bound: tuple[str, Cost, int]
    ) -> Sequence[Passage]:
        """As many of the passages as keep a page within a budget."""
        style, cost, budget = bound
        low, high = 0, len(quoted)
        while low < high:
            middle = (low + high + 1) // 2
            self._passages = quoted[:middle]
            if self._made(*page, style, cost).body["tokens"] <= budget:
                low = middle
            else:
                high = middle - 1
        return quoted[:low]

    def _shown_of(self, nids: Sequence[int]) -> list[Shown]:
        return [self._dressed[nid] for nid in nids if nid in self._dressed]

    def _short(self, start: Place, steps: list[Place], style: str, cost: Cost) -> Fitted:
        """One item with its long texts cut off, or nothing; ever less around it."""
        budget = self.question.max_tokens
        for end, slim in ((steps[min(1, len(steps) - 1)], True), (start, False)):
            page = self._page(start, end, slim)
            optional = OPTIONAL if style == "json" else TOLD_IN_TEXT
            for bare, dropped in (
                (False, 0),
                (True, 0),
                *((True, count) for count in range(1, len(optional) + 1)),
            ):
                if end != start and style == "json" and dropped > OPTIONAL.index("carried"):
                    break
                fitted = self._printed(page, style, cost, (bare, optional[:dropped]))
                if fitted.body["tokens"] <= budget:
                    return fitted
        return fitted

    def _made(self, start: Place, end: Place, style: str, cost: Cost) -> Fitted:
        return self._printed(self._page(start, end, False), style, cost, (False, ()))

    def _printed(
        self, page: Page, style: str, cost: Cost, less: tuple[bool, tuple[str, ...]]
    ) -> Fitted:
        bare, dropped = less
        text = (
            None
            if style == "json"
            else as_triples(page)
            if style == "triples"
            else as_context(page)
        )
        whole = self._body(page, text is None)
        body = {key: value for key, value in whole.items() if key not in dropped}
        if bare:
            body["bare"] = True
        body["tokens"] = 0
        spent = cost(body, text)
        for _ in range(4):  # the number is part of what is counted
            body["tokens"] = spent
            again = cost(body, text)
            if again == spent:
                break
            spent = max(spent, again)
        body["tokens"] = spent
        body.pop("bare", None)
        return Fitted(body, text, bare)

    def _body(self, page: Page, whole: bool) -> dict[str, Any]:
        ids = {shown.node.nid: shown.node.id for shown in (*page.carried, *page.nodes)}
        rest: dict[str, Any] = {
            "truncated": bool(page.left_nodes or page.left_relations or page.bounded),
            "left_out": {"nodes": page.left_nodes, "edges": page.left_relations},
            "cursor": page.cursor,
        }
        if page.bounded:
            rest["bounded"] = True
        if not whole:
            return rest
        body: dict[str, Any] = {
            "seeds": [
                {"id": ids[nid], "score": round(score, 4), "why": why}
                for nid, score, why in self.found.seeds
                if nid in ids
            ],
            "nodes": [
                node_json(shown, page.slim, page.stands.get(shown.node.nid, ""))
                for shown in page.nodes
            ],
            "edges": [relation_json(one, ids, page.slim) for one in page.relations],
            "sources": [
                {
                    "id": node.id,
                    "name": node.name,
                    "uri": node.fields.get("uri", ""),
                    "score": round(score, 4),
                }
                for node, score in self.found.sources[: self.question.max_tokens // SOURCE_TOKENS]
            ],
        }
        if page.passages:
            body["passages"] = [passage_json(one) for one in page.passages]
        if self._quoted.changed:
            body["changed_sources"] = list(self._quoted.changed[:SAID])
        if page.unknown:
            body["unknown_words"] = list(page.unknown)
        if self.found.code:
            body["code"] = dict(self.found.code)
        if self.found.told:
            body["vectors"] = dict(self.found.told)
        if page.carried:
            body["carried"] = [
                {"id": shown.node.id, "type": shown.node.type, "name": shown.node.name}
                for shown in page.carried
            ]
        return body | rest

    # -- places ---------------------------------------------------------------------------------------------------------------------

    def _page(self, start: Place, end: Place, slim: bool) -> Page:
        """The nodes and relations between two places in the ranking."""
        relations = self._relations(self.found.relations[start[1] : end[1]])
        needed = {nid for one in relations for nid in (one.source, one.target)}
        carried = self._shown(
            [ranked for ranked in self.found.nodes[: start[0]] if ranked.nid in needed]
        )
        left = len(self.found.nodes) - end[0], len(self.found.relations) - end[1]
        cursor = make_cursor(self.question, self._state, end) if any(left) else ""
        nodes = self._shown(self.found.nodes[start[0] : end[0]])
        unknown = self.found.unknown[:SAID] if nodes and not slim else ()
        asked = self.question
        limited = (
            slim or asked.filtered or asked.min_confidence or asked.edge_types
        )  # then what isn't shown isn't wanted
        stands = {} if limited else self._standing(nodes, relations)
        return Page(
            nodes,
            carried,
            relations,
            *left,
            cursor,
            self.found.bounded,
            slim,
            unknown,
            stands,
            () if slim else self.found.code.get("commands", ()),
            () if slim else self._passages,
            () if slim else self._quoted.changed,
        )

    def _standing(self, nodes: list[Shown], relations: list[Relation]) -> dict[int, str]:
        """Where claims stand whose Sources are not on the page: nothing is said that can't be pointed at."""
        carried = {one.target for one in relations if one.edge.predicate == "SUPPORTS"}
        bare = [
            shown.node.nid
            for shown in nodes
            if shown.node.type == "Claim" and shown.node.nid not in carried
        ]
        for nid in bare:
            if nid not in self._stands:
                ties = [hop for hop in self._reader.hops(nid, ("SUPPORTS",), 1) if not hop.forward]
                tie = self._reader.edges([ties[0].eid])[ties[0].eid] if ties else None
                self._stands[nid] = (
                    (tie.source_doc or self._reader.node(tie.src).name) if tie else ""
                )
        return {nid: self._stands[nid] for nid in bare if self._stands[nid]}

    def _shown(self, some: list[Ranked]) -> list[Shown]:
        views = self._reader.nodes(ranked.nid for ranked in some if ranked.nid not in self._dressed)
        for ranked in some:
            if ranked.nid in views:
                self._dressed[ranked.nid] = self._dress(views[ranked.nid], ranked.score)
        return [self._dressed[ranked.nid] for ranked in some]

    def _dress(self, node: NodeView, score: float) -> Shown:
        """A node with the names of what was merged into it, and whether a newer one has replaced it."""
        spellings = dict.fromkeys(node.aliases)
        for other in self._reader.nodes(self._view.members(node.nid)[1:]).values():
            spellings.update(dict.fromkeys((other.name, *other.aliases)))
        spellings.pop(node.name, None)
        kinds = ("SUPERSEDES", "REVISES")
        replaced = node.type in ("Claim", "Source") and any(
            not hop.forward for hop in self._reader.hops(node.nid, kinds, 1)
        )
        spans = spans_of_node(self._reader, node)
        past = bool(mark(spans, self._now))
        return Shown(node, score, tuple(spellings), replaced, told(spans, self._now), past)

    def _relations(self, some: list[Among]) -> list[Relation]:
        unread = [one for one in some if one.hop.eid not in self._read]
        views = self._reader.edges(one.hop.eid for one in unread)
        merged = [
            edge
            for one, edge in ((one, views[one.hop.eid]) for one in unread)
            if (edge.src, edge.dst) != (one.source, one.target)
        ]
        ids = (
            self._reader.ids(nid for edge in merged for nid in (edge.src, edge.dst))
            if merged
            else {}
        )
        forms = {edge.eid: (ids[edge.src], ids[edge.dst]) for edge in merged}
        passed = self._outdated(views.values())
        self._carrying.of_all(views.values())
        self._read.update(
            {eid: self._relation(one, views[eid], passed.get(eid, ""), forms.get(eid, ()))
             for one in unread for eid in [one.hop.eid]}
        )  # fmt: skip
        return [self._read[one.hop.eid] for one in some]

    def _relation(
        self, one: Among, edge: EdgeView, passed: str, forms: tuple[str, ...]
    ) -> Relation:
        spans = spans_of_edge(self._reader, edge)
        past = bool(mark(spans, self._now))
        support = self._carrying.of(edge) if edge.quote else None
        held = told(spans, self._now)
        return Relation(edge, one.source, one.target, one.score, held, past, support, passed, forms)

    def _outdated(self, edges: Iterable[EdgeView]) -> dict[int, str]:
        if not self._reader.replaces():
            return {}
        from kgraph.retrieve.outdated import outdated
        from kgraph.retrieve.standing import ClaimEvaluator

        return {
            eid: one.by.node.name
            for eid, one in outdated(
                ClaimEvaluator(self._reader, period(self.question.at, self._now)), edges
            ).items()
        }

    def _later_end(self, number: int) -> int:
        one = self.found.relations[number]
        return max(self._rank[one.source], self._rank[one.target])

    def _steps(self, start: Place) -> list[Place]:
        """Every place where a page may end: behind a relation between nodes that are shown, else behind one more node."""
        places = [start]
        node, relation = start
        last = min(len(self.found.nodes), node + self.question.max_nodes)
        while True:
            if relation < len(self.found.relations) and self._later_end(relation) < node:
                relation += 1
            elif node < last:
                node += 1
            else:
                return places
            places.append((node, relation))
