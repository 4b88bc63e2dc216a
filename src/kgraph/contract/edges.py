"""The edges of a payload: shape (E101, E103, E107, E108, E110, W214), ends (E104, E105, E106, E109), and the events they become."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any

from kgraph.contract.decode import kind_of
from kgraph.contract.endpoints import Directory, End, Ends
from kgraph.contract.fields import KINDS_OF_EDGE, field_fault, interval_fault, merge_attrs
from kgraph.contract.findings import Findings
from kgraph.contract.nodes import unknown_hint
from kgraph.contract.pairing import judge_pairs, report_unknown
from kgraph.contract.view import View
from kgraph.model import Problem
from kgraph.ontology import PREDICATES

FLOOR = 0.5

_ALLOWED = {name: predicate.allowed for name, predicate in PREDICATES.items() if not predicate.reserved}
_PREDICATES = tuple(_ALLOWED)
_SYNONYMS = (("predicate", "type"), ("source", "from"), ("target", "to"))
_NO_END: Ends = ()


class Edges:
    """The payload's edges, one entry each in every list, and what they say about nodes (all by id)."""

    __slots__ = ("count", "events", "ids", "pairs", "produced", "sourced", "spared", "spared_produced", "superseded", "touched")

    def __init__(self, count: int) -> None:
        self.count = count
        self.events: list[dict[str, Any] | None] = [None] * count
        self.ids = [""] * count
        self.pairs: list[tuple[End, End] | None] = [None] * count
        self.sourced: set[str] = set()  # claims tied to a Source
        self.produced: set[str] = set()  # what an AgentRun produced
        self.spared: set[str] = set()  # claims that a refused edge would have tied: not reported a second time
        self.spared_produced: set[str] = set()
        self.touched: set[str] = set()  # nodes at the end of a refused edge
        self.superseded: list[tuple[int, str]] = []  # positions of edges whose object is withdrawn, with that text


def read_edges(items: Sequence[Any], directory: Directory, view: View, findings: Findings) -> Edges:
    """Check every edge and build its event. Ends that the payload doesn't name are looked up in the graph, all at once."""
    edges = Edges(len(items))
    events = edges.events
    names = directory.names
    waiting: list[tuple[int, str, Any, Any]] = []
    for number, item in enumerate(items):
        if item.__class__ is not dict:
            findings.error("E101", f"$.edges[{number}]", f"an edge must be an object, not {kind_of(item)}")
            continue
        if "type" in item or "from" in item or "to" in item:
            item = _plain(f"$.edges[{number}]", item, findings)
        predicate = item.get("predicate")
        source = item.get("source")
        target = item.get("target")
        event = {"kind": "edge", "id": "", "predicate": predicate, "source": "", "target": ""}
        for key, value in item.items():
            if key == "predicate" or key == "source" or key == "target":
                continue
            if key == "confidence":
                if (value.__class__ is float or value.__class__ is int) and FLOOR <= value <= 1:
                    event[key] = value
                elif value is not None:
                    _confidence(f"$.edges[{number}].confidence", value, findings)
            elif (key == "quote" or key == "source_doc") and value.__class__ is str:
                if value:
                    event[key] = value
            elif value is not None or key not in KINDS_OF_EDGE:
                _member(f"$.edges[{number}].{key}", key, value, event, findings)
        if "unknown" in event:
            merge_attrs(f"$.edges[{number}]", event, event.pop("unknown"), findings)
        if "valid_to" in event:
            _interval(f"$.edges[{number}]", event, findings)
        events[number] = event
        if predicate.__class__ is str and predicate in _ALLOWED and source.__class__ is str and target.__class__ is str:
            subject, object_ = names.get(source, _NO_END), names.get(target, _NO_END)
            if len(subject) == 1 and len(object_) == 1 and _accept(edges, number, subject[0], object_[0]):
                continue
            waiting.append((number, predicate, source, target))
        else:
            shaped = _ends_of(number, (predicate, source, target), findings)
            waiting.append((number, shaped[0], shaped[1], shaped[2]))
    if waiting:
        _resolve(edges, waiting, directory, (view, findings))
    return edges


def _accept(edges: Edges, number: int, subject: End, object_: End) -> bool:
    """Tie the edge to its two nodes if the signature lets them pass; says whether it does."""
    event = edges.events[number]
    if event is None:
        return False
    predicate = event["predicate"]
    if subject.id == object_.id or (subject.type, object_.type) not in _ALLOWED[predicate]:
        return False
    event["source"] = subject.id
    event["target"] = object_.id
    kind = _quoted(event["rel"]) if "rel" in event else "null"
    text = f'["{predicate}",{subject.quoted},{object_.quoted},{kind}]'
    event["id"] = edges.ids[number] = "edg_" + sha256(text.encode()).hexdigest()[:20]
    edges.pairs[number] = (subject, object_)
    if subject.type == "Source":
        if predicate == "SUPPORTS":
            edges.sourced.add(object_.id)
    elif object_.type == "Source":
        if predicate == "DERIVED_FROM":
            edges.sourced.add(subject.id)
    elif predicate == "PRODUCED":
        edges.produced.add(object_.id)
    return True


def _resolve(edges: Edges, waiting: list[tuple[int, str, Any, Any]], directory: Directory, asked: tuple[View, Findings]) -> None:
    """The edges whose ends aren't plain: look them up, pair the candidates, and report what can't be tied."""
    view, findings = asked
    unnamed: list[str] = []
    for _, _, *texts in waiting:
        unnamed += [text for text in texts if isinstance(text, str) and not directory.find(text) and not directory.is_refused(text)]
    withdrawn = directory.ask(unnamed, view)
    for number, predicate, source, target in waiting:
        subjects, objects = (directory.find(text) if isinstance(text, str) else _NO_END for text in (source, target))
        lost = False
        for end, text, ends in (("source", source, subjects), ("target", target, objects)):
            if isinstance(text, str) and not ends and not directory.is_refused(text):
                report_unknown(f"$.edges[{number}].{end}", text, (directory, withdrawn), findings)
                if end == "target" and text in withdrawn and predicate in ("SUPERSEDES", "REVISES"):
                    edges.superseded.append((number, text))
            lost = lost or not ends
        if not lost and predicate in _ALLOWED:
            refusable = not (directory.is_refused(source) or directory.is_refused(target))
            pair = judge_pairs(f"$.edges[{number}]", predicate, (subjects, objects), findings if refusable else None)
            if pair and _accept(edges, number, *pair):
                continue
        _spare(edges, predicate if predicate in PREDICATES else findings.nearest(predicate, _PREDICATES), subjects, objects)


def _spare(edges: Edges, meant: str, subjects: Ends, objects: Ends) -> None:
    """A refused edge still counts as a tie, also one whose predicate is misspelt or whose ends are the wrong way round."""
    edges.touched.update(end.id for end in (*subjects, *objects))
    if meant in ("SUPPORTS", "DERIVED_FROM"):
        for claims, sources in ((subjects, objects), (objects, subjects)):
            if not sources or any(end.type == "Source" for end in sources):
                edges.spared.update(end.id for end in claims if end.type == "Claim")
    elif meant == "PRODUCED":
        edges.spared_produced.update(end.id for end in (*subjects, *objects))


def _plain(path: str, item: dict[str, Any], findings: Findings) -> dict[str, Any]:
    """The edge with ``type``, ``from`` and ``to`` under their own names. Both given and different is E101."""
    plain = dict(item)
    for name, synonym in _SYNONYMS:
        if synonym not in plain:
            continue
        other = plain.pop(synonym)
        if plain.get(name) is None:
            plain[name] = other
        elif other is not None and other != plain[name]:
            findings.error("E101", f"{path}.{name}", f"`{name}` and its synonym `{synonym}` differ", "give one of them")
    return plain


def _ends_of(number: int, given: tuple[Any, Any, Any], findings: Findings) -> tuple[str, Any, Any]:
    """Report what is wrong with predicate, source and target; an end that can't be read comes back as None."""
    predicate, source, target = given
    path = f"$.edges[{number}]"
    if predicate is None:
        findings.error("E101", f"{path}.predicate", "an edge without `predicate`", f"one of {', '.join(_ALLOWED)}")
    elif not isinstance(predicate, str):
        findings.error("E101", f"{path}.predicate", f"`predicate` must be text, not {kind_of(predicate)}")
    elif predicate not in PREDICATES:
        findings.error("E103", f"{path}.predicate", f"unknown predicate {predicate[:80]!r}", unknown_hint("E103", findings.nearest(predicate, _PREDICATES), _PREDICATES))
    elif predicate not in _ALLOWED:
        findings.error("E110", f"{path}.predicate", f"{predicate} can't stand in a payload")
    return predicate if isinstance(predicate, str) else "", _end_text(path, "source", source, findings), _end_text(path, "target", target, findings)


def _end_text(path: str, end: str, text: Any, findings: Findings) -> str | None:
    if isinstance(text, str) and text.strip():
        return text
    what = f"an edge without `{end}`" if text is None else f"`{end}` is blank"
    if text is not None and not isinstance(text, str):
        what = f"`{end}` must be text, not {kind_of(text)}"
    findings.error("E101", f"{path}.{end}", what, "the name, an alias or the id of a node")
    return None


def _member(path: str, key: str, value: Any, event: dict[str, Any], findings: Findings) -> None:
    kind = KINDS_OF_EDGE.get(key)
    if kind is None:
        event.setdefault("unknown", {})[key] = value
        return
    fault = field_fault(kind, key, value)
    if fault:
        findings.error("E101", path, f"`{key}` {fault}")
    elif value.__class__ is str and (not value or value.isspace()) or value == {}:
        return
    else:
        event["rel" if key == "kind" else key] = value


def _confidence(path: str, value: Any, findings: Findings) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not 0 <= value <= 1:
        findings.error("E107", path, f"{value if number else kind_of(value)} is no confidence")
    else:
        findings.error("E108", path, f"a confidence of {value} is under the floor of {FLOOR}")


def _interval(path: str, event: dict[str, Any], findings: Findings) -> None:
    fault = interval_fault(event.get("valid_from"), event["valid_to"])
    if fault:
        hint = "intervals are half-open: `valid_to` is the first moment after"
        findings.errors.append(Problem("E101", f"{path}.valid_to", f"the interval {fault}", hint))
