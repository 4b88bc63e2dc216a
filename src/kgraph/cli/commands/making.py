"""init, import."""

from __future__ import annotations

import argparse
import os
from typing import Any

from kgraph.cli.answering import Answer, one_line, problem_lines
from kgraph.cli.commands import Command
from kgraph.cli.options import json_object
from kgraph.cli.session import Session
from kgraph.errors import UsageError
from kgraph.plurals import counted

SHOWN = 20  # ids that a person is shown; --json has them all


def _configure_init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--objective", default="", metavar="TEXT", help="what the graph is for")
    parser.add_argument(
        "--budget",
        type=json_object,
        default={},
        metavar="JSON",
        help='hard caps, e.g. {"max_cost": 2.5}',
    )
    parser.add_argument(
        "--source-root", default="", metavar="DIR", help="the folder from which relative uris count"
    )


def _init(session: Session, options: argparse.Namespace) -> Answer:
    graph = session.new_graph(options.objective, options.budget, options.source_root)
    return Answer(
        {
            "created": True,
            "objective": graph.manifest.objective,
            "budget": graph.manifest.budget,
            "source_root": graph.source_root,
        }
    )


def _configure_import(parser: argparse.ArgumentParser) -> None:
    from kgraph.views.exchange import IMPORTS

    parser.add_argument(
        "what",
        metavar="FILE_OR_FOLDER",
        help="a graph's folder, its log, or a file in another format",
    )
    parser.add_argument(
        "--format",
        default="",
        metavar="FORMAT",
        help=f"what it is, when its name and content do not say: {', '.join(IMPORTS)}, or log",
    )
    parser.add_argument(
        "--prefix", default="", metavar="P", help="put this before the ids that clash"
    )


def _import(session: Session, options: argparse.Namespace) -> Answer:
    from kgraph.graph.joining import ImportOptions, dry_run, import_graph

    if not os.path.exists(options.what):
        raise UsageError(
            f"there is no {options.what}", "give a graph's folder, its log.jsonl, or a file"
        )
    how = ImportOptions(options.format, options.prefix, options.run_id)
    if not session.place.is_there():  # an import that fails leaves no empty graph behind
        refused = dry_run(session.place.in_memory(), options.what, how)
        if refused is not None:
            return Answer({"created": False, **refused.body}, refused.exit_status)
    graph = session.graph_or_new()
    done = import_graph(graph, options.what, how)
    return Answer({"created": graph.created, **done.body}, done.exit_status, words=_import_words)


def _import_words(body: Any) -> str:
    lines = [
        f"{counted(body['transactions'], 'transaction')} came"
        + (f", {body['known']} were here already" if body.get("known") else "")
    ]
    lines += [f"  {one_line(note)}" for note in body.get("notes", ())]
    if body.get("renamed"):
        lines.append(
            f"{counted(len(body['renamed']), 'id')} renamed: {one_line(', '.join(list(body['renamed'].values())[:SHOWN]))}"
        )
    if body["transactions"] == 1:
        lines.append(f"undo: kgraph retract --tx {body['added'][0][:12]} --reason WHY")
    return "\n".join([*lines, *problem_lines(body)])


COMMANDS = {
    "init": Command(
        _configure_init, _init, 'kgraph init --name incidents --objective "why checkouts failed"'
    ),
    "import": Command(
        _configure_import,
        _import,
        "kgraph import --name incidents ../other/.karpathy-graphs/incidents",
    ),
}
