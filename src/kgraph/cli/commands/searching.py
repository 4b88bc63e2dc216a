"""query, path, ground."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kgraph.cli.answering import Answer, one_line, printed
from kgraph.cli.commands import Command
from kgraph.cli.options import count, number
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.ontology import NODE_TYPES, PREDICATES
from kgraph.plurals import counted
from kgraph.retrieve.printing import FORMATS, IN_SOURCES
from kgraph.retrieve.question import Asked, Question

ELSE = "try other words, or see what there is: kgraph stats counts it, kgraph query '' --type TYPE lists it"


AT = "what held then, instead of now: 2016, 2020-06, a date or an instant"


def _configure_query(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="a question, a name, words; empty with --type to list")
    parser.add_argument(
        "--hops", type=count, default=2, metavar="N", help="how far from what the text names (2)"
    )
    parser.add_argument(
        "--max-nodes", type=count, default=60, metavar="N", help="at most so many nodes (60)"
    )
    parser.add_argument(
        "--max-tokens",
        type=count,
        default=2000,
        metavar="N",
        help="at most so many tokens of the text that is printed (2000)",
    )
    parser.add_argument(
        "--type",
        dest="types",
        action="append",
        default=[],
        choices=list(NODE_TYPES),
        help="begin at nodes of this type only",
    )
    parser.add_argument(
        "--edge-type",
        dest="edge_types",
        action="append",
        default=[],
        choices=list(PREDICATES),
        help="walk these predicates only",
    )
    parser.add_argument(
        "--source", default="", metavar="REF", help="only what rests on this Source"
    )
    parser.add_argument("--run", default="", metavar="RUN", help="only what this run said")
    parser.add_argument("--since", default="", metavar="TIME", help="only what was written since")
    parser.add_argument("--until", default="", metavar="TIME", help="only what was written until")
    parser.add_argument("--at", default="", metavar="TIME", help=AT)
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")
    parser.add_argument(
        "--min-confidence",
        type=number,
        default=0.0,
        metavar="0..1",
        help="only edges at least so sure",
    )
    parser.add_argument(
        "--surface", action="store_true", help="nodes as they were written, without merges"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="json", help="json, context (for a prompt) or triples"
    )
    parser.add_argument(
        "--tokenizer",
        default="",
        metavar="NAME",
        help="count tokens with this installed tokenizer instead of the estimate",
    )
    parser.add_argument(
        "--no-vectors",
        action="store_true",
        help="by words alone, though the graph has vectors (kgraph embed)",
    )
    parser.add_argument(
        "--no-passages",
        action="store_true",
        help="what the graph states alone, without words of its sources",
    )
    parser.add_argument(
        "--cursor", default="", metavar="CURSOR", help="go on where an earlier answer was cut"
    )


def _query(session: Session, options: argparse.Namespace) -> Answer:
    question = Question(
        options.text, options.hops, options.max_nodes, options.max_tokens, tuple(options.types), tuple(options.edge_types), options.source,
        options.run, options.since, options.until, options.at, options.min_confidence, options.surface, options.cursor,
        not options.no_passages,
    )  # fmt: skip
    graph = session.graph()
    around = session.around(options.json)
    words = partial(_query_words, partial(graph.places, as_of=options.as_of), options.ids)

    def shown(body: Any, text: str | None) -> str:
        inner = {key: value for key, value in body.items() if key != "bare"}
        return printed(Answer(inner, text=text, words=words, bare="bare" in body), around)

    found = graph.query(
        question, Asked(options.format, options.tokenizer, shown), options.as_of, options.no_vectors
    )
    if found.told:
        session.say(_of_vectors(found.told))
    if found.body["tokens"] > options.max_tokens:
        session.say(f"even an empty answer takes {found.body['tokens']} tokens of this tokenizer")
    elif found.body["truncated"] and found.body["cursor"] == options.cursor != "":
        session.say("nothing more fits into the budget: give more --max-tokens")
    return Answer(found.body, text=found.text, words=words, bare=found.bare, prose=True)


def _of_vectors(told: Any) -> str:
    """What isn't as it should be with the vectors, in a sentence."""
    if "unused" in told:
        return f"the graph's vectors were not used: {told['unused']}"
    nodes = {key: counted(told[key], "node") for key in ("missing", "written_since") if key in told}
    parts = {
        "missing": f"{nodes.get('missing')} {'has' if told.get('missing') == 1 else 'have'} none",
        "written_since": f"{nodes.get('written_since')} {'was' if told.get('written_since') == 1 else 'were'} written since",
        "stale": "{} that belong to other texts were left out", "of_another_state": "they were made of another state of it",
    }  # fmt: skip
    said = "; ".join(text.format(told[key]) for key, text in parts.items() if key in told)
    return f"the vectors are not as new as the graph: {said}; kgraph embed brings them up to date"


Cited = Callable[[Sequence[str]], Mapping[str, tuple[str, str]]]  # ids → (quote, file:line)
PLUMBING = ("SUPPORTS", "MENTIONS", "RESOLVED_TO")  # relations that a statement's own line says


def _query_words(cited: Cited, ids: bool, body: Any) -> str:
    """The answer first: statements with their words and place, then relations, then what else there is."""
    lines = (
        [one_line(f"not in the graph: {', '.join(body['unknown_words'])}")]
        if body.get("unknown_words")
        else []
    )
    claims = [row for row in body["nodes"] if row["type"] == "Claim"]
    related = [row for row in body["edges"] if row["predicate"] not in PLUMBING]
    places = cited([row["id"] for row in (*claims, *related)])
    for row in claims:
        lines.append(one_line(f"• {row['name']}{_held(row)}{_id(row['id'], ids)}"))
        lines += _cited(row["name"], places.get(row["id"], ("", "")))
    names = {row["id"]: row["name"] for row in [*body["nodes"], *body.get("carried", [])]}
    for row in related:
        said = row["predicate"].lower().replace("_", " ")
        walked = f"{names[row['source']]} {said} {names[row['target']]}{_outdated(row)}"
        lines.append(one_line(f"• {walked}{_id('edge:' + row['id'], ids)}"))
        lines += _cited(walked, places.get(row["id"], ("", "")))
    things = [row for row in body["nodes"] if row["type"] not in ("Claim", "Source")]
    if things:
        lines += ["about:"] if lines else []
        for row in things:
            described = f": {row['description']}" if row.get("description") else ""
            shown = f"  {row['type']} {row['name']}{_held(row)}{described}{_id(row['id'], ids)}"
            lines.append(f"  {one_line(shown)}")
    if not body["nodes"]:
        lines.append("nothing in the graph matches")
    if body.get("passages"):
        lines.append(f"{IN_SOURCES}:")
        for row in body["passages"]:
            lines += [f'  "{one_line(row["quote"])}"', f"    {one_line(row['source_doc'])}"]
    if body.get("changed_sources"):
        changed = ", ".join(body["changed_sources"])
        lines.append(one_line(f"changed since they were read, so not quoted: {changed}"))
    if body["cursor"]:
        left = f"{counted(body['left_out']['nodes'], 'node')}, {counted(body['left_out']['edges'], 'edge')}"
        lines.append(f"left out: {left}; --cursor {body['cursor']} goes on")
    if lines == ["nothing in the graph matches"]:
        lines = [f"nothing in the graph matches; {ELSE}"]
    return "\n".join(lines)


def _cited(said: str, citation: tuple[str, str]) -> list[str]:
    """The words and their place; the words only where they are others than the statement's own."""
    quote, place = (one_line(part) for part in citation)
    same = quote.strip(" .") == one_line(said).strip(" .")
    return ([f'    "{quote}"'] if quote and not same else []) + ([f"    {place}"] if place else [])


def _held(row: Any) -> str:
    return (" (superseded)" if row.get("superseded") else "") + (
        f" ({row['held']})" if row.get("held") else ""
    )


def _id(text: str, ids: bool) -> str:
    return f" [{text}]" if ids else ""


def _configure_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("start", metavar="A", help="a node: id, name, alias or uri")
    parser.add_argument("end", metavar="B", help="the other node")
    parser.add_argument(
        "--k", type=count, default=3, metavar="N", help="at most so many routes (3)"
    )
    parser.add_argument(
        "--max-depth", type=count, default=6, metavar="N", help="at most so many hops (6)"
    )
    parser.add_argument(
        "--edge-type",
        dest="edge_types",
        action="append",
        default=[],
        choices=list(PREDICATES),
        help="walk these predicates only",
    )
    parser.add_argument(
        "--directed", action="store_true", help="walk edges in their direction only"
    )
    parser.add_argument(
        "--min-confidence",
        type=number,
        default=0.0,
        metavar="0..1",
        help="only edges at least so sure",
    )
    parser.add_argument("--at", default="", metavar="TIME", help=AT)
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")


def _path(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.retrieve.paths import PathOptions

    walk = PathOptions(
        options.k,
        options.max_depth,
        tuple(options.edge_types),
        options.directed,
        options.min_confidence,
        options.at,
    )
    return Answer(
        session.graph().path_between(options.start, options.end, walk, options.as_of),
        words=partial(_path_words, options.ids),
        prose=True,
    )


def _path_words(ids: bool, body: Any) -> str:
    if not body["found"]:
        bound = "" if body["exhausted"] else " (the search stopped at its bound)"
        return "\n".join(
            [
                f"no route within {counted(body['max_depth'], 'hop')}{bound}",
                *(_reached(body[end]["name"], body["frontier"][end]) for end in ("from", "to")),
            ]
        )
    lines = [counted(body["hops"], "hop")]
    for step, citation in zip(body["route"], body["citations"], strict=True):
        walked = f"{step['from_name']} {step['arrow']} {step['to_name']}{_id('edge:' + step['edge'], ids)}  {citation['source_doc']}"
        lines.append("  " + one_line(walked + _outdated(step)))
    return "\n".join(lines)


def _reached(name: str, frontier: Any) -> str:
    names = ", ".join(one["name"] for one in frontier)
    return one_line(f"  {name} reaches {names}" if names else f"  {name} reaches nothing")


def _outdated(row: Any) -> str:
    held = f" ({row['held']})" if row.get("held") else ""
    return held + (f" (outdated: {row['outdated_by']})" if row.get("outdated_by") else "")


def _configure_ground(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "claim",
        nargs="?",
        default="",
        metavar="CLAIM",
        help="the statement to be held against the graph",
    )
    parser.add_argument(
        "--subject", default="", metavar="A", help="instead of a claim: its subject"
    )
    parser.add_argument(
        "--predicate-words", default="", metavar="W", help="and the words of the relation"
    )
    parser.add_argument("--object", default="", metavar="B", help="and its object")
    parser.add_argument("--at", default="", metavar="TIME", help=AT)
    parser.add_argument(
        "--require", default="", choices=["verified"], help="the weakest evidence that may approve"
    )
    parser.add_argument("--check", action="store_true", help="exit 1 unless it is approved")
    parser.add_argument("--record", action="store_true", help="write the verdict as an Evaluation")
    parser.add_argument("--as-of", default="", metavar="TX_OR_TIME", help="as the graph was then")


def _ground(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.retrieve.ground import GroundOptions, as_json

    if options.record and options.as_of:
        raise UsageError(
            "--record writes what the graph says now, --as-of asks what it said then",
            "give one of them",
        )
    graph = session.graph()
    inquiry = GroundOptions(
        options.claim,
        options.subject,
        options.predicate_words,
        options.object,
        options.at,
        options.require,
    )
    verdict = graph.ground(inquiry, options.as_of)
    body = as_json(verdict)
    if options.record:
        receipt = graph.record_verdict(verdict, options.run_id)
        said = receipt.as_json()
        body |= {"evaluation": (*receipt.ids["nodes"], "")[0]}
        body |= {
            key: said[key]
            for key in ("tx", "run_id", "unchanged", "invariant_violations", "errors", "warnings")
        }
        if receipt.exit_status:
            return Answer(body, receipt.exit_status)
    return Answer(
        body,
        1 if options.check and verdict.decision != "approve" else 0,
        words=_ground_words,
        prose=True,
    )


def _ground_words(body: Any) -> str:
    lines = [one_line(f"{body['decision']}: {body['claim']}"), f"  {one_line(body['reason'])}"]
    for title, rows in (
        ("carried by", [f"{one['source_doc']} [{', '.join(one['evidence'])}] {one['quote']}" for one in body["support"]]),
        ("against it", body["contradictions"]), ("needed", body["required_evidence"]),
        (IN_SOURCES.lower(), [f'"{one["quote"]}" ({one["source_doc"]})' for one in body.get("passages", ())]),
    ):  # fmt: skip
        lines += [f"  {title}: {one_line(str(row))}" for row in rows]
    return "\n".join(lines)


COMMANDS = {
    "query": Command(
        _configure_query,
        _query,
        'kgraph query "why did checkouts fail" --format context --max-tokens 1500',
    ),
    "path": Command(_configure_path, _path, 'kgraph path "Checkout" "Token Vault"'),
    "ground": Command(
        _configure_ground, _ground, 'kgraph ground "The Token Vault had run out of disk"'
    ),
}
