"""Hold a graph against gold: what each stage of it says of each item, beside what trivial rivals say of the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kgraph.contract.identity import normalise_uri
from kgraph.evaluate import clustering, decisions, extraction, ranking
from kgraph.evaluate.baselines import (
    BM25,
    Passage,
    equal_names,
    overlap,
    paragraphs,
    random_sentences,
    sentences,
)
from kgraph.evaluate.estimates import Estimate
from kgraph.evaluate.gold import Item, key_of
from kgraph.evaluate.score import LOWER, NEITHER, Metric, Score
from kgraph.graph.answering import AskOptions
from kgraph.graph.comparing import known_distinct
from kgraph.index.read import NodeView, Reader
from kgraph.model import Document
from kgraph.ontology import fold
from kgraph.retrieve.ground import GroundOptions
from kgraph.retrieve.question import Question
from kgraph.support import Doubt, Level, Support, judge
from kgraph.tuples import NamedTuple

if TYPE_CHECKING:
    from kgraph.graph import Graph
    from kgraph.models import Model

STAGES = (
    "extraction",
    "resolution",
    "retrieval",
    "grounding",
    "support",
    "answer",
    "structure",
)
TYPED = ("DEPENDS_ON", "DERIVED_FROM", "SUPERSEDES", "REVISES", "PARENT_OF", "PRODUCED")
CARRIES = (
    0.8  # the share of a claim's words in one paragraph from which the word-overlap rival approves
)


class EvalOptions(NamedTuple):
    """How answers are asked for: the budget in tokens, hops, and whether by words alone. ``model`` words answers; None: the graph's own
    claims. ``asking`` caps what each call of it may cost."""

    max_tokens: int = 2000
    hops: int = 2
    by_words: bool = False
    model: Model | None = None
    asking: AskOptions = AskOptions()


def evaluate(graph: Graph, stage: str, gold: Sequence[Item], options: EvalOptions) -> Score:
    """Score one stage. ``gold`` is empty for ``structure``. Raises UsageError for gold that names nothing of the graph."""
    return _STAGES[stage](graph, gold, options)


class Library:
    """The Sources of a graph and, where they can be read, their text, for rivals that know no graph."""

    def __init__(self, graph: Graph) -> None:
        reader = graph.reader()
        shelf = graph.shelf()
        self.sources: list[str] = []
        self.unread: list[str] = []
        self.texts: dict[str, str] = {}
        self._passages: list[Passage] = []
        for node in reader.every_node("Source"):
            source = name_of(node)
            self.sources.append(source)
            document = shelf.document(source)
            if document is None:
                self.unread.append(source)
            else:
                self.texts[source] = document.text
                self._passages += _passages(source, document)
        self._bm25: BM25 | None = None

    @property
    def bm25(self) -> BM25:
        """Paragraphs of all texts, each with its Source's title."""
        if self._bm25 is None:
            self._bm25 = BM25(self._passages)
        return self._bm25

    def notes(self) -> tuple[str, ...]:
        """What baselines over texts could not see."""
        if not self.unread:
            return ()
        shown = ", ".join(self.unread[:3]) + (" …" if len(self.unread) > 3 else "")
        return (
            f"baselines over texts leave out {len(self.unread)} of {len(self.sources)} Sources that can't be read here ({shown})",
        )


def _passages(source: str, document: Document) -> list[Passage]:
    """The paragraphs of a document, each under its title; headings alone are none."""
    title = document.title or document.name
    headings = {section.title for section in document.sections}
    return [
        Passage(source, f"{title}\n{paragraph}")
        for paragraph in paragraphs(document.text)
        if paragraph.strip("#=- \n") not in headings
    ]


def name_of(source: NodeView) -> str:
    """What a Source is called in gold and answers: its uri, else its name."""
    return str(source.fields.get("uri") or source.name)


def _sources(graph: Graph, reader: Reader, wanted: Sequence[str]) -> dict[str, str]:
    """Gold's words for Sources as the graph calls them; one that the graph doesn't hold stays as it is, and is never found."""
    found = {}
    for reference in dict.fromkeys(wanted):
        nodes = reader.look_up(reference, "Source") or reader.look_up(
            normalise_uri(reference, graph.source_root), "Source"
        )
        found[reference] = name_of(nodes[0]) if nodes else reference
    return found


def _missing(reader: Reader, names: Mapping[str, str]) -> tuple[str, ...]:
    unknown = sorted(name for name in set(names.values()) if not reader.look_up(name, "Source"))
    if not unknown:
        return ()
    shown = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
    return (
        f"{len(unknown)} of the gold's Sources aren't in the graph, and count as missed: {shown}",
    )


def _retrieval(graph: Graph, gold: Sequence[Item], options: EvalOptions) -> Score:
    reader, library = graph.reader(), Library(graph)
    names = _sources(graph, reader, [one for item in gold for one in item["sources"]])
    asked = [_ranked(graph, library, item, names, options) for item in gold]
    score = ranking.score(asked)
    return score._replace(
        notes=(*_missing(reader, names), *library.notes()),
        about={
            **score.about,
            "sources": len(library.sources),
            "max_tokens": options.max_tokens,
            "hops": options.hops,
            "by_words": options.by_words,
        },
    )


def _ranked(
    graph: Graph, library: Library, item: Item, names: Mapping[str, str], options: EvalOptions
) -> ranking.Ranked:
    question = Question(item["question"], options.hops, max_tokens=options.max_tokens)
    found = graph.query(question, by_words=options.by_words)
    answers = [fold(str(answer)) for answer in item.get("answers") or ()]
    text = fold(found.text if found.text is not None else str(found.body)) if answers else ""
    return ranking.Ranked(
        key_of(item),
        frozenset(names[one] for one in item["sources"]),
        tuple(str(row.get("uri") or row["name"]) for row in found.body["sources"]),
        found.body["tokens"],
        found.body["tokens"] <= options.max_tokens,
        {"BM25": library.bm25.sources(item["question"], max(ranking.DEPTHS))}
        if library.texts
        else {},
        any(answer in text for answer in answers) if answers else None,
    )


def _resolution(graph: Graph, gold: Sequence[Item], _: EvalOptions) -> Score:
    reader = graph.reader()
    nodes = {key_of(item): _node(reader, item["node"]) for item in gold}
    entity = {key_of(item): str(item["entity"]) for item in gold}
    absent = [key for key, node in nodes.items() if node is None]
    held = {key: node for key, node in nodes.items() if node is not None}
    found: dict[str, str] = {key: str(node.canon) for key, node in held.items()}
    found |= {key: f"absent: {key}" for key in absent}
    rivals = {
        "equal names": {**equal_names({key: node.name for key, node in held.items()}), **{key: key for key in absent}},
        "one of all": dict.fromkeys(entity, "all"),
    }  # fmt: skip
    score = clustering.score(found, entity, rivals, _blocking(graph, held, entity))
    notes = (
        (f"{len(absent)} of the gold's nodes name no single node of the graph, and count as unmerged: {', '.join(absent[:5])}",)
        if absent else ()
    )  # fmt: skip
    return score._replace(notes=notes)


def _node(reader: Reader, reference: str) -> NodeView | None:
    found = reader.look_up(str(reference))
    return found[0] if len(found) == 1 else None


def _blocking(
    graph: Graph, held: Mapping[str, NodeView], entity: Mapping[str, str]
) -> clustering.Blocking:
    """How many of the gold's pairs are merged or proposed. What is merged was proposed once."""
    reader = graph.reader()
    canon = {key: node.canon for key, node in held.items()}
    ids = reader.ids(canon.values())
    proposed = {
        frozenset((pair["left"], pair["right"]))
        for cluster in graph.candidates(limit=0)["clusters"]
        for pair in cluster["pairs"]
    }
    members: dict[str, list[str]] = {}
    for key in entity:
        members.setdefault(entity[key], []).append(key)
    kept = wanted = 0
    for some in members.values():
        for at, left in enumerate(some):
            for right in some[at + 1 :]:
                wanted += 1
                if left in canon and right in canon:
                    ends = frozenset((ids[canon[left]], ids[canon[right]]))
                    kept += len(ends) == 1 or ends in proposed
    nodes = len(set(canon.values()))
    return clustering.Blocking(kept, wanted, len(proposed), nodes * (nodes - 1) // 2)


def _extraction(graph: Graph, gold: Sequence[Item], _: EvalOptions) -> Score:
    reader, library = graph.reader(), Library(graph)
    names = _sources(graph, reader, [item["source"] for item in gold])
    readings = [_reading(reader, library, item, names[item["source"]]) for item in gold]
    score = extraction.score(readings)
    return score._replace(notes=(*_missing(reader, names), *library.notes()))


def _reading(reader: Reader, library: Library, item: Item, source: str) -> extraction.Reading:
    said = _said_by(reader, source)
    text = library.texts.get(source, "")
    things = {nid: extraction.Thing(_names(node), node.type) for nid, node in said.things.items()}
    wanted = tuple(_thing(one) for one in item.get("entities") or ())
    by_name = {name: thing.names for thing in wanted for name in thing.names}
    ties = tuple(
        extraction.Tie(
            by_name.get(fold(one["subject"]), frozenset({fold(one["subject"])})),
            one.get("predicate", ""),
            by_name.get(fold(one["object"]), frozenset({fold(one["object"])})),
        )
        for one in item.get("relations") or ()
    )
    loose = any(not tie.predicate for tie in ties)
    graph_ties = [
        extraction.Tie(things[src].names, predicate, things[dst].names)
        for src, predicate, dst in said.relations
    ]
    if loose:  # the gold asks for no predicate: two things that one claim mentions are tied
        graph_ties += [
            extraction.Tie(things[left].names, "", things[right].names)
            for left, right in said.together
        ]
    facts = tuple(
        extraction.Fact(one) if isinstance(one, str) else extraction.Fact(one["text"], one.get("recorded") or {})
        for one in item.get("facts") or ()
    )  # fmt: skip
    rivals = {
        "random sentences": random_sentences(text, len(said.claims)),
        "all sentences": sentences(text),
    }
    return extraction.Reading(
        key_of(item), wanted, ties, facts, bool(item.get("complete", True)),
        tuple(thing for nid, thing in things.items() if said.things[nid].type == "Entity"),
        tuple(graph_ties), tuple(said.claims), text, said.quoted, said.found,
        rivals if text else {},
    )  # fmt: skip


class SaidBy(NamedTuple):
    """What rests on one Source: claims, the things they mention, typed relations and pairs within one claim (by nid), citations."""

    claims: list[str]
    things: dict[int, NodeView]
    relations: set[tuple[int, str, int]]
    together: set[tuple[int, int]]
    quoted: int
    found: int


def _said_by(reader: Reader, source: str) -> SaidBy:
    nodes = reader.look_up(source, "Source")
    if not nodes:
        return SaidBy([], {}, set(), set(), 0, 0)
    tied = [
        hop
        for hop in reader.hops(nodes[0].nid)
        if hop.predicate in ("SUPPORTS", "DERIVED_FROM", "CONTRADICTS", "MENTIONS")
    ]
    edges = reader.edges(hop.eid for hop in tied).values()
    ends = reader.nodes(hop.there for hop in tied)
    claims = {nid: node for nid, node in ends.items() if node.type == "Claim"}
    things = {nid: node for nid, node in ends.items() if node.type not in ("Claim", "Source")}
    together: set[tuple[int, int]] = set()
    for nid in claims:
        mentioned = [hop.there for hop in reader.hops(nid, ("MENTIONS",)) if hop.forward]
        things.update(reader.nodes(mentioned))
        together |= {(one, other) for one in mentioned for other in mentioned if one != other}
    relations = set()
    for nid in things:
        hops = {
            hop.eid: hop for hop in reader.hops(nid, TYPED) if hop.forward and hop.there in things
        }
        for eid, edge in reader.edges(hops).items():
            if edge.source_doc.partition("#")[0] in ("", source):
                relations.add((nid, edge.predicate, hops[eid].there))
    quoted = [edge for edge in edges if edge.quote]
    held = sum(edge.status in ("verified", "moved", "ambiguous") for edge in quoted)
    return SaidBy(
        [node.name for node in claims.values()], things, relations, together, len(quoted), held
    )


def _names(node: NodeView) -> frozenset[str]:
    return frozenset(fold(name) for name in (node.name, *node.aliases))


def _thing(one: Any) -> extraction.Thing:
    if isinstance(one, str):
        return extraction.Thing(frozenset({fold(one)}))
    return extraction.Thing(frozenset(fold(name) for name in (one["name"], *one.get("aliases", ()))), one.get("type", ""))  # fmt: skip


def _grounding(graph: Graph, gold: Sequence[Item], _: EvalOptions) -> Score:
    reader, library = graph.reader(), Library(graph)
    names = _sources(graph, reader, [one for item in gold for one in item.get("sources") or ()])
    decided = []
    for item in gold:
        verdict = graph.ground(GroundOptions(item["claim"]))
        cited = [one.source_doc.partition("#")[0] for one in verdict.support]
        allowed = {names[one] for one in item.get("sources") or ()}
        judged = verdict.decision == "approve" and bool(allowed)
        rivals = {"always revise": "revise"}
        if library.texts:
            rivals["word overlap"] = "approve" if _overlaps(library, item["claim"]) else "revise"
        decided.append(
            decisions.Decided(
                key_of(item), item["decision"], verdict.decision, item.get("kind", ""), verdict.reason, rivals,
                bool(cited) and set(cited) <= allowed if judged else None,
            )
        )  # fmt: skip
    score = decisions.score_grounding(decided)
    return score._replace(notes=(*_missing(reader, names), *library.notes()))


def _overlaps(library: Library, claim: str) -> bool:
    return any(
        overlap(claim, passage.text) >= CARRIES for passage, _ in library.bm25.rank(claim, 3)
    )


def _support(_: Graph, gold: Sequence[Item], __: EvalOptions) -> Score:
    """The judge of ``kgraph.support`` on claims and quotes; it needs no graph."""
    decided = []
    for item in gold:
        found = judge(item["claim"], item["quote"], {})
        shared = overlap(item["claim"], item["quote"]) >= CARRIES
        reasons = ", ".join(reason.doubt for reason in found.reasons)
        decided.append(
            decisions.Decided(
                key_of(item), item["label"], _label(found), item.get("kind", ""), reasons,
                {"word overlap": "entails" if shared else "neutral", "always entails": "entails"},
            )
        )  # fmt: skip
    return decisions.score_support(decided)


def _label(found: Support) -> str:
    """A judgement in the gold's words: what differs contradicts, what says nothing of it is neutral."""
    if found.level is Level.STATED:
        return "entails"
    if found.level is not Level.DOUBTFUL:
        return str(found.level)
    silent = {Doubt.NOTHING_IN_COMMON, Doubt.SHORT, Doubt.HEDGE}
    return (
        "neutral" if silent.issuperset(reason.doubt for reason in found.reasons) else "contradicts"
    )


def _answer(graph: Graph, gold: Sequence[Item], options: EvalOptions) -> Score:
    """Questions answered in statements. The rival is the one sentence that BM25 likes best."""
    library = Library(graph)
    asking = options.asking._replace(max_tokens=options.max_tokens, hops=options.hops)
    answered = []
    cost = 0.0
    for item in gold:
        found = graph.ask(item["question"], options.model, asking)
        cost += found.cost or 0.0
        best = library.bm25.rank(item["question"], 1)
        answered.append(
            decisions.Answered(
                key_of(item), tuple(map(str, item["answers"])), tuple(one.text for one in found.statements), len(found.statements),
                {"best paragraph (BM25)": best[0][0].text if best else ""} if library.texts else {},
            )
        )  # fmt: skip
    score = decisions.score_answers(answered)
    about = {**score.about, "model": options.model.name if options.model else "", "cost": cost}
    return score._replace(notes=library.notes(), about=about)


def decided_identities(graph: Graph) -> list[Item]:
    """What people and models decided about identity, as gold for ``resolution``: merges that no policy made, and pairs kept apart."""
    reader = graph.reader()
    group: dict[int, int] = {}

    def root(nid: int) -> int:
        while group.get(nid, nid) != nid:
            nid = group[nid]
        return nid

    for edge in reader.every_edge("RESOLVED_TO"):
        if "policy" not in (edge.attrs.get("features") or {}):
            for end in (edge.src, edge.dst):
                group.setdefault(end, end)
            group[root(edge.src)] = root(edge.dst)
    ids = {end for pair in known_distinct(reader) for end in pair}
    for nid in reader.nids(sorted(ids)).values():
        group.setdefault(nid, nid)
    nodes = reader.nodes(group)
    return [
        {"id": nodes[nid].id, "node": nodes[nid].id, "entity": nodes[root(nid)].id}
        for nid in sorted(group)
        if nodes[nid].live
    ]


def _structure(graph: Graph, _: Sequence[Item], __: EvalOptions) -> Score:
    """Counts of the graph's health; lower is better for what should not be."""
    found = graph.stats()
    checkup = graph.validate()
    nodes = max(1, found["nodes"])
    figures = (
        ("violations", len(checkup.invariant_violations), LOWER, "a graph of bare nodes breaks no invariant"),
        ("isolated share", found["isolated_nodes"] / nodes, LOWER, "low because things were left out, or joined by a hub"),
        ("components per node", found["components"] / nodes, LOWER, "one component may be one false merge or one hub"),
        ("density", found["density"], NEITHER, "boilerplate and restatements raise it"),
    )  # fmt: skip
    metrics = tuple(
        Metric(name, Estimate(float(value), float(value), float(value), found["nodes"]), misleads, {}, better)
        for name, value, better, misleads in figures
    )  # fmt: skip
    return Score("structure", metrics, about={"nodes": found["nodes"], "edges": found["edges"]})


_STAGES: dict[str, Callable[[Graph, Sequence[Item], EvalOptions], Score]] = {
    "extraction": _extraction,
    "resolution": _resolution,
    "retrieval": _retrieval,
    "grounding": _grounding,
    "support": _support,
    "answer": _answer,
    "structure": _structure,
}
