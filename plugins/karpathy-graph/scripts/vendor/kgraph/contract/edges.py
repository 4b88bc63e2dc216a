"""The edges of a payload: what each says, which nodes it ties, and the events that they become."""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

from kgraph.contract.edge_fields import (
    ALLOWED,
    PREDICATE_NAMES,
    members,
    report_ends,
    under_own_names,
)
from kgraph.contract.endpoints import Directory, End, Ends
from kgraph.contract.findings import Findings
from kgraph.contract.identity import edge_id
from kgraph.contract.pairing import judge_pairs, report_unknown
from kgraph.contract.view import View
from kgraph.events.hashing import sha256
from kgraph.ontology import PREDICATES

_NONE: Ends = ()
_NOTHING: frozenset[tuple[str, str]] = frozenset()


class Edges:
    """The payload's edges, one entry each in ``events`` and ``ids``, and what they say about nodes (all by id)."""

    __slots__ = (
        "citing",
        "events",
        "from_graph",
        "ids",
        "produced",
        "sourced",
        "spared",
        "spared_produced",
        "superseded",
        "touched",
    )

    def __init__(self, count: int) -> None:
        self.events: list[dict[str, Any] | None] = [None] * count
        self.ids = [""] * count
        self.from_graph: list[
            tuple[str, End]
        ] = []  # ends that the graph alone has, each with its path
        self.sourced: set[str] = set()  # claims tied to a Source
        self.citing: list[
            tuple[int, str, str]
        ] = []  # (position, Source, Claim) of each SUPPORTS from a Source
        self.produced: set[str] = set()  # what an AgentRun produced
        self.spared: set[str] = (
            set()
        )  # claims that a refused edge would have tied: not reported a second time
        self.spared_produced: set[str] = set()
        self.touched: set[str] = set()  # nodes at the end of a refused edge
        self.superseded: list[
            tuple[int, str]
        ] = []  # positions of edges whose object is withdrawn, with that text


class _Waiting:
    """An edge whose ends aren't plain, until the graph has been asked. An end that can't be read is None."""

    __slots__ = ("event", "number", "predicate", "texts")

    def __init__(
        self,
        number: int,
        event: dict[str, Any],
        predicate: str,
        texts: tuple[str | None, str | None],
    ) -> None:
        self.number = number
        self.event = event
        self.predicate = predicate
        self.texts = texts


def read_edges(items: Sequence[Any], directory: Directory, view: View, findings: Findings) -> Edges:
    """Check every edge and build its event. Ends that the payload doesn't name are looked up in the graph, all at once."""
    edges = Edges(len(items))
    events, edge_ids, citing = edges.events, edges.ids, edges.citing
    plain = directory.plain
    odd: list[tuple[int, Any]] = []
    subject_type = object_type = source_id = target_id = ""
    for number, item in enumerate(items):
        try:
            predicate = item["predicate"]
            allowed = ALLOWED[predicate]
            subject_type, source_id = plain[item["source"]]
            object_type, target_id = plain[item["target"]]
        except (
            KeyError,
            TypeError,
        ):  # a member is missing, of another type, or means no node of the payload by its exact name
            allowed = _NOTHING
        if source_id == target_id or (subject_type, object_type) not in allowed:
            odd.append((number, item))
            continue
        event: dict[str, Any] = {
            "kind": "edge",
            "id": "",
            "predicate": predicate,
            "source": source_id,
            "target": target_id,
        }
        kind = "null"
        if len(item) > 3:
            if not members(number, item, event, findings):
                odd.append((number, item))
                continue
            if "rel" in event:
                kind = _quoted(event["rel"])
        text = f'["{predicate}","{source_id}","{target_id}",{kind}]'
        event["id"] = edge_ids[number] = "edg_" + sha256(text.encode()).hexdigest()[:20]
        events[number] = event
        if predicate == "SUPPORTS":
            if subject_type == "Source":
                citing.append((number, source_id, target_id))
        elif predicate != "MENTIONS":
            _note_tie(edges, predicate, (subject_type, source_id), (object_type, target_id))
    if odd:
        read = [_other_form(number, item, findings) for number, item in odd]
        _resolve(edges, [edge for edge in read if edge is not None], directory, (view, findings))
    edges.sourced.update([claim for _, _, claim in citing])
    return edges


def _other_form(number: int, item: Any, findings: Findings) -> _Waiting | None:
    """An edge that is written with synonyms, that names its ends otherwise than by exact names of the payload, or that is wrong."""
    item = under_own_names(number, item, findings)
    if item is None:
        return None
    predicate, source, target = item.get("predicate"), item.get("source"), item.get("target")
    event: dict[str, Any] = {
        "kind": "edge",
        "id": "",
        "predicate": predicate,
        "source": "",
        "target": "",
    }
    members(number, item, event, findings)
    return _Waiting(number, event, *report_ends(number, (predicate, source, target), findings))


def _note_tie(
    edges: Edges, predicate: str, subject: tuple[str, str], object_: tuple[str, str]
) -> None:
    """Remember what the edge says of its ends, each as (type, id)."""
    if predicate == "DERIVED_FROM" and subject[0] == "Claim" and object_[0] == "Source":
        edges.sourced.add(subject[1])
    elif predicate == "PRODUCED":
        edges.produced.add(object_[1])


def _resolve(
    edges: Edges, waiting: list[_Waiting], directory: Directory, asked: tuple[View, Findings]
) -> None:
    """The edges whose ends aren't plain: look them up, pair the candidates, and report what can't be tied."""
    view, findings = asked
    texts = [text for edge in waiting for text in edge.texts if text is not None]
    withdrawn = directory.ask([text for text in texts if not directory.is_refused(text)], view)
    for edge in waiting:
        path = f"$.edges[{edge.number}]"
        ends = [directory.find(text) if text is not None else _NONE for text in edge.texts]
        for name, text, found in zip(("source", "target"), edge.texts, ends, strict=True):
            if text is not None and not found and not directory.is_refused(text):
                report_unknown(f"{path}.{name}", text, (directory, withdrawn), findings)
                if (
                    name == "target"
                    and text in withdrawn
                    and edge.predicate in ("SUPERSEDES", "REVISES")
                ):
                    edges.superseded.append((edge.number, text))
        subjects, objects = ends
        pair = None
        if subjects and objects and edge.predicate in ALLOWED:
            silent = any(text is not None and directory.is_refused(text) for text in edge.texts)
            pair = judge_pairs(
                path, edge.predicate, (subjects, objects), None if silent else findings
            )
        if pair is not None:
            _accept(edges, edge, pair)
        else:
            meant = (
                edge.predicate
                if edge.predicate in PREDICATES
                else findings.nearest(edge.predicate, PREDICATE_NAMES)
            )
            _spare(edges, meant, subjects, objects)


def _accept(edges: Edges, edge: _Waiting, pair: tuple[End, End]) -> None:
    subject, object_ = pair
    event = edge.event
    event["source"], event["target"] = subject.id, object_.id
    event["id"] = edges.ids[edge.number] = edge_id(
        edge.predicate, subject.id, object_.id, event.get("rel", "")
    )
    edges.events[edge.number] = event
    if edge.predicate == "SUPPORTS" and subject.type == "Source":
        edges.citing.append((edge.number, subject.id, object_.id))
    _note_tie(edges, edge.predicate, (subject.type, subject.id), (object_.type, object_.id))
    for name, end in (("source", subject), ("target", object_)):
        if end.held is not None:
            edges.from_graph.append((f"$.edges[{edge.number}].{name}", end))


def _spare(edges: Edges, meant: str, subjects: Ends, objects: Ends) -> None:
    """A refused edge still counts as a tie, also one whose predicate is misspelt or whose ends are the wrong way round."""
    edges.touched.update(end.id for end in (*subjects, *objects))
    if meant in ("SUPPORTS", "DERIVED_FROM"):
        for claims, sources in ((subjects, objects), (objects, subjects)):
            if not sources or any(end.type == "Source" for end in sources):
                edges.spared.update(end.id for end in claims if end.type == "Claim")
    elif meant == "PRODUCED":
        edges.spared_produced.update(end.id for end in (*subjects, *objects))
