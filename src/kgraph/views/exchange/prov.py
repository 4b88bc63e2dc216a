"""``jsonld`` and ``turtle``: the graph as linked data in the words of PROV-O.

A node is a ``prov:Entity`` (an AgentRun a ``prov:Activity``), an edge an ``rdf:Statement`` beside the plain triple it states, each
saying of either one a ``kg:Assertion`` that ``prov:wasGeneratedBy`` its run, at its time, from its sources. Lists and free attributes
are JSON literals. ``import`` reads back the JSON-LD that is written here; it is no general RDF reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote

from kgraph.model import Json
from kgraph.parsing import json_value
from kgraph.views.records import (
    NotARecord,
    as_line,
    edge_as_json,
    edge_from_json,
    meta_as_json,
    meta_from_json,
    node_as_json,
    node_from_json,
)
from kgraph.views.snapshot import Edge, GraphMeta, Node, Snapshot

BASE = "urn:kgraph:"
PREFIXES = {
    "kg": f"{BASE}ns:",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
# member of a record → (term, kind). Kinds: text, json, whole, real, node and run (addresses), nodes (a set of addresses), time
_TERMS: dict[str, tuple[str, str]] = {
    "id": ("kg:id", "text"),
    "type": ("kg:type", "text"),
    "name": ("rdfs:label", "text"),
    "qualifier": ("kg:qualifier", "text"),
    "description": ("rdfs:comment", "text"),
    "aliases": ("kg:aliases", "json"),
    "fields": ("kg:fields", "json"),
    "attrs": ("kg:attrs", "json"),
    "valid_from": ("kg:validFrom", "time"),
    "valid_to": ("kg:validTo", "time"),
    "canonical": ("prov:alternateOf", "node"),
    "degree": ("kg:degree", "whole"),
    "tx": ("kg:tx", "text"),
    "run_id": ("prov:wasGeneratedBy", "run"),
    "ts": ("prov:generatedAtTime", "time"),
    "sources": ("prov:wasDerivedFrom", "nodes"),
    "source": ("rdf:subject", "node"),
    "target": ("rdf:object", "node"),
    "predicate": ("rdf:predicate", "term"),
    "kind": ("kg:kind", "text"),
    "role": ("kg:role", "text"),
    "source_doc": ("kg:sourceDoc", "text"),
    "quote": ("prov:value", "text"),
    "confidence": ("kg:confidence", "real"),
    "evidence": ("kg:evidence", "node"),
    "status": ("kg:status", "text"),
    "sha256": ("kg:sha256", "text"),
    "start_byte": ("kg:startByte", "whole"),
    "end_byte": ("kg:endByte", "whole"),
    "start_line": ("kg:startLine", "whole"),
    "end_line": ("kg:endLine", "whole"),
    "text": ("kg:text", "text"),
    "more": ("kg:more", "json"),
    "event_time": ("kg:eventTime", "time"),
    "of_kind": ("kg:ofKind", "text"),
}
# what a node's JSON fields hold as well, said once more for those who query; not read back
_REPEATED = {"event_time": "event_time", "kind": "of_kind"}
_IN_PROV = {
    "DERIVED_FROM": "prov:wasDerivedFrom",
    "REVISES": "prov:wasRevisionOf",
    "RESOLVED_TO": "prov:alternateOf",
}
_TIMES = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)"), "xsd:dateTime"),
    (re.compile(r"\d{4}-\d\d-\d\d"), "xsd:date"),
    (re.compile(r"\d{4}-\d\d"), "xsd:gYearMonth"),
    (re.compile(r"\d{4}"), "xsd:gYear"),
)


def jsonld(snapshot: Snapshot) -> Iterator[str]:
    yield f'{{"@context": {as_line(_context())},\n"@graph": [\n'
    separator = ""
    for resource in _resources(snapshot):
        yield separator + as_line(resource)
        separator = ",\n"
    yield "\n]}\n"


def _context() -> dict[str, Json]:
    context: dict[str, Json] = {
        **PREFIXES,
        "assertions": {"@id": "kg:assertion"},
        "graph": {"@id": "kg:graph", "@type": "@json"},
    }
    kinds = {
        "json": "@json",
        "whole": "xsd:integer",
        "real": "xsd:double",
        "node": "@id",
        "nodes": "@id",
        "run": "@id",
        "term": "@id",
    }
    for member, (term, kind) in _TERMS.items():
        context[member] = {"@id": term, "@type": kinds[kind]} if kind in kinds else {"@id": term}
    return context


def _resources(snapshot: Snapshot) -> Iterator[dict[str, Json]]:
    """Everything as JSON-LD objects, one a line; the first is the graph itself."""
    yield {
        "@id": f"{BASE}graph",
        "@type": ["prov:Collection"],
        "name": snapshot.meta.name,
        "graph": meta_as_json(snapshot.meta),
    }
    for run in snapshot.meta.runs:
        yield {"@id": _run(run.run_id), "@type": ["prov:Activity"], "name": run.run_id}
    for node in snapshot.nodes:
        sort = "prov:Activity" if node.type == "AgentRun" else "prov:Entity"
        found = _resource(node_as_json(node), _node(node.id), [f"kg:{_term(node.type)}", sort])
        for field, member in _REPEATED.items():
            if isinstance(node.fields.get(field), str):
                found[member] = _encoded(_TERMS[member][1], node.fields[field])
        yield found
    for edge in snapshot.edges:
        yield _resource(
            edge_as_json(edge), f"{BASE}edge:{_coded(edge.id)}", ["rdf:Statement", "kg:Edge"]
        )
        yield _statement(edge)


def _resource(members: dict[str, Json], address: str, types: list[str]) -> dict[str, Json]:
    found: dict[str, Json] = {"@id": address, "@type": types}
    for member, value in members.items():
        if member == "assertions":
            found[member] = [
                _resource(said, f"{address}:{number}", ["kg:Assertion"])
                for number, said in enumerate(value)
            ]
        elif member == "evidence":
            found[member] = _evidence(value, f"{address}:evidence")
        else:
            found[member] = _encoded(_TERMS[member][1], value)
    return found


def _evidence(evidence: dict[str, Json], address: str) -> dict[str, Json]:
    """A citation as a resource: its status, the file's hash, and the stretch of bytes and lines."""
    found: dict[str, Json] = {"@id": address, "@type": ["kg:Evidence"]}
    more = dict(evidence)
    for key in ("status", "sha256", "text"):
        if isinstance(more.get(key), str):
            found[key] = more.pop(key)
    for key in ("byte", "line"):
        held = more.get(f"{key}s")
        if isinstance(held, list) and len(held) == 2 and all(type(one) is int for one in held):
            found[f"start_{key}"], found[f"end_{key}"] = more.pop(f"{key}s")
    return found | ({"more": more} if more else {})


def _evidence_back(resource: Mapping[str, Json]) -> dict[str, Json]:
    found: dict[str, Json] = {
        key: resource[key] for key in ("status", "sha256", "text") if key in resource
    }
    for key in ("byte", "line"):
        if f"start_{key}" in resource:
            found[f"{key}s"] = [resource[f"start_{key}"], resource.get(f"end_{key}")]
    more = resource.get("more")
    return found | (more if isinstance(more, dict) else {})


def _encoded(kind: str, value: Json) -> Json:
    if kind == "node":
        return _node(value)
    if kind == "nodes":
        return [_node(one) for one in value]
    if kind == "run":
        return _run(value)
    if kind == "term":
        return f"kg:{_term(value)}"
    if kind == "time":
        for form, datatype in _TIMES:
            if form.fullmatch(value):
                return {"@value": value, "@type": datatype}
    return value


def _statement(edge: Edge) -> dict[str, Json]:
    """The plain triple, in PROV's word as well where PROV has one."""
    said: dict[str, Json] = {
        "@id": _node(edge.source),
        f"kg:{_term(edge.predicate)}": {"@id": _node(edge.target)},
    }
    if edge.predicate == "PRODUCED":
        return {**said, "prov:generated": {"@id": _node(edge.target)}}
    if edge.predicate in _IN_PROV:
        said[_IN_PROV[edge.predicate]] = {"@id": _node(edge.target)}
    return said


def _coded(text: str) -> str:
    return quote(text, safe="", errors="replace")


def _node(identifier: str) -> str:
    return f"{BASE}node:{_coded(identifier)}"


def _run(identifier: str) -> str:
    return f"{BASE}run:{_coded(identifier)}"


def _term(name: str) -> str:
    return _coded(name)


# -- back --------------------------------------------------------------------------------------------------------------------------


def read_jsonld(raw: bytes) -> Snapshot:
    """Raises ``NotARecord``. Order is that of the file; the plain triples, which repeat the statements, are passed over."""
    try:
        whole = json_value(raw)
    except ValueError as problem:
        raise NotARecord(f"not JSON: {problem}") from problem
    listed = whole.get("@graph") if isinstance(whole, dict) else None
    if not isinstance(listed, list):
        raise NotARecord("no '@graph' list: this is not JSON-LD as kgraph writes it")
    meta = GraphMeta("")
    nodes: list[Node] = []
    edges: list[Edge] = []
    for resource in listed:
        types = resource.get("@type", []) if isinstance(resource, dict) else []
        if "kg:Edge" in types:
            edges.append(edge_from_json(_members(resource)))
        elif "prov:Collection" in types:
            meta = meta_from_json(resource.get("graph", {}))
        elif "id" in resource and "type" in resource:
            nodes.append(node_from_json(_members(resource)))
    return Snapshot(meta, tuple(nodes), tuple(edges))


def _members(resource: Mapping[str, Json]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for member, value in resource.items():
        if member == "assertions":
            found[member] = [
                _members(said) for said in (value if isinstance(value, list) else [value])
            ]
        elif member == "evidence" and isinstance(value, dict):
            found[member] = _evidence_back(value)
        elif not member.startswith("@") and member not in _REPEATED.values():
            found[member] = _decoded(_TERMS.get(member, (member, "text"))[1], value)
    return found


def _decoded(kind: str, value: Json) -> Json:
    if kind == "nodes":
        return [_decoded("node", one) for one in (value if isinstance(value, list) else [value])]
    if kind == "time" and isinstance(value, dict):
        return value.get("@value", "")
    if isinstance(value, str) and kind in ("node", "run", "term"):
        for start in (f"{BASE}node:", f"{BASE}run:", "kg:"):
            if value.startswith(start):
                return unquote(value[len(start) :])
        raise NotARecord(f"'{value[:80]}' is no address of kgraph's")
    return value


# -- Turtle ------------------------------------------------------------------------------------------------------------------------


def turtle(snapshot: Snapshot) -> Iterator[str]:
    yield (
        "# written by kgraph\n"
        + "".join(f"@prefix {prefix}: <{address}> .\n" for prefix, address in PREFIXES.items())
        + "\n"
    )
    for resource in _resources(snapshot):
        yield from _triples(resource)


def _triples(resource: dict[str, Json]) -> Iterator[str]:
    parts: list[str] = []
    inner: list[dict[str, Json]] = []
    for member, value in resource.items():
        if member == "@type":
            parts.append("a " + ", ".join(map(_address, value)))
        elif member == "assertions":
            inner.extend(value)
            parts.append("kg:assertion " + ", ".join(_address(one["@id"]) for one in value))
        elif member == "evidence":
            inner.append(value)
            parts.append("kg:evidence " + _address(value["@id"]))
        elif member != "@id":
            parts.extend(_pair(member, value))
    yield _address(resource["@id"]) + " " + " ;\n    ".join(parts) + " .\n"
    for one in inner:
        yield from _triples(one)


def _pair(member: str, value: Json) -> list[str]:
    if member == "graph":
        return [f"kg:graph {_literal(as_line(value))}^^rdf:JSON"]
    if member not in _TERMS:  # a plain triple's own predicate
        return [f"{_address(member)} {_address(value['@id'])}"]
    term, kind = _TERMS[member]
    if kind == "json":
        return [f"{term} {_literal(as_line(value))}^^rdf:JSON"]
    if kind == "nodes":
        return [f"{term} {', '.join(map(_address, value))}"]
    if kind in ("node", "run", "term"):
        return [f"{term} {_address(value)}"]
    if isinstance(value, dict):
        return [f"{term} {_literal(value['@value'])}^^{value['@type']}"]
    if kind in ("whole", "real"):
        return [f'{term} "{value}"^^xsd:{"integer" if kind == "whole" else "double"}']
    return [f"{term} {_literal(value)}"]


def _address(address: str) -> str:
    """A full address in brackets: prefixed names would need escapes of their own."""
    prefix, colon, rest = address.partition(":")
    return f"<{PREFIXES[prefix]}{rest}>" if colon and prefix in PREFIXES else f"<{address}>"


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def _literal(text: str) -> str:
    escaped = (
        text.replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t")
    )
    return (
        '"'
        + _CONTROL.sub(
            lambda found: "\ufffd" if found[0] >= "\ud800" else f"\\u{ord(found[0]):04X}", escaped
        )
        + '"'
    )
