"""Graphs for the tests of the views: a small one that holds every kind of thing, a hostile one, and large ones of any size."""

from __future__ import annotations

from kgraph.model import Json, Problem
from kgraph.views.snapshot import (
    Edge,
    EdgeAssertion,
    GraphMeta,
    Node,
    NodeAssertion,
    Run,
    Snapshot,
    UnitOutcome,
)

HOSTILE = '</script><img src=x onerror="window.hacked=1"><script>window.hacked=2</script>'

AWKWARD = (
    "q\" ' ` | \\ \\n \\u0041 \r\n\t\x0b\x01\x7f\x85\u2028\ufffe <b>&amp; ]]> _x0041_ $ {} #; %% 日本 😀 "
    + HOSTILE
)


# attributes that are called as a record's own members are
NAMED_AS_FIELDS: dict[str, Json] = {
    "type": "x", "name": ["y"], "description": None, "confidence": 0.1, "uri": "u", "version": 3, "inference": True, "attrs": {"id": 1},
    "fields": {"uri": 2}, "aliases": "a", "canonical": "c", "assertions": [], "rubric": "r", "result": False, "run_id": "q", "kgraph": "k",
}  # fmt: skip


def said(
    name: str, run: str = "run-1", ts: str = "2026-03-11T10:00:00.000001Z", **more: object
) -> NodeAssertion:
    return NodeAssertion(name=name, tx="t" + run, run_id=run, ts=ts, **more)  # type: ignore[arg-type]


def cited(quote: str, status: str = "verified", **more: object) -> EdgeAssertion:
    found = {
        "tx": "trun-1",
        "run_id": "run-1",
        "ts": "2026-03-11T10:00:00.000001Z",
        "sources": ("source-a",),
        "quote": quote,
    } | more
    evidence = (
        {"status": status, "lines": [12, 13], "bytes": [100, 100 + len(quote)], "sha256": "0" * 64}
        if status
        else {}
    )
    return EdgeAssertion(**found, evidence=evidence)  # type: ignore[arg-type]


def every_kind() -> Snapshot:
    """All nine types, all eleven predicates, evidence of every status, a merge, an inference, two voices, awkward texts."""
    nodes = [
        Node("agentrun-1", "AgentRun", "run-1", (said("run-1"),)),
        Node(
            "artifact-1",
            "Artifact",
            "report",
            (said("report", fields={"version": "2"}, attrs=NAMED_AS_FIELDS),),
            fields={"version": "2"},
            attrs=NAMED_AS_FIELDS,
        ),
        Node(
            "claim-a",
            "Claim",
            "Vendor X supplied Component Z",
            (said("Vendor X supplied Component Z", sources=("source-a",)),),
        ),
        Node(
            "claim-b",
            "Claim",
            "Vendor Y supplied Component Z",
            (said("Vendor Y supplied Component Z", sources=("source-b",)),),
        ),
        Node(
            "claim-c",
            "Claim",
            "Component Z is at risk",
            (said("Component Z is at risk", fields={"inference": True}),),
            fields={"inference": True},
        ),
        Node("commit-1", "Commit", "abc123", (said("abc123"),)),
        Node("commit-2", "Commit", "def456", (said("def456"),)),
        Node(
            "entity-x",
            "Entity",
            "Vendor X",
            (
                said(
                    "Vendor X",
                    description="component supplier",
                    aliases=("VendorX Ltd",),
                    sources=("source-a",),
                    attrs={"tags": ["a", None, 1.5]},
                ),
                said(
                    "Vendor-X",
                    "run-2",
                    "2026-03-12T10:00:00Z",
                    description="a supplier of valves and seals",
                    sources=("source-b",),
                ),
            ),
            aliases=("VendorX Ltd", "Vendor-X"),
            description="a supplier of valves and seals",
            attrs={"tags": ["a", None, 1.5]},
            qualifier="Lisbon",
            valid_from="2020-01-01",
            valid_to="2027-01-01",
        ),
        Node("entity-x2", "Entity", "VENDOR X", (said("VENDOR X"),), canonical="entity-x"),
        Node(
            "entity-z",
            "Entity",
            "Component Z",
            (
                said(
                    "Component Z", description='quotes " and | pipes\nand \\ lines; `ticks` — 日本'
                ),
            ),
            description='quotes " and | pipes\nand \\ lines; `ticks` — 日本',
        ),
        Node(
            "evaluation-1",
            "Evaluation",
            "X is not Y",
            (said("X is not Y"),),
            fields={"rubric": "entity identity", "result": "distinct"},
        ),
        Node("metric-1", "Metric", "latency", (said("latency"),)),
        Node(
            "source-a",
            "Source",
            "a.md",
            (said("a.md"),),
            fields={"uri": "docs/a.md", "sha256": "0" * 64},
        ),
        Node("source-b", "Source", "b.md", (said("b.md"),), fields={"uri": "docs/b.md"}),
        Node("task-1", "Task", "replace the valve", (said("replace the valve"),)),
    ]
    edges = [
        Edge(
            "edge-01",
            "SUPPORTS",
            "source-a",
            "claim-a",
            "",
            (
                cited(
                    "Component Z was supplied by Vendor X",
                    source_doc="docs/a.md#parts",
                    confidence=0.92,
                ),
                cited(
                    "Z came from X",
                    "located",
                    run_id="run-2",
                    sources=("source-a",),
                    source_doc="docs/a.md#z",
                    confidence=0.7,
                ),
            ),
        ),
        Edge(
            "edge-02",
            "SUPPORTS",
            "source-b",
            "claim-b",
            "",
            (cited("Y made it", "missing", sources=("source-b",), source_doc="docs/b.md#y"),),
        ),
        Edge(
            "edge-03",
            "CONTRADICTS",
            "claim-b",
            "claim-a",
            "",
            (cited("not X but Y", "stale", source_doc="docs/b.md#y", confidence=0.8),),
        ),
        Edge(
            "edge-04",
            "MENTIONS",
            "claim-a",
            "entity-x",
            "",
            (EdgeAssertion(run_id="run-1", ts="2026-03-11T10:00:00Z"),),
        ),
        Edge(
            "edge-05",
            "MENTIONS",
            "claim-a",
            "entity-z",
            "",
            (EdgeAssertion(run_id="run-1", ts="2026-03-11T10:00:00Z"),),
        ),
        Edge("edge-06", "DERIVED_FROM", "claim-c", "claim-a", "", (EdgeAssertion(run_id="run-1"),)),
        Edge(
            "edge-07", "PRODUCED", "agentrun-1", "artifact-1", "", (EdgeAssertion(run_id="run-1"),)
        ),
        Edge(
            "edge-08", "EVALUATES", "evaluation-1", "entity-x", "", (EdgeAssertion(run_id="run-1"),)
        ),
        Edge("edge-09", "REVISES", "commit-2", "commit-1", "", (EdgeAssertion(run_id="run-1"),)),
        Edge("edge-10", "SUPERSEDES", "source-b", "source-a", "", (EdgeAssertion(run_id="run-1"),)),
        Edge(
            "edge-11",
            "DEPENDS_ON",
            "entity-z",
            "entity-x",
            "import",
            (
                EdgeAssertion(
                    run_id="run-1",
                    attrs={
                        "line": 3,
                        "predicate": "p",
                        "source": "s",
                        "quote": None,
                        "kind": "k",
                        "status": "st",
                    },
                    valid_from="2026-01-01",
                ),
            ),
        ),
        Edge(
            "edge-12",
            "DEPENDS_ON",
            "entity-z",
            "entity-x",
            "call",
            (EdgeAssertion(run_id="run-1", confidence=1.0),),
        ),
        Edge("edge-13", "PARENT_OF", "commit-1", "commit-2", "", (EdgeAssertion(run_id="run-1"),)),
        Edge(
            "edge-14",
            "RESOLVED_TO",
            "entity-x2",
            "entity-x",
            "",
            (EdgeAssertion(run_id="run-2", attrs={"rationale": "same firm by its address"}),),
        ),
        Edge(
            "edge-15",
            "MENTIONS",
            "claim-b",
            "entity-x2",
            "",
            (cited("Vendor X again", "ambiguous", source_doc="docs/b.md#x"),),
        ),
    ]
    meta = GraphMeta(
        "Incident of March",
        objective="who supplied what",
        created="2026-03-11T09:00:00Z",
        rendered="2026-03-13T09:00:00Z",
        heads=("ab" * 20,),
        source_root="..",
        version="2.0.0",
        runs=(
            Run(
                "run-1",
                "2026-03-11T10:00:00Z",
                "2026-03-11T11:00:00Z",
                2,
                14,
                13,
                "agent",
                "model-a",
                1000,
                200,
                0.0123,
                {"dropped": 2},
            ),
            Run("run-2", "2026-03-12T10:00:00Z", "2026-03-12T10:00:00Z", 1, 2, 2),
        ),
        units=(
            UnitOutcome("docs/a.md", "done", "", "run-1"),
            UnitOutcome("docs/c.pdf", "unsupported", "no reader for it", "run-1"),
        ),
        violations=(
            Problem("I1", "$", "claim-c has no source", "cite one", "unsourced-claim", "claim-c"),
        ),
    )
    return snapshot(meta, nodes, edges)


def awkward() -> Snapshot:
    """Texts that need the escapes of every format, parallel edges, names that differ in case only."""
    nodes = [
        Node(
            "id \"<&>' \\ \n",
            "Entity",
            AWKWARD,
            (said(AWKWARD, description=AWKWARD, attrs={"l": [1, None, {"x": AWKWARD}]}),),
            aliases=(AWKWARD, "b"),
            description=AWKWARD,
            attrs={"l": [1, None, {"x": AWKWARD}]},
        ),
        Node("paris", "Entity", "Paris", (said("Paris"),)),
        Node("PARIS", "Entity", "PARIS", (said("PARIS"),)),
        Node("con", "Entity", "CON", (said("CON"),)),
    ]
    edges = [
        Edge(
            "e1",
            "DEPENDS_ON",
            "paris",
            "PARIS",
            AWKWARD,
            (EdgeAssertion(quote=AWKWARD, confidence=0.5), EdgeAssertion()),
        ),
        Edge("e2", "DEPENDS_ON", "paris", "PARIS", "call", (EdgeAssertion(),)),
        Edge("e3", "DEPENDS_ON", "paris", nodes[0].id, "", (EdgeAssertion(source_doc=AWKWARD),)),
    ]
    return snapshot(GraphMeta(AWKWARD, objective=AWKWARD), nodes, edges)


def hostile() -> Snapshot:
    """Every text that comes from outside tries to leave its place."""
    nodes = [
        Node(
            "entity-1",
            "Entity",
            HOSTILE,
            (said(HOSTILE, description=HOSTILE, run=HOSTILE),),
            aliases=(HOSTILE,),
            description=HOSTILE,
            qualifier=HOSTILE,
            attrs={HOSTILE: HOSTILE, "homepage": "javascript:window.hacked=3"},
        ),
        Node(
            "source-1",
            "Source",
            "javascript:window.hacked=4",
            (said("x"),),
            fields={"uri": "javascript:window.hacked=4"},
        ),
        Node(
            "source-2",
            "Source",
            "//evil.example/x",
            (said("x"),),
            fields={"uri": "https://example.org/<b>"},
        ),
        Node("claim-1", "Claim", "${alert(1)} {{7*7}} <svg/onload=alert(1)>", (said("x"),)),
    ]
    quote = f'{HOSTILE} <!-- ]]> \u2028 " onclick="window.hacked=5'
    edges = [
        Edge(
            "edge-1",
            "SUPPORTS",
            "source-1",
            "claim-1",
            HOSTILE,
            (cited(quote, sources=("source-1",), source_doc="javascript:window.hacked=6#x"),),
        ),
        Edge(
            "edge-2",
            "SUPPORTS",
            "source-2",
            "claim-1",
            "",
            (
                cited(
                    quote,
                    "<b>",
                    sources=("source-2",),
                    source_doc="data:text/html,<script>x</script>",
                ),
            ),
        ),
        Edge("edge-3", "MENTIONS", "claim-1", "entity-1", "", (cited(quote, run_id=HOSTILE),)),
    ]
    return snapshot(GraphMeta(HOSTILE, objective=HOSTILE, source_root=".."), nodes, edges)


def large(size: int, edges_per_node: int = 3) -> Snapshot:
    """``size`` nodes in groups of about a hundred, with hubs; the same for the same size."""
    types = (
        "Entity",
        "Claim",
        "Source",
        "Entity",
        "Claim",
        "Task",
        "Metric",
        "Commit",
        "Artifact",
        "AgentRun",
        "Evaluation",
    )
    group = max(5, min(100, size // 10))
    nodes = []
    for i in range(size):
        kind = types[(i * 7 + i // 11) % len(types)]
        name = f"{kind} {i} of part {i // group}"
        words = f"what number {i} is, in a few words that somebody once said"
        nodes.append(
            Node(
                f"n{i:07}",
                kind,
                name,
                (said(name, f"run-{i % 5}", sources=(f"n{i - i % group:07}",), description=words),),
                description=words,
            )
        )
    edges = []
    for i in range(size * edges_per_node):
        source = i // edges_per_node
        start = source - source % group
        spread = (i * 2654435761 >> 7) % 997 / 997
        target = start + int(group * spread * spread) if i % 9 else (i * 40503) % size
        if target == source or target >= size:
            target = (source + 1) % size
        predicate = "CONTRADICTS" if i % 400 == 3 else ("SUPPORTS", "MENTIONS", "DEPENDS_ON")[i % 3]
        shown = cited(
            f"the words of edge {i} as they stand in the file",
            ("verified", "located", "unchecked")[i % 3],
            run_id=f"run-{i % 5}",
            source_doc=f"docs/part-{i // 300}.md#s{i % 7}",
            confidence=0.5 + (i % 50) / 100,
            sources=(nodes[start].id,),
        )
        edges.append(Edge(f"e{i:07}", predicate, nodes[source].id, nodes[target].id, "", (shown,)))
    return snapshot(
        GraphMeta(f"{size} nodes", rendered="2026-03-13T09:00:00Z", source_root=".."), nodes, edges
    )


def snapshot(meta: GraphMeta, nodes: list[Node], edges: list[Edge]) -> Snapshot:
    """In order of id, with degrees counted."""
    degree = dict.fromkeys((node.id for node in nodes), 0)
    for edge in edges:
        degree[edge.source] += 1
        degree[edge.target] += 1
    counted = tuple(
        node._replace(degree=degree[node.id]) for node in sorted(nodes, key=lambda node: node.id)
    )
    return Snapshot(meta, counted, tuple(sorted(edges, key=lambda edge: edge.id)))
