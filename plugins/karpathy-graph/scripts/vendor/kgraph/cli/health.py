"""How a graph and an installation are, for a person: stats, validate, rebuild, selftest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kgraph.cli.answering import one_line, problem_lines
from kgraph.plurals import counted

Body = Mapping[str, Any]


def stats(body: Body) -> str:
    return "\n".join([*figures(body["stats"]), *problem_lines(body)])


def validated(body: Body) -> str:
    return _checkup(body, "every line of the log and every invariant holds")


def rebuilt(body: Body) -> str:
    return _checkup(body, "the index is made again, and every line of the log holds")


def _checkup(body: Body, well: str) -> str:
    """What was found, else that all is well, then the figures."""
    broken = body["errors"] or body["invariant_violations"]
    return "\n".join([*problem_lines(body), *([] if broken else [well]), *figures(body["stats"])])


def checks(body: Body) -> str:
    """selftest."""
    return "\n".join(
        f"{'ok    ' if row['ok'] else 'FAILED'}  {row['check']}: {one_line(row['detail'])}"
        for row in body["checks"]
    )


def figures(found: Body) -> list[str]:
    lines = []
    for total, noun, kinds in (
        ("nodes", "node", "by_node_type"),
        ("edges", "edge", "by_edge_type"),
    ):
        told = ", ".join(
            f"{number} {one_line(kind)}" for kind, number in found.get(kinds, {}).items()
        )
        lines.append(counted(found[total], noun) + (f": {told}" if told else ""))
    if "components" in found:
        parts = f"{counted(found['components'], 'component')}, the largest of {counted(found['largest_component'], 'node')}"
        lines.append(
            f"{parts}, {found['isolated_nodes']} without an edge; {found['density']:g} edges a node"
        )
        merged = found["surface_forms"] - found["canonical_nodes"]
        further = (
            (merged, "merge"),
            (found["inferences"], "inference"),
            (found["contradictions"], "contradiction"),
        )
        lines.append(", ".join(counted(number, noun) for number, noun in further))
        evidence = ", ".join(f"{number} {status}" for status, number in found["evidence"].items())
        lines.append(
            f"citations: {evidence or 'none'}; {counted(found['transactions'], 'transaction')} in the log"
        )
    return lines
