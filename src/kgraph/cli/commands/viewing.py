"""render, export."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from kgraph.cli.answering import Answer, one_line
from kgraph.cli.commands import Command
from kgraph.cli.options import count
from kgraph.cli.session import Session
from kgraph.errors import UsageError

FORMATS = ("json", "jsonl", "graphml", "gexf", "dot", "mermaid", "csv", "cypher", "jsonld", "turtle", "obsidian", "parquet")


def _configure_render(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plain", action="store_true", help="lay the page out with the standard library, whatever is installed")


def _render(session: Session, options: argparse.Namespace) -> Answer:
    return Answer({"files": session.graph().render(options.plain)}, words=_render_words)


def _render_words(body: Any) -> str:
    return "\n".join(f"{one_line(row['path'])} ({row['size_bytes']:,} bytes)" for row in body["files"].values())


def _configure_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", nargs="?", default="", metavar="FILE", help="a file, a folder for csv, obsidian and parquet, or - for standard output"
    )
    parser.add_argument("--format", choices=FORMATS, default="json", help="the format (json)")
    parser.add_argument("--output", "-o", default="", metavar="FILE", help="the same as FILE")
    parser.add_argument("--force", action="store_true", help="overwrite a file that kgraph did not write")
    parser.add_argument("--query", default="", metavar="TEXT", help="only what this question reaches")
    parser.add_argument("--hops", type=count, default=2, metavar="N", help="for --query: how far (2)")
    parser.add_argument("--max-nodes", type=count, default=500, metavar="N", help="for --query: at most so many nodes (500)")


def _export(session: Session, options: argparse.Namespace) -> Answer:
    if options.target and options.output and options.target != options.output:
        raise UsageError("FILE and --output name two different files", "give one of them")
    target = options.target or options.output
    if not target:
        raise UsageError("where to? no file was given", "give a file, or - for standard output")
    question = None
    if options.query:
        from kgraph.retrieve.question import Question

        question = Question(options.query, options.hops, options.max_nodes)
    graph = session.graph()
    if target == "-":
        chunks = graph.export_chunks(options.format, question)
        for chunk in chunks:
            sys.stdout.buffer.write(chunk if isinstance(chunk, bytes) else chunk.encode("utf-8"))
        sys.stdout.buffer.flush()
        return Answer({}, text="", as_text=True)
    written = graph.export(options.format, (target, options.force), question)
    files = [{"path": one.path, "size_bytes": one.size_bytes} for one in written]
    return Answer({"format": options.format, "file": target, "files": files})


COMMANDS = {
    "render": Command(_configure_render, _render, "kgraph render --name incidents"),
    "export": Command(_configure_export, _export, "kgraph export --name incidents --format graphml incidents.graphml"),
}
