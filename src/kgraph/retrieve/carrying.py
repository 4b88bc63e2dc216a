"""How well the words of edges carry what they say, worked out from the graph: the judge of ``kgraph.support`` with the graph's names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgraph.index.read import EdgeView, NodeView, Reader
from kgraph.ontology import fold
from kgraph.support import UNJUDGED, Ends, Support, judge, judge_relation
from kgraph.support.tokens import mentions, tokens

NAMES_READ = 2000  # characters of a text in which names are looked for


class Carrying:
    """Judges edges of one graph, each once. Nothing that it finds is kept beyond the answer."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._known: dict[int, Support] = {}

    def of(self, edge: EdgeView) -> Support:
        return self.of_all([edge])[edge.eid]

    def of_all(self, edges: Iterable[EdgeView]) -> Mapping[int, Support]:
        """The support of each edge by its number; ``unjudged`` for those without words."""
        edges = list(edges)
        new = [edge for edge in edges if edge.eid not in self._known]
        worded = [edge for edge in new if edge.quote and edge.status != "missing"]
        self._known.update({edge.eid: UNJUDGED for edge in new})
        if worded:
            self._judge(worded)
        return {edge.eid: self._known[edge.eid] for edge in edges}

    def forget(self) -> None:
        """Let go of what was judged, for who goes through a whole graph."""
        self._known.clear()

    def _judge(self, edges: list[EdgeView]) -> None:
        ends = self._reader.nodes(end for edge in edges for end in (edge.src, edge.dst))
        told = {edge.eid: _statement(edge, ends) for edge in edges}
        harder = []
        for edge in edges:
            if told[edge.eid] and fold(told[edge.eid]) == fold(edge.quote):
                self._known[edge.eid] = judge(told[edge.eid], edge.quote, {})
            else:
                harder.append(edge)
        if not harder:
            return
        names = names_in(
            self._reader, [text for one in harder for text in (told[one.eid], one.quote)]
        )
        for edge in harder:
            text = told[edge.eid]
            if text:
                self._known[edge.eid] = judge(text, edge.quote, names, edge.source_doc)
            elif not {ends[edge.src].type, ends[edge.dst].type} & {"Claim", "Source"}:
                self._known[edge.eid] = judge_relation(self._ends(edge, ends), edge.quote, names)

    def _ends(self, edge: EdgeView, ends: Mapping[int, NodeView]) -> Ends:
        source, target = (self._spellings(ends[end]) for end in (edge.src, edge.dst))
        return Ends(edge.predicate, edge.kind, source, target)

    def _spellings(self, node: NodeView) -> list[str]:
        """All names of a node and of what was merged into it."""
        members = self._reader.nodes(self._reader.members(node.canon)).values()
        found = [node.name, *node.aliases]
        return list(
            dict.fromkeys([*found, *(name for one in members for name in (one.name, *one.aliases))])
        )


def _statement(edge: EdgeView, ends: Mapping[int, NodeView]) -> str:
    """What a tie says its words say: the claim's name; '' for an edge that isn't one."""
    if edge.predicate == "SUPPORTS" and ends[edge.dst].type == "Claim":
        return ends[edge.dst].name
    if edge.predicate == "DERIVED_FROM" and ends[edge.src].type == "Claim":
        return ends[edge.src].name
    return ""


def names_in(reader: Reader, texts: Iterable[str]) -> dict[str, frozenset[int]]:
    """The things of the graph that some texts name (canonical), by folded name."""
    spans: dict[str, None] = {}
    for text in texts:
        for mention in mentions(tokens(text[:NAMES_READ])):
            if any(char.isupper() or char.isdigit() or not char.isascii() for char in mention.text):
                spans.setdefault(fold(mention.text))
    hits = reader.named(list(spans))
    views = reader.nodes(nid for some in hits.values() for nid, _ in some)
    found = {}
    for span, some in hits.items():
        things = {views[nid].canon for nid, _ in some if views[nid].type not in ("Claim", "Source")}
        if things:
            found[span] = frozenset(things)
    return found
