"""E112: a reply may speak of its own unit's sources only."""

from __future__ import annotations

from kgraph.contract.assign import Known
from kgraph.contract.edges import Edges
from kgraph.contract.findings import Findings
from kgraph.contract.nodes import Nodes
from kgraph.ontology import RULES, fold

_SHOWN = 5


def check_sources(
    nodes: Nodes, edges: Edges, known: Known, unit_sources: frozenset[str], findings: Findings
) -> None:
    """Report every Source, in the payload or at an edge's end, that is none of ``unit_sources`` (normalised uris)."""
    names = {fold(uri.rstrip("/").rpartition("/")[2]) for uri in unit_sources}
    shown = ", ".join(sorted(unit_sources)[:_SHOWN]) + (" …" if len(unit_sources) > _SHOWN else "")
    hint = RULES["E112"].hint.format(sources=shown or "no source")
    foreign: set[str] = set()
    for number, type_ in enumerate(nodes.types):
        event = nodes.events[number]
        if type_ != "Source" or event is None:
            continue
        held = known.by_id.get(nodes.ids[number])
        uri = event.get("uri") or (held.uri if held else "")
        if (uri not in unit_sources) if uri else (nodes.folds[number] not in names):
            foreign.add(nodes.ids[number])
            member = "uri" if "uri" in event else "name"
            findings.error(
                "E112",
                f"{nodes.path(number)}.{member}",
                f"the Source {event['name']!r} is not this unit's",
                hint,
            )
    for path, end in edges.from_graph:
        if end.held is None or end.type != "Source" or end.id in foreign:
            continue
        if (end.held.uri not in unit_sources) if end.held.uri else (fold(end.name) not in names):
            findings.error("E112", path, f"the Source {end.name!r} is not this unit's", hint)
