"""The warnings W201 to W221 that need no words of a source: allowed, and yet nearly always a mistake. Each costs at most a pass over the payload."""

from __future__ import annotations

from typing import Any

from kgraph.contract.assign import Known
from kgraph.contract.edges import Edges
from kgraph.contract.findings import Findings
from kgraph.contract.nodes import Nodes, unknown_hint
from kgraph.contract.view import Options, View
from kgraph.contract.words import (
    content_words,
    gist,
    is_boilerplate,
    is_measured_value,
    is_statement,
    last_word,
    only_repeats,
)
from kgraph.ontology import BANDS, RULES

_FEW_WORDS = 3
_FLAT_EDGES, _FLAT_SHARE = 5, 0.8
_WORDED = frozenset(("DEPENDS_ON", "PARENT_OF", "DERIVED_FROM", "SUPERSEDES", "REVISES"))
_REPLACING = ("SUPERSEDES", "REVISES")
_UNSAID = frozenset(("AgentRun", "Commit", "Task", "Source"))  # bookkeeping, which no text says
_BANDS = "; ".join(f"{band.range} {band.means}" for band in BANDS)


class Judged:
    """The parts of a payload that the warnings look at."""

    __slots__ = ("edges", "findings", "known", "nodes", "options", "view")

    def __init__(
        self,
        nodes: Nodes,
        edges: Edges,
        known: Known,
        view: View,
        options: Options,
        findings: Findings,
    ) -> None:
        self.nodes = nodes
        self.edges = edges
        self.known = known
        self.view = view
        self.options = options
        self.findings = findings


def advise(judged: Judged) -> None:
    """Report every warning that the contract has for this payload."""
    _sources(judged)
    _names_and_descriptions(judged)
    _isolated(judged)
    _citations(judged)
    _restated(judged)
    _kinds(judged)
    _profiled(judged)
    if not judged.options.offline:
        _unworded(judged)
        _unmentioning(judged)
        _replaced_whole(judged)
    if judged.options.read_source is not None and not judged.options.offline:
        from kgraph.contract.spellings import check_spellings  # only where sources can be read

        check_spellings(judged.nodes, judged.options.read_source, judged.findings)


def _sources(judged: Judged) -> None:
    """W201 source-not-first, W215 unrelated-sources."""
    nodes, findings = judged.nodes, judged.findings
    sources = [number for number, type_ in enumerate(nodes.types) if type_ == "Source"]
    if not sources:
        return
    first = sources[0]
    if first:
        findings.warn(
            "W201", nodes.path(first), f"the Source {nodes.names[first]!r} is not the first node"
        )
    own = judged.options.unit_sources or frozenset()
    documents: dict[str, int] = {}
    for number in sources:
        uri = (nodes.events[number] or {}).get("uri", "")
        if uri not in own:
            documents.setdefault(nodes.ids[number], number)
    for number in list(documents.values())[1:]:
        findings.warn(
            "W215",
            nodes.path(number),
            f"the Source {nodes.names[number]!r} is another document than {nodes.names[first]!r}",
        )


def _names_and_descriptions(judged: Judged) -> None:
    """W202, W203, W204, W210, W211, W212, node by node."""
    nodes, findings, held = judged.nodes, judged.findings, judged.known.by_id
    described: dict[str, str] = {}
    bare: dict[str, int] = {}
    for number, event in enumerate(nodes.events):
        if event is None:
            continue
        type_, name, id_ = event["type"], event["name"], event["id"]
        description = event.get("description", "")
        if type_ == "Entity":
            if is_statement(name):
                findings.warn(
                    "W202", f"$.nodes[{number}].name", f"the Entity {name!r} reads as a statement"
                )
            if not description:
                bare.setdefault(id_, number)
        elif type_ == "Claim":
            if is_boilerplate(nodes.folds[number]):
                findings.warn("W210", f"$.nodes[{number}]", f"the Claim {name!r} is boilerplate")
        elif type_ == "Metric" and is_measured_value(name):
            findings.warn("W212", f"$.nodes[{number}].name", f"the Metric {name!r} holds a value")
        if not description:
            continue
        if only_repeats(description, nodes.folds[number]):
            findings.warn(
                "W204",
                f"$.nodes[{number}].description",
                f"{description!r} says nothing about {name!r}",
            )
        before = described.setdefault(id_, description)
        if type_ not in ("Claim", "Source"):
            if before is not description:
                _homonym(number, event, before, findings)
            elif id_ in held and held[id_].description:
                _homonym(number, event, held[id_].description, findings)
    for id_, number in bare.items():
        if id_ not in described and not (id_ in held and held[id_].description):
            findings.warn(
                "W203",
                f"$.nodes[{number}].description",
                f"the Entity {nodes.names[number]!r} has no description",
            )


def _homonym(number: int, event: dict[str, Any], other: str, findings: Findings) -> None:
    description = event["description"]
    if description == other:
        return
    here, there = content_words(description), content_words(other)
    if len(here) >= _FEW_WORDS and len(there) >= _FEW_WORDS and here.isdisjoint(there):
        message = f"{event['name']!r} is described as {description!r} here and as {other!r} before"
        findings.warn("W211", f"$.nodes[{number}].description", message)


def _isolated(judged: Judged) -> None:
    """W205: Entities that no edge touches."""
    nodes, edges = judged.nodes, judged.edges
    events = [event for event in edges.events if event is not None]
    touched = edges.touched.union([event["target"] for event in events])
    alone = {
        id_: number
        for number, (id_, type_) in enumerate(zip(nodes.ids, nodes.types, strict=True))
        if type_ == "Entity" and id_ not in touched
    }
    for id_ in alone.keys() & {event["source"] for event in events} if alone else ():
        del alone[id_]
    if not alone:
        return
    held = judged.known.by_id
    old = [id_ for id_ in alone if id_ in held]
    connected = judged.view.has_edges(old) if old else set()
    for id_, number in alone.items():
        if id_ not in connected:
            judged.findings.warn(
                "W205", nodes.path(number), f"no edge touches the Entity {nodes.names[number]!r}"
            )


def _citations(judged: Judged) -> None:
    """W206 flat-confidence, W207 no-citation, W213 no-confidence."""
    edges, findings = judged.edges, judged.findings
    counts: dict[float, int] = {}
    refused = {problem.path for problem in findings.errors if problem.code in ("E107", "E108")}
    for event in edges.events:
        if event is not None and "confidence" in event:
            confidence = event["confidence"]
            counts[confidence] = counts.get(confidence, 0) + 1
    for number, _, _ in edges.citing:
        cited = edges.events[number] or {}
        if "quote" not in cited and not _has_anchor(cited.get("source_doc", "")):
            findings.warn(
                "W207",
                f"$.edges[{number}]",
                "a SUPPORTS from a Source with neither quote nor anchor",
            )
        if "confidence" not in cited and f"$.edges[{number}].confidence" not in refused:
            hint = RULES["W213"].hint.format(bands=_BANDS)
            findings.warn(
                "W213",
                f"$.edges[{number}].confidence",
                "a SUPPORTS from a Source without confidence",
                hint,
            )
    stated = sum(counts.values())
    if stated >= _FLAT_EDGES and not judged.options.offline:
        confidence, most = max(counts.items(), key=lambda item: item[1])
        if most >= _FLAT_SHARE * stated:
            message = f"{most} of {stated} edges state the confidence {confidence}"
            findings.warn("W206", "$.edges", message, RULES["W206"].hint.format(bands=_BANDS))


def _kinds(judged: Judged) -> None:
    """W220: kinds of Entities and Claims, and roles of what is mentioned, that nothing recommends."""
    known = judged.options.vocabulary
    names = {key: known.names(key) for key in ("entity_kind", "claim_kind", "role")}
    for number, event in enumerate(judged.nodes.events):
        if event is not None and "of_kind" in event:
            values = names["entity_kind" if event["type"] == "Entity" else "claim_kind"]
            if event["of_kind"] not in values:
                _unknown(f"$.nodes[{number}].kind", event["of_kind"], values, judged.findings)
    for number, event in enumerate(judged.edges.events):
        if event is None or "role" not in event:
            continue
        path = f"$.edges[{number}].role"
        if event["predicate"] != "MENTIONS":
            what = f"a role on {event['predicate']}: roles are of MENTIONS"
            judged.findings.warn("W220", path, what, "say it as the `kind` of the edge")
        elif event["role"] not in names["role"]:
            _unknown(path, event["role"], names["role"], judged.findings)


def _profiled(judged: Judged) -> None:
    """W220 again: the rules that a graph's profiles add, of names and of who may play a part."""
    known = judged.options.vocabulary
    if not known.naming and not known.ends:
        return
    import fnmatch

    patterns = {rule.kind: rule.pattern for rule in known.naming}
    kinds: dict[str, str] = {}
    for number, event in enumerate(judged.nodes.events):
        if event is None or "of_kind" not in event:
            continue
        kind = kinds[judged.nodes.ids[number]] = event["of_kind"]
        pattern = patterns.get(kind, "") if event["type"] == "Entity" else ""
        if pattern and not fnmatch.fnmatchcase(event["name"], pattern):
            message = f"the name {event['name'][:80]!r} of a {kind} isn't like {pattern!r}"
            judged.findings.warn(
                "W220", f"$.nodes[{number}].name", message, "a profile of this graph names them so"
            )
    ends = {rule.role: rule for rule in known.ends}
    for number, event in enumerate(judged.edges.events):
        rule = ends.get(event.get("role", "")) if event is not None else None
        if event is None or rule is None:
            continue
        for end, allowed in (("source", rule.claims), ("target", rule.entities)):
            kind = kinds.get(event[end], "")
            if allowed and kind and kind not in allowed:
                what = f"the role {rule.role} with a {kind} as its {end}"
                hint = f"a profile of this graph allows {', '.join(allowed)}"
                judged.findings.warn("W220", f"$.edges[{number}].{end}", what, hint)


def _unknown(path: str, value: str, known: tuple[str, ...], findings: Findings) -> None:
    hint = unknown_hint("W220", findings.nearest(value, known), known)
    findings.warn(
        "W220", path, f"unknown {path.rpartition('.')[2]} {value[:80]!r}, kept as it is", hint
    )


def _unworded(judged: Judged) -> None:
    """W217: typed edges between things that point at no words."""
    kinds = _types(judged)
    for number, event in enumerate(judged.edges.events):
        if event is None or event["predicate"] not in _WORDED or "quote" in event:
            continue
        things = {kinds.get(event["source"]), kinds.get(event["target"])}
        if (
            "Entity" in things
            and not things & _UNSAID
            and not _has_anchor(event.get("source_doc", ""))
        ):
            judged.findings.warn(
                "W217",
                f"$.edges[{number}]",
                f"this {event['predicate']} has neither quote nor anchor",
            )


def _unmentioning(judged: Judged) -> None:
    """W218: Claims that are tied to no thing."""
    nodes, edges = judged.nodes, judged.edges
    mentioning = {
        event["source"] for event in edges.events if event and event["predicate"] == "MENTIONS"
    }
    mentioning |= edges.touched
    bare = {
        id_: number for number, id_ in enumerate(nodes.ids)
        if nodes.types[number] == "Claim" and id_ and id_ not in mentioning
    }  # fmt: skip
    breached = {problem.path for problem in judged.findings.violations}
    bare = {id_: number for id_, number in bare.items() if nodes.path(number) not in breached}
    old = [id_ for id_ in bare if id_ in judged.known.by_id]
    known = judged.view.mentioning(old) if old else set()
    for id_, number in bare.items():
        if id_ not in known:
            judged.findings.warn(
                "W218", nodes.path(number), f"the Claim {nodes.names[number]!r} mentions nothing"
            )


def _replaced_whole(judged: Judged) -> None:
    """W221: a Source that replaces another, where the payload replaces just one of the old one's several statements."""
    events = [event for event in judged.edges.events if event is not None]
    kinds = _types(judged)
    replaced = {
        event["target"] for event in events
        if event["predicate"] in _REPLACING and kinds.get(event["target"]) == "Claim"
    }  # fmt: skip
    for number, event in enumerate(judged.edges.events):
        if event is None or event["predicate"] not in _REPLACING:
            continue
        if kinds.get(event["target"]) != "Source" or len(replaced) != 1:
            continue
        others = judged.view.carried_by(event["target"]) - replaced
        if others:
            judged.findings.warn(
                "W221", f"$.edges[{number}]",
                f"with the Source {len(others)} more of its statements would count as outdated; one is replaced here",
            )  # fmt: skip


def _types(judged: Judged) -> dict[str, str]:
    """Types by id: of the payload's nodes, and of those that its edges name in the graph."""
    found = {
        id_: type_ for id_, type_ in zip(judged.nodes.ids, judged.nodes.types, strict=True) if id_
    }
    for _, end in judged.edges.from_graph:
        if end.held is not None:
            found.setdefault(end.held.id, end.held.type)
    return found


def _has_anchor(source_doc: str) -> bool:
    if "#" in source_doc:
        return bool(source_doc.rpartition("#")[2].strip())
    lines = source_doc.rpartition(":")[2]
    return ":" in source_doc and lines.replace("-", "", 1).isdigit()


def _restated(judged: Judged) -> None:
    """W208: claims of one Source with one gist. Sources whose claims all end with different words need no closer look."""
    nodes, findings = judged.nodes, judged.findings
    position = {
        id_: number for number, id_ in enumerate(nodes.ids) if nodes.types[number] == "Claim"
    }
    alike: dict[str, list[str]] = {}
    for _, source, claim in judged.edges.citing:
        if claim in position:
            alike.setdefault(source, []).append(claim)
    reported: set[str] = set()
    for claims in alike.values():
        claims = list(dict.fromkeys(claims))
        lasts = [last_word(nodes.folds[position[claim]]) for claim in claims]
        if len(set(lasts)) == len(lasts):
            continue
        told: dict[str, str] = {}
        for claim in claims:
            other = told.setdefault(gist(nodes.folds[position[claim]]), claim)
            if other != claim and claim not in reported:
                reported.add(claim)
                message = f"the Claim {nodes.names[position[claim]]!r} says what {nodes.names[position[other]]!r} says"
                findings.warn("W208", nodes.path(position[claim]), message)
