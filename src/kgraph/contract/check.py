"""A decoded payload against the contract: all its problems at once, and the events that it would become."""

from __future__ import annotations

import gc
from typing import Any

from kgraph.contract.advice import Judged, advise
from kgraph.contract.assign import assign
from kgraph.contract.credentials import masked, secrets_of
from kgraph.contract.decode import decode, kind_of
from kgraph.contract.edges import Edges, read_edges
from kgraph.contract.endpoints import Directory
from kgraph.contract.fields import KINDS_OF_ENVELOPE, field_fault
from kgraph.contract.findings import Findings
from kgraph.contract.foreign import check_sources
from kgraph.contract.invariants import check_invariants
from kgraph.contract.nodes import Nodes, read_nodes
from kgraph.contract.paths import in_order, member
from kgraph.contract.view import Admission, Options, View

_DEFAULT = Options()


def admit(data: bytes | str, view: View, options: Options = _DEFAULT) -> Admission:
    """Decode and check in one go, so that faults of the text and breaches of the contract are reported together."""
    payload, problems = decode(data)
    if payload is None:
        return Admission(problems, [], [], [], [], [], [], {}, options.strict)
    admission = check(payload, view, options)
    if not problems:
        return admission
    known = {problem.path for problem in problems}
    errors = in_order(problems + [error for error in admission.errors if error.path not in known])
    return admission._replace(errors=errors)


def check(payload: dict[str, Any], view: View, options: Options = _DEFAULT) -> Admission:
    """Judge a payload (JSON values, as ``decode`` gives them) on the graph as it would be after the write. Writes nothing."""
    collecting = gc.isenabled()
    gc.disable()  # what is made here is kept: looking for garbage only costs time
    try:
        return _check(payload, view, options)
    finally:
        if collecting:
            gc.enable()


def _check(payload: dict[str, Any], view: View, options: Options) -> Admission:
    findings = Findings()
    envelope = _envelope(payload, findings)
    node_items, edge_items = (_items(payload, key, findings) for key in ("nodes", "edges"))
    nodes = read_nodes(node_items or [], options.source_root, findings)
    known = assign(nodes, view, findings)
    directory = Directory(nodes, known.clashing, complete=node_items is not None)
    edges = read_edges(edge_items or [], directory, view, findings)
    if options.unit_sources is not None:
        check_sources(nodes, edges, known, options.unit_sources, findings)
    if edge_items is None:
        edges = _anything_goes(nodes)
    check_invariants(nodes, edges, known, view, findings)
    advise(Judged(nodes, edges, known, view, options, findings))
    if not options.allow_secrets:
        _refuse_secrets(node_items or [], edge_items or [], findings)
    findings.sort()
    return Admission(
        findings.errors,
        findings.violations,
        findings.warnings,
        [event for event in nodes.events if event is not None] + _implied(edges),
        [event for event in edges.events if event is not None],
        nodes.ids,
        edges.ids,
        envelope,
        options.strict,
    )


def _refuse_secrets(nodes: list[Any], edges: list[Any], findings: Findings) -> None:
    """E113 for each item that holds a credential. What else was found may quote it: that is masked."""
    held = [
        (f"$.{kind}s[{at}].{secret.member}", secret)
        for kind, items in (("node", nodes), ("edge", edges))
        for at, item in enumerate(items)
        for secret in [secrets_of(item, kind)]
        if secret
    ]
    if not held:
        return
    findings.mask(masked)
    for path, secret in held:
        findings.error("E113", path, f"`{secret.member}` holds what looks like {secret.what}")


def _implied(edges: Edges) -> list[dict[str, Any]]:
    """An assertion of every node of the graph that an edge names, so that the transaction stands on its own."""
    found: dict[str, dict[str, Any]] = {}
    for _, end in edges.from_graph:
        held = end.held
        if held is None or held.id in found:
            continue
        event: dict[str, Any] = {
            "kind": "node",
            "id": held.id,
            "type": held.type,
            "name": held.name,
            "implied": True,
        }
        if held.uri:
            event["uri"] = held.uri
        if held.qualifier:
            event["qualifier"] = held.qualifier
        found[held.id] = event
    return list(found.values())


def _envelope(payload: dict[str, Any], findings: Findings) -> dict[str, Any]:
    envelope: dict[str, Any] = {}
    for key, value in payload.items():
        if key in ("nodes", "edges") or (value is None and key in KINDS_OF_ENVELOPE):
            continue
        kind = KINDS_OF_ENVELOPE.get(key)
        fault = field_fault(kind, key, value) if kind else ""
        if kind is None:
            findings.warn(
                "W214",
                member("$", key),
                f"unknown key {key!r}, kept",
                "put what belongs to a node or an edge into its `attrs`",
            )
        if fault:
            findings.error("E101", member("$", key), f"`{key}` {fault}")
        else:
            envelope[key] = value
    return envelope


def _items(payload: dict[str, Any], key: str, findings: Findings) -> list[Any] | None:
    items = payload.get(key)
    if isinstance(items, list):
        return items
    what = (
        f"`{key}` is missing" if items is None else f"`{key}` must be a list, not {kind_of(items)}"
    )
    findings.error(
        "E101",
        f"$.{key}",
        what,
        "a payload is one object with the lists `nodes` and `edges`; either may be empty",
    )
    return None


def _anything_goes(nodes: Nodes) -> Edges:
    """Stands in for edges that can't be read: they may have tied every node, so nothing more is said of ties."""
    edges = Edges(0)
    edges.spared = edges.spared_produced = edges.touched = set(nodes.ids)
    return edges
