"""add-node, add-edge."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import add_allow_secrets, add_source_roots, number
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.graph.answers import Ingestion, Receipt
from kgraph.ontology import NODE_TYPES, PREDICATES
from kgraph.parsing import json_value

if TYPE_CHECKING:
    from kgraph.graph import Graph

CITATION = (
    ("--source-doc", "where it stands: uri#anchor, path:12"),
    ("--quote", "the words of the source"),
)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--attr",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an attribute; the value is JSON when it parses",
    )
    parser.add_argument(
        "--valid-from", default="", metavar="TIME", help="since when it is true of the world"
    )
    parser.add_argument("--valid-to", default="", metavar="TIME", help="until when (not included)")
    parser.add_argument("--strict", action="store_true", help="refuse on warnings too")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would happen and write nothing"
    )
    add_source_roots(parser)
    add_allow_secrets(parser)
    for name, what in CITATION:
        parser.add_argument(name, default="", metavar="TEXT", help=what)
    parser.add_argument(
        "--confidence",
        type=number,
        default=None,
        metavar="0..1",
        help="how sure the source makes it",
    )


def _configure_node(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--type", required=True, metavar="TYPE", help=", ".join(NODE_TYPES))
    parser.add_argument(
        "--node-name",
        dest="node_name",
        required=True,
        metavar="TEXT",
        help="the node's name; --name behind the command word is the same",
    )
    parser.add_argument("--id", default="", metavar="ID", help="an id of your own")
    parser.add_argument(
        "--description",
        default="",
        metavar="TEXT",
        help="what tells it from another of the same name",
    )
    parser.add_argument(
        "--alias", action="append", default=[], metavar="TEXT", help="another spelling"
    )
    parser.add_argument(
        "--qualifier",
        default="",
        metavar="TEXT",
        help="what makes it another node than its namesake",
    )
    parser.add_argument("--uri", default="", metavar="URI", help="a Source's file or address")
    parser.add_argument(
        "--rubric", default="", metavar="TEXT", help="what an Evaluation judges against"
    )
    parser.add_argument(
        "--kind",
        default="",
        metavar="KIND",
        help="what kind of thing an Entity, of statement a Claim is",
    )
    parser.add_argument(
        "--event-time",
        default="",
        metavar="T",
        help="when what a Claim tells of happened: date, instant or A/B",
    )
    parser.add_argument("--result", default="", metavar="TEXT", help="an Evaluation's outcome")
    parser.add_argument(
        "--artifact-version", default="", metavar="TEXT", help="an Artifact's version"
    )
    parser.add_argument(
        "--inference", action="store_true", help="a Claim that was reasoned and stands in no source"
    )
    parser.add_argument(
        "--supported-by", default="", metavar="REF", help="the node that is evidence for this Claim"
    )
    parser.add_argument(
        "--produced-by", default="", metavar="REF", help="the AgentRun that made this"
    )
    _common(parser)


def _node(session: Session, options: argparse.Namespace) -> Answer:
    name = options.node_name
    node: dict[str, Any] = {"type": options.type, "name": name}
    given = {
        "id": options.id, "description": options.description, "aliases": options.alias, "qualifier": options.qualifier, "uri": options.uri,
        "rubric": options.rubric, "result": options.result, "version": _version(options.artifact_version), "valid_from": options.valid_from,
        "valid_to": options.valid_to, "attrs": _attrs(options.attr), "kind": options.kind, "event_time": options.event_time,
    }  # fmt: skip
    node |= {key: value for key, value in given.items() if value not in ("", [], {}, None)}
    if options.inference:
        node["inference"] = True
    edges: list[dict[str, Any]] = []
    end = options.id or name
    if options.supported_by:
        edges.append(
            {
                "predicate": "SUPPORTS",
                "source": options.supported_by,
                "target": end,
                **_citation(options),
            }
        )
    elif any(_citation(options).values()):
        raise UsageError(
            "--source-doc, --quote and --confidence belong to --supported-by",
            "name the source with --supported-by",
        )
    if options.produced_by:
        edges.append({"predicate": "PRODUCED", "source": options.produced_by, "target": end})
    graph = session.graph_or_new(dry_run=options.dry_run)
    receipt = graph.add_node(node, edges, _how(options))
    return _answer(receipt, ("node", receipt.ids["nodes"]), graph)


def _configure_edge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--predicate",
        required=True,
        metavar="PREDICATE",
        help=", ".join(name for name in PREDICATES if name != "RESOLVED_TO"),
    )
    parser.add_argument(
        "--source",
        "--from",
        dest="source",
        required=True,
        metavar="REF",
        help="where the edge begins",
    )
    parser.add_argument(
        "--target", "--to", dest="target", required=True, metavar="REF", help="where it ends"
    )
    parser.add_argument(
        "--kind",
        default="",
        metavar="TEXT",
        help="what tells it from another edge of this predicate between the two",
    )
    parser.add_argument(
        "--role",
        default="",
        metavar="ROLE",
        help="the part that what a MENTIONS names plays in the statement",
    )
    _common(parser)


def _edge(session: Session, options: argparse.Namespace) -> Answer:
    edge: dict[str, Any] = {
        "predicate": options.predicate,
        "source": options.source,
        "target": options.target,
    }
    given = {
        "kind": options.kind,
        "role": options.role,
        "valid_from": options.valid_from,
        "valid_to": options.valid_to,
        "attrs": _attrs(options.attr),
        **_citation(options),
    }
    edge |= {key: value for key, value in given.items() if value not in ("", {}, None)}
    graph = session.graph()
    receipt = graph.add_edge(edge, _how(options))
    return _answer(receipt, ("edge", receipt.ids["edges"]), graph)


def _how(options: argparse.Namespace) -> Ingestion:
    return Ingestion(
        run_id=options.run_id,
        strict=options.strict,
        dry_run=options.dry_run,
        allow_secrets=options.allow_secrets,
    )


def _answer(receipt: Receipt, made: tuple[str, Sequence[str]], graph: Graph) -> Answer:
    what, ids = made
    body = receipt.as_json()
    for problem in body["errors"]:
        if problem["code"] == "E105":  # its hint speaks of a payload, and there is none here
            problem["hint"] = problem["hint"].replace(
                "add the node to the payload", "make the node with kgraph add-node"
            )
    whole = {"created": graph.created, what: ids[0] if ids else "", **body}
    return Answer(whole, receipt.exit_status, words=partial(_words, graph.called, what))


def _words(called: Callable[[Sequence[str]], Mapping[str, str]], what: str, body: Any) -> str:
    if body["errors"] or body["invariant_violations"] or not body["tx"]:
        return "\n".join(["nothing was written", *problem_lines(body)])
    name = body[what]
    said = one_line(f"{called([name]).get(name, '')} [{name}]".strip())
    if body["unchanged"]:
        return f"unchanged: transaction {body['tx'][:12]} of run {one_line(body['run_id'])} says the same: {said}"
    lines = [f"transaction {body['tx'][:12]} of run {one_line(body['run_id'])}: {said}"]
    if body["evidence"]:
        lines.append("citation: " + ", ".join(body["evidence"]))
    return "\n".join(
        [*lines, *problem_lines(body), f"undo: kgraph retract --tx {body['tx'][:12]} --reason WHY"]
    )


def _citation(options: argparse.Namespace) -> dict[str, Any]:
    given = {
        "source_doc": options.source_doc,
        "quote": options.quote,
        "confidence": options.confidence,
    }
    return {key: value for key, value in given.items() if value not in ("", None)}


def _version(text: str) -> str | int | float:
    try:
        value = json_value(text)
    except ValueError:
        return text
    return value if isinstance(value, int | float) and not isinstance(value, bool) else text


def _attrs(pairs: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in pairs:
        key, mark, text = pair.partition("=")
        if not mark or not key.strip():
            raise UsageError(f"expected KEY=VALUE, got '{pair}'", "for example --attr region=EU")
        try:
            found[key.strip()] = json_value(text)
        except ValueError:
            found[key.strip()] = text
    return found


COMMANDS = {
    "add-node": Command(
        _configure_node,
        _node,
        'kgraph add-node --type Entity --name "Vendor X" --description "component supplier"',
    ),
    "add-edge": Command(
        _configure_edge,
        _edge,
        'kgraph add-edge --predicate DEPENDS_ON --source "Checkout" --target "Token Vault"',
    ),
}
