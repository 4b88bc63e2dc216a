"""render, export, push."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import count
from kgraph.cli.session import Session
from kgraph.errors import UsageError

FORMATS = (
    "json",
    "jsonl",
    "graphml",
    "gexf",
    "dot",
    "mermaid",
    "csv",
    "neo4j",
    "ladybug",
    "canvas",
    "cypher",
    "jsonld",
    "turtle",
    "obsidian",
    "parquet",
)
FOLDERS = ("csv", "neo4j", "ladybug", "obsidian", "parquet")
ENDINGS = {
    ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".graphml": "graphml", ".gexf": "gexf", ".dot": "dot", ".gv": "dot",
    ".mmd": "mermaid", ".mermaid": "mermaid", ".cypher": "cypher", ".cql": "cypher", ".jsonld": "jsonld", ".ttl": "turtle", ".canvas": "canvas",
}  # fmt: skip
SHARED = {".json": ("jsonld",)}  # endings that files of another format have as well
SHOWN = 20  # files that a person is shown; --json has them all


def _configure_render(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plain",
        action="store_true",
        help="lay the page out with the standard library, whatever is installed",
    )


def _render(session: Session, options: argparse.Namespace) -> Answer:
    return Answer({"files": session.graph().render(options.plain)}, words=_render_words)


def _render_words(body: Any) -> str:
    return "\n".join(
        f"{one_line(row['path'])} ({row['size_bytes']:,} bytes)" for row in body["files"].values()
    )


def _configure_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        nargs="?",
        default="",
        metavar="FILE",
        help=f"a file, a folder for {', '.join(FOLDERS)}, or - for standard output",
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="",
        help="the format (that of FILE's ending; else json)",
    )
    parser.add_argument("--output", "-o", default="", metavar="FILE", help="the same as FILE")
    parser.add_argument(
        "--force", action="store_true", help="overwrite a file that kgraph did not write"
    )
    parser.add_argument(
        "--raw",
        action="store_true",
        help="csv: cells that spreadsheets take for formulas, unguarded",
    )
    parser.add_argument(
        "--query", default="", metavar="TEXT", help="only what this question reaches"
    )
    parser.add_argument(
        "--hops", type=count, default=2, metavar="N", help="for --query: how far (2)"
    )
    parser.add_argument(
        "--max-nodes",
        type=count,
        default=500,
        metavar="N",
        help="for --query: at most so many nodes (500)",
    )


def _export(session: Session, options: argparse.Namespace) -> Answer:
    if options.target and options.output and options.target != options.output:
        raise UsageError("FILE and --output name two different files", "give one of them")
    target = options.target or options.output
    if not target:
        raise UsageError("where to? no file was given", "give a file, or - for standard output")
    form = _format(session, options.format, target)
    question = None
    if options.query:
        from kgraph.retrieve.question import Question

        question = Question(options.query, options.hops, options.max_nodes)
    from kgraph.graph.exchanging import Target

    graph = session.graph()
    if target == "-":
        chunks = graph.export_chunks(form, question)
        for chunk in chunks:
            session.streamed = True
            sys.stdout.buffer.write(chunk if isinstance(chunk, bytes) else chunk.encode("utf-8"))
        sys.stdout.buffer.flush()
        return Answer({}, text="", as_text=True)
    written = graph.export(form, Target(target, options.force, options.raw), question)
    files = [{"path": one.path, "size_bytes": one.size_bytes} for one in written]
    return Answer({"format": form, "file": target, "files": files}, words=_export_words)


def _format(session: Session, given: str, target: str) -> str:
    """The format that is meant: the given one, else the one of the target's ending, else json. An ending of another one is told."""
    ending = os.path.splitext(target)[1].lower()
    meant = ENDINGS.get(ending, "")
    if not given and ending[1:] in FOLDERS:
        form = ending[1:]
        raise UsageError(
            f"{form} is several files, and {target} is the name of one",
            f"kgraph export --format {form} FOLDER",
        )
    if given and meant and given not in (meant, *SHARED.get(ending, ())):
        session.say(f"{target} ends like {meant}, and is written as {given}, as --format says")
    if not given and ending and not meant:
        session.say(
            f"no format has the ending '{ending}', so {target} is written as json; --format says another"
        )
    return given or meant or "json"


def _export_words(body: Any) -> str:
    files = [
        f"{one_line(row['path'])} ({row['size_bytes']:,} bytes)" for row in body["files"][:SHOWN]
    ]
    more = [f"and {len(body['files']) - SHOWN} more files"] if len(body["files"]) > SHOWN else []
    return "\n".join([f"written as {body['format']}:", *files, *more, *problem_lines(body)])


def _configure_push(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", choices=("neo4j", "falkordb"), help="what kind of server it is")
    parser.add_argument(
        "url",
        metavar="URL",
        help="neo4j://USER@HOST:7687, falkor://HOST:6379; the password: KGRAPH_PUSH_PASSWORD",
    )
    parser.add_argument("--database", default="", metavar="NAME", help="its database or graph")
    parser.add_argument(
        "--query", default="", metavar="TEXT", help="only what this question reaches"
    )


def _push(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph.pushing import Server

    question = None
    if options.query:
        from kgraph.retrieve.question import Question

        question = Question(options.query, max_nodes=500)
    done = session.graph().push(Server(options.kind, options.url, options.database), question)
    return Answer({"to": options.url, **done._asdict()})


COMMANDS = {
    "render": Command(_configure_render, _render, "kgraph render --name incidents"),
    "export": Command(
        _configure_export,
        _export,
        "kgraph export --name incidents --format graphml incidents.graphml",
    ),
    "push": Command(_configure_push, _push, "kgraph push neo4j neo4j://neo4j@localhost:7687"),
}
